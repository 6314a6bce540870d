"""The ground of ``sim.ground`` under one ball, as straight lines.

The speed s along the surface at the end of a step solves s + h w F_t(s) = |v_t*|. With
x = π d_h s / (2 γ F_n), y the same of |v_t*| and κ = h w d_h it is

    x + κ atan x = y,        F_t = γ F_n (2/π) atan x

From the larger of its two lower bounds, y / (1 + κ) and y - κ π/2, Newton's iteration
comes up to the solution and never beyond it: the left side is concave. A few turns do,
always the same number, chosen by κ: with two what is left of F_t at κ = 0.74, WARP1's
at a step of 1 ms, is 4e-6 of the largest friction.
"""

import math
from typing import NamedTuple

import numpy as np

from equipoise.equations.tape.functions import atan2, maximum, sqrt, where
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Expr, Tape
from equipoise.equations.tape.vectors import (
    Vec,
    inner_product,
    plus,
    scaled_vector,
    vector_difference,
)
from equipoise.sim.ground import GroundConfig
from equipoise.sim.many.ground_shape import TangentPlane

__all__ = [
    "GroundPress",
    "ball_force",
    "creep_error",
    "ground_settings",
    "turns_needed",
]

CLOSE = 1e-5
"""Share of the largest friction that Newton's iteration may leave."""
MOST_TURNS, EXACT_TURNS = 8, 24  # the second from which on nothing changes
LEAST = 1e-6  # friction that is left out where the ground just touches [N]
SLOWEST = 1e-30  # square of a speed that is none [m²/s²]


class GroundPress(NamedTuple):
    """Force of the ground on a ball."""

    force: Vec
    """In W [N]."""
    press: Expr
    """Along the normal [N]."""


def ground_settings(config: GroundConfig) -> list[NamedNumber]:
    """Return what may vary of the ground, with the values that it has.

    Args:
        config: how it gives way; its exponent must be one.
    """
    k, d, h = config.stiffness, config.damping, config.creep
    return [
        NamedNumber("friction", "", config.friction, "largest share of the load"),
        NamedNumber("ground_stiffness", "N/m", k, "of the ground under a foot"),
        NamedNumber("ground_damping", "N s/m²", d, "per depth, on the way in"),
        NamedNumber("ground_creep", "N s/m", h, "force over speed while it sticks"),
    ]


def ball_force(
    settings: dict[str, Expr],
    plane: TangentPlane,
    radius: float,
    ease: float,
    free: Vec,
    turns: int,
) -> GroundPress:
    """Return the force of the ground on a foot's ball, zero above it.

    Args:
        settings: of the ground, by name.
        plane: that touches it below the ball.
        radius: of the ball [m].
        ease: h w, what a newton does to the foot's speed in a step [m/s/N].
        free: velocity that it would have after the step without the ground, in W.
        turns: of Newton's iteration, each with an arc tangent.
    """
    n = plane.normal
    depth = maximum(radius - plane.over, 0.0)
    up = inner_product(n, free)
    spring = settings["ground_stiffness"] * depth
    damper = settings["ground_damping"] * depth
    slowed = maximum(-up - ease * spring, 0.0) / (1.0 + ease * damper)
    press = spring + damper * slowed
    along = vector_difference(free, scaled_vector(up, n))
    speed = sqrt(inner_product(along, along) + SLOWEST)
    limit = settings["friction"] * press
    angle = _creep_angle(
        (0.5 * math.pi) * settings["ground_creep"] / maximum(limit, LEAST) * speed,
        ease * settings["ground_creep"],
        turns,
    )
    brake = where(LEAST < limit, limit * ((2.0 / math.pi) * angle) / speed, 0.0)
    return GroundPress(
        plus(scaled_vector(press, n), scaled_vector(-brake, along)), press
    )


def _creep_angle(y: Expr, kappa: Expr, turns: int) -> Expr:
    """Return atan x with x + κ atan x = y, to the second order of the last turn.

    Args:
        y: what x would be without friction, not below zero.
        kappa: what friction does to it.
        turns: of Newton's iteration, at least one.
    """
    x = maximum(y / (1.0 + kappa), y - (0.5 * math.pi) * kappa)
    angle = x
    for _ in range(turns):
        angle = atan2(x, 1.0)
        flat = 1 / (1.0 + x * x)
        more = (y - x - kappa * angle) / (1.0 + kappa * flat)
        angle, x = angle + more * flat, x + more
    return angle


def creep_error(kappa: float, turns: int) -> float:
    """Return what a number of turns leaves of friction, of the largest, at most.

    Args:
        kappa: what friction does to a foot in a step.
        turns: of Newton's iteration.
    """
    y = np.concatenate([[0.0], np.logspace(-4.0, 5.0, 2000)])
    tape = Tape()
    given = tape.symbol("y", "input")
    both = [
        _creep_angle(given, tape.constant(kappa), count)
        for count in (turns, EXACT_TURNS)
    ]
    found = interpret(program(both, [given]), y[:, None], np.zeros(0))
    return float(np.abs(found[:, 0] - found[:, 1]).max()) * 2.0 / math.pi


def turns_needed(kappa: float) -> int:
    """Return how many turns leave less than ``CLOSE``.

    Args:
        kappa: what friction does to a foot in a step.
    """
    for turns in range(1, MOST_TURNS):
        if creep_error(kappa, turns) < CLOSE:
            return turns
    return MOST_TURNS
