"""The main cycle of a walk through states: where most transitions take place."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

__all__ = ["cycle_share", "main_cycle"]


def main_cycle(states: Sequence[int]) -> tuple[int, ...]:
    """Return the states of the main cycle in order, beginning with the most frequent.

    From the most frequent state the most frequent successor is followed until a state
    comes again; what lies between is the cycle.

    Args:
        states: one after the other.
    """
    follows = Counter(pairwise(states))
    if not follows:
        return ()
    at = Counter(states[:-1]).most_common(1)[0][0]
    way = list[int]()
    while at not in way:
        way.append(at)
        after = {y: n for (x, y), n in follows.items() if x == at}
        if not after:
            return ()
        at = max(after, key=lambda y: after[y])
    cycle = way[way.index(at) :]
    often = Counter(states)
    first = cycle.index(max(cycle, key=lambda x: often[x]))
    return (*cycle[first:], *cycle[:first])


def cycle_share(states: Sequence[int], cycle: Sequence[int]) -> float:
    """Return the share of transitions that go along a cycle.

    Args:
        states: one after the other.
        cycle: states in order.
    """
    if len(states) < 2 or not cycle:
        return 0.0
    edges = set(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
    taken = list(pairwise(states))
    return sum(step in edges for step in taken) / len(taken)
