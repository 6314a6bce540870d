"""A robot let go in the engine where it rests: does it stay up, sink, slide or creep?

Contacts, gravity and time step are those of the file, and whatever else moves in it
moves. The robot's joints are held, or some of them act as the file has them: its own
servos, springs and dry friction, told what its pose says. Joints are held by giving
them an inertia that no force moves in this time.
"""

import copy
import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import Ints, Vec3, VecN
from equipoise.robots.scene.engine_work import EngineWork
from equipoise.robots.scene.forces import equality_bodies, tendon_bodies
from equipoise.robots.scene.joint_holds import actuator_count
from equipoise.robots.scene.scene import Scene
from equipoise.robots.stance.stance import label_of

__all__ = [
    "MINUTE",
    "LetGo",
    "OwnJoints",
    "hold_joints",
    "lock_joints",
    "met_by",
    "own_dofs",
    "release_outcome",
    "tips_when_let_go",
    "trial_seconds",
]

HELD = 3e4
"""Inertia of a held joint over the robot's own, mass times size squared: with much more
the engine's rounding pushes the robot about."""
SLOW = 10.0  # damping of a held joint over its inertia, in falls through its size
SHORTEST = 5e-4  # step with held joints [s]; a shorter one takes too long
MOST_STEPS = 120_000  # of one trial; what needs more is not tried
MOST_WORK = 6e6
"""Of one trial, see ``robots.scene.engine_work``: a minute of a humanoid needs this."""
FIRST = 16
"""Steps after which a trial's work is told: the solver begins each with the forces of
the one before, and takes many turns only until contacts have settled."""
TOO_SHORT = "its time step is too short for a trial in the engine"
TOO_LARGE = "it has too many joints and contacts for a trial in the engine"
DROPPED = 3.0  # how long a robot of up to a metre is watched to tip [s]
LOOKS = 24  # in a trial; rates are those of the last quarter
LEANS = math.radians(10.0)
"""A robot that turns by more has tipped."""
ASIDE = 0.2
"""Share of its size by which a robot that slides has slid away."""
SINKS = 0.05
"""Share of its centre of mass's height by which a robot that stands sinks at most."""
DIPS = 2.0
"""Times that by which one that stands dips or leans at most while it settles: the load
on a spring without damping swings by twice what it sags."""
MINUTE = 60.0  # for which it must stand [s]
STILL = 2e-3
"""Share of size, height and half a turn by which what is still moves in a minute."""
CREEPS = 0.01
"""Share of its size that a robot which stands goes aside in a minute at most."""
BAD = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
)
SLIDE, HINGE = int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_HINGE)


class OwnJoints(NamedTuple):
    """Joints' own actuators, springs and friction in a trial."""

    held: Ints
    """Velocities of joints that are held all the same, (k,)."""
    motors: Ints
    """Actuators that are switched off, since whoever controls them holds those."""
    ctrl: VecN
    """Of every actuator of the scene, (nu,)."""
    act: VecN
    """Of every activation at first, (na,)."""


@final
@dataclass(frozen=True)
class LetGo:
    """Result of releasing a robot."""

    seconds: float
    """How long it was watched [s]; 0 where that would take too long."""
    turned: float
    """By how much its base turned [rad]."""
    aside: float
    """How far its centre of mass went along the ground [m]."""
    sunk: float
    """How far its centre of mass sank towards the ground [m]."""
    rates: tuple[float, float, float]
    """Of these three in the last quarter, per second."""
    joint_rate: float
    """Of its fastest joint in the last quarter, a slide's over the size [rad/s]."""
    size: float
    height: float
    """Of the centre of mass above what it stands on, at first [m]."""
    touching: tuple[str, ...]
    """Shapes of the robot that touch the ground in the end."""
    met: str
    """Another body that moves and met the robot, or empty."""
    diverged: bool
    """Whether the engine lost it."""
    qpos: VecN = field(repr=False)
    """Of the scene in the end, (nq,)."""
    untried: str = ""
    """Why it was not watched, or empty."""

    @property
    def is_over(self) -> bool:
        """Whether it tipped or slid away."""
        return not (self.turned <= LEANS and self.aside <= ASIDE * self.size)

    @property
    def has_sunk(self) -> bool:
        """Whether it sank by more than a robot that stands does."""
        return not self.sunk <= SINKS * self.height

    @property
    def falls(self) -> bool:
        """Whether it does not stand in the end."""
        return self.diverged or self.is_over or self.has_sunk

    @property
    def a_minute(self) -> tuple[float, float, float]:
        """Turn, way aside and sinking within a minute, as it goes on in the end."""
        turns, goes, sinks = (max(rate, 0.0) * MINUTE for rate in self.rates)
        return turns, goes, sinks

    @property
    def is_still(self) -> bool:
        """Whether it hardly moves in the end, so that a longer look tells no more."""
        turns, goes, sinks = (abs(rate) * MINUTE for rate in self.rates)
        return (
            max(turns, self.joint_rate * MINUTE) < STILL * math.pi
            and goes < STILL * self.size
            and sinks < STILL * self.height
        )

    @property
    def may_creep(self) -> bool:
        """Whether it goes on moving so that a minute may be too long."""
        turns, goes, sinks = self.a_minute
        left = max(1.0 - self.seconds / MINUTE, 0.0)
        return (
            self.turned + left * turns > LEANS
            or goes > CREEPS * self.size
            or self.sunk + left * sinks > SINKS * self.height
        )


def trial_seconds(size: float, gravity: float, least: float = 4.0) -> float:
    """Return how long a robot is watched: as the time of a fall grows with its size.

    Args:
        size: of the robot [m].
        gravity: > 0 [m/s²].
        least: for robots of up to a metre on earth [s].
    """
    return least * max(1.0, math.sqrt(size * 9.81 / max(gravity, 1e-9)))


def release_outcome(
    scene: Scene,
    data: Any,
    size: float,
    height: float,
    *,
    friction: float | None = None,
    own: OwnJoints | None = None,
    seconds: float | None = None,
    normal: Vec3 | None = None,
) -> LetGo:
    """Return what becomes of a robot that is let go, at rest.

    Args:
        scene: its world, with ground of its own; the base is free.
        data: of ``scene.model``, in the pose at the start; used up.
        size: of the robot, across [m].
        height: of its centre of mass above what it stands on [m].
        friction: of all contacts; None for the scene's own.
        own: joints that act by themselves; None where all are held.
        seconds: how long it is watched; None for as long as its size asks for [s].
        normal: out of the ground, unit, (3,): a robot sinks against it and slides
            across it; None for up.
    """
    if seconds is None:
        seconds = trial_seconds(size, scene.strength)
    model = _trial_model(scene, size, friction, own)
    step = float(model.opt.timestep)
    count = math.ceil(seconds / step)
    if count > MOST_STEPS:
        return _not_tried(size, height, data, TOO_SHORT)
    if own is not None:
        if model.nu:
            data.ctrl[:] = own.ctrl
        if model.na:
            data.act[:] = own.act
    data.qvel[own_dofs(scene)] = 0.0
    data.qacc_warmstart[:] = 0.0
    data.eq_active[:] = model.eq_active0
    watch = _Watch(scene, data, scene.up if normal is None else normal)
    each = max(1, count // LOOKS)
    met, work = "", EngineWork(model, MOST_WORK)
    first = min(FIRST, each)
    is_done = work.run(data, first)
    if not (is_done and work.can_step(data, LOOKS * each - first)):
        return _not_tried(size, height, data, TOO_LARGE)
    for k in range(LOOKS):
        is_done = work.run(data, each if k else each - first)
        if not (is_done and work.can_step(data, (LOOKS - 1 - k) * each)):
            return _not_tried(size, height, data, TOO_LARGE)
        watch.look(each * step)
        met = met or met_by(scene, data)
        if watch.is_lost:
            break
    return watch.outcome(size, height, _lowest_touching(scene, data), met)


def tips_when_let_go(
    scene: Scene, data: Any, size: float, friction: float | None = None
) -> bool:
    """Return whether a robot, its joints held, tips or slides away when it is let go.

    Contacts are those of the file. Impacts take energy away as the engine's do: a
    floor that throws things back is not asked about.

    Args:
        scene: its world, with ground of its own; the base is free.
        data: of ``scene.model``, in the pose at the start; used up.
        size: of the robot, across [m].
        friction: of all contacts; None for the scene's own.
    """
    seconds = trial_seconds(size, scene.strength, DROPPED)
    found = release_outcome(
        scene, data, size, math.inf, friction=friction, seconds=seconds
    )
    return found.diverged or found.is_over or not found.seconds


class _Watch:
    """A robot that is watched."""

    def __init__(self, scene: Scene, data: Any, normal: Vec3) -> None:
        self.scene, self.data, self._normal = scene, data, normal
        root = int(np.flatnonzero(scene.bodies)[0])
        self._root = root
        mujoco.mj_kinematics(scene.model, data)
        mujoco.mj_comPos(scene.model, data)
        self._start, self._R = scene.centre(data), np.array(data.xmat[root])
        self.time, self.seen = 0.0, [(0.0, 0.0, 0.0, 0.0)]
        joints = np.asarray(scene.model.jnt_bodyid)
        kinds = np.asarray(scene.model.jnt_type)
        single = np.flatnonzero(scene.bodies[joints] & np.isin(kinds, (SLIDE, HINGE)))
        self._places = np.asarray(scene.model.jnt_qposadr)[single]
        self._is_slide = kinds[single] == SLIDE
        self.joints = [np.array(data.qpos[self._places])]

    def look(self, elapsed: float) -> None:
        """Record where the robot is."""
        self.time += elapsed
        self.joints.append(np.array(self.data.qpos[self._places]))
        way = self.scene.centre(self.data) - self._start
        risen = float(self._normal @ way)
        aside = float(np.linalg.norm(way - risen * self._normal))
        cosine = 0.5 * (float(self._R @ self.data.xmat[self._root]) - 1.0)
        turned = math.acos(min(1.0, max(-1.0, cosine)))
        self.seen.append((self.time, turned, aside, -risen))

    @property
    def is_lost(self) -> bool:
        """Whether the engine lost the robot, or starts it anew."""
        bad = any(self.data.warning[int(w)].number for w in BAD)
        return bad or not all(math.isfinite(x) for x in self.seen[-1])

    def outcome(
        self, size: float, height: float, touching: tuple[str, ...], met: str
    ) -> LetGo:
        """Return the outcome of the trial."""
        seen = np.array(self.seen)
        last, worst = np.array(seen[-1]), seen.max(axis=0)
        if worst[1] > DIPS * LEANS:  # it fell, whether or not it got up again
            last[1] = worst[1]
        if worst[3] > DIPS * SINKS * height:
            last[3] = worst[3]
        early = seen[max(0, len(seen) - 1 - LOOKS // 4)]
        span = max(float(last[0] - early[0]), 1e-9)
        rates = (seen[-1, 1:] - early[1:]) / span
        ways = np.abs(self.joints[-1] - self.joints[-min(len(seen), 1 + LOOKS // 4)])
        ways = np.where(self._is_slide, ways / max(size, 1e-9), ways)
        return LetGo(
            seconds=float(last[0]),
            turned=float(last[1]),
            aside=float(last[2]),
            sunk=float(last[3]),
            rates=(float(rates[0]), float(rates[1]), float(rates[2])),
            joint_rate=float(ways.max(initial=0.0)) / span,
            size=size,
            height=height,
            touching=touching,
            met=met,
            diverged=self.is_lost,
            qpos=np.array(self.data.qpos),
        )


def _not_tried(size: float, height: float, data: Any, why: str) -> LetGo:
    """Return that nothing was tried."""
    return LetGo(
        seconds=0.0,
        turned=0.0,
        aside=0.0,
        sunk=0.0,
        rates=(0.0, 0.0, 0.0),
        joint_rate=0.0,
        size=size,
        height=height,
        touching=(),
        met="",
        diverged=False,
        qpos=np.array(data.qpos),
        untried=why,
    )


def _trial_model(
    scene: Scene, size: float, friction: float | None, own: OwnJoints | None
) -> Any:
    """Return the scene with the robot's joints held, all of them or some.

    Args:
        scene: the robot's world.
        size: of the robot [m].
        friction: of all contacts; None for the scene's own.
        own: joints that act by themselves; None where all are held.
    """
    model = copy.copy(scene.model)
    model.opt.gravity[:] = scene.gravity
    if own is None:
        lock_joints(model, scene, size)
        model.opt.timestep = max(float(model.opt.timestep), SHORTEST)
    else:
        hold_joints(model, scene, own.held, size)
        model.actuator_gainprm[own.motors] = 0.0
        model.actuator_biasprm[own.motors] = 0.0
    if friction is not None:
        model.geom_friction[:, 0] = friction
        model.pair_friction[:, :2] = friction
    return model


def hold_joints(model: Any, scene: Scene, dofs: Ints, size: float) -> None:
    """Hold some joints where they are, by inertia and damping.

    Args:
        model: a copy of the scene's model; it is changed.
        scene: the robot's world.
        dofs: velocities of the joints, (k,).
        size: of the robot [m].
    """
    inertia = HELD * scene.mass * size**2
    model.dof_armature[dofs] = inertia
    pace = math.sqrt(max(scene.strength, 1e-9) / size)
    pace = min(SLOW * pace, 0.5 / float(model.opt.timestep))
    model.dof_damping[dofs] = inertia * pace


def lock_joints(model: Any, scene: Scene, size: float, *, base: bool = False) -> None:
    """Hold all of a robot's joints, and switch off what would push them.

    Args:
        model: a copy of the scene's model; it is changed.
        scene: the robot's world.
        size: of the robot [m].
        base: whether its free base is held as well.
    """
    dofs = own_dofs(scene)
    first = _free_dofs(scene)
    inner = np.setdiff1d(dofs, first)
    hold_joints(model, scene, dofs if base else inner, size)
    model.dof_frictionloss[inner] = 0.0
    joints = np.unique(np.asarray(model.dof_jntid)[inner]).astype(np.int64)
    model.jnt_stiffness[joints] = 0.0
    model.jnt_limited[joints] = 0
    for name in ("jnt_stiffnesspoly", "dof_dampingpoly"):  # not in every release
        if hasattr(model, name):
            getattr(model, name)[joints if name.startswith("jnt") else inner] = 0.0
    model.jnt_actgravcomp[joints] = 0
    for a in range(actuator_count(model)):
        if _drives_robot(model, scene, a):
            model.actuator_gainprm[a] = 0.0
            model.actuator_biasprm[a] = 0.0
    for e in range(int(model.neq)):
        if _ties_robot(model, scene, e):
            model.eq_active0[e] = 0
    for t in range(int(model.ntendon)):
        on = tendon_bodies(model, t)
        if on and all(scene.bodies[b] for b in on):
            model.tendon_stiffness[t] = 0.0
            model.tendon_frictionloss[t] = 0.0
            model.tendon_limited[t] = 0


def _free_dofs(scene: Scene) -> Ints:
    """Return the six velocities of the robot's free base."""
    model = scene.model
    joint = int(model.body_jntadr[int(np.flatnonzero(scene.bodies)[0])])
    return int(model.jnt_dofadr[joint]) + np.arange(6)


def own_dofs(scene: Scene) -> Ints:
    """Return the robot's velocities."""
    return np.flatnonzero(scene.bodies[np.asarray(scene.model.dof_bodyid)])


def _drives_robot(model: Any, scene: Scene, a: int) -> bool:
    """Return whether an actuator acts on a joint or tendon of the robot."""
    kind, target = int(model.actuator_trntype[a]), int(model.actuator_trnid[a, 0])
    joint = (
        int(mujoco.mjtTrn.mjTRN_JOINT),
        int(mujoco.mjtTrn.mjTRN_JOINTINPARENT),
    )
    if kind in joint:
        return bool(scene.bodies[int(model.jnt_bodyid[target])])
    if kind == int(mujoco.mjtTrn.mjTRN_TENDON):
        return any(scene.bodies[b] for b in tendon_bodies(model, target))
    if kind == int(mujoco.mjtTrn.mjTRN_BODY):
        return bool(scene.bodies[target])
    return bool(scene.bodies[int(model.site_bodyid[target])])


def _ties_robot(model: Any, scene: Scene, e: int) -> bool:
    """Return whether an equality constraint ties parts of the robot to each other."""
    ends = equality_bodies(model, e)
    return bool(ends) and all(scene.bodies[body] for body in ends)


def _lowest_touching(scene: Scene, data: Any) -> tuple[str, ...]:
    """Return the shapes of the robot that touch the ground, by name."""
    pairs = np.asarray(data.contact.geom).reshape(-1, 2)
    is_ground = np.isin(pairs, scene.ground)
    rows = np.flatnonzero((pairs >= 0).all(axis=1) & is_ground.any(axis=1))
    mine = np.where(is_ground[rows, 0], pairs[rows, 1], pairs[rows, 0])
    own = scene.bodies[np.asarray(scene.model.geom_bodyid)[mine]]
    return tuple(dict.fromkeys(label_of(scene.model, int(g)) for g in mine[own]))


def met_by(scene: Scene, data: Any) -> str:
    """Return the name of another moving body that touches the robot, or empty."""
    if not scene.loose:
        return ""
    model = scene.model
    pairs = np.asarray(data.contact.geom).reshape(-1, 2)
    own = scene.bodies[np.asarray(model.geom_bodyid)[pairs]] & (pairs >= 0)
    meets = np.isin(pairs, scene.loose) & own[:, ::-1]
    if not meets.any():
        return ""
    body = int(model.geom_bodyid[int(pairs[meets][0])])
    return str(model.body(body).name) or f"body {body}"
