"""A walk on fewer legs than a machine was built with."""

from collections.abc import Sequence

import numpy as np

import equipoise.control.parts as parts
from equipoise.control.machine import LeggedMachine, legged_machine
from equipoise.control.walker import WalkerConfig
from equipoise.core.errors import ConfigError
from equipoise.robots.amputated import amputated, named_legs
from equipoise.robots.legs import centre_of_mass
from equipoise.robots.robot import Robot
from equipoise.stability.rigid.support import static_margin

__all__ = ["limping"]

FEWEST = 4


def limping(
    robot: Robot, machine: LeggedMachine, walking: WalkerConfig, legs: Sequence[str]
) -> tuple[Robot, LeggedMachine]:
    """Return a robot without some legs, and the machine that it then is.

    Args:
        robot: with all its legs.
        machine: that it is.
        walking: parts and settings by which it walks.
        legs: that are taken off, by name.

    Raises:
        UnknownNameError: no such leg.
        ConfigError: parts that need all legs, or a machine that tips over on the rest.
    """
    left = amputated(robot, legs)
    limps = legged_machine(left, height=machine.height)
    problems = _parts_that_need_all(walking) or _tips_over(left, limps, machine)
    if problems:
        raise ConfigError(f"robot '{robot.name}' without {', '.join(legs)}", problems)
    return left, limps


def _parts_that_need_all(walking: WalkerConfig) -> list[str]:
    """Return that parts do not go on without a leg, in a sentence if they do not.

    Args:
        walking: which parts there are.
    """
    chosen = (
        ("planner", parts.PLANNERS, walking.planner),
        ("support", parts.SUPPORTS, walking.support),
    )
    need = [
        f"{kind} '{name}'"
        for kind, catalogue, name in chosen
        if not catalogue.find(name).limps
    ]
    if not need:
        return []
    which = " and ".join(need)
    return [
        f"{which} must have all legs; 'tum' with --controller walknet can walk "
        "without one"
    ]


def _tips_over(robot: Robot, limps: LeggedMachine, machine: LeggedMachine) -> list[str]:
    """Return why a machine does not stand on the legs that are left, if it does not.

    Args:
        robot: without its lost legs.
        limps: the machine that it then is.
        machine: as it was with them.
    """
    kept = [k for k in range(machine.legs) if k not in robot.lost]
    if len(kept) < FEWEST:
        return [f"walking takes {FEWEST} legs, got {len(kept)}"]
    own, centre = limps.geometry, np.zeros(3)
    centre_of_mass(own.stand, own.legs, own.trunk, centre)
    margin = float(static_margin(centre[:2], machine.geometry.hips[kept, :2]))
    if margin > 0.0:
        return []
    left = ", ".join(named_legs(robot))
    return [f"its centre of mass must be over the feet that are left ({left})"]
