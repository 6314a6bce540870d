"""Waves and rests of a plan: courses, swings, knots and margins by hand."""

import math

import numpy as np
import pytest

from equipoise.control.planners.body import PlannedMachine
from equipoise.control.planners.segments import (
    Course,
    PlanSegment,
    heading_of,
    next_course,
    rest_segment,
    segment_margin,
    wave_segment,
)
from equipoise.control.planners.wave import Wave, planned_zero_moment_point
from equipoise.control.records import Travel
from oracles.walking_parts import rotation

STAND = np.array([[0.5, 0.4], [0.5, -0.4], [-0.5, 0.4], [-0.5, -0.4]])
BODY = PlannedMachine(STAND, np.zeros(2), np.zeros((4, 2)), 3.2)
COURSE = Course(
    begin=7.0, origin=np.array([2.0, -1.0]), heading=0.6, yaw=0.4, turn=0.2,
    speeds=(0.2, 0.3),
)  # fmt: skip
ROUNDING = 1e-12


def shown(places):
    """Return places of the path's frame in W, by a rotation."""
    return np.array([2.0, -1.0]) + np.asarray(places) @ rotation(0, 0, 0.6)[:2, :2].T


def wave(duty=0.65, left=0.02, legs=(0, 3)):
    feet = shown(STAND)
    landing = shown(STAND[list(legs)] + (0.3, 0.05))
    start = shown([[0.03, -0.01]])[0]
    return wave_segment(COURSE, Wave(0.6, duty), BODY, start, feet, legs, landing, left)


def test_a_course_sees_and_shows_places_ahead_and_to_its_left():
    places = np.array([[0.3, 0.1], [-0.2, 0.5]])
    assert COURSE.shown(places) == pytest.approx(shown(places), abs=ROUNDING)
    assert COURSE.seen(shown(places)) == pytest.approx(places, abs=ROUNDING)


def test_a_wave_goes_along_its_path_and_ends_where_it_shall():
    one = wave()
    way = 0.5 * (0.2 + 0.3) * 0.6
    assert one.finish == pytest.approx(shown([[0.03 + way, 0.02]])[0])
    begun = one.sampled(np.zeros(1))
    assert begun.place[0] == pytest.approx([0.03, -0.01])
    assert begun.velocity[0, 0] == pytest.approx(0.2)
    assert one.end == pytest.approx(7.6)
    # on two feet the zero moment point is on the line between those that stay
    times = np.linspace(*one.wave.on_two, 9)[1:-1]
    points = shown(planned_zero_moment_point(one.sampled(times), 3.2))
    (ax, ay), (bx, by) = one.before[[1, 2]]
    off = (bx - ax) * (points[:, 1] - ay) - (by - ay) * (points[:, 0] - ax)
    assert off == pytest.approx(np.zeros(7), abs=ROUNDING)
    landed = shown(STAND[[0, 3]] + (0.3, 0.05))
    assert one.feet[[0, 3]] == pytest.approx(landed)
    np.testing.assert_array_equal(one.feet[[1, 2]], one.before[[1, 2]])


def test_the_leading_leg_lifts_first_and_the_one_across_lands_last():
    """At a duty factor of 0.65: front 0 to 0.42 s, rear 0.18 s to 0.6 s."""
    one = wave()
    assert one.swing(0) == pytest.approx((7.0, 7.42))
    assert one.swing(3) == pytest.approx((7.18, 7.6))
    assert one.swing(1) == one.swing(2) == (math.inf, math.inf)
    times = np.array([0.0, 0.1, 0.21, 0.39, 0.5, 0.6])
    feet = one.feet_at(times)
    assert feet.shape == (4, 6, 2)
    for leg, lifts, lands in ((0, 0.0, 0.42), (3, 0.18, 0.6)):
        for k, time in enumerate(times):
            moved = feet[leg, k] - one.before[leg]
            if time <= lifts:
                assert moved == pytest.approx(np.zeros(2), abs=ROUNDING)
            elif time >= lands:
                assert feet[leg, k] == pytest.approx(one.feet[leg])
            else:
                way = one.feet[leg] - one.before[leg]
                assert 0.0 < moved @ way < way @ way
    middle = feet[0, 2] - 0.5 * (one.before[0] + one.feet[0])
    assert middle == pytest.approx(np.zeros(2), abs=ROUNDING)  # half way in half time
    for leg in (1, 2):
        assert (feet[leg] == one.before[leg]).all()


def rest(is_last=False, lasts=0.8):
    start, aim = shown([[0.1, 0.05]])[0], shown([[0.2, -0.03]])[0]
    goes = np.array([0.15, 0.1])
    course = Course(7.0, COURSE.origin, 0.6, 0.4, 0.0, (0.0, 0.0))
    return rest_segment(course, start, goes, aim, shown(STAND), lasts, is_last=is_last)


def test_a_rest_brings_the_centre_of_mass_to_its_place_and_leaves_it_there():
    one = rest()
    assert (one.end, one.rests_from) == (7.8, 7.8)
    assert (rest(is_last=True).end, rest(is_last=True).rests_from) == (math.inf, 7.8)
    assert one.finish == pytest.approx(shown([[0.2, -0.03]])[0])
    times = np.linspace(0.0, 0.8, 81)
    found = one.sampled(times)
    assert found.place[[0, -1]] == pytest.approx(np.array([[0.1, 0.05], [0.2, -0.03]]))
    goes = np.array([0.15, 0.1]) @ rotation(0, 0, 0.6)[:2, :2]
    assert found.velocity[[0, -1]] == pytest.approx(np.array([goes, [0.0, 0.0]]))
    # truncation: of a cubic's second differences there is none, of its first h²/6 p'''
    rate = np.gradient(found.place, times, axis=0, edge_order=2)
    assert found.velocity == pytest.approx(rate, abs=1e-4)
    bend = np.gradient(found.velocity, times, axis=0, edge_order=2)
    assert found.acceleration == pytest.approx(bend, abs=1e-9)
    after = one.sampled(np.array([0.9, 5.0]))
    assert after.place == pytest.approx(np.array([[0.2, -0.03]] * 2))
    assert one.sampled(np.array([-0.5])).place[0] == pytest.approx([0.1, 0.05])
    assert one.swing(0) == (math.inf, math.inf)
    assert (one.feet_at(times[:3]) == shown(STAND)[:, None]).all()


def test_knots_are_fifty_a_second_of_a_trunk_over_its_feet():
    """Legs without mass: the trunk is where the centre of mass is."""
    one = wave()
    found = one.knots(BODY)
    assert len(found) == 31
    times = np.linspace(0.0, 0.6, 31)
    assert found["time"][:-1] == pytest.approx(7.0 + times[:-1], abs=ROUNDING)
    assert 7.6 - 1e-5 < found["time"][-1] < 7.6
    place = shown(one.sampled(times).place)
    assert found["p_WB"][:, :2] == pytest.approx(place, abs=1e-9)
    assert np.isnan(found["p_WB"][:, 2]).all()
    assert found["rpy_WB"][:, 2] == pytest.approx(0.4 + 0.2 * times)
    assert set(found["yaw_rate"]) == {0.2}
    v = one.sampled(times).velocity @ rotation(0, 0, 0.6)[:2, :2].T
    assert found["v_WB"][5:-5, :2] == pytest.approx(v[5:-5], abs=0.01)  # a step's h²
    assert found["v_WB"][-1, 0] != 0.0
    still = rest().knots(BODY)
    assert len(still) == 41
    assert not still["v_WB"][-1].any() and still["v_WB"][0, :2].any()
    assert set(still["yaw_rate"]) == {0.0}


def inside(corners, point):
    """Return the least distance to a side of a triangle, negative beyond it."""
    (ax, ay), (bx, by), (cx, cy) = corners
    sign = np.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
    least = math.inf
    for k in range(3):
        p, q = corners[k], corners[(k + 1) % 3]
        side = q - p
        off = side[0] * (point - p)[1] - side[1] * (point - p)[0]
        least = min(least, sign * off / np.hypot(*side))
    return least


@pytest.mark.parametrize("left", [-0.06, 0.02, 0.1])
@pytest.mark.parametrize("duty", [0.65, 0.8])
def test_the_margin_of_a_wave_is_over_three_feet_before_and_after_two(duty, left):
    """Over those but the leading leg's, then over those but the other's."""
    one = wave(duty, left)
    begins, ends = one.wave.on_two
    least = math.inf
    for first, last, feet, lifted in (
        (0.0, begins, one.before, 0),
        (0.6, ends, one.feet, 3),
    ):
        times = first + (last - first) * np.arange(8) / 8
        three = one.course.seen(np.delete(feet, lifted, axis=0))
        for point in planned_zero_moment_point(one.sampled(times), 3.2):
            least = min(least, inside(three, point))
    assert segment_margin(one, 3.2) == pytest.approx(least, abs=ROUNDING)
    assert segment_margin(rest(), 3.2) == math.inf


def test_a_course_goes_on_where_the_last_one_ends():
    after = next_course(wave(), 0.9, -0.1, 0.5)
    assert after.begin == pytest.approx(7.6)
    assert after.origin == pytest.approx(shown([[0.25 * 0.6, 0.0]])[0])
    assert (after.heading, after.turn, after.speeds) == (0.9, -0.1, (0.3, 0.5))
    assert after.yaw == pytest.approx(0.4 + 0.2 * 0.6)
    for is_last in (False, True):  # however long it rests, it is brought there in 0.8 s
        on = next_course(rest(is_last), 0.9, -0.1, 0.5)
        assert on.begin == pytest.approx(7.8)
        assert on.origin == pytest.approx(COURSE.origin)
        assert on.speeds == (0.0, 0.5) and on.yaw == 0.4


def test_a_heading_is_the_goal_s_or_the_one_that_was():
    goal = Travel.zeros()
    goal["velocity"] = 0.3, -0.3, 0.5
    assert heading_of(goal, 0.4, 9.0) == pytest.approx(0.4 - math.pi / 4)
    goal["velocity"] = 0.0, 0.2, 0.5
    assert heading_of(goal, 0.4, 9.0) == pytest.approx(0.4 + math.pi / 2)
    goal["velocity"] = 0.0, 0.0, 0.5
    assert heading_of(goal, 0.4, 9.0) == 9.0
    assert isinstance(rest(), PlanSegment)
