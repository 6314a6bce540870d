"""The trunk carried along: against paths, planes and sways in closed form."""

import numpy as np
import pytest

from equipoise.control.motion.stride import StrideConfig, StrideMotion
from oracles.walking_parts import DT, estimate, machine, rotation, stance, travel

EPS = np.finfo(float).eps
FLAT = StrideConfig(forward=0.0)


def follow(motion, ticks, goal, known=None, found=None, moves=True):
    """Return the references of some ticks; the trunk goes where it is told."""
    known, found = known or estimate(), found or stance()
    goal, state, rows = travel(*goal), motion.init(machine()), []
    for _ in range(ticks):
        answer, state = motion.step(known, goal, found, state)
        rows.append(answer)
        if moves:
            known.p_WB[:2] = answer.pose["p_WB"][0, :2]
            known.R_WB[:] = rotation(0.0, 0.0, answer.pose["rpy_WB"][0, 2])
    return rows


def test_a_straight_walk_goes_along_the_heading():
    yaw, v = 0.4, np.array([0.3, -0.1])
    rows = follow(StrideMotion(FLAT), 500, [*v, 0.0, 1.0], estimate(tilt=(0, 0, yaw)))
    c, s = np.cos(yaw), np.sin(yaw)
    goes = np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])
    # rounding: one addition a tick
    last = rows[-1].pose[0]
    assert np.allclose(last.p_WB[:2], 500 * DT * goes, rtol=0, atol=500 * EPS)
    assert np.allclose(last.v_WB, [*goes, 0.0], rtol=0, atol=500 * EPS)
    assert last.rpy_WB[2] == pytest.approx(yaw, abs=500 * EPS)


def test_a_turning_walk_goes_round_a_circle():
    v, turn, n = 0.3, 0.5, 1000
    rows = follow(StrideMotion(FLAT), n, [v, 0.0, turn, 1.0])
    # places are the geometric series of the ticks' steps, exactly
    spin = np.exp(1j * turn * DT)
    series = v * DT * (1.0 - spin**n) / (1.0 - spin)
    last = rows[-1].pose[0]
    place = last.p_WB[0] + 1j * last.p_WB[1]
    assert abs(place - series) < n * EPS * 10  # rounding, of sine and cosine too
    assert last.rpy_WB[2] == pytest.approx(turn * n * DT, abs=n * EPS)
    assert last.yaw_rate == turn
    # truncation of first order: half a tick's way
    circle = v / turn * np.exp(1j * (turn * n * DT - 0.5 * np.pi)) + 1j * v / turn
    assert abs(place - circle) < 0.5 * v * DT * 1.1


def test_a_reference_is_kept_on_a_leash():
    motion = StrideMotion(StrideConfig(forward=0.0, leash=0.04, heading_leash=0.1))
    rows = follow(motion, 2000, [0.3, -0.2, 0.4, 1.0], moves=False)
    poses = np.concatenate([row.pose for row in rows])
    off = np.column_stack([poses["p_WB"][:, :2], poses["rpy_WB"][:, 2]])
    assert (np.abs(off[:, :2]) <= 0.04 + EPS).all()  # rounding: one addition
    assert np.abs(off[:, 2]).max() <= 0.1 + EPS
    assert off[-1] == pytest.approx([0.04, -0.04, 0.1])
    assert off[10] == pytest.approx(
        [0.3 * 11 * DT, -0.2 * 11 * DT, 0.4 * 11 * DT], rel=0.01
    )


def on_plane(up, left, yaw, offset=0.03):
    """Return an estimate whose footholds lie on a plane of given slopes in H."""
    known = estimate(tilt=(0.0, 0.0, yaw))
    c, s = np.cos(yaw), np.sin(yaw)
    known.footholds[:2, :2] += [[0.08, 0.05], [-0.06, 0.02]]  # not a rectangle
    xy = known.footholds[:, :2]
    along, aside = xy @ [c, s], xy @ [-s, c]
    known.footholds[:, 2] = offset + up * along + left * aside
    return known


@pytest.mark.parametrize("free", [0.0, 0.06, 0.15])
@pytest.mark.parametrize("yaw", [0.0, 0.8])
def test_the_trunk_takes_on_what_is_steep_of_the_footholds_slope(yaw, free):
    up, left = 0.2, -0.1
    config = StrideConfig(forward=0.0, level_up_to=free, slope_time=0.1)
    known = on_plane(up, left, yaw)
    rows = follow(StrideMotion(config), 3000, np.zeros(4), known, moves=False)
    pose = rows[-1].pose[0]
    pitch, roll = -(np.arctan(0.2) - free), -max(np.arctan(0.1) - free, 0.0)
    # 6 s are sixty times the filter's time: what is left is rounding
    assert pose.rpy_WB[1] == pytest.approx(pitch, abs=1e-12)
    assert pose.rpy_WB[0] == pytest.approx(roll, abs=1e-12)
    hip = machine().geometry.hips[:, 2].mean()
    assert pose.p_WB[2] == pytest.approx(0.03 + 0.5 - hip, abs=1e-12)
    first = np.arctan(0.2) * DT / (0.1 + DT)  # of the slope, which is filtered
    assert rows[0].pose[0].rpy_WB[1] == pytest.approx(-max(first - free, 0.0), rel=1e-9)


@pytest.mark.parametrize("up, left", [(0.2, 0.0), (0.0, -0.15), (-0.1, 0.0)])
def test_feet_belong_under_the_centre_of_mass_on_a_slope_too(up, left):
    config = StrideConfig(forward=0.0, slope_time=0.1)
    rows = follow(
        StrideMotion(config), 3000, np.zeros(4), on_plane(up, left, 0.0), moves=False
    )
    pose, places = rows[-1].pose[0], rows[-1].places
    centre = estimate().trunk[0].p_BC
    over = rotation(*pose.rpy_WB) @ (centre - places.mean(axis=0))
    # rounding, and what is left of the filters after sixty times their time
    assert np.abs(over[:2]).max() < 1e-9
    assert over[2] > 0.4


def test_feet_are_put_forward_and_outwards_as_set():
    plain = follow(StrideMotion(FLAT), 1, np.zeros(4))[0].places
    config = StrideConfig(forward=0.02, spread=0.03)
    moved = follow(StrideMotion(config), 1, np.zeros(4))[0].places
    side = np.sign(machine().geometry.hips[:, 1])
    expected = np.stack([np.full(4, 0.02), 0.03 * side, np.zeros(4)], axis=1)
    assert np.allclose(moved - plain, expected, rtol=0, atol=4 * EPS)  # rounding


def swayed(phase, sway=0.04):
    """Return the last reference of a machine that sways, long at one phase."""
    config = StrideConfig(forward=0.0, sway=sway, sway_phase=0.2)
    found = stance()
    clock = found.clock[0]
    clock.phase, clock.cycle, clock.rate = phase % 1.0, 2.0, 0.8
    return follow(StrideMotion(config), 300, np.zeros(4), found=found, moves=False)[-1]


@pytest.mark.parametrize("phase", [0.2, 0.33, 0.55, 0.9])
def test_the_trunk_sways_by_the_clock_and_feet_do_not(phase):
    sway = swayed(phase).pose["p_WB"][0, 1]
    assert abs(sway) <= 0.04 + EPS
    if phase == 0.2:
        assert sway == pytest.approx(-0.04, abs=1e-12)  # farthest right, to rounding
    other = swayed(phase + 0.5).pose["p_WB"][0, 1]
    assert other == pytest.approx(-sway, abs=1e-12)
    # derivative by central differences: 0.8 of a cycle of 2 s passes in a second
    h = EPS ** (1 / 3)
    beyond, short = swayed(phase + h).pose["p_WB"], swayed(phase - h).pose["p_WB"]
    slope = (beyond[0, 1] - short[0, 1]) / (2.0 * h)
    assert swayed(phase).pose["v_WB"][0, 1] == pytest.approx(0.4 * slope, abs=1e-8)
    still = swayed(phase, sway=0.0).places
    places = swayed(phase).places + np.array([0.0, sway, 0.0])
    assert np.allclose(places, still, rtol=0, atol=1e-12)  # rounding


def test_a_sway_begins_within_a_quarter_of_a_cycle():
    found = stance()
    found.clock["cycle"] = 2.0
    motion = StrideMotion(StrideConfig(forward=0.0, sway=0.04))
    rows = follow(motion, 400, np.zeros(4), found=found, moves=False)
    sways = np.array([row.pose["p_WB"][0, 1] for row in rows])
    ramp = np.minimum(1.0, 4.0 * DT / 2.0 * np.arange(1, 401))
    assert np.allclose(sways, -0.04 * ramp, rtol=0, atol=400 * EPS)  # rounding


def test_a_machine_that_rests_centres_itself_over_its_feet():
    known, found = estimate(p_WB=(0.03, -0.02, 0.5)), stance()
    known.footholds[:, :2] -= [0.03, -0.02]  # the trunk is off its feet's middle
    found.clock["cycle"], found.clock["walking"], found.clock["rate"] = 0.7, 0.0, 0.0
    rows = follow(
        StrideMotion(FLAT), 3000, [0.3, 0.0, 0.2, 1.0], known, found, moves=True
    )
    last = rows[-1].pose[0]
    over = last.p_WB[:2] + known.trunk[0].p_BC[:2]
    middle = known.footholds[:, :2].mean(axis=0)
    # 6 s at a rate of 2 per second
    assert np.abs(over - middle).max() < 0.05 * 3e-4
    assert [*last.v_WB, last.yaw_rate] == [0.0] * 4  # the goal does not count


@pytest.mark.parametrize("up, left", [(0.2, 0.0), (0.03, -0.15), (-0.04, 0.02)])
def test_feet_are_put_down_on_the_footholds_plane(up, left):
    config = StrideConfig(forward=0.0, slope_time=0.1, level_up_to=0.06)
    rows = follow(
        StrideMotion(config), 3000, np.zeros(4), on_plane(up, left, 0.0), moves=False
    )
    pose, places = rows[-1].pose[0], rows[-1].places
    feet = places @ rotation(*pose.rpy_WB).T
    slopes = np.linalg.lstsq(
        np.column_stack([feet[:, :2], np.ones(4)]), feet[:, 2], rcond=None
    )[0]
    # roll and pitch are taken as independent: their product is what that leaves out
    assert slopes[:2] == pytest.approx([up, left], abs=0.1 * abs(up * left) + 1e-9)
