"""How hard a walk was on its machine, and how well it knew where it was.

Extremes of a walk say little: one landing makes them. Here are percentiles and shares
over the time it walked.
"""

import math
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.runs.walk.judge import WalkMargins, path_way, tilt_from
from equipoise.sim.run import Run
from equipoise.sim.world import World

__all__ = [
    "effort",
    "odometry_error",
    "percentiles",
    "recorded_chatter_share",
    "torque_peak",
    "walking_from",
]

QUICK = 50.0  # frequency above which a torque chatters [Hz]
OVER = 1.005  # share of its limit from which on a torque is above it
FULL = 0.95
"""Share of its limit from which on a torque is held there: a voltage that is held for a
control period lets the torque of a joint that gains speed sag by some hundredths."""


def walking_from(run: Run) -> int:
    """Return the sample at which a run begins to walk."""
    return int(np.argmax(np.nan_to_num(run.said("walking")) > 0.0))


def percentiles(
    run: Run, margins: WalkMargins, normal: VecN, begun: int
) -> dict[str, Any]:
    """Return what margins, attitude and height were most of the time.

    Args:
        run: what happened.
        margins: at each sample.
        normal: of the ground, (3,).
        begun: first sample that counts.
    """
    tilt = np.degrees(tilt_from(run.quat_WB, normal))[begun:]
    height = run.p_WB[begun:] @ normal
    return {
        "static_margin_p5_m": low(margins.static),
        "zmp_margin_p5_m": low(margins.zmp),
        "roll_p95_deg": float(np.percentile(np.abs(tilt[:, 0]), 95.0)),
        "pitch_p95_deg": float(np.percentile(np.abs(tilt[:, 1]), 95.0)),
        "attitude_rms_deg": float(np.sqrt(np.mean(np.sum(tilt**2, axis=1)))),
        "height_rms_m": float(np.std(height)),
    }


def low(margin: VecN) -> float | None:
    """Return the fifth percentile of the margins that there are; None without any."""
    known = margin[np.isfinite(margin)]
    return float(np.percentile(known, 5.0)) if len(known) else None


def effort(run: Run, torque: VecN, speed: VecN, begun: int) -> dict[str, Any]:
    """Return shares of the joints' limits, chatter and power.

    Args:
        run: what happened.
        torque: largest of each joint, (nu,) [N m].
        speed: largest of each joint, (nu,) [rad/s].
        begun: first sample that counts.
    """
    share = np.abs(run.tau[begun:]) / torque
    lasted = float(run.time[-1] - run.time[begun])
    work = float(run.work_plus[-1] - run.work_plus[begun])
    return {
        "torque_p99_share": float(np.percentile(share, 99.0)),
        "speed_p99_share": float(np.percentile(np.abs(run.v[begun:]) / speed, 99.0)),
        "saturated_share": float((share > FULL).mean()),
        "chatter": recorded_chatter_share(run.time[begun:], run.tau[begun:]),
        "mechanical_power_w": work / lasted if lasted > 0.0 else None,
    }


def torque_peak(run: Run, world: World, begun: int) -> dict[str, Any] | None:
    """Return which joint was loaded most for its limit, when and for how long.

    A drive asks for no more than its limit; more comes from outside, as when a landing
    turns a joint faster than its motor turns without load.

    Args:
        run: what happened.
        world: in which it did.
        begun: first sample that counts.

    Returns:
        ``joint``, ``share`` of its ``limit`` [``unit``], ``at_s``, ``over_s`` (time for
        which that joint's torque was above its limit) and ``speed_share`` (of the
        drive's largest speed then); None where nothing is known.
    """
    drives, model = world.robot.drives, world.model
    torque = np.array([drive.torque for drive in drives])
    shares = np.abs(run.tau[begun:]) / torque
    if not shares.size or not np.isfinite(shares).all():
        return None
    at, joint = np.unravel_index(int(np.argmax(shares)), shares.shape)
    time = run.frame_time[begun:]
    step = float(time[1] - time[0]) if len(time) > 1 else 0.0
    speed = abs(float(run.v[begun + at, joint]))
    moved = int(model.actuator_trnid[joint, 0])
    is_slide = int(model.jnt_type[moved]) == int(mujoco.mjtJoint.mjJNT_SLIDE)
    return {
        "joint": model.joint(moved).name,
        "share": float(shares[at, joint]),
        "limit": float(torque[joint]),
        "unit": "N" if is_slide else "N m",
        "at_s": float(time[at]),
        "over_s": step * int((shares[:, joint] > OVER).sum()),
        "speed_share": speed / drives[joint].speed,
    }


def recorded_chatter_share(time: VecN, torque: Array) -> float | None:
    """Return the share of the torques' power above 50 Hz; None where samples are few.

    Args:
        time: evenly spaced, (nt,) [s].
        torque: of the joints, (nt, nu) [N m].
    """
    if len(time) < 8 or time[1] - time[0] > 0.25 / QUICK:
        return None
    power = np.abs(np.fft.rfft(torque - torque.mean(axis=0), axis=0)) ** 2
    quick = np.fft.rfftfreq(len(time), float(time[1] - time[0])) > QUICK
    total = float(power.sum())
    return float(power[quick].sum()) / total if total > 0.0 else 0.0


def odometry_error(run: Run, forward: float, left: float) -> float | None:
    """Return by how much the machine's own speed, added up, misses its way [m].

    Args:
        run: of a controller that says ``speed``.
        forward: commanded [m/s].
        left: commanded [m/s]; where it is not zero, nothing is told.
    """
    told = run.said("speed")
    known = np.isfinite(told)
    if left != 0.0 or known.sum() < 2:
        return None
    last = int(np.flatnonzero(known)[-1])
    steps = np.diff(run.time[: last + 1])
    gone = float(np.nansum(told[:last] * steps))
    error = gone - float(path_way(run, max(forward, 1e-9), 0.0)[last])
    return error if math.isfinite(error) else None
