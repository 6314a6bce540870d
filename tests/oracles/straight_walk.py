"""One walk twice: in MuJoCo by the controller's own parts, and by straight lines."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import mujoco
import numpy as np

from equipoise.control.pilot import WalkingGoal
from equipoise.control.walker import walker
from equipoise.equations.emit.callable import compiled_program
from equipoise.robots.robot import Robot
from equipoise.runs.many.walking_program import batch_world, walking_program
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.sim.ground import FootBall
from equipoise.sim.machine.actuators import ActuatorConfig, drive_bank
from equipoise.sim.machine.motor_kernel import DriveCommand, Joints, drive_step
from equipoise.sim.many.height_field import HeightField
from equipoise.sim.many.program import ManyProgram
from oracles.exact_observer import ExactObserver


class StraightRobot:
    """A robot that its two programs move, one at a time."""

    def __init__(self, program: ManyProgram) -> None:
        self.program = program
        self.control = compiled_program(program.control, np.zeros(0))
        self.step = compiled_program(program.step, np.zeros(0))
        self.x = np.array([one.value for one in program.state])
        self.settings = np.array([one.value for one in program.settings])
        self.telemetry = np.zeros(len(program.telemetry))
        self.torque = np.zeros(len(program.command))

    def tick(self, k: int) -> None:
        """Let the controller read and remember."""
        given = [self.x, self.settings, [k * self.program.tick]]
        found = self.control(np.concatenate(given))
        kept = len(self.x) - self.program.moved
        self.x[self.program.moved :], self.torque = found[:kept], found[kept:]

    def advance(self, push: np.ndarray, ground: HeightField | None = None) -> None:
        """Take a step of physics, on ground from a table if one is given."""
        given = [self.x, self.settings, self.torque, push]
        if ground is not None:
            places = self.x[np.array(self.program.probes).T]
            given.append(ground.at(*places).T.ravel())
        found = self.step(np.concatenate(given))
        self.x[: self.program.moved] = found[: self.program.moved]
        self.telemetry = found[self.program.moved :]


@dataclass
class Compared:
    """How far both are apart."""

    torque: np.ndarray
    """Between controllers that see the same state, the largest of each tick [N m]."""
    place: float
    """Of coordinates in the end, each in its own closed loop."""
    pose: np.ndarray
    """In the end, in MuJoCo, (nq,)."""


def compared(
    robot: Robot,
    config: WalkConfig,
    seconds: float,
    push: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Compared:
    """Walk, pushed for a tenth of a second from two seconds on."""
    program = walking_program(robot, config, slack=1e-8, turns=6)
    plan = resolved_walk(robot, config)
    world = batch_world(plan, program.timestep)
    model, data, balls = (
        world.model,
        world.start(),
        FootBall.zeros(len(plan.robot.feet)),
    )
    ground, loads = world.ground.bound(data, balls), np.zeros(len(balls))
    joints = model.actuator_trnid[:, 0]
    at, to = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
    at, to = at.astype(np.int64), to.astype(np.int64)
    bank = drive_bank(plan.robot.drives, ActuatorConfig(kind="ideal"))
    drives, command = bank.init(data.qpos[at]), DriveCommand.zeros(len(joints))
    own = Joints(data.qpos, data.qvel, at, to)
    goal = WalkingGoal(time=1.0, forward=plan.forward, left=plan.aside, turn=plan.turn)
    by_parts = walker(plan.machine, (goal,), plan.walking, drives_motors=False)
    truth = ExactObserver(plan.machine, plan.walking.observer, data, loads, (at, to))
    by_parts = replace(by_parts, observer=truth)
    state, apart = by_parts.init(), []
    beside, alone = StraightRobot(program), StraightRobot(program)
    felt = [one.name.endswith(".load") for one in program.state]
    for k in range(round(seconds / program.tick)):
        now = k * program.tick
        force = np.array(push) if 2.0 <= now < 2.1 else np.zeros(3)
        readings = SimpleNamespace(dt=program.tick, time=now)
        readings.q = data.qpos
        told, state = by_parts.step(readings, state)
        beside.x[: model.nq + model.nv] = np.concatenate([data.qpos, data.qvel])
        beside.x[felt] = loads
        beside.tick(k)
        alone.tick(k)
        apart.append(np.abs(beside.torque - told.tau).max())
        command["tau"] = told.tau
        data.xfrc_applied[world.base, :3] = force
        for _ in range(program.period):
            alone.advance(force)
            drive_step(
                bank.model(0.001), own, command, bank.numbers, drives, data.qfrc_applied
            )
            mujoco.mj_step1(model, data)
            ground()
            mujoco.mj_step2(model, data)
        loads[:] = np.array(balls["force"]) @ world.surface.normal
    place = float(np.abs(alone.x[: model.nq] - data.qpos).max())
    return Compared(np.array(apart), place, data.qpos.copy())
