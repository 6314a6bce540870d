"""Will it stand? One call on a robot in a pose, on level ground, rigid or soft.

The joints are taken as held. The answer is "yes", "no" or "unknown", never a guess: a
robot whose feet have lost their shape, whose base is fixed, or which balances on the
very edge gets "unknown" with the reason.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.robots.stance import Stance, pose_of, stance_of
from equipoise.runs.check_soft import SoftAnswer, soft_answer
from equipoise.stability.energy import energy_margin
from equipoise.stability.hull import support_polygon
from equipoise.stability.region import RegionKind, equilibrium_region
from equipoise.stability.support import static_margin, weakest_direction

__all__ = ["Answer", "CheckResult", "check"]

Answer = Literal["yes", "no", "unknown"]
EDGE = 1e-6  # margin within which nobody can say [m]
UP = (0.0, 0.0, 1.0)


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

    Raises:
        ConfigError: friction or a stiffness that is not above zero, or both poses
            given.
        UnknownNameError: no such keyframe.
        ShapeError: a pose of another length, or that is not finite.
    """
    where = f"the check of '{robot.name}'"
    given = {
        "friction": friction,
        "ground-stiffness": ground_stiffness,
        "leg-stiffness": leg_stiffness,
    }
    problems = [
        f"{name} must be > 0, got {value!r}"
        for name, value in given.items()
        if value is not None and not (is_number(value) and 0.0 < value < np.inf)
    ]
    if problems:
        raise ConfigError(where, problems)
    if keyframe is not None and qpos is not None:
        raise ConfigError(where, ["give a keyframe or qpos, not both"])
    pose = pose_of(robot, keyframe) if qpos is None else qpos
    stance = stance_of(robot, pose)
    margins = margins_of(stance, friction)
    stands, reasons = verdict(robot, stance, margins)
    compliance = None
    if len(stance.points) and (ground_stiffness or leg_stiffness):
        soft = soft_answer(stance, ground_stiffness, leg_stiffness)
        compliance = soft.summary
        stands, reasons = softened(stands, reasons, soft)
    summary = {
        "robot": robot.name,
        "stands": stands,
        "reasons": reasons,
        "mass": stance.mass,
        "com": stance.com.tolist(),
        "contacts": [
            {"geom": geom, "position": point.tolist()}
            for geom, point in zip(stance.geoms, stance.points, strict=True)
        ],
        "friction": friction,
        "static_margin_m": margins["static"],
        "energy_margin_j": margins["energy"],
        "region_area_m2": margins["area"],
        "region_margin_m": margins["region"],
        "compliance": compliance,
    }
    return CheckResult(
        stands,
        summary,
        stance,
        polygon=support_polygon(stance.points),
        region=margins["corners"],
        weakest=margins["weakest"],
    )


def margins_of(stance: Stance, friction: float) -> dict[str, Any]:
    """Return every margin, None where there is none to tell."""
    n = len(stance.points)
    found: dict[str, Any] = dict.fromkeys(("static", "energy", "area", "region"))
    found |= {"corners": np.zeros((0, 2)), "weakest": None, "kind": RegionKind.EMPTY}
    if not n:
        return found
    pxy = stance.com[:2]
    found["static"] = float(static_margin(pxy, stance.points))
    direction = weakest_direction(pxy, stance.points)
    found["weakest"] = direction if direction.any() else None
    region = equilibrium_region(
        stance.points, np.tile(UP, (n, 1)), np.full(n, friction)
    )
    found["kind"] = region.kind
    if region.kind in (RegionKind.AREA, RegionKind.SEGMENT, RegionKind.POINT):
        found["area"], found["corners"] = float(region.area), region.inner
        found["region"] = float(region.margin(pxy))
    found["energy"] = float(
        energy_margin(stance.com, stance.points, stance.mass).energy
    )
    return found


def verdict(
    robot: Robot, stance: Stance, margins: dict[str, Any]
) -> tuple[Answer, list[str]]:
    """Return the answer and its reasons, the weightiest first."""
    if not is_free(robot):
        return "unknown", ["its base is fixed to the world, so it cannot fall over"]
    if robot.lost_shapes and not robot.feet:
        lost = ", ".join(robot.lost_shapes[:4])
        return "unknown", [f"shapes of {lost} are lost, which might be feet"]
    if stance.unknown:
        return "unknown", [f"the form of '{stance.unknown[0]}' is not known"]
    if not len(stance.points):
        if not np.isfinite(stance.lowest):
            return "unknown", ["it has no shape that could touch the ground"]
        height = stance.lowest - stance.ground
        return "no", [f"it is in the air, its lowest point {height:.3g} m too high"]
    margin = margins["static"]
    feet = ", ".join(stance.feet[:6])
    if margin > EDGE and margins["kind"] is RegionKind.AREA:
        return "yes", [f"its centre of mass is {margin:.4f} m inside {feet}"]
    if margin < -EDGE:
        return "no", [f"its centre of mass is {-margin:.4f} m outside {feet}"]
    return "unknown", [f"its centre of mass is on the very edge of {feet}"]


def softened(
    stands: Answer, reasons: list[str], soft: SoftAnswer
) -> tuple[Answer, list[str]]:
    """Return the answer after springs were asked: they can only take a yes away."""
    if stands != "yes":
        return stands, reasons
    if soft.stance.stable:
        return "yes", [*reasons, soft.stance.reason]
    return ("no" if soft.is_known else "unknown"), [soft.stance.reason, *reasons]


def is_free(robot: Robot) -> bool:
    """Say whether the robot's base can move freely."""
    model = robot.model
    root = int(model.body_rootid[model.body(robot.base).id])
    joint = int(model.body_jntadr[root])
    return joint >= 0 and int(model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_FREE)
