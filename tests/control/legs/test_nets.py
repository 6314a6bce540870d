"""Legs by nets: which net runs when, and what each keeps, tick by tick by hand."""

import numpy as np
import pytest
from tests.control.walknet.test_rates import AHEAD, HIGH, HIP, OUT, RISE

from equipoise.control.leg_programs.nets import (
    NetsConfig,
    _blank_aim,
    _lead_on,
    _missing_turn,
    _rest,
    _run_nets,
)
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.control.walknet.fitted import NetWeights
from equipoise.control.walknet.stance import NetLeg
from equipoise.core.records import record_of

DT = 0.01
GOES = (0.3, -0.1, 0.4)  # forward, left [m/s] and turn [rad/s]
J = np.array([[AHEAD, 0.0, 0.0], [0.0, 0.0, OUT], [0.0, RISE, 0.0]])


def settings(**given):
    return record_of(NetsConfig(**given))


def known(legs=2):
    """Return legs of other poses, and nets of the height 0.25 + 0.1 of the knee."""
    found, nets = LegEstimate.zeros(legs, joints=3), NetWeights.zeros(legs, joints=3)
    found["hip"], found["jacobian"] = HIP, J
    found["hip"][1] = -0.25, -0.14, 0.02
    found["q"] = np.arange(3.0 * legs).reshape(legs, 3) / 10.0
    found["v"] = 1.0 + found["q"]
    found["foot"] = np.array([0.04, 0.07, -0.26]) + found["q"] / 10.0
    nets["fore"], nets["lift"], nets["bend"], nets["before"] = 0, 1, 2, -1
    nets["ahead"], nets["rise"], nets["out"] = AHEAD, RISE, OUT
    nets["height"][:, 0], nets["height"][:, 3] = HIGH, 0.1
    nets["inertia"] = 0.1, 0.2, 0.3
    return found, nets


def test_a_heading_that_is_missing_adds_up_and_is_bounded():
    setting = settings(turn_gain=0.7, heading_gain=3.0, most_heading=0.2)[0]
    trunk, state = TrunkEstimate.zeros()[0], NetLeg.zeros(1, joints=3)[0]
    trunk.dt, trunk.w_WB_B[:] = DT, (9.0, 9.0, 0.1)
    state.heading = 0.05
    found = _missing_turn(trunk, 0.4, setting, state)
    assert state.heading == pytest.approx(0.05 + 0.3 * DT)
    assert found == pytest.approx(0.7 * 0.3 + 3.0 * state.heading)
    for sign in (1.0, -1.0):
        state.heading = 0.1999 * sign
        _missing_turn(trunk, 0.1 + 0.5 * sign, setting, state)
        assert state.heading == pytest.approx(0.2 * sign)


def test_a_led_foot_s_place_goes_with_the_ground_on_a_leash():
    setting, state = settings(leash=0.02)[0], NetLeg.zeros(1, joints=3)[0]
    leg = known()[0][1]
    state.stood, state.place[:2] = 1.0, leg.foot[:2] + np.array([0.01, -0.005])
    _lead_on(leg, (0.3, -0.2), DT, setting, state)
    assert state.place[:2] == pytest.approx(
        leg.foot[:2] + np.array([0.01 - 0.003, -0.005 + 0.002])
    )
    state.place[:2] = leg.foot[:2] + np.array([0.5, -0.5])
    _lead_on(leg, (0.3, -0.2), DT, setting, state)
    assert state.place[:2] == pytest.approx(leg.foot[:2] + np.array([0.02, -0.02]))
    state.stood = 0.0  # just landed
    _lead_on(leg, (0.3, -0.2), DT, setting, state)
    assert state.place[:2] == pytest.approx(leg.foot[:2])


def test_a_resting_leg_keeps_its_angles_and_its_height():
    setting = settings(height_rate=20.0)[0]
    legs, nets = known()
    leg, state, aim = (
        legs[1],
        NetLeg.zeros(1, joints=3)[0],
        LegAim.zeros(1, joints=3)[0],
    )
    state.held[:] = leg.q + np.array([0.1, 0.2, -0.3])
    _rest(leg, nets[1], 0.3, setting, state, aim)
    low = 0.3 - (HIGH + 0.1 * leg.q[2])
    assert aim.rate == pytest.approx([20.0 * 0.1, -20.0 * low / RISE, -20.0 * 0.3])
    assert state.place.tolist() == leg.foot.tolist()


def test_a_blank_aim_stays_and_has_servos_by_inertia():
    legs, nets = known()
    aim = LegAim.zeros(1, joints=3)
    for name in ("velocity", "force", "bend", "stiffness", "damping", "acceleration"):
        aim[name] = 7.0
    aim["rate"], aim["veto"], aim["banned"] = 7.0, 1.0, 1.0
    _blank_aim(legs[1], nets[1], 50.0, aim[0])
    assert aim["place"].tolist() == aim["landing"].tolist() == [legs[1].foot.tolist()]
    assert aim["servo"][0] == pytest.approx([5.0, 10.0, 15.0])
    for name in ("velocity", "force", "bend", "stiffness", "damping", "acceleration"):
        assert not aim[name].any(), name
    assert not aim["rate"].any() and aim["veto"] == aim["banned"] == 0.0


def ticked(stands, stood=1.0, walks=1.0, **given):
    """Return aims and memories of two legs after a tick."""
    legs, nets = known()
    trunk, stance, goal = TrunkEstimate.zeros(), LegStance.zeros(2), Travel.zeros()
    trunk["dt"], trunk["height"] = DT, HIGH
    stance["stands"], stance["swing"], stance["progress"] = stands, 0.4, 0.5
    goal["velocity"], goal["walks"] = GOES, walks
    before, after = NetLeg.zeros(2, joints=3), NetLeg.zeros(2, joints=3)
    before["stood"], before["held"], before["rate"] = stood, 5.0, 0.5
    before["target"], before["span"], before["way"] = 0.9, 1.0, 0.14
    before["place"] = legs["foot"]
    aims = LegAim.zeros(2, joints=3)
    setting = settings(filter_time=0.04, servo=100.0, firm=300.0, **given)
    _run_nets(trunk, legs, stance, goal, nets, setting, (before, after), aims)
    return aims, after, legs, before


def test_speeds_are_low_passed_and_forgotten_where_a_foot_lands():
    aims, after, legs, before = ticked((1.0, 0.0))
    wanted = 0.5 + DT / (0.04 + DT) * (legs["v"] - 0.5)
    assert after["rate"] == pytest.approx(wanted)
    _, after, _, _ = ticked((1.0, 0.0), stood=0.0)
    assert not after["rate"][0].any() and after["rate"][1] == pytest.approx(wanted[1])
    assert after["stood"].tolist() == [1.0, 0.0]
    assert (before["rate"] == 0.5).all()
    firm = aims["servo"] / [0.1, 0.2, 0.3]
    assert firm == pytest.approx(np.array([[300.0] * 3, [100.0] * 3]))


def test_a_swing_chooses_its_target_once():
    """As the leg lifts; from then on it is kept."""
    _, lifts, legs, _ = ticked((1.0, 0.0))
    assert (lifts["target"][0] == 0.9).all() and not (lifts["target"][1] == 0.9).any()
    aims, on, _, _ = ticked((1.0, 0.0), stood=0.0)
    assert (on["target"][1] == 0.9).all()
    assert 0.9 - legs["q"][1, 0] > 0.0 and aims["rate"][1, 0] > 0.0  # drawn to it


def test_who_does_not_walk_rests_where_it_stood():
    aims, after, legs, _ = ticked((1.0, 0.0), walks=0.0, height_rate=20.0)
    assert aims["rate"][0, [0, 2]] == pytest.approx(20.0 * (5.0 - legs["q"][0, [0, 2]]))
    assert (after["held"][0] == 5.0).all()
    np.testing.assert_array_equal(after["held"][1], legs["q"][1])  # in the air
    _, after, _, _ = ticked((1.0, 0.0))
    np.testing.assert_array_equal(after["held"], legs["q"])


def test_standing_legs_go_along_or_are_led():
    """Led by J⁻¹ over the ground, which goes by -v - ω x r under each foot."""
    still = {"turn_gain": 0.0, "heading_gain": 0.0, "leash": 0.5}
    aims, after, legs, _ = ticked((1.0, 1.0), stance="ik", place_rate=0.1, **still)
    speed = np.einsum("lij,lj->li", legs["jacobian"], aims["rate"])
    r = legs["hip"] + legs["foot"]
    ground = -np.array(GOES[:2]) - GOES[2] * np.column_stack([-r[:, 1], r[:, 0]])
    assert speed[:, :2] == pytest.approx(ground + 0.1 * ground * DT)
    place = legs["foot"][:, :2] + ground * DT
    assert after["place"][:, :2] == pytest.approx(place)
    along, other, _, before = ticked((1.0, 1.0), stance="feedback")
    np.testing.assert_array_equal(other["place"], before["place"])
    assert not np.allclose(along["rate"], aims["rate"])


def test_a_turn_that_is_missing_is_added_while_it_walks():
    given = {"stance": "ik", "place_rate": 0.1, "leash": 0.5, "turn_gain": 2.0}
    aims, after, legs, _ = ticked((1.0, 1.0), **given, heading_gain=0.0)
    plain, _, _, _ = ticked((1.0, 1.0), **{**given, "turn_gain": 0.0}, heading_gain=0.0)
    more = np.einsum("lij,lj->li", legs["jacobian"], aims["rate"] - plain["rate"])
    r = legs["hip"] + legs["foot"]
    turn = 2.0 * 0.4  # all of it is missing: the trunk does not turn
    assert more[:, :2] == pytest.approx(turn * np.column_stack([r[:, 1], -r[:, 0]]))
    assert after["heading"] == pytest.approx([0.4 * DT] * 2)
    _, resting, _, _ = ticked((1.0, 1.0), walks=0.0)
    assert not resting["heading"].any()
