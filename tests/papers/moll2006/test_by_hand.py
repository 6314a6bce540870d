"""The papers room's own tools against closed forms and a second algorithm."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from equipoise.robots.assembly.module import SuperbotModule
from equipoise_lab.papers.moll2006 import circles
from equipoise_lab.papers.moll2006.mass_claims import leaf_errors
from equipoise_lab.papers.moll2006.module_claims import modules_lifted
from equipoise_lab.papers.moll2006.steiner import combined, steiner
from oracles.solids import box

EPS = np.finfo(float).eps


def test_two_half_boxes_make_a_whole_one_only_with_steiner():
    half, whole = box(1.0, (0.5, 0.3, 0.2)), box(2.0, (1.0, 0.3, 0.2))
    p = np.array([0.25, 0.0, 0.0])
    built = 2 * half + steiner(0.5, 2 * p)  # reduced mass, centre to centre
    # rounding: a dozen operations on entries of the largest one's size
    np.testing.assert_allclose(built, whole, rtol=0, atol=16 * EPS * whole.max())
    mass, com, printed = combined(1.0, p, half, 1.0, -p, half)
    assert mass == 2.0
    np.testing.assert_array_equal(com, np.zeros(3))
    assert np.abs(printed - whole).max() > 0.5 * whole.max()


@settings(max_examples=50)
@given(seed=st.integers(0, 10**6))
def test_ferraris_roots_are_those_of_the_companion_matrix(seed):
    """On generic circles, where the formula is good; a claim shows it is not always."""
    rows = circles.generic(1, np.random.default_rng(seed))
    k = circles.quartic(rows)[0]
    roots = np.roots(k)
    if np.abs(roots[:, None] - roots[None, :] + np.eye(4)).min() < 0.05:
        return  # roots that nearly meet are ill-conditioned for both
    expected = np.sort(2 * np.arctan(roots.real))
    found = np.sort(circles.ferrari_angles(rows)[0, :4])
    # rounding: the formula loses up to half of the digits
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


def test_the_quartic_vanishes_where_the_distance_is_least():
    rows = circles.generic(20, np.random.default_rng(4))
    grid = np.linspace(-np.pi, np.pi, 200001)[None, :]
    for row in rows:
        best = grid[0, circles.distances(row[None, :], grid)[0].argmin()]
        k = circles.quartic(row[None, :])[0]
        value = np.polyval(k, np.tan(best / 2)) * np.cos(best / 2) ** 4
        # truncation: half a step of the grid times the slope's own slope
        size = np.abs(circles.quartic(row[None, :])).sum()
        assert abs(value) < 2e-5 * 4 * size


def test_how_many_nearest_angles_by_hand():
    level = [0, 0, 0, 0, 1, 0, 1, 0, 0]  # unit circle in the x-z plane
    assert circles.nearest_count(np.array([*level, 0.5, 0.3], float)) == 2
    assert circles.nearest_count(np.array([*level, 1.5, 0.3], float)) == 1
    upright = [0, 0, 0, 0, 0, 1, 1, 0, 0]  # unit circle in the x-y plane
    assert circles.nearest_count(np.array([*upright, 0.5, 0.3], float)) == 1


def test_families_are_what_they_say():
    rng = np.random.default_rng(2)
    rows = circles.level(50, rng)
    assert np.abs(rows[:, 5]).max() == 0.0
    inside = circles.distances(rows, np.zeros((50, 1)))
    assert inside.shape == (50, 1)
    rows = circles.on_line(50, rng)
    opposite = rng.uniform(0, 2 * np.pi, (50, 1))
    # A circle centred on the line is as far away on both sides; rounding of some ten
    # operations on lengths of up to 10 m.
    one, two = (circles.distances(rows, opposite + x) for x in (0.0, np.pi))
    np.testing.assert_allclose(one, two, rtol=0, atol=100 * EPS)


def test_a_level_row_by_hand():
    """n modules of weight G and length L: torque n² G L/2."""
    module = SuperbotModule(mass=1.0, mass_scale=1.0, torque_limit=10.0)
    length = 2 * (module.hinge_offset + module.front_offset)
    n = modules_lifted(module)
    assert n**2 * 9.81 * length / 2 <= 10.0 < (n + 1) ** 2 * 9.81 * length / 2


def test_subtraction_gets_worse_with_the_chain_and_the_sum_does_not():
    short, long = leaf_errors(10, np.float32), leaf_errors(80, np.float32)
    assert long["p"] > 10 * short["p"] > 0.0
    # asked for; measured 3e-8 in both
    assert max(short["p_sum"], long["p_sum"]) < 1e-6
    assert leaf_errors(80, np.float64)["p"] < 1e-9
