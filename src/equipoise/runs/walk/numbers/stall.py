"""For how long a machine stood though it was told to walk.

A planner can find a step at every turn and lead nowhere; what counts is the trunk.
"""

import numpy as np

from equipoise.core.arrays import Array
from equipoise.runs.walk.numbers.path import told_path
from equipoise.sim.run import Run

__all__ = ["stalled_time"]

WINDOW = 5.0  # over which it must come on [s]
LEAST_SHARE = 0.1  # of the way that it was told to go meanwhile
LEAST_WAY = 0.05  # commanded over the window, below which it may stand [m]


def stalled_time(run: Run, begun: int) -> float | None:
    """Return the time in which the trunk did not come on as it was told [s].

    Of each five seconds in which it was told to walk all the time, those count in which
    it went less than a tenth of the commanded way, along that way; None where nothing
    was commanded, or for less than five seconds.

    Args:
        run: of a controller that says ``forward``, ``left`` and ``turn``.
        begun: first sample that counts.
    """
    wanted = np.stack([run.said(name)[begun:] for name in ("forward", "left", "turn")])
    known = np.isfinite(wanted).all(axis=0)
    if not known.any():
        return None
    last = begun + int(np.flatnonzero(known)[-1]) + 1
    time, place = run.time[begun:last], run.p_WB[begun:last, :2]
    wanted = np.nan_to_num(wanted[:, : last - begun])
    path = told_path(time, wanted, float(run.attitude[begun, 2]))
    ends = np.searchsorted(time, time + WINDOW - 1e-9)
    starts = np.flatnonzero(ends < len(time))
    walks = np.cumsum(np.hypot(wanted[0], wanted[1]) > 0.0)
    asked = path[ends[starts]] - path[starts]
    way = np.hypot(*asked.T)
    always = walks[ends[starts]] - walks[starts] == ends[starts] - starts
    counts = always & (way > LEAST_WAY)
    if not counts.any():
        return None
    gone = place[ends[starts]] - place[starts]
    slow = counts & (_along(gone, asked) < LEAST_SHARE * way)
    standing = np.zeros(len(time) + 1)
    np.add.at(standing, starts[slow], 1.0)
    np.add.at(standing, ends[starts[slow]], -1.0)
    return float(np.diff(time, append=time[-1])[np.cumsum(standing)[:-1] > 0.0].sum())


def _along(gone: Array, asked: Array) -> Array:
    """Return how far ways lead along others, row by row, (n,) [m]."""
    return (gone * asked).sum(axis=1) / np.maximum(np.hypot(*asked.T), 1e-12)
