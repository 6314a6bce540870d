"""Where a limb stops being a leg, a ball a sole, a turn a wheel: limits by hand.

Each number of ``robots/found`` is tried a little on either side, on robots whose
heights are known exactly.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from oracles.found_robots import LENGTH, PLACES, found, leg


def four(**given) -> dict[str, str]:
    """Return the legs of a quadruped."""
    return {name: leg(name, place, **given) for name, place in PLACES.items()}


def names(seen) -> list[str]:
    return [one.name for one in seen.legs]


# The trunk's middle is at the hips, so the centre of mass is LENGTH above the ground.


@pytest.mark.parametrize(
    ("half", "said"),
    [
        (0.6 * LENGTH - 1e-3, ""),
        (0.6 * LENGTH + 1e-3, "hangs between its limbs"),  # 0.4 of the hips' height
        (0.75 * LENGTH - 1e-3, "hangs between its limbs"),
        (0.75 * LENGTH + 1e-3, "its base is on the ground"),  # a quarter off the ground
    ],
)
def test_how_near_to_the_ground_a_trunk_may_hang(tmp_path: Path, half, said):
    seen = found(tmp_path, four(), half=half)
    assert bool(seen.legs) == (not said)
    assert said in seen.why_not


@pytest.mark.parametrize(("share", "are_legs"), [(0.349, False), (0.351, True)])
def test_how_high_a_leg_begins(tmp_path: Path, share, are_legs):
    """A share of the height of the centre of mass; its feet are where they were."""
    length = share * LENGTH
    seen = found(tmp_path, four(length=length, hip_z=length - LENGTH))
    assert bool(seen.legs) is are_legs
    if not are_legs:
        assert "'fl' begins too close to the ground to be a leg" in seen.why_not


@pytest.mark.parametrize(("share", "are_legs"), [(0.499, True), (0.501, False)])
@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_how_far_the_centre_of_mass_may_be_beside_the_feet(
    tmp_path: Path, share, are_legs, way
):
    edge = (0.3, 0.2)
    x, y = (w * (e + share * LENGTH) for w, e in zip(way, edge, strict=True))
    seen = found(tmp_path, four(), at=(x, y, 0.0))
    assert bool(seen.legs) is are_legs
    if not are_legs:
        assert "centre of mass is 0.30 m outside the parts that reach" in seen.why_not


def test_a_centre_of_mass_past_a_corner_is_measured_to_it(tmp_path: Path):
    """3, 4 and 5: 0.18 and 0.24 m past a corner are 0.3 m."""
    for factor, are_legs in ((0.99, True), (1.01, False)):
        x, y = 0.3 + 0.18 * factor, 0.2 + 0.24 * factor
        assert bool(found(tmp_path, four(), at=(x, y, 0.0)).legs) is are_legs


def test_two_legs_are_measured_from_the_line_between_them(tmp_path: Path):
    two = {name: leg(name, (0.0, y)) for name, y in (("left", 0.2), ("right", -0.2))}
    for x, are_legs in ((0.299, True), (-0.299, True), (0.301, False), (-0.301, False)):
        assert bool(found(tmp_path, two, at=(x, 0.1, 0.0)).legs) is are_legs
    assert found(tmp_path, two, at=(0.0, 0.499, 0.0)).legs
    assert not found(tmp_path, two, at=(0.0, 0.501, 0.0)).legs


@pytest.mark.parametrize(("share", "count"), [(0.149, 4), (0.151, 3)])
def test_how_high_a_foot_may_be_that_reaches_the_ground(tmp_path, share, count):
    legs = four() | {"hr": leg("hr", PLACES["hr"], length=(1.0 - share) * LENGTH)}
    assert len(found(tmp_path, legs).legs) == count


@pytest.mark.parametrize("count", [0, 1])
def test_one_limb_is_no_pair(tmp_path: Path, count):
    high = {n: leg(n, p, length=0.3) for n, p in PLACES.items()}
    # what is lowest is the rod in the middle of the trunk
    rod = '<body><geom type="capsule" size=".01" fromto="0 0 0 0 0 -.59" mass="1e-9"/>'
    rod = rod.replace("<body>", '<body name="rod"><joint name="rod"/>') + "</body>"
    legs = high | {"rod": rod}
    if count:
        legs |= {"fl": leg("fl", PLACES["fl"])}
    seen = found(tmp_path, legs)
    assert not seen.legs
    wanted = "has one joint" if count else "only 'rod' reaches the ground below"
    assert wanted in seen.why_not


@pytest.mark.parametrize(("height", "said"), [(0.349, ""), (0.351, "one joint")])
def test_toes_branch_off_low_and_limbs_high(tmp_path: Path, height, said):
    """Two parts with a joint each at the end of a leg, both of which touch."""
    length = LENGTH * (1.0 - height)
    toes = "".join(
        f'<body name="NAME_toe{k}" pos="0 {y} {-0.5 * length}">'
        f'<joint name="NAME_toe{k}"/>'
        f'<geom size=".02" pos="0 0 {0.02 - height * LENGTH}" mass="1e-9"/></body>'
        for k, y in enumerate((-0.02, 0.02))
    )
    legs = {
        name: leg(name, place, length=length, foot=toes.replace("NAME", name))
        for name, place in PLACES.items()
    }
    seen = found(tmp_path, legs)
    if said:
        assert said in seen.why_not
    else:
        assert seen.legs[0].joints == ("fl_hip", "fl_knee")
        assert "fl_toe0" in seen.held


# --- what it stands on ----------------------------------------------------------------


def box(x: float, y: float = 0.02, z: float = 0.01) -> str:
    """Return a box at the end of a shank, by its half sides."""
    place = f"0 0 {z - 0.5 * LENGTH}"
    return f'<geom type="box" size="{x} {y} {z}" pos="{place}" mass="1e-9"/>'


@pytest.mark.parametrize(("share", "kind"), [(0.149, "ball"), (0.151, "sole")])
@pytest.mark.parametrize("is_across", [False, True])
def test_how_long_a_sole_is(tmp_path: Path, share, kind, is_across):
    half = 0.5 * share * LENGTH
    sides = (0.02, half) if is_across else (half, 0.02)
    foot = found(tmp_path, four(foot=box(*sides))).legs[0].foot
    assert foot.kind == kind
    assert foot.size == pytest.approx((2.0 * sides[0], 2.0 * sides[1]), rel=1e-9)
    if kind == "sole":
        assert foot.radius == 0.0
        # the middle of its underside
        assert foot.centre == pytest.approx((0.0, 0.0, -0.5 * LENGTH), abs=1e-9)
        corners = {tuple(np.sign(np.round(c[:2], 9))) for c in foot.corners}
        assert corners == {(1, 1), (1, -1), (-1, 1), (-1, -1)}
    else:  # as thick as it is thin, with its lowest point where it was
        assert foot.radius == pytest.approx(0.01, rel=1e-9)
        assert foot.centre == pytest.approx((0, 0, 0.01 - 0.5 * LENGTH), abs=1e-9)


@pytest.mark.parametrize(("share", "count"), [(0.0099, 2), (0.0101, 1)])
def test_shapes_that_are_as_low_as_the_lowest_are_feet_too(tmp_path, share, count):
    """Two balls side by side, one higher by a share of the base's height."""
    foot = (
        f'<geom name="NAME_a" size=".01" pos="0 0 {0.01 - 0.5 * LENGTH}" mass="1e-9"/>'
        f'<geom name="NAME_b" size=".01" pos=".03 0'
        f' {0.01 - 0.5 * LENGTH + share * LENGTH}" mass="1e-9"/>'
    )
    legs = {n: leg(n, p, foot=foot.replace("NAME", n)) for n, p in PLACES.items()}
    seen = found(tmp_path, legs).legs[0].foot
    assert seen.shapes == ("fl_a", "fl_b")[:count]
    assert seen.kind == "ball" and seen.radius == pytest.approx(0.01)
    # one ball alone is as wide as it is; of two, their lowest points count
    wanted = (0.02, 0.02) if count == 1 else (0.03, 0.0)
    assert seen.size == pytest.approx(wanted, abs=1e-9)


def test_a_capsule_is_as_round_as_its_end(tmp_path: Path):
    end = f"0 0 {0.03 - 0.5 * LENGTH}"
    foot = f'<geom type="capsule" size=".03" fromto="0 0 0 {end}" mass="1e-9"/>'
    seen = found(tmp_path, four(foot=foot)).legs[0].foot
    assert (seen.kind, seen.size) == ("ball", (0.06, 0.06))
    assert seen.centre == pytest.approx((0.0, 0.0, 0.03 - 0.5 * LENGTH), abs=1e-9)


# --- wheels, headings, order ----------------------------------------------------------


def wheeled(foot: str, axle: str) -> dict[str, str]:
    """Return legs at whose ends something turns."""
    end = (
        f'<body name="NAME_wheel" pos="0 0 {0.1 - 0.5 * LENGTH}">'
        f'<joint name="NAME_axle" {axle}/>{foot}</body>'
    )
    return {n: leg(n, p, foot=end.replace("NAME", n)) for n, p in PLACES.items()}


ROUND = '<geom size=".1" mass="1e-9"/>'


@pytest.mark.parametrize(
    ("axle", "is_wheel"),
    [
        ('axis="0 1 0"', True),
        ('axis="1 0 0"', True),
        ('axis="0 .871 .49"', True),  # not too far from level
        ('axis="0 .860 .51"', False),
        ('axis="0 1 0" range="-6.28 6.28"', False),  # less than two turns in all
        ('axis="0 1 0" range="-6.29 6.29"', True),
        ('axis="0 1 0" range="-2.5 12"', True),
        ('type="slide" axis="0 1 0"', False),
    ],
)
def test_which_joints_turn_a_wheel(tmp_path: Path, axle, is_wheel):
    seen = found(tmp_path, wheeled(ROUND, axle))
    assert len(seen.legs) == 4
    assert set(seen.wheels) == (set(PLACES) if is_wheel else set())


@pytest.mark.parametrize(("share", "is_wheel"), [(0.98, True), (1.02, False)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_how_round_a_wheel_is(tmp_path: Path, share, is_wheel, sign):
    """A ball whose middle is off the axle: turned over it is twice as much off.

    Below by e its radius counts as r + e, and its lowest point moves by nearly 2 e.
    """
    radius = 0.1
    off = share * 0.1 * radius / (1.0 + math.cos(3.2 - math.pi) - 0.1)
    place = f"0 0 {-off}"
    if sign < 0.0:
        off = share * 0.1 * radius / (1.0 + math.cos(3.2 - math.pi) + 0.1)
        place = f"0 0 {off}"
    foot = f'<geom size="{radius}" pos="{place}" mass="1e-9"/>'
    seen = found(tmp_path, wheeled(foot, 'axis="0 1 0"'))
    assert bool(seen.wheels) is is_wheel


@pytest.mark.parametrize(
    ("x", "y", "heading"),
    [(1.98, 1.0, 0.0), (2.02, 1.0, math.pi / 2), (-2.02, 1.0, math.pi / 2), (0, 1, 0)],
)
def test_knees_that_turn_about_x_walk_along_y(tmp_path: Path, x, y, heading):
    assert found(tmp_path, four(axis=f"{x} {y} 0")).heading == pytest.approx(heading)


@pytest.mark.parametrize(
    ("front", "off", "first"),
    [
        # a quarter of the way between the rows, and half of it to round
        (0.3, 0.074, "fl"),
        (0.3, 0.076, "fr"),
        # a tenth of the height of the centre of mass at least: 0.06 m
        (0.1, 0.009, "fl"),
        (0.1, 0.011, "fr"),
    ],
)
def test_left_is_before_right_in_one_row(tmp_path: Path, front, off, first):
    """Where the left leg is farther behind, it is in a row of its own."""
    places = {
        "fr": (front, -0.2),
        "fl": (front - off, 0.2),
        "hl": (-front, 0.2),
        "hr": (-front, -0.2),
    }
    legs = {name: leg(name, place) for name, place in places.items()}
    second = {"fl": "fr", "fr": "fl"}[first]
    assert names(found(tmp_path, legs)) == [first, second, "hl", "hr"]


# --- drives ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("torque", "is_known"), [(1e-3, True), (499.9, True), (500.0, False), (0.0, False)]
)
def test_torques_that_are_place_holders(tmp_path: Path, torque, is_known):
    motor = (
        f'<motor joint="fl_hip" forcelimited="true" forcerange="-{torque} {torque}"/>'
    )
    if torque == 0.0:
        motor = '<motor joint="fl_hip"/>'
    seen = found(tmp_path, four(), rest=f"<actuator>{motor}</actuator>")
    drive = next(d for d in seen.drives if d.joint == "fl_hip")
    assert ("torque" not in drive.assumed) is is_known
    if is_known:
        assert drive.torque == torque


@pytest.mark.parametrize(("speed", "is_known"), [(99.9, True), (100.0, False)])
@pytest.mark.parametrize("gear", [1.0, -2.0])
def test_speeds_that_are_place_holders(tmp_path: Path, speed, is_known, gear):
    told = speed * abs(gear)
    servo = f'<velocity joint="fl_hip" kv="3" ctrlrange="-{told} 1" gear="{gear}"/>'
    seen = found(tmp_path, four(), rest=f"<actuator>{servo}</actuator>")
    drive = next(d for d in seen.drives if d.joint == "fl_hip")
    assert ("speed" not in drive.assumed) is is_known
    if is_known:
        assert drive.speed == pytest.approx(speed)


@pytest.mark.parametrize(
    "servo",
    [
        # of another gain than its bias, with a bias of the angle, and without a range
        'gainprm="3" biastype="affine" biasprm="0 0 -2" ctrlrange="-8 8"',
        'gainprm="3" biastype="affine" biasprm="0 -3 -3" ctrlrange="-8 8"',
        'gainprm="3" biastype="affine" biasprm="0 0 -3"',
        'gainprm="3" ctrlrange="-8 8"',
    ],
)
def test_actuators_that_hold_no_speed_say_none(tmp_path: Path, servo):
    rest = f'<actuator><general joint="fl_hip" {servo}/></actuator>'
    drive = found(tmp_path, four(), rest=rest).drives[0]
    assert (drive.joint, "speed" in drive.assumed) == ("fl_hip", True)


def test_a_foot_bears_a_quarter_of_the_trunk(tmp_path: Path):
    """Knees bent by a quarter turn: each holds its load by the shank's length."""
    turns = " ".join(["-0.5 1"] * 4)
    seen = found(tmp_path, four(), stand=turns)
    foot = 0.3 * (math.sin(-0.5) + math.sin(0.5))  # from the hip, along -x
    knee = 0.3 * math.sin(-0.5)
    load = 0.25 * 10.0 * 9.81
    for drive in seen.drives:
        lever = abs(foot) if "hip" in drive.joint else abs(foot - knee)
        # three times what is held; half of the largest at least
        wanted = 3.0 * load * max(lever, 0.5 * abs(foot - knee))
        # 2 cm of the ball, which rolls: the force goes through its lowest point
        assert drive.torque == pytest.approx(wanted, abs=3.0 * load * 0.02)
