"""Modules: a tree of modules shall bring its centre of mass over the line it stands on.

The merit of an instant is half of exp(-d), d the distance in module widths, and half of
whether it is below a tenth of one, which is what the job calls balanced.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, final

import numpy as np

from equipoise.control.com.goal import distance_to
from equipoise.core.arrays import Array, VecN
from equipoise.robots.robot import Robot
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.balance.free import BALANCED_W
from equipoise.runs.balance.staged import expect_modules, staged_balance
from equipoise.runs.gym.arena import AbstractArena, ArenaConfig, ObservedSignal
from equipoise.runs.gym.servo import ActionKind, Servo, servo_of
from equipoise.sim.ideal import AT_LIMIT, command_limits
from equipoise.sim.staged import StagedRun

__all__ = ["ModulesArena"]

QUICK = 4.0  # of a joint, for an action of 1 [rad/s]


@final
class ModulesArena(AbstractArena):
    """A tree of modules that shall be balanced.

    Args:
        robot: made of modules, or what makes one from an episode's seed.
        config: how it is moved.
        steer: the job; its seed does not count.
    """

    kinds: ClassVar[tuple[ActionKind, ...]] = ("velocity", "torque")
    options: ClassVar[tuple[str, ...]] = ("job_seed", "target")

    def __init__(
        self,
        robot: Robot | Callable[[int], Robot],
        config: ArenaConfig,
        steer: SteerConfig,
    ) -> None:
        self.own, self.steer = robot, steer
        super().__init__(config)

    def stage(self, seed: int, options: Mapping[str, Any]) -> StagedRun:
        """Return the job of an episode: a tree that is steered."""
        robot = self.own if isinstance(self.own, Robot) else self.own(seed)
        told = dict(options)
        if told.get("target") is not None:
            told["target"] = tuple(told["target"])
        job = replace(self.steer, seed=seed, **told)
        self.width = expect_modules(robot).body.width
        self.goal = job.goal()
        return staged_balance(robot, job)

    def prepare(self, staged: StagedRun) -> tuple[Servo, VecN]:
        """Return a servo of the modules' joints."""
        world, config, model = staged.world, self.config, staged.world.model
        limit = AT_LIMIT * command_limits(model)
        limit = np.where(np.isfinite(limit), limit, 1.0)
        servo = servo_of(
            world,
            config.action,
            rest=np.zeros(model.nu),
            limit=limit,
            speed=np.full(model.nu, QUICK),
            period=float(staged.plant.period or model.opt.timestep),
            damping=config.damping,
        )
        self.signals = _steering_signals(model.nu)
        self.before = np.array(world.start().subtree_com[0])
        return servo, limit

    def offset(self) -> VecN:
        """Return from the goal to the centre of mass, (3,) [m]; 0 along a line."""
        away = self.stepper.data.subtree_com[0] - self.goal.point[0]
        if not self.goal.is_point:
            along = self.goal.frame[2]
            away = away - (away @ along) * along
        return away

    def distance(self) -> float:
        """Return how far the centre of mass is from the goal [m]."""
        return float(distance_to(self.goal, self.stepper.data.subtree_com[0]))

    def observed(self) -> tuple[Array, ...]:
        """Return where the centre of mass is, the joints and the last action."""
        data, world = self.stepper.data, self.stepper.world
        return (
            self.offset() / self.width,
            data.qpos[world.q_address],
            data.qvel[world.v_address],
            self.asked,
        )

    def merit(self) -> float:
        """Return how near the centre of mass is to the goal, 0 to 1."""
        distance = self.distance() / self.width
        return 0.5 * math.exp(-distance) + 0.5 * (distance < BALANCED_W)

    def margin(self) -> float:
        """Return how much nearer than a tenth of a width the centre of mass is [m]."""
        return BALANCED_W * self.width - self.distance()

    def is_well(self) -> bool:
        """Return whether it is balanced."""
        return self.margin() > 0.0

    def about(self) -> dict[str, Any]:
        """Return the distance in module widths."""
        return {"distance_w": self.distance() / self.width}


def _steering_signals(joints: int) -> tuple[ObservedSignal, ...]:
    """Return what is observed of a tree of modules.

    Args:
        joints: how many.
    """
    return (
        ObservedSignal(
            "offset", "of the mass from the line", "module widths", 3, -1e3, 1e3
        ),
        ObservedSignal("joints", "their angles", "rad", joints, -10.0, 10.0),
        ObservedSignal("speeds", "of the joints", "rad/s", joints, -200.0, 200.0),
        ObservedSignal("action", "the last one", "1", joints, -1.0, 1.0),
    )
