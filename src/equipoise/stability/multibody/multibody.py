"""Does a robot with heavy legs stand, held by springs that its controller makes?

The ideal machine of [Ridderstrom2003] chapters 9 to 11 has massless legs. Here every
body of a model counts: energy of weight, law and ground over all its coordinates, with
gravity's and the forces' own geometric stiffness. The robot stands where the energy
has a minimum over the motions that its feet allow, and every foot pushes. Lumping the
legs into the trunk asks for a stance about a tenth too wide, leaving them out allows
one a tenth too narrow.

Laws that are not springs (posture control, delays) are judged by `closed_loop`. Joint
limits and friction are not looked at.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import null_space

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import NotPhysicalError
from equipoise.robots.pose_kinematics import BodyPoint, PosedModel
from equipoise.stability.multibody.end import heaviest_share
from equipoise.stability.multibody.law import (
    FootLaw,
    JointLaw,
    feet_matrices,
    law_matrix,
)
from equipoise.stability.multibody.path import HeldRobot, RestPoint
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.walks.stops import Answer

__all__ = ["MultibodyStance", "multibody_stance"]

_ROUNDING = 1e-9  # of the springs' stiffness: below, the margin's sign is not known
_NOT_HELD = "the law alone, without weight, does not hold the robot"
_BALANCE = 1e-8  # of the weight, left over by least squares: then nothing balances it


@final
@dataclass(frozen=True, eq=False)
class MultibodyStance:
    """Stance of a robot with heavy legs under a stiffness law."""

    stands: Answer
    """Whether the robot stands with every foot pushing."""
    reason: str
    """Reason in one sentence."""
    multiplier: float
    """Smallest factor on every stiffness at which it still stands; nan where it is
    not known."""
    eigenvalues: VecN
    """Of the energy, relative to the mass matrix, rising, (d,) [1/s²]: squares of the
    undamped frequencies over the motions that the feet allow."""
    mode: VecN
    """Motion of the first eigenvalue, (nv,)."""
    qpos: VecN
    """Pose of the equilibrium, (nq,)."""
    forces: Array
    """Force of the ground on each foot, (n, 3) [N]."""

    @property
    def stable(self) -> bool:
        """Whether the robot is known to stand."""
        return self.stands == "yes"


def multibody_stance(
    model: Any,
    qpos: ArrayLike,
    feet: Sequence[BodyPoint],
    law: FootLaw | JointLaw,
    ground: ArrayLike | None = None,
    *,
    trimmed: bool = False,
) -> MultibodyStance:
    """Return whether a robot held by a stiffness law stands, and with what reserve.

    V = Σ m g z + (r - r₀)ᵀ K (r - r₀)/2 + (p - p₀)ᵀ K_g (p - p₀)/2, gradient zero and
    Hessian positive over the motions that are left; [Ridderstrom2003] eq. (5.1) for
    the law.

    Args:
        model: a compiled mujoco.MjModel, gravity downwards along z; it is not stepped.
        qpos: the pose, (nq,), feet on the ground.
        feet: points of bodies that touch the ground, at least one.
        law: stiffness of feet against the trunk, or of joints.
        ground: None for rigid ground to which the feet are pinned while they push; or
            its stiffness under a foot, a number (upwards, nothing sideways), (3, 3)
            or one each, (n, 3, 3), in the world [N/m].
        trimmed: False: the springs are at rest in the pose, and the robot sinks into
            them. True: set points are such that the pose itself is the equilibrium,
            with the smallest forces at the feet, also at other stiffnesses.

    Returns:
        The stance; without an equilibrium its arrays are nan.

    Raises:
        ConfigError: a model with springs, tendons or closed loops of its own.
        NotPhysicalError: no foot, or a stiffness that no spring has.
        ShapeError: an array of another shape.
        UnknownNameError: a body that the model does not have.
    """
    if not feet:
        raise NotPhysicalError("feet is empty; a stance needs at least one BodyPoint.")
    base = law.base if isinstance(law, FootLaw) else str(model.body(1).name)
    posed = PosedModel(model, feet, base)
    pose = posed.expect_pose(qpos)
    at = posed.at(pose)
    robot = HeldRobot(
        posed,
        law,
        law_matrix(law, posed),
        _ground_matrix(ground, len(feet)),
        np.zeros(0),
        at.p_WP.reshape(-1),
    )
    robot = replace(robot, rest=robot.springs(at).x)
    return _trimmed(robot, pose) if trimmed else _sunk(robot, pose)


def _ground_matrix(ground: ArrayLike | None, count: int) -> Array | None:
    if ground is None:
        return None
    if is_number(ground):
        expect_above_zero("multibody_stance", ground=ground)
        ground = np.diag([0.0, 0.0, float(np.asarray(ground))])
    K = feet_matrices("ground", ground, count)
    if not all(K[3 * i + 2, 3 * i + 2] > 0 for i in range(count)):
        raise NotPhysicalError(
            "multibody_stance: ground has no stiffness upwards under a foot; ground "
            "that carries nothing has no foot on it, so leave the foot out."
        )
    return K


def _sunk(robot: HeldRobot, pose: VecN) -> MultibodyStance:
    """Judge the equilibrium into which the robot sinks from its springs' rest."""
    unloaded = robot.judged(pose, 0.0, np.zeros((len(robot.anchors) // 3, 3)))
    if not unloaded.margin > 0:
        return _result("unknown", f"not known: {_NOT_HELD}", math.nan, unloaded, False)
    end = heaviest_share(robot, unloaded)
    point, s = end.at_one, 1.0 / end.share if end.share > 0 else math.inf
    if end.share < 1.0 and not end.is_bound:
        reason = f"it falls: every stiffness must be {s:.4g} times what it is"
        return _result("no", reason, s, point or unloaded, point is not None)
    if point is None or not point.margin > _ROUNDING or end.share <= 1.0:
        reason = f"not known: {end.why}"
        return _result("unknown", reason, math.nan, point or unloaded, bool(point))
    kept = "at most" if end.is_bound else "down to"
    return _result("yes", f"it stands {kept} {s:.4g} times every stiffness", s, point)


def _trimmed(robot: HeldRobot, pose: VecN) -> MultibodyStance:
    """Judge the pose itself, set points chosen so that it is an equilibrium.

    The forces do not change with a common factor s on the stiffnesses, and so the
    Hessian is s K + G: it is singular at s = 1 - margin.
    """
    held, push, left = _trim(robot, pose)
    point = held.judged(pose, 1.0, push)
    pulls = [i for i, up in enumerate(push[:, 2]) if not up > 0]
    problem = ""
    if left > _BALANCE:
        problem = "no set point of this law holds the pose"
    elif pulls:
        problem = f"feet {pulls} would have to pull at the ground"
    elif math.isnan(point.margin):
        problem = _NOT_HELD
    elif abs(point.margin) <= _ROUNDING:
        problem = "it is just at its limit"
    if problem:
        known = left <= _BALANCE
        return _result("unknown", f"not known: {problem}", math.nan, point, known)
    s, stands = max(0.0, 1.0 - point.margin), point.margin > 0
    word = "stands down to" if stands else "falls; it would stand above"
    reason = f"it {word} {s:.4g} times every stiffness"
    return _result("yes" if stands else "no", reason, s, point)


def _trim(robot: HeldRobot, pose: VecN) -> tuple[HeldRobot, Array, float]:
    """Return the robot with set points, the feet's forces, and what is left over.

    First the smallest forces at the feet that balance the weight where the law cannot
    act, then the law's own forces for the rest; left over is a share of the weight.
    """
    at = robot.posed.at(pose)
    law = robot.springs(at)
    J = at.J_v_WP.reshape(-1, robot.posed.nv)
    reach = np.eye(len(J)) if robot.K_ground is None else robot.K_ground
    idle = null_space(law.K @ law.J)
    sink = np.linalg.lstsq(idle.T @ J.T @ reach, idle.T @ at.weight, rcond=None)[0]
    push = reach @ sink
    missing = J.T @ push - at.weight
    stretch = np.linalg.lstsq(law.J.T @ law.K, missing, rcond=None)[0]
    anchors = at.p_WP.reshape(-1) + (0.0 if robot.K_ground is None else sink)
    held = replace(robot, rest=law.x - stretch, anchors=anchors)
    left = np.abs(missing - law.gradient(held.rest)).max() / robot.posed.load
    return held, push.reshape(-1, 3), float(left)


def _result(
    stands: Answer, reason: str, multiplier: float, at: RestPoint, known: bool = True
) -> MultibodyStance:
    """Return a stance; nan where no equilibrium is known."""
    blank = 1.0 if known else math.nan
    return MultibodyStance(
        stands,
        reason,
        multiplier,
        at.eigenvalues * blank,
        at.mode * blank,
        at.qpos * blank,
        at.forces * blank,
    )
