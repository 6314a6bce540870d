"""What a machine knows of itself at a tick, exactly, as straight lines.

Places, velocities and loads are the true ones, where the walking controller has an
observer. A foothold is where a foot began to stand, and is drawn to the foot as the
observer's is, ``observer.trunk``: feet slip and sink in.
"""

from typing import NamedTuple

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.straight.memory import TickMemory
from equipoise.equations.robot.equations import RobotEquations
from equipoise.equations.robot.recursions import as_part
from equipoise.equations.robot.tree import Inertia, LinkTree, regrouped
from equipoise.equations.tape.derivatives import jacobian
from equipoise.equations.tape.functions import where
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import (
    Rows,
    Vec,
    inner_product,
    plus,
    scaled_vector,
    vector_difference,
)

__all__ = ["KnownLeg", "KnownTrunk", "constants", "known_legs", "known_trunk"]

AXES = "xyz"


class KnownTrunk(NamedTuple):
    """Known state of the trunk."""

    p_WB: Vec
    v_WB: Vec
    w_WB_B: Vec
    R_WB: Rows
    p_BC: Vec
    dt: float
    """Control period [s]."""
    mass: Expr
    """Of the whole machine."""


class KnownLeg(NamedTuple):
    """Known state of one leg."""

    hip: tuple[float, float, float]
    """Where it hangs, in B."""
    q: tuple[Expr, ...]
    v: tuple[Expr, ...]
    foot: Vec
    """Hip to foot, in B."""
    rate: Vec
    """Its velocity seen from the trunk."""
    jacobian: tuple[tuple[Expr, ...], ...]
    """Of the foot, row by row."""
    load: Expr
    """On the foot."""
    foothold: Vec
    """Where in W it stands, or last stood."""
    stood: Expr
    """1 where it stood at the last tick."""


def constants(tree: LinkTree, values: "np.ndarray | tuple[float, ...]") -> Vec:
    """Return three numbers on a tree's tape.

    Args:
        tree: whose tape it is.
        values: (3,).
    """
    x, y, z = (tree.tape.constant(float(k)) for k in values)
    return (x, y, z)


def known_trunk(equations: RobotEquations, mass: Expr, dt: float) -> KnownTrunk:
    """Return what is known of the trunk.

    Args:
        equations: of the robot, its base on a free joint.
        mass: of the whole machine.
        dt: control period [s].
    """
    q, v, tree = equations.q, equations.v, equations.tree
    turn = tree.links[0].turn
    unit = [constants(tree, row) for row in np.eye(3)]
    columns = [turn.out(axis) for axis in unit]
    rows = tuple((columns[0][k], columns[1][k], columns[2][k]) for k in range(3))
    return KnownTrunk(
        (q[0], q[1], q[2]),
        (v[0], v[1], v[2]),
        (v[3], v[4], v[5]),
        (rows[0], rows[1], rows[2]),
        _centre_in_base(equations),
        dt,
        mass,
    )


def _centre_in_base(equations: RobotEquations) -> Vec:
    """Return the centre of mass of all that moves, in the base's frame."""
    tree = equations.tree
    parts: list[list[Inertia]] = [[] for _ in tree.links]
    owns = regrouped(tree, "inertia")
    mass = tree.zero
    for k in reversed(range(len(tree.links))):
        mass = mass + tree.links[k].inertia.mass
        own = owns[k].plus(*parts[k])
        if k == 0:
            return scaled_vector(1 / mass, own.moment)
        parts[tree.links[k].parent].append(as_part(tree.links[k], own))
    return (tree.zero, tree.zero, tree.zero)


def known_legs(
    equations: RobotEquations,
    machine: LeggedMachine,
    trunk: KnownTrunk,
    observer: TrunkConfig,
    joints: "list[list[tuple[int, int]]]",
    loads: list[Expr],
    stands: list[Expr],
    memory: TickMemory,
) -> list[KnownLeg]:
    """Return what is known of the legs, their footholds drawn to their feet.

    Args:
        equations: of the robot; its points are the feet.
        machine: that it is.
        trunk: what is known of it.
        observer: in which time footholds are drawn, and from which load.
        joints: numbers of coordinate and speed of each leg's joints.
        loads: on the feet.
        stands: 1 for feet that stood at the last tick.
        memory: has the footholds.
    """
    tree, found = equations.tree, list[KnownLeg]()
    points = list(equations.robot.points.items())
    for k, (_, (link, r)) in enumerate(points):
        while link > 0:
            own = tree.links[link]
            r, link = plus(own.place, own.turn.out(r)), own.parent
        q = tuple(equations.q[a] for a, _ in joints[k])
        v = tuple(equations.v[b] for _, b in joints[k])
        rows = tuple(tuple(row) for row in jacobian(list(r), list(q)))
        speeds = [_sum_of(row, v) for row in rows]
        hip = tuple(float(x) for x in machine.geometry.hips[k])
        at = plus(
            trunk.p_WB,
            (
                inner_product(trunk.R_WB[0], r),
                inner_product(trunk.R_WB[1], r),
                inner_product(trunk.R_WB[2], r),
            ),
        )
        tells = stands[k] * (1.0 - (loads[k] < observer.loaded))
        hold = _drawn_foothold(observer, k, at, stands[k], tells, trunk.dt, memory)
        found.append(
            KnownLeg(
                (hip[0], hip[1], hip[2]),
                q,
                v,
                vector_difference(r, constants(tree, hip)),
                (speeds[0], speeds[1], speeds[2]),
                rows,
                loads[k],
                hold,
                stands[k],
            )
        )
    return found


def _drawn_foothold(
    observer: TrunkConfig,
    k: int,
    at: Vec,
    stands: Expr,
    tells: Expr,
    dt: float,
    memory: TickMemory,
) -> Vec:
    """Return where a foot stands, or last stood, drawn to where it is.

    Args:
        observer: in which time it is drawn.
        k: number of the leg.
        at: where the foot is, in W.
        stands: 1 where it stood at the last tick.
        tells: 1 where it is loaded too.
        dt: control period [s].
        memory: has the foothold.
    """
    times = (observer.slip_time, observer.slip_time, observer.sink_time)
    is_new = stands * (1.0 - memory.read(f"stood.{k}"))
    memory.write(f"stood.{k}", stands)
    hold: list[Expr] = []
    for axis, place, time in zip(AXES, at, times, strict=True):
        name = f"foothold.{k}.{axis}"
        put = where(is_new, place, memory.read(name, "m"))
        share = dt / (time + dt)
        hold.append(where(tells, put + share * (place - put), put))
        memory.write(name, hold[-1])
    return (hold[0], hold[1], hold[2])


def _sum_of(row: tuple[Expr, ...], values: tuple[Expr, ...]) -> Expr:
    """Return the inner product of a row with values."""
    total = row[0] * values[0]
    for a, b in zip(row[1:], values[1:], strict=True):
        total = total + a * b
    return total
