"""Run a controller on a plant, tick by tick, and keep what happened.

The one loop: a distributed law, a walking controller, a recorded log and a test stub
run the same way, on a robot that obeys torques at once or on a machine with drives,
sensors and a bus (``sim.plant``). One tick is: kinematics of the present state,
readings, command, forces and integration. A control period of several time steps has
one command. Nothing is ever reset on the way.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.contracts import Controller, expect_answer
from equipoise.core.errors import ConfigError
from equipoise.sim.disturbances import Push
from equipoise.sim.engine_warnings import collected_warnings
from equipoise.sim.held_forces import HeldForces, held_plan
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.plant import Moves, Plant, PlantConfig, RunPlan, Stop, Watch
from equipoise.sim.push_plan import push_plan
from equipoise.sim.run import Cpu, Outcome, Run
from equipoise.sim.world import World

__all__ = ["Outcome", "Run", "rollout", "steps_per_period"]

CLOCK_EVERY = 8  # ticks from one timed tick to the next; reading the clock costs
PROGRESS_PERIOD = 0.05  # [s]


def rollout(
    world: World,
    controller: Controller[Any],
    seconds: float,
    *,
    plant: PlantConfig | None = None,
    pushes: Sequence[Push] = (),
    forces: HeldForces | None = None,
    signals: Sequence[str] | None = None,
    watch: Watch | None = None,
    moves: Moves | None = None,
    stop: Stop | None = None,
    record_every: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Run:
    """Run a controller from the world's start and return the run.

    A state or command that is not finite ends the run with an outcome. ``init`` is
    called once; the first ticks, in which things are compiled, are not timed.

    Args:
        world: the robot and where it stands.
        controller: what drives its joints.
        seconds: how long, at least one tick [s].
        plant: ``IdealConfig`` or ``MachineConfig``; None for an ideal one with a
            command every time step.
        pushes: forces from outside.
        forces: random forces on the base.
        signals: names of the controller's telemetry to keep; None for all that it says
            at its first tick.
        watch: called at every tick, see ``Watch``.
        moves: called before every time step, see ``Moves``.
        stop: called at every tick, see ``Stop``.
        record_every: ticks from one kept frame to the next, of a machine from one kept
            sample to the next; sums lose nothing. None for the plant's own.
        progress: called with the share done, in [0, 1], about every 50 ms.

    Raises:
        ConfigError: less than one tick, ``record_every`` below 1, a period that is not
            a whole number of time steps, a plant that the world is not made for, or a
            controller whose first answer is no command.
        UnknownNameError: a push on a body that is not there.
    """
    kind = plant or IdealConfig()
    dt = float(world.model.opt.timestep)
    hold = 1 if kind.period is None else steps_per_period(dt, kind.period)
    every = kind.every if record_every is None else record_every
    ticks = expect_ticks(seconds, hold * dt, every)
    pushed, push = outside_forces(world, pushes, forces, ticks, hold * dt)
    plan = RunPlan(
        world=world,
        ticks=ticks,
        hold=hold,
        every=every,
        pushed=pushed,
        push=push,
        signals=None if signals is None else tuple(signals),
        watch=watch,
        moves=moves,
        stop=stop,
    )
    with collected_warnings() as warnings:
        runs, clock = kind.plant(plan), Clock(progress)
        outcome = _run_ticks(runs, controller, ticks, clock)
    if progress is not None:
        progress(1.0)
    return runs.run(outcome, clock.cpu(), warnings)


@dataclass
class Clock:
    """Processor time by what it went into, from some ticks, and who is told."""

    progress: Callable[[float], None] | None
    began: float = 0.0
    total: float = 0.0
    physics: float = 0.0
    sensing: float = 0.0
    control: float = 0.0
    next_report: float = 0.0

    def report(self, done: float) -> None:
        """Report the share done, now and then."""
        if self.progress is not None and perf_counter() >= self.next_report:
            self.progress(done)
            self.next_report = perf_counter() + PROGRESS_PERIOD

    def end(self, k: int, settled: int) -> None:
        """Take the time of ``k`` ticks, of which the first ones were not timed."""
        timed = thread_time() - self.began
        self.total = timed * k / (k - settled) if k > settled else timed

    def cpu(self) -> Cpu:
        """Return the parts, from the timed ticks to all of them."""
        parts = (self.physics, self.sensing, self.control)
        scale = self.total / max(sum(parts), 1e-12)
        return Cpu(self.total, *(scale * part for part in parts))


def _run_ticks(
    plant: Plant, controller: Controller[Any], ticks: int, clock: Clock
) -> Outcome:
    """Step until the end, or until something is not finite; return which it was."""
    record, read, apply, advance = plant.record, plant.read, plant.apply, plant.advance
    step, state, settled = controller.step, controller.init(), plant.settled
    t0 = t1 = t2 = t3 = 0.0
    clock.began = thread_time()
    outcome, k = Outcome.FINISHED, 0
    while True:
        if k == settled:
            clock.began = thread_time()
        is_timed = k % CLOCK_EVERY == 0 and k >= settled
        if is_timed:
            t0 = thread_time()
        if not record(k):
            outcome = Outcome.NOT_FINITE
            break
        if plant.is_over:
            outcome = Outcome.STOPPED
            break
        if k == ticks:
            break
        if is_timed:
            t1 = thread_time()
        readings = read(k)
        if is_timed:
            t2 = thread_time()
        answer = step(readings, state)
        if k == 0:
            expect_answer(answer, plant.joints)
        command, state = answer
        if is_timed:
            t3 = thread_time()
        if not apply(k, command):
            outcome = Outcome.BAD_COMMAND
            break
        advance(k)
        if is_timed:
            clock.physics += t1 - t0 + thread_time() - t3
            clock.sensing += t2 - t1
            clock.control += t3 - t2
        if k % CLOCK_EVERY == 0:
            clock.report(k / ticks)
        k += 1
    clock.end(k, settled)
    return outcome


def outside_forces(
    world: World,
    pushes: Sequence[Push],
    forces: HeldForces | None,
    ticks: int,
    period: float,
) -> tuple[Ints, Array]:
    """Return which bodies are pushed, (np,), and by what, (ticks, np, 3) [N]."""
    pushed, push = push_plan(world, pushes, ticks, period)
    if forces is None:
        return pushed, push
    if world.base not in pushed:
        pushed = np.append(pushed, world.base)
        push = np.concatenate([push, np.zeros((ticks, 1, 3))], axis=1)
    push[:, list(pushed).index(world.base)] += held_plan(forces, ticks, period)
    return pushed, push


def expect_ticks(seconds: float, dt: float, record_every: int) -> int:
    """Return the number of ticks, or say what is wrong."""
    problems = []
    if not (np.isfinite(seconds) and seconds >= 0.5 * dt):
        problems.append(
            f"seconds must be at least one tick of {dt:g} s, got {seconds!r}"
        )
    if record_every < 1:
        problems.append(f"record_every must be >= 1, got {record_every!r}")
    if problems:
        raise ConfigError("a rollout", problems)
    return round(seconds / dt)


def steps_per_period(timestep: float, period: float) -> int:
    """Return how many time steps a control period has.

    Args:
        timestep: of the simulation [s].
        period: of the controller [s].

    Raises:
        ConfigError: the time step does not divide the period.
    """
    hold = max(1, round(period / timestep))
    if abs(hold * timestep - period) > 1e-6 * timestep:
        near = sorted(range(1, 2 * hold + 2), key=lambda n: abs(period / n - timestep))
        good = next(n for n in near if _is_short(period / n))
        raise ConfigError(
            "the run",
            [
                f"timestep must divide the control period of {period:g} s, "
                f"got {timestep!r}; {period / good:g} would do"
            ],
        )
    return hold


def _is_short(number: float) -> bool:
    """Return whether a number can be typed with three digits."""
    return math.isclose(float(f"{number:.3g}"), number, rel_tol=1e-9)
