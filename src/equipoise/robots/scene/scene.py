"""The world of a robot's file: what is the robot, what is ground, what pulls at it.

Ground is what does not move and can touch the robot. Everything else that acts on a
robot at rest, and that this library does not follow, is named in ``unknown``: a yes is
never said over it.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Vec3, VecN
from equipoise.core.constants import GRAVITY
from equipoise.robots.robot_spec import RobotSpec
from equipoise.robots.scene.forces import foreign_forces, pulls
from equipoise.robots.scene.pairs import Pair, can_touch, pair_of

__all__ = ["Scene", "own_qpos", "robot_bodies", "robot_scene"]

PLANE = int(mujoco.mjtGeom.mjGEOM_PLANE)


def robot_bodies(model: Any, base: str) -> NDArray[np.bool_]:
    """Return which bodies are the robot: all on the tree of its base, (nbody,).

    Args:
        model: compiled.
        base: name of its base; all bodies are of a robot whose base is the world.
    """
    root = int(model.body_rootid[model.body(base).id])
    return np.asarray(model.body_rootid == root) | (root == 0)


@final
@dataclass(frozen=True, eq=False)
class Scene:
    """A robot's file as a world."""

    model: Any
    """The whole file, compiled."""
    bodies: NDArray[np.bool_] = field(repr=False)
    """Which bodies are the robot, (nbody,)."""
    shapes: tuple[int, ...]
    """Geoms of the robot that can touch the ground."""
    ground: tuple[int, ...]
    """Geoms that do not move and can touch the robot."""
    loose: tuple[int, ...]
    """Geoms of other bodies that move and can touch the robot."""
    gravity: Vec3
    """(3,) [m/s²]."""
    floor: str
    """"own" where the file has ground that can touch the robot, "assumed" where it has
    none at all, "out of reach" where it has but no shape of the robot can touch it."""
    unknown: tuple[str, ...]
    """What acts on the robot and is not understood."""
    pulls: tuple[str, ...] = ()
    """What pulls at the robot at rest besides its weight, by its pose alone."""
    key: int = -1
    """Keyframe that other bodies are in; -1 for where the file has them."""

    @property
    def mass(self) -> float:
        """Mass of the robot [kg]."""
        return float(self.model.body_mass[self.bodies].sum())

    @property
    def strength(self) -> float:
        """Strength of gravity [m/s²]."""
        return float(np.linalg.norm(self.gravity))

    @property
    def up(self) -> Vec3:
        """Against gravity, unit, (3,)."""
        return -self.gravity / self.strength

    @cached_property
    def planes(self) -> tuple[int, ...]:
        """The ground's planes."""
        return tuple(g for g in self.ground if int(self.model.geom_type[g]) == PLANE)

    def pair(self, shape: int, ground: int) -> Pair:
        """Return how a shape of the robot touches the ground."""
        return pair_of(self.model, shape, ground)

    def centre(self, data: Any) -> Vec3:
        """Return the robot's centre of mass in a pose that ``data`` is in, (3,) [m]."""
        masses = self.model.body_mass[self.bodies]
        return masses @ data.xipos[self.bodies] / masses.sum()

    def data_at(self, robot: RobotSpec, qpos: VecN) -> Any:
        """Return the scene with the robot in a pose, as ``mujoco.MjData``.

        Other bodies are where the file, or its keyframe ``key``, has them.

        Args:
            robot: whose scene it is.
            qpos: of ``robot.model``, (nq,).
        """
        data = mujoco.MjData(self.model)
        if self.key >= 0:
            mujoco.mj_resetDataKeyframe(self.model, data, self.key)
        if robot.scene is None:
            data.qpos[:] = qpos
        else:
            here, there = (
                own_qpos(self.model, self.bodies),
                own_qpos(robot.model, robot_bodies(robot.model, robot.base)),
            )
            data.qpos[here] = np.asarray(qpos)[there]
        mujoco.mj_kinematics(self.model, data)
        mujoco.mj_comPos(self.model, data)
        return data


def own_qpos(model: Any, bodies: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return which entries of qpos are the robot's."""
    size = {0: 7, 1: 4, 2: 1, 3: 1}  # of free, ball, slide and hinge joints
    found = [
        int(model.jnt_qposadr[j]) + k
        for j in range(int(model.njnt))
        if bodies[int(model.jnt_bodyid[j])]
        for k in range(size[int(model.jnt_type[j])])
    ]
    return np.array(found, np.int64)


def robot_scene(robot: RobotSpec) -> Scene:
    """Return a robot's file as a world.

    A robot that comes without a world (built in, or URDF) is on its own: gravity of
    9.81 m/s² along -z, and a level floor below it unless its model has one.

    Args:
        robot: any robot.
    """
    model = robot.scene_model
    bodies = robot_bodies(model, robot.base)
    own = [g for g in range(int(model.ngeom)) if bodies[int(model.geom_bodyid[g])]]
    fixed = (model.body_weldid == 0) & (model.body_mocapid < 0) & ~bodies
    rest = [g for g in range(int(model.ngeom)) if not bodies[int(model.geom_bodyid[g])]]
    still = [g for g in rest if fixed[int(model.geom_bodyid[g])]]
    loose = [g for g in rest if not fixed[int(model.geom_bodyid[g])]]
    ground = [g for g in still if any(can_touch(model, g, s) for s in own)]
    if ground:
        shapes, floor = (
            [s for s in own if any(can_touch(model, s, g) for g in ground)],
            "own",
        )
    else:
        bits = model.geom_contype | model.geom_conaffinity
        shapes = [s for s in own if bits[s]]
        is_meant = any(bits[g] or _is_floor(model, g) for g in still)
        floor = "out of reach" if is_meant else "assumed"
    gravity = np.array([0.0, 0.0, -GRAVITY])
    if robot.has_world:
        off = int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
        gravity = np.zeros(3) if off else np.array(model.opt.gravity, np.float64)
    return Scene(
        model=model,
        bodies=bodies,
        shapes=tuple(shapes),
        ground=tuple(ground),
        loose=tuple(g for g in loose if any(can_touch(model, g, s) for s in own)),
        gravity=gravity,
        floor=floor,
        unknown=foreign_forces(model, bodies) if robot.has_world else (),
        pulls=pulls(model, bodies) if robot.has_world else (),
    )


def _is_floor(model: Any, geom: int) -> bool:
    """Return whether a shape is a plane or a heightfield."""
    return int(model.geom_type[geom]) in (PLANE, int(mujoco.mjtGeom.mjGEOM_HFIELD))
