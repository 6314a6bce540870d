"""Friction of ground that nobody describes, and how its defaults go together."""

from equipoise.control.balance.two_step import TwoStepConfig
from equipoise.control.planners.stopping import StoppingConfig
from equipoise.control.workspace.balancer import BalancerConfig
from equipoise.core.friction import (
    ASSUMED_FRICTION,
    DRAWN_FRICTION,
    MIDDLE_FRICTION,
    SLIPPERY_FRICTION,
)
from equipoise.runs.limits import LimitsConfig
from equipoise.runs.stand.config import StandConfig


def test_a_verdict_is_about_the_least_friction_that_walks_meet():
    assert ASSUMED_FRICTION == min(DRAWN_FRICTION)
    # Rounding: one sum and one product.
    assert abs(MIDDLE_FRICTION - 0.5 * sum(DRAWN_FRICTION)) < 1e-15


def test_controllers_trust_no_more_friction_than_their_ground_has():
    assert TwoStepConfig().friction < min(DRAWN_FRICTION)
    assert StoppingConfig().friction < min(DRAWN_FRICTION)
    assert BalancerConfig().friction <= SLIPPERY_FRICTION


def test_push_tests_and_standing_have_the_same_floor():
    assert StandConfig().friction == LimitsConfig().friction == SLIPPERY_FRICTION
