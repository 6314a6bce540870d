"""Heels, slip and errors from arrays made by hand; whether a robot can stand."""

from dataclasses import replace

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.biped.biped import biped
from equipoise.robots.robot import Robot
from equipoise.runs.robot import RobotChoice, find_robot
from equipoise.runs.stand.judge import (
    base_errors,
    end_heights,
    heel_events,
    largest_slip,
    soles_of,
)
from equipoise.runs.stand.plan import standing_torques, support_margin
from equipoise.runs.stand.stand import StandConfig, stand, stand_robot
from equipoise.sim.soles import SoleLog
from equipoise.spatial.rotations import (
    matrix_from_axis_angle,
    quat_from_matrix,
    random_rotation,
)

TIME = 0.002 * np.arange(8)


def log_of(place, turn, load, cop) -> SoleLog:
    """Return the log of one foot."""
    n = len(place)
    log = SoleLog.empty(n, 1)
    log.force[:], log.force[:, 0, 2] = 0.0, load
    log.cop[:, 0], log.place[:, 0], log.turn[:, 0] = cop, place, turn
    return log


def with_set_pose(robot: Robot, pose: np.ndarray) -> Robot:
    """Return a robot that is to stand in another pose."""
    spec = robot.spec.copy()
    for key in spec.keys:
        if key.name == "set":
            key.qpos = pose
    return replace(robot, spec=spec)


def test_a_heel_counts_from_its_own_first_touch():
    mm = 1e-3 * np.array([2.0, 5.0, -1.0, 0.5, 4.0, 2.0, 0.0, 0.5])
    found = heel_events(TIME, mm[:, None])
    assert found.lift == pytest.approx(4e-3)  # not the 5 mm before it had touched
    assert found.recontact == pytest.approx(TIME[6])


def test_the_last_recontact_of_all_feet_counts_and_low_hops_do_not():
    left = 1e-3 * np.array([-1.0, 2.0, -1.0, 3.0, -1.0, -1.0, -1.0, -1.0])
    right = 1e-3 * np.array([-1.0, 0.9, -1.0, -1.0, 0.9, -1.0, -1.0, -1.0])
    found = heel_events(TIME, np.stack([left, right], axis=1))
    assert found.by_foot == (pytest.approx(TIME[4]), None)
    assert found.recontact == pytest.approx(TIME[4])
    still = heel_events(TIME, np.stack([right, right], axis=1))
    assert (still.lift, still.recontact) == (pytest.approx(0.9e-3), None)
    in_the_air = heel_events(TIME, np.full((8, 2), 0.01))
    assert (in_the_air.lift, in_the_air.recontact) == (0.0, None)


def test_a_foot_that_turns_about_its_toe_does_not_slip_and_one_that_slides_does():
    toe = np.array([-0.13, 0.0, -0.03])
    turn = [matrix_from_axis_angle([0, 1, 0], a) for a in np.linspace(0, 0.3, 8)]
    place = np.array([[0.5, 0.0, 0.0] - R @ toe for R in turn])
    turning = log_of(place, turn, 300.0, toe)
    assert largest_slip(turning) < 1e-15
    slide = place + np.outer(np.linspace(0.0, 7.0, 8), [1e-3, 0.0, 0.0])
    assert largest_slip(log_of(slide, turn, 300.0, toe)) == pytest.approx(7e-3)


def test_slip_starts_anew_after_a_foot_was_lifted_and_needs_load():
    flat = [np.eye(3)] * 8
    place = np.outer(np.arange(8.0), [0.0, 1e-3, 0.0])
    load = np.array([300.0, 300.0, 300.0, 0.0, 0.0, 300.0, 300.0, 300.0])
    cop = np.where(load[:, None] > 0.0, 0.0, np.nan) * np.ones(3)
    assert largest_slip(log_of(place, flat, load, cop)) == pytest.approx(2e-3)
    assert largest_slip(log_of(place, flat, np.zeros(8), np.nan)) == 0.0


def test_errors_are_distances_and_angles_whatever_the_quaternions_sign(rng):
    R, angle = random_rotation(rng), 0.7
    aim = quat_from_matrix(R)
    turned = quat_from_matrix(R @ matrix_from_axis_angle([0.6, 0.0, 0.8], angle))
    there = np.array([[*np.array([1.0, 2.0, 3.0]), *aim]] * 2)
    place = np.array([[1.0, 2.0, 3.0], [1.3, 2.4, 3.0]])
    distance, off = base_errors(place, np.array([aim, -turned]), there)
    np.testing.assert_allclose(distance, [0.0, 0.5], atol=1e-15)
    np.testing.assert_allclose(off, [0.0, angle], atol=1e-14)


def test_the_heel_is_behind_the_ankle_of_a_robot_that_faces_minus_x():
    soles = soles_of(biped())
    assert soles.names == ("left_foot", "right_foot")
    for heel, toe in zip(soles.heel, soles.toe, strict=True):
        np.testing.assert_allclose(heel[:, 0], 0.13072)
        np.testing.assert_allclose(toe[:, 0], -0.13072)
        assert len(heel) == len(toe) == 2


def test_the_lowest_corner_is_the_height_of_a_heel():
    heel = np.array([[0.13, -0.05, -0.03], [0.13, 0.05, -0.03]])
    turn = [np.eye(3), matrix_from_axis_angle([1, 0, 0], 0.1)]
    log = log_of([[0.0, 0.0, 0.04]] * 2, turn, 0.0, np.nan)
    low = 0.04 - 0.03 * np.cos(0.1) - 0.05 * np.sin(0.1)
    np.testing.assert_allclose(end_heights(log, (heel,))[:, 0], [0.01, low])


def test_standing_torques_are_those_that_a_run_ends_with():
    size = RobotChoice(name="biped", options={"height": 1.6, "body_mass": 60.0})
    config = StandConfig(controller="workspace", robot=size, block_mass=0.0)
    run = stand(config).dataset
    tau = run["tau"].values[-2]
    assert np.abs(tau).max() > 20.0
    settled = with_set_pose(find_robot(size), run["qpos"].values[-1])
    # after 3 s what is left of the motion is some 1e-6 of the torques
    np.testing.assert_allclose(standing_torques(settled), tau, atol=1e-3)


def test_a_robot_whose_feet_cannot_carry_it_is_refused():
    assert support_margin(biped()) > 0.05
    pose = np.array(biped().model.key("set").qpos)
    pose[[8, 14]] -= 0.6  # hip pitch swings both legs away
    robot = with_set_pose(biped(), pose)
    assert support_margin(robot) < -0.01
    with pytest.raises(
        ConfigError, match=r"feet cannot carry it.* mm outside its sole"
    ):
        stand_robot(robot, StandConfig(controller="workspace"))
