"""How a standing run ended, and its signals by name."""

from dataclasses import dataclass
from math import radians
from typing import TYPE_CHECKING, Any, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.robot import Robot
from equipoise.runs.stand.judge import (
    base_errors,
    base_place,
    end_heights,
    heel_events,
    largest_slip,
    rotated_vectors,
    soles_of,
    trunk_centre,
)
from equipoise.runs.torque_numbers import torque_chatter_share, torque_p99_share
from equipoise.sim.ideal import command_limits
from equipoise.sim.run import Outcome, Run
from equipoise.sim.soles import SoleLog

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = [
    "SIGNALS",
    "BaseAtEnd",
    "add_signals",
    "ending",
    "loop_numbers",
    "peak_torque",
]

AIMS = ("aim_x", "aim_y", "aim_z", "aim_qw", "aim_qx", "aim_qy", "aim_qz")
SIGNALS = (*AIMS, "steps", "gave_up")
"""What a balance controller says about itself at every tick."""
NEAR_M, NEAR_RAD = 0.05, radians(5.0)
"""How near to its aim a robot must end to have survived."""
RESTING_M_S, RESTING_RAD_S = 0.05, 0.1
"""Speeds of the base below which a robot is at rest."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class BaseAtEnd:
    """The state of the robot's base when the run ended."""

    fell: bool
    distance: float
    """To the aim of that time [m]."""
    angle: float
    """[rad]."""
    speed: float
    """[m/s]."""
    spin: float
    """[rad/s]."""
    steps: int
    """How many steps the robot took."""

    @property
    def survived(self) -> bool:
        """Whether it did not fall and is at rest near its aim."""
        is_near = self.distance <= NEAR_M and self.angle <= NEAR_RAD
        is_resting = self.speed <= RESTING_M_S and self.spin <= RESTING_RAD_S
        return not self.fell and is_near and is_resting


def ending(robot: Robot, run: Run) -> BaseAtEnd:
    """Return how a run ended.

    Args:
        robot: the robot that ran.
        run: with ``SIGNALS`` as telemetry, stopped only when it had fallen.
    """
    said = _last_said(run.telemetry)
    distance, angle = base_errors(*base_place(robot, run.qpos[-1:]), said[None, :7])
    model = robot.model
    body = model.body(robot.base).id
    rate = int(model.jnt_dofadr[model.body_jntadr[body]])
    qvel = run.last[-1].qvel
    v, w_B = qvel[rate : rate + 3], qvel[rate + 3 : rate + 6]
    # in the base's axes, as the spin is
    lever = np.cross(w_B, trunk_centre(robot))
    v_WO = v + rotated_vectors(base_place(robot, run.qpos[-1:])[1], lever)[0]
    return BaseAtEnd(
        fell=run.outcome is not Outcome.FINISHED,
        distance=float(distance[0]),
        angle=float(angle[0]),
        speed=float(np.linalg.norm(v_WO)),
        spin=float(np.linalg.norm(w_B)),
        steps=int(said[7]),
    )


def _last_said(telemetry: Array) -> Array:
    """Return the last row of telemetry that a tick filled."""
    rows = np.flatnonzero(np.isfinite(telemetry[:, 0]))
    return telemetry[rows[-1]] if rows.size else np.full(telemetry.shape[1], np.nan)


def add_signals(
    dataset: "xr.Dataset", robot: Robot, run: Run, log: SoleLog
) -> dict[str, Any]:
    """Add what feet and trunk did to a recorded run, and return its numbers.

    Args:
        dataset: from ``sim.recording.recorded``; changed.
        robot: the robot that ran.
        run: what happened.
        log: what the feet felt.
    """
    nt = len(run.time)
    log, soles = SoleLog(log.rows[:nt]), soles_of(robot)
    aim = run.telemetry[:, : len(AIMS)].copy()
    aim[~np.isfinite(aim[:, 0])] = _last_said(aim)
    distance, angle = base_errors(*base_place(robot, run.qpos), aim)
    heel, toe = end_heights(log, soles.heel), end_heights(log, soles.toe)
    events = heel_events(run.time, heel)
    dataset.coords["foot"] = ("foot", list(soles.names))
    along, feet = ("time", "foot"), ("time", "foot", "axis")
    dataset["position_error"] = ("time", distance, {"units": "m"})
    dataset["orientation_error"] = ("time", np.degrees(angle), {"units": "degree"})
    dataset["aim"] = (("time", "aim_part"), aim, {"units": "m, then quaternion"})
    dataset["steps"] = ("time", run.telemetry[:, len(AIMS)], {"units": "1"})
    dataset["contact_force"] = (feet, log.force, {"units": "N"})
    dataset["centre_of_pressure"] = (feet, log.cop, {"units": "m, in the foot's frame"})
    dataset["heel_height"] = (along, heel, {"units": "m"})
    dataset["toe_height"] = (along, toe, {"units": "m"})
    dataset["sole"] = (
        ("foot", "corner", "axis"),
        _padded([np.vstack(ends) for ends in zip(soles.heel, soles.toe, strict=True)]),
        {"units": "m, in the foot's frame"},
    )
    end = ending(robot, run)
    return {
        "fell": end.fell,
        "survived": end.survived,
        "position_error_m": _number(end.distance),
        "orientation_error_deg": _number(np.degrees(end.angle)),
        "heel_lift_mm": 1e3 * events.lift,
        "recontact_s": events.recontact,
        "recontact_by_foot_s": list(events.by_foot),
        "peak_torque_nm": peak_torque(robot, run.tau),
        "slip_mm": 1e3 * largest_slip(log),
        "steps": end.steps,
        "simulated_s": float(run.time[-1]),
        "realtime_factor": run.realtime_factor,
    }


def _padded(corners: list[Array]) -> Array:
    """Return corners of several soles in one array; NaN where a sole has fewer."""
    most = max(len(own) for own in corners)
    out = np.full((len(corners), most, 3), np.nan)
    for k, own in enumerate(corners):
        out[k, : len(own)] = own
    return out


def _number(value: float) -> float | None:
    """Return a finite number, or None."""
    return float(value) if np.isfinite(value) else None


def loop_numbers(robot: Robot, run: Run) -> dict[str, float | None]:
    """Return how near its motors came to their limits, and whether they rattled.

    Args:
        robot: the robot that ran.
        run: what happened, a frame a tick.
    """
    return {
        "torque_p99_share": torque_p99_share(run.tau, _motor_limits(robot)),
        "chatter": torque_chatter_share(run.tau, run.period),
    }


def _motor_limits(robot: Robot) -> Array:
    """Return the largest command of each motor, infinite where it has none, (nu,)."""
    return command_limits(robot.model)


def peak_torque(robot: Robot, tau: Array) -> float:
    """Return the largest torque that a motor gave, within its limit [N m].

    Args:
        robot: the robot that ran.
        tau: commands, (ticks, nu).
    """
    limit, model = _motor_limits(robot), robot.model
    given = np.minimum(np.abs(tau[np.isfinite(tau).all(axis=1)]), limit)
    given = given * np.abs(model.actuator_gainprm[:, 0] * model.actuator_gear[:, 0])
    return float(given.max(initial=0.0))
