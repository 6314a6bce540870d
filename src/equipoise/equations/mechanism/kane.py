"""Kane's equations: motion and forces projected on what the speeds can do.

With v and ω of every body linear in the speeds w, their derivatives by the speeds are
the tangent vectors β, and β • (dp/dt - F) = 0 is M dw/dt = F; [Ridderstrom2003]
sections 6.2.1 and 6.3.7, here with dp/dt split into M dw/dt and the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from equipoise.equations.mechanism.constraints import Held
from equipoise.equations.mechanism.frames import Vector
from equipoise.equations.mechanism.mechanism import Body, Mechanism
from equipoise.equations.tape.derivatives import jacobian, partials
from equipoise.equations.tape.program import Operations, live_operations, program
from equipoise.equations.tape.solve import symbolic_solution
from equipoise.equations.tape.symmetric import Symmetric
from equipoise.equations.tape.tape import ZERO, Expr, Op, Tape
from equipoise.equations.tape.vectors import (
    Vec,
    cross_product,
    inner_product,
    plus,
    scaled_vector,
    sym_times,
    total,
    vector_difference,
)

__all__ = ["Equations", "literal_equations", "pulled_back"]

Upper = dict[tuple[int, int], Expr]


@final
@dataclass(frozen=True)
class Equations:
    """Equations of motion M dw/dt = F and dq/dt = kde."""

    coordinates: tuple[Expr, ...]
    speeds: tuple[Expr, ...]
    M: Symmetric
    """Mass matrix in order of the speeds; ``M[i, j]``, the upper triangle stored."""
    F: tuple[Expr, ...]
    kde: tuple[Expr, ...]
    form: str
    """Form in which they were derived, ``composite`` or ``literal``."""
    order: tuple[int, ...] = ()
    """Speeds in order from the root of the mechanism outwards."""
    constraints: tuple[Held, ...] = ()

    def freely(self, right: Sequence[Expr]) -> list[Expr]:
        """Return M⁻¹ times a vector.

        Args:
            right: the vector, in order of the speeds.
        """
        n = len(self.speeds)
        order = self.order or tuple(range(n))
        at = {k: i for i, k in enumerate(order)}
        turned: Upper = {}
        for (i, j), e in self.M.items():
            turned[min(at[i], at[j]), max(at[i], at[j])] = e
        x = symbolic_solution(turned, [right[k] for k in order])
        return [x[at[k]] for k in range(n)]

    def multipliers(self) -> list[Expr]:
        """Return the forces λ that hold the constraints, one for each.

        J M⁻¹ J' λ = -c - J M⁻¹ F.
        """
        if not self.constraints:
            return []
        columns = [self.freely(h.row) for h in self.constraints]
        free = self.freely(self.F)
        rows = [h.row for h in self.constraints]
        flexible = {
            (i, j): _inner(rows[i], column)
            for j, column in enumerate(columns)
            for i in range(j + 1)
        }
        missing = [-(h.bias + _inner(h.row, free)) for h in self.constraints]
        return symbolic_solution(flexible, missing)

    def accelerations(self) -> list[Expr]:
        """Return the rates of the speeds, M⁻¹ (F + J' λ)."""
        right = list(self.F)
        for h, size in zip(self.constraints, self.multipliers(), strict=True):
            right = [f + e * size for f, e in zip(right, h.row, strict=True)]
        return self.freely(right)

    @property
    def operations(self) -> Operations:
        """Number of operations of M, F and the kinematic equations together."""
        outputs = [*self.M.values(), *self.F, *self.kde]
        return operation_counts(outputs)


def operation_counts(outputs: Sequence[Expr]) -> Operations:
    """Return what expressions cost at each step."""
    tape = outputs[0].tape
    symbols = [i for i, op in enumerate(tape.ops) if op is Op.SYMBOL]
    ranked = {1: [Expr(tape, i) for i in symbols if tape.rank[i] == 1]}
    given = [Expr(tape, i) for i in symbols if tape.rank[i] == 2]
    return program(outputs, given, ranked[1]).operations


def literal_equations(mechanism: Mechanism) -> tuple[Upper, list[Expr]]:
    """Return M (upper triangle) and F, body by body.

    Args:
        mechanism: bodies, forces and how they move.
    """
    n = len(mechanism.speeds)
    zero = mechanism.tape.constant(0.0)
    outputs: list[Expr] = []
    weights: list[Expr] = []
    M: Upper = {}
    moving = [_body_motion(mechanism, body) for body in mechanism.bodies]
    flat = [e for v, w, _, _ in moving for e in (*v, *w)]
    columns = list(zip(*jacobian(flat, mechanism.speeds), strict=True))
    for k, (body, (v, w, force, moment)) in enumerate(
        zip(mechanism.bodies, moving, strict=True)
    ):
        outputs += [*v, *w]
        weights += [*force, *moment]
        own = [c[6 * k : 6 * k + 6] for c in columns]
        _add_inertia(M, body, own)
    for force in mechanism.field.others:
        frame = force.point.home
        outputs += mechanism.motion.velocity(force.point).in_(frame)
        weights += force.vector.in_(frame)
    for torque in mechanism.torques:
        for frame, sign in ((torque.frame, 1.0), (torque.reaction, -1.0)):
            if frame is not None:
                outputs += mechanism.motion.spin(frame)
                weights += (torque.vector * sign).in_(frame)
    F = pulled_back(outputs, weights, mechanism.speeds) if outputs else [zero] * n
    return M, F


def _body_motion(mechanism: Mechanism, body: Body) -> tuple[Vec, Vec, Vec, Vec]:
    """Return velocity, spin, and minus what it takes to move so, in the body's axes."""
    kinematics, frame = mechanism.motion, body.frame
    velocity = kinematics.velocity(body.point)
    a: Vector = kinematics.derivative(velocity)
    fall = mechanism.field.fall
    if fall is not None:
        a = a - fall
    w = kinematics.spin(frame)
    force = scaled_vector(-body.mass, a.in_(frame))
    zero = mechanism.tape.constant(0.0)
    moment = (zero, zero, zero)
    if body.inertia is not None:
        x, y, z = kinematics.rate(w)
        entries = body.inertia.entries
        turning = plus(
            sym_times(entries, (x, y, z)), cross_product(w, sym_times(entries, w))
        )
        moment = vector_difference(moment, turning)
    else:
        w = (zero, zero, zero)
    return velocity.in_(frame), w, force, moment


def _add_inertia(M: Upper, body: Body, columns: Sequence[Sequence[Expr]]) -> None:
    """Add a body's part of the mass matrix, the products of its tangent vectors."""
    for j, column in enumerate(columns):
        v, w = as_vec(column[:3]), as_vec(column[3:])
        if all(e.is_zero for e in column):
            continue
        p = scaled_vector(body.mass, v)
        spin = w if body.inertia is None else sym_times(body.inertia.entries, w)
        for i in range(j + 1):
            other = columns[i]
            e = inner_product(as_vec(other[:3]), p) + inner_product(
                as_vec(other[3:]), spin
            )
            if not e.is_zero:
                M[i, j] = M[i, j] + e if (i, j) in M else e


def _inner(a: Sequence[Expr], b: Sequence[Expr]) -> Expr:
    """Return the inner product of two rows."""
    terms = [x * y for x, y in zip(a, b, strict=True)]
    return total(terms)


def as_vec(three: Sequence[Expr]) -> Vec:
    """Return three expressions as a vector."""
    return (three[0], three[1], three[2])


def pulled_back(
    outputs: Sequence[Expr], weights: Sequence[Expr], symbols: Sequence[Expr]
) -> list[Expr]:
    """Return the derivatives of a weighted sum by symbols, the weights held constant.

    With velocities as outputs and forces as weights this is the transpose of their
    Jacobian times the forces, done link by link from the tips inwards.

    Args:
        outputs: what is summed.
        weights: one for each.
        symbols: what to differentiate by.
    """
    tape = outputs[0].tape
    order = live_operations(tape, [e.ref for e in outputs])
    depends = {s.ref for s in symbols}
    for i in order:
        if any(abs(a) in depends for a in tape.args[i]):
            depends.add(i)
    total: dict[int, int] = {}
    for e, weight in zip(outputs, weights, strict=True):
        _add(total, tape, e.ref, weight.ref)
    for i in reversed(order):
        weight = total.get(i, ZERO)
        if abs(weight) == ZERO or i not in depends:
            continue
        for a, slope in partials(tape, i):
            if abs(a) in depends and abs(slope) != ZERO:
                _add(total, tape, a, tape.multiply(weight, slope))
    return [Expr(tape, total.get(s.ref, ZERO)) for s in symbols]


def _add(total: dict[int, int], tape: Tape, reference: int, share: int) -> None:
    """Add to what a reference carries."""
    i = abs(reference)
    total[i] = tape.add(total.get(i, ZERO), share if reference > 0 else -share)
