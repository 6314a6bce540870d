"""Leg observer: where each foot is, how fast it moves, and how joints move it.

One pass over the joint readings gives, for each leg, the hip-to-foot vector r, its
velocity v = J q' and the Jacobian J = ∂r/∂q, all in the trunk's frame B:
[Ridderstrom2003] section 5.3.
"""

import math

from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.robots.legs import (
    KNEE,
    LegBuild,
    TrunkBuild,
    add_chain,
    add_leg,
    place_foot,
)

__all__ = ["first_estimate", "observe_legs", "read_feet", "read_legs", "weigh_legs"]


def first_estimate(build: Records[LegBuild], joints: int) -> Records[LegEstimate]:
    """Return what is known of the legs before the first readings: their hips.

    Args:
        build: of the legs, (nl,).
        joints: of each leg.
    """
    legs = LegEstimate.zeros(len(build), joints=joints)
    legs["hip"] = build["hip"]
    for unknown in ("force", "edge", "near"):
        legs[unknown] = math.nan
    return legs


@compiled(allocates=False)
def read_legs(
    q: VecN,
    v: VecN,
    current: VecN,
    limit: VecN,
    load: VecN,
    before: Records[LegEstimate],
    after: Records[LegEstimate],
) -> int:
    """Store the legs' readings; invalid ones keep the last valid value.

    Args:
        q: joint angles, leg by leg, (nu,) [rad].
        v: joint speeds, (nu,) [rad/s].
        current: of the motors, (nu,) [A].
        limit: range sensors, (nu,), -1, 0 or 1.
        load: on the feet, (nl,) [N].
        before: what was known, (nl,).
        after: overwritten, (nl,).

    Returns:
        How many angles and speeds were not finite.
    """
    missing, k = 0, 0
    for one in range(after.shape[0]):
        after[one] = before[one]
        leg = after[one]
        leg.load = load[one]
        for j in range(leg.q.shape[0]):
            if math.isfinite(q[k]):
                leg.q[j] = q[k]
            else:
                missing += 1
            if math.isfinite(v[k]):
                leg.v[j] = v[k]
            else:
                missing += 1
            leg.current[j], leg.limit[j] = current[k], limit[k]
            k += 1
    return missing


@compiled(allocates=False)
def read_feet(force: Array, edge: VecN, near: VecN, legs: Records[LegEstimate]) -> None:
    """Store the readings of sensors in the feet.

    Args:
        force: of the ground on each foot, in B, (nl, 3) [N].
        edge: share of its contacts that have no ground below, (nl,).
        near: distance from the ground, (nl,) [m].
        legs: entries of the same names are overwritten, (nl,).
    """
    for one in range(legs.shape[0]):
        leg = legs[one]
        leg.edge, leg.near = edge[one], near[one]
        for i in range(3):
            leg.force[i] = force[one, i]


@compiled(allocates=False)
def observe_legs(build: Records[LegBuild], legs: Records[LegEstimate]) -> None:
    """Write position, velocity and Jacobian of each foot, in B, from joint angles.

    Args:
        build: of the legs, (nl,).
        legs: entries ``foot``, ``foot_rate``, ``spin`` and ``jacobian`` are
            overwritten, (nl,).
    """
    for one in range(legs.shape[0]):
        leg = legs[one]
        if build[one].kind == KNEE:
            _observe_knee(build[one], leg)
        else:
            place_foot(build[one], leg.q, leg.v, leg.foot, leg.jacobian, leg.spin)
        for i in range(3):
            rate = 0.0
            for j in range(leg.v.shape[0]):
                rate += leg.jacobian[i, j] * leg.v[j]
            leg.foot_rate[i] = rate


@compiled(allocates=False)
def _observe_knee(build: LegBuild, leg: LegEstimate) -> None:
    """Write place, Jacobian and turn of a foot below hip roll, hip pitch and knee."""
    lengths, J = build.lengths, leg.jacobian
    a, p = leg.q[0], leg.q[1]
    s = p + leg.q[2]
    ca, sa = math.cos(a), math.sin(a)
    x1, d1 = lengths[0] * math.sin(p), lengths[0] * math.cos(p)
    x2, d2 = lengths[1] * math.sin(s), lengths[1] * math.cos(s)
    x, d = x1 + x2, d1 + d2
    leg.foot[0], leg.foot[1], leg.foot[2] = x, d * sa, -d * ca
    J[0, 0], J[0, 1], J[0, 2] = 0.0, d, d2
    J[1, 0], J[1, 1], J[1, 2] = d * ca, -x * sa, -x2 * sa
    J[2, 0], J[2, 1], J[2, 2] = d * sa, x * ca, x2 * ca
    swing = leg.v[1] + leg.v[2]
    leg.spin[0], leg.spin[1], leg.spin[2] = leg.v[0], -(ca * swing), -(sa * swing)


@compiled(allocates=False)
def weigh_legs(
    body: Records[TrunkBuild],
    build: Records[LegBuild],
    legs: Records[LegEstimate],
    trunk: Records[TrunkEstimate],
) -> None:
    """Write where feet are, and with them the centre of mass.

    Args:
        body: what does not move with the legs, (1,).
        build: of the legs, (nl,).
        legs: see ``observe_legs``, (nl,).
        trunk: the centre of mass is overwritten, (1,).
    """
    observe_legs(build, legs)
    mass, centre, p_BC = body[0].mass, body[0].centre, trunk[0].p_BC
    x, y, z = mass * centre[0], mass * centre[1], mass * centre[2]
    for leg in range(legs.shape[0]):
        if build[leg].kind == KNEE:
            mass, x, y, z = add_leg(build[leg], legs[leg].q, mass, x, y, z)
        else:
            mass, x, y, z = add_chain(build[leg], legs[leg].q, mass, x, y, z)
    p_BC[0], p_BC[1], p_BC[2] = x / mass, y / mass, z / mass
