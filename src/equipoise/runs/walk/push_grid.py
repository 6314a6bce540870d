"""Pushes on a walk: a grid of impulses at several instants, what falls, and pockets."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from equipoise.core.seeds import stream
from equipoise.runs.limits import HEADINGS_DEG
from equipoise.runs.robot import find_robot, kept
from equipoise.runs.walk.limits_config import (
    AT,
    RANDOM_AT,
    RANDOM_PER_MASS,
    WalkLimitsConfig,
)
from equipoise.runs.walk.resolved import ResolvedWalk
from equipoise.runs.walk.staged import staged_walk
from equipoise.runs.walk.summary import fallen

__all__ = [
    "PushGrid",
    "RandomPushes",
    "TriedImpulse",
    "grid_words",
    "grids_of",
    "heading_words",
    "limit_of",
    "pocket_words",
    "pockets",
    "push_trial",
    "random_pockets",
    "random_rows",
    "survives_push",
]

STEP, QUICK_STEP, BOUND = 0.1, 0.2, 2.0  # of the grid [N s/kg]
BEYOND = 3  # impulses tried beyond the first that is not survived
USUAL_CYCLE = 0.5  # of a controller that tells none [s]
SIDES = {0: "ahead", 90: "left", 180: "back", 270: "right"}


class PushGrid(NamedTuple):
    """Impulses that are tried in one direction, at several instants."""

    config: WalkLimitsConfig
    heading_deg: float
    step: float
    """Smallest impulse, and from one to the next [N s]."""
    bound: float
    """Largest impulse [N s]."""
    cycle: float
    """Of the gait [s]."""


class RandomPushes(NamedTuple):
    """Random pushes that are tried."""

    config: WalkLimitsConfig
    first: int
    """Number of the first one."""
    rows: tuple[tuple[float, float, float], ...]
    """Impulse [N s], heading [rad] and instant [s] of each."""


class TriedImpulse(NamedTuple):
    """An impulse of the grid."""

    impulse: float
    survived: int
    tried: int
    """Instants; fewer than all where the first fall settled it."""


def grids_of(config: WalkLimitsConfig, walked: ResolvedWalk) -> list[PushGrid]:
    """Return what is tried in each direction."""
    step = (QUICK_STEP if config.quick else STEP) * walked.machine.mass
    cycle = walked.walking.clocked.cycle if walked.walking else USUAL_CYCLE
    headings = HEADINGS_DEG[::2] if config.quick else HEADINGS_DEG
    bound = BOUND * walked.machine.mass
    return [PushGrid(config, heading, step, bound, cycle) for heading in headings]


def random_rows(
    config: WalkLimitsConfig, mass: float
) -> list[tuple[float, float, float]]:
    """Return impulse [N s], heading [rad] and instant [s] of each random push.

    The first ones do not depend on how many there are.
    """
    low, high = (mass * impulse for impulse in RANDOM_PER_MASS)
    if config.impulse is not None:
        low = high = config.impulse * mass
    least, most = (low, 0.0, RANDOM_AT[0]), (high, 2.0 * math.pi, RANDOM_AT[1])
    drawn = stream(config.seed, "pushes").uniform(
        least, most, (config.random_pushes, 3)
    )
    return [(float(size), float(way), float(at)) for size, way, at in drawn]


def push_trial(job: PushGrid | RandomPushes) -> list[Any]:
    """Do one job: impulses of a grid as tried, or whether each push was survived."""
    if isinstance(job, RandomPushes):
        return [
            survives_push(job.config, job.first + k, size, math.degrees(way), at)
            for k, (size, way, at) in enumerate(job.rows)
        ]
    rows, beyond = list[TriedImpulse](), 0
    count = job.config.instants
    for k in range(1, round(job.bound / job.step) + 1):
        impulse, survived, walks = k * job.step, 0, 0
        for phase in range(count):
            at = AT + phase / count * job.cycle
            is_well = survives_push(job.config, phase, impulse, job.heading_deg, at)
            survived, walks = survived + is_well, walks + 1
            if not is_well and beyond:
                break
        rows.append(TriedImpulse(impulse, survived, walks))
        beyond += survived < count or beyond > 0
        if beyond > BEYOND:
            break
    return rows


def survives_push(
    config: WalkLimitsConfig, phase: int, impulse: float, heading_deg: float, at: float
) -> bool:
    """Return whether a machine survives a push.

    Args:
        config: which machine.
        phase: number of the instant, which says its seed.
        impulse: of the push [N s].
        heading_deg: from +x towards +y [degrees].
        at: when it begins [s].
    """
    walk = replace(config.walk(phase, impulse, at), push_heading=heading_deg)
    stage = staged_walk(kept(config.robot, find_robot), walk)
    run = stage.staged.run()
    return fallen(stage.staged.world, run, stage.falls) == "no"


def limit_of(rows: Sequence[TriedImpulse], count: int) -> dict[str, Any]:
    """Return the limit that a grid shows.

    Args:
        rows: the impulses tried, the smallest first.
        count: instants at which each has to be survived.

    Returns:
        ``impulse_ns`` below which everything tried is survived, ``falls_at_ns`` and at
        how many instants (``falls``, ``tried``), None where nothing falls, and
        ``pocket_until_ns``, a larger impulse that is survived, None without any.
    """
    first = next((k for k, row in enumerate(rows) if row.survived < count), len(rows))
    is_open = first == len(rows)
    later = [row.impulse for row in rows[first:] if row.survived == count]
    return {
        "impulse_ns": rows[first - 1].impulse if first else 0.0,
        "falls_at_ns": None if is_open else rows[first].impulse,
        "falls": 0 if is_open else rows[first].tried - rows[first].survived,
        "tried": count if is_open else rows[first].tried,
        "pocket_until_ns": min(later, default=None),
    }


def pockets(
    headings: Sequence[float], limits: Sequence[dict[str, Any] | None]
) -> list[dict[str, Any]]:
    """Return the falls of a grid above which a larger push is survived."""
    return [
        {
            "heading_deg": heading,
            "impulse_ns": one["falls_at_ns"],
            "survived_ns": one["pocket_until_ns"],
        }
        for heading, one in zip(headings, limits, strict=True)
        if one is not None and one["pocket_until_ns"] is not None
    ]


def random_pockets(
    headings: Sequence[float],
    limits: Sequence[float | None],
    pushed: Sequence[tuple[float, float, float, float]],
) -> list[dict[str, Any]]:
    """Return the random pushes that fell below the limits of both directions beside."""
    if any(one is None for one in limits):
        return []
    known, apart = [float(one or 0.0) for one in limits], 360.0 / len(headings)
    found = list[dict[str, Any]]()
    for impulse, way, at, is_well in pushed:
        before = int(math.degrees(way) // apart) % len(known)
        least = min(known[before], known[(before + 1) % len(known)])
        if not is_well and impulse < least:
            found.append(
                {
                    "heading_deg": math.degrees(way),
                    "impulse_ns": impulse,
                    "survived_ns": least,
                    "at_s": at,
                }
            )
    return found


def heading_words(heading_deg: float) -> str:
    """Return a direction for people."""
    side = SIDES.get(round(heading_deg) % 360)
    return f"towards {heading_deg:.0f}°{f' ({side})' if side else ''}"


def grid_words(heading_deg: float, limit: dict[str, Any], mass: float) -> str:
    """Return what was found in one direction, in a sentence without its full stop."""
    found = limit["impulse_ns"]
    size = f"{found:.3g} N s ({found / mass:.2f} N s/kg)"
    where = heading_words(heading_deg)
    if limit["falls_at_ns"] is None:
        return f"{where}: {size} and all below, the largest tried"
    falls = (
        f"falls at {limit['falls_at_ns']:.3g} N s at {limit['falls']} of "
        f"{limit['tried']} instants"
    )
    above = limit["pocket_until_ns"]
    pocket = "" if above is None else f", though {above:.3g} N s is survived: a pocket"
    return f"{where}: {size} and all below; {falls}{pocket}"


def pocket_words(pocket: dict[str, Any]) -> str:
    """Return what a pocket is, in a sentence."""
    where, size = (
        heading_words(pocket["heading_deg"]),
        f"{pocket['impulse_ns']:.3g} N s",
    )
    when = f" at {pocket['at_s']:.2f} s" if "at_s" in pocket else ""
    return (
        f"A pocket: {size} {where}{when} falls, though {pocket['survived_ns']:.3g} N s "
        + ("beside it is survived." if when else "is survived.")
    )
