"""Where values wait when a thread has too few registers for all of them.

A compiler that runs out of registers puts values into a thread's own memory, far away
and more of them than need be. Here the value that is needed last waits [Belady1966], in
the multiprocessor's shared memory. A value never changes, so it is put down once.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, final

from equipoise.equations.tape.tape import Op, Tape

__all__ = ["Action", "SpillPlan", "made_with", "spill_plan"]

NEVER = 1 << 60


class Action(NamedTuple):
    """One thing that a kernel does."""

    what: Literal["do", "read", "park", "fetch"]
    """Do an operation, read an input, put a value down, or take it up again."""
    value: int
    """The operation or the symbol."""
    place: int = -1
    """Where a value waits."""


@final
@dataclass(frozen=True)
class SpillPlan:
    """Plan of operations in order, and the number of places that it needs."""

    actions: tuple[Action, ...]
    places: int


def spill_plan(
    tape: Tape, order: Sequence[int], inputs: Collection[int], room: int
) -> SpillPlan:
    """Return what to do so that few values are in registers at a time.

    Args:
        tape: where the operations are.
        order: operations in an order in which they can be done.
        inputs: symbols that are read from memory where they are first needed.
        room: values that fit in registers.
    """
    yard = SpillSlots(tape, order, inputs, room)
    for at, i in enumerate(order):
        yard.step(at, i)
    return SpillPlan(tuple(yard.actions), yard.count)


def made_with(tape: Tape, i: int) -> list[int]:
    """Return what is there once an operation is done: a sine comes with its cosine."""
    op, args = tape.ops[i], tape.args[i]
    if op not in (Op.SINE, Op.COSINE):
        return [i]
    both = (tape.existing(op, args) for op in (Op.SINE, Op.COSINE))
    return [abs(r) for r in both if r is not None]


@final
class SpillSlots:
    """Values in registers and those that wait."""

    def __init__(
        self, tape: Tape, order: Sequence[int], inputs: Collection[int], room: int
    ) -> None:
        self.tape, self.room, self.inputs = tape, room, set(inputs)
        self.here = {*order, *self.inputs}
        self.uses: dict[int, list[int]] = {}
        """When each value is still needed, the next time last."""
        for at in reversed(range(len(order))):
            for a in self.operands(order[at]):
                self.uses.setdefault(a, []).append(at)
        self.near: set[int] = set()
        self.known: set[int] = set()
        self.place: dict[int, int] = {}
        self.free: list[int] = []
        self.count = 0
        self.actions: list[Action] = []

    def operands(self, i: int) -> set[int]:
        """Return what an operation needs that takes a place."""
        return {abs(a) for a in self.tape.args[i]} & self.here

    def step(self, at: int, i: int) -> None:
        """Do one operation, with all that it takes."""
        needed = self.operands(i)
        for a in sorted(needed - self.near):
            what = "read" if a not in self.known else "fetch"
            self.actions.append(Action(what, a, self.place.get(a, -1)))
            self.take(a, needed)
        if i not in self.known:
            self.actions.append(Action("do", i))
            for value in made_with(self.tape, i):
                if value in self.here:
                    self.take(value, {*needed, i})
        for a in needed:
            self.uses[a].pop()
        for a in (*needed, i):
            self.leave(a)

    def take(self, value: int, kept: Collection[int]) -> None:
        """Put a value into a register, and others down where there is no room."""
        self.known.add(value)
        self.near.add(value)
        while len(self.near) > self.room:
            others = [a for a in self.near if a not in kept]
            if not others:
                return
            last = max(others, key=lambda a: (self.next_use(a), a))
            self.near.remove(last)
            if last not in self.place and self.next_use(last) < NEVER:
                if not self.free:
                    self.free.append(self.count)
                    self.count += 1
                self.place[last] = self.free.pop()
                self.actions.append(Action("park", last, self.place[last]))

    def next_use(self, a: int) -> int:
        """Return when a value is needed next."""
        left = self.uses.get(a)
        return left[-1] if left else NEVER

    def leave(self, a: int) -> None:
        """Forget a value that is not needed any more."""
        if self.next_use(a) == NEVER:
            self.near.discard(a)
            if a in self.place:
                self.free.append(self.place.pop(a))
