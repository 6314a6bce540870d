"""The nets of one machine's legs: weights that are fitted once, before it walks.

Height and target nets have one layer of products of their inputs, up to the second
order, and one of sums: their weights are least squares over poses about the stand. So
nothing is inverted while it walks, and any legs of three joints can have them.
"""

import numpy as np
from numpy.typing import NDArray

from equipoise.control.machine import LeggedMachine
from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.robots.legs import LegGeometry, foot_angles, foot_jacobians
from equipoise.robots.legs.pose import reach_chain

__all__ = ["PRODUCTS", "NetWeights", "answer", "fitted_nets"]

Flags = NDArray[np.bool_]
PRODUCTS = 10
"""Of three inputs up to the second order: one, each of them, and each by each."""
UPRIGHT = 0.25  # of the height to each side within which nets are fitted
STILL = 1e-6  # [m/rad] below which a joint is not told to move the foot
SIDES = np.linspace(-1.0, 1.0, 5)


class NetWeights(Record):
    """Joints of one leg by their tasks, and the weights of its nets."""

    fore: int = entry("which joint swings the leg to and fro", kind=np.int64)
    lift: int = entry("which one lifts it", kind=np.int64)
    bend: int = entry("and the third", kind=np.int64)
    ahead: float = entry("how the first moves the foot forward", "m/rad")
    rise: float = entry("how the second moves it up", "m/rad")
    out: float = entry("how the third moves it to the left", "m/rad")
    inertia: VecN = entry("that each joint moves", "kg m^2", "joints")
    stand: VecN = entry("angles as it stands", "rad", "joints")
    height: VecN = entry("net: angles to height of the hip over the foot", "m", 10)
    target: Array = entry("net: place of the foot to angles", "rad", "joints", 10)
    behind: Array = entry(
        "net: angles of the leg before to own ones just behind its foot",
        "rad", "joints", 10,
    )  # fmt: skip
    theirs: VecN = entry("angles of the leg before as it stands", "rad", "joints")
    before: int = entry("the leg that it can step behind; -1: none", kind=np.int64)


@compiled(allocates=False)
def _product(k: int, x: float, y: float, z: float) -> float:
    """Return one of the products of three inputs."""
    if k < 4:
        return 1.0 if k == 0 else (x if k == 1 else (y if k == 2 else z))
    if k < 7:
        return x * x if k == 4 else (y * y if k == 5 else z * z)
    return x * y if k == 7 else (x * z if k == 8 else y * z)


@compiled(allocates=False)
def answer(weights: VecN, x: float, y: float, z: float) -> float:
    """Return the output of a net: its weights times the products of its inputs.

    Args:
        weights: (10,).
        x: first input.
        y: second one.
        z: third one.
    """
    out = 0.0
    for k in range(weights.shape[0]):
        out += weights[k] * _product(k, x, y, z)
    return out


def _products(inputs: Array) -> Array:
    """Return the products of many inputs, (n, 10).

    Args:
        inputs: (n, 3).
    """
    x, y, z = inputs.T
    out = np.empty((len(inputs), PRODUCTS))
    each = (x * 0.0 + 1.0, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z)
    for k, column in enumerate(each):
        out[:, k] = column
    return out


def _fit(inputs: Array, outputs: Array) -> Array:
    """Return the weights that make a net answer so, (m, 10).

    Args:
        inputs: (n, 3).
        outputs: (n, m).
    """
    weights = np.linalg.lstsq(_products(inputs), outputs, rcond=None)[0]
    return np.array(weights.T, np.float64, order="C")


def fitted_nets(machine: LeggedMachine, offset: float) -> Records[NetWeights]:
    """Return the nets of all legs, pair by pair from front to rear, (nl,).

    Args:
        machine: with legs of three joints.
        offset: of a foot behind that of the leg before, backwards [m].
    """
    geometry, out = machine.geometry, NetWeights.zeros(machine.legs, joints=3)
    stand = np.reshape(geometry.stand, (machine.legs, 3))
    places = machine.places.tolist()
    reach = 0.5 * machine.height
    for leg in range(machine.legs):
        own = out[leg]
        own.stand[:], own.before = stand[leg], -1
        own.inertia[:] = np.diag(machine.inertia[leg])
        _name_joints(foot_jacobians(geometry, leg, stand[leg : leg + 1])[0], own)
        feet = _around(machine.height, reach, reach)
        angles, is_reached = _angles_at(geometry, leg, feet)
        feet, angles = feet[is_reached], angles[is_reached]
        own.height[:] = _fit(angles - stand[leg], -feet[:, 2:])[0]
        moved = feet + np.array([0.0, 0.0, machine.height])
        own.target[:] = _fit(moved, angles - stand[leg])
        if places[leg] - 2 in places:
            before = places.index(places[leg] - 2)
            _learn_behind(machine, (leg, before), offset, own)
    return out


def _name_joints(J: Array, own: NetWeights) -> None:
    """Write which joint does what, by what it does to the foot as the leg stands."""
    lift = int(np.argmax(np.abs(J[2])))
    rest = [j for j in range(3) if j != lift]
    fore = max(rest, key=lambda j: abs(J[0, j]))
    bend = next(j for j in rest if j != fore)
    own.fore, own.lift, own.bend = fore, lift, bend
    moves = [float(J[0, fore]), float(J[2, lift]), float(J[1, bend])]
    own.ahead, own.rise, own.out = (m if abs(m) > STILL else np.inf for m in moves)


def _around(height: float, ahead: float, aside: float) -> Array:
    """Return places about where a foot stands, (125, 3) [m]."""
    grid = np.meshgrid(ahead * SIDES, aside * SIDES, UPRIGHT * height * SIDES)
    places = np.stack([axis.ravel() for axis in grid], axis=1)
    return places - np.array([0.0, 0.0, height])


def _angles_at(geometry: LegGeometry, leg: int, places: Array) -> tuple[Array, Flags]:
    """Return a leg's angles for places of its foot, and whether it reaches them.

    Args:
        geometry: of the legs.
        leg: which.
        places: hip to foot, (n, 3) [m].
    """
    out, reached = np.zeros((len(places), 3)), np.zeros(len(places), np.bool_)
    every = np.zeros((len(geometry.legs), 3))
    for k, place in enumerate(places):
        if geometry.is_closed:
            every[:] = place
            q, reached[k] = foot_angles(geometry, every)
            out[k] = q.reshape(-1, 3)[leg]
        else:
            out[k] = geometry.stand[3 * leg : 3 * leg + 3]
            reached[k] = reach_chain(geometry, leg, place, out[k])
    return out, reached


def _learn_behind(
    machine: LeggedMachine, legs: tuple[int, int], offset: float, own: NetWeights
) -> None:
    """Fit the net that puts a foot behind that of the leg before: rule 4.

    Args:
        machine: the whole.
        legs: which one, and the one before it.
        offset: backwards from that foot [m].
        own: its weights; ``behind`` and ``before`` are written.
    """
    geometry, (leg, before) = machine.geometry, legs
    stand = np.reshape(geometry.stand, (machine.legs, 3))
    feet = _around(machine.height, 0.5 * machine.height, 0.25 * machine.height)
    theirs, seen = _angles_at(geometry, before, feet)
    gap = geometry.hips[before] - geometry.hips[leg] - np.array([offset, 0.0, 0.0])
    mine, reached = _angles_at(geometry, leg, feet + gap)
    both = seen & reached
    if both.sum() >= 2 * PRODUCTS:
        own.before, own.theirs[:] = before, stand[before]
        own.behind[:] = _fit(theirs[both] - stand[before], mine[both] - stand[leg])
