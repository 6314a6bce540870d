"""Harmonic potentials: Laplace's equation, no dead ends, "no way" as a search says."""

from collections import deque

import numpy as np
import pytest

from equipoise.control.harmonic.field import harmonic_field
from equipoise.core.errors import ConfigError

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


def some_map(rng, size=24, share=0.3):
    """Return obstacles and a free goal."""
    is_obstacle = rng.uniform(size=(size, size)) < share
    free = np.argwhere(~is_obstacle)
    return is_obstacle, tuple(int(k) for k in free[rng.integers(len(free))])


def searched(is_obstacle, goal):
    """Return the cells that reach a goal, by breadth first search."""
    seen, queue = {goal}, deque([goal])
    while queue:
        i, j = queue.popleft()
        for a, b in ((i + di, j + dj) for di, dj in SIDES):
            inside = 0 <= a < len(is_obstacle) and 0 <= b < len(is_obstacle)
            if inside and not is_obstacle[a, b] and (a, b) not in seen:
                seen.add((a, b))
                queue.append((a, b))
    return seen


@pytest.mark.parametrize("wall", [0.0, 1.0])
def test_both_potentials_obey_laplace(rng, wall):
    is_obstacle, goal = some_map(rng)
    field = harmonic_field(is_obstacle, goal)
    psi = field.held if wall else field.closed
    for i, j in np.argwhere(field.is_free):
        if (i, j) == goal:
            assert psi[i, j] == 1.0
            continue
        flow = 0.0
        for a, b in ((i + di, j + dj) for di, dj in SIDES):
            if not (0 <= a < 24 and 0 <= b < 24):
                flow += 0.0 - psi[i, j]  # the border is held at 0
            elif is_obstacle[a, b]:
                flow += wall * (0.0 - psi[i, j])
            else:
                flow += psi[a, b] - psi[i, j]
        assert abs(flow) < 1e-13
        assert 0.0 <= psi[i, j] < 1.0


def test_every_way_arrives_and_no_way_is_what_a_search_says(rng):
    for _ in range(12):  # a thousand by night
        check_ways(*some_map(rng, share=rng.uniform(0.0, 0.45)))


@pytest.mark.slow
def test_ways_on_a_thousand_maps(rng):
    for _ in range(1000):
        check_ways(*some_map(rng, share=rng.uniform(0.0, 0.45)))


def check_ways(is_obstacle, goal):
    field, reached = harmonic_field(is_obstacle, goal), searched(is_obstacle, goal)
    for cell in map(tuple, np.argwhere(~is_obstacle)):
        way = field.way(cell)
        assert bool(way) == (cell in reached)
        if way:
            assert way[0] == cell
            assert way[-1] == goal
            steps = np.abs(np.diff(way, axis=0)).sum(axis=1)
            assert (steps == 1).all()
            assert not is_obstacle[tuple(np.transpose(way))].any()


def test_a_long_corridor_and_a_blind_alley():
    is_obstacle = np.ones((9, 120), dtype=bool)
    is_obstacle[4, 1:119] = False  # one cell wide: held, ψ falls below 1e-60
    is_obstacle[5:8, 60] = False  # and leads nowhere
    field = harmonic_field(is_obstacle, (4, 118))
    assert field.held[4, 1] < 1e-60
    assert len(field.way((4, 1))) == 118
    assert len(field.way((7, 60))) == 3 + 59


def test_bad_goals_are_refused():
    is_obstacle = np.zeros((4, 4), dtype=bool)
    is_obstacle[1, 1] = True
    with pytest.raises(ConfigError, match="is an obstacle"):
        harmonic_field(is_obstacle, (1, 1))
    with pytest.raises(ConfigError, match="within 4 x 4 cells"):
        harmonic_field(is_obstacle, (4, 0))
    with pytest.raises(ConfigError, match="share"):
        harmonic_field(is_obstacle, (0, 0), 1.5)
