"""How a robot of a file keeps its heading: by its gyro, and by feet that stand."""

import dataclasses
import math

from equipoise.control.machine import LeggedMachine
from equipoise.control.walker import WalkerConfig
from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY

__all__ = ["HEADING_RATE", "SLIP_TIME", "heading_rate", "keeping_its_heading"]

HEADING_RATE, SLIP_TIME = 1.0, 10.0  # with which feet keep the heading to a goal
SLOW_RATE = 0.1  # with which they do where they slip themselves
SLOW, ASIDE = 0.3, 0.3  # from where on: speed over √(g h), aside over ahead


def heading_rate(machine: LeggedMachine, velocity: Array | None) -> float:
    """Return the rate with which standing feet correct the gyro's heading [1/s].

    Feet that stride far or step aside slip, and turn it themselves.

    Args:
        machine: that walks.
        velocity: forward and to the left, (2,) [m/s]; None where it is not known.
    """
    if velocity is None:
        return SLOW_RATE
    ahead, aside = abs(float(velocity[0])), abs(float(velocity[1]))
    is_slow = math.hypot(ahead, aside) <= SLOW * math.sqrt(GRAVITY * machine.height)
    return HEADING_RATE if is_slow and aside <= ASIDE * ahead else SLOW_RATE


def keeping_its_heading(walking: WalkerConfig, rate: float) -> WalkerConfig:
    """Return settings of a machine that keeps its heading by its gyro.

    A light machine rocks as it begins to stand. Taken for standing still, that would
    be learnt as the gyro's offset, and it would turn by as much as long as it walks.

    Args:
        walking: how it walks anyhow.
        rate: with which standing feet correct what the gyro drifts then [1/s].
    """
    observer = dataclasses.replace(
        walking.observer, stands_still=False, heading_rate=rate, slip_time=SLIP_TIME
    )
    return dataclasses.replace(walking, observer=observer)
