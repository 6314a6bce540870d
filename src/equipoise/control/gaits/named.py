"""Gaits by name: the library of [Ridderstrom2003] section 2.3.

Trot, pace, rotary gallop and crawl are those of figure 2.2, tripod and tetrapod those
of figure 2.4. The figures have no numbers for the gallop's phases; those here are ours,
and so are the duty factors of bound, pronk and walk.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.control.gaits.phase_gait import TIE, PhaseGait
from equipoise.core.arrays import VecN
from equipoise.core.checks import is_number, is_whole
from equipoise.core.errors import ConfigError, UnknownNameError

__all__ = ["gait_names", "named_gait", "usual_duty", "usual_legs", "wave_phases"]

MOST_LEGS = 100


@final
@dataclass(frozen=True)
class Family:
    """Family of gaits with a name: its legs, duty factors and phases."""

    phases: Callable[[int, float], VecN]
    """Footfall of each leg, from the number of legs and the duty factor."""
    duty: float
    """The usual one."""
    least_duty: float = 0.0
    """Smallest, itself allowed unless it is zero."""
    legs: int | None = 4
    """How many, or None for any even number from 4."""


def wave_phases(legs: int, duty: float) -> VecN:
    """Return the footfalls of the wave gait, (nl,), the left rear leg's being 0.

    Footfalls run from the rear to the front; each leg falls as much after the one
    behind it as a leg swings, 1 - β, and half a cycle after the one beside it
    [Song1989]. For four legs it is the crawl, and TITAN's expanded trot below β = 3/4.

    Args:
        legs: an even number.
        duty: β.
    """
    rows = legs // 2
    left = duty * (np.arange(rows, dtype=np.float64) - (rows - 1))
    return np.stack([left, left + 0.5], axis=1).reshape(-1)


def _fixed(*phases: float) -> Callable[[int, float], VecN]:
    """Return phases that depend on nothing."""
    return lambda _legs, _duty: np.array(phases)


TETRAPOD = (2 / 3, 1 / 6, 1 / 3, 5 / 6, 0.0, 1 / 2)  # the wave at β = 2/3
FAMILIES = {
    "bound": Family(_fixed(0.0, 0.0, 0.5, 0.5), duty=0.4),
    "crawl": Family(wave_phases, duty=0.75, least_duty=0.75),
    "expanded-trot": Family(wave_phases, duty=0.65, least_duty=0.5),
    "gallop": Family(_fixed(0.62, 0.50, 0.0, 0.12), duty=5 / 16),
    "intermittent-trot": Family(_fixed(0.0, 0.5, 0.5, 0.0), duty=0.6, least_duty=0.5),
    "pace": Family(_fixed(0.0, 0.5, 0.0, 0.5), duty=0.5),
    "pronk": Family(_fixed(0.0, 0.0, 0.0, 0.0), duty=0.4),
    "tetrapod": Family(_fixed(*TETRAPOD), duty=2 / 3, least_duty=2 / 3, legs=6),
    "transverse-gallop": Family(_fixed(0.50, 0.62, 0.0, 0.12), duty=5 / 16),
    "tripod": Family(_fixed(0.0, 0.5, 0.5, 0.0, 0.0, 0.5), duty=0.5, legs=6),
    "trot": Family(_fixed(0.0, 0.5, 0.5, 0.0), duty=0.5),
    "walk": Family(_fixed(0.25, 0.75, 0.0, 0.5), duty=0.65, least_duty=0.5),
    "wave": Family(wave_phases, duty=0.75, least_duty=0.5, legs=None),
}


def gait_names() -> tuple[str, ...]:
    """Return the names that ``named_gait`` knows, sorted."""
    return tuple(sorted(FAMILIES))


def _find_family(name: str) -> Family:
    """Return what a name stands for, or say which names exist."""
    if name not in FAMILIES:
        raise UnknownNameError("gait", name, FAMILIES, "the library of gaits")
    return FAMILIES[name]


def usual_legs(name: str) -> int:
    """Return the number of legs a gait is made for; 4 where any even number will do."""
    return _find_family(name).legs or 4


def usual_duty(name: str) -> float:
    """Return the duty factor a gait has unless told."""
    return _find_family(name).duty


def named_gait(name: str, legs: int = 4, duty: float | None = None) -> PhaseGait:
    """Return a gait of the library.

    Args:
        name: one of ``gait_names()``.
        legs: how many the machine has.
        duty: share of the cycle for which each leg stands; None for the usual one.

    Raises:
        ConfigError: a number of legs or a duty factor that the gait cannot have.
        UnknownNameError: no such gait.
    """
    family = _find_family(name)
    chosen = family.duty if duty is None else duty
    problems = [*_leg_problems(family, legs), *_duty_problems(family, chosen)]
    if problems:
        raise ConfigError(f"gait '{name}'", problems)
    phases = family.phases(legs, float(chosen))
    return PhaseGait(phases, np.full(legs, float(chosen)), name)


def _leg_problems(family: Family, legs: int) -> list[str]:
    """Return what is wrong with a number of legs."""
    if not is_whole(legs):
        return [f"legs must be a whole number, got {legs!r}"]
    if family.legs is None:
        is_fine = 4 <= legs <= MOST_LEGS and legs % 2 == 0
        wanted = f"an even number of legs, 4 to {MOST_LEGS}"
    else:
        is_fine, wanted = legs == family.legs, f"{family.legs} legs"
    return [] if is_fine else [f"it needs {wanted}, got {legs}"]


def _duty_problems(family: Family, duty: float) -> list[str]:
    """Return what is wrong with a duty factor."""
    least = family.least_duty
    is_fine = is_number(duty) and 0.0 < duty < 1.0 and duty >= least - TIE
    bound = "above 0" if least == 0.0 else f"at least {least:.4g}"
    return [] if is_fine else [f"duty must be {bound} and below 1, got {duty!r}"]
