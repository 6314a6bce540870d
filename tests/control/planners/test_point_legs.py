"""The point model's legs and the proposals of ways to go, step by step and by hand."""

import math

import numpy as np
import pytest

from equipoise.control.forces.two_step import FootForce, TrunkWrench
from equipoise.control.gaits.leg_limits import LegLimits, allowed_share
from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.planners.point_legs import (
    PointLeg,
    PointModel,
    are_reached,
    begin_with_feet,
    step_by_clock,
    step_point_legs,
)
from equipoise.control.planners.point_model import (
    _ask_point,
    _left_turning,
    _rests,
)
from equipoise.control.planners.proposals import (
    StoppingMemory,
    _change_mode,
    _towards,
)
from equipoise.control.planners.stopping_config import StoppingConfig
from equipoise.control.records import (
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.core.constants import GRAVITY
from equipoise.core.records import record_of
from oracles.walking_parts import rotation

PLACES = [(1.6, 0.9), (1.5, -0.8), (0.1, 1.0), (0.0, -0.9), (-1.4, 0.8), (-1.5, -1.0)]
POSE = (3.0, -2.0, 0.7)
ROUNDING = 1e-12


def limits():
    found = LegLimits.zeros(6)
    found["place"][:, :2] = PLACES
    found["lower"], found["upper"] = (-0.9, -0.3), (1.1, 0.5)
    found["speed"], found["push"] = 11.0, 75.0
    found["duty"] = 0.5
    found["phase"] = 0.0, 0.5, 0.5, 0.0, 0.0, 0.5
    return found


def model(**config):
    found = PointModel.zeros()
    found["config"] = record_of(StoppingConfig(**config))
    return found[0]


def seen(points):
    """Return where feet are in their workspaces."""
    off = points["foot"][:, :2] - POSE[:2]
    return off @ rotation(0.0, 0.0, POSE[2])[:2, :2] - PLACES


def standing(off=(0.0, 0.0)):
    """Return feet that stand so far from the middles of their workspaces."""
    points = PointLeg.zeros(6)
    R = rotation(0.0, 0.0, POSE[2])[:2, :2]
    points["foot"][:, :2] = POSE[:2] + (np.array(PLACES) + off) @ R.T
    points["stands"] = points["is_next"] = 1.0
    return points


def test_feet_begin_where_they_are_and_as_far_on_their_way():
    trunk, legs, stance = (
        TrunkEstimate.zeros(),
        LegEstimate.zeros(3, joints=3),
        LegStance.zeros(3),
    )
    R, points = rotation(0.3, -0.2, 0.9), PointLeg.zeros(3)
    trunk["R_WB"], trunk["p_WB"] = R, (1.0, 2.0, 3.0)
    rng = np.random.default_rng(4)
    legs["hip"], legs["foot"] = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    stance["stands"], stance["progress"], stance["swing"] = (1, 0, 1), (0, 0.3, 0), 0.5
    assert begin_with_feet(trunk[0], legs, stance, points) == (1.0, 2.0)
    wanted = [1.0, 2.0, 3.0] + (legs["hip"] + legs["foot"]) @ R.T
    np.testing.assert_allclose(points["foot"], wanted, atol=ROUNDING)
    assert points["stands"].tolist() == [1, 0, 1]
    assert points["raised"].tolist() == pytest.approx([0, 0.15, 0])


def test_by_the_clock_feet_land_half_a_support_ahead():
    """Where v + w x r will have carried their places in the middle of their stance."""
    own, velocity = model(cycle=0.8), (0.5, -0.2, 0.3)
    for share in (0.55, 1.55, 0.7):  # legs 1, 2 and 5 land, the others lift
        points = standing((0.2, 0.1))
        points["stands"][[1, 2]] = 0.0
        before = points["foot"].copy()
        step_by_clock(POSE, velocity, share, own, limits(), points)
        assert points["stands"].tolist() == [0, 1, 1, 0, 0, 1]
        half = (0.25 - (share % 1.0 - 0.5)) * 0.8
        off = seen(points)
        for leg, (x, y) in enumerate(PLACES):
            if leg in (1, 2):
                way = half * np.array([0.5 - 0.3 * y, -0.2 + 0.3 * x])
                assert off[leg] == pytest.approx(way, abs=ROUNDING)
            else:  # who stands already stays
                np.testing.assert_array_equal(points["foot"][leg], before[leg])
    points = standing()
    step_by_clock(POSE, velocity, 0.5 - 1e-9, own, limits(), points)
    assert points["stands"].tolist() == [1, 0, 0, 1, 1, 0]
    step_by_clock(POSE, velocity, 0.5, own, limits(), points)
    assert points["stands"].tolist() == [0, 1, 1, 0, 0, 1]


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("leg", [0, 5])
def test_standing_feet_must_be_in_their_workspace_but_for_a_slack(axis, leg):
    own = model(slack=0.05)
    ends = [(-0.9, 1.1), (-0.3, 0.5)][axis]
    for end, sign in zip(ends, (-1.0, 1.0), strict=True):
        for by, fits in ((0.049, True), (0.051, False), (-0.01, True)):
            points = standing()
            off = np.zeros((6, 2))
            off[leg, axis] = end + sign * by
            points["foot"] = standing(off)["foot"]
            assert are_reached(POSE, own, limits(), points) == fits
            assert points["off"] == pytest.approx(off, abs=ROUNDING)
            points["stands"][leg] = 0.0
            assert are_reached(POSE, own, limits(), points)


def test_a_free_leg_in_the_air_comes_down_after_its_swing_and_others_lift():
    own = model(mode="terrain", swing=0.5, sample=0.1, patience=0.3, margin=0.05)
    trunk, velocity = TrunkEstimate.zeros()[0], (0.5, 0.0, 0.0)
    points = standing((0.6, 0.0))
    points["stands"][1], points["raised"][1] = 0.0, 0.35
    step_point_legs(POSE, velocity, trunk, own, limits(), points, np.empty((6, 2)))
    assert points["stands"].tolist() == [1, 0, 1, 1, 1, 1]
    assert points["raised"][1] == pytest.approx(0.45)
    step_point_legs(POSE, velocity, trunk, own, limits(), points, np.empty((6, 2)))
    assert points["stands"].all() and points["raised"][1] == 0.0
    # half a support is 1.5 s at most, and 0.7 of what is ahead over the speed
    assert seen(points)[1] == pytest.approx([min(1.5 * 0.5, 0.7 * 1.1), 0.0])
    late = np.full((6, 2), (0.6, 0.0))
    late[2, 0] = -0.7
    points = standing(late)
    step_point_legs(POSE, velocity, trunk, own, limits(), points, np.empty((6, 2)))
    assert points["stands"].tolist() == [1, 1, 0, 1, 1, 1]


def test_a_point_mass_asks_its_feet_for_weight_and_acceleration():
    """In axes of the ground that leans: arms end on the plane of the feet."""
    own, trunk, points = (
        model(friction=0.4, most=0.6),
        TrunkEstimate.zeros()[0],
        standing(),
    )
    trunk.mass, trunk.height, trunk.p_BC[:] = 50.0, 1.4, (0.05, -0.03, 0.2)
    points["stands"][3] = 0.0
    tilt = rotation(0.1, -0.2, 0.0)
    axes = tuple(tuple(float(x) for x in row) for row in tilt.T)
    wrench, feet = TrunkWrench.zeros(), FootForce.zeros(6)
    _ask_point(trunk, POSE, (0.7, -0.4), own, axes, points, (wrench, feet))
    force = 50.0 * np.array([0.7, -0.4, GRAVITY])
    assert wrench["force"][0] == pytest.approx(tilt.T @ force)
    assert not wrench["moment"].any()
    n = tilt[:, 2]
    c = POSE[:2] + rotation(0, 0, POSE[2])[:2, :2] @ trunk.p_BC[:2]
    for foot, point in zip(feet, points, strict=True):
        arm = tilt @ foot.arm
        assert arm[:2] == pytest.approx(point.foot[:2] - c)
        # its plane is the height below the centre of mass, along its normal
        assert n @ arm == pytest.approx(-1.4, rel=1e-9)
        assert (foot.grip, foot.least) == (0.4, 0.0)
    most = 0.6 * 50.0 * GRAVITY
    assert feet["most"] == pytest.approx([most] * 3 + [0.0] + [most] * 2)


def test_what_moments_leave_adds_up_until_none_is_missing():
    assert _left_turning(0.5, 3.0, 60.0, 0.1) == pytest.approx(0.505)
    assert _left_turning(0.5, -3.0, 60.0, 0.1) == pytest.approx(0.495)
    assert _left_turning(0.5, 5e-4, 60.0, 0.1) == 0.0


def test_the_margin_of_rest_is_over_the_feet_that_stand():
    points = standing((0.1, 0.0))
    points["stands"][[0, 3]] = 0.0
    down = points["foot"][[1, 2, 4, 5], :2] - POSE[:2]
    wanted = static_at(down.copy(), 4)
    assert wanted != static_at(points["foot"][:, :2] - POSE[:2], 6)
    assert _rests(POSE, points, np.empty((6, 2))) == pytest.approx(wanted)


# --- proposals ------------------------------------------------------------------------


def towards(velocity, command, walks=1.0, mode=2.0, rate=1.0, changed=None, **config):
    own = model(acceleration=0.5, turn_acceleration=0.2, **config)
    for name, value in (changed or {}).items():
        own[name] = value
    goal, memory = Travel.zeros(), StoppingMemory.zeros()
    goal["velocity"], goal["walks"], memory["mode"] = command, walks, mode
    x, y, w = (float(v) for v in velocity)
    return _towards(goal[0], (x, y, w), own, limits(), memory[0], rate)


def test_forward_left_and_turn_get_there_at_once():
    """By the slower of 0.5 m/s² and 0.2 rad/s²; no longer than a segment."""
    x, y, w, T = towards((0.1, 0.2, 0.0), (0.4, -0.2, 0.02), segment=9.0)
    assert T == pytest.approx(1.0)  # 0.5 m/s in all
    assert (x, y, w) == pytest.approx((0.3, -0.4, 0.02))
    x, y, w, T = towards((0.1, 0.2, 0.1), (0.4, -0.2, -0.3), segment=9.0)
    assert T == pytest.approx(2.0)  # 0.4 rad/s
    assert (x, y, w) == pytest.approx((0.15, -0.2, -0.2))
    assert towards((0.1, 0.2, 0.1), (0.4, -0.2, -0.3), segment=0.5) == pytest.approx(
        (0.15, -0.2, -0.2, 0.5)
    )
    assert towards((0.1, 0.2, 0.1), (0.1, 0.2, 0.1)) == (0.0, 0.0, 0.0, 0.0)


def test_where_no_leg_may_step_it_is_braked():
    braked = pytest.approx((-0.5, 0.0, 0.0))
    assert towards((0.3, 0, 0), (0.6, 0, 0), walks=0.0)[:3] == braked
    assert towards((0.3, 0, 0), (0.6, 0, 0), mode=1.0)[:3] == braked
    assert towards((0.3, 0, 0), (0.6, 0, 0), mode=2.0)[0] == pytest.approx(0.5)
    # by hand the trunk moves in precision footing, and only there
    by_hand = {"stays": 1.0}
    assert towards((0.3, 0, 0), (0.6, 0, 0), mode=1.0, changed=by_hand)[0] > 0.0
    assert towards((0.3, 0, 0), (0.6, 0, 0), mode=0.0, changed=by_hand)[:3] == braked


def test_free_legs_slow_it_down_by_their_rate():
    assert towards(
        (0.3, 0, 0), (0.6, 0, 0), rate=0.5, mode=3.0, changed={"is_free": 1.0}
    )[:3] == (0.0, 0.0, 0.0)
    half = towards(
        (0.0, 0, 0), (0.6, 0, 0), rate=0.5, changed={"is_free": 1.0}, segment=9.0
    )
    assert half[3] == pytest.approx(0.6)
    whole = towards((0.0, 0, 0), (0.6, 0, 0), rate=0.5, segment=9.0)
    assert whole[3] == pytest.approx(1.2)


def test_a_command_beyond_what_legs_keep_up_with_is_made_less():
    fast = (6.0, 0.0, 0.0)
    assert allowed_share(6.0, 0.0, 0.0, 1.0, limits()) < 1.0
    limited = towards((0, 0, 0), fast, cycle=1.0, segment=99.0, is_limited=True)
    share = limited[3] * 0.5 / 6.0
    assert share < 1.0
    just = allowed_share(share * 6.0, 0.0, 0.0, 1.0, limits())
    assert just == pytest.approx(1.0, abs=1e-6)
    free = towards((0, 0, 0), fast, cycle=1.0, segment=99.0, is_limited=False)
    assert free[3] == pytest.approx(12.0)


@pytest.mark.parametrize(
    ("now", "dwelt", "moves", "walks", "stands", "goal", "after"),
    [
        (0, 0.095, False, 0.0, 1.0, 1.0, 1),  # by way of precision footing
        (0, 0.08, False, 0.0, 1.0, 1.0, 0),  # not long enough
        (1, 0.2, False, 0.0, 1.0, 1.0, 3),
        (1, 0.2, True, 0.0, 1.0, 1.0, 1),  # only a machine at rest changes
        (1, 0.2, False, 1.0, 1.0, 1.0, 1),
        (1, 0.2, False, 0.0, 0.0, 1.0, 1),
        (3, 0.2, False, 0.0, 1.0, 0.0, 1),  # nobody wants to go: precision
        (3, 0.2, False, 0.0, 1.0, 1.0, 3),
    ],
)
def test_modes_change_one_after_the_other_at_rest(
    now, dwelt, moves, walks, stands, goal, after
):
    travel, legs, memory = Travel.zeros(), LegStance.zeros(3), StoppingMemory.zeros()
    travel["walks"], legs["stands"] = goal, 1.0
    legs["stands"][1] = stands
    memory["mode"], memory["dwelt"], memory["walks"] = now, dwelt, walks
    _change_mode(travel[0], moves, 0.01, 3, legs, memory[0])
    assert memory["mode"][0] == after
    left = 0.0 if after != now else dwelt + 0.01
    assert memory["dwelt"][0] == pytest.approx(left)
    assert math.isfinite(memory["dwelt"][0])
