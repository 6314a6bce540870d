"""WARP1 with the mass of its legs: how narrow may it stand, sections 11.1.3 and 12.2.2.

Hips and feet are moved in together, as the thesis did, and the robot is held by its law
of eq. (5.1): a spring from the trunk to each foot.
"""

import math
from dataclasses import dataclass

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.robots.pose_kinematics import foot_points
from equipoise.robots.warp1.warp1 import HIP, LEGS, SHANK, THIGH, TRUNK_MASS, warp1
from equipoise.stability import series_critical_width
from equipoise.stability.multibody.law import FootLaw
from equipoise.stability.multibody.multibody import multibody_stance
from equipoise_lab.papers.check import above, below
from equipoise_lab.papers.claim import Claim, beyond, shown
from equipoise_lab.papers.ridderstrom2003.part4.setting import PRINTED

__all__ = ["Widths", "heavy_leg_claims", "narrow_warp1", "widths"]

HEIGHT = 0.58
"""Of the trunk's centre of mass over the feet, as WARP1 stands [m]."""
FINE = 1e-5  # of the critical half-width [m]


@dataclass(frozen=True)
class Widths:
    """Critical half-widths of WARP1 [m]."""

    heavy: float
    """With the mass of the legs where it is."""
    lumped: float
    """With all mass in the trunk."""
    light: float
    """With the trunk's mass alone."""


def narrow_warp1(half_width: float) -> tuple[mujoco.MjModel, Array]:
    """Return WARP1 with hips, and feet under them, at a half-width, and its pose.

    Args:
        half_width: of hips and feet [m].
    """
    spec = warp1().spec.copy()
    for leg in LEGS:
        thigh = spec.body(f"{leg}_thigh")
        x, y, z = thigh.pos
        thigh.pos = [x, math.copysign(half_width, y), z]
    reach = HEIGHT + HIP[2]
    cosine = (reach**2 - THIGH**2 - SHANK**2) / (2.0 * THIGH * SHANK)
    knee = -math.acos(cosine)
    pitch = -math.atan2(SHANK * math.sin(knee), THIGH + SHANK * math.cos(knee))
    pose = [0.0, 0.0, HEIGHT, 1.0, 0.0, 0.0, 0.0] + [0.0, pitch, knee] * len(LEGS)
    return spec.compile(), np.array(pose)


def widths(along: float, up: float) -> Widths:
    """Return how narrow WARP1 may stand with a law's stiffnesses.

    Args:
        along: of one leg, horizontal [N/m].
        up: of one leg, vertical [N/m].
    """
    robot = warp1()
    feet, law = foot_points(robot), FootLaw("trunk", (along, along, up))
    mass = float(robot.model.body_mass.sum())
    # Four legs are two in the plane, each twice as stiff.
    lumped, light = (
        series_critical_width(m, HEIGHT, 2 * along, 2 * up, math.inf)
        for m in (mass, TRUNK_MASS)
    )
    low, high = 0.5 * light, 2.0 * lumped
    while high - low > FINE:
        middle = 0.5 * (low + high)
        model, pose = narrow_warp1(middle)
        if multibody_stance(model, pose, feet, law).stable:
            high = middle
        else:
            low = middle
    return Widths(high, lumped, light)


def heavy_leg_claims() -> list[Claim]:
    """Return what the mass of the legs does to the critical width."""
    up, along = PRINTED.warp1_stiffness
    said, swapped = widths(along, up), widths(up, along)
    over = [w.lumped / w.heavy - 1.0 for w in (said, swapped)]
    under = [1.0 - w.light / w.heavy for w in (said, swapped)]
    usual = PRINTED.warp1_stance * HEIGHT
    told = f"{said.heavy:.4f} m as the words say, {swapped.heavy:.4f} m swapped"
    return [
        shown(
            "11.1.3",
            "WARP1 falls when stance and trunk are made narrow, and is far from it",
            "fell in a few preliminary simulations",
            told,
            [
                above(min(said.heavy, swapped.heavy), 2 * FINE),
                below(max(said.heavy, swapped.heavy), usual),
            ],
            "critical half-width of WARP1 with all its bodies (tables 6.4, 6.5), 0.58 m"
            f" high, by the energy test; usual is {usual:.2f} m",
            tolerance="falls when narrow, stands as usual",
        ),
        beyond(
            "12.2.2",
            "how removing the assumption of massless legs affects the results",
            f"lumped into the trunk {100 * over[0]:.0f} % too wide, left out"
            f" {100 * under[0]:.0f} % too narrow",
            [above(min(over), 0.0), above(min(under), 0.0)],
            "eq. (11.3) with WARP1's 60.4 kg in the trunk gives"
            f" {said.lumped:.4f} and {swapped.lumped:.4f} m, with the trunk's 37.6 kg"
            f" {said.light:.4f} and {swapped.light:.4f} m, against {told}. Lumping is"
            " on the safe side, leaving out is not",
            tolerance="lumped too wide, left out too narrow",
        ),
    ]
