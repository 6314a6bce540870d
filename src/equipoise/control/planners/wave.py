"""One wave of the expanded trot: two diagonal legs swing, the trunk passes over them.

A wave lasts from the lifting of a front foot to the landing of the rear foot across,
[Ridderstrom2003] section 3.1.2. With duty factor β and duration T_w the front leg
swings in [0, t₂] and the rear one in [t₁, T_w],

    t₁ = (2β - 1) T_w,    t₂ = 2 (1 - β) T_w,

so that below β = 3/4 the machine stands on the other diagonal alone in [t₁, t₂] and
from there on never on less than three feet: a trot at 1/2, a crawl from 3/4 on.

Along the path the centre of mass has a constant acceleration a. Across it moves with a
constant speed on three feet and more, and on two so that the zero moment point stays on
the line between them. With L the line's y at the centre's x, ω² = g/H and η = y - L,

    y - y''/ω² = y_a + κ (x - a/ω² - x_a)   =>   η'' = ω² η,

for the acceleration along the path drops out. Both speeds follow from where the wave
begins and ends; that across the path may jump between waves, where all four feet stand.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from equipoise.core.arrays import Array, VecN

__all__ = [
    "CRAWL",
    "Sampled",
    "Wave",
    "WaveMotion",
    "planned_zero_moment_point",
    "wave_motion",
]

CRAWL = 0.75
"""Duty factor from which on three feet stand at least."""
Place = tuple[float, float]


@final
@dataclass(frozen=True, slots=True)
class Wave:
    """Swing times of the two legs of a wave, from its start."""

    duration: float
    """T_w [s]."""
    duty: float
    """β, share of two waves for which a leg stands, 0.5 to below 1."""

    @property
    def rear_lifts(self) -> float:
        """t₁ [s]."""
        return (2.0 * self.duty - 1.0) * self.duration

    @property
    def front_lands(self) -> float:
        """t₂ [s]."""
        return 2.0 * (1.0 - self.duty) * self.duration

    @property
    def on_two(self) -> tuple[float, float]:
        """Interval in which two feet carry it; an instant for a crawl [s]."""
        if self.duty >= CRAWL:
            return 0.5 * self.duration, 0.5 * self.duration
        return self.rear_lifts, self.front_lands


class Sampled(NamedTuple):
    """Sampled motion along the path and to its left."""

    place: Array
    """(n, 2) [m]."""
    velocity: Array
    """(n, 2) [m/s]."""
    acceleration: Array
    """(n, 2) [m/s²]."""


@final
@dataclass(frozen=True, slots=True)
class WaveMotion:
    """Motion of the centre of mass in a wave, along its path and to the left."""

    wave: Wave
    pace: float
    """ω [1/s]."""
    start: Place
    """[m]."""
    speed: float
    """Along the path where the wave begins [m/s]."""
    push: float
    """Acceleration along the path, a [m/s²]."""
    first: float
    """Speed to the left until two feet carry it [m/s]."""
    last: float
    """And once they no longer do [m/s]."""
    slope: float
    """κ of the line between the feet that stand throughout."""
    level: float
    """Where that line is at x = 0 [m]."""

    def at(self, times: VecN) -> Sampled:
        """Return the motion at some instants of the wave.

        Args:
            times: since it began, (n,) [s].
        """
        t = np.clip(np.asarray(times, float), 0.0, self.wave.duration)
        place, velocity, acceleration = np.zeros((3, len(t), 2))
        place[:, 0] = self.start[0] + t * (self.speed + 0.5 * self.push * t)
        velocity[:, 0] = self.speed + self.push * t
        acceleration[:, 0] = self.push
        begins, ends = self.wave.on_two
        place[:, 1] = self.start[1] + self.first * t
        velocity[:, 1] = self.first
        on_two, after = (begins <= t) & (t <= ends), t > ends
        if ends > begins:
            found = self.over_line(np.where(on_two, t, begins), place[:, 0])
            for out, value in zip((place, velocity, acceleration), found, strict=True):
                out[on_two, 1] = value[on_two]
        left = self.over_line(np.array([ends]), self.along(ends))[0][0]
        place[after, 1] = left + self.last * (t[after] - ends)
        velocity[after, 1] = self.last
        return Sampled(place, velocity, acceleration)

    def along(self, time: float) -> Array:
        """Return the way along the path at an instant, (1,) [m]."""
        return np.array([self.start[0] + time * (self.speed + 0.5 * self.push * time)])

    def over_line(self, t: VecN, x: VecN) -> tuple[VecN, VecN, VecN]:
        """Return y and its derivatives while the zero moment point is on the line."""
        begins, w, k = self.wave.on_two[0], self.pace, self.slope
        x1, v1 = self.along(begins)[0], self.speed + self.push * begins
        off = self.start[1] + self.first * begins - self.level - k * x1
        rate = (self.first - k * v1) / w
        c, s = np.cosh(w * (t - begins)), np.sinh(w * (t - begins))
        eta = off * c + rate * s
        v = self.speed + self.push * t
        return (
            eta + self.level + k * x,
            w * (off * s + rate * c) + k * v,
            w * w * eta + k * self.push,
        )


def wave_motion(
    wave: Wave,
    pace: float,
    start: Place,
    speeds: Place,
    line: tuple[Place, Place],
    left_at_end: float,
) -> WaveMotion:
    """Return how the centre of mass moves in a wave; the closed form.

    Args:
        wave: when its legs swing.
        pace: ω = √(g/H) with H the centre's height over the feet [1/s].
        start: where it begins, along the path and to the left [m].
        speeds: along the path where it begins and ends [m/s].
        line: the feet that stand throughout, which must not lie straight across [m].
        left_at_end: where it ends, to the left of the path [m].
    """
    (xa, ya), (xb, yb) = line
    slope = (yb - ya) / (xb - xa)
    level, push = ya - slope * xa, (speeds[1] - speeds[0]) / wave.duration
    t1, t2 = wave.on_two

    def along(t: float) -> tuple[float, float]:
        return start[0] + t * (speeds[0] + 0.5 * push * t), speeds[0] + push * t

    (x1, v1), (x2, v2) = along(t1), along(t2)
    line1, line2 = level + slope * x1, level + slope * x2
    c, s = math.cosh(pace * (t2 - t1)), math.sinh(pace * (t2 - t1))
    rest = wave.duration - t2
    g1, g2 = c + pace * s * rest, s / pace + c * rest
    wanted = left_at_end - line2 - slope * v2 * rest
    first = (wanted - (start[1] - line1) * g1 + slope * v1 * g2) / (t1 * g1 + g2)
    off, rate = start[1] + first * t1 - line1, first - slope * v1
    last = slope * v2 + pace * off * s + rate * c
    return WaveMotion(wave, pace, start, speeds[0], push, first, last, slope, level)


def planned_zero_moment_point(motion: Sampled, pace: float) -> Array:
    """Return the zero moment point of a level motion, (n, 2) [m].

    Args:
        motion: of the centre of mass.
        pace: ω = √(g/H) [1/s].
    """
    return motion.place - motion.acceleration / pace**2
