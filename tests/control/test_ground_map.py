"""A map stays where it is while dead reckoning drifts."""

import math

import numpy as np

from equipoise.control.ground_map import GroundMap, MapFrame, located
from equipoise.core.contracts import Readings


def readings_at(place, heading, time=1.0):
    none = np.zeros(1)
    r = Readings(time, 0.002, none, none, none, none, none, none, none, none, none)
    r.fix, r.fixed = np.array([*place, heading]), time
    return r


def turned(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def test_a_cell_is_found_in_w_wherever_w_has_drifted_to():
    frame = MapFrame.zeros()
    frame[0].west, frame[0].south, frame[0].cell = -2.0, -1.0, 0.05
    known = GroundMap(frame, np.zeros((80, 60)), np.ones((80, 60)))
    drift, off = 0.2, np.array([0.4, -0.3])  # of W over the map
    trunk, heading, cell = np.array([3.0, 1.0]), 0.1, np.array([3.5, 0.4])
    turn = turned(drift)[:2, :2]
    p_WB = np.array([*(turn @ trunk + off), 0.9])
    found = located(
        known, known, readings_at(trunk, heading), p_WB, turned(heading + drift)
    )
    one = found.frame[0]
    corner = np.array([one.west, one.south])
    seen = corner + turned(one.turn)[:2, :2] @ (cell - [-2.0, -1.0])
    np.testing.assert_allclose(seen, turn @ cell + off, atol=1e-12)  # rounding
    late = readings_at(trunk, heading)
    late.time = 1.002
    assert located(known, found, late, p_WB, np.eye(3)) is found  # no news
    nothing = GroundMap(frame, np.zeros((0, 0)), np.zeros((0, 0)))
    assert (
        located(nothing, nothing, readings_at(trunk, 0.0), p_WB, np.eye(3)) is nothing
    )
