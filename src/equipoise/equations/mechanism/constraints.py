"""Constraints: closed loops and rolling, held by multipliers.

A constraint is J(q) w = 0, or a gap g(q) = 0 with J its derivative by the speeds. Its
rate is J dw/dt + c = 0, and with the forces J' λ that hold it

    M dw/dt = F + J' λ,    J M⁻¹ J' λ = -c - J M⁻¹ F.

An integration drifts off a constraint; with a rate r the errors die out like exp(-r t)
instead [Baumgarte1972].
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.block import free_symbols
from equipoise.equations.mechanism.frame_motion import FrameMotion
from equipoise.equations.mechanism.speeds import SINGULAR, probed
from equipoise.equations.tape.derivatives import jacobian
from equipoise.equations.tape.tape import Expr

__all__ = ["Constraint", "Held", "held"]


class Constraint(NamedTuple):
    """Constraint to zero: a gap in coordinates, or a velocity linear in the speeds."""

    gap: Expr | None
    velocity: Expr | None
    rate: float


class Held(NamedTuple):
    """A constraint on the rates of speeds, J dw/dt + bias = 0."""

    row: tuple[Expr, ...]
    bias: Expr
    gap: Expr | None
    velocity: Expr


def held(
    constraints: Sequence[Constraint], kinematics: FrameMotion, speeds: Sequence[Expr]
) -> tuple[Held, ...]:
    """Return constraints differentiated until rates of speeds appear.

    Args:
        constraints: what must stay zero.
        kinematics: rates of the coordinates.
        speeds: the symbols.

    Raises:
        ConfigError: one of them is empty, not linear in the speeds, or follows from
            the others.
    """
    found: list[Held] = []
    own = {s.ref for s in speeds}
    for k, (gap, velocity, rate) in enumerate(constraints):
        where = f"constraint {k + 1}"
        speed = velocity if gap is None else kinematics.rate([gap])[0]
        if speed is None or speed.is_zero:
            raise ConfigError(where, ["it depends on no speed"])
        (row,) = jacobian([speed], speeds)
        if {s.ref for s in free_symbols(row)} & own:
            raise ConfigError(where, ["it is not linear in the speeds"])
        bias = kinematics.rate([speed])[0]
        if gap is None:
            bias = bias + rate * speed
        else:
            bias = bias + (2.0 * rate) * speed + (rate * rate) * gap
        found.append(Held(tuple(row), bias, gap, speed))
    _check_independent(found)
    return tuple(found)


def _check_independent(found: Sequence[Held]) -> None:
    """Refuse a constraint that follows from those before it."""
    if not found:
        return
    values = probed([e for h in found for e in h.row]).reshape(len(found), -1)
    if not np.isfinite(values).all():
        return
    values = values / np.linalg.norm(values, axis=1, keepdims=True)
    for k in range(len(found)):
        sizes = np.linalg.svd(values[: k + 1], compute_uv=False)
        if len(sizes) < k + 1 or sizes[-1] <= SINGULAR:
            problem = (
                "it follows from earlier constraints, or leaves no degree of freedom"
            )
            raise ConfigError(f"constraint {k + 1}", [problem])
