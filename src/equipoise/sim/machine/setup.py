"""What a walking machine's run is made of, looked up and made once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.checks import is_number
from equipoise.core.contracts import Command, Readings
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.sim.disturbances import Push, push_plan
from equipoise.sim.ground import FeltGround
from equipoise.sim.machine.acn import NodeBank, node_bank
from equipoise.sim.machine.actuators import ActuatorConfig, DriveBank, drive_bank
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.foot_contacts import (
    FootContacts,
    FootGround,
    foot_contacts,
    foot_ground,
)
from equipoise.sim.machine.log import MachineRun, layout_of
from equipoise.sim.machine.motor_kernel import COMMAND_ROWS, HALTED, MODE
from equipoise.sim.machine.sensors import SensorBank, SensorConfig, sensor_bank
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
    address: Ints
    foot: Ints
    root: int
    trunk: int
    bank: DriveBank
    drives: Array
    sensors: SensorBank
    contacts: FootContacts | FootGround
    ground: Callable[[], None] | None
    """Applies the ground's forces, where it is not the engine's."""
    ring: Array
    """Commands on their way, (n, 3, nu)."""
    active: Array
    """The one in effect, (3, nu)."""
    nodes: NodeBank | None
    pushed: Ints
    push: Array
    rows: Array
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
    joints = model.actuator_trnid[:, 0]
    address = np.array([model.jnt_qposadr[joints], model.jnt_dofadr[joints]], np.int64)
    geoms = [model.geom(name).id for name in robot.feet]
    foot = np.array([geoms, model.geom_bodyid[geoms]], np.int64)
    trunk = model.body(robot.base).id
    check_fit(config, model, address, pushed, foot if world.ground else foot[:, :0])
    contacts, ground = listeners(world, data)
    layout = layout_of(model.nq, model.nv, model.nu, len(robot.feet))
    kept = ticks // every + 2  # one for the last state
    return Loop(
        model=model, data=data, controller=controller, dt=dt, hold=hold, late=late,
        turn=turn, address=address, foot=foot, trunk=trunk,
        root=int(model.body_rootid[trunk]), bank=bank,
        drives=bank.init(data.qpos[address[0]]),
        sensors=sensor_bank(
            robot, config.sensors, hold * dt, world.surface,
            is_elastic=config.actuators.kind == "elastic",
            gravity=-float(model.opt.gravity[2]),
        ),
        contacts=contacts, ground=ground,
        ring=np.zeros((late + 2, COMMAND_ROWS, model.nu)),
        nodes=None if config.bus is None else node_bank(
            config.bus, len(robot.feet), ticks, hold * dt
        ),
        active=halted(model.nu), pushed=pushed, push=push,
        rows=np.full((kept, layout.width), np.nan),
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
    address: Ints,
    pushed: Ints,
    foot: Ints,
) -> None:
    """Refuse drives and pushes that the world is not made for."""
    kind, rotors = config.actuators.kind, model.dof_armature[address[1]]
    problems = []
    if kind == "elastic" and (rotors > 0.0).any():
        problems.append("elastic drives need a world with rigid_drives=False")
    if kind == "motor" and not (rotors > 0.0).all():
        problems.append("drives of kind 'motor' need a world with rigid_drives=True")
    if np.isin(pushed, foot[1]).any():
        problems.append("a body with a foot can be pushed on ground 'mujoco' only")
    if problems:
        raise ConfigError("the machine's world", problems)


def listeners(
    world: Machine, data: mujoco.MjData
) -> tuple[FootContacts | FootGround, Callable[[], None] | None]:
    """Return what hears the feet, and what carries them if the engine does not."""
    if world.ground is None:
        return foot_contacts(world.robot, world.model), None
    work = np.zeros((3, len(world.robot.feet), 3))
    heard = foot_ground(world.robot, world.surface, work)
    return heard, world.ground.bound(data, work)


def add_push(loop: Loop, force: Array) -> None:
    """Add a force on the trunk at each tick, (ticks, 3) [N]."""
    if loop.trunk not in loop.pushed:
        loop.pushed = np.append(loop.pushed, loop.trunk)
        loop.push = np.concatenate([loop.push, np.zeros((len(force), 1, 3))], axis=1)
    loop.push[:, list(loop.pushed).index(loop.trunk)] += force


def halted(nu: int) -> Array:
    """Return the command before any has come: no voltage on the motors, (3, nu)."""
    rows = np.zeros((COMMAND_ROWS, nu))
    rows[MODE] = HALTED
    return rows


def packed(
    loop: Loop, period: float, total: float, warnings: tuple[str, ...]
) -> MachineRun:
    """Return the run cut to what happened."""
    sampled = max(loop.physics + loop.sensing + loop.control, 1e-12)
    parts = (loop.physics, loop.sensing, loop.control)
    n, model = loop.samples + loop.is_pending, loop.model
    return MachineRun(
        outcome=loop.outcome,
        rows=loop.rows[:n],
        layout=layout_of(model.nq, model.nv, model.nu, loop.foot.shape[1]),
        address=loop.address,
        signals=loop.signals,
        telemetry=loop.telemetry[:n],
        cpu=Cpu(total, *(total * x / sampled for x in parts)),
        period=period,
        halted_at=None if loop.nodes is None else loop.nodes.halted_at(period),
        warnings=warnings,
    )
