"""What a walking machine's run is made of, looked up and made once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import Bound
from equipoise.core.checks import is_number
from equipoise.core.contracts import Command, Readings
from equipoise.core.errors import ConfigError
from equipoise.core.records import Records
from equipoise.robots.robot import Robot
from equipoise.sim.disturbances import Push, push_plan
from equipoise.sim.ground import FeltGround, FootBall
from equipoise.sim.machine.acn import NodeBank, node_bank
from equipoise.sim.machine.actuators import ActuatorConfig, DriveBank, drive_bank
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.foot_contacts import (
    FootContacts,
    FootGround,
    foot_contacts,
    foot_ground,
)
from equipoise.sim.machine.log import MachineRow, MachineRun, empty_rows, keep_row
from equipoise.sim.machine.motor_kernel import (
    HALTED,
    DriveCommand,
    DriveState,
    drive_step,
)
from equipoise.sim.machine.sensor_kernel import read_sensors
from equipoise.sim.machine.sensors import SensorBank, SensorConfig, sensor_bank
from equipoise.sim.machine.views import MachineViews, machine_views
from equipoise.sim.rollout import expect_ticks, steps_per_period
from equipoise.sim.rollout_log import Cpu, Outcome
from equipoise.sim.terrain import Surface

__all__ = [
    "Loop",
    "Machine",
    "MachineConfig",
    "WalkingController",
    "add_push",
    "packed",
    "prepared",
]


class WalkingController(Protocol):
    """What drives a machine by its own sensors alone."""

    def init(self) -> Any:
        """Return the state before the first tick."""
        ...

    def step(self, readings: Readings, state: Any, /) -> tuple[Command, Any]:
        """Return this tick's command and the next state."""
        ...


class Machine(Protocol):
    """A machine in its world, see ``sim.machine_world``."""

    @property
    def robot(self) -> Robot:
        """The machine."""
        ...

    @property
    def model(self) -> mujoco.MjModel:
        """The machine in its world."""
        ...

    @property
    def surface(self) -> Surface:
        """The ground's geometry, which the pads of the feet feel."""
        ...

    @property
    def ground(self) -> FeltGround | None:
        """What carries the feet; None for the engine."""
        ...

    def start(self) -> mujoco.MjData:
        """Return the state at the start."""
        ...


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class MachineConfig:
    """How a machine is driven; defaults are WARP1's rate with ideal parts."""

    period: float = 0.002
    """Of the controller [s]; the thesis runs 300 to 500 Hz, its bus allows 1000."""
    delay: float = 0.0
    """From sampling to the command's effect, beside what the bus takes [s]; the sum is
    rounded up to time steps."""
    bus: BusConfig | None = None
    """How commands reach the nodes of the legs; None for at once and always."""
    actuators: ActuatorConfig = field(default_factory=ActuatorConfig)
    """Which model of the drives."""
    sensors: SensorConfig = field(default_factory=SensorConfig)
    """Which model of the sensors."""

    def __post_init__(self) -> None:
        """Refuse what cannot be run."""
        problems = []
        if not (is_number(self.period) and 1e-4 <= self.period <= 0.1):
            problems.append(f"period must be 0.0001 to 0.1 s, got {self.period!r}")
        if not (is_number(self.delay) and 0.0 <= self.delay <= 1.0):
            problems.append(f"delay must be 0 to 1 s, got {self.delay!r}")
        if problems:
            raise ConfigError(type(self).__name__, problems)

    @classmethod
    def real(cls, seed: int = 0, *, period: float = 0.002) -> "MachineConfig":
        """Return motors, sensors and buses as WARP1 has them.

        Args:
            seed: of noise and offsets.
            period: of the controller [s].
        """
        return cls(
            period=period,
            actuators=ActuatorConfig(kind="motor"),
            sensors=SensorConfig(kind="real", seed=seed),
            bus=BusConfig(seed=seed),
        )


@dataclass
class Loop:
    """What the loop needs at every tick, looked up and made once."""

    model: mujoco.MjModel
    data: mujoco.MjData
    controller: WalkingController
    dt: float
    hold: int
    """Time steps in a control period."""
    late: int
    """Control periods after which a command takes effect, and"""
    turn: int
    """time steps on top."""
    views: MachineViews
    trunk: int
    bank: DriveBank
    drives: Records[DriveState]
    sensors: SensorBank
    contacts: FootContacts | FootGround
    ground: Callable[[], None] | None
    """Applies the ground's forces, where it is not the engine's."""
    ring: tuple[Records[DriveCommand], ...]
    """Commands on their way, each one a joint."""
    active: Records[DriveCommand]
    """The one in effect."""
    nodes: NodeBank | None
    pushed: Ints
    push: Array
    rows: Records[MachineRow]
    telemetry: Array
    signals: tuple[str, ...]
    every: int
    watch: Callable[[int, mujoco.MjData], None] | None
    moves: Callable[[mujoco.MjData], None] | None
    progress: Callable[[float], None] | None
    stop: Callable[[mujoco.MjData], bool] | None
    physics: float = 0.0
    sensing: float = 0.0
    control: float = 0.0
    next_report: float = 0.0
    samples: int = 0
    is_pending: bool = False
    """Whether the row after the last sample holds a state that is not due."""
    outcome: Outcome = Outcome.FINISHED

    def __post_init__(self) -> None:
        """Bind the kernels of a tick to their arrays."""
        machine, drives, feet = self.views, self.drives, self.contacts.feet
        self.drive = Bound(
            drive_step,
            self.bank.model(self.dt),
            machine.joints,
            self.active,
            self.bank.numbers,
            drives,
            self.data.qfrc_applied,
        )
        """Advances the drives by a time step."""
        self.read = Bound(read_sensors, ..., machine, drives, feet, self.sensors.arrays)
        """Reads the sensors of a tick."""
        self.keep = Bound(keep_row, ..., ..., machine, drives, feet, self.rows)
        """Keeps a sample."""


def prepared(
    world: Machine,
    controller: WalkingController,
    seconds: float,
    config: MachineConfig,
    pushes: Sequence[Push],
    every: int,
) -> Loop:
    """Return a loop ready to run."""
    robot, model = world.robot, world.model
    dt = float(model.opt.timestep)
    hold = steps_per_period(dt, config.period)
    ticks = expect_ticks(seconds, hold * dt, every)
    bank = drive_bank(robot.drives, config.actuators)
    late, turn = divmod(steps_late(config, dt), hold)
    pushed, push = push_plan(cast(Any, world), pushes, ticks, hold * dt)
    data = world.start()
    views = machine_views(robot, data)
    trunk = model.body(robot.base).id
    kept_up = views.foot_body if world.ground else views.foot_body[:0]
    check_fit(config, model, views.joints.v_address, pushed, kept_up)
    contacts, ground = listeners(world, data)
    kept = ticks // every + 2  # one for the last state
    return Loop(
        model=model, data=data, controller=controller, dt=dt, hold=hold, late=late,
        turn=turn, views=views, trunk=trunk, bank=bank,
        drives=bank.init(data.qpos[views.joints.q_address]),
        sensors=sensor_bank(
            robot, config.sensors, hold * dt, world.surface,
            is_elastic=config.actuators.kind == "elastic",
            gravity=-float(model.opt.gravity[2]),
        ),
        contacts=contacts, ground=ground,
        ring=tuple(DriveCommand.zeros(model.nu) for _ in range(late + 2)),
        nodes=None if config.bus is None else node_bank(
            config.bus, len(robot.feet), ticks, hold * dt
        ),
        active=halted(model.nu), pushed=pushed, push=push,
        rows=empty_rows(model, len(robot.feet), kept),
        telemetry=np.full((kept, 0), np.nan), signals=(), every=every,
        watch=None, moves=None, progress=None, stop=None,
    )  # fmt: skip


def steps_late(config: MachineConfig, dt: float) -> int:
    """Return after how many time steps a command takes effect."""
    delay = config.delay + (0.0 if config.bus is None else config.bus.delay)
    return int(np.ceil(delay / dt - 1e-9))


def check_fit(
    config: MachineConfig,
    model: mujoco.MjModel,
    v_address: Ints,
    pushed: Ints,
    foot_body: Ints,
) -> None:
    """Refuse drives and pushes that the world is not made for."""
    kind, rotors = config.actuators.kind, model.dof_armature[v_address]
    problems = []
    if kind == "elastic" and (rotors > 0.0).any():
        problems.append("elastic drives need a world with rigid_drives=False")
    if kind == "motor" and not (rotors > 0.0).all():
        problems.append("drives of kind 'motor' need a world with rigid_drives=True")
    if np.isin(pushed, foot_body).any():
        problems.append("a body with a foot can be pushed on ground 'mujoco' only")
    if problems:
        raise ConfigError("the machine's world", problems)


def listeners(
    world: Machine, data: mujoco.MjData
) -> tuple[FootContacts | FootGround, Callable[[], None] | None]:
    """Return what hears the feet, and what carries them if the engine does not."""
    if world.ground is None:
        return foot_contacts(world.robot, world.model), None
    balls = FootBall.zeros(len(world.robot.feet))
    heard = foot_ground(world.robot, world.surface, balls)
    return heard, world.ground.bound(data, balls)


def add_push(loop: Loop, force: Array) -> None:
    """Add a force on the trunk at each tick, (ticks, 3) [N]."""
    if loop.trunk not in loop.pushed:
        loop.pushed = np.append(loop.pushed, loop.trunk)
        loop.push = np.concatenate([loop.push, np.zeros((len(force), 1, 3))], axis=1)
    loop.push[:, list(loop.pushed).index(loop.trunk)] += force


def halted(nu: int) -> Records[DriveCommand]:
    """Return the command before any has come: no voltage on the motors."""
    command = DriveCommand.zeros(nu)
    command["mode"] = HALTED
    return command


def packed(
    loop: Loop, period: float, total: float, warnings: tuple[str, ...]
) -> MachineRun:
    """Return the run cut to what happened."""
    sampled = max(loop.physics + loop.sensing + loop.control, 1e-12)
    parts = (loop.physics, loop.sensing, loop.control)
    n, joints = loop.samples + loop.is_pending, loop.views.joints
    return MachineRun(
        outcome=loop.outcome,
        rows=loop.rows[:n],
        address=np.array([joints.q_address, joints.v_address]),
        signals=loop.signals,
        telemetry=loop.telemetry[:n],
        cpu=Cpu(total, *(total * x / sampled for x in parts)),
        period=period,
        halted_at=None if loop.nodes is None else loop.nodes.halted_at(period),
        warnings=warnings,
    )
