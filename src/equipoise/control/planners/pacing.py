"""How waves of an expanded trot are paced: duration, duty factor and sway by speed."""

from dataclasses import dataclass
from typing import Annotated, final

from equipoise.control.planners.wave import CRAWL, Wave
from equipoise.core.setting import Setting, Settings

__all__ = ["ExpandedConfig"]

TROT = 0.6
"""Duty factor up to which the trunk does not sway."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ExpandedConfig(Settings):
    """Settings of the waves; the defaults are TITAN IV's at 0.4 m/s."""

    duty: Annotated[
        float,
        Setting("Share of two waves during which a leg stands", least=0.5, most=0.95),
    ] = 0.65
    duty_to: Annotated[
        float | None,
        Setting(
            "Duty factor that is reached after the first waves",
            least=0.5,
            most=0.95,
            usual="no change",
        ),
    ] = None
    sweep: Annotated[
        float, Setting("Time in which the duty factor changes", "s", above=0.0)
    ] = 20.0
    wave: Annotated[float, Setting("Duration of a wave", "s", above=0.0)] = 0.6
    on_two: Annotated[
        float,
        Setting("Longest time on two feet; shorter waves keep to it", "s", above=0.0),
    ] = 0.24
    lead: Annotated[
        float,
        Setting(
            "Time on all feet before the first wave and after the last", "s", above=0.0
        ),
    ] = 0.4
    sway: Annotated[
        float,
        Setting(
            "Sway of the centre of mass at a switch of a crawl, towards the leg "
            "that led; 0 below a duty factor of 0.6",
            "m",
            least=0.0,
        ),
    ] = 0.03
    still: Annotated[
        float,
        Setting(
            "Sway of the centre of mass at a switch while stepping on the spot",
            "m",
            least=0.0,
        ),
    ] = 0.08
    duty_still: Annotated[
        float,
        Setting(
            "Smallest duty factor while stepping on the spot", least=0.5, most=0.95
        ),
    ] = 0.7
    steady: Annotated[
        float,
        Setting(
            "Speed above which sway and duty factor are those of walking",
            "m/s",
            above=0.0,
        ),
    ] = 0.3
    press: Annotated[
        float, Setting("Depth below the ground at which feet are aimed", "m", least=0.0)
    ] = 0.01
    clearance: Annotated[
        float, Setting("Clearance of a swinging foot", "m", least=0.0)
    ] = 0.1
    eased: Annotated[
        float, Setting("Time in which a foot takes its load on", "s", least=0.0)
    ] = 0.05
    crawl: Annotated[
        float,
        Setting(
            "Largest duty factor of a wave on the spot, before the planner gives up",
            least=0.5,
            most=0.95,
        ),
    ] = 0.85
    outside: Annotated[
        float,
        Setting(
            "Distance of the planned zero moment point outside three feet at "
            "which a wave is slowed down",
            "m",
            least=0.0,
        ),
    ] = 0.03
    makes_up: Annotated[
        float,
        Setting(
            "Largest share of the speed that is added after waiting for late feet",
            least=0.0,
        ),
    ] = 0.1
    search: Annotated[
        float,
        Setting("Largest distance of a foothold from where it belongs", "m", above=0.0),
    ] = 0.15
    hurry: Annotated[
        float, Setting("Share of the joints' speed limits that feet may use", above=0.0)
    ] = 0.9

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
