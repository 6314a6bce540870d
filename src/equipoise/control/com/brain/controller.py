"""All modules of a robot in one process, over wires that lose, double and delay.

Every module is alone, as in a process of its own: nothing but 64-byte frames passes
from one to another. Modules can crash and start anew while the robot runs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, final

import numpy as np

from equipoise.control.com.brain.brain import Brain, BrainConfig
from equipoise.control.com.brain.mail import Letters
from equipoise.control.com.brain.wires import FrameWires, deliver_later, idle_wires
from equipoise.control.com.goal import ComGoal, line_goal
from equipoise.control.com.law import AbstractLaw
from equipoise.control.com.loads import MovingFrame
from equipoise.control.com.network import network_of
from equipoise.control.com.readings import (
    ModuleReadings,
    lay_out,
    readings_by_module,
)
from equipoise.control.timeline import Moment, Timeline
from equipoise.core.arrays import Ints
from equipoise.core.contracts import Command, Sensed
from equipoise.core.errors import ConfigError
from equipoise.core.records import Records
from equipoise.core.seeds import Blocks
from equipoise.core.setting import Setting, Settings
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["Crash", "FramedConfig", "FramedController", "FramedState"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Crash:
    """Crash of a module's program; its joints have no torque until it is back."""

    module: int
    """Index of the module."""
    time: float
    """Time of the crash since the start [s]."""
    seconds: float
    """Duration, after which the module restarts without any memory [s]."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FramedConfig(Settings):
    """Faults of the links, and crashes of modules."""

    brain: BrainConfig = field(default_factory=BrainConfig)
    """Settings of each module."""
    loss: Annotated[
        float, Setting("Probability that a frame is lost", least=0.0, below=1.0)
    ] = 0.0
    duplication: Annotated[
        float, Setting("Probability that a frame arrives twice", least=0.0, most=1.0)
    ] = 0.0
    delay: Annotated[
        float, Setting("Probability that a frame arrives late", least=0.0, most=1.0)
    ] = 0.0
    most_delay: Annotated[
        int,
        Setting(
            "Largest delay of a late frame in rounds; the protocol allows for its "
            "`delta`",
            least=0,
            most=100,
        ),
    ] = 3
    crashes: tuple[Crash, ...] = ()
    """Crashes of modules."""
    seed: Annotated[
        int,
        Setting(
            "Seed of the faults of the wires and of the modules' own random numbers",
            least=0,
        ),
    ] = 0

    def problems(self) -> Iterator[str]:
        """Yield the problems of the crashes, as phrases."""
        for crash in self.crashes:
            if not (crash.time >= 0.0 and crash.seconds > 0.0):
                yield f"a crash needs time >= 0 and seconds > 0, got {crash}"


TICK, SENT, LOST = range(3)
"""Places in ``FramedRun.counts``."""


@dataclass(frozen=True)
class FramedRun:
    """The modules and wires of one run, changed in place."""

    config: FramedConfig
    brain: Brain
    wires: FrameWires
    readings: ModuleReadings
    counts: Ints
    """(3,) ticks, frames sent, and frames that the wires lost, since the start."""
    luck: Blocks

    @property
    def arrays(self) -> list[Any]:
        """All that a tick changes."""
        return [*self.brain.arrays, *self.wires, self.counts]

    def deliver(self) -> Letters:
        """Hand the frames that are due to their receivers; return them."""
        wires, slot = self.wires, int(self.counts[TICK]) % len(self.wires.waiting)
        frames, where = wires.frames[slot], wires.where[slot]
        letters = Letters(frames, where, int(wires.waiting[slot]))
        self.brain.take_letters(letters)
        wires.waiting[slot] = 0
        return letters

    def send(self) -> int:
        """Put what the modules say on the wires; return how many frames that is."""
        c, brain, tick = self.config, self.brain, int(self.counts[TICK])
        ends, ports = len(self.wires.link), brain.sends.shape[1]
        draws, faults = np.empty((ends, 4)), (c.loss, c.duplication, c.delay)
        self.luck.fill(tick, draws)
        frames, sends = brain.frames.reshape(ends, -1), brain.sends.reshape(ends)
        sent, lost = deliver_later(
            self.wires, frames, sends, tick, ports, faults, draws
        )
        self.counts[:] += (1, sent, lost)
        return sent

    def advance(self, sensed: Sensed) -> Command:
        """Deliver the frames that are due, run every module, send their frames."""
        brain = self.brain
        for crash in self.config.crashes:
            if is_down(crash, sensed.time, self.config.brain.dt):
                if brain.alive[crash.module]:
                    brain.stop(crash.module)
            elif not brain.alive[crash.module] and sensed.time >= crash.time:
                brain.boot(crash.module)
        self.deliver()
        lay_out(sensed, self.readings)
        brain.tick()
        telemetry = {
            "messages": float(self.send()),
            "known": float(brain.report["known"].mean()),
            "holds": float(brain.report["holds"].mean()),
        }
        return Command(brain.tau.ravel()[self.readings.free], telemetry)


def is_down(crash: Crash, time: float, dt: float) -> bool:
    """Return whether a crashed module is down at a time [s], ticks being dt apart."""
    return crash.time - 0.5 * dt <= time < crash.time + crash.seconds - 0.5 * dt


def framed_run(
    assembly: Assembly, config: FramedConfig, brain: Brain, base: Records[MovingFrame]
) -> FramedRun:
    """Return the modules and wires of a run that has not begun.

    Args:
        assembly: the robot.
        config: what the wires do.
        brain: all its modules.
        base: where the grounded part's frame is read to, (1,).
    """
    link = network_of(assembly).link
    senses, readings = brain.senses, readings_by_module(assembly)
    return FramedRun(
        config,
        brain,
        idle_wires(link, config.most_delay if config.delay > 0.0 else 0),
        readings._replace(q=senses.q, rate=senses.rate, skin=senses.skin, base=base),
        np.zeros(3, np.int64),
        Blocks(config.seed, "wires", 4 * len(link)),
    )


@dataclass(frozen=True)
class FramedState:
    """Everything that changes from tick to tick, at one moment of a run."""

    timeline: Timeline[Command]
    moment: Moment
    run: FramedRun
    """At the last moment that was stepped to; see ``brain``."""

    @property
    def brain(self) -> Brain:
        """The modules' programs at this moment; read them before the next step."""
        self.timeline.go_to(self.moment)
        return self.run.brain

    @property
    def sent(self) -> int:
        """Frames until this moment."""
        self.timeline.go_to(self.moment)
        return int(self.run.counts[SENT])

    @property
    def lost(self) -> int:
        """Of these, how many the wires lost."""
        self.timeline.go_to(self.moment)
        return int(self.run.counts[LOST])


@final
@dataclass(frozen=True)
class FramedController:
    """Controller that carries frames between modules and gathers their torques."""

    assembly: Assembly
    law: AbstractLaw | None = None
    """Law by which joints steer; None for the recommended law."""
    config: FramedConfig = field(default_factory=FramedConfig)
    goal: ComGoal = field(default_factory=lambda: line_goal((0.0, 0.0)))

    def __post_init__(self) -> None:
        """Check the crashes.

        Raises:
            ConfigError: a crash of a module that is not there.
        """
        problems = crash_problems(self.config, self.assembly)
        if problems:
            raise ConfigError("FramedController", problems)

    def init(self) -> FramedState:
        """Return the state at power-on: no module has received anything."""
        c, ground = self.config, self.assembly.ground.module
        every = range(len(self.assembly.modules))
        brain = Brain(self.assembly, every, c.brain, c.seed, self.law, self.goal)
        base = brain.senses.anchor[ground : ground + 1]
        run = framed_run(self.assembly, c, brain, base)
        timeline = Timeline(run.arrays, run.advance)
        return FramedState(timeline, timeline.now, run)

    def step(self, sensed: Sensed, state: FramedState) -> tuple[Command, FramedState]:
        """Deliver the frames that are due, run every module, send their frames."""
        command = state.timeline.step(state.moment, sensed)
        return command, FramedState(state.timeline, state.timeline.now, state.run)


def crash_problems(config: FramedConfig, assembly: Assembly) -> list[str]:
    """Return crashes of modules that are not there."""
    nm = len(assembly.modules)
    return [
        f"crash names module {crash.module}, there are 0 to {nm - 1}"
        for crash in config.crashes
        if not 0 <= crash.module < nm
    ]
