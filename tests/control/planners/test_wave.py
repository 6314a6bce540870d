"""A wave of the expanded trot against what it is derived from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.control.planners.wave import Wave, planned_zero_moment_point, wave_motion

PACE = np.sqrt(9.81 / 0.95)
LINE = ((0.67, -0.45), (-0.43, 0.45))  # the right front and the left rear foot [m]


def wave_of(duty, speeds, left_at_end=0.0, start=(0.0, 0.0), duration=0.6):
    wave = Wave(duration, duty)
    return wave_motion(wave, PACE, start, speeds, LINE, left_at_end)


@given(
    duty=st.floats(0.52, 0.74),
    speeds=st.tuples(st.floats(0.0, 0.5), st.floats(0.0, 0.5)),  # [m/s]
    start=st.floats(-0.05, 0.05),  # [m]
    end=st.floats(-0.05, 0.05),  # [m]
)
def test_the_zero_moment_point_stays_on_the_line_of_two_feet(duty, speeds, start, end):
    motion = wave_of(duty, speeds, end, (0.0, start))
    t1, t2 = motion.wave.on_two
    times, h = np.linspace(t1 + 0.01 * (t2 - t1), t2 - 0.01 * (t2 - t1), 50), 1e-4
    here = motion.at(times)
    a = (motion.at(times + h).velocity - motion.at(times - h).velocity) / (2 * h)
    zmp = here.place - a / PACE**2
    (xa, ya), (xb, yb) = LINE
    off = (zmp[:, 1] - ya) - (yb - ya) / (xb - xa) * (zmp[:, 0] - xa)
    assert np.abs(off).max() < 1e-6  # truncation of the difference: h² ω⁴ η / 6
    assert planned_zero_moment_point(here, PACE) == pytest.approx(zmp, abs=1e-6)


@given(
    duty=st.floats(0.5, 0.9),
    speeds=st.tuples(st.floats(0.0, 0.5), st.floats(0.0, 0.5)),
    end=st.floats(-0.05, 0.05),
)
def test_it_goes_from_where_it_begins_to_where_it_shall_end(duty, speeds, end):
    motion = wave_of(duty, speeds, end, (0.1, 0.02))
    ends = motion.at(np.array([0.0, 0.6]))
    way = 0.5 * (speeds[0] + speeds[1]) * 0.6
    assert ends.place == pytest.approx(np.array([[0.1, 0.02], [0.1 + way, end]]))
    assert ends.velocity[:, 0] == pytest.approx(np.array(speeds))


@pytest.mark.parametrize("duty", [0.55, 0.65, 0.74, 0.85])
def test_place_and_velocity_have_no_jump_within_a_wave(duty):
    motion = wave_of(duty, (0.3, 0.4), 0.02)
    times = np.linspace(0.0, 0.6, 6001)
    sampled = motion.at(times)
    assert np.abs(np.diff(sampled.velocity, axis=0)).max() < 1e-3  # |a| dt, a < 5
    by_velocity = np.diff(sampled.place, axis=0) / np.diff(times)[:, None]
    middle = 0.5 * (sampled.velocity[1:] + sampled.velocity[:-1])
    assert by_velocity == pytest.approx(middle, abs=1e-5)


def test_from_trot_to_crawl_there_is_no_seam():
    duties = np.linspace(0.5, 0.9, 401)
    times = np.linspace(0.0, 0.6, 61)
    ways = np.array([wave_of(b, (0.4, 0.4), 0.01).at(times).place for b in duties])
    assert np.abs(np.diff(ways, axis=0)).max() < 2e-3  # a slope of 0.8 m a duty
    crawls = ways[duties > 0.751]
    assert np.abs(np.diff(crawls, axis=0)).max() < 1e-12


def test_legs_stand_for_the_duty_factor_and_all_four_at_the_switch():
    wave = Wave(0.6, 0.65)
    swing = wave.front_lands
    assert swing == pytest.approx(wave.duration - wave.rear_lifts)
    assert 1.0 - swing / (2.0 * wave.duration) == pytest.approx(0.65)
    assert wave.front_lands - wave.rear_lifts == pytest.approx((3 - 4 * 0.65) * 0.6)
    assert Wave(0.6, 0.75).on_two == pytest.approx((0.3, 0.3))
