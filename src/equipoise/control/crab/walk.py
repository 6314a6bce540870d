"""Steps on their way: the one that is being gone, and the next.

Plans are made in the heading's frame H, which is W turned by the heading that is kept,
about W's origin; each step remembers in which.
"""

import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple, final

import numpy as np

from equipoise.control.crab.footing import Footing, footholds_near
from equipoise.control.crab.gait import CrabConfig
from equipoise.control.crab.regions import CrabBody, CrabLeg
from equipoise.control.crab.search import (
    CrabBench,
    CrabPath,
    CrabRoom,
    CrabTry,
    lands_there,
    write_feet,
)
from equipoise.control.crab.step import CrabStand, leg_order, next_step
from equipoise.control.crab.timing import (
    CrabTimes,
    knot_bends,
    knot_velocities,
    step_times,
)
from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.records import PlannedLeg, PlannedTrunk
from equipoise.core.arrays import Array, Vec2
from equipoise.core.constants import GRAVITY
from equipoise.core.records import Records

__all__ = [
    "CrabMachine",
    "CrabView",
    "GoneStep",
    "knots",
    "paced",
    "planned",
    "planned_legs",
    "replaced",
    "yaw_matrix",
]


SLOWER, SLOWED = 1.15, 12  # by how much a step is slowed down, and how often
FARTHER = 20  # times as many footholds are tried where one turned out bad


class CrabMachine(NamedTuple):
    """Machine as it is planned for."""

    legs: Records[CrabLeg]
    """Reach and mass, (4,)."""
    body: Records[CrabBody]
    """(1,)."""
    height: float
    """Of the centre of mass over the ground [m]."""

    def bench(self, path: Records[CrabPath]) -> CrabBench:
        """Return what kernels need, with memory of its own.

        Args:
            path: to go, (1,).
        """
        order = leg_order(self.legs, path[0].ahead)
        return CrabBench(
            self.legs.copy(), self.body.copy(), path, order, CrabRoom.zeros()
        )

    def trunk(self, feet: Array, centre: Vec2) -> Vec2:
        """Return where the trunk is when the centre of mass is there, (2,) [m].

        Args:
            feet: (4, 2) [m].
            centre: of mass, (2,) [m].
        """
        body = self.stood(feet)[0]
        return body.back @ (centre - body.offset)

    def centre(self, feet: Array, trunk: Vec2) -> Vec2:
        """Return where the centre of mass is when the trunk is there, (2,) [m].

        Args:
            feet: (4, 2) [m].
            trunk: (2,) [m].
        """
        body = self.stood(feet)[0]
        return np.linalg.solve(body.back, trunk) + body.offset

    def stretched(self, more: float) -> "CrabMachine":
        """Return the machine with legs that may reach farther at each end.

        Args:
            more: than planned with [m].
        """
        legs = self.legs.copy()
        legs["low"] -= more
        legs["high"] += more
        return self._replace(legs=legs)

    def stood(self, feet: Array) -> Records[CrabBody]:
        """Return how the centre of mass follows the trunk over some feet, (1,)."""
        path = CrabPath.zeros()
        bench = CrabBench(
            self.legs.copy(), self.body.copy(), path, np.arange(4), CrabRoom.zeros()
        )
        write_feet(bench, feet)
        return bench.body


@final
@dataclass(frozen=True, eq=False)
class CrabView:
    """View of the machine when a step is planned, in H."""

    yaw: float
    """Of H in W [rad]."""
    stand: Records[CrabTry]
    """Where it stands or will stand, (1,)."""
    path: Records[CrabPath]
    """(1,)."""
    speed: float
    """Commanded [m/s]."""
    ground: Footing | None = field(default=None)
    is_first: bool = False
    """Whether it has stood before."""


@final
@dataclass(frozen=True, eq=False)
class GoneStep:
    """Step with its times."""

    yaw: float
    """Of H in W [rad]."""
    start: Records[CrabTry]
    """Where it stood before, (1,)."""
    step: Records[CrabTry]
    """(1,)."""
    times: CrabTimes
    clearance: float
    """Of the foot over the line between its footholds [m]."""

    @property
    def leg(self) -> int:
        """That steps."""
        return int(self.step[0].leg)

    @property
    def foothold(self) -> Vec2:
        """Where it lands in W, (2,) [m]."""
        return yaw_matrix(self.yaw) @ self.step[0].feet[self.leg]


def yaw_matrix(yaw: float) -> Array:
    """Return the rotation about the vertical, (2, 2)."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s], [s, c]])


def planned(
    machine: CrabMachine, view: CrabView, config: CrabConfig, began: float
) -> GoneStep | None:
    """Return the next step; None where none is possible.

    Args:
        machine: that walks.
        view: what is seen.
        config: of the gait.
        began: when the step begins [s].
    """
    start = CrabStand(view.stand, machine.legs, machine.body, view.ground)
    step = next_step(start, view.path, config.look())
    if step is None:
        return None
    leg, stand = int(step[0].leg), view.stand[0]
    times = step_times(
        stand.lands,
        stand.feet[leg],
        step,
        view.path[0].ahead,
        config.pace(view.speed, is_first=view.is_first),
        began,
    )
    return GoneStep(view.yaw, view.stand, step, times, config.clearance)


class CrabKnot(NamedTuple):
    """An instant of the way over steps."""

    time: float
    """[s]."""
    yaw: float
    """Of H in W [rad]."""
    before: Array
    """Feet before the step in H, (4, 2) [m]."""
    feet: Array
    """As they stand from then on, (4, 2) [m]."""
    centre: Vec2
    """Of mass in H, (2,) [m]."""
    leg: int
    """That steps."""


def way_of(steps: list[GoneStep]) -> list[CrabKnot]:
    """Return where steps begin, lift and land."""
    rows = list[CrabKnot]()
    for k, gone in enumerate(steps):
        start, end, t, leg = gone.start[0], gone.step[0], gone.times, gone.leg
        old, new = start.feet, end.feet
        if k == 0:
            rows.append(CrabKnot(t.began, gone.yaw, old, old, start.lands, leg))
        rows.append(CrabKnot(t.lift, gone.yaw, old, old, end.lifts, leg))
        rows.append(CrabKnot(t.land, gone.yaw, old, new, end.lands, leg))
    return rows


def paced(
    machine: CrabMachine, steps: list[GoneStep], first: Vec2, config: CrabConfig
) -> GoneStep:
    """Return the last of some steps, made slower until its way can be gone.

    That is: as its leg lifts and lands, and as the one before it lands, the point on
    the ground that carries the accelerated machine, c - c'' h / g, must be within the
    feet that stand; and should a foot not find the ground, the machine must come to
    rest upon the others: c + c' √(h / g) must be within them as it lands.

    Args:
        machine: that walks.
        steps: the present one and the next, or the first alone.
        first: velocity of the centre of mass where the first begins, in W, (2,) [m/s].
        config: of the gait.
    """
    last = steps[-1]
    for _ in range(SLOWED):
        rows = way_of([*steps[:-1], last])
        times = [row.time for row in rows]
        centres = np.array([yaw_matrix(row.yaw) @ row.centre for row in rows])
        velocity = knot_velocities(times, centres, first, rests=False)
        bends = knot_bends(times, centres, velocity)
        since = 1 if len(steps) == 1 else 2  # what has lifted is in the air already
        if _least_margin(machine, rows, velocity, bends, since) >= config.carried:
            break
        t = last.times
        lift = t.began + SLOWER * (t.lift - t.began)
        later = CrabTimes(began=t.began, lift=lift, land=lift + t.land - t.lift)
        last = replace(last, times=later)
    return last


def _least_margin(
    machine: CrabMachine,
    rows: list[CrabKnot],
    velocity: Array,
    bends: Array,
    since: int,
) -> float:
    """Return how far the least the machine's motion is within its feet [m].

    Args:
        machine: that walks.
        rows: of its way.
        velocity: there, in W, (n, 2) [m/s].
        bends: acceleration there, in W, (n, 2) [m/s²].
        since: first row that counts.
    """
    fall, least = machine.height / GRAVITY, math.inf
    for k in range(since, len(rows)):
        row = rows[k]
        feet, back = np.delete(row.before, row.leg, axis=0), yaw_matrix(-row.yaw)
        points = [row.centre - fall * (back @ bends[k])]
        if k % 2 == 0:  # it lands
            points.append(row.centre + math.sqrt(fall) * (back @ velocity[k]))
        for point in points:
            least = min(least, static_at(feet - point, len(feet)))
    return least


def replaced(
    machine: CrabMachine,
    view: CrabView,
    leg: int,
    wishes: tuple[Vec2, Vec2],
    config: CrabConfig,
    now: float,
) -> GoneStep:
    """Return a step of a leg that has no foothold to another one; the trunk stays.

    Args:
        machine: that walks.
        view: what is seen, the leg's foot where it is.
        leg: that has no foothold.
        wishes: near which a foothold is looked for, and where it goes if none is
            allowed, (2,) each [m].
        config: of the gait.
        now: by the clock [s].
    """
    bench, step = machine.bench(view.path), view.stand.copy()
    one, own = step[0], bench.legs[leg]
    at, centre = one.feet[leg].copy(), one.lands.copy()
    trunk = machine.trunk(one.feet, centre)
    one.leg, one.lifts[:] = leg, centre
    many = FARTHER * config.footholds
    low, high = trunk + own.low, trunk + own.high
    for place in footholds_near(view.ground, wishes[0], low, high, many):
        one.feet[leg] = place
        write_feet(bench, one.feet)
        bench.room[0].wanted[:] = machine.centre(one.feet, trunk)
        if lands_there(bench, step):
            break
    else:
        one.feet[leg] = wishes[1]
        one.lands[:] = machine.centre(one.feet, trunk)
    ahead, pace = view.path[0].ahead, config.pace(math.inf)
    times = step_times(centre, at, step, ahead, pace, now)
    lasts = max(times.land - times.lift, config.replaced)
    times = CrabTimes(began=now, lift=now, land=now + lasts)
    return GoneStep(view.yaw, view.stand, step, times, config.replaced_clearance)


def planned_legs(steps: list[GoneStep]) -> Records[PlannedLeg]:
    """Return what legs do, (4,); of a leg that steps twice the first one counts.

    Args:
        steps: the present one, and the next if it is known.
    """
    legs = PlannedLeg.zeros(4)
    legs["lift"] = legs["land"] = math.inf
    legs["foothold"] = math.nan
    for gone in reversed(steps):
        one = legs[gone.leg]
        one.lift, one.land = gone.times.lift, gone.times.land
        one.foothold[:2], one.clearance = gone.foothold, gone.clearance
    return legs


def knots(
    machine: CrabMachine, steps: list[GoneStep], first: Vec2, *, rests: bool
) -> Records[PlannedTrunk]:
    """Return the trunk's way over steps.

    Args:
        machine: that walks.
        steps: the present one, and the next if it is known.
        first: velocity of the centre of mass where the first begins, in W, (2,) [m/s].
        rests: whether it stands after the last.
    """
    rows = way_of(steps)
    centres = np.array([yaw_matrix(row.yaw) @ row.centre for row in rows])
    times = [row.time for row in rows]
    velocity = knot_velocities(times, centres, first, rests=rests)
    out = PlannedTrunk.zeros(len(rows))
    for k, row in enumerate(rows):
        turn, body = yaw_matrix(row.yaw), machine.stood(row.feet)[0]
        out[k].time, out[k].rpy_WB[2] = row.time, row.yaw
        out[k].p_WB[:2] = turn @ (body.back @ (row.centre - body.offset))
        out[k].v_WB[:2] = turn @ (body.back @ (turn.T @ velocity[k]))
        out[k].p_WB[2] = math.nan
    return out
