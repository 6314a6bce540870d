"""A robot put down gently on ground of any shape: the engine lets it down."""

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene, own_qpos, robot_bodies
from equipoise.robots.stance.stance import shapes_extent
from equipoise.runs.check.rest import TIPPED, JudgedPose, lands_on, touching_body
from equipoise.sim.let_go import tips_when_let_go
from equipoise.sim.put_down import put_down

__all__ = ["on_terrain"]


def on_terrain(
    robot: Robot, scene: Scene, pose: VecN, friction: float | None
) -> JudgedPose:
    """Return a robot that the engine has let down on the ground of its scene."""
    data = scene.data_at(robot, pose)
    size = shapes_extent(scene, data)
    rest = put_down(scene, data, size, friction)
    if rest is None:
        data = scene.data_at(robot, pose)
        return JudgedPose(pose, data, None, falls="there is no ground below it")
    turn, is_over = rest.turned, rest.turned > TIPPED or not rest.is_at_rest
    ended: tuple[str, ...] = ()
    if is_over:
        ended = lands_on(
            scene, scene.data_at(robot, _own_pose(robot, scene, pose, rest.qpos))
        )
    settled = _own_pose(robot, scene, pose, rest.start if is_over else rest.qpos)
    data = scene.data_at(robot, settled)
    may_tip, trouble = False, touching_body(scene, data)
    if is_over or rest.sank > 1e-4 * size:
        there = scene.data_at(robot, _own_pose(robot, scene, pose, rest.start))
        may_tip = tips_when_let_go(scene, there, size, friction)
        if not is_over and robot.has_world and not may_tip:
            may_tip = _tips_on_its_own_floor(scene, robot, pose, size, friction)
        if is_over and not may_tip:  # another way down leads to another rest
            trouble = trouble or "the result depends on how it is put down"
    falls = ""
    if rest.moved > 0.5 * size and turn <= TIPPED:
        falls = f"it slides or rolls away, by {rest.moved:.2g} m and more"
    return JudgedPose(
        settled,
        data,
        None,
        turned=turn,
        sank=rest.lowered + rest.sank,
        may_tip=may_tip,
        ended=ended,
        is_at_rest=rest.is_at_rest,
        trouble=trouble,
        falls=falls,
    )


def _tips_on_its_own_floor(
    scene: Scene, robot: Robot, pose: VecN, size: float, friction: float | None
) -> bool:
    """Return whether a robot tips that is put down gently on its file's contacts."""
    data = scene.data_at(robot, pose)
    rest = put_down(scene, data, size, friction, is_hard=False)
    return rest is None or rest.turned > TIPPED or rest.moved > 0.2 * size


def _own_pose(robot: Robot, scene: Scene, pose: VecN, qpos: VecN) -> VecN:
    """Return the robot's pose, its base as in a state of the scene, joints as given."""
    here = own_qpos(scene.model, scene.bodies)
    there = own_qpos(robot.model, robot_bodies(robot.model, robot.base))
    settled = np.array(pose)
    settled[there[:7]] = qpos[here[:7]]
    return settled
