"""Joint level of a walking machine's control: torque, current, voltage, safety."""

from equipoise.control.joints.motor import MotorConfig, Motors, motor_volts, motors
from equipoise.control.joints.safety import ticks_without_readings, voltage_at_stop

__all__ = [
    "MotorConfig",
    "Motors",
    "motor_volts",
    "motors",
    "ticks_without_readings",
    "voltage_at_stop",
]
