"""Mutants drawn at random: files by their lines of code, then any place of the file."""

import ast
import random
from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from mutation.places import Place, lines_of_code, places_in, planted, texts
from mutation.trial import SOURCES

T = TypeVar("T")


class Mutant(NamedTuple):
    """One bug that was drawn."""

    file: str
    function: str
    line: int
    kind: str
    before: str
    """The lines around the place, as one line."""
    after: str
    place: Place
    instead: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What a person calls it by, whichever line it is on."""
        return self.file, self.function, self.before, self.after

    def plain(self) -> dict[str, Any]:
        """Return what a reader of the report needs."""
        names = ("file", "function", "line", "kind", "before", "after")
        return {name: getattr(self, name) for name in names}


def source_files(root: Path, named: str = "") -> dict[str, Path]:
    """Return the source files by the names that a report uses.

    Args:
        root: the repository.
        named: a part of the names of those wanted; several with commas between.
    """
    found = dict[str, Path]()
    for source in SOURCES:
        for path in sorted((root / source).rglob("*.py")):
            parts = path.relative_to(root / source).parts
            name = "/".join(parts[1:] if source == "src" else (source, *parts))
            if any(word in name for word in named.split(",")):
                found[name] = path
    return found


@cache
def _places(path: Path) -> tuple[bytes, list[Place]]:
    text = path.read_bytes()
    return text, places_in(text)


def draw(files: dict[str, Path], seed: int) -> Iterator[Mutant]:
    """Yield mutants without end, or until none is left; the same seed, the same ones.

    Each takes three random numbers whatever they choose, so that a change of one file
    leaves most of what is drawn from the others.
    """
    rng = random.Random(seed)
    trees = {name: ast.parse(path.read_bytes()) for name, path in files.items()}
    weights = {name: lines_of_code(tree) for name, tree in trees.items()}
    names = [name for name in files if weights[name]]
    seen, in_vain = set[Mutant](), 0
    sums = list(accumulate(weights[name] for name in names))
    while names and in_vain < 1000:
        in_vain += 1
        name = names[bisect(sums, rng.random() * sums[-1])]
        text, places = _places(files[name])
        drawn = rng.random(), rng.random()
        if not places:
            continue
        place = _one_of(places, drawn[0])
        instead = _one_of(place.instead, drawn[1])
        new = mutant(name, text, place, instead)
        if new not in seen and _is_python(text, place, instead):
            seen.add(new)
            in_vain = 0
            yield new


def mutant(name: str, text: bytes, place: Place, instead: str) -> Mutant:
    """Return a bug with what a person reads of it."""
    before, after = texts(text, place, instead)
    where = (name, place.function, place.line, place.kind)
    return Mutant(*where, before, after, place, instead)


def all_mutants(name: str, path: Path) -> Iterator[Mutant]:
    """Yield every bug that a file can have."""
    text, places = _places(path)
    for place in places:
        for instead in place.instead:
            yield mutant(name, text, place, instead)


def _is_python(text: bytes, place: Place, instead: str) -> bool:
    try:
        ast.parse(planted(text, place, instead))
    except SyntaxError:
        return False
    return True


def _one_of(things: Sequence[T], at: float) -> T:
    return things[int(at * len(things))]
