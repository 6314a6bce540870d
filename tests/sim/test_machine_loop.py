"""The loop that runs a walking machine: order, delays, pushes, sums, bad ends."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.sim.disturbances import Push
from equipoise.sim.held_forces import HeldForces, held_plan
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Outcome
from oracles.machine_stub import GRAVITY, MASS, Hold, Scripted, bare

pytestmark = pytest.mark.sim


def test_a_held_machine_stands_on_its_feet():
    run = rollout(bare(), Hold(), 2.0, plant=MachineConfig())
    assert run.outcome is Outcome.FINISHED
    assert len(run.time) == 1001
    assert run.time[-1] == pytest.approx(2.0, abs=1e-12)  # rounding of 1000 * 0.002
    # it settles within 0.1 s; what is left after 2 s is its last swinging, below 1 N
    assert run.normal[-1].sum() == pytest.approx(MASS * GRAVITY, abs=1.0)
    np.testing.assert_allclose(
        run.foot_force[-1].sum(axis=0), [0, 0, MASS * GRAVITY], rtol=0, atol=1.0
    )
    assert run.touches[-1].all()
    assert np.abs(run.attitude[-1]).max() < np.radians(0.2)
    assert run.slip[-1].max() < 1e-3
    assert np.array_equal(run.said("knee")[:-1], run.q[:-1, 2])
    assert np.isnan(run.said("knee")[-1])
    assert np.isnan(run.said("elbow")).all()


def test_places_and_centre_of_mass_are_those_of_the_sample():
    world = bare()
    run = rollout(world, Hold(300.0, 30.0), 0.5, plant=MachineConfig())
    data = mujoco.MjData(world.model)
    for k in (0, 60, 250):
        data.qpos[:] = run.qpos[k]
        mujoco.mj_kinematics(world.model, data)
        mujoco.mj_comPos(world.model, data)
        for leg, foot in enumerate(world.robot.feet):
            place = data.geom(foot).xpos
            # exact: the same function of the same numbers
            assert np.array_equal(run.foot_place[k, leg], place)
        assert np.array_equal(run.p_WC[k], data.subtree_com[1])
    assert np.abs(run.qpos[250] - run.qpos[0]).max() > 0.01  # it moved


def test_slip_is_the_way_of_the_point_that_touches():
    world = bare(friction=0.1)
    push = Push(impulse=(60.0, 30.0, 0.0), start=0.1)
    run = rollout(world, Hold(1500.0, 150.0), 0.6, pushes=[push], plant=MachineConfig())
    model, data = world.model, mujoco.MjData(world.model)
    way, velocity = np.zeros(4), np.zeros(6)
    for k in range(len(run.time)):
        data.qpos[:], data.qvel[:] = run.qpos[k], run.qvel[k]
        mujoco.mj_forward(model, data)
        for leg, foot in enumerate(world.robot.feet):
            geom = model.geom(foot).id
            kind = mujoco.mjtObj.mjOBJ_GEOM
            mujoco.mj_objectVelocity(model, data, kind, geom, velocity, 0)
            turn, speed = velocity[:3], velocity[3:]
            touches = speed + np.cross(turn, [0.0, 0.0, -0.025])
            if run.touches[k, leg]:
                way[leg] += 0.002 * np.hypot(*touches[:2])
    # truncation: the loop's speeds are a time step older than the samples'; the sums
    # differ by the change of speed over a step, and at each lift and landing
    np.testing.assert_allclose(run.slip[-1], way, rtol=0.02)
    assert way.min() > 0.1
    assert (np.diff(run.slip, axis=0) >= 0.0).all()


def test_a_foot_that_rolls_does_not_slip():
    push = Push(impulse=(10.0, 0.0, 0.0), start=0.1)
    run = rollout(bare(), Hold(800.0, 40.0), 0.8, pushes=[push], plant=MachineConfig())
    moves = np.linalg.norm(np.diff(run.foot_place[:, :, :2], axis=0), axis=2)
    rolled = (moves * run.touches[1:]).sum(axis=0)
    # the engine's soft friction lets feet creep a little
    assert rolled.min() > 1e-3
    assert (run.slip[-1] < 0.25 * rolled).all()


def test_a_push_and_held_forces_give_their_impulse():
    forces = HeldForces(sigma=40.0, seed=3)
    pushes = [Push(impulse=(5.0, -30.0, 2.0), start=0.1013)]
    world = bare(has_ground=False)
    run = rollout(
        world,
        Scripted(lambda k: 0.0),
        1.0,
        pushes=pushes,
        forces=forces,
        plant=MachineConfig(),
    )
    plan = held_plan(forces, 500, 0.002)
    assert len(np.unique(plan[:, 0])) == 10  # one for every 0.1 s
    assert (plan[:, 2] == 0.0).all()
    impulse = plan.sum(axis=0) * 0.002 + pushes[0].impulse
    momentum = np.zeros(3)
    data = mujoco.MjData(world.model)
    data.qpos[:], data.qvel[:] = run.qpos[-1], run.qvel[-1]
    mujoco.mj_forward(world.model, data)
    mujoco.mj_subtreeVel(world.model, data)
    momentum = MASS * data.subtree_linvel[1]
    # truncation: the engine's Euler step keeps momentum only to first order where legs
    # swing; the sum of 1000 steps of relative size dt^2 w^2, w below 3 rad/s
    np.testing.assert_allclose(momentum, impulse, rtol=0, atol=1e-2 * 30.0)


def test_held_forces_are_gaussian_and_a_longer_run_begins_alike():
    forces = HeldForces(sigma=30.0, hold=0.1, start=0.05, seed=1)
    plan = held_plan(forces, 500_000, 0.002)
    assert (plan[:25] == 0.0).all()
    drawn = plan[25::50, :2]
    n = len(drawn)
    # statistical: 6 standard deviations of mean and of variance
    assert np.abs(drawn.mean(axis=0)).max() < 6 * 30.0 / np.sqrt(n)
    assert np.abs(drawn.var(axis=0) / 900.0 - 1.0).max() < 6 * np.sqrt(2.0 / n)
    assert np.array_equal(held_plan(forces, 700, 0.002), plan[:700])


@pytest.mark.parametrize("delay_ms", [0.0, 1.0, 2.0, 5.0, 6.3])
def test_a_command_takes_effect_after_the_delay(delay_ms: float):
    world = bare(has_ground=False)
    config = MachineConfig(delay=1e-3 * delay_ms)
    torques = []

    def listen(data: mujoco.MjData) -> None:
        torques.append(float(data.qfrc_applied[8]))

    rollout(world, Scripted(lambda k: 1.0 + k), 0.02, plant=config, moves=listen)
    late = int(np.ceil(delay_ms - 1e-9))
    asked = [0.0] * late + [1.0 + k for k in range(10) for _ in range(2)]
    # before the first command nothing turns, so a motor without voltage has no torque
    # each is heard when the next time step begins
    assert torques[1:] == asked[:20]


def test_each_tick_is_asked_once_and_in_time():
    script = Scripted(lambda k: 0.0)
    rollout(bare(), script, 0.05, plant=MachineConfig(period=0.005))
    assert script.asked == [(k, k * 0.005) for k in range(10)]


def test_samples_may_be_kept_less_often_and_sums_stay():
    full = rollout(bare(), Hold(), 0.22, plant=MachineConfig())
    some = rollout(bare(), Hold(), 0.22, record_every=25, plant=MachineConfig())
    assert len(full.time) == 111
    assert some.time.tolist() == [*full.time[::25], full.time[-1]]  # and the last
    assert np.array_equal(some.rows[-1], full.rows[-1])
    assert np.array_equal(some.slip, full.slip[[0, 25, 50, 75, 100, 110]])


@pytest.mark.parametrize("answer", [np.nan, np.inf, 1e12])
def test_a_command_that_no_motor_could_obey_ends_the_run(answer: float):
    run = rollout(
        bare(),
        Scripted(lambda k: answer if k == 7 else 0.0),
        0.1,
        plant=MachineConfig(),
    )
    assert run.outcome is Outcome.BAD_COMMAND
    assert len(run.time) == 8
    assert np.isfinite(run.rows.view(float)).all()


def test_a_state_that_is_not_finite_ends_the_run():
    def spoil(data: mujoco.MjData) -> None:
        if data.time > 0.0095:
            data.qvel[3] = np.nan

    run = rollout(bare(), Hold(), 0.1, moves=spoil, plant=MachineConfig())
    assert run.outcome is Outcome.NOT_FINITE
    assert not run.is_finite
    assert len(run.time) == 5
    assert np.isfinite(run.rows.view(float)).all()


def test_a_run_stops_on_request():
    run = rollout(
        bare(), Hold(), 1.0, stop=lambda data: data.time > 0.0999, plant=MachineConfig()
    )
    assert run.outcome is Outcome.STOPPED
    assert run.time[-1] == pytest.approx(0.1, abs=1e-12)


def test_the_same_run_gives_the_same_numbers():
    one, two = (
        rollout(bare(), Hold(), 0.1, plant=MachineConfig()).rows for _ in range(2)
    )
    assert np.array_equal(one, two)


def test_elastic_gears_give_way_by_torque_over_stiffness():
    stiffness, gear = 3000.0, 1000.0
    config = MachineConfig(
        actuators=ActuatorConfig(kind="elastic"), sensors=SensorConfig(shaft="motor")
    )
    run = rollout(bare(is_rigid=False), Hold(stiffness), 4.0, plant=config)
    assert run.normal[-1].sum() == pytest.approx(MASS * GRAVITY, abs=1.0)
    assert np.abs(run.qvel[-1]).max() < 1e-3  # at rest
    gives = (1.0 / gear + 1.0 / stiffness) * run.tau[-1]
    # what is left of its swinging turns joints by less than 1e-4 rad in 0.1 s
    np.testing.assert_allclose(run.q[0] - run.q[-1], gives, rtol=0, atol=1e-4)
    assert np.abs(gives).max() > 0.03


def test_with_all_its_faults_a_machine_still_stands():
    config = MachineConfig.real(seed=4)
    assert config.bus is not None
    run = rollout(bare(), Hold(), 2.0, plant=config)
    assert run.outcome is Outcome.FINISHED
    assert run.normal[-1].sum() == pytest.approx(MASS * GRAVITY, rel=0.02)
    assert np.abs(run.attitude).max() < np.radians(0.5)
    assert np.abs(run.volts).max() <= 48.0
    assert np.isnan(run.halted_at).all()
    # holding still costs heat alone: drawn is R i² of the mean torques, about
    still = run.drawn[-1] - run.drawn[-251]
    heat = np.array([drive.resistance for drive in bare().robot.drives])
    assert still == pytest.approx(0.5 * (heat * run.current[-1] ** 2).sum(), rel=0.05)


def test_energy_goes_to_and_fro_but_the_supply_takes_none_back():
    swing = Scripted(lambda k: 8.0 * np.cos(0.02 * k))
    motors = MachineConfig(actuators=ActuatorConfig(kind="motor"))
    run = rollout(bare(has_ground=False), swing, 1.0, plant=motors)
    assert (np.diff(run.drawn) >= 0.0).all()
    assert np.diff(run.electric).min() < 0.0  # some comes back
    assert run.drawn[-1] > run.electric[-1] > 0.0
    assert (np.diff(run.work_plus) >= 0.0).all()
    assert (np.diff(run.work_minus) <= 0.0).all()
    assert run.work_minus[-1] < -0.1


def test_a_world_that_is_made_for_other_drives_is_refused():
    rigid, soft = bare(), bare(is_rigid=False)
    elastic = MachineConfig(actuators=ActuatorConfig(kind="elastic"))
    motor = MachineConfig(actuators=ActuatorConfig(kind="motor"))
    with pytest.raises(ConfigError, match="rigid_drives=False"):
        rollout(rigid, Hold(), 1.0, plant=elastic)
    with pytest.raises(ConfigError, match="rigid_drives=True"):
        rollout(soft, Hold(), 1.0, plant=motor)


def test_bad_settings_are_refused():
    world = bare()
    with pytest.raises(ConfigError, match=r"period must be .* got -1; delay must be"):
        MachineConfig(period=-1, delay=np.nan)
    with pytest.raises(ConfigError, match="must divide the control period"):
        rollout(world, Hold(), 1.0, plant=MachineConfig(period=0.0025))
    with pytest.raises(ConfigError, match="at least one tick"):
        rollout(world, Hold(), 0.0, plant=MachineConfig())
    with pytest.raises(UnknownNameError, match="no body 'trunc'"):
        rollout(
            world,
            Hold(),
            1.0,
            pushes=[Push(impulse=(1.0, 0.0, 0.0), body="trunc")],
            plant=MachineConfig(),
        )
    with pytest.raises(ConfigError, match="sigma must be >= 0 N, got -1"):
        HeldForces(sigma=-1)
