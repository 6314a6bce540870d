"""What chapter 11 of [Ridderstrom2003] prints about WARP1, as numbers."""

from dataclasses import dataclass

__all__ = ["PRINTED", "Printed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number that a claim compares with."""

    margins: tuple[float, float] = (5.0, 30.0)
    """k_alpha over what is required, roll and pitch, section 11.2.4."""
    faster: float = 2.0
    """Pitch than roll, "almost", section 11.3.1."""
    coupling: float = 1.0
    """Largest deviation of the other angle, section 11.3.1 [°]."""
    height: float = 5.0
    """Largest deviation of the height, section 11.3.1 [mm]."""
    quiet: float = 0.1
    """Deviation of angles in a simulated step of the height, section 11.3.2 [°]."""
    powers: tuple[float, float, float] = (16.0, 90.0, 9.0)
    """Before, at most and after, section 11.3.2 [W]."""
    lifting: float = 0.5
    """Share of the energy that lifts the trunk, "about", section 11.3.2."""
    board: tuple[float, float] = (8.0, 20.0)
    """Section 11.3.3 [°], [°/s]."""
    side: float = 2.0
    rod: float = 0.13
    """Of the board, and under it, section 11.3.3 [m]."""
    knocks: float = 40.0
    """Section 11.2.3 [1/s]."""


PRINTED = Printed()
