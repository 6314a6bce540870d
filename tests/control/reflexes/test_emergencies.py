"""TITAN III's emergency actions: by hand."""

import numpy as np
import pytest

from equipoise.control.reflexes.retract import RetractConfig, RetractReflex
from equipoise.control.reflexes.seek import SeekConfig, SeekReflex
from equipoise.control.reflexes.tread import TreadConfig, TreadReflex
from equipoise.control.signals import nothing_asked
from oracles.walking_parts import DT, estimate, machine, stance


def told(reflex, found, known=None, state=None, velocity=0.0):
    """Return what is asked after a reflex, and its next state."""
    asked = nothing_asked(machine())
    asked.legs["velocity"][:, 0] = velocity
    state = reflex.init(machine()) if state is None else state
    return reflex.step(known or estimate(), found, asked, state)


def felt(force):
    """Return an estimate with a level force on every foot."""
    known = estimate()
    known.legs = known.legs.copy()
    known.legs["force"] = force, 0.0, 0.0
    return known


def test_a_late_foot_goes_down_stays_and_comes_up_before_it_gives_up():
    reflex = SeekReflex(SeekConfig(speed=0.25, depth=0.15, patience=0.1, clear=0.05))
    for late, deep in ((0.2, 0.05), (0.65, 0.15), (1.1, 0.05), (1.4, -0.025)):
        asked, state = told(reflex, stance((0, 1, 1, 1), progress=1.0, late=late))
        assert asked.legs[0].place[2] == pytest.approx(-deep, abs=1e-12)  # rounding
        assert not asked.legs["banned"].any()
        assert reflex.tell(state) == {"seek_active": 1.0}
    asked, _ = told(reflex, stance((0, 1, 1, 1), progress=1.0, late=1.51))
    assert list(asked.legs["banned"]) == [1.0, 0.0, 0.0, 0.0]


def test_an_edge_under_a_foot_that_has_just_landed_is_no_foothold():
    reflex, known = SeekReflex(), felt(0.0)
    known.legs["edge"] = 0.0
    known.legs["edge"][2] = 0.5
    asked, state = told(reflex, stance(), known)
    assert not asked.legs["banned"].any()  # it has stood there for long
    _, state = told(reflex, stance((1, 1, 0, 1), progress=0.5), known, state)
    asked, _ = told(reflex, stance(), known, state)
    assert list(asked.legs["banned"]) == [0.0, 0.0, 1.0, 0.0]


def test_a_foot_that_hits_goes_back_and_up_while_all_else_waits_and_then_on_higher():
    c = RetractConfig(force=50.0, back=0.08, up=0.14, time=0.2, tries=3.0)
    reflex, hits, free = RetractReflex(c), felt(-60.0), felt(0.0)
    found, state = stance((0, 1, 1, 1), progress=0.4), None
    foot = hits.legs["foot"][0].copy()
    for _ in range(20):
        asked, state = told(reflex, found, hits, state, velocity=1.0)
        if state[0].active:
            break
    assert state[0].active
    ticks = round(c.time / DT)
    for _ in range(ticks):
        asked, state = told(reflex, found, free, state, velocity=1.0)
        assert asked.clock[0].hold > 0.0
    # aims were zero: the foot is told to be back from where it is, and above its way
    np.testing.assert_allclose(
        asked.legs[0].place, [foot[0] - 0.08, foot[1], 0.14], atol=1e-3
    )
    for _ in range(ticks + 2):
        asked, state = told(reflex, found, free, state, velocity=1.0)
    assert asked.clock[0].hold == 0.0 and not state[0].active
    np.testing.assert_allclose(asked.legs[0].place, [0.0, 0.0, 0.14], atol=1e-12)
    assert reflex.tell(state) == {"retract_active": 0.0, "retract_tries": 1.0}
    asked, state = told(reflex, stance((0, 1, 1, 1), 1.0, late=0.1), free, state)
    assert asked.legs[0].place[2] == pytest.approx(0.14 - 0.3 * DT, abs=1e-12)  # down


def test_a_foothold_is_given_up_after_its_tries():
    reflex, hits = RetractReflex(RetractConfig(tries=3.0, time=0.05)), felt(100.0)
    found, state, tries = stance((0, 1, 1, 1), progress=0.4), None, set()
    for _ in range(2000):
        asked, state = told(reflex, found, hits, state, velocity=1.0)
        tries.add(float(state[0].tries))
        if asked.legs[0].banned > 0.0:
            break
    assert asked.legs[0].banned == 1.0 and tries == {0.0, 1.0, 2.0, 3.0}
    _, state = told(reflex, found, felt(np.nan))  # nothing is felt: nothing was hit
    assert state[0].felt == 0.0


def test_a_standing_foot_without_load_is_lowered_after_a_while():
    reflex, state = TreadReflex(TreadConfig(patience=0.1, speed=0.2, depth=0.03)), None
    bare = estimate(load=0.0)
    for _ in range(round(0.1 / DT) - 1):
        asked, state = told(reflex, stance(), bare, state)
    assert not asked.legs["place"].any()  # moments without load are usual
    for _ in range(round(0.1 / DT)):
        asked, state = told(reflex, stance(), bare, state)
    assert asked.legs[0].place[2] == pytest.approx(-0.02, abs=0.2 * DT + 1e-12)
    for _ in range(round(0.5 / DT)):
        asked, state = told(reflex, stance(), bare, state)
    assert asked.legs[0].place[2] == pytest.approx(-0.03, abs=0.2 * DT + 1e-12)
    for _ in range(round(1.0 / DT)):
        asked, state = told(reflex, stance(), estimate(load=100.0), state)
    assert abs(asked.legs[0].place[2]) < 1e-3  # its foothold is lower now
