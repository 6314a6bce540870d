"""A robot in a pose: where points of it are, how they move, its weight, its inertia.

A forward pass of the model and nothing more. Small motions are written in the model's
own velocities, (nv,): a pose moved by δ is what MuJoCo's integration over one second
at velocity δ makes of it. Second derivatives are those of that chart at δ = 0, exact:
the symmetric part of the Jacobian's rate at each unit velocity.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, Mat3, Vec3, VecN, expect_array
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.robot import Robot
from equipoise.robots.stance.stance import pose_of, stance_of

__all__ = [
    "BodyPoint",
    "PoseKinematics",
    "PosedModel",
    "foot_points",
]

SCALAR = (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)


@final
@dataclass(frozen=True)
class BodyPoint:
    """Point fixed in a body of a robot."""

    body: str
    place: tuple[float, float, float]
    """Position from the body's origin, in its frame [m]."""


def foot_points(robot: Robot, qpos: VecN | None = None) -> tuple[BodyPoint, ...]:
    """Return the points on which a robot stands in a pose, as points of its bodies.

    The middle of a ball, on which it rolls; of other shapes the corners that touch.

    Args:
        robot: any robot.
        qpos: its pose, (nq,); None for keyframe ``start``, else the model's own.

    Raises:
        ShapeError: a pose of another length, or that is not finite.
        ConfigError: a foot that does not exist, or a robot without a mass.
    """
    stance, model = stance_of(robot, qpos), robot.model
    data = mujoco.MjData(model)
    data.qpos[:] = pose_of(robot) if qpos is None else qpos
    mujoco.mj_kinematics(model, data)
    points: list[BodyPoint] = []
    middles = stance.points + stance.radii[:, None] * stance.normals
    for body, spot in zip(stance.bodies, middles, strict=True):
        place = data.xmat[body].reshape(3, 3).T @ (spot - data.xpos[body])
        x, y, z = (float(v) for v in place)
        points.append(BodyPoint(str(model.body(int(body)).name), (x, y, z)))
    return tuple(points)


@final
@dataclass(frozen=True, eq=False)
class PoseKinematics:
    """Forward kinematics of a pose; n points."""

    p_WP: Array
    """The points in the world, (n, 3) [m]."""
    J_v_WP: Array
    """Their Jacobians, (n, 3, nv)."""
    H_WP: Array
    """Their second derivatives, (n, 3, nv, nv)."""
    R_WB: Mat3
    """Orientation of the base body."""
    p_WB: Vec3
    """Origin of the base body [m]."""
    up_in_root: Vec3
    """The world's vertical in the frame of the first moving body."""
    angles: VecN
    """Of the joints with one freedom, in the model's order, (nj,) [rad or m]."""
    weight: VecN
    """Gradient of the weight's energy, (nv,) [N or N m]."""
    weight_hessian: Array
    """Its second derivative, (nv, nv)."""
    inertia: Array
    """Mass matrix, (nv, nv)."""


@final
class PosedModel:
    """A model with points on it, ready to be put into poses.

    Args:
        model: compiled, as ``Robot.model``.
        points: where it is held or touches.
        base: the body in whose frame a law may be written.

    Raises:
        UnknownNameError: a body that the model does not have.
        ConfigError: a model with springs, tendons or closed loops of its own.
    """

    def __init__(self, model: Any, points: Sequence[BodyPoint], base: str) -> None:
        _refuse_own_springs(model)
        self.model, self.base = model, _body_id(model, base)
        self.points = [
            (_body_id(model, point.body), expect_array("place", point.place, (3,)))
            for point in points
        ]
        self.nv = int(model.nv)
        g = float(np.linalg.norm(model.opt.gravity))
        moves = model.body_weldid != 0  # what stands still has no weight to hold
        self.load = float(model.body_mass[moves].sum()) * g
        """The robot's weight [N]."""
        kinds = [int(kind) for kind in model.jnt_type]
        scalar = [j for j, kind in enumerate(kinds) if kind in map(int, SCALAR)]
        self.angle_at = np.array([model.jnt_qposadr[j] for j in scalar], int)
        self.joint_at = np.array([model.jnt_dofadr[j] for j in scalar], int)
        """Which velocities belong to joints with one freedom, (nj,)."""
        self.below_base = np.array(
            [_is_below(model, int(body), self.base) for body in model.dof_bodyid]
        )
        """Which velocities do not move the base, (nv,)."""
        self.is_free = bool(kinds) and kinds[0] == int(mujoco.mjtJoint.mjJNT_FREE)
        """Whether the first joint is a free one."""
        self._data = mujoco.MjData(model)

    def hangs_on_base(self, body: int) -> bool:
        """Return whether a body hangs on the base, by joints between them or not."""
        return _is_below(self.model, body, self.base)

    def moved(self, qpos: VecN, move: VecN) -> VecN:
        """Return the pose that a small motion leads to, (nq,)."""
        moved = np.array(qpos, np.float64)
        mujoco.mj_integratePos(self.model, moved, np.ascontiguousarray(move), 1.0)
        return moved

    def expect_pose(self, qpos: ArrayLike) -> VecN:
        """Return a pose as an array, quaternions of length one.

        Raises:
            ShapeError: a pose of another length, or that is not finite.
        """
        pose = np.array(expect_array("qpos", qpos, (self.model.nq,)))
        mujoco.mj_normalizeQuat(self.model, pose)
        return pose

    def at(self, qpos: VecN) -> PoseKinematics:
        """Return places, derivatives, weight and inertia in a pose."""
        model, data, nv = self.model, self._data, self.nv
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        inertia = np.zeros((nv, nv))
        mujoco.mj_fullM(model, data, inertia)
        heavy = [b for b in range(1, model.nbody) if model.body_mass[b] > 0]
        spots = [(b, np.array(data.xipos[b])) for b in heavy]
        spots += [
            (b, data.xpos[b] + data.xmat[b].reshape(3, 3) @ place)
            for b, place in self.points
        ]
        J, H = self._derivatives(spots)
        n = len(heavy)
        pull = -np.outer(model.body_mass[heavy], model.opt.gravity)
        return PoseKinematics(
            p_WP=np.array([spot for _, spot in spots[n:]]).reshape(-1, 3),
            J_v_WP=J[n:],
            H_WP=H[n:],
            R_WB=np.array(data.xmat[self.base].reshape(3, 3)),
            p_WB=np.array(data.xpos[self.base]),
            up_in_root=np.array(data.xmat[model.dof_bodyid[0]].reshape(3, 3)[2]),
            angles=np.array(data.qpos[self.angle_at]),
            weight=np.einsum("bk,bki->i", pull, J[:n]),
            weight_hessian=np.einsum("bk,bkij->ij", pull, H[:n]),
            inertia=inertia,
        )

    def _derivatives(self, spots: list[tuple[int, Vec3]]) -> tuple[Array, Array]:
        """Return Jacobians (n, 3, nv) and second derivatives (n, 3, nv, nv)."""
        model, data, nv = self.model, self._data, self.nv
        J = np.zeros((len(spots), 3, nv))
        rate = np.zeros((nv, len(spots), 3, nv))
        for index, (body, spot) in enumerate(spots):
            mujoco.mj_jac(model, data, J[index], None, spot, body)
        for axis in range(nv):
            data.qvel[:] = 0.0
            data.qvel[axis] = 1.0
            mujoco.mj_comVel(model, data)
            for index, (body, spot) in enumerate(spots):
                mujoco.mj_jacDot(model, data, rate[axis, index], None, spot, body)
        H = np.moveaxis(rate, 0, -1)
        return J, 0.5 * (H + np.swapaxes(H, -1, -2))


def _body_id(model: Any, name: str) -> int:
    """Return a body's number."""
    names = [model.body(b).name for b in range(model.nbody)]
    if name not in names:
        raise UnknownNameError("body", name, names[1:], "the model")
    return names.index(name)


def _is_below(model: Any, body: int, base: int) -> bool:
    """Return whether a body hangs on the base, itself not counted."""
    while body > base:  # parents have smaller numbers
        body = int(model.body_parentid[body])
        if body == base:
            return True
    return False


def _refuse_own_springs(model: Any) -> None:
    """Refuse what stores energy or closes loops in the model itself."""
    problems = []
    if model.jnt_stiffness.any() or model.jnt_stiffnesspoly.any():
        problems.append("joints have springs of their own; give them in the law")
    if model.ntendon:
        problems.append(f"it has {model.ntendon} tendons, which are not followed")
    if model.neq:
        problems.append(f"it has {model.neq} equality constraints; name points instead")
    if problems:
        raise ConfigError("the model", problems)
