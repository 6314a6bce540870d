"""Legs that are straight in their file are bent, and what is assumed is said.

The oracle is a triangle: hip, knee and foot of a stick quadruped whose foot is below
its hip at 0.76 of the leg's length.
"""

import math
import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.found.assumed import torques_in
from equipoise.robots.found.stand import BENT
from equipoise.robots.legged import legged_robot
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from equipoise.runs.walk import feasible
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import resolved_walk
from oracles.stick_quadruped import HIPS, LOWER, UPPER, stick_quadruped

LENGTH = BENT * (UPPER + LOWER)
KNEE = math.acos((LENGTH**2 - UPPER**2 - LOWER**2) / (2.0 * UPPER * LOWER))
LIMIT = '<limit lower="-2.5" upper="-0.1"'
RANGES = {
    "no range": lambda text: endless(text),
    "axes turned": lambda text: endless(text).replace('"0 1 0"', '"0 -1 0"'),
    "one axis turned": lambda text: endless(text).replace(
        f'-{UPPER}"/><axis xyz="0 1 0"/>', f'-{UPPER}"/><axis xyz="0 -1 0"/>'
    ),
    "both ways alike": lambda text: text.replace(
        LIMIT, '<limit lower="-2.5" upper="2.5"'
    ).replace('lower="-1" upper="2"', 'lower="-2" upper="2"'),
}


def endless(text: str) -> str:
    """Return a URDF with joints that turn without end."""
    text = re.sub('lower="[^"]*" upper="[^"]*"', "", text)
    return text.replace('type="revolute"', 'type="continuous"')


def sticks(folder: Path, text: str) -> Robot:
    """Return the robot of a URDF."""
    path = folder / "sticks.urdf"
    path.write_text(text)
    return load(path)


@pytest.mark.parametrize("kind", RANGES)
def test_straight_legs_are_bent_with_their_knees_to_the_rear(tmp_path: Path, kind: str):
    robot = sticks(tmp_path, RANGES[kind](stick_quadruped()))
    model, data = robot.model, mujoco.MjData(robot.model)
    data.qpos[:] = robot.found.qpos
    mujoco.mj_forward(model, data)
    for name in HIPS:
        hip, knee = (data.joint(f"{name}_{part}").xanchor for part in ("hip", "knee"))
        foot = data.body(f"{name}_foot").xpos
        # the trunk's mass is over the hips' middle but for the shanks', a few mm
        assert np.linalg.norm(hip - foot) == pytest.approx(LENGTH, abs=2e-3)
        assert abs(data.joint(f"{name}_knee").qpos[0]) == pytest.approx(KNEE, abs=0.02)
        assert knee[0] < min(hip[0], foot[0]) - 0.1
        assert abs(hip[0] - foot[0]) < 0.03
    assert robot.found.stand.endswith("balanced")


def test_knees_go_forward_where_their_range_says_so(tmp_path: Path):
    text = stick_quadruped().replace(LIMIT, '<limit lower="0.1" upper="2.5"')
    text = text.replace('lower="-1" upper="2"', 'lower="-2" upper="1"')
    robot = sticks(tmp_path, text)
    data = mujoco.MjData(robot.model)
    data.qpos[:] = robot.found.qpos
    mujoco.mj_forward(robot.model, data)
    for name in HIPS:
        hip, knee = (data.joint(f"{name}_{part}").xanchor for part in ("hip", "knee"))
        assert knee[0] > hip[0] + 0.1


def test_a_foot_that_does_not_reach_is_said(tmp_path: Path):
    """Knees that bend by 0.2 rad at most: the legs stay almost straight."""
    text = stick_quadruped().replace(LIMIT, '<limit lower="-0.2" upper="-0.1"')
    said = sticks(tmp_path, text).found.stand
    words = re.fullmatch(r".*, except that a foot is (0\.\d\d) of it off", said)
    assert words is not None
    straight = math.sqrt(UPPER**2 + LOWER**2 + 2.0 * UPPER * LOWER * math.cos(0.2))
    assert float(words[1]) >= straight / (UPPER + LOWER) - BENT - 0.005


def test_torque_limits_that_are_assumed_are_said_with_the_remedy(tmp_path: Path):
    """Three times m g / 4 over the knee's way from the foot."""
    robot = sticks(tmp_path, stick_quadruped(effort=0.0))
    line = torques_in(robot.found.assumed)
    low, high = (
        f"{pick(d.torque for d in robot.found.drives):.3g}" for pick in (min, max)
    )
    assert line == (
        f"torque limits of 'FL_hip' and 7 more are assumed, {low} to {high} N m, "
        "3 times what the stand takes; give the drives' own with --drives FILE"
    )
    assert torques_in(sticks(tmp_path, stick_quadruped()).found.assumed) == ""
    told = load(tmp_path / "sticks.urdf", drives={"*": {"torque": 40}})
    assert torques_in(told.found.assumed) == ""


@pytest.mark.parametrize("effort", [0.0, 40.0])
def test_a_refusal_for_torque_says_whether_the_limits_are_assumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effort: float
):
    text = stick_quadruped(effort=effort)
    monkeypatch.setattr(feasible, "largest_share", lambda _: 1.01)
    monkeypatch.setattr("equipoise.runs.walk.resolved.expect_reached", lambda _: None)
    robot = sticks(tmp_path, three_joints(text, effort))
    with pytest.raises(ConfigError, match=r"1\.01 times their torque") as refused:
        resolved_walk(robot, WalkConfig())
    said = str(refused.value)
    assert ("are assumed" in said) == (effort == 0.0)
    assert "--drives FILE, or another gait" in said


def three_joints(text: str, effort: float) -> str:
    """Return the quadruped with a joint about x above each hip."""
    for name in HIPS:
        link = f'<link name="{name}_roll"><inertial><mass value="0.1"/><inertia '
        link += 'ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>'
        x, y = HIPS[name]
        link += (
            f'</link><joint name="{name}_abad" type="revolute"><parent link="trunk"/>'
        )
        link += (
            f'<child link="{name}_roll"/><origin xyz="{x} {y} 0"/><axis xyz="1 0 0"/>'
        )
        link += f'<limit lower="-1" upper="1" effort="{effort}" velocity="12"/></joint>'
        own = f'<parent link="trunk"/><child link="{name}_thigh"/>\n <origin '
        text = text.replace(
            own + f'xyz="{x} {y} 0"/>',
            f'<parent link="{name}_roll"/><child link="{name}_thigh"/>\n <origin '
            'xyz="0 0 0"/>',
        ).replace("</robot>", link + "</robot>")
    return text


def test_a_fourth_joint_of_a_leg_is_held_where_a_user_says_so(tmp_path: Path):
    """As the wheels of a robot that can walk with them held."""
    turns = 'type="continuous"><axis xyz="0 1 0"/>'
    text = three_joints(stick_quadruped(), 40.0).replace('type="fixed">', turns)
    robot = sticks(tmp_path, text)
    with pytest.raises(ConfigError, match="'FL' has 4; name the first 3"):
        resolved_walk(robot, WalkConfig())
    lines = [
        f"  {name}: {{joints: [{name}_abad, {name}_hip, {name}_knee], foot: "
        f"{{body: {name}_shank, radius: 0.02, centre: [0, 0, -{LOWER}]}}}}"
        for name in HIPS
    ]
    (tmp_path / "sticks.robot.yaml").write_text("\n".join(["legs:", *lines]))
    robot = load(tmp_path / "sticks.urdf")
    assert resolved_walk(robot, WalkConfig()).machine.joints == 3
    assert set(robot.found.held) == {f"{name}_fixed" for name in HIPS}


def test_a_leg_without_a_shape_says_which_mesh_is_missing(tmp_path: Path):
    gone = '<mesh filename="package://dog/foot.stl"/>'
    text = stick_quadruped().replace('<sphere radius="0.02"/>', gone)
    robot = sticks(tmp_path, three_joints(text, 40.0))
    with pytest.raises(ConfigError, match="'FL' has no shape to stand on") as refused:
        legged_robot(robot)
    assert "body 'FL_foot': mesh package://dog/foot.stl is not there" in str(
        refused.value
    )
    assert "--package-path dog=DIR" in str(refused.value)
    assert "4 shapes are left out; body" in robot.found.assumed[0]


def test_a_leg_that_never_had_one_says_how_to_give_it(tmp_path: Path):
    shape = '<collision><geometry><sphere radius="0.02"/></geometry></collision>'
    robot = sticks(tmp_path, three_joints(stick_quadruped().replace(shape, ""), 40.0))
    with pytest.raises(ConfigError, match="radius and centre in a description"):
        legged_robot(robot)


def test_a_file_with_y_up_is_told_so(tmp_path: Path):
    text = stick_quadruped()
    inner = text[text.index("<link") : text.index("</robot>")]
    turned = f"""<robot name="sticks"><link name="root"/><joint name="r" type="fixed">
<parent link="root"/><child link="trunk"/><origin rpy="{{}} 0 0"/></joint>
{inner}</robot>"""
    lying = sticks(tmp_path, turned.format(-math.pi / 2))
    if lying.found.legs:
        pytest.fail(lying.found.stand)
    assert "with y up it would stand on 4 legs" in lying.found.why_not
    assert 'rpy="1.5708 0 0"' in lying.found.why_not
