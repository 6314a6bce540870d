"""Where feet were put down: how many, and whether on forbidden ground."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from equipoise.control.ground_map import GroundMap
from equipoise.core.arrays import Array, VecN
from equipoise.runs.walk.contacts import BOUNCE, without_bounces
from equipoise.runs.walk.numbers.spells import event_count
from equipoise.sim.run import Run

__all__ = ["banned_at", "foothold_numbers", "landings"]

Flags = NDArray[np.bool_]
SETTLED = 0.05  # after which a foot is where it stands [s]


def landings(time: VecN, touches: Flags, begun: int) -> list[NDArray[np.int64]]:
    """Return the samples at which each foot comes down, bounces left out.

    Args:
        time: evenly spaced, (nt,) [s].
        touches: whether each foot does, (nt, nl).
        begun: first sample that counts.
    """
    step = float(time[1] - time[0]) if len(time) > 1 else BOUNCE
    width = max(1, round(BOUNCE / step))
    found: list[NDArray[np.int64]] = []
    for own in touches[begun:].T:
        stands = without_bounces(own, width)
        falls = np.flatnonzero(np.diff(stands.astype(int)) == 1)
        found.append(falls + begun + 1)
    return found


def banned_at(places: Array, ground: GroundMap) -> Flags:
    """Return which places are in forbidden cells, (n,); beyond the map none is.

    Args:
        places: x and y of each, (n, 2) [m].
        ground: the map.
    """
    frame, banned = ground.frame, ground.banned
    corner = np.array([frame["west"][0], frame["south"][0]])
    cells = np.floor((places - corner) / frame["cell"][0]).astype(np.int64)
    inside = ((cells >= 0) & (cells < banned.shape)).all(axis=1)
    found = np.zeros(len(places), np.bool_)
    at = cells[inside]
    found[inside] = banned[at[:, 0], at[:, 1]] > 0.0
    return found


def foothold_numbers(run: Run, ground: GroundMap, begun: int) -> dict[str, Any]:
    """Return how many times a foot was put down, and what of these should not be.

    ``banned_hit`` counts feet that came down in a cell that the map forbids, by where
    they were 50 ms later; None without such a map. ``refused`` is what the planner or a
    reflex counts as ``footholds_refused``, found bad when tried; None where none does.

    Args:
        run: what happened.
        ground: what the machine was told to avoid.
        begun: first sample that counts.
    """
    falls = landings(run.time, run.touches, begun)
    hits = None
    if ground.banned.size:
        last = len(run.time) - 1
        later = round(SETTLED / (run.time[1] - run.time[0]))
        hits = sum(
            int(banned_at(run.foot_place[at, leg, :2], ground).sum())
            for leg, own in enumerate(falls)
            for at in [np.minimum(own + later, last)]
        )
    name = "footholds_refused"
    return {
        "placed": sum(len(own) for own in falls),
        "banned_hit": hits,
        "refused": event_count(run.said(name)) if name in run.signals else None,
    }
