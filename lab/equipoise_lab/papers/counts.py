"""How many claims of a work, or of a part of one, have which status."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from equipoise_lab.papers.reproduce import run_of, works
from equipoise_lab.papers.seeds import FAILING

__all__ = ["COUNTED", "counted", "pieces"]

COUNTED = ("met", "refuted", "missed", "mixed", "not checkable")
"""Statuses of a claim that was judged on several seeds."""


def pieces() -> dict[str, dict[str, Any]]:
    """Return what is reproduced apart, and how ``reproduce`` is asked for it, by name.

    A work, or each part and chapter of one that comes in parts: ``moll2006``,
    ``ridderstrom2003 part 1``.
    """
    found: dict[str, dict[str, Any]] = {}
    for key in works():
        run = run_of(key)
        asked = [
            {kind: number}
            for kind, listed in (("part", "PARTS"), ("chapter", "CHAPTERS"))
            for number in getattr(run, listed, ())
        ]
        for one in asked or [{}]:
            name = " ".join([key, *(f"{kind} {n}" for kind, n in one.items())])
            found[name] = {"key": key, **one}
    return found


def counted(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, int]:
    """Return how many claims, by status, findings beyond them and settings there are.

    Args:
        found: what ``reproduce`` returns.
    """
    claims, added = found["claims"], found["beyond"]
    statuses = Counter(row["status"] for row in claims)
    return {
        "claims": len(claims),
        **{status: statuses[status] for status in COUNTED},
        "beyond": len(added),
        "failing": sum(row["status"] in FAILING for row in added),
        "settings": len(found["settings"]),
    }
