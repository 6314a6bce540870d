"""Whether ``docs/papers.md`` says as many claims as there were when they were judged.

``tools/papers.py`` counts, and what it counted is kept in the file ``papers.json`` of
``benchmarks/results``. Each section of the page has the sentence that belongs to its
work or part, and the page begins with that of their sum.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from documentation.pages import HEADING, ROOT, prose

__all__ = ["count_sentence", "kept_counts", "wrong_counts"]

PAGE = ROOT / "docs" / "papers.md"
KEPT = ROOT / "benchmarks" / "results" / "papers.json"
STATUSES = ("met", "refuted", "missed", "mixed", "not checkable")
CLAIMS = re.compile(r"\d+ claims: (?:\d+ [a-z ]+, )*\d+ [a-z ]+; [^.]*?settings")


def kept_counts(path: Path = KEPT) -> dict[str, dict[str, int]]:
    """Return the counts that are kept, by work or part; none where there is no file.

    Args:
        path: the file.
    """
    if not path.is_file():
        return {}
    return json.loads(path.read_text(encoding="utf-8"))["result"]["counts"]


def count_sentence(counts: Mapping[str, int]) -> str:
    """Return counts as the page has to have them: statuses that occur, most first.

    Args:
        counts: claims, their statuses, what is beyond them, and settings.
    """
    some = ", ".join(f"{counts[name]} {name}" for name in STATUSES if counts[name])
    beyond = f"{counts['beyond']} findings beyond, " if counts["beyond"] else ""
    return f"{counts['claims']} claims: {some}; {beyond}{counts['settings']} settings"


def wrong_counts(page: Path = PAGE, kept: Path = KEPT) -> Iterator[str]:
    """Yield where the page has other counts than those that are kept.

    Args:
        page: on the papers.
        kept: the counts.
    """
    counts = kept_counts(kept)
    if not counts:
        yield f"{page.name}: there are no counts in {kept.name}"
        return
    told = sections(prose(page))
    whole = Counter[str]()
    for name, count in counts.items():
        whole.update(count)
        yield from wrong_section(name, told.get(heading_of(name)), count)
    yield from wrong_section("the page", told.get(""), whole)
    extra = sum(len(found) for found in told.values()) - len(counts) - 1
    if extra > 0:
        yield f"{page.name}: {extra} sentences count claims of what is not kept"


def wrong_section(
    name: str, told: list[str] | None, count: Mapping[str, int]
) -> Iterator[str]:
    """Yield what is wrong with the counts of one section.

    Args:
        name: of what is counted.
        told: sentences of the section that count; None where there is none of its name.
        count: what it has to say.
    """
    if told is None:
        yield f"papers.md: no section for {name}"
    elif told != [count_sentence(count)]:
        have = "; ".join(told) or "no counts"
        yield f"papers.md, {name}: {have}, and not {count_sentence(count)}"


def heading_of(name: str) -> str:
    """Return how the heading of a work's, or of a part's, section begins."""
    _, _, part = name.partition(" ")
    return part.capitalize() or name


def sections(text: str) -> dict[str, list[str]]:
    """Return the sentences that count claims, by what their heading begins with.

    Args:
        text: of the page; what is before its first section counts all of it.
    """
    heads = [*HEADING.finditer(text)]
    ends = [head.start() for head in heads[1:]] + [len(text)]
    found: dict[str, list[str]] = {}
    for k, (head, end) in enumerate(zip(heads, ends, strict=True)):
        name = "" if k == 0 else head[1].partition(":")[0]
        flat = " ".join(text[head.end() : end].split())
        found[name] = [match[0] for match in CLAIMS.finditer(flat)]
    return found
