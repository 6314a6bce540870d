"""Searches for remedies, by answers that are made up: least, rounded, and tried."""

import math
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.runs.check.asked import Asked
from equipoise.runs.check.remedies import drives as of_drives
from equipoise.runs.check.remedies.drives import (
    least_gain,
    stiffer_servos,
    stronger_servos,
)
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.remedies.search import RemedySearch, RemedyTrial, said_length
from equipoise.runs.check.remedies.torques import stronger
from equipoise.runs.check.remedies.world import flatter_slope, more_friction, stiffer
from equipoise.runs.check.require.requirement import required
from equipoise.runs.check.result import Question
from equipoise.stability.region.torques import joint_torque_ranges

SIDES = {
    "front": np.array([1.0, 0, 0]),
    "left": np.array([0, 1.0, 0]),
    "rear": np.array([-1.0, 0, 0]),
    "right": np.array([0, -1.0, 0]),
}
UNARMED = {"joints_from": "held", "joints": {"torque_share_without_bracing": None}}


@dataclass
class Met:
    """A goal that is met by what a function says of the changed question and robot."""

    says: Any
    sentence: str = "it stands"
    requirements: tuple = ()

    def is_met(self, asked, *, is_quick=False):
        return self.says(asked, is_quick)


def search(says, *, robot=None, question=None, summary=None, **parts):
    robot = robot or SimpleNamespace(name="robot", has_world=False)
    given = {
        "asked": Asked(robot=robot, start="pose", question=question or Question()),
        "result": SimpleNamespace(summary=UNARMED | (summary or {})),
        "goal": Met(says),
        "sides": SIDES,
        "size": 0.5,
        "short": 0.01,
        "inward": np.zeros(3),
    }
    return RemedySearch(**{**given, **parts})


def of(name):
    """Return a setting of the changed question."""
    return lambda asked: getattr(asked.question, name)


# --- what every search shares -----------------------------------------------------


def test_lengths_are_rounded_to_what_one_can_measure():
    large, small = search(None, size=0.2), search(None, size=0.199)
    assert (large.step, small.step) == (1e-3, 1e-4)
    assert [large.steps(x) for x in (0.01, 0.0101, 0.0, 1e-4)] == [10, 11, 0, 1]
    assert small.steps(0.01) == 100
    assert said_length(0.0415) == "41.5 mm"


def test_ways_in_are_those_that_help_the_best_first():
    a = math.radians(30.0)
    inward = np.array([-math.sin(a), math.cos(a), 0.0])
    (first, way, part), (second, _, rest) = search(None, inward=inward).ways_in()
    assert (first, second) == ("left", "rear")
    assert way is SIDES["left"]
    assert (part, rest) == (pytest.approx(math.cos(a)), pytest.approx(0.5))
    slightly = np.array(
        [math.cos(0.2), math.sin(0.2), 0.0]
    )  # 0.2 to the left: not worth
    assert [w for w, _, _ in search(None, inward=slightly).ways_in()] == ["front"]
    assert search(None).ways_in() == []


def test_a_change_is_tried_by_asking_the_check_again():
    seen = []

    def says(asked, is_quick):
        seen.append((asked.robot, asked.question.friction, asked.start, is_quick))
        return asked.question.friction > 0.5

    begun = search(says, question=Question(friction=0.3))
    own, other = begun.asked.robot, SimpleNamespace(name="other")
    assert begun.works(None) is False
    assert begun.works(RemedyTrial(other)) is False
    assert begun.works(RemedyTrial(question={"friction": 0.6}), is_quick=True) is True
    assert seen == [(other, 0.3, "pose", False), (own, 0.6, "pose", True)]

    def fails(asked, is_quick):
        raise ConfigError("the check", ["no mass"])

    assert search(fails).works(RemedyTrial()) is False


@pytest.mark.parametrize(
    "engine_from, found",
    [(23, 23), (24, 24), (25, 27), (40, None), (28, 39), (24.5, 27)],
)
def test_the_engine_may_ask_for_a_few_steps_more(engine_from, found):
    """A quick search finds 23; of 23, 24, 27, 39 and 87 the first is told, up to 60."""
    asked_of = []

    def says(asked, is_quick):
        k = asked.question.friction
        asked_of.append((k, is_quick))
        return k >= (23 if is_quick else engine_from)

    robot = SimpleNamespace(name="file", has_world=True)
    begun = search(says, robot=robot)

    def change(k):
        return RemedyTrial(question={"friction": k})

    assert begun.least(change, 10, 60) == found
    slow = [k for k, is_quick in asked_of if not is_quick]
    assert slow == [k for k in (23, 24, 27, 39) if k <= (found or 60)]
    alone = replace(
        begun, asked=replace(begun.asked, robot=SimpleNamespace(has_world=0))
    )
    found_alone = alone.least(change, 10, 60)
    assert found_alone == math.ceil(engine_from)
    assert alone.least(lambda k: None, 10, 0) is None


# --- friction, slope, stiffness ---------------------------------------------------


@pytest.mark.parametrize(
    "now, needs, amount",
    [
        (0.2, 0.365, 0.37),
        (0.2, 0.37, 0.37),
        (0.204, 0.209, 0.21),
        (0.2, 0.565, 0.57),  # 57 times 0.01 is not 0.57
        (0.2, 1.999, 2.0),
        (0.2, 2.1, None),
        (2.0, 0.1, None),
        (None, 0.1, None),
    ],
)
def test_the_friction_that_would_do(now, needs, amount):
    friction = of("friction")
    begun = search(lambda a, _: friction(a) >= needs - 1e-12, summary={"friction": now})
    found = more_friction(begun)
    if amount is None:
        assert found == []
        return
    (remedy,) = found
    assert remedy.amount == amount  # as it is written, without a sum's last digit
    assert remedy == Remedy(
        "friction",
        (),
        remedy.amount,
        "",
        "it stands",
        f"friction is at least {amount:g}",
    )


@pytest.mark.parametrize(
    "now, most, amount",
    [
        (20.0, 11.34, 11.3),
        (20.0, 19.95, 19.9),
        (20.0, 0.39, 0.3),  # 3 times 0.1 is not 0.3
        (20.03, 20.0, 20.0),
        (20.0, 0.0, 0.0),
        (20.0, -1.0, None),
        (0.0, 9.0, None),
    ],
)
def test_the_slope_that_would_do(now, most, amount):
    slope = of("slope_deg")
    question = Question(slope_deg=now, heading_deg=30.0)
    begun = search(
        lambda a, _: slope(a) <= most and a.question.heading_deg == 30.0,
        question=question,
    )
    found = flatter_slope(begun)
    if amount is None:
        assert found == []
    else:
        (remedy,) = found
        assert (remedy.kind, remedy.unit) == ("slope", "deg")
        assert remedy.amount == amount
        assert remedy.change == f"the slope is at most {amount:.4g} deg"


@pytest.mark.parametrize("what", ["ground", "leg"])
@pytest.mark.parametrize("multiplier", [None, 3.0, 50.0])
@pytest.mark.parametrize(
    "now, needs, amount",
    [
        (100.0, 1234.0, 1300.0),
        (130.0, 131.0, 140.0),
        (99.0, 2e7, 2e7),
        (100.0, 2e8, None),
    ],
)
def test_the_stiffness_that_would_do(what, multiplier, now, needs, amount):
    setting = f"{what}_stiffness"
    begun = search(
        lambda a, _: getattr(a.question, setting) >= needs,
        question=Question(**{setting: now}),
        summary={"compliance": {"multiplier": multiplier}},
    )
    found = stiffer(begun)
    if amount is None:
        assert found == []
        return
    (remedy,) = found
    assert (remedy.kind, remedy.unit) == (f"{what}-stiffness", "N/m")
    assert remedy.amount == amount
    whose = "the ground" if what == "ground" else "each leg"
    assert remedy.change == f"{whose} has a stiffness of at least {amount:.4g} N/m"


# --- torques ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "limit, needs, amount", [(5.0, 7.336, 7.34), (0.123, 0.2, 0.2), (5.0, 101.0, None)]
)
def test_one_limit_for_all_joints(limit, needs, amount):
    given = of("torque_limits")
    begun = search(
        lambda a, _: given(a) >= needs, question=Question(torque_limits=limit)
    )
    found = stronger(begun)
    if amount is None:
        assert found == []
    else:
        (remedy,) = found
        assert remedy.amount == pytest.approx(amount, abs=1e-12)
        assert (remedy.what, remedy.unit) == ((), "N m")
        assert remedy.change == f"every joint can give at least {amount:g} N m"


def arms(left=0.5, right=2.0):
    """Return a box with two arms whose joints have torque limits."""
    bodies = "".join(
        f'<body name="{name}"><joint name="{name}" type="hinge" axis="0 1 0" '
        f'actuatorfrcrange="{-limit} {0.8 * limit}"/><inertial pos="0.2 0 0" '
        'mass="0.5" diaginertia="0.001 0.001 0.001"/></body>'
        for name, limit in (("left", left), ("right", right))
    )
    spec = mujoco.MjSpec.from_string(
        '<mujoco><compiler autolimits="true"/><worldbody><body name="box"><freejoint/>'
        f'<geom type="box" size="0.2 0.2 0.1" mass="10"/>{bodies}</body></worldbody>'
        "</mujoco>"
    )
    return Robot("arms", spec, base="box")


def met_by(needs):
    """Return what says yes where joints can give as much as they need."""

    def says(asked, is_quick):
        ranges = joint_torque_ranges(asked.robot.model)[6:]
        return bool((-ranges[:, 0] >= np.array(needs) - 1e-9).all())

    return says


def test_each_joint_that_would_do_alone_is_told_with_what_it_needs():
    question = Question(torque_limits=True)
    (left,) = stronger(search(met_by((0.981, 1.9)), robot=arms(), question=question))
    assert (left.what, left.unit) == (("left",), "N m")
    # in hundredths of its own 0.5 N m, then to three digits upwards
    assert 0.981 <= left.amount <= 0.981 + 0.005 + 0.001
    told = f"joint 'left' can give at least {left.amount:.4g} N m instead of 0.5 N m"
    assert left.change == told


def test_where_no_joint_does_alone_all_of_them_are_stronger():
    question = Question(torque_limits=True)
    begun = search(met_by((0.7, 2.5)), robot=arms(), question=question)
    (both,) = stronger(begun)
    assert (both.what, both.unit) == (("left", "right"), "")
    assert both.amount == pytest.approx(1.4, abs=1e-9)
    assert both.change == "every joint can give 1.4 times its torque limit"
    far = search(met_by((0.7, 41.0)), robot=arms(), question=question)
    assert stronger(far) == []


@pytest.mark.parametrize(
    "limits, names, joints_from, share, is_asked",
    [
        (True, (), "held", None, True),
        (False, (), "held", 0.9, False),
        (False, (), "own", 0.9, True),
        (False, (), "own", 0.3, False),
        (False, (), "own", None, False),
        (False, ("torque-share",), "held", None, True),
        (False, ("torque-reserve",), "held", None, True),
        (False, ("margin",), "held", None, False),
    ],
)
def test_torques_are_searched_for_where_they_are_what_is_missing(
    limits, names, joints_from, share, is_asked
):
    goal = Met(met_by((0.7, 1.0)), requirements=required(dict.fromkeys(names, 0.1)))
    block = {
        "joints_from": joints_from,
        "joints": {"torque_share_without_bracing": share},
    }
    begun = search(
        None, robot=arms(), question=Question(torque_limits=limits), summary=block,
        goal=goal,
    )  # fmt: skip
    assert bool(stronger(begun)) is is_asked


# --- drives -----------------------------------------------------------------------


class Servos:
    """Drives that stand from some gain on, with a rest for each gain."""

    def __init__(self, needs, count=2):
        self.needs, self.asked = needs, []
        self.holds = SimpleNamespace(servos=list(range(count)))

    def sag(self, gain, *, since=None):
        if since is not None:
            assert since >= self.needs  # rests are found from one in which it stands
        self.asked.append(gain)
        return SimpleNamespace(qpos=gain)

    def stands_as(self, rest):
        return rest.qpos >= self.needs


@pytest.mark.parametrize("needs", [0.01, 0.5, 1.0, 1.7, 40.0, 999.0])
def test_the_least_gain_is_found_within_two_thousandths(needs):
    drives = Servos(needs)
    assert needs <= least_gain(drives) <= 1.002 * needs + 1e-12
    assert drives.asked[0] == 1e3
    assert len(drives.asked) < 45


def test_no_gain_is_told_where_none_would_do():
    assert least_gain(Servos(1e4)) is None
    assert least_gain(Servos(1.0, count=0)) is None


@pytest.mark.parametrize(
    "own, stands, wanted", [(None, "no", 0), ({}, "yes", 0), ({}, "no", 1)]
)
def test_drives_are_looked_at_where_they_are_what_it_does_not_stand_on(
    monkeypatch, own, stands, wanted
):
    seen = []

    def drives_in(robot, start, question):
        seen.append((robot.name, start, question))

    monkeypatch.setattr(of_drives, "robot_on_its_drives", drives_in)
    begun = search(None, summary={"own_drives": own, "stands": stands})
    assert stiffer_servos(begun) == []
    assert seen == [("robot", "pose", begun.asked.question)] * wanted


def test_servos_get_the_least_forces_that_do(monkeypatch):
    """A tenth more is given where what is needed by two hundredths is not enough."""
    limits, drives = (
        [],
        SimpleNamespace(
            sag=lambda is_limited: ("rest", is_limited),
            stands_as=lambda rest: rest == ("rest", False),
        ),
    )

    def least(given, rest, spare):
        assert given is drives and rest == ("rest", False)
        return {"hip": 3.0 * spare, "knee": 8.0 * spare, "toe": 2.0 * spare}

    def limited(robot, forces):
        limits.append((robot.name, max(forces.values())))
        return SimpleNamespace(name=f"{forces['knee']:g}", has_world=False)

    monkeypatch.setattr(of_drives, "_weak_drives", lambda search: drives)
    monkeypatch.setattr(of_drives, "_least_forces", least)
    monkeypatch.setattr(of_drives, "_with_force_limits", limited)
    (remedy,) = stronger_servos(search(lambda a, _: float(a.robot.name) >= 8.5))
    assert limits == [("robot", 8.0 * 1.02), ("robot", 8.0 * 1.1)]
    assert (remedy.kind, remedy.unit) == ("torque", "N m")
    assert remedy.what == ("hip", "knee", "toe")
    assert remedy.amount == 8.0 * 1.1
    assert remedy.sentence == (
        "it stands if its servos can give at least 'hip' 3.3, 'knee' 8.8, 'toe' 2.2 "
        "(forcerange)"
    )
    assert stronger_servos(search(lambda a, _: False)) == []
    drives.stands_as = lambda rest: False
    assert stronger_servos(search(lambda a, _: True)) == []
