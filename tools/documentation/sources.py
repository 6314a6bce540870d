"""Where the numbers of a page come from, and whether they are still so.

A number that was measured here is followed by a hidden comment:

    trots at 0.72<!-- from walking:trot 0.5 m/s:spread:cost_of_transport:median --> ...

``from FILE:KEY:KEY`` leads into ``result`` of ``benchmarks/results/FILE.json``, which
``tools/bench.py --save FILE`` writes. A key may have ``*`` and ``?``, which stand for
any letters, and ``[ab]``, which is one of them; a list takes an index. A comment
``of FILE:KEY`` leads half way, for the
comments ``from :KEY`` after it. After a semicolon may come

* ``sum``, ``count``, ``least``, ``most`` or ``median`` of all that the keys lead to;
* ``* 100`` or ``/ 1e6``, a change of unit;
* ``.1e`` or the like, the rounding where it is not that of the digits on the page.

The value, rounded, has to be the number on the page, as digits or as a word (none,
three). A number of others, or one that is kept from another machine or an older
version, is followed by ``<!-- published: WHO -->``, ``<!-- set: WHY -->`` or
``<!-- kept: COMMIT, DATE, MACHINE -->``; these are for readers of the source and for
pages that have to say where all their numbers come from: those with the comment
``<!-- every number has a source -->``, after which, to the end or to ``<!-- not every
number has a source -->``, each paragraph and each row of a table that has digits needs
one of these comments. Heads of tables and headings do not.
"""

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from documentation.pages import ROOT, prose

__all__ = ["wrong_numbers"]

RESULTS = ROOT / "benchmarks" / "results"
WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()
NUMBER_WORDS = {word: float(k) for k, word in enumerate(WORDS)} | {
    "none": 0.0, "twenty": 20.0, "thirty": 30.0,
}  # fmt: skip
NUMBER = r"[-+−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
MARKER = re.compile(
    rf"(?P<text>{NUMBER}|[A-Za-z]+)?\**<!-- (?P<kind>of|from) (?P<what>[^>]+?) -->"
)
SOURCE = re.compile(r"<!-- (of |from |(published|set|kept): )")
STRICT = "<!-- every number has a source -->"
LOOSE = "<!-- not every number has a source -->"
REDUCTIONS = {
    "sum": sum, "count": len, "least": min, "most": max, "median": median,
}  # fmt: skip


class SourceError(Exception):
    """A comment that leads nowhere, in words."""


def wrong_numbers(page: Path, results: Path = RESULTS) -> Iterator[str]:
    """Yield numbers of a page that are not what their files say, or have no source.

    Args:
        page: the file.
        results: the folder of what was measured.
    """
    text, base = prose(page), ""
    for found in MARKER.finditer(text):
        line = text[: found.start()].count("\n") + 1
        what = " ".join(found["what"].split())
        if found["kind"] == "of":
            base = what
            continue
        what = base + what if what.startswith(":") else what
        try:
            value, rounding = measured(what, results)
            problem = difference(found["text"] or "", value, rounding)
        except SourceError as error:
            problem = str(error)
        if problem:
            yield f"line {line}: {problem} (from {what})"
    yield from without_source(text)


def measured(what: str, results: Path) -> tuple[Any, str]:
    """Return the value that a comment leads to, and the rounding it asks for.

    Args:
        what: the comment after ``from``.
        results: the folder of what was measured.

    Raises:
        SourceError: there is no such file or key, or an option is not understood.
    """
    address, *options = (part.strip() for part in what.split(";"))
    name, *keys = address.split(":")
    values = [stored(results / f"{name}.json")["result"]]
    for key in keys:
        values = [inner for value in values for inner in inside(value, key)]
        if not values:
            raise SourceError(f"{name}.json has no '{key}' there")
    rounding = ""
    for option in options:
        if option in REDUCTIONS:
            values = [REDUCTIONS[option]([v for v in values if v is not None])]
        elif changed := re.fullmatch(r"([*/]) ?(\S+)", option):
            factor = float(changed[2])
            factor = factor if changed[1] == "*" else 1.0 / factor
            values = [factor * value for value in values]
        elif re.fullmatch(r"\.\d+[efg]", option):
            rounding = option
        else:
            raise SourceError(f"'{option}' is not understood")
    if len(values) != 1:
        raise SourceError(f"{len(values)} values: say which of them, or sum, least ...")
    return values[0], rounding


@cache
def stored(path: Path) -> dict[str, Any]:
    """Return a file of what was measured."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SourceError(f"there is no benchmarks/results/{path.name}") from None


def inside(value: Any, key: str) -> list[Any]:
    """Return what a key, or a pattern of keys, leads to in a value."""
    if isinstance(value, list):
        value = {str(k): part for k, part in enumerate(value)}
    if not isinstance(value, dict):
        return []
    if key in value:
        return [value[key]]
    return [value[k] for k in value if fnmatchcase(k, key)]


def difference(text: str, value: Any, rounding: str) -> str:
    """Return how a number on a page is not the value, nothing where it is.

    Args:
        text: the number as the page has it, or a word.
        value: what was measured.
        rounding: a format like ``.1e``; empty for that of the digits of the text.
    """
    if isinstance(value, str):
        return "" if text == value else f"'{text}' is '{value}'"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"'{text}' is {value!r}, which is no number"
    shown = number_of(text)
    if shown is None:
        return f"'{text}' before the comment is no number"
    form = rounding or digits_of(text)
    rounded = float(format(value, form))
    return "" if rounded == shown else f"'{text}' is {value:.6g}"


def number_of(text: str) -> float | None:
    """Return a number as it is written, or as a word; None where it is neither."""
    if re.fullmatch(NUMBER, text):
        return float(text.replace(",", "").replace("−", "-"))
    return NUMBER_WORDS.get(text.lower())


def digits_of(text: str) -> str:
    """Return the format with as many decimals as a number is written with."""
    if not re.fullmatch(NUMBER, text):
        return ".0f"
    mantissa, power, _ = text.partition("e")
    return f".{len(mantissa.partition('.')[2])}{'e' if power else 'f'}"


def without_source(text: str) -> Iterator[str]:
    """Yield paragraphs and rows of tables with digits that do not say whence.

    Args:
        text: of a page, without blocks of code.
    """
    before, strict, rest = text.partition(STRICT)
    if not strict:
        return
    line = before.count("\n") + 1
    heads_left_out = re.sub(r"^\|.*\n(?=\| ?-)", "\n", rest, flags=re.MULTILINE)
    strict_part = heads_left_out.partition(LOOSE)[0]
    for block in re.split(r"(\n\s*\n|\n(?=\|)|\n(?=\* ))", strict_part):
        if is_numeric(block) and not SOURCE.search(block):
            first = " ".join(block.split())[:60]
            yield f"line {line}: where the numbers are from is not said: '{first} ...'"
        line += block.count("\n")


def is_numeric(block: str) -> bool:
    """Return whether a block has digits, addresses and code left out."""
    words = re.sub(r"\]\([^)]*\)|`[^`]*`|\[[A-Z]\w+\]", " ", block)
    return re.search(r"(?<![\w.])\d", words) is not None and not block.startswith("#")
