"""What a plan by waves consists of: waves, and rests on all feet between them.

A segment is a straight piece of the commanded path. Its frame is the path's: x along
it, y to the left, the origin where the path is as the segment begins.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.planners.body import PlannedMachine
from equipoise.control.planners.recoil import swung, trunk_below
from equipoise.control.planners.wave import (
    Sampled,
    Wave,
    WaveMotion,
    planned_zero_moment_point,
    wave_motion,
)
from equipoise.control.records import PlannedTrunk, Travel
from equipoise.core.arrays import Array, Vec2
from equipoise.core.records import Records

__all__ = [
    "Course",
    "PlanSegment",
    "heading_of",
    "next_course",
    "rest_segment",
    "segment_margin",
    "wave_segment",
]

APART = 0.02  # of the knots: references come at 50 Hz [s]
SLOW = 1e-6  # speed below which the path keeps its direction [m/s]
EDGE = 1e-6  # of a segment's last knot from the next one's first [s]


@final
@dataclass(frozen=True, eq=False)
class Course:
    """Straight piece of the path, with its pace."""

    begin: float
    """On the plan's clock [s]."""
    origin: Vec2
    """Where the path is then, (2,) [m]."""
    heading: float
    """Of the path in W [rad]."""
    yaw: float
    """Of the trunk as the segment begins [rad]."""
    turn: float
    """Its rate [rad/s]."""
    speeds: tuple[float, float]
    """Along the path where the segment begins and ends [m/s]."""

    @property
    def axes(self) -> Array:
        """Along the path and to its left as rows, (2, 2)."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return np.array([[c, s], [-s, c]])

    def seen(self, places: Array) -> Array:
        """Return places in W as the path sees them.

        Args:
            places: (n, 2) [m].
        """
        return (places - self.origin) @ self.axes.T

    def shown(self, places: Array) -> Array:
        """Return places of the path's frame in W.

        Args:
            places: (n, 2) [m].
        """
        return self.origin + places @ self.axes


@final
@dataclass(frozen=True, eq=False)
class PlanSegment:
    """Wave or rest of a plan."""

    course: Course
    end: float
    """On the plan's clock; inf for a rest without end [s]."""
    before: Array
    """Where feet stand as it begins, (4, 2) [m]."""
    feet: Array
    """And when it is over, (4, 2) [m]."""
    start: Vec2
    """Where the centre of mass begins, in W, (2,) [m]."""
    legs: tuple[int, int] | None = None
    """The leading leg of a wave and the one across; None for a rest."""
    wave: Wave | None = None
    motion: WaveMotion | None = field(default=None, repr=False)
    goes: Vec2 = field(default_factory=lambda: np.zeros(2))
    """Velocity of the centre of mass where a rest begins, (2,) [m/s]."""
    aim: Vec2 = field(default_factory=lambda: np.zeros(2))
    """Where a rest brings it, in W, (2,) [m]."""
    lasts: float = 0.0
    """In which a rest does so [s]."""

    @property
    def rests_from(self) -> float:
        """Time at which a rest has brought the centre of mass to its goal [s]."""
        return self.course.begin + self.lasts

    @property
    def finish(self) -> Vec2:
        """Final position of the centre of mass in W, (2,) [m]."""
        if self.motion is None or self.wave is None:
            return self.aim
        last = self.motion.at(np.array([self.wave.duration])).place
        return self.course.shown(last)[0]

    def swing(self, leg: int) -> tuple[float, float]:
        """Return when a leg lifts and lands, on the plan's clock; inf: it stays.

        Args:
            leg: which.
        """
        if self.legs is None or self.wave is None or leg not in self.legs:
            return math.inf, math.inf
        begin, wave = self.course.begin, self.wave
        if leg == self.legs[0]:
            return begin, begin + wave.front_lands
        return begin + wave.rear_lifts, begin + wave.duration

    def sampled(self, times: Array) -> Sampled:
        """Return the motion of the centre of mass along the path and to its left.

        Args:
            times: since the segment began, (n,) [s].
        """
        if self.motion is not None:
            return self.motion.at(times)
        here, there = self.course.seen(np.array([self.start, self.aim]))
        pull = self.course.axes @ self.goes * self.lasts
        u = np.clip(times / self.lasts, 0.0, 1.0)[:, None]
        way = there - here
        place = here + pull * u + (3 * way - 2 * pull) * u**2 + (pull - 2 * way) * u**3
        rate = pull + 2 * (3 * way - 2 * pull) * u + 3 * (pull - 2 * way) * u**2
        bend = 2 * (3 * way - 2 * pull) + 6 * (pull - 2 * way) * u
        return Sampled(place, rate / self.lasts, bend / self.lasts**2)

    def knots(self, body: PlannedMachine) -> Records[PlannedTrunk]:
        """Return where the trunk shall be and go, (nk,).

        Args:
            body: of the machine.
        """
        lasts = self.wave.duration if self.wave is not None else self.lasts
        times = np.linspace(0.0, lasts, math.ceil(lasts / APART) + 1)
        motion, course = self.sampled(times), self.course
        out = PlannedTrunk.zeros(len(times))
        yaw = course.yaw + course.turn * times
        place = trunk_below(
            course.shown(motion.place),
            self.feet_at(times),
            yaw,
            body.stand,
            body.centre,
            body.shares,
        )
        out["time"] = course.begin + times
        out["time"][-1] -= EDGE  # its speed may jump there
        out["p_WB"][:, :2] = place
        out["p_WB"][:, 2] = math.nan
        out["v_WB"][:, :2] = np.gradient(place, times, axis=0, edge_order=2)
        out["rpy_WB"][:, 2], out["yaw_rate"] = yaw, course.turn
        if self.wave is None:
            out["yaw_rate"][-1], out["v_WB"][-1] = 0.0, 0.0
        return out

    def feet_at(self, times: Array) -> Array:
        """Return where feet are, seen from above, (4, n, 2) [m].

        Args:
            times: since the segment began, (n,) [s].
        """
        out = np.repeat(self.before[:, None], len(times), axis=1)
        for leg in self.legs or ():
            lifts, lands = self.swing(leg)
            share = (self.course.begin + times - lifts) / (lands - lifts)
            out[leg] = swung(self.before[leg], self.feet[leg], share)
        return out


def rest_segment(
    course: Course, start: Vec2, goes: Vec2, aim: Vec2, feet: Array, lasts: float,
    *, is_last: bool,
) -> PlanSegment:  # fmt: skip
    """Return a rest on all feet in which the centre of mass is brought to a place.

    Args:
        course: at which the trunk no longer turns.
        start: where the centre of mass is, in W, (2,) [m].
        goes: its velocity, (2,) [m/s].
        aim: where it shall be, (2,) [m].
        feet: where they stand, (4, 2) [m].
        lasts: in which it is brought there [s].
        is_last: whether it rests until it is told to go.
    """
    end = math.inf if is_last else course.begin + lasts
    return PlanSegment(course, end, feet, feet, start, goes=goes, aim=aim, lasts=lasts)


def wave_segment(
    course: Course,
    wave: Wave,
    body: PlannedMachine,
    start: Vec2,
    before: Array,
    legs: tuple[int, int],
    landing: Array,
    left_at_end: float,
) -> PlanSegment:
    """Return a wave.

    Args:
        course: that it goes.
        wave: when its legs swing.
        body: of the machine.
        start: where the centre of mass begins, in W, (2,) [m].
        before: where feet stand as it begins, (4, 2) [m].
        legs: the leading leg and the one across.
        landing: where both land, in W, (2, 2) [m].
        left_at_end: where the centre of mass ends, to the left of the path [m].
    """
    feet = before.copy()
    feet[list(legs)] = landing
    stay = [leg for leg in range(4) if leg not in legs]
    (xa, ya), (xb, yb) = course.seen(before[stay])
    (x, y) = course.seen(start[None])[0]
    line = ((float(xa), float(ya)), (float(xb), float(yb)))
    motion = wave_motion(
        wave, body.pace, (float(x), float(y)), course.speeds, line, left_at_end
    )
    end = course.begin + wave.duration
    return PlanSegment(course, end, before, feet, start, legs, wave, motion)


def segment_margin(segment: PlanSegment, pace: float) -> float:
    """Return how far the planned zero moment point stays within three feet [m].

    While two feet carry it, it is on the line between them; that does not count.

    Args:
        segment: a wave.
        pace: √(g/H) [1/s].
    """
    if segment.wave is None or segment.legs is None:
        return math.inf
    begins, ends = segment.wave.on_two
    least, count = math.inf, 8
    for times, feet, lifted in (
        (
            np.linspace(0.0, begins, count, endpoint=False),
            segment.before,
            segment.legs[0],
        ),
        (
            np.linspace(segment.wave.duration, ends, count, endpoint=False),
            segment.feet,
            segment.legs[1],
        ),
    ):
        points = planned_zero_moment_point(segment.sampled(times), pace)
        three = segment.course.seen(np.delete(feet, lifted, axis=0))
        for point in points:
            least = min(least, static_at(np.ascontiguousarray(three - point), 3))
    return least


def next_course(now: PlanSegment, heading: float, turn: float, speed: float) -> Course:
    """Return the course after a segment.

    Args:
        now: the segment.
        heading: of the path in W from there on [rad].
        turn: rate of the trunk's yaw [rad/s].
        speed: where the course ends [m/s].
    """
    course = now.course
    lasts = now.end - course.begin if now.end < math.inf else now.lasts
    way = 0.5 * sum(course.speeds) * lasts if now.wave is not None else 0.0
    origin = course.origin + way * course.axes[0]
    yaw = course.yaw + course.turn * lasts
    speeds = (course.speeds[1], speed)
    return Course(course.begin + lasts, origin, heading, yaw, turn, speeds)


def heading_of(goal: Records[Travel], yaw: float, otherwise: float) -> float:
    """Return where the path goes in W [rad].

    Args:
        goal: of the operator.
        yaw: of the trunk [rad].
        otherwise: for a goal that goes nowhere [rad].
    """
    velocity = goal["velocity"][0]
    if math.hypot(velocity[0], velocity[1]) < SLOW:
        return otherwise
    return yaw + math.atan2(velocity[1], velocity[0])
