"""How old news may be before joints that hold weights by it run away.

Every joint holds the weight on it, which it knows by messages: what joint k did reaches
joint j after d_jk hops of h each. Against joints of damping b, with V the potential
energy and G = ∂²V/∂θ², the weight that is not held is G θ(t) - G θ(t - h d), so that

    b s θ_j + Σ_k G_jk (1 - exp(-s h d_jk)) θ_k = 0.

Divided by s this matrix is symmetric for real s, tends to b I for large s and to
b I + h (G ∘ D) for small s. Where the latter has a negative eigenvalue, one of them
passes zero at some s > 0: the robot falls by itself, whatever inertia it has. Hence

    h <= b / λ,   λ = -λ_min(G ∘ D),

the largest delay of a hop. λ grows with mass, length and depth; hanging robots have
none. Only steering can save a direction or two, and it hears as late.
"""

import math
from dataclasses import dataclass
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.constants import GRAVITY
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.assembly import Assembly

__all__ = [
    "CALMED", "DELAYED", "MOST_BOUND", "DelayBound", "delay_bound", "delayed_weights",
    "hop_delay_limit", "hops_between", "late_news",
]  # fmt: skip

MOST_BOUND = 100  # modules up to which the bound is computed, in a second
DENSE = 1500  # joints up to which all eigenvalues are computed
DELAYED, CALMED = 0.3, 0.2
"""Share of the largest delay from which gains allow for it, and to which added drag
brings it: the bound is that of the start, and a robot that rises is up to 4 times as
high."""
ROUNDING = 1e-9  # share of the largest entry below which λ is none


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class DelayBound:
    """Bound on the delay of a robot's links."""

    hops: int
    """Largest number of links between two modules."""
    weight: float
    """λ, how much damping a second of delay a hop calls for [N m/rad]."""
    damping: float
    """b, of a joint [N m s/rad]."""
    most_drag: float
    """Damping that a joint can add by its motor, sampled as it is [N m s/rad]."""

    @property
    def hop_delay(self) -> float:
        """Largest delay of a hop with the joints' own damping; infinite if any [s]."""
        return self.damping / self.weight if self.weight > 0.0 else math.inf

    def share(self, hop_delay: float, drag: float = 0.0) -> float:
        """Return a delay over the largest one; unstable above 1.

        Args:
            hop_delay: of a link [s].
            drag: damping that joints add to their own [N m s/rad].
        """
        return hop_delay * self.weight / (self.damping + drag)

    def drag(self, hop_delay: float, share: float) -> float:
        """Return the damping to add for a share of the largest delay [N m s/rad].

        Args:
            hop_delay: of a link [s].
            share: that is wanted, in (0, 1).
        """
        needed = hop_delay * self.weight / share - self.damping
        return min(max(needed, 0.0), self.most_drag)


def delay_bound(assembly: Assembly, dt: float = 0.001) -> DelayBound:
    """Return how slow a robot's links may be, as it stands at the start.

    Args:
        assembly: the robot.
        dt: control period, which limits the damping that a motor can add [s].
    """
    module, weights = assembly.module, delayed_weights(assembly)
    return DelayBound(
        hops=assembly.diameter,
        weight=_most_negative(weights),
        damping=module.damping,
        most_drag=module.armature / dt + module.damping,
    )


def hop_delay_limit(assembly: Assembly) -> float | None:
    """Return the largest delay of a hop; None if any will do, or it is not known [s].

    Args:
        assembly: the robot; of more than ``MOST_BOUND`` modules it is not computed.
    """
    if len(assembly.modules) > MOST_BOUND:
        return None
    limit = delay_bound(assembly).hop_delay
    return limit if math.isfinite(limit) else None


def late_news(
    hop_delay: float, limit: float | None, *, is_heeded: bool = True
) -> str | None:
    """Return a warning where news of the weights comes late; None where it does not.

    Args:
        hop_delay: of a link [s].
        limit: of ``hop_delay_limit`` [s].
        is_heeded: whether the law's gains allow for it.
    """
    if limit is None or hop_delay <= DELAYED * limit:
        return None
    does = (
        "its joints add damping and steer more slowly"
        if is_heeded
        else "the gains chosen do not allow for it"
    )
    return (
        f"A hop takes {1e3 * hop_delay:g} ms; from {1e3 * limit:.3g} ms on, old news"
        f" of the weights alone tips this robot over, and more easily as it rises:"
        f" {does}."
    )


def _most_negative(matrix: Array) -> float:
    """Return -λ_min of a symmetric matrix, 0 where none is negative."""
    if not matrix.size:
        return 0.0
    if len(matrix) <= DENSE:
        least = float(np.linalg.eigvalsh(matrix)[0])
    else:
        from scipy.sparse.linalg import eigsh  # slow to import, rarely needed

        least = float(eigsh(matrix, k=1, which="SA", return_eigenvectors=False)[0])
    return -least if -least > ROUNDING * float(np.abs(matrix).max()) else 0.0


def delayed_weights(assembly: Assembly) -> Array:
    """Return G ∘ D of the start pose, (joints, joints) [N m/rad].

    Locked joints, which do not turn, are left out.

    Args:
        assembly: the robot.
    """
    model = robot_from_assembly(assembly).model
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    hops, module = hops_between(assembly), _joint_modules(assembly, model)
    joint = model.actuator_trnid[:, 0]
    body, axis = model.jnt_bodyid[joint], data.xaxis[joint]
    arm = data.subtree_com[body] - data.xanchor[joint]
    moment = model.body_subtreemass[body][:, None] * np.cross(axis, arm)
    out, own = np.zeros((len(joint),) * 2), {int(b): k for k, b in enumerate(body)}
    for k, at in enumerate(body):
        up, rows = int(at), list[int]()
        while up > 0:
            rows += [own[up]] if up in own else []
            up = int(model.body_parentid[up])
        curved = GRAVITY * np.cross(axis[rows], moment[k])[:, 2]
        out[rows, k] = out[k, rows] = curved * hops[module[rows], module[k]]
    return out


def _joint_modules(assembly: Assembly, model: mujoco.MjModel) -> Ints:
    """Return which module each driven joint belongs to, (joints,)."""
    index = {placed.name: k for k, placed in enumerate(assembly.modules)}
    names = [model.joint(j).name for j in model.actuator_trnid[:, 0]]
    joints = [j.name for j in assembly.body.joints]
    owner = {f"{m}_{j}": k for m, k in index.items() for j in joints}
    return np.array([owner[name] for name in names], np.int64)


def hops_between(assembly: Assembly) -> Ints:
    """Return the number of links between modules, (nm, nm).

    Args:
        assembly: the robot.
    """
    n = len(assembly.modules)
    hops, seen = np.zeros((n, n), np.int64), list[int]()
    for link in assembly.walk:
        if link.parent >= 0:
            hops[link.module, seen] = hops[link.parent, seen] + 1
            hops[seen, link.module] = hops[link.module, seen]
        seen.append(link.module)
    return hops
