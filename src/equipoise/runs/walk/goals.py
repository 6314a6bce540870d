"""What the operator says, in time: off, on and on faster, stop."""

import numpy as np

from equipoise.control.pilot import WalkingGoal
from equipoise.runs.walk.config import WalkConfig

__all__ = ["START", "operator_goals"]

START = 1.0
"""For which it stands before it walks [s]."""
STEPS = 40  # of a ramp


def operator_goals(
    config: WalkConfig, forward: float, left: float, turn: float
) -> tuple[WalkingGoal, ...]:
    """Return what the operator says.

    Args:
        config: how it shall walk, and when it shall stop.
        forward: in the end [m/s].
        left: in the end [m/s].
        turn: in the end [rad/s].
    """
    times, shares = np.array([START]), np.array([1.0])
    if config.ramp is not None:
        times = np.linspace(START, config.walks_until, STEPS, endpoint=False)
        shares = np.linspace(config.ramp[0], config.ramp[1], STEPS) / config.ramp[1]
    goals = [
        WalkingGoal(
            time=float(time),
            forward=float(share) * forward,
            left=float(share) * left,
            turn=float(share) * turn,
        )
        for time, share in zip(times, shares, strict=True)
    ]
    if config.stop_at is not None:
        goals.append(WalkingGoal(time=config.stop_at, walk=False))
    return tuple(goals)
