"""Robot files on their feet: what is found, made, assumed and refused."""

import json
import math
import os
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.cli.app import run
from equipoise.control.workspace.fit import misfits
from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.robots.standing.bend import BENT
from equipoise.robots.standing.robot import standing_robot
from equipoise.robots.standing.soles import sole_of
from equipoise.runs.limits import footed_robot
from equipoise.runs.robot import RobotChoice, kept
from equipoise.runs.stand.own_robot import footed, mass_of
from equipoise.runs.stand.plan import standing_torques, support_margin
from equipoise.runs.stand.stand import StandConfig, stand_robot
from equipoise.runs.stand.throw import thrown_block
from equipoise.sim.disturbances import Push
from oracles.robot_files import example_urdfs, gymnasium_mjcfs
from oracles.stick_humanoid import HEEL, MASS, SOLE, USUAL, Sticks, stick_humanoid
from oracles.stick_quadruped import stick_quadruped


def written(folder: Path, sticks: Sticks = USUAL) -> Path:
    path = folder / "sticks.urdf"
    path.write_text(stick_humanoid(sticks))
    return path


@pytest.fixture(scope="module")
def humanoid(tmp_path_factory):
    return eq.load(written(tmp_path_factory.mktemp("sticks")))


@pytest.fixture(scope="module")
def ready(humanoid):
    return standing_robot(humanoid).robot


def test_legs_are_bent_and_the_weight_is_over_the_soles(humanoid, ready):
    pose, model = ready.model.key("set").qpos, ready.model
    angle = {n: pose[model.joint(n).qposadr[0]] for n in humanoid.joint_names}
    bend = 2.0 * math.acos(BENT)
    for side in ("left", "right"):
        # the stand is solved to 1e-9 m, which is 1e-8 rad of a knee of 0.3 m limbs
        assert angle[f"{side}_knee"] == pytest.approx(bend, abs=1e-7)
        pitch = sum(angle[f"{side}_{n}"] for n in ("hip_pitch", "knee", "ankle_pitch"))
        assert pitch == pytest.approx(0.0, abs=1e-7)  # the sole is level
    # the middle of a sole is 0.04 before its ankle, all its edges are 0.1 away
    assert support_margin(ready) == pytest.approx(0.5 * SOLE[0], abs=1e-6)
    assert HEEL == 0.06


def test_its_soles_are_the_corners_of_its_boxes(ready):
    assert len(ready.feet) == 8
    model, data = ready.model, mujoco.MjData(ready.model)
    data.qpos[:] = ready.model.key("start").qpos
    mujoco.mj_kinematics(model, data)
    places = np.array([data.geom(name).xpos for name in ready.feet])
    radius = model.geom(ready.feet[0]).size[0]
    np.testing.assert_allclose(places[:, 2], radius, atol=1e-9)
    for k in (0, 4):
        np.testing.assert_allclose(np.ptp(places[k : k + 4, :2], axis=0), SOLE)


def test_motors_keep_the_files_limits_and_every_joint_has_one(humanoid, ready):
    model = ready.model
    names = [model.actuator(k).name for k in range(model.nu)]
    assert sorted(names) == sorted(humanoid.joint_names)
    np.testing.assert_array_equal(model.actuator_ctrlrange, [[-200.0, 200.0]] * 14)


def test_place_holders_are_replaced_and_named(tmp_path):
    robot = eq.load(written(tmp_path, Sticks(effort=1000.0)))
    ready = standing_robot(robot)
    assert ready.robot.model.actuator_ctrlrange.max() < 500.0
    assert any("torque limits of" in line for line in ready.assumed)
    tau = np.abs(standing_torques(ready.robot))
    assert (tau <= ready.robot.model.actuator_ctrlrange[:, 1]).all()


@pytest.mark.parametrize("size", [0.4, pytest.param(1.8, marks=pytest.mark.slow)])
def test_it_takes_a_block_at_any_size(tmp_path, size):
    sticks = Sticks(size=size, mass=MASS * size**3, effort=200.0 * size**4)
    robot = eq.load(written(tmp_path, sticks))
    result = stand_robot(robot, StandConfig(block_mass=0.03 * sticks.mass))
    assert result.verdict == "yes"
    s = result.summary
    assert s["scale"]["mass_kg"] == pytest.approx(sticks.mass)
    assert s["scale"]["block_share"] == pytest.approx(0.03)
    assert 0.0 < s["torque_p99_share"] <= 1.0
    assert 0.0 <= s["chatter"] < 0.2
    assert (s["state"], s["unfit"]) == ("ideal", [])
    calm = stand_robot(robot, StandConfig(block_mass=0.0, seconds=0.4))
    assert s["peak_torque_nm"] > 1.2 * calm.summary["peak_torque_nm"]  # it was hit


def test_a_throw_looks_for_the_robot(humanoid):
    ready = footed(humanoid).robot
    block = thrown_block(ready, 1.0, 4.5)
    assert block.position[0] == pytest.approx(0.1 + 0.4, abs=0.05)  # the trunk's box
    spec = ready.spec.copy()
    for geom in spec.geoms:
        geom.conaffinity = 0
    with pytest.raises(ConfigError, match="fly past it"):
        thrown_block(replace(ready, spec=spec), 1.0, 4.5)


def test_a_trunk_without_shapes_gets_one_to_be_hit(tmp_path):
    text = stick_humanoid()
    at = text.index("<collision>")
    bare = text[:at] + text[text.index("</link>") :]
    (tmp_path / "bare.urdf").write_text(bare)
    ready = standing_robot(eq.load(tmp_path / "bare.urdf"))
    assert any("gets a cube" in line for line in ready.assumed)
    assert thrown_block(ready.robot, 1.0, 4.5).mass == 1.0


def test_servos_and_scenery_of_an_mjcf_file_are_replaced(humanoid, tmp_path):
    spec = humanoid.spec.copy()
    spec.worldbody.add_geom(
        name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1]
    )
    ball = spec.worldbody.add_body(name="ball", pos=[5.0, 0.0, 1.0])
    ball.add_freejoint()
    ball.add_geom(size=[0.1, 0.0, 0.0], mass=1.0)
    spec.option.gravity = [0.0, 0.0, -3.0]
    for motor in spec.actuators:
        motor.set_to_position(kp=500.0)
        motor.ctrllimited = mujoco.mjtLimited.mjLIMITED_FALSE
        motor.forcelimited = mujoco.mjtLimited.mjLIMITED_TRUE
        motor.forcerange = [-150.0, 150.0]
    spec.compile()
    path = tmp_path / "servos.xml"
    path.write_text(spec.to_xml())
    ready = standing_robot(eq.load(path))
    model = ready.robot.model
    assert (model.actuator_biastype == 0).all()
    np.testing.assert_array_equal(model.actuator_ctrlrange, [[-150.0, 150.0]] * 14)
    np.testing.assert_array_equal(model.opt.gravity, [0.0, 0.0, -9.81])
    said = " ".join(ready.assumed)
    assert "replaced by motors" in said
    assert "left out of the scene: 1 shape of its ground, body 'ball'" in said
    assert "gravity is 9.81 m/s² downwards, not the file's 3" in said
    assert stand_robot(eq.load(path), StandConfig()).verdict == "yes"


@pytest.mark.parametrize(
    ("sticks", "why"),
    [
        (Sticks(joints=5), r"leg 'left' has 5 joints, .* exactly 6; 'equipoise check'"),
        (Sticks(sole="edge"), r"stands on 200 mm by 0 mm, an edge or a point"),
        (Sticks(sole="none"), r"no collision shape below its last joint"),
        (
            Sticks(effort=5.0),
            r"of 'left_knee' gives 5 N m, .* takes 4\.2 times as",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(tmp_path, sticks, why):
    robot = eq.load(written(tmp_path, sticks))
    with pytest.raises(ConfigError, match=why) as refusal:
        stand_robot(robot, StandConfig())
    assert str(refusal.value).count("; ") <= 1
    with pytest.raises(ConfigError, match=why):
        eq.simulate(robot)


def test_a_waist_between_the_base_and_the_legs_is_named(tmp_path):
    text = stick_humanoid(USUAL)
    joint = '<joint name="waist" type="revolute"><parent link="trunk"/>'
    joint += '<child link="hips"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" '
    joint += 'effort="200" velocity="10"/></joint>'
    hips = '<link name="hips"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" '
    hips += 'ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>'
    for side in ("left", "right"):
        at = f'name="{side}_hip_yaw" type="revolute"><parent link="'
        assert at + "trunk" in text
        text = text.replace(at + "trunk", at + "hips")
    path = tmp_path / "waist.urdf"
    for how, why in (("revolute", "joint 'waist' turns leg 'left'"), ("fixed", "")):
        own = joint.replace("revolute", how)
        path.write_text(text.replace("</robot>", hips + own + "</robot>"))
        reasons = misfits(eq.load(path))
        assert len(reasons) == bool(why)
        assert not why or reasons[0].startswith(why)


def test_a_stand_out_of_balance_is_refused(tmp_path):
    path = written(tmp_path, Sticks(shift=0.6))
    stand = {"left_knee": 0.6, "right_knee": 0.6, "left_hip_pitch": -0.3,
             "right_hip_pitch": -0.3, "left_ankle_pitch": -0.3,
             "right_ankle_pitch": -0.3}  # fmt: skip
    lines = "".join(f"    {name}: {value}\n" for name, value in stand.items())
    (tmp_path / "sticks.robot.yaml").write_text(f"stand:\n  joints:\n{lines}")
    with pytest.raises(
        ConfigError, match=r"centre of mass is \d+ mm outside its soles"
    ):
        stand_robot(eq.load(path), StandConfig())


def test_corners_that_a_user_says_are_a_sole(tmp_path):
    path = written(tmp_path, Sticks(sole="none"))
    ring = [[0.14, 0.04, -0.06], [0.14, -0.04, -0.06],
            [-0.06, -0.04, -0.06], [-0.06, 0.04, -0.06]]  # fmt: skip
    joints = ("hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll")
    text = "legs:\n"
    for side in ("left", "right"):
        text += f"  {side}:\n    joints: [{', '.join(f'{side}_{j}' for j in joints)}]\n"
        text += f"    foot: {{body: {side}_ankle_roll_link, corners: {ring}}}\n"
    (tmp_path / "sticks.robot.yaml").write_text(text)
    robot = eq.load(path)
    sole = sole_of(robot, robot.found.legs[0], robot.found.qpos, robot.found.height)
    assert sole is not None
    np.testing.assert_allclose(sole.size, SOLE)
    assert stand_robot(robot, StandConfig()).verdict == "yes"


def test_a_joint_that_nothing_drives_is_refused(humanoid, tmp_path):
    spec = humanoid.spec.copy()
    spec.delete(spec.actuator("left_knee"))
    spec.compile()
    path = tmp_path / "passive.xml"
    path.write_text(spec.to_xml())
    with pytest.raises(ConfigError, match="nothing drives joint 'left_knee'"):
        stand_robot(eq.load(path), StandConfig())


def test_quadrupeds_are_sent_to_walk(tmp_path):
    path = tmp_path / "dog.urdf"
    path.write_text(stick_quadruped())
    with pytest.raises(ConfigError, match="let it walk with 'equipoise walk"):
        stand_robot(eq.load(path), StandConfig())


def test_the_command_says_what_it_assumed(tmp_path, capfd):
    path = written(tmp_path)
    assert run(["balance", str(path), "--seconds", "1.5", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["scale"]["block_share"] == pytest.approx(0.03, rel=1e-3)
    assert found["assumed"][0].startswith("the stand is computed from")
    assert run(["balance", str(path), "--seconds", "1.5"]) == 0
    assert "assumed: the stand is computed" in capfd.readouterr().out
    assert run(["balance", str(path), "--height", "2"]) == 2
    assert "height belongs to 'biped'" in capfd.readouterr().err


HUMANOIDS = ("g1_29dof_rev_1_0.urdf", "talos_reduced.urdf", "talos_full_v2.urdf")


@pytest.mark.parametrize(
    "name",
    [HUMANOIDS[0], *(pytest.param(n, marks=pytest.mark.slow) for n in HUMANOIDS[1:])],
)
def test_public_humanoids_take_a_block_of_a_twentieth(name):
    paths = [path for path in example_urdfs() if path.name == name]
    if not paths:
        pytest.skip("example-robot-data is not installed")
    robot = eq.load(paths[0])
    mass = float(robot.model.body_mass.sum())
    result = stand_robot(robot, StandConfig(block_mass=0.05 * mass))
    assert result.verdict == "yes"
    assert result.summary["chatter"] < 0.05


FIT = {"g1_29dof_rev_1_0", "g1_29dof_with_hand_rev_1_0", "talos_full_v2",
       "talos_full_v2_box", "talos_reduced", "talos_reduced_box",
       "talos_reduced_corrected"}  # fmt: skip


@pytest.mark.slow
def test_of_all_public_files_those_on_soles_of_six_joints_fit():
    paths = [*example_urdfs(), *gymnasium_mjcfs()]
    if not paths:
        pytest.skip("neither example-robot-data nor gymnasium is installed")
    unread, fitting = 0, set()
    for path in paths:
        try:
            robot = eq.load(path)
        except EquipoiseError:
            unread += 1
            continue
        reasons = misfits(robot)
        assert len(reasons) <= 1
        if not reasons:
            fitting.add(path.stem)
    assert fitting <= FIT | {"alexander_v1.lowerBodyOnly"}
    assert unread <= 2
    if any(path.suffix == ".urdf" for path in paths):
        assert fitting >= FIT


def test_limits_of_a_file_are_said_per_mass(tmp_path, monkeypatch, capfd):
    """A robot that takes 0.4 N s/kg from every side and blocks of 0.05 of its mass."""
    module = import_module("equipoise.runs.limits")

    def stands(config) -> bool:
        assert config.delay_ms == 4.0
        if config.push is None:
            return config.block_mass <= 0.05 * mass
        return math.hypot(*config.push.impulse) <= 0.4 * mass

    mass = 8.0
    path = written(tmp_path, Sticks(size=0.5, mass=mass, effort=20.0))
    monkeypatch.setattr(module, "stands", stands)
    words = ["--delay-ms", "4", "--impulse", "0.3", "--pushes", "5", "--processes", "1"]
    assert run(["limits", str(path), *words, "--json"]) == 0
    s = json.loads(capfd.readouterr().out)
    assert s["mass_kg"] == pytest.approx(mass)
    np.testing.assert_allclose(s["impulse_ns_per_kg"], 0.4, rtol=0.011)
    assert s["block_share"] == pytest.approx(0.05, rel=0.011)
    assert (s["pushes_survived"], s["faces_deg"], s["delay_ms"]) == (5, 0.0, 4.0)
    assert s["assumed"]
    assert run(["limits", str(path), *words]) == 0
    out = capfd.readouterr().out
    assert "it faces 0°" in out
    assert "assumed: the stand is computed" in out
    assert run(["limits", str(path), "--impulse", "-1"]) == 2
    assert "impulse must be > 0" in capfd.readouterr().err
    assert run(["limits", str(tmp_path / "dog.yaml")]) == 2


def test_a_run_of_limits_sees_a_file_that_has_changed(tmp_path):
    choice = RobotChoice(name=str(written(tmp_path)))
    first = kept(choice, footed_robot)
    assert kept(choice, footed_robot) is first
    path = written(tmp_path, Sticks(mass=10.0))
    os.utime(path, ns=(1, 1))
    assert mass_of(kept(choice, footed_robot).robot) == pytest.approx(10.0)


@pytest.mark.parametrize("size", [pytest.param(0.4, marks=pytest.mark.slow), 1.6])
def test_a_push_that_asks_for_steps_is_caught_at_any_size(tmp_path, size):
    sticks = Sticks(size=size, mass=MASS * size**3, effort=min(400.0 * size**4, 450.0))
    robot = eq.load(written(tmp_path, sticks))
    swift = 0.2 * math.sqrt(9.81 * 0.6 * size)  # of the pendulum's own speed
    push = Push(impulse=(swift * sticks.mass, 0.0, 0.0), start=0.5)
    result = eq.simulate(
        robot, "workspace-step", block_mass=0.0, push=push, seconds=4.0
    )
    assert result.verdict == "yes"
    assert result.summary["steps"] > 0
