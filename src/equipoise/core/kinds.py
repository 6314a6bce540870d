"""Choices that several rooms and the settings of jobs share, by name."""

from typing import Literal

__all__ = [
    "ActuatorKind",
    "Attitude",
    "GroundKind",
    "Parameters",
    "Precision",
    "SensorKind",
    "StartKind",
    "Target",
    "Verdict",
]

ActuatorKind = Literal["ideal", "motor", "elastic"]
"""Fidelity of the drives."""
GroundKind = Literal["mujoco", "weak", "heavy"]
"""What carries the feet: the engine's contacts, or a row of [Ridderstrom2003] table
6.1."""
SensorKind = Literal["ideal", "real"]
"""Whether a machine reads its true state at once, or its sensors through its bus."""
StartKind = Literal["stand", "belly"]
"""Posture in which a walk starts."""
Target = Literal["host", "simd", "cortex-m", "atmega128", "cuda"]
"""Processor for which equations are written as C."""
Precision = Literal["double", "single"]
"""Precision of the numbers in such C."""
Parameters = Literal["sparse", "general", "numbers"]
"""Which numbers of a robot stay parameters of its equations."""
Attitude = Literal["yaw-pitch-roll", "quaternion"]
"""Coordinates of a floating base's attitude."""
Verdict = Literal["yes", "no", "unknown"]
"""Answer of a job."""
