"""How waves of an expanded trot are paced: duration, duty factor and sway by speed."""

from dataclasses import dataclass
from typing import final

from equipoise.control.planners.wave import CRAWL, Wave
from equipoise.core.checks import expect_positive, expect_within

__all__ = ["ExpandedConfig"]

TROT = 0.6
"""Duty factor up to which the trunk does not sway."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ExpandedConfig:
    """Of the waves; defaults are TITAN IV's at 0.4 m/s.

    Raises:
        ConfigError: a duty factor that is none, or a number that is not positive.
    """

    duty: float = 0.65
    """Share of two waves for which a leg stands."""
    duty_to: float | None = None
    """To which it changes from the first wave on; None for no change."""
    sweep: float = 20.0
    """In which it does so [s]."""
    wave: float = 0.6
    """Duration of a wave [s]."""
    on_two: float = 0.24
    """For which it stands on two feet at most; shorter waves keep to it [s]."""
    lead: float = 0.4
    """In which it gets ready on all feet before the first wave, and comes to rest after
    the last [s]."""
    sway: float = 0.03
    """Of the centre of mass at a switch, to the side of the leg that led, of a crawl at
    0.75; below 0.6 there is none: on all feet for an instant it could not turn [m]."""
    still: float = 0.08
    """The same as it stands still: a trunk that does not pass over the feet by itself
    has to be brought to their side [m]."""
    duty_still: float = 0.7
    """Duty factor as it stands still, at least."""
    steady: float = 0.3
    """Speed from which on both are as they shall be [m/s]."""
    press: float = 0.01
    """How far below the ground feet are aimed [m]."""
    clearance: float = 0.1
    """Of a swinging foot [m]."""
    eased: float = 0.05
    """In which a foot takes its load on [s]."""
    crawl: float = 0.85
    """Duty factor of a wave that goes nowhere, before it gives up."""
    outside: float = 0.03
    """By how much the planned zero moment point may leave three feet's triangle before
    the wave is planned slower, and then as a crawl [m]."""
    makes_up: float = 0.1
    """Share of the speed that is added at most for time lost to late feet."""
    search: float = 0.15
    """How far from where it belongs a foot may be put down [m]."""
    hurry: float = 0.9
    """Share of the joints' speeds that feet may take."""

    def __post_init__(self) -> None:
        expect_positive(
            self, "wave", "on_two", "lead", "sweep", "steady", "search", "hurry"
        )
        lengths = (
            "sway",
            "still",
            "press",
            "clearance",
            "eased",
            "outside",
            "makes_up",
        )
        expect_positive(self, *lengths, zero=True)
        for name in ("duty", "duty_to", "duty_still", "crawl"):
            if getattr(self, name) is not None:
                expect_within(self, name, 0.5, 0.95)

    def wave_of(self, duty: float) -> Wave:
        """Return a wave of a duty factor, short enough for the time on two feet.

        Args:
            duty: factor.
        """
        share = max(3.0 - 4.0 * duty, 1e-9)
        return Wave(min(self.wave, self.on_two / share), duty)

    def duty_at(self, walked: float, speed: float) -> float:
        """Return the duty factor after some time of walking.

        Args:
            walked: for how long [s].
            speed: at which it walks [m/s].
        """
        share = 0.0
        if self.duty_to is not None:
            share = min(max(walked / self.sweep, 0.0), 1.0)
        asked = (1.0 - share) * self.duty + share * (self.duty_to or 0.0)
        rests = max(1.0 - speed / self.steady, 0.0)
        return asked + rests * max(self.duty_still - asked, 0.0)

    def sway_at(self, duty: float, speed: float) -> float:
        """Return how far the centre of mass is aside at a switch [m].

        Args:
            duty: factor of the wave that ends there.
            speed: at which it goes on [m/s].
        """
        rests = max(1.0 - speed / self.steady, 0.0)
        sway = self.sway + rests * max(self.still - self.sway, 0.0)
        share = (duty - TROT) / (CRAWL - TROT)
        return sway * min(max(share, 0.0), 1.0)
