"""Footholds that keep away from edges: position on a foot, subject to contact.

[Ridderstrom2003] section 3.3.2. Edges are not seen but known from where feet have
stood: between two footholds that are near each other and not as high there is one. A
foot that would come down between them is moved on towards the nearer.
"""

import math

import numpy as np

from equipoise.control.basis.compose import Ending, Instance, bind, subject_to
from equipoise.control.basis.stance import BasisParts, BasisStance
from equipoise.core.arrays import Array
from equipoise.core.records import Records

__all__ = ["away_from_edges", "edge_beside"]


def edge_beside(
    place: Array, known: Array, near: float, step: float
) -> tuple[float, float] | None:
    """Return where to a foot gets away from an edge, in W; None where none is known.

    Args:
        place: where the foot would come down, (2,) [m].
        known: footholds, the latest last, (n, 3) [m].
        near: within which they count [m].
        step: from which on heights differ [m].
    """
    if len(known) == 0:
        return None
    off = known[:, :2] - place
    far = np.hypot(off[:, 0], off[:, 1])
    close = np.flatnonzero(far < near)
    if len(close) < 2:
        return None
    nearest = close[far[close].argmin()]
    others = close[np.abs(known[close, 2] - known[nearest, 2]) > step]
    if len(others) == 0:
        return None
    x, y = -off[others[far[others].argmin()]]
    size = math.hypot(x, y)
    return (float(x / size), float(y / size)) if size > 0.0 else None


def away_from_edges(
    stance: Records[BasisStance],
    leg: int,
    known: Array,
    contact: Instance,
    parts: BasisParts,
    near: float,
    step: float,
) -> Records[BasisStance]:
    """Return the stance with a foot that steps moved away from an edge beside it.

    Args:
        stance: to which the step leads, (1,).
        leg: that steps, 1 to 4.
        known: footholds, the latest last, (n, 3) [m].
        contact: controller that the foot's way is subject to.
        parts: of the machine.
        near: distance that it keeps [m].
        step: from which on heights differ [m].
    """
    place = np.array(stance["feet"][0, leg - 1, :2])
    ahead = edge_beside(place, known, near, step)
    if ahead is None:
        return stance
    until = float(np.dot(ahead, place)) + 0.5 * near
    chain = bind([Instance("phi0", (), leg), contact], ahead, until)
    after, outcome = subject_to(chain, stance, parts)
    return stance if outcome is Ending.FAILED else after
