"""Random robots of scenarios have the shape that they are asked for."""

import numpy as np
import pytest

from equipoise_lab.torture.graphs import PORTS, random_links


def neighbours(links):
    """Return who is docked to whom, as a set of pairs."""
    return {frozenset(pair) for pair in (links // PORTS).tolist()}


@pytest.mark.parametrize(("shape", "width"), [("ladder", 2), ("grid", 3)])
@pytest.mark.parametrize("modules", [8, 9, 10])
def test_a_grid_docks_each_module_to_those_beside_and_below(rng, shape, width, modules):
    # Oracle: places in rows of a width; neighbours are one step apart.
    at = [np.array(divmod(k, width)) for k in range(modules)]
    want = {
        frozenset((i, j))
        for i in range(modules)
        for j in range(i)
        if np.abs(at[i] - at[j]).sum() == 1
    }
    assert neighbours(random_links(rng, modules, shape)) == want


@pytest.mark.parametrize("shape", ["random", "bushy", "chain", "ring", "grid"])
def test_all_hang_together_and_no_connector_is_used_twice(rng, shape):
    links = random_links(rng, 20, shape, extra=4)
    assert np.unique(links).size == links.size
    assert len(neighbours(links)) == len(links)
    reached = {0}
    for _ in range(20):
        reached |= {k for pair in neighbours(links) if pair & reached for k in pair}
    assert reached == set(range(20))
    loops = {"ring": 1, "grid": 31 - 19}  # 5 by 4: 16 links across, 15 down
    assert len(links) == 19 + loops.get(shape, 0) + 4
