"""Feet of one robot of many: what the ground does to them, and what they remember.

Of each foot a step keeps v + h w F, from which the next one has the velocity that it
would get without ground, its load and, on ground from a table, where it will be: there
the ground is looked up before the next step. In that step the foot is on the plane that
touches the ground at that point, some micrometres from it.
"""

from typing import NamedTuple

import mujoco

from equipoise.equations.robot.kinematics import position, velocity
from equipoise.equations.robot.named_tree import RobotTree
from equipoise.equations.tape.functions import sqrt
from equipoise.equations.tape.named import NamedNumber, NamedSymbols
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec, plus, scaled_vector, vector_difference
from equipoise.sim.many.ground_law import ball_force
from equipoise.sim.many.ground_shape import GroundSlope, TangentPlane, tangent_plane

__all__ = ["LOOKED_UP", "FeetStep", "FootBalls", "feet_step", "looked_up"]

AXES = "xyz"
LOOKED_UP = ("height", "ahead", "left")
"""What a table says of the ground below a foot: height, and slopes along x and y."""


class FootBalls(NamedTuple):
    """Balls of all feet."""

    radius: float
    """Of a foot's ball [m]."""
    ease: float
    """h w, what a newton does to a foot's speed in a step [m/s/N]."""
    turns: int
    """Of Newton's iteration for its creep."""
    dt: float
    """Time step [s]."""
    has_table: bool
    """Whether the ground's height comes from a table."""


class FeetStep(NamedTuple):
    """The feet's part of a step."""

    forces: dict[str, Vec]
    """Of the ground, in W, by foot."""
    state: list[NamedNumber]
    """What is remembered, before the first step."""
    after: list[Expr]
    """The same after a step."""
    probes: list[tuple[str, str]]
    """Names of what of it says where the ground is looked up, along x and y."""


def looked_up(foot: str) -> list[str]:
    """Return the names of what a table says of the ground below a foot.

    Args:
        foot: its name.
    """
    return [f"{foot}.ground.{what}" for what in LOOKED_UP]


def feet_step(
    tree: RobotTree,
    given: NamedSymbols,
    settings: dict[str, Expr],
    balls: FootBalls,
    data: mujoco.MjData,
) -> FeetStep:
    """Return what the ground does to the feet.

    Args:
        tree: of the robot; its points are the feet.
        given: where symbols are made.
        settings: of the ground and its shape, by name.
        balls: of the feet.
        data: of the start, kinematics done.
    """
    found = FeetStep({}, [], [], [])
    slope, ease = GroundSlope.of(settings["slope"]), tree.tape.constant(balls.ease)
    for foot, at in tree.points.items():
        kept = [f"{foot}.carried.{k}" for k in AXES]
        before, p, v = given.symbols(kept), position(tree, *at), velocity(tree, *at)
        free = vector_difference(plus(v, v), (before[0], before[1], before[2]))
        plane = tangent_plane(settings, slope, p)
        if balls.has_table:
            plane = _table_plane(given, settings, foot, p)
        pressed = ball_force(
            settings, plane, balls.radius, balls.ease, free, balls.turns
        )
        found.forces[foot] = pressed.force
        found.state.extend(NamedNumber(name, "m/s") for name in kept)
        found.after.extend(plus(v, scaled_vector(ease, pressed.force)))
        found.state.append(NamedNumber(f"{foot}.load", "N"))
        found.after.append(pressed.press)
        if balls.has_table:
            names = (f"{foot}.probe.x", f"{foot}.probe.y")
            place = data.geom(foot).xpos
            found.probes.append(names)
            for k, name in enumerate(names):
                found.state.append(NamedNumber(name, "m", float(place[k])))
                found.after.append(p[k] + balls.dt * v[k])
    return found


def _table_plane(
    given: NamedSymbols, settings: dict[str, Expr], foot: str, p: Vec
) -> TangentPlane:
    """Return the plane that touches the table's ground where it was looked up.

    Args:
        given: has what was found, and where.
        settings: of the ground's shape; its slope is added.
        foot: its name.
        p: where the foot is, in W.
    """
    height, ahead, left = given.symbols(looked_up(foot))
    x, y = given.symbols((f"{foot}.probe.x", f"{foot}.probe.y"))
    under = height + ahead * (p[0] - x) + left * (p[1] - y) + settings["slope"] * p[0]
    gx, gy = ahead + settings["slope"], left
    up = 1 / sqrt(1.0 + gx * gx + gy * gy)
    return TangentPlane((p[2] - under) * up, (-gx * up, -gy * up, up))
