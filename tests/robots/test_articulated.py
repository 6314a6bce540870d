"""RALPHY: masses and stand by hand, sources of all numbers, valves for drives."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.robots.articulated import articulated_provenance
from equipoise.robots.ralphy.build import BUILD


def test_ralphy_weighs_and_stands_as_it_is_said_to():
    robot = eq.load("ralphy")
    model, data = robot.model, mujoco.MjData(robot.model)
    assert model.body_mass.sum() == pytest.approx(12.0, abs=1e-9)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    for name, (x, y) in zip(robot.feet, BUILD.hips, strict=True):
        assert np.allclose(data.geom(name).xpos, (x, y, 0.02), atol=1e-12)
    assert data.body("trunk").xpos[2] == pytest.approx(0.33)
    assert {drive.kind for drive in robot.drives} == {"lag"}
    assert robot.period == 1e-3


def test_positive_joints_roll_pitch_forward_and_stretch():
    robot = eq.load("ralphy")
    model, data = robot.model, mujoco.MjData(robot.model)
    for joint, axis in (("hip_roll", 1), ("hip_pitch", 0), ("knee", 0)):
        places = []
        for angle in (0.0, 0.1):
            mujoco.mj_resetDataKeyframe(model, data, 0)
            data.joint(f"rear_left_{joint}").qpos[0] += angle
            mujoco.mj_forward(model, data)
            places.append(np.array(data.geom("rear_left_foot").xpos))
        assert (places[1] - places[0])[axis] > 0.005


def test_no_number_without_a_source_and_parts_that_add_up():
    told = articulated_provenance(BUILD)
    assert {fact.name for fact in told.facts} == set(BUILD.numbers)
    fewer = {k: v for k, v in BUILD.sources.items() if k != "torque"}
    with pytest.raises(ConfigError, match="torque"):
        replace(BUILD, sources=fewer)
    with pytest.raises(ConfigError, match="its parts weigh"):
        replace(BUILD, trunk_mass=9.0)
