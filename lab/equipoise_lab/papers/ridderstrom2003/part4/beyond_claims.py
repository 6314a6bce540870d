"""What follows from part IV and is not in it: softness combined, leaning, energy."""

import math

import numpy as np
from scipy import optimize

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.seeds import stream
from equipoise.stability import (
    Foot,
    attraction_limit,
    compliant_stance,
    energy_barrier,
    planar_equilibria,
    series_critical_width,
    zmp_transfer,
)
from equipoise_lab.papers.check import at_least, below, near, same
from equipoise_lab.papers.claim import Claim, beyond
from equipoise_lab.papers.ridderstrom2003.part4.trunk import (
    Cartesian,
    Trunk,
    cartesian_forces,
    trunk_rates,
)
from equipoise_lab.papers.ridderstrom2003.part4.two_springs import (
    Springs,
    at_rest,
    energy,
)
from equipoise_lab.papers.ridderstrom2003.sections import LAST

__all__ = ["beyond_claims", "series_claims"]


def beyond_claims() -> list[Claim]:
    """Return what the thesis leaves open and we can answer, no seed about it."""
    return [plan_claim(), _lean_claim(), _barrier_claim()]


def series_claims(seed: int, stances: int = 100) -> list[Claim]:
    """Return that soft ground and soft control in series have a criterion.

    Args:
        seed: which random stances.
        stances: how many of them the general test sees.
    """
    rng = stream(seed, "ground and control in series")
    wrong = 0
    for _ in range(stances):
        feet = int(rng.integers(3, 7))
        mass, height = rng.uniform(5.0, 80.0), rng.uniform(0.3, 1.0)
        unit = mass * GRAVITY / height
        k1, k3, ground, across = rng.uniform(2.0, 20.0, 4) * unit
        radius = series_critical_width(mass, height, k1, k3, ground, feet)
        for factor in (0.999, 1.001):
            turn = 2 * math.pi * np.arange(feet) / feet
            places = np.column_stack(
                [
                    factor * radius * np.cos(turn),
                    factor * radius * np.sin(turn),
                    np.full(feet, -height),
                ]
            )
            soft, leg = (
                np.diag([across, across, ground]),
                np.diag([1 / k1] * 2 + [1 / k3]),
            )
            stance = compliant_stance(mass, [Foot(p, soft, leg) for p in places])
            wrong += stance.stable != (factor > 1.0)
    series = beyond(
        "12.2.2",
        "stances misjudged: ground and control soft at once",
        int(wrong),
        same(int(wrong), 0),
        f"of {2 * stances}, 0.1 % narrower and wider than L r^2 k_s / 2 = m g h +"
        " ((m g)^2 / L) (1/k_1 - 1/k_3), 1/k_s = 1/k_3 + 1/ground, three to six feet;"
        " the general test. 'One of the more important things that should be"
        " investigated'; how soft the ground is sideways does not matter",
        tolerance=0,
    )
    return [series]


def plan_claim() -> Claim:
    """Return what soft ground does to a planned zero moment point."""
    width, height, gamma = 0.1, 0.5, 1e-4
    worst, tops = 0.0, []
    for a in (0.1, 0.3, 0.6, 0.9):
        k = GRAVITY * height / (2.0 * a * width * width)
        damping = 0.3 * math.sqrt(2.0 * k)
        plan = zmp_transfer(1.0, k, damping, width, height, 0.02)
        tilt = planar_equilibria(a, gamma * width / height)[1]
        at = gamma * width * math.cos(tilt) + height * math.sin(tilt)
        slow = float(abs(plan.response(0.0)))
        worst = max(worst, abs(slow * gamma * width / at - 1.0))
        tops.append(plan.resonance[1] / slow)
    return beyond(
        "12.2.2",
        "does a planned motion need a stiffer ground than standing still",
        f"yes: slow plans overshoot by 1 / (1 - a), others up to {max(tops):.1f} times"
        " that",
        [below(worst, 1e-6), at_least(min(tops), 1.0)],
        "zero moment point of stability.zmp_transfer over the planned one; slow ones"
        f" against the rest of a body off the middle by 1e-4 r, {worst:.0e} off, where"
        " the rest's bend is the square of its lean over 1 - a, 3e-7 at most. The peak"
        " is for one body, damped by 0.3 in bouncing; fast plans are smoothed away",
        tolerance=1e-6,
    )


def _lean_claim() -> Claim:
    """Return that a Cartesian controller need not fall where it stops standing."""
    trunk = Trunk(mass=60.0, inertia=3.0, half_width=0.125, height=0.5)
    unit = trunk.mass * GRAVITY / trunk.height
    k1, k3, h, r = 17.0 * unit, 7.0 * unit, trunk.height, trunk.half_width
    weight = trunk.mass * GRAVITY
    stiff = k3 * r * r + 0.25 * weight**2 * (1.0 / k3 - 1.0 / k1)
    cosine = (weight * h - 2 * k1 * r * r) / (2 * stiff - 2 * k1 * r * r)
    wanted = math.acos(cosine)
    forces = cartesian_forces(Cartesian(k1, k3, 200.0, 200.0))

    def pushed(place: Array) -> Array:
        return trunk_rates(np.array([*place, 0.0, 0.0, 0.0]), trunk, forces)[3:]

    start = [h * math.sin(wanted), h * math.cos(wanted), wanted + 0.02]
    found = optimize.root(pushed, start, tol=1e-12)
    angle = abs(float(found.x[2]))
    # at rest to rounding of some 10 m/s^2, whatever the solver's word
    rests = float(np.abs(pushed(np.asarray(found.x))).max()) < 1e-11
    A, step = np.zeros((6, 6)), 1e-6
    for j in range(6):
        at = np.array([*found.x, 0.0, 0.0, 0.0])
        ahead = trunk_rates(at + step * np.eye(6)[j], trunk, forces)
        A[:, j] = (ahead - trunk_rates(at - step * np.eye(6)[j], trunk, forces)) / (
            2 * step
        )
    holds = float(np.linalg.eigvals(A).real.max()) < 0.0
    return beyond(
        LAST,
        "below the critical width (17, 7) leans and does not fall, r/h = 0.25 [rad]",
        round(angle, 4),
        [near(angle, wanted, 1e-6), same(rests, True), same(holds, True)],
        "a stable rest of the trunk, found by a root search: cos(alpha) = (m g h -"
        " 2 k_1 r^2) / (2 K - 2 k_1 r^2), K = k_3 r^2 + (m g)^2 (1/k_3 - 1/k_1) / 4."
        " It leans where 2 k_1 r^2 > m g h and falls where not, as with (7, 17)",
        tolerance=1e-6,
    )


def _barrier_claim() -> Claim:
    """Return that the energy between standing and falling has a closed form."""
    worst = 0.0
    for slenderness in (0.05, 0.2, 0.6):
        for a in (0.02, 0.3, 0.7, 0.95, 0.99, 0.999):
            k = GRAVITY / (2.0 * a * slenderness**2)
            body = Springs(1.0, 1.0, k, 0.0, slenderness, 1.0)
            top = at_rest(attraction_limit(slenderness, 1.0, a), body)
            found = (energy(top, body) - energy(at_rest(0.0, body), body)) / GRAVITY
            worst = max(worst, abs(found - energy_barrier(a, slenderness)))
    return beyond(
        LAST,
        "energy that tips a body on soft ground, over m g h",
        f"closed form {worst:.0e} off",
        below(worst, 1e-12),
        "energy of the model on top of the barrier less that of the stance, 18 cases;"
        " energies of m g h are subtracted",
        tolerance=1e-12,
    )
