"""The paper's three schemes on a joint that can be worked out by hand."""

import math

import numpy as np
import pytest

from equipoise.control.com import circle_line, find_law, line_goal, point_goal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.laws.distance import DistanceConfig
from equipoise.control.com.laws.momentum import MomentumConfig
from equipoise.control.com.laws.pid import PidConfig

AXIS = np.array([0.6, 0.0, 0.8])
PIVOT, MOVED = np.array([0.3, -0.2, 0.5]), np.array([0.5, 0.4, 0.9])
MASS, MOVED_MASS = 1.5, 0.6
LINE = np.array([0.1, 0.7])
DT = 0.001
EPS = np.finfo(float).eps


def one_joint(com=(0.25, 0.15, 0.6), angle=0.0, hinge=1.0):
    """Return one joint's row with wide limits."""
    rows = JointView.zeros(1)
    row = rows[0]
    row.known, row.hinge = 1.0, hinge
    row.mass, row.moved_mass = MASS, MOVED_MASS
    row.com[:] = com
    row.moved_com[:] = MOVED
    row.pivot[:], row.axis[:] = PIVOT, AXIS
    row.lower, row.upper, row.angle = -1.5, 1.5, angle
    return rows


def best_turn(rows, line=LINE):
    """Oracle: the centre of mass goes round as the moved side does, a share as wide."""
    row, share = rows[0], MOVED_MASS / MASS
    com = row.com
    center = com - share * (MOVED - PIVOT)  # what the centre of mass turns about
    lower, upper = row.lower - row.angle, row.upper - row.angle
    return circle_line(center, AXIS, com, [*line, 0.0], lower, upper)


def torque(law, rows, goal=None, memory=None):
    memory = np.full((1, law.memory_width), np.nan) if memory is None else memory
    tau = np.empty(1)
    law.torques(rows, goal or line_goal(LINE), memory, DT, tau)
    return tau[0]


def test_the_first_tick_is_gain_times_the_circle_lines_turn():
    config = PidConfig(proportional=3.0, integral=0.5, derivative=0.01)
    rows = one_joint()
    turn = best_turn(rows)
    assert 0.05 < abs(turn) < 1.4  # a turn inside the limits, not at them
    want = 3.0 * turn + 0.5 * turn * DT  # no rate yet
    # rounding of the closed-form root: some hundred eps
    assert torque(find_law("default")(config), rows) == pytest.approx(want, rel=1e-12)


def test_later_ticks_add_the_integral_and_the_rate():
    law = find_law("default")(
        PidConfig(proportional=3.0, integral=0.5, derivative=0.01)
    )
    memory = np.full((1, law.memory_width), np.nan)
    first, second = one_joint(), one_joint(com=(0.24, 0.16, 0.6))
    a, b = best_turn(first), best_turn(second)
    torque(law, first, memory=memory)
    want = 3.0 * b + 0.5 * (a + b) * DT + 0.01 * (b - a) / DT
    assert abs(b - a) > 1e-3
    assert torque(law, second, memory=memory) == pytest.approx(want, rel=1e-9)


def test_limits_are_counted_from_where_the_joint_is():
    rows = one_joint(angle=1.4)
    rows[0].upper = 1.45
    turn = best_turn(rows)
    law = find_law("default")(PidConfig(integral=0.0, derivative=0.0))
    assert torque(law, rows) == pytest.approx(10.0 * turn, rel=1e-12)
    far = one_joint(com=(0.25, 0.15, 0.6))
    far[0].lower, far[0].upper = -0.01, 0.01
    assert abs(torque(law, far)) == pytest.approx(10.0 * 0.01, rel=1e-12)


def test_distance_scales_with_the_distance_in_its_unit():
    rows = one_joint()
    away = np.hypot(*(rows[0].com[:2] - LINE))
    plain = torque(find_law("default")(PidConfig()), rows)
    config = DistanceConfig(constant=0.3, slope=0.2, unit=0.05)
    want = (0.3 + 0.2 * away / 0.05) * plain
    assert torque(find_law("distance")(config), rows) == pytest.approx(want, rel=1e-14)


def test_distance_to_a_point_counts_the_height():
    rows, goal = one_joint(), point_goal((0.1, 0.7, 0.2))
    away = np.linalg.norm(rows[0].com - goal.point[0])
    plain = torque(find_law("default")(PidConfig()), rows, goal)
    config = DistanceConfig(slope=0.2, unit=0.05)
    want = 0.2 * away / 0.05 * plain
    assert plain != 0.0
    seen = torque(find_law("distance")(config), rows, goal)
    assert seen == pytest.approx(want, rel=1e-14)


def test_momentum_scales_with_the_moved_sides_momentum():
    rows = one_joint()
    momentum = MOVED_MASS * np.linalg.norm(np.cross(AXIS, MOVED - PIVOT))
    plain = torque(find_law("default")(PidConfig()), rows)
    config = MomentumConfig(constant=0.3, slope=2.0)
    want = (0.3 + 2.0 * momentum) * plain
    assert torque(find_law("momentum")(config), rows) == pytest.approx(want, rel=1e-14)


def test_a_slide_goes_straight_to_the_nearest_place():
    # closed form: along u the level distance is least where (e + s u) . u_level = 0
    rows, share = one_joint(hinge=0.0), MOVED_MASS / MASS
    rows[0].lower, rows[0].upper = -9.0, 9.0
    law = find_law("default")(PidConfig(integral=0.0, derivative=0.0))
    away = rows[0].com[:2] - LINE
    want = -(away @ AXIS[:2]) / (share * AXIS[:2] @ AXIS[:2])
    assert torque(law, rows) == pytest.approx(10.0 * want, rel=1e-12)
    goal = point_goal((0.1, 0.7, 0.2))
    want = -((rows[0].com - goal.point[0]) @ AXIS) / share
    assert torque(law, rows, goal) == pytest.approx(10.0 * want, rel=1e-12)


def held_targets(hold, wobble):
    """Return the turns chosen while the line wobbles about the plane of symmetry.

    The line lies behind the joint's reach, so both ends of the limits are equally near.
    """
    rows = one_joint()
    row = rows[0]
    row.axis[:] = [0.0, 0.0, 1.0]
    row.pivot[:] = [0.0, 0.0, 0.5]
    row.moved_com[:] = [0.5, 0.0, 0.5]
    row.com[:] = [0.2, 0.0, 0.5]  # circles about (0, 0), radius 0.2
    row.lower, row.upper = -1.0, 1.0  # the line is behind: both ends are equal
    law = find_law("default")(PidConfig(integral=0.0, derivative=0.0, hold=hold))
    memory = np.full((1, law.memory_width), np.nan)
    out = []
    for side in wobble:
        out.append(torque(law, rows, line_goal((-1.0, side)), memory) / 10.0)
    return out


def test_a_target_is_not_left_for_an_equal_one():
    wobble = [1e-5, -1e-5, 1e-5, -1e-5]  # which end is nearer changes at every tick
    held = held_targets(0.001, wobble)
    assert held == pytest.approx([1.0] * 4, rel=1e-12)
    jumping = held_targets(0.0, wobble)
    assert jumping == pytest.approx([1.0, -1.0, 1.0, -1.0], rel=1e-12)


def test_a_target_is_left_for_one_that_is_clearly_nearer():
    gain = 2 * 0.2 * math.sin(1.0)  # metres nearer per metre of side, about
    sides = [1e-5, -0.0005 / gain, -0.005 / gain]
    assert held_targets(0.001, sides) == pytest.approx([1.0, 1.0, -1.0], rel=1e-12)
