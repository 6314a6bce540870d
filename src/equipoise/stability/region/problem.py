"""Contacts with true friction cones as a small conic problem, solved per direction.

Forces f_i at contacts p_i with normals n_i hold up a weight w at c when

    sum f_i = w e_z,   sum p_i × f_i = c × w e_z,   |f_i - (f_i·n_i) n_i| <= μ_i f_i·n_i

([Bretl2006] section III). The height of c drops out, c_xy is linear in the forces, and
four equalities are left: force balance, and no moment about the vertical. The largest
d·c_xy is solved in its dual form, which has four unknowns however many contacts there
are (one more for each limit on the forces); its multipliers are forces.

"No forces" and "without end" are said only with a proof that is checked here, because
a solver's word hangs on how a processor rounds: multipliers that no forces survive
(Farkas's lemma), or forces that cancel and move c.

Everything is in units of the weight and of the contacts' spread, from their mean.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, cast, final

import clarabel as _clarabel
import numpy as np
from scipy import sparse

from equipoise.core.arrays import Array, Vec2, VecN

__all__ = ["ContactProblem", "Extreme", "Solved"]

clarabel: Any = _clarabel  # compiled, and without types

_SLIPPERY = 1e-9
"""Friction below this counts as none, which can only make the region smaller."""
_RANK = 1e-10
"""Singular values below this part of the largest are rounding: a few eps × size."""
_SOLVER = 1e-10
"""Stopping tolerance of the cone solver, far below the 1e-6 that is promised."""
_ACCEPTED = 1e-8
"""Residual and gap with which a solution that the solver calls inexact is kept.

Of a proof that there are no forces, too: it then holds for those up to 1e8 weights."""


class Solved(Enum):
    """Solution for one direction."""

    FOUND = "found"
    NONE = "none"
    """No forces at all hold the weight."""
    ENDLESS = "endless"
    """Forces exist, and the centre of mass may go on without end."""
    NOT_KNOWN = "not known"


@dataclass(frozen=True)
class Extreme:
    """The farthest centre of mass in one direction, in the problem's units."""

    status: Solved
    value: float = float("nan")
    """The largest d·c, an upper bound to within the solver's tolerance."""
    point: tuple[float, float] = (float("nan"), float("nan"))
    """A centre of mass that can be held there."""


@final
class ContactProblem:
    """The cone problem of one set of contacts; ``solve`` may be called many times.

    Args:
        points: (nc, 3), in the problem's units.
        normals: unit, (nc, 3), away from the ground.
        frictions: >= 0, (nc,).
        limits: rows (nl, nc, 3) of forces over the weight and their bounds (nl,),
            Σ rows_i·f_i <= bound, or None.
    """

    def __init__(
        self,
        points: Array,
        normals: Array,
        frictions: VecN,
        limits: tuple[Array, VecN] | None,
    ) -> None:
        order = np.argsort(frictions > _SLIPPERY, kind="stable")  # frictionless first
        points, normals, frictions = points[order], normals[order], frictions[order]
        slippery = int(np.count_nonzero(frictions <= _SLIPPERY))
        self._rough = len(points) - slippery
        wrench = _cone_columns(points, normals, frictions, slippery)
        self._reach = np.array([-wrench[4], wrench[3]])  # c_xy = reach @ forces
        self._balance = wrench[[0, 1, 2, 5]]
        self._slippery = slippery
        self._limits = None
        if limits is not None:
            self._limits = self._on_numbers(limits[0][:, order], wrench[:3]), limits[1]
        rows = _independent(self._balance, np.array([0.0, 0.0, 1.0, 0.0]))
        self._rows = rows
        self._solver = None if rows is None else self._dual_solver(*rows)

    @property
    def size(self) -> int:
        """Number of values that describe all forces."""
        return self._balance.shape[1]

    def _on_numbers(self, rows: Array, forces: Array) -> Array:
        """Return rows on contact forces, (nl, nc, 3), as rows on all numbers."""
        counts = np.r_[np.ones(self._slippery, int), np.full(self._rough, 3)]
        owner = np.repeat(np.arange(len(counts)), counts)
        return np.einsum("lnk,kn->ln", rows[:, owner], forces)

    def _dual_solver(self, rows: Array, target: VecN) -> Any:
        """Return a solver of min target·λ + bounds·ν with forces as multipliers."""
        matrix, cost = -rows.T, target
        kinds: list[Any] = []
        if self._limits is not None:
            limits, bounds = self._limits
            nl = len(bounds)
            bound = np.hstack([np.zeros((nl, rows.shape[0])), -np.eye(nl)])
            matrix = np.vstack([bound, np.hstack([matrix, -limits.T])])
            cost = np.concatenate([target, bounds])
            kinds.append(clarabel.NonnegativeConeT(nl))
        kinds += self._cones()
        n = len(cost)
        none = sparse.csc_matrix((n, n))
        rhs = np.zeros(matrix.shape[0])
        return clarabel.DefaultSolver(
            none, cost, sparse.csc_matrix(matrix), rhs, kinds, _settings()
        )

    def _cones(self) -> list[Any]:
        flat = [clarabel.NonnegativeConeT(self._slippery)] if self._slippery else []
        return flat + [clarabel.SecondOrderConeT(3)] * self._rough

    def solve(self, direction: Vec2) -> Extreme:
        """Return the farthest centre of mass in a direction.

        Args:
            direction: unit, horizontal, (2,).
        """
        if self._rows is None or self._solver is None:
            return Extreme(Solved.NONE)
        gain = direction @ self._reach
        rhs = -gain if self._limits is None else np.r_[0.0 * self._limits[1], -gain]
        self._solver.update(b=rhs)
        answer = self._solver.solve()
        status = str(answer.status)
        forces = np.array(answer.z)[-self.size :]
        if status == "DualInfeasible":
            none = self._refutes(*self._rows, np.array(answer.x))
            return Extreme(Solved.NONE if none else Solved.NOT_KNOWN)
        if status == "PrimalInfeasible":  # which says nothing of whether forces exist
            endless = self._goes_on(forces, float(gain @ forces))
            return Extreme(self._endless_or_none() if endless else Solved.NOT_KNOWN)
        point = self._reach @ forces
        value = float(answer.obj_val)
        if status != "Solved" and not self._is_good(
            forces, value, float(gain @ forces)
        ):
            return Extreme(Solved.NOT_KNOWN)
        return Extreme(Solved.FOUND, value, (float(point[0]), float(point[1])))

    def _is_good(self, forces: VecN, upper: float, lower: float) -> bool:
        off = self._balance @ forces - np.array([0.0, 0.0, 1.0, 0.0])
        worst = max(self._misses(off, forces), abs(upper - lower))
        return worst <= _ACCEPTED  # false for NaN too

    def _outside(self, numbers: VecN) -> float:
        """Return how far outside their cones numbers are at most, 0 if inside."""
        rough = numbers[self._slippery :].reshape(-1, 3)
        outside = np.hypot(rough[:, 1], rough[:, 2]) - rough[:, 0]
        below = -numbers[: self._slippery]
        return float(np.concatenate([outside, below]).max(initial=0.0))

    def _misses(self, off: VecN, forces: VecN, share: float = 1.0) -> float:
        """Return by how much forces miss cones, limits times a share, and the rest."""
        worst = max(float(np.abs(off).max()), self._outside(forces))
        if self._limits is not None:
            over = self._limits[0] @ forces - share * self._limits[1]
            worst = max(worst, float(over.max(initial=0.0)))
        return worst

    def _refutes(self, rows: Array, target: VecN, multipliers: VecN) -> bool:
        """Return whether multipliers (λ, ν) prove that no forces meet the target.

        Forces f in the cones with rows f = target and limits f <= bounds would have

            0 <= (rowsᵀ λ + limitsᵀ ν)·f <= target·λ + bounds·ν < 0,

        as the cones are their own duals: Farkas's lemma, and a contradiction.
        """
        m = len(target)
        push, size = rows.T @ multipliers[:m], float(target @ multipliers[:m])
        worst = 0.0
        if self._limits is not None:
            nu = multipliers[m:]
            push = push + self._limits[0].T @ nu
            size += float(self._limits[1] @ nu)
            worst = float((-nu).max(initial=0.0))
        worst = max(worst, self._outside(push))
        return size < 0.0 and worst <= -_ACCEPTED * size  # false for NaN too

    def _goes_on(self, forces: VecN, gain: float) -> bool:
        """Return whether forces cancel and may be added for ever, moving the centre."""
        worst = self._misses(self._balance @ forces, forces, 0.0)
        return gain > 0.0 and worst <= _ACCEPTED * gain

    def _endless_or_none(self) -> Solved:
        held = self.holds(None)
        if held is None:
            return Solved.NOT_KNOWN
        return Solved.ENDLESS if held else Solved.NONE

    def holds(self, pxy: Vec2 | None) -> bool | None:
        """Return whether forces exist, with the centre of mass at a place or anywhere.

        The forces sought are the smallest in the sense of least squares.

        Args:
            pxy: where, (2,), or None for anywhere.

        Returns:
            Yes or no, and None where the solver cannot tell.
        """
        given, wanted = self._balance, np.array([0.0, 0.0, 1.0, 0.0])
        if pxy is not None:
            given = np.vstack([given, self._reach])
            wanted = np.concatenate([wanted, pxy])
        independent = _independent(given, wanted)
        if independent is None:
            return False
        rows, target = independent
        parts, rhs = [rows], [target]
        kinds: list[Any] = [clarabel.ZeroConeT(len(target))]
        if self._limits is not None:
            parts.append(self._limits[0])
            rhs.append(self._limits[1])
            kinds.append(clarabel.NonnegativeConeT(len(self._limits[1])))
        parts.append(-np.eye(self.size))
        rhs.append(np.zeros(self.size))
        answer = clarabel.DefaultSolver(
            sparse.identity(self.size, format="csc"),
            np.zeros(self.size),
            sparse.csc_matrix(np.vstack(parts)),
            np.concatenate(rhs),
            kinds + self._cones(),
            _settings(),
        ).solve()
        forces, proof = np.array(answer.x), np.array(answer.z)
        if self._misses(given @ forces - wanted, forces) <= _ACCEPTED:
            return True
        return False if self._refutes(rows, target, proof[: -self.size]) else None


def _settings() -> Any:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.presolve_enable = False  # it would forbid to change the direction
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = _SOLVER
    settings.tol_infeas_abs = settings.tol_infeas_rel = _SOLVER
    return settings


def _cone_columns(
    points: Array, normals: Array, frictions: VecN, slippery: int
) -> Array:
    """Return the wrench of each force number, (6, n).

    A rough contact has three numbers y with |y_1, y_2| <= y_0, a slippery one y_0 >= 0;
    the normal force is y_0 over the stretch, max(1, μ), which keeps columns near one.
    The tangents are those of [Duff2017], which have no pole.
    """
    stretch = np.maximum(1.0, frictions)
    x, y, z = normals.T
    sign = np.copysign(1.0, z)
    part = -1.0 / (sign + z)
    side = frictions / stretch
    wrench = np.empty((len(points), 3, 6))  # contact, force number, force and moment
    wrench[:, 0, :3] = normals / stretch[:, None]
    first = (1.0 + sign * x * x * part, sign * x * y * part, -sign * x)
    second = (x * y * part, sign + y * y * part, -y)
    for k in range(3):
        wrench[:, 1, k] = side * first[k]
        wrench[:, 2, k] = side * second[k]
    px, py, pz = points.T[:, :, None]
    fx, fy, fz = wrench[:, :, 0], wrench[:, :, 1], wrench[:, :, 2]
    wrench[:, :, 3] = py * fz - pz * fy
    wrench[:, :, 4] = pz * fx - px * fz
    wrench[:, :, 5] = px * fy - py * fx
    flat = wrench[:slippery, 0]
    rough = wrench[slippery:].reshape(-1, 6)
    return np.ascontiguousarray(np.concatenate([flat, rough]).T)


def _independent(rows: Array, target: VecN) -> tuple[Array, VecN] | None:
    """Return equalities with orthonormal rows, or None where they contradict."""
    left, sizes, right = _svd(rows)
    rank = int(np.count_nonzero(sizes > _RANK * sizes[0]))
    seen = left[:, :rank].T @ target
    if float(np.abs(left[:, :rank] @ seen - target).max()) > _ACCEPTED:
        return None
    return right[:rank], seen / sizes[:rank]


def _svd(rows: Array) -> tuple[Array, VecN, Array]:
    return cast("tuple[Array, VecN, Array]", np.linalg.svd(rows, full_matrices=False))
