"""What a joint does at the end of its travel, and a motor at its limit."""

import numpy as np
import pytest

from equipoise.control.com import joint_view as jv
from equipoise.control.com.controller import REST, finish
from equipoise.control.com.fill_view import FADE, add_span

AIM = np.vstack([np.eye(3), np.zeros((1, 3))])  # the vertical line through the origin


def row_at(angle: float) -> np.ndarray:
    """A hinge about y at the origin that carries everything, 1 m above it.

    Its column is u x arm = (1, 0, 0); the centre is at x = 0.5, so the error drives the
    joint down, towards its lower limit -1.
    """
    rows = np.zeros((1, jv.WIDTH))
    rows[0, jv.KNOWN] = rows[0, jv.HINGE] = 1.0
    rows[0, jv.MASS] = rows[0, jv.MOVED_MASS] = 2.0
    rows[0, jv.COM] = 0.5
    rows[0, jv.MOVED_COM + 2] = 1.0
    rows[0, jv.AXIS + 1] = 1.0
    rows[0, jv.ANGLE], rows[0, jv.LOWER], rows[0, jv.UPPER] = angle, -1.0, 1.0
    return rows


@pytest.mark.parametrize(
    ("angle", "part"),
    [(0.0, 1.0), (1.0, 1.0), (-1.0, 0.0), (-1.0 + FADE / 4, 0.25), (-1.2, 0.0)],
)
def test_a_joint_counts_as_far_as_it_can_still_go(angle, part):
    span = np.zeros((1, 3))
    add_span(row_at(angle), 0, AIM, span, 0)
    # rounding: a quotient of numbers near one
    np.testing.assert_allclose(span[0], [part, 0.0, 0.0], rtol=0, atol=1e-14)


def test_a_strained_motor_is_spared_until_less_is_asked():
    rows, effort, free = row_at(0.0), np.array([2.0]), np.array([0])
    strain, out, given = np.zeros(1), np.zeros(1), []
    for asked in [5.0] * 6 + [1.0] * 5 + [-5.0]:
        finish(rows, 0.0, effort, free, 0.35, 0.1, strain, np.array([asked]), out)
        given.append(out[0])
    assert given[:3] == [2.0] * 3
    assert given[3:6] == [REST * 2.0] * 3  # more than 0.35 s at the limit
    assert given[6:11] == [1.0] * 5
    assert given[11] == -2.0  # rested


def test_a_law_without_stamina_rules_is_never_spared():
    strain, out = np.full(1, 1e6), np.zeros(1)
    asked = np.array([5.0])
    free, effort = np.array([0]), np.array([2.0])
    finish(row_at(0.0), 0.0, effort, free, np.inf, 0.1, strain, asked, out)
    assert out[0] == 2.0
