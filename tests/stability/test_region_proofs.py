"""What a region says of its contacts is proved, whatever the cone solver's word."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.stability.region import problem as region_problem
from equipoise.stability.region.region import RegionKind, equilibrium_region
from oracles.certified import meets
from oracles.pyramids import pyramid_wrenches

STEEP = 80.0
SIDES = 32
UP = np.array([0.0, 0.0, 1.0, 0.0])
SQUARE = np.array([[0.3, 0.3, 0], [-0.3, 0.3, 0], [-0.3, -0.3, 0], [0.3, -0.3, 0]])


def steep_stance(rng, nc):
    """Return contacts on ground that leans by up to 80 degrees."""
    points = rng.normal(0.0, [0.3, 0.3, 0.1], (nc, 3))
    lean, way = np.deg2rad(rng.uniform(0, STEEP, nc)), rng.uniform(0, 7, nc)
    side = np.sin(lean)
    normals = np.c_[side * np.cos(way), side * np.sin(way), np.cos(lean)]
    return points, normals, rng.uniform(0.1, 0.9, nc)


def test_no_forces_means_that_not_even_pyramids_around_have_any(rng):
    tally = {True: 0, False: 0}
    for _ in range(60):
        contacts = steep_stance(rng, int(rng.integers(1, 5)))
        kind = equilibrium_region(*contacts, gap=0.5).kind
        assert kind is not RegionKind.NOT_KNOWN
        holds = kind is not RegionKind.EMPTY
        stretch = 1.0 if not holds else 1.0 / math.cos(math.pi / SIDES)
        balance = pyramid_wrenches(*contacts, SIDES, stretch)[[0, 1, 2, 5]]
        # pyramids within the cones where there should be none, around them else
        assert meets(balance, UP) is holds
        tally[holds] += 1
    assert min(tally.values()) > 10


def liar(word: str, number: float) -> Any:
    """Return a solver that always ends with a word and the same useless numbers."""

    class Solver:
        def __init__(self, _P: Any, q: Any, A: Any, *_: Any) -> None:
            self.n, self.m = len(q), A.shape[0]

        def update(self, **_: Any) -> None:
            """Take another direction."""

        def solve(self) -> Any:
            x, z = np.full(self.n, number), np.full(self.m, number)
            return SimpleNamespace(status=word, x=x, z=z, obj_val=number)

    return Solver


@pytest.mark.parametrize("number", [0.0, 1.0, -1.0, math.nan])
@pytest.mark.parametrize(
    "word", ["DualInfeasible", "PrimalInfeasible", "AlmostSolved", "MaxIterations"]
)
def test_a_word_without_proof_is_not_known(
    monkeypatch: pytest.MonkeyPatch, word: str, number: float
):
    monkeypatch.setattr(region_problem.clarabel, "DefaultSolver", liar(word, number))
    region = equilibrium_region(SQUARE, [[0, 0, 1.0]] * 4, 0.5)
    assert region.kind is RegionKind.NOT_KNOWN
    assert not region.contains([0.0, 0.0])
    assert math.isnan(region.support([1.0, 0.0]))


@pytest.mark.parametrize("word", ["Solved", "PrimalInfeasible"])
def test_whether_forces_exist_is_not_taken_on_trust(
    monkeypatch: pytest.MonkeyPatch, word: str
):
    walls = np.array([[0.3, 0.0, 0.0], [-0.3, 0.0, 0.0]])
    clamp = equilibrium_region(walls, [[-1.0, 0, 0], [1.0, 0, 0]], 0.5)
    assert clamp.kind is RegionKind.UNBOUNDED and clamp.contains([0.0, 0.0])
    monkeypatch.setattr(region_problem.clarabel, "DefaultSolver", liar(word, 0.0))
    assert not clamp.contains([0.0, 0.0])


def test_what_the_solver_calls_solved_is(monkeypatch: pytest.MonkeyPatch, rng):
    """Its own word is taken there, for speed; here every answer is checked."""
    Problem: Any = region_problem.ContactProblem
    checked = []
    solve = Problem.solve

    def checking(problem: Any, direction: np.ndarray) -> Any:
        found = solve(problem, direction)
        if found.status is region_problem.Solved.FOUND:
            answer = problem._solver.solve()
            gain = direction @ problem._reach
            forces = np.array(answer.z)[-problem.size :]
            checked.append(
                problem._is_good(forces, answer.obj_val, float(gain @ forces))
            )
        return found

    monkeypatch.setattr(Problem, "solve", checking)
    for _ in range(40):
        equilibrium_region(*steep_stance(rng, int(rng.integers(1, 7))))
    assert len(checked) > 300 and all(checked)
