"""Masses elsewhere or lighter, and where a search for remedies begins."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.runs.check.asked import Asked
from equipoise.runs.check.remedies.changed import data_of_pose
from equipoise.runs.check.remedies.feet import feet_apart
from equipoise.runs.check.remedies.goal import Goal
from equipoise.runs.check.remedies.masses import lighter_masses, moved_masses
from equipoise.runs.check.remedies.search import begun
from equipoise.runs.check.require.requirement import required
from equipoise.runs.check.result import Question
from oracles.remedy_robots import (
    ANGLE,
    four_legs,
    leg,
    pose_of,
    robot_of,
    searching,
    sides,
)

PAYLOAD = (
    '<body name="battery" pos="0.1 0.05 0.1"><inertial pos="0 0 0" mass="2" '
    'diaginertia="0.01 0.01 0.01"/></body>'
)


def loaded():
    return robot_of(PAYLOAD + leg("fl", 0.2, 0.1) + leg("rr", -0.2, -0.1))


def centre(robot):
    data = data_of_pose(robot.model, np.array(robot.model.qpos0))
    return data.subtree_com[0]


@pytest.mark.parametrize("angle", [0.0, ANGLE])
def test_a_mass_moves_as_far_as_the_centre_must(angle):
    robot = loaded()
    total = float(robot.model.body_mass.sum())
    begin = centre(robot)[0]
    inward = np.array([-math.cos(angle), -math.sin(angle), 0.0])

    def says(new):
        return centre(new)[0] <= begin - 0.0101

    search = searching(robot, says, angle=angle, inward=inward)
    battery, trunk = moved_masses(search)
    steps = math.ceil(0.0101 * total / 2.0 / 1e-3)
    assert battery.amount == pytest.approx(1e-3 * steps, abs=1e-12)
    assert battery.towards == "rear"
    millimetres = f"{steps} mm to the rear"
    assert battery.change == f"'battery' (2 kg) moves {millimetres}"
    steps = math.ceil(0.0101 * total / 5.0 / 1e-3)
    assert trunk.amount == pytest.approx(1e-3 * steps, abs=1e-12)
    told = f"the centre of mass of 'trunk' (5 kg) moves {steps} mm to the rear"
    assert trunk.change == told


def test_a_mass_moves_along_two_sides_where_one_does_not_do():
    robot = loaded()
    begin = centre(robot)
    turn = math.atan2(3.0, 4.0)
    inward = np.array([-math.cos(turn), math.sin(turn), 0.0])  # 4 back, 3 to the left

    def says(new):
        off = centre(new) - begin
        return off[0] <= -0.0001 and off[1] >= 0.0001 and off @ inward >= 0.01

    battery, *_ = moved_masses(searching(robot, says, inward=inward))
    assert battery.towards == "rear and left"
    total = float(robot.model.body_mass.sum())
    needed = 0.01 * total / 2.0
    # each side's part is rounded up to a millimetre on its own
    assert needed <= battery.amount <= needed + 2e-3
    back, left = 1e3 * 0.8 * needed, 1e3 * 0.6 * needed
    words = battery.change.split()
    assert back - 1.0 <= float(words[words.index("moves") + 1]) <= back + 2.0
    assert left - 1.0 <= float(words[words.index("and") + 1]) <= left + 2.0
    assert words[-3:] == ["to", "the", "left"]
    assert moved_masses(searching(robot, lambda new: False, inward=inward)) == []


def test_of_moves_along_single_sides_the_shortest_is_told():
    robot = loaded()
    begin = centre(robot)
    inward = np.array([-0.8, 0.6, 0.0])

    def says(new):  # as it happens, to the left is nearer than the way in says
        off = centre(new) - begin
        return off[0] <= -0.02 or off[1] >= 0.004

    battery, trunk = moved_masses(searching(robot, says, inward=inward))
    assert (battery.towards, trunk.towards) == ("left", "left")


@pytest.mark.parametrize("needed, is_found", [(0.25, True), (0.2501, False)])
def test_a_mass_moves_by_half_the_robot_at_most(needed, is_found):
    robot = loaded()
    begin = data_of_pose(robot.model, robot.model.qpos0).xipos[2, 0]
    assert robot.model.body(2).name == "battery"

    def says(new):
        x = data_of_pose(new.model, new.model.qpos0).xipos[2, 0]
        return x <= begin - needed + 1e-9

    found = moved_masses(searching(robot, says))
    assert [m.what for m in found] == ([("battery",)] if is_found else [])


def test_where_sides_have_no_words_a_mass_moves_towards_an_axis():
    robot = loaded()
    words = dict(zip(("+x", "+y", "-x", "-y"), sides().values(), strict=True))
    battery, *_ = moved_masses(searching(robot, lambda new: True, sides=words))
    assert battery.change == "'battery' (2 kg) moves 1 mm towards -x"
    found = feet_apart(searching(four_legs(), lambda new: True, sides=words))
    assert "from -x to +x, 1 mm each" in found[0].change


@pytest.mark.parametrize(
    "most, told",
    [(1.23, 1.2), (1.95, 1.9), (1.9, 1.9), (0.1, 0.1), (0.09, None)],
)
def test_a_mass_that_weighs_less_is_told_in_two_digits(most, told):
    robot = loaded()

    def says(new):
        return float(new.model.body("battery").mass[0]) <= most + 1e-9

    found = lighter_masses(searching(robot, says))
    if told is None:
        assert found == []
        return
    (remedy,) = found
    assert remedy.amount == pytest.approx(told, abs=1e-12)
    assert remedy.change == f"'battery' weighs at most {told:g} kg instead of 2 kg"
    assert (remedy.kind, remedy.unit, remedy.what) == ("lighter", "kg", ("battery",))


# --- where a search begins --------------------------------------------------------


def asked_of(robot, pose, **parts):
    start = SimpleNamespace(qpos=pose)
    return Asked(robot=robot, start=start, question=Question(), **parts)


def checked(margin, weakest=(0.6, -0.8)):
    return SimpleNamespace(
        summary={"static_margin_m": margin}, weakest=weakest, stance=None
    )


@pytest.mark.parametrize(
    "margin, wanted, short, inside",
    [
        (-0.01, {}, lambda size: 2e-3 * size + 0.01, lambda size: 2e-3 * size),
        (0.0, {}, lambda size: 2e-3 * size, lambda size: 2e-3 * size),
        (0.0001, {}, lambda size: 2e-3 * size - 0.0001, lambda size: 0.0001),
        (
            0.03,
            {"margin": 0.05, "mass": 9.0},
            lambda size: 0.02,
            lambda size: 2e-3 * size,
        ),
        (
            0.03,
            {"static-margin": 0.04, "region-margin": 0.035},
            lambda size: 0.01,
            lambda size: 2e-3 * size,
        ),
        (0.03, {}, lambda size: 0.0, lambda size: 2e-3 * size),
        (None, {"margin": 0.05}, lambda size: 0.1 * size, lambda size: 2e-3 * size),
    ],
)
def test_how_far_the_centre_must_come_in(margin, wanted, short, inside):
    robot = four_legs()
    goal = Goal(required(wanted))
    found = begun(asked_of(robot, pose_of(robot)), checked(margin), goal)
    assert 0.3 < found.size < 1.5
    assert found.short == pytest.approx(short(found.size), abs=1e-12)
    assert found.goal.inside == pytest.approx(inside(found.size))
    assert found.inward == pytest.approx([-0.6, 0.8, 0.0])


def test_no_worse_wants_the_margin_that_there_was():
    robot = four_legs()
    asked = asked_of(robot, pose_of(robot), before=checked(0.07))
    worse = Goal((), is_no_worse=True)
    assert begun(asked, checked(0.02), worse).short == pytest.approx(0.05)
    assert begun(asked, checked(0.02), Goal()).short == 0.0
    alone = replace(asked, before=None)
    assert begun(alone, checked(0.02), worse).short == 0.0
    nowhere = begun(asked, checked(0.02, weakest=None), worse)
    assert not nowhere.inward.any()


def test_sides_turn_with_the_robot_and_are_axes_where_it_has_none():
    robot = four_legs()
    found = begun(asked_of(robot, pose_of(robot, 0.3)), checked(0.0), Goal()).sides
    assert list(found) == ["front", "left", "rear", "right"]
    for word, angle in zip(found, 0.3 + 0.5 * math.pi * np.arange(4), strict=True):
        way = (math.cos(angle), math.sin(angle), 0.0)
        assert found[word] == pytest.approx(way, abs=1e-12)
    for degrees, first in ((59.0, "front"), (61.0, "+x")):  # of pitch: cosine 0.5
        pose = pose_of(robot, 0.0)
        half = 0.5 * math.radians(degrees)
        pose[3:7] = math.cos(half), 0.0, math.sin(half), 0.0
        found = begun(asked_of(robot, pose), checked(0.0), Goal()).sides
        assert next(iter(found)) == first
        assert found[first] == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
