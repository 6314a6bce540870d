"""The laws to take unless there is a reason for another; chosen by measurement."""

__all__ = ["BALANCE_LAW", "STEERING_LAW"]

BALANCE_LAW = "workspace-cone"
"""For a robot that stands on its feet."""
STEERING_LAW = "upright"
"""For a robot made of modules."""
