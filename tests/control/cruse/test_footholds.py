"""Rules 4, 5a and 6: where feet go, how hard they push, and off each other's feet."""

import math

import numpy as np
import pytest

import equipoise as eq
from equipoise.control.cruse.rules import CruseRules
from equipoise.control.machine import legged_machine
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.control.reflexes.coactivate import (
    CoactivateReflex,
    Resistance,
    coactivate,
)
from equipoise.control.signals import Estimate, nothing_asked
from equipoise.control.support.cruse import CruseConfig, CruseSupport

STRIDE, SPEED, DT = CruseConfig().stride, 0.2, 0.002


class Walker:
    """The hexapod's support part, on readings that are given to it."""

    def __init__(self, **rules):
        machine = legged_machine(eq.load("tum"))
        self.part = CruseSupport(CruseConfig(rules=CruseRules(**rules)))
        self.state = self.part.init(machine)
        trunk, legs = TrunkEstimate.zeros(), LegEstimate.zeros(6, joints=3)
        trunk["dt"], trunk["R_WB"], trunk["p_WB"] = DT, np.eye(3), [1.0, 2.0, 0.0]
        legs["hip"], legs["load"] = machine.geometry.hips, 40.0
        legs["foot"] = [0.0, 0.0, -0.2]
        legs["foothold"] = legs["hip"] + legs["foot"] + trunk["p_WB"]
        self.estimate = Estimate(machine, trunk, legs)
        self.goal, self.asked = Travel.zeros(), nothing_asked(machine)
        self.goal["velocity"], self.goal["walks"] = [SPEED, 0.0, 0.0], 1.0
        self.state.told["since"] = 5.0

    def step(self, times=1):
        for _ in range(times):
            stance, self.state = self.part.step(
                self.estimate, self.goal, self.asked, self.state
            )
        return stance.legs

    def lift_rear_left(self):
        self.estimate.legs["foot"][4, 0] = -STRIDE
        legs = self.step(8)
        assert list(legs["stands"]) == [1, 1, 1, 1, 0, 1]
        return legs


def test_a_leg_follows_the_one_before_it_as_far_as_it_may():
    walker = Walker(target=0.3)
    rear, middle = walker.estimate.legs["foothold"][[4, 2]]
    x, y, _ = walker.estimate.legs["hip"][4] + walker.estimate.trunk["p_WB"][0]
    x += SPEED * CruseConfig().swing + 0.5 * STRIDE
    goal = walker.lift_rear_left()["goal"][4]
    assert goal[:2] == pytest.approx([x + 0.3 * STRIDE, y], abs=1e-12)
    assert math.isnan(goal[2]) and rear[0] < goal[0] < middle[0]
    near = Walker(target=3.0)
    goal = near.lift_rear_left()["goal"][4]
    behind = middle - [CruseRules().target_behind * STRIDE, 0.0, 0.0]
    assert goal == pytest.approx(behind, abs=1e-12)  # all the way, and as high
    assert np.isnan(Walker().lift_rear_left()["goal"]).all()  # taken out


def test_a_foot_on_another_is_put_down_behind_it_once():
    for tread in (CruseRules().tread, 0.0):
        walker = Walker(tread=tread)
        legs = walker.lift_rear_left()
        walker.estimate.legs["foot"][4] = (
            walker.estimate.legs["hip"] + walker.estimate.legs["foot"]
        )[2] - walker.estimate.legs["hip"][4]
        walker.estimate.legs["load"][4] = 0.0
        legs = walker.step(round(1.1 * CruseConfig().swing / DT))
        assert legs["late"][4] > 0.0
        walker.estimate.legs["load"][4] = 40.0
        legs = walker.step(30)
        if tread == 0.0:
            assert legs["stands"][4] == 1.0  # taken out: it stays on that foot
            continue
        assert legs["stands"][4] == 0.0 and legs["progress"][4] < 0.8
        other = walker.estimate.legs["foothold"][2]
        back = [CruseRules().tread_back * STRIDE, 0.0]
        assert legs["goal"][4, :2] == pytest.approx(other[:2] - back, abs=1e-12)
        legs = walker.step(round(1.2 * CruseConfig().swing / DT))
        assert legs["stands"][4] == 1.0  # the second time it stays


def test_neighbours_of_a_leg_that_meets_more_push_harder():
    trunk, legs = TrunkEstimate.zeros(), LegEstimate.zeros(6, joints=3)
    trunk["dt"], trunk["R_WB"], trunk["v_WB"] = DT, np.eye(3), [0.2, 0.0, 0.0]
    legs["force"] = [-20.0, 3.0, 40.0]
    stance, places = LegStance.zeros(6), np.arange(6)
    stance["stands"] = 1.0
    usual = Resistance.zeros(6)
    usual["usual"] = 20.0
    legs["force"][2, 0] = -60.0
    settings = CoactivateReflex().settings

    def gains():
        aims, after = LegAim.zeros(6, joints=3), Resistance.zeros(6)
        aims["stiffness"], aims["servo"] = 1000.0, 5.0
        coactivate(trunk, legs, stance, settings, usual, after, aims, places)
        return aims["stiffness"][:, 0] / 1000.0, aims["servo"][:, 0] / 5.0

    usual_then = 20.0 + DT / (1.0 + DT) * 40.0
    raised = 1.0 + 0.2 * (60.0 - usual_then) / usual_then
    for found in gains():
        assert found[[0, 3, 4]] == pytest.approx(raised, rel=1e-12)
        assert np.all(found[[1, 2, 5]] == 1.0)
    stance["stands"][0] = 0.0
    assert gains()[0][0] == 1.0  # who swings does not push
