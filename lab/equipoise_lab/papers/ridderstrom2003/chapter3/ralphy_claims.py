"""Sections 3.2.4 and 3.2.5: RALPHY walks in simulation, and its legs track forces."""

from collections.abc import Mapping
from typing import Any

from equipoise.robots.load import load
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk_robot
from equipoise_lab.papers.check import above, at_least, below, near, same
from equipoise_lab.papers.claim import Claim, shown
from equipoise_lab.papers.ridderstrom2003.chapter3.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.chapter3.walks import (
    Walked,
    sized_claims,
    walked,
)

__all__ = ["ralphy_claims", "ralphy_draws", "ralphy_loaded", "ralphy_walk"]

ABOUT = 0.1  # share by which "about 0.4 m/s" may be off
LEVEL = 4.0  # largest tilt of a trunk that is kept level [°]
ALONE = 0.5  # share of the time with one foot in the air, at least
GROUND = 70e3  # more than four times as stiff as the first guess [N/m]
BETTER, SMALL = 5.0, 0.15  # less error, and its share of a leg's share of the weight


def ralphy_walk(seed: int) -> Walked:
    """Return how it walks on flat ground.

    Args:
        seed: of friction and of the sensors' noise.
    """
    speed = PRINTED.ralphy_speed
    return walked("ralphy", settle=4.0, speed=speed, seconds=12.0, seed=seed)


def ralphy_loaded(seed: int) -> Mapping[str, Any]:
    """Return how well its legs track forces on soft ground, with learning and without.

    Args:
        seed: of friction and of the sensors' noise.
    """
    asked = WalkConfig(ground_stiffness=GROUND, adapt=True, seconds=2.5, seed=seed)
    return walk_robot(load("ralphy"), asked).summary["forces"]["adaptation"]


def ralphy_draws(seed: int) -> list[Claim]:
    """Return every claim.

    Args:
        seed: of friction and of the sensors' noise.
    """
    return ralphy_claims(ralphy_walk(seed), ralphy_loaded(seed))


def ralphy_claims(walk: Walked, loaded: Mapping[str, Any]) -> list[Claim]:
    """Return every claim.

    Args:
        walk: of ``ralphy_walk``.
        loaded: of ``ralphy_loaded``.
    """
    on, off = loaded["error_rms"], loaded["error_rms_off"]
    guess, ground = loaded["first_guess_n_per_m"], loaded["ground_n_per_m"]
    return [
        shown(
            "3.2.4",
            "the reference trajectory is modified to achieve the desired force on"
            " compliant ground: all legs of RALPHY, loads going to and fro",
            "the desired force",
            f"off by {on:.1%} of a leg's share of the weight, {off:.1%} without",
            [
                above(ground / guess, 4.0),
                below(max(loaded["force_error_rms_leg_share"]), SMALL),
                at_least(off / on, BETTER),
            ],
            f"it stands on {ground / 1e3:g} kN/m and takes it for {guess / 1e3:g};"
            " sensors are as bad as elsewhere. In a walk, feet that meet the ground"
            " hide the difference, see its page",
            tolerance=f"{BETTER:g} times less, below {SMALL:.0%} for every leg",
        ),
        *sized_claims(
            "3.2.5",
            "speed of RALPHY, in simulation, about [m/s]",
            PRINTED.ralphy_speed,
            walk.speed,
            [
                same(walk.controller, "ralphy"),
                same(walk.fell, False),
                near(walk.speed, PRINTED.ralphy_speed, ABOUT * PRINTED.ralphy_speed),
                above(walk.aloft[1], ALONE),
            ],
            f"duty factor {PRINTED.ralphy_duty:g}, told that speed: {walk.how}; one"
            f" foot is in the air for {walk.aloft[1]:.0%} of the time",
        ),
        shown(
            "3.2.5",
            "forces that the legs are controlled to achieve also maintain the desired"
            " attitude",
            "maintained",
            f"at most {walk.tilt:.1f}° off, {walk.rms:.1f}° rms",
            [same(walk.fell, False), below(walk.tilt, LEVEL)],
            "the same walk; springs of the legs hold it level too",
            tolerance=f"within {LEVEL:g}°",
        ),
    ]
