"""A body on two springs in a plane, stepped through time: fig. 9.2 as it moves.

The model of [Ridderstrom2003] section 9.1.1, nothing linearised. The centre of mass is
z over the unloaded ground and the body tilted by alpha, positive to the right. The foot
at s r along the body, s = -1 - gamma or 1 - gamma, has sunk by

    depth = h cos(alpha) + s r sin(alpha) - z ± trim / 2

and is pushed up by max(0, k depth + d depth'), never down; what that does to z and
alpha follows from the work of the push along the depth. Dry friction in a spring is
Prandtl's: it holds like a stiff spring that gives way by ``slip``, then slides at full
friction, and does not creep. Only vertical forces act, so the horizontal motion is left
out.
"""

import math
from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.jit import compiled

__all__ = [
    "STATE",
    "Springs",
    "at_rest",
    "energy",
    "moved",
    "rest_height",
    "slope",
]

STATE = 6
"""Entries of a state: z, alpha, z', alpha', and each foot's share of its friction."""


class Springs(NamedTuple):
    """A body and what it stands on; the letters are the thesis's."""

    mass: float
    inertia: float
    """About the centre of mass [kg m^2]."""
    stiffness: float
    """Of one foot's ground, k [N/m]."""
    damping: float
    """Of one foot's ground, d [N s/m]."""
    half_width: float
    """r [m]."""
    height: float
    """h, of the centre of mass over the feet [m]."""
    offset: float = 0.0
    """gamma: how far the centre of mass is off the middle, over r."""
    trim: float = 0.0
    """How much lower the right spring is hung than the left one [m]."""
    friction: float = 0.0
    """Dry friction in each spring [N]."""
    slip: float = 2e-5
    """Way by which friction gives before it slides [m]."""
    pulls: bool = False
    """Whether a foot may also pull, as the thesis assumes from section 10.3 on."""


@compiled
def slope(y: Array, body: Springs, out: Array) -> None:
    """Write the rate of a state (6,) into ``out``.

    Args:
        y: z, alpha, z', alpha', and the share of friction in the left and right foot.
        body: what moves.
        out: the rates, (6,).
    """
    sine, cosine = math.sin(y[1]), math.cos(y[1])
    force, moment = -body.mass * GRAVITY, 0.0
    for i in range(2):
        way = 2.0 * i - 1.0
        arm = (way - body.offset) * body.half_width
        depth = body.height * cosine + arm * sine - y[0] - 0.5 * way * body.trim
        lever = arm * cosine - body.height * sine  # d depth / d alpha
        rate = lever * y[3] - y[2]
        push = body.stiffness * depth + body.damping * rate
        if not body.pulls:
            push = max(0.0, push) if depth > 0.0 else 0.0
        out[4 + i] = 0.0
        if body.friction > 0.0:
            push += body.friction * y[4 + i]
            if abs(y[4 + i]) < 1.0 or y[4 + i] * rate < 0.0:
                out[4 + i] = rate / body.slip
        force += push
        moment -= push * lever
    out[0], out[1] = y[2], y[3]
    out[2], out[3] = force / body.mass, moment / body.inertia


@compiled
def moved(y: Array, body: Springs, dt: float, work: Array) -> None:
    """Step a state by ``dt`` in place, classical Runge-Kutta of order four.

    Args:
        y: the state, (6,), overwritten.
        body: what moves.
        dt: the step [s].
        work: scratch, (5, 6).
    """
    slope(y, body, work[0])
    for stage in range(3):
        share = dt if stage == 2 else 0.5 * dt
        for i in range(STATE):
            work[4, i] = y[i] + share * work[stage, i]
        slope(work[4], body, work[stage + 1])
    for i in range(STATE):
        middle = work[1, i] + work[2, i]
        y[i] += dt / 6.0 * (work[0, i] + 2.0 * middle + work[3, i])
    for i in range(4, STATE):  # a step may end past the onset of sliding
        y[i] = min(1.0, max(-1.0, y[i]))


@compiled
def energy(y: Array, body: Springs) -> float:
    """Return the energy of a state: motion, weight and springs [J].

    Args:
        y: the state, (6,).
        body: what moves; its friction stores nothing here.
    """
    sine, cosine = math.sin(y[1]), math.cos(y[1])
    total = body.mass * GRAVITY * y[0]
    total += 0.5 * (body.mass * y[2] * y[2] + body.inertia * y[3] * y[3])
    for i in range(2):
        way = 2.0 * i - 1.0
        arm = (way - body.offset) * body.half_width
        depth = body.height * cosine + arm * sine - y[0] - 0.5 * way * body.trim
        if depth > 0.0 or body.pulls:
            total += 0.5 * body.stiffness * depth * depth
    return total


@compiled
def rest_height(angle: float, body: Springs) -> float:
    """Return the z at which the springs carry the weight at a tilt [m].

    Both feet carry half of it each on the mean depth m g / 2k, unless one would have to
    pull: then the other one carries it all.

    Args:
        angle: alpha [rad].
        body: what rests; not trimmed.
    """
    sine, cosine = math.sin(angle), math.cos(angle)
    weight = body.mass * GRAVITY
    middle = body.height * cosine - body.offset * body.half_width * sine
    apart = body.half_width * abs(sine)  # each foot above or below the middle one
    sunk = 0.5 * weight / body.stiffness
    if apart > sunk and not body.pulls:
        return middle + apart - 2.0 * sunk
    return middle - sunk


def at_rest(angle: float, body: Springs) -> Array:
    """Return the state of a body let go at a tilt, in vertical equilibrium, (6,).

    Args:
        angle: alpha [rad].
        body: what is let go.
    """
    state = np.zeros(STATE)
    state[0], state[1] = rest_height(angle, body), angle
    return state
