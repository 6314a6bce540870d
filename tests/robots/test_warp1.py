"""WARP1 against tables 6.4 and 6.5 of the thesis, corrected, and its own geometry."""

import mujoco
import numpy as np
import pytest

from equipoise.robots.builtin import builtin_names
from equipoise.robots.load import load
from equipoise.robots.warp1.warp1 import LEGS

# hips after the correction: front +0.29, rear -0.33, left +0.25, all 0.14 m down
HIPS = {
    "front_left": (0.29, 0.25, -0.14),
    "front_right": (0.29, -0.25, -0.14),
    "rear_left": (-0.33, 0.25, -0.14),
    "rear_right": (-0.33, -0.25, -0.14),
}


@pytest.fixture(scope="module")
def model():
    """WARP1, compiled."""
    return load("warp1").model


def placed(model, qpos):
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    return data


def test_it_is_known_by_name():
    assert "warp1" in builtin_names()


def test_masses_and_inertias_are_those_of_the_tables(model):
    assert model.body_mass.sum() == pytest.approx(37.6 + 4 * (3.7 + 2.0), abs=1e-12)
    assert (model.nv, model.nbody) == (18, 10)
    np.testing.assert_allclose(model.body("trunk").inertia, [1.6, 3.4, 4.3])
    for leg in LEGS:
        thigh, shank = model.body(f"{leg}_thigh"), model.body(f"{leg}_shank")
        np.testing.assert_allclose(thigh.inertia, [0.03, 0.03, 0.003])
        np.testing.assert_allclose(shank.inertia, [0.02, 0.02, 0.001])
        inwards = -np.sign(HIPS[leg][1])
        np.testing.assert_allclose(thigh.ipos, [0, inwards * 0.02, -0.15], atol=1e-12)
        np.testing.assert_allclose(shank.ipos, [0, inwards * 0.03, -0.05], atol=1e-12)


def test_hips_are_at_the_corners(model):
    straight = np.zeros(model.nq)
    straight[3] = 1.0
    data = placed(model, straight)
    for leg, hip in HIPS.items():
        joint = model.joint(f"{leg}_hip_roll").id
        np.testing.assert_allclose(data.xanchor[joint], hip, atol=1e-12)
        foot = data.geom_xpos[model.geom(f"{leg}_foot").id]
        np.testing.assert_allclose(foot - hip, [0, 0, -0.59], atol=1e-12)


def test_the_middle_of_the_mass_is_near_the_thesiss(model):
    """Closed form of the straight-legged robot: a sum over nine bodies."""
    straight = np.zeros(model.nq)
    straight[3] = 1.0
    com = placed(model, straight).subtree_com[0]
    legs = 4 * (3.7 + 2.0)
    down = 4 * (3.7 * (0.14 + 0.15) + 2.0 * (0.14 + 0.29 + 0.05))
    np.testing.assert_allclose(
        com, [-0.02 * legs / 60.4, 0.0, -down / 60.4], atol=1e-12
    )


def test_it_stands_with_every_foot_under_its_hip(model):
    data = placed(model, model.key("start").qpos)
    for leg in LEGS:
        foot = data.geom_xpos[model.geom(f"{leg}_foot").id]
        hip = data.xanchor[model.joint(f"{leg}_hip_roll").id]
        np.testing.assert_allclose(foot[:2], hip[:2], atol=1e-12)
        assert foot[2] == pytest.approx(0.025, abs=1e-12)
        assert hip[2] == pytest.approx(0.50, abs=1e-12)


def test_positive_pitch_swings_forward_and_the_knee_bends_backwards(model):
    qpos = np.zeros(model.nq)
    qpos[3] = 1.0
    at = model.joint("front_left_hip_pitch").qposadr[0]
    qpos[at], qpos[at + 1] = 0.3, -0.5
    data = placed(model, qpos)
    knee = data.xpos[model.body("front_left_shank").id] - HIPS["front_left"]
    np.testing.assert_allclose(
        knee, [0.29 * np.sin(0.3), 0.0, -0.29 * np.cos(0.3)], atol=1e-12
    )
    foot = data.geom_xpos[model.geom("front_left_foot").id] - HIPS["front_left"] - knee
    np.testing.assert_allclose(
        foot, [-0.30 * np.sin(0.2), 0.0, -0.30 * np.cos(0.2)], atol=1e-12
    )


def test_hip_roll_turns_the_leg_plane_about_the_forward_axis(model):
    qpos = np.zeros(model.nq)
    qpos[3] = 1.0
    qpos[model.joint("rear_right_hip_roll").qposadr[0]] = -0.2
    data = placed(model, qpos)
    foot = data.geom_xpos[model.geom("rear_right_foot").id] - HIPS["rear_right"]
    outwards = 0.59 * np.array([0.0, -np.sin(0.2), -np.cos(0.2)])
    np.testing.assert_allclose(foot, outwards, atol=1e-12)


def test_drives_agree_with_table_5_2():
    robot = load("warp1")
    assert len(robot.drives) == 12
    hip, *limbs = robot.drives[:3]
    # printed to two digits: torque at 5 A, speed at 48 V, rotor and gear
    assert (hip.torque, hip.inertia, hip.stiffness) == (50.0, 1.0, 1000.0)
    assert hip.speed == pytest.approx(4.8, abs=0.05)
    # the speed's rise time at constant voltage, R J / K², is printed as 20 and 10 ms
    assert hip.resistance * hip.inertia / hip.torque_constant**2 == pytest.approx(0.02)
    for drive in limbs:
        assert drive.torque == pytest.approx(91.0)
        assert drive.speed == pytest.approx(2.6, abs=0.05)
        assert drive.inertia == 2.7
        rise = drive.resistance * drive.inertia / drive.torque_constant**2
        assert rise == pytest.approx(0.010, abs=0.0005)


def test_motors_come_leg_by_leg_with_their_drives_torque(model):
    robot = load("warp1")
    names = [model.actuator(a).name for a in range(model.nu)]
    joints = ("hip_roll", "hip_pitch", "knee")
    assert names == [f"{leg}_{joint}" for leg in LEGS for joint in joints]
    for a, (name, drive) in enumerate(zip(names, robot.drives, strict=True)):
        assert model.actuator_trnid[a, 0] == model.joint(name).id
        assert tuple(model.actuator_ctrlrange[a]) == (-drive.torque, drive.torque)
        assert model.actuator_gear[a, 0] == 1.0
    assert not model.dof_armature.any()  # rotors belong to the drives


def test_joints_stop_where_table_5_2_says(model):
    degrees = {"hip_roll": (-30, 30), "hip_pitch": (-45, 80), "knee": (-110, 5)}
    for leg in LEGS:
        for name, reach in degrees.items():
            joint = model.joint(f"{leg}_{name}")
            assert joint.limited[0]
            np.testing.assert_allclose(np.rad2deg(joint.range), reach, atol=1e-12)
