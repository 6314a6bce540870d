"""Records: numbers that flow together, described once, with names and units.

A record is a class whose entries say what they are::

    class Trunk(Record):
        p_WB: Array = entry("place of the trunk", "m", 3)
        load: float = entry("weight that it carries", "N")

``Trunk.zeros()`` makes one as a NumPy array of one element, ``Trunk.zeros(4)`` four. A
kernel takes such arrays, never a single element, which is slow to pass, and reads
``trunk[0].p_WB[2]``; Python reads the same way through ``trunk[0]``, a view. Telemetry,
recordings and the documentation take names and units from the class.

Settings are no records of their own: ``record_of(config)`` lays out the numbers of a
dataclass whose fields are described (``core.setting``), so that a kernel reads
``settings[0].stiffness`` under the name that the user sets.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from sys import getrefcount
from typing import Any, ClassVar, Generic, Self, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from equipoise.core.errors import ConfigError
from equipoise.core.setting import FieldSetting, described_settings

__all__ = [
    "Entry",
    "Record",
    "Records",
    "copied",
    "entry",
    "pooled_empty_like",
    "record_dtype",
    "record_of",
]

C = TypeVar("C")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Entry:
    """Entry of a record."""

    says: str
    """In words."""
    unit: str
    """Empty for a plain number."""
    shape: tuple[int | str, ...]
    """A name stands for a length that is given when the record is made."""
    kind: type
    """Float, int, or another record."""


def entry(says: str, unit: str = "", *shape: int | str, kind: type = np.float64) -> Any:
    """Describe an entry of a record.

    Args:
        says: what it is, in words.
        unit: its unit; empty for a plain number.
        shape: lengths; a name stands for one that is given when the record is made.
        kind: of its numbers; a record for an entry that is one itself.
    """
    return Entry(says, unit, shape, kind)


class Records(Generic[R_co]):
    """An array of records, as kernels take it; for types only, NumPy makes it."""

    shape: tuple[int, ...]

    @overload
    def __getitem__(self, at: int) -> R_co: ...
    @overload
    def __getitem__(self, at: slice) -> Self: ...
    @overload
    def __getitem__(self, at: str) -> NDArray[Any]: ...
    def __getitem__(self, at: Any) -> Any:
        """Return one record, some, or one entry of all; views."""
        raise NotImplementedError

    def __setitem__(self, at: int | slice | str, value: Any) -> None:
        """Write one record, some, or one entry of all."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[R_co]:
        """Go through them."""
        raise NotImplementedError

    def __len__(self) -> int:
        """Return how many there are."""
        raise NotImplementedError

    def item(self) -> tuple[Any, ...]:
        """Return the entries of the only one, in order."""
        raise NotImplementedError

    def copy(self) -> Self:
        """Return them with memory of their own."""
        raise NotImplementedError


class Record:
    """Numbers that flow together; see the file."""

    entries: ClassVar[dict[str, Entry]] = {}
    """By name, in order."""

    def __init_subclass__(cls) -> None:
        """Collect the entries, those of a record that this one extends first."""
        own = {name: value for name, value in vars(cls).items()}
        found = {name: one for name, one in own.items() if isinstance(one, Entry)}
        cls.entries = {**cls.entries, **found}

    @classmethod
    @cache  # one object for all, by which a kernel's caller knows it quickly
    def dtype(cls, **lengths: int) -> np.dtype[Any]:
        """Return the memory that one takes.

        Args:
            lengths: for each name that shapes use.
        """
        fields = [
            (name, _memory(one.kind, lengths), cls._shape(name, one, lengths))
            for name, one in cls.entries.items()
        ]
        # elements of np.record let Python read and write by name as kernels do
        return np.dtype((np.record, np.dtype(fields, align=True)))

    @classmethod
    def zeros(cls, count: int = 1, **lengths: int) -> Records[Self]:
        """Return some records, all zeros.

        Args:
            count: how many.
            lengths: for each name that shapes use.
        """
        return cast("Records[Self]", np.zeros(count, cls.dtype(**lengths)))

    @classmethod
    def _shape(cls, name: str, one: Entry, lengths: dict[str, int]) -> tuple[int, ...]:
        missing = [n for n in one.shape if isinstance(n, str) and n not in lengths]
        if missing:
            problem = f"'{name}' needs the length '{missing[0]}'"
            raise ConfigError(f"the record {cls.__name__}", [problem])
        return tuple(n if isinstance(n, int) else lengths[n] for n in one.shape)


def _memory(kind: type, lengths: dict[str, int]) -> Any:
    """Return what one number, or one record inside a record, is kept as."""
    if issubclass(kind, Record):
        return kind.dtype(**lengths)
    return record_dtype(kind) if is_dataclass(kind) else kind


@cache
def record_dtype(config: type) -> np.dtype[Any]:
    """Return the memory that the settings of a dataclass take, see ``record_of``.

    Args:
        config: the dataclass.

    Raises:
        TypeError: it has nothing that a kernel could read.
    """
    found: list[tuple[Any, ...]] = []
    described = described_settings(config)
    for field in fields(config):
        one, inner = described.get(field.name), field.type
        if one is not None and _is_laid_out(one):
            kind = KINDS.get(one.kind, np.int64)
            shape = (one.count,) if one.is_tuple else ()
            found.append((field.name, kind, shape))
        elif isinstance(inner, type) and is_dataclass(inner):
            found.append((field.name, record_dtype(inner)))
    if not found:
        raise TypeError(f"{config.__name__} has no described numbers")
    return np.dtype((np.record, np.dtype(found, align=True)))


def _is_laid_out(one: FieldSetting) -> bool:
    """Return whether a kernel can read a setting: no words, no tuples of any length."""
    return bool(one.choices or one.kind in KINDS) and one.is_tuple == bool(one.count)


def record_of(config: C) -> Records[C]:
    """Return the described numbers of a dataclass as kernels take them, (1,).

    Names stay those of the fields. Floats, whole numbers and booleans stay what they
    are, None is NaN, a word is the number of its place among all choices, a tuple is an
    array, a dataclass within is a record within. Free words are left out.

    Args:
        config: an instance.
    """
    array = np.zeros(1, record_dtype(type(config)))
    array[0] = _entries_of(config)
    return cast("Records[C]", array)


def _entries_of(config: Any) -> tuple[Any, ...]:
    """Return the entries of a dataclass's record, in order."""
    described = described_settings(type(config))
    return tuple(
        _plain(getattr(config, name), described.get(name))
        for name in record_dtype(type(config)).names or ()
    )


def _plain(value: Any, one: FieldSetting | None) -> Any:
    """Return what NumPy writes for the value of a field."""
    if one is None:
        return _entries_of(value)
    if value is None:
        return np.nan
    return one.choices.index(value) if one.kind is str else value


def pooled_empty_like(records: Records[R]) -> Records[R]:
    """Return room for as many records of the same kind; what is in it means nothing.

    Making and freeing such an array takes NumPy longer than a small kernel's work, so
    memory that nobody holds any more, not even by a view, is used again.

    Args:
        records: any.
    """
    array: Any = records
    try:
        rooms = _rooms[array.dtype][len(array)]
    except KeyError:
        rooms = deque[Any]([np.empty(array.shape, array.dtype)], MOST_ROOMS)
        _rooms.setdefault(array.dtype, {})[len(array)] = rooms
    room = rooms[0]
    rooms.rotate(-1)
    if getrefcount(room) == _FREE:  # the oldest; nearly always
        return room
    room = np.empty(array.shape, array.dtype)
    rooms.append(room)
    return cast("Any", room)


def _holders_of_free_room() -> int:
    """Return how often ``pooled_empty_like`` counts a room that nobody else holds."""
    rooms = deque([np.empty(0)])
    room = rooms[0]
    rooms.rotate(-1)
    return getrefcount(room)


def copied(records: Records[R]) -> Records[R]:
    """Return records with memory of their own, much faster than NumPy copies entries.

    Args:
        records: whole and in one piece, as ``zeros`` makes them.
    """
    array: Any = records
    memory = _Array(array.nbytes, _BYTE, array).copy()
    return _Array(array.shape, array.dtype, memory)


KINDS: dict[type, type] = {float: np.float64, int: np.int64, bool: np.bool_}
"""Memory of the numbers that settings are, by their kind."""
MOST_ROOMS = 8  # of one kind that are remembered; a tick and the next hold few
_FREE = _holders_of_free_room()
_rooms: dict[np.dtype[Any], dict[int, deque[Any]]] = {}
_Array: Any = np.ndarray
_BYTE = np.dtype(np.uint8)
