"""Force, stiffness and energy of a physics engine's contact at rest, by its depth.

MuJoCo's contact is a spring that grows stiffer the deeper it is pressed in::

    f(d) = k i(d)^2 / (1 - i(d)) d,

k the reference stiffness over the contact's inverse weight and i the impedance, which
rises from ``solimp[0]`` to ``solimp[1]`` over the depth ``solimp[2]`` along two powers
that meet at ``solimp[3]`` of it [Todorov2014]. Arrays in, arrays out.
"""

import numpy as np

from equipoise.core.arrays import Array, VecN

__all__ = ["contact_energy", "contact_force", "contact_slope", "impedance"]

_FLAT = 1e-15  # widths below are none, as in the engine
_EDGES = np.array([0.0, 0.7, 0.95, 0.995, 0.9995, 1.0])
"""Of quadrature, finer where the impedance is nearest to 1 and the force steepest."""
_GAUSS = np.polynomial.legendre.leggauss(12)
_NODES = (_EDGES[:-1, None] + np.diff(_EDGES)[:, None] * (1 + _GAUSS[0]) / 2).ravel()
_WEIGHTS = (np.diff(_EDGES)[:, None] * _GAUSS[1] / 2).ravel()


def impedance(depth: VecN, solimp: Array) -> tuple[VecN, VecN]:
    """Return the impedance and its slope by depth.

    Args:
        depth: (..., n), >= 0 [m].
        solimp: d0, dmax, width, midpoint and power of each, (n, 5).

    Returns:
        i and di/d depth [1/m], shaped as the depth.
    """
    d0, dmax, width, middle, power = solimp.T
    is_flat = (d0 == dmax) | (width <= _FLAT)
    width = np.where(is_flat, 1.0, width)
    x = depth / width
    inside = np.minimum(np.maximum(x, 0.0), 1.0)
    near, far = np.minimum(inside, middle) / middle, 1 - np.maximum(inside, middle)
    far = far / (1 - middle)
    is_low = inside <= middle
    y = np.where(is_low, middle * near**power, 1 - (1 - middle) * far**power)
    rise = power * np.where(is_low, near, far) ** (power - 1)
    rise = np.where((x > 0.0) & (x < 1.0), rise, 0.0)
    value = np.where(is_flat, 0.5 * (d0 + dmax), d0 + y * (dmax - d0))
    return value, np.where(is_flat, 0.0, rise * (dmax - d0) / width)


def contact_force(depth: VecN, stiffness: VecN, solimp: Array) -> VecN:
    """Return the force of contacts at rest, (n,) [N].

    Args:
        depth: (n,) [m]; none below zero.
        stiffness: k of each, (n,) [N/m].
        solimp: of each, (n, 5).
    """
    pressed = np.maximum(depth, 0.0)
    i = impedance(pressed, solimp)[0]
    return stiffness * i * i / (1 - i) * pressed


def contact_slope(depth: VecN, stiffness: VecN, solimp: Array) -> VecN:
    """Return the force's slope by depth, the growth of the impedance in it, [N/m].

    Args:
        depth: (n,) [m]; none below zero.
        stiffness: k of each, (n,) [N/m].
        solimp: of each, (n, 5).
    """
    pressed = np.maximum(depth, 0.0)
    i, rise = impedance(pressed, solimp)
    growth = i * (2 - i) / (1 - i) ** 2 * rise * pressed
    return np.where(depth > 0.0, stiffness * (i * i / (1 - i) + growth), 0.0)


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
    i = impedance(np.maximum(pressed, width), solimp)[0]
    return total + 0.5 * stiffness * i * i / (1 - i) * (pressed**2 - last**2)
