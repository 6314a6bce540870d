"""A machine as a crab walk's planner sees it: reach and share of the mass of each leg.

Legs need not be slides: the reach is the largest box about the standing foot, seen from
above, that a leg fills at two heights, and the share of the centre of mass is measured
by moving one foot at a time.
"""

import numpy as np

from equipoise.control.crab.regions import CrabBody, CrabLeg, sum_up
from equipoise.control.machine import LeggedMachine
from equipoise.core.arrays import Array, VecN
from equipoise.core.records import Records
from equipoise.robots.legs import centre_of_mass, foot_angles

__all__ = ["crab_body", "crab_legs"]

FARTHEST = 1.0  # that a foot is looked for, in heights of the hips
HALVINGS, SHRINKS = 14, 40
SHRUNK = 0.95  # of a box whose corners are not reached
MOVED = 0.02  # by which a foot is moved to weigh it, in heights


def crab_legs(machine: LeggedMachine, spare: float, lift: float) -> Records[CrabLeg]:
    """Return what the planner knows of the legs, feet as the machine stands.

    Args:
        machine: with legs of three joints.
        spare: what is left of the reach at each end [m].
        lift: height over the ground at which the reach is looked for too [m].
    """
    legs = CrabLeg.zeros(machine.legs)
    for k in range(machine.legs):
        low, high = _reach_box(machine, k, lift)
        spared = np.minimum(spare, 0.4 * (high - low))
        hip, one = machine.geometry.hips[k, :2], legs[k]
        one.low[:], one.high[:] = hip + low + spared, hip + high - spared
        one.middle[:] = one.foot[:] = 0.5 * (one.low + one.high)
    _weigh(machine, legs)
    return legs


def _reach_box(machine: LeggedMachine, leg: int, lift: float) -> tuple[VecN, VecN]:
    """Return the ends of what a leg reaches from its hip, along x and y, (2,) each."""
    ends = np.zeros((2, 2))
    for side, sign in enumerate((-1.0, 1.0)):
        for i in range(2):
            near, far = 0.0, FARTHEST * machine.height
            for _ in range(HALVINGS):
                middle = 0.5 * (near + far)
                move = np.zeros(2)
                move[i] = sign * middle
                is_reached = _reaches(machine, leg, move, lift)
                near, far = (middle, far) if is_reached else (near, middle)
            ends[side, i] = sign * near
    for _ in range(SHRINKS):
        corners = [(ends[a, 0], ends[b, 1]) for a in (0, 1) for b in (0, 1)]
        if all(_reaches(machine, leg, np.array(c), lift) for c in corners):
            break
        ends *= SHRUNK
    return ends[0], ends[1]


def _reaches(machine: LeggedMachine, leg: int, move: VecN, lift: float) -> bool:
    """Return whether a foot reaches a point beside its hip, low and lifted."""
    geometry = machine.geometry
    for up in (0.0, lift):
        places = _standing(machine)
        places[leg] += (move[0], move[1], up)
        q, reached = foot_angles(geometry, places)
        is_within = (q >= geometry.lower - 1e-9) & (q <= geometry.upper + 1e-9)
        if not (reached and is_within.all()):
            return False
    return True


def _standing(machine: LeggedMachine) -> Array:
    """Return hip to foot of all legs as the machine stands, (nl, 3) [m]."""
    return np.tile((0.0, 0.0, -machine.height), (machine.legs, 1))


def _weigh(machine: LeggedMachine, legs: Records[CrabLeg]) -> None:
    """Write the share that each foot's way has in the centre of mass's."""
    step = MOVED * machine.height
    for k in range(machine.legs):
        for i in range(2):
            ends = np.zeros((2, 3))
            for side, sign in enumerate((-1.0, 1.0)):
                places = _standing(machine)
                places[:, :2] = legs["middle"] - machine.geometry.hips[:, :2]
                places[k, i] += sign * step
                _centre_at(machine, places, ends[side])
            legs[k].share[:, i] = (ends[1] - ends[0])[:2] / (2.0 * step)


def _centre_at(machine: LeggedMachine, places: Array, out: VecN) -> None:
    """Write the centre of mass in B with the feet at some places, (3,) [m]."""
    q, _ = foot_angles(machine.geometry, places)
    centre_of_mass(q, machine.geometry.legs, machine.geometry.trunk, out)


def crab_body(
    machine: LeggedMachine, legs: Records[CrabLeg], margin: float
) -> Records[CrabBody]:
    """Return how the centre of mass follows trunk and feet.

    Args:
        machine: whose it is.
        legs: of ``crab_legs``, (4,).
        margin: of the centre of mass in its triangle [m].
    """
    body, centre = CrabBody.zeros(), np.zeros(3)
    places = _standing(machine)
    places[:, :2] = legs["middle"] - machine.geometry.hips[:, :2]
    _centre_at(machine, places, centre)
    body[0].centre[:], body[0].margin = centre[:2], margin
    sum_up(legs, body)
    return body
