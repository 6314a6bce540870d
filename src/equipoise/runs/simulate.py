"""One door to simulation: whatever the robot is, balance it and say what happened."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from equipoise.control.com.law import RECOMMENDED as STEERING
from equipoise.control.laws import ChosenLaw
from equipoise.control.workspace.balancer import RECOMMENDED as STANDING
from equipoise.core.contracts import Controller, expect_controller
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.robot import Robot
from equipoise.runs.balance.balance import BalanceResult, SteerConfig, steered
from equipoise.runs.stand.stand import StandConfig, StandResult, stand_robot
from equipoise.runs.walk.config import BUILD
from equipoise.runs.walk.fit import is_walker
from equipoise.runs.walk.walk import WalkConfig, WalkResult, walk_robot

__all__ = ["simulate"]


def simulate(
    robot: Robot,
    controller: str | ChosenLaw | Controller[Any] | None = None,
    *,
    progress: Callable[[float], None] | None = None,
    **settings: Any,
) -> BalanceResult | StandResult | WalkResult:
    """Simulate a robot that balances or walks, and return the result.

    A robot made of modules is steered by messages; one that stands on feet, or a robot
    file with soles on legs of six joints, is balanced by its legs while a block is
    thrown at it; one whose legs have drives, or a robot file with four legs or more,
    walks. To keep such a robot standing, as ``equipoise balance FILE`` does, pass
    ``speed=0.0, support="standing"``.

    Args:
        robot: from ``equipoise.load`` or built by hand.
        controller: name of a law, see ``equipoise controllers``; or a law with
            settings, as ``equipoise.laws.upright(pace=100)``; or any object with
            ``init()`` and ``step(sensed, state)``, which a machine with drives steps
            on ``Readings`` instead of ``Sensed``; None for the recommended one. A
            walking machine is told its ``gait`` and no law.
        progress: called with the share done, in [0, 1].
        settings: of a robot made of modules those of ``SteerConfig`` (``seconds``,
            ``seed``, ``hop_delay_ms``, ``loss``, ``gravity_compensation``,
            ``contacts``, ``target``); of a machine with drives those of ``WalkConfig``
            (``gait``, ``speed``, ``seconds``, ``terrain``, ...); of others those of
            ``StandConfig`` (``seconds``, ``block_mass``, ``block_speed``, ``push``,
            ``friction``, ``timestep``, ``delay_ms``).

    Raises:
        EquipoiseError: settings or a robot that cannot be used; nothing has been
            simulated then.
    """
    name, own = None, None
    if isinstance(controller, ChosenLaw):
        name, settings["gains"] = controller.name, controller.gains
    elif controller is None or isinstance(controller, str):
        name = controller
    else:
        own = expect_controller(controller)
        name = type(own).__name__
    if is_walker(robot):
        _expect_known(settings, [f.name for f in fields(WalkConfig)], robot, BUILD)
        if own is None and name is not None:
            problem = f"it walks with a gait; give gait=..., not controller={name!r}"
            raise ConfigError(f"robot '{robot.name}'", [problem])
        return walk_robot(robot, WalkConfig(**settings), progress, own)
    if robot.assembly is None and (robot.feet or robot.source):
        known = [f.name for f in fields(StandConfig) if f.name != "robot"]
        _expect_known(settings, known, robot)
        plan = StandConfig(controller=name or STANDING, **settings)
        return stand_robot(robot, plan, progress=progress, own=own)
    _expect_known(settings, [f.name for f in fields(SteerConfig)], robot)
    if settings.get("target") is not None:
        settings["target"] = tuple(settings["target"])
    config = SteerConfig(controller=name or STEERING, **settings)
    return steered(robot, config, {"robot": robot.name}, progress, own)


def _expect_known(
    settings: dict[str, Any],
    known: list[str],
    robot: Robot,
    apart: tuple[str, ...] = ("controller",),
) -> None:
    """Refuse a setting that this kind of robot does not have.

    Args:
        settings: that were given.
        known: all there are.
        robot: which it is.
        apart: settings that are given otherwise.
    """
    for name in settings:
        if name not in known or name in apart:
            listed = [k for k in known if k not in apart]
            raise UnknownNameError("setting", name, listed, f"robot '{robot.name}'")
