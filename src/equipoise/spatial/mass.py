"""Mass properties that add: mass, centre of mass and inertia of any lump of matter.

The additive form is the second moment S = int [x; 1] [x; 1]^T dm, (4, 4), ten numbers:
two lumps seen from one frame simply add, and another frame sees S' = X S X^T
([Wensing2018] section II). The averaged inertia of [Moll2006] algorithm 2 is exact only
in this form.

Stored are mass m, centre c and central second moment C = int (x-c)(x-c)^T dm instead
of S itself. Seen from a far origin S is almost all m c c^T, and taking that away again
leaves rounding errors: a 168 m chain, 84 mm wide, has moments that differ by 4e6, which
float32 cannot hold as a difference. In the central form a sum only ever adds what is
positive semidefinite, C = C1 + C2 + m1 m2/(m1+m2) d d^T with d = c2 - c1, and the S
view is formed when asked for.
"""

import math
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from equipoise.core.arrays import expect_array
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.spatial.mass_checks import (
    expect_float_type,
    expect_inertia,
    expect_rotation,
    expect_symmetric,
    has_density,
    without_rounding_below_zero,
)

__all__ = ["MassProperties"]

Floats = NDArray[Any]
"""float64, or float32 where the object was made with dtype=np.float32."""


@final
class MassProperties:
    """Mass, centre of mass and inertia of a body, seen from one frame. Immutable.

    ``a + b`` and ``sum(parts)`` join bodies seen from the same frame. There is no
    ``-``: it cancels (12 % of the inertia lost on a 1000-module chain in float32).

    Args:
        mass: > 0 [kg]; a body without mass is ``MassProperties.zero()``.
        com: centre of mass from the frame's origin, (3,) [m].
        inertia: rotational inertia about the centre of mass, expressed in the frame,
            (3, 3) [kg m^2].
        dtype: np.float64, or np.float32 to compute as a small processor does.

    Raises:
        NotPhysicalError: no positive density has these numbers.
        ShapeError: wrong shape or an entry that is not finite.
    """

    __slots__ = ("_central", "_com", "_mass")
    _mass: Any
    _com: Floats
    _central: Floats

    def __init__(
        self,
        mass: float,
        com: ArrayLike,
        inertia: ArrayLike,
        dtype: DTypeLike = np.float64,
    ) -> None:
        kind = expect_float_type(dtype)
        if not (math.isfinite(mass) and mass > 0):
            raise NotPhysicalError(
                f"mass must be a positive number of kg, got {mass}; "
                "a body without mass is MassProperties.zero()."
            )
        p = expect_array("com", com, (3,)).astype(kind)
        I_BBcm = expect_inertia(inertia)
        central = (0.5 * np.trace(I_BBcm) * np.eye(3) - I_BBcm).astype(kind)
        self._fill(kind.type(mass), p, central)

    def _fill(self, mass: Any, com: Floats, central: Floats) -> None:
        com.flags.writeable = False
        central.flags.writeable = False
        self._mass, self._com, self._central = mass, com, central

    @staticmethod
    def _trusted(mass: Any, com: Floats, central: Floats) -> "MassProperties":
        """Return an object of arrays made here, unchecked and not copied."""
        made = object.__new__(MassProperties)
        made._fill(mass, com, central)
        return made

    @staticmethod
    def zero(dtype: DTypeLike = np.float64) -> "MassProperties":
        """Return nothing at all: the neutral element of ``+``."""
        kind = expect_float_type(dtype)
        return MassProperties._trusted(
            kind.type(0), np.zeros(3, kind), np.zeros((3, 3), kind)
        )

    @staticmethod
    def from_second_moment(
        S: ArrayLike, dtype: DTypeLike = np.float64
    ) -> "MassProperties":
        """Return the body of a second moment about the frame's origin.

        Args:
            S: int [x; 1] [x; 1]^T dm, (4, 4); all zero gives ``zero()``.
            dtype: as in the constructor.
        """
        kind = expect_float_type(dtype)
        rounding = np.finfo(np.result_type(np.asarray(S).dtype, np.float32)).eps
        S = expect_symmetric("S", S, 4)
        if not S.any():
            return MassProperties.zero(kind)
        mass = float(S[3, 3])
        if mass <= 0:
            raise NotPhysicalError(f"S[3, 3] is the mass and must be > 0, got {mass}.")
        com = S[:3, 3] / mass
        central = S[:3, :3] - mass * np.outer(com, com)
        # S was rounded relative to its own size, not to the size of what is left.
        allowance = 16 * float(rounding * np.trace(S[:3, :3]))
        central = without_rounding_below_zero(central, allowance)
        inertia = np.trace(central) * np.eye(3) - central
        return MassProperties(mass, com, inertia, kind)

    @staticmethod
    def from_vector(
        vector: ArrayLike, dtype: DTypeLike = np.float64
    ) -> "MassProperties":
        """Return the body of [m, hx, hy, hz, Sxx, Sxy, Sxz, Syy, Syz, Szz], (10,)."""
        m, hx, hy, hz, xx, xy, xz, yy, yz, zz = expect_array("vector", vector, (10,))
        S = [[xx, xy, xz, hx], [xy, yy, yz, hy], [xz, yz, zz, hz], [hx, hy, hz, m]]
        return MassProperties.from_second_moment(S, dtype)

    @property
    def mass(self) -> float:
        """Mass [kg]."""
        return float(self._mass)

    @property
    def com(self) -> Floats:
        """Centre of mass from the frame's origin, expressed in the frame, (3,) [m]."""
        return self._com

    @property
    def inertia(self) -> Floats:
        """Inertia about the centre of mass, in the frame's axes, (3, 3) [kg m^2]."""
        C = self._central
        xx, yy, zz = C[1, 1] + C[2, 2], C[0, 0] + C[2, 2], C[0, 0] + C[1, 1]
        inertia = 0 - C  # unlike -C this makes no negative zeros
        inertia[0, 0], inertia[1, 1], inertia[2, 2] = xx, yy, zz
        return inertia

    @property
    def central_second_moment(self) -> Floats:
        """Int (x-c)(x-c)^T dm about the centre of mass c, (3, 3) [kg m^2]."""
        return self._central

    @property
    def second_moment(self) -> Floats:
        """Int [x; 1] [x; 1]^T dm about the frame's origin, (4, 4)."""
        S = np.empty((4, 4), self.dtype)
        h = self._mass * self._com
        S[:3, :3] = self._central + np.outer(h, self._com)
        S[:3, 3] = S[3, :3] = h
        S[3, 3] = self._mass
        return S

    @property
    def dtype(self) -> np.dtype[Any]:
        """float64 or float32."""
        return self._com.dtype

    @property
    def is_physical(self) -> bool:
        """Whether some positive density has these numbers, to rounding."""
        parts = (self._mass, self._com, self._central)
        if not all(np.isfinite(part).all() for part in parts):
            return False
        if self._mass == 0:
            return not self._central.any()
        return self._mass > 0 and has_density(self._central.astype(np.float64))

    def to_vector(self) -> Floats:
        """Return [m, hx, hy, hz, Sxx, Sxy, Sxz, Syy, Syz, Szz], (10,)."""
        S = self.second_moment
        return S[(3, 0, 1, 2, 0, 0, 0, 1, 1, 2), (3, 3, 3, 3, 0, 1, 2, 1, 2, 2)]

    def __add__(self, other: object) -> "MassProperties":
        """Return both bodies together, seen from their common frame."""
        if isinstance(other, int | float) and other == 0:  # the start of sum()
            return self
        if not isinstance(other, MassProperties):
            return NotImplemented
        if self._mass == 0:
            return other
        if other._mass == 0:
            return self
        total = self._mass + other._mass
        share = other._mass / total
        d = other._com - self._com
        return MassProperties._trusted(
            total,
            self._com + share * d,
            self._central + other._central + np.outer((self._mass * share) * d, d),
        )

    __radd__ = __add__

    def __sub__(self, other: object) -> "MassProperties":
        """Raise: a difference of mass properties cancels."""
        raise TypeError(
            "mass properties cannot be subtracted, because what is left is mostly "
            "rounding error; sum the others instead."
        )

    __rsub__ = __sub__

    def transformed(self, R: ArrayLike, p: ArrayLike) -> "MassProperties":
        """Return the same body seen from another frame: x' = R x + p, S' = X S X^T.

        Args:
            R: R_AB when the body is given in B and wanted in A, (3, 3).
            p: p_AB, (3,) [m].
        """
        R = expect_rotation("R", R).astype(self.dtype)
        p = expect_array("p", p, (3,)).astype(self.dtype)
        if self._mass == 0:
            return self
        central = R @ self._central @ R.T
        half = self.dtype.type(0.5)
        return MassProperties._trusted(
            self._mass, R @ self._com + p, half * (central + central.T)
        )

    def scaled(self, factor: float) -> "MassProperties":
        """Return the same shape with ``factor`` >= 0 times the density."""
        if not (math.isfinite(factor) and factor >= 0):
            raise NotPhysicalError(f"factor must be finite and >= 0, got {factor}.")
        if factor == 0:
            return MassProperties.zero(self.dtype)
        k = self.dtype.type(factor)
        return MassProperties._trusted(
            k * self._mass, self._com.copy(), k * self._central
        )

    def principal(self) -> tuple[Floats, Floats]:
        """Return principal moments, ascending, and their axes as columns.

        Returns:
            moments (3,) [kg m^2] about the centre of mass, and a right-handed rotation
            (3, 3) whose column k is the axis of moment k.
        """
        spread, axes = np.linalg.eigh(self._central)
        low, mid, high = np.maximum(spread, 0)
        # Moments are sums of two spreads, so the smallest does not cancel.
        axes = axes[:, ::-1].copy()
        if np.linalg.det(axes) < 0:
            axes[:, 2] = -axes[:, 2]
        return np.array([low + mid, low + high, mid + high], self.dtype), axes

    def extents(self, solid: Literal["box", "ellipsoid"] = "box") -> Floats:
        """Return the side lengths of the solid with this inertia, longest first, (3,).

        A simple shape descriptor of a whole robot ([Moll2006] section VI): the box, or
        the ellipsoid, of even density with the same mass and inertia.

        Args:
            solid: "box" gives side lengths, "ellipsoid" full axes [m].
        """
        if solid not in ("box", "ellipsoid"):
            raise ShapeError(f"solid must be 'box' or 'ellipsoid', got {solid!r}.")
        if self._mass == 0:
            return np.zeros(3, self.dtype)
        # int x^2 dm is m a^2 / 12 for a box of side a, m a^2 / 20 for an axis a.
        factor = self.dtype.type(12 if solid == "box" else 20)
        spread = np.maximum(np.linalg.eigvalsh(self._central), 0)[::-1]
        return np.sqrt(factor * spread / self._mass)

    def __eq__(self, other: object) -> bool:
        """Return whether all stored numbers are the same."""
        if not isinstance(other, MassProperties):
            return NotImplemented
        return (
            bool(self._mass == other._mass)
            and np.array_equal(self._com, other._com)
            and np.array_equal(self._central, other._central)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by value, so that the copy is frozen as well."""
        return (
            MassProperties._trusted,
            (self._mass, self._com.copy(), self._central.copy()),
        )

    def __repr__(self) -> str:
        """Return the three arguments."""
        return (
            f"MassProperties(mass={self.mass:.6g}, com={self._com.tolist()}, "
            f"inertia={self.inertia.tolist()})"
        )
