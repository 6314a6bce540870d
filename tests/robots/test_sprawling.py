"""Machines with an insect's legs: masses and reach by hand, sources of all numbers."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.robots.sprawling import sprawling_provenance
from equipoise.robots.tum.build import BUILD


def test_tum_weighs_and_stands_as_it_is_said_to():
    robot = eq.load("tum")
    model, data = robot.model, mujoco.MjData(robot.model)
    assert model.body_mass.sum() == pytest.approx(23.0, abs=1e-9)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    # shanks 75 degrees below level, thighs 28 above
    thigh, shank = math.radians(28.0), math.radians(-75.0)
    out = 0.10 + 0.05 + 0.22 * math.cos(thigh) + 0.30 * math.cos(shank)
    down = -0.22 * math.sin(thigh) - 0.30 * math.sin(shank)
    for name, side in zip(robot.feet, (1, -1) * 3, strict=True):
        foot = data.geom(name).xpos
        assert foot[1] == pytest.approx(side * out, abs=1e-12)
        assert foot[2] == pytest.approx(BUILD.foot_radius, abs=1e-12)
    assert BUILD.height == pytest.approx(down + BUILD.foot_radius, abs=1e-12)


def test_positive_joints_swing_forward_lift_and_stretch():
    robot = eq.load("tum")
    model, data = robot.model, mujoco.MjData(robot.model)
    for leg in ("front_left", "middle_right"):
        for joint, axis in (("swing", 0), ("lift", 2), ("bend", 2)):
            places = []
            for angle in (0.0, 0.1):
                mujoco.mj_resetDataKeyframe(model, data, 0)
                data.joint(f"{leg}_{joint}").qpos[0] += angle
                mujoco.mj_forward(model, data)
                places.append(np.array(data.geom(f"{leg}_foot").xpos))
            assert (places[1] - places[0])[axis] > 0.005


def test_thing_weighs_two_kilograms_and_its_splayed_legs_stand_on_a_near_square():
    robot = eq.load("thing")
    model, data = robot.model, mujoco.MjData(robot.model)
    assert model.body_mass.sum() == pytest.approx(2.0, abs=1e-9)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    thigh, shank = math.radians(5.0), math.radians(-97.5)
    out = 0.03 + 0.08 * math.cos(thigh) + 0.12 * math.cos(shank)
    corner = (0.07 + out / math.sqrt(2.0), 0.05 + out / math.sqrt(2.0))
    for name, along, side in zip(
        robot.feet, (1, 1, -1, -1), (1, -1, 1, -1), strict=True
    ):
        expected = (along * corner[0], side * corner[1], 0.008)
        assert data.geom(name).xpos == pytest.approx(expected, abs=1e-12)
    assert data.body("trunk").xpos[2] == pytest.approx(
        0.12, abs=1e-4
    )  # in whole degrees


def test_the_enlarged_insect_carries_itself_which_a_twentieth_newton_metre_would_not():
    robot = eq.load("insect")
    model, data = robot.model, mujoco.MjData(robot.model)
    assert model.body_mass.sum() == pytest.approx(0.9, abs=1e-9)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    thigh, shank = math.radians(16.0), math.radians(-74.0)
    arm = 0.14 * (math.cos(thigh) + math.cos(shank))
    assert data.geom("front_left_foot").xpos[1] == pytest.approx(
        0.03 + 0.015 + arm, abs=1e-12
    )
    assert data.body("trunk").xpos[2] == pytest.approx(0.1, abs=1e-4)
    lift = 0.9 * 9.81 / 3.0 * arm  # three feet stand, each leg's weight left out
    assert lift < 0.5 * robot.drives[0].torque
    assert 0.5 * lift > 0.05  # on six


def test_no_number_without_a_source_and_parts_that_add_up():
    told = sprawling_provenance(BUILD)
    assert {fact.name for fact in told.facts} == set(BUILD.numbers)
    fewer = {k: v for k, v in BUILD.sources.items() if k != "torque"}
    with pytest.raises(ConfigError, match="torque"):
        replace(BUILD, sources=fewer)
    with pytest.raises(ConfigError, match="its parts weigh"):
        replace(BUILD, trunk_mass=12.0)
