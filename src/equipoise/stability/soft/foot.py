"""A foot on soft ground under a soft leg, and many of them as arrays without units."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.core.arrays import Array, Mat3, Vec3, expect_array
from equipoise.core.checks import is_number
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.quantity import expect_above_zero

__all__ = ["Bools", "FeetArrays", "Foot", "expect_feet"]

Bools: TypeAlias = NDArray[np.bool_]

_SYMMETRY = 1e-9  # of the largest entry: sums of measured numbers are that symmetric
_UNIT = 1e-6  # a normal written with seven digits


@dataclass(frozen=True, eq=False, init=False)
class Foot:
    """Soft foot: its position, the stiffness of ground and leg, and its normal.

    Args:
        position: from the centre of mass to the foot, body upright and springs
            unloaded, (3,) [m]; also where the ground's spring is anchored.
        ground_stiffness: (3, 3) in the world frame, symmetric, no negative eigenvalue;
            or one number > 0 along the normal, nothing across [N/m].
        leg_compliance: of leg or controller, (3, 3) in the body frame, symmetric, no
            negative eigenvalue; None is a rigid leg [m/N].
        normal: unit vector out of the ground, (3,); the foot pushes along it only.

    Raises:
        NotPhysicalError: a stiffness, compliance or normal that no foot has.
        ShapeError: wrong shape or an entry that is not finite.
    """

    position: Vec3
    ground_stiffness: Mat3
    leg_compliance: Mat3 | None
    normal: Vec3

    def __init__(
        self,
        position: ArrayLike,
        ground_stiffness: ArrayLike,
        leg_compliance: ArrayLike | None = None,
        normal: ArrayLike = (0.0, 0.0, 1.0),
    ) -> None:
        up = _expect_unit(normal)
        if is_number(ground_stiffness):
            expect_above_zero("Foot", ground_stiffness=ground_stiffness)
            stiffness = float(np.asarray(ground_stiffness)) * np.outer(up, up)
        else:
            stiffness = _expect_semidefinite("ground_stiffness", ground_stiffness)
        if not stiffness.any():
            raise NotPhysicalError(
                "Foot: ground_stiffness is zero; ground that carries nothing has no "
                "foot on it, so leave the foot out."
            )
        compliance = None
        if leg_compliance is not None:
            compliance = _expect_semidefinite("leg_compliance", leg_compliance)
        place = np.array(expect_array("position", position, (3,)))
        for name, value in (
            ("position", place),
            ("ground_stiffness", stiffness),
            ("leg_compliance", compliance),
            ("normal", up),
        ):
            if value is not None:
                value.flags.writeable = False
            object.__setattr__(self, name, value)


class FeetArrays(NamedTuple):
    """Feet in units of their own: lengths over ``length``, stiffness over ``unit``."""

    arms: Array
    """From the centre of mass, (n, 3)."""
    ground: Array
    """Stiffness, world frame, (n, 3, 3)."""
    roots: Array
    """Symmetric square roots of the stiffnesses, (n, 3, 3)."""
    legs: Array
    """Compliance, body frame, (n, 3, 3), or (0, 3, 3) where all legs are rigid."""
    normals: Array
    """Out of the ground, (n, 3)."""
    length: float
    """The farthest foot's distance [m]."""
    unit: float
    """The largest stiffness of ground and leg in series [N/m]."""

    @property
    def force(self) -> float:
        """The force that stretches the unit spring by the unit length [N]."""
        return self.length * self.unit


def expect_feet(feet: Sequence[Foot]) -> FeetArrays:
    """Return feet as arrays, each number near one.

    Args:
        feet: at least one, no two at the same place.

    Raises:
        NotPhysicalError: no foot at all, or two at one place.
        ShapeError: something that is not a ``Foot``.
    """
    if not feet:
        raise NotPhysicalError("feet is empty; a stance needs at least one Foot.")
    for index, foot in enumerate(feet):
        if not isinstance(foot, Foot):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ShapeError(f"feet[{index}] must be a Foot, got {foot!r}.")
    arms = np.array([foot.position for foot in feet])
    length = float(np.linalg.norm(arms, axis=1).max()) or 1.0
    apart = np.linalg.norm(arms[:, None] - arms, axis=-1) + length * np.eye(len(arms))
    if apart.min() < 1e-9 * length:
        i, j = np.unravel_index(int(apart.argmin()), apart.shape)
        raise NotPhysicalError(
            f"feet[{i}] and feet[{j}] are both at {arms[i].tolist()}; make them one "
            "foot with the sum of their stiffnesses."
        )
    ground = np.array([foot.ground_stiffness for foot in feet])
    soft = [foot.leg_compliance for foot in feet]
    legs = None
    if any(C is not None and C.any() for C in soft):
        legs = np.array([np.zeros((3, 3)) if C is None else C for C in soft])
    series = (
        ground if legs is None else np.linalg.solve(np.eye(3) + ground @ legs, ground)
    )
    unit = float(np.abs(series).max())
    return FeetArrays(
        arms / length,
        ground / unit,
        _roots(ground / unit),
        np.empty((0, 3, 3)) if legs is None else legs * unit,
        np.array([foot.normal for foot in feet]),
        length,
        unit,
    )


def _roots(ground: Array) -> Array:
    values, vectors = np.linalg.eigh(ground)
    sizes = np.sqrt(np.maximum(values, 0.0))
    return (vectors * sizes[:, None, :]) @ vectors.transpose(0, 2, 1)


def _expect_unit(normal: ArrayLike) -> Vec3:
    up = np.array(expect_array("normal", normal, (3,)))
    size = float(np.linalg.norm(up))
    if abs(size - 1) > _UNIT:
        raise NotPhysicalError(
            f"Foot: normal must have length 1, got {up.tolist()} of length {size:g}; "
            "divide it by its length."
        )
    return up / size


def _expect_semidefinite(name: str, value: ArrayLike) -> Mat3:
    matrix = expect_array(name, value, (3, 3))
    largest = float(np.abs(matrix).max())
    if np.abs(matrix - matrix.T).max() > _SYMMETRY * largest:
        raise NotPhysicalError(
            f"Foot: {name} must be symmetric, got {matrix.tolist()}; "
            "a spring's energy has a symmetric matrix."
        )
    even = (matrix + matrix.T) / 2
    lowest = float(np.linalg.eigvalsh(even)[0])
    if lowest < -_SYMMETRY * largest:
        raise NotPhysicalError(
            f"Foot: {name} must have no negative eigenvalue, got {lowest:g} in "
            f"{matrix.tolist()}; a spring does not push away."
        )
    return even
