"""A step's trunk motion over two feet and then four, as TITAN VI plans it.

While two feet stand, the centre of mass falls away from the line between them as a
pendulum that stands on its tip, y'' = ω² y with ω² = g/H; along the line it goes at one
speed in the first half and at another in the second. On four feet it goes straight. The
three velocities are chosen so that it will cross the next line half way through the
next time on two feet, with the least jumps of velocity and the least deviation from the
wanted one: a 5 x 5 system. [Ridderstrom2003] section 3.1.4 names the criteria; the
printed construction has errors, this one has the same aim.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.constants import GRAVITY

__all__ = ["PlannedStep", "StepLine", "planned_step"]

WANTED = 0.05  # weight of a deviation from the wanted velocity against that of a jump
TIED = 1e3  # weight that ties the last velocity where there is no time on four feet
SHORT = 1e-6  # a time on four feet that is none [s]


@final
@dataclass(frozen=True, eq=False)
class StepLine:
    """Line between two standing feet."""

    middle: VecN
    """(2,) [m]."""
    angle: float
    """[rad]."""

    @property
    def along(self) -> VecN:
        """Unit vector along it, (2,)."""
        return np.array([math.cos(self.angle), math.sin(self.angle)])

    @property
    def across(self) -> VecN:
        """Unit vector across it, to the left, (2,)."""
        return np.array([-math.sin(self.angle), math.cos(self.angle)])


@final
@dataclass(frozen=True, eq=False)
class PlannedStep:
    """Trunk motion of a step from lift-off to lift-off; times from its start."""

    line: StepLine
    start: VecN
    """Centre of mass at its start, (2,) [m]."""
    leaving: float
    """Velocity across the line at its start [m/s]."""
    first: float
    """Velocity along the line in the first half on two feet [m/s]."""
    second: float
    """In the second [m/s]."""
    last: VecN
    """Velocity on four feet, (2,) [m/s]."""
    swing: float
    """Time on two feet [s]."""
    lasts: float
    """All of it [s]."""
    pace: float
    """ω [1/s]."""

    def across(self, time: float) -> tuple[float, float]:
        """Return place and velocity across the line on two feet."""
        off = float(self.line.across @ (self.start - self.line.middle))
        c, s = math.cosh(self.pace * time), math.sinh(self.pace * time)
        return (
            off * c + self.leaving / self.pace * s,
            off * self.pace * s + self.leaving * c,
        )

    def at(self, time: float, *, is_before: bool = False) -> tuple[VecN, VecN]:
        """Return place and velocity of the centre of mass, (2,) each.

        Args:
            time: from the step's start [s].
            is_before: whether at a jump the velocity before it counts.
        """
        half = 0.5 * self.swing
        on_two = min(time, self.swing)
        y, rate = self.across(on_two)
        x = float(self.line.along @ (self.start - self.line.middle))
        x += self.first * min(on_two, half) + self.second * max(on_two - half, 0.0)
        along = self.first if time < half or (is_before and time <= half) else None
        along = self.second if along is None else along
        place = self.line.middle + x * self.line.along + y * self.line.across
        if time < self.swing or (is_before and time <= self.swing):
            return place, along * self.line.along + rate * self.line.across
        return place + (time - self.swing) * self.last, self.last


def planned_step(
    line: StepLine,
    following: StepLine,
    place: VecN,
    velocity: VecN,
    wanted: VecN,
    swing: float,
    lasts: float,
    height: float,
) -> PlannedStep:
    """Return the trunk motion of a step.

    Args:
        line: between the feet that stand.
        following: between those that land.
        place: of the centre of mass, (2,) [m].
        velocity: of it, (2,) [m/s].
        wanted: velocity, (2,) [m/s].
        swing: time on two feet [s].
        lasts: time from lift-off to lift-off [s].
        height: of the centre of mass over the feet [m].
    """
    e, n, m = line.along, line.across, following.across
    pace, on_four = math.sqrt(GRAVITY / height), lasts - swing
    step = PlannedStep(
        line, place, float(n @ velocity), 0.0, 0.0, np.zeros(2), swing, lasts, pace
    )
    y, falls = step.across(swing)
    rows, right = _criteria(e, n, velocity, wanted, falls, on_four)
    turn = pace / math.tanh(0.5 * pace * swing)
    x = float(e @ (place - line.middle))
    lands = line.middle + x * e + y * n - following.middle
    held = np.zeros(4)  # m.c + turn m.(p(Ts) + c t4 - P2) = 0
    held[:2] = turn * 0.5 * swing * float(m @ e)
    held[2:] = (1.0 + turn * on_four) * m
    kkt = np.zeros((5, 5))
    kkt[:4, :4], kkt[:4, 4], kkt[4, :4] = rows.T @ rows, held, held
    aims = np.concatenate([rows.T @ right, [-turn * float(m @ lands)]])
    found: VecN = np.asarray(np.linalg.solve(kkt, aims), dtype=np.float64)
    return PlannedStep(
        line, place, step.leaving, float(found[0]), float(found[1]), found[2:4].copy(),
        swing, lasts, pace,
    )  # fmt: skip


def _criteria(
    e: VecN, n: VecN, velocity: VecN, wanted: VecN, falls: float, on_four: float
) -> tuple[Array, VecN]:
    """Return jumps and deviations as rows over [v_a, v_b, c_x, c_y], and their aims.

    Args:
        e: unit vector along the line, (2,).
        n: unit vector across it, (2,).
        velocity: at the start, (2,) [m/s].
        wanted: velocity, (2,) [m/s].
        falls: velocity across the line when the other feet land [m/s].
        on_four: time on four feet [s].
    """
    tied = TIED if on_four < SHORT else 1.0
    rows = np.array(
        [
            [1.0, 0.0, 0.0, 0.0],
            [-1.0, 1.0, 0.0, 0.0],
            [0.0, -tied * e[0], tied, 0.0],
            [0.0, -tied * e[1], 0.0, tied],
            [WANTED, 0.0, 0.0, 0.0],
            [0.0, WANTED, 0.0, 0.0],
            [0.0, 0.0, WANTED, 0.0],
            [0.0, 0.0, 0.0, WANTED],
        ]
    )
    ahead = WANTED * float(e @ wanted)
    right = np.array(
        [
            float(e @ velocity),
            0.0,
            tied * falls * n[0],
            tied * falls * n[1],
            ahead,
            ahead,
            WANTED * wanted[0],
            WANTED * wanted[1],
        ]
    )
    return rows, right
