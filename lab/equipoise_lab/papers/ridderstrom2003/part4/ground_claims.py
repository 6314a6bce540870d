"""Sections 2.4 and 2.5: margins of a robot that stands and of one in motion."""

import math
from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.core.seeds import stream
from equipoise.stability import (
    centre_of_pressure,
    edge_moments,
    effective_wrench,
    energy_margin,
    pressure_margin,
    static_margin,
    support_polygon,
    tipping_margin,
    zero_moment_point,
)
from equipoise_lab.papers.check import above, below
from equipoise_lab.papers.claim import Claim, beyond, compared, shown

__all__ = ["ground_claims", "margin_claims"]

STATES, BODIES = 2000, 5
ROUNDING = 1e-12  # some hundred operations on metres
FEET = np.array(
    [[0.3, 0.2, 0.0], [-0.25, 0.22, 0.0], [-0.3, -0.2, 0.0], [0.2, -0.2, 0.0]]
)


@dataclass(frozen=True, eq=False)
class Motion:
    """Random states of a robot of five bodies whose zero moment point is inside."""

    weight: float
    p_WC: Array
    force: Array
    moment: Array


def motion(seed: int) -> Motion:
    """Return the states, a row each."""
    rng = stream(seed, "motions of section 2.5")
    masses = rng.uniform(1.0, 10.0, BODIES)
    places = rng.uniform(-0.15, 0.15, (STATES, BODIES, 3)) + np.array([0.0, 0.0, 0.6])
    rates = rng.uniform(-3.0, 3.0, (STATES, BODIES, 3))
    spins = rng.uniform(-4.0, 4.0, (STATES, BODIES, 3))
    p_WC, force, moment = effective_wrench(masses, places, rates, spins)
    return Motion(float(masses.sum()) * GRAVITY, p_WC, force, moment)


def ground_claims(seed: int) -> list[Claim]:
    """Return the claims about margins.

    Args:
        seed: which random motions.
    """
    states = motion(seed)
    return [_static_claim(seed), *pressure_claims(states), _edge_claim(states)]


def margin_claims() -> list[Claim]:
    """Return the energy margin on hard ground, as the thesis defines it."""
    p_WC = np.array([0.02, -0.03, 0.5])
    margin = energy_margin(p_WC, FEET, mass=10.0)
    worst = abs(float(margin.energy) - _tipped_work(p_WC, 10.0))
    energies = shown(
        "9, Messuri and Klein",
        "energy stability margin: least energy that tips a rigid vehicle",
        "defined",
        f"{worst:.0e} J off",
        below(worst, 1e-8),
        "stability.energy_margin against turning a vehicle of 10 kg about each edge"
        " in steps of 2e-6 rad; the top is missed by half a step squared",
        tolerance=1e-8,
    )
    return [energies]


def _static_claim(seed: int) -> Claim:
    """Return the static margin on hard ground."""
    rng = stream(seed, "tips of section 2.4")
    points = rng.uniform(-0.4, 0.4, (500, 2))
    corners = support_polygon(FEET)[:, :2]
    ways = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([-ways[:, 1], ways[:, 0]], axis=1)
    normals /= np.linalg.norm(ways, axis=1, keepdims=True)
    inside = ((points[:, None] - corners) * normals).sum(axis=2).min(axis=1) > 0.0
    wrong = int((inside != (static_margin(points, FEET) > 0.0)).sum())
    return compared(
        "2.4",
        "statically stable where the mass is over the support",
        0,
        wrong,
        "mismatches of the margin's sign with half-planes, 500 random points",
    )


def _tipped_work(p_WC: Array, mass: float) -> float:
    """Return the least work to tip about an edge, found by turning about each [J]."""
    corners = support_polygon(FEET)[:, :2]
    best = math.inf
    turn = np.linspace(0.0, 1.5, 750_001)
    for k, corner in enumerate(corners):
        way = corners[(k + 1) % len(corners)] - corner
        way = way / np.linalg.norm(way)
        aside = float(way[0] * (p_WC[1] - corner[1]) - way[1] * (p_WC[0] - corner[0]))
        lift = aside * np.sin(turn) + p_WC[2] * np.cos(turn) - p_WC[2]
        best = min(best, mass * GRAVITY * float(lift.max()))
    return best


def pressure_claims(states: Motion) -> list[Claim]:
    """Return the centre of pressure as printed and as it is."""
    p_WZ = zero_moment_point(states.p_WC, states.force, states.moment)
    along = states.p_WC - states.force * (
        states.p_WC[:, 2:] / states.force[:, 2:]
    )  # the line from the centre of mass along the force, at the ground
    turned = np.stack([-states.moment[:, 1], states.moment[:, 0]], axis=1)
    fixed = along[:, :2] + turned / states.force[:, 2:]
    off = float(np.abs(along[:, :2] - p_WZ[:, :2]).max())
    left = float(np.abs(fixed - p_WZ[:, :2]).max())
    pushes = _foot_pushes(states, p_WZ)
    p_WP = centre_of_pressure(np.broadcast_to(FEET, (STATES, *FEET.shape)), pushes)
    same = float(np.abs(p_WP[:, :2] - p_WZ[:, :2]).max())
    inside = pressure_margin(states.p_WC, states.force, states.moment, FEET)
    held = inside > 0.0
    tips = tipping_margin(states.p_WC, states.force, states.moment, FEET, states.weight)
    ratio = tips[held] / inside[held]
    load = -states.force[held, 2] / states.weight
    return [
        shown(
            "2.5.1",
            "centre of pressure of contacts in a plane is the zero moment point",
            "as printed",
            f"{same:.0e} m off",
            below(same, ROUNDING),
            f"{STATES} random motions of {BODIES} bodies, feet pushing so as to carry"
            " them",
            tolerance=ROUNDING,
        ),
        beyond(
            "2.5.1, erratum 28",
            "two definitions of the centre of pressure: along the resultant force from"
            " the centre of mass, and of the contacts",
            f"up to {off:.2f} m apart",
            [above(off, 0.01), below(left, ROUNDING)],
            "they are one only without a moment about the centre of mass. With"
            f" n_3 x M / F_z added the first is the second to {left:.0e} m",
            tolerance=ROUNDING,
        ),
        beyond(
            "2.5.1, erratum 28",
            "two definitions of the dynamic stability margin: a distance, and min M_i"
            " / W",
            f"{ratio.min():.2f} to {ratio.max():.2f} times the distance",
            [above(np.ptp(ratio), 0.01), below(np.abs(ratio - load).max(), 1e-9)],
            "they are two margins: M_i is the distance times the vertical force, so"
            f" M_i / W is |F_z| / W times it; {int(held.sum())} motions. The distance"
            " itself is M_i / |F_z|",
            tolerance=1e-9,
        ),
    ]


def _foot_pushes(states: Motion, p_WZ: Array) -> Array:
    """Return vertical pushes of four feet that carry each motion, (n, 4, 3) [N]."""
    A = np.vstack([np.ones(len(FEET)), FEET[:, 0], FEET[:, 1]])
    load = -states.force[:, 2]
    wanted = load[:, None] * np.column_stack([np.ones(STATES), p_WZ[:, :2]])
    pushes = np.zeros((STATES, len(FEET), 3))
    pushes[:, :, 2] = wanted @ np.linalg.pinv(A).T
    return pushes


def _edge_claim(states: Motion) -> Claim:
    """Return that the printed sign is right, with the force of inertia and weight."""
    given = states.p_WC, states.force, states.moment, FEET
    inside = pressure_margin(*given) > 0.0
    least = edge_moments(*given).min(axis=1) > 0.0
    wrong = int((inside != least).sum())
    return compared(
        "2.5.1",
        "motions in which a negative M_i, e_i clockwise, does not mean tipping",
        0,
        wrong,
        f"of {STATES}, {int(inside.sum())} of them with the zero moment point inside."
        " F_e is weight and inertia, downwards; with the ground's push in its place"
        " every sign turns over",
    )
