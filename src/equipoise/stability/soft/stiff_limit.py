"""Which feet carry a body on very stiff springs, and which motions nothing resists."""

from dataclasses import dataclass

import numpy as np

from equipoise.core.arrays import Array, Vec6
from equipoise.stability.soft.foot import Bools, FeetArrays
from equipoise.stability.soft.springs import solution_of, spring_forces

__all__ = ["UP", "StiffLimit", "elastic_stiffness", "stiff_limit"]

UP = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
"""The energy's slope per unit of weight: moves, then turns."""
_ZERO = 1e-12  # of the largest entry: what is left of a zero after rounding
_SOFTEN = (0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6)
"""Share of its stiffness that a lifted foot keeps, on the way to none."""


@dataclass(frozen=True, eq=False)
class StiffLimit:
    """The start of the path: a body almost without weight."""

    rate: Vec6
    """How it moves and turns per unit of weight."""
    presses: Bools
    """Which feet carry, (n,) of bool."""
    loads: Array
    """Normal pull of each foot per unit of weight, as if it held on, (n,)."""


def elastic_stiffness(feet: FeetArrays, presses: Bools) -> tuple[Array, Array]:
    """Return the unloaded Hessian and the part that stands in for neutral motions.

    Ground without any horizontal stiffness lets the body slide and spin at no cost;
    these motions do not count as falling. Only what no pose and no load can resist is
    taken: slides in the null space of every ground, and the turn about the vertical
    where every ground is a vertical spring. A unit stiffness on them keeps matrices
    regular.

    Returns:
        Hessian with that stand-in added, and the stand-in, (6, 6) each.
    """
    springs = spring_forces(feet, np.zeros(3), np.eye(3), presses)
    ground = feet.ground[presses]
    extra = np.zeros((6, 6))
    if len(ground):
        total = ground.sum(axis=0)
        values, vectors = np.linalg.eigh(total)
        for value, slide in zip(values, vectors.T, strict=True):
            if value <= _ZERO * values[-1] and abs(slide[2]) < _ZERO:
                extra[:3, :3] += np.outer(slide, slide)
        if np.abs(ground[:, :2]).max() <= _ZERO * np.abs(ground).max():
            extra[5, 5] = 1.0
    return springs.hessian + extra, extra


def stiff_limit(feet: FeetArrays) -> StiffLimit | None:
    """Return the start of the path, or None where no set of feet carries the body.

    Feet push only. The linear problem is solved with lifted feet kept at a share of
    their stiffness that goes to none, so that the way there is never singular.
    """
    presses: Bools = np.ones(len(feet.arms), np.bool_)
    full = _pushes(feet)
    rate = np.zeros(6)
    for share in (*_SOFTEN, 0.0):
        for _ in range(20):
            before = presses
            stiffness = elastic_stiffness(feet, presses)[0]
            if share > 0 and not presses.all():
                stiffness = stiffness + share * elastic_stiffness(feet, ~presses)[0]
            if not _is_definite(stiffness):
                return None
            rate = -solution_of(stiffness, UP)
            presses = np.less(full @ rate, 0.0)
            if np.array_equal(presses, before):
                break
        else:
            return None
        if presses.all() and share == _SOFTEN[0]:
            return StiffLimit(rate, presses, full @ rate)
    return StiffLimit(rate, presses, full @ rate)


def _pushes(feet: FeetArrays) -> Array:
    """Return the rows that give each foot's normal pull per motion, (n, 6)."""
    springs = spring_forces(feet, np.zeros(3), np.eye(3), np.ones(len(feet.arms), bool))
    along = (springs.series @ feet.normals[:, :, None])[:, :, 0]
    return np.hstack([along, np.cross(feet.arms, along)])


def _is_definite(stiffness: Array) -> bool:
    values = np.linalg.eigvalsh((stiffness + stiffness.T) / 2)
    return bool(values[0] > _ZERO * values[-1])
