"""Mass properties that add: mass, centre of mass and inertia of any lump of matter.

The additive form is the second moment S = int y yᵀ dm with y = [x; 1], (4, 4), ten
numbers: two lumps seen from one frame simply add, and another frame sees S' = X S X^T
([Wensing2018] section II). The averaged inertia of [Moll2006] algorithm 2 is exact only
in this form.

Stored are mass m, centre c and a triangular factor of the central second moment
C = int (x-c)(x-c)^T dm instead of S itself. Seen from a far origin S is almost all
m c c^T, and taking that away again leaves rounding errors; in float32 even C loses the
narrow sides of a long chain. ``mass_factors`` says how much, and why the factor does
not. The S view is formed when asked for, exact to rounding.
"""

import math
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from equipoise.core.arrays import expect_array
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.spatial.mass.checks import (
    expect_float_type,
    expect_inertia,
    expect_rotation,
    expect_symmetric,
    without_rounding_below_zero,
)
from equipoise.spatial.mass.factors import (
    central_from_factor,
    factor_from_central,
    joined_factor,
    rotated_factor,
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

    __slots__ = ("_com", "_factor", "_mass")
    _mass: Any
    _com: Floats
    _factor: Floats

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
        central = 0.5 * np.trace(I_BBcm) * np.eye(3) - I_BBcm
        self._fill(kind.type(mass), p, factor_from_central(central, kind))

    def _fill(self, mass: Any, com: Floats, factor: Floats) -> None:
        com.flags.writeable = False
        factor.flags.writeable = False
        self._mass, self._com, self._factor = mass, com, factor

    @staticmethod
    def _trusted(mass: Any, com: Floats, factor: Floats) -> "MassProperties":
        """Return an object of arrays made here, unchecked and not copied."""
        made = object.__new__(MassProperties)
        made._fill(mass, com, factor)
        return made

    @staticmethod
    def zero(dtype: DTypeLike = np.float64) -> "MassProperties":
        """Return the mass properties of nothing, the neutral element of ``+``."""
        kind = expect_float_type(dtype)
        return MassProperties._trusted(
            kind.type(0), np.zeros(3, kind), np.zeros(6, kind)
        )

    @staticmethod
    def from_second_moment(
        S: ArrayLike, dtype: DTypeLike = np.float64
    ) -> "MassProperties":
        """Return the body of a second moment about the frame's origin.

        Args:
            S: int y yᵀ dm with y = [x; 1], (4, 4); all zero gives ``zero()``.
            dtype: as in the constructor.
        """
        kind = expect_float_type(dtype)
        rounding = np.finfo(np.result_type(np.asarray(S).dtype, np.float32)).eps
        moment = expect_symmetric("S", S, 4)
        if not moment.any():
            return MassProperties.zero(kind)
        mass = float(moment[3, 3])
        if mass <= 0:
            raise NotPhysicalError(f"S[3, 3] is the mass and must be > 0, got {mass}.")
        com = moment[:3, 3] / mass
        central = moment[:3, :3] - mass * np.outer(com, com)
        # S was rounded relative to its own size, not to the size of what is left.
        allowance = 16 * float(rounding * np.trace(moment[:3, :3]))
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

    @staticmethod
    def from_factored_vector(vector: Floats) -> "MassProperties":
        """Return the body of [m, h, l00, l10, l20, l11, l21, l22], (10,), its type."""
        row = np.asarray(vector)
        kind = expect_float_type(row.dtype)
        expect_array("vector", row, (10,))
        if not row.any():
            return MassProperties.zero(kind)
        if row[0] <= 0:
            raise NotPhysicalError(f"vector[0] is the mass, must be > 0, got {row[0]}.")
        return MassProperties._trusted(row[0], row[1:4] / row[0], row[4:].copy())

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
        C = self.central_second_moment
        xx, yy, zz = C[1, 1] + C[2, 2], C[0, 0] + C[2, 2], C[0, 0] + C[1, 1]
        inertia = 0 - C  # unlike -C this makes no negative zeros
        inertia[0, 0], inertia[1, 1], inertia[2, 2] = xx, yy, zz
        return inertia

    @property
    def central_second_moment(self) -> Floats:
        """Int (x-c)(x-c)^T dm about the centre of mass c, (3, 3) [kg m^2]."""
        return central_from_factor(self._factor)

    @property
    def second_moment(self) -> Floats:
        """Int y yᵀ dm with y = [x; 1] about the frame's origin, (4, 4)."""
        S = np.empty((4, 4), self.dtype)
        h = self._mass * self._com
        S[:3, :3] = self.central_second_moment + np.outer(h, self._com)
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
        # The factor makes the inertia physical; sums and scales may still overflow.
        parts = (self._mass, self._com, self._factor)
        return all(bool(np.isfinite(part).all()) for part in parts)

    def to_vector(self) -> Floats:
        """Return [m, hx, hy, hz, Sxx, Sxy, Sxz, Syy, Syz, Szz], (10,)."""
        S = self.second_moment
        return S[(3, 0, 1, 2, 0, 0, 0, 1, 1, 2), (3, 3, 3, 3, 0, 1, 2, 1, 2, 2)]

    def to_factored_vector(self) -> Floats:
        """Return [m, h, l00, l10, l20, l11, l21, l22] of ``mass_factors``, (10,)."""
        return np.concatenate([[self._mass], self._mass * self._com, self._factor])

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
            joined_factor(self._factor, other._factor, np.sqrt(self._mass * share) * d),
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
        turn = expect_rotation("R", R).astype(self.dtype)
        shift = expect_array("p", p, (3,)).astype(self.dtype)
        if self._mass == 0:
            return self
        return MassProperties._trusted(
            self._mass,
            turn @ self._com + shift,
            rotated_factor(turn, self._factor),
        )

    def scaled(self, factor: float) -> "MassProperties":
        """Return the same body with ``factor`` >= 0 times its density."""
        if not (math.isfinite(factor) and factor >= 0):
            raise NotPhysicalError(f"factor must be finite and >= 0, got {factor}.")
        if factor == 0:
            return MassProperties.zero(self.dtype)
        k = self.dtype.type(factor)
        return MassProperties._trusted(
            k * self._mass, self._com.copy(), np.sqrt(k) * self._factor
        )

    def principal(self) -> tuple[Floats, Floats]:
        """Return principal moments, ascending, and their axes as columns.

        Returns:
            moments (3,) [kg m^2] about the centre of mass, and a right-handed rotation
            (3, 3) whose column k is the axis of moment k.
        """
        axes, roots = np.linalg.svd(self._lower())[:2]  # largest spread first
        high, mid, low = roots * roots
        if np.linalg.det(axes) < 0:
            axes[:, 2] = -axes[:, 2]
        # Moments are sums of two spreads, so the smallest does not cancel.
        return np.array([mid + low, high + low, high + mid], self.dtype), axes

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
        roots = np.linalg.svd(self._lower(), compute_uv=False)
        return np.sqrt(factor / self._mass) * roots

    def _lower(self) -> Floats:
        """Return L with C = L L^T, (3, 3)."""
        lower = np.zeros((3, 3), self.dtype)
        lower[(0, 1, 2, 1, 2, 2), (0, 0, 0, 1, 1, 2)] = self._factor
        return lower

    def __eq__(self, other: object) -> bool:
        """Return whether all stored numbers are the same."""
        if not isinstance(other, MassProperties):
            return NotImplemented
        return (
            bool(self._mass == other._mass)
            and np.array_equal(self._com, other._com)
            and np.array_equal(self._factor, other._factor)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by value, so that the copy is frozen as well."""
        return (
            MassProperties._trusted,
            (self._mass, self._com.copy(), self._factor.copy()),
        )

    def __repr__(self) -> str:
        """Return the three arguments, to nine digits."""
        com, inertia = (
            np.array2string(a, precision=9, separator=", ").replace("\n", "")
            for a in (self._com, self.inertia)
        )
        return f"MassProperties(mass={self.mass:.9g}, com={com}, inertia={inertia})"
