"""The proofs themselves: against all bases by hand, and against solvers that lie."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from oracles import certified
from oracles.certified import UndecidedError, farthest, meets, nearest, outline
from oracles.pyramids import pyramid_wrenches, tangents

CLOSE = 1e-7  # proofs are to 1e-8 of gains and columns near one


def vertices(A, b):
    """Yield every basic solution x >= 0 of A x = b."""
    m, n = A.shape
    for chosen in combinations(range(n), m):
        square = A[:, chosen]
        if abs(np.linalg.det(square)) > 1e-9:
            x = np.zeros(n)
            x[list(chosen)] = np.linalg.solve(square, b)
            if (x >= 0.0).all():
                yield x


def any_problem(rng):
    """Return columns that point up, so that what meets a target is bounded."""
    m, n = int(rng.integers(2, 4)), int(rng.integers(4, 8))
    A = rng.normal(size=(m, n))
    A[0] = rng.uniform(0.2, 2.0, n)
    return A, np.r_[1.0, rng.normal(0.0, 0.4, m - 1)] * rng.choice([1e-3, 1.0, 1e3])


def test_answers_are_those_of_all_bases(rng):
    tally = {True: 0, False: 0}
    for _ in range(60):
        A, b = any_problem(rng)
        gain = rng.normal(size=A.shape[1])
        found = [gain @ x for x in vertices(A, b)]
        assert meets(A, b) is bool(found)
        best = max(found, default=-np.inf)
        assert farthest(gain, A, b) == pytest.approx(best, rel=CLOSE)
        tally[bool(found)] += 1
    assert min(tally.values()) > 10


def test_upper_bounds_are_kept(rng):
    A, b, gain = np.ones((1, 3)), np.array([1.0]), np.array([3.0, 2.0, 1.0])
    most = (np.eye(3)[:2], np.array([0.25, 0.5]))
    # by hand: a quarter at 3, a half at 2, the rest at 1
    assert farthest(gain, A, b, most) == pytest.approx(2.0, rel=CLOSE)
    none = (np.eye(3), np.full(3, 0.3))
    assert farthest(gain, A, b, none) == -np.inf


def test_the_nearest_is_that_of_all_supports(rng):
    for _ in range(30):
        A, b = rng.normal(size=(5, 6)), rng.normal(size=5)
        least = np.linalg.norm(b)
        for k in range(1, 6):
            for chosen in combinations(range(6), k):
                x = np.linalg.lstsq(A[:, chosen], b)[0]
                if (x >= 0.0).all():
                    least = min(least, np.linalg.norm(A[:, chosen] @ x - b))
        found = nearest(A, b)
        assert (found >= 0.0).all()
        # rounding: squares of numbers near one
        assert np.linalg.norm(A @ found - b) == pytest.approx(least, abs=1e-12)


def test_the_last_digit_of_a_tangent_changes_no_answer(rng):
    """On these contacts the simplex method alone has ended as "unknown"."""
    points = np.array([[0.3, 0.2, 0], [-0.3, 0.2, 0], [-0.2, -0.25, 0], [0.3, -0.2, 0]])
    normals = np.tile([0.36, 0.0, np.sqrt(1 - 0.36**2)], (4, 1))
    wrenches = pyramid_wrenches(points - [0, 0, 0.5], normals, np.full(4, 0.9), 64)
    for across, wanted in [(0.0, True), (0.9, False)]:
        target = np.array([0.0, across, 1.0, 0.0, 0.0, 0.0])
        for _ in range(40):
            turned = wrenches * (1.0 + 2e-16 * rng.integers(-1, 2, wrenches.shape))
            assert meets(turned, target) is wanted


class Liar:
    """A solver whose numbers are wrong and whose word is that all is well."""

    status, success, fun = 0, True, 0.0

    def __init__(self, x, y):
        self.x, self.eqlin = x, SimpleNamespace(marginals=y)


def test_a_solver_that_lies_is_not_believed(monkeypatch: pytest.MonkeyPatch):
    A, gain = np.eye(2), np.ones(2)
    yes, no = np.array([1.0, 1.0]), np.array([1.0, -1.0])
    wrong = np.array([0.0, 3.0])  # neither a solution nor a separating plane
    monkeypatch.setattr(certified.optimize, "nnls", lambda *_: (wrong, 0.0))
    assert meets(A, yes) and not meets(A, no)  # by the other method
    assert nearest(A, yes) == pytest.approx(yes, abs=CLOSE)
    monkeypatch.setattr(certified, "linprog", lambda *_, **__: Liar(wrong, wrong))
    assert farthest(gain, A, yes) == pytest.approx(2.0, rel=CLOSE)
    for ask in (lambda: meets(A, yes), lambda: meets(A, no), lambda: nearest(A, yes)):
        with pytest.raises(UndecidedError):
            ask()


def test_an_endless_gain_is_not_proved():
    with pytest.raises(UndecidedError, match="no optimum"):
        farthest(np.ones(2), np.array([[1.0, -1.0]]), np.array([1.0]))


def test_an_outline_is_checked(monkeypatch: pytest.MonkeyPatch):
    points = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [2.0, 2.0], [0.0, 2.0]])
    order, lines = outline(points)
    assert sorted(order) == [0, 1, 3, 4]
    assert (lines @ [1.0, 1.0, 1.0]).max() == pytest.approx(-1.0, abs=1e-15)
    inner = certified.spatial.ConvexHull(points[:4])
    monkeypatch.setattr(certified.spatial, "ConvexHull", lambda _: inner)
    with pytest.raises(UndecidedError, match="not the outline"):
        outline(points)


def test_tangents_are_unit_and_across(rng):
    for n in [*np.eye(3), *-np.eye(3), *rng.normal(size=(20, 3))]:
        n = n / np.linalg.norm(n)
        frame = np.vstack([tangents(n), n])
        np.testing.assert_allclose(frame @ frame.T, np.eye(3), rtol=0, atol=1e-15)
