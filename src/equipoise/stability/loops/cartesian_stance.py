"""Cartesian foot control on hard ground: all eigenvalues, and how far it leans.

Two feet, each held at its place under the trunk by springs k1 (along the trunk) and k3
(across it) of a controller, [Ridderstrom2003] section 11.1. Losing the upright stance
is not always a fall: with 2 k1 r² > m g h the robot leans, gently at first.
"""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Mat4
from equipoise.core.constants import GRAVITY
from equipoise.stability.loops.delay_roots import Complex
from equipoise.stability.quantity import expect_above_zero
from equipoise.stability.soft.planar import oscillator_roots

__all__ = ["CartesianLean", "CartesianStance", "cartesian_lean", "cartesian_stance"]


@final
@dataclass(frozen=True, eq=False)
class CartesianStance:
    """Upright stance under Cartesian foot control, linearised."""

    matrix: Mat4
    """d/dt of (q1, α, w1, w2), place along the trunk, tilt and their rates, (4, 4)."""
    eigenvalues: Complex
    """Eigenvalues: two of bouncing, then four of swaying and tipping, (6,) [1/s]."""
    stable: bool
    """Whether every small motion decays."""


def cartesian_stance(
    mass: float,
    height: float,
    half_width: float,
    inertia: float,
    stiffness: tuple[float, float],
    damping: tuple[float, float],
    *,
    gravity: float = GRAVITY,
) -> CartesianStance:
    """Return state matrix, eigenvalues and stability of two controlled feet.

    The rows of [Ridderstrom2003] section 11.1.2 put right in four places:
    (mg)²/(4 k3²) for (mg)²/(2 k3²) in the first, d1/k3 for d1/d3 and d3 w2 + k3 q2 for
    d3 w2 - k3 q2 in the second, 2 d3 w3 for d3 w3 in the third. With damping the
    stance is stable exactly where (11.3) holds.

    Args:
        mass: of the trunk, which is all [kg].
        height: h at which the feet are asked to be below the trunk [m].
        half_width: r, likewise to either side [m].
        inertia: about the centre of mass [kg m²].
        stiffness: (k1, k3) of one foot [N/m].
        damping: (d1, d3) of one foot [N s/m].
        gravity: free fall [m/s²].

    Raises:
        NotPhysicalError: a number that is not positive.
    """
    (k1, k3), (d1, d3) = stiffness, damping
    expect_above_zero(
        "cartesian_stance",
        mass=mass,
        height=height,
        half_width=half_width,
        inertia=inertia,
        k1=k1,
        k3=k3,
        d1=d1,
        d3=d3,
        gravity=gravity,
    )
    m, h, r, i, w = mass, height, half_width, inertia, mass * gravity
    c1 = w * w / (2 * k3) * (1 - k1 / k3) + w * h * (2 * k1 / k3 - 1)
    c1 -= 2 * k1 * (h * h + i / m)
    first = [
        c1,
        2 * r * r * h * k3 - w * r * r + gravity * i,
        2 * d1 * (w * h / k3 - i / m - h * h - (w / k3) ** 2 / 4),
        d3 * r * r * (2 * h - w / k3),
    ]
    second = [
        w + 2 * h * k1 - k1 / k3 * w,
        -2 * r * r * k3,
        2 * h * d1 - d1 / k3 * w,
        -2 * r * r * d3,
    ]
    matrix = np.array([[0, 0, i, 0], [0, 0, 0, i], first, second]) / i
    bounce = oscillator_roots(m, 2 * d3, 2 * k3)
    roots = np.append(np.array(bounce, complex), np.linalg.eigvals(matrix))
    needed = w * h + w * w / 2 * (1 / k1 - 1 / k3)  # eq. (11.3)
    return CartesianStance(matrix, roots, bool(2 * k3 * r * r > needed))


@final
@dataclass(frozen=True)
class CartesianLean:
    """Tilted equilibria of Cartesian foot control."""

    upright_stable: bool
    """Whether the upright stance is stable."""
    is_supercritical: bool
    """Whether an unstable robot leans (True) or falls (False): 2 k1 r² > m g h."""
    angle: float
    """Tilt of the two equilibria beside the upright one [rad]; nan where there are
    none. Stable where the upright one is not and the loss is a lean; a brink beyond
    which it falls where the upright one is stable and the loss would be a fall."""

    @property
    def leans(self) -> bool:
        """Whether the robot comes to rest at the angle instead of upright."""
        return not self.upright_stable and math.isfinite(self.angle)


def cartesian_lean(k1: float, k3: float, slenderness: float) -> CartesianLean:
    """Return whether a robot under Cartesian foot control leans, and how far.

    With the other coordinates at their equilibrium the energy over m g h is
    cos α + λ sin² α + κ (1 - cos α)², κ = k1 ρ², λ = k3 ρ² + (1/k3 - 1/k1) / 4; upright
    is stable for 2 λ > 1 and cos α* = (1 - 2 κ) / (2 λ - 2 κ). Feet are taken as
    pinned: whether one would lift is not looked at.

    Args:
        k1: stiffness of one leg along the trunk times h / (m g), no unit.
        k3: stiffness of one leg across it times h / (m g), no unit.
        slenderness: ρ = r / h, no unit.

    Raises:
        NotPhysicalError: a number that is not positive.
    """
    expect_above_zero("cartesian_lean", k1=k1, k3=k3, slenderness=slenderness)
    kappa = k1 * slenderness**2
    lam = k3 * slenderness**2 + (1 / k3 - 1 / k1) / 4
    above, below = 1 - 2 * kappa, 2 * (lam - kappa)
    has_tilted = abs(above) < abs(below)
    angle = math.acos(above / below) if has_tilted else math.nan
    return CartesianLean(2 * lam > 1, 2 * kappa > 1, angle)
