"""When one robot of many has fallen, as ``runs.walk.fall`` says it of one.

Its trunk is tilted by more than 35 degrees from the ground's normal, or less than half
as high over the ground as it started, or a corner of the box around one of its shapes
is in the ground.
"""

import math

from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.tape.functions import maximum, minimum
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec, inner_product
from equipoise.sim.many.ground_shape import GroundSlope
from equipoise.sim.many.program import FALLEN
from equipoise.sim.world import World
from equipoise.spatial.rotations import matrix_from_quat

__all__ = ["fall_of"]

FARTHEST = math.cos(math.radians(35.0))
LOWEST = 0.5


def fall_of(
    world: World, equations: RobotEquations, rise: Expr, raised: Expr
) -> tuple[list[NamedNumber], list[Expr]]:
    """Return what is told of a robot's trunk, and its values.

    Args:
        world: in which it starts.
        equations: of the robot, its base on a free joint.
        rise: height over way of the ground's slope.
        raised: how much higher the ground below its feet is, on average [m].
    """
    q, base = equations.q, equations.tree.links[0]
    slope = GroundSlope.of(rise)
    over = slope.over((q[0], q[1], q[2] - raised))
    down = base.turn.back(slope.normal)  # the normal, in B
    upright, place = down[2], world.start().qpos[:3]
    up = float(world.surface.plane[0].rise[0])
    start = float(place[2] - up * place[0]) / math.sqrt(1.0 + up * up)
    lowest = over + _lowest_corner(world, down)
    fallen = maximum(upright < FARTHEST, maximum(over < LOWEST * start, lowest < 0.0))
    told = [
        NamedNumber(FALLEN, "", 0.0, "1 where it has"),
        NamedNumber("height", "m", start, "of the trunk over the ground"),
        NamedNumber("upright", "", 1.0, "cosine of the trunk's tilt"),
    ]
    return told, [fallen, over, upright]


def _lowest_corner(world: World, up: Vec) -> Expr:
    """Return how far the lowest corner of the trunk's shapes is over its origin [m].

    Args:
        world: with the robot.
        up: the ground's normal, in the trunk's axes.
    """
    model, tape = world.model, up[0].tape
    own = model.body_weldid[model.geom_bodyid] == world.base
    solid = (model.geom_contype | model.geom_conaffinity) > 0
    found = [g for g in range(model.ngeom) if own[g] and solid[g]]
    found = [g for g in found if int(model.geom_bodyid[g]) == world.base]
    lowest = tape.constant(0.0)
    for geom in found:
        R = matrix_from_quat(model.geom_quat[geom])
        centre = model.geom_pos[geom] + R @ model.geom_aabb[geom, :3]
        x, y, z = (tape.constant(float(c)) for c in centre)
        corner = inner_product(up, (x, y, z))
        for axis, half in zip(R.T, model.geom_aabb[geom, 3:], strict=True):
            a, b, c = (tape.constant(float(k)) for k in half * axis)
            corner = corner - abs(inner_product(up, (a, b, c)))
        lowest = minimum(lowest, corner)
    return lowest
