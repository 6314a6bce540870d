"""A machine on its belly: its trunk touches the ground, its feet are beside it."""

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.robots.lying_pose import LIES, lying_robot


def test_its_trunk_touches_and_its_feet_are_where_they_stood():
    robot = lying_robot(eq.load("tum"))
    keys = {key.name: np.array(key.qpos) for key in robot.spec.keys}
    model = robot.model
    where = {}
    for name in ("start", LIES):
        data = mujoco.MjData(model)
        data.qpos[:] = keys[name]
        mujoco.mj_kinematics(model, data)
        where[name] = np.array([data.geom(foot).xpos for foot in robot.feet])
    assert keys[LIES][2] == pytest.approx(0.05, abs=1e-12)  # half as thick as it is
    # as near as the legs' Newton steps come
    assert where[LIES][:, :2] == pytest.approx(where["start"][:, :2], abs=1e-6)
    over = where[LIES][:, 2] - model.geom(robot.feet[0]).size[0]
    assert np.all((over > 0.0) & (over < 0.01))
    joints = keys[LIES][7:].reshape(6, 3)
    assert np.all(joints < model.jnt_range[1:4, 1])
    assert np.all(joints > model.jnt_range[1:4, 0])


def test_straight_legs_do_not_let_it_lie():
    with pytest.raises(ConfigError, match=r"must bend its legs by 0\.\d+ m"):
        lying_robot(eq.load("warp1"))
