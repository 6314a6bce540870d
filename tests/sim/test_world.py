"""The world: what falls, what touches, what holds, and what is refused."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.biped.biped import biped
from equipoise.robots.robot import Robot
from equipoise.robots.superbot.superbot import random_tree
from equipoise.sim.world import WorldConfig, build_world

RADIUS, MASS = 0.1, 0.5


def ball_robot(height: float) -> Robot:
    """Return a single ball in the air."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="ball", pos=[0.0, 0.0, height])
    body.add_freejoint(name="base")
    body.add_geom(
        name="skin", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0], mass=MASS
    )
    return Robot(name="ball", spec=spec, base="ball")


def fallen(config: WorldConfig, steps: int, height: float = 1.0) -> mujoco.MjData:
    """Return the state of a ball let go for a number of steps."""
    world = build_world(ball_robot(height), config)
    data = world.start()
    mujoco.mj_step(world.model, data, steps)
    return data


@pytest.mark.parametrize("gravity", [9.81, 1.62, 0.0, -2.0])
def test_a_ball_falls_by_the_law(gravity: float):
    dt, n = 0.001, 300
    data = fallen(WorldConfig(gravity=gravity, timestep=dt), n)
    # closed form of the semi-implicit step: v_n = -g n dt, z_n = z0 - g dt² n(n+1)/2
    assert data.qvel[2] == pytest.approx(-gravity * n * dt, rel=1e-12, abs=1e-15)
    drop = gravity * dt * dt * n * (n + 1) / 2
    # rounding of 300 sums near 1
    assert data.qpos[2] == pytest.approx(1.0 - drop, abs=300 * 2.3e-16)
    assert data.time == pytest.approx(n * dt, rel=1e-12)


def test_the_ground_holds_and_without_contacts_it_does_not():
    held = fallen(WorldConfig(), 2000, height=0.2)
    # solver: a soft contact gives way by a fraction of a millimetre
    assert held.qpos[2] == pytest.approx(RADIUS, abs=1e-3)
    through = fallen(WorldConfig(contacts=False), 2000, height=0.2)
    assert through.ncon == 0
    assert through.qpos[2] == pytest.approx(0.2 - 9.81 * 2.0**2 / 2, rel=1e-3)


@pytest.mark.parametrize("contacts", [True, False])
def test_joint_limits_hold_with_and_without_contacts(contacts: bool):
    """One module, its upper hinge pushed with all its might."""
    world = build_world(random_tree(1, 1), WorldConfig(contacts=contacts))
    data = world.start()
    data.ctrl[2] = 1.0
    mujoco.mj_step(world.model, data, 3000)
    limit = world.model.jnt_range[2, 1]
    # solver: the limit is a spring; 1 N m pushes it back by less than 2 degrees
    assert limit - 0.01 < data.qpos[2] < limit + 0.035
    assert data.qvel[2] == pytest.approx(0.0, abs=1e-3)


def test_torque_is_cut_at_the_motor_limit():
    world = build_world(random_tree(1, 1))
    data = world.start()
    data.ctrl[:] = 1e3
    mujoco.mj_forward(world.model, data)
    np.testing.assert_array_equal(data.actuator_force, 6.38)  # exact: clamped


def test_the_floor_carries_a_free_robot():
    """A straight free module with locked knees stands: its weight is the floor's push.

    A module's joints are free; at zero torque damping alone lets it sink slowly, so the
    joints are held by a stiff spring, as a motor would.
    """
    robot = random_tree(1, 1, mount="free")
    world = build_world(robot)
    model = world.model
    model.jnt_stiffness[1:] = 20.0
    data = world.start()
    mujoco.mj_step(model, data, 1000)
    base = data.body(robot.base)
    # solver: soft contact; the module settles by far less than a millimetre
    np.testing.assert_allclose(base.xpos, [0.0, 0.0, 0.042], atol=5e-4)
    assert base.xmat[8] == pytest.approx(1.0, abs=1e-4)
    push = np.zeros(6)
    total = 0.0
    for k in range(data.ncon):
        mujoco.mj_contactForce(model, data, k, push)
        total += push[0]
    # statics: what rests is carried; the solver leaves about 1e-4 of it
    assert total == pytest.approx(model.body_mass.sum() * 9.81, rel=1e-3)
    mujoco.mj_resetData(model, data)
    data.ctrl[0] = 0.0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    mujoco.mj_step(model, data, 1000)
    assert data.body(robot.base).xpos[2] < -4.0  # the floor did carry it


def test_the_engine_does_not_reset_a_run_that_blew_up(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes its warning to a file where it stands
    world = build_world(ball_robot(1.0))
    reset = mujoco.mjtDisableBit.mjDSBL_AUTORESET
    assert world.model.opt.disableflags & reset
    data = world.start()
    mujoco.mj_step(world.model, data, 5)
    data.qvel[0] = 1e12  # MuJoCo calls this bad and would start again at time 0
    mujoco.mj_step(world.model, data)
    assert data.time == pytest.approx(0.006)
    assert abs(data.qvel[0]) > 1e11


def test_friction_reaches_every_contact():
    """A ball pushed sideways rolls; without friction it slides and does not turn."""
    spins = {}
    for friction in (0.0, 1.0):
        world = build_world(ball_robot(RADIUS), WorldConfig(friction=friction))
        data = world.start()
        data.qvel[0] = 0.2
        mujoco.mj_step(world.model, data, 500)
        spins[friction] = data.qvel[4]
        assert {tuple(g[:1]) for g in world.model.geom_friction} == {(friction,)}
    # MuJoCo never goes below a friction of 1e-5: w = 5 mu g t / (2 r)
    assert spins[0.0] == pytest.approx(5 * 1e-5 * 9.81 * 0.5 / (2 * RADIUS), rel=1e-2)
    # rolling without slip: 5/7 of the speed stays, w = v / r; solver: a soft contact
    assert spins[1.0] == pytest.approx(5 / 7 * 0.2 / RADIUS, rel=0.02)


def test_the_robot_is_not_changed_and_what_is_only_seen_is_left_out():
    robot = random_tree(3, 1)
    before = (robot.model.ngeom, robot.model.nsensor, robot.spec.option.timestep)
    world = build_world(robot, WorldConfig(timestep=0.002))
    assert (
        robot.model.ngeom,
        robot.model.nsensor,
        robot.spec.option.timestep,
    ) == before
    assert len(robot.spec.sensors) == 0
    assert world.model.opt.timestep == 0.002
    assert world.model.ngeom == 2 * 3 + 1  # two balls a module and the ground
    assert len(world.skins.names) == 2 * 3
    assert world.model.body_mass.sum() == robot.model.body_mass.sum()


def test_actuators_are_addressed_in_module_order():
    robot = random_tree(8, 3, 2, "random", mount="free")
    world = build_world(robot)
    data = world.start()
    start = [a for m in robot.assembly.modules for a in m.angles]
    np.testing.assert_array_equal(data.qpos[world.q_address], start)
    data.qvel[world.v_address] = np.arange(24.0)
    for k in range(24):
        name = world.model.actuator(k).name
        assert data.joint(name).qvel[0] == k


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"timestep": 0.0}, r"timestep must be 1e-05 to 0.01 s, got 0.0"),
        ({"timestep": 0.1}, r"timestep must be 1e-05 to 0.01 s, got 0.1"),
        ({"timestep": float("nan")}, r"timestep must be .* got nan"),
        ({"friction": -1.0}, r"friction must be >= 0, got -1.0"),
        ({"friction": float("inf")}, r"friction must be >= 0, got inf"),
        ({"gravity": float("nan")}, r"gravity must be a finite number, got nan"),
    ],
)
def test_worlds_that_cannot_be_stepped_are_refused(options, match):
    with pytest.raises(ConfigError, match=match):
        WorldConfig(**options)


@pytest.mark.parametrize("time", [None, 0.01])
def test_contacts_settle_in_the_time_that_is_asked(time):
    model = build_world(biped(), WorldConfig(contact_time=time)).model
    for name in ("ground", "left_sole", "trunk"):
        want = 0.02 if time is None else time
        assert model.geom(name).solref[0] == want


def test_a_contact_faster_than_the_engine_can_follow_is_refused():
    with pytest.raises(
        ConfigError, match=r"contact_time must be at least two time steps"
    ):
        WorldConfig(timestep=0.001, contact_time=0.0015)
