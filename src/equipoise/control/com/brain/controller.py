"""All modules of a robot in one process, over wires that lose, double and delay.

Every module is alone, as in a process of its own: nothing but 64-byte frames passes
from one to another. Modules can crash and start anew while the robot runs.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.com.brain import state as st
from equipoise.control.com.brain.brain import Brain, BrainConfig
from equipoise.control.com.brain.wires import Wires, carry, empty_wires
from equipoise.control.com.goal import Goal, line_goal
from equipoise.control.com.law import AbstractLaw
from equipoise.control.com.network import network_of
from equipoise.core.arrays import Array, Ints
from equipoise.core.checks import is_number, is_whole
from equipoise.core.contracts import Command, Sensed
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.seeds import stream
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["Crash", "FramedConfig", "FramedController", "FramedState"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Crash:
    """A module whose program dies; its joints have no torque until it is back."""

    module: int
    """Its index."""
    time: float
    """When, since the start [s]."""
    seconds: float
    """For how long; then it starts anew, without any memory [s]."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FramedConfig:
    """What the wires do to frames, and which modules crash."""

    brain: BrainConfig = field(default_factory=BrainConfig)
    """What each module does."""
    loss: float = 0.0
    """Chance that a frame is lost, in [0, 1)."""
    duplication: float = 0.0
    """Chance that a frame comes twice, in [0, 1]."""
    delay: float = 0.0
    """Chance that a frame comes late, in [0, 1]."""
    most_delay: int = 3
    """How late at most; the protocol allows for its ``delta`` [rounds]."""
    crashes: tuple[Crash, ...] = ()
    """Modules that die and come back."""
    seed: int = 0
    """Of the wires' faults and of the modules' own draws."""

    def __post_init__(self) -> None:
        """Report all problems together.

        Raises:
            ConfigError: a number out of its range.
        """
        problems: list[str] = []
        if not (is_number(self.loss) and 0.0 <= self.loss < 1.0):
            problems.append(f"loss must be in [0, 1), got {self.loss!r}")
        for name in ("duplication", "delay"):
            value = getattr(self, name)
            if not (is_number(value) and 0.0 <= value <= 1.0):
                problems.append(f"{name} must be in [0, 1], got {value!r}")
        if not (is_whole(self.most_delay) and 0 <= self.most_delay <= 100):
            problems.append(f"most_delay must be 0 to 100, got {self.most_delay!r}")
        if not (is_whole(self.seed) and self.seed >= 0):
            problems.append(f"seed must be a whole number >= 0, got {self.seed!r}")
        for crash in self.crashes:
            if not (crash.time >= 0.0 and crash.seconds > 0.0):
                problems.append(f"a crash needs time >= 0 and seconds > 0, got {crash}")
        if problems:
            raise ConfigError("FramedConfig", problems)


@dataclass
class FramedState:
    """Everything that changes from tick to tick."""

    brain: Brain
    wires: Wires
    rng: np.random.Generator
    tick: int = 0
    sent: int = 0
    """Frames since the start."""
    lost: int = 0
    """Of these, how many the wires lost."""


@final
@dataclass(frozen=True)
class FramedController:
    """Carries frames between the modules' programs and gathers their torques."""

    assembly: Assembly
    law: AbstractLaw | None = None
    """How joints steer; None for the recommended law."""
    config: FramedConfig = field(default_factory=FramedConfig)
    goal: Goal = field(default_factory=lambda: line_goal((0.0, 0.0)))

    def __post_init__(self) -> None:
        """Lay out where the readings go, once.

        Raises:
            ConfigError: a crash of a module that is not there.
        """
        nm, body = len(self.assembly.modules), self.assembly.body
        for crash in self.config.crashes:
            if not 0 <= crash.module < nm:
                problem = f"crash names module {crash.module}, there are 0 to {nm - 1}"
                raise ConfigError("FramedController", [problem])
        moving = np.tile([j.locked is None for j in body.joints], nm)
        ends = [0, len(body.parts) - 1]
        skins = [m * len(body.parts) + end for m in range(nm) for end in ends]
        object.__setattr__(self, "_link", network_of(self.assembly).link)
        object.__setattr__(self, "_free", np.flatnonzero(moving))
        object.__setattr__(self, "_skins", np.array(skins, np.int64))

    _link: Ints = field(init=False, repr=False)
    _free: Ints = field(init=False, repr=False)
    _skins: Ints = field(init=False, repr=False)

    def init(self) -> FramedState:
        """Return the state at power-on: nobody has heard anything."""
        c = self.config
        nm = len(self.assembly.modules)
        return FramedState(
            brain=Brain(self.assembly, range(nm), c.brain, c.seed, self.law, self.goal),
            wires=empty_wires(self._link, c.most_delay if c.delay > 0.0 else 0),
            rng=stream(c.seed, "wires"),
        )

    def step(self, sensed: Sensed, state: FramedState) -> tuple[Command, FramedState]:
        """Deliver the frames that are due, run every module, send what they say."""
        c, brain, wires = self.config, state.brain, state.wires
        for crash in c.crashes:
            self._crash(crash, sensed.time, brain)
        slot = state.tick % len(wires.waiting)
        brain.take_many(wires.frames[slot], wires.where[slot], int(wires.waiting[slot]))
        wires.waiting[slot] = 0
        s = brain.senses
        lay_out(
            sensed.q, sensed.v, sensed.skin, sensed.R_WB, sensed.p_WB, sensed.V_WB,
            self._free, self._skins, self.assembly.ground.module,
            s.q, s.rate, s.skin, s.anchor,
        )  # fmt: skip
        brain.tick()
        ends = len(self._link)
        luck = state.rng.random((ends, 4))
        sent, lost = carry(
            wires, brain.frames.reshape(ends, -1), brain.sends.reshape(ends),
            state.tick, len(self.assembly.body.connectors),
            (c.loss, c.duplication, c.delay), luck,
        )  # fmt: skip
        state.tick += 1
        state.sent += sent
        state.lost += lost
        telemetry = {
            "messages": float(sent),
            "known": float(brain.report[:, st.R_KNOWN].mean()),
            "holds": float(brain.report[:, st.R_HOLDS].mean()),
        }
        return Command(brain.tau.ravel()[self._free], telemetry), state

    def _crash(self, crash: Crash, time: float, brain: Brain) -> None:
        """Stop a module when its time has come, and start it when it is over."""
        half = 0.5 * self.config.brain.dt
        is_down = crash.time - half <= time < crash.time + crash.seconds - half
        if is_down and brain.alive[crash.module]:
            brain.stop(crash.module)
        elif not is_down and not brain.alive[crash.module]:
            if time >= crash.time + crash.seconds - half:
                brain.boot(crash.module)


@compiled(allocates=False)
def spread(
    q: Array,
    v: Array,
    skin: Array,
    free: Ints,
    skins: Ints,
    all_q: Array,
    all_v: Array,
    pushes: Array,
) -> None:
    """Write every module's joints and skins."""
    joints = all_q.shape[1]
    for k in range(free.shape[0]):
        all_q[free[k] // joints, free[k] % joints] = q[k]
        all_v[free[k] // joints, free[k] % joints] = v[k]
    for k in range(skins.shape[0]):
        for a in range(6):
            pushes[skins[k], a] = skin[k, a]


@compiled(allocates=False)
def lay_out(
    q: Array,
    v: Array,
    skin: Array,
    R_WB: Array,
    p_WB: Array,
    V_WB: Array,
    free: Ints,
    skins: Ints,
    ground: int,
    all_q: Array,
    all_v: Array,
    pushes: Array,
    anchor: Array,
) -> None:
    """Lay the readings out by module: every joint, every part, the grounded part."""
    spread(q, v, skin, free, skins, all_q, all_v, pushes)
    for a in range(3):
        for b in range(3):
            anchor[ground, 3 * a + b] = R_WB[a, b]
        anchor[ground, 9 + a] = p_WB[a]
        anchor[ground, 12 + a] = V_WB[a]
        anchor[ground, 15 + a] = V_WB[3 + a]
