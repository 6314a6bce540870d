"""A command's answer on a page in ``--out``, the same as on the terminal."""

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from equipoise.cli.output import heard, typed

__all__ = ["with_index"]

FURTHER = (
    ("check my_robot.urdf", "Will your own robot stand? Any URDF or MJCF file"),
    (
        "walk warp1 --push 40 --out out/walk --gif",
        "A walking machine that is pushed sideways while it trots",
    ),
    (
        "balance biped --controller workspace-step --block-mass 7 --out out/step --gif",
        "A biped that is hit by a block of 7 kg and takes a step",
    ),
    (
        "modules run --loss 0.3 --kill 7 --after 2s",
        "Modules as processes that lose messages; one of them is killed",
    ),
)
"""What may be typed next, by anybody."""
TABLE = "sweep.nc"  # which is no recording of a run


def with_index(
    save: Callable[[Path], Sequence[Path]],
    out: Path | None,
    tell: Callable[[Any], None],
    about: Any,
) -> Callable[[Path], Sequence[Path]]:
    """Return what writes a job's files, and a page that shows all of them.

    Args:
        save: writes the files and returns them.
        out: the folder of ``--out``, which the page's commands name.
        tell: prints the answer.
        about: what it prints, a result or several.
    """

    def save_all(folder: Path) -> list[Path]:
        from equipoise.viz.index_page import INDEX, PageTable, write_index

        files = list(save(folder))
        told = heard(tell, about)
        tables = [part for part in told if isinstance(part, PageTable)]
        page = write_index(
            folder / INDEX,
            files,
            told,
            title=tables[0].title if tables else "equipoise",
            command=shlex.join((_program(), *typed())),
            further=[*of_files(files, out or folder), *_of_others()],
        )
        return [*files, page]

    return save_all


def _program() -> str:
    """Return how the command is typed here: by its name, or by its path."""
    path = Path(sys.argv[0])
    is_own = path.name == "equipoise" and shutil.which("equipoise") != str(path)
    return str(path) if is_own else "equipoise"


def of_files(files: Sequence[Path], out: Path) -> list[tuple[str, str]]:
    """Return commands that take a recording which was written."""
    runs = [path for path in files if path.name != TABLE]
    recordings = [path.name for path in runs if path.suffix == ".nc"]
    if not recordings:
        return []
    run = shlex.quote(str(out / recordings[-1]))
    table = shlex.quote(str(out / "run.csv"))
    found = [
        (f"{_program()} view {run} --live", "Move through the run in a live view"),
        (f"{_program()} export {run} {table}", "Every signal as a table"),
    ]
    if not any(path.suffix == ".gif" for path in files):
        movie = shlex.quote(str(out / "run.gif"))
        found.append((f"{_program()} export {run} {movie}", "An animation of the run"))
    return found


def _of_others() -> list[tuple[str, str]]:
    """Return commands for anybody, those apart that this one is like."""
    own = " ".join(typed()[:1])
    others = [pair for pair in FURTHER if pair[0].split()[0] != own]
    return [(f"{_program()} {line}", what) for line, what in others]
