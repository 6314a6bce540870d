"""A walking machine on its terrain: where it starts, what carries it, how it falls."""

import math

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.sim.ground import FootBall
from equipoise.sim.machine.world import machine_world
from equipoise.sim.terrain import ball_depth

pytestmark = pytest.mark.sim

RADIUS, WEIGHT = 0.025, 60.4 * 9.81  # table 6.5
EPS = np.finfo(float).eps


@pytest.fixture(scope="module")
def robot():
    return eq.load("warp1")


def depths(world, data):
    """Of each foot in the ground, (nl,) [m]."""
    s, normal = world.surface, np.zeros(3)
    places = data.geom_xpos[world.feet]
    return np.array([ball_depth(s, p, RADIUS, normal) for p in places])


def run(world, steps, hold=True):
    """Hold the joints or let them go; return the data and the feet's forces."""
    data, model = world.start(), world.model
    wanted = data.qpos[world.q_address].copy()
    feet = FootBall.zeros(len(world.feet))
    press = None if world.ground is None else world.ground.bound(data, feet)
    for _ in range(steps):
        mujoco.mj_step1(model, data)
        if press is not None:
            press()
        if hold:
            error = wanted - data.qpos[world.q_address]
            torque = 8000.0 * error - 600.0 * data.qvel[world.v_address]
            data.qfrc_applied[world.v_address] = torque
        mujoco.mj_step2(model, data)
    mujoco.mj_forward(model, data)
    return data, feet["force"]


def foot_load(world, data):
    """Sum of the engine's forces on the feet, (3,) [N]."""
    total, force = np.zeros(3), np.zeros(6)
    for c in range(data.ncon):
        contact = data.contact[c]
        if set(contact.geom) & set(world.feet):
            mujoco.mj_contactForce(world.model, data, c, force)
            sign = 1.0 if contact.geom[1] in world.feet else -1.0
            total += sign * contact.frame.reshape(3, 3).T @ force[:3]
    return total


@pytest.mark.parametrize("terrain", ["flat", "slope:20", "slope:-35", "blocks:4"])
@pytest.mark.parametrize("ground", ["mujoco", "weak"])
def test_it_starts_at_rest_with_all_feet_on_the_ground(robot, terrain, ground):
    world = machine_world(robot, terrain, ground=ground)
    data = world.start()
    assert not data.qvel.any()
    # places of some 0.6 m after some ten roundings each
    np.testing.assert_allclose(depths(world, data), 0.0, atol=64 * EPS)
    own = robot.model.key("start").qpos
    np.testing.assert_array_equal(data.qpos[7:], own[7:])


@pytest.mark.parametrize("percent", [20.0, -20.0])
def test_on_a_slope_it_stands_parallel_and_looks_uphill(robot, percent):
    world = machine_world(robot, f"slope:{percent:g}")
    data = world.start()
    along = data.xmat[world.base].reshape(3, 3)[:, 0]
    assert along[2] / along[0] == pytest.approx(percent / 100.0, rel=1e-12)
    assert along[1] == 0.0
    front, rear = data.geom("front_left_foot").xpos, data.geom("rear_left_foot").xpos
    assert np.sign(front[2] - rear[2]) == np.sign(percent)
    data, _ = run(world, 1500)
    assert depths(world, data).min() > 0.0
    # friction holds what slides down, and the normals the rest; 0.5 N is 0.1 %
    np.testing.assert_allclose(foot_load(world, data), [0, 0, WEIGHT], atol=0.6)


@pytest.mark.parametrize("ground", ["mujoco", "heavy"])
@pytest.mark.parametrize("stiffness", [3000.0, 20e3])
def test_on_soft_ground_it_sinks_by_its_weight_over_four_springs(
    robot, ground, stiffness
):
    world = machine_world(robot, f"soft:{stiffness:g}", ground=ground)
    # four equal springs: the mean depth is m g / 4 K, wherever the middle of the mass
    data, forces = run(world, 3000)
    assert depths(world, data).mean() == pytest.approx(
        WEIGHT / (4 * stiffness), rel=5e-3
    )
    load = foot_load(world, data) if ground == "mujoco" else forces.sum(axis=0)
    assert load[2] == pytest.approx(WEIGHT, rel=1e-2)
    # it was put there, so the first step does not throw it up
    start = world.start()
    assert depths(world, start).mean() == pytest.approx(WEIGHT / (4 * stiffness))


def test_feet_that_stick_on_soft_ground_hardly_creep(robot):
    """Closed form: F / (nl C impratio), with C critical for a quarter of the mass."""
    world = machine_world(robot, "soft:20000")
    data, model = world.start(), world.model
    wanted, before = data.qpos[world.q_address].copy(), np.zeros((4, 3))
    data.xfrc_applied[world.base, 1] = 100.0
    for step in range(3000):
        error = wanted - data.qpos[world.q_address]
        torque = 8000.0 * error - 600.0 * data.qvel[world.v_address]
        data.qfrc_applied[world.v_address] = torque
        mujoco.mj_step(model, data)
        if step == 2000:
            before[:] = data.geom_xpos[world.feet]
    creep = (data.geom_xpos[world.feet] - before)[:, 1].mean() / 0.999
    damping = 2.0 * math.sqrt(20e3 * 60.4 / 4)
    # the machine still rocks a little on its springs: 10 %
    assert creep == pytest.approx(25.0 / (damping * 100.0), rel=0.1)


def test_the_thesis_ground_sinks_by_its_own_stiffness(robot):
    data, forces = run(world := machine_world(robot, ground="heavy"), 3000)
    assert depths(world, data).mean() == pytest.approx(WEIGHT / 4 / 50e3, rel=1e-2)
    assert not {g for c in data.contact for g in c.geom} & set(world.feet)
    assert forces[:, 2].sum() == pytest.approx(WEIGHT, rel=1e-2)


@pytest.mark.parametrize("ground", ["mujoco", "weak"])
def test_without_torques_it_comes_down_on_trunk_or_knees(robot, ground):
    world = machine_world(robot, ground=ground)
    data, _ = run(world, 2000, hold=False)
    touching = {world.model.geom(g).name for c in data.contact for g in c.geom}
    assert touching - {"ground", *robot.feet}
    # the trunk's box is 0.18 m high; contacts give way by millimetres
    assert 0.08 < data.qpos[2] < 0.4
    assert np.isfinite(data.qpos).all()


def test_drives_weigh_in_the_joints_only_where_they_are_rigid(robot):
    rigid, loose = (machine_world(robot, rigid_drives=r).model for r in (True, False))
    np.testing.assert_array_equal(rigid.dof_armature[6:], [1.0, 2.7, 2.7] * 4)
    assert not loose.dof_armature.any()
    assert not robot.model.dof_armature.any()


def test_addresses_are_those_of_the_motors_joints(robot):
    world = machine_world(robot)
    names = [world.model.actuator(a).name for a in range(12)]
    assert names == [world.model.joint(j).name for j in world.joints]
    np.testing.assert_array_equal(world.q_address, np.arange(7, 19))
    np.testing.assert_array_equal(world.v_address, np.arange(6, 18))
    assert [world.model.geom(g).name for g in world.feet] == list(robot.feet)


def test_noise_is_the_seeds_and_leaves_the_lowest_foot_on_the_ground(robot):
    noisy = [
        machine_world(robot, "slope:10", joint_noise=0.0175, seed=s) for s in (1, 1, 2)
    ]
    first, same, other = (world.start_pose for world in noisy)
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other)
    found = depths(noisy[0], noisy[0].start())
    assert found.max() == pytest.approx(0.0, abs=64 * EPS)
    assert found.min() < -1e-4
    off = np.array(
        [
            machine_world(robot, joint_noise=0.0175, seed=s).start_pose[7:]
            for s in range(20)
        ]
    )
    # 240 draws of a normal distribution: its deviation within 5 / sqrt(480)
    spread = (off - robot.model.key("start").qpos[7:]).std()
    assert spread == pytest.approx(0.0175, rel=5 / math.sqrt(480))


def test_tiles_of_the_engine_are_those_of_the_surface(robot):
    world = machine_world(robot, "blocks:6", seed=4)
    data, origin = world.start(), np.zeros(3)
    hit = np.zeros(1, np.int32)
    down, group = np.array([0.0, 0.0, -1.0]), np.ones(6, np.uint8)
    for x, y in np.random.default_rng(0).uniform([1, -2], [14, 2], (50, 2)):
        origin[:] = x, y, 2.0
        far = mujoco.mj_ray(world.model, data, origin, down, group, 1, -1, hit, None)
        assert 2.0 - far == pytest.approx(world.surface.height(x, y), abs=1e-12)


def test_euler_and_the_implicit_step_agree(robot):
    """Both are the same where no force depends on speed: so the quicker one is used."""
    ends = []
    for kind in ("EULER", "IMPLICITFAST"):
        world = machine_world(robot, joint_noise=0.02)
        world.model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{kind}")
        ends.append(run(world, 300)[0].qpos)
    # solver: contacts are solved to 1e-8 a step
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-6)


def test_variants_stand_too():
    for options in ({"legs": 6, "leg_joints": 4}, {"leg_joints": 1}, {"payload": 50.0}):
        world = machine_world(eq.load("warp1", **options))
        data, _ = run(world, 500)
        mass = float(world.model.body_subtreemass[world.base])
        assert foot_load(world, data)[2] == pytest.approx(mass * 9.81, rel=0.02)


def test_bad_input_gets_one_sentence(robot):
    with pytest.raises(ConfigError) as caught:
        machine_world(robot, friction=-1, ground="mud", joint_noise=1.0, seed=-1)
    assert str(caught.value) == (
        "MachineWorldConfig is not usable: friction must be 0 to 10, got -1; "
        "ground must be one of mujoco, weak, heavy, got 'mud'; "
        "joint_noise must be 0 to 0.2 rad, got 1.0; seed must be >= 0, got -1."
    )
    with pytest.raises(UnknownNameError, match="no terrain 'sand'"):
        machine_world(robot, "sand:3")
    with pytest.raises(ConfigError, match="no feet to stand on"):
        machine_world(random_tree(3, 1))
