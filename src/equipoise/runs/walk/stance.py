"""A robot of a file on four balls or more is held in stance, and hit.

Laws that press on soles cannot hold it; the walking controller can, all feet standing.
A block that is thrown is a push of its momentum from ahead.
"""

from collections.abc import Callable, Mapping
from typing import Any

from equipoise.robots.robot import Robot
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import WalkResult, walk_robot

__all__ = ["HIT_AT", "STANCE", "held_in_stance", "stance_config", "stands_on_balls"]

FEWEST = 4  # legs
BLOCK, SPEED = 0.03, 4.5  # of its mass, and in m/s, unless given
HIT_AT = 2.0
"""Start of the push [s]."""
SECONDS = 6.0  # of a run, unless given
FROM_AHEAD = 180.0  # heading of the push [degrees]
STANCE = ("block_mass", "block_speed", "friction", "seconds", "seed", "gains")
"""Settings of ``runs.stand.config.StandConfig`` that count here."""


def stands_on_balls(robot: Robot) -> bool:
    """Return whether a robot of a file has four legs or more, with balls for feet.

    Args:
        robot: as it was loaded.
    """
    legs = robot.found.legs
    return len(legs) >= FEWEST and all(leg.foot.kind == "ball" for leg in legs)


def stance_config(
    robot: Robot, choice: RobotChoice, settings: Mapping[str, Any]
) -> WalkConfig:
    """Return the walk on the spot in which a robot is hit.

    Args:
        robot: as it was loaded.
        choice: how it was named.
        settings: those of ``STANCE`` that were given, by name.
    """
    mass = float(robot.model.body_subtreemass[robot.model.body(robot.base).id])
    block = settings.get("block_mass", BLOCK * mass)
    return WalkConfig(
        robot=choice,
        support="standing",
        speed=0.0,
        seconds=settings.get("seconds", SECONDS),
        push=block * settings.get("block_speed", SPEED),
        push_heading=FROM_AHEAD,
        push_at=HIT_AT,
        friction=settings.get("friction"),
        seed=settings.get("seed", 0),
        gains=settings.get("gains", {}),
    )


def held_in_stance(
    robot: Robot, config: WalkConfig, progress: Callable[[float], None] | None = None
) -> WalkResult:
    """Return what becomes of a robot that is held in stance and hit.

    Args:
        robot: as it was loaded.
        config: of ``stance_config``.
        progress: called with the share done, in [0, 1].
    """
    result = walk_robot(robot, config, progress)
    result.summary["assumed"].append(
        f"the block is a push of {config.push:.3g} N s from ahead, {HIT_AT:g} s after "
        "the start"
    )
    return result
