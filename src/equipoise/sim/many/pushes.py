"""Who pushes the robots, how hard and when."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.setting import Setting, Settings
from equipoise.sim.many.philox import STREAMS, philox, shares

__all__ = ["NO_WINDOW", "PushPlan", "Spread", "ends_of"]

Spread = float | tuple[float, float] | Sequence[float] | Array
"""A number for all, (least, most) for even draws, or an array of one a robot."""
NO_WINDOW: Final = 2**30
"""Ticks after which pushes come again where they do not."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PushPlan(Settings):
    """Horizontal pushes on the trunk of every robot, drawn independently.

    Raises:
        ConfigError: numbers that cannot be; all of them are named.
    """

    impulse: Spread = 0.0
    """Impulse of a push [N s]."""
    heading: Spread = (0.0, 2.0 * math.pi)
    """Direction of a push, from +x towards +y [rad]."""
    at: Spread = 1.0
    """Time at which a push begins, from the start or within each repetition [s]."""
    duration: Annotated[
        float, Setting("Time for which a push lasts", "s", above=0.0)
    ] = 0.1
    every: Annotated[
        float | None,
        Setting("Time after which another push comes", "s", usual="one push only"),
    ] = None
    force: Spread = 0.0
    """Standard deviation of horizontal random forces, each held for a time [N]."""
    force_from: Annotated[
        float, Setting("Time at which random forces begin", "s", least=0.0)
    ] = 1.0
    hold: Annotated[
        float, Setting("Time for which each random force is held", "s", above=0.0)
    ] = 0.1

    def problems(self) -> Iterator[str]:
        """Yield the problems of the numbers to draw, as phrases."""
        found = list[str]()
        for name in ("impulse", "heading"):
            found += bad_spread(name, getattr(self, name))
        for name in ("at", "force"):
            found += bad_spread(name, getattr(self, name), least=0.0)
        if isinstance(self.force, tuple):
            found.append("force must be a number or an array, not a range")
        yield from found
        if not found and self.every is not None:
            most = float(np.max(np.asarray(self.at))) + self.duration
            if self.every < most:
                yield (
                    f"every must be at least {most:g} s, when a push has ended, "
                    f"got {self.every!r}"
                )

    def rows(self, robots: int) -> Array:
        """Return the rows that the kernel reads, as in ``PUSH_ROWS``, (7, robots).

        Args:
            robots: how many.

        Raises:
            ConfigError: an array of another length.
        """
        ends = [ends_of(n, getattr(self, n), robots) for n in NAMES]
        sigma = np.broadcast_to(ends_of("force", self.force, robots)[0], robots)
        pairs = [np.broadcast_to(end, robots) for pair in ends for end in pair]
        return np.stack([*pairs, sigma])

    def drawn(self, robots: int, seed: int, who: Array | None = None) -> Array:
        """Return impulse [N s], heading [rad] and instant [s] of first pushes, (3, n).

        Args:
            robots: how many.
            seed: of the run.
            who: which numbers each robot draws, (n,); None to count them.
        """
        counter = np.zeros((robots, 4), np.uint32)
        counter[:, 0] = np.arange(robots) if who is None else who
        counter[:, 2] = STREAMS["push"]
        at = shares(philox(counter, (seed & 0xFFFFFFFF, seed >> 32))).T[:3]
        low, high = self.rows(robots)[0:6:2], self.rows(robots)[1:6:2]
        return low + at * (high - low)


NAMES = ("impulse", "heading", "at")


def bad_spread(name: str, value: Any, least: float = -math.inf) -> list[str]:
    """Return what is wrong with a number, a range or an array."""
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.array(math.nan)
    is_range = isinstance(value, tuple)
    is_good = bool(np.isfinite(numbers).all()) and numbers.ndim <= 1 and numbers.size
    if is_range and not (is_good and len(value) == 2 and value[0] <= value[1]):
        return [f"{name} must be (least, most), two finite numbers, got {value!r}"]
    if not is_good:
        return [f"{name} must be a finite number, a range or an array of numbers"]
    if float(numbers.min()) < least:
        return [f"{name} must be >= {least:g}, got {float(numbers.min())!r}"]
    return []


def ends_of(name: str, value: Spread, robots: int) -> tuple[Array, Array]:
    """Return the lower and upper end of what may be drawn, each a number or (robots,).

    Args:
        name: whose they are, for an error.
        value: a number, a range or one number a robot.
        robots: how many.

    Raises:
        ConfigError: another number of them, or numbers that are not finite.
    """
    if problems := bad_spread(name, value):
        raise ConfigError("the robots", problems)
    if isinstance(value, tuple):
        return np.array(float(value[0])), np.array(float(value[1]))
    numbers = np.asarray(value, dtype=np.float64)
    if numbers.ndim and len(numbers) != robots:
        problem = f"{name} has {len(numbers)} numbers for {robots} robots"
        raise ConfigError("the robots", [problem])
    return numbers, numbers
