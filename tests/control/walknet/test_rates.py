"""What the nets tell the joints of one leg, against its Jacobian and by hand."""

import math

import numpy as np
import pytest

from equipoise.control.records import LegAim, LegEstimate, LegStance
from equipoise.control.walknet.fitted import NetWeights
from equipoise.control.walknet.stance import (
    NetLeg,
    StanceNetConfig,
    go_along,
    lead_foot,
)
from equipoise.control.walknet.swing import SwingNetConfig, begin_swing, swing_on
from equipoise.core.records import record_dtype
from equipoise.core.setting import Settings

HIGH, AHEAD, RISE, OUT = 0.25, 0.27, -0.2, 0.15
HIP = np.array([0.3, 0.12, 0.0])


def one_of(kind, **given):
    """Return a record with these entries."""
    if issubclass(kind, Settings):
        room = np.zeros(1, record_dtype(kind))  # what is not given is 0
    else:
        room = kind.zeros(joints=3) if kind in JOINTED else kind.zeros()
    for name, value in given.items():
        room[name] = value
    return room[0]


JOINTED = (LegEstimate, LegAim, NetLeg, NetWeights)


def net(**given):
    """Return joints whose height net is 0.25 + 0.1 of the third angle."""
    weights = np.zeros(10)
    weights[:4] = HIGH, 0.0, 0.0, 0.1
    usual = {"fore": 0, "lift": 1, "bend": 2, "ahead": AHEAD, "rise": RISE, "out": OUT}
    return one_of(NetWeights, **{**usual, "height": weights, "before": -1, **given})


def leg_of(**given):
    """Return a leg somewhere, with a Jacobian that can be inverted."""
    J = np.array([[0.27, 0.02, -0.01], [0.03, 0.01, 0.15], [0.02, -0.2, 0.04]])
    usual = {"q": [0.2, -0.1, 0.5], "hip": HIP, "foot": [0.04, 0.07, -0.26]}
    return one_of(LegEstimate, **{**usual, "jacobian": J, **given}), J


# --- stance ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wanted", [(0.3, 0.1, 0.0), (0.0, 0.0, 0.5), (0.2, -0.1, -0.4)]
)
def test_a_foot_is_led_as_the_ground_goes_under_a_trunk_that_turns(wanted):
    """-v - ω x r, r from the trunk's middle, and what its place and height lack."""
    leg, J = leg_of()
    state = one_of(NetLeg, place=[0.05, 0.04, 0.0])
    setting = one_of(StanceNetConfig, place_rate=20.0, height_rate=6.0)
    aim = one_of(LegAim)
    lead_foot(leg, state, net(), wanted, 0.31, setting, aim)
    r, spin = HIP + leg.foot, np.array([0.0, 0.0, wanted[2]])
    ground = -np.array([*wanted[:2], 0.0]) - np.cross(spin, [r[0], r[1], 0.0])
    ground[:2] += 20.0 * (np.array([0.05, 0.04]) - [0.04, 0.07])
    ground[2] = -6.0 * (0.31 - (HIGH + 0.1 * 0.5))  # too low: the foot goes down
    # rounding: of an inverse of 3 x 3
    assert J @ aim.rate == pytest.approx(ground, abs=1e-13)


def test_a_leg_that_is_stretched_stays():
    """Its determinant is told from that of the stand, the product of three levers."""
    setting, state = one_of(StanceNetConfig, place_rate=0.0), one_of(NetLeg)
    for share, moves in ((2e-3, True), (5e-4, False)):
        J = np.diag([AHEAD, OUT, share * RISE])
        leg = one_of(LegEstimate, jacobian=J, hip=HIP)
        aim = one_of(LegAim, rate=9.0)
        lead_foot(leg, state, net(), (0.3, 0.1, 0.0), HIGH, setting, aim)
        assert bool(np.abs(aim.rate).max() > 0.0) is moves
        assert np.isfinite(aim.rate).all()


def told(rate, wanted, height=HIGH, q=(0.0, 0.0, 0.0), **given):
    """Return what the stance net tells a leg whose joints have these speeds."""
    J = np.array([[AHEAD, 0.0, 0.0], [0.0, 0.0, OUT], [0.0, RISE, 0.0]])
    leg = one_of(LegEstimate, jacobian=J, hip=HIP, foot=[0.04, 0.07, -HIGH], q=q)
    usual = {"speed_gain": 0.5, "yielding": 0.6, "least": 0.7, "slowest": 0.05}
    setting = one_of(StanceNetConfig, **{**usual, "height_rate": 8.0, **given})
    aim = one_of(LegAim)
    go_along(leg, one_of(NetLeg, rate=rate), net(), wanted, height, setting, aim)
    return aim.rate.tolist()


def test_a_leg_that_goes_as_fast_as_the_trunk_is_told_its_own_speed():
    v = 0.4
    rate = (-v / AHEAD, 5.0, 0.1)
    assert told(rate, (v, 0.0, 0.0)) == pytest.approx([rate[0], 0.0, 0.6 * 0.1])
    v = -0.3  # to the right
    rate = (0.1, 5.0, -v / OUT)
    assert told(rate, (0.0, v, 0.0)) == pytest.approx([0.6 * 0.1, 0.0, rate[2]])


def test_what_its_speed_misses_is_fed_back_more_or_less():
    """y(e) of e = 0.5 missing / wanted; the third joint yields by no more than its
    share."""
    slow = -0.8 * 0.4 / AHEAD
    found = told((slow, 0.0, 0.1), (0.4, 0.0, 0.0))
    assert found == pytest.approx([(1.0 + 0.5 * 0.2) * slow, 0.0, 0.6 * 0.1])
    fast = -1.2 * 0.4 / AHEAD
    found = told((fast, 0.0, 0.1), (0.4, 0.0, 0.0))
    share = 1.0 / (1.0 + 0.5 * 0.2)
    assert found == pytest.approx([share * fast, 0.0, 0.6 * share * 0.1])


def test_no_leg_goes_back_more_slowly_than_it_must():
    least = -0.7 * 0.4 / AHEAD
    assert told((0.5 * least, 0, 0), (0.4, 0, 0), speed_gain=0.0)[0] == least
    assert told((1.5 * least, 0, 0), (0.4, 0, 0), speed_gain=0.0)[0] == 1.5 * least
    back = told((-0.5 * least, 0, 0), (-0.4, 0, 0), speed_gain=0.0)[0]
    assert back == pytest.approx(-least)
    aside = told((0, 0, 0), (0.0, 0.2, 0.0), speed_gain=0.0)[2]
    assert aside == pytest.approx(-0.7 * 0.2 / OUT)


def test_a_leg_at_the_left_pushes_a_turn_to_the_right():
    """Its foot goes forward as the trunk shall turn to the left."""
    still, turns = (told((0, 0, 0), (0.4, 0, w))[0] for w in (0.0, 0.2))
    assert (turns - still) * AHEAD == pytest.approx(0.2 * (HIP[1] + 0.07))


def test_a_hip_that_is_too_low_is_lifted():
    lift = told((0, 0, 0), (0.4, 0, 0), height=0.3, q=(0.0, 0.0, 0.2))[1]
    # the foot goes down at 8/s of the 0.3 - (0.25 + 0.1 0.2) m that are missing
    assert lift * RISE == pytest.approx(-8.0 * 0.03)


# --- swing ----------------------------------------------------------------------------

SWING = {
    "fore": 3.0, "fall": 2.0, "lift": 1.5, "bend": 2.5, "stride": 0.14, "press": 0.01,
    "search": 0.2, "retract": 0.5, "elevate": 0.4, "reflex_time": 0.05,
    "patience": 0.02, "follow": 0.03,
}  # fmt: skip
DT = 0.008


def swung(v=0.0, *, asked=0.0, stuck=0.0, backs=0.0, q=(0.0, 0.0, 0.0), **stance):
    """Return state and rates of a leg that swings to (0.5, 0.1, -0.2)."""
    usual = {"swing": 0.4, "progress": 0.5, "late": 0.0}
    leg = one_of(LegEstimate, q=q, v=[v, 0.0, 0.0])
    state = one_of(NetLeg, target=[0.5, 0.1, -0.2], span=0.6, way=0.12, asked=asked,
                   stuck=stuck, backs=backs)  # fmt: skip
    aim = one_of(LegAim)
    now = one_of(LegStance, **{**usual, **stance})
    swing_on(leg, now, net(), one_of(SwingNetConfig, **SWING), DT, state, aim)
    return state, np.array(aim.rate)


def usual_rates(a=0.5, b=0.1, c=-0.2):
    """Return α', β' and γ' of the file's first formula."""
    far = math.sqrt(a * a + b * b + c * c)
    pace = 1.0 / (0.4 * (far / 0.6 + 0.2))
    level = math.hypot(AHEAD * a, OUT * c) * 0.14 / 0.12
    return pace * np.array([3.0 * a, 2.0 * b + 1.5 * level / RISE, 2.5 * c])


def test_rates_of_a_swing_are_the_files_formula():
    assert swung()[1] == pytest.approx(usual_rates())
    assert swung(q=(0.4, 0.3, 0.1))[1] == pytest.approx(usual_rates(0.1, -0.2, -0.3))
    assert swung()[0].asked == pytest.approx(usual_rates()[0])


def test_a_late_foot_goes_down():
    rate = swung(late=0.1)[1]
    assert rate[1] * RISE == pytest.approx(-0.2)
    assert rate[[0, 2]] == pytest.approx(usual_rates()[[0, 2]])


@pytest.mark.parametrize(
    ("given", "is_held"),
    [
        ({}, True),
        ({"v": 0.29 * 3.0}, True),
        ({"v": 0.31 * 3.0}, False),  # it moves by three tenths of what it was told
        ({"v": -0.31 * 3.0}, True),  # the other way
        ({"v": -0.31 * 3.0, "asked": -3.0}, False),
        ({"progress": 0.14}, False),  # has just begun
        ({"late": 0.01}, False),  # feels for the ground
        ({"asked": 0.6}, False),  # 0.6 x 0.27 x 0.4 s is less than half a stride
        ({"asked": 0.66}, True),
        ({"asked": -0.66}, True),
        ({"backs": 0.03}, False),  # goes back already
    ],
)
def test_who_lacks_its_speed_on_its_way_is_held_up(given, is_held):
    state, _ = swung(**{"asked": 3.0, "stuck": 0.01, **given})
    assert state.stuck == (pytest.approx(0.01 + DT) if is_held else 0.0)


def test_who_is_held_up_for_long_goes_back_and_up_for_a_while():
    state, rate = swung(asked=3.0, stuck=0.013)  # 21 ms, more than its patience
    assert (state.stuck, state.backs) == (0.0, pytest.approx(0.05 - DT))
    more = rate - usual_rates()
    assert more == pytest.approx([-0.5 / AHEAD, 0.4 / RISE, 0.0])
    # away from a target that is behind it
    _, rate = swung(asked=3.0, backs=0.03, q=(0.9, 0.0, 0.0))
    assert rate[0] - usual_rates(-0.4)[0] == pytest.approx(0.5 / AHEAD)
    state, rate = swung(asked=3.0, stuck=0.01)  # 18 ms
    assert state.backs == 0.0 and rate == pytest.approx(usual_rates())


def begun(way=(1.0, 0.0), q=(0.0, 0.0, 0.0), theirs=None):
    """Return the state of a leg that lifts; target nets are 1, 2 and 3 times the place,
    those behind the leg before it its angles."""
    target, behind = np.zeros((3, 10)), np.zeros((3, 10))
    target[0, 1], target[1, 3], target[2, 2] = 1.0, 2.0, 3.0
    behind[:, 1:4] = np.eye(3)
    own = net(target=target, behind=behind, stand=[0.1, 0.2, 0.3],
              before=-1 if theirs is None else 0)  # fmt: skip
    leg, before = (one_of(LegEstimate, q=x) for x in (q, theirs or q))
    state = one_of(NetLeg, asked=9.0, stuck=9.0, backs=9.0)
    begin_swing(leg, before, own, way, one_of(SwingNetConfig, **SWING), state)
    assert (state.asked, state.stuck, state.backs) == (0.0, 0.0, 0.0)
    return state


@pytest.mark.parametrize(
    ("way", "end"), [((1.0, 0.0), (0.07, 0.0)), ((0.6, -0.8), (0.042, -0.056))]
)
def test_a_swing_ends_half_a_stride_ahead_and_below_the_ground(way, end):
    target = begun(way).target
    assert target == pytest.approx([0.1 + end[0], 0.2 - 0.02, 0.3 + 3.0 * end[1]])


def test_targets_follow_the_leg_before_by_so_much_at_most():
    """0.03 m, over the first joint's lever, from the usual ones, 0.07 and -0.02."""
    most = 0.03 / AHEAD
    near = begun(theirs=(0.1, 0.05, 0.02)).target - [0.1, 0.2, 0.3]
    assert near == pytest.approx([0.1, 0.05, 0.02])
    far = begun(theirs=(0.5, -0.5, 0.02)).target - [0.1, 0.2, 0.3]
    assert far == pytest.approx([0.07 + most, -0.02 - most, 0.02])


def test_short_swings_count_as_a_fifth_of_a_stride():
    q = begun().target.tolist()
    state = begun(q=q)  # where it shall be
    assert state.way == pytest.approx(0.2 * 0.14)
    assert state.span == pytest.approx(0.2 * 0.14 / AHEAD)
    state = begun(q=(q[0] - 0.3, q[1] + 0.2, q[2] + 0.4))
    assert state.way == pytest.approx(math.hypot(0.3 * AHEAD, 0.4 * OUT))
    assert state.span == pytest.approx(math.sqrt(0.09 + 0.04 + 0.16))
