"""Legs with three hinges: hip roll, hip pitch and knee, from the trunk to the foot.

The hip turns the leg about the trunk's forward axis b1 by the roll a, then in the leg's
plane by the pitch p; the knee bends by k relative to the thigh. Positive pitch and knee
angles swing forward, [Ridderstrom2003] figure 5.2. From the hip, in B,

    x = l₁ sin p + l₂ sin(p+k),  d = l₁ cos p + l₂ cos(p+k),  r = (x, d sin a, -d cos a)
"""

import math

from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled
from equipoise.robots.legs.build import LegBuild

__all__ = ["add_leg", "foot_jacobian", "foot_place", "leg_angles"]

NEARLY_STRAIGHT = 1.0 - 1e-9  # cosine of the knee beyond which a leg is stretched


@compiled(allocates=False)
def foot_place(q: Array, lengths: Array, out: Array) -> None:
    """Write the vectors from hip to foot in B, (nl, 3) [m].

    Args:
        q: joint angles, (3 nl,) [rad].
        lengths: of thighs and shanks, (nl, 2) [m].
        out: overwritten.
    """
    nl = lengths.shape[0]
    angles = q.reshape(nl, q.shape[0] // nl)
    for leg in range(nl):
        a, p = angles[leg, 0], angles[leg, 1]
        s = p + angles[leg, 2]
        down = lengths[leg, 0] * math.cos(p) + lengths[leg, 1] * math.cos(s)
        out[leg, 0] = lengths[leg, 0] * math.sin(p) + lengths[leg, 1] * math.sin(s)
        out[leg, 1] = down * math.sin(a)
        out[leg, 2] = -down * math.cos(a)


@compiled(allocates=False)
def foot_jacobian(q: Array, lengths: Array, out: Array) -> None:
    """Write each foot's J = ∂r/∂q in B, (nl, 3, 3) [m/rad].

    Args:
        q: joint angles, (3 nl,) [rad].
        lengths: of thighs and shanks, (nl, 2) [m].
        out: overwritten.
    """
    nl = lengths.shape[0]
    angles = q.reshape(nl, q.shape[0] // nl)
    for leg in range(nl):
        ca, sa = math.cos(angles[leg, 0]), math.sin(angles[leg, 0])
        p = angles[leg, 1]
        s = p + angles[leg, 2]
        x1, d1 = lengths[leg, 0] * math.sin(p), lengths[leg, 0] * math.cos(p)
        x2, d2 = lengths[leg, 1] * math.sin(s), lengths[leg, 1] * math.cos(s)
        x, d = x1 + x2, d1 + d2
        out[leg, 0, 0], out[leg, 1, 0], out[leg, 2, 0] = 0.0, d * ca, d * sa
        out[leg, 0, 1], out[leg, 1, 1], out[leg, 2, 1] = d, -x * sa, x * ca
        out[leg, 0, 2], out[leg, 1, 2], out[leg, 2, 2] = d2, -x2 * sa, x2 * ca


@compiled(allocates=False)
def leg_angles(places: Array, lengths: Array, bend: Array, out: Array) -> bool:
    """Write the joint angles that put each foot at a point; return whether all can.

    A place out of reach gets the stretched or folded leg that points at it.

    Args:
        places: hip to foot in B, (nl, 3) [m].
        lengths: of thighs and shanks, (nl, 2) [m].
        bend: sign of each knee's angle, (nl,).
        out: joint angles, (3 nl,) [rad]; overwritten.
    """
    reached, nl = True, lengths.shape[0]
    angles = out.reshape(nl, out.shape[0] // nl)
    for leg in range(nl):
        x, y, z = places[leg, 0], places[leg, 1], places[leg, 2]
        l1, l2 = lengths[leg, 0], lengths[leg, 1]
        down = math.sqrt(y * y + z * z)
        cosine = (x * x + down * down - l1 * l1 - l2 * l2) / (2.0 * l1 * l2)
        if not -1.0 <= cosine <= NEARLY_STRAIGHT:
            reached = False
            cosine = NEARLY_STRAIGHT if cosine > 0.0 else -1.0
        knee = bend[leg] * math.acos(cosine)
        lean = math.atan2(l2 * math.sin(knee), l1 + l2 * math.cos(knee))
        angles[leg, 0] = math.atan2(y, -z)
        angles[leg, 1] = math.atan2(x, down) - lean
        angles[leg, 2] = knee
    return reached


@compiled(allocates=False)
def add_leg(
    leg: LegBuild, q: VecN, mass: float, x: float, y: float, z: float
) -> tuple[float, float, float, float]:
    """Return a mass and its first moments in B, with those of a leg added."""
    ca, sa = math.cos(q[0]), math.sin(q[0])
    along, down = 0.0, 0.0
    turn = q[1]
    for k in range(leg.mass.shape[0]):
        m, s, c = leg.mass[k], math.sin(turn), math.cos(turn)
        px, py, pz = leg.centre[k, 0], leg.centre[k, 1], leg.centre[k, 2]
        u = along + c * px - s * pz
        w = s * px + c * pz - down
        x += m * (leg.hip[0] + u)
        y += m * (leg.hip[1] + ca * py - sa * w)
        z += m * (leg.hip[2] + sa * py + ca * w)
        mass += m
        along += leg.lengths[k] * s
        down += leg.lengths[k] * c
        turn += q[2]
    return mass, x, y, z
