"""What a small processor must know of its own module: a few dozen plain numbers.

The program relies on how a SuperBot module is made: four parts in a row, hinge - roll -
hinge, their axes along y, z and y, pivots on the z axis, parts round about it, and six
connectors whose axes are those of the outer parts. ``small_module`` checks all of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Mat3
from equipoise.core.errors import ConfigError
from equipoise.robots.assembly.module_body import ModuleBody
from equipoise.spatial.mass.mass import MassProperties

__all__ = ["PORTS", "SmallModule", "Swap", "small_module"]

PORTS = 6
AXES = (1, 2, 1)  # of the joints
KEPT = (0, 3, 4, 7, 9)
"""m, hz, Sxx, Syy, Szz: all that a part round about its z axis has."""
Swap = tuple[tuple[int, int, int], int]
"""Component i becomes component axis[i] of what comes in; bit i: its sign changes."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SmallModule:
    """Module as its processor knows it, in M, the frame of the second part."""

    outer: tuple[tuple[float, ...], tuple[float, ...]]
    """m, hz, Sxx, Syy, Szz of each outer part in its own frame [kg, m]."""
    inner: tuple[tuple[float, ...], tuple[float, ...]]
    """The same five numbers of each inner part, in M."""
    pivots: tuple[float, float, float]
    """Positions of the joints on the z axis of M [m]; an outer part is at the last."""
    efforts: tuple[float, float, float]
    """Torque limits [N m]; 0 for a joint that is locked."""
    limits: tuple[float, float, float]
    """Range of the joints and their sensors either way; 0 if locked [rad]."""
    rest: tuple[float, float, float]
    """Middle of the sensors' range, or the angle of a locked joint [rad]."""
    faces: tuple[Swap, ...]
    """Orientation of each connector in its outer part."""
    reach: tuple[tuple[float, float], ...]
    """Position of each connector in its outer part along y and z [m]."""

    @property
    def core(self) -> tuple[float, ...]:
        """Sum of both inner parts, five numbers in M."""
        return tuple(a + b for a, b in zip(*self.inner, strict=True))


def small_module(body: ModuleBody) -> SmallModule:
    """Return the numbers of a module that its program needs.

    Args:
        body: a SuperBot module, or one built alike.

    Raises:
        ConfigError: the module is built in another way; all reasons together.
    """
    problems = list(_complaints(body))
    if problems:
        raise ConfigError("a module for small processors", problems)
    steps = [float(joint.origin[2]) for joint in body.joints]
    roll, last = steps[1], steps[1] + steps[2]
    up = np.array([0.0, 0.0, roll])
    part_b = body.part_mass[2].transformed(np.eye(3), up)
    efforts = [float(j.effort) if j.locked is None else 0.0 for j in body.joints]
    free = [joint.locked is None for joint in body.joints]
    limits = [float(max(-j.lower, j.upper)) for j in body.joints]
    limits = [limit * is_free for limit, is_free in zip(limits, free, strict=True)]
    rest = [0.0 if j.locked is None else float(j.locked) for j in body.joints]
    return SmallModule(
        outer=(_five(body.part_mass[0]), _five(body.part_mass[3])),
        inner=(_five(body.part_mass[1]), _five(part_b)),
        pivots=(0.0, roll, last),
        efforts=(efforts[0], efforts[1], efforts[2]),
        limits=(limits[0], limits[1], limits[2]),
        rest=(rest[0], rest[1], rest[2]),
        faces=tuple(_swap_of(c.X_PC.R) for c in body.connectors),
        reach=tuple((float(c.X_PC.p[1]), float(c.X_PC.p[2])) for c in body.connectors),
    )


def _five(mass: MassProperties) -> tuple[float, ...]:
    """Return what counts of a part's ten numbers."""
    ten = mass.to_vector()
    return tuple(float(ten[k]) for k in KEPT)


def _swap_of(R: Mat3) -> Swap:
    """Return a rotation that only swaps axes as indices and signs."""
    axes = np.abs(R).argmax(axis=1)
    minus = sum(1 << i for i in range(3) if R[i, axes[i]] < 0.0)
    return (int(axes[0]), int(axes[1]), int(axes[2])), minus


def _complaints(body: ModuleBody) -> Iterator[str]:
    """Yield how a module differs from what the program can do."""
    if len(body.parts) != 4 or len(body.joints) != 3:
        count = f"{len(body.parts)} parts and {len(body.joints)} joints"
        yield f"it needs 4 parts and 3 joints in a row, got {count}"
        return
    for joint, axis in zip(body.joints, AXES, strict=True):
        turns = joint.kind == "hinge" and np.array_equal(joint.axis, np.eye(3)[axis])
        if not turns or np.any(joint.origin[:2] != 0.0):
            name = "xyz"[axis]
            yield f"its joint '{joint.name}' must turn about {name} at x = y = 0"
    if np.any(body.joints[0].origin != 0.0):
        yield "its first joint must sit at the first part's origin"
    for name, mass in zip(body.parts, body.part_mass, strict=True):
        ten = mass.to_vector()
        rest = [k for k in range(10) if k not in KEPT]
        if np.any(ten[rest] != 0.0) or ten[4] != ten[7]:
            yield f"its part '{name}' must lie evenly round its z axis"
    wanted = [0, 0, 0, 3, 3, 3]
    if [c.part for c in body.connectors] != wanted:
        yield "three connectors must sit on its first part, then three on its last"
    for c in body.connectors:
        is_swap = np.array_equal(np.abs(c.X_PC.R).sum(axis=1), np.ones(3))
        if not (is_swap and np.all(np.isin(c.X_PC.R, (-1, 0, 1)))) or c.X_PC.p[0] != 0:
            yield f"its connector '{c.name}' must face along an axis, at x = 0"
