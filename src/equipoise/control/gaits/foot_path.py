"""How a foot goes around relative to the trunk, and how much faster than the trunk.

While a leg stands, its foot goes back at the trunk's speed V; while it swings it must
make good the stroke R = β V T in (1 - β) T. Three ways to do it, as in trials of WARP1
([Ridderstrom2003] sections 2.4 and 5.4):

* ``ellipse``: half an ellipse in the trunk's frame; its ends have no forward speed.
* ``hermite``: at rest over the ground at both ends, a cubic between them.
* ``cycloid``: at rest over the ground at both ends, a cycloid between them.

Lengths along the stroke are in strokes, time is in cycles since lift-off.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError, UnknownNameError

__all__ = ["SWINGS", "foot_path", "peak_factor", "speed_limit"]

PEAKS: dict[str, Callable[[float], float]] = {
    "ellipse": lambda duty: 0.5 * np.pi * duty / (1.0 - duty),
    "hermite": lambda duty: (0.5 + duty) / (1.0 - duty),
    "cycloid": lambda duty: (1.0 + duty) / (1.0 - duty),
}
SWINGS = tuple(PEAKS)
"""Names of the ways to swing, the slowest foot first."""


def _check_swing(swing: str, duty: float) -> None:
    """Refuse what is no swing."""
    if swing not in PEAKS:
        raise UnknownNameError("swing", swing, PEAKS, "the library of gaits")
    if not 0.0 < duty < 1.0:
        problem = f"duty must be above 0 and below 1, got {duty!r}"
        raise ConfigError(f"swing '{swing}'", [problem])


def speed_limit(leg_speed: float, duty: float) -> float:
    """Return the speed limit of a trunk by its feet's, V ≤ V_leg (1 - β)/β [m/s].

    Lifting and lowering take no time, and the foot swings at constant speed
    ([Ridderstrom2003] section 2.4): no swing is faster.

    Args:
        leg_speed: of a foot relative to the trunk, the largest [m/s].
        duty: β, in (0, 1).

    Raises:
        ConfigError: a duty factor that is none.
    """
    if not 0.0 < duty < 1.0:
        problem = f"duty must be above 0 and below 1, got {duty!r}"
        raise ConfigError("the speed limit", [problem])
    return leg_speed * (1.0 - duty) / duty


def peak_factor(swing: str, duty: float) -> float:
    """Return the largest foot speed relative to the trunk, along the path, over V.

    With rest over the ground at both ends the foot's mean speed over the ground is
    V/(1-β), its peak 3/2 (cubic) or 2 (cycloid) times that, less V for the trunk's::

        ellipse (π/2) β/(1-β),   hermite (1/2 + β)/(1-β),   cycloid (1 + β)/(1-β)

    π/2, 2 and 3 in a trot with β = 1/2. Standing feet have 1.

    Args:
        swing: one of ``SWINGS``.
        duty: β, in (0, 1).

    Raises:
        ConfigError: a duty factor that is none.
        UnknownNameError: no such swing.
    """
    _check_swing(swing, duty)
    return max(float(PEAKS[swing](duty)), 1.0)


def foot_path(swing: str, duty: float, share: ArrayLike) -> tuple[Array, Array]:
    """Return a foot's position relative to mid-stance, and its velocity.

    Args:
        swing: one of ``SWINGS``.
        duty: β, in (0, 1).
        share: cycles since lift-off, (...), taken modulo 1.

    Returns:
        Places (..., 2): strokes ahead and lifts above the ground; and their derivatives
        by the share, (..., 2).

    Raises:
        ConfigError: a duty factor that is none.
        UnknownNameError: no such swing.
    """
    _check_swing(swing, duty)
    s = np.mod(np.asarray(share, np.float64), 1.0)
    air = 1.0 - duty
    σ = np.minimum(s / air, 1.0)
    if swing == "ellipse":
        x, dx = -0.5 * np.cos(np.pi * σ), 0.5 * np.pi * np.sin(np.pi * σ)
        z, dz = np.sin(np.pi * σ), np.pi * np.cos(np.pi * σ)
    else:
        if swing == "hermite":
            way, dway = σ * σ * (3.0 - 2.0 * σ), 6.0 * σ * (1.0 - σ)
            z = 16.0 * (σ * (1.0 - σ)) ** 2
            dz = 32.0 * σ * (1.0 - σ) * (1.0 - 2.0 * σ)
        else:
            turn = 2.0 * np.pi * σ
            way, dway = σ - np.sin(turn) / (2.0 * np.pi), 1.0 - np.cos(turn)
            z, dz = 0.5 * (1.0 - np.cos(turn)), np.pi * np.sin(turn)
        x, dx = -0.5 + (way - air * σ) / duty, (dway - air) / duty
    swings = s < air
    place = np.where(swings, x, 0.5 - (s - air) / duty), np.where(swings, z, 0.0)
    rate = np.where(swings, dx / air, -1.0 / duty), np.where(swings, dz / air, 0.0)
    return np.stack(place, axis=-1), np.stack(rate, axis=-1)
