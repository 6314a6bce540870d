"""Robot files as walking machines."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from tests.oracles.robot_files import example_urdfs
from tests.oracles.servo_quadruped import servo_quadruped
from tests.oracles.stick_quadruped import RADIUS, stick_quadruped

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.robots.legged import legged_robot
from equipoise.robots.legs import centre_of_mass, leg_geometry, place_foot
from equipoise.robots.robot import Robot

QUADRUPEDS = (
    "a1", "go1", "go2", "b1", "b1-z1", "laikago", "anymal", "anymal-kinova", "solo12",
    "hyq_no_sensors",
)  # fmt: skip
FILES = [path for path in example_urdfs() if path.stem in QUADRUPEDS]


@pytest.fixture
def sticks(tmp_path: Path) -> Robot:
    """A URDF of sticks whose numbers are known by hand."""
    path = tmp_path / "sticks.urdf"
    path.write_text(stick_quadruped())
    return eq.load(path)


@pytest.fixture
def servos(tmp_path: Path) -> Robot:
    """An MJCF with servos, a neck and its own floor."""
    path = tmp_path / "servos.xml"
    path.write_text(servo_quadruped())
    return eq.load(path)


def test_legs_come_in_order_with_motors_and_balls(sticks):
    machine = legged_robot(sticks)
    assert machine.feet == ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
    model = machine.model
    assert [model.actuator(a).name for a in range(model.nu)] == [
        f"{leg}_{joint}"
        for leg in ("FL", "FR", "RL", "RR")
        for joint in ("hip", "knee")
    ]
    assert [drive.torque for drive in machine.drives] == pytest.approx([40.0] * 8)
    assert [drive.speed for drive in machine.drives] == pytest.approx([12.0] * 8)
    assert model.geom("FL_foot").size[0] == RADIUS
    assert model.body_subtreemass[1] == pytest.approx(sticks.model.body_subtreemass[1])


def test_it_stands_on_level_ground_on_all_feet(sticks):
    machine = legged_robot(sticks)
    model, data = machine.model, mujoco.MjData(machine.model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    mujoco.mj_forward(model, data)
    for foot in machine.feet:
        assert data.geom(foot).xpos[2] == pytest.approx(RADIUS, abs=1e-6)


def test_servos_and_floor_are_left_out_and_the_neck_is_held(servos):
    machine = legged_robot(servos)
    model = machine.model
    assert model.nu == 12
    assert model.actuator_biastype.tolist() == [int(mujoco.mjtBias.mjBIAS_NONE)] * 12
    assert (model.dof_armature == 0.0).all()  # it is the drives'
    assert [drive.inertia for drive in machine.drives] == pytest.approx([0.02] * 12)
    assert [drive.torque for drive in machine.drives] == pytest.approx([30.0] * 12)
    assert not model.body_geomnum[0]
    assert "neck" not in machine.joint_names
    data, theirs = mujoco.MjData(model), mujoco.MjData(servos.model)
    mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    theirs.qpos[:] = servos.model.key("home").qpos
    mujoco.mj_forward(model, data)
    mujoco.mj_forward(servos.model, theirs)
    shift = data.xpos[1] - theirs.xpos[1]
    np.testing.assert_allclose(
        data.body("mast").xquat, theirs.body("mast").xquat, atol=1e-12
    )
    np.testing.assert_allclose(
        data.subtree_com[1] - shift, theirs.subtree_com[1], atol=1e-12
    )


def test_only_feet_of_the_last_links_touch(servos):
    model = legged_robot(servos).model
    for n in ("FL", "RR"):
        shank = model.body(f"{n}_shank")
        solid = [
            g
            for g in range(model.ngeom)
            if model.geom_bodyid[g] == shank.id and model.geom_contype[g]
        ]
        assert [model.geom(g).name for g in solid] == [f"{n}_foot"]


def test_a_machine_stays_what_it_is():
    robot = eq.load("warp1")
    assert legged_robot(robot) is robot


def test_no_legs_and_a_fixed_base_are_refused(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(
        '<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0"/>'
        '<geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>'
    )
    with pytest.raises(ConfigError, match=r"no legs were found.*base must be free"):
        legged_robot(eq.load(path))


@pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parts[-3]}-{p.stem}")
def test_public_legs_are_where_the_engine_has_them(path):
    machine = legged_robot(eq.load(path))
    g, model = leg_geometry(machine), machine.model
    data, rng = mujoco.MjData(model), np.random.default_rng(7)
    joints = model.actuator_trnid[:, 0]
    q = g.stand + rng.uniform(-0.3, 0.3, len(joints))
    data.qpos[model.jnt_qposadr[joints]] = q
    data.qpos[:7] = 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    mujoco.mj_forward(model, data)
    base, nj = model.body(machine.base).id, g.joints
    for k, foot in enumerate(machine.feet):
        own = slice(nj * k, nj * (k + 1))
        place, J = np.zeros(3), np.zeros((3, nj))
        place_foot(g.legs[k], q[own].copy(), np.zeros(nj), place, J, np.zeros(3))
        theirs = data.geom(foot).xpos - data.xpos[base]
        np.testing.assert_allclose(g.hips[k] + place, theirs, rtol=0.0, atol=1e-12)
        full = np.zeros((3, model.nv))
        mujoco.mj_jacGeom(model, data, full, None, model.geom(foot).id)
        columns = full[:, model.jnt_dofadr[joints[own]]]
        np.testing.assert_allclose(J, columns, rtol=0.0, atol=1e-12)
    centre = np.zeros(3)
    centre_of_mass(q, g.legs, g.trunk, centre)
    np.testing.assert_allclose(
        centre, data.subtree_com[base] - data.xpos[base], rtol=0.0, atol=1e-12
    )
