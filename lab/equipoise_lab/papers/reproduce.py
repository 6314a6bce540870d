"""Find a work by its key and check its claims.

A work is a folder of this room whose ``run.py`` has ``claims(trees, seeds, processes,
progress)``, lists of ``Claim`` by seed and, by None, those that no seed touches, and
``section(claim)``, where in the work a claim comes. A ``HAS_TREES = False`` says that
it tries nothing on random robots, ``settings()`` lists what it sets and we use too,
``pictures(out)`` draws what there is to see. A work that comes in parts lists those
that are reproduced as ``PARTS``; all functions then take ``part``, None for all of
them, and likewise ``CHAPTERS`` and ``chapter``. Nothing else has to be listed.
"""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise_lab.papers.seeds import SEEDS, claim_seeds, rows_of

__all__ = ["pictures", "reproduce", "works"]

ROOM = "equipoise_lab.papers"
MOST_TREES, TREES = 1000, 20
"""Random robots of each seed."""
MOST_SEEDS = 100


def works() -> tuple[str, ...]:
    """Return the keys of all works, sorted."""
    room = importlib.import_module(ROOM)
    return tuple(sorted(w.name for w in pkgutil.iter_modules(room.__path__) if w.ispkg))


def reproduce(
    key: str,
    *,
    trees: int | None = None,
    part: int | None = None,
    chapter: int | None = None,
    seed: int = 0,
    seeds: int = SEEDS,
    processes: int = 2,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Any]:
    """Return every claim of a work beside what we get, and what we add to it.

    Args:
        key: the work, as ``moll2006``.
        trees: how many random robots of each seed a claim is tried on, 1 to 1000; None
            for 20, or for none where the work has no use for them.
        part: which part of a work that has several; None for all that there are.
        chapter: which chapter, alone, of a work that has some apart.
        seed: which set of seeds; another seed, other robots and random states.
        seeds: on how many of them a claim is judged, 1 to 100.
        processes: how many simulations run at a time.
        progress: called with the share done, in [0, 1].

    Returns:
        ``{"claims": [...], "beyond": [...], "settings": [...]}``, ready for JSON. A
        claim has ``where``, ``quantity``, ``published``, ``ours``, ``tolerance``,
        ``status``, ``why``, ``checks`` and ``seeds``, its status on each; what we add
        has all but ``published`` and holds or fails; a setting has ``where``,
        ``quantity``, ``published``, ``ours`` and ``note``.

    Raises:
        UnknownNameError: no such work.
        ConfigError: numbers out of range.
    """
    run = run_of(key)
    problems = _choice_problems(key, run, part, chapter)
    if trees is not None and not 1 <= trees <= MOST_TREES:
        problems.append(f"trees must be 1 to {MOST_TREES}, got {trees!r}")
    if trees is not None and not getattr(run, "HAS_TREES", True):
        problems.append(f"{key} tries nothing on random trees; leave trees out")
    if seed < 0:
        problems.append(f"seed must be >= 0, got {seed!r}")
    if not 1 <= seeds <= MOST_SEEDS:
        problems.append(f"seeds must be 1 to {MOST_SEEDS}, got {seeds!r}")
    if problems:
        raise ConfigError("reproduce", problems)
    chosen = _choice(run, part, chapter)
    found = run.claims(
        trees=TREES if trees is None else trees,
        seeds=claim_seeds(seed, seeds),
        processes=processes,
        progress=progress,
        **chosen,
    )
    shared = getattr(run, "settings", None)
    told = [] if shared is None else shared(**chosen)
    rows = rows_of(found, run.section)
    return {
        "claims": [row for row in rows if "published" in row],
        "beyond": [row for row in rows if "published" not in row],
        "settings": [setting.as_row() for setting in told],
    }


def pictures(
    key: str, out: Path, *, part: int | None = None, chapter: int | None = None
) -> list[Path]:
    """Draw what a work has to show and return the files; none where it has nothing.

    Args:
        key: the work.
        out: the folder, made if needed.
        part: which part of a work that has several; None for all that there are.
        chapter: which chapter, alone, of a work that has some apart.

    Raises:
        UnknownNameError: no such work.
        ConfigError: no such part or chapter.
        BadFileError: a file cannot be written.
    """
    run = run_of(key)
    if problems := _choice_problems(key, run, part, chapter):
        raise ConfigError("reproduce", problems)
    draw = getattr(run, "pictures", None)
    if draw is None:
        return []
    return draw(out, **_choice(run, part, chapter))


def _choice(run: Any, part: int | None, chapter: int | None) -> dict[str, int | None]:
    """Return what was asked for, as far as a work takes it."""
    asked = {"part": (part, "PARTS"), "chapter": (chapter, "CHAPTERS")}
    return {kind: at for kind, (at, listed) in asked.items() if hasattr(run, listed)}


def _choice_problems(
    key: str, run: Any, part: int | None, chapter: int | None
) -> list[str]:
    """Return what is wrong with the part or chapter that was asked for, in words."""
    if part is not None and chapter is not None:
        return [f"give a part or a chapter, got part {part} and chapter {chapter}"]
    parts, chapters = (getattr(run, name, ()) for name in ("PARTS", "CHAPTERS"))
    return _listed_problems(key, "part", parts, part) + _listed_problems(
        key, "chapter", chapters, chapter
    )


def _listed_problems(
    key: str, kind: str, known: Sequence[int], asked: int | None
) -> list[str]:
    """Return what is wrong with a number that must be a known one, in words."""
    if asked is None or asked in known:
        return []
    if not known:
        return [f"{key} has no {kind}s, got {kind} {asked}; leave {kind} out"]
    *some, last = map(str, known)
    names = f"{kind} {last} is"
    if some:
        names = f"{kind}s {', '.join(some)} and {last} are"
    alone = " apart" if kind == "chapter" else ""
    return [f"of {key} only {names} reproduced{alone}, got {kind} {asked}"]


def run_of(key: str) -> Any:
    """Return the module that checks a work, or say which works there are."""
    if key not in works():
        raise UnknownNameError("work", key, works(), "the papers room")
    return importlib.import_module(f"{ROOM}.{key}.run")
