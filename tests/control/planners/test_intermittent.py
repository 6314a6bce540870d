"""TITAN VI's step: a pendulum on its line, the next line met half way, no drift."""

import math

import numpy as np
import pytest

from equipoise.control.planners.intermittent import line_between, on_path
from equipoise.control.planners.trunk_step import StepLine, planned_step
from equipoise.core.constants import GRAVITY

X, Y, HEIGHT = 0.55, 0.45, 0.9
ANGLES = (math.atan2(-Y, X), math.atan2(Y, X))
GAITS = [(0.35, 0.55), (0.5, 0.6), (0.9, 0.7), (0.7, 0.8)]
each_gait = pytest.mark.parametrize("lasts, duty", GAITS)


def swing_of(lasts, duty):
    return 2.0 * (1.0 - duty) * lasts


def some_step(rng, lasts, duty):
    """Return a step from a state off the line, and the line after it."""
    line = StepLine(rng.normal(0.0, 0.02, 2), ANGLES[0] + rng.normal(0.0, 0.1))
    after = StepLine(rng.normal(0.0, 0.1, 2), ANGLES[1] + rng.normal(0.0, 0.1))
    place, velocity = rng.normal(0.0, 0.05, 2), rng.normal(0.0, 0.3, 2)
    wanted, swing = rng.normal(0.0, 0.5, 2), swing_of(lasts, duty)
    step = planned_step(line, after, place, velocity, wanted, swing, lasts, HEIGHT)
    return step, after, velocity, wanted


@each_gait
def test_on_two_feet_the_zero_moment_point_is_on_their_line(rng, lasts, duty):
    step, *_ = some_step(rng, lasts, duty)
    h = 1e-4
    for time in np.linspace(0.05, 0.95, 9) * step.swing:
        if abs(time - 0.5 * step.swing) < 2 * h:
            continue  # velocity jumps there, along the line
        p = [step.at(time + k * h)[0] for k in (-1, 0, 1)]
        bent = (p[0] - 2.0 * p[1] + p[2]) / h**2
        zero = p[1] - HEIGHT / GRAVITY * bent
        off = step.line.across @ (zero - step.line.middle)
        # differences: h^2/12 of the fourth derivative, and rounding over h^2
        assert abs(off) < 1e-6


@each_gait
def test_the_next_line_is_crossed_half_way_through_the_next_time_on_two_feet(
    rng, lasts, duty
):
    step, after, *_ = some_step(rng, lasts, duty)
    place, velocity = step.at(lasts)
    following = planned_step(
        after, step.line, place, velocity, np.zeros(2), step.swing, lasts, HEIGHT
    )
    half = 0.5 * step.swing
    assert abs(following.across(half)[0]) < 1e-12
    assert abs(following.across(0.0)[0]) > 1e-4  # it was not there all along


def cost(step, velocity, wanted):
    """Return jumps and deviations of a step, squared and weighted."""
    e = step.line.along
    jumps = [
        step.first - e @ velocity,
        step.second - step.first,
        *(step.last - step.at(step.swing, is_before=True)[1]),
    ]
    off = [step.first - e @ wanted, step.second - e @ wanted, *(step.last - wanted)]
    return np.sum(np.square(jumps)) + 0.05**2 * np.sum(np.square(off))


@each_gait
def test_no_other_step_that_meets_the_line_has_smaller_jumps(rng, lasts, duty):
    step, after, velocity, wanted = some_step(rng, lasts, duty)
    pace, on_four = step.pace, step.lasts - step.swing
    turn = pace / math.tanh(0.5 * pace * step.swing)
    m, e = after.across, step.line.along
    held = np.array([turn * 0.5 * step.swing * (m @ e)] * 2 + [0.0, 0.0])
    held[2:] = (1.0 + turn * on_four) * m
    best = cost(step, velocity, wanted)
    for _ in range(50):
        way = rng.normal(0.0, 0.1, 4)
        way -= held * (held @ way) / (held @ held)  # keeps the line met
        u = np.array([step.first, step.second, *step.last]) + way
        other = type(step)(
            step.line, step.start, step.leaving, u[0], u[1], u[2:], step.swing,
            step.lasts, step.pace,
        )  # fmt: skip
        assert cost(other, velocity, wanted) > best


def walk(commands, lasts, duty):
    """Return how far plans are from the path, and their jumps, step by step."""
    swing = swing_of(lasts, duty)
    place, velocity, path = np.zeros(2), np.zeros(2), np.zeros(3)
    middles, wanted, off, jumps = [np.zeros(2), np.zeros(2)], np.zeros(3), [], []
    for k, command in enumerate(commands):
        wanted[:2] += np.clip(command - wanted[:2], -0.5 * lasts, 0.5 * lasts)
        stands = k % 2
        middles[1 - stands] = on_path(path, wanted, lasts + 0.5 * swing)[:2]
        lines = [StepLine(m, a) for m, a in zip(middles, ANGLES, strict=True)]
        step = planned_step(
            lines[stands], lines[1 - stands], place, velocity, wanted[:2], swing, lasts,
            HEIGHT,
        )  # fmt: skip
        jumps.append(np.linalg.norm(step.at(0.0)[1] - velocity))
        place, velocity = step.at(lasts)
        path = on_path(path, wanted, lasts)
        off.append(np.linalg.norm(place - path[:2]))
    return np.array(off), np.array(jumps)


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 0.4), (-0.5, 0.2)])
@each_gait
def test_at_a_steady_speed_plans_stay_on_the_path_without_jumps(way, lasts, duty):
    off, jumps = walk([np.array(way)] * 400, lasts, duty)
    assert off[-1] < 0.03  # of strides up to 1.8 m
    assert jumps[-2:].max() < 1e-4 < jumps.max()  # of 1 m/s; they die out


@each_gait
def test_commands_that_keep_changing_do_not_lead_plans_astray(rng, lasts, duty):
    commands = np.repeat(rng.uniform(-0.6, 0.6, (40, 2)), 8, axis=0)
    off, _ = walk(commands, lasts, duty)
    assert off.max() < 0.56  # what was found beforehand for such commands


def test_the_line_between_two_feet_goes_from_the_second_to_the_first():
    line = line_between(np.array([[2.0, 3.0], [1.0, 3.0 - math.sqrt(3.0)]]))
    assert line.middle == pytest.approx([1.5, 3.0 - math.sqrt(0.75)])
    assert line.angle == pytest.approx(math.radians(60.0))


def test_a_path_turns_and_goes_sideways():
    path = on_path(np.array([1.0, 2.0, 0.5 * np.pi]), np.array([0.5, 0.0, 0.0]), 2.0)
    assert np.allclose(path, [1.0, 3.0, 0.5 * np.pi], rtol=0, atol=1e-15)
    # half a circle of radius 1 in many pieces; its chord is 2
    path = np.zeros(3)
    for _ in range(1000):
        path = on_path(path, np.array([1.0, 0.0, 1.0]), np.pi / 1000)
    assert np.allclose(path, [0.0, 2.0, np.pi], rtol=0, atol=1e-5)
