"""How a robot in a world is looked at."""

from collections.abc import Sequence

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.robots.visuals.picture import picture_model
from equipoise.robots.visuals.robot_looks import robot_appearance, robot_picture_model
from equipoise.runs.live.frame import BalanceProbe
from equipoise.runs.live.job import Look
from equipoise.runs.live.judges import AbstractJudge
from equipoise.sim.world import World
from equipoise.viz.camera import Camera, camera_for

__all__ = ["look_of", "near_camera"]

SIDE, ABOVE = -55.0, 16.0  # where the camera stands, azimuth and elevation [degrees]
ROOM = 0.16  # share of the picture left free on each side
ROBOT_ONLY = (1200, 800)  # whose ratio frames the first view


def look_of(
    world: World,
    title: str,
    judge: AbstractJudge,
    probe: BalanceProbe,
    notes: Sequence[str] = (),
) -> Look:
    """Return how a world is looked at.

    Args:
        world: the robot, and what is with it.
        title: of the page.
        judge: whose numbers are plotted.
        probe: of the same scene.
        notes: to be shown, a sentence each.
    """
    robot = world.robot
    is_alone = world.scene is robot.spec
    picture = (
        robot_picture_model(robot)
        if is_alone
        else picture_model(world.scene, robot_appearance(robot))
    )
    start = world.start().qpos.copy()
    is_fixed = int(probe.model.body_weldid[probe.model.body(probe.root).id]) == 0
    alone = robot_picture_model(robot)
    camera = near_camera(alone, start[: alone.nq])
    com = probe.moment(start, np.zeros(probe.model.nv), *2 * (np.zeros((0, 3)),)).com
    return Look(
        title=title,
        picture=picture,
        camera=camera,
        size=max(float(com[2]), 0.05),
        follows=not is_fixed,
        plot=judge.plot,
        traces=judge.traces,
        notes=(*notes, *robot_appearance(robot).unseen[:3]),
    )


def near_camera(robot: object, pose: VecN) -> Camera:
    """Return a camera near a robot, from its front and side.

    Args:
        robot: compiled for pictures, alone.
        pose: of it, (nq,).
    """
    return camera_for(
        robot,  # pyright: ignore[reportArgumentType]
        [pose],
        size=ROBOT_ONLY,
        azimuth_deg=SIDE,
        elevation_deg=ABOVE,
        margin=ROOM,
    )
