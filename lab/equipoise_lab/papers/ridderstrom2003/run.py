"""Check the claims of [Ridderstrom2003], part by part or a chapter alone."""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from equipoise_lab.papers.ridderstrom2003.sections import section
from equipoise_lab.papers.seeds import Found, collected
from equipoise_lab.papers.settings import Setting

__all__ = [
    "CHAPTERS",
    "HAS_TREES",
    "PARTS",
    "claims",
    "pictures",
    "section",
    "settings",
]

Progress = Callable[[float], None]
HAS_TREES = False
"""Nothing here is tried on random robots."""
PARTS = (1, 2, 3, 4)
"""Those reproduced so far; each is a folder ``part<number>`` with a ``run``."""
CHAPTERS = (3, 11)
"""Those with experiments of their own; a folder ``chapter<number>`` with a ``run``."""


def claims(
    *,
    trees: int,
    seeds: Sequence[int],
    processes: int,
    progress: Progress | None,
    part: int | None = None,
    chapter: int | None = None,
) -> Found:
    """Return every claim of a part, of a chapter, or of all of them.

    Args:
        trees: not used; there are none here.
        seeds: of random states, friction and noise.
        processes: simulations at a time.
        progress: called with the share done, in [0, 1].
        part: which one; None for all, or none where there is a chapter.
        chapter: which one, alone.
    """
    chosen = folders(part, chapter)
    found: list[Found] = []
    for k, name in enumerate(chosen):

        def report(share: float, done: int = k) -> None:
            if progress is not None:
                progress((done + share) / len(chosen))

        run = _run_of(name)
        found.append(run.claims(seeds=seeds, processes=processes, progress=report))
    return collected(found)


def settings(part: int | None = None, chapter: int | None = None) -> list[Setting]:
    """Return what a part, a chapter, or all of them set and we use too.

    Args:
        part: which one; None for all, or none where there is a chapter.
        chapter: which one, alone.
    """
    chosen = folders(part, chapter)
    return [told for name in chosen for told in _run_of(name).settings()]


def pictures(
    out: Path, part: int | None = None, chapter: int | None = None
) -> list[Path]:
    """Draw the figures of a part, of a chapter, or of all of them, into a folder.

    Args:
        out: the folder, made if needed.
        part: which one; None for all, or none where there is a chapter.
        chapter: which one, alone.

    Raises:
        BadFileError: a file cannot be written.
    """
    chosen = folders(part, chapter)
    return [path for name in chosen for path in _run_of(name).pictures(out)]


def folders(part: int | None, chapter: int | None) -> list[str]:
    """Return the folders of what was asked for; all where nothing was."""
    if part is None and chapter is None:
        everything = [f"part{number}" for number in PARTS]
        return everything + [f"chapter{number}" for number in CHAPTERS]
    asked = {"part": part, "chapter": chapter}
    return [f"{kind}{number}" for kind, number in asked.items() if number is not None]


def _run_of(name: str) -> Any:
    """Return the module that checks a part or a chapter."""
    return importlib.import_module(f"{__package__}.{name}.run")
