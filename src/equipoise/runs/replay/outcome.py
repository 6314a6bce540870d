"""How a recorded run ended, in a few words, and what was done to its robot."""

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.kinds import Verdict
from equipoise.runs.replay.motion import Motion
from equipoise.viz.push import push_in

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["json_attribute", "outcome_of", "push_in", "push_marks"]

NEAR = 0.1  # module widths from its line at which a robot is balanced


def json_attribute(run: "xr.Dataset", name: str) -> dict[str, Any]:
    """Return an attribute of a run that is JSON; nothing where it is none."""
    try:
        found = json.loads(str(run.attrs.get(name, "{}")))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def outcome_of(run: "xr.Dataset") -> tuple[Verdict | None, str]:
    """Return how a run ended, as a lamp and in words; None where it does not say.

    Args:
        run: the recorded run.
    """
    if run.attrs.get("outcome") not in ("finished", "stopped"):
        return "no", "broke off: numbers were not finite"
    s = json_attribute(run, "summary")
    if s.get("fell"):
        when = s.get("fell_at_s")
        return "no", f"fell after {when:.2f} s" if _number(when) else "fell"
    if "survived" in s:
        is_there = bool(s["survived"])
        return ("yes", "stands") if is_there else ("no", "not at rest at the end")
    if "settled" in s:  # of modules that are processes
        return ("yes", "balanced") if s["settled"] else ("no", "not balanced")
    away = s.get("distance_final_w")
    if _number(away):
        return ("yes", "balanced") if away < NEAR else ("no", "not balanced")
    goal = s.get("goal")
    if isinstance(goal, Mapping):
        is_there = bool(goal.get("reached"))
        return ("yes", "got there") if is_there else ("no", "did not get there")
    way = s.get("way")
    if isinstance(way, Mapping) and way.get("arrived") is False:
        return "no", "did not go where it was told"
    return ("yes", "did not fall") if "fell" in s else (None, "")


def _number(value: object) -> TypeGuard[float]:
    """Return whether something is a finite number."""
    return isinstance(value, int | float) and math.isfinite(value)


def push_marks(run: "xr.Dataset", motion: Motion) -> Array | None:
    """Return where and how a robot is pushed, (nt, 6) [m] and [N]; None for no push.

    Args:
        run: the recorded run; the push is in its configuration.
        motion: of the frames.
    """
    impulse, start, lasts = push_in(json_attribute(run, "config"))
    if not impulse.any():
        return None
    found = np.full((len(motion.time), 6), np.nan)
    is_on = (motion.time >= start - 1e-9) & (motion.time < start + lasts)
    found[is_on, :3], found[is_on, 3:] = motion.com[is_on], impulse / lasts
    return found
