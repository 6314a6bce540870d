"""``check`` of robots on their own drives: what holds them, and what would."""

import html
import json
import math
import re

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.cli.app import run
from equipoise.core.errors import ConfigError
from equipoise.robots.files.named import robot_path
from equipoise.runs.check.judged import robot_on_its_drives
from equipoise.runs.check.remedies.drives import least_gain
from equipoise.runs.check.reports.junit import junit_text
from equipoise.runs.check.reports.markdown import markdown_text
from equipoise.runs.check.reports.report import RobotReport
from oracles.driven_robots import FLOOR, lift, quadruped, servo
from oracles.driven_scenes import scene_from

MOTOR = '<motor name="{{n}}" joint="{{n}}" forcerange="-{0} {0}"/>'


def loaded(tmp_path, xml):
    """Return a robot of an MJCF text."""
    (tmp_path / "robot.xml").write_text(xml)
    return eq.load(tmp_path / "robot.xml")


def checked(tmp_path, xml, **settings):
    """Return the check of an MJCF text."""
    return eq.check(loaded(tmp_path, xml), **settings)


def sunk_by(robot, kp, seconds=4.0):
    """Return the share of its height by which a quadruped sinks in the engine.

    The oracle: the file's own actuators with another gain, let go at its keyframe.
    """
    model = mujoco.MjModel.from_xml_path(robot.source)
    model.actuator_gainprm[:, 0] = kp
    model.actuator_biasprm[:, 1] = -kp
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    before = float(data.subtree_com[1][2])
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))
    return (before - float(data.subtree_com[1][2])) / before


def test_a_robot_on_weak_servos_does_not_stand_and_is_told_the_least_gain(tmp_path):
    found = checked(tmp_path, quadruped(servo(3.0)))
    assert found.stands == "no"
    assert found.summary["joints_from"] == "own"
    assert len(found.summary["joints_own"]) == 8
    assert found.summary["joints_held"] == []
    (gains,) = [r for r in found.remedies if r.kind == "stiffness"]
    kp = 3.0 * gains.amount
    assert f"kp of at least {kp:.4g} instead of 3" in gains.sentence
    assert sunk_by(found.asked.robot, 1.005 * kp, 60.0) < 0.05
    assert sunk_by(found.asked.robot, 0.97 * kp, 60.0) > 0.05
    held = checked(tmp_path, quadruped(servo(3.0)), joints="held")
    assert held.stands == "yes"
    assert held.summary["reasons"][0] == "its 8 joints taken as held"
    assert len(held.summary["joints_held"]) == 8


def test_a_robot_on_strong_servos_stands_and_says_on_what(tmp_path):
    found = checked(tmp_path, quadruped(servo(100.0)))
    assert found.stands == "yes"
    sinks = found.summary["own_drives"]["sinks_share"]
    assert sinks == pytest.approx(sunk_by(found.asked.robot, 100.0), rel=0.03)
    said = "its 8 joints on their own drives, sinking by 1.4 % of its height"
    assert found.summary["reasons"][0] == found.summary["joints_words"] == said


@pytest.mark.parametrize("seed", range(3))
def test_the_least_gain_is_the_engines_within_three_per_cent(tmp_path, seed):
    ratio = gain_ratio(tmp_path, seed)
    assert 0.97 < ratio < 1.03


@pytest.mark.slow
def test_the_least_gains_of_a_hundred_robots(tmp_path):
    ratios = np.array([gain_ratio(tmp_path, seed) for seed in range(100, 200)])
    found = ratios[np.isfinite(ratios)]
    assert len(found) > 90
    # feet that stick ask for no more than the engine's, which creep and may need more
    assert found.max() < 1.03
    assert (found > 0.97).mean() > 0.7, np.sort(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 210))
def test_the_gain_that_is_told_is_the_least_over_a_minute(tmp_path, seed):
    robot = weak_robot(tmp_path, seed)
    (gains,) = [r for r in eq.check(robot).remedies if r.kind == "stiffness"]
    kp = gains.amount  # times one
    assert sunk_by(robot, kp, 60.0) < 0.05
    assert sunk_by(robot, 0.96 * kp, 60.0) > 0.05


def test_the_least_gain_is_found_below_what_equilibrium_asks_for(tmp_path):
    # from the pose as given equilibrium lets its feet slide up to 1.18 times the gain
    scene = scene_from(950_388, names=["position_damped", "position_gain"])
    path = tmp_path / "robot.xml"
    path.write_text(scene.xml)
    found = eq.check(eq.load(path, base="trunk"), keyframe=scene.keyframe)
    (gains,) = [r for r in found.remedies if r.kind == "stiffness"]
    assert least_gain(
        robot_on_its_drives(found.asked.robot, found.asked.start, found.asked.question)
    ) == pytest.approx(1.18, rel=0.01)  # truncation: EXACT, and rounding up
    model = mujoco.MjModel.from_xml_path(str(path))
    kp = -np.array(model.actuator_biasprm[:, 1])
    for times, sinks in ((1.0, False), (0.97, True)):
        model.actuator_gainprm[:, 0] = gains.amount * times * kp
        model.actuator_biasprm[:, 1] = -gains.amount * times * kp
        data = mujoco.MjData(model)
        mujoco.mj_resetDataKeyframe(model, data, model.key(scene.judged).id)
        mujoco.mj_forward(model, data)
        before = float(data.body("trunk").subtree_com[2])
        mujoco.mj_step(model, data, round(20.0 / model.opt.timestep))
        sunk = before - float(data.body("trunk").subtree_com[2])
        assert (sunk > 0.05 * scene.height) is sinks


def gain_ratio(tmp_path, seed):
    """Return the least gain as predicted over that of the engine; NaN without one."""
    robot = weak_robot(tmp_path, seed, 10.0)
    found = eq.check(robot, remedies=False)
    drives = robot_on_its_drives(robot, found.asked.start, found.asked.question)
    factor = least_gain(drives)
    if factor is None:
        return math.nan
    low, high = 0.5 * 10.0 * factor, 2.0 * 10.0 * factor
    for _ in range(9):
        middle = math.sqrt(low * high)
        is_up = sunk_by(robot, middle) < 0.05
        low, high = (low, middle) if is_up else (middle, high)
    return 10.0 * factor / high


def weak_robot(tmp_path, seed, kp=1.0):
    """Return a quadruped of a seed on servos that are too weak."""
    rng = np.random.default_rng([seed, 7])
    size = float(10 ** rng.uniform(-0.5, 0.5))
    hip = rng.uniform(0.3, 0.9)
    knee = -hip - math.asin(math.sin(hip) * rng.uniform(0.8, 1.1))  # feet below hips
    mass = float(rng.uniform(4.0, 20.0))
    xml = quadruped(servo(kp), (hip, knee), link=0.2 * size**0.3, mass=mass)
    return loaded(tmp_path, xml)


@pytest.mark.parametrize(("torque", "stands"), [(20.0, "yes"), (2.0, "no")])
def test_motors_are_held_within_their_limits(tmp_path, torque, stands):
    found = checked(tmp_path, quadruped(MOTOR.format(torque)))
    assert found.stands == stands
    share = found.summary["joints"]["torque_share_without_bracing"]
    # closed form: legs that carry a quarter each, straight up through the foot
    assert share == pytest.approx(motor_share(found, torque), rel=1e-3)
    if stands == "yes":
        said = (
            f"its 8 motor joints held by a controller, at {share:.2g} of their torque"
        )
        assert found.summary["reasons"][0] == said
    else:
        assert "too weak" in found.summary["reasons"][0]
        assert any(r.kind == "torque" for r in found.remedies)


def test_an_effort_of_zero_is_said_in_the_first_words_of_a_yes(tmp_path):
    text = robot_path("colt").read_text()
    assert text.count('effort="') == 12
    rows = [('effort="0"', 12), (None, 12), ('effort="0"', 3)]
    for write, count in rows:
        path = tmp_path / "robot.urdf"
        pattern = r'effort="[^"]*"'
        path.write_text(re.sub(pattern, write or "", text, count=count))
        found = eq.check(eq.load(path), remedies=False)
        assert found.stands == "yes"
        which = "with" if count == 12 else f"{count} of them with"
        said = f", {which} no torque limit (effort of 0 or none in the file)"
        assert found.summary["joints_words"].endswith(said)
        assert len(found.summary["joints"]["without_effort"]) == count
    whole = eq.check(eq.load("colt"), remedies=False).summary
    assert whole["joints"]["without_effort"] == []
    assert "no torque limit" not in whole["joints_words"]


def motor_share(found, torque):
    """Return the share that vertical forces ask for, by statics of the worst joint."""
    robot = found.asked.robot
    model, data = robot.model, mujoco.MjData(robot.model)
    data.qpos[:] = found.asked.start.qpos
    mujoco.mj_forward(model, data)
    weight = float(model.body_mass.sum()) * 9.81
    com, feet = data.subtree_com[1], [data.geom(f"foot{k}").xpos for k in range(4)]
    front, rear = feet[0][0], feet[2][0]
    share = (com[0] - rear) / (front - rear)
    worst = 0.0
    for k in range(4):
        force = weight / 2 * (share if k < 2 else 1.0 - share)
        for name, bodies in ((f"hip{k}", ("thigh", "shank")), (f"knee{k}", ("shank",))):
            x = data.joint(name).xanchor[0]
            moment = force * (feet[k][0] - x)
            for body in bodies:
                own = model.body(f"{body}{k}").id
                moment -= model.body_mass[own] * 9.81 * (data.xipos[own][0] - x)
            worst = max(worst, abs(moment))
    return worst / torque


def test_passive_joints_are_not_known_and_what_would_do_is_said(tmp_path):
    found = checked(tmp_path, quadruped(""))
    assert found.stands == "unknown"
    assert found.summary["reasons"][0] == (
        "it stands if its 8 passive joints are held (--joints held)"
    )
    assert len(found.summary["joints_passive"]) == 8
    assert checked(tmp_path, quadruped(""), joints="held").stands == "yes"


def test_a_load_on_its_stop_stands_though_nothing_drives_it(tmp_path):
    found = checked(tmp_path, lift("", 'range="0 .1" limited="true"'))
    assert found.stands == "yes"
    assert "its 1 passive joint at rest by itself" in found.summary["reasons"][0]


@pytest.mark.parametrize(
    ("drive", "stands"),
    [
        (
            '<velocity joint="up" kv="9000"/>',
            "no",
        ),  # it sinks in a minute, in 4 s hardly
        ('<velocity joint="up" kv="50"/>', "no"),
        ('<position joint="up" kp="9000" forcerange="-20 20"/>', "no"),
        ('<position joint="up" kp="9000" forcerange="-80 80"/>', "yes"),
        ('<position joint="up" kp="9000" dampratio="1"/>', "yes"),
        ('<general joint="up" gainprm="0" biastype="affine" biasprm="39.24"/>', "yes"),
        ('<muscle joint="up" lengthrange="-1 1"/>', "unknown"),
    ],
)
def test_each_drive_acts_as_it_is(tmp_path, drive, stands):
    assert checked(tmp_path, lift(drive)).stands == stands


def test_what_the_keyframe_tells_servos_counts(tmp_path):
    key = '<keyframe><key name="{}" qpos="0 0 .02 1 0 0 0 0" ctrl="{}"/></keyframe>'
    drive = '<position joint="up" kp="4000"/>'
    assert checked(tmp_path, lift(drive, more=key.format("start", 0))).stands == "yes"
    down = checked(tmp_path, lift(drive, more=key.format("start", -0.2)))
    assert down.stands == "no"  # told to go down, to below 5 % of its height
    up = checked(tmp_path, lift(drive, more=key.format("start", 0.1)))
    rise = 4 / 5 * (0.1 - 4 * 9.81 / 4000) / (4 / 5 * 0.32 + 1 / 5 * 0.02)
    assert f"rising by {100 * rise:.2g} % of its height" in up.summary["reasons"][0]
    named = lift(drive, more=key.format("low", -0.2))
    assert checked(tmp_path, named).stands == "yes"  # the file's own pose, told 0
    assert checked(tmp_path, named, keyframe="low").stands == "no"
    # a pose of the user's: servos are told to hold it
    robot = loaded(tmp_path, named.replace("4000", "40000"))
    pose = np.array(robot.model.qpos0)
    pose[7] = -0.2
    found = eq.check(robot, qpos=pose)
    assert (found.stands, found.summary["pose_from"]) == ("yes", "as given")
    assert found.asked.start.ctrl[0] == pytest.approx(-0.2)


THRUST = (
    '<general name="{name}" {where} gear="0 0 {up} 0 0 0" gainprm="1"/>',
    '<adhesion name="{name}" body="plate" ctrlrange="0 1" gain="40"/>',
)


@pytest.mark.parametrize("kind", THRUST, ids=["thruster", "adhesion"])
def test_what_pushes_on_the_base_is_named_where_its_pose_switches_it_on(tmp_path, kind):
    drive = '<position joint="up" kp="4000"/>' + kind.format(
        name="jet", where='site="nozzle"', up=30
    )
    key = (
        '<keyframe><key name="start" qpos="0 0 .02 1 0 0 0 0" ctrl="0 {}"/></keyframe>'
    )
    for told, stands in ((0.0, "yes"), (0.5, "unknown")):
        xml = lift(drive, more=key.format(told)).replace(
            '<body name="load"', '<site name="nozzle"/><body name="load"'
        )
        found = checked(tmp_path, xml)
        assert found.stands == stands
        assert ("'jet'" in found.summary["reasons"][0]) is (stands == "unknown")


def slope_box(degrees, option=""):
    """Return a box of 0.2 m that lies on a slope of friction one."""
    lean = math.radians(degrees)
    at = f"{0.1 * math.sin(lean)} 0 {0.1 * math.cos(lean)}"
    floor = FLOOR.replace("/>", f' euler="0 {degrees} 0"/>')
    return (
        f"<mujoco><option {option}/><worldbody>{floor}<body pos='{at}' "
        f"euler='0 {degrees} 0'><freejoint/><geom name='box' type='box' "
        "size='.1 .1 .1' mass='5'/></body></worldbody></mujoco>"
    )


def test_a_box_that_creeps_down_a_slope_is_not_called_standing(tmp_path, capsys):
    found = checked(tmp_path, slope_box(20))
    assert found.stands == "unknown"
    assert "creeps" in found.summary["reasons"][0]
    assert run(["check", str(tmp_path / "robot.xml")]) == 3
    capsys.readouterr()
    slow = checked(tmp_path, slope_box(5))  # by a seventh of its size in a minute
    assert slow.stands == "unknown"
    held = checked(tmp_path, slope_box(20, 'cone="elliptic" noslip_iterations="50"'))
    assert held.stands == "yes"


def test_feet_that_sink_into_their_contacts_do_not_stand(tmp_path):
    soft = lift('<position joint="up" kp="4000"/>').replace(
        'mass="0"/>', 'mass="0" solref="1 60"/>'
    )
    found = checked(tmp_path, soft)
    assert found.stands != "yes"
    assert "sinks by" in " ".join(found.summary["reasons"])
    decided = checked(tmp_path, soft, ground="engine", joints="held")
    assert decided.stands == "no"
    assert "foot0" in decided.summary["reasons"][0]  # what touches then


def test_a_file_without_a_floor_is_tried_over_one(tmp_path):
    bare = quadruped(servo(3.0)).replace(FLOOR, "")
    assert checked(tmp_path, bare).stands == "no"
    assert checked(tmp_path, bare.replace('kp="3.0"', 'kp="100"')).stands == "yes"


def test_a_pose_out_of_range_is_not_judged_but_the_stand_is(tmp_path, capsys):
    ranged = quadruped(servo(200.0), keyframe=False).replace(
        'axis="0 1 0"', 'axis="0 1 0" range="{}" limited="true"', 8
    )
    text = ranged
    for k in range(8):
        text = text.replace("{}", "-180 180" if k % 2 == 0 else "-150 -40", 1)
    found = checked(tmp_path, text)
    assert (
        found.summary["pose_instead"] == "the file's own pose has 4 joints out of range"
    )
    assert found.summary["joints"]["beyond_range"] == []
    note = f"judged in {found.summary['pose_from']}, since the file's own pose has 4"
    report = RobotReport("robot.xml", found)
    for text_of_it in (str(found), junit_text([report]), markdown_text([report])):
        assert note in html.unescape(text_of_it)
    given = checked(tmp_path, text, pose="file")
    assert len(given.summary["joints"]["beyond_range"]) == 4
    assert given.summary["pose_instead"] is None
    assert "judged in" not in str(given)
    assert run(["check", str(tmp_path / "robot.xml"), "--pose", "file"]) in (0, 1, 3)
    assert "its range is" in capsys.readouterr().out


def test_the_command_says_who_holds_the_joints_first(tmp_path, capsys):
    (tmp_path / "robot.xml").write_text(quadruped(MOTOR.format(20.0)))
    assert run(["check", str(tmp_path / "robot.xml")]) == 0
    said = capsys.readouterr().out
    assert "It stands, its 8 motor joints held by a controller, at 0.15 of" in said
    assert run(["check", str(tmp_path / "robot.xml"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["joints_held"]) == 8
    assert run(["check", str(tmp_path / "robot.xml"), "--joints", "some"]) == 2
    assert "joints must be 'own' or 'held', got 'some'" in capsys.readouterr().err


def test_bad_questions_are_refused(tmp_path):
    robot = loaded(tmp_path, quadruped(servo(9.0)))
    with pytest.raises(ConfigError, match="joints must be 'own' or 'held'"):
        eq.check(robot, joints="rigid")
    with pytest.raises(ConfigError, match="only one of keyframe, qpos and pose"):
        eq.check(robot, pose="file", keyframe="start")
    with pytest.raises(ConfigError, match="pose must be 'file'"):
        eq.check(robot, pose="zero")
