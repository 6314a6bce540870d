"""Feet further apart and larger soles: on robots written in the test."""

import math

import numpy as np
import pytest

from equipoise.runs.check.remedies import feet
from equipoise.runs.check.remedies.feet import (
    feet_apart,
    feet_of,
    listed_bodies,
    opposite,
)
from equipoise.runs.check.remedies.soles import larger_soles
from oracles.remedy_robots import (
    ANGLE,
    BALL,
    extent,
    four_legs,
    leg,
    robot_of,
    searching,
    sizes,
    soles,
)


def test_words_of_sides_and_lists_of_bodies():
    search = searching(four_legs(), None)
    assert [opposite(search, w) for w in ("front", "left", "rear", "right")] == [
        "rear", "right", "front", "left",
    ]  # fmt: skip
    assert listed_bodies(("a",)) == "'a'"
    assert listed_bodies(tuple("abcdef")) == "'a', 'b', 'c', 'd', 'e', 'f'"
    assert listed_bodies(tuple("abcdefg")) == "'a', 'b', 'c', 'd', 'e', 'f', ..."


def test_feet_are_on_one_side_the_other_or_in_the_middle():
    """The middle is half way between the outermost; 2 per thousand are nothing."""
    at = {"a": 0.3, "b": -0.1, "c": 0.1, "d": 0.1011, "e": 0.0989, "f": 0.1009}
    robot = robot_of("".join(leg(name, x, 0.0) for name, x in at.items()))
    search = searching(robot, None)
    found = feet._outwards(search, feet_of(search), np.array([1.0, 0.0, 0.0]))
    signs = {shape.body[0]: sign for shape, sign in found.items()}
    assert signs == {"a": 1, "b": -1, "c": 0, "d": 1, "e": -1, "f": 0}


def test_legs_are_moved_by_their_first_body():
    robot = four_legs()
    shapes = feet_of(searching(robot, None))
    ways = {s: np.array([float(k), 0.0, 0.0]) for k, s in enumerate(shapes)}
    found = feet._ways_of_legs(robot, ways)
    assert {n: w[0] for n, w in found.items()} == {"fr": 1.0, "rl": 2.0, "rr": 3.0}


SHIN = (
    '<body name="{0}" pos="0 0.02 -0.1"><joint type="hinge"/><geom name="{0}_foot" '
    'type="sphere" size="0.01" pos="0 0 -0.15" mass="0.1"/>{1}</body>'
)


@pytest.mark.parametrize(
    "inside, base, wanted",
    [
        # two feet on one leg, and a toe on a foot
        (leg("a", 0.2, 0, SHIN.format("toe", "")) + leg("b", -0.2, 0), "trunk", "ab"),
        # the only leg of a robot: what hangs on the base, not the base
        (leg("a", 0.2, 0), "trunk", "a"),
        # a foot of the base itself is no leg
        (leg("a", 0.2, 0) + BALL, "trunk", None),
        (leg("", 0.2, 0), "trunk", None),
    ],
)
def test_which_body_is_the_first_of_a_leg(inside, base, wanted):
    robot = robot_of(inside, base=base)
    ways = {s: np.array([0.0, 1.0, 0.0]) for s in feet_of(searching(robot, None))}
    found = feet._ways_of_legs(robot, ways)
    assert found is None if wanted is None else list(found) == list(wanted)


def test_feet_that_would_pull_one_leg_two_ways_are_no_legs():
    forked = f"{SHIN.format('l', '')}{SHIN.format('r', '')}"
    body = f'<body name="leg" pos="0.2 0 0"><joint type="hinge"/>{forked}</body>'
    robot = robot_of(body.replace("/>", '/><geom size="0.01"/>', 1))
    one, two = feet_of(searching(robot, None))
    way = np.array([0.0, 1.0, 0.0])
    # each fork is a leg of its own where both hang on what touches nowhere
    assert list(feet._ways_of_legs(robot, {one: way, two: -way})) == ["l", "r"]
    toe = robot_of(leg("a", 0.2, 0, SHIN.format("toe", "")))
    one, two = feet_of(searching(toe, None))
    assert feet._ways_of_legs(toe, {one: way, two: -way}) is None
    assert list(feet._ways_of_legs(toe, {one: way, two: way})) == ["a"]


@pytest.mark.parametrize("angle", [0.0, ANGLE])
def test_legs_stand_as_much_further_apart_as_is_needed(angle):
    robot = four_legs()
    along = np.array([1.0, 0.0, 0.0])
    now = extent(robot, along)
    inward = np.array([-math.cos(angle), -math.sin(angle), 0.0])

    def says(new):
        return extent(new, along) >= now + 0.0409

    (found,) = feet_apart(searching(robot, says, angle=angle, inward=inward))
    assert found.amount == pytest.approx(0.042, abs=1e-12)  # 21 mm each
    assert (found.kind, found.unit) == ("apart", "m")
    assert found.what == ("fl", "fr", "rl", "rr")
    assert found.change == (
        "its legs 'fl', 'fr', 'rl', 'rr' are attached 42 mm further apart from front "
        "to rear, 21 mm each"
    )


def test_where_one_pair_of_sides_does_not_do_both_do():
    robot = four_legs()
    along, across = np.eye(3)[:2]
    now = extent(robot, along), extent(robot, across)

    def says(new):
        more = extent(new, along) - now[0], extent(new, across) - now[1]
        return min(more) >= 0.0199

    (found,) = feet_apart(searching(robot, says))
    assert found.amount == pytest.approx(0.02, abs=1e-12)
    assert "from front to rear and from left to right, 10 mm each" in found.change
    assert feet_apart(searching(robot, says, inward=np.zeros(3))) == []
    assert feet_apart(searching(robot, lambda new: False)) == []


@pytest.mark.parametrize("needed, is_found", [(0.25, True), (0.26, False)])
def test_a_foot_moves_by_a_quarter_of_the_robot_at_most(needed, is_found):
    """Of a robot of half a metre: 125 mm each, which is a quarter of a metre."""
    robot = four_legs()
    along = np.array([1.0, 0.0, 0.0])
    now = extent(robot, along)

    def says(new):
        return extent(new, along) >= now + needed - 1e-9

    assert bool(feet_apart(searching(robot, says))) is is_found


def test_a_robot_on_one_foot_or_in_one_line_has_nothing_to_put_apart():
    one = robot_of(leg("a", 0.2, 0.1))
    assert feet_apart(searching(one, lambda new: True)) == []
    line = robot_of(leg("a", 0.2, 0.1) + leg("b", 0.2, -0.1))
    assert feet_apart(searching(line, lambda new: True)) == []
    wide = searching(line, lambda new: True, inward=np.array([0.0, 1.0, 0.0]))
    (found,) = feet_apart(wide)
    assert found.amount == pytest.approx(0.002, abs=1e-12)
    assert "from left to right, 1 mm each" in found.change


def test_feet_of_the_base_move_as_shapes():
    balls = "".join(
        f'<geom name="{n}_foot" type="sphere" size="0.02" pos="{x} {y} -0.3"/>'
        for n, x, y in (("a", 0.2, 0.1), ("b", -0.1, 0.1), ("c", 0.05, -0.2))
    )
    robot = robot_of(balls)
    along = np.array([1.0, 0.0, 0.0])
    now = extent(robot, along)

    def says(new):
        return extent(new, along) >= now + 0.0139

    (found,) = feet_apart(searching(robot, says))
    assert found.amount == pytest.approx(0.014, abs=1e-12)
    assert found.what == ("trunk",)
    assert found.change == (
        "the contacts of 'trunk' are 14 mm further apart from front to rear, 7 mm each"
    )


# --- soles ------------------------------------------------------------------------


def test_soles_grow_along_the_way_in_whatever_their_axes():
    robot = soles()
    now = sizes(robot)

    def says(new):
        more = (sizes(new)[name] - now[name] for name in ("one", "two"))
        return min(max(step) for step in more) >= 0.0059

    (found,) = larger_soles(searching(robot, says))
    assert found.amount == pytest.approx(0.012, abs=1e-12)
    assert (found.kind, found.unit, found.what) == ("sole", "m", ("one", "two"))
    assert found.change == "the soles of 'one', 'two' are 12 mm longer"
    aside = searching(robot, says, inward=np.array([0.0, 1.0, 0.0]))
    (found,) = larger_soles(aside)
    assert found.change == "the soles of 'one', 'two' are 12 mm wider"
    first = searching(robot, lambda new: True, shapes=[1])
    (found,) = larger_soles(first)
    assert found.change == "the sole of 'one' is 1 mm longer"


@pytest.mark.parametrize("needed, is_found", [(0.125, True), (0.13, False)])
def test_a_sole_grows_by_half_the_robot_at_most(needed, is_found):
    """Of a robot of half a metre; half of it to each side."""
    robot = soles()

    def says(new):
        return sizes(new)["one"][0] >= 0.05 + needed - 1e-9

    assert bool(larger_soles(searching(robot, says))) is is_found


@pytest.mark.parametrize("degrees, is_along", [(25.0, True), (27.0, False)])
def test_a_sole_aslant_is_along_no_side(degrees, is_along):
    """A cosine of 0.9 is 25.8 degrees."""
    robot = soles(math.radians(degrees))
    assert bool(larger_soles(searching(robot, lambda new: True))) is is_along


def test_feet_that_are_no_boxes_have_no_soles():
    always = searching(four_legs(), lambda new: True)
    assert larger_soles(always) == []
    assert larger_soles(searching(soles(), lambda new: True, shapes=[])) == []
