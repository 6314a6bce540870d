"""Lint's judges on boxes and ellipsoids, whose moments and hulls have closed forms."""

import math
from itertools import permutations, product

import numpy as np
import pytest

from equipoise.robots.lint.body import LintBody, LintedRobot, Reading
from equipoise.robots.lint.extent import (
    DIRECTIONS,
    fillings,
    outside_by,
    second_moments,
    width_excess,
)
from equipoise.robots.lint.likely import difference, likely_mistakes
from equipoise.robots.lint.mirrored import side_findings
from equipoise.robots.lint.repeats import place_holder_findings, twice_findings
from equipoise.robots.lint.shapes import LintShape
from equipoise.spatial.rotations import matrix_from_axis_angle

SIDES = np.array([0.9, 0.5, 0.2])
TURN = matrix_from_axis_angle(np.array([1.0, -2.0, 0.7]), 0.6)
ROBOT = LintedRobot(mass=100.0, size=3.0, reach=0.5, usual_step=0.3)


def box(sides=SIDES, R=None, at=(0.0, 0.0, 0.0), *, is_drawn=False, mesh=""):
    """Return a box as lint has it."""
    corners = 0.5 * np.array(list(product((-1, 1), repeat=3))) * sides
    R = np.eye(3) if R is None else R
    volume = float(np.prod(sides))
    return LintShape(corners @ R.T + np.array(at), volume, mesh, is_drawn)


def inertia_of(mass, sides=SIDES, R=None):
    """Return that of an even box."""
    a, b, c = np.square(sides)
    own = mass / 12.0 * np.diag([b + c, a + c, a + b])
    return own if R is None else R @ own @ R.T


def body(name="b", mass=5.0, com=(0.0, 0.0, 0.0), inertia=None, shapes=None, **more):
    one = LintBody(name, mass=mass, com=np.array(com), **more)
    one.inertia = inertia_of(mass) if inertia is None else inertia
    one.shapes = [box()] if shapes is None else shapes
    return one


# --- extent ---------------------------------------------------------------------------


def test_second_moments_are_those_of_the_mass():
    # of an even box m a² / 12 along each axis
    np.testing.assert_allclose(
        second_moments(inertia_of(6.0)), np.diag(6.0 * SIDES**2 / 12.0), atol=1e-15
    )


def test_a_filling_is_the_hull_of_the_shapes_of_one_kind():
    solid, drawn = box(at=(1.0, 2.0, 3.0), R=TURN), box((0.1, 0.1, 0.4), is_drawn=True)
    one, two = fillings(body(shapes=[drawn, solid]))
    assert one.volume == pytest.approx(np.prod(SIDES))
    np.testing.assert_allclose(one.centre, (1.0, 2.0, 3.0))
    wanted = TURN @ np.diag(SIDES**2 / 12.0) @ TURN.T
    np.testing.assert_allclose(one.variance, wanted, atol=1e-12)
    np.testing.assert_allclose(one.half, 0.5 * np.ptp(solid.points, axis=0))
    assert two.volume == pytest.approx(0.004)
    # of two boxes in a row the hull is one box
    both = [box((0.2, 0.2, 0.2), at=(x, 0, 0)) for x in (-0.4, 0.4)]
    (hull,) = fillings(body(shapes=both))
    assert hull.volume == pytest.approx(1.0 * 0.04)
    np.testing.assert_allclose(
        hull.variance.diagonal() * 12.0, [1.0, 0.04, 0.04], atol=1e-12
    )
    flat = LintShape(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]) + 0.0, 0.0)
    assert fillings(body(shapes=[flat])) == []


@pytest.mark.parametrize(
    ("point", "off"),
    [((0, 0, 0), -0.1), ((0.5, 0, 0), 0.05), ((0, 0.3, 0), 0.05), ((0, 0, -0.4), 0.3),
     ((0.45, 0.25, 0.1), 0.0)],
)  # fmt: skip
def test_how_far_a_point_is_outside_of_a_hull(point, off):
    assert outside_by(np.array(point, float), box().points) == pytest.approx(
        off, abs=1e-12
    )
    assert outside_by(np.zeros(3), np.zeros((5, 3))) is None


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_all_mass_at_two_walls_fills_a_room(axis):
    """Variance a b of a body from a behind to b ahead, with a twentieth of slack."""
    points, com = box().points, np.zeros(3)
    com[axis] = 0.1 * SIDES[axis]
    slack = 0.05 * np.linalg.norm(SIDES)
    ahead, behind = 0.4 * SIDES[axis] + slack, 0.6 * SIDES[axis] + slack
    variance = np.zeros((3, 3))
    variance[axis, axis] = ahead * behind
    assert width_excess(variance, com, points) == pytest.approx(1.0)
    small = 0.01 * points
    tiny = (0.005 * SIDES + 5e-3) ** 2  # half a side, and five millimetres at least
    assert width_excess(np.diag(tiny), np.zeros(3), small) >= 1.0 - 1e-12
    assert DIRECTIONS.shape == (13, 3)
    np.testing.assert_allclose(np.linalg.norm(DIRECTIONS, axis=1), 1.0)
    assert len({tuple(np.round(np.abs(d), 6)) for d in DIRECTIONS}) == 7


# --- likely mistakes ------------------------------------------------------------------


def test_a_difference_is_the_logarithm_of_a_ratio_of_lengths():
    shape = TURN @ np.diag([4.0, 1.0, 0.25]) @ TURN.T
    assert difference(7.0 * shape, shape) == pytest.approx(0.0, abs=1e-9)
    longer = TURN @ np.diag([4.0 * 9.0, 1.0, 0.25]) @ TURN.T
    assert difference(longer, shape) == pytest.approx(math.log(3.0))
    both = TURN @ np.diag([4.0 * 9.0, 1.0, 0.25 / 4.0]) @ TURN.T
    assert difference(both, shape) == pytest.approx(math.log(6.0))
    assert difference(-shape, shape) == math.inf
    # what is thinner than a hundredth is as thin as that
    flat = np.diag([1.0, 1.0, 0.0])
    assert difference(flat, np.eye(3)) == pytest.approx(0.5 * math.log(1e4))
    sheet = np.diag([1.0, 1.0, 1e-9])
    assert difference(np.diag([1.0, 1.0, 1e-3]), sheet) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_swapped_axes_are_seen_and_put_back(order):
    stated = inertia_of(5.0, SIDES[list(order)])
    (found,) = likely_mistakes(body(inertia=stated))
    assert (found.level, found.what) == (
        "warning", "axes of the inertia look swapped",
    )  # fmt: skip
    a, b, c = 5.0 / 12.0 * SIDES**2
    assert f"ixx={b + c:.6g} iyy={a + c:.6g} izz={a + b:.6g}" in found.suggestion
    assert list(likely_mistakes(body())) == []


@pytest.mark.parametrize("pair", [(0, 1), (0, 2), (1, 2)])
def test_wrong_signs_of_products_are_seen_and_named(pair):
    turned = [0.0, 0.0, 0.0]
    turned[3 - sum(pair)] = 1.0
    R = matrix_from_axis_angle(np.array(turned), 0.7)
    sides = (
        np.array([1.0, 0.15, 0.04]) if pair != (1, 2) else np.array([0.04, 1.0, 0.1])
    )
    right = inertia_of(5.0, sides, R)
    wrong = right.copy()
    wrong[pair], wrong[pair[::-1]] = -right[pair], -right[pair]
    shapes = [box(sides, R)]
    (found,) = likely_mistakes(body(inertia=wrong, shapes=shapes))
    assert "wrong sign" in found.what
    assert found.value == "i" + "".join("xyz"[k] for k in pair)
    assert f"i{'xyz'[pair[0]]}{'xyz'[pair[1]]}={right[pair]:.6g}" in found.suggestion
    assert list(likely_mistakes(body(inertia=right, shapes=shapes))) == []


def test_an_inertia_about_the_bodys_origin_is_seen():
    com = np.array([0.45, 0.0, 0.0])
    shapes = [box((0.9, 0.1, 0.1), at=com)]
    right = inertia_of(5.0, (0.9, 0.1, 0.1))
    wrong = right + 5.0 * (com @ com * np.eye(3) - np.outer(com, com))
    (found,) = likely_mistakes(body(com=com, inertia=wrong, shapes=shapes))
    assert found.what == "inertia looks like it is about the body's origin"
    assert f"iyy={right[1, 1]:.6g}" in found.suggestion
    assert list(likely_mistakes(body(com=com, inertia=right, shapes=shapes))) == []


def test_what_would_fit_no_better_is_no_mistake():
    """Equal moments fit a box of 1.7 to 1 as badly, whichever axes are swapped."""
    shapes = [box((0.51, 0.3, 0.3))]
    assert list(likely_mistakes(body(inertia=0.1 * np.eye(3), shapes=shapes))) == []


@pytest.mark.parametrize("lack", ["mass", "com", "inertia"])
def test_of_a_body_that_says_too_little_nothing_is_likely(lack):
    one = body(inertia=inertia_of(5.0, SIDES[[2, 1, 0]]))
    assert list(likely_mistakes(one))
    setattr(one, lack, None)
    assert list(likely_mistakes(one)) == []


# --- left and right -------------------------------------------------------------------

M = np.diag([1.0, -1.0, 1.0])


def both_sides(change=None):
    """Return a left and a right body that are mirror images, the right one changed."""
    R = matrix_from_axis_angle(np.array([0.3, 0.2, 1.0]), 0.4)
    com = np.array([0.05, 0.02, -0.1])
    left = body("left_leg", 5.0, com, inertia_of(5.0, SIDES, R), [box(SIDES, R)])
    right = body("right_leg", 5.0, M @ com, M @ left.inertia @ M,
                 [LintShape(left.shapes[0].points @ M, 0.09)])  # fmt: skip
    left.p_PB, right.p_PB = np.array([0.1, 0.3, 0.0]), np.array([0.1, -0.3, 0.0])
    if change is not None:
        change(right)
    return list(side_findings([left, right], ROBOT))


def test_mirror_images_have_nothing_to_say():
    assert both_sides() == []


@pytest.mark.parametrize(
    ("share", "level"), [(0.995, None), (0.98, "note"), (0.9, "warning")]
)
def test_masses_of_both_sides_are_compared(share, level):
    def lighter(right):
        right.mass *= share

    found = [
        f for f in both_sides(lighter) if f.what == "mass differs from 'right_leg'"
    ]
    assert [f.level for f in found] == ([level] if level else [])
    if level:
        assert found[0].body == "left_leg"
        assert found[0].value == f"5 kg and {5.0 * share:g} kg"
        assert found[0].suggestion == f"{2.5 * (1 + share):g} kg on both sides"


@pytest.mark.parametrize(
    ("off", "level"), [(0.0015, None), (0.0025, "note"), (0.2, "warning")]
)
def test_places_of_both_sides_are_compared(off, level):
    def moved(right):
        right.com = right.com + np.array([0.0, 0.0, off])

    found = [f for f in both_sides(moved) if "centre of mass" in f.what]
    assert [f.level for f in found] == ([level] if level else [])
    if level:
        assert found[0].suggestion.startswith("0.05 -0.02 -0.1 m in 'right_leg'")


@pytest.mark.parametrize(
    ("factor", "level"), [(1.04, None), (1.2, "note"), (1.6, "warning")]
)
def test_moments_of_both_sides_are_compared(factor, level):
    def heavier(right):
        right.inertia = right.inertia * factor

    found = [f for f in both_sides(heavier) if "inertia" in f.what]
    assert [(f.level, f.what) for f in found] == (
        [(level, "inertia differs from 'right_leg'")] if level else []
    )
    if level:
        a, b, c = np.sort(np.linalg.eigvalsh(inertia_of(5.0))) * 0.5 * (1 + factor)
        assert found[0].suggestion == f"{a:.4g} {b:.4g} {c:.4g} kg m² on both sides"


def test_products_that_are_not_mirrored_are_told_apart_from_other_moments():
    def copied(right):
        right.inertia = M @ right.inertia @ M  # as on the left

    (found,) = (f for f in both_sides(copied) if "inertia" in f.what)
    assert found.what == "inertia is not the mirror image of 'right_leg'"
    assert found.suggestion == "products with the signs of 'right_leg', mirrored"


# --- twice ----------------------------------------------------------------------------


def test_a_body_that_is_there_twice_is_named_once():
    one, two = body("one"), body("two")
    one.p_PB = np.array([1.0, 2.0, 3.0])
    two.p_PB = np.add(one.p_PB, [0.0, 0.0, 0.9e-5])
    other = body("three")
    other.p_PB = np.array([0.0, 0.0, 0.1])
    base = LintBody("base")
    for each in (one, two, other):
        each.attach(base, np.eye(3), each.p_PB)
    (found,) = twice_findings([one, two, other], ROBOT)
    assert (found.body, found.value) == ("two", "5 kg twice")
    assert found.what == "the same mass as 'one' at the same place"
    two.p_PB = np.add(one.p_PB, [0.0, 0.0, 1.1e-5])
    assert list(twice_findings([one, two, other], ROBOT)) == []
    two.p_PB = one.p_PB
    unknown = body("unknown")
    unknown.com = None  # the others are compared all the same
    assert len(list(twice_findings([unknown, one, two], ROBOT))) == 1
    two.inertia = inertia_of(5.0, SIDES, TURN)
    assert list(twice_findings([one, two], ROBOT)) == []
    two.R_PB = TURN.T  # turned back, it is the same again
    assert len(list(twice_findings([one, two], ROBOT))) == 1
    light = LintedRobot(mass=5001.0, size=3.0, reach=0.5, usual_step=0.3)
    assert list(twice_findings([one, two], light)) == []
    two.parent = None  # of another robot
    assert list(twice_findings([one, two], ROBOT)) == []


def test_an_inertia_that_others_of_other_masses_have_too_was_filled_in():
    same = np.diag([0.3, 0.4, 0.5])
    bodies = [body(f"b{k}", mass, inertia=same.copy()) for k, mass in
              enumerate((5.0, 4.0, 4.9))]  # fmt: skip
    found = list(place_holder_findings(bodies, ROBOT))
    assert [f.body for f in found] == ["b0", "b1", "b2"]
    assert found[0].value == (
        "0.3, 0.4, 0.5 kg m², as 2 others, which have different masses"
    )
    for one, mass in zip(bodies, (5.0, 4.76, 4.9), strict=True):
        one.mass = mass  # within a twentieth they may well share it
    assert list(place_holder_findings(bodies, ROBOT)) == []
    # one that is that of its shapes was computed
    own = body("own", 5.0)
    pair = [own, body("b", 2.0, inertia=own.inertia.copy())]
    assert [f.body for f in place_holder_findings(pair, ROBOT)] == ["b"]


def test_equal_moments_of_a_long_shape_were_filled_in():
    ball = 0.1 * np.eye(3)
    (found,) = place_holder_findings([body(inertia=ball)], ROBOT)
    assert "the same about all axes of a long shape" in found.value
    cube = [box((0.3, 0.3, 0.3))]
    for near, count in ((1.75, 0), (1.85, 1)):
        shapes = [box((0.3 * near, 0.3, 0.3))]
        one = body(inertia=ball.copy(), shapes=shapes)
        assert len(list(place_holder_findings([one], ROBOT))) == count
    assert list(place_holder_findings([body(inertia=ball, shapes=cube)], ROBOT)) == []
    assert list(place_holder_findings([body(inertia=ball, shapes=[])], ROBOT)) == []
    # ones are a place holder of another kind
    assert list(place_holder_findings([body(inertia=np.eye(3))], ROBOT)) == []


def test_a_reading_knows_how_large_its_robot_is():
    reading = Reading("urdf", reach=0.7)
    base, arm = body("base", 5.0), body("arm", 2.0, shapes=[])
    arm.attach(base, np.eye(3), np.array([0.0, 0.0, 3.0]))
    reading.bodies = [base, arm]
    robot = reading.robot
    assert (robot.mass, robot.reach, robot.usual_step) == (7.0, 0.7, 3.0)
    # a box of 0.9 by 0.5 by 0.2 about the base, and a joint 3 m above it
    assert robot.size == pytest.approx(math.hypot(0.9, 0.5, 3.1))
    assert base.is_dummy(robot) is False and arm.is_fixed
    arm.mass = 0.0007
    assert arm.is_dummy(robot) is True
    arm.mass = 0.00071
    assert arm.is_dummy(robot) is False
    arm.mass, arm.is_jointed = 0.0, True
    assert arm.is_dummy(robot) is False
