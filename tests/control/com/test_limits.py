"""What a joint does at the end of its travel, and a motor at its limit."""

import numpy as np
import pytest

from equipoise.control.com.controller import REST, MotorLimits, finish
from equipoise.control.com.fill_view import FADE, add_span
from equipoise.control.com.goal import line_goal
from equipoise.control.com.joint_view import JointView

GOAL = line_goal((0.0, 0.0))


def row_at(angle: float) -> np.ndarray:
    """A hinge about y at the origin that carries everything, 1 m above it.

    Its column is u x arm = (1, 0, 0); the centre is at x = 0.5, so the error drives the
    joint down, towards its lower limit -1.
    """
    rows = JointView.zeros(1)
    rows[0].known = rows[0].hinge = 1.0
    rows[0].mass = rows[0].moved_mass = 2.0
    rows[0].com[0] = 0.5
    rows[0].moved_com[2] = 1.0
    rows[0].axis[1] = 1.0
    rows[0].angle, rows[0].lower, rows[0].upper = angle, -1.0, 1.0
    return rows


@pytest.mark.parametrize(
    ("angle", "part"),
    [(0.0, 1.0), (1.0, 1.0), (-1.0, 0.0), (-1.0 + FADE / 4, 0.25), (-1.2, 0.0)],
)
def test_a_joint_counts_as_far_as_it_can_still_go(angle, part):
    span = np.zeros(3)
    add_span(row_at(angle)[0], GOAL, span)
    # rounding: a quotient of numbers near one
    np.testing.assert_allclose(span, [part, 0.0, 0.0], rtol=0, atol=1e-14)


def test_a_strained_motor_is_spared_until_less_is_asked():
    rows, motors = row_at(0.0), MotorLimits(np.array([0]), np.array([2.0]), 0.35, 0.0)
    strain, out, given = np.zeros(1), np.zeros(1), []
    for asked in [5.0] * 6 + [1.0] * 5 + [-5.0]:
        finish(rows, motors, 0.1, strain, np.array([asked]), out)
        given.append(out[0])
    assert given[:3] == [2.0] * 3
    assert given[3:6] == [REST * 2.0] * 3  # more than 0.35 s at the limit
    assert given[6:11] == [1.0] * 5
    assert given[11] == -2.0  # rested


def test_a_law_without_stamina_rules_is_never_spared():
    strain, out = np.full(1, 1e6), np.zeros(1)
    asked = np.array([5.0])
    motors = MotorLimits(np.array([0]), np.array([2.0]), np.inf, 0.0)
    finish(row_at(0.0), motors, 0.1, strain, asked, out)
    assert out[0] == 2.0
