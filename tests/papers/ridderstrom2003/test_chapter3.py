"""Chapter 3 on our machines: what turns its claims over, and how they come out."""

import numpy as np
import pytest

from equipoise_lab.papers.ridderstrom2003.chapter3 import (
    asv_claims,
    hexapod_claims,
    ralphy_claims,
    run,
    sap_claims,
    sap_trials,
    shared_settings,
    thing_claims,
    titan_claims,
    walknet_claims,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.chapter3.walks import Walked, walked
from equipoise_lab.papers.ridderstrom2003.sections import section
from oracles.claims import assert_each_can_fail, by_status

DUTIES = "duty factors that the intermittent trot handles"
MISSED = {DUTIES}
GOOD = Walked(
    fell=False,
    controller="titan6",
    speed=1.05,
    turn=0.0,
    way=12.0,
    tilt=3.0,
    rms=1.0,
    sway=0.8,
    power=700.0,
    aloft=(0.1, 0.0, 0.9, 0.0, 0.0),
    duty=0.55,
    frozen=(0, 0),
)
TITANS = {
    "titan3": GOOD._replace(controller="titan3", speed=0.19),
    "titan4": GOOD._replace(controller="titan4", speed=0.42),
    "titan6": GOOD,
}


def statuses(claims):
    return [claim.status for claim in claims]


def test_machines_as_fast_as_printed_are_met():
    claims = titan_claims.speed_claims(TITANS)
    assert statuses(claims) == ["met"] * 3
    assert [claim.published for claim in claims] == [0.18, 0.4, 1.0]
    assert_each_can_fail(claims)


@pytest.mark.parametrize(
    "change",
    [{"speed": 0.99}, {"fell": True}, {"tilt": 11.0}, {"controller": "walking"}],
)
def test_slower_or_fallen_or_by_another_controller_is_missed(change):
    claims = titan_claims.speed_claims(TITANS | {"titan6": GOOD._replace(**change)})
    assert statuses(claims) == ["met", "met", "missed"]


def asv(**change):
    own = GOOD._replace(controller="asv", speed=3.7, aloft=(0.1, 0, 0, 0.9, 0, 0, 0))
    return own._replace(**change)


ASV = {
    "flat": asv(),
    "up": asv(speed=0.7),
    "down": asv(speed=0.7),
    "slow": asv(speed=1.0),
    "soft": asv(speed=0.95),
    "told": asv(speed=3.0),
    "late": asv(speed=3.4),
    **{f"{duty:g}": asv(speed=0.6) for duty in asv_claims.DUTIES},
}


def test_the_asv_as_printed_is_met_and_times_and_powers_are_not_judged():
    claims = asv_claims.asv_claims(ASV, 3e-6)
    assert statuses(claims) == ["met"] * 6 + ["not checkable"] * 2
    assert claims[-1].ours == pytest.approx(0.003)  # [ms]
    assert_each_can_fail(claims)


@pytest.mark.parametrize(
    ("case", "change", "which"),
    [
        ("flat", {"speed": 3.5}, 0),
        ("flat", {"aloft": (1.0, 0, 0, 0, 0, 0, 0)}, 0),
        ("down", {"fell": True}, 1),
        ("0.67", {"fell": True}, 2),
        ("soft", {"speed": 0.5}, 3),
        ("told", {"tilt": 20.0}, 4),
        ("late", {"speed": 3.0}, 5),
    ],
)
def test_the_asv_otherwise_is_missed(case, change, which):
    claims = asv_claims.asv_claims(ASV | {case: ASV[case]._replace(**change)}, 3e-6)
    expected = ["met"] * 6 + ["not checkable"] * 2
    expected[which] = "missed"
    assert statuses(claims) == expected


def trial(speed, slip, *, fell=False):
    time = np.linspace(0.0, 10.0, 3)
    return sap_trials.Trial(fell, speed, 0.12, slip, 6.0, time, speed * time)


SAP = {
    "position": trial(0.02, 0.7),
    "rotated": trial(0.04, 0.4),
    "force": trial(0.13, 0.01),
}
ERRORS = {10e3: (14.0, 0.1), 300e3: (5.0, 0.6)}


def test_the_trials_of_sap_as_reported_are_met():
    claims = sap_claims.sap_claims(SAP, ERRORS)
    assert statuses(claims) == ["met"] * 4
    assert_each_can_fail(claims)


@pytest.mark.parametrize(
    ("name", "other", "missed"),
    [
        ("position", trial(0.03, 0.3), {1}),  # slips less than rotated
        ("position", trial(0.05, 0.7), {0, 1}),  # is faster
        ("rotated", trial(0.01, 0.4), {1}),
        ("force", trial(0.05, 0.01), {2}),
        ("force", trial(0.13, 0.01, fell=True), {2}),
    ],
)
def test_trials_in_another_order_are_missed(name, other, missed):
    claims = sap_claims.sap_claims(SAP | {name: other}, ERRORS)
    assert {k for k, one in enumerate(claims) if one.status == "missed"} == missed


def test_a_foot_that_learns_little_is_missed():
    claims = sap_claims.sap_claims(SAP, ERRORS | {12.5e3: (12.0, 3.0)})
    assert statuses(claims) == ["met"] * 3 + ["missed"]
    before, after = sap_trials.learnt(200e3)
    assert before > 5.0 * after > 0.0


RALPHY = GOOD._replace(
    controller="ralphy", speed=0.404, tilt=3.4, aloft=(0.2, 0.8, 0.0, 0.0, 0.0)
)
LOADED = {
    "error_rms": 0.02,
    "error_rms_off": 0.12,
    "first_guess_n_per_m": 15e3,
    "ground_n_per_m": 70e3,
    "force_error_rms_leg_share": [0.02, 0.01, 0.02, 0.03],
}


def test_ralphy_as_printed_is_met():
    claims = ralphy_claims.ralphy_claims(RALPHY, LOADED)
    assert statuses(claims) == ["met"] * 3
    assert_each_can_fail(claims)


@pytest.mark.parametrize(
    ("walk", "loaded", "missed"),
    [
        ({"speed": 0.35}, {}, {1}),
        ({"fell": True}, {}, {1, 2}),
        ({"aloft": (0.9, 0.1, 0.0, 0.0, 0.0)}, {}, {1}),
        ({"tilt": 4.1}, {}, {2}),
        ({}, {"error_rms_off": 0.09}, {0}),
        ({}, {"force_error_rms_leg_share": [0.0, 0.0, 0.0, 0.2]}, {0}),
        ({}, {"ground_n_per_m": 15e3}, {0}),
    ],
)
def test_ralphy_otherwise_is_missed(walk, loaded, missed):
    claims = ralphy_claims.ralphy_claims(RALPHY._replace(**walk), LOADED | loaded)
    assert {k for k, one in enumerate(claims) if one.status == "missed"} == missed


def test_the_pendulum_of_a_planned_step_is_met():
    claim = titan_claims.pendulum_claim()
    assert claim.status == "met"
    assert_each_can_fail([claim])


def test_the_printed_step_length_is_too_short():
    claim = titan_claims.step_length_claim()
    assert claim.status == "refuted"
    assert claim.ours == pytest.approx(0.3)
    assert_each_can_fail([claim])


STRODE = walknet_claims.Strode(
    fell=False,
    speed=0.39,
    way=4.5,
    heading=1.0,
    duty=0.75,
    lag=0.26,
    tripod=0.9,
    up=(0.0, 0.05, 0.95, 0.0, 0.0, 0.0, 0.0),
)
STRIDES = {
    "fast": STRODE,
    "slow": STRODE._replace(tripod=0.0),
    "slower": STRODE,
    "limp": STRODE._replace(fell=True),
    "shy": STRODE._replace(way=-0.5),
    "steep": STRODE,
}


def test_walknet_as_printed_is_met():
    claims = walknet_claims.walknet_claims(STRIDES, 0)
    assert statuses(claims) == ["met"] * 6 + ["not checkable"]
    assert_each_can_fail(claims)


@pytest.mark.parametrize(
    ("case", "change", "which"),
    [
        ("fast", {"tripod": 0.7}, 0),
        ("slow", {"tripod": 0.2}, 0),
        ("slower", {"lag": 0.35}, 0),
        ("fast", {"speed": 0.34}, 1),
        ("fast", {"heading": 11.0}, 1),
        ("limp", {"fell": False}, 2),
        ("shy", {"way": 0.2}, 2),
    ],
)
def test_walknet_otherwise_is_missed(case, change, which):
    walks = STRIDES | {case: STRIDES[case]._replace(**change)}
    claims = [
        walknet_claims.gait_claim(walks),
        walknet_claims.feedback_claim(walks["fast"]),
        walknet_claims.needed_claim(walks["limp"], walks["shy"]),
    ]
    assert [claim.status == "missed" for claim in claims] == [
        k == which for k in range(3)
    ]


HEXAPOD = hexapod_claims.Hexapod(
    fell=False, speed=0.3, way=1.5, up=0.19, tilt=3.0, lag=0.01
)
HEXAPODS = dict.fromkeys(("belly", "phases", "laden"), HEXAPOD) | {
    "over": HEXAPOD._replace(speed=0.15),
    "against": HEXAPOD._replace(way=1.0),
}


def test_the_hexapod_as_printed_is_met():
    claims = hexapod_claims.hexapod_claims(HEXAPODS)
    assert statuses(claims) == ["met"] * 4
    assert_each_can_fail(claims)


@pytest.mark.parametrize(
    ("case", "change", "which"),
    [
        ("laden", {"fell": True}, 0),
        ("laden", {"speed": 0.26}, 0),
        ("phases", {"lag": -0.04}, 1),
        ("phases", {"speed": 0.32}, 1),
        ("over", {"speed": 0.13}, 2),
        ("against", {"way": 1.3}, 2),
        ("belly", {"up": 0.16}, 3),
        ("belly", {"fell": True}, 3),
    ],
)
def test_the_hexapod_otherwise_is_missed(case, change, which):
    walks = HEXAPODS | {case: HEXAPODS[case]._replace(**change)}
    found = hexapod_claims.hexapod_claims(walks)
    assert [claim.status == "missed" for claim in found] == [
        k == which for k in range(4)
    ]


def test_settings_are_read_off_our_machines():
    found = {s.quantity: s for s in shared_settings.shared_settings()}
    assert found["mass of TITAN VI [kg]"].ours == 195.0
    size = found["length, width and height of the ASV [m]"]
    assert size.ours == size.published == "5.8 x 2.2 x 3.1"
    assert found["scans of the ground ahead [1/s]"].ours == PRINTED.scans
    assert found["mass of a leg of RALPHY [kg]"].ours == 1.0
    assert len(found) == 24


def test_a_walk_is_measured_along_its_command():
    walk = walked("titan6", settle=2.0, speed=0.0, left=0.2, seconds=4.0, seed=1)
    assert walk.controller == "titan6"
    assert not walk.fell
    assert 0.0 < walk.speed < 0.25
    assert np.sum(walk.aloft) == pytest.approx(1.0)


@pytest.mark.paper
@pytest.mark.parametrize("seed", [0, 100])
def test_claims_come_out_as_they_should_and_in_order(seed):
    shares = []
    claims = run.claims(seed=seed, processes=1, progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert by_status(claims, "missed") == MISSED
    assert_each_can_fail(claims)
    keys = [section(claim) for claim in claims]
    assert keys == sorted(keys) and keys[0] == (3, 1, 1)


@pytest.mark.paper
def test_pictures_are_drawn(tmp_path):
    drawn = run.pictures(tmp_path)
    assert [path.stem for path in drawn] == [
        f"ridderstrom2003-{name}"
        for name in ("titan3", "titan4", "titan6", "asv", "sap", "ralphy", "thing")
    ]


CREPT = thing_claims.Crept(False, 1.2, 85.0, 0.014, 0.0, 0.8, 0.15)
CREPT_ALL = {
    "flat": CREPT,
    "plates": CREPT._replace(took=92.0, tilt=4.0),
    "unchanged": CREPT._replace(took=np.inf, way=0.34, lately=0.0),
}
CYCLED = thing_claims.Cycled("LR, LF, RR, RF", 0.08, 0.018, 0, 0.01)


def test_what_is_said_of_thing_is_met_and_can_be_missed():
    claims = thing_claims.thing_claims(CREPT_ALL, CYCLED)
    assert statuses(claims) == ["met"] * 5
    assert_each_can_fail(claims)
    slow = CREPT_ALL | {"flat": CREPT._replace(took=241.0, aloft=0.01)}
    odd = CYCLED._replace(order="LF, LR, RR, RF")
    got_on = slow | {"unchanged": CREPT}
    statuses_now = statuses(thing_claims.thing_claims(got_on, odd))
    assert statuses_now == ["missed", "met", "missed", "missed", "missed"]


def test_things_cycle_closes_as_the_table_has_it():
    cycle = thing_claims.cycled()
    assert cycle.order == "LR, LF, RR, RF" and cycle.failed == 0
    assert cycle.way > 0.06 and cycle.margin > 0.015 and cycle.off < 0.02
