"""What it is worth that legs learn the ground: a loading trial, with and without.

The machine stands on all feet while its diagonals hand their load to and fro, so that
each leg has to track a force that changes and nothing else happens to it. Both times
the seed is the same; errors count from 5 s on.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import ResolvedWalk

__all__ = ["can_be_tried", "loading_trial"]

ROCKS = "vertical.rock"
SHARE, LASTS = 0.6, 8.0  # of a load that goes to and fro, and of the trial [s]
ERROR = "force_error_rms_leg_share"


def can_be_tried(resolved: ResolvedWalk) -> bool:
    """Return whether there is such a trial, and whether this walk is not one itself."""
    walking = resolved.walking
    is_told = walking is not None and walking.balance == "vertical"
    return is_told and ROCKS not in resolved.config.gains


def loading_trial(
    resolved: ResolvedWalk, walk: Callable[[WalkConfig], dict[str, Any]]
) -> dict[str, Any]:
    """Return each leg's error with and without learning, and what was guessed.

    Args:
        resolved: the walk beside which it is tried.
        walk: simulates one and returns its numbers.
    """
    config = resolved.config
    errors: list[list[float | None]] = []
    for adapt in (True, False):
        trial = replace(
            config,
            adapt=adapt,
            support="standing",
            speed=0.0,
            ramp=None,
            left=0.0,
            turn=0.0,
            heading=0.0,
            seconds=LASTS,
            stop_at=None,
            push=0.0,
            push_at=None,
            force=0.0,
            freeze=0,
            gains={**config.gains, ROCKS: SHARE},
        )
        errors.append(walk(trial)["forces"][ERROR])
    with_it, without = errors
    both = _rms(with_it), _rms(without)
    walking: Any = resolved.walking
    stiffness = resolved.terrain.stiffness
    return {
        "trial": "loading",
        "ground_n_per_m": None if math.isinf(stiffness) else stiffness,
        "first_guess_n_per_m": walking.cycloid.guess,
        f"{ERROR}": with_it,
        f"{ERROR}_off": without,
        "error_rms": both[0],
        "error_rms_off": both[1],
        "better": both[1] / both[0] if both[0] and both[1] else None,
    }


def _rms(errors: list[float | None]) -> float | None:
    """Return the root of the mean square over the legs; None where one is unknown."""
    if any(error is None for error in errors):
        return None
    return float(np.sqrt(np.mean(np.square(np.array(errors, float)))))
