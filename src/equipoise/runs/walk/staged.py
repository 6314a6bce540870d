"""A machine that is to walk, with everything in place but the loop."""

import math
from dataclasses import dataclass, field
from typing import Any, final

from equipoise.core.contracts import Controller
from equipoise.robots.lying_pose import LIES, lying_robot
from equipoise.robots.robot import Robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.fall import FallWatch, fall_watch
from equipoise.runs.walk.freeze import FreezeWatch, freeze_ticks
from equipoise.runs.walk.goal_watch import goal_watch
from equipoise.runs.walk.goals import START
from equipoise.runs.walk.known_ground import track_of
from equipoise.runs.walk.resolved import ResolvedWalk, resolved_walk
from equipoise.sim.disturbances import Push
from equipoise.sim.held_forces import HeldForces
from equipoise.sim.machine.world import machine_world
from equipoise.sim.staged import StagedRun
from equipoise.sim.world import World

__all__ = [
    "PUSH_LASTS",
    "StagedWalk",
    "pushes_of",
    "random_forces",
    "stage_of",
    "staged_walk",
    "walking_world",
]

JOINT_NOISE = math.radians(1.0)  # at the start
RISES = 2.0  # for a machine that starts on its belly [s]
PUSH_LASTS = 0.1
"""Duration of a push [s]."""
LONG = 100.0  # beyond which fewer samples are kept [s]


@final
@dataclass(frozen=True, eq=False)
class StagedWalk:
    """A walk about to begin."""

    staged: StagedRun
    """What is run or stepped."""
    walk: ResolvedWalk
    """Machine, ground, gait and controller's parts."""
    falls: FallWatch = field(repr=False)
    frozen: FreezeWatch = field(repr=False)
    """Keeps copies of moments at which joints are to be held."""


def staged_walk(
    robot: Robot, config: WalkConfig, own: Controller[Any] | None = None
) -> StagedWalk:
    """Return a machine in its world, about to walk.

    Args:
        robot: with legs and drives, or of a file in which legs are found.
        config: how it walks; which robot it names does not count here.
        own: a controller of the caller's own, which steps on ``Readings``.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    return stage_of(resolved_walk(robot, config, own))


def stage_of(walk: ResolvedWalk) -> StagedWalk:
    """Return the machine of a resolved walk in its world, about to walk."""
    config, goal = walk.config, walk.config.goal
    world = walking_world(walk)
    falls = fall_watch(world, rises_until=RISES if config.start == "belly" else 0.0)
    ticks = freeze_ticks(
        config.freeze, START, config.walks_until, walk.plant.period, config.seed
    )
    frozen = FreezeWatch(world.model, ticks)
    staged = StagedRun(
        world=world,
        controller=walk.new_controller(),
        plant=walk.plant,
        seconds=config.seconds,
        falls=falls,
        stop=falls if goal is None else goal_watch(world, falls, goal),
        pushes=pushes_of(config),
        forces=random_forces(config),
        watch=frozen if ticks else None,
        record_every=1 + int(config.seconds // LONG),
    )
    return StagedWalk(staged, walk, falls, frozen)


def walking_world(walk: ResolvedWalk) -> World:
    """Return the machine of a resolved walk on its ground."""
    config = walk.config
    lies = config.start == "belly"
    return machine_world(
        lying_robot(walk.robot) if lies else walk.robot,
        walk.terrain,
        friction=walk.friction,
        ground=config.ground,
        rigid_drives=config.actuators != "elastic",
        joint_noise=JOINT_NOISE,
        seed=config.seed,
        size=walk.size,
        start=LIES if lies else "start",
        track=track_of(walk.machine),
    )


def pushes_of(config: WalkConfig) -> tuple[Push, ...]:
    """Return the push, if there is one."""
    if config.push == 0.0:
        return ()
    angle = math.radians(config.push_heading)
    impulse = (0.0, float(config.push), 0.0)  # exact where it is to the left
    if config.push_heading != 90.0:
        impulse = (config.push * math.cos(angle), config.push * math.sin(angle), 0.0)
    return (Push(impulse=impulse, start=config.pushed_at, duration=PUSH_LASTS),)


def random_forces(config: WalkConfig) -> HeldForces | None:
    """Return the random forces, if there are any; they begin when it walks."""
    if config.force == 0.0:
        return None
    return HeldForces(sigma=config.force, start=START, seed=config.seed)
