"""Sets of at most 63 modules as the bits of one integer, and graphs of such rows.

A graph is a row of masks: bit j of entry i says that i and j are neighbours.
"""

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled

__all__ = ["components", "distances", "flooded", "is_same_row", "size"]


@compiled(allocates=False)
def flooded(graph: Ints, start: int, within: int) -> int:
    """Return who can be reached from a module through members of a set.

    Args:
        graph: (n,) neighbours of each module.
        start: where to begin; it counts as a member.
        within: the set.
    """
    reached = 1 << start
    edge = reached
    while edge:
        found = 0
        for j in range(graph.shape[0]):
            if (edge >> j) & 1:
                found |= graph[j]
        edge = found & within & ~reached
        reached |= edge
    return reached


@compiled(allocates=False)
def components(graph: Ints, out: Ints) -> None:
    """Write for each module the set of those that it hangs together with."""
    n = graph.shape[0]
    done = 0
    for i in range(n):
        if (done >> i) & 1:
            continue
        reached = flooded(graph, i, -1)
        done |= reached
        for j in range(n):
            if (reached >> j) & 1:
                out[j] = reached


@compiled(allocates=False)
def is_same_row(a: Ints, b: Ints) -> bool:
    """Return whether two rows are equal."""
    for j in range(a.shape[0]):
        if a[j] != b[j]:
            return False
    return True


@compiled(allocates=False)
def size(members: int) -> int:
    """Return how many a set has."""
    count = 0
    while members:
        members &= members - 1
        count += 1
    return count


@compiled(allocates=False)
def distances(graph: Ints, start: int) -> int:
    """Return the number of hops from a module to the farthest one it can reach."""
    reached = 1 << start
    edge, hops = reached, -1
    while edge:
        found = 0
        for j in range(graph.shape[0]):
            if (edge >> j) & 1:
                found |= graph[j]
        edge = found & ~reached
        reached |= edge
        hops += 1
    return hops
