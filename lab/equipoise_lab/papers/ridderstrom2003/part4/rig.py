"""The balance rig of [Ridderstrom2003] section 9.2, its weight raised step by step.

The rig hangs in two springs, which is standing on them: the same two depths, the same
pull upwards. A weight of 1 kg of 4 is raised by 2 mm at a time, so the centre of mass
by half a millimetre, with pauses of 2 s; inertia and damping are not printed and are
chosen.
"""

import math
from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED, Rig
from equipoise_lab.papers.ridderstrom2003.part4.two_springs import (
    Springs,
    moved,
    rest_height,
)

__all__ = [
    "FRICTIONS",
    "LEAN",
    "RADII",
    "TRIMS",
    "Raising",
    "Tipped",
    "critical_height",
    "fold_height",
    "raised",
    "stuck_height",
]

RADII = (0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2)
"""Half-widths that are tried [m]; those of the thesis are only in its lost figure."""
TRIMS = (1e-6, 1e-5, 1e-4, 5e-4, 1e-3)
"""How unequal the wires are [m]."""
FRICTIONS = (0.02, 0.1, 0.3)
"""Dry friction in each spring [N]."""
LEAN = math.radians(1.0)
"""Tilt at which friction holds the rig when the weight passes the critical height."""
INERTIA, RATIO = 0.4, 0.1  # chosen [kg m^2], damping ratio of bouncing
WEIGHT_STEP, PAUSE = 0.002, 2.0  # [m], [s]
TIPPED = 0.3  # [rad]; the stance ends in a fold at 0.17 rad or less
START = 0.9  # height over the critical one; on the way there nothing happens
DT = 0.002  # [s]; the fastest motion, friction that sticks, has 90 rad/s
SAMPLES = 40_000


@dataclass(frozen=True)
class Raising:
    """One experiment: a rig, and what is not perfect about it."""

    radius: float
    trim: float = 0.0
    friction: float = 0.0


@dataclass(frozen=True, eq=False)
class Tipped:
    """How an experiment went."""

    height: float
    """Of the centre of mass when it tipped; nan if it never did [m]."""
    time: Array
    """(n,) [s]."""
    heights: Array
    """Of the centre of mass at these times, (n,) [m]."""
    angles: Array
    """(n,) [rad]."""


def critical_height(radius: float, rig: Rig = PRINTED.rig) -> float:
    """Return h_c = 2 k r^2 / (m g), where a = 1 [m].

    Args:
        radius: r [m].
        rig: its masses and stiffnesses.
    """
    return 2.0 * rig.stiffness * radius * radius / (rig.mass * GRAVITY)


def fold_height(radius: float, trim: float, rig: Rig = PRINTED.rig) -> float:
    """Return the height at which a badly trimmed rig has no stance left [m].

    A trim error t turns like an offset R = k r t / (m g h); the fold a^(-2/3) =
    1 + R^(2/3) of ``stability.fold`` with a = h / h_c and R = (t / 2r) / a is solved
    by a = (1 - (t / 2r)^(2/3))^(3/2).

    Args:
        radius: r [m].
        trim: t, how unequal the wires are [m].
        rig: its masses and stiffnesses.
    """
    share = (0.5 * trim / radius) ** (2.0 / 3.0)
    return critical_height(radius, rig) * (1.0 - share) ** 1.5


def stuck_height(radius: float, friction: float, rig: Rig = PRINTED.rig) -> float:
    """Return the height up to which dry friction holds a rig that leans a little [m].

    (m g h - 2 k r^2) alpha = 2 f r with alpha = lean + slip / r, as friction gives a
    little before it slides: h = h_c (1 + f / (k (r lean + slip))).

    Args:
        radius: r [m].
        friction: f, in each spring [N].
        rig: its masses and stiffnesses.
    """
    slip = Springs._field_defaults["slip"]
    held = friction / (rig.stiffness * (radius * LEAN + slip))
    return critical_height(radius, rig) * (1.0 + held)


def raised(job: Raising) -> Tipped:
    """Raise the weight until the rig tips.

    Args:
        job: the rig; with friction it starts at the critical height and leaning, else
            below it and upright.
    """
    rig, critical = PRINTED.rig, critical_height(job.radius)
    damping = RATIO * math.sqrt(2.0 * rig.stiffness * rig.mass)
    height, lean = (critical, LEAN) if job.friction else (START * critical, 0.0)
    body = Springs(
        rig.mass, INERTIA, rig.stiffness, damping, job.radius, height,
        trim=job.trim, friction=job.friction,
    )  # fmt: skip
    trace = np.zeros((SAMPLES, 3))
    step = WEIGHT_STEP * rig.weight / rig.mass
    count = _raise_slowly(body, step, 3.0 * critical, lean, trace)
    rows = trace[: abs(count)]
    tip = rows[-1, 1] if count > 0 else math.nan
    return Tipped(float(tip), rows[:, 0], rows[:, 1], rows[:, 2])


@compiled
def _raise_slowly(
    body: Springs, step: float, last: float, lean: float, trace: Array
) -> int:
    """Raise the centre of mass step by step and write time, height and tilt.

    Args:
        body: the rig at its first height.
        step: of the centre of mass [m].
        last: height at which to give up [m].
        lean: tilt at the start [rad].
        trace: rows of time, height and tilt, ten a pause, (n, 3).

    Returns:
        How many rows were written; negative if it did not tip.
    """
    y, work = np.zeros(6), np.zeros((5, 6))
    y[0], y[1] = rest_height(lean, body), lean
    height, time, count = body.height, 0.0, 0
    steps = int(PAUSE / DT)
    while height < last:
        rig = Springs(
            body.mass, body.inertia, body.stiffness, body.damping, body.half_width,
            height, body.offset, body.trim, body.friction, body.slip, body.pulls,
        )  # fmt: skip
        for n in range(steps):
            moved(y, rig, DT, work)
            time += DT
            is_down = abs(y[1]) > TIPPED
            if count < len(trace) and (is_down or n % (steps // 10) == 0):
                trace[count, 0], trace[count, 1], trace[count, 2] = time, height, y[1]
                count += 1
            if is_down:
                return count
        height += step
        y[0] += step * math.cos(y[1])
        y[2] -= step * math.sin(y[1]) * y[3]
    return -count
