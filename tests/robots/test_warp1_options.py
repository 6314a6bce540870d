"""WARP1 as it can be built: knees, places and number of legs, joints, payload."""

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.legs import leg_geometry

EPS = np.finfo(float).eps


def at_start(robot):
    data = mujoco.MjData(robot.model)
    mujoco.mj_resetDataKeyframe(robot.model, data, 0)
    mujoco.mj_forward(robot.model, data)
    return data


def mass_matrix(robot, angles):
    """Of the machine with these joint angles, (nv, nv)."""
    model, data = robot.model, mujoco.MjData(robot.model)
    for name, angle in angles.items():
        data.qpos[model.joint(name).qposadr[0]] = angle
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    return full


@pytest.mark.parametrize(
    "options",
    [
        {"knees": "inwards"},
        {"knees": "backward", "height": 0.37},
        {"leg_spacing": 0.16, "half_width": 0.1},
        {"legs": 2},
        {"legs": 6, "knees": "outwards", "height": 0.61},
        {"legs": 8, "leg_joints": 4},
        {"leg_joints": 4, "height": 0.40, "knees": "backward"},
        {"leg_joints": 2, "payload": 50.0},
        {"leg_joints": 1},
    ],
    ids=str,
)
def test_every_variant_stands_with_its_feet_under_its_hips_within_its_stops(options):
    robot = eq.load("warp1", **options)
    model, data = robot.model, at_start(robot)
    legs, joints = options.get("legs", 4), options.get("leg_joints", 3)
    assert (model.nu, model.nv) == (legs * joints, 6 + legs * joints)
    assert len(robot.drives) == model.nu
    for leg, foot in zip(robot.legs, robot.feet, strict=True):
        hip, pad = data.body(leg).xpos, data.geom(foot).xpos
        # some ten roundings of lengths below a metre
        np.testing.assert_allclose(pad[:2], hip[:2], atol=16 * EPS)
        assert pad[2] == pytest.approx(0.025, abs=16 * EPS)
        height = 0.615 if joints == 1 else options.get("height", 0.50)
        assert hip[2] == pytest.approx(height, abs=16 * EPS)
    angles, reach = data.qpos[7:], model.jnt_range[1:]
    assert np.all((reach[:, 0] <= angles) & (angles <= reach[:, 1]))


def test_hips_are_where_the_options_say():
    robot = eq.load("warp1", legs=6, leg_spacing=0.6, half_width=0.2)
    assert robot.legs[::2] == ("front_left_thigh", "middle_left_thigh",
        "rear_left_thigh")  # fmt: skip
    wanted = [(x, y, -0.14) for x in (0.28, -0.02, -0.32) for y in (0.2, -0.2)]
    hips = [robot.model.body(leg).pos for leg in robot.legs]
    np.testing.assert_allclose(hips, wanted, atol=1e-15)


@pytest.mark.parametrize(
    ("knees", "bend"),
    [
        ("forward", [-1, -1, -1, -1]),
        ("backward", [1, 1, 1, 1]),
        ("inwards", [1, 1, -1, -1]),
        ("outwards", [-1, -1, 1, 1]),
    ],
)
def test_kneecaps_point_where_they_shall(knees, bend):
    robot = eq.load("warp1", knees=knees)
    data, model = at_start(robot), robot.model
    caps = [data.body(f"{leg[:-6]}_shank").xpos[0] for leg in robot.legs]
    hips = [data.body(leg).xpos[0] for leg in robot.legs]
    assert np.all(np.sign(np.subtract(caps, hips)) == -np.array(bend))
    g = leg_geometry(robot)
    np.testing.assert_array_equal(g.bend, bend)
    stop = np.deg2rad([-45.0, 80.0])
    for k, leg in enumerate(robot.legs):
        reach = model.joint(f"{leg[:-6]}_hip_pitch").range
        np.testing.assert_allclose(reach, stop if bend[k] < 0 else -stop[::-1])


def test_legs_of_fewer_or_more_joints_are_the_same_bodies():
    """With the joints that one lacks held, both have one mass matrix."""
    full = eq.load("warp1")
    pose = {f"{leg}_hip_pitch": 0.3 + 0.1 * k for k, leg in enumerate(names(full))}
    bent = pose | {f"{leg}_knee": -0.8 + 0.1 * k for k, leg in enumerate(names(full))}
    for joints, angles in ((1, pose), (2, bent), (4, bent)):
        other = eq.load("warp1", leg_joints=joints)
        mine, theirs = mass_matrix(full, angles), mass_matrix(other, angles)
        shared = [n for n in joint_names(full) if n in joint_names(other)]
        pick = [[*range(6), *dofs(robot, shared)] for robot in (full, other)]
        # entries up to 60 kg after some hundred roundings
        np.testing.assert_allclose(
            mine[np.ix_(pick[0], pick[0])],
            theirs[np.ix_(pick[1], pick[1])],
            atol=100 * 60 * EPS,
        )
        assert len(shared) == 4 * min(joints, 3)


def names(robot):
    return [leg.removesuffix("_thigh") for leg in robot.legs]


def joint_names(robot):
    return [robot.model.joint(j).name for j in range(1, robot.model.njnt)]


def dofs(robot, joints):
    return [robot.model.joint(name).dofadr[0] for name in joints]


def test_a_payload_rides_on_the_trunk():
    plain, loaded = eq.load("warp1"), eq.load("warp1", payload=50.0)
    a, b = mass_matrix(plain, {}), mass_matrix(loaded, {})
    # a box of 0.4 x 0.3 x 0.06 m, 0.12 m above: m (b² + c²) / 12 + m z², and so on
    box = 50.0 / 12.0 * np.array([0.3**2 + 0.06**2, 0.4**2 + 0.06**2, 0.4**2 + 0.3**2])
    box[:2] += 50.0 * 0.12**2
    np.testing.assert_allclose(np.diag(b - a)[:6], [50.0] * 3 + list(box), rtol=1e-12)
    np.testing.assert_allclose((b - a)[6:], 0.0, atol=1e-13)
    g = leg_geometry(loaded)
    assert g.mass == pytest.approx(110.4, rel=1e-12)
    trunk, centre = g.trunk[0], [0, 0, 50.0 * 0.12 / 87.6]
    assert trunk.mass == pytest.approx(87.6, rel=1e-12)
    np.testing.assert_allclose(trunk.centre, centre, rtol=1e-12, atol=1e-15)


def test_bad_values_are_told_together():
    with pytest.raises(ConfigError) as caught:
        eq.load("warp1", knees="up", payload=-1, legs=5, leg_joints=0, leg_spacing=0.7)
    assert str(caught.value) == (
        "'warp1' is not usable: knees must be one of forward, inwards, outwards, "
        "backward, got 'up'; leg-spacing must be 0.16 to 0.65 m, got 0.7; payload must "
        "be 0 to 100 kg, got -1; legs must be 2, 4, 6 or 8, got 5; "
        "leg-joints must be 1 to 4 a leg, got 0."
    )
    with pytest.raises(ConfigError, match="height belongs to legs of two joints"):
        eq.load("warp1", leg_joints=1, height=0.45)
    with pytest.raises(ConfigError, match=r"height must be 0.4 to 0.61 m, got 0.38"):
        eq.load("warp1", leg_joints=4, height=0.38)
    with pytest.raises(UnknownNameError, match="Did you mean 'knees'"):
        eq.load("warp1", knee="forward")
