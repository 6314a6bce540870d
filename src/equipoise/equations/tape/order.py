"""An order of operations in which few values are alive at a time.

A small processor has few registers and little memory: each value that waits for its use
costs a place. Going down from each output to what it needs, the hungrier operand first
[Sethi1970], keeps them few. The values themselves do not depend on the order.
"""

from collections.abc import Sequence

from equipoise.equations.tape.tape import Tape

__all__ = ["alive", "depth_first"]


def depth_first(tape: Tape, nodes: Sequence[int], outputs: Sequence[int]) -> list[int]:
    """Return operations in an order that follows the outputs, one after the other.

    Args:
        tape: where they are.
        nodes: operations in an order in which they can be done.
        outputs: references of what is wanted.
    """
    wanted, need = set(nodes), places(tape, nodes)
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


def places(tape: Tape, nodes: Sequence[int]) -> dict[int, int]:
    """Return how many places each operation takes to compute, as if it were a tree."""
    need: dict[int, int] = {}
    for i in nodes:
        below = sorted((need.get(abs(a), 0) for a in tape.args[i]), reverse=True)
        need[i] = max([1, *(n + k for k, n in enumerate(below) if n)])
    return need


def alive(tape: Tape, order: Sequence[int]) -> int:
    """Return how many values have to be kept at most, going through an order."""
    here, last = set(order), dict[int, int]()
    for k, i in enumerate(order):
        for a in tape.args[i]:
            if abs(a) in here:
                last[abs(a)] = k
    ends = [0] * len(order)
    for k in last.values():
        ends[k] += 1
    now = most = 0
    for i, over in zip(order, ends, strict=True):
        now += i in last
        most = max(most, now)
        now -= over
    return most
