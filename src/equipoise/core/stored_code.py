"""Machine code on disk that is used when it is whole and made anew when it is not.

Numba trusts its stored files: one that was emptied or cut short by a full disk or a
stopped machine makes every later start fail. Here each file carries a checksum; what
does not have it counts as not stored, and is written anew.
"""

import pickle
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from numba.core import caching

__all__ = ["guard"]

DIGEST = 32  # bytes in front of what they vouch for
_File = cast(Any, caching).IndexDataCacheFile


class StoredCode(_File):
    """Numba's pair of files for one kernel, with checksums."""

    def save(self, key: Any, data: Any) -> None:
        """Store a kernel's code; a disk that is full only costs time later."""
        with suppress(OSError):
            super().save(key, data)

    def _load_index(self) -> Any:
        try:
            with Path(self._index_path).open("rb") as file:
                version, rest = pickle.load(file), file.read()
            if version != self._version:
                return {}
            stamp, overloads = pickle.loads(whole(rest))
        except Exception:  # a damaged file fails in many ways
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        return pickle.loads(whole(content))

    def _dump(self, obj: Any) -> bytes:
        content = cast(bytes, super()._dump(obj))
        return sha256(content).digest() + content


def whole(content: bytes) -> bytes:
    """Return what a checksum vouches for.

    Raises:
        OSError: it does not; Numba takes that for a file that is not there.
    """
    if sha256(content[DIGEST:]).digest() != content[:DIGEST]:
        raise OSError("the checksum of stored code does not fit")
    return content[DIGEST:]


def guard(kernel: Any) -> Any:
    """Let a kernel keep its code in files that are checked, and return the files.

    Args:
        kernel: made by Numba with ``cache=True``.
    """
    files = kernel._cache._cache_file
    files.__class__ = StoredCode
    return files
