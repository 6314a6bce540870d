"""Yes, no or unknown."""

import math

import numpy as np

from equipoise.runs.live.balance_status import RECENT, BalanceStatus

SQUARE = np.array([[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0]])
NOTHING = np.zeros((0, 3))


def point(x: float, y: float = 0.0) -> np.ndarray:
    """Return a point on the ground."""
    return np.array([x, y, 0.0])


def test_inside_is_yes_and_outside_unknown():
    lamp = BalanceStatus()
    said = lamp.look(0.0, SQUARE, point(0.06))
    assert said == (
        "yes",
        "Upright; its capture point is 40 mm inside the area where its "
        "feet stood of late.",
    )
    assert lamp.look(0.1, SQUARE, point(0.13))[0] == "unknown"
    assert "30 mm outside" in lamp.look(0.2, SQUARE, point(0.13))[1]


def test_two_lines_of_a_trot_count_together_while_they_are_recent():
    lamp = BalanceStatus()
    one, other = SQUARE[[0, 2]], SQUARE[[1, 3]]
    assert lamp.look(0.0, one, point(0.0, 0.05))[0] == "unknown"
    assert lamp.look(0.3, other, point(0.0, 0.05))[0] == "yes"
    # the first line is forgotten
    assert lamp.look(0.31 + RECENT, other, point(0.0, 0.05))[0] == "unknown"


def test_nothing_below_or_no_point_is_unknown():
    lamp = BalanceStatus()
    assert lamp.look(0.0, NOTHING, point(0.0))[0] == "unknown"
    assert lamp.look(0.1, SQUARE, np.full(3, math.nan))[0] == "unknown"


def test_first_fall_is_no_for_good_and_comes_before_what_is_broken():
    lamp = BalanceStatus()
    lamp.broken = "Its state is no longer finite."
    assert lamp.look(0.0, SQUARE, point(0.0)) == ("unknown", lamp.broken)
    lamp.fall(1.5, "tilt")
    lamp.fall(2.5, "height")
    assert lamp.look(3.0, SQUARE, point(0.0)) == ("no", "It fell at 1.50 s: tilt.")
