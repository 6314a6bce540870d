"""An order of operations in which few values are alive at a time.

A small processor has few registers and little memory: each value that waits for its use
costs a place. Going down from each output to what it needs, the hungrier operand first
[Sethi1970], keeps them few. What then takes no more place than it sets free is done at
once. The values themselves do not depend on the order.
"""

from collections.abc import Collection, Sequence
from typing import final

from equipoise.equations.tape.tape import Tape

__all__ = ["alive", "depth_first", "eager"]


def depth_first(tape: Tape, nodes: Sequence[int], outputs: Sequence[int]) -> list[int]:
    """Return operations in an order that follows the outputs, one after the other.

    Args:
        tape: where they are.
        nodes: operations in an order in which they can be done.
        outputs: references of what is wanted.
    """
    wanted, need = set(nodes), _places(tape, nodes)
    order: list[int] = []
    seen: set[int] = set()
    stack = [i for i in map(abs, reversed(outputs)) if i in wanted]
    while stack:
        i = stack[-1]
        if i not in seen:
            seen.add(i)
            below = {abs(a) for a in tape.args[i]}
            ranked = sorted(
                (need[a], -a) for a in below if a in wanted and a not in seen
            )
            stack += [-a for _, a in ranked]  # the last one comes first
            continue
        stack.pop()
        if i in wanted:
            wanted.remove(i)
            order.append(i)
    return order


def _places(tape: Tape, nodes: Sequence[int]) -> dict[int, int]:
    """Return how many places each operation takes to compute, as if it were a tree."""
    need: dict[int, int] = {}
    for i in nodes:
        below = sorted((need.get(abs(a), 0) for a in tape.args[i]), reverse=True)
        need[i] = max([1, *(n + k for k, n in enumerate(below) if n)])
    return need


def alive(tape: Tape, order: Sequence[int], inputs: Collection[int] = ()) -> int:
    """Return how many values have to be kept at most, going through an order.

    Args:
        tape: where they are.
        order: operations in an order in which they can be done.
        inputs: symbols that are kept from their first use to their last.
    """
    here, first, last = {*order, *inputs}, dict[int, int](), dict[int, int]()
    for k, i in enumerate(order):
        first[i] = k
        for a in map(abs, tape.args[i]):
            if a in here:
                first.setdefault(a, k)
                last[a] = k
    change = [0] * (len(order) + 1)
    for a, k in last.items():
        change[first[a]] += 1
        change[k + 1] -= 1
    now = most = 0
    for step in change:
        now += step
        most = max(most, now)
    return most


def eager(
    tape: Tape, order: Sequence[int], outputs: Sequence[int], inputs: Collection[int]
) -> list[int]:
    """Return an order in which operations that set a place free come early.

    An operation is moved to the front of the rest as soon as all that it needs is
    there, where it is the last user of at least one of its operands.

    Args:
        tape: where they are.
        order: operations in an order in which they can be done.
        outputs: references of what is wanted; they are kept to the end.
        inputs: symbols that take a place from their first use on.
    """
    pending = Pending(tape, order, outputs, inputs)
    for start in order:
        queue = [start]
        for i in queue:  # it grows on the way
            if i not in pending.done:
                queue += pending.do(i)
    return pending.found


@final
class Pending:
    """Operations that are still to be done, and what they wait for."""

    def __init__(
        self,
        tape: Tape,
        order: Sequence[int],
        outputs: Sequence[int],
        inputs: Collection[int],
    ) -> None:
        given, kept = set(inputs), {abs(r) for r in outputs}
        here = {*order, *given}
        self.places = {i: {abs(a) for a in tape.args[i]} & here for i in order}
        """What each operation reads that takes a place."""
        self.users: dict[int, list[int]] = {}
        for i in order:
            for a in self.places[i]:
                self.users.setdefault(a, []).append(i)
        self.left = {a: len(u) + (a in kept) for a, u in self.users.items()}
        self.missing = {i: set(self.places[i]) for i in order}
        """Operands that are not there yet; an input is once it was first used."""
        self.done: set[int] = set()
        self.given = given
        self.found: list[int] = []

    def do(self, i: int) -> list[int]:
        """Do an operation; return those that should follow it at once."""
        self.done.add(i)
        self.found.append(i)
        arrived = [i, *(self.places[i] & self.given)]
        self.given.difference_update(arrived)  # an input arrives once
        for a in self.places[i]:
            self.left[a] -= 1
        for a in arrived:
            for user in self.users.get(a, ()):
                self.missing[user].discard(a)
        last = [a for a in self.places[i] if self.left[a] == 1]
        near = {u for a in (i, *last) for u in self.users.get(a, ())}
        return [u for u in sorted(near - self.done) if self.is_free(u)]

    def is_free(self, i: int) -> bool:
        """Return whether an operation can be done and takes no place more."""
        last = sum(self.left[a] == 1 for a in self.places[i])
        return not self.missing[i] and last >= 1
