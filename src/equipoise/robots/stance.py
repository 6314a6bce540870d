"""Where a robot touches the ground in a pose, from its shapes.

Feet are the shapes that a robot names; where it names none, every shape that can
collide may be one. The ground is the level plane that the model has, else level with
the robot's lowest point, foot or not. A shape touches when its lowest point is as low
as the ground within a tolerance; of a shape that touches only what is as low as that
point counts, or below the ground, so that a round or tilted foot is not taken for a
flat one.

Where a model has other ground, such as slopes or steps that do not move, its contacts
are those that MuJoCo's collisions find. A stance on level ground can also be tilted as
a whole, robot and ground, as on a slope.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints, Vec3, VecN, expect_array
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.robot import Robot
from equipoise.robots.stance_shapes import corners_of, outermost
from equipoise.robots.stance_terrain import (
    Touch,
    ground_height,
    has_terrain,
    touches,
)

__all__ = [
    "ROCKING",
    "TOUCH",
    "Stance",
    "is_free",
    "level_touches",
    "pose_of",
    "stance_of",
    "tilted",
]

TOUCH = 2e-3  # height at which a shape counts as touching [m]
ROCKING = 2e-3
"""Corners of a touching sole this high above the ground touch too, in simulations:
ground and soles give way there, and a sole rocks by parts of a millimetre [m]."""
FLAT = 2e-4  # corners of a shape this close to its lowest touch with it [m]
UP = (0.0, 0.0, 1.0)
ALIKE = 1e-6  # normals that differ by less are the same


@final
@dataclass(frozen=True)
class Stance:
    """A robot on the ground; n points touch."""

    points: Array
    """Corners of what touches, in the world, (n, 3) [m]."""
    geoms: tuple[str, ...]
    """The shape of each point; where shapes have no name, that of their body."""
    ground: float
    """Height of level ground [m]; NaN where it is not level."""
    lowest: float
    """Height of the robot's lowest known point [m]."""
    mass: float
    """Of the whole robot [kg]."""
    com: Vec3
    """Centre of mass of the whole robot, in the world, (3,) [m]."""
    normals: Array = field(repr=False)
    """Of the ground at each point, unit, towards the robot, (n, 3)."""
    bodies: Ints = field(repr=False)
    """The body of each point, (n,)."""
    sunk: float = 0.0
    """How deep the robot is in the ground at most [m]."""
    unknown: tuple[str, ...] = ()
    """Shapes that might touch but whose form is not known."""

    @property
    def feet(self) -> tuple[str, ...]:
        """The shapes that touch, each once."""
        return tuple(dict.fromkeys(self.geoms))

    @property
    def is_level(self) -> bool:
        """Whether the ground is one level plane."""
        return math.isfinite(self.ground)

    @property
    def is_planar(self) -> bool:
        """Whether all points are in one plane, level or not, and face its normal.

        As near to it as to touch it: level ground is not judged more closely.
        """
        if self.is_level or len(self.points) < 1:
            return self.is_level
        off = (self.points - self.points[0]) @ self.normals[0]
        turned = np.abs(self.normals - self.normals[0]).max()
        return bool(np.abs(off).max() <= TOUCH and turned <= ALIKE)


def pose_of(robot: Robot, keyframe: str | None = None) -> VecN:
    """Return the pose of a keyframe, else of ``start``, else the model's own, (nq,).

    Raises:
        UnknownNameError: no keyframe of that name.
    """
    model = robot.model
    names = [model.key(k).name for k in range(model.nkey)]
    if keyframe is not None and keyframe not in names:
        raise UnknownNameError("keyframe", keyframe, names, f"robot '{robot.name}'")
    chosen = keyframe or ("start" if "start" in names else None)
    return np.array(model.qpos0 if chosen is None else model.key(chosen).qpos)


def stance_of(
    robot: Robot,
    qpos: VecN | None = None,
    *,
    tolerance: float = TOUCH,
    rocking: float = 0.0,
) -> Stance:
    """Return where a robot touches the ground.

    Args:
        robot: any robot.
        qpos: its pose, (nq,); None for keyframe ``start``, else the model's own.
        tolerance: height at which a shape counts as touching, > 0 [m].
        rocking: height up to which more corners of a shape that touches level ground
            of the model touch too [m].

    Raises:
        ShapeError: a pose of another length, or that is not finite.
        ConfigError: a tolerance that is not above zero, a foot that does not exist, or
            a robot without a mass.
    """
    where = f"robot '{robot.name}'"
    if not 0.0 < tolerance < np.inf:
        raise ConfigError(where, [f"tolerance must be > 0 m, got {tolerance!r}"])
    model = robot.model
    pose = pose_of(robot) if qpos is None else expect_array("qpos", qpos, (model.nq,))
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mass = float(model.body_subtreemass[0])
    if not mass > 0.0:
        raise ConfigError(where, [f"its mass must be > 0 kg, got {mass!r}"])
    feet, solid = candidates(robot, where), colliders(model)
    corners = {g: corners_of(model, data, g) for g in {*feet, *solid}}
    lows = {g: float(c[:, 2].min()) for g, c in corners.items() if c is not None}
    lowest = min(lows.values(), default=np.inf)
    if is_free(robot) and has_terrain(model, data):
        everything = touches(model, data, [*corners], tolerance)
        found = [touch for touch in everything if touch.geom in feet]
        ground, unknown = math.nan, ()
        sunk = max((-touch.distance for touch in everything), default=0.0)
    else:
        level = ground_height(model, data)
        ground = lowest if level is None else level
        shapes = {g: c for g in feet if (c := corners[g]) is not None}
        found = level_touches(shapes, ground, tolerance, rocking)
        unknown = tuple(name_of(model, g) for g in feet if corners[g] is None)
        sunk = max(0.0, ground - lowest)
    return Stance(
        points=np.array([t.point for t in found]).reshape(-1, 3),
        geoms=tuple(name_of(model, t.geom) for t in found),
        ground=float(ground),
        lowest=lowest,
        mass=mass,
        com=np.array(data.subtree_com[0]),
        normals=np.array([t.normal for t in found]).reshape(-1, 3),
        bodies=model.geom_bodyid[[t.geom for t in found]].astype(np.int64),
        sunk=float(sunk),
        unknown=unknown,
    )


def level_touches(
    shapes: dict[int, Array], ground: float, tolerance: float, rocking: float
) -> list[Touch]:
    """Return where shapes, given by their corners, touch level ground."""
    found: list[Touch] = []
    for geom, corners in shapes.items():
        low = float(corners[:, 2].min())
        if low <= ground + tolerance:
            touching = corners[corners[:, 2] <= max(low + FLAT, ground + rocking)]
            found += [
                Touch(geom, corner, np.array(UP), float(corner[2]) - ground)
                for corner in outermost(touching)
            ]
    return found


def tilted(
    robot: Robot, pose: VecN, stance: Stance, slope_deg: float, heading_deg: float = 0.0
) -> tuple[VecN, Stance]:
    """Return a pose and its stance turned as a whole, robot and level ground.

    Args:
        robot: with a free base.
        pose: in which it is, (nq,).
        stance: its stance in that pose, on level ground.
        slope_deg: by how much the ground falls, 0 to below 90.
        heading_deg: where it falls to, from x towards y.

    Raises:
        ConfigError: a slope out of range, ground of its own that is not level, or a
            base that is not free.
    """
    problems = []
    if not (is_number(slope_deg) and 0.0 <= slope_deg < 90.0):
        problems.append(f"slope must be 0 to below 90 degrees, got {slope_deg!r}")
    if not (is_number(heading_deg) and math.isfinite(heading_deg)):
        problems.append(f"heading must be a finite angle, got {heading_deg!r}")
    if not stance.is_level:
        problems.append("slope is for robots without ground of their own")
    if not is_free(robot):
        problems.append("slope is for robots with a free base")
    if problems:
        raise ConfigError(f"the slope under '{robot.name}'", problems)
    turn = math.radians(heading_deg)
    axis = np.array([-math.sin(turn), math.cos(turn), 0.0])
    quat, R = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, axis, math.radians(slope_deg))
    mujoco.mju_quat2Mat(R, quat)
    R_WS, at = R.reshape(3, 3), np.array([0.0, 0.0, stance.ground])
    model, turned = robot.model, np.array(pose, np.float64)
    root = int(model.body_rootid[model.body(robot.base).id])
    first = int(model.jnt_qposadr[int(model.body_jntadr[root])])
    turned[first : first + 3] = at + R_WS @ (turned[first : first + 3] - at)
    mujoco.mju_mulQuat(turned[first + 3 : first + 7], quat, pose[first + 3 : first + 7])
    points = at + (stance.points - at) @ R_WS.T
    return turned, replace(
        stance,
        points=points,
        com=at + R_WS @ (stance.com - at),
        normals=stance.normals @ R_WS.T,
        ground=math.nan,
        lowest=float(points[:, 2].min()) if len(points) else stance.lowest,
    )


def is_free(robot: Robot) -> bool:
    """Say whether the robot's base can move freely."""
    model = robot.model
    root = int(model.body_rootid[model.body(robot.base).id])
    joint = int(model.body_jntadr[root])
    return joint >= 0 and int(model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_FREE)


def name_of(model: Any, geom: int) -> str:
    """Return the name of a shape, else of the body that carries it."""
    body = int(model.geom_bodyid[geom])
    return str(model.geom(geom).name or model.body(body).name)


def candidates(robot: Robot, where: str) -> list[int]:
    """Return the geoms that may be feet: those named, else all that can collide."""
    model = robot.model
    names = {model.geom(g).name: g for g in range(model.ngeom)}
    for name in robot.feet:
        if name not in names:
            raise ConfigError(where, [f"foot '{name}' is not one of its geoms"])
    if robot.feet:
        return [names[name] for name in robot.feet]
    return colliders(model)


def colliders(model: Any) -> list[int]:
    """Return the geoms that move and can collide."""
    moves = model.body_weldid[model.geom_bodyid] != 0
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    return [int(g) for g in np.flatnonzero(moves & solid)]
