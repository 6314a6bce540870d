"""Robots of many forms: what is a leg, what it stands on, what drives it."""

from pathlib import Path

import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.found.description import Found

HIPS = {"fl": (0.3, 0.2), "fr": (0.3, -0.2), "hl": (-0.3, 0.2), "hr": (-0.3, -0.2)}
FOOT = '<geom type="sphere" size=".03" pos="0 0 -.3" mass=".1"/>'
FREE = '<freejoint name="root"/>'
MOTORS = '<motor joint="{n}_hip" ctrlrange="-30 30"/><motor joint="{n}_knee" gear="3"/>'


def leg(name: str, place: tuple[float, float], foot: str = FOOT, hip: str = "") -> str:
    """Return a leg of two joints, 0.6 m long."""
    joint = hip or f'<joint name="{name}_hip" axis="0 1 0" range="-1.5 1.5"/>'
    return (
        f'<body name="{name}_thigh" pos="{place[0]} {place[1]} 0">{joint}'
        '<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.3" mass=".5"/>'
        f'<body name="{name}_shank" pos="0 0 -.3">'
        f'<joint name="{name}_knee" axis="0 1 0" range="-2.5 -.1"/>'
        '<geom type="capsule" size=".02" fromto="0 0 0 0 0 -.25" mass=".3"/>'
        f"{foot}</body></body>"
    )


def found(
    folder: Path,
    legs: str,
    root: str = FREE,
    trunk: str = "",
    rest: str = "",
    where: str = 'pos="0 0 1"',
) -> Found:
    """Return what is found in an MJCF file."""
    path = folder / "robot.xml"
    trunk = trunk or '<geom type="box" size=".35 .15 .05" mass="10"/>'
    path.write_text(
        '<mujoco model="r"><compiler angle="radian"/><worldbody>'
        f'<body name="trunk" {where}>{root}{trunk}{legs}</body></worldbody>'
        f"{rest}</mujoco>"
    )
    return eq.load(path).found


def four(**options: str) -> str:
    """Return the legs of a quadruped."""
    return "".join(leg(name, place, **options) for name, place in HIPS.items())


def test_a_foot_is_a_ball_with_its_place(tmp_path: Path):
    foot = found(tmp_path, four()).legs[0].foot
    assert (foot.kind, foot.body, foot.radius) == ("ball", "fl_shank", 0.03)
    assert foot.centre == pytest.approx((0.0, 0.0, -0.3), abs=1e-12)


def test_joints_have_kinds_axes_and_places(tmp_path: Path):
    one = found(tmp_path, four()).legs[1]
    assert one.kinds == ("hinge", "hinge")
    assert np.allclose(one.axes, [[0, 1, 0], [0, 1, 0]], atol=1e-12)
    assert one.anchors[0] == pytest.approx((0.3, -0.2, 0.0), abs=1e-12)
    # the knee is at its distance from the hip, whatever the stand is
    assert np.linalg.norm(np.subtract(*one.anchors)) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("shape", "corners"),
    [
        ('<geom type="box" size=".12 .05 .02" pos=".03 0 -.28" mass=".1"/>', 4),
        (
            "".join(
                f'<geom type="sphere" size=".01" pos="{x} {y} -.29" mass=".02"/>'
                for x in (-0.09, 0.15)
                for y in (-0.05, 0.05)
            ),
            4,
        ),
        (
            '<geom type="capsule" size=".02" fromto="-.1 .04 -.28 .14 .04 -.28"/>'
            '<geom type="capsule" size=".02" fromto="-.1 -.04 -.28 .14 -.04 -.28"/>',
            4,
        ),
    ],
)
def test_flat_feet_have_corners(tmp_path: Path, shape: str, corners: int):
    ankle = '<body name="{n}_foot" pos="0 0 0"><joint name="{n}_ankle" axis="0 1 0" '
    ankle += 'pos="0 0 -.25" range="-1 1"/>' + shape + "</body>"
    legs = "".join(
        leg(name, (0.0, y), foot=ankle.replace("{n}", name))
        for name, y in (("left", 0.15), ("right", -0.15))
    )
    trunk = '<geom type="box" size=".1 .15 .2" pos="0 0 .25" mass="10"/>'
    rest = '<keyframe><key name="stand" qpos="0 0 .6 1 0 0 0 0 -.1 .1 0 -.1 .1"/>'
    seen = found(tmp_path, legs, trunk=trunk, rest=rest + "</keyframe>")
    assert [one.name for one in seen.legs] == ["left", "right"]
    for one in seen.legs:
        assert one.foot.kind == "sole"
        assert len(one.foot.corners) == corners
        sides = np.ptp(np.array(one.foot.corners)[:, :2], axis=0)
        # between the outermost points that touch
        assert sides == pytest.approx([0.24, 0.1 if "box" in shape else sides[1]])


def test_arms_that_hang_are_no_legs(tmp_path: Path):
    arms = leg("left", (0.0, 0.3)) + leg("right", (0.0, -0.3))
    trunk = '<geom type="box" size=".1 .2 .3" pos="0 0 -.15" mass="10"/>'
    seen = found(tmp_path, arms, trunk=trunk)
    assert seen.legs == ()
    assert "hangs between its limbs" in seen.why_not


def test_fingers_are_no_legs(tmp_path: Path):
    fingers = "".join(
        f'<body pos="{0.3 * x} {0.2 * y} -.5"><joint axis="0 1 0"/><geom size=".02" '
        f'pos="0 0 -.05" mass=".1"/><body pos="0 0 -.05"><joint axis="0 1 0"/>'
        '<geom size=".02" pos="0 0 -.05" mass=".1"/></body></body>'
        for x in (-1, 1)
        for y in (-1, 1)
    )
    seen = found(tmp_path, fingers)
    assert seen.legs == ()
    assert "begins too close to the ground" in seen.why_not


def test_a_leg_goes_on_past_what_hangs_on_it(tmp_path: Path):
    side = '<body name="{n}_box" pos="0 .05 0"><joint name="{n}_lid" axis="1 0 0"/>'
    side += '<geom size=".02" mass=".1"/></body>'
    legs = "".join(
        leg(name, place, foot=FOOT + side.replace("{n}", name))
        for name, place in HIPS.items()
    )
    seen = found(tmp_path, legs)
    assert [one.joints for one in seen.legs[:1]] == [("fl_hip", "fl_knee")]
    assert seen.held == ("fl_lid", "fr_lid", "hl_lid", "hr_lid")


def test_legs_on_a_waist_are_apart(tmp_path: Path):
    waist = '<body name="hips"><joint name="waist" axis="0 0 1"/>'
    waist += '<geom type="box" size=".3 .15 .04" mass="3"/>' + four() + "</body>"
    seen = found(tmp_path, waist)
    assert len(seen.legs) == 4
    assert seen.held == ("waist",)


@pytest.mark.parametrize(
    ("root", "kind"),
    [
        ('<freejoint name="root"/>', "free"),
        ("", "fixed"),
        (
            '<joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" '
            'axis="0 0 1"/><joint name="turn" axis="0 1 0"/>',
            "planar",
        ),
        ('<joint name="lift" type="slide" axis="0 0 1"/>', "guided"),
    ],
)
def test_how_the_base_moves_is_named(tmp_path: Path, root: str, kind: str):
    rest = "".join(MOTORS.format(n=name) for name in HIPS)
    seen = found(tmp_path, four(), root=root, rest=f"<actuator>{rest}</actuator>")
    assert seen.root == kind
    assert len(seen.legs) == 4


def test_wheels_and_knees_without_end_are_told_apart(tmp_path: Path):
    wheel = '<body name="{n}_wheel" pos="0 0 -.3"><joint name="{n}_axle" axis="0 1 0"/>'
    wheel += (
        '<geom type="cylinder" size=".05 .02" euler="1.5708 0 0" mass=".2"/></body>'
    )
    legs = "".join(
        leg(name, place, foot=wheel.replace("{n}", name))
        for name, place in HIPS.items()
    )
    assert found(tmp_path, legs).wheels == ("fl", "fr", "hl", "hr")
    endless = four().replace('range="-2.5 -.1"', "")
    assert found(tmp_path, endless).wheels == ()


def test_loops_and_joints_that_follow_are_named(tmp_path: Path):
    rest = '<equality><connect body1="fl_shank" body2="fr_shank" anchor="0 0 0"/>'
    rest += '<joint joint1="hl_knee" joint2="hr_knee"/></equality>'
    seen = found(tmp_path, four(), rest=rest)
    assert seen.loops == ("'fl_shank' and 'fr_shank'",)
    assert seen.coupled == ("hl_knee",)


def test_a_quadruped_that_walks_along_y(tmp_path: Path):
    legs = four().replace('axis="0 1 0"', 'axis="1 0 0"').replace("-2.5 -.1", ".1 2.5")
    seen = found(tmp_path, legs)
    assert seen.heading == pytest.approx(np.pi / 2)
    # front is +y and left -x then
    assert [one.name for one in seen.legs] == ["hl", "fl", "hr", "fr"]


def test_a_robot_that_faces_backwards_in_its_file(tmp_path: Path):
    seen = found(tmp_path, four(), where='pos="3 2 1" quat="0 0 0 1"')
    assert [one.name for one in seen.legs] == ["fl", "fr", "hl", "hr"]
    assert seen.qpos[:2] == pytest.approx([0.0, 0.0])
    assert abs(seen.qpos[3]) == pytest.approx(1.0)


def test_a_robot_that_lies_in_its_file_is_put_on_its_feet(tmp_path: Path):
    seen = found(tmp_path, four(), where='pos="0 0 1" euler="1.6 0 0"')
    assert len(seen.legs) == 4
    assert any("the stand is" in line for line in seen.assumed)


def test_legs_of_slides_stand_in_the_middle_of_their_ranges(tmp_path: Path):
    legs = four().replace('axis="0 1 0" range="-2.5 -.1"', "AXIS")
    legs = legs.replace("AXIS", 'type="slide" axis="0 0 1" range="-.1 .1"')
    seen = found(tmp_path, legs)
    assert seen.legs[0].kinds == ("hinge", "slide")
    assert "middle of the legs' ranges" in seen.stand


@pytest.mark.parametrize(
    ("actuator", "torque", "speed"),
    [
        ('<motor joint="fl_hip" ctrlrange="-30 30"/>', 30.0, None),
        ('<motor joint="fl_hip" ctrlrange="-1 1" gear="40"/>', 40.0, None),
        ('<motor joint="fl_hip" gear="3" forcerange="-9 9"/>', 27.0, None),
        ('<position joint="fl_hip" kp="50" forcerange="-20 20"/>', 20.0, None),
        ('<position joint="fl_hip" kp="50" ctrlrange="-1 1"/>', None, None),
        (
            '<velocity joint="fl_hip" kv="5" ctrlrange="-8 8" forcerange="-4 4"/>',
            4.0,
            8.0,
        ),
        ('<general joint="fl_hip" gainprm="7" ctrlrange="-3 3"/>', 21.0, None),
        (
            '<general jointinparent="fl_hip" gainprm="7" ctrlrange="-3 3" gear="2"/>',
            42.0,
            None,
        ),
        ('<motor joint="fl_hip"/>', None, None),
        ('<motor joint="fl_hip" ctrlrange="-900 900"/>', None, None),
    ],
)
def test_actuators_of_every_kind(tmp_path: Path, actuator: str, torque, speed):
    seen = found(tmp_path, four(), rest=f"<actuator>{actuator}</actuator>")
    drive = next(d for d in seen.drives if d.joint == "fl_hip")
    if torque is None:
        assert "torque" in drive.assumed
    else:
        assert drive.torque == pytest.approx(torque)
        assert "torque" not in drive.assumed
    if speed is not None:
        assert drive.speed == pytest.approx(speed)
        assert "speed" not in drive.assumed
    leg_ = next(one for one in seen.legs if one.name == "fl")
    assert leg_.passive == ("fl_knee",)


def test_the_smaller_of_two_limits_counts(tmp_path: Path):
    hip = '<joint name="{n}_hip" axis="0 1 0" actuatorfrcrange="-12 12" armature=".3"/>'
    legs = "".join(
        leg(name, place, hip=hip.replace("{n}", name)) for name, place in HIPS.items()
    )
    rest = '<actuator><motor joint="fl_hip" ctrlrange="-30 30"/></actuator>'
    drive = found(tmp_path, legs, rest=rest).drives[0]
    assert (drive.torque, drive.inertia) == (12.0, 0.3)


def test_a_file_without_actuators_says_so(tmp_path: Path):
    assert any("no actuators" in line for line in found(tmp_path, four()).assumed)


def test_bodies_and_joints_without_names_get_some(tmp_path: Path):
    legs = four().replace('name="fl_shank" ', "").replace('name="fl_knee" ', "")
    seen = found(tmp_path, legs)
    one = seen.legs[0]
    assert one.foot.body.startswith("body") and one.joints[1].startswith("joint")


def test_a_written_robot_keeps_the_place_of_its_meshes(tmp_path: Path):
    """The kind of a shape may be said by its class alone."""
    path = tmp_path / "a.xml"
    path.write_text(
        '<mujoco><default><default class="m"><geom type="mesh"/></default></default>'
        '<asset><mesh name="t" vertex="0 0 0 .1 0 0 0 .2 0 0 0 .3"/></asset>'
        '<worldbody><body name="a"><freejoint/><geom class="m" mesh="t" mass="1" '
        'pos=".1 .2 .3" quat="1 2 3 4"/></body></worldbody></mujoco>'
    )
    robot = eq.load(path)
    robot.write_mjcf(tmp_path / "b.xml")
    again = eq.load(tmp_path / "b.xml")
    assert np.allclose(again.model.geom_pos, robot.model.geom_pos, atol=1e-9)
    assert np.allclose(again.model.geom_quat, robot.model.geom_quat, atol=1e-9)
