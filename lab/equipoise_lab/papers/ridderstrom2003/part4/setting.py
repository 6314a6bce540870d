"""What part IV of [Ridderstrom2003] prints, as numbers."""

from dataclasses import dataclass

__all__ = ["PRINTED", "Printed", "Rig"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rig:
    """Table 9.1, and how sure its numbers are."""

    weight: float = 1.0
    """What is raised [kg]."""
    mass: float = 4.0
    """Of the whole rig [kg]."""
    stiffness: float = 371.0
    """Of one spring with its wire [N/m]."""
    spring: float = 378.0
    wire: float = 9800.0
    mass_error: float = 0.01
    stiffness_error: float = 18.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number that a claim compares with."""

    rig: Rig = Rig()
    half_width: float = 0.1
    """Figs 9.6 to 9.8 [m]."""
    heights: tuple[float, float] = (1.0, 0.5)
    """Figs 9.6 and 9.7, fig. 9.8 [m]."""
    stiffness_at_one: tuple[float, float] = (500.0, 240.0)
    """Section 9.3: k where a is near 1 [N/m]."""
    offsets: tuple[float, float] = (0.5, 0.9)
    """Fig. 10.7: a, and gamma from minus to plus."""
    warp1_mass: float = 60.0
    """Section 9.1 [kg]."""
    warp1_height: float = 0.5
    """Not printed with them; the height at which the stiffnesses come out [m]."""
    warp1_stiffness: tuple[float, float] = (4e3, 10e3)
    """Section 11.1.3: vertical, horizontal, of one leg [N/m]."""
    warp1_dimensionless: tuple[float, float] = (7.0, 17.0)
    """Section 11.1.3: k1', k3'."""
    warp1_critical: float = 0.19
    warp1_stance: float = 0.5
    """Section 11.1.3: critical r/h, and the usual one."""
    margins: tuple[float, float] = (5.0, 30.0)
    """Section 11.2.4: k_alpha over what is required, roll and pitch."""
    softer: float = 0.2
    wider: float = 0.11
    """Section 12.2: a loss of stiffness, and the width that makes up for it."""


PRINTED = Printed()
