"""A machine as it is built: drives, sensors, and a bus between it and its controller.

One control period is: what acted last and where everything is now, readings of the
sensors, the controller's command, and then the time steps of the engine, each with the
drives' torques at its beginning. The command takes effect after what the bus and the
computer take. A delay of the readings and one of the command are the same to a
controller that has no other input, so both are served there; sensors that are later
than the others have that on top, see ``SensorConfig``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, final

import mujoco
import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.bound import bound
from equipoise.core.contracts import Command, Readings
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings
from equipoise.sim.ground import FootBall
from equipoise.sim.machine.acn import node_bank
from equipoise.sim.machine.actuators import ActuatorConfig, drive_bank
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.fix import FixConfig, MapFix
from equipoise.sim.machine.foot_contacts import (
    FootContacts,
    FootGround,
    foot_contacts,
    foot_ground,
)
from equipoise.sim.machine.foot_sensors import FootSensorConfig, foot_sensors
from equipoise.sim.machine.log import empty_rows, keep_row, machine_signals
from equipoise.sim.machine.motor_kernel import (
    BY_TORQUE,
    BY_VOLTS,
    HALTED,
    DriveCommand,
    drive_step,
)
from equipoise.sim.machine.sensor_kernel import read_sensors
from equipoise.sim.machine.sensors import SensorConfig, sensor_bank
from equipoise.sim.machine.views import machine_views
from equipoise.sim.plant import RunPlan, Telemetry
from equipoise.sim.run import HUGE, LAST_STATES, Cpu, Outcome, Run
from equipoise.sim.world import World

__all__ = ["MachineConfig", "MachinePlant"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class MachineConfig(Settings):
    """Settings of a machine's plant; defaults are WARP1's rate with ideal parts."""

    period: Annotated[
        float,
        Setting(
            "Period of the controller; the thesis runs 300 to 500 Hz, its bus allows "
            "1000",
            "s",
            least=1e-4,
            most=0.1,
        ),
    ] = 0.002
    delay: Annotated[
        float,
        Setting(
            "Delay from sampling to the command's effect, beside that of the bus; the "
            "sum is rounded up to time steps",
            "s",
            least=0.0,
            most=1.0,
        ),
    ] = 0.0
    bus: BusConfig | None = None
    """Buses to the nodes of the legs; None for transmission without delay or loss."""
    actuators: ActuatorConfig = field(default_factory=ActuatorConfig)
    """Model of the drives."""
    sensors: SensorConfig = field(default_factory=SensorConfig)
    """Model of the sensors."""
    foot_sensors: FootSensorConfig = field(default_factory=FootSensorConfig)
    """Quality of the sensors that WARP1 does not have."""
    fix: FixConfig | None = None
    """Accuracy of its position on a map; None without a map."""
    every: Annotated[
        int,
        Setting("Ticks from one kept sample to the next, where a run does not choose"),
    ] = 1

    @classmethod
    def real(cls, seed: int = 0, *, period: float = 0.002) -> "MachineConfig":
        """Return settings with motors, sensors and buses like WARP1's.

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

    def plant(self, plan: RunPlan) -> "MachinePlant":
        """Return the machine, before its first tick.

        Args:
            plan: what is to happen.

        Raises:
            ConfigError: a machine without drives, or a world made for other ones.
        """
        return MachinePlant(plan, self)


@final
class MachinePlant:
    """A machine with drives, sensors and a bus; a ``Plant``.

    Args:
        plan: what is to happen.
        config: of drives, sensors and bus.

    Raises:
        ConfigError: a machine without drives, or a world made for other ones.
    """

    def __init__(self, plan: RunPlan, config: MachineConfig) -> None:
        world, model = plan.world, plan.world.model
        feet, kept = len(world.robot.feet), plan.ticks // plan.every + 2  # and the last
        bank = drive_bank(world.robot.drives, config.actuators)
        self.plan, self.model, self.data = plan, model, world.start()
        self.views = machine_views(world.robot, self.data)
        _check_fit(config, plan, self.views.joints.v_address, self.views.foot_body)
        self.contacts, self.ground = _listeners(world, self.data)
        self.late, self.turn = divmod(_steps_late(config, plan.dt), plan.hold)
        """Control periods after which a command takes effect, and time steps on top."""
        self.drives = bank.init(self.data.qpos[self.views.joints.q_address])
        self.sensors = sensor_bank(
            world.robot,
            config.sensors,
            plan.period,
            world.surface,
            is_elastic=config.actuators.kind == "elastic",
            gravity=-float(model.opt.gravity[2]),
        )
        self.more = foot_sensors(
            world.robot,
            config.foot_sensors,
            self.sensors.readings,
            world.surface,
            self.views,
            seed=config.sensors.seed if config.sensors.kind == "real" else None,
        )
        """Sensors that WARP1 does not have; None for most machines."""
        fix = config.fix
        self.fix = None if fix is None else MapFix(fix, self.sensors.readings)
        """Tells it where on its map it is; None without one."""
        self.ring = np.zeros((self.late + 2, model.nu), DriveCommand.dtype())
        """Commands on their way, each one a joint."""
        self.tau, self.volts = np.zeros(model.nu), np.zeros(model.nu)
        """What the controller says, in memory of our own."""
        self.active = _halted(model.nu)
        """The one in effect."""
        self.nodes = None
        if config.bus is not None:
            self.nodes = node_bank(config.bus, feet, plan.ticks, plan.period)
        self.rows = empty_rows(model, feet, kept)
        self.said = Telemetry(kept, plan.signals)
        self.joints, self.settled = model.nu, self.late + 1
        self.samples, self.is_over = 0, False
        self.is_pending = False
        """Whether the row after the last sample holds a state that is not due."""
        self.bind(bank.model(plan.dt), bank.numbers)
        if self.ground is not None:
            self.ground()  # so that feet feel at once what carries them
        self.sensors.draw(0)  # a block for nothing: runs of before began with it

    def bind(self, drive_model: Any, numbers: Any) -> None:
        """Bind the kernels of a tick to their arrays."""
        machine, drives, feet = self.views, self.drives, self.contacts.feet
        forces = self.data.qfrc_applied
        told = drive_model, machine.joints, self.active, numbers
        self.drive = bound(drive_step, *told, drives, forces)
        """Advances the drives by a time step."""
        arrays = self.sensors.arrays
        self.read_sensors = bound(read_sensors, machine, drives, feet, arrays, int)
        """Reads the sensors of a tick."""
        self.take = bound(_take_command, self.tau, self.volts, self.ring, int, int)
        """Sends a command on its way."""
        self.keep = bound(keep_row, machine, drives, feet, self.rows, int, float)
        """Keeps a sample."""
        if self.more is not None:
            self.more.bind(feet)

    def record(self, k: int) -> bool:
        """Hear the feet, bring kinematics up to date and keep the state."""
        plan, data = self.plan, self.data
        self.contacts(data, self.sensors.period if k else 0.0)
        if plan.moves is not None:
            plan.moves(data)
        mujoco.mj_step1(self.model, data)
        if not self.keep(self.samples, k * self.sensors.period):
            return False
        self.is_pending = k % plan.every != 0
        self.samples += not self.is_pending
        if plan.watch is not None:
            plan.watch(k, data)
        if plan.stop is not None and k < plan.ticks:
            self.is_over = plan.stop(data)
        return True

    def read(self, k: int) -> Readings:
        """Let the sensors read tick ``k``'s state."""
        self.sensors.draw(k)
        self.read_sensors(k)
        if self.more is not None:
            self.more.read(k)
        if self.fix is not None:
            self.fix.read(k, self.data.qpos[:3], self.views.R_WB)
        readings = self.sensors.readings
        readings.time = k * self.sensors.period
        return readings

    def apply(self, k: int, command: Command) -> bool:
        """Send a command on its way; False if no motor could obey it."""
        if k % self.plan.every == 0:
            self.said.keep(k // self.plan.every, command.telemetry)
        volts, self.tau[:] = command.volts, command.tau
        self.volts[:] = command.tau if volts is None else volts
        return self.take(BY_TORQUE if volts is None else BY_VOLTS, k)

    def advance(self, k: int) -> None:
        """Run the time steps, each with the drives' torques at its beginning."""
        plan, data, model, ground = self.plan, self.data, self.model, self.ground
        if len(plan.pushed):
            data.xfrc_applied[plan.pushed, :3] = plan.push[k]
        for s in range(plan.hold):
            if s > 0 and plan.moves is not None:
                plan.moves(data)
            if s == self.turn and k >= self.late:
                self.deliver(k - self.late)
            self.drive()
            if ground is None and s > 0:
                mujoco.mj_step(model, data)
                continue
            if s > 0:
                mujoco.mj_step1(model, data)
            if ground is not None:
                ground()
            mujoco.mj_step2(model, data)

    def deliver(self, k: int) -> None:
        """Bring tick ``k``'s command into effect."""
        command: Any = self.ring[k % len(self.ring)]
        if self.nodes is None:
            self.active[:] = command
        else:
            self.nodes.deliver(k, command, self.active)

    def run(self, outcome: Outcome, cpu: Cpu, warnings: Sequence[str]) -> Run:
        """Return the run, its samples being its frames too."""
        n, joints, period = (
            self.samples + self.is_pending,
            self.views.joints,
            self.plan.period,
        )
        rows = self.rows[:n]
        return Run(
            outcome=outcome,
            rows=rows,
            frames=rows,
            last=rows[-LAST_STATES:],
            signals=self.said.names,
            telemetry=self.said.table[:n],
            named=machine_signals,
            address=np.array([joints.q_address, joints.v_address]),
            cpu=cpu,
            period=period,
            halted_at=None if self.nodes is None else self.nodes.halted_at(period),
            warnings=tuple(warnings),
        )


@compiled(allocates=False)
def _take_command(
    tau: Array, volts: Array, ring: NDArray[Any], mode: int, k: int
) -> bool:
    """Copy tick ``k``'s command to its place; False if it is not finite or absurd.

    Args:
        tau: torques, (nu,) [N m].
        volts: voltages, (nu,) [V].
        ring: of ``DriveCommand``, some ticks of them, (ticks, nu); overwritten.
        mode: which of both counts.
        k: number of the control period.
    """
    out = ring[k % ring.shape[0]]
    for j in range(out.shape[0]):
        if not (abs(tau[j]) < HUGE and abs(volts[j]) < HUGE):
            return False
        out[j].tau, out[j].volts, out[j].mode = tau[j], volts[j], mode
    return True


def _steps_late(config: MachineConfig, dt: float) -> int:
    """Return after how many time steps a command takes effect."""
    delay = config.delay + (0.0 if config.bus is None else config.bus.delay)
    return int(np.ceil(delay / dt - 1e-9))


def _check_fit(
    config: MachineConfig, plan: RunPlan, v_address: Ints, foot_body: Ints
) -> None:
    """Refuse drives and pushes that the world is not made for."""
    kind = config.actuators.kind
    rotors = plan.world.model.dof_armature[v_address]
    problems = []
    if kind == "elastic" and (rotors > 0.0).any():
        problems.append("elastic drives need a world with rigid_drives=False")
    if kind == "motor" and not (rotors > 0.0).all():
        problems.append("drives of kind 'motor' need a world with rigid_drives=True")
    is_felt = plan.world.ground is not None
    if is_felt and np.isin(plan.pushed, foot_body).any():
        problems.append("a body with a foot can only be pushed on ground 'mujoco'")
    if problems:
        raise ConfigError("the machine's world", problems)


def _listeners(
    world: World, data: mujoco.MjData
) -> tuple[FootContacts | FootGround, Callable[[], None] | None]:
    """Return what hears the feet, and what carries them if the engine does not."""
    if world.ground is None:
        return foot_contacts(world.robot, world.model), None
    balls = FootBall.zeros(len(world.robot.feet))
    heard = foot_ground(world.robot, world.surface, balls)
    return heard, world.ground.bound(data, balls)


def _halted(nu: int) -> Records[DriveCommand]:
    """Return the command before any has come: no voltage on the motors."""
    command = DriveCommand.zeros(nu)
    command["mode"] = HALTED
    return command
