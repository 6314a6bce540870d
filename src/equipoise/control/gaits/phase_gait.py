"""A periodic gait as numbers: when each leg falls, and for how long it stands.

Time is counted in shares s = t/T of the cycle. Leg l falls at its phase φ_l, stands for
its duty factor β_l and swings for the rest ([Ridderstrom2003] section 2.3):

    l stands  ⇔  frac(s - φ_l) < β_l

That test is half open. At the instants of lift-off and footfall both sides count as
support where a margin is asked for (``is_supporting``): the interval is closed, or a
leg that falls as another lifts would leave a gap that is not there.

Legs are ordered LF, RF, LR, RR; with more rows L1, R1, L2, R2, ... from the front.
"""

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.arrays import Array, VecN, expect_array
from equipoise.core.errors import ConfigError

__all__ = ["TIE", "PhaseGait", "leg_names"]

TIE = 1e-12
"""Share of a cycle below which two instants are one: rounding of sums of phases."""


@final
@dataclass(frozen=True, eq=False)
class PhaseGait:
    """Phases and duty factors of a gait in which every leg takes one step a cycle.

    Raises:
        ConfigError: a duty factor outside (0, 1], or no leg at all.
        ShapeError: arrays of different lengths, or entries that are not finite.
    """

    phases: VecN
    """Footfall of each leg as a share of the cycle, (nl,); brought into [0, 1)."""
    duty: VecN
    """Share of the cycle for which each leg stands, (nl,), or one number for all."""
    name: str = "gait"

    def __post_init__(self) -> None:
        """Check, bring phases into [0, 1) and make the arrays read-only."""
        phases = expect_array("phases", self.phases, (-1,))
        duty = np.asarray(self.duty, np.float64)
        duty = np.full(len(phases), duty) if duty.ndim == 0 else duty
        duty = expect_array("duty", duty, (len(phases),)).copy()
        problems = [] if len(phases) else ["a gait needs at least one leg, got none"]
        if not np.all((duty > 0.0) & (duty <= 1.0)):
            found = duty.tolist()
            problems.append(f"duty must be above 0 and at most 1, got {found}")
        if problems:
            raise ConfigError(f"gait '{self.name}'", problems)
        phases = wrapped(phases)
        for array in (phases, duty):
            array.flags.writeable = False
        object.__setattr__(self, "phases", phases)
        object.__setattr__(self, "duty", duty)

    @property
    def legs(self) -> int:
        """Number of legs."""
        return len(self.phases)

    @property
    def lift_offs(self) -> VecN:
        """Lift-off of each leg as a share of the cycle in [0, 1), (nl,)."""
        return wrapped(self.phases + self.duty)

    def since_footfall(self, share: ArrayLike) -> Array:
        """Return the share of the cycle since each leg fell, (..., nl), in [0, 1).

        Args:
            share: t/T, of any size and sign, (...).
        """
        s = np.asarray(share, np.float64)[..., None]
        return wrapped(s - self.phases)

    def is_standing(self, share: ArrayLike) -> NDArray[np.bool_]:
        """Return whether legs stand, from footfall until before lift-off, (..., nl).

        Args:
            share: t/T, (...).
        """
        return self.since_footfall(share) < self.duty

    def is_supporting(self, share: ArrayLike) -> NDArray[np.bool_]:
        """Return whether legs support, including lifting and landing ones, (..., nl).

        Args:
            share: t/T, (...).
        """
        since = self.since_footfall(share)
        return (since <= self.duty + TIE) | (since >= 1.0 - TIE)


def wrapped(share: Array) -> Array:
    """Return shares of a cycle brought into [0, 1); a hair below 1 counts as 0."""
    rest = np.mod(share, 1.0)
    return np.where(rest >= 1.0 - TIE, 0.0, rest)


def leg_names(legs: int) -> tuple[str, ...]:
    """Return the legs' short names in the order of all arrays.

    Args:
        legs: how many; LF, RF, LR, RR for four, L and R for two, rows by number else.
    """
    if legs == 4:
        return ("LF", "RF", "LR", "RR")
    if legs == 2:
        return ("L", "R")
    return tuple(f"{'LR'[k % 2]}{k // 2 + 1}" for k in range(legs))
