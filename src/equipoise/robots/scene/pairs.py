"""Which shapes of a model can touch each other, and how, by the engine's own rules.

A pair that is written out (``<pair>``) touches with the pair's own numbers. Otherwise
two shapes touch if the contact bits of one meet those of the other and their bodies are
not excluded; of friction and of the number of directions it acts in the larger counts,
unless one shape has priority. The rules are those of MuJoCo's documentation, "Contact
parameters"; the tests compare with what its collisions do.
"""

from typing import Any, NamedTuple

import mujoco
import numpy as np

__all__ = ["Pair", "can_touch", "pair_of"]

FREE_OF_FRICTION = 1  # contact dimension without any


class Pair(NamedTuple):
    """Contact parameters of two shapes."""

    friction: float
    """Sliding friction in its weaker direction; zero where the contact has none."""
    is_even: bool
    """Whether friction is the same in all directions."""
    margin: float
    """Distance at which the contact begins to push [m]."""
    odd: tuple[str, ...]
    """What of it is not understood, in words."""


def _explicit_pair(model: Any, one: int, two: int) -> int | None:
    """Return the number of the pair that is written out for two shapes."""
    for k in range(int(model.npair)):
        if {int(model.pair_geom1[k]), int(model.pair_geom2[k])} == {one, two}:
            return k
    return None


def _is_excluded(model: Any, one: int, two: int) -> bool:
    """Return whether the bodies of two shapes are excluded from contact."""
    low, high = sorted((int(model.geom_bodyid[one]), int(model.geom_bodyid[two])))
    return (low << 16) + high in {int(s) for s in model.exclude_signature}


def can_touch(model: Any, one: int, two: int) -> bool:
    """Return whether two shapes of different bodies can touch.

    Args:
        model: compiled.
        one: a shape.
        two: another.
    """
    if _explicit_pair(model, one, two) is not None:
        return True
    meet = (int(model.geom_contype[one]) & int(model.geom_conaffinity[two])) or (
        int(model.geom_contype[two]) & int(model.geom_conaffinity[one])
    )
    return bool(meet) and not _is_excluded(model, one, two)


def pair_of(model: Any, one: int, two: int) -> Pair:
    """Return how two shapes that can touch do so.

    Args:
        model: compiled.
        one: a shape.
        two: another.
    """
    k = _explicit_pair(model, one, two)
    if k is not None:
        slide = [float(x) for x in model.pair_friction[k, :2]]
        if int(model.pair_dim[k]) == FREE_OF_FRICTION:
            slide = [0.0, 0.0]
        margin = float(model.pair_margin[k])
        odd = ("adhesion",) if np.any(model.pair_adhesion[k]) else ()
        return Pair(min(slide), slide[0] == slide[1], margin, odd)
    order = [int(model.geom_priority[g]) for g in (one, two)]
    counts = (
        (one, two) if order[0] == order[1] else (one if order[0] > order[1] else two,)
    )
    slide = max(float(model.geom_friction[g, 0]) for g in counts)
    if max(int(model.geom_condim[g]) for g in counts) == FREE_OF_FRICTION:
        slide = 0.0
    margin = sum(float(model.geom_margin[g]) for g in (one, two))
    return Pair(slide, True, margin, _odd_shapes(model, (one, two)))


def _odd_shapes(model: Any, geoms: tuple[int, int]) -> tuple[str, ...]:
    """Return what two shapes do that no plain contact does."""
    found = []
    if any(np.any(model.geom_adhesion[g]) for g in geoms):
        found.append("adhesion")
    if any(np.any(model.geom_surfacevel[g]) for g in geoms):
        found.append("a moving surface")
    if any(int(model.geom_type[g]) == int(mujoco.mjtGeom.mjGEOM_SDF) for g in geoms):
        found.append("a signed distance field")
    return tuple(found)
