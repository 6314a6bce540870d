"""One door to simulation: whatever the robot is, balance it and say what happened."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from equipoise.control.com.law import RECOMMENDED as STEERING
from equipoise.control.workspace.balancer import RECOMMENDED as STANDING
from equipoise.core.errors import UnknownNameError
from equipoise.robots.robot import Robot
from equipoise.runs.balance import BalanceResult, SteerConfig, steered
from equipoise.runs.stand import SIZE, StandConfig, StandResult, stand_robot

__all__ = ["simulate"]


def simulate(
    robot: Robot,
    controller: str | None = None,
    *,
    progress: Callable[[float], None] | None = None,
    **settings: Any,
) -> BalanceResult | StandResult:
    """Balance a robot in simulation and return what happened.

    A robot made of modules is steered by messages; one that stands on feet is balanced
    by its legs while a block is thrown at it.

    Args:
        robot: from ``equipoise.load`` or built by hand.
        controller: name of a law, see ``equipoise controllers``; None for the
            recommended one.
        progress: called with the share done, in [0, 1].
        settings: of a robot made of modules those of ``SteerConfig`` (``seconds``,
            ``seed``, ``hop_delay_ms``, ``loss``, ``gravity_compensation``,
            ``contacts``, ``target``); of others those of ``StandConfig`` (``seconds``,
            ``block_mass``, ``block_speed``, ``push``, ``friction``, ``timestep``,
            ``delay_ms``).

    Raises:
        EquipoiseError: settings or a robot that cannot be used; nothing has been
            simulated then.
    """
    if robot.assembly is None and robot.feet:
        known = [f.name for f in fields(StandConfig) if f.name not in SIZE]
        expect_known(settings, known, robot)
        plan = StandConfig(controller=controller or STANDING, **settings)
        return stand_robot(robot, plan, progress=progress)
    expect_known(settings, [f.name for f in fields(SteerConfig)], robot)
    if settings.get("target") is not None:
        settings["target"] = tuple(settings["target"])
    config = SteerConfig(controller=controller or STEERING, **settings)
    return steered(robot, config, {"robot": robot.name}, progress)


def expect_known(settings: dict[str, Any], known: list[str], robot: Robot) -> None:
    """Refuse a setting that this kind of robot does not have."""
    for name in settings:
        if name not in known or name == "controller":
            listed = [k for k in known if k != "controller"]
            raise UnknownNameError("setting", name, listed, f"robot '{robot.name}'")
