"""``--gif`` of the commands that move a robot: a moving picture beside its files."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from equipoise.cli.output import progress_bar

if TYPE_CHECKING:
    from equipoise.runs.result import AbstractResult

__all__ = ["expect_gif", "with_movie"]


def expect_gif(is_wanted: bool, out: Path | None, seeds: int | None = None) -> None:
    """Refuse ``--gif`` where it cannot be written, before any work is done.

    Args:
        is_wanted: whether it was typed.
        out: folder of ``--out``.
        seeds: how many runs there are; None for one.

    Raises:
        ConfigError: there is no folder, or many runs.
    """
    if not is_wanted:
        return
    from equipoise.core.errors import ConfigError

    if out is None:
        problem = "--gif writes run.gif into the folder of --out; give --out DIR too"
        raise ConfigError("the command", [problem])
    if seeds is not None:
        problem = f"--gif is of one run, got --seeds {seeds}; leave one of them out"
        raise ConfigError("the command", [problem])


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
