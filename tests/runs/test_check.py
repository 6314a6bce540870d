"""Will it stand: closed forms on simple bodies, built-in robots, never a wrong yes."""

import math

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.robot import Robot
from oracles.robot_files import example_urdfs, gymnasium_mjcfs


def box_robot(tilt=0.0, com=(0.0, 0.0), z=0.3, *, ground=False, free=True, lost=()):
    """Return a box of 0.2 x 0.4 x 0.6 m and 5 kg, its mass shifted, maybe tilted."""
    spec = mujoco.MjSpec()
    if ground:
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    quat = [np.cos(tilt / 2), 0.0, np.sin(tilt / 2), 0.0]
    body = spec.worldbody.add_body(name="box", pos=[0, 0, z], quat=quat)
    if free:
        body.add_freejoint()
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = 5.0, [*com, 0.0], [0.1, 0.1, 0.1]
    body.add_geom(name="box", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.2, 0.3])
    return Robot("box", spec, base="box", lost_shapes=lost)


def test_a_boxs_margins_in_closed_form():
    result = eq.check(box_robot(com=(0.03, -0.05)))
    s = result.summary
    assert (result.stands, s["stands"]) == ("yes", "yes")
    assert s["mass"] == pytest.approx(5.0)
    np.testing.assert_allclose(s["com"], [0.03, -0.05, 0.3], atol=1e-12)
    assert s["static_margin_m"] == pytest.approx(0.07, abs=1e-12)
    # solver's tolerance of the region; flat ground: the region is the support
    assert s["region_margin_m"] == pytest.approx(0.07, abs=1e-6)
    assert s["region_area_m2"] == pytest.approx(0.08, rel=1e-3)
    lift = np.hypot(0.07, 0.3) - 0.3
    assert s["energy_margin_j"] == pytest.approx(5.0 * 9.81 * lift, rel=1e-9)
    assert len(s["contacts"]) == 4
    assert {c["geom"] for c in s["contacts"]} == {"box"}
    assert s["compliance"] is None
    np.testing.assert_allclose(result.weakest, [1.0, 0.0], atol=1e-12)


def test_a_centre_outside_falls_and_on_the_edge_nobody_knows():
    assert eq.check(box_robot(com=(0.11, 0.0))).stands == "no"
    edge = eq.check(box_robot(com=(0.1, 0.0)))
    assert edge.stands == "unknown"
    assert "on the very edge" in edge.summary["reasons"][0]


def test_a_tilted_box_settles_onto_its_face():
    result = eq.check(box_robot(tilt=0.05))
    s = result.summary
    assert (result.stands, len(s["contacts"])) == ("yes", 4)
    assert s["settled_deg"] == pytest.approx(math.degrees(0.05), rel=1e-9)
    # from standing on an edge, 0.1 m aside and 0.3 m below, to standing on the face
    start = 0.3 * math.cos(0.05) + 0.1 * math.sin(0.05)
    assert s["settled_m"] == pytest.approx(start - 0.3, rel=1e-9)
    assert s["static_margin_m"] == pytest.approx(0.1, abs=1e-12)


def test_as_given_a_tilted_box_on_its_edge_does_not_stand():
    result = eq.check(box_robot(tilt=0.05), settle=False)
    assert len(result.summary["contacts"]) == 2
    assert result.stands == "no"
    assert result.summary["settled_deg"] is None


def test_a_box_that_must_turn_far_to_rest_does_not_stand():
    # beyond atan(0.1 / 0.3) = 18.4 degrees it falls onto its side
    result = eq.check(box_robot(tilt=0.35))
    assert result.stands == "no"
    assert (
        "it tips: put down gently it turns by 70 degrees, onto box"
        in (result.summary["reasons"][0])
    )
    # what is told is how it was put: over its edge
    lever = 0.1 * math.cos(0.35) - 0.3 * math.sin(0.35)
    assert result.summary["static_margin_m"] == pytest.approx(-abs(lever), abs=1e-9)


@pytest.mark.parametrize(("degrees", "stands"), [(9.9, "yes"), (10.1, "no")])
def test_settling_by_more_than_ten_degrees_is_no_standing(degrees, stands):
    # it comes back up to 18.4 degrees, and frees less than tipping takes up to 11.7
    result = eq.check(box_robot(tilt=math.radians(degrees)))
    assert result.stands == stands
    assert result.summary["settled_deg"] == pytest.approx(degrees, rel=1e-9)


def test_a_drop_that_could_tip_it_is_not_known():
    """On its right edge at 5 degrees, 1.5 cm from tipping over the left one.

    Falling back frees m g 0.085 sin 5 deg = 0.36 J, tipping takes 5 g 0.37 mm.
    """
    robot = box_robot(tilt=math.radians(5.0), com=(-0.035, 0.0))
    spec = robot.spec.copy()
    spec.geom("box").size = [0.05, 0.2, 0.3]
    result = eq.check(Robot("thin", spec, base="box"))
    assert result.stands == "unknown"
    assert result.summary["reasons"][0] == "dropped from here it may tip"
    # 4 cm from the left edge it is 4.1 mm freed against 2.7 mm to climb: just enough
    spec.body("box").ipos = [-0.01, 0.0, 0.0]
    assert eq.check(Robot("thin", spec, base="box")).stands == "unknown"
    spec.body("box").ipos = [0.0, 0.0, 0.0]  # as far from the left edge as the right
    assert eq.check(Robot("thin", spec, base="box")).stands == "yes"


def test_a_robot_in_the_air_is_let_down_first():
    result = eq.check(box_robot(z=0.8, ground=True))
    assert result.stands == "yes"
    assert result.summary["settled_m"] == pytest.approx(0.5, rel=1e-9)
    assert result.summary["com"][2] == pytest.approx(0.3, rel=1e-9)


def test_above_a_slope_on_which_it_tips_it_is_told_as_it_touches():
    # tipping begins at atan(0.1 / 0.3) = 18.4 degrees
    high, low = (
        eq.check(box_robot(z=z, ground=True), slope_deg=25.0, friction=2.0)
        for z in (0.8, 0.3)
    )
    want = 0.3 * math.sin(math.radians(25.0)) - 0.1 * math.cos(math.radians(25.0))
    for found in (high, low):
        assert (found.stands, len(found.summary["contacts"])) == ("no", 4)
        margin = found.summary["static_margin_m"]
        assert margin == pytest.approx(-want, abs=1e-9)  # rounding of places


def test_as_given_a_robot_in_the_air_does_not_stand():
    result = eq.check(box_robot(z=0.8, ground=True), settle=False)
    assert result.stands == "no"
    assert result.summary["reasons"] == [
        "it is in the air, its lowest point 0.5 m too high"
    ]
    assert result.summary["static_margin_m"] is None


def test_a_robot_on_its_back_does_not_stand_on_its_feet():
    robot = eq.load("warp1")
    pose = np.array(robot.model.key("start").qpos)
    pose[3:7] = [0.0, 1.0, 0.0, 0.0]
    result = eq.check(robot, qpos=pose)
    assert result.stands == "no"
    assert "it lies on other parts than its feet" in result.summary["reasons"]


def test_a_trunk_in_the_ground_is_never_a_yes():
    spec = eq.load("warp1").spec.copy()
    spec.geom("trunk").size = [0.4, 0.2, 0.7]  # reaches 6 cm below the feet
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    result = eq.check(Robot("deep", spec, "trunk", eq.load("warp1").feet))
    assert result.stands == "unknown"
    assert "0.06 m deep in the ground" in result.summary["reasons"][0]


def test_lost_feet_and_a_fixed_base_are_not_known():
    lost = eq.check(box_robot(lost=("toe",)))
    assert (lost.stands, "toe" in lost.summary["reasons"][0]) == ("unknown", True)
    fixed = eq.check(box_robot(free=False))
    assert (fixed.stands, "fixed" in fixed.summary["reasons"][0]) == ("unknown", True)


def test_built_in_robots_stand_where_they_should():
    biped = eq.check(eq.load("biped"), keyframe="set")
    assert biped.stands == "yes"
    assert len(biped.summary["contacts"]) == 8
    warp1 = eq.check(eq.load("warp1"))
    assert warp1.summary["static_margin_m"] == pytest.approx(0.25, abs=1e-9)


def test_the_answer_agrees_with_a_box_let_go_in_simulation():
    for shift in (0.08, 0.095, 0.105, 0.12):
        robot = box_robot(com=(shift, 0.0), ground=True)
        data = mujoco.MjData(robot.model)
        for _ in range(2000):
            mujoco.mj_step(robot.model, data)
        tipped = data.qpos[2] < 0.25
        assert eq.check(robot).stands == ("no" if tipped else "yes"), shift


def test_bad_input_gets_a_sentence():
    robot = eq.load("warp1")
    with pytest.raises(ConfigError, match=r"friction must be > 0, got nan"):
        eq.check(robot, friction=float("nan"))
    with pytest.raises(ConfigError, match="only one of keyframe, qpos and pose"):
        eq.check(robot, keyframe="start", qpos=robot.model.key("start").qpos)
    with pytest.raises(UnknownNameError, match="no keyframe 'sit'"):
        eq.check(robot, keyframe="sit")


def test_soft_ground_in_closed_form():
    """A sole of half length x on a spring K: it stands while K x² > m g h."""
    critical = 5.0 * 9.81 * 0.3 / 0.1**2
    for stiffness, stands in ((1.02 * critical, "yes"), (0.98 * critical, "no")):
        result = eq.check(box_robot(), ground_stiffness=stiffness)
        soft = result.summary["compliance"]
        assert result.stands == stands
        # the spring is spread over four corners: Σ k x² = K x²; sinking changes nothing
        assert soft["multiplier"] == pytest.approx(critical / stiffness, rel=1e-6)
        assert soft["critical_stiffness"] == pytest.approx(critical, rel=1e-6)
        height = stiffness * 0.1**2 / (5.0 * 9.81)
        assert soft["critical_height_m"] == pytest.approx(height, rel=3e-6)
        assert abs(soft["weakest_direction"][0]) == pytest.approx(1.0)


def test_soft_legs_in_closed_form():
    """Legs that give way lower the body too: K x² > m g (h - m g / K)."""
    weight, x, h = 5.0 * 9.81, 0.1, 0.3
    critical = weight * (h + np.sqrt(h**2 - 4.0 * x**2)) / (2.0 * x**2)
    for stiffness, stands in ((1.05 * critical, "yes"), (0.95 * critical, "no")):
        result = eq.check(box_robot(), leg_stiffness=stiffness)
        soft = result.summary["compliance"]
        assert result.stands == stands
        # rigid ground is taken as 1e8 times as stiff as a leg
        assert soft["multiplier"] == pytest.approx(critical / stiffness, rel=1e-3)


def test_soft_ground_makes_soft_legs_weaker():
    robot = box_robot()
    legs = eq.check(robot, leg_stiffness=4e3).summary["compliance"]["multiplier"]
    both = eq.check(robot, leg_stiffness=4e3, ground_stiffness=4e3)
    assert both.summary["compliance"]["multiplier"] > 1.2 * legs


def test_springs_can_only_take_a_yes_away():
    outside = eq.check(box_robot(com=(0.12, 0.0)), ground_stiffness=1e6)
    assert outside.stands == "no"


@pytest.mark.parametrize("name", ["ground_stiffness", "leg_stiffness"])
def test_a_stiffness_that_is_none_is_refused(name):
    with pytest.raises(ConfigError, match=r"stiffness must be > 0, got -1"):
        eq.check(box_robot(), **{name: -1.0})


@pytest.mark.skipif(not gymnasium_mjcfs(), reason="gymnasium is not installed")
@pytest.mark.parametrize("path", gymnasium_mjcfs(), ids=lambda p: p.stem)
def test_robots_of_gymnasium_get_an_answer_and_no_wrong_yes(path, recwarn):
    # as their files pose them they have contact margins, lie in the ground or are held
    # by the world; the humanoid's knees are out of range by two degrees, and its centre
    # of mass is behind its feet; lying, its motors are strong enough only if its
    # limbs rest on each other
    found = eq.check(eq.load(path))
    is_humanoid = path.stem in ("humanoid", "humanoidstandup")
    assert found.stands == ("no" if path.stem == "humanoid" else "unknown")
    assert found.summary["pose_instead"] or not is_humanoid
    assert found.summary["mass"] > 0.0
    assert not recwarn.list


STANDING = ("a1", "anymal", "b1", "bolt", "go1", "go2", "solo12", "talos_reduced")
PUBLIC = [path for path in example_urdfs() if path.stem in STANDING]


def tilt_after_two_seconds(robot: Robot, ground: float, friction: float) -> float:
    """Return how far a robot has turned that was let go with its joints welded [deg].

    In the model's own pose all joints are at zero, so that taking them away welds it.
    """
    spec = robot.spec.copy()
    for part in (*spec.actuators, *spec.sensors, *spec.keys):
        spec.delete(part)
    for joint in [j for j in spec.joints if j.type != mujoco.mjtJoint.mjJNT_FREE]:
        spec.delete(joint)
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    spec.worldbody.add_geom(
        type=plane, size=[0, 0, 1], pos=[0, 0, ground], friction=[friction, 0, 0]
    )
    model = spec.compile()
    data = mujoco.MjData(model)
    start = data.qpos[3:7].copy()
    for _ in range(round(2.0 / model.opt.timestep)):
        mujoco.mj_step(model, data)
    turn = np.zeros(3)
    mujoco.mju_subQuat(turn, data.qpos[3:7], start)
    return float(np.degrees(np.linalg.norm(turn)))


@pytest.mark.skipif(not PUBLIC, reason="example-robot-data is not installed")
@pytest.mark.parametrize("path", PUBLIC, ids=lambda p: p.stem)
def test_public_robots_do_in_simulation_what_is_said_of_them(path):
    robot = eq.load(path)
    found = eq.check(robot, friction=0.8)
    tilt = tilt_after_two_seconds(robot, found.stance.lowest, 0.8)
    # soft contacts and feet 1 mm apart in height lean by some tenths of a degree
    assert (tilt < 3.0) == (found.stands == "yes"), (found.stands, tilt)


@pytest.mark.parametrize("limit", [0, 0.0])
def test_no_torque_at_all_is_refused_and_not_taken_for_no_limit(limit):
    with pytest.raises(ConfigError, match="torque-limits must be > 0, got 0"):
        eq.check(eq.load("warp1"), torque_limits=limit)
