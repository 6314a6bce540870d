"""A step by straight lines is a step of MuJoCo with the same forces."""

from functools import cache

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.equations.emit.callable import Compiled, compiled_program
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.program import program
from equipoise.robots.load import load
from equipoise.sim.ground import FootBall
from equipoise.sim.machine.actuators import ActuatorConfig, drive_bank
from equipoise.sim.machine.motor_kernel import DriveCommand, Joints, drive_step
from equipoise.sim.machine.world import machine_world
from equipoise.sim.many.plant import PUSH, PlantStep, plant_step
from equipoise.sim.world import World

NQ, NV = 19, 18
LOADS = NQ + NV + 3 + 4 * np.arange(4)
"""Where the loads are in the state."""
LOAD = {"payload": 12.0, "payload.x": 0.1, "payload.y": -0.05, "payload.z": 0.12}
"""What it carries, and where on the trunk."""


@cache
def on_weak_ground() -> tuple[World, PlantStep, Compiled]:
    """Return WARP1's world and its step, friction given, creep solved to the end."""
    world = machine_world(load("warp1"), ground="weak")
    return world, *compiled_step(world, ("friction",), 0.0)


def compiled_step(world: World, varied: tuple, share: float) -> tuple:
    """Return a world's step, and the same compiled; with a share of the payload."""
    payload = [NamedNumber(name, "", share * x) for name, x in LOAD.items()]
    step = plant_step(world, varied=varied, turns=6, payload=payload)
    given = [one.name for one in (*step.command, *PUSH)]
    inputs = [*step.inputs, *step.given.symbols([*varied, *given])]
    whole = program([*step.after, *step.tells], inputs)
    return step, compiled_program(whole, np.zeros(0))


class Engine:
    """The same robot in MuJoCo, ground and drives by the compiled kernels."""

    def __init__(self, world: World) -> None:
        self.model, self.data, self.world = world.model, world.start(), world
        self.balls = FootBall.zeros(4)
        self.ground = world.ground.bound(self.data, self.balls)
        joints = self.model.actuator_trnid[:, 0]
        at, to = self.model.jnt_qposadr[joints], self.model.jnt_dofadr[joints]
        at, to = at.astype(np.int64), to.astype(np.int64)
        self.joints = Joints(self.data.qpos, self.data.qvel, at, to)
        self.bank = drive_bank(world.robot.drives, ActuatorConfig(kind="ideal"))
        self.drives = self.bank.init(self.data.qpos[at])
        self.command = DriveCommand.zeros(len(joints))

    def step(self, torque: np.ndarray, push: np.ndarray) -> None:
        """Take a step."""
        self.command["tau"] = torque
        self.data.xfrc_applied[self.world.base, :3] = push
        numbers, model = self.bank.numbers, self.bank.model(0.001)
        out = self.data.qfrc_applied
        drive_step(model, self.joints, self.command, numbers, self.drives, out)
        mujoco.mj_step1(self.model, self.data)
        self.ground()
        mujoco.mj_step2(self.model, self.data)


def stirred(engine: Engine, k: int, rng: np.random.Generator) -> tuple:
    """Return torques that move the legs about their start, some beyond their limits."""
    q, v = engine.data.qpos[7:], engine.data.qvel[6:]
    rest = engine.world.start_pose[7:]
    waves = 0.15 * np.sin(0.02 * k + np.arange(12.0))
    torque = 1500.0 * (rest + waves - q) - 50.0 * v + rng.normal(0.0, 20.0, 12)
    return torque, rng.normal(0.0, 60.0, 3)


@pytest.mark.parametrize("seed", [101, 102])
def test_steps_follow_mujoco(seed):
    world, plant, step = on_weak_ground()
    engine, rng = Engine(world), np.random.default_rng(seed)
    x = np.array([one.value for one in plant.state])
    alone, worst, limited, aloft = x.copy(), 0.0, 0, 0
    for k in range(400):
        torque, push = stirred(engine, k, rng)
        given = np.concatenate([[0.7], torque, push])
        alone = step(np.concatenate([alone, given]))[: len(x)]
        x[:NQ], x[NQ : NQ + NV] = engine.data.qpos, engine.data.qvel
        x = step(np.concatenate([x, given]))[: len(x)]
        engine.step(torque, push)
        assert engine.data.nefc == 0  # neither stops nor other contacts
        forces = np.array(engine.balls["force"])
        np.testing.assert_allclose(x[LOADS], forces[:, 2], rtol=1e-9, atol=1e-7)
        worst = max(worst, np.abs(x[NQ : NQ + NV] - engine.data.qvel).max())
        limited += int((np.abs(torque) > 91.0).any())
        aloft += int((forces[:, 2] == 0.0).any())
    assert limited > 10
    assert aloft > 10
    # rounding: 4,000 operations a step, accelerations up to 1e3 rad/s² times 1 ms
    assert worst < 1e-11
    # errors grow as the robot's own motion lets them: here no more than 1000 times
    assert np.abs(alone[:NQ] - engine.data.qpos).max() < 1e-8


def test_a_quaternion_stays_one_and_turns_as_far_as_it_should():
    world, plant, step = on_weak_ground()
    x = np.array([one.value for one in plant.state])
    x[2], x[NQ + 3 : NQ + 6] = 5.0, (3.0, -2.0, 4.0)  # aloft, fast
    engine = Engine(world)
    engine.data.qpos[:], engine.data.qvel[:] = x[:NQ], x[NQ : NQ + NV]
    for _ in range(300):
        x = step(np.concatenate([x, [0.7], np.zeros(15)]))[: len(x)]
        engine.step(np.zeros(12), np.zeros(3))
    assert abs(np.linalg.norm(x[3:7]) - 1.0) < 1e-12
    np.testing.assert_allclose(x[3:7], engine.data.qpos[3:7], rtol=0.0, atol=1e-9)


def test_payload_springs_and_dampers_are_those_of_mujoco():
    loaded = load("warp1")
    place = [LOAD[f"payload.{k}"] for k in "xyz"]
    point = {"mass": LOAD["payload"], "inertia": [1e-12] * 3, "explicitinertial": True}
    loaded.spec.body(loaded.base).add_body(name="sack", ipos=place, **point)
    bare = machine_world(load("warp1"), ground="weak")
    whole = machine_world(loaded, ground="weak")
    for world in (bare, whole):
        world.model.jnt_stiffness[1:] = 20.0 + np.arange(12.0)
        world.model.dof_damping[6:] = 3.0 + np.arange(12.0)
        world.model.qpos_spring[7:] = 0.1 * np.arange(12.0)
    plant, step = compiled_step(bare, (), 1.0)
    engine = Engine(whole)
    x = np.array([one.value for one in plant.state])
    x[2] = engine.data.qpos[2] = 3.0  # aloft: what the ground does is tested above
    rng = np.random.default_rng(4)
    for _ in range(100):
        torque = rng.normal(0.0, 30.0, 12)
        x = step(np.concatenate([x, torque, np.zeros(3)]))[: len(x)]
        engine.step(torque, np.zeros(3))
    assert np.abs(engine.data.qvel[6:]).max() > 0.5
    # rounding: as of the steps above
    np.testing.assert_allclose(x[:NQ], engine.data.qpos, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize(
    ("height", "turn", "falls"),
    [
        (0.6, 0.0, 0),
        (0.6, 34.0, 0),
        (0.6, 36.0, 1),
        (0.315, 0.0, 1),
        (0.325, 0.0, 0),
        (0.325, 34.0, 0),
        (0.322, 34.0, 1),  # a corner, 0.447 sin + 0.09 cos of 34 degrees below
    ],
)
def test_who_has_fallen(height, turn, falls):
    _, plant, step = on_weak_ground()
    x = np.array([one.value for one in plant.state])
    half = 0.5 * np.radians(turn)
    axis = np.array([-0.2, 0.4, 0.0]) / np.hypot(0.2, 0.4)  # one corner goes down
    x[2], x[3], x[4:7] = height, np.cos(half), np.sin(half) * axis
    told = step(np.concatenate([x, [0.7], np.zeros(15)]))[len(x) :]
    assert told[0] == falls
    assert told[1] == pytest.approx(height)
    assert told[2] == pytest.approx(np.cos(np.radians(turn)))


def test_a_ground_that_is_no_plane_or_no_law_is_refused():
    with pytest.raises(ConfigError, match=r"must be a plane, got 'blocks:4'.*"):
        compiled_step(machine_world(load("warp1"), "blocks:4", ground="weak"), (), 0.0)
    with pytest.raises(ConfigError, match="must be a law of force"):
        compiled_step(machine_world(load("warp1")), (), 0.0)
