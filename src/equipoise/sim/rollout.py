"""Run a controller on a robot in a world, tick by tick, and keep what happened.

The loop knows only ``core.contracts``: a distributed law, a recorded log and a test
stub run the same way. One tick is: kinematics of the present state, readings, command,
forces and integration, so that nothing a controller senses is a step old but the
contact forces, which are those that acted last. A control period of several time steps
holds the command for all of them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter, thread_time
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.contracts import Controller, Sensed
from equipoise.core.errors import ConfigError
from equipoise.sim.bridge import Bridge, sensed_buffer
from equipoise.sim.disturbances import Push, push_plan
from equipoise.sim.engine_warnings import collected_warnings
from equipoise.sim.rollout_log import (
    Cpu,
    Log,
    Outcome,
    Rollout,
    empty_log,
    keep_state,
    keep_tick,
    packed,
)
from equipoise.sim.world import World

__all__ = ["Cpu", "Outcome", "Rollout", "Watch", "rollout", "steps_per_period"]

Watch = Callable[[int, mujoco.MjData], None]
"""Called at each tick with its number and the engine's data, once the forces of the
present state are known; ``data.xpos`` is of that state, ``data.qpos`` already ahead."""

AT_LIMIT = 1.0 - 1e-9  # share of the limit from which a joint is saturated
CLOCK_EVERY = 8  # ticks from one timed tick to the next; reading the clock costs
PROGRESS_PERIOD = 0.05  # [s]


@dataclass(frozen=True)
class Loop:
    """What the loop needs at every tick, looked up once."""

    world: World
    controller: Controller[Any]
    data: mujoco.MjData
    sensed: Sensed
    sense: Bridge
    """Fills it."""
    limit: Array
    """Torque at which a joint is saturated, (nu,)."""
    foot: Array | None
    """Whether a geom is a foot or the ground, (ngeom,); None if it has no feet."""
    every: int
    hold: int
    """Time steps in a tick."""
    pushed: Ints
    """Bodies that are pushed, (np,)."""
    push: Array
    """By what force, (ticks, np, 3) [N]."""
    signals: tuple[str, ...]
    watch: Watch | None
    counts: bool
    """Whether points that touch are counted."""
    progress: Callable[[float], None] | None
    stop: Callable[[Sensed], bool] | None
    log: Log = field(repr=False)

    def clock(
        self, physics: float, sensing: float, control: float, done: float
    ) -> None:
        """Count a timed tick [s], and report the share done now and then."""
        log = self.log
        log.physics += physics
        log.sensing += sensing
        log.control += control
        if self.progress is not None and perf_counter() >= log.next_report:
            self.progress(done)
            log.next_report = perf_counter() + PROGRESS_PERIOD


def rollout(
    world: World,
    controller: Controller[Any],
    seconds: float,
    *,
    period: float | None = None,
    pushes: Sequence[Push] = (),
    signals: Sequence[str] = (),
    watch: Watch | None = None,
    count_contacts: bool = True,
    record_every: int = 10,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[Sensed], bool] | None = None,
) -> Rollout:
    """Run a controller from the world's start and return what happened.

    A state or command that is not finite ends the run; the last states before it are in
    the result. Nothing is ever reset on the way.

    Args:
        world: where the robot stands.
        controller: what drives its joints.
        seconds: how long, at least one tick [s].
        period: of the controller, a whole number of time steps [s]; None for one.
        pushes: forces from outside.
        signals: names of the controller's telemetry to keep at every tick.
        watch: called at every tick, see ``Watch``.
        count_contacts: whether points that touch are counted, which costs some time.
        record_every: ticks from one recorded pose to the next.
        progress: called with the share done, in [0, 1], about every 50 ms.
        stop: called with each tick's readings; True ends the run.

    Raises:
        ConfigError: less than one tick, ``record_every`` below 1, or a period that is
            not a whole number of time steps.
        UnknownNameError: a push on a body that is not there.
    """
    dt = world.config.timestep
    hold = 1 if period is None else steps_per_period(dt, period)
    ticks = expect_ticks(seconds, hold * dt, record_every)
    pushed, push = push_plan(world, pushes, ticks, hold * dt)
    with collected_warnings() as warnings:
        data, sensed = world.start(), sensed_buffer(world, hold * dt)
        loop = Loop(
            world=world,
            controller=controller,
            data=data,
            sensed=sensed,
            sense=Bridge(world, data, sensed),
            limit=torque_limits(world.model),
            foot=foot_geoms(world),
            every=record_every,
            hold=hold,
            pushed=pushed,
            push=push,
            signals=tuple(signals),
            watch=watch,
            counts=count_contacts,
            progress=progress,
            stop=stop,
            log=empty_log(world.model, ticks, record_every, len(signals)),
        )
        warm_up(loop)
        began = thread_time()
        run_ticks(loop, ticks)
        total = thread_time() - began
    if progress is not None:
        progress(1.0)
    return packed(loop.log, record_every, hold * dt, total, warnings)


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
        good = next(n for n in near if is_short(period / n))
        raise ConfigError(
            "the run",
            [
                f"timestep must divide the control period of {period:g} s, "
                f"got {timestep!r}; {period / good:g} would do"
            ],
        )
    return hold


def is_short(number: float) -> bool:
    """Say whether a number can be typed with three digits."""
    return math.isclose(float(f"{number:.3g}"), number, rel_tol=1e-9)


def torque_limits(model: mujoco.MjModel) -> Array:
    """Return the torque at which each actuator is saturated; infinite if unlimited."""
    limited = np.asarray(model.actuator_ctrllimited, dtype=bool)
    bound = np.abs(np.asarray(model.actuator_ctrlrange)).max(axis=1, initial=0.0)
    return np.where(limited, AT_LIMIT * bound, np.inf)


def foot_geoms(world: World) -> Array | None:
    """Return which geoms are feet or the ground: their touching is standing."""
    if not world.robot.feet:
        return None
    names = {*world.robot.feet, "ground"}
    ids = [g for g in range(world.model.ngeom) if world.model.geom(g).name in names]
    mask = np.zeros(world.model.ngeom, dtype=bool)
    mask[ids] = True
    return mask


def warm_up(loop: Loop) -> None:
    """Compile what a tick calls; the controller's state is thrown away."""
    data, log = loop.data, loop.log
    loop.sense()
    command, _ = loop.controller.step(loop.sensed, loop.controller.init())
    if loop.watch is not None:
        loop.watch(0, data)
    if loop.stop is not None:
        loop.stop(loop.sensed)
    keep_state(0, loop.every, data.qpos, data.qvel, log.q, log.last_q, log.last_v)
    keep_tick(
        0, loop.every, com_of(loop), command.tau, loop.limit,
        log.p_WC, log.tau, log.saturation,
    )  # fmt: skip


def com_of(loop: Loop) -> Array:
    """Return the view of the robot's centre of mass, without what is thrown at it."""
    return loop.data.subtree_com[loop.world.root if loop.world.thrown else 0]


def run_ticks(loop: Loop, ticks: int) -> None:
    """Step until the end, or until something is not finite."""
    model, data, log, every = loop.world.model, loop.data, loop.log, loop.every
    sense, sensed, limit, stop = loop.sense, loop.sensed, loop.limit, loop.stop
    qpos, qvel, ctrl, com = data.qpos, data.qvel, data.ctrl, com_of(loop)
    q, last_q, last_v, p_WC = log.q, log.last_q, log.last_v, log.p_WC
    tau_log, saturation, sent, touching = (
        log.tau, log.saturation, log.messages, log.contacts,
    )  # fmt: skip
    foot, step, step1, step2 = (
        loop.foot, loop.controller.step, mujoco.mj_step1, mujoco.mj_step2,
    )  # fmt: skip
    more, signals, said = loop.hold - 1, loop.signals, log.telemetry
    watch, pushed, push, outside = loop.watch, loop.pushed, loop.push, data.xfrc_applied
    is_pushed, counts = len(pushed) > 0, loop.counts
    state, k, t0, t1, t2, t3 = loop.controller.init(), 0, 0.0, 0.0, 0.0, 0.0
    while keep_state(k, every, qpos, qvel, q, last_q, last_v):
        is_timed = k % CLOCK_EVERY == 0
        if is_timed:
            t0 = thread_time()
        step1(model, data)
        if k == ticks:
            p_WC[k] = com
            log.samples = k + 1
            return
        if is_timed:
            t1 = thread_time()
        sense()
        if is_timed:
            t2 = thread_time()
        command, state = step(sensed, state)
        if is_timed:
            t3 = thread_time()
        tau = command.tau
        if not keep_tick(k, every, com, tau, limit, p_WC, tau_log, saturation):
            log.outcome, log.samples = Outcome.BAD_COMMAND, k + 1
            return
        ctrl[:] = tau
        if is_pushed:
            outside[pushed, :3] = push[k]
        step2(model, data)
        if watch is not None:
            watch(k, data)
        if more:
            mujoco.mj_step(model, data, more)
        for j, name in enumerate(signals):
            said[k, j] = command.telemetry[name]
        sent[k] = command.telemetry.get("messages", 0.0)
        if counts:
            touching[k] = data.ncon if foot is None else contacts_of(data, foot)
        if is_timed:
            loop.clock(t1 - t0 + thread_time() - t3, t2 - t1, t3 - t2, k / ticks)
        k += 1
        if stop is not None and stop(sensed):
            log.outcome, ticks = Outcome.STOPPED, k
    log.outcome, log.samples = Outcome.NOT_FINITE, k


def contacts_of(data: mujoco.MjData, foot: Array) -> float:
    """Return how many points touch, the feet's on the ground aside."""
    pairs = np.asarray(data.contact.geom)
    return float(np.count_nonzero(~foot[pairs].all(axis=1)))
