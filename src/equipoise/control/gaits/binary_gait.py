"""A gait as McGhee writes it: a binary matrix of who stands, and how long each row is.

A gait is a sequence of binary vectors q¹, q², ..., qⁿ, one bit a leg, with a vector of
durations ([Ridderstrom2003] section 2.3, after McGhee). McGhee's ones are legs in the
air; here ones are legs that stand unless ``ones`` says otherwise. Rows follow each
other in a circle and neighbours differ, or they would be one row.
"""

from dataclasses import dataclass, replace
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.gaits.phase_gait import TIE, PhaseGait, leg_names, wrapped
from equipoise.core.arrays import Array, Ints, VecN, expect_array
from equipoise.core.errors import ConfigError, ShapeError

__all__ = ["BinaryGait", "binary_gait", "phase_gait"]


@final
@dataclass(frozen=True, eq=False)
class BinaryGait:
    """Gait as a matrix of zeros and ones with the duration of each row.

    Raises:
        ConfigError: bits that are none, neighbours that do not differ, or a duration
            that is not positive.
        ShapeError: durations that do not fit the rows.
    """

    rows: Ints
    """One row per state, one column per leg, (n, nl), zeros and ones."""
    durations: VecN
    """Durations of the rows, (n,), in shares of the cycle or in seconds."""
    ones: Literal["support", "transfer"] = "support"
    """Meaning of a one: support or transfer."""
    start: float = 0.0
    """Instant at which the first row begins, in the same unit."""
    name: str = "gait"

    def __post_init__(self) -> None:
        """Check, and make the arrays read-only."""
        rows = np.array(self.rows)
        if rows.ndim != 2 or rows.size == 0:
            raise ShapeError(f"rows must be (states, legs), got {rows.shape}.")
        durations = expect_array("durations", self.durations, (len(rows),)).copy()
        problems: list[str] = []
        if not np.isin(rows, (0, 1)).all():
            problems.append(f"rows must be zeros and ones, got {np.unique(rows)}")
        same = np.flatnonzero((rows == np.roll(rows, -1, axis=0)).all(axis=1))
        if len(rows) > 1 and len(same):
            problems.append(f"row {same[0] + 1} and the next are the same")
        if not (durations > 0.0).all():
            problems.append(f"durations must be > 0, got {durations.tolist()}")
        if self.ones not in ("support", "transfer"):
            problems.append(f"ones must be 'support' or 'transfer', got {self.ones!r}")
        if problems:
            raise ConfigError(f"gait '{self.name}'", problems)
        rows = rows.astype(np.int64)
        for array in (rows, durations):
            array.flags.writeable = False
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "durations", durations)

    @property
    def legs(self) -> int:
        """Number of legs."""
        return self.rows.shape[1]

    @property
    def cycle(self) -> float:
        """Sum of the durations."""
        return float(self.durations.sum())

    @property
    def support(self) -> NDArray[np.bool_]:
        """Whether each leg stands in each row, (n, nl), whatever a one means."""
        return self.rows == (1 if self.ones == "support" else 0)

    @property
    def instants(self) -> VecN:
        """Instants at which each row begins and the last one ends, (n + 1,)."""
        return self.start + np.concatenate([[0.0], np.cumsum(self.durations)])

    def inverted(self) -> "BinaryGait":
        """Return the same gait with zeros and ones exchanged, as McGhee has it."""
        other: Literal["support", "transfer"] = (
            "transfer" if self.ones == "support" else "support"
        )
        return replace(self, rows=1 - self.rows, ones=other)


def _switch_instants(gait: PhaseGait) -> Array:
    """Return the instants in [0, 1) at which a leg lifts or falls, sorted, (n,).

    Instants closer than rounding are one. A gait whose legs all stand has none.
    """
    steps = gait.duty < 1.0 - TIE
    found = np.sort(np.concatenate([gait.phases[steps], gait.lift_offs[steps]]))
    return found[np.diff(found, prepend=-1.0) > TIE]


def binary_gait(gait: PhaseGait) -> BinaryGait:
    """Return a gait as a matrix; durations are shares of the cycle.

    Args:
        gait: phases and duty factors.
    """
    instants = _switch_instants(gait)
    durations = np.diff(instants, append=instants[:1] + 1.0)
    rows = gait.is_standing(instants + 0.5 * durations).astype(np.int64)
    changes = (rows != np.roll(rows, 1, axis=0)).any(axis=1)
    if not changes.any():
        every = np.ones((1, gait.legs), np.int64)
        return BinaryGait(every, np.ones(1), name=gait.name)
    # Rows alike on both sides of an instant come from gaps as short as rounding.
    rows, instants = rows[changes], instants[changes]
    durations = np.diff(instants, append=instants[0] + 1.0)
    return BinaryGait(rows, durations, start=float(instants[0]), name=gait.name)


def phase_gait(gait: BinaryGait) -> PhaseGait:
    """Return a matrix as phases and duty factors, the inverse of ``binary_gait``.

    Args:
        gait: each leg of which steps once a cycle or never lifts; one that never lifts
            gets the phase 0.

    Raises:
        ConfigError: a leg that steps more than once a cycle, or never stands.
    """
    support, instants, cycle = gait.support, gait.instants, gait.cycle
    falls = support & ~np.roll(support, 1, axis=0)
    lasting = np.where(support, gait.durations[:, None], 0.0).sum(axis=0)
    problems: list[str] = []
    for leg, count in enumerate(falls.sum(axis=0)):
        who = leg_names(gait.legs)[leg]
        if count > 1:
            problems.append(f"leg {who} steps {count} times a cycle, not once")
        elif not support[:, leg].any():
            problems.append(f"leg {who} never stands")
    if problems:
        raise ConfigError(f"gait '{gait.name}'", problems)
    first = np.argmax(falls, axis=0)
    steps = falls.any(axis=0)
    phases = np.where(steps, wrapped(instants[first] / cycle), 0.0)
    duty = np.where(steps, np.minimum(lasting / cycle, 1.0), 1.0)
    return PhaseGait(phases, duty, gait.name)
