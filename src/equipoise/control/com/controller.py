"""The whole distributed controller: modules talk, then every joint steers by itself."""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.com.exchange import exchange
from equipoise.control.com.goal import Goal, line_goal
from equipoise.control.com.gravity import add_gravity_torques
from equipoise.control.com.law import AbstractLaw
from equipoise.control.com.module_motion import LOAD, Motion, empty_motion
from equipoise.control.com.network import NetState, Network, empty_state, network_of
from equipoise.core.arrays import Array
from equipoise.core.checks import is_number, is_whole
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Command, Sensed
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.seeds import stream
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["ComConfig", "ComController", "ComState"]

MAX_HOP = 1.0  # [s], more is not a link
REST = 0.9  # share of its peak torque that a strained motor gives


@dataclass(frozen=True, kw_only=True, slots=True)
class ComConfig:
    """How modules talk and what they compensate; defaults are the commands'."""

    hop_delay: float = 0.001
    """Time a message takes to a neighbour, a multiple of the control period [s]."""
    loss: float = 0.0
    """Chance that a message is lost, in [0, 1)."""
    gravity_compensation: bool = True
    """Whether each joint holds the weight it knows it carries."""
    gravity: float = GRAVITY
    """Downwards [m/s²]."""
    seed: int = 0
    """Which messages are lost."""

    def __post_init__(self) -> None:
        """Refuse links that cannot be."""
        problems = []
        if not (is_number(self.hop_delay) and 0.0 <= self.hop_delay <= MAX_HOP):
            problems.append(f"hop_delay must be 0 to 1 s, got {self.hop_delay!r}")
        if not (is_number(self.loss) and 0.0 <= self.loss < 1.0):
            problems.append(f"loss must be in [0, 1), got {self.loss!r}")
        if not (is_number(self.gravity) and math.isfinite(self.gravity)):
            problems.append(f"gravity must be finite, got {self.gravity!r}")
        if not (is_whole(self.seed) and self.seed >= 0):
            problems.append(f"seed must be a whole number >= 0, got {self.seed!r}")
        if problems:
            raise ConfigError(type(self).__name__, problems)


@dataclass
class ComState:
    """Everything that changes from tick to tick."""

    net: NetState
    memory: Array
    """The law's own numbers, (joints, width)."""
    strain: Array
    """How long each motor has been asked for all it has, (joints,) [s]."""
    rng: np.random.Generator
    tick: int = 0
    messages: int = 0
    """Sent since the start."""


@final
@dataclass(frozen=True)
class ComController:
    """Runs every module's program at each tick and gathers the joints' torques."""

    assembly: Assembly
    law: AbstractLaw
    config: ComConfig = field(default_factory=ComConfig)
    goal: Goal = field(default_factory=lambda: line_goal((0.0, 0.0)))
    dt: float = 0.001
    """Control period [s]."""

    def __post_init__(self) -> None:
        """Lay out the robot as arrays once."""
        if not (math.isfinite(self.dt) and self.dt > 0.0):
            problem = f"dt must be > 0 s, got {self.dt!r}"
            raise ConfigError("ComController", [problem])
        hop = self.config.hop_delay / self.dt
        if abs(hop - round(hop)) > 1e-9 * max(1.0, hop):
            problem = (
                f"hop_delay must be a multiple of the control period {self.dt:g} s,"
                f" got {self.config.hop_delay!r}"
            )
            raise ConfigError("ComController", [problem])
        net = network_of(self.assembly)
        nm, joints = len(self.assembly.modules), len(net.joint)
        moving = [j.locked is None for j in self.assembly.body.joints]
        free = np.tile(np.array(moving), nm)
        locked = np.tile([j.locked or 0.0 for j in self.assembly.body.joints], (nm, 1))
        effort = np.tile([j.effort for j in self.assembly.body.joints], nm)
        parts = len(net.mass)
        ends = np.array([0, parts - 1])
        skins = np.array([m * parts + e for m in range(nm) for e in ends])
        fixed = {
            "_net": net,
            "_aim": np.vstack([self.goal.frame, self.goal.point]),
            "_at": empty_motion(net),
            "_hop_ticks": round(hop),
            "_free": np.flatnonzero(free),
            "_locked": locked,
            "_effort": effort,
            "_skin": np.zeros((nm * parts, LOAD)),
            "_skin_rows": skins,
            "_q": locked.copy(),
            "_v": np.zeros((nm, joints)),
            "_base": np.zeros((1, 18)),
            "_tau": np.zeros(nm * joints),
            "_command": np.zeros(int(free.sum())),
            "_luck": np.ones(len(net.link)),
        }
        for name, value in fixed.items():
            object.__setattr__(self, name, value)

    _net: Network = field(init=False, repr=False)
    _aim: Array = field(init=False, repr=False)
    _at: Motion = field(init=False, repr=False)
    _hop_ticks: int = field(init=False, repr=False)
    _free: Array = field(init=False, repr=False)
    _locked: Array = field(init=False, repr=False)
    _effort: Array = field(init=False, repr=False)
    _skin: Array = field(init=False, repr=False)
    _skin_rows: Array = field(init=False, repr=False)
    _q: Array = field(init=False, repr=False)
    _v: Array = field(init=False, repr=False)
    _base: Array = field(init=False, repr=False)
    _tau: Array = field(init=False, repr=False)
    _command: Array = field(init=False, repr=False)
    _luck: Array = field(init=False, repr=False)

    def init(self) -> ComState:
        """Return the state before anything was said."""
        joints = self._tau.size
        return ComState(
            net=empty_state(self._net, self._hop_ticks),
            memory=np.full((joints, self.law.memory_width), np.nan),
            strain=np.zeros(joints),
            rng=stream(self.config.seed, "loss"),
        )

    def step(self, sensed: Sensed, state: ComState) -> tuple[Command, ComState]:
        """Let the modules talk once, then let every joint act on what it knows."""
        c = self.config
        gather(
            sensed.q, sensed.v, sensed.skin, sensed.R_WB, sensed.p_WB, sensed.V_WB,
            self._free, self._skin_rows, self._q, self._v, self._skin, self._base,
        )  # fmt: skip
        if c.loss > 0.0:
            state.rng.random(out=self._luck)
        sent = exchange(
            self._net, state.net, self._at, self._q, self._v, self._skin, self._base,
            self._aim, state.tick, self._hop_ticks, c.hop_delay, c.loss,
            self._luck,
        )  # fmt: skip
        rows, tau = state.net.rows, self._tau
        self.law.torques(rows, self.goal, state.memory, sensed.dt, tau)
        weight = c.gravity if c.gravity_compensation else 0.0
        finish(
            rows, weight, self._effort, self._free, self.law.stamina, sensed.dt,
            state.strain, tau, self._command,
        )  # fmt: skip
        state.tick += 1
        state.messages += sent
        return Command(self._command, {"messages": float(sent)}), state


@compiled(allocates=False)
def gather(
    q: Array,
    v: Array,
    skin: Array,
    R_WB: Array,
    p_WB: Array,
    V_WB: Array,
    free: Array,
    skin_rows: Array,
    all_q: Array,
    all_v: Array,
    loads: Array,
    base: Array,
) -> None:
    """Lay the readings out by module: every joint, every part, the grounded part."""
    joints = all_q.shape[1]
    for k in range(free.shape[0]):
        all_q[free[k] // joints, free[k] % joints] = q[k]
        all_v[free[k] // joints, free[k] % joints] = v[k]
    for k in range(skin_rows.shape[0]):
        for a in range(6):
            loads[skin_rows[k], 13 + a] = skin[k, a]
    for a in range(3):
        for b in range(3):
            base[0, 3 * a + b] = R_WB[a, b]
        base[0, 9 + a] = p_WB[a]
        base[0, 12 + a] = V_WB[a]
        base[0, 15 + a] = V_WB[3 + a]


@compiled(allocates=False)
def finish(
    rows: Array,
    weight: float,
    effort: Array,
    free: Array,
    stamina: float,
    dt: float,
    strain: Array,
    tau: Array,
    out: Array,
) -> None:
    """Add gravity compensation, keep within the motors' limits, drop locked joints.

    A motor that has been asked for all it has for longer than ``stamina`` seconds gives
    only ``REST`` of it until less is asked: pressing on against an obstacle for good
    would gain nothing and burn the motor.
    """
    if weight != 0.0:
        add_gravity_torques(rows, weight, tau)
    for k in range(free.shape[0]):
        j = free[k]
        value = tau[j] if tau[j] == tau[j] else 0.0  # a NaN must not reach a motor
        if abs(value) >= effort[j]:
            strain[j] += dt
        else:
            strain[j] = max(strain[j] - dt, 0.0)
        most = effort[j] if strain[j] <= stamina else REST * effort[j]
        out[k] = min(max(value, -most), most)
