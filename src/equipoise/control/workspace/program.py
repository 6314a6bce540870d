"""Which forces the feet shall press with: one small least-squares problem a tick.

Rows are wishes, weighed: the trunk's acceleration X (six) and the horizontal
acceleration of the whole robot's centre of mass (two). Unknowns are pushes along the
edges of friction pyramids at the soles' corners, which cannot be negative.
"""

from typing import NamedTuple

import numpy as np

from equipoise.control.workspace.inboard import link_inertias
from equipoise.control.workspace.nonnegative import (
    Pushing,
    pushing_room,
    solve_pushing,
)
from equipoise.control.workspace.outboard import outboard_links, outboard_velocities
from equipoise.control.workspace.scratch import Scratch
from equipoise.control.workspace.small import inverse6
from equipoise.control.workspace.support import (
    EDGES,
    Support,
    ground_wrenches,
    inverse_dynamics,
    leg_equations,
    place_corners,
)
from equipoise.control.workspace.tree import TreeArrays
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = ["ROWS", "Program", "move_links", "press", "program_room", "whole_body"]

ROWS = 8
MEMORY = 1e-3  # weight of a push's change from tick to tick [1/kg²]: no rattling
EPSILON = 1e-6  # weight of a push against an acceleration [1/kg²]


class Program(NamedTuple):
    """The problem of one robot."""

    u: Support
    p: Pushing
    weight: Array
    """Of the trunk's x, y, z and rotations, and of the centre's x, y, (8,)."""
    wish: Array
    """What the rows shall be, (8,): the trunk's X, the centre's acceleration."""
    body: Array
    """The whole robot: mass, centre (3), its velocity (3), its rate ω, (8,)."""


def program_room(u: Support) -> Program:
    """Return room for the problem of a robot's legs."""
    p = pushing_room(ROWS, EDGES * len(u.corner))
    return Program(u, p, np.zeros(ROWS), np.zeros(ROWS), np.zeros(8))


@compiled(allocates=False)
def move_links(t: TreeArrays, s: Scratch, m: Program) -> None:
    """Place links, joints and corners, with velocities, inertias and the whole body."""
    outboard_links(
        t.inboard, t.first, t.R_IL, t.p_IL, t.com, t.is_slide, t.axis, t.anchor,
        t.reference, s.q, s.R_WL, s.p_OL, s.r_O, s.H,
    )  # fmt: skip
    outboard_velocities(t.inboard, t.first, s.H, s.v, s.V, s.a)
    link_inertias(t.mass, t.inertia, t.gravity, s.R_WL, s.r_O, s.V, s.P, s.z)
    place_corners(t.foot, s.R_WL, s.p_OL, m.u)
    whole_body(t.mass, t.gravity, s.r_O, s.V, s.p_WO, m.body)


@compiled(allocates=False)
def whole_body(
    mass: Array, gravity: float, r_O: Array, V: Array, p_WO: Array, body: Array
) -> None:
    """Write mass, centre of mass, its velocity and the pendulum's rate √(g/h)."""
    for d in range(7):
        body[d] = 0.0
    for k in range(mass.shape[0]):
        m, x, y, z = mass[k], r_O[k, 0], r_O[k, 1], r_O[k, 2]
        body[0] += m
        body[1] += m * x
        body[2] += m * y
        body[3] += m * z
        body[4] += m * (V[k, 0] + V[k, 4] * z - V[k, 5] * y)
        body[5] += m * (V[k, 1] + V[k, 5] * x - V[k, 3] * z)
        body[6] += m * (V[k, 2] + V[k, 3] * y - V[k, 4] * x)
    for d in range(3):
        body[1 + d] = body[1 + d] / body[0] + p_WO[d]
        body[4 + d] /= body[0]
    body[7] = (gravity / max(body[3], 0.05)) ** 0.5


@compiled(allocates=False)
def press(t: TreeArrays, s: Scratch, m: Program, friction: float) -> None:
    """Find the pushes that meet the wishes best, and write the torques they take."""
    u, p, room = m.u, m.p, m.u.room
    leg_equations(t, u, s.H, s.a, s.P, s.z)
    for r in range(6):
        for c in range(6):
            room[3, r, c] = u.Hm[0, r, c]
    inverse6(room, 3, 1)
    for r in range(6):
        total = m.wish[r]
        for c in range(6):
            total += room[1, r, c] * u.hm[0, c]
        p.b[r] = m.weight[r] * total
    for r in range(6, ROWS):
        p.b[r] = m.weight[r] * m.wish[r]
    fill_columns(u, friction, m.weight, m.body[0], p.A)
    solve_pushing(p, EPSILON, MEMORY)
    ground_wrenches(u, p.c, friction)
    for r in range(6):
        total = 0.0
        for c in range(6):
            push = -u.hm[0, c]
            for f in range(u.wrench.shape[0]):
                push += u.wrench[f, c]
            total += room[1, r, c] * push
        u.acceleration[0, r] = total
    inverse_dynamics(t, u, s.H, s.P, s.z, s.drift, s.tau)


@compiled(allocates=False)
def fill_columns(
    u: Support, friction: float, weight: Array, mass: float, A: Array
) -> None:
    """Write what one newton along each edge does to the rows; room[1] is Hm⁻¹."""
    room, p_O, corner_foot, stands = u.room, u.p_O, u.corner_foot, u.stands
    for k in range(corner_foot.shape[0]):
        grounded = 1.0 if stands[corner_foot[k]] == 1 else 0.0
        x, y, z = p_O[k, 0], p_O[k, 1], p_O[k, 2]
        for e in range(EDGES):
            i = EDGES * k + e
            fx = friction if e == 0 else (-friction if e == 1 else 0.0)
            fy = friction if e == 2 else (-friction if e == 3 else 0.0)
            nx, ny, nz = y - z * fy, z * fx - x, x * fy - y * fx
            for r in range(6):
                A[r, i] = (grounded * weight[r]) * (
                    room[1, r, 0] * fx + room[1, r, 1] * fy + room[1, r, 2]
                    + room[1, r, 3] * nx + room[1, r, 4] * ny + room[1, r, 5] * nz
                )  # fmt: skip
            A[6, i] = grounded * weight[6] * fx / mass
            A[7, i] = grounded * weight[7] * fy / mass
