"""In which order the legs step, who carries meanwhile, and how many ways there are.

A *nonsingular* gait never moves two legs at once. k legs have (2k - 1)! of them: their
2k events, a lift-off and a footfall each, can follow each other around the cycle in as
many orders. A *creeping* gait has at most one leg in the air; k legs can creep in
(k - 1)! orders ([Ridderstrom2003] section 2.3, after McGhee and Tomovic).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TypeAlias, final

import numpy as np

from equipoise.control.gaits.binary_gait import BinaryGait, binary_gait
from equipoise.control.gaits.phase_gait import TIE, PhaseGait, leg_names
from equipoise.core.arrays import Ints
from equipoise.core.errors import ConfigError

__all__ = [
    "AnyGait",
    "Legs",
    "SupportPhase",
    "as_matrix",
    "creeping_gait",
    "creeping_sequences",
    "is_creeping",
    "is_nonsingular",
    "leg_sequence",
    "nonsingular_count",
    "nonsingular_gaits",
    "steps_per_cycle",
    "support_sequence",
]

AnyGait: TypeAlias = PhaseGait | BinaryGait
Legs: TypeAlias = tuple[int, ...]
"""Legs by their number from 0, ascending."""


@final
@dataclass(frozen=True)
class SupportPhase:
    """Part of the cycle in which the same legs stand."""

    begins: float
    """Beginning in the unit of the gait's durations; for phases a share."""
    lasts: float
    legs: Legs
    """Legs that stand."""
    lifted: Legs
    """Legs that lifted at its beginning."""
    landed: Legs
    """Legs that landed at its beginning."""


def as_matrix(gait: AnyGait) -> BinaryGait:
    """Return a gait as a matrix, as it is or converted."""
    return gait if isinstance(gait, BinaryGait) else binary_gait(gait)


def support_sequence(gait: AnyGait) -> tuple[SupportPhase, ...]:
    """Return the support phases from the first change of the cycle on.

    Args:
        gait: phases or a matrix.
    """
    matrix = as_matrix(gait)
    support = matrix.support
    before = np.roll(support, 1, axis=0)
    return tuple(
        SupportPhase(
            begins=float(matrix.instants[i]),
            lasts=float(matrix.durations[i]),
            legs=_chosen(support[i]),
            lifted=_chosen(before[i] & ~support[i]),
            landed=_chosen(support[i] & ~before[i]),
        )
        for i in range(len(support))
    )


def _chosen(mask: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Legs:
    """Return the numbers of the legs in a mask."""
    return tuple(int(k) for k in np.flatnonzero(mask))


def leg_sequence(gait: AnyGait) -> tuple[Legs, ...]:
    """Return the order in which legs lift, those that lift together in one group.

    It is cyclic, and begins with the leg whose footfall comes first in the cycle.

    Args:
        gait: phases or a matrix.
    """
    phases = support_sequence(gait)
    groups = [p.lifted for p in phases if p.lifted]
    falls = [p.landed for p in phases if p.landed]
    if not groups or not falls:
        return tuple(groups)
    at = next(i for i, group in enumerate(groups) if falls[0][0] in group)
    return tuple(groups[at:] + groups[:at])


def is_creeping(gait: AnyGait) -> bool:
    """Return whether at most one leg is in the air at any time."""
    matrix = as_matrix(gait)
    return bool((matrix.support.sum(axis=1) >= matrix.legs - 1).all())


def is_nonsingular(gait: AnyGait) -> bool:
    """Return whether no two legs lift or land at the same instant."""
    support = as_matrix(gait).support
    changes = (support != np.roll(support, 1, axis=0)).sum(axis=1)
    return bool((changes <= 1).all())


def steps_per_cycle(gait: AnyGait, *, hirose: bool = False) -> int:
    """Return how many steps a cycle has.

    Args:
        gait: phases or a matrix.
        hirose: count from one footfall to the next of any leg, as Hirose does, so that
            legs that fall together make one step.
    """
    phases = support_sequence(gait)
    return sum(bool(p.landed) if hirose else len(p.landed) for p in phases)


def nonsingular_count(legs: int) -> int:
    """Return (2k - 1)!, how many nonsingular gaits k legs have."""
    if legs < 1:
        raise ConfigError("the number of gaits", [f"legs must be >= 1, got {legs}"])
    return math.factorial(2 * legs - 1)


def nonsingular_gaits(legs: int) -> Iterator[BinaryGait]:
    """Yield every nonsingular gait of k legs once, with rows of equal duration.

    Each begins with the footfall of leg 0. There are 5040 for four legs.

    Args:
        legs: k.
    """
    later = [k for k in range(2 * legs) if k != 0]  # event k: leg k // 2 falls or lifts
    for order in permutations(later):
        rows = np.zeros((2 * legs, legs), np.int64)
        events = (0, *order)
        state = _initial_state(events, legs)
        for i, event in enumerate(events):
            state[event // 2] = 1 - event % 2
            rows[i] = state
        yield BinaryGait(rows, np.full(2 * legs, 0.5 / legs))


def _initial_state(events: Sequence[int], legs: int) -> Ints:
    """Return who stands before the first event: those that lift before they fall."""
    place = {event: i for i, event in enumerate(events)}
    stands = [int(place[2 * leg + 1] < place[2 * leg]) for leg in range(legs)]
    return np.array(stands, np.int64)


def creeping_sequences(legs: int = 4) -> tuple[Legs, ...]:
    """Return the (k - 1)! orders in which k legs can creep, each from leg 0 on."""
    return tuple((0, *rest) for rest in permutations(range(1, legs)))


def creeping_gait(
    sequence: Sequence[int], duty: float | None = None, name: str = "creep"
) -> PhaseGait:
    """Return the gait in which legs step one by one, evenly spaced.

    Args:
        sequence: every leg once, in the order of their steps.
        duty: at least 1 - 1/k for k legs; None for that.
        name: of the gait.

    Raises:
        ConfigError: a leg twice or not at all, or a duty factor too small to creep.
    """
    legs = len(sequence)
    least = 1.0 - 1.0 / max(legs, 1)
    beta = least if duty is None else duty
    problems: list[str] = []
    if legs < 2 or sorted(sequence) != list(range(legs)):
        problems.append(f"every leg must step once, got the order {list(sequence)}")
    elif not least - TIE <= beta < 1.0:
        names = " ".join(leg_names(legs)[k] for k in sequence)
        problems.append(
            f"duty must be at least {least:.4g} and below 1 to creep in the order "
            f"{names}, got {duty!r}"
        )
    if problems:
        raise ConfigError(f"gait '{name}'", problems)
    phases = np.zeros(legs)
    phases[np.asarray(sequence)] = np.arange(legs) / legs
    return PhaseGait(phases, np.full(legs, beta), name)
