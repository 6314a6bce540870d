"""The one loop turned inside out: whoever holds a stepper says when a tick happens.

A live view and a learner's environment ask for readings and give commands themselves.
A run by a stepper is the run that ``sim.rollout`` makes, to the bit, as long as nobody
pushes.
"""

from collections.abc import Sequence
from typing import Any, final

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.contracts import Command, expect_answer
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.sim.disturbances import Push
from equipoise.sim.held_forces import HeldForces
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.plant import Moves, PlantConfig, RunPlan, Stop, Watch
from equipoise.sim.rollout import expect_ticks, outside_forces, steps_per_period
from equipoise.sim.run import Outcome
from equipoise.sim.world import World

__all__ = ["Stepper"]


@final
class Stepper:
    """A robot in its world that is read, told and moved on from outside.

        stepper = Stepper(world, horizon=10.0)
        while (readings := stepper.sense()) is not None and not stepper.is_over:
            command, state = controller.step(readings, state)
            stepper.act(command)

    Args:
        world: the robot and where it stands.
        plant: ``IdealConfig`` or ``MachineConfig``; None for an ideal one with a
            command every time step.
        horizon: how long it can go on, at least one tick; memory for that is taken
            now [s].
        pushes: forces from outside, at their times.
        forces: random forces on the base.
        watch: called at every tick, see ``sim.plant.Watch``.
        moves: called before every time step, see ``sim.plant.Moves``.
        stop: called at every tick; True sets ``is_over``.

    Raises:
        ConfigError: less than one tick, a period that is not a whole number of time
            steps, or a plant that the world is not made for.
        UnknownNameError: a push on a body that is not there.
    """

    def __init__(
        self,
        world: World,
        plant: PlantConfig | None = None,
        *,
        horizon: float,
        pushes: Sequence[Push] = (),
        forces: HeldForces | None = None,
        watch: Watch | None = None,
        moves: Moves | None = None,
        stop: Stop | None = None,
    ) -> None:
        kind, dt = plant or IdealConfig(), float(world.model.opt.timestep)
        hold = 1 if kind.period is None else steps_per_period(dt, kind.period)
        ticks = expect_ticks(horizon, hold * dt, 1)
        pushed, push = outside_forces(world, pushes, forces, ticks, hold * dt)
        self.plan = RunPlan(
            world=world,
            ticks=ticks,
            hold=hold,
            every=ticks,  # nothing but the first state and the last is kept
            pushed=pushed,
            push=push,
            signals=(),
            watch=watch,
            moves=moves,
            stop=stop,
        )
        self.plant = kind.plant(self.plan)
        self.tick = 0
        """Control periods that have passed."""
        self.outcome: Outcome | None = None
        """How it ended; None while it goes on."""

    @property
    def world(self) -> World:
        """The robot and where it stands."""
        return self.plan.world

    @property
    def model(self) -> mujoco.MjModel:
        """Model of the engine."""
        return self.plan.world.model

    @property
    def data(self) -> mujoco.MjData:
        """Of the engine, kinematics fresh once ``sense`` was called."""
        return self.plant.data

    @property
    def period(self) -> float:
        """Time from one tick to the next [s]."""
        return self.plan.period

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.tick * self.plan.period

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or ``stop`` said so."""
        return self.outcome is not None or self.plant.is_over

    def sense(self) -> Any:
        """Return what a controller is told now; None if it has ended.

        To be called once a tick, before ``act``; the next tick overwrites what is
        returned.
        """
        if self.outcome is not None:
            return None
        if not self.plant.record(self.tick):
            self.outcome = Outcome.NOT_FINITE
        elif self.plant.is_over:
            self.outcome = Outcome.STOPPED
        elif self.tick == self.plan.ticks:
            self.outcome = Outcome.FINISHED
        return None if self.outcome is not None else self.plant.read(self.tick)

    def act(self, command: Command) -> bool:
        """Take a command and run its control period; False if no motor could obey it.

        Args:
            command: what the joints are asked to do.

        Raises:
            ConfigError: the first one is no command.
        """
        if self.outcome is not None:
            return False
        if self.tick == 0:
            expect_answer((command, None), self.plant.joints)
        if not self.plant.apply(self.tick, command):
            self.outcome = Outcome.BAD_COMMAND
            return False
        self.plant.advance(self.tick)
        self.tick += 1
        return True

    def push(self, body: str, force: ArrayLike) -> None:
        """Push a body at its centre of mass until another force is told.

        Args:
            body: its name.
            force: in world axes, (3,), zeros to let go [N].

        Raises:
            UnknownNameError: no such body.
            ConfigError: a force that is not three finite numbers, a body that is pushed
                already by a plan, or a foot that the engine does not carry.
        """
        names = [self.model.body(b).name for b in range(self.model.nbody)]
        if body not in names[1:]:
            raise UnknownNameError("body", body, names[1:], self.world.robot.name)
        which, pushes = names.index(body), _expect_force(body, force)
        problems = []
        if which in self.plan.pushed:
            problems.append(f"'{body}' is already pushed by a plan; name another body")
        if self.world.ground is not None and self.is_foot(which):
            problems.append(f"'{body}' has a foot; it can be pushed on ground 'mujoco'")
        if problems:
            raise ConfigError("a push", problems)
        self.data.xfrc_applied[which, :3] = pushes

    def is_foot(self, body: int) -> bool:
        """Return whether a foot is on a body.

        Args:
            body: its number.
        """
        feet = self.world.robot.feet
        return any(int(self.model.geom(foot).bodyid[0]) == body for foot in feet)


def _expect_force(body: str, force: ArrayLike) -> Array:
    """Return a force as three finite numbers, or say what is wrong with it."""
    try:
        numbers = np.asarray(force, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (3,) or not np.isfinite(numbers).all():
        problem = f"force must be three finite numbers in newtons, got {force!r}"
        raise ConfigError(f"a push of '{body}'", [problem])
    return numbers
