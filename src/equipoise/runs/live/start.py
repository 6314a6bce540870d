"""Live jobs from what the commands are told: a walk, a stand, modules, any robot."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from equipoise.control.laws import law_settings
from equipoise.core.checks import expect_none
from equipoise.core.contracts import Controller
from equipoise.core.errors import EquipoiseError
from equipoise.core.setting import FieldSetting, offer_problems
from equipoise.core.settings import settings_of
from equipoise.robots.robot import Robot
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.balance.staged import expect_modules, goal_of, staged_balance
from equipoise.runs.live.driven import DrivenJob, DrivenSetup
from equipoise.runs.live.judges import LineJudge
from equipoise.runs.live.pilot_knobs import PilotKnobs, has_ramped_pilot
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.own_robot import footed
from equipoise.runs.stand.staged import expect_law, staged_stand
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.fall import FALLS, FallWatch
from equipoise.runs.walk.fit import is_walker
from equipoise.runs.walk.resolved import ResolvedWalk, resolved_walk
from equipoise.runs.walk.staged import staged_walk
from equipoise.sim.staged import StagedRun
from equipoise.sim.stepper import Stepper

__all__ = ["live_modules", "live_robot", "live_stand", "live_walk"]

ALWAYS = ("pilot", "law", "observer")  # settings that every walk has


def live_walk(robot: Robot, config: WalkConfig, *, stands: bool = False) -> DrivenJob:
    """Return a walk to take part in.

    Args:
        robot: with legs and drives, or of a file in which legs are found.
        config: how it walks.
        stands: whether it begins by standing, until it is told a speed.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    expect_none("the live view", offer_problems(config, "live"))
    stage = staged_walk(robot, config)
    staged, walk = stage.staged, stage.walk

    def remake(gains: Mapping[str, Any]) -> Controller[Any]:
        return resolved_walk(robot, replace(config, gains=gains)).new_controller()

    pilot = None
    if has_ramped_pilot(staged.controller):
        pilot = PilotKnobs(
            walk.speed, walk.heading, walk.turn, turns=walk.turns, stands=stands
        )
    return DrivenJob(
        DrivenSetup(
            title=f"{staged.robot.name}, {_walk_title(walk, stands=stands)}",
            world=staged.world,
            controller=staged.controller,
            stepper=_stepper_of(staged),
            falls=_kind_of_fall(stage.falls),
            pilot=pilot,
            remake=remake,
            settings=_walk_settings(walk),
            gains=config.gains,
            keeps_memory=True,
            planned=tuple(
                (push.start, np.array(push.impulse)) for push in staged.pushes
            ),
            notes=(*walk.assumed, *walk.warnings),
        )
    )


def _walk_title(walk: ResolvedWalk, *, stands: bool) -> str:
    """Return what a walk is called."""
    name = walk.controller or "own controller"
    return f"stands by '{name}'" if stands else f"{walk.gait} by '{name}'"


def _kind_of_fall(watch: FallWatch) -> Any:
    """Return what says how a machine has fallen; None while it has not."""

    def falls(data: mujoco.MjData) -> str | None:
        return FALLS[watch.kind(data)] if watch(data) else None

    return falls


def _walk_settings(walk: ResolvedWalk) -> dict[str, FieldSetting]:
    """Return what can be set of the parts that a walk has."""
    walking = walk.walking
    if walking is None:
        return {}
    parts = {walking.planner, walking.support, walking.motion, walking.balance}
    parts |= {walking.guide, walking.legs, *walking.reflexes, *ALWAYS}
    return {
        name: setting
        for name, setting in settings_of(walking).items()
        if name.partition(".")[0] in parts and "." in name
    }


def live_stand(robot: Robot, config: StandConfig) -> DrivenJob:
    """Return a robot that is kept standing, to take part in.

    Args:
        robot: with feet, or a file in which soles are found.
        config: its controller and what is thrown at it.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    expect_law(config.controller)
    ready = footed(robot)
    staged = staged_stand(ready.robot, config)

    def remake(gains: Mapping[str, Any]) -> Controller[Any]:
        return staged_stand(ready.robot, replace(config, gains=gains)).controller

    return DrivenJob(
        DrivenSetup(
            title=f"{ready.robot.name}, balanced by '{config.controller}'",
            world=staged.world,
            controller=staged.controller,
            stepper=_stepper_of(staged),
            falls=_plain_fall(staged),
            remake=remake,
            settings=law_settings(config.controller),
            gains=config.gains,
            planned=tuple(
                (push.start, np.array(push.impulse)) for push in staged.pushes
            ),
            notes=ready.assumed,
        )
    )


def live_modules(robot: Robot, config: SteerConfig) -> DrivenJob:
    """Return a robot made of modules that is steered, to take part in.

    Args:
        robot: made of modules.
        config: how it is steered.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    staged, assembly = staged_balance(robot, config), expect_modules(robot)

    def remake(gains: Mapping[str, Any]) -> Controller[Any]:
        return staged_balance(robot, replace(config, gains=gains)).controller

    count = len(robot.modules)
    return DrivenJob(
        DrivenSetup(
            title=f"{robot.name}, {count} modules, steered by '{config.controller}'",
            world=staged.world,
            controller=staged.controller,
            stepper=_stepper_of(staged),
            falls=_plain_fall(staged),
            judge=LineJudge(
                goal_of(staged.world, assembly, config), assembly.body.width
            ),
            remake=remake,
            settings=law_settings(config.controller),
            gains=config.gains,
        )
    )


def _plain_fall(staged: StagedRun) -> Any:
    """Return what says that a robot has fallen, without a word how."""
    return lambda data: "" if staged.has_fallen(data) else None


def _stepper_of(staged: StagedRun) -> Any:
    """Return what makes a plant that nothing but a viewer pushes."""
    return lambda horizon: Stepper(
        staged.world, staged.plant, horizon=horizon, moves=staged.moves
    )


def live_robot(robot: Robot) -> "DrivenJob":
    """Return any robot as it stands, held up by what it has.

    Legs with drives stand by the walking controller, soles by a balance law, modules
    are steered; what none of these can hold has springs in its joints.

    Args:
        robot: any.
    """
    from equipoise.runs.live.spring_hold import live_on_springs

    try:
        if robot.assembly is not None:
            return live_modules(robot, SteerConfig())
        if is_walker(robot):
            return live_walk(robot, WalkConfig(), stands=True)
        if robot.feet or robot.source:
            return live_stand(robot, StandConfig(block_mass=0.0))
    except EquipoiseError as why:
        return live_on_springs(robot, f"held by springs in its joints, for {why}")
    return live_on_springs(robot, "held by springs in its joints")
