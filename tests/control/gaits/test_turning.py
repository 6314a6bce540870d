"""Turning in balance: which order, on which side, and what a finer plan shows."""

import numpy as np
import pytest

from equipoise.control.gaits.footprint import row_footprint
from equipoise.control.gaits.margins import plan_margins, static_margins
from equipoise.control.gaits.named import named_gait
from equipoise.control.gaits.phase_gait import leg_names
from equipoise.control.gaits.plan import periodic_plan, refined
from equipoise.control.gaits.sequences import (
    creeping_gait,
    creeping_sequences,
    leg_sequence,
)
from equipoise.control.gaits.turning import turning_gait
from equipoise.core.errors import ConfigError

EPS = np.finfo(float).eps
FEET, TURN = row_footprint(4, 0.62, 0.5), np.radians(10.0)


def least(gait, stride, turn):
    plan = periodic_plan(gait, FEET, stride, turn)
    return float(static_margins(plan).min())


def order(gait):
    return [leg_names(4)[k] for (k,) in leg_sequence(gait)]


def test_on_the_spot_legs_step_around_the_way_it_turns():
    left = turning_gait(FEET, np.zeros(2), TURN)
    right = turning_gait(FEET, np.zeros(2), -TURN)
    assert order(left) == ["LF", "LR", "RR", "RF"]
    assert order(right) == ["RF", "RR", "LR", "LF"]
    assert least(left, [0.0, 0.0], TURN) > 0.015
    mirrored = least(right, [0.0, 0.0], -TURN)
    assert mirrored == pytest.approx(least(left, [0.0, 0.0], TURN), abs=1e-12)


def test_no_other_order_is_in_balance_there():
    balanced = [
        sequence
        for sequence in creeping_sequences(4)
        if least(creeping_gait(sequence, 0.85), [0.0, 0.0], TURN) > 0.0
    ]
    assert balanced == [(0, 2, 3, 1)]
    assert least(named_gait("crawl", duty=0.85), [0.0, 0.0], TURN) < -0.01


def test_far_away_it_is_a_crawl_and_never_less_than_either():
    gentle = turning_gait(FEET, np.array([0.25, 0.0]), 0.01)
    crawl = named_gait("crawl", duty=0.85)
    assert gentle.phases.tolist() == crawl.phases.tolist()
    around = creeping_gait((0, 2, 3, 1), 0.85)
    for ahead in (0.05, 0.25):
        stride = np.array([ahead, 0.0])
        found = least(turning_gait(FEET, stride, TURN), stride, TURN)
        assert found == max(least(g, stride, TURN) for g in (crawl, around))


def test_turning_without_a_turn_is_refused():
    with pytest.raises(ConfigError, match="turn must not be zero"):
        turning_gait(FEET, np.zeros(2), 0.0)


def test_a_finer_plan_is_the_same_walk():
    trot = periodic_plan(named_gait("trot"), FEET, [0.4, 0.0])
    fine = refined(trot, 4)
    assert fine.times == pytest.approx(np.linspace(0.0, 1.0, 9), abs=EPS)
    assert fine.poses[:, 0] == pytest.approx(0.4 * fine.times, abs=2 * EPS)
    margins = plan_margins(fine).static
    # In a trot the centre of mass starts behind its line, passes it, and leaves it.
    assert margins[1, 1] == pytest.approx(0.0, abs=4 * EPS)
    assert margins.min() == plan_margins(trot).static.min() < -0.05
