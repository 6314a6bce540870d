"""A machine that is to walk, with everything in place but the loop."""

import math
from dataclasses import dataclass, field
from typing import Any, final

from equipoise.core.contracts import Controller
from equipoise.robots.lying import LIES, lying
from equipoise.robots.robot import Robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.fall import FallWatch, fall_watch
from equipoise.runs.walk.freeze import FreezeWatch, freeze_ticks
from equipoise.runs.walk.goal_watch import goal_watch
from equipoise.runs.walk.goals import START
from equipoise.runs.walk.known_ground import track_of
from equipoise.runs.walk.planned import (
    Plan,
    footing,
    machine_config,
    own_plan,
    planned_walk,
    pushes_of,
    random_forces,
    walking_controller,
)
from equipoise.sim.machine.world import machine_world
from equipoise.sim.staged import Staged
from equipoise.sim.world import World

__all__ = ["StagedWalk", "staged_walk"]

JOINT_NOISE = math.radians(1.0)  # at the start
RISES = 2.0  # for a machine that starts on its belly [s]
LONG = 100.0  # beyond which fewer samples are kept [s]


@final
@dataclass(frozen=True, eq=False)
class StagedWalk:
    """A walk about to begin."""

    staged: Staged
    """What is run or stepped."""
    plan: Plan
    """Machine, gait and controller's parts."""
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
    plan = planned_walk(robot, config) if own is None else own_plan(robot, config, own)
    controller = own or walking_controller(plan, config)
    world = walking_world(plan, config)
    plant = machine_config(plan.machine, config)
    lies = config.start == "belly"
    falls = fall_watch(world, rises_until=RISES if lies else 0.0)
    ends = config.seconds if config.stop_at is None else config.stop_at
    ticks = freeze_ticks(config.freeze, START, ends, plant.period, config.seed)
    frozen = FreezeWatch(world.model, ticks)
    goal = config.goal
    staged = Staged(
        world=world,
        controller=controller,
        plant=plant,
        seconds=config.seconds,
        falls=falls,
        stop=falls if goal is None else goal_watch(world, falls, goal),
        pushes=pushes_of(config),
        forces=random_forces(config),
        watch=frozen if ticks else None,
        record_every=1 + int(config.seconds // LONG),
    )
    return StagedWalk(staged, plan, falls, frozen)


def walking_world(plan: Plan, config: WalkConfig) -> World:
    """Return the machine on its ground."""
    friction, terrain = footing(config, plan.machine)
    lies = config.start == "belly"
    return machine_world(
        lying(plan.robot) if lies else plan.robot,
        terrain,
        friction=friction,
        ground=config.ground,
        rigid_drives=config.actuators != "elastic",
        joint_noise=JOINT_NOISE,
        seed=config.seed,
        size=plan.size,
        start=LIES if lies else "start",
        track=track_of(plan.machine),
    )
