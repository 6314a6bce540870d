"""The whole distributed controller: modules talk, then every joint steers by itself."""

import math
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, final

import numpy as np

from equipoise.control.com.exchange import Inputs, Links, exchange
from equipoise.control.com.goal import ComGoal, line_goal
from equipoise.control.com.gravity import add_gravity_torques
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.law import AbstractLaw
from equipoise.control.com.module_motion import ModuleScratch, empty_scratch
from equipoise.control.com.network import (
    NetState,
    Network,
    PortMail,
    empty_ports,
    empty_state,
    network_of,
    next_state,
)
from equipoise.control.com.readings import (
    ModuleReadings,
    lay_out_sensed,
    readings_by_module,
)
from equipoise.control.sensed_room import SensedRoom
from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import cached_dispatch
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Command, Sensed
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.seeds import Blocks
from equipoise.core.setting import Setting, Settings
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["ComConfig", "ComController", "ComState"]

MAX_HOP = 1.0  # [s], more is not a link
REST = 0.9  # share of its peak torque that a strained motor gives


@dataclass(frozen=True, kw_only=True, slots=True)
class ComConfig(Settings):
    """Properties of links and joints; the defaults are those of the commands."""

    hop_delay: Annotated[
        float,
        Setting(
            "Time that a message takes to a neighbour, a multiple of the control "
            "period",
            "s",
            least=0.0,
            most=MAX_HOP,
        ),
    ] = 0.001
    loss: Annotated[
        float, Setting("Probability that a message is lost", least=0.0, below=1.0)
    ] = 0.0
    gravity_compensation: Annotated[
        bool, Setting("Whether each joint holds the weight that it knows it carries")
    ] = True
    gravity: Annotated[float, Setting("Acceleration of gravity, downwards", "m/s²")] = (
        GRAVITY
    )
    seed: Annotated[int, Setting("Seed of the losses of messages", least=0)] = 0


class MotorLimits(NamedTuple):
    """Limits of the joints' motors, and the torques requested of them."""

    free: Ints
    """Joints that move, of all joints module by module."""
    effort: Array
    """(joints,) largest torque [N m or N]."""
    stamina: float
    """How long a motor may be asked for all it has [s]."""
    gravity: float
    """0 where joints shall not hold the weight on them [m/s²]."""


@dataclass(frozen=True, slots=True)
class ComState:
    """State that changes from tick to tick."""

    net: NetState
    under_way: tuple[Records[PortMail], ...]
    """Messages under way, oldest first, for as many ticks as one takes."""
    memory: Array
    """Memory of the law, (joints, width)."""
    strain: Array
    """Time for which each motor has been at its torque limit, (joints,) [s]."""
    tick: int = 0
    messages: int = 0
    """Number of messages sent since the start."""


@final
@dataclass(frozen=True)
class ComController:
    """Controller that runs every module's program at each tick."""

    assembly: Assembly
    law: AbstractLaw
    config: ComConfig = field(default_factory=ComConfig)
    goal: ComGoal = field(default_factory=lambda: line_goal((0.0, 0.0)))
    dt: float = 0.001
    """Control period [s]."""

    def __post_init__(self) -> None:
        """Lay out the robot as arrays once."""
        if not (math.isfinite(self.dt) and self.dt > 0.0):
            problem = f"dt must be > 0 s, got {self.dt!r}"
            raise ConfigError("ComController", [problem])
        c, hop = self.config, self.config.hop_delay / self.dt
        if abs(hop - round(hop)) > 1e-9 * max(1.0, hop):
            problem = (
                f"hop_delay must be a multiple of the control period {self.dt:g} s,"
                f" got {c.hop_delay!r}"
            )
            raise ConfigError("ComController", [problem])
        net, readings = network_of(self.assembly), readings_by_module(self.assembly)
        joints, nm = self.assembly.body.joints, len(self.assembly.modules)
        effort = np.tile([j.effort for j in joints], nm)
        gravity = c.gravity if c.gravity_compensation else 0.0
        ends = len(net.link)
        fixed = {
            "_net": net,
            "_links": Links(round(hop), c.hop_delay, c.loss, empty_ports(net)),
            "_motors": MotorLimits(readings.free, effort, self.law.stamina, gravity),
            "_scratch": empty_scratch(net.shape),
            "_readings": readings,
            "_draws": np.ones(ends),
            "_luck": Blocks(c.seed, "loss", ends),
            "_sensed": SensedRoom(len(readings.free), len(readings.skins)),
        }
        for name, value in fixed.items():
            object.__setattr__(self, name, value)

    _net: Network = field(init=False, repr=False)
    _readings: ModuleReadings = field(init=False, repr=False)
    _links: Links = field(init=False, repr=False)
    _motors: MotorLimits = field(init=False, repr=False)
    _scratch: ModuleScratch = field(init=False, repr=False)
    _draws: Array = field(init=False, repr=False)
    _luck: Blocks = field(init=False, repr=False)
    _sensed: SensedRoom = field(init=False, repr=False)
    _spread = cached_dispatch(lambda: lay_out_sensed)
    _exchange = cached_dispatch(lambda: exchange)
    _finish = cached_dispatch(lambda: finish)

    def init(self) -> ComState:
        """Return the state before any message was sent."""
        net, joints = empty_state(self._net), len(self._motors.effort)
        return ComState(
            net=net,
            under_way=(net.ports,) * max(self._links.ticks, 1),
            memory=np.full((joints, self.law.memory_width), np.nan),
            strain=np.zeros(joints),
        )

    def step(self, sensed: Sensed, state: ComState) -> tuple[Command, ComState]:
        """Exchange messages once, then compute every joint's torque."""
        own = self._sensed.take(sensed)
        pose = own.R_WB, own.p_WB, own.V_WB
        self._spread(own.q, own.v, own.skin, *pose, self._readings)
        if self.config.loss > 0.0:
            self._luck.fill(state.tick, self._draws)
        inputs = Inputs(self._readings, state.under_way[0], self._draws)
        net = next_state(state.net)
        sent = self._exchange(
            self._net, self._links, self.goal, inputs, state.net, self._scratch, net
        )
        memory, strain = state.memory.copy(), state.strain.copy()
        tau, command = np.empty(len(strain)), np.empty(len(self._motors.free))
        self.law.torques(net.rows, self.goal, memory, sensed.dt, tau)
        self._finish(net.rows, self._motors, sensed.dt, strain, tau, command)
        under_way = (*state.under_way[1:], net.ports)
        total = state.messages + sent
        after = ComState(net, under_way, memory, strain, state.tick + 1, total)
        return Command(command, {"messages": float(sent)}), after


@compiled(allocates=False)
def finish(
    rows: Records[JointView],
    motors: MotorLimits,
    dt: float,
    strain: Array,
    tau: Array,
    out: Array,
) -> None:
    """Add gravity compensation, keep within the motors' limits, drop locked joints.

    A motor that has been asked for all it has for longer than its stamina gives only
    ``REST`` of it until less is asked: pressing on against an obstacle for good would
    gain nothing and burn the motor.
    """
    free, effort = motors.free, motors.effort
    if motors.gravity != 0.0:
        add_gravity_torques(rows, motors.gravity, tau)
    for k in range(free.shape[0]):
        j = free[k]
        value = tau[j] if tau[j] == tau[j] else 0.0  # a NaN must not reach a motor
        if abs(value) >= effort[j]:
            strain[j] += dt
        else:
            strain[j] = max(strain[j] - dt, 0.0)
        most = effort[j] if strain[j] <= motors.stamina else REST * effort[j]
        out[k] = min(max(value, -most), most)
