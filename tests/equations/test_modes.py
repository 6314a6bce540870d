"""Modes: names and times of systems that can be solved by hand."""

import math

import numpy as np
import pytest

from equipoise.equations.linear.modes import modes

TRUNK = ["base.vx", "base.vy", "base.vz", "base.wx", "base.wy", "base.wz"]
NAMES = ["surge", "sway", "bounce", "roll", "pitch", "yaw"]


def second_order(stiffness, damping):
    """Return A of unit masses that do not know each other."""
    K, D = np.diag(stiffness), np.diag(damping)
    n = len(K)
    return np.block([[np.zeros((n, n)), np.eye(n)], [-K, -D]])


@pytest.mark.parametrize("k", range(6))
def test_a_trunk_that_swings_one_way_is_named_by_it(k):
    stiffness = np.full(6, 100.0)
    stiffness[k] = -4.0  # falls that way: poles at +2 and -2
    found = modes(second_order(stiffness, np.zeros(6)), TRUNK, np.ones(6))
    first = found[0]
    assert (first.name, first.does) == (NAMES[k], "grows")
    # solver: a simple root of a matrix of size 100
    assert first.pole == pytest.approx(2.0, abs=1e-12)
    assert first.doubling_time == pytest.approx(math.log(2.0) / 2.0, abs=1e-12)
    assert first.time_constant is None and first.frequency is None
    assert first.parts[0] == (TRUNK[k], 1.0)
    assert {mode.does for mode in found[1:-1]} == {"swings"}
    assert found[-1].name == NAMES[k] and found[-1].time_constant == pytest.approx(0.5)


def test_swings_have_a_frequency_and_a_damping_and_are_told_once():
    (mode,) = modes(second_order([25.0], [6.0]), ["knee.v"], np.ones(1))
    assert mode.name == "joints"  # there is no trunk
    assert mode.does == "swings and decays"
    assert mode.pole == pytest.approx(-3.0 + 4.0j)  # s² + 6 s + 25
    assert mode.frequency == pytest.approx(4.0 / (2.0 * math.pi))
    assert mode.damping_ratio == pytest.approx(0.6)
    assert mode.time_constant == pytest.approx(1.0 / 3.0)


def test_a_trunk_that_hardly_moves_beside_its_joints_leaves_them_the_name():
    A = second_order([*[100.0] * 6, -1.0], np.zeros(7))
    assert modes(A, [*TRUNK, "knee.v"], np.ones(7))[0].name == "legs"
    A[7 + 3, 6] = 50.0  # as the knee gives way, the trunk rolls
    assert modes(A, [*TRUNK, "knee.v"], np.ones(7))[0].name == "roll"


def test_shifts_count_in_lengths_of_the_robot():
    A = second_order([100.0] * 6, np.zeros(6))
    A[6 + 1, 1] = 4.0  # it falls aside
    A[6 + 3, 1] = 0.5 * 104.0  # and rolls by half a radian for each metre
    small, large = np.ones(6), np.ones(6)
    small[:3], large[:3] = 1.0 / 0.1, 1.0 / 10.0  # it is 0.1 m, 10 m large
    assert modes(A, TRUNK, small)[0].name == "sway"
    assert modes(A, TRUNK, large)[0].name == "roll"


def test_what_neither_grows_nor_decays_stays():
    found = modes(np.zeros((2, 2)), ["slide.v"], np.ones(1))
    assert {mode.does for mode in found} == {"stays"}
    told = found[0].summary()
    assert told["time_constant_s"] is told["doubling_time_s"] is None
    assert told["frequency_hz"] is told["damping_ratio"] is None
