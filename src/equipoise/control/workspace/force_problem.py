"""Which forces the feet shall press with: one small least-squares problem a tick.

Rows are wishes, weighed: the trunk's acceleration X (six) and the horizontal
acceleration of the whole robot's centre of mass (two). Unknowns are pushes along the
edges of friction pyramids at the soles' corners, which cannot be negative.
"""

from typing import NamedTuple

from equipoise.control.workspace.inboard import link_inertias
from equipoise.control.workspace.legs import EDGES, Support, place_corners
from equipoise.control.workspace.nonnegative import (
    Pushing,
    pushing_room,
    solve_pushing,
)
from equipoise.control.workspace.outboard import outboard_links, outboard_velocities
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.small import inverse6
from equipoise.control.workspace.support import (
    ground_wrenches,
    inverse_dynamics,
    leg_equations,
)
from equipoise.control.workspace.tree import TreeArrays
from equipoise.control.workspace.twists import Triple, speed_at
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "ForceProblem",
    "RobotMass",
    "Wishes",
    "force_problem",
    "move_links",
    "solve_pushes",
]

TRUNK, CENTRE = 6, 2  # rows, in this order
MEMORY = 1e-3  # weight of a push's change from tick to tick [1/kg²]: no rattling
EPSILON = 1e-6  # weight of a push against an acceleration [1/kg²]


class Wishes(Record):
    """Requests for the robot's motion, or their weights."""

    trunk: Array = entry("spatial acceleration of the central body", "m/s², rad/s²", 6)
    centre: Array = entry("horizontal acceleration of the centre of mass", "m/s²", 2)


class RobotMass(Record):
    """The whole robot as one mass."""

    mass: float = entry("of all links", "kg")
    p_WC: Array = entry("its centre", "m", 3)
    v_WC: Array = entry("velocity of the centre", "m/s", 3)
    rate: float = entry("ω = √(g/h) of the pendulum that it is", "1/s")


class ForceProblem(NamedTuple):
    """The problem of one robot."""

    u: Support
    p: Pushing
    weight: Records[Wishes]
    """How much each wish counts, (1,)."""
    wish: Records[Wishes]
    """(1,)."""
    whole: Records[RobotMass]
    """(1,)."""


def force_problem(u: Support) -> ForceProblem:
    """Return room for the problem of a robot's legs."""
    p = pushing_room(TRUNK + CENTRE, EDGES * len(u.corners))
    return ForceProblem(u, p, Wishes.zeros(), Wishes.zeros(), RobotMass.zeros())


@compiled(allocates=False)
def move_links(t: TreeArrays, s: Scratch, m: ForceProblem) -> None:
    """Place links, joints and corners, with velocities, inertias and the whole body."""
    outboard_links(t, s)
    outboard_velocities(t, s)
    link_inertias(t, s)
    place_corners(m.u, s.links)
    _whole_robot(t, s, m.whole)


@compiled(allocates=False)
def _whole_robot(t: TreeArrays, s: Scratch, whole: Records[RobotMass]) -> None:
    """Write mass, centre of mass, its velocity and the pendulum's rate √(g/h)."""
    one, p_WO = whole[0], s.trunk[0].p_WO
    p, v = one.p_WC, one.v_WC
    total = 0.0
    for d in range(3):
        p[d] = v[d] = 0.0
    for k in range(t.links.shape[0]):
        m, r = t.links[k].mass, s.links[k].r_O
        vx, vy, vz = speed_at(s.links[k].V, (r[0], r[1], r[2]))
        total += m
        for d in range(3):
            p[d] += m * r[d]
        v[0] += m * vx
        v[1] += m * vy
        v[2] += m * vz
    one.mass = total
    for d in range(3):
        p[d] = p[d] / total + p_WO[d]
        v[d] /= total
    one.rate = (t.gravity / max(p[2], 0.05)) ** 0.5


@compiled(allocates=False)
def solve_pushes(t: TreeArrays, s: Scratch, m: ForceProblem, friction: float) -> None:
    """Find the pushes that meet the wishes best, and write the torques they take."""
    u, p, wish, weight = m.u, m.p, m.wish[0], m.weight[0]
    leg_equations(t, s, u)
    body = u.body[0]
    for r in range(6):
        for c in range(6):
            body.spent[r, c] = body.Hm[r, c]
    inverse6(body.spent, body.inverse)
    for r in range(TRUNK):
        total = wish.trunk[r]
        for c in range(6):
            total += body.inverse[r, c] * body.hm[c]
        p.b[r] = weight.trunk[r] * total
    for d in range(CENTRE):
        p.b[TRUNK + d] = weight.centre[d] * wish.centre[d]
    _fill_columns(u, friction, m.weight, m.whole[0].mass, p.A)
    solve_pushing(p, EPSILON, MEMORY)
    ground_wrenches(u, p.c, friction)
    for r in range(6):
        total = 0.0
        for c in range(6):
            push = -body.hm[c]
            for f in range(u.feet.shape[0]):
                push += u.feet[f].wrench[c]
            total += body.inverse[r, c] * push
        body.acceleration[r] = total
    inverse_dynamics(t, s, u)


@compiled(allocates=False)
def _fill_columns(
    u: Support, friction: float, weight: Records[Wishes], mass: float, A: Array
) -> None:
    """Write what one newton along each edge does to the rows.

    Args:
        u: the corners and the inverse of Hm.
        friction: along an edge per newton upwards.
        weight: of the rows.
        mass: of the whole robot [kg].
        A: the problem's matrix, written.
    """
    inverse, rows = u.body[0].inverse, weight[0]
    for k in range(u.corners.shape[0]):
        p_O = u.corners[k].p_O
        grounded = 1.0 if u.feet[u.corners[k].foot].stands == 1 else 0.0
        x, y, z = p_O[0], p_O[1], p_O[2]
        for e in range(EDGES):
            i = EDGES * k + e
            fx = friction if e == 0 else (-friction if e == 1 else 0.0)
            fy = friction if e == 2 else (-friction if e == 3 else 0.0)
            turn = (y - z * fy, z * fx - x, x * fy - y * fx)
            for r in range(TRUNK):
                A[r, i] = (grounded * rows.trunk[r]) * _moved_by(
                    inverse, r, (fx, fy), turn
                )
            A[TRUNK, i] = grounded * rows.centre[0] * fx / mass
            A[TRUNK + 1, i] = grounded * rows.centre[1] * fy / mass


@compiled(allocates=False, force_inline=True)
def _moved_by(
    inverse: Array, r: int, along: tuple[float, float], turn: Triple
) -> float:
    """Return one row's acceleration by a wrench of one newton upwards."""
    fx, fy = along
    nx, ny, nz = turn
    return (
        inverse[r, 0] * fx
        + inverse[r, 1] * fy
        + inverse[r, 2]
        + inverse[r, 3] * nx
        + inverse[r, 4] * ny
        + inverse[r, 5] * nz
    )
