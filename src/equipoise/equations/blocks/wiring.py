"""Blocks connected by the names of their signals.

An input takes the signal of its own name, wherever that comes from. Where several equal
parts give a signal of that name (four legs), an occurrence says which: a part takes the
signal of its own occurrence, or of the one that it is told to. What is missing or could
be meant in two ways is an error that names it ([Ridderstrom2003] section 7.2.3).

Parts are blocks of equations or functions written in Python. If all are blocks, the
whole is a block again: it is compiled and exported like any other.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NamedTuple, final

from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.block import Block

__all__ = ["Function", "Part", "SignalSource", "Wiring", "part_label", "wired"]

OUTSIDE = -1


@final
@dataclass(frozen=True)
class Function:
    """Part written in Python: named arrays in, named arrays out.

    ``call`` takes one array for each input, in order, and returns one for each output.
    """

    name: str
    inputs: Mapping[str, int]
    """Width by name."""
    outputs: Mapping[str, int]
    """Width by name."""
    call: Callable[..., Sequence[VecN]]


@final
@dataclass(frozen=True)
class Part:
    """Block or function as a named part of a wiring."""

    what: Block | Function
    occurrence: int | None = None
    """Number of the part among several equal ones, from 1."""
    select: Mapping[str, int] = field(default_factory=dict[str, int])
    """Occurrence from which an input comes, by input, if not the part's own."""


class SignalSource(NamedTuple):
    """Source of a signal: a part's number, or -1 for outside, and its name."""

    part: int
    signal: str


@final
@dataclass(frozen=True)
class Wiring:
    """Parts with the source of each of their inputs."""

    parts: tuple[Part, ...]
    outside: Mapping[str, int]
    """Widths of the signals that come from outside, by name."""
    sources: Mapping[tuple[int, str], SignalSource]
    """Source of each input, by part and input."""

    def label(self, part: int) -> str:
        """Return the name of a part."""
        return part_label(self.parts[part])


def part_label(part: Part) -> str:
    """Return a part's name, with its occurrence if it has one."""
    mark = "" if part.occurrence is None else f" {part.occurrence}"
    return f"{part.what.name}{mark}"


def _input_widths(part: Part) -> dict[str, int]:
    """Return the inputs of a part: width by name."""
    what = part.what
    if isinstance(what, Function):
        return dict(what.inputs)
    return {s.name: s.width for s in what.inputs}


def _output_widths(part: Part) -> dict[str, int]:
    """Return the outputs of a part: width by name."""
    what = part.what
    if isinstance(what, Function):
        return dict(what.outputs)
    return {s.name: s.width for s in what.outputs}


def wired(parts: Sequence[Part], outside: Mapping[str, int] | None = None) -> Wiring:
    """Return parts with every input connected.

    Args:
        parts: what is connected.
        outside: signals that come from outside: width by name.

    Raises:
        ConfigError: a signal is missing, ambiguous or of another width, or two parts
            go by one name.
    """
    given = dict(outside or {})
    labels = [part_label(p) for p in parts]
    problems = [
        f"two parts are called '{x}'; give them occurrences"
        for x in sorted({x for x in labels if labels.count(x) > 1})
    ]
    sources: dict[tuple[int, str], SignalSource] = {}
    for k, part in enumerate(parts):
        for name, width in _input_widths(part).items():
            found, problem = _source_of(parts, given, k, name)
            if found is not None:
                there = _width_of(parts, given, found)
                if there == width:
                    sources[k, name] = found
                    continue
                origin = _where(parts, found)
                problem = f"has width {width}, but {origin} gives {there}"
            problems.append(f"input '{name}' of '{labels[k]}' {problem}")
    if problems:
        raise ConfigError("the wiring", problems)
    return Wiring(tuple(parts), given, sources)


def _source_of(
    parts: Sequence[Part], outside: Mapping[str, int], k: int, name: str
) -> tuple[SignalSource | None, str]:
    """Return where an input comes from, or None and what is wrong."""
    giving = [i for i, p in enumerate(parts) if name in _output_widths(p)]
    wanted = parts[k].select.get(name)
    if wanted is not None:
        chosen = [i for i in giving if parts[i].occurrence == wanted]
    else:
        own = parts[k].occurrence
        same = [i for i in giving if own is not None and parts[i].occurrence == own]
        chosen = same if len(same) == 1 else giving
    found = [SignalSource(i, name) for i in chosen]
    if name in outside and wanted is None and not found:
        found.append(SignalSource(OUTSIDE, name))
    if len(found) == 1:
        return found[0], ""
    if found:
        origins = ", ".join(_where(parts, s) for s in found[:5])
        return None, f"could come from {origins}; say which by its occurrence"
    if wanted is not None:
        there = sorted({parts[i].occurrence for i in giving} - {None}, key=str)
        return None, f"is to come from occurrence {wanted}, there is only {there}"
    known = [*outside, *(n for p in parts for n in _output_widths(p))]
    near = get_close_matches(name, known, 1)
    hint = f"; there is a signal '{near[0]}'" if near else ""
    return None, f"is given by no part and does not come from outside{hint}"


def _width_of(
    parts: Sequence[Part], outside: Mapping[str, int], source: SignalSource
) -> int:
    """Return a signal's width."""
    if source.part == OUTSIDE:
        return outside[source.signal]
    return _output_widths(parts[source.part])[source.signal]


def _where(parts: Sequence[Part], source: SignalSource) -> str:
    """Return where a signal comes from, in words."""
    if source.part == OUTSIDE:
        return "outside"
    return f"'{part_label(parts[source.part])}'"
