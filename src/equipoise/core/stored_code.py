"""Machine code on disk that is used when it is whole and made anew when it is not.

Numba trusts its stored files: one that was emptied or cut short by a full disk or a
stopped machine makes every later start fail. Here each file carries a checksum; what
does not have it counts as not stored, and is written anew. Numba also takes any change
of a kernel's file for a change of the kernel, and none of a kernel that it calls from
another file; here a stamp says what it depends on.

Processes that start together share the store. Two of them that compile one kernel for
other types of arguments would give both codes one name, and each take the other's for
its own: so each file says what it is of, the index is changed by one process at a time,
and whatever cannot be read counts as not stored.
"""

import pickle
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from numba.core import caching, types

from equipoise.core.kernel_stamp import fields_of, stamp_of
from equipoise.core.turns import turn

__all__ = ["guard"]

NAMES = "records by layout, sealed by key"  # of stored code; other names are left
DIGEST = 32  # bytes in front of what they vouch for
_File = cast(Any, caching).IndexDataCacheFile


class StoredCode(_File):
    """Numba's pair of files for one kernel, with checksums and a stamp of ours."""

    body: Any
    options: object
    stamp: str | None

    @property
    def _source_stamp(self) -> str:
        """What the code is made from; asked for at the first call, see the stamp."""
        if self.stamp is None:
            self.stamp = stamp_of(self.body, (self.options, NAMES))
        return self.stamp

    def save(self, key: Any, data: Any) -> None:
        """Store a kernel's code; a disk that is full only costs time later.

        The code is there before the index names it.
        """
        own = _full(key)
        number = int.from_bytes(sha256(repr(own).encode()).digest()[:6])
        with suppress(OSError), turn(self._cache_path, f"index {self._index_name}"):
            overloads = self._load_index()
            name = overloads.setdefault(own, self._data_name(number))
            self._save_data(name, (self._source_stamp, own, data))
            self._save_index(overloads)

    def load(self, key: Any) -> Any:
        """Return stored code for some types of arguments; None where there is none."""
        own = _full(key)
        name = self._load_index().get(own)
        if name is None:
            return None
        try:
            stamp, stored, data = self._load_data(name)
        except Exception:  # a damaged file fails in many ways
            return None
        return data if (stamp, stored) == (self._source_stamp, own) else None

    def _load_index(self) -> Any:
        try:
            with Path(self._index_path).open("rb") as file:
                version, rest = pickle.load(file), file.read()
            if version != self._version:
                return {}
            stamp, overloads = pickle.loads(_whole(rest))
        except Exception:  # a damaged file fails in many ways
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        return pickle.loads(_whole(content))

    def _dump(self, obj: Any) -> bytes:
        content = cast(bytes, super()._dump(obj))
        return sha256(content).digest() + content


def _whole(content: bytes) -> bytes:
    """Return what a checksum vouches for.

    Raises:
        OSError: it does not; Numba takes that for a file that is not there.
    """
    if sha256(content[DIGEST:]).digest() != content[:DIGEST]:
        raise OSError("the checksum of stored code does not fit")
    return content[DIGEST:]


def _full(key: Any) -> Any:
    """Return Numba's key with the names that its types of arguments leave out."""
    return (*key, fields_of(getattr(key[0], "args", key[0])))


def _record_name(record: Any) -> tuple[str, tuple[str]]:
    """Return what a record adds to the name of a kernel's machine code.

    Numba counts records in the order in which a process meets them. Stored code of two
    processes then has one name for records of different lengths, and a third one that
    loads both runs the wrong one. Here the layout itself is the name.
    """
    return "Record", (sha256(record.name.encode()).hexdigest()[:24],)


types.Record.mangling_args = property(_record_name)  # type: ignore[method-assign]


def guard(kernel: Any, options: object) -> None:
    """Let a kernel keep its code in files that are checked and stamped.

    Args:
        kernel: made by Numba with ``cache=True``.
        options: how it is compiled.
    """
    files = kernel._cache._cache_file
    files.__class__ = StoredCode
    files.body, files.options, files.stamp = kernel.py_func, options, None
    name = kernel.py_func.__qualname__
    if "<locals>" not in name:  # by its name, wherever in the file it stands
        line = f"-{kernel.py_func.__code__.co_firstlineno}."
        base = files._index_name.removesuffix(".nbi").replace(line, ".")
        files._index_name = f"{base}.nbi"
        files._index_path = str(Path(files._cache_path) / files._index_name)
        files._data_name_pattern = f"{base}.{{number:d}}.nbc"
