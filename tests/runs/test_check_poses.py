"""The pose that a check is about, and where a robot comes to rest, in closed form."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import Plane
from equipoise.runs.check import motor_share as shares
from equipoise.runs.check.on_plane import on_plane
from equipoise.runs.check.rest import angle_of, axis_rotation, moved_by
from equipoise.runs.check.start import start_at, starting_pose
from oracles.box_robots import ARM, robot


def at(angle):
    return np.array([0, 0, 0.05, 1, 0, 0, 0, angle])


# --- poses ------------------------------------------------------------------------


@pytest.mark.parametrize("angle", [0.3, -2.0, math.pi])
def test_a_turn_has_its_angle(angle):
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    R = axis_rotation(axis, angle)
    assert angle_of(R) == pytest.approx(abs(angle))
    np.testing.assert_allclose(R @ axis, axis, atol=1e-14)  # rounding
    aside = np.array([1.0, 2.0, 0.0])
    cross = np.cross(axis, aside)
    assert (R @ aside) @ cross == pytest.approx(
        math.sin(angle) * cross @ cross, abs=1e-12
    )


def test_a_pose_is_moved_as_a_whole():
    model = robot(ARM)
    pose, p = at(0.4), np.array([0.1, 0.2, 0.3])
    R = axis_rotation(np.array([0.0, 0.0, 1.0]), 0.7)
    new = moved_by(model, pose, R, p)
    data = [mujoco.MjData(model.model) for _ in range(2)]
    for one, qpos in zip(data, (pose, new), strict=True):
        one.qpos[:] = qpos
        mujoco.mj_kinematics(model.model, one)
    np.testing.assert_allclose(data[1].xpos[1:], data[0].xpos[1:] @ R.T + p, atol=1e-12)
    assert new[7] == 0.4 and pose[0] == 0.0


SERVOS = (
    '<actuator><position name="a" joint="elbow" kp="20"/>'
    '<position name="b" joint="elbow" kp="30" timeconst=".1"/>'
    '<motor name="c" joint="elbow"/><general name="d" joint="elbow" '
    'dyntype="integrator" gainprm="2" biastype="affine" biasprm=".5 -4 0"/></actuator>'
)


def test_each_servo_is_told_where_its_joint_is():
    model = robot(ARM, more=SERVOS)
    found = start_at(model, at(0.25), "as given", "why")
    assert (found.source, found.instead, found.key) == ("as given", "why", -1)
    assert found.qpos[7] == 0.25
    # a place for servos, nothing for a motor; an integrator has it as its state:
    # 2 x = -(0.5 - 4 x 0.25), so that it gives no force there
    np.testing.assert_allclose(found.ctrl, [0.25, 0.25, 0.0, 0.0])
    np.testing.assert_allclose(found.act, [0.25, 0.25])


def test_filters_have_caught_up_with_a_keyframe_s_controls():
    key = '<key name="start" qpos="0 0 .05 1 0 0 0 .3" ctrl="1 9 2 3" act=".1 .2"/>'
    more = SERVOS.replace('timeconst=".1"', 'timeconst=".1" ctrlrange="-1 1.5"')
    model = robot(ARM, more=f"{more}<keyframe>{key}</keyframe>")
    found = starting_pose(model)
    assert (found.source, found.key) == ("keyframe 'start'", 0)
    assert found.act_at_first.tolist() == [0.1, 0.2]
    np.testing.assert_allclose(found.act, [1.5, 0.2])  # within the control's range
    np.testing.assert_allclose(found.ctrl, [1, 9, 2, 3])
    own = starting_pose(robot(ARM, more=SERVOS))
    assert own.source == "the file's own pose" and not own.ctrl.any()


@pytest.mark.parametrize("angle, is_moved", [(0.0, False), (1.19, True), (1.21, False)])
def test_a_file_whose_joints_are_out_of_range_by_little_is_moved_into_it(
    angle, is_moved
):
    body = ARM.replace('range="-1 1"', f'range="-1 1" ref="{angle}"')
    model = robot(body)
    model_pose = starting_pose(model, pose="file")
    assert model_pose.qpos[7] == angle and not model_pose.beyond
    found = starting_pose(model)
    if is_moved:
        assert found.qpos[7] == 1.0
        assert found.source == "the file's own pose, 1 joint moved into range"
        assert found.instead == "the file's own pose has 1 joint out of range"
    else:
        assert found.qpos[7] == angle
        assert len(found.beyond) == (angle > 1.0)


# --- on one plane -----------------------------------------------------------------


def put(z=0.05, tilt=0.0, slope=0.0):
    model = robot(world="")
    scene = robot_scene(model)
    half = 0.5 * tilt
    pose = np.array([0, 0, z, math.cos(half), 0, math.sin(half), 0])
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    up = np.array([0.0, 0.0, 1.0])
    return on_plane(model, scene, pose, Plane(normal, 0.0), up, None)


def test_a_box_above_a_plane_is_let_down():
    found = put(z=0.3)
    assert found.turned == pytest.approx(0.0, abs=1e-9)
    assert found.sank == pytest.approx(0.25)
    assert found.pose[2] == pytest.approx(0.05)
    assert (found.falls, found.ended, found.is_at_rest) == ("", (), True)
    assert found.is_robust and not found.may_tip


def test_a_box_on_its_edge_turns_onto_its_face():
    tilt = math.radians(4.0)
    found = put(z=0.3, tilt=tilt)
    assert found.turned == pytest.approx(tilt, abs=1e-6)
    assert found.pose[2] == pytest.approx(0.05, abs=1e-9)
    assert found.sank == pytest.approx(0.25)
    far = put(z=0.3, tilt=math.radians(12.0))
    assert far.turned == pytest.approx(math.radians(12.0), abs=1e-6)
    assert far.ended == ("sole",)  # the pose is that before, touching with an edge
    low = 0.2 * math.sin(math.radians(12.0)) + 0.05 * math.cos(math.radians(12.0))
    assert far.pose[2] == pytest.approx(low)


def test_a_plane_that_does_not_face_up_holds_nothing():
    found = put(slope=math.pi)
    assert found.falls == "the ground under it does not face up"


# --- motors among other drives ----------------------------------------------------


@pytest.mark.parametrize(
    "force, low, high, share",
    [
        (1.0, -2.0, 4.0, [0.25]),
        (-1.0, -2.0, 4.0, [0.5]),
        (0.0, -2.0, 4.0, [0.0]),
        (0.05, -2.0, 4.0, [0.0]),  # as good as nothing
        (1.0, -2.0, math.inf, []),
        (0.0, -math.inf, math.inf, []),
        (1.0, -2.0, 0.0, [math.inf]),
        (0.05, -2.0, 0.0, [math.inf]),  # it pushes one way, and is at its end
        (1.0, 0.5, 2.0, [1.0]),  # it pushes whatever it is told
        (0.5, 0.5, 2.0, [1.0]),
        (2.0, 0.5, 2.0, [1.0]),
        (0.4, 0.5, 2.0, [math.inf]),
        (-3.0, -2.0, -1.0, [math.inf]),
    ],
)
def test_shares_of_motors_that_hold_a_robot(monkeypatch, force, low, high, share):
    monkeypatch.setattr(shares, "motor_range", lambda model, a: (low, high))
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
        '<actuator><motor joint="j"/></actuator></mujoco>'
    )
    rest = SimpleNamespace(
        how="rests", motors=np.array([force]), qpos=np.zeros(1), actuator=np.zeros(1)
    )
    drives: Any = SimpleNamespace(
        scene=SimpleNamespace(model=model, mass=10.0, strength=10.0), size=1000.0,
        holds=SimpleNamespace(motors=np.array([0]), held_dofs=np.array([0])),
        rest=rest, relaxed=SimpleNamespace(rest=SimpleNamespace(how="falls")),
    )  # fmt: skip
    assert shares.motor_share(drives) == max(share, default=None)


def test_a_pose_without_a_keyframe_has_none():
    assert (
        starting_pose(robot(ARM)).key
        == start_at(robot(ARM), at(0.1), "as given").key
        == -1
    )
    assert starting_pose(robot(ARM)).instead == ""
    assert starting_pose(robot(ARM)).beyond == ()
