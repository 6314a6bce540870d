"""How states are laid out for a margin's programs: named arrays in, one table out.

In the table number k of state i is at [k, i].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from types import ModuleType
from typing import Any, final

import numpy as np

from equipoise.core.errors import ShapeError
from equipoise.core.extras import require_extra
from equipoise.core.kinds import Precision
from equipoise.equations.margins.code import MarginCode

__all__ = ["Fields", "fitting_arrays", "packed_arguments", "unpacked_results"]

SCALARS = ("height", "weight")
OF_CONTACTS = ("frictions", "stiffnesses")
WIDE = ("points",)  # a third axis is let go where the margin wants two


@final
@dataclass(frozen=True)
class Fields:
    """Arrays that describe states, all of one library and broadcast to each other."""

    library: ModuleType
    """NumPy or CuPy."""
    values: dict[str, Any]
    """By name; a state's own (..., width), those of contacts (..., k, width)."""
    shapes: dict[str, tuple[int, ...]]
    """As they came, for the derivatives."""
    leading: tuple[int, ...]
    """Of the states."""
    contacts: int
    precision: Precision
    """Single where all arrays of a card are; numbers and lists follow the arrays."""

    @property
    def states(self) -> int:
        """Number of states."""
        return prod(self.leading)


def array_library(values: Mapping[str, Any]) -> ModuleType:
    """Return CuPy where any array is CuPy's, else NumPy."""
    for value in values.values():
        if type(value).__module__.split(".")[0] == "cupy":
            return require_extra("gpu", "cupy")
    return np


def fitting_arrays(
    own: Mapping[str, Any], each: Mapping[str, Any], mask: Any | None
) -> Fields:
    """Return arrays that fit each other.

    Args:
        own: what describes a state, by name.
        each: what describes its contacts, by name.
        mask: which contacts are there, (..., k); None for all.

    Raises:
        ShapeError: shapes that do not fit, or an entry that is not finite.
    """
    given = {**own, **each}
    xp = array_library({**given, "mask": mask})
    precision = _common_precision(xp, given)
    kind = np.float32 if precision == "single" else np.float64
    values = {name: _floats(xp, name, value, kind) for name, value in given.items()}
    shapes = {name: value.shape for name, value in values.items()}
    tails: dict[str, int] = {}
    for name, value in values.items():
        flat = name in SCALARS or name in OF_CONTACTS
        tails[name] = (0 if flat else 1) + (1 if name in each else 0)
        if value.ndim < tails[name]:
            raise ShapeError(f"{name} has too few axes, got shape {value.shape}.")
    first = values[next(iter(each))]
    contacts = first.shape[-2]
    on = xp.ones(contacts, bool) if mask is None else xp.asarray(mask)
    if on.dtype != bool:
        raise ShapeError(f"mask must be of bool, got {on.dtype}.")
    values["mask"], shapes["mask"], tails["mask"] = on, on.shape, 1
    leads = [value.shape[: value.ndim - tails[n]] for n, value in values.items()]
    try:
        leading = np.broadcast_shapes(*leads)
    except ValueError:
        told = ", ".join(f"{name} {value.shape}" for name, value in values.items())
        raise ShapeError(
            f"the arrays' states cannot be broadcast together: {told}."
        ) from None
    ready: dict[str, Any] = {}
    for name, value in values.items():
        own_axes = value.shape[value.ndim - tails[name] :]
        if (name in each or name == "mask") and own_axes[0] != contacts:
            raise ShapeError(
                f"{name} must have {contacts} contacts, got shape {value.shape}."
            )
        ready[name] = xp.broadcast_to(value, (*leading, *own_axes))
    return Fields(xp, ready, shapes, leading, contacts, precision)


def _common_precision(xp: ModuleType, given: Mapping[str, Any]) -> Precision:
    """Return the precision in which arrays are judged.

    Args:
        xp: their library; NumPy's are judged in double precision.
        given: by name.
    """
    kinds = [str(value.dtype) for value in given.values() if hasattr(value, "dtype")]
    single = xp is not np and all(kind == "float32" for kind in kinds)
    return "single" if single else "double"


def _floats(xp: ModuleType, name: str, value: Any, kind: Any) -> Any:
    try:
        array: Any = xp.asarray(value)
    except (TypeError, ValueError):
        raise ShapeError(f"{name} must be numbers in an array.") from None
    if np.dtype(array.dtype).kind not in "iufb":
        raise ShapeError(f"{name} must be real numbers, got {array.dtype}.")
    array = array.astype(kind)
    if not bool(xp.isfinite(array).all()):
        raise ShapeError(f"{name} must be finite, got NaN or infinity in it.")
    return array


def packed_arguments(code: MarginCode, fields: Fields) -> Any:
    """Return the table that a margin's programs read, (given, n).

    Args:
        code: the margin.
        fields: what describes the states.

    Raises:
        ShapeError: an array of another width.
    """
    xp, n = fields.library, fields.states
    kind = np.float32 if fields.precision == "single" else np.float64
    table = xp.empty((code.inputs, n), kind)
    at = 0
    for name, width in code.given:
        value = fields.values[name]
        value = value[..., None] if name in SCALARS else value
        _expect_width(name, value, width)
        table[at : at + width] = value.reshape(n, width).T
        at += width
    step = sum(width for _, width in code.each)
    for name, width in code.each:
        value = fields.values[name]
        flat = name in OF_CONTACTS or name == "mask"
        value = value[..., None] if flat else value
        if name in WIDE and value.shape[-1] == width + 1:
            value = value[..., :width]
        _expect_width(name, value, width)
        rows = value.reshape(n, code.contacts, width)
        for i in range(code.contacts):
            table[at + i * step : at + i * step + width] = rows[:, i].T
        at += width
    return table


def _expect_width(name: str, value: Any, width: int) -> None:
    if value.shape[-1] != width:
        raise ShapeError(
            f"{name} must have {width} numbers in its last axis, got {value.shape[-1]}."
        )


def unpacked_results(code: MarginCode, fields: Fields, told: Any) -> dict[str, Any]:
    """Return what came out by name; derivatives by the name of their argument.

    An argument that was broadcast has the sum of the derivatives of all states.

    Args:
        code: the margin.
        fields: what described the states.
        told: (told, n).
    """
    xp, leading = fields.library, fields.leading
    found: dict[str, Any] = {}
    at = 0
    for name, _ in code.results:
        found[name] = told[at].reshape(leading)
        at += 1
    for name, width in code.given:
        slope = told[at : at + width].T.reshape(*leading, width)
        found[name] = slope[..., 0] if name in SCALARS else slope
        at += width
    each = [(name, width) for name, width in code.each if name != "mask"]
    step = sum(width for _, width in each)
    for name, width in each:
        rows = [told[at + i * step :][:width].T for i in range(code.contacts)]
        slope = xp.stack(rows, axis=1).reshape(*leading, code.contacts, width)
        full = fields.values[name].shape[-1]
        if name in WIDE and full == width + 1:
            slope = xp.concatenate([slope, 0 * slope[..., :1]], axis=-1)
        found[name] = slope[..., 0] if name in OF_CONTACTS else slope
        at += width
    return {
        name: _gathered(value, fields.shapes[name]) if name in fields.shapes else value
        for name, value in found.items()
    }


def _gathered(slope: Any, shape: tuple[int, ...]) -> Any:
    """Return derivatives summed over the axes along which an argument was broadcast."""
    extra = slope.ndim - len(shape)
    slope = slope.sum(axis=tuple(range(extra))) if extra else slope
    axes = tuple(
        k for k, (a, b) in enumerate(zip(slope.shape, shape, strict=True)) if a != b
    )
    return slope.sum(axis=axes, keepdims=True) if axes else slope
