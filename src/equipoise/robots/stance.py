"""Where a robot touches level ground in a pose, from its shapes.

Feet are the shapes that a robot names; where it names none, every shape that can
collide may be one. The ground is the plane that the model has, else level with the
robot's lowest point. A shape touches when its lowest point is as low as the ground
within a tolerance; of a shape that touches only what is as low as that point counts, so
that a round or tilted foot is not taken for a flat one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN, expect_array
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.robot import Robot

__all__ = ["Stance", "pose_of", "stance_of"]

GEOM = mujoco.mjtGeom
TOUCH = 2e-3  # height at which a shape counts as touching [m]
FLAT = 2e-4  # corners of a shape this close to its lowest touch with it [m]
UPRIGHT = 1e-4  # tilt up to which a cylinder stands on its whole rim [rad]
SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
RIM = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)


@final
@dataclass(frozen=True)
class Stance:
    """A robot on level ground; n points touch."""

    points: Array
    """Corners of what touches, in the world, (n, 3) [m]."""
    geoms: tuple[str, ...]
    """The shape of each point; where shapes have no name, that of their body."""
    ground: float
    """Height of the ground [m]."""
    lowest: float
    """Height of the robot's lowest known point [m]."""
    mass: float
    """Of the whole robot [kg]."""
    com: Vec3
    """Centre of mass of the whole robot, in the world, (3,) [m]."""
    unknown: tuple[str, ...] = ()
    """Shapes that might touch but whose form is not known."""

    @property
    def feet(self) -> tuple[str, ...]:
        """The shapes that touch, each once."""
        return tuple(dict.fromkeys(self.geoms))


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
    robot: Robot, qpos: VecN | None = None, *, tolerance: float = TOUCH
) -> Stance:
    """Return where a robot touches the ground.

    Args:
        robot: any robot.
        qpos: its pose, (nq,); None for keyframe ``start``, else the model's own.
        tolerance: height at which a shape counts as touching, > 0 [m].

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
    found: list[tuple[str, Array]] = []
    unknown: list[str] = []
    for geom in candidates(robot, where):
        corners = corners_of(model, data, geom)
        name = model.geom(geom).name or body_name(model, geom)
        if corners is None:
            unknown.append(name)
        else:
            found.append((name, corners))
    lowest = min((float(c[:, 2].min()) for _, c in found), default=np.inf)
    level = ground_height(model, data)
    ground = lowest if level is None else level
    touching = [
        (name, corner)
        for name, corners in found
        if corners[:, 2].min() <= ground + tolerance
        for corner in outermost(corners[corners[:, 2] <= corners[:, 2].min() + FLAT])
    ]
    return Stance(
        points=np.array([corner for _, corner in touching]).reshape(-1, 3),
        geoms=tuple(name for name, _ in touching),
        ground=float(ground),
        lowest=lowest,
        mass=mass,
        com=np.array(data.subtree_com[0]),
        unknown=tuple(unknown),
    )


def body_name(model: Any, geom: int) -> str:
    """Return the name of the body that carries a shape."""
    return str(model.body(int(model.geom_bodyid[geom])).name)


def candidates(robot: Robot, where: str) -> list[int]:
    """Return the geoms that may be feet: those named, else all that can collide."""
    model = robot.model
    moving = [g for g in range(model.ngeom) if model.body_weldid[model.geom_bodyid[g]]]
    names = {model.geom(g).name: g for g in range(model.ngeom)}
    for name in robot.feet:
        if name not in names:
            raise ConfigError(where, [f"foot '{name}' is not one of its geoms"])
    if robot.feet:
        return [names[name] for name in robot.feet]
    return [g for g in moving if model.geom_contype[g] or model.geom_conaffinity[g]]


def ground_height(model: Any, data: Any) -> float | None:
    """Return the height of a level plane that the model has; None if it has none."""
    for g in range(model.ngeom):
        is_plane = int(model.geom_type[g]) == int(GEOM.mjGEOM_PLANE)
        if is_plane and model.body_weldid[model.geom_bodyid[g]] == 0:
            if data.geom_xmat[g].reshape(3, 3)[2, 2] > 1.0 - 1e-9:
                return float(data.geom_xpos[g, 2])
    return None


def corners_of(model: Any, data: Any, geom: int) -> Array | None:
    """Return the points of a shape on which it can stand, in the world, (n, 3)."""
    kind = GEOM(int(model.geom_type[geom]))
    if kind not in CORNERS:
        return None
    R, p = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
    local = CORNERS[kind](model, geom, R.T @ np.array([0.0, 0.0, -1.0]))
    return p + local @ R.T


def box_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the eight corners."""
    return SIGNS * model.geom_size[geom]


def sphere_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point."""
    return (model.geom_size[geom, 0] * down)[None, :]


def capsule_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point of each end."""
    radius, half = model.geom_size[geom, :2]
    return np.array([[0.0, 0.0, end * half] + radius * down for end in (-1.0, 1.0)])


def cylinder_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point of each rim, or both rims of one that is upright."""
    radius, half = model.geom_size[geom, :2]
    lean = float(np.hypot(down[0], down[1]))
    if lean > UPRIGHT:
        x, y = radius * down[:2] / lean
        return np.array([[x, y, -half], [x, y, half]])
    ring = radius * np.column_stack([np.cos(RIM), np.sin(RIM)])
    ends = [np.column_stack([ring, np.full(len(ring), end)]) for end in (-half, half)]
    return np.vstack(ends)


def ellipsoid_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the lowest point: the one whose normal points down."""
    size = np.array(model.geom_size[geom])
    stretched = size * down
    return (size * stretched / np.linalg.norm(stretched))[None, :]


def mesh_corners(model: Any, geom: int, down: Vec3) -> Array:
    """Return the mesh's vertices."""
    mesh = int(model.geom_dataid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    return np.array(model.mesh_vert[first : first + count], np.float64)


CORNERS: dict[Any, Callable[[Any, int, Vec3], Array]] = {
    GEOM.mjGEOM_BOX: box_corners,
    GEOM.mjGEOM_SPHERE: sphere_corners,
    GEOM.mjGEOM_CAPSULE: capsule_corners,
    GEOM.mjGEOM_CYLINDER: cylinder_corners,
    GEOM.mjGEOM_ELLIPSOID: ellipsoid_corners,
    GEOM.mjGEOM_MESH: mesh_corners,
}


def outermost(points: Array) -> Array:
    """Return the corners of a patch seen from above; all of a few."""
    if len(points) <= 4:
        return points
    from scipy.spatial import ConvexHull, QhullError  # slow to import

    try:
        return points[ConvexHull(points[:, :2]).vertices]
    except QhullError:  # on one line: its two ends
        along = points[:, :2] - points[:, :2].mean(axis=0)
        axis = np.linalg.svd(along)[2][0]
        order = np.argsort(along @ axis)
        return points[[order[0], order[-1]]]
