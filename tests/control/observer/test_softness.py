"""How soft the ground is under each foot, and the margin of feet that stand on it."""

import numpy as np
import pytest

from equipoise.control.observer.softness import (
    FootSoftness,
    SoftnessConfig,
    learn_softness,
    soft_margin,
)
from equipoise.core.records import record_of
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Foot
from oracles.walking_parts import DT, estimate, machine, stance

STIFFNESS = np.array([2000.0, 3000.0, 2500.0, 4000.0])
LIFTED_NONE = -1


def settings(**given):
    """Return settings, those of the reflex unless given."""
    usual = {"middle_time": 1.0, "memory": 2.0, "stirred": 20.0, "blur": 0.0}
    return record_of(SoftnessConfig(**(usual | given)))


def learnt(stiffness, seconds=6.0):
    """Return what is learnt from feet whose loads swing about 150 N on springs."""
    feet, swing = FootSoftness.zeros(4), np.array([1.0, -1.0, -1.0, 1.0])
    for k in range(int(seconds / DT)):
        load = 150.0 + 80.0 * swing * np.sin(2.0 * np.pi * k * DT)
        places = np.tile([0.0, 0.0, -0.45], (4, 1))
        places[:, 2] -= (load - 150.0) / stiffness
        known, after = estimate(places=places, load=load), FootSoftness.zeros(4)
        learn_softness(known.trunk, known.legs, stance().legs, settings(), feet, after)
        feet = after
    return feet["stiffness"]


def test_loads_and_heights_that_belong_together_tell_the_stiffness():
    # alike springs are found to rounding of angles solved for: the mean is no error
    assert learnt(np.full(4, 2591.0)) == pytest.approx(2591.0, rel=1e-6)


def test_feet_on_unlike_ground_are_told_apart():
    found = learnt(STIFFNESS)
    assert np.argsort(found).tolist() == np.argsort(STIFFNESS).tolist()
    # each takes on half of the mean: nearer than the feet are to each other
    assert found == pytest.approx(STIFFNESS, rel=0.3)


def test_feet_that_do_not_sink_stand_on_hard_ground():
    assert (learnt(np.full(4, np.inf)) >= 1e5).all()


@pytest.mark.parametrize("stiffness", [1800.0, 2591.0, 20_000.0])
def test_the_margin_is_that_of_check(stiffness):
    known, feet = estimate(), FootSoftness.zeros(4)
    feet["stiffness"] = stiffness
    legs, trunk, mass = known.legs, known.trunk[0], machine().mass
    arms = legs["hip"] + legs["foot"] - trunk.p_BC
    arms[:, :2] -= arms[:, :2].mean(axis=0)  # 'check' leans if it is off the middle
    found = soft_margin(trunk, legs, stance().legs, feet, LIFTED_NONE)
    judged = compliant_stance(mass, [Foot(arm, stiffness) for arm in arms])
    assert found == pytest.approx(1.0 - judged.multiplier, abs=1e-6)


def test_a_foot_less_has_less_margin_and_two_have_none():
    known, feet = estimate(), FootSoftness.zeros(4)
    feet["stiffness"] = 2591.0
    trunk, legs, all_stand = known.trunk[0], known.legs, stance().legs
    four = soft_margin(trunk, legs, all_stand, feet, LIFTED_NONE)
    three = [soft_margin(trunk, legs, all_stand, feet, k) for k in range(4)]
    assert max(three) < four
    lines = stance(stands=(1, 0, 0, 1)).legs
    assert soft_margin(trunk, legs, lines, feet, LIFTED_NONE) == -9.0
