"""When each foot stands, as intervals: of a gait, or of a log of contacts.

Gait diagrams are drawn from these; a log also tells which gait was walked.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.control.gaits.phase_gait import TIE, PhaseGait
from equipoise.core.arrays import Array, expect_array
from equipoise.core.errors import ConfigError, ShapeError

__all__ = ["gait_stances", "logged_gait", "logged_stances"]


def gait_stances(gait: PhaseGait, cycles: float = 1.0) -> list[Array]:
    """Return each leg's stance intervals over some cycles, (n, 2) per leg, shares.

    Args:
        gait: phases and duty factors.
        cycles: how many, > 0.
    """
    found: list[Array] = []
    for phase, duty in zip(gait.phases, gait.duty, strict=True):
        begins = phase + np.arange(-1, math.ceil(cycles))
        both = np.stack([begins, begins + duty], axis=1).clip(0.0, cycles)
        found.append(both[both[:, 1] - both[:, 0] > TIE])
    return found


def logged_stances(
    times: ArrayLike, contacts: ArrayLike, debounce: float = 0.0
) -> list[Array]:
    """Return each foot's stance intervals from a log, (n, 2), in the times' unit.

    Args:
        times: of the samples, ascending, (nt,); each holds until the next.
        contacts: whether each foot touched, (nt, nl).
        debounce: gaps, then contacts, shorter than this are taken for chatter.

    Raises:
        ShapeError: arrays that do not fit, fewer than two samples, or times that do not
            ascend.
    """
    t = expect_array("times", times, (-1,))
    touch = np.asarray(contacts, bool)
    if touch.ndim != 2 or len(touch) != len(t):
        raise ShapeError(f"contacts must be ({len(t)}, legs), got {touch.shape}.")
    if len(t) < 2 or not (np.diff(t) > 0.0).all():
        raise ShapeError("times must be two or more, each after the one before.")
    edges = np.append(t, 2.0 * t[-1] - t[-2])
    return [_leg_stances(edges, touch[:, k], debounce) for k in range(touch.shape[1])]


def _leg_stances(edges: Array, touch: NDArray[np.bool_], debounce: float) -> Array:
    """Return one leg's stances, (n, 2), without chatter."""
    padded = np.concatenate([[False], touch, [False]])
    changes = np.flatnonzero(padded[1:] != padded[:-1])
    both = edges[changes].reshape(-1, 2)
    if len(both) > 1:
        apart = both[1:, 0] - both[:-1, 1] >= debounce
        begins = both[np.append(True, apart), 0]
        both = np.stack([begins, both[np.append(apart, True), 1]], axis=1)
    return both[both[:, 1] - both[:, 0] >= debounce]


def logged_gait(
    times: ArrayLike, contacts: ArrayLike, debounce: float = 0.0, name: str = "logged"
) -> tuple[PhaseGait, float]:
    """Return the logged gait and its cycle time.

    The cycle is the mean time between footfalls of a leg, a duty factor the mean stance
    over it, a phase the mean on the circle of a leg's footfalls, leg 0's being 0.

    Args:
        times: of the samples, (nt,) [s].
        contacts: whether each foot touched, (nt, nl).
        debounce: as in ``logged_stances`` [s].
        name: of the gait.

    Raises:
        ConfigError: a leg without two whole steps.
        ShapeError: as in ``logged_stances``.
    """
    t = expect_array("times", times, (-1,))
    # The first may have begun before the log, the last may go on after it.
    stances = [s[s[:, 0] > t[0]] for s in logged_stances(t, contacts, debounce)]
    short = [k for k, s in enumerate(stances) if len(s) < 3]
    if short:
        problem = f"leg {short[0] + 1} takes fewer than two whole steps in the log"
        raise ConfigError("the log of contacts", [problem])
    cycle = float(np.mean([(s[-1, 0] - s[0, 0]) / (len(s) - 1) for s in stances]))
    whole = [s[:-1] for s in stances]
    duty = [min(float(np.mean(s[:, 1] - s[:, 0])) / cycle, 1.0) for s in whole]
    turns = [np.exp(2j * np.pi * s[:, 0] / cycle).mean() for s in whole]
    phases = [float(np.angle(turn / turns[0])) / (2.0 * np.pi) for turn in turns]
    return PhaseGait(np.array(phases), np.array(duty), name), cycle
