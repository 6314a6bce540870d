"""Which rows a sweep has: a grid, a list, or points drawn at random or by Sobol.

Rows are counted in the order of the design, the first option given changing slowest;
seeds change fastest.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from inspect import signature
from itertools import product
from typing import Any, Literal, final

from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream

__all__ = [
    "MOST_ROWS",
    "Choices",
    "Design",
    "Span",
    "SweepRow",
    "Value",
    "Values",
    "design_rows",
    "evenly",
]

MOST_ROWS = 1_000_000
DRAWN = ("random", "sobol")  # kinds whose points are drawn
STREAM = "sweep"  # of random numbers
Kind = Literal["grid", "random", "sobol", "list"]
Value = float | int | str | bool


@final
@dataclass(frozen=True, slots=True)
class Choices:
    """Values that are taken one by one."""

    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        """Refuse none at all, and numbers that are none."""
        if not self.values:
            raise ConfigError("the sweep", ["an option has no values to vary over"])
        bad = [v for v in self.values if isinstance(v, float) and not math.isfinite(v)]
        if bad:
            problem = f"values must be finite numbers or names, got {bad[0]!r}"
            raise ConfigError("the sweep", [problem])
        if len(set(self.values)) < len(self.values):
            twice = next(v for v in self.values if self.values.count(v) > 1)
            raise ConfigError("the sweep", [f"a value is there twice: {twice!r}"])

    def at(self, share: float) -> Value:
        """Return the value at a share of the way through them.

        Args:
            share: in [0, 1).
        """
        return self.values[min(int(share * len(self.values)), len(self.values) - 1)]


@final
@dataclass(frozen=True, slots=True)
class Span:
    """Everything between two numbers, for designs that draw their points."""

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse ends that are no numbers."""
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            problem = f"a range's ends must be finite, got {self.low!r}:{self.high!r}"
            raise ConfigError("the sweep", [problem])

    def at(self, share: float) -> Value:
        """Return the number at a share of the way from its low to its high end.

        Args:
            share: in [0, 1).
        """
        return self.low + share * (self.high - self.low)


Values = Choices | Span


@final
@dataclass(frozen=True, kw_only=True)
class Design:
    """Design of a sweep: varied options, and the choice of points."""

    vary: Mapping[str, Values] = field(default_factory=dict[str, Values])
    """By name of the option, in the order of the table's columns."""
    kind: Kind = "grid"
    samples: int = 0
    """Points of a random or Sobol design."""
    listed: Sequence[Mapping[str, Value]] = ()
    """Points of a list."""
    seeds: int = 1
    """Rows at each point, with seeds that follow each other."""
    seed: int = 0
    """The first of them; it also draws the points."""
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    """In which numbers are, by name; "" or left out where a number says it all."""

    def __post_init__(self) -> None:
        """Refuse what is empty or too large, all problems at once."""
        problems = self._problems()
        if not problems and self.rows > MOST_ROWS:
            problems.append(
                f"{self.rows:,} rows are more than the {MOST_ROWS:,} that a sweep "
                "takes; vary fewer options, over fewer points"
            )
        if problems:
            raise ConfigError("the sweep", problems)

    def _problems(self) -> list[str]:
        """Return what is wrong with the design, whatever its size."""
        found = []
        if not (is_whole(self.seeds) and self.seeds >= 1):
            found.append(f"seeds must be >= 1, got {self.seeds!r}")
        if self.kind in DRAWN:
            if not (is_whole(self.samples) and self.samples >= 1):
                told = f"a {self.kind} design needs samples >= 1"
                found.append(f"{told}, got {self.samples!r}")
            if not self.vary:
                found.append(f"a {self.kind} design needs an option to vary")
        elif self.samples:
            found.append(
                f"samples are for random and Sobol designs, got {self.samples}"
            )
        if self.kind == "list" and not self.listed:
            found.append("the list has no rows")
        if self.kind == "list" and self.vary:
            found.append("give either a list or options to vary, not both")
        if self.kind == "grid":
            found += [
                f"{name} has no number of points; give {span.low:g}:{span.high:g}:5, "
                "or a random or Sobol design"
                for name, span in self.vary.items()
                if isinstance(span, Span)
            ]
        return found

    @property
    def points(self) -> int:
        """Number of points, without seeds."""
        if self.kind == "list":
            return len(self.listed)
        if self.kind in DRAWN:
            return self.samples
        counts = [len(v.values) for v in self.vary.values() if isinstance(v, Choices)]
        return math.prod(counts)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.points * self.seeds

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the varied options, in the order of columns."""
        if self.kind != "list":
            return tuple(self.vary)
        return tuple(dict.fromkeys(name for point in self.listed for name in point))


@final
@dataclass(frozen=True, slots=True)
class SweepRow:
    """One run of a sweep."""

    index: int
    point: Mapping[str, Value]
    """What is varied, by name."""
    seed: int


def design_rows(design: Design) -> list[SweepRow]:
    """Return the rows of a design, in its order.

    Args:
        design: what is varied and how.
    """
    points = list(_design_points(design))
    return [
        SweepRow(design.seeds * p + k, point, design.seed + k)
        for p, point in enumerate(points)
        for k in range(design.seeds)
    ]


def _design_points(design: Design) -> Iterator[Mapping[str, Value]]:
    """Yield the points of a design, in its order."""
    if design.kind == "list":
        yield from design.listed
    elif design.kind == "grid":
        values = [v.values for v in design.vary.values() if isinstance(v, Choices)]
        for point in product(*values):
            yield dict(zip(design.vary, point, strict=True))
    else:
        for shares in _drawn_shares(design):
            varied = zip(design.vary.items(), shares, strict=True)
            yield {name: values.at(share) for (name, values), share in varied}


def _drawn_shares(design: Design) -> list[list[float]]:
    """Return points in the unit cube, one coordinate an option."""
    width = len(design.vary)
    if design.kind == "random":
        drawn = stream(design.seed, STREAM).random((design.samples, width))
        return drawn.tolist()
    from scipy.stats import qmc  # slow to import

    drawing = "rng" if "rng" in signature(qmc.Sobol).parameters else "seed"  # < 1.15
    drawn_by: dict[str, Any] = {drawing: stream(design.seed, STREAM)}
    sobol = qmc.Sobol(width, **drawn_by)
    size = max(0, math.ceil(math.log2(design.samples)))
    return sobol.random_base2(size)[: design.samples].tolist()


def evenly(low: float, high: float, count: int) -> tuple[Value, ...]:
    """Return numbers from one to another, both among them; whole ones stay whole.

    Args:
        low: the first; the only one where one is wanted.
        high: the last.
        count: how many.

    Raises:
        ConfigError: an end is no number.
    """
    Span(float(low), float(high))
    if count == 1:
        return (low,)
    first, last = Fraction(repr(low)), Fraction(repr(high))  # as they are written
    parts, below = count - 1, first.denominator * last.denominator * (count - 1)
    p, q = first.numerator * last.denominator, last.numerator * first.denominator
    above = [p * (parts - k) + q * k for k in range(1, parts)]
    if isinstance(low, int) and isinstance(high, int):
        return (
            low,
            *(a // below if a % below == 0 else a / below for a in above),
            high,
        )
    return (low, *(a / below for a in above), high)  # rounded once, as Python's / is
