"""Forces that hold a robot with its own drives at rest, and how they change with it.

Everything that acts is a function of the pose alone once the robot is at rest. Weight,
springs and servos come from the engine; what it solves for (contacts, dry friction,
ties, stops, motors that somebody holds) stands here as springs on lengths l(q)::

    -g(q) = qfrc_passive + qfrc_actuator - qfrc_bias + Σ J_iᵀ(q) f_i(l_i)

A contact pushes along its normal with a spring of its own and sticks to its anchor
across it; dry friction sticks likewise; a stop pushes beyond its range.
"""

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints, Vec3, VecN
from equipoise.robots.scene.engine_work import tree_work
from equipoise.robots.scene.joint_holds import JointHolds, moments

__all__ = ["ContactSpots", "DriveForces", "Sticks", "TooManyPoses", "at_rest_model"]

OFF = (
    mujoco.mjtDisableBit.mjDSBL_CONTACT,
    mujoco.mjtDisableBit.mjDSBL_FRICTIONLOSS,
)
STIFF = 3e3
"""Stiffness of what does not give way, over weight and size."""
MOST_WORK = 2.5e6
"""Of looking at poses, see ``robots.scene.engine_work``; 200 joints in one chain need a
third of it."""
LOOK, PLACE = 150.0, 0.02  # work of a pose, and of each entry of its rows
LIMIT = tuple(
    int(kind)
    for kind in (
        mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT,
        mujoco.mjtConstraint.mjCNSTR_LIMIT_TENDON,
    )
)


class TooManyPoses(Exception):
    """The forces in more poses were asked for than the robot's size allows."""


@final
@dataclass(frozen=True, eq=False)
class ContactSpots:
    """Contact points of a robot with the ground, n points of the scene's model."""

    points: Array
    """(n, 3) [m]."""
    normals: Array
    """Unit, towards the robot, (n, 3)."""
    radii: VecN
    """Of the ball that touches there; zero for a corner, (n,) [m]."""
    bodies: Ints
    """The body of each, (n,)."""
    friction: VecN
    """Coulomb friction of each, (n,)."""
    force: Callable[[VecN], VecN] = field(repr=False)
    """Force of the contacts by their depths, (n,) [m] to (n,) [N]."""
    depths: VecN
    """How deep each is pressed in there, (n,) [m]."""
    hold: VecN = field(repr=False)
    """Stiffness of each across its normal, (n,) [N/m]."""


class Sticks(NamedTuple):
    """Elements that stick up to a limit: dry friction, held motors."""

    lengths: VecN
    """(k,) [rad or m]."""
    rows: Array
    """How each changes with the velocities, (k, nv)."""


class Forces(NamedTuple):
    """Forces in one pose."""

    gradient: VecN
    """Of the energy: minus the sum of all generalised forces, (nv,)."""
    normal: VecN
    """Force of each contact, (n,) [N]."""
    across: Array
    """Of each contact, (n, 3) [N]."""
    sticking: VecN
    """Of each stick, (k,) [N m] or [N]."""


@final
class DriveForces:
    """The forces on a robot in any pose, its drives as the file has them.

    Args:
        model: the whole file, compiled; left as it is.
        qpos: the pose in which contacts touch and friction sticks, (nq,).
        ctrl: of every actuator, (nu,).
        act: their activations, (na,).
        holds: what holds the joints.
        spots: where the robot touches.
        gravity: (3,) [m/s²].
        size: of the robot [m].
        root: its first body, with the free joint.
        stuck: velocities of joints that are held whatever acts on them, (k,).
        gain: times the servos' own gains.
        is_limited: whether the servos' force limits count.
        ready: what ``at_rest_model`` makes of all that; None to make it here.
    """

    def __init__(
        self,
        model: Any,
        qpos: VecN,
        ctrl: VecN,
        act: VecN,
        holds: JointHolds,
        spots: ContactSpots,
        *,
        gravity: Vec3,
        size: float,
        root: int,
        stuck: Ints,
        gain: float = 1.0,
        is_limited: bool = True,
        ready: Any = None,
    ) -> None:
        if ready is None:
            ready = at_rest_model(model, holds, gravity, gain, is_limited=is_limited)
        self.model = ready
        self.data = mujoco.MjData(self.model)
        self._ctrl, self._act = np.array(ctrl), np.array(act)
        self.spots, self.size = spots, size
        self.root = root
        first = int(self.model.dof_jntid[int(self.model.body_dofadr[root])])
        base = int(self.model.jnt_dofadr[first]) + np.arange(6)
        self.dofs: Ints = np.concatenate([base, holds.dofs])
        """The velocities that may change, (m,)."""
        self.scale = np.ones(len(self.dofs))
        self.scale[:3] = size
        slides = np.asarray(self.model.jnt_type)[self.model.dof_jntid[holds.dofs]] == 2
        self.scale[6:][slides] = size
        self.weight = float(self.model.body_subtreemass[root]) * float(
            np.linalg.norm(gravity)
        )
        self.energy = self.weight * size
        self.pace = math.sqrt(float(np.linalg.norm(gravity)) / size)
        """Of a fall through its size [1/s]."""
        self._friction = _friction_of(self.model, holds, stuck)
        self.motors = holds.motors
        self.pose(qpos)
        self.limits = np.concatenate(
            [self._friction.limits, np.full(len(self.motors), np.inf)]
        )
        self.start = self.sticks()
        entries = int(self.model.nv) * (len(self.start.lengths) + len(spots.points))
        self._look = LOOK + 0.5 * tree_work(self.model) + PLACE * entries
        self._left = MOST_WORK
        rows = self.start.rows[:, self.dofs] * self.scale
        norms = np.maximum((rows**2).sum(axis=1), 1e-12)
        self.stick_stiffness = STIFF * self.energy / norms
        R = self.data.xmat[spots.bodies].reshape(-1, 3, 3)
        ways = spots.points - self.data.xpos[spots.bodies]
        self._arms = np.einsum("nji,nj->ni", R, ways)
        centres = ways + spots.radii[:, None] * spots.normals
        self._balls = np.einsum("nji,nj->ni", R, centres)
        self._centres = spots.points + spots.radii[:, None] * spots.normals
        self.pulling: NDArray[np.bool_] | None = None
        """Contacts that are springs which push and pull, (n,); None where all are real
        and only push."""
        self.depth = np.zeros(len(spots.points))
        """How deep each contact is pressed in, (n,) [m]."""
        self._even = _even_stiffness(spots, self.weight / len(spots.points), size)
        self.sliding = np.zeros(len(spots.points), bool)
        """Which contacts slide, (n,)."""
        self.drag = np.zeros((len(spots.points), 3))
        """Force on those that slide, (n, 3) [N]."""
        self.slipping = np.zeros(len(self.start.lengths), bool)
        """Which sticks slip, (k,)."""
        self.resisting = np.zeros(len(self.start.lengths))
        """Force of those that slip, (k,) [N m] or [N]."""
        self.off = np.zeros((len(spots.points), 3))
        """How far each contact is from where it began, along the ground, (n, 3) [m]."""

    @property
    def motor_sticks(self) -> slice:
        """Mask of the sticking elements that are held motors."""
        return slice(len(self._friction.dofs), None)

    def pose(self, qpos: VecN) -> None:
        """Put the robot into a pose, at rest."""
        model, data = self.model, self.data
        data.qpos[:], data.qvel[:] = qpos, 0.0
        if model.nu:
            data.ctrl[:] = self._ctrl
        if model.na:
            data.act[:] = self._act
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_fwdActuation(model, data)

    def sticks(self) -> Sticks:
        """Return lengths and rows of what sticks, in the pose at hand."""
        model, data = self.model, self.data
        dofs, motors = self._friction.dofs, self.motors
        rows = np.zeros((len(dofs) + len(motors), int(model.nv)))
        rows[np.arange(len(dofs)), dofs] = 1.0
        places = np.asarray(model.jnt_qposadr)[np.asarray(model.dof_jntid)[dofs]]
        lengths = np.concatenate(
            [np.asarray(data.qpos)[places], np.asarray(data.actuator_length)[motors]]
        )
        if len(motors):
            rows[len(dofs) :] = moments(model, data)[motors]
        return Sticks(lengths, rows)

    def forces(self, qpos: VecN) -> Forces:
        """Return what acts in a pose.

        Args:
            qpos: (nq,).

        Raises:
            TooManyPoses: the robot is so large that this is one too many.
        """
        self._left -= self._look
        if self._left < 0.0:
            raise TooManyPoses
        self.pose(qpos)
        data, spots = self.data, self.spots
        total = np.array(data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias)
        normal, across = self._pushes()
        pushes = normal[:, None] * spots.normals + across
        total += self._on_bodies(pushes)
        sticks = self.sticks()
        stretch = sticks.lengths - self.start.lengths
        sticking = np.where(
            self.slipping, self.resisting, -self.stick_stiffness * stretch
        )
        total += sticking @ sticks.rows
        total += self._ties()
        return Forces(-total[self.dofs], normal, across, sticking)

    def _pushes(self) -> tuple[VecN, Array]:
        """Return the forces of the contacts along and across their normals."""
        data, spots = self.data, self.spots
        R = data.xmat[spots.bodies].reshape(-1, 3, 3)
        at = data.xpos[spots.bodies]
        centres = at + np.einsum("nij,nj->ni", R, self._balls)
        depth = spots.depths - ((centres - self._centres) * spots.normals).sum(axis=1)
        if self.pulling is None:
            touches = depth > 0.0
            normal = np.where(touches, spots.force(np.maximum(depth, 0.0)), 0.0)
        else:
            touches = self.pulling
            normal = np.where(touches, self._even * depth, 0.0)
        self.depth = depth
        off = at + np.einsum("nij,nj->ni", R, self._arms) - spots.points
        off -= (off * spots.normals).sum(axis=1)[:, None] * spots.normals
        sticks = touches[:, None] * -spots.hold[:, None] * off
        across = np.where(self.sliding[:, None], self.drag, sticks)
        self.off = off
        return normal, across

    def _on_bodies(self, pushes: Array) -> VecN:
        """Return the generalised force of pushes at the contacts, (nv,)."""
        model, data, spots = self.model, self.data, self.spots
        total = np.zeros(int(model.nv))
        R = data.xmat[spots.bodies].reshape(-1, 3, 3)
        arms = np.einsum("nij,nj->ni", R, self._arms)
        torques = np.cross(arms, pushes)
        Jp, Jr = np.zeros((3, int(model.nv))), np.zeros((3, int(model.nv)))
        for body in np.unique(spots.bodies):
            mine = spots.bodies == body
            mujoco.mj_jacBody(model, data, Jp, Jr, int(body))
            total += pushes[mine].sum(axis=0) @ Jp + torques[mine].sum(axis=0) @ Jr
        return total

    def _ties(self) -> VecN:
        """Return the generalised force of ties and stops, (nv,)."""
        model, data = self.model, self.data
        total = np.zeros(int(model.nv))
        nefc = int(data.nefc)
        if not nefc:
            return total
        kinds, gaps = np.asarray(data.efc_type)[:nefc], np.asarray(data.efc_pos)[:nefc]
        J = np.array(data.efc_J).reshape(nefc, -1)
        is_stop = np.isin(kinds, LIMIT)
        is_tie = kinds == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
        acts = is_tie | (is_stop & (gaps < 0.0))
        law = np.array(data.efc_KBIP).reshape(-1, 4)[:nefc]
        stiffness = law[:, 0] * law[:, 2] * np.array(data.efc_D)[:nefc]
        return total - ((stiffness * gaps)[acts]) @ J[acts]


def _even_stiffness(spots: ContactSpots, load: float, size: float) -> VecN:
    """Return the stiffness of contacts that all bear the same load, (n,) [N/m].

    Args:
        spots: the contacts.
        load: of each [N].
        size: of the robot [m].
    """
    low, high = np.zeros(len(spots.points)), np.full(len(spots.points), size)
    for _ in range(60):
        middle = 0.5 * (low + high)
        is_short = spots.force(middle) < load
        low, high = np.where(is_short, middle, low), np.where(is_short, high, middle)
    return load / high


@final
@dataclass(frozen=True, eq=False)
class _Friction:
    """Dry friction in joints."""

    dofs: Ints
    limits: VecN


def _friction_of(model: Any, holds: JointHolds, stuck: Ints) -> _Friction:
    """Return the joints with dry friction, and how much each has; no end if stuck."""
    loss = np.array(model.dof_frictionloss)
    loss[stuck] = np.inf
    single = np.isin(np.asarray(model.jnt_type)[model.dof_jntid[holds.dofs]], (2, 3))
    dofs = holds.dofs[single & (loss[holds.dofs] > 0.0)]
    return _Friction(dofs, np.array(loss[dofs]))


def at_rest_model(
    model: Any, holds: JointHolds, gravity: Vec3, gain: float, *, is_limited: bool
) -> Any:
    """Return a copy of a model that gives forces at rest and no more.

    Args:
        model: the whole file, compiled.
        holds: what holds the joints.
        gravity: (3,) [m/s²].
        gain: times the servos' own gains.
        is_limited: whether the servos' force limits count.
    """
    new = copy.copy(model)
    had_friction = not int(new.opt.disableflags) & int(OFF[1])
    for bit in OFF:
        new.opt.disableflags |= int(bit)
    if not had_friction:
        new.dof_frictionloss[:] = 0.0
    if hasattr(new, "actuator_delay"):  # controls have long arrived at rest
        new.actuator_delay[:] = 0.0
    new.opt.jacobian = int(mujoco.mjtJacobian.mjJAC_DENSE)
    new.opt.gravity[:] = gravity
    new.actuator_gainprm[holds.motors] = 0.0
    new.actuator_biasprm[holds.motors] = 0.0
    new.actuator_gainprm[holds.servos] *= gain
    new.actuator_biasprm[holds.servos, :2] *= gain
    if not is_limited:
        new.actuator_forcelimited[holds.servos] = 0
        new.jnt_actfrclimited[:] = 0
        new.tendon_actfrclimited[:] = 0
    return new
