"""Reflexes that stop the machine: by hand, and on a blind machine."""

import dataclasses

import numpy as np
import pytest

from equipoise.control.parts import Asked, nothing_asked
from equipoise.control.pilot import Goal
from equipoise.control.reflexes.deadman import DeadmanConfig, DeadmanReflex
from equipoise.control.reflexes.freeze import FreezeConfig, FreezeReflex
from equipoise.control.walker import walker, walker_config
from equipoise.core.errors import ConfigError
from oracles.walking_parts import DT, estimate, machine, recorded, stance


def vetoes(reflex, sequence):
    """Return whether all legs, or none, were vetoed at each estimate."""
    state, rows = reflex.init(), []
    for known in sequence:
        asked = nothing_asked(4)
        state = reflex.step(known, stance(), np.zeros((6, 4, 3)), asked, state)
        assert len(set(asked.veto)) == 1
        rows.append(asked.veto[0] > 0.0)
    return rows


def test_no_leg_lifts_from_one_tilt_on_until_another():
    reflex = FreezeReflex(FreezeConfig(tilt=0.25, upright=0.12))
    level = estimate().footholds
    rolls = [0.0, 0.2, 0.24, 0.26, 0.2, 0.13, 0.11, 0.2, -0.3, 0.0]
    known = [estimate(tilt=(roll, 0.0, 0.0)) for roll in rolls]
    for one in known:
        one.footholds[:] = level
    expected = [0, 0, 0, 1, 1, 1, 0, 0, 1, 0]
    assert vetoes(reflex, known) == [bool(x) for x in expected]
    for one, roll in zip(known, rolls, strict=True):
        one.trunk[:] = estimate(tilt=(0.0, roll, 0.3)).trunk
    assert vetoes(reflex, known) == [bool(x) for x in expected]


def test_a_trunk_along_a_slope_is_not_tilted():
    known = estimate(tilt=(0.0, -0.3, 0.0))  # parallel to its own footholds
    assert vetoes(FreezeReflex(), [known]) == [False]


def test_a_foot_that_feels_nothing_while_others_do():
    reflex = FreezeReflex(FreezeConfig(silent=0.01))
    mute = estimate(load=(150.0, np.nan, 150.0, 150.0))
    found = vetoes(reflex, [mute] * 8 + [estimate()] * 2)
    assert found == [False] * 5 + [True] * 3 + [False] * 2  # 0.01 s are five ticks
    assert not any(vetoes(reflex, [estimate(load=np.nan)] * 20))  # no cells at all


def test_angles_the_wrong_way_round_are_refused():
    with pytest.raises(ConfigError, match="upright"):
        FreezeConfig(tilt=0.1, upright=0.2)


def test_stale_readings_freeze_aims_and_fade_forces():
    reflex, known = DeadmanReflex(DeadmanConfig(ticks=3, fade=0.3)), estimate()
    state, seen = reflex.init(), []
    for k in range(8):
        known.time = DT * min(k, 2)  # the clock stops at the third tick
        aim, asked = np.full((6, 4, 3), 1.0 + k), nothing_asked(4)
        state = reflex.step(known, stance(), aim, asked, state)
        seen.append((asked.halt, aim))
    assert [halt for halt, _ in seen] == [0.0] * 5 + [1.0] * 3
    for k, (_, aim) in enumerate(seen[:5]):
        assert (aim == 1.0 + k).all()
    for n, (_, aim) in enumerate(seen[5:]):
        assert (aim[0] == 5.0).all()  # of the last tick that was borne
        assert (aim[[1, 5]] == 0.0).all()
        # rounding: a product a tick
        assert aim[2] == pytest.approx(5.0 * np.exp(-n * DT / 0.3), rel=1e-14)
        assert (aim[3:5] == 6.0 + n).all()  # the springs hold as before
    known.time += DT
    aim, asked = np.ones((6, 4, 3)), nothing_asked(4)
    reflex.step(known, stance(), aim, asked, state)
    assert asked.halt == 0.0
    assert (aim == 1.0).all()


def test_senses_that_all_fail_count_as_stale_but_a_machine_at_rest_does_not():
    reflex = DeadmanReflex()
    for load, expected in ((np.nan, 1.0), (150.0, 0.0)):
        state, known = reflex.init(), estimate(load=load)
        asked = nothing_asked(4)
        for k in range(6):
            known.time = k * DT
            asked = Asked(np.zeros(4), 0.0, 0.0, np.zeros((4, 3)))
            state = reflex.step(known, stance(), np.zeros((6, 4, 3)), asked, state)
        assert asked.halt == expected


def test_a_walking_machine_that_goes_blind_puts_its_feet_down_and_stays():
    config = dataclasses.replace(walker_config("trot"), reflexes=("deadman",))
    control = walker(machine(), (Goal(time=0.1, forward=0.3),), config)
    state = control.init()
    for reading in recorded()[:320]:
        command, state = control.step(reading, state)
    assert command.telemetry["walking"] == 1.0
    assert command.telemetry["standing"] < 15.0  # some legs are in the air
    names = ("q", "v", "current", "gyro", "acceleration", "inclination", "load", "pad")
    blind = {n: np.full_like(getattr(reading, n), np.nan) for n in names}
    for k in range(400):
        lost = dataclasses.replace(reading, time=reading.time + k * DT, **blind)
        command, state = control.step(lost, state)
    assert command.telemetry["walking"] == 0.0
    assert command.telemetry["standing"] == 15.0
