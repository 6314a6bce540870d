"""What is seen in robot files: by hand on one of ours, by name on those of others."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import BadFileError
from equipoise.robots.found.limits import JointDrive, whole
from equipoise.runs.walk.fit import SOLE, foot_problems
from oracles.robot_files import example_urdfs
from oracles.stick_humanoid import stick_humanoid
from oracles.stick_quadruped import (
    FOOT,
    HIPS,
    LOWER,
    RADIUS,
    SHANK,
    THIGH,
    TRUNK,
    UPPER,
    stick_quadruped,
)

SRDF = """<robot name="sticks"><group_state name="{name}" group="all">
<joint name="FL_knee" value="-1.5"/><joint name="trunk_free" value="0 0 1 1 0 0 0"/>
</group_state></robot>"""
RANGE = 'lower="-10" upper="10"'
LEGS = ["FL", "FR", "RL", "RR"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sticks.urdf"
    path.write_text(stick_quadruped())
    return path


def test_legs_are_in_order_whatever_the_files_order_is(file: Path):
    found = eq.load(file).found
    assert [leg.name for leg in found.legs] == LEGS
    assert found.legs[0].joints == ("FL_hip", "FL_knee")
    assert found.held == ()


def test_feet_are_the_balls_at_their_ends(file: Path):
    for leg in eq.load(file).found.legs:
        assert (leg.foot.kind, leg.foot.body) == ("ball", f"{leg.name}_foot")
        assert leg.foot.size == (2 * RADIUS, 2 * RADIUS)


def test_the_computed_stand_is_balanced_over_its_feet(file: Path):
    robot = eq.load(file)
    found, data = robot.found, mujoco.MjData(robot.model)
    data.qpos[:] = found.qpos
    mujoco.mj_forward(robot.model, data)
    drop = 0.76 * (UPPER + LOWER)
    feet = np.array([data.body(f"{name}_foot").xpos for name in LEGS])
    hips = np.array([[*HIPS[name], RADIUS] for name in LEGS])
    # to the damped steps' end, a micrometre; the balls touch z = 0
    moved = feet - hips
    assert np.allclose(moved, moved[0], atol=2e-6)
    assert np.allclose(moved[:, 1:], 0.0, atol=2e-6)
    # what is left after four rounds, each of which leaves a tenth or less
    com = data.subtree_com[1][:2]
    assert np.allclose(feet[:, :2].mean(axis=0), com, atol=1e-4)
    assert found.height == pytest.approx(drop + RADIUS, abs=2e-6)
    # law of cosines, by hand
    way = math.hypot(drop, moved[0, 0])
    knee = math.pi - math.acos((UPPER**2 + LOWER**2 - way**2) / (2 * UPPER * LOWER))
    assert data.joint("FL_knee").qpos[0] == pytest.approx(-knee, abs=1e-5)
    assert eq.check(robot, qpos=found.qpos).stands == "yes"


def test_the_files_own_limits_are_kept(file: Path):
    drive = eq.load(file).found.drives[0]
    assert (drive.joint, drive.torque, drive.speed) == ("FL_hip", 40.0, 12.0)
    assert drive.assumed == ("inertia",)
    assert drive.inertia == pytest.approx(40.0 * 0.015 / 12.0)


def test_place_holders_give_way_to_what_the_weight_asks_for(tmp_path: Path):
    path = tmp_path / "sticks.urdf"
    path.write_text(stick_quadruped(effort=1000.0, speed=1000.0))
    robot = eq.load(path)
    found = robot.found
    hip, knee = found.drives[:2]
    assert hip.assumed == knee.assumed == ("torque", "speed", "inertia")
    # The middle of the feet is below the centre of mass, so each carries a quarter, and
    # what a knee holds is that by its lever; the shank's mass is at the knee.
    mass = TRUNK + 4 * (THIGH + SHANK + FOOT)
    data = mujoco.MjData(robot.model)
    data.qpos[:] = found.qpos
    mujoco.mj_kinematics(robot.model, data)
    lever = data.body("FL_shank").xpos[0] - data.body("FL_foot").xpos[0]
    held = (0.25 * mass - FOOT) * 9.81 * abs(lever)
    # the stand is balanced to 0.1 mm, of 0.3 m to its feet
    assert knee.torque == pytest.approx(3.0 * held, rel=4e-4)
    assert any("torque" in line for line in found.assumed)


def test_a_range_of_more_than_two_turns_is_a_place_holder(tmp_path: Path):
    path = tmp_path / "sticks.urdf"
    path.write_text(stick_quadruped().replace('lower="-1" upper="2"', RANGE))
    said = eq.load(path).found.assumed
    assert any("the range of 'FL_hip' and 3 more is a placeholder" in x for x in said)


def test_an_srdf_beside_it_says_how_it_stands(file: Path):
    (file.parent / "sticks.srdf").write_text(SRDF.format(name="standing"))
    found = eq.load(file).found
    assert found.stand == "'standing' of sticks.srdf"
    (file.parent / "sticks.srdf").write_text(SRDF.format(name="arms_up"))
    assert "computed" in eq.load(file).found.stand
    (file.parent / "sticks.srdf").write_text("<robot")
    assert "computed" in eq.load(file).found.stand


def test_a_description_beside_the_file_is_taken(file: Path):
    told = file.with_name("sticks.robot.yaml")
    told.write_text(
        "legs: {hind: {joints: [RL_hip, RL_knee]}, fore: {joints: [FL_hip, FL_knee]}}\n"
        "stand: {joints: {FL_hip: 0.5}}\ndrives: {RL_hip: {torque: 7}}\n"
    )
    robot = eq.load(file)
    assert [leg.name for leg in robot.found.legs] == ["hind", "fore"]
    assert robot.found.drives[0].torque == 7.0
    assert robot.found.drives[0].speed == 12.0
    assert robot.found.stand == "sticks.robot.yaml"
    place = robot.model.joint("FL_hip").qposadr[0]
    assert robot.found.qpos[place] == 0.5


def test_what_was_written_reads_as_what_was_found(file: Path, tmp_path: Path):
    from equipoise.robots.found.file import description_text

    robot = eq.load(file)
    text = description_text(robot.found.summary(robot))
    told = tmp_path / "mine.yaml"
    told.write_text(text)
    again = eq.load(file, description=told).found
    for leg, found in zip(again.legs, robot.found.legs, strict=True):
        assert (leg.name, leg.joints) == (found.name, found.joints)
        assert (leg.foot.kind, leg.foot.body) == (found.foot.kind, found.foot.body)
        assert leg.foot.radius == found.foot.radius
    # six digits are written
    assert np.allclose(again.qpos, robot.found.qpos, atol=2e-6)
    assert [d.torque for d in again.drives] == [d.torque for d in robot.found.drives]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("legs: {a: {joints: [nose]}}", r"'nose' is no joint of the robot; it has RR_"),
        ("legs: {a: {joints: [FL_knee, FL_hip]}}", r"leg 'a' are no chain from the"),
        ("legs: {a: {joints: [FL_hip, FR_knee]}}", r"leg 'a' are no chain from the"),
        (
            "legs: {a: {joints: [FL_hip]}, b: {joints: [FL_hip]}}",
            r"joint 'FL_hip' is in two legs",
        ),
        ("legs: {a: {joints: [FL_hip], size: 3}}", r"leg 'a' has 'size'; it may have"),
        (
            "legs: {a: {joints: [FL_hip, FL_knee], foot: {body: FL_fot}}}",
            r"'FL_fot' is no link of the robot; the nearest are FL_foot",
        ),
        (
            "legs: {a: {joints: [FL_hip], foot: {body: FL_foot, radius: -1}}}",
            r"the radius of the foot of leg 'a' must be a number above 0, got -1",
        ),
        (
            "legs: {a: {joints: [FL_hip], foot: {body: FL_foot, corners: [[1]]}}}",
            r"corners of the foot of leg 'a' must be three or more places",
        ),
        ("base: nose", r"'nose' is no link of the robot"),
        ("stand: {FL_hip: 1}", r"'stand' has 'FL_hip'; it may have joints"),
        (
            "stand: {joints: {FL_hip: 9}}",
            r"joint 'FL_hip' of the stand must be -1 to 2, got 9",
        ),
        ("drives: {'*_toe': {torque: 1}}", r"'\*_toe' is no joint of the robot"),
        ("drives: {FL_hip: {torque: 1e300}}", r"torque of 'FL_hip' must be a number"),
        (
            "drives: {FL_hip: {inertia: 1, armature: 1}}",
            r"has inertia and armature; keep one",
        ),
        ("legs: {a: {joints: 3}}", r"leg 'a' must list its joints, got 3"),
        ("legs: [1]", r"'legs' must be a mapping, got \[1\]"),
        ("feet: {}", r"has 'feet'; it may have robot, base, legs"),
        (
            "stand: {joints: {FL_hip: .nan}}",
            r"joint 'FL_hip' must be a number",
        ),
        (
            "drives: {FL_hip: {torque: -1}}",
            r"torque of 'FL_hip' must be a number",
        ),
        ("drives: {FL_hip: {power: 1}}", r"has 'power'; it may have torque, speed"),
        ("[]", r"must map 'legs', 'stand' and 'drives'"),
    ],
)
def test_a_description_that_cannot_be_is_refused(file: Path, text: str, match: str):
    file.with_name("sticks.robot.yaml").write_text(text)
    with pytest.raises(BadFileError, match=rf"sticks\.robot\.yaml: .*{match}"):
        _ = eq.load(file).found


EXPECTED = {  # legs, joints a leg, kind of foot; None for no legs
    "a1.urdf": (4, 3, "ball"),
    "b1-z1.urdf": (4, 3, "ball"),
    "g1_29dof_with_hand_rev_1_0.urdf": (2, 6, "sole"),
    "go2.urdf": (4, 3, "ball"),
    "hyq_no_sensors.urdf": (4, 3, "ball"),
    "panda.urdf": None,
    "solo.urdf": (4, 2, "ball"),
    "solo12.urdf": (4, 3, "ball"),
    "talos_reduced.urdf": (2, 6, "sole"),
    "tiago.urdf": None,
    "ur5_robot.urdf": None,
    "z1.urdf": None,
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_files_of_others(name: str):
    files = {path.name: path for path in example_urdfs()}
    if name not in files:
        pytest.skip("example-robot-data is not installed (make setup)")
    found, wanted = eq.load(files[name]).found, EXPECTED[name]
    if wanted is None:
        assert found.legs == ()
        return
    assert len(found.legs) == wanted[0]
    assert {len(leg.joints) for leg in found.legs} == {wanted[1]}
    assert {leg.foot.kind for leg in found.legs} == {wanted[2]}
    assert all(drive.torque > 0.0 and drive.speed > 0.0 for drive in found.drives)


def test_drives_that_a_file_does_not_name_are_from_weight_and_height():
    unknown = JointDrive("knee", math.nan, math.nan, math.nan)
    drive = whole(unknown, static=2.0, usual=8.0, height=0.5)
    # By hand: three times the half of what others hold, as its own is less; a foot
    # swings with three times √(g h), over the height; a rotor is up to that in 15 ms.
    assert drive.torque == pytest.approx(12.0)
    assert drive.speed == pytest.approx(3.0 * math.sqrt(9.81 / 0.5), rel=1e-3)
    assert drive.inertia == pytest.approx(12.0 * 0.015 / drive.speed)
    assert drive.assumed == ("torque", "speed", "inertia")
    assert whole(unknown, static=20.0, usual=8.0, height=0.5).torque == 60.0
    known = JointDrive("knee", 7.0, 5.0, 0.1)
    assert whole(known, static=20.0, usual=8.0, height=0.5) == known


def test_who_has_too_few_legs_to_walk_is_not_told_about_its_feet(tmp_path):
    path = tmp_path / "man.urdf"
    path.write_text(stick_humanoid())
    found = eq.load(path).found
    assert max(found.legs[0].foot.size) > SOLE * found.height  # it has long soles
    assert foot_problems(found) == []
