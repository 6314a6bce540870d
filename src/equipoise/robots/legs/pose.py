"""All legs of a machine at once: angles for feet, Jacobians, the centre of mass."""

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.robots.legs.build import KNEE, LegBuild, LegGeometry, TrunkBuild
from equipoise.robots.legs.chain import add_chain, place_foot, reach_for
from equipoise.robots.legs.knee import add_leg, foot_jacobian, leg_angles

__all__ = ["centre_of_mass", "foot_angles", "foot_jacobians", "path_angles"]


def foot_angles(geometry: LegGeometry, places: Array) -> tuple[VecN, bool]:
    """Return the joint angles that put each foot at a point, and whether all can.

    Args:
        geometry: of the legs.
        places: hip to foot in B, (nl, 3) [m].
    """
    q = np.array(geometry.stand)
    if geometry.is_closed:
        return q, leg_angles(places, geometry.lengths, geometry.bend, q)
    own, reached = q.reshape(len(places), -1), True
    for leg, place in enumerate(places):
        reached &= reach_chain(geometry, leg, place, own[leg])
    return q, reached


def path_angles(geometry: LegGeometry, leg: int, places: Array) -> tuple[Array, bool]:
    """Return the joint angles of one leg along a path, (m, nj), and whether all can.

    Args:
        geometry: of the legs.
        leg: which.
        places: hip to foot in B, each near the one before, (m, 3) [m].
    """
    many, nj = len(places), geometry.joints
    if geometry.is_closed:
        lengths = np.repeat(geometry.lengths[leg : leg + 1], many, axis=0)
        q = np.zeros(nj * many)
        reached = leg_angles(places, lengths, np.full(many, geometry.bend[leg]), q)
        return q.reshape(many, nj), reached
    out, reached = np.empty((many, nj)), True
    at = np.array(geometry.stand[leg * nj :][:nj])
    for k, place in enumerate(places):
        reached = reached and reach_chain(geometry, leg, place, at)
        out[k] = at
    return out, reached


def reach_chain(geometry: LegGeometry, leg: int, place: Array, q: VecN) -> bool:
    """Move the joints of one chain to a place, within their ranges."""
    nj = geometry.joints
    own = slice(nj * leg, nj * (leg + 1))
    goal = np.ascontiguousarray(place)
    return reach_for(
        geometry.legs[leg], goal, geometry.lower[own], geometry.upper[own], q
    )


def foot_jacobians(geometry: LegGeometry, leg: int, angles: Array) -> Array:
    """Return d foot / d q of one leg at several poses, (m, 3, nj).

    Args:
        geometry: of the legs.
        leg: which.
        angles: its joints, (m, nj) [rad or m].
    """
    many, nj = angles.shape
    out = np.zeros((many, 3, nj))
    if geometry.is_closed:
        lengths = np.repeat(geometry.lengths[leg : leg + 1], many, axis=0)
        foot_jacobian(np.ascontiguousarray(angles).reshape(-1), lengths, out)
        return out
    foot, spin, rest = np.zeros(3), np.zeros(3), np.zeros(nj)
    for k in range(many):
        q = np.ascontiguousarray(angles[k])
        place_foot(geometry.legs[leg], q, rest, foot, out[k], spin)
    return out


@compiled(allocates=False)
def centre_of_mass(
    q: VecN, legs: Records[LegBuild], trunk: Records[TrunkBuild], out: Array
) -> float:
    """Write the whole machine's centre of mass in B, (3,) [m]; return its mass [kg].

    Args:
        q: joint angles, leg by leg, (nu,) [rad or m].
        legs: how they are built, (nl,).
        trunk: what does not move with them, (1,).
        out: overwritten.
    """
    nl, mass, centre = legs.shape[0], trunk[0].mass, trunk[0].centre
    angles = q.reshape(nl, q.shape[0] // nl)
    x, y, z = mass * centre[0], mass * centre[1], mass * centre[2]
    for leg in range(nl):
        if legs[leg].kind == KNEE:
            mass, x, y, z = add_leg(legs[leg], angles[leg], mass, x, y, z)
        else:
            mass, x, y, z = add_chain(legs[leg], angles[leg], mass, x, y, z)
    out[0], out[1], out[2] = x / mass, y / mass, z / mass
    return mass
