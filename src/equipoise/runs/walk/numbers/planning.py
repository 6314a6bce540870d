"""What a walk's planner did: plans, failures, and the stop that it held ready."""

from typing import Any

import numpy as np

from equipoise.runs.walk.numbers.spells import beginnings, counted
from equipoise.sim.run import Run

__all__ = ["goal_numbers", "plan_numbers"]


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
    armed, age = told(run, "stop_armed"), told(run, "plan_age")
    stops, stopping = count_of(run, "stops_executed"), told(run, "stopping")
    if stops is None and stopping is not None:
        stops = beginnings(stopping > 0.0)
    return {
        "made": count_of(run, "plan_made"),
        "failed": count_of(run, "plan_failed"),
        "deadlocks": count_of(run, "plan_deadlocks"),
        "age_max_s": None if age is None else float(age.max()),
        "stop_armed": None if armed is None else bool((armed > 0.0).all()),
        "stops_executed": stops,
    }


def goal_numbers(run: Run) -> dict[str, Any] | None:
    """Return whether and when the goal was reached; None where there was none.

    Args:
        run: of a pilot or planner that says ``goal_reached``, if there is a goal.
    """
    if "goal_reached" not in run.signals:
        return None
    there = np.nan_to_num(run.said("goal_reached")) > 0.0
    first = int(np.argmax(there))
    is_there = bool(there[first])
    return {"reached": is_there, "at_s": float(run.time[first]) if is_there else None}


def told(run: Run, name: str) -> np.ndarray | None:
    """Return the samples of a signal that there are; None where there is none."""
    known = run.said(name)
    known = known[np.isfinite(known)]
    return known if len(known) else None


def count_of(run: Run, name: str) -> int | None:
    """Return how often something was counted; None where nobody counts it."""
    return counted(run.said(name)) if name in run.signals else None
