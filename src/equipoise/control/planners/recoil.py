"""Where the trunk is for the centre of mass to be at a place, as legs swing.

Legs have mass: one that swings forward pushes the trunk back. With c the centre of mass
in B as the machine stands, σ_l the share of the whole mass that moves with foot l, and
r_l its place where it stands, all seen from above in the trunk's heading,

    p_C = p + c + Σ σ_l (f_l - p - r_l),
    p = (p_C - c - Σ σ_l (f_l - r_l)) / (1 - Σ σ_l)

for feet f_l that are known. A swinging foot goes by a cubic between its footholds, at
rest at both ends, as ``leg_programs.steps`` has it where it matches the ground's
speed.
[Ridderstrom2003] section 3.1.4 names the oscillations of a plan without it.
"""

import numpy as np

from equipoise.control.signals import Estimate
from equipoise.core.arrays import Array, Vec2, VecN
from equipoise.robots.legs import moment_columns

__all__ = ["foot_shares", "swung", "trunk_below"]


def foot_shares(estimate: Estimate) -> Array:
    """Return σ: share of the machine's mass that moves with each foot, (nl, 2).

    Args:
        estimate: of this tick, whose poses count.
    """
    legs, machine = estimate.legs, estimate.machine
    out = np.zeros((len(legs), 2))
    for one, (leg, build) in enumerate(zip(legs, machine.geometry.legs, strict=True)):
        columns = np.zeros((3, machine.joints))
        moment_columns(build, leg.q, columns)
        moved = columns @ np.linalg.pinv(leg.jacobian)
        out[one] = moved[0, 0], moved[1, 1]
    return out / float(estimate.trunk["mass"][0])


def swung(before: Vec2, after: Vec2, share: VecN) -> Array:
    """Return where a foot is on its way between two footholds, (n, 2) [m].

    Args:
        before: the first, (2,) [m].
        after: the next, (2,) [m].
        share: of its swing that is over, 0 before and 1 after it, (n,).
    """
    u = np.clip(share, 0.0, 1.0)
    return before + (u * u * (3.0 - 2.0 * u))[:, None] * (after - before)


def trunk_below(
    centre: Array, feet: Array, yaw: VecN, stand: Array, own: Vec2, shares: Array
) -> Array:
    """Return the trunk's places for those of the centre of mass, (n, 2) [m].

    Args:
        centre: of mass, in W, (n, 2) [m].
        feet: in W, (nl, n, 2) [m].
        yaw: of the trunk, (n,) [rad].
        stand: where feet are in B as the machine stands, (nl, 2) [m].
        own: centre of mass in B then, (2,) [m].
        shares: of the machine's mass that moves with each foot, (nl, 2).
    """
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.stack([np.stack([c, s], 1), np.stack([-s, c], 1)], 1)  # W to heading
    ahead = np.einsum("nij,nj->ni", turn, centre)
    seen = np.einsum("nij,lnj->lni", turn, feet) - stand[:, None]
    place = ahead - own - np.einsum("li,lni->ni", shares, seen)
    return np.einsum("nji,nj->ni", turn, place / (1.0 - shares.sum(axis=0)))
