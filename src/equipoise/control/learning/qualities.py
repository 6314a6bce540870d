"""How good actions are: Q-learning with a model of what follows from them.

[Ridderstrom2003] section 3.3.3. How often an action a led from state x to state y is
counted; with these shares p the quality is Q(x, a) = Σ_y p(x, a, y) Q(x, a, y).
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Ints

__all__ = ["Qualities", "no_qualities", "share", "updated"]


@final
@dataclass(frozen=True)
class Qualities:
    """Qualities learned so far; arrays are written in place by ``updated``."""

    counts: Ints
    """How often action a led from state x to state y, (nx, na, nx)."""
    partial: Array
    """Q(x, a, y), (nx, na, nx)."""
    quality: Array
    """Q(x, a), (nx, na); 0 of what was never tried."""


def no_qualities(states: int, actions: int) -> Qualities:
    """Return what is known before the first step: nothing.

    Args:
        states: how many there are.
        actions: how many there are.
    """
    return Qualities(
        np.zeros((states, actions, states), np.int64),
        np.zeros((states, actions, states)),
        np.zeros((states, actions)),
    )


def share(known: Qualities, state: int, action: int) -> Array:
    """Return p(x, a, y): how often each state followed, (nx,); zeros if never tried.

    Args:
        known: what was learned.
        state: x.
        action: a.
    """
    counts = known.counts[state, action]
    return counts / max(int(counts.sum()), 1)


def updated(
    known: Qualities,
    step: tuple[int, int, int],
    reward: float,
    best: float,
    rates: tuple[float, float],
) -> None:
    """Learn from one step.

    Q(x, a, y) ← (1 - β) Q(x, a, y) + β (r + γ max_b Q(y, b)), and the shares p with it.

    Args:
        known: what was learned; changed.
        step: state x, action a and the state y to which it led.
        reward: r.
        best: max_b Q(y, b) over the actions that are admissible in y.
        rates: β and γ.
    """
    x, a, y = step
    beta, gamma = rates
    before = float(known.partial[x, a, y])
    known.partial[x, a, y] = (1.0 - beta) * before + beta * (reward + gamma * best)
    known.counts[x, a, y] += 1
    known.quality[x, a] = share(known, x, a) @ known.partial[x, a]
