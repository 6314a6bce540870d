"""Walknet's nets against the leg's own kinematics, which they do not know."""

import dataclasses
import math

import numpy as np
import pytest

import equipoise as eq
from equipoise.control.leg_programs.nets import NetsConfig, NetsProgram
from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.machine import legged_machine
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.records import GaitClock, LegStance, Travel, TrunkEstimate
from equipoise.control.signals import NOTHING_PLANNED, Estimate, WalkingStance
from equipoise.control.walknet.fitted import answer, fitted_nets
from equipoise.control.walknet.stance import activation
from equipoise.core.errors import ConfigError

DT, SWING = 0.002, 0.4
BACK = np.array([-0.22, 0.0, 0.0])  # from the stand, about a stride's end [rad]
TUM = legged_machine(eq.load("tum"))
STAND = TUM.geometry.stand.reshape(6, 3)
DOWN = np.array([0.0, 0.0, -TUM.height])
LAW = leg_law(TUM.geometry, TUM.drives, LegLawConfig())
NETS = fitted_nets(TUM, 0.01)


def feet(q):
    """Return the feet from their hips, (6, 3) [m]."""
    legs = first_estimate(TUM.geometry.legs, 3)
    legs["q"] = q
    observe_legs(TUM.geometry.legs, legs)
    return np.array(legs["foot"])


class Bench:
    """The machine held up by its trunk: joints do at once what they are told."""

    def __init__(self, velocity=(0.4, 0.0, 0.0), q=STAND, **settings):
        self.program = NetsProgram(LAW, NetsConfig(**settings))
        self.state, self.q, self.v = self.program.init(), np.array(q), np.zeros((6, 3))
        self.travel, self.turns = Travel.zeros(), 0.0
        self.travel["velocity"], self.travel["walks"] = velocity, 1.0
        self.legs = LegStance.zeros(6)
        self.legs["stands"], self.legs["swing"] = 1.0, SWING
        self.blocked = False

    def tick(self):
        """Advance by a tick; return the joints' speeds."""
        legs, trunk = first_estimate(TUM.geometry.legs, 3), TrunkEstimate.zeros()
        legs["q"], legs["v"] = self.q, self.v
        observe_legs(TUM.geometry.legs, legs)
        trunk["dt"], trunk["height"] = DT, TUM.height
        trunk["w_WB_B"][0, 2] = self.turns
        plan = dataclasses.replace(NOTHING_PLANNED, travel=self.travel)
        known = Estimate(TUM, trunk, legs, plan=plan)
        stance = WalkingStance(self.legs, GaitClock.zeros())
        aim, self.state = self.program.step(known, stance, None, self.state)
        self.v = np.array(aim["rate"])
        if self.blocked:
            self.v[:, 0] = 0.0
        self.q = self.q + DT * self.v
        return np.array(aim["rate"])

    def swing(self, share=1.0):
        """Swing all legs for a share of their time; return feet and speeds."""
        self.legs["stands"] = 0.0
        out = []
        for k in range(round(share * SWING / DT)):
            self.legs["progress"] = min(k * DT / SWING, 1.0)
            rate = self.tick()
            out.append((feet(self.q), rate))
        return [np.array(each) for each in zip(*out, strict=True)]


def test_the_height_net_knows_how_high_a_leg_stands(rng):
    q = STAND + rng.uniform(-0.25, 0.25, (6, 3))
    low = -feet(q)[:, 2]
    for one in range(6):
        told = answer.py_func(NETS["height"][one], *(q[one] - STAND[one]))
        # a fit of second order: 0.7 mm at most where it was fitted, this is beyond
        assert told == pytest.approx(low[one], abs=4e-3)


def test_the_target_net_puts_feet_where_they_belong():
    place = np.array([0.07, -0.02, -0.01])
    q = [
        [answer.py_func(NETS["target"][one, j], *place) for j in range(3)]
        for one in range(6)
    ]
    found = feet(STAND + np.array(q)) - DOWN
    # 0.015 rad at most where it was fitted, on legs of 0.3 m
    assert np.abs(found - place).max() < 5e-3


def test_rule_4_puts_a_foot_behind_that_of_the_leg_before(rng):
    theirs = STAND + rng.uniform(-0.15, 0.15, (6, 3))
    theirs[:, 0] -= 0.15  # well back, where the leg behind reaches it
    gap = TUM.geometry.hips
    assert NETS["before"].tolist() == [-1, -1, 0, 1, 2, 3]
    for one in range(2, 6):
        x = theirs[one - 2] - STAND[one - 2]
        q = np.array(STAND)
        q[one] += [answer.py_func(NETS["behind"][one, j], *x) for j in range(3)]
        goal = feet(theirs)[one - 2] + gap[one - 2] - gap[one] - [0.01, 0.0, 0.0]
        assert np.abs(feet(q)[one] - goal).max() < 0.01  # the other foot's own size


def test_a_swing_rises_goes_evenly_and_ends_at_its_target():
    bench = Bench(q=STAND + BACK)
    bench.tick()
    way, rate = bench.swing(2.0)  # in the air for longer than there is ground
    end, config = way[-1], NetsConfig()
    goal = [0.5 * config.stride, 0.0, -TUM.height - config.press]
    assert np.abs(end - goal).max() < 0.004  # of the target net
    assert np.all(way[:, :, 2].max(axis=0) + TUM.height > 0.04)  # that high
    half = round(0.5 * SWING / DT)
    slows = rate[0, :, 0] / rate[half, :, 0]
    nears = (0.07 - way[0, :, 0]) / (0.07 - way[half, :, 0])  # as a linear net slows
    assert np.all(slows < 0.75 * nears) and np.all(nears > 2.0)
    rise = way[:, :, 2]
    bench = Bench(q=STAND - 0.5 * BACK)  # a short one rises as high
    bench.tick()
    assert np.abs(bench.swing()[0][:, :, 2].max() - rise.max()) < 0.02


def test_who_is_held_up_goes_back_and_up_and_then_on():
    bench = Bench(q=STAND + BACK)
    bench.tick()
    free = Bench(q=STAND + BACK)
    free.tick()
    _, usual = free.swing()
    bench.blocked = True
    _, held = bench.swing(0.25)
    bench.blocked = False
    _, rate = bench.swing(1.5)
    backs = np.concatenate([held, rate])[:, 0, 0] < 0.0
    assert usual[:, 0, 0].min() > 0.0  # never without
    assert abs(backs.sum() - round(0.05 / DT)) <= 1  # once
    k = int(np.argmax(held[:, 0, 0] < 0.0))
    assert held[k, 0, 1] > held[k - 1, 0, 1] + 2.0  # rad/s upwards
    assert np.abs(feet(bench.q)[:, 0] - 0.07).max() < 0.01  # and there after all


def test_y_of_the_text():
    assert activation.py_func(0.5) == 1.5
    assert activation.py_func(-1.0) == 0.5
    assert activation.py_func(0.0) == 1.0


def test_what_moves_a_standing_leg_is_gone_along_with():
    bench = Bench(velocity=(0.4, 0.0, 0.0), speed_gain=0.0, yielding=1.0)
    for _ in range(200):  # eight times the filter: e⁻⁸ is left
        bench.q, bench.v = np.array(STAND), np.tile([-1.5, 0.0, 0.2], (6, 1))
        rate = bench.tick()
        bench.q = np.array(STAND)
    assert rate[:, 0] == pytest.approx(-1.5, rel=1e-3)
    assert rate[:, 2] == pytest.approx(0.2, rel=1e-3)
    assert np.abs(rate[:, 1]).max() < 80.0 * 7e-4 / 0.27  # its height: the net's error


def test_no_leg_goes_forward_on_the_ground_but_by_its_heading():
    bench = Bench(velocity=(0.4, 0.0, 0.0))
    for _ in range(100):
        bench.q, bench.v = np.array(STAND), np.tile([+1.0, 0.0, 0.0], (6, 1))
        rate = bench.tick()
    least = -0.7 * 0.4 / NETS["ahead"][0]
    assert rate[:, 0] == pytest.approx(least, rel=1e-9)
    bench.turns = 0.1  # to the left, which nobody asked for
    more = bench.tick()[:, 0] - least
    assert np.all(more * TUM.side < 0.0)  # left legs push, though at their least


def test_by_inverse_kinematics_feet_go_as_the_ground_does():
    q = STAND - 0.5 * BACK
    bench = Bench(velocity=(0.3, 0.1, 0.2), q=q, stance="ik", height_rate=1e-9)
    legs = first_estimate(TUM.geometry.legs, 3)
    legs["q"] = q
    observe_legs(TUM.geometry.legs, legs)
    bench.turns = 0.2  # as asked
    bench.tick()
    bench.q, bench.v = np.array(q), np.zeros((6, 3))
    rate = np.einsum("lij,lj->li", legs["jacobian"], bench.tick())
    arm = TUM.geometry.hips + legs["foot"]
    ground = np.stack([-0.3 + 0.2 * arm[:, 1], -0.1 - 0.2 * arm[:, 0]], axis=1)
    lead = 50.0 * 2.0 * DT * ground  # two ticks of the place's lead, to catch up with
    assert np.abs(rate[:, :2] - ground - lead).max() < 1e-12  # rounding
    assert np.abs(rate[:, 2]).max() < 1e-6


def test_a_machine_that_rests_is_held():
    bench = Bench()
    bench.travel["walks"] = 0.0
    bench.tick()
    bench.q = STAND + np.array([0.05, -0.05, 0.05])
    for _ in range(100):
        bench.tick()
    assert np.abs(bench.q[:, ::2] - STAND[:, ::2]).max() < 1e-3
    assert np.abs(-feet(bench.q)[:, 2] - TUM.height).max() < 2e-3


def test_a_leg_that_rests_keeps_to_its_height_not_to_its_joints():
    bench = Bench()
    bench.travel["walks"] = 0.0
    bench.tick()
    high = np.array([0.0, 0.1, 0.0])  # all stood up like this, which is not the height
    bench.state.legs["held"] = bench.q + high
    bench.q = bench.q + high
    for _ in range(400):
        bench.tick()
    assert np.abs(-feet(bench.q)[:, 2] - TUM.height).max() < 2e-3


def test_wrong_settings_and_legs_are_refused():
    with pytest.raises(ConfigError, match="stance must be 'feedback' or 'ik'"):
        NetsConfig(stance="nets")
    with pytest.raises(ConfigError, match="filter_time"):
        NetsConfig(filter_time=0.0)
    with pytest.raises(ConfigError, match="press"):
        NetsConfig(press=math.nan)
