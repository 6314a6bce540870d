"""What turns a command into joint torques: ideal drives, motors, motors behind springs.

Three models, from quick to faithful [Ridderstrom2003] section 6.1.3:

- ``ideal``: the torque asked for, within the torque limit and the line on which the
  voltage is used up by the speed.
- ``motor``: the winding's current with its rise time, back-EMF, voltage and current
  limits; rotor and gear turn with the joint, their inertia is in the model.
- ``elastic``: the same motor, its rotor a body of its own behind the gear's spring and
  damper; the model then carries no rotor inertia.

A command is volts, or torques that an amplifier with a current loop brings about. A
node that has halted puts no voltage on its motors, which then brake.

Drives of kind ``lag``, cylinders behind valves, are told torques, which follow late;
only ``ideal`` ones do at once. They have no gear that could be elastic.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, final, get_args

import numpy as np

from equipoise.core.arrays import VecN
from equipoise.core.errors import ConfigError
from equipoise.core.kinds import ActuatorKind
from equipoise.core.records import Records
from equipoise.core.setting import Setting, Settings
from equipoise.robots.drives import Drive
from equipoise.sim.machine.motor_kernel import DriveModel, DriveNumbers, DriveState

__all__ = ["ActuatorConfig", "DriveBank", "drive_bank"]

NEARLY = 1e-6


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ActuatorConfig(Settings):
    """Model of the drives; defaults suit WARP1's geared DC motors."""

    kind: Annotated[
        ActuatorKind, Setting("Model of the drives, from quick to faithful")
    ] = "ideal"
    damping: Annotated[
        float,
        Setting(
            "Viscous damping of rotor and gear, at the joint; table 5.2 agrees with "
            "itself without any",
            "N m s/rad",
            least=0.0,
        ),
    ] = 0.0
    gear_damping: Annotated[
        float,
        Setting(
            "Damping ratio of the rotor's swing on the gear's spring while the joint "
            "is held, for `elastic`; our choice: a stiff metal gear with a wound "
            "cable loses some",
            least=0.0,
        ),
    ] = 0.1
    stiffness: Annotated[
        float | None,
        Setting(
            "Stiffness of every gear, at the joint",
            "N m/rad",
            above=0.0,
            usual="the drives' own, 100 with the rubber springs",
        ),
    ] = None
    substeps: Annotated[
        int,
        Setting("Steps of the rotor in a time step, for `elastic`", least=1, most=1000),
    ] = 10


@final
@dataclass(frozen=True, eq=False)
class DriveBank:
    """A machine's drives, as the kernel takes them."""

    config: ActuatorConfig
    numbers: Records[DriveNumbers] = field(repr=False)
    """What does not change, one a joint."""

    def init(self, q: VecN) -> Records[DriveState]:
        """Return drives at rest without current, one a joint.

        Args:
            q: joint angles, at which no gear is wound up, (nu,) [rad].
        """
        state = DriveState.zeros(len(self.numbers))
        state["rotor"] = state["last_q"] = q
        return state

    def model(self, dt: float) -> Records[DriveModel]:
        """Return how the drives are stepped.

        Args:
            dt: time step [s].
        """
        model = DriveModel.zeros()
        model[0].kind = get_args(ActuatorKind).index(self.config.kind)
        model[0].dt, model[0].substeps = dt, self.config.substeps
        return model


def drive_bank(drives: Sequence[Drive], config: ActuatorConfig) -> DriveBank:
    """Return a machine's drives, ready to run.

    Args:
        drives: in actuator order.
        config: which model of them.

    Raises:
        ConfigError: a machine without drives, or gears where there are none.
    """
    if not drives:
        raise ConfigError("the machine", ["it has no drives, so nothing moves it"])
    if config.kind == "elastic" and any(drive.kind == "lag" for drive in drives):
        problem = "actuators 'elastic': its drives have valves and no gears; take motor"
        raise ConfigError("the machine", [problem])
    numbers = DriveNumbers.zeros(len(drives))
    for j, drive in enumerate(drives):
        own = numbers[j]
        k = drive.stiffness if config.stiffness is None else config.stiffness
        own.constant, own.resistance = drive.torque_constant, drive.resistance
        own.rise, own.inertia = drive.current_rise, drive.inertia
        own.voltage, own.current = drive.voltage, drive.current
        own.stiffness = k
        own.gear_damping = 2.0 * config.gear_damping * np.sqrt(k * drive.inertia)
        own.damping = config.damping
        own.torque, own.speed = drive.torque, drive.speed
        own.stall = drive.voltage / (drive.resistance * drive.current)
        if drive.kind == "lag":
            own.valve = math.tau * drive.valve
            own.chamber = math.tau * drive.chamber
            if own.chamber == own.valve:  # no closed form of its own for equal rates
                own.chamber *= 1.0 + NEARLY
    return DriveBank(config, numbers)
