"""``--gif`` of the commands that move a robot: a moving picture beside its files."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from equipoise.cli.output import progress_bar

if TYPE_CHECKING:
    from equipoise.runs.result import AbstractResult

__all__ = ["with_movie"]


def with_movie(
    save: "Callable[[Path], Sequence[Path]]", result: "AbstractResult", is_wanted: bool
) -> "Callable[[Path], Sequence[Path]]":
    """Return what writes a job's files, and a moving picture if it is wanted.

    Args:
        save: writes the files and returns them.
        result: what the picture is of.
        is_wanted: whether ``--gif`` was typed.
    """
    if not is_wanted:
        return save

    def save_all(folder: Path) -> list[Path]:
        files = list(save(folder))
        with progress_bar("drawing") as progress:
            movie = result.movie(folder / "run.gif", progress=progress)
        return [*files, movie]

    return save_all
