"""Joint level of a walking machine's control: torque, current, voltage, safety."""

from equipoise.control.joints.motor import JointMotors, MotorConfig, motor_volts, motors
from equipoise.control.joints.safety import ticks_without_readings, voltage_at_stop

__all__ = [
    "JointMotors",
    "MotorConfig",
    "motor_volts",
    "motors",
    "ticks_without_readings",
    "voltage_at_stop",
]
