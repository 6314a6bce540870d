"""What a user says about a robot file, as plain data.

It is read and checked by ``found.user_description``.
"""

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import final

__all__ = ["DescribedFoot", "Description", "Place"]

Place = tuple[float, float, float]


@final
@dataclass(frozen=True)
class DescribedFoot:
    """Description of a foot in a sidecar file."""

    body: str
    radius: float | None = None
    """Of the ball that it is [m]; None for as found."""
    centre: Place | None = None
    """Of that ball, in the body's frame [m]; None for as found."""
    corners: tuple[Place, ...] = ()
    """Of the sole that it is, in the body's frame [m]; empty for as found."""


@final
@dataclass(frozen=True)
class Description:
    """Contents of a sidecar file."""

    path: str
    """Where it is said."""
    base: str = ""
    """Body off which the legs hang; empty: found."""
    legs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Joints of each leg from the base outwards, by the leg's name; empty: found."""
    feet: dict[str, DescribedFoot] = field(default_factory=dict)
    """By the leg's name."""
    ends: tuple[str, ...] = ()
    """Links at the legs' ends, in place of ``legs``; empty: found."""
    leg_names: tuple[str, ...] = ()
    """What the legs are called, in order; empty: found."""
    stand: dict[str, float] = field(default_factory=dict)
    """Joints of the stand [rad or m]; those left out are as found."""
    pose: str = ""
    """Keyframe or SRDF state that is the stand; empty: found."""
    drives: dict[str, dict[str, float]] = field(default_factory=dict)
    """Torque, speed and inertia by joint or pattern; what is left out is as found."""

    def drive_of(self, joint: str) -> dict[str, float]:
        """Return what is said of a joint's drive; what names it alone comes last."""
        told: dict[str, float] = {}
        for pattern, numbers in self.drives.items():
            if pattern != joint and fnmatchcase(joint, pattern):
                told |= numbers
        return told | self.drives.get(joint, {})
