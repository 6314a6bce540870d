"""Where a robot touches the ground in a pose, from its shapes.

Feet are the shapes that a robot names; where it names none, every shape that can touch
the ground may be one. The ground is the plane that the model has, else level below the
robot's lowest point, foot or not. A shape touches when its lowest point is as low
as the ground within a tolerance; of a shape that touches only what is as low as that
point counts, or below the ground, so that a round or tilted foot is not taken for a
flat one. Tolerances shrink with the robot.

Where a model has other ground, such as steps or tables that do not move, its contacts
are those that MuJoCo's collisions find.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints, Vec3, VecN, expect_array
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.scene.scene import Scene, robot_bodies, robot_scene
from equipoise.robots.stance.shapes import corners_of, curvature_radius, outermost
from equipoise.robots.stance.terrain import Touch, touches

__all__ = [
    "NAMELESS",
    "ROCKING",
    "TOUCH",
    "Plane",
    "Stance",
    "floor_of",
    "is_free",
    "label_of",
    "level_touches",
    "plane_touches",
    "pose_of",
    "scaled_tolerance",
    "shape_corners",
    "shapes_extent",
    "stance_of",
    "stance_with",
]

TOUCH = 2e-3  # height at which a shape counts as touching [m]
ROCKING = 2e-3
"""Corners of a touching sole this high above the ground touch too, in simulations:
ground and soles give way there, and a sole rocks by parts of a millimetre [m]."""
FLAT = 2e-4  # corners of a shape this close to its lowest touch with it [m]
UP = (0.0, 0.0, 1.0)
NAMELESS = "body "
"""How the label of a shape begins that has no name, nor has its body."""
ALIKE = 1e-6  # normals that differ by less are the same
SMALL = 4e-3  # share of a small robot's size that its tolerance is


class Plane(NamedTuple):
    """A plane to stand on: normal·x = offset."""

    normal: Vec3
    offset: float
    geom: int = -1
    """Its shape in the scene; -1 where it is assumed."""

    @property
    def is_level(self) -> bool:
        """Whether it is level: tilts below 5e-5 rad are none."""
        return float(self.normal[2]) > 1.0 - 1e-9


@final
@dataclass(frozen=True)
class Stance:
    """A robot on the ground; n points touch."""

    points: Array
    """Corners of what touches, in the world, (n, 3) [m]."""
    geoms: tuple[str, ...]
    """The shape of each point by name; where it has none, its body and a number."""
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
    shapes: Ints = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)
    """The shape of each point by number, in the scene's model, (n,)."""
    radii: Array = field(default_factory=lambda: np.zeros(0), repr=False)
    """Radius of the ball that touches at each point; zero for corners, (n,) [m]."""
    grounds: Ints = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)
    """The ground's shape at each point, in the scene's model; -1 if assumed, (n,)."""
    is_off_feet: bool = False
    """Whether it touches with other parts than its feet, where it names them."""

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


def pose_of(robot: RobotSpec, keyframe: str | None = None) -> VecN:
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
    robot: RobotSpec,
    qpos: VecN | None = None,
    *,
    tolerance: float = TOUCH,
    rocking: float = 0.0,
) -> Stance:
    """Return where a robot touches the ground.

    Args:
        robot: any robot.
        qpos: its pose, (nq,); None for keyframe ``start``, else the model's own.
        tolerance: height at which a shape counts as touching, > 0; less on a robot
            that is smaller than half a metre [m].
        rocking: height up to which more corners of a shape that touches a plane touch
            too [m].

    Raises:
        ShapeError: a pose of another length, or that is not finite.
        ConfigError: a tolerance that is not above zero, a foot that does not exist, or
            a robot without a mass.
    """
    where = f"robot '{robot.name}'"
    if not 0.0 < tolerance < np.inf:
        raise ConfigError(where, [f"tolerance must be > 0 m, got {tolerance!r}"])
    nq = int(robot.model.nq)
    pose = pose_of(robot) if qpos is None else expect_array("qpos", qpos, (nq,))
    scene = robot_scene(robot)
    if not scene.mass > 0.0:
        raise ConfigError(where, [f"its mass must be > 0 kg, got {scene.mass!r}"])
    data = scene.data_at(robot, pose)
    plane = floor_of(scene, data)
    return stance_with(robot, scene, data, plane, tolerance=tolerance, rocking=rocking)


def floor_of(scene: Scene, data: Any) -> Plane | None:
    """Return the plane a robot stands on; None where its ground is more than that.

    Args:
        scene: the robot's world; where it has no ground, the plane is level (square to
            z) below the robot's lowest point.
        data: of ``scene.model``, with the kinematics of the pose.
    """
    if len(scene.ground) > 1 or len(scene.planes) < len(scene.ground):
        return None
    if scene.planes:
        geom = scene.planes[0]
        normal = np.array(data.geom_xmat[geom].reshape(3, 3)[:, 2])
        return Plane(normal, float(normal @ data.geom_xpos[geom]), geom)
    known = [
        c for c in shape_corners(scene, data, np.array(UP)).values() if c is not None
    ]
    lowest = min((float(c[:, 2].min()) for c in known), default=math.inf)
    return Plane(np.array(UP), lowest)


def shape_corners(scene: Scene, data: Any, normal: Vec3) -> dict[int, Array | None]:
    """Return the corners of every shape of the robot that can touch, by shape."""
    return {g: corners_of(scene.model, data, g, normal) for g in scene.shapes}


def shapes_extent(scene: Scene, data: Any) -> float:
    """Return how large a robot's shapes are, across its bounding box [m]."""
    own = shape_corners(scene, data, np.array(UP))
    corners = [c for c in own.values() if c is not None]
    if not corners:
        return 0.0
    every = np.vstack(corners)
    return float(np.linalg.norm(every.max(axis=0) - every.min(axis=0)))


def scaled_tolerance(tolerance: float, size: float) -> float:
    """Return a tolerance for a robot of a size: less than asked for on a small one."""
    return min(tolerance, SMALL * size) if size > 0.0 else tolerance


def stance_with(
    robot: RobotSpec,
    scene: Scene,
    data: Any,
    plane: Plane | None,
    *,
    tolerance: float = TOUCH,
    rocking: float = 0.0,
) -> Stance:
    """Return where a robot touches a plane, or other ground of its scene.

    Args:
        robot: any robot.
        scene: its world.
        data: of ``scene.model``, with the kinematics of the pose.
        plane: what it stands on; None for all the ground there is.
        tolerance: as in ``stance_of``.
        rocking: as in ``stance_of``.

    Raises:
        ConfigError: a foot that does not exist.
    """
    feet = _candidates(robot, scene)
    size = shapes_extent(scene, data)
    within = scaled_tolerance(tolerance, size)
    normal = np.array(UP) if plane is None else plane.normal
    corners = shape_corners(scene, data, normal)
    known = {g: c for g, c in corners.items() if c is not None}
    lowest = min((float(c[:, 2].min()) for c in known.values()), default=np.inf)
    if plane is None:
        everything, unknown = touches(scene, data, within), ()
    else:
        give = scaled_tolerance(rocking, size)
        flat = scaled_tolerance(FLAT, size / 10.0)
        everything = plane_touches(known, plane, within, give, flat)
        unknown = tuple(label_of(scene.model, g) for g in corners if corners[g] is None)
    found = [touch for touch in everything if touch.geom in feet]
    sunk = max((-touch.distance for touch in everything), default=0.0)
    here, there = (
        np.flatnonzero(scene.bodies),
        np.flatnonzero(robot_bodies(robot.model, robot.base)),
    )
    own = dict(zip(here.tolist(), there.tolist(), strict=True))
    shapes = np.array([t.geom for t in found], np.int64)
    is_level = plane is not None and plane.is_level
    return Stance(
        points=np.array([t.point for t in found]).reshape(-1, 3),
        geoms=tuple(label_of(scene.model, t.geom) for t in found),
        ground=plane.offset if plane is not None and is_level else math.nan,
        lowest=lowest,
        mass=scene.mass,
        com=scene.centre(data),
        normals=np.array([t.normal for t in found]).reshape(-1, 3),
        bodies=np.array(
            [own[int(scene.model.geom_bodyid[g])] for g in shapes], np.int64
        ),
        sunk=max(0.0, float(sunk)),
        unknown=unknown,
        shapes=shapes,
        radii=np.array([curvature_radius(scene.model, int(g)) for g in shapes]),
        grounds=np.array([t.ground for t in found], np.int64),
        is_off_feet=len(found) < len(everything),
    )


def plane_touches(
    shapes: dict[int, Array],
    plane: Plane,
    tolerance: float,
    rocking: float,
    flat: float = FLAT,
) -> list[Touch]:
    """Return where shapes, given by their corners, touch a plane."""
    found: list[Touch] = []
    for geom, corners in shapes.items():
        heights = corners @ plane.normal - plane.offset
        low = float(heights.min())
        if low > tolerance:
            continue
        is_down = heights <= max(low + flat, rocking)
        touching, gaps = corners[is_down], heights[is_down]
        for k in outermost(touching, plane.normal):
            place, gap = touching[k], float(gaps[k])
            found.append(Touch(geom, place, plane.normal, gap, plane.geom))
    return found


def level_touches(
    shapes: dict[int, Array], ground: float, tolerance: float, rocking: float
) -> list[Touch]:
    """Return where shapes, given by their corners, touch level ground."""
    return plane_touches(shapes, Plane(np.array(UP), ground), tolerance, rocking)


def is_free(robot: RobotSpec) -> bool:
    """Return whether the robot's base can move freely."""
    model = robot.model
    root = int(model.body_rootid[model.body(robot.base).id])
    joint = int(model.body_jntadr[root])
    return joint >= 0 and int(model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_FREE)


def label_of(model: Any, geom: int) -> str:
    """Return what a shape is called; without a name its body, and which of its own."""
    if name := str(model.geom(geom).name):
        return name
    body = int(model.geom_bodyid[geom])
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    called = str(model.body(body).name) or f"{NAMELESS}{body}"
    return called if count == 1 else f"{called}[{geom - first}]"


def _candidates(robot: RobotSpec, scene: Scene) -> set[int]:
    """Return the geoms that may be feet: those named, else all that can touch."""
    model = scene.model
    names = {model.geom(g).name: g for g in range(model.ngeom)}
    for name in (*robot.feet, *robot.wheels):
        if name not in names:
            problem = f"foot '{name}' is not one of its geoms"
            raise ConfigError(f"robot '{robot.name}'", [problem])
    if not robot.feet:
        return set(scene.shapes)
    return {names[name] for name in (*robot.feet, *robot.wheels)}
