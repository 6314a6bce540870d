"""A robot put down gently before it is judged: the first half of a check.

With its joints held a robot is one rigid body. On a plane it comes to rest exactly
(``stability.rest``); on other ground the engine lets it down (``sim.gentle``). Where
more than a plane is in its scene the plane comes first, and counts if nothing else is
touched on the way.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3, VecN
from equipoise.robots.robot import Robot
from equipoise.robots.scene import Scene, own_qpos, robot_bodies
from equipoise.robots.stance import (
    Plane,
    extent,
    floor_of,
    label_of,
    reach,
    shape_corners,
)
from equipoise.robots.stance_shapes import balls_of
from equipoise.robots.stance_terrain import foreign_touch, touches
from equipoise.robots.stance_turns import turned
from equipoise.sim.gentle import falls_when_let_go, put_down_gently
from equipoise.stability.energy import energy_margin
from equipoise.stability.rest import put_down, rocking_barrier
from equipoise.stability.support import static_margin

__all__ = ["TIPPED", "WELL", "Settled", "as_given", "put_robot_down"]

REPEATS = 4  # of the exact settling, for shapes whose lowest point moves as they turn
SETTLED = 1e-7  # a repeat that turns by less changes nothing [rad]
STRIDE, MOST_LOOKS = 0.02, 100
"""Between two looks for other ground on the way down, in sizes, and looks at most."""
NUDGE = math.radians(0.02)
"""A robot on the very edge is nudged by this much: it may rock between two feet."""
ROCKS = math.radians(1.0)  # how far it may rock then
WAYS = 8  # directions of the nudge
TIPPED = math.radians(10.0)
"""A robot that turns by more to come to rest does not stand as it was put."""
OVER = math.radians(30.0)
"""A robot that stays within this lean rocks from foot to foot but does not fall."""
DEEPEST = 0.01  # a robot deeper in the ground is not in a pose that exists [m]
WELL = 2e-3  # share of its size that a centre of mass is well inside
NEAR = 1e-4  # share of its size at which other bodies count as touched


@final
@dataclass(frozen=True)
class Settled:
    """A robot in the pose that is judged."""

    pose: VecN = field(repr=False)
    """Of ``robot.model``."""
    data: Any = field(repr=False)
    """Of the scene's model, with its kinematics."""
    plane: Plane | None
    """What it stands on; None for ground that is more than a plane."""
    turned: float | None = None
    """By how much it turned to come to rest [rad]; None if judged as given."""
    sank: float | None = None
    """How far its centre of mass sank in all [m]."""
    may_tip: bool = False
    """Whether the energy set free by settling could carry it over an edge."""
    ended: tuple[str, ...] = ()
    """What touches where it ended, if it tipped: then the pose is that before."""
    is_at_rest: bool = True
    is_robust: bool = True
    """Whether its centre of mass is well inside of what touches exactly, or it comes
    back when it is nudged."""
    trouble: str = ""
    """Why nothing can be said, or empty."""
    falls: str = ""
    """Why it does not stand, or empty."""


def as_given(robot: Robot, scene: Scene, pose: VecN) -> Settled:
    """Return a robot in the pose it is given in."""
    data = scene.posed(robot, pose)
    return Settled(pose, data, floor_of(scene, data), trouble=touched(scene, data))


def put_robot_down(
    robot: Robot, scene: Scene, pose: VecN, up: Vec3, friction: float | None = None
) -> Settled:
    """Return a robot in the pose in which it comes to rest.

    A robot that tips over is returned as it first touched, with where it ended.

    Args:
        robot: with a free base.
        scene: its world, with gravity.
        pose: of ``robot.model``, (nq,).
        up: against gravity, unit, (3,); not the scene's own on a slope.
        friction: of all contacts; None for the scene's own.
    """
    scene = replace(scene, gravity=-scene.strength * up)
    data = scene.posed(robot, pose)
    plane = floor_of(scene, data)
    if trouble := touched(scene, data) or too_deep(scene, data, plane):
        return Settled(pose, data, plane, trouble=trouble)
    if plane is not None:
        return on_plane(robot, scene, pose, plane, up, friction)
    for geom in scene.planes:
        normal = np.array(data.geom_xmat[geom].reshape(3, 3)[:, 2])
        if float(normal @ up) <= 0.0:
            continue
        only = Plane(normal, float(normal @ data.geom_xpos[geom]), geom)
        found = on_plane(robot, scene, pose, only, up, friction)
        is_down = found.is_at_rest and not (found.falls or found.ended)
        if is_down and is_alone(robot, scene, pose, found, geom):
            return found
    return on_terrain(robot, scene, pose, friction)


def too_deep(scene: Scene, data: Any, plane: Plane | None) -> str:
    """Return a sentence about a robot that is in the ground, or none."""
    if plane is None:
        deep = max((-t.distance for t in touches(scene, data, 1e-6)), default=0.0)
    else:
        known = shape_corners(scene, data, plane.normal).values()
        gaps = [c @ plane.normal - plane.offset for c in known if c is not None]
        deep = -min((float(gap.min()) for gap in gaps), default=0.0)
    if deep <= reach(DEEPEST, 5.0 * extent(scene, data)):
        return ""
    return f"it is {deep:.3g} m deep in the ground; lift it by that"


def touched(scene: Scene, data: Any) -> str:
    """Return a sentence about another moving body that touches the robot, or none."""
    size = extent(scene, data)
    name = foreign_touch(scene, data, NEAR * size)
    return f"it touches '{name}', which moves and is not followed" if name else ""


def on_plane(
    robot: Robot,
    scene: Scene,
    pose: VecN,
    plane: Plane,
    up: Vec3,
    friction: float | None,
) -> Settled:
    """Return a robot at rest on one plane."""
    start, data = np.array(pose), scene.posed(robot, pose)
    whole, sank, freed, is_at_rest, inside = np.eye(3), 0.0, 0.0, True, -math.inf
    low_points = scene.centre(data), np.zeros((0, 3))
    if float(plane.normal @ up) <= 1e-6:
        return Settled(pose, data, plane, falls="the ground under it does not face up")
    for _ in range(REPEATS):
        balls = all_balls(scene, data, plane.normal)
        if balls is None or not len(balls[0]):
            break
        centre = scene.centre(data)
        rest = put_down(*balls, centre, plane.normal, plane.offset, up)
        start = moved_by(robot, start, rest.R, rest.p)
        whole = rest.R @ whole
        sank += rest.lowered + rest.sank
        freed += scene.mass * scene.strength * rest.sank
        is_at_rest = rest.is_at_rest
        low = rest.moved(balls[0]) - balls[1][:, None] * plane.normal
        low_points = rest.moved(centre), low[rest.touching]
        inside = margin_along(up, *low_points)
        data = scene.posed(robot, start)
        if rest.turned <= SETTLED or not is_at_rest:
            break
    turn, size = angle_of(whole), extent(scene, data)
    down = lowered_to(robot, scene, pose, plane, up)
    there = scene.posed(robot, down)
    if not is_at_rest or turn > TIPPED:
        ended = lands_on(scene, data)
        return Settled(
            down, there, plane, turned=turn, sank=sank, ended=ended,
            is_at_rest=is_at_rest, trouble=touched(scene, there),
        )  # fmt: skip
    may_tip = freed > edge_barrier(scene, up, low_points) and freed > rocks_over(
        scene, data, plane, up, turn
    )
    if may_tip and scene.ground:
        may_tip = falls_when_let_go(scene, there, size, friction)
    return Settled(
        start,
        data,
        plane,
        turned=turn,
        sank=sank,
        may_tip=may_tip,
        is_robust=inside > WELL * size or comes_back(scene, data, plane, up),
        trouble=touched(scene, data),
    )


def edge_barrier(scene: Scene, up: Vec3, stance: tuple[Vec3, Array]) -> float:
    """Return the energy that tips a robot over an edge of what touches [J]."""
    flat = np.vstack([across(up), up]).T
    centre, points = stance[0] @ flat, stance[1] @ flat
    return float(energy_margin(centre, points, scene.mass, scene.strength).energy)


def rocks_over(scene: Scene, data: Any, plane: Plane, up: Vec3, turn: float) -> float:
    """Return the energy that tips a robot over on level ground [J]; else -inf."""
    balls = all_balls(scene, data, plane.normal)
    if balls is None or not len(balls[0]) or float(plane.normal @ up) < 1.0 - 1e-9:
        return -math.inf
    lift = rocking_barrier(*balls, scene.centre(data), up, least=turn, most=OVER)
    return scene.mass * scene.strength * lift


def lowered_to(robot: Robot, scene: Scene, pose: VecN, plane: Plane, up: Vec3) -> VecN:
    """Return a pose let down along gravity until it touches a plane."""
    balls = all_balls(scene, scene.posed(robot, pose), plane.normal)
    if balls is None or not len(balls[0]):
        return pose
    gap = balls[0] @ plane.normal - plane.offset - balls[1]
    way = float(gap.min()) / float(plane.normal @ up)
    return moved_by(robot, pose, np.eye(3), -way * up)


def across(up: Vec3) -> Array:
    """Return two directions square to one, all unit, (2, 3)."""
    x = np.cross(up, [1.0, 0.0, 0.0] if abs(up[0]) < 0.7 else [0.0, 1.0, 0.0])
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(up, x)])


def margin_along(up: Vec3, centre: Vec3, points: Array) -> float:
    """Return the static margin over points, seen along gravity [m]."""
    flat = across(up).T
    return float(static_margin(centre @ flat, points @ flat))


def comes_back(scene: Scene, data: Any, plane: Plane, up: Vec3) -> bool:
    """Say whether a robot at rest on a plane comes back from nudges all around.

    A stance on three of four almost even feet may have its centre of mass on the very
    edge of the three, and rocks to the fourth: that is no fall.
    """
    balls = all_balls(scene, data, plane.normal)
    if balls is None or not len(balls[0]):
        return False
    centre = scene.centre(data)
    for k in range(WAYS):
        way = 2.0 * math.pi * k / WAYS
        aside = np.array([math.cos(way), math.sin(way), 0.0])
        axis = np.cross(plane.normal, aside)
        axis /= np.linalg.norm(axis)
        R = rotation(axis, NUDGE)
        places = centre + (balls[0] - centre) @ R.T
        rest = put_down(places, balls[1], centre, plane.normal, plane.offset, up)
        if not rest.is_at_rest or rest.turned > ROCKS or len(rest.touching) < 3:
            return False
    return True


def all_balls(scene: Scene, data: Any, normal: Vec3) -> tuple[Array, Array] | None:
    """Return every shape that can touch as balls; None where a form is not known."""
    found = [balls_of(scene.model, data, g, normal) for g in scene.shapes]
    known = [balls for balls in found if balls is not None]
    if len(known) < len(found):
        return None
    if not known:
        return np.zeros((0, 3)), np.zeros(0)
    return np.vstack([b[0] for b in known]), np.concatenate([b[1] for b in known])


def is_alone(robot: Robot, scene: Scene, pose: VecN, found: Settled, geom: int) -> bool:
    """Say whether a robot meets no other ground on its way to a plane."""
    base = int(own_qpos(robot.model, robot_bodies(robot.model, robot.base))[0])
    spot, turn = slice(base, base + 3), slice(base + 3, base + 7)
    size = extent(scene, found.data)
    way = float(np.linalg.norm(found.pose[spot] - pose[spot])) / size
    way += found.turned or 0.0
    sign = 1.0 if float(pose[turn] @ found.pose[turn]) >= 0.0 else -1.0
    for share in np.linspace(0.0, 1.0, 2 + min(math.ceil(way / STRIDE), MOST_LOOKS)):
        between = np.array(found.pose)
        between[spot] = (1.0 - share) * pose[spot] + share * found.pose[spot]
        between[turn] = (1.0 - share) * sign * pose[turn] + share * found.pose[turn]
        mujoco.mj_normalizeQuat(robot.model, between)
        data = scene.posed(robot, between)
        if any(t.ground != geom for t in touches(scene, data, NEAR * size)):
            return False
    return True


def on_terrain(
    robot: Robot, scene: Scene, pose: VecN, friction: float | None
) -> Settled:
    """Return a robot that the engine has let down on the ground of its scene."""
    data = scene.posed(robot, pose)
    size = extent(scene, data)
    rest = put_down_gently(scene, data, size, friction)
    if rest is None:
        data = scene.posed(robot, pose)
        return Settled(pose, data, None, falls="there is no ground below it")
    turn, is_over = rest.turned, rest.turned > TIPPED or not rest.is_at_rest
    ended: tuple[str, ...] = ()
    if is_over:
        ended = lands_on(
            scene, scene.posed(robot, own_pose(robot, scene, pose, rest.qpos))
        )
    settled = own_pose(robot, scene, pose, rest.start if is_over else rest.qpos)
    data = scene.posed(robot, settled)
    may_tip, trouble = False, touched(scene, data)
    if is_over or rest.sank > 1e-4 * size:
        there = scene.posed(robot, own_pose(robot, scene, pose, rest.start))
        may_tip = falls_when_let_go(scene, there, size, friction)
        if not is_over and robot.has_world and not may_tip:
            may_tip = tips_on_its_own_floor(scene, robot, pose, size, friction)
        if is_over and not may_tip:  # another way down leads to another rest
            trouble = trouble or "how it ends depends on how it is put down"
    falls = ""
    if rest.moved > 0.5 * size and turn <= TIPPED:
        falls = f"it slides or rolls away, by {rest.moved:.2g} m and more"
    return Settled(
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


def tips_on_its_own_floor(
    scene: Scene, robot: Robot, pose: VecN, size: float, friction: float | None
) -> bool:
    """Say whether a robot tips that is put down gently on contacts as its file has."""
    data = scene.posed(robot, pose)
    rest = put_down_gently(scene, data, size, friction, is_hard=False)
    return rest is None or rest.turned > TIPPED or rest.moved > 0.2 * size


def own_pose(robot: Robot, scene: Scene, pose: VecN, qpos: VecN) -> VecN:
    """Return the robot's pose, its base as in a state of the scene, joints as given."""
    here = own_qpos(scene.model, scene.bodies)
    there = own_qpos(robot.model, robot_bodies(robot.model, robot.base))
    settled = np.array(pose)
    settled[there[:7]] = qpos[here[:7]]
    return settled


def lands_on(scene: Scene, data: Any) -> tuple[str, ...]:
    """Return what is lowest in the end, by name."""
    size = extent(scene, data)
    if scene.ground:
        down = [t.geom for t in touches(scene, data, 1e-3 * size)]
    else:
        corners = shape_corners(scene, data, np.array([0.0, 0.0, 1.0]))
        lows = {g: float(c[:, 2].min()) for g, c in corners.items() if c is not None}
        down = [g for g, low in lows.items() if low <= min(lows.values()) + 1e-3 * size]
    return tuple(dict.fromkeys(label_of(scene.model, g) for g in down))


def moved_by(robot: Robot, pose: VecN, R: Mat3, p: Vec3) -> VecN:
    """Return a pose moved as a whole: x becomes R x + p."""
    new = turned(robot, pose, R, np.zeros(3))
    base = int(own_qpos(robot.model, robot_bodies(robot.model, robot.base))[0])
    new[base : base + 3] += p
    return new


def rotation(axis: Vec3, angle: float) -> Mat3:
    """Return a turn about an axis."""
    quat, R = np.zeros(4), np.zeros(9)
    mujoco.mju_axisAngle2Quat(quat, axis, angle)
    mujoco.mju_quat2Mat(R, quat)
    return R.reshape(3, 3)


def angle_of(R: Mat3) -> float:
    """Return the angle of a rotation [rad]."""
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(R).ravel())
    return 2.0 * math.atan2(float(np.linalg.norm(quat[1:])), abs(float(quat[0])))
