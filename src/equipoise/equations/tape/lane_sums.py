"""Sums over the legs, several at a time.

Where four legs meet, the four lanes of a pack are added up, (0 + 1) + (2 + 3). One such
sum costs a processor as much as four of them done together, by exchanging lanes between
packs. So sums that do not depend on each other are put in groups of four.
"""

from collections import Counter
from typing import NamedTuple

from equipoise.equations.tape.lanes import Packing, Unit, units
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.tape import Op

__all__ = ["LaneSum", "grouped_units"]

AT_ONCE = 4


class LaneSum(NamedTuple):
    """The sum of all lanes of a pack."""

    node: int
    """Which operation it is."""
    halves: tuple[int, int]
    """The operations on the way."""
    pack: int
    sign: int
    """Of every lane."""


def grouped_units(
    program: Program, found: Packing
) -> tuple[list[Unit], list[list[LaneSum]]]:
    """Return what a step does, in order, and the groups of sums in it.

    The unit of a group has the number of a group where others have that of a pack, as
    -1 - number.

    Args:
        program: what is computed.
        found: its packs.
    """
    first = units(program, found)
    sums = _lane_sums(program, found)
    levels = _levels_of(program, found, first, set(sums))
    by_level: dict[int, list[LaneSum]] = {}
    for unit in first:
        if unit.node in sums:
            by_level.setdefault(levels[unit.node], []).append(sums[unit.node])
    groups: list[list[LaneSum]] = []
    for level in by_level.values():
        for start in range(0, len(level), AT_ONCE):
            some = level[start : start + AT_ONCE]
            if len(some) > 1:
                groups.append(some)
    return _ordered(program, found, first, groups), groups


def _lane_sums(program: Program, found: Packing) -> dict[int, LaneSum]:
    """Return the sums over all lanes of a pack, by operation."""
    tape, step = program.tape, set(program.step)
    uses = Counter(abs(a) for i in program.step for a in tape.args[i])
    uses.update(abs(r) for r in program.outputs)
    sums: dict[int, LaneSum] = {}
    if found.width != AT_ONCE:
        return sums
    for i in program.step:
        if tape.ops[i] is not Op.ADD or i in found.member:
            continue
        halves = tape.args[i]
        if any(
            abs(h) not in step
            or tape.ops[abs(h)] is not Op.ADD
            or uses[abs(h)] > 1
            or abs(h) in found.member
            for h in halves
        ):
            continue
        quarters = [a if h > 0 else -a for h in halves for a in tape.args[abs(h)]]
        homes = [found.member.get(abs(a)) for a in quarters]
        lanes = [h.lane for h in homes if h is not None]
        packs = {h.pack for h in homes if h is not None}
        signs = {
            h.sign if a > 0 else -h.sign
            for h, a in zip(homes, quarters, strict=True)
            if h is not None
        }
        pairs = {frozenset(lanes[:2]), frozenset(lanes[2:])}
        if pairs == PAIRS and len(packs) == 1 and len(signs) == 1:
            both = (abs(halves[0]), abs(halves[1]))
            sums[i] = LaneSum(i, both, packs.pop(), signs.pop())
    return sums


PAIRS = {frozenset((0, 1)), frozenset((2, 3))}


def _members(found: Packing, i: int) -> list[int]:
    """Return an operation and those that are done with it."""
    home = found.member.get(i)
    return [i] if home is None else [abs(r) for r in found.packs[home.pack]]


def _levels_of(
    program: Program, found: Packing, order: list[Unit], sums: set[int]
) -> dict[int, int]:
    """Return how many sums over legs lie one behind the other up to each operation."""
    tape = program.tape
    level: dict[int, int] = {}
    for unit in order:
        together = _members(found, unit.node)
        deepest = max(
            (level.get(abs(a), 0) for j in together for a in tape.args[j]), default=0
        )
        for j in together:
            level[j] = deepest + (j in sums)
    return level


def _ordered(
    program: Program, found: Packing, order: list[Unit], groups: list[list[LaneSum]]
) -> list[Unit]:
    """Return units with each group as one unit, in an order that works."""
    tape, wanted = program.tape, set(program.step)
    inside = [[j for s in group for j in (s.node, *s.halves)] for group in groups]
    group_of = {j: k for k, nodes in enumerate(inside) for j in nodes}
    done: set[int] = set()
    result: list[Unit] = []
    stack = [unit.node for unit in reversed(order)]
    while stack:
        i = stack[-1]
        if i in done:
            stack.pop()
            continue
        group = group_of.get(i)
        together = _members(found, i) if group is None else inside[group]
        needed = [
            abs(a)
            for j in together
            for a in tape.args[j]
            if abs(a) in wanted and abs(a) not in done and abs(a) not in together
        ]
        if needed:
            stack += needed
            continue
        stack.pop()
        done.update(together)
        home = found.member.get(i)
        if group is not None:
            result.append(Unit(together[0], -1 - group))
        else:
            result.append(Unit(together[0], None if home is None else home.pack))
    return result
