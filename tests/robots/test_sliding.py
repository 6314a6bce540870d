"""Machines on slides: their printed masses, where their feet are, that they go."""

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.control.machine import legged_machine
from equipoise.core.errors import ConfigError
from equipoise.robots.sliding import sliding_machine
from equipoise.robots.titan3.build import BUILD

MASSES = {"titan3": 80.0, "titan4": 160.0, "titan6": 195.0, "asv": 2700.0}
"""As [Ridderstrom2003] prints them [kg]."""


@pytest.mark.parametrize("name", MASSES)
def test_it_weighs_what_is_printed_and_stands_on_its_feet(name):
    robot = eq.load(name)
    model, data = robot.model, mujoco.MjData(robot.model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    mujoco.mj_forward(model, data)
    assert model.body_subtreemass[1] == pytest.approx(MASSES[name])
    np.testing.assert_allclose(data.subtree_com[1], data.xpos[1], atol=1e-12)  # hips
    for foot in robot.feet:
        low = data.geom(foot).xpos[2] - model.geom(foot).size[0]
        assert low == pytest.approx(0.0, abs=1e-12)
    assert len(robot.drives) == model.nu == 3 * len(robot.feet)


def test_a_slide_moves_its_foot_along_one_axis():
    robot = eq.load("titan6")
    machine = legged_machine(robot)
    assert machine.is_scaled
    leg = machine.geometry.legs[2]
    np.testing.assert_array_equal(leg.slides, 1.0)
    np.testing.assert_allclose(leg.axis, np.eye(3), atol=1e-15)


@pytest.mark.parametrize(
    ("name", "gait", "speed"),
    [("titan3", "crawl", 0.15), ("titan6", "trot", 0.5), ("asv", "tripod", 1.0)],
)
def test_it_walks_by_the_settings_of_its_size(name, gait, speed):
    result = eq.simulate(eq.load(name), gait=gait, speed=speed, seconds=5.0, seed=1)
    assert result.verdict == "yes"
    assert abs(result.summary["speed_error"]) < 0.08


def test_a_sprung_trunk_is_the_same_until_it_gives_way():
    one, two = eq.load("titan6"), eq.load("titan6", trunk_joint="sprung")
    found = []
    for robot in (one, two):
        data = mujoco.MjData(robot.model)
        mujoco.mj_resetDataKeyframe(robot.model, data, 0)
        mujoco.mj_forward(robot.model, data)
        inertia = np.zeros((robot.model.nv, robot.model.nv))
        mujoco.mj_fullM(robot.model, data, inertia)
        found.append((inertia[:6, :6], data.subtree_com[1].copy()))
        assert robot.model.nu == len(robot.drives) == 12
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-12)  # rounding
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-12)
    assert two.model.nq == one.model.nq + 1
    first, second = (legged_machine(robot).geometry for robot in (one, two))
    np.testing.assert_allclose(first.hips, second.hips, atol=1e-12)
    assert first.mass == pytest.approx(second.mass)


def test_it_walks_with_a_sprung_trunk():
    robot = eq.load("titan6", trunk_joint="sprung")
    result = eq.simulate(robot, speed=0.6, seconds=5.0, seed=1)
    assert result.verdict == "yes"
    address = int(robot.model.joint("trunk_joint").qposadr[0])
    gives = np.abs(result.dataset["qpos"].values[:, address]).max()
    assert 1e-4 < gives < 0.02


def test_a_trunk_of_one_part_cannot_be_parted():
    with pytest.raises(ConfigError, match="its trunk is one part"):
        sliding_machine(BUILD, is_parted=True)
    with pytest.raises(ConfigError, match="trunk-joint must be 'locked' or 'sprung'"):
        eq.load("titan6", trunk_joint="loose")
