"""McGhee's matrices: conversions, conventions, orders, counting."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.control.gaits.binary_gait import BinaryGait, binary_gait, phase_gait
from equipoise.control.gaits.named import gait_names, named_gait, usual_legs
from equipoise.control.gaits.phase_gait import PhaseGait, leg_names
from equipoise.control.gaits.sequences import (
    creeping_gait,
    creeping_sequences,
    is_creeping,
    is_nonsingular,
    leg_sequence,
    nonsingular_count,
    nonsingular_gaits,
    steps_per_cycle,
    support_sequence,
)
from equipoise.core.errors import ConfigError, ShapeError

EPS = np.finfo(float).eps
shares = st.floats(0.0, 1.0, exclude_max=True)
duties = st.floats(0.01, 0.99)  # share of the cycle


def around(a, b):
    return np.abs((np.asarray(a) - b + 0.5) % 1.0 - 0.5).max()


def in_words(sequence, legs):
    names = leg_names(legs)
    return ["+".join(names[k] for k in group) for group in sequence]


@given(st.lists(st.tuples(shares, duties), min_size=1, max_size=8))
def test_phases_to_matrix_and_back(legs):
    gait = PhaseGait(*np.array(legs).T)
    matrix = binary_gait(gait)
    again = phase_gait(matrix)
    # Rounding: a sum of at most 16 durations, and instants merged within 1e-12.
    slack = 1e-12 + 32 * EPS
    assert around(again.phases, gait.phases) <= slack
    assert np.abs(again.duty - gait.duty).max() <= 2 * slack
    assert matrix.cycle == pytest.approx(1.0, abs=32 * EPS)
    twice = binary_gait(again)
    assert twice.rows.shape[1] == gait.legs


@given(st.lists(st.tuples(shares, duties), min_size=1, max_size=6), st.integers(0, 99))
def test_rows_say_who_stands_at_any_time(legs, seed):
    """Against the definition, at random instants away from the switches."""
    gait = PhaseGait(*np.array(legs).T)
    matrix = binary_gait(gait)
    for time in np.random.default_rng(seed).random(20):
        local = (time - matrix.start) % 1.0
        edges = matrix.instants - matrix.start
        if np.abs(edges - local).min() < 1e-9:
            continue
        row = np.searchsorted(edges, local) - 1
        expected = [math.fmod(time - p + 1.0, 1.0) < b for p, b in legs]
        assert matrix.support[row].tolist() == expected


@pytest.mark.parametrize("name", gait_names())
def test_matrices_of_the_library_survive_the_way_back(name):
    matrix = binary_gait(named_gait(name, usual_legs(name)))
    again = binary_gait(phase_gait(matrix))
    assert again.rows.tolist() == matrix.rows.tolist()
    assert again.durations == pytest.approx(matrix.durations, abs=32 * EPS)  # rounding


def test_mcghees_ones_are_legs_in_the_air():
    matrix = binary_gait(named_gait("trot"))
    assert matrix.rows.tolist() == [[1, 0, 0, 1], [0, 1, 1, 0]]
    mcghee = matrix.inverted()
    assert mcghee.ones == "transfer"
    assert mcghee.rows.tolist() == [[0, 1, 1, 0], [1, 0, 0, 1]]
    assert mcghee.support.tolist() == matrix.support.tolist()
    assert mcghee.inverted().rows.tolist() == matrix.rows.tolist()
    assert phase_gait(mcghee).phases.tolist() == named_gait("trot").phases.tolist()
    # One duty factor of 0.7 and 0.3: reading the wrong convention would show.
    uneven = binary_gait(PhaseGait(np.zeros(1), np.array([0.7]))).inverted()
    assert phase_gait(uneven).duty == pytest.approx([0.7], abs=4 * EPS)


def test_durations_may_be_seconds():
    matrix = BinaryGait(np.array([[1, 0], [0, 1]]), np.array([0.6, 0.2]), start=0.2)
    gait = phase_gait(matrix)
    assert gait.duty == pytest.approx([0.75, 0.25], abs=4 * EPS)
    assert gait.phases == pytest.approx([0.25, 0.0], abs=4 * EPS)


def test_a_leg_that_steps_twice_has_no_phase():
    rows = np.array([[1, 1], [0, 1], [1, 1], [0, 1], [1, 0], [0, 0]])
    with pytest.raises(ConfigError, match="leg L steps 3 times a cycle"):
        phase_gait(BinaryGait(rows, np.ones(6)))
    with pytest.raises(ConfigError, match="leg L never stands"):
        phase_gait(BinaryGait(np.array([[0, 1], [0, 0]]), np.ones(2)))


def test_matrices_that_are_none_are_refused_all_at_once():
    with pytest.raises(ConfigError, match="row 1 and the next are the same; durations"):
        BinaryGait(np.array([[1, 0], [1, 0]]), np.array([1.0, 0.0]))
    with pytest.raises(ConfigError, match="zeros and ones"):
        BinaryGait(np.array([[2, 0], [1, 0]]), np.ones(2))
    with pytest.raises(ConfigError, match="'support' or 'transfer', got 'air'"):
        BinaryGait(np.array([[1], [0]]), np.ones(2), ones="air")  # type: ignore[arg-type]
    with pytest.raises(ShapeError, match="durations must have shape"):
        BinaryGait(np.array([[1], [0]]), np.ones(3))
    with pytest.raises(ShapeError, match=r"rows must be \(states, legs\)"):
        BinaryGait(np.zeros((0, 4)), np.zeros(0))


def test_gaps_as_short_as_rounding_are_no_rows():
    gait = PhaseGait(np.array([0.0, 1.5e-12]), np.array([0.5, 0.5]))
    assert binary_gait(gait).rows.tolist() == [[1, 1], [0, 1], [0, 0]]
    nearly = PhaseGait(np.zeros(1), np.array([1.0 - 1.5e-12]))
    assert binary_gait(nearly).rows.tolist() == [[1]]


def test_all_legs_may_stand_for_ever():
    gait = PhaseGait(np.array([0.0, 0.4]), np.ones(2))
    matrix = binary_gait(gait)
    assert matrix.rows.tolist() == [[1, 1]]
    assert phase_gait(matrix).duty.tolist() == [1.0, 1.0]
    assert leg_sequence(gait) == ()
    assert is_creeping(gait)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("crawl", ["LR", "LF", "RR", "RF"]),
        ("trot", ["LF+RR", "RF+LR"]),
        ("pace", ["LF+LR", "RF+RR"]),
        ("gallop", ["LR", "RR", "RF", "LF"]),
        ("tripod", ["L1+R2+L3", "R1+L2+R3"]),
        ("tetrapod", ["L3", "R1", "L2", "R3", "L1", "R2"]),
        ("expanded-trot", ["LR", "LF", "RR", "RF"]),
    ],
)
def test_the_order_of_steps(name, order):
    legs = usual_legs(name)
    assert in_words(leg_sequence(named_gait(name, legs)), legs) == order


def test_four_of_six_legs_stand_in_the_tetrapod_gait():
    assert (
        binary_gait(named_gait("tetrapod", 6)).support.sum(axis=1).tolist() == [4] * 6
    )


def test_the_support_sequence_of_the_crawl():
    phases = support_sequence(named_gait("crawl", duty=0.8))
    patterns = [p.legs for p in phases]
    assert [len(p) for p in patterns] == [3, 4, 3, 3, 4, 3]
    assert phases[0].begins == 0.0
    assert phases[0].lifted == (0,) and phases[0].landed == (2,)
    assert sum(p.lasts for p in phases) == pytest.approx(1.0, abs=16 * EPS)
    for one, two in pairwise(phases):
        assert set(two.legs) == (set(one.legs) - set(two.lifted)) | set(two.landed)


def test_who_creeps_and_who_is_nonsingular():
    creeps = {n for n in gait_names() if is_creeping(named_gait(n, usual_legs(n)))}
    assert creeps == {"crawl", "wave"}
    assert not is_creeping(named_gait("wave", duty=0.74))
    assert is_nonsingular(PhaseGait(np.array([0.0, 0.3]), np.array([0.5, 0.6])))
    assert not is_nonsingular(named_gait("trot"))
    assert not is_nonsingular(named_gait("crawl", duty=0.8))  # LR lands as LF lifts
    assert not is_creeping(named_gait("wave", legs=6, duty=0.8))
    assert is_creeping(named_gait("wave", legs=6, duty=0.9))


def test_steps_are_counted_both_ways():
    trot = named_gait("trot")
    assert steps_per_cycle(trot) == 4
    assert steps_per_cycle(trot, hirose=True) == 2
    assert steps_per_cycle(named_gait("crawl"), hirose=True) == 4


def closed_walks(legs: int) -> int:
    """Count nonsingular gaits by another way: closed walks on the cube's edges.

    From every state each leg flips exactly twice; a cycle is met once from each of its
    2k states.
    """

    def walks(left: tuple[int, ...]) -> int:
        if not any(left):
            return 1
        return sum(
            walks((*left[:k], n - 1, *left[k + 1 :])) for k, n in enumerate(left) if n
        )

    return 2**legs * walks((2,) * legs) // (2 * legs)


@pytest.mark.parametrize(("legs", "count"), [(1, 1), (2, 6), (3, 120), (4, 5040)])
def test_there_are_as_many_gaits_as_mcghee_says(legs, count):
    assert nonsingular_count(legs) == count
    assert closed_walks(legs) == count


@pytest.mark.parametrize("legs", [2, 3])
def test_enumeration_meets_every_gait_once(legs):
    seen = set()
    for gait in nonsingular_gaits(legs):
        assert is_nonsingular(gait)
        phase_gait(gait)  # every leg steps once
        rows = [tuple(row) for row in gait.rows.tolist()]
        seen.add(min(tuple(rows[i:] + rows[:i]) for i in range(len(rows))))
    assert len(seen) == nonsingular_count(legs)


def test_six_legs_have_39916800_gaits():
    assert nonsingular_count(6) == 39_916_800
    with pytest.raises(ConfigError, match="legs must be >= 1, got 0"):
        nonsingular_count(0)


def test_a_quadruped_creeps_in_six_orders():
    orders = creeping_sequences(4)
    assert len(orders) == 6
    for order in orders:
        gait = creeping_gait(order, 0.8)
        assert is_creeping(gait)
        assert leg_sequence(gait) == tuple((k,) for k in order)
    with pytest.raises(ConfigError, match="below 1 to creep in the order LF RF"):
        creeping_gait((0, 1, 2, 3), 0.7)
    with pytest.raises(ConfigError, match="every leg must step once"):
        creeping_gait((0, 1, 1, 3))
