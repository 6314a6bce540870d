"""Reflexes that change aims: by hand."""

import numpy as np
import pytest

from equipoise.control.records import LegAim
from equipoise.control.reflexes.elevate import ElevateConfig, ElevateReflex
from equipoise.control.reflexes.reach import ReachConfig, ReachReflex
from equipoise.control.reflexes.withdraw import WithdrawConfig, WithdrawReflex
from equipoise.control.signals import nothing_asked
from oracles.walking_parts import DT, estimate, machine, stance


def told(reflex, found, known=None, state=None):
    """Return aims that were zero before the reflex, and its next state."""
    asked, state = nothing_asked(machine()), first(reflex) if state is None else state
    asked, state = reflex.step(known or estimate(), found, asked, state)
    return asked.legs, state


def first(reflex):
    """Return the state before the first tick."""
    return reflex.init(machine())


def is_zero(aim):
    """Say whether nothing is told to any leg."""
    return not any(aim[name].any() for name in LegAim.entries)


def test_a_late_foot_goes_down_at_its_speed_until_its_depth():
    reflex = ReachReflex(ReachConfig(speed=0.25, depth=0.12))
    for late, deep, speed in ((0.1, 0.025, 0.25), (0.4, 0.1, 0.25), (0.9, 0.12, 0.0)):
        aim, state = told(reflex, stance((0, 1, 1, 1), progress=1.0, late=late))
        assert reflex.tell(state) == {"reach_active": 1.0}
        assert aim[0].place[2] == pytest.approx(-deep, rel=1e-12)  # rounding
        assert aim[0].velocity[2] == -speed
        aim[0].place[2] = aim[0].velocity[2] = 0.0
        assert is_zero(aim)  # nothing else: standing feet keep their aims
    aim, state = told(reflex, stance((0, 1, 1, 1), progress=0.5))
    assert is_zero(aim)
    assert reflex.tell(state) == {"reach_active": 0.0}


def test_a_foot_that_hits_something_is_lifted_for_the_rest_of_its_swing():
    reflex = ElevateReflex(ElevateConfig(height=0.03, time=0.03, load=30.0))
    found, hits, free = stance((0, 1, 1, 1), 0.4), estimate(), estimate(load=0.0)
    aim, state = told(reflex, found, hits)
    step = 0.03 * DT / 0.03
    assert state[0] == pytest.approx(step, rel=1e-12)  # rounding
    assert aim[0].place[2] == pytest.approx(step * np.sin(0.4 * np.pi), rel=1e-12)
    for _ in range(40):
        aim, state = told(reflex, found, hits, state)
    assert state[0] == 0.03  # no higher
    assert reflex.tell(state) == {"elevate_active": 1.0}
    aim, state = told(reflex, stance((0, 1, 1, 1), 0.6), free, state)
    assert aim[0].place[2] == pytest.approx(0.03 * np.sin(0.6 * np.pi), rel=1e-12)
    aim[0].place[2] = 0.0
    assert is_zero(aim)
    _, state = told(reflex, stance(), free, state)
    assert not state.any()  # it stands: the next swing is as low as before
    assert reflex.tell(state) == {"elevate_active": 0.0}


@pytest.mark.parametrize("share, load", [(0.05, 150.0), (0.8, 150.0), (0.4, 29.0)])
def test_lift_off_landing_and_light_touches_are_no_hits(share, load):
    reflex = ElevateReflex(ElevateConfig(load=30.0))
    aim, state = told(reflex, stance((0, 1, 1, 1), share), estimate(load=load))
    assert not state.any()
    assert is_zero(aim)


@pytest.mark.parametrize(("sank", "lift"), [(0.005, 0.0), (0.05, 0.04), (0.2, 0.1)])
def test_a_foot_that_sank_is_lifted_by_as_much_in_its_next_swing(sank, lift):
    reflex = WithdrawReflex(WithdrawConfig(firm=0.01, most=0.1))
    _, state = told(reflex, stance(), estimate(p_WB=(0.0, 0.0, 0.5)))
    _, state = told(reflex, stance(), estimate(p_WB=(0.0, 0.0, 0.5 - sank)), state)
    assert reflex.tell(state) == {"withdraw_active": 0.0}
    aim, state = told(reflex, stance((0, 1, 1, 1), 0.3), state=state)
    assert reflex.tell(state) == {"withdraw_active": float(lift > 0.0)}
    # closed form: the depth beyond what counts as none, over a sine; rounding
    assert aim[0].place[2] == pytest.approx(lift * np.sin(0.3 * np.pi), abs=1e-12)
    aim[0].place[2] = 0.0
    assert is_zero(aim)
    _, state = told(reflex, stance(), estimate(), state)  # it lands anew, on top
    aim, _ = told(reflex, stance((0, 1, 1, 1), 0.3), state=state)
    assert is_zero(aim)
