"""The trunk along a plan's knots: against SciPy's cubics, and held by its leash."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from equipoise.control.motion.follow import _follow_plan, at_knots
from equipoise.control.motion.stride import StrideConfig, StrideState
from equipoise.control.records import (
    GaitClock,
    LegEstimate,
    PlannedTrunk,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.records import record_of
from oracles.walking_parts import rotation

TIMES = np.array([1.0, 1.4, 2.1, 2.5])


def plan(seed=2):
    """Return knots that are unequally far apart."""
    rng, knots = np.random.default_rng(seed), PlannedTrunk.zeros(4)
    knots["time"] = TIMES
    for name in ("p_WB", "v_WB", "rpy_WB"):
        knots[name] = rng.normal(0.0, 0.1, (4, 3))
    knots["yaw_rate"] = rng.normal(0.0, 0.3, 4)
    return knots


def pose_at(time, knots):
    pose = TrunkPose.zeros()
    at_knots(time, knots, pose[0])
    return pose[0]


@pytest.mark.parametrize("time", [1.0, 1.05, 1.4, 1.7, 2.09, 2.1, 2.4, 2.5])
def test_between_knots_places_and_heading_are_cubics(time):
    knots = plan()
    pose = pose_at(time, knots)
    place = CubicHermiteSpline(TIMES, knots["p_WB"], knots["v_WB"])
    yaw = CubicHermiteSpline(TIMES, knots["rpy_WB"][:, 2], knots["yaw_rate"])
    assert pose.p_WB == pytest.approx(place(time), abs=1e-12)
    assert pose.v_WB == pytest.approx(place(time, 1), abs=1e-12)
    assert pose.rpy_WB[2] == pytest.approx(float(yaw(time)), abs=1e-12)
    assert pose.yaw_rate == pytest.approx(float(yaw(time, 1)), abs=1e-12)
    for i in range(2):  # attitude is drawn straight from knot to knot
        straight = np.interp(time, TIMES, knots["rpy_WB"][:, i])
        assert pose.rpy_WB[i] == pytest.approx(straight, abs=1e-12)


def test_before_the_first_knot_it_waits_and_beyond_the_last_it_goes_on():
    knots = plan()
    first, last = knots[0], knots[3]
    early, late = pose_at(0.4, knots), pose_at(2.8, knots)
    assert early.p_WB.tolist() == first.p_WB.tolist()
    assert early.rpy_WB.tolist() == first.rpy_WB.tolist()
    assert early.v_WB.tolist() == first.v_WB.tolist()
    assert late.p_WB == pytest.approx(last.p_WB + 0.3 * last.v_WB)
    assert late.v_WB.tolist() == last.v_WB.tolist()
    assert late.rpy_WB == pytest.approx(
        last.rpy_WB + np.array([0.0, 0.0, 0.3 * last.yaw_rate])
    )
    assert late.yaw_rate == last.yaw_rate
    alone = knots[1:2].copy()  # a plan of one knot
    assert pose_at(1.2, alone).p_WB.tolist() == knots[1].p_WB.tolist()
    wanted = knots[1].p_WB + 0.1 * knots[1].v_WB
    assert pose_at(1.5, alone).p_WB == pytest.approx(wanted)


def followed(knots, rate=1.0, time=1.7, begun=1.0, at=(0.0, 0.0), z=0.5, **config):
    """Return pose and state after a tick over level ground, feet 0.5 m below."""
    trunk, legs = TrunkEstimate.zeros(), LegEstimate.zeros(4, joints=3)
    trunk["R_WB"], trunk["dt"], trunk["height"] = rotation(0.0, 0.0, 0.3), 0.01, 0.5
    trunk["p_WB"] = (*at, 0.5)
    legs["hip"] = [(0.3, 0.2, 0), (0.3, -0.2, 0), (-0.3, 0.2, 0), (-0.3, -0.2, 0)]
    legs["foothold"] = legs["hip"]
    legs["foothold"][:, :2] += 0.05, -0.02
    clock = GaitClock.zeros()
    clock["rate"], clock["time"] = rate, time
    settings = record_of(StrideConfig(**config))
    before, after, pose = StrideState.zeros(), StrideState.zeros(), TrunkPose.zeros()
    before["begun"], before["p_WB"] = begun, (*at, z)
    _follow_plan(trunk, legs, clock, knots, settings, before, after, pose)
    return pose[0], after[0]


@pytest.mark.parametrize("rate", [1.0, 0.5, 0.0])
def test_the_reference_is_the_plan_s_and_a_held_clock_holds_the_trunk(rate):
    knots = plan()
    wanted = pose_at(1.7, knots)
    pose, state = followed(knots, rate, leash=9.0)
    assert pose.p_WB == pytest.approx(wanted.p_WB)  # no sway of its own is made up for
    assert pose.v_WB == pytest.approx(rate * wanted.v_WB)
    assert pose.yaw_rate == pytest.approx(rate * wanted.yaw_rate)
    assert pose.rpy_WB[2] == state.yaw == wanted.rpy_WB[2]
    assert pose.path[:2].tolist() == pose.v_WB[:2].tolist()
    assert pose.rpy_WB[:2].tolist() == pytest.approx([0.0, 0.0])  # of the ground


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_it_is_never_farther_from_the_trunk_than_the_leash(sign):
    knots = plan()
    knots["p_WB"][:, :2] += 0.3 * sign, -0.3 * sign
    pose, _ = followed(knots, leash=0.04)
    assert pose.p_WB[:2] == pytest.approx([0.04 * sign, -0.04 * sign])


def test_a_height_that_is_not_told_is_that_of_the_legs():
    """Within a tenth of a second, at no rate of its own."""
    knots = plan()
    knots["p_WB"][:, 2] = math.nan
    pose, _ = followed(knots, leash=9.0, z=0.48)
    wanted = 0.48 + 0.01 / 0.11 * 0.02
    assert pose.p_WB[2] == pytest.approx(wanted) and pose.v_WB[2] == 0.0
    assert np.isfinite([*pose.p_WB, *pose.v_WB]).all()


def test_without_a_plan_it_comes_over_its_feet():
    """By twice what is missing in a second, and no faster than 0.2 m/s."""
    pose, state = followed(PlannedTrunk.zeros(0))
    assert pose.p_WB[:2] == pytest.approx([2.0 * 0.05 * 0.01, -2.0 * 0.02 * 0.01])
    assert not pose.v_WB.any() and pose.yaw_rate == 0.0
    pose, _ = followed(PlannedTrunk.zeros(0), at=(1.0, -1.0))
    assert pose.p_WB[:2] == pytest.approx([1.0 - 0.002, -1.0 + 0.002])
    _, state = followed(PlannedTrunk.zeros(0), begun=0.0)
    assert state.yaw == pytest.approx(0.3) and state.begun == 1.0
