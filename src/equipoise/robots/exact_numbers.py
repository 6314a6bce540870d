"""Numbers of a specification that its text rounds, and their way back.

MuJoCo writes six digits, and where a mesh is up to roundings. A number that reads back
nearly, but not exactly, as it was is noted and put back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import mujoco
import numpy as np

__all__ = ["Number", "lost_numbers", "restore_numbers"]

LISTS = ("bodies", "geoms", "joints", "sites", "cameras", "lights", "meshes")
LISTS += ("materials", "pairs", "equalities", "tendons", "actuators", "sensors")
LISTS += ("numerics", "keys", "frames")
SINGLE = ("option", "stat")
LISTED = ("MjDoubleVec", "MjFloatVec")  # numbers that MuJoCo keeps in lists
DIRECTIONS = ("axis", "iquat", "quat")  # their length does not matter
TURNS = {"quat": "alt", "iquat": "ialt"}  # other ways to say the same
RELATIVE = 1e-5  # six digits are written
ABSOLUTE = 1e-12  # of places of meshes and of axes: roundings of sums near zero


@final
@dataclass(frozen=True, slots=True)
class Number:
    """One number, or several in an array, of one element."""

    kind: str
    """Of elements, as a specification lists them."""
    place: int
    name: str
    values: tuple[float, ...]


def lost_numbers(spec: mujoco.MjSpec, rounded: mujoco.MjSpec) -> tuple[Number, ...]:
    """Return what reads back nearly, but not exactly, as it was.

    Args:
        spec: as it is.
        rounded: as its text reads.
    """
    found: list[Number] = []
    pairs = zip(_elements(spec), _elements(rounded), strict=False)
    for (kind, place, one), (other_kind, other_place, other) in pairs:
        if (kind, place) != (other_kind, other_place):
            break  # the text has other elements; what is left stays rounded
        found += [
            Number(kind, place, name, tuple(float(v) for v in values))
            for name, values in _number_fields(spec, one)
            if _is_rounded(name, values, np.atleast_1d(getattr(other, name)))
        ]
    return tuple(found)


def restore_numbers(spec: mujoco.MjSpec, numbers: Sequence[Number]) -> None:
    """Put numbers back.

    Args:
        spec: as its text reads; it is changed.
        numbers: as ``lost_numbers`` found them.
    """
    by_place = {(number.kind, number.place) for number in numbers}
    found = {(k, p): one for k, p, one in _elements(spec) if (k, p) in by_place}
    for number in numbers:
        element = found[number.kind, number.place]
        is_single = isinstance(getattr(element, number.name), float)
        value = number.values[0] if is_single else list(number.values)
        setattr(element, number.name, value)


def _elements(spec: mujoco.MjSpec) -> Iterator[tuple[str, int, Any]]:
    """Yield all that holds numbers, by kind and place."""
    for kind in SINGLE:
        yield kind, 0, getattr(spec, kind)
    for kind in LISTS:
        for place, element in enumerate(getattr(spec, kind)):
            yield kind, place, element


def _number_fields(
    spec: mujoco.MjSpec, element: Any
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the numbers of an element that mean the same wherever they are read."""
    quaternion = mujoco.mjtOrientation.mjORIENTATION_QUAT
    for name in dir(type(element)):
        if name.startswith("_") or callable(getattr(type(element), name)):
            continue
        value = getattr(element, name)
        turn = getattr(element, TURNS.get(name, ""), None)
        if turn is not None and turn.type != quaternion:
            said = element.compiler
            value = np.array(
                spec.resolve_orientation(
                    degree=said.degree, sequence=said.eulerseq, orientation=turn
                )
            )
        if isinstance(value, float) or type(value).__name__ in LISTED:
            yield name, np.atleast_1d(np.asarray(value, dtype=float))
        elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
            yield name, np.ravel(value)


def _is_rounded(name: str, values: np.ndarray, read: np.ndarray) -> bool:
    """Return whether numbers read back nearly, but not exactly, as they were."""
    read = np.ravel(np.asarray(read, dtype=float))
    if values.shape != read.shape or np.array_equal(values, read, equal_nan=True):
        return False
    length = float(np.linalg.norm(values)) if name in DIRECTIONS else 1.0
    return np.allclose(
        read, values / (length or 1.0), RELATIVE, ABSOLUTE, equal_nan=True
    )
