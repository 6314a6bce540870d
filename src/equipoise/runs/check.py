"""Will it stand? One call on a robot in a pose, on rigid or soft ground.

The joints are taken as held. The answer is "yes", "no" or "unknown", never a guess: a
robot whose feet have lost their shape, whose base is fixed, or which balances on the
very edge gets "unknown" with the reason.
"""

from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.robots.stance import Stance, pose_of, stance_of, tilted
from equipoise.runs.check_soft import SoftAnswer, soft_answer, soft_feet
from equipoise.runs.check_uncertain import EXACT, Tolerances, loosened, within
from equipoise.runs.check_verdict import Answer, Margins, margins_of, verdict
from equipoise.stability.hull import support_polygon
from equipoise.stability.region_torques import joint_torque_ranges
from equipoise.stability.region_torques import torque_limits as torque_limits_of

__all__ = ["Answer", "CheckResult", "check", "judged_stance"]

GRAVITY = 9.81  # [m/s²]
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))


@dataclass(frozen=True)
class CheckResult:
    """What a check says."""

    stands: Answer
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    stance: Stance = field(repr=False)
    polygon: Array = field(repr=False)
    """Corners of the support seen from above, (n, 2) [m]."""
    region: Array = field(repr=False)
    """Corners of where the centre of mass may be, (m, 2) [m]."""
    weakest: Array | None = field(repr=False)
    """Direction seen from above in which it falls first, (2,)."""


def check(
    robot: Robot,
    *,
    keyframe: str | None = None,
    qpos: VecN | None = None,
    friction: float = 0.6,
    ground_stiffness: float | None = None,
    leg_stiffness: float | None = None,
    slope_deg: float = 0.0,
    heading_deg: float = 0.0,
    torque_limits: bool | float = False,
    tolerances: Tolerances = EXACT,
) -> CheckResult:
    """Say whether a robot stands in a pose, by how much, and which way it fails first.

    Args:
        robot: any robot; its feet are found from its shapes where it names none.
        keyframe: the pose by name; None for ``start``, else the model's own.
        qpos: the pose itself, (nq,), instead of a keyframe.
        friction: Coulomb friction of the feet, > 0.
        ground_stiffness: of the ground under each foot, along the normal, > 0; None
            for rigid ground [N/m].
        leg_stiffness: of each leg, along the normal, > 0; None for rigid legs [N/m].
        slope_deg: by how much level ground is tilted, the robot with it.
        heading_deg: where it falls to then, from x towards y.
        torque_limits: whether joint torques limit the contact forces: True for those
            of the model, a number for that of every joint [N m] or [N].
        tolerances: how well mass, centre of mass and stiffness are known; the answer
            is then "yes" only if every robot within them stands.

    Raises:
        ConfigError: friction, a stiffness or a torque that is not above zero, a slope
            out of range, no torque limits to take, or both poses given.
        UnknownNameError: no such keyframe.
        ShapeError: a pose of another length, or that is not finite.
    """
    if keyframe is not None and qpos is not None:
        problem = "give a keyframe or qpos, not both"
        raise ConfigError(f"the check of '{robot.name}'", [problem])
    pose = pose_of(robot, keyframe) if qpos is None else qpos
    return judged_stance(
        robot,
        pose,
        stance_of(robot, pose),
        friction=friction,
        ground_stiffness=ground_stiffness,
        leg_stiffness=leg_stiffness,
        slope_deg=slope_deg,
        heading_deg=heading_deg,
        torque_limits=torque_limits,
        tolerances=tolerances,
    )


def judged_stance(
    robot: Robot,
    pose: VecN,
    stance: Stance,
    *,
    friction: float = 0.6,
    ground_stiffness: float | None = None,
    leg_stiffness: float | None = None,
    slope_deg: float = 0.0,
    heading_deg: float = 0.0,
    torque_limits: bool | float = False,
    tolerances: Tolerances = EXACT,
) -> CheckResult:
    """Return the check of a stance that is known; the settings are ``check``'s."""
    where = f"the check of '{robot.name}'"
    expect_above_zero(
        where,
        {
            "friction": friction,
            "ground-stiffness": ground_stiffness,
            "leg-stiffness": leg_stiffness,
            "torque-limits": None if torque_limits in (True, False) else torque_limits,
        },
    )
    if slope_deg or heading_deg:
        pose, stance = tilted(robot, pose, stance, slope_deg, heading_deg)
    limits = torque_rows(robot, pose, stance, torque_limits, where)
    margins = margins_of(stance, friction, limits)
    stands, reasons = verdict(robot, stance, margins, limited=limits is not None)
    compliance = None
    if len(stance.points) and (ground_stiffness or leg_stiffness):
        if stance.is_level:
            soft = soft_answer(stance, ground_stiffness, leg_stiffness)
            compliance = soft.summary
            stands, reasons = softened(stands, reasons, soft)
        else:
            stands = "unknown" if stands == "yes" else stands
            reasons = [*reasons, "springs are judged on level ground only"]
    intervals = None
    if tolerances != EXACT:
        feet = None
        if compliance is not None:
            feet = soft_feet(stance, ground_stiffness, leg_stiffness)
        told = within(stance, friction, feet, tolerances)
        intervals = told.summary
        is_limited = limits is not None
        stands, reasons = loosened(stands, reasons, told, is_limited=is_limited)
    found = result_of(robot, stance, margins, stands, reasons, friction, compliance)
    found.summary["intervals"] = intervals
    return found


def expect_above_zero(where: str, given: dict[str, float | None]) -> None:
    """Refuse numbers that are not finite and above zero, all problems at once."""
    problems = [
        f"{name} must be > 0, got {value!r}"
        for name, value in given.items()
        if value is not None and not (is_number(value) and 0.0 < value < np.inf)
    ]
    if problems:
        raise ConfigError(where, problems)


def result_of(
    robot: Robot,
    stance: Stance,
    margins: Margins,
    stands: Answer,
    reasons: list[str],
    friction: float,
    compliance: dict[str, Any] | None,
) -> CheckResult:
    """Return everything that a check says."""
    summary = {
        "robot": robot.name,
        "stands": stands,
        "reasons": reasons,
        "mass": stance.mass,
        "com": stance.com.tolist(),
        "contacts": [
            {"geom": geom, "position": point.tolist(), "normal": normal.tolist()}
            for geom, point, normal in zip(
                stance.geoms, stance.points, stance.normals, strict=True
            )
        ],
        "friction": friction,
        "static_margin_m": margins.static,
        "energy_margin_j": margins.energy,
        "region_area_m2": margins.area,
        "region_margin_m": margins.region,
        "compliance": compliance,
    }
    return CheckResult(
        stands,
        summary,
        stance,
        polygon=support_polygon(stance.points),
        region=margins.corners,
        weakest=margins.weakest,
    )


def torque_rows(
    robot: Robot, pose: VecN, stance: Stance, limit: bool | float, where: str
) -> dict[str, Any] | None:
    """Return what joint torques mean for the contact forces; None for no limit."""
    if limit is False or not len(stance.points):
        return None
    model = robot.model
    ranges = joint_torque_ranges(model)
    if limit is not True:
        single = np.isin(model.jnt_type, SINGLE)
        ranges[model.jnt_dofadr[single]] = -limit, limit
    if not np.isfinite(ranges).any():
        problem = "it has no torque limits of its own; give one in N m for all joints"
        raise ConfigError(where, [problem])
    rows, bounds = torque_limits_of(
        model, pose, stance.points, stance.bodies, ranges, GRAVITY
    )
    weight = stance.mass * GRAVITY
    return {"weight": weight, "force_rows": rows, "force_bounds": bounds}


def softened(
    stands: Answer, reasons: list[str], soft: SoftAnswer
) -> tuple[Answer, list[str]]:
    """Return the answer after springs were asked: they can only take a yes away."""
    if stands != "yes":
        return stands, reasons
    if soft.stance.stable:
        return "yes", [*reasons, soft.stance.reason]
    return ("no" if soft.is_known else "unknown"), [soft.stance.reason, *reasons]
