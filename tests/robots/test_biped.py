"""The biped: the prototype's parameter table, scaling, posture, files, bad input."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, EquipoiseError, UnknownNameError
from equipoise.robots.biped.biped import BipedSize, biped, set_point
from equipoise.robots.biped.options import BipedOptions
from equipoise.robots.load import load

SIZES = [(1.72, 70.0), (1.5, 45.0), (1.9, 110.0), (0.6, 6.0)]
# name: mass, inertia, joint in the inboard body's frame, joint in its own, axis
TABLE = {
    "left_hip_roll": (0.2, [1e-3] * 3, (0, -0.086, -0.310095), (0, 0, 0), "x"),
    "left_hip_pitch": (0.2, [1e-3] * 3, (0, 0, 0), (0, 0, 0), "y"),
    "left_thigh": (
        6.6, [0.122275, 0.122275, 0.018562], (0, 0, 0), (0, 0, 0.182466), "z",
    ),
    "left_shank": (
        3.055, [0.049883, 0.049883, 0.003819], (0, 0, -0.238934), (0, 0, 0.183211), "y",
    ),
    "left_ankle": (0.2, [1e-3] * 3, (0, 0, -0.239909), (0, 0, 0), "x"),
    "left_foot": (
        1.015, [0.001138, 0.006162, 0.006538], (0, 0, 0), (0.06572, 0, 0.03354), "y",
    ),
}  # fmt: skip
PRINTED = 6e-7  # half of the table's last digit, and a little for its own rounding


def posed(robot, key: str) -> mujoco.MjData:
    data = mujoco.MjData(robot.model)
    mujoco.mj_resetDataKeyframe(robot.model, data, robot.model.key(key).id)
    mujoco.mj_forward(robot.model, data)
    return data


def sole_heights(robot, data) -> np.ndarray:
    """Heights of all corners of both soles, by the geoms' own boxes or spheres."""
    heights = []
    for name in robot.feet:
        geom = robot.model.geom(name).id
        size, R = robot.model.geom_size[geom], data.geom_xmat[geom].reshape(3, 3)
        if robot.model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_SPHERE:
            heights.append(data.geom_xpos[geom, 2] - size[0])
        else:
            for x in (-1, 1):
                for y in (-1, 1):
                    corner = R @ (size * [x, y, -1])
                    heights.append(data.geom_xpos[geom, 2] + corner[2])
    return np.array(heights)


@pytest.mark.parametrize("name", TABLE)
def test_a_leg_is_as_in_the_table(name: str):
    model = biped().model
    mass, inertia, inboard, own, axis = TABLE[name]
    for side, mirror in (("left", 1.0), ("right", -1.0)):
        body = model.body(name.replace("left", side))
        joint = model.body_jntadr[body.id]
        flip = np.array([1.0, mirror, 1.0])
        assert body.mass[0] == pytest.approx(mass, abs=1e-12)
        np.testing.assert_allclose(body.inertia, inertia, atol=PRINTED)
        np.testing.assert_allclose(model.jnt_pos[joint], own, atol=PRINTED)
        place = np.asarray(body.pos) + model.jnt_pos[joint]
        np.testing.assert_allclose(place, flip * inboard, atol=PRINTED)
        assert model.jnt_axis[joint].tolist() == [float(axis == a) for a in "xyz"]


def test_the_trunk_and_the_whole_are_as_in_the_table():
    model = biped().model
    trunk = model.body("trunk")
    assert trunk.mass[0] == pytest.approx(47.46, abs=1e-9)
    np.testing.assert_allclose(
        trunk.inertia, [2.865055, 2.865055, 0.959088], atol=PRINTED
    )
    assert (model.nbody - 1, model.nv, model.nu) == (13, 18, 12)
    data = posed(biped(), "start")
    # printed as (-2.2, 0, 84) cm
    assert data.subtree_com[0] == pytest.approx([-0.022, 0.0, 0.84], abs=5e-3)
    assert data.subtree_com[0, 0] == pytest.approx(-0.022, abs=5e-4)


@pytest.mark.parametrize("feet", ["box", "spheres"])
@pytest.mark.parametrize(("height", "mass"), SIZES)
def test_it_starts_just_above_the_ground_and_is_set_flat_on_it(height, mass, feet):
    robot = load("biped", height=height, body_mass=mass, feet=feet)
    assert robot.model.body_subtreemass[0] == pytest.approx(mass, rel=1e-12)
    start = sole_heights(robot, posed(robot, "start"))
    assert len(start) == 8
    np.testing.assert_allclose(start, 0.0017, atol=1e-7)  # printed angles are rounded
    end = posed(robot, "set")
    np.testing.assert_allclose(sole_heights(robot, end), 0.0, atol=1e-12)
    place, quat = set_point(BipedSize(height=height, body_mass=mass))
    np.testing.assert_allclose(end.xpos[robot.model.body("trunk").id], place)
    np.testing.assert_allclose(end.xquat[robot.model.body("trunk").id], quat)
    assert place == pytest.approx(np.array([-0.01, 0.0, 1.14]) * height / 1.72)


def test_lengths_grow_with_height_and_inertias_with_mass_and_its_square():
    small, tall = (
        biped().model,
        load("biped", height=2 * 1.72 / 1.5, body_mass=140.0).model,
    )
    scale = 2 / 1.5
    np.testing.assert_allclose(tall.body_pos[2:], scale * small.body_pos[2:])
    np.testing.assert_allclose(tall.body_mass[1:], 2.0 * small.body_mass[1:])
    grown = 2.0 * scale**2 * small.body_inertia[1:]
    np.testing.assert_allclose(tall.body_inertia[1:], grown)


def test_the_feet_do_not_move_between_start_and_set():
    robot = biped()
    start, end = posed(robot, "start"), posed(robot, "set")
    for side in ("left_foot", "right_foot"):
        body = robot.model.body(side).id
        np.testing.assert_allclose(start.xpos[body, :2], end.xpos[body, :2], atol=1e-12)


@pytest.mark.parametrize("feet", ["box", "spheres"])
def test_files_keep_the_mass(tmp_path, feet):
    robot = load("biped", height=1.6, body_mass=60.0, feet=feet)
    for name, write in (("b.xml", robot.write_mjcf), ("b.urdf", robot.write_urdf)):
        write(tmp_path / name)
        again = load(tmp_path / name).model
        own = again.body_mass[again.body_mass > 0.0]  # URDF needs bodies without mass
        np.testing.assert_allclose(own, robot.model.body_mass[1:])
        assert again.body_subtreemass[0] == pytest.approx(60.0)


def test_it_loads_by_name_with_its_options():
    robot = load("biped", height=1.6, body_mass=55.0, feet="spheres", torque_limit=90.0)
    assert robot.model.body_subtreemass[0] == pytest.approx(55.0)
    assert len(robot.feet) == 8
    assert robot.model.actuator_ctrlrange[3].tolist() == [-90.0, 90.0]


@pytest.mark.parametrize(
    ("options", "kind", "match"),
    [
        ({"body_mass": -3.0}, ConfigError, "body-mass must be 5 to 300 kg, got -3.0"),
        ({"body_mass": float("nan")}, ConfigError, "body-mass must be .* got nan"),
        ({"height": 3.0}, ConfigError, "height must be 0.5 to 2.5 m, got 3.0"),
        ({"height": "tall"}, ConfigError, "height must be .* got 'tall'"),
        ({"feet": "boxes"}, UnknownNameError, "no foot 'boxes'. Did you mean 'box'"),
        ({"torque_limit": 0.0}, ConfigError, "torque-limit must be > 0 N m, got 0.0"),
        ({"torque_limit": float("nan")}, ConfigError, "torque-limit .* got nan"),
    ],
)
def test_a_body_that_cannot_be_gets_a_sentence(options, kind, match):
    with pytest.raises(kind, match=match):
        biped(BipedOptions(**options))
    with pytest.raises(EquipoiseError):
        load("biped", **options)
