"""Stop a moving robot in simulation, and see whether it ends standing.

**Safe walk**: all joints freeze at once and stay so. **Stop test**: a controller stops
the robot, which must end on the very support it had; without one its joints freeze.
What counts as standing is judged by ``stability.stops``; here the trial is run, on
level ground, from a pose and its velocities.
"""

import math
from dataclasses import dataclass, field
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints, VecN, expect_array
from equipoise.core.checks import is_number
from equipoise.core.contracts import Command, Controller, Sensed
from equipoise.core.errors import ConfigError
from equipoise.core.friction import ASSUMED_FRICTION
from equipoise.robots.robot import Robot
from equipoise.robots.stance.shapes import corners_of
from equipoise.robots.stance.stance import (
    ROCKING,
    TOUCH,
    Stance,
    is_free,
    level_touches,
    stance_of,
)
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.rollout import rollout
from equipoise.sim.world import World, WorldConfig, build_world
from equipoise.stability.walks.stops import (
    StopTrial,
    StopVerdict,
    is_safe_walk,
    passes_stop_test,
)

__all__ = ["safe_walk", "stop_test", "stop_trial"]

TIMESTEP = 0.001  # [s]
SAMPLES = 100.0  # of a trial in a second
FROZEN = (0.004, 1.0)  # time and damping in which a frozen joint settles [s]
HINGE, SLIDE, FREE = (
    int(kind)
    for kind in (
        mujoco.mjtJoint.mjJNT_HINGE,
        mujoco.mjtJoint.mjJNT_SLIDE,
        mujoco.mjtJoint.mjJNT_FREE,
    )
)
MOST_SECONDS = 60.0


def safe_walk(
    robot: Robot,
    qpos: VecN,
    qvel: VecN | None = None,
    *,
    friction: float = ASSUMED_FRICTION,
    seconds: float = 4.0,
) -> StopVerdict:
    """Freeze all joints of a moving robot and say whether it ends standing.

    Args:
        robot: with a free base, on level ground.
        qpos: its pose, (nq,).
        qvel: its velocities, (nv,); None for rest.
        friction: Coulomb friction of every contact, > 0.
        seconds: how long it is watched, up to 60 [s].

    Returns:
        The verdict; "unknown" where it still moves in the end.

    Raises:
        ConfigError: a robot that cannot be frozen, or a setting out of range.
        ShapeError: a pose or velocities of another length, or not finite.
    """
    return is_safe_walk(
        stop_trial(robot, qpos, qvel, friction=friction, seconds=seconds)
    )


def stop_test(
    robot: Robot,
    qpos: VecN,
    qvel: VecN | None = None,
    controller: Controller[Any] | None = None,
    *,
    friction: float = ASSUMED_FRICTION,
    seconds: float = 4.0,
) -> StopVerdict:
    """Stop a moving robot and say whether it ends standing on the support it had.

    Args:
        robot: as for ``safe_walk``.
        qpos: its pose, (nq,).
        qvel: its velocities, (nv,); None for rest.
        controller: what stops it; None freezes its joints.
        friction: Coulomb friction of every contact, > 0.
        seconds: how long it is watched, up to 60 [s].

    Returns:
        The verdict; a "no" is about this way of stopping.

    Raises:
        ConfigError: a robot that cannot be frozen, or a setting out of range.
        ShapeError: a pose or velocities of another length, or not finite.
    """
    return passes_stop_test(
        stop_trial(robot, qpos, qvel, controller, friction=friction, seconds=seconds)
    )


def stop_trial(
    robot: Robot,
    qpos: VecN,
    qvel: VecN | None = None,
    controller: Controller[Any] | None = None,
    *,
    friction: float = ASSUMED_FRICTION,
    seconds: float = 4.0,
) -> StopTrial:
    """Return what a robot does from a state on, its joints frozen or controlled.

    Args, Raises: those of ``stop_test``.
    """
    where = f"the stop of '{robot.name}'"
    problems = []
    if not (is_number(friction) and 0.0 < friction < math.inf):
        problems.append(f"friction must be > 0, got {friction!r}")
    if not (is_number(seconds) and 0.0 < seconds <= MOST_SECONDS):
        problems.append(f"seconds must be > 0 and up to 60, got {seconds!r}")
    if not is_free(robot):
        problems.append("its base is fixed to the world, so it cannot fall over")
    if problems:
        raise ConfigError(where, problems)
    model = robot.model
    pose = expect_array("qpos", qpos, (model.nq,))
    rate = np.zeros(model.nv) if qvel is None else qvel
    rate = expect_array("qvel", rate, (model.nv,))
    stance = stance_of(robot, pose)
    if not stance.is_level:
        raise ConfigError(where, ["it is run on level ground only"])
    ready = _started(robot, pose, rate, stance, frozen=controller is None)
    config = WorldConfig(
        timestep=TIMESTEP,
        friction=friction,
        cone="elliptic",
        impratio=10.0,
        contact_time=0.01,
        skins=False,
    )
    world = build_world(ready, config)
    watch = Watch.of(world, ready.feet)
    rollout(
        world,
        Limp(world.model.nu) if controller is None else controller,
        seconds,
        watch=watch,
        plant=IdealConfig(counts_contacts=False),
    )
    return watch.trial()


def _started(
    robot: Robot, pose: VecN, rate: VecN, stance: Stance, *, frozen: bool
) -> Robot:
    """Return the robot at a state, its ground at height zero, maybe frozen."""
    spec, model = robot.spec.copy(), robot.model
    for key in list(spec.keys):
        spec.delete(key)
    for geom in list(spec.worldbody.geoms):
        if geom.type == mujoco.mjtGeom.mjGEOM_PLANE:
            spec.delete(geom)  # the world brings its own
    if frozen:
        for thing in [*spec.sensors, *spec.actuators]:
            spec.delete(thing)
        for joint in spec.joints:
            _freeze(spec, joint, model, pose, robot.name)
    root = int(model.body_rootid[model.body(robot.base).id])
    height = int(model.jnt_qposadr[int(model.body_jntadr[root])]) + 2
    placed = pose.copy()
    placed[height] -= stance.ground
    spec.add_key(name="start", qpos=placed, qvel=rate)
    feet = robot.feet or stance.feet
    named = {g.name for g in spec.geoms}
    return Robot(
        robot.name, spec, base=robot.base, feet=tuple(f for f in feet if f in named)
    )


def _freeze(
    spec: mujoco.MjSpec, joint: Any, model: mujoco.MjModel, pose: VecN, name: str
) -> None:
    """Hold a joint where it is; free ones stay free."""
    kind = int(joint.type)
    if kind == FREE:
        return
    if kind not in (HINGE, SLIDE) or not joint.name:
        problem = "only hinges and slides that have names can be frozen"
        raise ConfigError(f"the stop of '{name}'", [problem])
    at = int(model.jnt_qposadr[model.joint(joint.name).id])
    hold = spec.add_equality(type=mujoco.mjtEq.mjEQ_JOINT, name1=joint.name)
    hold.data[0] = float(pose[at] - model.qpos0[at])
    hold.solref[:2] = FROZEN


@final
@dataclass(frozen=True)
class Limp:
    """A controller that asks nothing of the motors."""

    nu: int

    def init(self) -> None:
        """Return no state."""

    def step(self, sensed: Sensed, state: None) -> tuple[Command, None]:
        """Return no torque."""
        return Command(np.zeros(self.nu), {}), None


@final
@dataclass(frozen=True)
class Watch:
    """Keeps what a trial needs, now and then."""

    model: mujoco.MjModel = field(repr=False)
    root: int
    ground: int
    feet: Ints
    bodies: Ints
    """Of the robot."""
    reach: Array
    """How far each of them extends from its centre of mass [m]."""
    every: int
    """Time steps from one sample to the next."""
    rows: dict[int, tuple[float, Array, float, Array, bool]] = field(repr=False)
    """Time, centre of mass, speed, support, whether on its feet; by tick."""

    @classmethod
    def of(cls, world: World, feet: tuple[str, ...]) -> "Watch":
        """Return a watch for a world that has not been started."""
        model = world.model
        bodies = np.flatnonzero(model.body_rootid == world.root)
        reach = np.zeros(model.nbody)
        for g in range(model.ngeom):
            body = int(model.geom_bodyid[g])
            off = float(np.linalg.norm(model.geom_pos[g] - model.body_ipos[body]))
            reach[body] = max(reach[body], off + float(model.geom_rbound[g]))
        return cls(
            model=model,
            root=world.root,
            ground=int(model.geom("ground").id),
            feet=np.array([model.geom(name).id for name in feet], np.int64),
            bodies=bodies,
            reach=reach[bodies],
            every=max(1, round(1.0 / (SAMPLES * TIMESTEP))),
            rows={},
        )

    def __call__(self, tick: int, data: Any) -> None:
        """Keep a sample every now and then."""
        if tick % self.every:
            return
        com = np.array(data.subtree_com[self.root])
        turn, move = data.cvel[self.bodies, :3], data.cvel[self.bodies, 3:]
        speed = move + np.cross(turn, data.xipos[self.bodies] - com)
        fastest = np.linalg.norm(speed, axis=1)
        fastest += self.reach * np.linalg.norm(turn, axis=1)
        pairs = np.array(data.contact.geom).reshape(-1, 2)
        below = (pairs == self.ground).any(axis=1)
        others = np.where(pairs[:, 0] == self.ground, pairs[:, 1], pairs[:, 0])
        on_feet = bool(np.isin(others[below], self.feet).all())
        soles = {int(g): corners_of(self.model, data, int(g)) for g in self.feet}
        known = {g: c for g, c in soles.items() if c is not None}
        found = level_touches(known, 0.0, TOUCH, ROCKING)
        points = np.array([touch.point for touch in found]).reshape(-1, 3)
        time = tick * TIMESTEP
        self.rows[tick] = time, com, float(fastest.max()), points, on_feet

    def trial(self) -> StopTrial:
        """Return all that was kept."""
        rows = [self.rows[tick] for tick in sorted(self.rows)]
        return StopTrial(
            time=np.array([row[0] for row in rows]),
            p_WC=np.array([row[1] for row in rows]),
            speed=np.array([row[2] for row in rows]),
            supports=[row[3] for row in rows],
            is_on_feet=np.array([row[4] for row in rows]),
        )
