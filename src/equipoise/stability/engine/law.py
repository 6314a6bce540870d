"""Force, stiffness and energy of a physics engine's contact at rest, by its depth.

MuJoCo's contact is a spring that grows stiffer the deeper it is pressed in::

    f(d) = k i(d)^2 / (1 - i(d)) d,

k the reference stiffness over the contact's inverse weight and i the impedance, which
rises from ``solimp[0]`` to ``solimp[1]`` over the depth ``solimp[2]`` along two powers
that meet at ``solimp[3]`` of it [Todorov2014]. Arrays in, arrays out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, VecN

__all__ = [
    "contact_energy",
    "contact_force",
    "contact_response",
    "contact_slope",
    "impedance",
]

_FLAT = 1e-15  # widths below are none, as in the engine
_EDGES = np.array([0.0, 0.7, 0.95, 0.995, 0.9995, 1.0])
"""Of quadrature, finer where the impedance is nearest to 1 and the force steepest."""
_GAUSS = np.polynomial.legendre.leggauss(12)
_NODES = (_EDGES[:-1, None] + np.diff(_EDGES)[:, None] * (1 + _GAUSS[0]) / 2).ravel()
_WEIGHTS = (np.diff(_EDGES)[:, None] * _GAUSS[1] / 2).ravel()


class _Pieces(NamedTuple):
    """Where depths lie along the impedance's two powers; arrays as the depth's."""

    value: VecN
    """The impedance."""
    x: VecN
    """Depth over the width."""
    part: VecN
    """What is raised to the power: from the near end, or from the far one."""
    width: VecN
    is_flat: NDArray[np.bool_] | None
    """Where the impedance does not change; None where it always does."""


def _pieces(depth: VecN, solimp: Array) -> _Pieces:
    """Return the impedance by depth, and what its slope is made of."""
    d0, dmax, width, middle, power = solimp.T
    is_flat = (d0 == dmax) | (width <= _FLAT)
    is_flat = is_flat if is_flat.any() else None
    width = width if is_flat is None else np.where(is_flat, 1.0, width)
    x = depth / width
    inside = np.minimum(np.maximum(x, 0.0), 1.0)
    if (inside >= 1.0).all():  # pressed in beyond where the impedance grows
        part, y = np.zeros_like(inside), np.ones_like(inside)
    else:
        rest = 1 - middle
        is_low = inside <= middle
        part = np.where(is_low, inside / middle, (1 - inside) / rest)
        raised = part**power
        y = np.where(is_low, middle * raised, 1 - rest * raised)
    value = d0 + y * (dmax - d0)
    if is_flat is not None:
        value = np.where(is_flat, 0.5 * (d0 + dmax), value)
    return _Pieces(value, x, part, width, is_flat)


def impedance(depth: VecN, solimp: Array) -> tuple[VecN, VecN]:
    """Return the impedance and its slope by depth.

    Args:
        depth: (..., n), >= 0 [m].
        solimp: d0, dmax, width, midpoint and power of each, (n, 5).

    Returns:
        i and di/d depth [1/m], shaped as the depth.
    """
    at = _pieces(depth, solimp)
    return at.value, _rise(at, solimp)


def _rise(at: _Pieces, solimp: Array) -> VecN:
    """Return the impedance's slope by depth [1/m]."""
    power = solimp[:, 4]
    rise = power * at.part ** (power - 1)
    rise = np.where((at.x > 0.0) & (at.x < 1.0), rise, 0.0)
    slope = rise * (solimp[:, 1] - solimp[:, 0]) / at.width
    if at.is_flat is not None:
        slope = np.where(at.is_flat, 0.0, slope)
    return slope


def contact_force(depth: VecN, stiffness: VecN, solimp: Array) -> VecN:
    """Return the force of contacts at rest, (n,) [N].

    Args:
        depth: (n,) [m]; none below zero.
        stiffness: k of each, (n,) [N/m].
        solimp: of each, (n, 5).
    """
    pressed = np.maximum(depth, 0.0)
    i = _pieces(pressed, solimp).value
    return stiffness * i * i / (1 - i) * pressed


def contact_slope(depth: VecN, stiffness: VecN, solimp: Array) -> VecN:
    """Return the force's slope by depth, the growth of the impedance in it, [N/m].

    Args:
        depth: (n,) [m]; none below zero.
        stiffness: k of each, (n,) [N/m].
        solimp: of each, (n, 5).
    """
    return contact_response(depth, stiffness, solimp)[1]


def contact_response(depth: VecN, stiffness: VecN, solimp: Array) -> tuple[VecN, VecN]:
    """Return ``contact_force`` and ``contact_slope`` in one go, (n,) [N] and [N/m].

    Args:
        depth: (n,) [m]; none below zero.
        stiffness: k of each, (n,) [N/m].
        solimp: of each, (n, 5).
    """
    pressed = np.maximum(depth, 0.0)
    at = _pieces(pressed, solimp)
    i, left = at.value, 1 - at.value
    secant = i * i / left
    growth = i * (2 - i) / left**2 * _rise(at, solimp) * pressed
    slope = np.where(depth > 0.0, stiffness * (secant + growth), 0.0)
    return stiffness * i * i / left * pressed, slope


def contact_energy(depth: VecN, stiffness: VecN, solimp: Array) -> VecN:
    """Return the work that it takes to press contacts in, (n,) [J].

    By quadrature on each of the three pieces of the law; on the last it is a parabola.

    Args:
        depth: (n,) [m]; none below zero.
        stiffness: k of each, (n,) [N/m].
        solimp: of each, (n, 5).
    """
    pressed = np.maximum(depth, 0.0)
    width = np.where(solimp[:, 0] == solimp[:, 1], 0.0, solimp[:, 2])
    meet, last = np.minimum(width * solimp[:, 3], pressed), np.minimum(width, pressed)
    spans = np.stack([meet, last - meet])
    at = np.stack([0 * meet, meet]) + spans * _NODES[:, None, None]
    force = contact_force(at, stiffness, solimp)
    total = (np.tensordot(_WEIGHTS, force, 1) * spans).sum(axis=0)
    i = _pieces(np.maximum(pressed, width), solimp).value
    return total + 0.5 * stiffness * i * i / (1 - i) * (pressed**2 - last**2)
