"""Reflexes that stop the machine: by hand, and on a blind machine."""

import dataclasses

import numpy as np
import pytest

from equipoise.control.pilot import WalkingGoal
from equipoise.control.reflexes.deadman import DeadmanConfig, DeadmanReflex
from equipoise.control.reflexes.freeze import FreezeConfig, FreezeReflex
from equipoise.control.signals import nothing_asked
from equipoise.control.walker import walker, walker_config
from equipoise.core.errors import ConfigError
from oracles.walking_parts import DT, estimate, machine, recorded, stance


def vetoes(reflex, sequence):
    """Return whether all legs, or none, were vetoed at each estimate."""
    state, rows = reflex.init(machine()), []
    for known in sequence:
        asked = nothing_asked(machine())
        asked, state = reflex.step(known, stance(), asked, state)
        assert len(set(asked.legs["veto"])) == 1
        rows.append(asked.legs[0].veto > 0.0)
        assert reflex.tell(state) == {"freeze_active": float(rows[-1])}
    return rows


AIMED = ("place", "velocity", "force", "stiffness", "damping", "acceleration")


def told(number):
    """Return aims that are all the same number."""
    asked = nothing_asked(machine())
    for name in AIMED:
        asked.legs[name] = number
    return asked


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
        one.trunk = estimate(tilt=(0.0, roll, 0.3)).trunk
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
    state, seen = reflex.init(machine()), []
    for k in range(8):
        known.trunk["time"] = DT * min(k, 2)  # the clock stops at the third tick
        asked = told(1.0 + k)
        asked, state = reflex.step(known, stance(), asked, state)
        seen.append((asked.clock[0].halt, asked.legs))
        assert reflex.tell(state) == {"deadman_active": asked.clock[0].halt}
    assert [halt for halt, _ in seen] == [0.0] * 5 + [1.0] * 3
    for k, (_, aim) in enumerate(seen[:5]):
        assert all((aim[name] == 1.0 + k).all() for name in AIMED)
    for n, (_, aim) in enumerate(seen[5:]):
        assert (aim["place"] == 5.0).all()  # of the last tick that was borne
        assert (aim["velocity"] == 0.0).all() and (aim["acceleration"] == 0.0).all()
        # rounding: a product a tick
        assert aim["force"] == pytest.approx(5.0 * np.exp(-n * DT / 0.3), rel=1e-14)
        for name in ("stiffness", "damping"):
            assert (aim[name] == 6.0 + n).all()  # the springs hold as before
    known.trunk["time"] += DT
    asked = told(1.0)
    asked, _ = reflex.step(known, stance(), asked, state)
    assert asked.clock[0].halt == 0.0
    assert all((asked.legs[name] == 1.0).all() for name in AIMED)


def test_senses_that_all_fail_count_as_stale_but_a_machine_at_rest_does_not():
    reflex = DeadmanReflex()
    for load, expected in ((np.nan, 1.0), (150.0, 0.0)):
        state, known = reflex.init(machine()), estimate(load=load)
        asked = nothing_asked(machine())
        for k in range(6):
            known.trunk["time"] = k * DT
            asked = nothing_asked(machine())
            asked, state = reflex.step(known, stance(), asked, state)
        assert asked.clock[0].halt == expected


def test_a_walking_machine_that_goes_blind_puts_its_feet_down_and_stays():
    config = dataclasses.replace(walker_config("trot"), reflexes=("deadman",))
    control = walker(machine(), (WalkingGoal(time=0.1, forward=0.3),), config)
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
