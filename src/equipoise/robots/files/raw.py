"""Read a robot file whole, or say in half a sentence why not."""

import stat
from pathlib import Path

from equipoise.core.errors import BadFileError

__all__ = ["file_bytes"]


def file_bytes(path: Path, limit: int, most: int = -1) -> bytes:
    """Return a plain file's content.

    Args:
        path: the file.
        limit: largest size [bytes]; a larger file is refused unread.
        most: how much of it to read [bytes]; -1 for all.

    Raises:
        BadFileError: what is wrong, without the file's name.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise BadFileError("is a folder; name a file inside it")
        if not stat.S_ISREG(status.st_mode):  # a pipe or a device may never end
            raise BadFileError("is not a regular file; copy its contents into one")
        if status.st_size > limit:
            raise BadFileError(
                f"is {status.st_size / 2**20:.1f} MiB, at most {limit >> 20} are read"
            )
        with path.open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise BadFileError("there is no such file; check the path") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadFileError(
            f"cannot be read ({reason}); check its permissions"
        ) from None
    except BadFileError:
        raise
    except ValueError:  # a path with a null character
        raise BadFileError("is not a usable path; remove odd characters") from None
