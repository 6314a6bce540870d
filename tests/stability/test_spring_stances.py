"""Eigenvalues of stances on springs against equations of motion from the energy."""

import numpy as np
import pytest
import sympy as sp

from equipoise.core.errors import NotPhysicalError
from equipoise.stability.soft.planar import oscillator_roots, planar_stance
from equipoise.stability.soft.radial import radial_stance

SIZES = {  # kg, N/m, N s/m, m, m, kg m^2
    "mass": (1, 60),
    "stiffness": (500, 20_000),
    "damping": (1, 500),
    "half_width": (0.05, 0.4),
    "height": (0.1, 1.0),
    "inertia": (0.05, 5),
}


def drawn(rng: np.random.Generator) -> dict[str, float]:
    return {name: float(rng.uniform(*span)) for name, span in SIZES.items()}


def symbolic_parts(spots: list[tuple[sp.Expr, sp.Expr]]) -> tuple[sp.Matrix, sp.Matrix]:
    """Return K and D about upright by Lagrange and Rayleigh, for feet at (x, y)."""
    m, g, k, d, h = sp.symbols("m g k d h")
    z, u, v = q = sp.symbols("z u v")  # height, roll, tip
    depth = [
        h * sp.cos(v) * sp.cos(u) - z + x * sp.sin(v) - y * sp.sin(u) * sp.cos(v)
        for x, y in spots
    ]
    V = m * g * z + sum(k * x**2 / 2 for x in depth)
    static = {z: h - m * g / (len(spots) * k), u: 0, v: 0}
    J = sp.Matrix(depth).jacobian(q).subs(static)
    return sp.hessian(V, q).subs(static), d * J.T * J


def roots_of(M: np.ndarray, D: np.ndarray, K: np.ndarray) -> np.ndarray:
    n = len(M)
    upper = np.hstack([np.zeros((n, n)), np.eye(n)])
    lower = -np.linalg.solve(M, np.hstack([K, D]))
    return np.linalg.eigvals(np.vstack([upper, lower]))


def residue(root: complex, M: float, D: float, K: float) -> float:
    terms = [M * root**2, D * root, K]
    return abs(sum(terms)) / max(map(abs, terms))


def test_planar_eigenvalues_solve_lagranges_equations(rng):
    width = sp.Symbol("r")
    symbols = (width, *sp.symbols("m g k d h"))
    zero = sp.Integer(0)
    matrices = sp.lambdify(symbols, symbolic_parts([(-width, zero), (width, zero)]))
    unstable = 0
    for _ in range(1000):
        size = drawn(rng)
        r = size["half_width"]
        order = ("mass", "stiffness", "damping", "height")
        m, k, d, h = (size[name] for name in order)
        K, D = (np.array(x, float)[::2, ::2] for x in matrices(r, m, 9.81, k, d, h))
        assert abs(K[0, 1]) < 1e-9 * K[0, 0]  # bouncing and tipping decouple
        stance = planar_stance(**size)
        # rounding: a dozen operations; cancellation only in K[1, 1], near a = 1
        for index, roots in ((0, stance.eigenvalues[:2]), (1, stance.eigenvalues[2:])):
            inertia = (size["mass"], size["inertia"])[index]
            slack = abs(2 * size["stiffness"] * r**2 / K[1, 1]) if index else 1
            for root in roots:
                found = residue(root, inertia, D[index, index], K[index, index])
                assert found < 1e-13 * max(1, slack)
            assert sum(roots) == pytest.approx(-D[index, index] / inertia, rel=1e-10)
        by_numbers = roots_of(np.diag([size["mass"], size["inertia"]]), D, K)
        assert stance.stable == (np.real(by_numbers).max() < 0)
        unstable += not stance.stable
    assert 100 < unstable < 900  # both answers were tried


@pytest.mark.parametrize("legs", [3, 4, 5, 8])
def test_radial_eigenvalues_solve_lagranges_equations(rng, legs):
    turn = 0.3
    spots = [
        (sp.cos(turn + 2 * sp.pi * i / legs), sp.sin(turn + 2 * sp.pi * i / legs))
        for i in range(legs)
    ]
    r = sp.Symbol("r")
    matrices = sp.lambdify(
        (r, *sp.symbols("m g k d h")),
        symbolic_parts([(r * x, r * y) for x, y in spots]),
    )
    answers = set()
    for _ in range(50):
        size = drawn(rng)
        radius = size.pop("half_width")
        order = ("mass", "stiffness", "damping", "height", "inertia")
        m, k, d, h, inertia = (size[name] for name in order)
        K, D = (np.array(x, float) for x in matrices(radius, m, 9.81, k, d, h))
        stance = radial_stance(legs, radius=radius, **size)
        exact = roots_of(np.diag([m, inertia, inertia]), D, K)
        # solver: LAPACK splits a double root by sqrt(eps) of the largest one at most
        apart = np.abs(stance.eigenvalues[:, None] - exact).min(axis=1)
        assert apart.max() < 1e-7 * np.abs(exact).max()
        slack = legs * k * radius**2 / 2 / abs(K[1, 1])  # digits lost near a = 1
        for axis, roots in ((0, slice(2)), (1, slice(2, 4)), (2, slice(2, 4))):
            for root in stance.eigenvalues[roots]:
                found = residue(
                    root, (m, inertia, inertia)[axis], D[axis, axis], K[axis, axis]
                )
                assert found < 1e-13 * max(1, slack)
        assert stance.stable == (np.real(exact).max() < 0)
        answers.add(stance.stable)
    assert answers == {True, False}


def test_softness_of_the_balance_rig():
    # 4 kg on 371 N/m, h = 18.909 r^2: the rig of section 9.2 is just at its limit
    r = 0.1
    h = 2 * 371 * r**2 / (4 * 9.81)
    at_limit = planar_stance(4, 371, 5, r, h, 0.1)
    assert at_limit.a == pytest.approx(1, rel=1e-15)
    assert planar_stance(4, 371, 5, r, h * 0.999, 0.1).stable
    assert not planar_stance(4, 371, 5, r, h * 1.001, 0.1).stable


def test_four_legs_are_twice_two():
    two = planar_stance(10, 1000, 10, 0.2, 0.5, 1)
    four = radial_stance(4, 10, 1000, 10, 0.2, 0.5, 1)
    assert four.a == pytest.approx(two.a)  # two of the four stand on the axis


def test_without_damping_nothing_dies_out():
    stance = planar_stance(1, 1000, 0, 0.2, 0.2, 0.1)
    assert stance.a < 1 and not stance.stable
    assert np.abs(stance.eigenvalues.real).max() == 0


def test_the_slow_root_keeps_its_digits():
    slow, fast = oscillator_roots(1.0, 1e9, 1.0)
    assert slow.real == pytest.approx(-1e-9, rel=1e-15)
    assert fast.real == pytest.approx(-1e9, rel=1e-15)
    assert oscillator_roots(1.0, 0.0, 0.0) == (0, 0)


@pytest.mark.parametrize("name", ["mass", "stiffness", "half_width", "height"])
@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), "1", True])
def test_refuses_what_no_body_has(name, value):
    size = {**{key: span[0] for key, span in SIZES.items()}, name: value}
    with pytest.raises(NotPhysicalError, match=f"{name} must be a number > 0, got"):
        planar_stance(**size)


def test_two_legs_are_not_radial():
    with pytest.raises(NotPhysicalError, match=r"legs .* got 2; two feet are planar"):
        radial_stance(2, 1, 1, 1, 1, 1, 1)
