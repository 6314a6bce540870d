"""Linear equations of expressions against NumPy, whatever is zero in the matrix."""

import numpy as np
import pytest

from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.equations.tape.solve import symbolic_solution
from equipoise.equations.tape.tape import Tape


@pytest.mark.parametrize("seed", range(12))
def test_a_sparse_matrix_may_fill_up_on_the_way(seed):
    rng = np.random.default_rng(seed)
    n = 6
    pattern = np.triu(rng.random((n, n)) < 0.4, 1)
    A = np.where(pattern, rng.normal(size=(n, n)), 0.0)
    A = A + A.T + 6.0 * np.eye(n)  # diagonally dominant
    b = rng.normal(size=n)
    tape = Tape()
    entries = {
        (i, j): tape.symbol(f"a{i}{j}", "input")
        for i in range(n)
        for j in range(i, n)
        if A[i, j]
    }
    right = [tape.symbol(f"b{i}", "input") for i in range(n)]
    x = program(symbolic_solution(entries, right), [*entries.values(), *right])
    found = interpret(x, np.array([*(A[key] for key in entries), *b]))
    # a few dozen roundings, condition below 10
    np.testing.assert_allclose(found, np.linalg.solve(A, b), rtol=0, atol=1e-14)


def test_eliminating_a_row_couples_those_above_it():
    """Rows 0 and 1 know each other only through row 2."""
    tape = Tape()
    keys = [(0, 0), (1, 1), (2, 2), (0, 2), (1, 2)]
    entries = {key: tape.symbol(f"a{key}", "input") for key in keys}
    right = [tape.symbol(f"b{i}", "input") for i in range(3)]
    x = program(symbolic_solution(entries, right), [*entries.values(), *right])
    found = interpret(x, np.array([4.0, 5.0, 6.0, 1.0, 2.0, 1.0, 0.0, 0.0]))
    wanted = np.linalg.solve([[4.0, 0, 1], [0, 5, 2], [1, 2, 6]], [1.0, 0, 0])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-15)
