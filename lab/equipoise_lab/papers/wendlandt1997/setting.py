"""What [Wendlandt1997] prints, as numbers."""

import math
from dataclasses import dataclass

__all__ = ["PRINTED", "Printed"]

Triple = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number in the text; section 4 unless said."""

    bodies: int = 13
    """Section 2, as the next four."""
    freedoms: int = 18
    freedoms_standing: int = 6
    joints_a_leg: Triple = (3, 1, 2)
    """Of hip, knee and ankle."""
    first_link: tuple[int, int] = (2, 8)
    """Number of the first link of the left and the right leg."""
    big: float = 1e6
    """Algorithm 3."""
    a_1: int = 5
    """Entries of a_1, Algorithm 1."""
    friction: float = 0.3
    restitution: float = 0.2
    gravity: float = 9.81
    start: Triple = (0.0, 0.0, 103.5)
    """Of the central body's centre of mass [cm]."""
    start_lean_deg: float = 5.0
    """About -y."""
    angles_deg: tuple[float, ...] = (
        -77.4595, 0.0, 42.4595, 0.0, 40.0, 0.0, -77.4595, 0.0, 42.4595,
    )  # fmt: skip
    """The nine joint angles that are left of the list; its beginning is lost."""
    position_gain: Triple = (50.0, 50.0, 200.0)
    position_damping: Triple = (7.07, 7.07, 14.142)
    turning_gain: float = 50.0
    turning_damping: float = 7.07
    damping_ratio: float = 0.5
    rate_hz: float = 500.0
    step_ms: float = 7.0
    simulated_s: float = 3.0
    simulation_s: float = 2066.0
    simulation_min_s: tuple[int, int] = (34, 26)
    set_point: Triple = (-1.0, 0.0, 114.0)
    """[cm]."""
    set_quat: tuple[float, float, float, float] = (0.99144486, -0.13052619, 0.0, 0.0)
    set_lean_deg: float = 15.0
    """About -Y, the text says."""
    block_kg: float = 1.8
    block_lb: float = 4.0
    block_from: Triple = (50.0, 10.0, 120.0)
    """[cm]."""
    block_velocity: Triple = (-450.0, 0.0, 20.0)
    """[cm/s]."""
    block_mph: float = 10.0
    hit_s: float = 0.08
    rise_s: float = 0.13
    contact_s: tuple[float, float] = (0.36, 0.38)
    """Right foot, left foot."""

    @property
    def speed(self) -> float:
        """Of the block [m/s]."""
        return 0.01 * math.hypot(*self.block_velocity)


PRINTED = Printed()
