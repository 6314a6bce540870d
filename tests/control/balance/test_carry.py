"""Loads on the feet: against force and moment summed by hand; shifts in closed form."""

import numpy as np
import pytest

from equipoise.control.balance.capture import CaptureBalance, CaptureConfig
from equipoise.control.balance.none import NoBalance
from equipoise.control.balance.posture import PostureBalance, PostureBalanceConfig
from equipoise.control.observer.inertial import roll_pitch_yaw
from oracles.walking_parts import DT, estimate, machine, reference, rotation, stance

EPS = np.finfo(float).eps
WEIGHT = 9.81 * machine().mass
AT_ONCE = PostureBalanceConfig(
    roll_stiffness=300.0,
    roll_damping=20.0,
    pitch_stiffness=500.0,
    pitch_damping=30.0,
    take_on=0.0,
)


def command(part, known, found=None, trunk=None):
    """Return a part's first answer."""
    answer, _ = part.step(
        known, found or stance(), trunk or reference(), part.init(machine())
    )
    return answer


def random_places(rng):
    """Return places of feet about the hips, hip to foot in B."""
    return np.array([0.0, 0.0, -0.5]) + rng.uniform(-0.05, 0.05, (4, 3))


@pytest.mark.parametrize("stands", [(1, 1, 1, 1), (1, 1, 1, 0), (0, 1, 1, 1)])
def test_loads_carry_the_weight_and_turn_the_trunk_as_wanted(rng, stands):
    g = machine().geometry
    for _ in range(20):
        tilt, w = rng.uniform(-0.06, 0.06, 3), rng.normal(0.0, 0.05, 3)
        wanted = rng.uniform(-0.05, 0.05, 3)
        known = estimate(random_places(rng), tilt=tilt, w_B=w)
        force = command(
            PostureBalance(AT_ONCE), known, stance(stands), reference(tilt=wanted)
        ).force
        R = rotation(*tilt)
        pushes = -force @ R.T  # of the ground on the feet, in W
        # along gravity, all of it, and nobody pulls; rounding
        assert np.abs(pushes[:, :2]).max() < 1e-12 * WEIGHT
        assert pushes[:, 2].min() >= -1e-12 * WEIGHT
        assert (pushes[np.array(stands) == 0] == 0.0).all()
        arms = (
            g.hips + known.legs["foot"] - known.trunk["p_BC"]
        )  # from the centre, in B
        moment = np.cross(arms, -force).sum(axis=0)
        pull = [
            300.0 * (wanted[0] - tilt[0]) - 20.0 * w[0],
            500.0 * (wanted[1] - tilt[1]) - 30.0 * w[1],
        ]
        if pushes[np.array(stands) == 1, 2].min() <= 1.0:
            continue  # a foot would pull: not all can be had
        # solver: a slack of 1e-9 of the squares' sum, 400, times multipliers of 1e3
        assert pushes[:, 2].sum() == pytest.approx(WEIGHT, rel=1e-7)
        assert moment[:2] == pytest.approx(R[2, 2] * np.array(pull), abs=1e-3)
        break
    else:
        raise AssertionError("no pose could be held")


def test_roll_pitch_and_yaw_are_those_of_the_rotation(rng):
    for _ in range(10):
        angles = rng.uniform(-1.2, 1.2, 3)
        found = roll_pitch_yaw(estimate(tilt=angles).trunk[0])
        assert found == pytest.approx(angles, abs=1e-12)  # rounding


def test_a_foot_takes_its_share_on_within_a_short_time():
    part = PostureBalance(PostureBalanceConfig(take_on=0.04))
    known, state, shares = estimate(), part.init(machine()), []
    for _ in range(60):
        answer, state = part.step(known, stance(), reference(), state)
        shares.append(-answer.force[:, 2].sum() / WEIGHT)
    n = np.arange(1, 61)
    expected = 1.0 - (0.04 / (0.04 + DT)) ** n
    assert np.allclose(shares, expected, rtol=1e-7)  # the slack of the sharing
    lifted, state = part.step(known, stance((1, 0, 1, 1)), reference(), state)
    assert (lifted.force[1] == 0.0).all()
    again, _ = part.step(known, stance(), reference(), state)
    state["share"] = 1.0
    full, _ = part.step(known, stance(), reference(), state)
    share = DT / (0.04 + DT)
    assert again.force[1, 2] == pytest.approx(share * full.force[1, 2], rel=1e-9)


def test_the_printed_rule_is_another_one():
    known = estimate(random_places(np.random.default_rng(1)), tilt=(0.03, -0.02, 0.0))
    printed = PostureBalanceConfig(take_on=0.0, sharing="printed")
    other = command(PostureBalance(printed), known).force
    ours = command(PostureBalance(PostureBalanceConfig(take_on=0.0)), known).force
    assert np.abs(other - ours).max() > 1.0


def test_a_share_of_the_weight_can_be_left_to_the_springs():
    config = PostureBalanceConfig(take_on=0.0, weight=0.6)
    force = command(PostureBalance(config), estimate()).force
    assert -force[:, 2].sum() == pytest.approx(0.6 * WEIGHT, rel=1e-7)  # slack


def test_feet_step_to_where_the_machine_goes_seen_along_its_heading():
    config = CaptureConfig(gain=0.2, integral=0.0, reach=0.2)
    yaw, too_much = 0.7, np.array([0.3, -0.15])
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, -s], [s, c]])
    goes = np.array([0.1, 0.2])
    known = estimate(tilt=(0.0, 0.0, yaw), v_WB=(*(goes + turn @ too_much), 0.0))
    trunk = reference(tilt=(0.0, 0.0, yaw), goes=(*goes, 0.0))
    shift = command(CaptureBalance(config), known, trunk=trunk).shift
    assert np.allclose(shift, 0.2 * too_much, rtol=0, atol=8 * EPS)  # rounding
    far = estimate(tilt=(0.0, 0.0, yaw), v_WB=(*(turn @ [5.0, -5.0]), 0.0))
    shift = command(CaptureBalance(config), far, trunk=trunk).shift
    assert np.allclose(shift, [0.2, -0.2], rtol=0, atol=8 * EPS)


def test_a_slow_integral_takes_out_what_is_left_and_is_bounded():
    config = CaptureConfig(gain=0.0, integral=0.1, slow_reach=0.06)
    part, known = CaptureBalance(config), estimate(v_WB=(0.05, -0.1, 0.0))
    state, shifts = part.init(machine()), []
    for _ in range(5000):
        answer, state = part.step(known, stance(), reference(), state)
        shifts.append(answer.shift[2].copy())
    t = DT * np.arange(1, 5001)
    expected = 0.1 * np.stack([0.05 * t, -0.1 * t], axis=1)
    # rounding: one addition a tick
    assert np.allclose(shifts, np.clip(expected, -0.06, 0.06), rtol=0, atol=5000 * EPS)
    assert shifts[-1][1] == -0.06
    rests = stance()
    rests.clock[0].walking = 0.0
    _, after = part.step(known, rests, reference(), state)
    assert (after.slow[0].gone == state.slow[0].gone).all()  # at rest nothing is learnt


def test_capture_carries_as_posture_does():
    known = estimate(tilt=(0.02, -0.03, 0.1))
    config = CaptureConfig(posture=AT_ONCE, levelling=0.0)
    force = command(CaptureBalance(config), known).force
    assert (force == command(PostureBalance(AT_ONCE), known).force).all()


def test_a_trunk_that_hangs_is_levelled_by_an_integral_that_is_bounded():
    config = CaptureConfig(levelling=0.5, most_levelling=0.01)
    part, known = CaptureBalance(config), estimate(tilt=(0.02, -0.03, 0.0))
    state, trunk, corrected = part.init(machine()), reference(tilt=(0.01, 0.0, 0.0)), []
    for _ in range(1500):
        answer, state = part.step(known, stance(), trunk, state)
        rolled = answer.trunk.pose[0].rpy_WB - trunk.pose[0].rpy_WB
        corrected.append(rolled[:2])
    t = DT * np.arange(1, 1501)
    missing = np.stack([-0.01 * t, 0.03 * t], axis=1)
    # rounding: one addition a tick
    assert np.allclose(
        corrected, np.clip(0.5 * missing, -0.01, 0.01), rtol=0, atol=1500 * EPS
    )
    assert trunk.pose[0].rpy_WB.tolist() == [
        0.01,
        0.0,
        0.0,
    ]  # the motion part's own is kept


def test_no_balance_adds_nothing_and_keeps_the_reference():
    trunk = reference()
    answer = command(NoBalance(), estimate(), trunk=trunk)
    assert answer.trunk is trunk
    assert not answer.force.any()
    assert not answer.shift.any()
