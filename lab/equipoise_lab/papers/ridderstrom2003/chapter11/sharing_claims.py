"""Section 11.2.2: the simple rule that shares forces out, put to the balance."""

import numpy as np

from equipoise.control.posture import share_printed
from equipoise.control.records import SharedLoad
from equipoise.core.arrays import Array
from equipoise.robots.legs import leg_geometry
from equipoise.robots.warp1.warp1 import warp1
from equipoise_lab.papers.check import above, below
from equipoise_lab.papers.claim import Claim, refuted

__all__ = ["left_over", "sharing_claim"]

WANTED = np.array([600.0, 60.0, 60.0])
"""Force along b3 and moments about b1 and b2 that are shared out [N, N m]."""
ROUNDING = 1e-12  # of some ten operations, over the wrench


def left_over(arms: Array) -> Array:
    """Return what the printed loads lack of force and moments, over the wrench, (3,).

    Args:
        arms: places of the feet under a level trunk, (nl, 3) [m].
    """
    feet = SharedLoad.zeros(len(arms))
    feet["arm"], feet["stands"] = arms[:, :2], 1.0
    force, roll, pitch = WANTED.tolist()
    share_printed(force, roll, pitch, feet)
    loads = feet["load"]
    got = np.array([loads.sum(), loads @ arms[:, 1], -loads @ arms[:, 0]])
    return np.abs(got - WANTED) / WANTED


def sharing_claim() -> Claim:
    """Return whether the rule satisfies the force balance when the trunk is level."""
    hips = leg_geometry(warp1()).hips
    middle = hips - np.array([hips[:, 0].mean(), 0.0, 0.0])
    off, even = left_over(hips), left_over(middle)
    return refuted(
        "11.2.2",
        "the rule that shares vertical forces out satisfies the force balance, at least"
        " when the robot is horizontal",
        "satisfies",
        f"WARP1's own feet: force {off[0]:.1%}, moments {off[1]:.1%} and {off[2]:.1%}"
        " off",
        [above(off.max(), 0.01), below(even.max(), ROUNDING)],
        f"{WANTED[0]:g} N and {WANTED[1]:g} N m about each axis, feet straight below"
        " the hips of table 6.4, whose middle is 20 mm behind the centre. With hips"
        f" about the centre it is exact, {even.max():.0e}: the rule needs Σ r1 ="
        " Σ 1/r1 = 0. Ours shares out by least squares",
        tolerance=ROUNDING,
    )
