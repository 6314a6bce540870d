"""The numbers of a walk: way, speed, margins, effort.

Margins are those of the *scheduled* support: the feet that shall stand at an instant,
where they are. An instant at which the schedule changes belongs to both supports. Of a
gait on two feet they are minus the distance to the line between the feet.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.gaits.margin_kernel import static_at
from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise.sim.run import Run

__all__ = [
    "WalkMargins",
    "no_margins",
    "path_way",
    "tilt_from",
    "walk_margins",
    "walk_numbers",
]

Flags = NDArray[np.bool_]
FIRST = 2.0
"""After which the mean speed counts [s]."""
NEARLY = 0.95
"""Share of the commanded speed from which on a ramp is over."""
SMOOTH = 0.05
"""Width of the centred mean over the feet's forces, for the centre of pressure [s]."""
CARRIED = 0.2  # share of the weight below which there is no centre of pressure
SHORTEST = 0.1  # way below which a cost of transport says nothing [m]


class WalkMargins(NamedTuple):
    """Margins at each sample; NaN where the machine does not walk."""

    static: VecN
    """Of the centre of mass, (nt,) [m]."""
    zmp: VecN
    """Of the centre of pressure, (nt,) [m]; NaN where feet carry next to nothing."""


def walk_margins(run: Run, normal: VecN, radius: float) -> WalkMargins:
    """Return the margins on the scheduled support.

    The centre of pressure is Σ f p / Σ f of the vertical forces on the feet at the
    points that touch, both sums averaged over 50 ms about the instant.

    Args:
        run: of a controller that says ``schedule`` and ``walking``.
        normal: of the ground, (3,).
        radius: of the feet [m].
    """
    walking = np.nan_to_num(run.said("walking")) > 0.0
    mask = np.nan_to_num(run.said("schedule"), nan=-1.0).astype(np.int64)
    feet = np.ascontiguousarray(run.foot_place[:, :, :2] - radius * normal[:2])
    static, zmp = np.full((2, len(mask)), np.nan)
    centre = np.ascontiguousarray(run.p_WC[:, :2])
    _scheduled_margins(
        mask, walking, feet, centre, np.empty((feet.shape[1], 2)), static
    )
    pressure = _centre_of_pressure(run, feet)
    carried = np.isfinite(pressure).all(axis=1)
    _scheduled_margins(
        mask, walking & carried, feet, pressure, np.empty((feet.shape[1], 2)), zmp
    )
    return WalkMargins(static, zmp)


def no_margins(run: Run) -> WalkMargins:
    """Return that there are none: of a machine that more than its feet carry.

    Args:
        run: what happened.
    """
    return WalkMargins(*np.full((2, len(run.time)), np.nan))


def _centre_of_pressure(run: Run, feet: Array) -> Array:
    """Return Σ f p / Σ f over 50 ms, (nt, 2) [m]; NaN where feet hardly carry.

    Args:
        run: what happened.
        feet: points that touch, seen from above, (nt, nl, 2) [m].
    """
    force = np.maximum(run.foot_force[:, :, 2], 0.0)
    moment = np.einsum("tl,tli->ti", force, feet)
    step = float(run.time[1] - run.time[0]) if len(run.time) > 1 else SMOOTH
    half = round(0.5 * SMOOTH / step)
    total = centred_mean(force.sum(axis=1), half)
    usual = float(np.median(total))
    with np.errstate(invalid="ignore", divide="ignore"):
        place = np.stack(
            [centred_mean(moment[:, i], half) / total for i in (0, 1)], axis=1
        )
    place[~(total > CARRIED * usual)] = np.nan
    return np.ascontiguousarray(place)


def centred_mean(values: VecN, half: int) -> VecN:
    """Return the mean over some samples to each side, fewer at the ends.

    Args:
        values: (nt,).
        half: samples to each side.
    """
    sums = np.concatenate([[0.0], np.cumsum(values)])
    at = np.arange(len(values))
    low, high = np.maximum(at - half, 0), np.minimum(at + half + 1, len(values))
    return (sums[high] - sums[low]) / (high - low)


@compiled(allocates=False)
def _scheduled_margins(
    mask: Ints, counts: Flags, feet: Array, point: Array, room: Array, out: VecN
) -> None:
    """Write the margin of a point over the feet that shall stand, at each sample.

    Args:
        mask: who shall stand, the sum of 2^leg, (nt,); negative where not known.
        counts: which samples do, (nt,).
        feet: seen from above, (nt, nl, 2) [m].
        point: (nt, 2) [m].
        room: for the feet of one support, (nl, 2); overwritten.
        out: overwritten where it counts, (nt,).
    """
    for k in range(mask.shape[0]):
        if not counts[k] or mask[k] < 0:
            continue
        least = np.inf
        for side in range(2):
            before = k - side
            if side == 1 and (k == 0 or not counts[k - 1] or mask[k - 1] < 0):
                continue
            number = 0
            for leg in range(feet.shape[1]):
                if (mask[before] >> leg) & 1:
                    room[number, 0] = feet[k, leg, 0] - point[k, 0]
                    room[number, 1] = feet[k, leg, 1] - point[k, 1]
                    number += 1
            least = min(least, static_at(room, number))
        out[k] = least


def tilt_from(quat: Array, normal: VecN) -> Array:
    """Return roll and pitch from a plane, (nt, 2) [rad].

    Args:
        quat: of the trunk, w first, (nt, 4).
        normal: of the plane, (3,).
    """
    w, v = quat[:, :1], -quat[:, 1:]  # the inverse turns W's vectors into B's
    once = 2.0 * np.cross(v, normal)
    n = normal + w * once + np.cross(v, once)
    across = np.hypot(n[:, 1], n[:, 2])
    return np.stack(
        [np.arctan2(n[:, 1], n[:, 2]), np.arctan2(-n[:, 0], across)], axis=1
    )


def path_way(run: Run, forward: float, left: float) -> VecN:
    """Return the level way gone so far in the commanded direction, (nt,) [m].

    The direction turns with the trunk's heading, so that a circle has a length; of a
    machine that shall only turn it is the way from its start, as the crow flies.

    Args:
        run: what happened.
        forward: commanded [m/s].
        left: commanded [m/s].
    """
    place = run.p_WB[:, :2]
    if forward == 0.0 and left == 0.0:
        return np.hypot(*(place - place[0]).T)
    yaw = np.unwrap(run.attitude[:, 2])
    angle = 0.5 * (yaw[1:] + yaw[:-1]) + math.atan2(left, forward)
    way = np.diff(place, axis=0)
    along = way[:, 0] * np.cos(angle) + way[:, 1] * np.sin(angle)
    return np.concatenate([[0.0], np.cumsum(along)])


def walk_numbers(
    run: Run,
    margins: WalkMargins,
    normal: VecN,
    *,
    forward: float,
    left: float,
    mass: float,
    torque: VecN,
    walks_until: float,
    has_ramp: bool = False,
) -> dict[str, Any]:
    """Return the numbers of a walk by name; None where there is none.

    Args:
        run: what happened.
        margins: of it.
        normal: of the ground, (3,).
        forward: commanded [m/s].
        left: commanded [m/s].
        mass: of the machine [kg].
        torque: largest of each joint, (nu,) [N m].
        walks_until: when it was told to stop, or the end [s].
        has_ramp: whether speed counts from when nearly all of it is commanded, which
            takes long machines long; else after 2 s.
    """
    way, time = path_way(run, forward, left), run.time
    counts_from = _ramp_end(run) if has_ramp else FIRST
    weight = mass * GRAVITY * float(way[-1]) if way[-1] > SHORTEST else math.nan
    tilt = np.degrees(tilt_from(run.quat_WB, normal))
    begun = int(np.argmax(np.nan_to_num(run.said("walking")) > 0.0))
    tilts = np.abs(tilt[begun:])
    work, drawn = float(run.work_plus[-1]), float(run.drawn[-1])
    numbers = {
        "distance_m": float(way[-1]),
        **speeds(run, way, (time >= counts_from) & (time <= walks_until + 1e-9)),
        "static_margin_min_m": _least(margins.static),
        "zmp_margin_min_m": _least(margins.zmp),
        "slip_m": float(run.slip[-1].sum()),
        "energy_j": work,
        "cost_of_transport": work / weight,
        "electrical_energy_j": drawn,
        "electrical_cost_of_transport": drawn / weight,
        "torque_peak_share": float(np.max(np.abs(run.tau) / torque)),
        "roll_max_deg": float(tilts[:, 0].max()),
        "pitch_max_deg": float(tilts[:, 1].max()),
        "realtime_factor": run.realtime_factor,
    }
    return {
        key: value if value is not None and math.isfinite(value) else None
        for key, value in numbers.items()
    }


def _ramp_end(run: Run) -> float:
    """Return when the command first nearly reaches its largest, 2 s at least [s]."""
    told = np.stack([run.said(name) for name in ("forward", "left", "turn")], axis=1)
    size = np.hypot(*np.nan_to_num(told[:, :2]).T)
    size = size if size.max(initial=0.0) > 0.0 else np.abs(np.nan_to_num(told[:, 2]))
    reached = np.flatnonzero(size >= NEARLY * size.max(initial=0.0))
    return max(float(run.time[reached[0]]), FIRST) if len(reached) else FIRST


def _least(margin: VecN) -> float:
    """Return the least of the margins that there are; NaN if there is none."""
    known = margin[~np.isnan(margin)]
    return float(known.min()) if len(known) else math.nan


def speeds(run: Run, way: VecN, counts: Flags) -> dict[str, float | None]:
    """Return the mean speed, the commanded one over the same time, and turning.

    Args:
        run: what happened.
        way: gone so far, (nt,) [m].
        counts: which samples do, one stretch of them.
    """
    keys = ("mean_speed_mps", "commanded_mps", "speed_error", "turn_rate_radps")
    at = np.flatnonzero(counts)
    if len(at) < 2:
        return dict.fromkeys(keys)
    first, last = at[0], at[-1]
    lasted = float(run.time[last] - run.time[first])
    mean = float(way[last] - way[first]) / lasted
    asked = np.hypot(run.said("forward"), run.said("left"))[first:last]
    is_told = np.isfinite(asked)
    commanded = float(np.nanmean(asked)) if is_told.any() else math.nan
    yaw = np.unwrap(run.attitude[:, 2])
    error = mean / commanded - 1.0 if commanded > 1e-6 else None
    turned = float(yaw[last] - yaw[first]) / lasted
    return dict(zip(keys, (mean, commanded, error, turned), strict=True))
