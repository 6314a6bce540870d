"""What a walk's planner did: plans, failures, and the stop that it held ready."""

from typing import Any

import numpy as np

from equipoise.runs.walk.numbers.spells import beginnings, event_count
from equipoise.sim.run import Run

__all__ = ["goal_numbers", "learning_numbers", "plan_numbers"]


def plan_numbers(run: Run) -> dict[str, Any] | None:
    """Return what is told of the plans; None of a controller that makes none.

    A planner tells ``plan_made``, ``plan_failed``, ``plan_deadlocks`` and
    ``stops_executed``, which count, ``plan_age`` of the plan in force [s],
    ``stop_armed`` while it has a plan by which to stop, and, if it does not count
    them, ``stopping`` while that one is executed. What it does not tell is None.

    Args:
        run: what happened.
    """
    if not any(name in run.signals for name in ("plan_made", "plan_age")):
        return None
    armed, age = _told(run, "stop_armed"), _told(run, "plan_age")
    stops, stopping = _count_of(run, "stops_executed"), _told(run, "stopping")
    if stops is None and stopping is not None:
        stops = beginnings(stopping > 0.0)
    return {
        "made": _count_of(run, "plan_made"),
        "failed": _count_of(run, "plan_failed"),
        "deadlocks": _count_of(run, "plan_deadlocks"),
        "age_max_s": None if age is None else float(age.max()),
        "stop_armed": None if armed is None else bool((armed > 0.0).all()),
        "stops_executed": stops,
    }


def goal_numbers(
    run: Run, goal: tuple[float, float] | None, near: float
) -> dict[str, Any] | None:
    """Return whether and when a place was reached; None where there was none.

    Reached is what is true of the trunk, not what the machine believes.

    Args:
        run: to the place.
        goal: the place [m].
        near: within which it counts as reached [m].
    """
    if goal is None:
        return None
    away = np.hypot(run.p_WB[:, 0] - goal[0], run.p_WB[:, 1] - goal[1])
    is_there = bool(away[-1] < near)
    lost, knocks = _told(run, "no_way"), _told(run, "knocks")
    return {
        "x_m": goal[0],
        "y_m": goal[1],
        "within_m": near,
        "reached": is_there,
        "at_s": float(run.time[-1]) if is_there else None,
        "away_m": float(away[-1]),
        "knocks": None if knocks is None else int(knocks[-1]),
        "no_way": None if lost is None else bool(lost[-1] > 0.0),
    }


def learning_numbers(run: Run, learned: str | None) -> dict[str, Any] | None:
    """Return how far it turned by what it learned; None where it learned nothing.

    Args:
        run: what happened.
        learned: file of the policy.
    """
    made = _count_of(run, "plan_made")
    if learned is None or made is None:
        return None
    yaw = np.unwrap(run.attitude[:, 2])
    turned = float(yaw[-1] - yaw[0])
    return {
        "policy": learned,
        "moves": made,
        "turned_rad": turned,
        "rad_per_step": turned / max(made, 1),
    }


def _told(run: Run, name: str) -> np.ndarray | None:
    """Return the samples of a signal that there are; None where there is none."""
    known = run.said(name)
    known = known[np.isfinite(known)]
    return known if len(known) else None


def _count_of(run: Run, name: str) -> int | None:
    """Return how often something was counted; None where nobody counts it."""
    return event_count(run.said(name)) if name in run.signals else None
