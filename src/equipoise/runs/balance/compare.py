"""The paper's schemes and ours on one robot, from the same start."""

from collections.abc import Callable
from dataclasses import replace

from equipoise.control.com.law import RECOMMENDED, find_law
from equipoise.runs.balance.balance import (
    BalanceConfig,
    BalanceResult,
    Progress,
    steered,
)
from equipoise.runs.robot import find_robot

__all__ = ["PAPER_SCHEMES", "compare"]

PAPER_SCHEMES = ("default", "distance", "momentum")
"""[Moll2006] section IV, in the order of its table."""


def compare(
    config: BalanceConfig, progress: Progress | None = None
) -> list[BalanceResult]:
    """Run the paper's three schemes without and with compensation, then ours.

    Each summary also says ``gravity_compensation``.

    Args:
        config: robot, seed and world of every run; its controller and compensation do
            not count.
        progress: called with the share done, in [0, 1].

    Returns:
        Seven runs; the last one is the recommended controller, with compensation.
    """
    plan = [(scheme, on) for scheme in PAPER_SCHEMES for on in (False, True)]
    plan.append((RECOMMENDED, True))
    for scheme, _ in plan:
        find_law(scheme)
    robot = find_robot(config.robot)
    results = []
    for k, (scheme, on) in enumerate(plan):
        steer = replace(config.steer, controller=scheme, gravity_compensation=on)
        part = None if progress is None else _share_of(progress, k, len(plan))
        result = steered(robot, steer, config.robot.resolved(), part)
        result.summary["gravity_compensation"] = on
        results.append(result)
    return results


def _share_of(progress: Progress, k: int, parts: int) -> Callable[[float], None]:
    """Return the progress of part k of several."""
    return lambda share: progress((k + share) / parts)
