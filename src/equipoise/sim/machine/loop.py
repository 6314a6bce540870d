"""Run a walking machine: its sensors, its controller, the bus, its drives, the engine.

One control period is: what acted last and where everything is now, readings of the
sensors, the controller's command, and then the time steps of the engine, each with the
drives' torques at its beginning. The command takes effect after what the bus and the
computer take. A delay of the readings and one of the command are the same to a
controller that has no other input, so both are served there; sensors that are later
than the others have that on top, see ``SensorConfig``.

Nothing is ever reset on the way.
"""

from collections.abc import Callable, Sequence
from time import perf_counter, thread_time

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.contracts import Command
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.sim.disturbances import Push
from equipoise.sim.engine_warnings import collected_warnings
from equipoise.sim.held_forces import HeldForces, held_plan
from equipoise.sim.machine.acn import node_cycle
from equipoise.sim.machine.log import MachineRun
from equipoise.sim.machine.motor_kernel import BY_TORQUE, BY_VOLTS, DriveCommand
from equipoise.sim.machine.setup import (
    Loop,
    Machine,
    MachineConfig,
    WalkingController,
    add_push,
    packed,
    prepared,
)
from equipoise.sim.rollout_log import HUGE, Outcome

__all__ = ["MachineConfig", "MachineRun", "run_machine"]

CLOCK_EVERY = 8  # ticks from one timed tick to the next; reading the clock costs
PROGRESS_PERIOD = 0.05  # [s]


def run_machine(
    world: Machine,
    controller: WalkingController,
    seconds: float,
    *,
    config: MachineConfig | None = None,
    pushes: Sequence[Push] = (),
    forces: HeldForces | None = None,
    watch: Callable[[int, mujoco.MjData], None] | None = None,
    moves: Callable[[mujoco.MjData], None] | None = None,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[mujoco.MjData], bool] | None = None,
    record_every: int = 1,
) -> MachineRun:
    """Run a controller from the world's start and return what happened.

    A state or command that is not finite ends the run with an outcome. The controller
    is asked once before, with a state that is thrown away, to compile it and to learn
    the names of its signals.

    Args:
        world: the machine and where it stands.
        controller: what drives it.
        seconds: how long, at least one control period [s].
        config: rate, delay, drives and sensors; None for the defaults.
        pushes: forces from outside.
        forces: random forces on the trunk.
        watch: called at every tick with its number and the engine's data, kinematics
            fresh and forces those that acted last.
        moves: called at the beginning of every time step with the engine's data, to
            move what moves by itself, a board.
        progress: called with the share done, in [0, 1], about every 50 ms.
        stop: called as ``watch`` is, with the data; True ends the run.
        record_every: ticks from one kept sample to the next; sums (work, slip) lose
            nothing.

    Raises:
        ConfigError: less than one tick, ``record_every`` below 1, a period that is not
            a whole number of time steps, or a machine without drives.
        UnknownNameError: a push on a body that is not there.
    """
    config = config or MachineConfig()
    with collected_warnings() as warnings:
        loop = prepared(world, controller, seconds, config, pushes, record_every)
        ticks = len(loop.push)
        loop.watch, loop.moves, loop.stop = watch, moves, stop
        loop.progress = progress
        if forces is not None:
            add_push(loop, held_plan(forces, ticks, config.period))
        warm_up(loop)
        began = thread_time()
        run_ticks(loop, ticks)
        total = thread_time() - began
    if progress is not None:
        progress(1.0)
    return packed(loop, config.period, total, tuple(warnings))


def warm_up(loop: Loop) -> None:
    """Compile what a tick calls and learn what the controller says."""
    sensors, drives = loop.sensors, loop.drives.copy()
    memory, encoders = sensors.arrays.memory.copy(), sensors.arrays.encoders.copy()
    if loop.ground is not None:
        loop.ground()
    loop.contacts(loop.data, 0.0)
    read(loop, 0)
    command, _ = loop.controller.step(sensors.readings, loop.controller.init())
    loop.signals = tuple(command.telemetry)
    loop.telemetry = np.full((len(loop.rows), len(loop.signals)), np.nan)
    take(loop, 0, command)
    keep(loop, 0)
    loop.samples = 0
    forces = loop.data.qfrc_applied.copy()
    loop.drive()
    loop.drives[:], loop.data.qfrc_applied[:] = drives, forces
    if loop.nodes is not None:
        bank = loop.nodes
        node_cycle(
            0, bank.timeout, bank.halt, bank.arrives[0], loop.ring[0],
            bank.nodes.copy(), loop.active.copy(),
        )  # fmt: skip
    sensors.arrays.memory[:], sensors.arrays.encoders[:] = memory, encoders
    sensors.rewind()


def run_ticks(loop: Loop, ticks: int) -> None:
    """Step until the end, or until something is not finite."""
    model, data, step = loop.model, loop.data, loop.controller.step
    step1, period, readings = (
        mujoco.mj_step1,
        loop.hold * loop.dt,
        loop.sensors.readings,
    )
    state = loop.controller.init()
    t0 = t1 = t2 = t3 = 0.0
    for k in range(ticks + 1):
        is_timed = k % CLOCK_EVERY == 0
        if is_timed:
            t0 = thread_time()
        loop.contacts(data, period if k else 0.0)
        if loop.moves is not None:
            loop.moves(data)
        step1(model, data)
        if is_timed:
            t1 = thread_time()
        if not keep(loop, k):
            loop.outcome = Outcome.NOT_FINITE
            return
        if loop.watch is not None:
            loop.watch(k, data)
        if k == ticks or (loop.stop is not None and loop.stop(data)):
            loop.outcome = Outcome.FINISHED if k == ticks else Outcome.STOPPED
            return
        read(loop, k)
        if is_timed:
            t2 = thread_time()
        command, state = step(readings, state)
        if is_timed:
            t3 = thread_time()
        if not take(loop, k, command):
            loop.outcome = Outcome.BAD_COMMAND
            return
        advance(loop, k)
        if is_timed:
            loop.physics += t1 - t0 + thread_time() - t3
            loop.sensing += t2 - t1
            loop.control += t3 - t2
            report(loop, k / ticks)


def read(loop: Loop, k: int) -> None:
    """Let the sensors read tick ``k``'s state."""
    loop.sensors.draw(k)
    loop.read(k)
    loop.sensors.readings.time = k * loop.sensors.period


def keep(loop: Loop, k: int) -> bool:
    """Keep tick ``k``'s state where it is to be kept; False if it is not finite."""
    is_good = loop.keep(loop.samples, k * loop.sensors.period)
    if is_good:
        loop.is_pending = k % loop.every != 0
        loop.samples += not loop.is_pending
    return is_good


def take(loop: Loop, k: int, command: Command) -> bool:
    """Send a command on its way; False if no motor could obey it."""
    volts = command.volts
    if k % loop.every == 0:
        said, telemetry = loop.telemetry[k // loop.every], command.telemetry
        for j, name in enumerate(loop.signals):
            said[j] = telemetry.get(name, np.nan)
    slot = loop.ring[k % len(loop.ring)]
    if volts is None:
        return take_command(command.tau, command.tau, BY_TORQUE, slot)
    return take_command(command.tau, volts, BY_VOLTS, slot)


@compiled(allocates=False)
def take_command(
    tau: Array, volts: Array, mode: int, out: Records[DriveCommand]
) -> bool:
    """Copy a command; False if it is not finite or absurd."""
    for j in range(out.shape[0]):
        if not (abs(tau[j]) < HUGE and abs(volts[j]) < HUGE):
            return False
        out[j].tau, out[j].volts, out[j].mode = tau[j], volts[j], mode
    return True


def advance(loop: Loop, k: int) -> None:
    """Run the time steps of control period ``k``."""
    data, model, ground = loop.data, loop.model, loop.ground
    if len(loop.pushed):
        data.xfrc_applied[loop.pushed, :3] = loop.push[k]
    for s in range(loop.hold):
        if s > 0 and loop.moves is not None:
            loop.moves(data)
        if s == loop.turn and k >= loop.late:
            deliver(loop, k - loop.late)
        loop.drive()
        if ground is None and s > 0:
            mujoco.mj_step(model, data)
            continue
        if s > 0:
            mujoco.mj_step1(model, data)
        if ground is not None:
            ground()
        mujoco.mj_step2(model, data)


def deliver(loop: Loop, k: int) -> None:
    """Bring tick ``k``'s command into effect."""
    command = loop.ring[k % len(loop.ring)]
    if loop.nodes is None:
        loop.active[:] = command
    else:
        loop.nodes.deliver(k, command, loop.active)


def report(loop: Loop, done: float) -> None:
    """Report the share done now and then."""
    if loop.progress is not None and perf_counter() >= loop.next_report:
        loop.progress(done)
        loop.next_report = perf_counter() + PROGRESS_PERIOD
