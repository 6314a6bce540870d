"""What a program says of a robot file counts; poses by name; robots travel."""

import copy
import math
import multiprocessing
import pickle
from pathlib import Path

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError
from equipoise.robots.robot import Robot
from equipoise.robots.standing.robot import standing_robot
from oracles.robot_files import example_urdfs
from oracles.stick_humanoid import Sticks, stick_humanoid
from oracles.stick_quadruped import FOOT, RADIUS, SHANK, THIGH, TRUNK, stick_quadruped


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sticks.urdf"
    path.write_text(stick_quadruped())
    return path


def test_feet_that_are_named_are_the_legs(file: Path):
    robot = eq.load(file, feet=["RL_foot", "FR_foot"], leg_names=["one", "two"])
    assert [leg.name for leg in robot.found.legs] == ["one", "two"]
    assert robot.found.legs[0].joints == ("RL_hip", "RL_knee")
    assert robot.found.held == ("RR_hip", "RR_knee", "FL_hip", "FL_knee")


def test_a_base_that_is_named_carries_the_legs(file: Path):
    robot = eq.load(file, base="FL_thigh", feet=["FL_foot"])
    assert robot.base == "trunk"
    assert robot.found.base == "FL_thigh"
    assert robot.found.legs[0].joints == ("FL_knee",)


def test_a_stand_and_drives_that_are_named_count(file: Path):
    drives = {"*_knee": {"torque": 7.0}, "FL_knee": {"torque": 9.0, "armature": 0.5}}
    robot = eq.load(file, stand={"FL_hip": 0.5}, drives=drives)
    found = robot.found
    assert found.qpos[robot.model.joint("FL_hip").qposadr[0]] == 0.5
    by_joint = {drive.joint: drive for drive in found.drives}
    assert (by_joint["FL_knee"].torque, by_joint["FL_knee"].inertia) == (9.0, 0.5)
    assert (by_joint["RR_knee"].torque, by_joint["RR_hip"].torque) == (7.0, 40.0)
    # the rotor that is not said follows from what is: torque by 15 ms over speed
    assert by_joint["RR_knee"].inertia == pytest.approx(7.0 * 0.015 / 12.0)


def test_drives_come_from_a_file_too(file: Path, tmp_path: Path):
    told = tmp_path / "drives.yaml"
    told.write_text("'FL_*': {speed: 3}\n")
    drives = eq.load(file, drives=told).found.drives
    assert [d.speed for d in drives if d.joint.startswith("FL")] == [3.0, 3.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("'FL_*': {speed: -3}\n", "speed of 'FL_\\*'"),
        ("'FL_*': {swiftness: 3}\n", "has 'swiftness'; it may have"),
        ("drives: {FL_elbow: {speed: 3}}\n", "'FL_elbow' is no joint"),
        ("FL_hip: 3\n", "the drive of 'FL_hip'"),
    ],
)
def test_a_file_of_drives_that_cannot_be_is_named_with_its_fault(
    file: Path, tmp_path: Path, text: str, said: str
):
    told = tmp_path / "drives.yaml"
    told.write_text(text)
    with pytest.raises(ConfigError, match=rf"drives\.yaml: .*{said}.*[^.]\.$"):
        eq.load(file, drives=told)


def test_what_is_said_goes_over_the_description_beside(file: Path):
    told = file.with_name("sticks.robot.yaml")
    told.write_text("drives: {FL_hip: {torque: 7, speed: 5}}\n")
    drive = eq.load(file, drives={"FL_hip": {"torque": 8}}).found.drives[0]
    assert (drive.joint, drive.torque, drive.speed) == ("FL_hip", 8.0, 5.0)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"feet": ["FL_fot"]}, r"'FL_fot' is no link .* the nearest are FL_foot"),
        ({"feet": "FL_foot"}, r"feet must be a list of names, got 'FL_foot'"),
        ({"feet": []}, r"feet must be a list of names"),
        ({"feet": ["FL_foot", "FL_foot"]}, r"feet must be different links"),
        ({"feet": [3]}, r"feet must be a list of names"),
        ({"leg_names": ["a", "a"]}, r"leg_names must differ"),
        ({"stand": {"FL_hip": math.nan}}, r"joint 'FL_hip' must be a number, got nan"),
        ({"stand": {"FL_hop": 1.0}}, r"'FL_hop' is no joint .* nearest are FL_hip"),
        ({"drives": {"FL_hip": {"torque": 0}}}, r"must be a number above 0, got 0"),
        ({"drives": 3}, r"'drives' must be a mapping, got 3"),
        ({"base": "trnk"}, r"one of its links, got 'trnk'; did you mean 'trunk'"),
    ],
)
def test_what_cannot_be_said(file: Path, options: dict, match: str):
    with pytest.raises(ConfigError, match=match):
        eq.load(file, **options)


def test_what_is_seen_only_when_it_is_looked_for(file: Path):
    for options, match in [
        ({"feet": ["trunk"]}, r"no chain of hinges and slides goes from 'trunk'"),
        ({"feet": ["FL_foot", "FL_shank"]}, r"at the end of one limb"),
        ({"leg_names": ["a"]}, r"1 leg names for 4 legs \(FL, FR, RL, RR\)"),
    ]:
        with pytest.raises(BadFileError, match=match):
            _ = eq.load(file, **options).found
    with pytest.raises(UnknownNameError, match=r"has no pose 'standing'"):
        _ = eq.load(file, stand="standing").found


def test_a_pose_by_names_stands_on_the_ground(file: Path):
    robot = eq.load(file)
    pose = robot.pose({"FL_knee": -1.5, "FR_knee": -2.0})
    data = mujoco.MjData(robot.model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(robot.model, data)
    assert data.joint("FL_knee").qpos[0] == -1.5
    feet = [data.body(f"{n}_foot").xpos[2] for n in ("FL", "FR", "RL", "RR")]
    # to rounding: a metre has 2e-16
    assert min(feet) == pytest.approx(RADIUS, abs=1e-12)
    assert np.array_equal(robot.pose(), robot.pose({}))


@pytest.mark.parametrize(
    ("joints", "error", "match"),
    [
        ({"FL_kne": 0.0}, UnknownNameError, r"Did you mean 'FL_knee'"),
        ({"FL_knee": 0.5}, ConfigError, r"'FL_knee' must be -2.5 to -0.1, got 0.5"),
        ({"FL_knee": math.nan}, ConfigError, r"'FL_knee' must be a number, got nan"),
        ({"FL_knee": "low"}, ConfigError, r"'FL_knee' must be a number, got 'low'"),
    ],
)
def test_a_pose_that_cannot_be(file: Path, joints, error, match: str):
    with pytest.raises(error, match=match):
        eq.load(file).pose(joints)


def same(one: Robot, other: Robot) -> bool:
    """Say whether two robots are the same to the last bit, and stand alike."""
    names = ("body_mass", "body_pos", "body_inertia", "qpos0", "jnt_range", "geom_pos")
    return all(
        np.array_equal(getattr(one.model, n), getattr(other.model, n)) for n in names
    ) and np.array_equal(one.found.qpos, other.found.qpos)


def facts(robot: Robot) -> tuple[float, tuple[str, ...], tuple[str, ...]]:
    """Return a little of a robot, also of what is made from its specification."""
    again = robot.spec.copy().compile()
    legs = tuple(leg.name for leg in robot.found.legs)
    return float(again.body_mass.sum()), legs, robot.joint_names


def test_a_robot_goes_to_another_process_and_back(file: Path):
    file.with_name("sticks.robot.yaml").write_text("drives: {FL_hip: {torque: 7}}\n")
    robots = [eq.load(file), eq.load("biped")]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.map(facts, robots)
    assert there == [facts(robot) for robot in robots]
    assert there[0][0] == pytest.approx(TRUNK + 4 * (THIGH + SHANK + FOOT))


@pytest.mark.parametrize("name", ["biped", "superbot", "warp1"])
def test_built_in_robots_are_pickled(name: str):
    robot = eq.load(name)
    again = pickle.loads(pickle.dumps(robot))
    assert same(robot, again)
    assert (again.feet, again.legs, again.drives) == (
        robot.feet,
        robot.legs,
        robot.drives,
    )


def test_what_was_found_travels_with_the_robot(file: Path):
    robot = eq.load(file)
    sent = pickle.dumps(robot)
    file.unlink()
    again = pickle.loads(sent)
    assert same(robot, again)
    assert again.found.drives == robot.found.drives


def test_meshes_travel_with_the_robot(tmp_path: Path):
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    faces = ["1 2 3", "2 4 3", "5 7 6", "6 7 8", "1 5 2", "2 5 6", "3 4 7", "4 8 7"]
    faces += ["1 3 5", "3 7 5", "2 6 4", "4 6 8"]
    (tmp_path / "box.obj").write_text("\n".join(lines + [f"f {f}" for f in faces]))
    path = tmp_path / "box.xml"
    path.write_text(
        '<mujoco><default><default class="m"><geom type="mesh"/></default></default>'
        '<asset><mesh name="b" file="box.obj"/></asset><worldbody><body name="a">'
        '<freejoint/><geom class="m" mesh="b" pos="0.3 0.1 0.7" quat="1 2 3 4"/>'
        "</body></worldbody></mujoco>"
    )
    robot = eq.load(path)
    sent = pickle.dumps(robot)
    (tmp_path / "box.obj").unlink()
    again = pickle.loads(sent)
    assert np.array_equal(robot.model.mesh_vert, again.model.mesh_vert)
    built = again.spec.copy().compile()
    # written with all digits; MuJoCo turns the mesh once more, a few roundings
    assert np.allclose(built.geom_pos, robot.model.geom_pos, atol=1e-12)
    assert np.allclose(built.geom_quat, robot.model.geom_quat, atol=1e-12)


def test_files_of_others_are_pickled():
    files = {path.name: path for path in example_urdfs()}
    for name in ("go2.urdf", "solo12.urdf"):
        if name not in files:
            pytest.skip("example-robot-data is not installed (make setup)")
        robot = eq.load(files[name])
        assert same(robot, pickle.loads(pickle.dumps(robot)))


def test_a_copy_shares_its_specification_and_a_deep_one_does_not(file: Path):
    robot = eq.load(file)
    assert copy.copy(robot).spec is robot.spec
    deep = copy.deepcopy(robot)
    deep.spec.body("trunk").mass = 1.0
    assert robot.model.body("trunk").mass[0] == TRUNK
    assert same(robot, copy.copy(robot))


def test_soles_that_are_told_are_stood_on(tmp_path: Path):
    """A file whose feet have no shape stands on the corners that its user gives."""
    path = tmp_path / "man.urdf"
    path.write_text(stick_humanoid(Sticks(sole="none")))
    robot = eq.load(path)
    assert {leg.foot.kind for leg in robot.found.legs} == {"unknown"}
    lines = ["legs:"]
    for leg in robot.found.legs:
        lines += [f"  {leg.name}:", f"    joints: [{', '.join(leg.joints)}]"]
        corners = "[[.14, .04, -.06], [.14, -.04, -.06], [-.06, -.04, -.06]]"
        lines += [f"    foot: {{body: {leg.foot.body}, corners: {corners}}}"]
    path.with_name("man.robot.yaml").write_text("\n".join(lines))
    found = eq.load(path).found
    assert {leg.foot.kind for leg in found.legs} == {"sole"}
    assert found.legs[0].foot.size == pytest.approx((0.2, 0.08))
    ready = standing_robot(eq.load(path)).robot
    assert len(ready.feet) == 6  # a small ball at each corner
