"""Random robots for scenarios: who is docked to whom, and through which connectors.

A link joins two ends; end ``i * ports + p`` is connector p of module i.
"""

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.errors import ConfigError

__all__ = ["PORTS", "Shape", "random_links"]

PORTS = 6
"""Connectors of a module."""
Shape = Literal["random", "bushy", "chain", "ring", "ladder", "grid"]
Pairs = list[tuple[int, int]]
STRAIGHT = 0.9  # share of a near-chain's modules that prolong it


def random_links(
    rng: np.random.Generator, modules: int, shape: Shape, extra: int = 0
) -> Ints:
    """Return the links of one robot that hangs together.

    Args:
        rng: which one.
        modules: how many, at least 1.
        shape: a tree (random, bushy, near-chain) or loops from the start.
        extra: how many further links between modules that are not neighbours; fewer
            where no two such modules have a free connector.

    Returns:
        (links, 2) ends; no two modules share more than one link.

    Raises:
        ConfigError: a shape that does not exist.
    """
    if shape not in get_args(Shape):
        known = ", ".join(get_args(Shape))
        raise ConfigError("random_links", [f"shape must be {known}, got {shape!r}"])
    pairs = MAKERS[shape](rng, modules)
    return _plugged(rng, pairs + _more_pairs(rng, modules, pairs, extra), modules)


def _random_tree(rng: np.random.Generator, modules: int) -> Pairs:
    """Each module docks to any earlier one with a free connector."""
    return _grown(modules, lambda free: int(rng.choice(free)))


def _bushy_tree(rng: np.random.Generator, modules: int) -> Pairs:
    """Each module docks near the first one: a low tree."""
    return _grown(modules, lambda free: free[int(rng.integers(min(2, len(free))))])


def _near_chain(rng: np.random.Generator, modules: int) -> Pairs:
    """Most modules prolong one chain."""

    def chosen(free: list[int]) -> int:
        return free[-1] if rng.random() < STRAIGHT else int(rng.choice(free[-4:]))

    return _grown(modules, chosen)


def _grown(modules: int, choose: Callable[[list[int]], int]) -> Pairs:
    """Return a tree to which modules are added one by one."""
    used, pairs = [0] * modules, Pairs()
    for k in range(1, modules):
        mother = choose([j for j in range(k) if used[j] < PORTS])
        pairs.append((mother, k))
        used[mother] += 1
        used[k] += 1
    return pairs


def _ring(_: np.random.Generator, modules: int) -> Pairs:
    """One loop through all modules; a chain where there are too few."""
    close = [(modules - 1, 0)] if modules > 2 else []
    return [(k, k + 1) for k in range(modules - 1)] + close


def _ladder(rng: np.random.Generator, modules: int) -> Pairs:
    """A grid of width two."""
    return _grid_of(modules, 2)


def _grid(rng: np.random.Generator, modules: int) -> Pairs:
    """A grid about as wide as it is long."""
    return _grid_of(modules, max(1, round(modules**0.5)))


def _grid_of(modules: int, width: int) -> Pairs:
    """Rows of a width, the last one perhaps shorter."""
    across = [(k, k + 1) for k in range(modules - 1) if (k + 1) % width]
    return across + [(k, k + width) for k in range(modules - width)]


MAKERS: dict[Shape, Callable[[np.random.Generator, int], Pairs]] = {
    "random": _random_tree,
    "bushy": _bushy_tree,
    "chain": _near_chain,
    "ring": _ring,
    "ladder": _ladder,
    "grid": _grid,
}


def _more_pairs(
    rng: np.random.Generator, modules: int, pairs: Pairs, extra: int
) -> Pairs:
    """Return further pairs of modules that have connectors left."""
    used = np.bincount(np.array(pairs, dtype=np.int64).ravel(), minlength=modules)
    taken, more = {frozenset(pair) for pair in pairs}, Pairs()
    for _ in range(20 * extra if modules > 2 else 0):
        a, b = (int(k) for k in rng.choice(modules, 2, replace=False))
        if (
            len(more) < extra
            and frozenset((a, b)) not in taken
            and max(used[a], used[b]) < PORTS
        ):
            more.append((a, b))
            taken.add(frozenset((a, b)))
            used[a] += 1
            used[b] += 1
    return more


def _plugged(rng: np.random.Generator, pairs: Pairs, modules: int) -> Ints:
    """Return pairs of ends for pairs of modules, connectors drawn by lot."""
    free = [list(rng.permutation(PORTS)) for _ in range(modules)]
    ends = [(a * PORTS + free[a].pop(), b * PORTS + free[b].pop()) for a, b in pairs]
    return np.array(ends, dtype=np.int64).reshape(-1, 2)
