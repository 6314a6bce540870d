"""Check the claims of [Ridderstrom2003], part by part."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from equipoise.papers.claim import Claim

__all__ = ["HAS_TREES", "PARTS", "claims", "pictures"]

Progress = Callable[[float], None]
HAS_TREES = False
"""Nothing here is tried on random robots."""
PARTS = (3, 4)
"""Those reproduced so far; each is a folder ``part<number>`` with a ``run``."""


def claims(
    *,
    trees: int,
    seed: int,
    processes: int,
    progress: Progress | None,
    part: int | None = None,
) -> list[Claim]:
    """Return every claim of a part, or of all of them.

    Args:
        trees: not used; there are none here.
        seed: which random states.
        processes: simulations at a time.
        progress: called with the share done, in [0, 1].
        part: which one; None for all.
    """
    chosen = PARTS if part is None else (part,)
    found: list[Claim] = []
    for k, number in enumerate(chosen):

        def report(share: float, done: int = k) -> None:
            if progress is not None:
                progress((done + share) / len(chosen))

        run = run_of(number)
        found += run.claims(seed=seed, processes=processes, progress=report)
    return found


def pictures(out: Path, part: int | None = None) -> list[Path]:
    """Draw the figures of a part, or of all of them, into a folder.

    Args:
        out: the folder, made if needed.
        part: which one; None for all.

    Raises:
        BadFileError: a file cannot be written.
    """
    chosen = PARTS if part is None else (part,)
    return [path for number in chosen for path in run_of(number).pictures(out)]


def run_of(number: int) -> Any:
    """Return the module that checks a part."""
    return importlib.import_module(f"{__package__}.part{number}.run")
