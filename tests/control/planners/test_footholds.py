"""Where feet belong and who leads, and how the trunk follows feet that have mass."""

import math

import numpy as np
import pytest

from equipoise.control.planners.body import PlannedMachine, rotated_by_yaw
from equipoise.control.planners.footholds import leading, standing
from equipoise.control.planners.recoil import swung, trunk_below
from equipoise.control.planners.segments import Course
from oracles.walking_parts import rotation

STAND = np.array([[0.6, 0.4], [0.5, -0.3], [-0.5, 0.4], [-0.4, -0.5]])
SHARES = np.array([[0.05, 0.02], [0.03, 0.04], [0.06, 0.01], [0.02, 0.05]])
BODY = PlannedMachine(STAND, np.array([0.02, -0.01]), SHARES, 3.2)


def course(heading=0.0, yaw=0.4, turn=0.3):
    return Course(0.0, np.zeros(2), heading, yaw, turn, (0.2, 0.2))


def test_feet_belong_about_the_centre_amid_their_support():
    """A wave and a half after it begins; the trunk has turned by then."""
    found = standing(course(), BODY, 0.6)
    R = rotation(0.0, 0.0, 0.4 + 1.5 * 0.6 * 0.3)[:2, :2]
    assert found == pytest.approx((STAND - STAND.mean(axis=0)) @ R.T)
    assert rotated_by_yaw(STAND, 0.7) == pytest.approx(
        STAND @ rotation(0, 0, 0.7)[:2, :2].T
    )


@pytest.mark.parametrize("heading", np.arange(8) * math.pi / 4 + 0.1)
def test_of_a_diagonal_the_leg_ahead_leads_and_diagonals_take_turns(heading):
    along = np.array([math.cos(heading), math.sin(heading)])
    for number in range(4):
        first, second = leading(course(heading), BODY, number, 0.6)
        assert {first, second} == ({0, 3} if number % 2 == 0 else {1, 2})
        places = standing(course(heading), BODY, 0.6) @ along
        assert places[first] > places[second]


def test_a_foot_swings_by_a_cubic_from_rest_to_rest():
    before, after = np.array([0.1, -0.2]), np.array([0.4, 0.3])
    shares = np.array([-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0])
    by = np.array([0.0, 0.0, 10 / 64, 0.5, 54 / 64, 1.0, 1.0])
    found = swung(before, after, shares)
    assert found == pytest.approx(before + by[:, None] * (after - before))


def test_the_trunk_is_where_feet_and_trunk_together_have_their_centre():
    """p_C = p + R (c + Σ σ (Rᵀ (f - p) - r)), solved for p and put in again."""
    rng = np.random.default_rng(3)
    centre, yaw = rng.normal(size=(5, 2)), rng.uniform(-2.0, 2.0, 5)
    feet = rng.normal(size=(4, 5, 2))
    places = trunk_below(centre, feet, yaw, STAND, BODY.centre, SHARES)
    for k, (p, angle) in enumerate(zip(places, yaw, strict=True)):
        R = rotation(0.0, 0.0, angle)[:2, :2]
        own = BODY.centre.copy()
        for leg in range(4):
            own += SHARES[leg] * (R.T @ (feet[leg, k] - p) - STAND[leg])
        assert p + R @ own == pytest.approx(centre[k])
