"""Find a work by its key and check its claims.

A work is a folder of this room whose ``run.py`` has ``claims(trees, seed, processes,
progress)``, a sequence of ``Claim``. Nothing else has to be listed.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

from equipoise.core.errors import ConfigError, UnknownNameError

__all__ = ["reproduce", "works"]

ROOM = "equipoise.papers"
MOST_TREES = 1000


def works() -> tuple[str, ...]:
    """Return the keys of all works, sorted."""
    room = importlib.import_module(ROOM)
    return tuple(sorted(w.name for w in pkgutil.iter_modules(room.__path__) if w.ispkg))


def reproduce(
    key: str,
    *,
    trees: int = 20,
    seed: int = 0,
    processes: int = 2,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Return every claim of a work beside what we get.

    Args:
        key: the work, as ``moll2006``.
        trees: how many random robots a measured claim is tried on, 1 to 1000.
        seed: which robots; another seed, another set.
        processes: how many simulations run at a time.
        progress: called with the share done, in [0, 1].

    Returns:
        ``{"claims": [...]}``, each with ``where``, ``quantity``, ``published``,
        ``ours``, ``tolerance``, ``status`` and ``why``; ready for JSON.

    Raises:
        UnknownNameError: no such work.
        ConfigError: numbers out of range.
    """
    if key not in works():
        raise UnknownNameError("work", key, works(), "the papers room")
    problems = []
    if not 1 <= trees <= MOST_TREES:
        problems.append(f"trees must be 1 to {MOST_TREES}, got {trees!r}")
    if seed < 0:
        problems.append(f"seed must be >= 0, got {seed!r}")
    if problems:
        raise ConfigError("reproduce", problems)
    run = importlib.import_module(f"{ROOM}.{key}.run")
    found = run.claims(trees=trees, seed=seed, processes=processes, progress=progress)
    return {"claims": [claim.as_row() for claim in found]}
