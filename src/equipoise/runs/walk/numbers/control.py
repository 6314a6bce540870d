"""What a walk's controller is and did: identity, plans, forces, reflexes, footholds."""

from typing import Any

from equipoise.core.constants import GRAVITY
from equipoise.runs.walk.effort import walking_from
from equipoise.runs.walk.numbers.footholds import foothold_numbers
from equipoise.runs.walk.numbers.forces import force_numbers
from equipoise.runs.walk.numbers.identity import machine_sha256, settings_sha256
from equipoise.runs.walk.numbers.path import lateral_error
from equipoise.runs.walk.numbers.planning import (
    goal_numbers,
    learning_numbers,
    plan_numbers,
)
from equipoise.runs.walk.numbers.reflexes import reflex_numbers
from equipoise.runs.walk.numbers.stall import stalled_time
from equipoise.runs.walk.numbers.timing import timing_numbers
from equipoise.runs.walk.resolved import ResolvedWalk
from equipoise.sim.run import Run

__all__ = ["control_numbers"]


def control_numbers(
    run: Run, walk: ResolvedWalk, settings: dict[str, Any], near: float
) -> dict[str, Any]:
    """Return what a controller is and did, by name; None where it has no such thing.

    Args:
        run: what happened.
        walk: machine and controller.
        settings: all that were used.
        near: within which a goal counts as reached [m].
    """
    begun, walking = walking_from(run), walk.walking
    holds = foothold_numbers(run, walk.ground, begun)
    parts = None
    if walking is not None:
        parts = {
            "support": walking.support,
            "motion": walking.motion,
            "balance": walking.balance,
            "reflexes": list(walking.reflexes),
            "planner": walking.planner,
            "legs": walking.legs,
            "pilot": walking.guide,
        }
    return {
        "parts": parts,
        "machine_sha256": machine_sha256(walk.robot),
        "settings_sha256": settings_sha256(settings),
        "steps": holds["placed"],
        "lateral_error_max_m": lateral_error(run, begun),
        "stalled_s": stalled_time(run, begun),
        "plan": plan_numbers(run),
        "forces": force_numbers(run, walk.machine.mass * GRAVITY, begun),
        "reflexes": reflex_numbers(run),
        "footholds": holds,
        "goal": goal_numbers(run, settings["goal"], near),
        "learning": learning_numbers(run, settings["learned"]),
        "timing": timing_numbers(run),
    }
