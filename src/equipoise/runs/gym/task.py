"""A walking robot that a learner moves, as programs for many of them at once.

The learner's action takes the controller's place: it is a setting of each robot, which
the environment overwrites at every step. What is observed and what it is worth is a
program too, so that it is computed where the robots are. Signals, merit and price are
those of ``runs.gym.walking``; but each robot is told to walk from the beginning of its
episode, drives are ideal within their limits of torque and speed, and the effort is
that of a step's last instant.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.kinds import Precision
from equipoise.equations.cuda.text import device_function, preamble
from equipoise.equations.tape.functions import exp, maximum, minimum, sqrt
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.tape import Expr
from equipoise.robots.robot import Robot
from equipoise.runs.gym.arena import PRICE, ObservedSignal
from equipoise.runs.gym.servo import ActionKind, Servo, servo_of
from equipoise.runs.gym.walking import LEAST, SHARP, walking_signals
from equipoise.runs.many.walking_program import (
    batch_world,
    expect_plain_walk,
    payload_settings,
)
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import ResolvedWalk, resolved_walk
from equipoise.sim.many.plant import PUSH, PlantStep, plant_step
from equipoise.sim.many.program import ManyProgram
from equipoise.sim.world import World

__all__ = ["ManyTask", "walking_task"]

VARIED = ("friction", "ground_stiffness", "ground_damping", "payload")
TOLD = ("speed", "left", "turn")


@final
@dataclass(frozen=True)
class ManyTask:
    """Task of many robots: commands, observations and rewards."""

    program: ManyProgram
    signals: tuple[ObservedSignal, ...]
    """What is observed, in order."""
    observed: Program = field(repr=False)
    """From state and settings to the observation, then the reward."""
    joints: int
    """Numbers of an action; the last settings of ``program`` are they."""
    low: VecN = field(repr=False)
    """Bounds of the observation."""
    high: VecN = field(repr=False)

    def text(self, precision: Precision) -> str:
        """Return the kernel ``many_observe``.

        Args:
            precision: of its numbers.
        """
        state, settings = len(self.program.state), len(self.program.settings)
        return "\n".join(
            [
                preamble(precision),
                device_function(self.observed, "many_observation", precision),
                OBSERVE_TEXT.format(
                    state=state,
                    settings=settings,
                    given=state + settings,
                    seen=len(self.low),
                    count=len(self.low) + 1,
                ),
            ]
        )


OBSERVE_TEXT = """
KERNEL many_observe(
    const unsigned int n, const REAL *restrict state, const REAL *restrict settings,
    const int *restrict fell, REAL *observation, REAL *reward)
{{
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const size_t rows = n;
  REAL x[{given}], y[{count}];
#pragma unroll
  for (int k = 0; k < {state}; ++k) x[k] = state[k * rows + i];
#pragma unroll
  for (int k = 0; k < {settings}; ++k) x[{state} + k] = settings[k * rows + i];
  many_observation(x, y);
#pragma unroll
  for (int k = 0; k < {seen}; ++k)
    observation[i * (size_t){seen} + k] = y[k] == y[k] ? y[k] : (REAL)0;
  reward[i] = fell[i] >= 0 ? (REAL)0 : y[{seen}];
}}
"""


def walking_task(
    robot: Robot,
    config: WalkConfig,
    *,
    action: ActionKind = "position",
    stiffness: float | None = None,
    damping: float | None = None,
    timestep: float = 0.001,
) -> ManyTask:
    """Return a machine on legs that a learner shall let walk.

    Args:
        robot: with legs and drives, or of a file in which legs are found.
        config: on which ground it walks, and how fast unless told.
        action: "position" or "torque".
        stiffness: of the springs; None for what suits the motors [N m/rad].
        damping: of the dampers; None for what suits the springs [N m s/rad].
        timestep: of physics [s].

    Raises:
        ConfigError: a robot or a ground that straight lines do not have.
    """
    expect_plain_walk(robot, config)
    walk = resolved_walk(robot, config)
    world = batch_world(walk, timestep)
    steps = max(1, round(walk.machine.period / timestep))
    plant = plant_step(world, varied=VARIED, payload=payload_settings(world))
    servo, limit = _servo_at(world, walk, action, steps * timestep, stiffness, damping)
    task = WrittenTask(plant, world, walk, servo, limit)
    settings = [*(s for s in plant.settings if s.name in VARIED), *task.told_settings]
    names = [one.name for one in settings]
    given = [*plant.inputs, *plant.given.symbols(names)]
    time = plant.given.symbol("time")
    pushed = [*plant.command, *PUSH]
    held = plant.given.symbols(one.name for one in pushed)
    many = ManyProgram(
        name=f"{robot.name}, moved by a learner",
        state=plant.state,
        moved=len(plant.state),
        settings=tuple(settings),
        command=plant.command,
        push=PUSH,
        control=program(task.torques(), [*given, time]),
        step=program([*plant.after, *plant.tells], [*given, *held]),
        telemetry=plant.telemetry,
        period=steps,
        timestep=timestep,
    )
    signals = walking_signals(len(limit), len(world.robot.feet))
    low = np.concatenate([np.full(s.size, s.low) for s in signals])
    high = np.concatenate([np.full(s.size, s.high) for s in signals])
    seen = bounded(task.observation(), low, high)
    observed = program([*seen, task.reward()], given)
    return ManyTask(many, signals, observed, len(limit), low, high)


def bounded(seen: Sequence[Expr], low: Array, high: Array) -> list[Expr]:
    """Return what is observed within its bounds."""
    ends = zip(seen, low.tolist(), high.tolist(), strict=True)
    return [minimum(b, maximum(a, one)) for one, a, b in ends]


def _servo_at(
    world: World,
    walk: ResolvedWalk,
    action: ActionKind,
    period: float,
    stiffness: float | None,
    damping: float | None,
) -> tuple[Servo, VecN]:
    """Return the servo about the machine's stand, and its drives' torques."""
    drives = walk.machine.drives
    limit = np.array([drive.torque for drive in drives])
    servo = servo_of(
        world,
        action,
        rest=world.model.key("start").qpos[world.q_address],
        limit=limit,
        speed=np.array([drive.speed for drive in drives]),
        period=period,
        stiffness=stiffness,
        damping=damping,
    )
    return servo, limit


@final
@dataclass(frozen=True)
class WrittenTask:
    """A task's expressions on the plant's tape."""

    plant: PlantStep
    world: World
    walk: ResolvedWalk
    servo: Servo
    limit: VecN

    @property
    def told_settings(self) -> list[NamedNumber]:
        """What a robot is told to do, then its action."""
        values = self.walk.forward, self.walk.aside, self.walk.turn
        units = ("m/s", "m/s", "rad/s")
        told = zip(TOLD, units, values, strict=True)
        return [
            *(NamedNumber(name, unit, float(value)) for name, unit, value in told),
            *(NamedNumber(f"action.{k}", "") for k in range(len(self.limit))),
        ]

    @property
    def actions(self) -> list[Expr]:
        """In [-1, 1], a joint."""
        return self.plant.given.symbols(f"action.{k}" for k in range(len(self.limit)))

    @property
    def joints(self) -> tuple[list[Expr], list[Expr]]:
        """Places and speeds, in actuator order."""
        e, world = self.plant.equations, self.world
        at, rate = world.q_address.tolist(), world.v_address.tolist()
        return [e.q[k] for k in at], [e.v[k] for k in rate]

    def torques(self) -> list[Expr]:
        """Return what the motors are asked for."""
        asked = [
            s * a for s, a in zip(self.servo.scale.tolist(), self.actions, strict=True)
        ]
        if self.servo.kind == "torque":
            return asked
        springs = zip(
            asked,
            *self.joints,
            self.servo.rest.tolist(),
            self.servo.stiffness.tolist(),
            self.servo.damping.tolist(),
            strict=True,
        )
        return [k * (a + rest - q) - d * v for a, q, v, rest, k, d in springs]

    def motion(self) -> tuple[list[Expr], list[Expr]]:
        """Return the world's up in the trunk's axes, and its own velocity."""
        e = self.plant.equations
        w, x, y, z = e.q[3:7]
        up = [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)]
        ahead, left = 1.0 - 2.0 * (y * y + z * z), 2.0 * (w * z + x * y)
        size = 1.0 / sqrt(maximum(1e-12, ahead * ahead + left * left))
        c, s = ahead * size, left * size
        vx, vy, vz = e.v[:3]
        return up, [c * vx + s * vy, c * vy - s * vx, vz]

    def observation(self) -> list[Expr]:
        """Return command, attitude, velocities, joints, feet and action."""
        e, world = self.plant.equations, self.world
        weight = self.walk.machine.mass * GRAVITY
        loads = self.plant.given.symbols(f"{f}.load" for f in world.robot.feet)
        up, velocity = self.motion()
        q, v = self.joints
        return [
            *self.plant.given.symbols(TOLD),
            *up,
            *velocity,
            *e.v[3:6],
            *(a - rest for a, rest in zip(q, self.servo.rest.tolist(), strict=True)),
            *v,
            *((1.0 / weight) * load for load in loads),
            *self.actions,
        ]

    def reward(self) -> Expr:
        """Return the merit less the price of the effort."""
        speed, left = self.plant.given.symbols(TOLD[:2])
        _, velocity = self.motion()
        off = [velocity[0] - speed, velocity[1] - left]
        size = speed * speed + left * left + LEAST * GRAVITY * self.walk.machine.height
        square = off[0] * off[0] + off[1] * off[1]
        shares = [
            minimum(1.0, (1.0 / m**2) * tau * tau)
            for tau, m in zip(self.torques(), self.limit.tolist(), strict=True)
        ]
        effort = sum(shares[1:], shares[0]) * (1.0 / len(shares))
        return exp(-SHARP * square / size) - PRICE * effort
