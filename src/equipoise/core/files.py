"""Files that are either whole or not there, alone and several together.

Everything the library writes goes to a temporary name in the same folder first and is
then renamed, so that a full disk or a stopped program leaves the old file untouched.
The files of one answer are written into a folder of their own inside the one that was
asked for, and move out of it together.
"""

import json
import math
import secrets
import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import fsync
from pathlib import Path
from typing import Any

from equipoise.core.errors import BadFileError

__all__ = [
    "Written",
    "atomic_path",
    "atomic_write",
    "plain",
    "write_json",
    "write_together",
]


@dataclass(frozen=True)
class Written:
    """Files that arrived in a folder."""

    files: list[Path]
    replaced: list[Path]
    """Those of them that were there before."""


@contextmanager
def atomic_path(path: str | Path) -> Generator[Path, None, None]:
    """Yield a temporary path to write to; it becomes ``path`` when the block ends well.

    The temporary file lies in the same folder, which is made if needed, and keeps the
    ending (``.nc``) of ``path``. If the block raises, the temporary file is removed,
    with the folders made for it, and ``path`` stays as it was.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the folder or file cannot be written; names the file and why.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.stem}.{secrets.token_hex(4)}.part{path.suffix}")
    made = missing_folders(path.parent)
    is_done = False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        temporary.replace(path)
        is_done = True
    except OSError as error:
        raise refusal(path, error) from error
    finally:
        with suppress(OSError):
            temporary.unlink()
        if not is_done:
            remove_empty(made)


def atomic_write(path: str | Path, data: bytes | memoryview | str) -> Path:
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


def plain(value: Any) -> Any:
    """Return a value as JSON can carry it: NaN and infinity become null.

    Args:
        value: numbers, texts and arrays, in mappings and lists.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}  # pyright: ignore
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]  # pyright: ignore
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write_json(out: Path, name: str, content: Mapping[str, Any]) -> Path:
    """Write one JSON object into a folder and return the file's path.

    Args:
        out: the folder.
        name: of the file.
        content: what it holds.
    """
    text = json.dumps(plain(content), allow_nan=False, indent=2)
    return atomic_write(out / name, text + "\n")


def write_together(
    folder: str | Path, write: Callable[[Path], Sequence[Path]]
) -> Written:
    """Let several files arrive in a folder together, or none of them.

    Args:
        folder: where they shall be; made if needed.
        write: gets an empty folder, writes the files into it and returns them.

    Returns:
        The files where they are in the end, in the order of ``write``.

    Raises:
        BadFileError: something cannot be written; the folder is as it was.
    """
    folder = Path(folder)
    made, stage = missing_folders(folder), folder / f".{secrets.token_hex(4)}.part"
    is_done = False
    try:
        stage.mkdir(parents=True)
        files = [folder / path.relative_to(stage) for path in write(stage)]
        replaced = _move_all(stage, folder)
        is_done = True
    except BadFileError as error:  # a file's name is where it would have been
        raise BadFileError(str(error).replace(str(stage), str(folder))) from error
    except OSError as error:
        raise refusal(folder, error) from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        if not is_done:
            remove_empty(made)
    return Written(files, [path for path in files if path in replaced])


def _move_all(stage: Path, folder: Path) -> set[Path]:
    """Move every file of one folder into another, or none; return the replaced ones."""
    old = stage / ".old"
    moves = [(p, folder / p.relative_to(stage)) for p in stage.rglob("*")]
    moves = [(source, target) for source, target in moves if not source.is_dir()]
    for _, target in moves:
        if target.is_dir():
            raise BadFileError(f"{target} is a folder; choose another place.")
    old.mkdir()
    undo: list[tuple[Path, Path]] = []
    replaced: set[Path] = set()
    try:
        for k, (source, target) in enumerate(moves):
            target.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                target.rename(old / str(k))
                undo.append((old / str(k), target))
                replaced.add(target)
            source.rename(target)
            undo.append((target, source))
    except BaseException:
        for now, before in reversed(undo):
            with suppress(OSError):
                now.rename(before)
        raise
    return replaced


def missing_folders(folder: Path) -> list[Path]:
    """Return the folders that a path still needs, the outermost last."""
    return [p for p in (folder, *folder.parents) if not p.exists()]


def remove_empty(folders: Sequence[Path]) -> None:
    """Remove folders that are empty, the innermost first."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def refusal(path: Path, error: OSError) -> BadFileError:
    """Return the sentence about a file that the system would not write."""
    reason = error.strerror or str(error)
    return BadFileError(
        f"{path} could not be written: {reason}; choose another folder or make room."
    )
