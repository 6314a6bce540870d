"""The steering of the firmware in NumPy, rounding by rounding, for many states.

The same operations in the same order as ``firmware/steer.c``. Every joint pulls the
robot's centre of mass with a virtual spring and carries the weight of what it moves::

    τ = (m₂/M) (u x (p₂ - q)) · F + m₂ g (u x (p₂ - q))_z,   F = -(k e + c v)

With L = u x (h₂ - m₂ q), h₂ the moved side's first moment, both are products with one
vector: τ = L · R_WMᵀ (F/M + g e_z).
"""

from dataclasses import dataclass
from typing import Annotated, final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.control.com.small.float_program import (
    Floats,
    MassSums,
    joint_frames,
    single,
)
from equipoise.control.com.small.small_module import SmallModule
from equipoise.core.constants import GRAVITY
from equipoise.core.setting import Setting, Settings

__all__ = ["Aim", "FloatSteeringConfig", "holding_torques", "steer"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FloatSteeringConfig(Settings):
    """Springs and dampers of the steering; defaults suit 20 modules of 72 g."""

    stiffness: Annotated[
        float,
        Setting(
            "Level stiffness k of the spring at the centre of mass", "N/m", above=0.0
        ),
    ] = 3000.0
    stiffness_z: Annotated[
        float,
        Setting(
            "Vertical stiffness k of the spring at the centre of mass", "N/m", above=0.0
        ),
    ] = 300.0
    damping: Annotated[
        float, Setting("Damping c of the centre of mass", "N s/m", above=0.0)
    ] = 80.0
    gravity: Annotated[
        float, Setting("Acceleration of gravity, downwards", "m/s²", above=0.0)
    ] = GRAVITY
    hold: Annotated[
        float,
        Setting("Stiffness of a joint that holds its place", "N m/rad", above=0.0),
    ] = 60.0
    hold_damping: Annotated[
        float,
        Setting("Damping of a joint that holds its place", "N m s/rad", above=0.0),
    ] = 1.0


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Aim:
    """Poses of modules and target of the centre of mass, one row per state."""

    R_WM: Floats
    """Orientation of the module in the world, row by row, (n, 9)."""
    p_WM: Floats
    """Position of the module in the world, (n, 3) [m]."""
    target: Floats
    """Target of the centre of mass in the world, (n, 3) [m]."""
    v_WC: Floats
    """Velocity of the centre of mass, (n, 3) [m/s]."""
    held: np.ndarray
    """Part on the ground's side, 0 to 3, (n,)."""


def _limited(torque: Floats, limit: float) -> Floats:
    """Return torques within a limit; what is not a number gives none."""
    top = np.float32(limit)
    cut = np.where(torque > top, top, np.where(torque < -top, -top, torque))
    return np.where(np.isnan(torque), np.float32(0.0), cut)


def _moved_side(
    module: SmallModule, sums: MassSums, joint: int, outwards: bool
) -> Floats:
    """Return mass and first moment of what a joint moves, (n, 4), seen from M."""
    v = sums.side_M[:, 1 if outwards else 0, :4].copy()
    part_a, part_b = single(module.inner[0]), single(module.inner[1])
    if joint < 1 if outwards else joint > 0:
        v[:, 0] += part_a[0]
        v[:, 3] += part_a[1]
    if joint < 2 if outwards else joint > 1:
        v[:, 0] += part_b[0]
        v[:, 3] += part_b[1]
    return v


def _pull(sums: MassSums, gains: FloatSteeringConfig, aim: Aim) -> list[Floats]:
    """Return the vector whose product with L is a torque, seen from M."""
    R, mass, h = aim.R_WM, sums.total_M[:, 0], sums.total_M[:, 1:4]
    force: list[Floats] = []
    for i in range(3):
        x, y, z = (R[:, 3 * i + k] * h[:, k] for k in range(3))
        there = ((x + y) + z) / mass + aim.p_WM[:, i]
        k = np.float32(gains.stiffness_z if i == 2 else gains.stiffness)
        away = there - aim.target[:, i]
        drag = np.float32(gains.damping) * aim.v_WC[:, i]
        force.append(-(k * away + drag) / mass)
    force[2] = force[2] + np.float32(gains.gravity)
    return [
        (R[:, i] * force[0] + R[:, 3 + i] * force[1]) + R[:, 6 + i] * force[2]
        for i in range(3)
    ]


def _lever_work(
    module: SmallModule,
    sums: MassSums,
    joint: int,
    outwards: bool,
    turned: tuple[Floats, Floats],
    G: list[Floats],
) -> Floats:
    """Return L · G of one joint and one side."""
    (s, c), v = turned, _moved_side(module, sums, joint, outwards)
    x, y, z = v[:, 1], v[:, 2], v[:, 3] - v[:, 0] * np.float32(module.pivots[joint])
    if joint == 0:
        return z * G[0] - x * G[2]
    if joint == 1:
        return x * G[1] - y * G[0]
    return (c * z * G[0] + s * z * G[1]) - (s * y + c * x) * G[2]


def steer(
    module: SmallModule,
    angles: ArrayLike,
    sums: MassSums,
    gains: FloatSteeringConfig,
    aim: Aim,
) -> Floats:
    """Return joint torques, (n, 3) [N m].

    Args:
        module: its numbers.
        angles: joint angles, (n, 3) [rad].
        sums: of the same states.
        gains: of spring, damper and gravity.
        aim: where the module is and where the centre of mass shall be.
    """
    c, s = joint_frames(angles)[1][:2]
    G = _pull(sums, gains, aim)
    torques: list[Floats] = []
    for j in range(3):
        ahead = _lever_work(module, sums, j, True, (s, c), G)
        behind = _lever_work(module, sums, j, False, (s, c), G)
        both = np.where(aim.held <= j, ahead, -behind)
        torques.append(_limited(both, module.efforts[j]))
    return np.stack(torques, axis=1)


def holding_torques(
    module: SmallModule,
    gains: FloatSteeringConfig,
    kept: ArrayLike,
    angles: ArrayLike,
    rates: ArrayLike,
) -> Floats:
    """Return the torques that keep joints where they are, (n, 3) [N m].

    Args:
        module: its numbers.
        gains: of the holding springs and dampers.
        kept: angles to keep, (n, 3) [rad].
        angles: joint angles, (n, 3) [rad].
        rates: joint rates, (n, 3) [rad/s].
    """
    spring = np.float32(gains.hold) * (single(kept) - single(angles))
    torque = spring - np.float32(gains.hold_damping) * single(rates)
    columns = [_limited(torque[:, j], module.efforts[j]) for j in range(3)]
    return np.stack(columns, axis=1)
