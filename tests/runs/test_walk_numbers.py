"""The numbers of a walk against logs made by hand."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import equipoise as eq
from equipoise.runs.walk.effort import torque_peak
from equipoise.runs.walk.judge import (
    centred_mean,
    path_way,
    speeds,
    tilt_from,
    walk_margins,
)
from equipoise.runs.walk.seeds import seed_quantiles
from equipoise.stability.rigid.support import static_margin

UP = np.array([0.0, 0.0, 1.0])
SQUARE = np.array([[0.3, 0.2], [0.3, -0.2], [-0.3, 0.2], [-0.3, -0.2]])
ALL, NO_FRONT_LEFT, DIAGONAL = 0b1111, 0b1110, 0b1001
RIGHT_ANGLE = math.sqrt(0.5)


def log(schedule, centre, load=None, feet=SQUARE, dt=0.01) -> Any:
    """Return a run with feet that stay, as far as the numbers look at it."""
    nt = len(schedule)
    centre = np.broadcast_to(np.array(centre, float), (nt, 2))
    force = np.zeros((nt, 4, 3))
    force[:, :, 2] = 150.0 if load is None else load
    said = {"schedule": np.array(schedule, float), "walking": np.ones(nt)}
    return SimpleNamespace(
        time=dt * np.arange(nt),
        foot_place=np.broadcast_to(np.c_[feet, np.zeros(4)], (nt, 4, 3)),
        foot_force=force,
        p_WC=np.c_[centre, np.full(nt, 0.6)],
        said=said.__getitem__,
    )


def test_the_largest_torque_has_its_joint_time_and_duration():
    robot = eq.load("warp1")
    limit = np.array([drive.torque for drive in robot.drives])
    tau = np.zeros((100, len(limit)))
    tau[40:43, 5] = [1.1, -1.5, 1.2]
    tau[10, 2], tau[5, 7] = 1.2, 9.0  # the second before it walks
    speed = np.zeros_like(tau)
    speed[41, 5] = 2.0 * robot.drives[5].speed
    run: Any = SimpleNamespace(
        tau=tau * limit, v=speed, frame_time=0.002 * np.arange(100)
    )
    world: Any = SimpleNamespace(robot=robot, model=robot.model)
    found = torque_peak(run, world, 8)
    assert found == {
        "joint": "front_right_knee", "share": pytest.approx(1.5), "limit": limit[5],
        "unit": "N m", "at_s": pytest.approx(0.082), "over_s": pytest.approx(0.006),
        "speed_share": pytest.approx(2.0),
    }  # fmt: skip
    assert torque_peak(run, world, 100) is None


def test_margins_are_those_of_the_scheduled_feet():
    run = log([ALL] * 5 + [NO_FRONT_LEFT] * 5, (-0.05, -0.02))
    margin = walk_margins(run, UP, 0.0).static
    on_four = static_margin([-0.05, -0.02], SQUARE)
    on_three = static_margin([-0.05, -0.02], SQUARE[1:])
    assert on_four == pytest.approx(0.18) and on_three < on_four
    # closed forms from another file; rounding only
    assert margin[:5] == pytest.approx(np.full(5, on_four), abs=1e-12)
    assert margin[5:] == pytest.approx(np.full(5, on_three), abs=1e-12)


def test_the_instant_of_a_footfall_belongs_to_both_supports():
    run = log([NO_FRONT_LEFT] * 4 + [ALL] * 4, (-0.05, -0.02))
    margin = walk_margins(run, UP, 0.0).static
    on_three = static_margin([-0.05, -0.02], SQUARE[1:])
    assert margin[4] == pytest.approx(on_three, abs=1e-12)
    assert margin[5] == pytest.approx(0.18, abs=1e-12)


def test_on_two_feet_the_margin_is_minus_the_distance_to_their_line():
    run = log([DIAGONAL] * 3, (0.03, 0.0))
    # the line y = 2 x / 3
    away = 0.03 * 0.2 / math.hypot(0.3, 0.2)
    assert walk_margins(run, UP, 0.0).static == pytest.approx(np.full(3, -away))


def test_nothing_counts_before_it_walks_or_where_nothing_was_said():
    run = log([ALL, ALL, ALL], (0.0, 0.0))
    said = {"schedule": np.array([15.0, 15.0, np.nan]), "walking": np.array([0, 1, 1])}
    run.said = said.__getitem__
    margin = walk_margins(run, UP, 0.0).static
    assert np.isnan(margin[[0, 2]]).all() and margin[1] == pytest.approx(0.2)


def test_the_centre_of_pressure_is_where_loads_balance():
    load = np.array([300.0, 100.0, 100.0, 100.0])
    run = log([ALL] * 20, (0.0, 0.0), load)
    # Σ f p / Σ f = (0.1, 0.2 / 3): nearest edge y = 0.2
    assert walk_margins(run, UP, 0.0).zmp == pytest.approx(np.full(20, 0.4 / 3))


def test_the_centre_of_pressure_is_averaged_over_50_ms_about_the_instant():
    load = np.full((41, 4), 150.0)
    load[20] = [600.0, 0.0, 0.0, 0.0]
    run = log([ALL] * 41, (0.0, 0.0), load)
    zmp = walk_margins(run, UP, 0.0).zmp
    # five samples of 10 ms, one of them on the foot at (0.3, 0.2)
    assert zmp[20] == pytest.approx(0.2 - 0.04)
    assert zmp[18] == pytest.approx(0.16) and zmp[17] == pytest.approx(0.2)


def test_where_no_foot_carries_there_is_no_centre_of_pressure():
    load = np.full((40, 4), 150.0)
    load[10:20] = 0.0
    zmp = walk_margins(log([ALL] * 40, (0.0, 0.0), load), UP, 0.0).zmp
    assert np.isnan(zmp[14]) and np.isfinite(zmp[25])


def test_feet_touch_uphill_of_their_centres():
    normal = np.array([0.0, -math.sin(0.2), math.cos(0.2)])  # it rises to the left
    moved = walk_margins(log([ALL] * 3, (0.0, 0.0)), normal, 0.5).static
    # their points are 0.5 sin 0.2 farther left, the right edge as much nearer
    assert moved == pytest.approx(np.full(3, 0.2 - 0.5 * math.sin(0.2)))


def test_a_mean_near_the_ends_takes_what_there_is():
    means = centred_mean(np.array([0.0, 3.0, 6.0, 9.0]), 1)
    assert means == pytest.approx([1.5, 3.0, 6.0, 7.5])


def circle(turns=1.0, radius=1.0, nt=2000) -> Any:
    angle = np.linspace(0.0, 2.0 * math.pi * turns, nt)
    place = radius * np.c_[np.sin(angle), 1.0 - np.cos(angle), np.zeros(nt)]
    yaw = (angle + math.pi) % (2.0 * math.pi) - math.pi
    return SimpleNamespace(
        p_WB=place, attitude=np.c_[0.0 * yaw, 0.0 * yaw, yaw], time=angle
    )


def test_a_circle_has_its_length_and_sideways_is_another_direction():
    # chords of 2000 samples are 4e-7 shorter than the arc
    assert path_way(circle(), 0.4, 0.0)[-1] == pytest.approx(2 * math.pi, rel=1e-6)
    assert path_way(circle(), 0.0, 0.4)[-1] == pytest.approx(0.0, abs=1e-9)
    assert path_way(circle(0.5), 0.0, 0.0)[-1] == pytest.approx(2.0)


def test_speed_is_compared_with_what_was_commanded_in_the_same_time():
    run = circle()
    ramp = np.clip(run.time, 0.0, 1.0)
    run.said = {"forward": ramp, "left": 0.0 * ramp}.__getitem__
    way = path_way(run, 1.0, 0.0)
    late = speeds(run, way, run.time >= 2.0)
    assert late["mean_speed_mps"] == pytest.approx(1.0, rel=1e-6)
    assert late["speed_error"] == pytest.approx(0.0, abs=1e-6)
    assert late["turn_rate_radps"] == pytest.approx(1.0, rel=1e-6)
    early = speeds(run, way, run.time <= 1.0)
    assert early["commanded_mps"] == pytest.approx(0.5, abs=4e-3)  # a sample
    assert early["speed_error"] == pytest.approx(1.0, abs=1e-2)
    assert speeds(run, way, run.time > 100.0)["mean_speed_mps"] is None


def test_tilt_is_told_from_the_ground_whatever_the_heading():
    half = 0.5 * 0.1
    pitched = np.array([[math.cos(half), 0.0, math.sin(half), 0.0]])
    assert tilt_from(pitched, UP)[0] == pytest.approx([0.0, 0.1])
    slope = np.array([math.sin(0.1), 0.0, math.cos(0.1)])
    assert tilt_from(pitched, slope)[0] == pytest.approx([0.0, 0.0], abs=1e-15)
    turned = np.array([[RIGHT_ANGLE, 0.0, 0.0, RIGHT_ANGLE]])
    # heading along +y on ground that falls towards +x: its left side is high
    assert tilt_from(turned, slope)[0] == pytest.approx([-0.1, 0.0], abs=1e-12)


def test_spread_leaves_out_what_is_not_known():
    found = seed_quantiles([None, *range(101)])
    assert found == {"median": 50, "p5": 5, "p95": 95, "least": 0, "most": 100}
    assert seed_quantiles([None, None])["median"] is None
