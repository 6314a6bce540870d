"""Parts of a program that do the same for several legs, found and put side by side.

Given which symbols correspond (angle, speed, length ... of leg 1, of leg 2, ...), an
operation on values of one leg is looked up for the other legs by exchanging symbols. If
all of them are there they make a pack: one operation on several lanes of a processor.
What mixes legs (a sum over them) stays scalar, and what comes after it may be packed
again. Nothing has to be told about the structure; nothing is assumed about it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from equipoise.core.errors import ConfigError
from equipoise.equations.tape.program import Program, live_operations
from equipoise.equations.tape.tape import Tape

__all__ = ["PackMember", "Packing", "Unit", "kept_places", "packing", "units"]


class PackMember(NamedTuple):
    """Position of an operation: a lane of a pack, and its sign."""

    pack: int
    lane: int
    sign: int


class Packing(NamedTuple):
    """Operations that are done side by side."""

    width: int
    packs: list[tuple[int, ...]]
    """References of the members, lane by lane."""
    member: dict[int, PackMember]
    """By operation."""


def packing(
    program: Program, lanes: Sequence[Sequence[int]], width: int | None = None
) -> Packing:
    """Return the packs of a program.

    Args:
        program: what is computed.
        lanes: for each lane, symbols by number; the same place means the same role.
        width: how many lanes there must be; any number from two if not given.

    Raises:
        ConfigError: another number of lanes, or lanes of different length.
    """
    is_wide = len(lanes) == width or (width is None and len(lanes) > 1)
    if not is_wide or len({len(lane) for lane in lanes}) != 1:
        wanted = "at least two" if width is None else width
        problem = f"{wanted} lanes of one length, got {[len(x) for x in lanes]}"
        raise ConfigError("the lanes of a program", [problem])
    tape = program.tape
    found = Packing(len(lanes), [], {})
    for together in zip(*lanes, strict=True):
        _add_pack(found, together)
    for i in live_operations(tape, program.outputs):
        if i in found.member or not tape.args[i]:
            continue
        homes = {
            found.member[abs(a)].lane for a in tape.args[i] if abs(a) in found.member
        }
        if len(homes) == 1:
            members = _twins(tape, found, i, homes.pop())
            if members is not None:
                _add_pack(found, members)
    return found


def _add_pack(found: Packing, members: Sequence[int]) -> None:
    """Note a pack."""
    number = len(found.packs)
    found.packs.append(tuple(members))
    for lane, r in enumerate(members):
        found.member[abs(r)] = PackMember(number, lane, 1 if r > 0 else -1)


def _twins(tape: Tape, found: Packing, i: int, home: int) -> tuple[int, ...] | None:
    """Return what operation i is in every lane, None if it is missing in one."""
    members: list[int] = []
    for lane in range(found.width):
        if lane == home:
            members.append(i)
            continue
        args = tuple(_seen_from(found, a, lane) for a in tape.args[i])
        twin = tape.existing(tape.ops[i], args)
        if twin is None or tape.ops[abs(twin)] is not tape.ops[i]:
            return None
        if abs(twin) in found.member:
            return None
        members.append(twin)
    return tuple(members) if len({abs(m) for m in members}) == found.width else None


def _seen_from(found: Packing, reference: int, lane: int) -> int:
    """Return what plays an operand's role in another lane."""
    home = found.member.get(abs(reference))
    if home is None:
        return reference
    other = found.packs[home.pack][lane] * home.sign
    return other if reference > 0 else -other


def kept_places(program: Program, found: Packing) -> dict[int, int]:
    """Return where each kept reference lies; packs lie together, in order of lanes."""
    places: dict[int, int] = {}
    kept = set(program.kept)
    for members in found.packs:
        if kept & {abs(r) for r in members} and abs(members[0]) not in program.inputs:
            for r in members:
                places[r] = len(places)
    for i in program.kept:
        if i not in places and -i not in places:
            places[i] = len(places)
    return places


class Unit(NamedTuple):
    """One operation, or a pack of them."""

    node: int
    """The operation, or the first member of the pack."""
    pack: int | None


def units(program: Program, found: Packing) -> list[Unit]:
    """Return what a step does, packs and single operations, in an order that works."""
    tape = program.tape
    wanted = set(program.step)
    done: set[int] = set()
    order: list[Unit] = []
    for start in program.step:
        stack = [start]
        while stack:
            i = stack[-1]
            home = found.member.get(i)
            together = [i] if home is None else list(map(abs, found.packs[home.pack]))
            if i in done:
                stack.pop()
                continue
            needed = [
                abs(a)
                for j in together
                for a in tape.args[j]
                if abs(a) in wanted and abs(a) not in done
            ]
            if needed:
                stack += needed
                continue
            stack.pop()
            done.update(together)
            pack = None if home is None else home.pack
            order.append(Unit(together[0], pack))
    return order
