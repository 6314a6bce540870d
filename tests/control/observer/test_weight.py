"""The centre of mass that is known of legs is the engine's."""

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.control.machine import legged_machine
from equipoise.control.observer.legs import first_estimate, weigh_legs
from equipoise.control.records import TrunkEstimate
from equipoise.robots.legged import legged_robot


@pytest.mark.parametrize("name", ["warp1", "tum", "asv"])
def test_the_centre_of_mass_is_the_engines_whatever_the_legs_do(name, rng):
    robot = eq.load(name)
    geometry = legged_machine(legged_robot(robot)).geometry
    q = geometry.stand + rng.uniform(-0.05, 0.05, geometry.stand.shape)
    model, data = robot.model, mujoco.MjData(robot.model)
    for joint, angle in zip(robot.joint_names, q.ravel(), strict=True):
        data.qpos[model.joint(joint).qposadr[0]] = angle
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    base = model.body(robot.base).id
    R = data.xmat[base].reshape(3, 3)
    wanted = R.T @ (data.subtree_com[base] - data.xpos[base])
    count, trunk = len(geometry.legs), TrunkEstimate.zeros()
    legs = first_estimate(geometry.legs, q.size // count)
    legs["q"] = q.reshape(count, -1)
    weigh_legs(geometry.trunk, geometry.legs, legs, trunk)
    assert np.abs(wanted[:2]).min() > 1e-5  # aside of the middle, or it says little
    np.testing.assert_allclose(trunk["p_BC"][0], wanted, rtol=0, atol=1e-9)
