"""Pictures of a robot that is learned with: one camera an episode, which goes along."""

from dataclasses import replace
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.visuals.robot_looks import robot_appearance, robot_picture_model
from equipoise.runs.gym.arena import AbstractArena
from equipoise.sim.world import World

__all__ = ["Portraitist"]


@final
class Portraitist:
    """Draws a robot as it is, without any graphics library.

    Args:
        size: of a picture, width and height [pixels].
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.forget()

    def __getstate__(self) -> dict[str, Any]:
        """Return what travels: the camera, not what is drawn, which is made anew."""
        return {**self.__dict__, "model": None}

    def forget(self) -> None:
        """Begin anew, with another robot or another start."""
        self.model: mujoco.MjModel | None = None
        self.camera: Any = None
        self.place = np.zeros(2)

    def draw(self, arena: AbstractArena) -> Any:
        """Return a picture, (height, width, 3) uint8.

        Args:
            arena: the robot in its world.
        """
        from equipoise.viz.camera import camera_for  # pictures take a while to import
        from equipoise.viz.raycast import draw

        world = arena.stepper.world
        model = self.model
        if model is None:
            model = self.model = _model_of(world)
        pose = np.nan_to_num(arena.stepper.data.qpos[: model.nq])
        if self.camera is None:
            alone = robot_picture_model(
                world.robot
            )  # or the ground would fill the picture
            self.camera = camera_for(alone, [pose[: alone.nq]], size=self.size)
            self.place = _level(arena)
        by = _level(arena) - self.place
        camera = replace(
            self.camera,
            eye=_moved(self.camera.eye, by),
            target=_moved(self.camera.target, by),
        )
        return draw(model, pose, size=self.size, camera=camera)


def _model_of(world: World) -> mujoco.MjModel:
    """Return what is drawn: the robot, with what is thrown and its ground if uneven."""
    if world.thrown or world.terrain.kind != "flat":
        from equipoise.robots.visuals.picture import picture_model

        return picture_model(world.scene, robot_appearance(world.robot))
    return robot_picture_model(world.robot)


def _level(arena: AbstractArena) -> Array:
    """Return where a robot's base is, seen from above, (2,) [m]."""
    world = arena.stepper.world
    return np.nan_to_num(arena.stepper.data.xpos[world.base][:2])


def _moved(place: tuple[float, float, float], by: Array) -> tuple[float, float, float]:
    """Return a place moved level."""
    return place[0] + float(by[0]), place[1] + float(by[1]), place[2]
