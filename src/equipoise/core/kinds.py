"""Choices that simulation and the jobs above it share, by name."""

from typing import Literal

__all__ = ["ActuatorKind", "GroundKind", "SensorKind", "StartKind"]

ActuatorKind = Literal["ideal", "motor", "elastic"]
"""Fidelity of the drives."""
GroundKind = Literal["mujoco", "weak", "heavy"]
"""What carries the feet: the engine's contacts, or a row of [Ridderstrom2003] table
6.1."""
SensorKind = Literal["ideal", "real"]
"""Whether a machine reads its true state at once, or its sensors through its bus."""
StartKind = Literal["stand", "belly"]
"""Posture in which a walk starts."""
