"""What is read off the throw of section 4: times, errors, jumps, drift."""

from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from equipoise.core.arrays import Array
from equipoise.robots.biped.biped import BipedSize, biped, set_point
from equipoise.runs.stand.stand import StandConfig, StandResult, stand

__all__ = [
    "ThrowNumbers",
    "damping_ratio",
    "foot_drift",
    "heel_times",
    "measure",
    "settled_after",
]

FEET = (7, 13)  # bodies by number
HIT_SPEED = 0.05  # change of the block's speed from which it has hit [m/s]
RISEN_MM = (0.5, 1.0, 2.0, 5.0)
SETTLED = 0.05  # of its own peak
LAST_SECOND = 2.0  # when it begins [s]
EFFECT = 0.15  # when the collision's effect is read [s]
NEAR = 0.012  # of an event, within which a jump belongs to it [s]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ThrowNumbers:
    """Of the nominal throw; pairs are the foot at y < 0 and the one at y > 0."""

    survived: bool
    hit_s: float
    rise_s: tuple[float, ...]
    """When a heel has risen by 0.5, 1, 2 and 5 mm, the first of both."""
    contact_s: tuple[float, float]
    heel_mm: tuple[float, float]
    toe_mm: float
    """Highest toe after the first contact."""
    final_m: float
    final_deg: float
    settled_s: tuple[float, float, float]
    """When x, y, z stay within 5 % of their largest error."""
    push_mm: tuple[float, float, float]
    """What the block does to the body's place, 0.15 s after the start."""
    turn_deg: tuple[float, float, float]
    """And to its orientation, about x, y, z."""
    damping_ratios: tuple[float, float, float]
    """Of x, z and the turn about y, by their overshoot without a block."""
    drift_mm_s: float
    """Of the feet in the last second."""
    y_drift_mm: float
    """Of the body in the last second."""
    angle_jump: float
    """Change of joint rates in the tick of the hit, over the median change."""
    torque_jumps: tuple[float, float]
    """Change of torques at the hit and at re-contact, over the median change."""
    peak_nm: float
    slip_mm: float


def measure() -> ThrowNumbers:
    """Throw the block, and none, and read the numbers off."""
    hit = stand(StandConfig(controller="workspace"))
    calm = stand(StandConfig(controller="workspace", block_mass=0.0))
    return _numbers_of(hit, calm.dataset)


def _numbers_of(result: StandResult, calm: xr.Dataset) -> ThrowNumbers:
    """Return the numbers of a throw beside a run without one."""
    run, told = result.dataset, result.summary
    time, q = run["time"].values, run["qpos"].values
    heel, toe = 1e3 * run["heel_height"].values, 1e3 * run["toe_height"].values
    at = _hit_time(time, q)
    up = np.where(time[:, None] > at, heel, -np.inf).max(axis=1)
    error = q[:, :3] - set_point(BipedSize())[0]
    k = int(np.searchsorted(time, EFFECT))
    landed = time > _first_touch(time, heel)
    contacts = _contact_times(told)
    tau, rates = run["tau"].values[:-1], np.diff(q[:, 7:19], axis=0)
    return ThrowNumbers(
        survived=result.verdict == "yes",
        hit_s=at,
        rise_s=tuple(_first_time(time, up > mm) for mm in RISEN_MM),
        contact_s=contacts,
        heel_mm=(float(np.nanmax(heel[:, 0])), float(np.nanmax(heel[:, 1]))),
        toe_mm=float(np.nanmax(toe[landed])),
        final_m=float(told["position_error_m"]),
        final_deg=float(told["orientation_error_deg"]),
        settled_s=_triple([settled_after(time, e) for e in error.T]),
        push_mm=_triple(1e3 * (q[k, :3] - calm["qpos"].values[k, :3])),
        turn_deg=_turn_between(calm["qpos"].values[k, 3:7], q[k, 3:7]),
        damping_ratios=_damping_ratios(calm["qpos"].values),
        drift_mm_s=foot_drift(time, q),
        y_drift_mm=1e3 * float(np.ptp(error[time >= LAST_SECOND, 1])),
        angle_jump=_jump(time[1:-1], np.diff(rates, axis=0), at),
        torque_jumps=(
            _jump(time[1:-1], np.diff(tau, axis=0), at),
            _jump(time[1:-1], np.diff(tau, axis=0), max(contacts)),
        ),
        peak_nm=float(told["peak_torque_nm"]),
        slip_mm=float(told["slip_mm"]),
    )


def heel_times(result: StandResult) -> tuple[float, float, float]:
    """Return when a heel is 1 mm up after the hit, and when both are back [s]."""
    run = result.dataset
    time, heel = run["time"].values, 1e3 * run["heel_height"].values
    up = np.where(time > _hit_time(time, run["qpos"].values), heel.max(axis=1), -np.inf)
    return _first_time(time, up > 1.0), *_contact_times(result.summary)


def _hit_time(time: Array, q: Array) -> float:
    """Return when the block's speed first changes [s]; it comes after the robot."""
    speed = np.diff(q[:, 19]) / np.diff(time)
    return float(time[np.flatnonzero(np.abs(speed - speed[0]) > HIT_SPEED)[0]])


def _first_time(time: Array, is_so: NDArray[np.bool_]) -> float:
    """Return the first time that something is so [s]; infinite if never."""
    found = np.flatnonzero(is_so)
    return float(time[found[0]]) if found.size else float("inf")


def _first_touch(time: Array, heel: Array) -> float:
    """Return when both heels have touched the ground for the first time [s]."""
    return max(_first_time(time, heel[:, k] <= 0.0) for k in range(heel.shape[1]))


def _contact_times(summary: dict[str, Any]) -> tuple[float, float]:
    """Return when the heels come back, y < 0 first [s]; NaN for one that stayed."""
    found = [np.nan if t is None else t for t in summary["recontact_by_foot_s"]]
    return float(found[0]), float(found[1])


def settled_after(time: Array, error: Array) -> float:
    """Return after when an error stays within 5 % of its peak [s]."""
    late = np.flatnonzero(np.abs(error) > SETTLED * np.abs(error).max())
    return float(time[late[-1]])


def _turn_between(before: Array, after: Array) -> tuple[float, float, float]:
    """Return the turn from one quaternion to another about x, y, z [degrees]."""
    out = np.zeros(3)
    mujoco.mju_subQuat(out, after, before)
    return _triple(np.degrees(out))


def _damping_ratios(q: Array) -> tuple[float, float, float]:
    """Return the damping ratios of x, z and the turn about y of a run without a block.

    Args:
        q: poses, (n, 19) or more.
    """
    place, quat = set_point(BipedSize())
    turns = np.array([_turn_between(quat, row[3:7])[1] for row in q])
    errors = (q[:, 0] - place[0], q[:, 2] - place[2], turns)
    return _triple([damping_ratio(error / error[0]) for error in errors])


def damping_ratio(share: Array) -> float:
    """Return the damping ratio of a second order that starts at 1 and goes to 0.

    Args:
        share: of the error that is left, over time; it goes below zero by exp(-π z /
            √(1 - z²)).
    """
    log = float(np.log(max(-share.min(), np.finfo(float).tiny)))
    return -log / float(np.hypot(np.pi, log))


def _triple(values: ArrayLike) -> tuple[float, float, float]:
    """Return three plain numbers."""
    x, y, z = np.asarray(values, np.float64).tolist()
    return x, y, z


def foot_drift(time: Array, q: Array) -> float:
    """Return how fast the feet creep over the ground in the last second [mm/s]."""
    model = biped().model
    data, places = mujoco.MjData(model), []
    for k in (int(np.searchsorted(time, LAST_SECOND)), len(time) - 1):
        data.qpos[:] = q[k, : model.nq]
        mujoco.mj_kinematics(model, data)
        places.append(data.xpos[list(FEET), :2].copy())
    span = float(time[-1]) - LAST_SECOND
    return 1e3 * float(np.linalg.norm(places[1] - places[0], axis=1).max()) / span


def _jump(time: Array, change: Array, event: float) -> float:
    """Return the largest change near an event over the median in the first second."""
    size = np.abs(change).max(axis=1)
    usual = float(np.median(size[time < 1.0]))
    return float(size[np.abs(time - event) <= NEAR].max()) / usual
