"""Vertical springs, small matrices and turns as expressions, against NumPy's."""

import math

import numpy as np
import pytest

from equipoise.equations.margins.soft.springs import (
    jacobi,
    lowered,
    soft_state,
    solved3,
    springs,
)
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.equations.tape.vectors import (
    Turn,
    matrix_times,
    shifted,
    sym_times,
    total,
)
from equipoise.spatial.rotations import matrix_from_axis_angle


def evaluated(build, *values):
    """Return what expressions of some numbers are; arrays are flattened."""
    tape = Tape()
    flat = [np.ravel(np.asarray(value, float)) for value in values]
    xs = [
        [tape.symbol(f"{k}.{i}", "input") for i in range(len(row))]
        for k, row in enumerate(flat)
    ]
    made = program(list(build(*xs)), [x for row in xs for x in row])
    return interpret(made, np.concatenate(flat))


def rows(x):
    return [list(x[k : k + 3]) for k in (0, 3, 6)]


def positive(rng):
    A = rng.normal(size=(3, 3))
    return A @ A.T + 0.5 * np.eye(3)


def test_three_equations_are_solved(rng):
    A, b = rng.normal(size=(3, 3)), rng.normal(size=3)  # not symmetric
    found = evaluated(lambda a, b: solved3(rows(a), b), A, b)
    np.testing.assert_allclose(found, np.linalg.solve(A, b), rtol=1e-10)


@pytest.mark.parametrize("kind", ["any", "diagonal", "twice", "zero", "indefinite"])
def test_eigenvalues_and_their_axes(rng, kind):
    A = positive(rng)
    turn = matrix_from_axis_angle(np.array([1.0, 2.0, -2.0]), 0.8)
    if kind == "diagonal":
        A = np.diag([3.0, 1.0, 2.0])
    elif kind == "twice":
        A = turn @ np.diag([2.0, 2.0, 5.0]) @ turn.T
    elif kind == "zero":
        A = np.zeros((3, 3))
    elif kind == "indefinite":
        A = turn @ np.diag([-4.0, 1e-3, 7.0]) @ turn.T

    def build(a):
        values, vectors = jacobi(rows(a))
        return [*values, *(x for row in vectors for x in row)]

    found = evaluated(build, A)
    values, V = found[:3], found[3:].reshape(3, 3)
    scale = max(1.0, np.abs(A).max())
    np.testing.assert_allclose(
        np.sort(values), np.linalg.eigvalsh(A), atol=1e-13 * scale
    )
    np.testing.assert_allclose(V.T @ V, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(A @ V, V * values, atol=1e-12 * scale)


def test_a_matrix_is_seen_relative_to_a_positive_one(rng):
    h0, h = positive(rng), rng.normal(size=(3, 3))
    h = h + h.T

    def build(a, b):
        both, inverse, holds = lowered(rows(a), rows(b), 1e-9)
        return [*(x for row in (*both, *inverse) for x in row), holds]

    found = evaluated(build, h0, h)
    inverse = np.linalg.inv(np.linalg.cholesky(h0))
    np.testing.assert_allclose(found[9:18].reshape(3, 3), inverse, atol=1e-12)
    np.testing.assert_allclose(
        found[:9].reshape(3, 3), inverse @ h @ inverse.T, atol=1e-11
    )
    assert found[18] == 1.0


@pytest.mark.parametrize(
    ("pivots", "holds"),
    [((2.0, 3.0, 1e-8), 1), ((2.0, 3.0, 1e-10), 0), ((2.0, -1e-3, 4.0), 0),
     ((0.0, 1.0, 1.0), 0)],
)  # fmt: skip
def test_a_matrix_that_is_hardly_positive_does_not_hold(pivots, holds):
    """Pivots as share of the entry of which they are left."""
    L = np.array([[1.0, 0, 0], [0.3, 1, 0], [-0.2, 0.5, 1]])
    h0 = L @ np.diag(pivots) @ L.T
    scale = h0.diagonal().max()
    small = 1e-9 * scale / h0[2, 2] if pivots[2] < 1e-3 else 1e-9

    def build(a):
        return [lowered(rows(a), rows(a), small)[2]]

    assert evaluated(build, h0)[0] == holds


# --- springs --------------------------------------------------------------------------

COM, WEIGHT = np.array([0.1, -0.2, 0.6]), 50.0
FEET = np.array([[0.4, 0.3, 0.0], [0.35, -0.5, 0.02], [-0.3, 0.2, -0.01],
                 [-0.4, -0.45, 0.0], [9.0, 9.0, 9.0]])  # fmt: skip
STIFF = np.array([900.0, 700.0, 800.0, 1000.0, 500.0])
ON = np.array([1.0, 1.0, 1.0, 1.0, 0.0])


def given():
    return np.concatenate([COM, [WEIGHT], np.column_stack([FEET, STIFF, ON]).ravel()])


def energy(z, e, load, presses=None):
    """Return the springs' energy and the weight's, of feet that push only."""
    arms = FEET - COM
    depth = z + arms @ e - arms[:, 2]
    stiff = STIFF * ON * (depth < 0.0 if presses is None else presses)
    return 0.5 * (stiff * depth**2).sum() + load * WEIGHT * z


def pose_of(z, e, load):
    def build(x, z, e, load):
        at = springs(soft_state(x), z[0], tuple(e), load[0])
        return [*at.slope, *(a for row in (*at.hessian, *at.unloaded, *at.axes)
                             for a in row)]  # fmt: skip

    found = evaluated(build, given(), [z], e, [load])
    return found[:3], *(found[k : k + 9].reshape(3, 3) for k in (3, 12, 21))


@pytest.mark.parametrize("z", [-0.03, -0.12])  # some feet lifted, or none
@pytest.mark.parametrize("load", [1.0, 0.4])
def test_slope_and_bend_of_springs_are_those_of_their_energy(z, load):
    e = np.array([0.08, -0.05, 1.0])
    e /= np.linalg.norm(e)
    slope, bend, unloaded, axes = pose_of(z, e, load)
    arms = FEET - COM
    presses = (z + arms @ e - arms[:, 2]) < 0.0
    assert presses[:4].all() == (z < -0.1) and presses[:4].any()

    def at(q):
        turned = matrix_from_axis_angle(axes[0], q[1]) if q[1] else np.eye(3)
        turned = turned @ matrix_from_axis_angle(axes[1], q[2]) if q[2] else turned
        # the vertical seen from a robot that turns is turned back
        return energy(z + q[0], turned.T @ e, load, presses)

    h = 1e-4 * np.eye(3)
    found = [(at(a) - at(-a)) / 2e-4 for a in h]
    np.testing.assert_allclose(slope, found, rtol=1e-6, atol=1e-5)
    straight = [(at(a) - 2 * at(0 * a) + at(-a)) / 1e-8 for a in h]
    np.testing.assert_allclose(bend.diagonal(), straight, rtol=1e-5, atol=1e-3)
    mixed = [(at(h[i] + h[j]) - at(h[i] - h[j]) - at(h[j] - h[i])
              + at(-h[i] - h[j])) / 4e-8 for i, j in ((0, 1), (0, 2))]  # fmt: skip
    np.testing.assert_allclose(bend[0, 1:], mixed, rtol=1e-5, atol=1e-3)
    np.testing.assert_allclose(bend, bend.T)
    # upright and without load: heights under two turns are (1, y, -x)
    row = np.column_stack([np.ones(5), arms[:, 1], -arms[:, 0]])
    stiff = STIFF * ON * presses
    np.testing.assert_allclose(unloaded, row.T @ (stiff[:, None] * row), rtol=1e-12)


def test_upright_springs_turn_about_the_levels_axes():
    _, bend, unloaded, axes = pose_of(-0.02, np.array([0.0, 0.0, 1.0]), 1.0)
    np.testing.assert_array_equal(axes, np.eye(3))
    arms = FEET - COM
    depth = -0.02
    stiff = STIFF * ON
    drop = (stiff * depth * arms[:, 2]).sum()
    np.testing.assert_allclose(bend, unloaded - np.diag([0.0, drop, drop]), rtol=1e-12)


# --- vectors --------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("fixed", [None, (0.3, -0.5, 0.8)])
def test_a_turn_takes_vectors_out_and_back_and_matrices_out(rng, axis, fixed):
    C = np.eye(3) if fixed is None else matrix_from_axis_angle(np.array(fixed), 0.9)
    R = C @ matrix_from_axis_angle(np.eye(3)[axis], 0.7)
    v, S = rng.normal(size=3), rng.normal(size=(3, 3))
    S = S + S.T
    six = S[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]

    def build(angle, v, s):
        turn = Turn(C, axis, angle[0])
        return [*turn.out(tuple(v)), *turn.back(tuple(v)), *turn.out_sym(tuple(s)),
                *sym_times(tuple(s), tuple(v))]  # fmt: skip

    found = evaluated(build, [0.7], v, six)
    np.testing.assert_allclose(found[:3], R @ v, atol=1e-14)
    np.testing.assert_allclose(found[3:6], R.T @ v, atol=1e-14)
    T = R @ S @ R.T
    np.testing.assert_allclose(
        found[6:12], T[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], atol=1e-13
    )
    np.testing.assert_allclose(found[12:], S @ v, atol=1e-14)


def test_a_turn_without_an_angle_is_its_constant_one(rng):
    C = matrix_from_axis_angle(np.array([0.3, -0.5, 0.8]), 0.9)
    v = rng.normal(size=3)
    found = evaluated(lambda v: [*Turn(C).out(tuple(v)), *Turn(C).back(tuple(v))], v)
    np.testing.assert_allclose(found, [*(C @ v), *(C.T @ v)], atol=1e-14)
    # entries that are 0 or 1 but for rounding cost nothing
    near = matrix_from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.5 * math.pi)
    assert Turn(near).fixed.tolist() == [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    assert Turn(np.eye(3) + 1e-12).fixed[0, 1] == 1e-12


def test_an_inertia_is_shifted_to_a_point_from_which_the_old_one_is_at_r(rng):
    """A few point masses, summed about both points."""
    places, masses = rng.normal(size=(4, 3)), rng.uniform(1.0, 2.0, 4)
    r = rng.normal(size=3)

    def about(at):
        p = places + at
        inertia = sum(m * (x @ x * np.eye(3) - np.outer(x, x))
                      for m, x in zip(masses, p, strict=True))  # fmt: skip
        return inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]], masses @ p

    inertia, moment = about(0.0)

    def build(i, h, m, r):
        made, first = shifted(tuple(i), tuple(h), m[0], tuple(r))
        return [*made, *first]

    found = evaluated(build, inertia, moment, [masses.sum()], r)
    wanted, first = about(r)
    np.testing.assert_allclose(found, [*wanted, *first], rtol=1e-12)


def test_a_matrix_times_a_vector(rng):
    A, v = rng.normal(size=(3, 3)), rng.normal(size=3)
    found = evaluated(lambda a, v: matrix_times(rows(a), tuple(v)), A, v)
    np.testing.assert_allclose(found, A @ v, atol=1e-14)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_a_sum_has_each_term_once(count):
    values = 2.0 ** np.arange(count)
    assert evaluated(lambda x: [total(x)], values)[0] == values.sum()
