"""Aims of standing and swinging legs: footholds seen again, swings differentiated."""

import numpy as np
import pytest

from equipoise.control.leg_programs.steps import StepConfig, Steps
from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.records import LegBalance
from equipoise.control.signals import BalanceCommand
from oracles.walking_parts import estimate, machine, reference, rotation, stance

EPS = np.finfo(float).eps
STEP = EPS ** (1 / 3)  # of central differences
SWING, SUPPORT = 0.35, 0.4


def steps(**settings):
    """Return WARP1's steps."""
    m = machine()
    law = leg_law(m.geometry, m.drives, LegLawConfig())
    return Steps(law, StepConfig(**settings))


def balanced(trunk, shift=(0.0, 0.0), force=(0.0, 0.0, 0.0)):
    """Return a balance command that is the same for all legs."""
    legs = LegBalance.zeros(4)
    legs["force"], legs["shift"], legs["spring"] = force, shift, 1.0
    return BalanceCommand(trunk, legs)


def test_a_standing_leg_aims_at_its_foothold_as_the_reference_sees_it(rng):
    known, g = estimate(), machine().geometry
    known.footholds[:] += rng.normal(0.0, 0.05, (4, 3))
    at, tilt = rng.normal(0.0, 0.1, 3), rng.uniform(-0.4, 0.4, 3)
    goes, turns = rng.normal(0.0, 0.3, 3), 0.4

    def seen(time):
        R = rotation(tilt[0], tilt[1], tilt[2] + turns * time)
        return (known.footholds - at - goes * time) @ R - g.hips

    trunk, f = reference(at, tilt, goes, turns), (1.0, -2.0, -150.0)
    aim, _ = steps().step(known, stance(), balanced(trunk, force=f), steps().init())
    assert np.allclose(aim["place"], seen(0.0), rtol=0, atol=16 * EPS)  # rounding
    # derivative by central differences: third root of eps, squared
    rate = (seen(STEP) - seen(-STEP)) / (2.0 * STEP)
    assert np.allclose(aim["velocity"], rate, rtol=0, atol=10 * STEP**2)
    assert (aim["force"] == f).all()
    assert (aim["stiffness"] == (4000.0, 4000.0, 10_000.0)).all()
    assert (aim["acceleration"] == 0.0).all()
    assert (aim["landing"] == known.legs["foot"]).all()
    assert (aim["veto"] == 0.0).all()


class Swing:
    """A swing that has begun: leg 0 in the air, aims by the share that is over."""

    def __init__(self, shift=(0.0, 0.0), goes=(0.3, -0.1, 0.0), turns=0.2, **settings):
        places = np.tile([0.0, 0.0, -0.5], (4, 1))
        places[0] = [-0.06, 0.02, -0.49]
        self.known = estimate(places, p_WB=(0.1, 0.2, 0.5), tilt=(0.0, 0.0, 0.3))
        self.trunk = reference((0.1, 0.2, 0.5), (0.0, 0.0, 0.3), goes, turns)
        self.part, self.shift = steps(**settings), shift
        self.state = self.answer(0.0, self.part.init())[1]

    def answer(self, share, state, late=0.0):
        found = stance((0, 1, 1, 1), share, SWING, SUPPORT, late)
        return self.part.step(
            self.known, found, balanced(self.trunk, self.shift), state
        )

    def aim(self, share, late=0.0):
        return self.answer(share, self.state, late)[0][0]


@pytest.mark.parametrize("soft", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("match", [0.0, 1.0])
def test_a_swing_goes_from_where_the_foot_left_to_its_foothold(soft, match):
    swing = Swing(shift=(0.03, -0.02), soft_landing=soft, match=match, lift=0.06)
    g = machine().geometry
    # rounding; the trunk is at its reference
    assert np.allclose(
        swing.aim(0.0).place, swing.known.legs[0].foot, rtol=0, atol=16 * EPS
    )
    place = swing.trunk.places[0]
    c, s = np.cos(0.3), np.sin(0.3)
    v = np.array([c * 0.3 + s * -0.1, c * -0.1 - s * 0.3, 0.0])
    drift = v + 0.2 * np.array([-place[1], place[0], 0.0])  # of the ground, backwards
    goal = place + 0.5 * SUPPORT * drift + np.array([0.03, -0.02, 0.0]) - g.hips[0]
    assert np.allclose(swing.aim(1.0).place, goal, rtol=0, atol=32 * EPS)
    assert np.allclose(swing.aim(0.4).landing, goal, rtol=0, atol=32 * EPS)
    # at both ends it moves with the ground as far as asked, level
    for end in (0.0, 1.0):
        level = swing.aim(end).velocity[:2]
        assert np.allclose(level, -match * drift[:2], rtol=0, atol=1e-12)
    if soft == 1.0:
        assert abs(swing.aim(1.0).velocity[2]) < 1e-12  # lands without speed
    middle = swing.aim(0.5).place[2]
    middle -= 0.5 * (swing.aim(0.0).place + swing.aim(1.0).place)[2]
    assert middle == pytest.approx(0.06, abs=1e-12)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.72, 0.97])
def test_velocity_and_joint_acceleration_are_the_swings_derivatives(share):
    swing = Swing(shift=(0.03, -0.02))
    h = STEP
    rate = (swing.aim(share + h).place - swing.aim(share - h).place) / (2.0 * h * SWING)
    # central differences: third derivatives of the bump are near 100
    assert np.allclose(swing.aim(share).velocity, rate, rtol=0, atol=1e3 * STEP**2)
    bend = (swing.aim(share + h).velocity - swing.aim(share - h).velocity) / (
        2.0 * h * SWING
    )
    J = swing.known.legs[0].jacobian
    found = J @ swing.aim(share).acceleration
    assert np.allclose(found, bend, rtol=0, atol=1e4 * STEP**2)
    assert np.abs(bend).max() > 1.0


def test_a_late_foot_goes_on_with_the_ground():
    swing = Swing()
    early, later = swing.aim(1.0, late=1e-9).place, swing.aim(1.0, late=0.1).place
    assert np.allclose(early, swing.aim(1.0).place, rtol=0, atol=1e-8)  # continuous
    velocity = swing.aim(1.0, late=0.05).velocity
    assert np.allclose(later, early + 0.1 * velocity, rtol=0, atol=1e-8)
    assert (swing.aim(1.0, late=0.05).acceleration == 0.0).all()


def test_a_trunk_that_hangs_lifts_its_feet_higher_up_to_a_limit():
    for hangs, higher in ((0.03, 0.03), (0.2, 0.06), (-0.2, -0.02)):
        swing = Swing(sink=0.06)
        base = swing.aim(1.0).place[2]
        swing.known.p_WB[2] -= hangs
        assert swing.aim(1.0).place[2] - base == pytest.approx(higher, abs=1e-12)


def test_a_stretched_leg_is_not_accelerated():
    swing = Swing()
    swing.known.legs[0].jacobian[:] = [[0.0, 0.6, 0.3], [0.6, 0.0, 0.0], [0.0] * 3]
    assert (swing.aim(0.3).acceleration == 0.0).all()


def test_where_a_foot_left_is_kept_until_it_stands():
    swing = Swing()
    swing.known.legs[0].foot += 0.05  # the foot moves on; its beginning does not
    left = swing.state[0].left
    assert (swing.answer(0.5, swing.state)[1][0].left == left).all()
    told = balanced(swing.trunk)
    _, stood = swing.part.step(swing.known, stance(), told, swing.state)
    _, again = swing.answer(0.0, stood)
    assert np.abs(again[0].left - left).max() > 0.04
