"""Files that are either whole or not there.

Everything the library writes goes to a temporary name in the same folder first and is
then renamed, so that a full disk or a stopped program leaves the old file untouched.
"""

import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from os import fsync
from pathlib import Path

from equipoise.core.errors import BadFileError

__all__ = ["atomic_path", "atomic_write"]


@contextmanager
def atomic_path(path: str | Path) -> Generator[Path, None, None]:
    """Yield a temporary path to write to; it becomes ``path`` when the block ends well.

    For writers that want a file name (netCDF). The temporary file lies in the same
    folder, which is made if needed, and keeps the ending (``.nc``) of ``path``. If the
    block raises, the temporary file is removed and ``path`` stays as it was.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the folder or file cannot be written; names the file and why.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.stem}.{secrets.token_hex(4)}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFileError(
            f"{path} could not be written: {reason}; "
            "choose another folder or make room."
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def atomic_write(path: str | Path, data: bytes | str) -> Path:
    """Write ``data`` (text as UTF-8) to ``path``, whole or not at all, and return it.

    Args:
        path: the file to make or replace; its folder is made if needed.
        data: the content.

    Raises:
        BadFileError: the folder or file cannot be written; names the file and why.
    """
    content = data.encode() if isinstance(data, str) else data
    with atomic_path(path) as temporary, temporary.open("xb") as file:
        file.write(content)
        file.flush()
        fsync(file.fileno())
    return Path(path)
