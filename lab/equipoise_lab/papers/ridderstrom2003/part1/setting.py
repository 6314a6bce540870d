"""What chapter 2 of [Ridderstrom2003] prints, as numbers."""

from dataclasses import dataclass

__all__ = ["PRINTED", "Printed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number that a claim compares with."""

    duties: tuple[tuple[str, float], ...] = (
        ("trot", 0.5),
        ("pace", 0.5),
        ("gallop", 5 / 16),
        ("crawl", 0.75),
    )
    """Of figure 2.2."""
    least_legs: int = 4
    """For locomotion with static balance, section 2.4, as the next three."""
    least_duty: float = 0.75
    crawl: float = 1 / 3
    """Largest speed of the trunk over that of a foot, in a crawl, ..."""
    trot: float = 1.0
    """... and in a trot."""


PRINTED = Printed()
