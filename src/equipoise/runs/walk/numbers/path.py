"""How far beside its path a machine walked."""

import math

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.sim.run import Run

__all__ = ["lateral_error", "told_path"]

STANDS = 1e-6  # commanded speed, or way, below which there is no path [m/s, m]
STRAIGHT = 1e-6  # way beside its end's direction from which on a path bends [m]


def lateral_error(run: Run, begun: int) -> float | None:
    """Return the largest distance of the trunk from its path, seen from above [m].

    The path begins where the trunk is when it begins to walk, with its heading there,
    and goes as the pilot told; being late or early on it is no error.

    Args:
        run: of a controller that says ``forward``, ``left`` and ``turn``.
        begun: first sample that counts.
    """
    wanted = np.stack([run.said(name)[begun:] for name in ("forward", "left", "turn")])
    known = np.isfinite(wanted).all(axis=0)
    if not known.any() or np.abs(wanted[:2, known]).max() < STANDS:
        return None
    last = begun + int(np.flatnonzero(known)[-1]) + 1
    place = run.p_WB[begun:last, :2] - run.p_WB[begun, :2]
    wanted = np.nan_to_num(wanted[:, : last - begun])
    path = told_path(run.time[begun:last], wanted, float(run.attitude[begun, 2]))
    along = path[-1] / max(math.hypot(*path[-1]), STANDS)
    beside = np.abs(path[:, 1] * along[0] - path[:, 0] * along[1])
    if beside.max() < STRAIGHT:
        error = np.abs(place[:, 1] * along[0] - place[:, 0] * along[1])
    else:
        from scipy.spatial import KDTree  # slow to import, rarely needed

        error = KDTree(path).query(place)[0]
    worst = float(np.max(error))
    return worst if math.isfinite(worst) else None


def told_path(time: VecN, wanted: Array, heading: float) -> Array:
    """Return where commanded velocities lead from the origin, (nt, 2) [m].

    Args:
        time: of the samples, (nt,) [s].
        wanted: forward, left [m/s] and turn [rad/s] in the trunk's frame, (3, nt).
        heading: at the beginning [rad].
    """
    dt = np.diff(time)
    yaw = heading + np.concatenate([[0.0], np.cumsum(wanted[2, :-1] * dt)])
    middle = 0.5 * (yaw[1:] + yaw[:-1])
    forward, left = wanted[0, :-1], wanted[1, :-1]
    steps = np.stack(
        [
            forward * np.cos(middle) - left * np.sin(middle),
            forward * np.sin(middle) + left * np.cos(middle),
        ],
        axis=1,
    )
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps * dt[:, None], axis=0)])
