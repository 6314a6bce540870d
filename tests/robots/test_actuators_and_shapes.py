"""Limits of actuators, mended inertias, and what a standing robot is rewritten to.

Small specifications of one or two bodies, whose numbers are known by hand.
"""

import math
import os
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.assembly.module_shapes import add_shapes
from equipoise.robots.drives import Drive, actuator_limit
from equipoise.robots.files import described
from equipoise.robots.files.mend_inertia import matrix_of, physical_inertia
from equipoise.robots.found.limits import (
    JointDrive,
    _actuator_speed,
    _told,
    static_torques,
)
from equipoise.robots.standing import spec as standing
from equipoise.robots.superbot.options import ROBOT as SUPERBOT
from equipoise.spatial.rotations import matrix_from_axis_angle

G = mujoco.mjtGeom
ARM = """<mujoco><worldbody><body name="arm"><joint name="idle" axis="0 0 1"/>
<joint name="shoulder" axis="0 1 0" {joint}/><geom size=".1" pos="0 0 1"/>
<body name="fore" pos="0 0 2"><joint name="elbow" axis="0 1 0" armature="0.25"/>
<geom size=".1" pos="0 0 1"/></body></body></worldbody><actuator>{motors}</actuator>
</mujoco>"""


def arm(motors, joint=""):
    return mujoco.MjModel.from_xml_string(ARM.format(motors=motors, joint=joint))


BARE = '<motor joint="elbow" gear="9"/>'


@pytest.mark.parametrize(
    ("motor", "limit"),
    [
        ("<motor joint='shoulder'/>", math.nan),
        ("<motor joint='shoulder' forcerange='-3 8' gear='-5'/>", 40.0),
        ("<motor joint='shoulder' ctrlrange='-2 1' gear='5'/>", 10.0),
        ("<motor joint='shoulder' ctrlrange='-2 1' gear='5' forcerange='-1 1'/>", 5.0),
        ("<motor joint='shoulder' ctrlrange='-2 1' gear='5' forcerange='-9 9'/>", 10.0),
        ("<general joint='shoulder' ctrlrange='-2 2' gainprm='-7' gear='2'/>", 28.0),
        # what these are told is no share of a torque
        ("<position joint='shoulder' kp='10' ctrlrange='-2 2'/>", math.nan),
        ("<general joint='shoulder' ctrlrange='-2 2' gaintype='affine'/>", math.nan),
    ],
)
@pytest.mark.parametrize("place", [0, 1])
def test_an_actuator_gives_as_much_as_its_ranges_and_its_gear_say(motor, limit, place):
    motors = (motor, BARE) if place == 0 else (BARE, motor)
    model = arm("".join(motors))
    assert actuator_limit(model, place) == pytest.approx(limit, nan_ok=True)
    assert math.isnan(actuator_limit(model, 1 - place))


@pytest.mark.parametrize(
    ("servo", "speed"),
    [
        ("<velocity joint='elbow' kv='3' ctrlrange='-8 4' gear='-2'/>", 4.0),
        ("<velocity joint='elbow' kv='3'/>", math.nan),
        ("<position joint='elbow' kp='3' ctrlrange='-8 4'/>", math.nan),
        ("<motor joint='elbow' ctrlrange='-8 4'/>", math.nan),
        ("<velocity joint='elbow' kv='3' ctrlrange='-8 4' gear='0'/>", math.nan),
    ],
)
def test_a_servo_of_speeds_is_told_no_more_than_its_range(servo, speed):
    model = arm(f"<motor joint='shoulder' ctrlrange='-1 1'/>{servo}")
    assert _actuator_speed(model, 1) == pytest.approx(speed, nan_ok=True)


def test_a_joint_is_told_what_its_own_actuators_and_its_own_limit_say():
    model = arm(
        "<motor joint='elbow' ctrlrange='-3 3'/>"
        "<motor joint='shoulder' ctrlrange='-7 7'/>",
        "actuatorfrcrange='-5 2'",
    )
    shoulder, elbow, idle = (model.joint(n).id for n in ("shoulder", "elbow", "idle"))
    told = _told(model, shoulder, {"shoulder": 2.5})
    assert (told.joint, told.torque, told.speed) == ("shoulder", 5.0, 2.5)
    assert math.isnan(told.inertia)
    told = _told(model, elbow, {"shoulder": 2.5})
    assert (told.torque, told.inertia) == (3.0, 0.25) and math.isnan(told.speed)
    assert math.isnan(_told(model, idle, {}).torque)
    model = arm("<velocity joint='elbow' kv='2' ctrlrange='-4 4'/>")
    assert _told(model, model.joint("elbow").id, {"elbow": 9.0}).speed == 4.0
    limited = arm("", "actuatorfrcrange='-5 2'")
    assert _told(limited, limited.joint("shoulder").id, {}).torque == 5.0


def test_an_arm_that_is_level_holds_its_balls_by_their_levers():
    model = arm("")
    mass = model.body("arm").mass[0]
    pose = np.array([0.0, math.pi / 2, 0.0])
    robot = SimpleNamespace(model=model)
    held = static_torques(robot, pose, ())
    # balls at 1 and 3 m from the shoulder, the last at 1 m from the elbow
    wanted = -mass * 9.81 * np.array([0.0, 4.0, 1.0])
    np.testing.assert_allclose(held, wanted, atol=1e-9)


def test_two_feet_share_a_weight_by_their_levers():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body name="b" pos="0 0 1"><freejoint/><geom size=".1" '
        'mass="5"/><body name="l" pos="0 .3 0"><joint axis="0 0 1" type="slide"/>'
        '<geom size=".01" mass="1e-9"/></body><body name="r" pos="0 -.1 0">'
        '<joint axis="0 0 1" type="slide"/><geom size=".01" mass="1e-9"/></body></body>'
        "</worldbody></mujoco>"
    )
    robot = SimpleNamespace(model=model)
    feet = [(model.body("l").id, [0, 0.3, 0]), (model.body("r").id, [0, -0.1, 0])]
    held = static_torques(robot, model.qpos0, feet)
    weight = 5.0 * 9.81
    np.testing.assert_allclose(held[:6], 0.0, atol=1e-6)
    # a slide along z is pushed up by its foot
    np.testing.assert_allclose(held[6:], [-0.25 * weight, -0.75 * weight], rtol=1e-6)


def test_a_motor_of_limits_has_them_and_five_amperes():
    usual, drive = Drive(), Drive.of_limits(30.0, 7.0, 0.2, stall=2.0)
    assert (drive.torque, drive.speed, drive.inertia) == pytest.approx((30.0, 7.0, 0.2))
    assert (drive.current, drive.torque_constant, drive.voltage) == (5.0, 6.0, 42.0)
    # at rest and full voltage it would give twice its largest torque
    stalled = drive.voltage / drive.resistance * drive.torque_constant
    assert stalled == pytest.approx(60.0)
    assert drive.stiffness == pytest.approx(1000.0 * 30.0 / usual.torque)
    assert Drive.of_limits(30.0, 7.0, 0.2).resistance == pytest.approx(42.0 / 7.5)
    assert drive.kind == "motor" and drive.lateness == 0.0
    # table 5.2 of the thesis agrees with itself
    assert (usual.current_rise, usual.voltage, usual.current) == (0.4e-3, 48.0, 5.0)
    assert usual.torque == pytest.approx(91.0)
    assert usual.speed == pytest.approx(2.6, abs=0.05)


def test_a_lag_is_a_valve_and_a_chamber_in_a_row():
    drive = Drive.of_limits(30.0, 7.0, 0.2).behind_valve(70.0, 200.0)
    assert (drive.kind, drive.bandwidth, drive.valve) == ("lag", 70.0, 200.0)
    both = (1 + (70 / 200) ** 2) * (1 + (70 / drive.chamber) ** 2)
    assert both == pytest.approx(2.0, rel=1e-12)
    # a ramp through two lags of first order comes late by the sum of their times
    late = 1 / (2 * math.pi * 200.0) + 1 / (2 * math.pi * drive.chamber)
    assert drive.lateness == pytest.approx(late, rel=1e-12)
    with pytest.raises(ConfigError, match="bandwidth must be below the valve's 50 Hz"):
        drive.behind_valve(50.0, 50.0)


# --- inertias -------------------------------------------------------------------------


def test_an_inertia_that_can_be_is_kept_as_it_is():
    for moments in ((1.0, 2.0, 2.5), (1.0, 1.0, 2.0), (1.0, 1.0, 2.0 * (1 + 4e-10))):
        inertia = np.diag(moments)
        assert physical_inertia(inertia, 1.0) is inertia


@pytest.mark.parametrize(
    "moments", [(1.0, 2.0, 4.0), (-1.0, 2.0, 2.5), (0.0, 3.0, 9.0)]
)
def test_an_inertia_that_cannot_be_is_moved_to_the_nearest(moments):
    """Second moments (b + c - a) / 2 and so on, those below a grain of sand raised."""
    R = matrix_from_axis_angle(np.array([1.0, -2.0, 0.5]), 0.9)
    mass = 3.0
    found = physical_inertia(R @ np.diag(moments) @ R.T, mass)
    second = 0.5 * sum(moments) - np.array(moments)
    second = np.maximum(second, mass * 1e-8)
    wanted = R @ np.diag(second.sum() - second) @ R.T
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    np.testing.assert_array_equal(found, found.T)
    light = physical_inertia(np.zeros((3, 3)), 1e-9)
    np.testing.assert_allclose(light, 2e-12 * np.eye(3))
    six = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]
    assert matrix_of(six).tolist() == [[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 3]]


# --- a specification for standing -----------------------------------------------------

WALKER = """<mujoco><option timestep="0.007" gravity="1 2 3" impratio="9"/><worldbody>
<geom name="floor" type="plane" size="1 1 1"/>
<body name="box" pos="3 0 0"><geom size=".1" contype="0"/></body>
<body name="ghost" pos="4 0 0"><geom size=".1" contype="0" conaffinity="0"/></body>
<body name="trunk" pos="0 0 1"><freejoint/><geom name="hull" size=".1" contype="0"
 condim="6" priority="3" margin="0.1" gap="0.05"/>
<geom name="paint" size=".2" contype="0" conaffinity="0"/>
<body name="helmet"><geom name="crest" size=".05" conaffinity="0"/></body>
<body name="thigh" pos="0 0 -.2"><joint name="hip" axis="0 1 0"
 actuatorfrclimited="true"
 actuatorfrcrange="-1 1"/><geom name="rod" size=".1"/>
<body name="foot" pos="0 0 -.3"><geom name="sole0" size=".05"/></body></body></body>
</worldbody><actuator><motor joint="hip"/></actuator><sensor><jointpos joint="hip"/>
</sensor><contact><exclude body1="trunk" body2="foot"/><pair geom1="hull"
 geom2="floor"/></contact><equality><weld body1="box"/></equality><tendon><spatial>
<site site="s"/><site site="t"/></spatial></tendon>
<keyframe><key qpos="0 0 1 1 0 0 0 0.1"/></keyframe></mujoco>""".replace(
    '<geom name="rod"', '<site name="s"/><site name="t" pos="1 0 0"/><geom name="rod"'
)


def walker():
    return mujoco.MjSpec.from_string(WALKER)


def test_what_a_file_would_do_by_itself_is_taken_away():
    spec = walker()
    standing.strip(spec)
    for things in ("keys", "actuators", "sensors", "pairs", "excludes", "equalities",
                   "tendons"):  # fmt: skip
        assert not list(getattr(spec, things)), things
    usual = mujoco.MjSpec().option
    assert spec.option.timestep == usual.timestep
    assert spec.option.impratio == usual.impratio
    assert spec.option.gravity.tolist() == [0.0, 0.0, -9.81]
    assert spec.compile().nbody == 7


def test_the_trunk_is_hit_and_legs_and_scenery_are_not():
    spec, model = walker(), walker().compile()
    found = SimpleNamespace(legs=[SimpleNamespace(joints=("hip",))])
    legs = standing.leg_bodies(model, found)
    assert legs == {"thigh", "foot"}
    still, has_shape = standing.touch_only_others(spec, legs)
    # floor and box stand still; what is only seen does not count
    assert (still, has_shape) == (2, True)
    geoms = {geom.name: geom for geom in spec.geoms}
    assert set(geoms) == {"hull", "paint", "crest", "rod", "sole0"}
    touched = {name: (g.contype, g.conaffinity) for name, g in geoms.items()}
    assert touched == {
        "hull": (0, 1), "paint": (0, 0), "crest": (0, 1), "rod": (0, 0),
        "sole0": (0, 0),
    }  # fmt: skip
    for geom in geoms.values():
        assert (geom.condim, geom.priority, geom.margin, geom.gap) == (3, 0, 0.0, 0.0)
    every = {"trunk", "helmet", *legs}
    assert standing.touch_only_others(walker(), every)[1] is False


def test_a_trunk_without_a_shape_gets_a_cube_and_a_name_of_its_own():
    spec = walker()
    spec.geom("paint").name = "target"
    robot = SimpleNamespace(model=walker().compile(), base="trunk")
    standing.add_target(spec, robot, 0.8)
    cube = spec.geom("target_")
    assert cube.size.tolist() == pytest.approx([0.08] * 3)
    assert (cube.contype, cube.conaffinity, cube.mass) == (0, 1, 0.0)
    assert cube.type == G.mjGEOM_BOX and cube.parent.name == "trunk"
    own = robot.model.body("trunk").ipos
    np.testing.assert_allclose(cube.pos, own)


def test_soles_are_balls_whose_lowest_points_are_corners():
    spec = walker()
    corners = np.array([[0.1, 0.05, -0.02], [0.1, -0.05, -0.02], [-0.1, 0.0, -0.02]])
    turn = matrix_from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.4)
    found = SimpleNamespace(height=0.5, legs=[SimpleNamespace(name="foot")])
    sole = SimpleNamespace(link="foot", corners=corners @ turn.T)
    spec.geom("sole0").name = "foot_sole1"  # taken
    names = standing.add_soles(spec, found, [sole])
    assert names == ("foot_sole0", "foot_sole1_", "foot_sole2")
    up = turn @ [0.0, 0.0, 1.0]  # towards the link's origin
    for name, corner in zip(names, sole.corners, strict=True):
        ball = spec.geom(name)
        assert ball.size[0] == pytest.approx(0.002)
        np.testing.assert_allclose(ball.pos, corner + 0.002 * up, atol=1e-12)
        assert (ball.contype, ball.conaffinity, ball.mass) == (0, 1, 0.0)
        assert ball.parent.name == "foot"


def test_motors_have_the_limits_of_their_drives():
    spec = walker()
    standing.strip(spec)
    standing.add_motors(spec, [JointDrive("hip", 12.5, 3.0, 0.1)])
    model = spec.compile()
    assert model.nu == 1
    assert model.actuator_ctrlrange.tolist() == [[-12.5, 12.5]]
    assert model.actuator_ctrllimited[0] and model.actuator_gainprm[0, 0] == 1.0
    assert model.actuator_trnid[0, 0] == model.joint("hip").id
    assert model.actuator(0).name == "hip" and not model.jnt_actfrclimited.any()


# --- modules --------------------------------------------------------------------------


def part_shapes(part, branch=0, fine=True):
    body = SuperbotModule().body()
    spec = mujoco.MjSpec()
    child = spec.worldbody.add_body(name="part")
    add_shapes(child, body, part, branch, fine)
    return body, list(child.geoms)


@pytest.mark.parametrize("fine", [True, False])
def test_parts_of_a_module_are_drawn_within_it_and_touch_nothing(fine):
    for part in range(4):
        body, geoms = part_shapes(part, fine=fine)
        half = 0.5 * body.width
        assert len(geoms) == (2 if fine else 1)
        for geom in geoms:
            assert (geom.contype, geom.conaffinity, geom.mass) == (0, 0, 0.0)
            assert geom.group == 2
            assert geom.pos[:2].tolist() == [0.0, 0.0]
            is_box = geom.type == G.mjGEOM_BOX
            wide = geom.size[:2].max() if is_box else max(geom.size[:2])
            assert 0.5 * half < wide < half
            if not is_box:  # a hinge's cylinder lies along y
                R = np.zeros(9)
                mujoco.mju_quat2Mat(R, geom.quat)
                np.testing.assert_allclose(np.abs(R[2::3]), [0, 1, 0], atol=1e-12)


def test_brackets_end_at_their_front_connectors_and_blocks_short_of_the_seam():
    for part in (0, 3):
        body, (slab, axle) = part_shapes(part)
        front = max((c.X_PC.p[2] for c in body.connectors if c.part == part), key=abs)
        ends = slab.pos[2] + np.array([-1.0, 1.0]) * slab.size[2]
        far = ends[np.argmax(np.abs(ends))]
        # a hundredth short of the connector's face, and half its depth thick
        assert far == pytest.approx(0.99 * front)
        assert np.ptp(ends) == pytest.approx(0.48 * abs(front))
        assert axle.pos[2] == 0.0
    tops = []
    for part in (1, 2):
        body, (gearbox, block) = part_shapes(part)
        length = body.joints[1].origin[2]
        assert gearbox.pos[2] == pytest.approx(0.0 if part == 1 else length)
        ends = block.pos[2] + np.array([-1.0, 1.0]) * block.size[2]
        tops.append(ends)
        assert np.ptp(ends) == pytest.approx(0.97 * length)
    assert tops[0][0] == pytest.approx(0.0) and tops[1][1] == pytest.approx(length)


def test_branches_have_colours_of_their_own_in_turn():
    colours = [tuple(part_shapes(0, branch)[1][0].rgba) for branch in range(8)]
    assert len(set(colours[:6])) == 6
    assert colours[6:] == colours[:2]
    assert tuple(part_shapes(1, 0)[1][0].rgba) == tuple(part_shapes(2, 5)[1][0].rgba)


# --- options of a random tree ---------------------------------------------------------


def test_numbers_of_a_module_may_be_given_among_the_options():
    made = SUPERBOT.chosen({"modules": 7, "damping": 0.25, "mass_scale": 0.5})
    assert (made.modules, made.branches, made.mass_scale) == (7, 4, 0.5)
    assert made.module == SuperbotModule(damping=0.25, mass_scale=0.5)
    plain = SUPERBOT.chosen({"modules": 3, "seed": 9})
    assert plain.module is None and (plain.branches, plain.seed) == (3, 9)
    # a share of the mass alone is an option of the tree
    assert SUPERBOT.chosen({"mass_scale": 0.5}).module is None
    given = SuperbotModule(damping=0.5)
    assert SUPERBOT.chosen({"module": given}).module is given
    with pytest.raises(ConfigError, match="give either module or damping, not both"):
        SUPERBOT.chosen({"module": given, "damping": 0.25})
    assert SUPERBOT.chosen({"module": None, "damping": 0.25}).module.damping == 0.25
    with pytest.raises(UnknownNameError, match="no option 'damp'"):
        SUPERBOT.chosen({"damp": 1})
    usual = SUPERBOT.chosen({})
    # [Moll2006] section V: twenty modules in four branches, a tenth of the mass
    assert (usual.modules, usual.branches, usual.mass_scale) == (20, 4, 0.1)
    assert (usual.angles, usual.seed, usual.mount) == ("zero", 0, "fixed")


# --- git ------------------------------------------------------------------------------


def test_git_asks_nobody_and_the_environment_is_as_it_was(monkeypatch):
    names = list(described.OFFLINE)
    monkeypatch.setenv(names[0], "before")
    for name in names[1:]:
        monkeypatch.delenv(name, raising=False)
    with described._git_that_asks_nobody():
        assert {name: os.environ[name] for name in names} == described.OFFLINE
    assert os.environ[names[0]] == "before"
    assert not set(names[1:]) & set(os.environ)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("one\n  two.\n\n", "two"),
        ("x\nfatal: no such thing\nhint: y", "fatal: no such thing"),
        ("Cmd failed\n  stderr: 'could not read'\nmore", "could not read"),
        ("", "OSError"),
    ],
)
def test_of_an_error_the_line_that_says_why_is_told(text, reason):
    assert described._reason(OSError(text)) == reason
