"""How fast legs keep up, by hand; the plan's numbers are those that were asked for."""

import math

import numpy as np
import pytest

from equipoise.control.gaits.leg_limits import (
    HALVINGS,
    LegLimits,
    allowed_share,
    highest_share,
)
from equipoise.control.planners.stopping import (
    StoppingConfig,
    StoppingPlanner,
    StoppingState,
)
from oracles.asv import asv_machine


def legs(**change):
    """Return one leg, ahead and to the left, that stands for 0.6 of its cycle."""
    one = LegLimits.zeros(1)
    given = {
        "place": (0.4, 0.2, -0.5), "lower": (-0.3, -0.2), "upper": (0.5, 0.25),
        "speed": (5.0, 4.0), "push": (60.0, 50.0), "duty": 0.6,
    }  # fmt: skip
    for name, value in (given | change).items():
        one[name][0] = value
    return one


# A foot that goes at v stands for 2 room / v at most, and 0.6 s by the clock. A way of
# v (0.4 + 0.6) takes a fifth-order swing 1.875 way / (speed + v), and by its force
# 2 √(way / push); the clock gives the swing 0.4 s of each 0.6 s.
@pytest.mark.parametrize(
    ("velocity", "share"),
    [
        ((0.0, 0.0, 0.0), 1.0),
        ((0.5, 0.0, 0.0), 1.0),
        ((1.25, 0.0, 0.0), (0.6 / 1.25) / 0.6),
        ((-1.25, 0.0, 0.0), (0.6 / 1.25) / 0.6),
        ((0.0, 1.0, 0.0), (0.4 / 1.0) / 0.6),
        ((2.0, 0.0, 0.0), (0.6 / 2.0) / (1.5 * 1.875 * 2.0 / 7.0)),
        ((0.0, -1.5, 0.0), (0.4 / 1.5) / (1.5 * 1.875 * 1.5 / 5.5)),
        # the foot goes with the trunk's turn: (-0.2, 0.4) times the rate
        ((0.0, 0.0, 3.0), (0.4 / 1.2) / (1.5 * 1.875 * 1.2 / 5.2)),
        ((1.3, 0.0, -1.0), (0.6 / 1.5) / (1.5 * 1.875 * 1.5 / 6.5)),
        ((1.7, 0.0, 1.0), (0.6 / 1.5) / (1.5 * 1.875 * 1.5 / 6.5)),
        ((-0.2, 0.6, 1.0), (0.4 / 1.0) / 0.6),
        ((0.2, 1.4, -1.0), (0.4 / 1.0) / 0.6),
    ],
)
def test_a_share_is_the_longest_stand_over_the_shortest(velocity, share):
    assert allowed_share(*velocity, 1.0, legs()) == pytest.approx(share, rel=1e-12)


def test_a_weak_leg_is_held_back_by_its_force():
    weak = legs(push=(2.0, 2.0))
    wanted = (0.6 / 1.25) / (1.5 * 2.0 * math.sqrt(1.25 / 2.0))
    assert allowed_share(1.25, 0.0, 0.0, 1.0, weak) == pytest.approx(wanted)


def test_the_slowest_leg_counts_and_the_cycle_s_length():
    both = np.concatenate([legs(), legs(lower=(-0.2, -0.2), upper=(0.2, 0.25))])
    two = LegLimits.zeros(2)
    two[:] = both
    assert allowed_share(1.25, 0.0, 0.0, 1.0, two) == pytest.approx(0.4 / 1.25 / 0.6)
    assert allowed_share(1.25, 0.0, 0.0, 2.0, legs()) == pytest.approx(0.6 / 1.25 / 1.2)


@pytest.mark.parametrize("velocity", [(2.0, 0, 0), (0.5, 1.0, 2.0), (-3.0, 0, -1.0)])
def test_the_highest_share_is_the_last_at_which_legs_keep_up(velocity):
    s, step = highest_share(*velocity, 1.0, legs()), 2.0**-HALVINGS
    assert 0.0 < s < 1.0
    slower = [allowed_share(*(k * v for v in velocity), 1.0, legs())
              for k in (s, s + 1.01 * step)]  # fmt: skip
    assert slower[0] >= 1.0 > slower[1]
    assert highest_share(0.1, 0.0, 0.0, 1.0, legs()) == 1.0


def test_a_plan_is_as_it_was_asked_for_from_the_start():
    config = StoppingConfig(
        segment=0.4, stop=0.7, turn_stop=0.2, acceleration=0.9, turn_acceleration=0.25,
        sample=0.03, period=0.15, margin=0.12, settle=0.8, is_limited=False,
    )  # fmt: skip
    state = StoppingPlanner(config).init(asv_machine())
    plan, settings = state.plan[0], state.model[0].config
    assert (plan.lasts, plan.stops, plan.spins_down) == (0.4, 0.7, 0.2)
    kept = "segment stop turn_stop acceleration turn_acceleration period margin settle"
    for name in (*kept.split(), "friction", "most", "short"):
        assert getattr(settings, name) == getattr(config, name), name
    assert (settings.sample, settings.is_limited) == (0.03, False)
    for mode, free, stays in (("precision", 0, 1), ("tripod", 0, 0), ("terrain", 1, 0)):
        one = StoppingPlanner(StoppingConfig(mode=mode)).init(asv_machine()).model
        assert (one[0].is_free, one[0].stays) == (free, stays)


def test_what_is_told_of_a_plan_is_each_its_own():
    planner = StoppingPlanner()
    start = planner.init(asv_machine())
    plan, memory = start.plan, start.memory
    plan["made"] = 2.5
    told = {"time": 9.0, "stops": 2.0, "tried": 30.0, "refused": 4.0, "shrunk": 5.0}
    for name, value in {**told, "reason": 3.0, "mode": 1.0}.items():
        memory[name] = value
    state = StoppingState(plan, memory, start.model, start.limits)
    assert planner.tell(state) == {
        "plan_age": 6.5, "stop_armed": 1.0, "stops_executed": 2.0, "plan_made": 26.0,
        "plan_failed": 4.0, "plan_shrunk": 5.0, "plan_reason": 3.0, "mode": 1.0,
    }  # fmt: skip
