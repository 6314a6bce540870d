"""What the rest of the library means by a robot: its specification, and what it is.

Legs, feet, stand and drives are found in the specification when they are first asked
for, see ``robots.found``.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from equipoise.core.arrays import VecN
from equipoise.core.errors import EquipoiseError
from equipoise.core.files import atomic_write
from equipoise.core.notebook import html_of
from equipoise.robots.files.mjcf import mjcf_text
from equipoise.robots.files.urdf import urdf_text
from equipoise.robots.found.description import Found, found_in
from equipoise.robots.found.pose import pose_with
from equipoise.robots.robot_spec import RobotSpec

__all__ = ["Robot"]


class Robot(RobotSpec):
    """A robot: its specification, and what is found in it."""

    @cached_property
    def found(self) -> Found:
        """Legs, feet, stand and drives that were found in the robot."""
        return found_in(self)

    def pose(self, joints: Mapping[str, float] | None = None) -> VecN:
        """Return the stand with some joints moved, put back on the ground, (nq,).

        Args:
            joints: angle [rad] or way [m] by name; those left out are as it stands.

        Raises:
            UnknownNameError: it has no such joint.
            ConfigError: a value that is no number, or out of the joint's range.
        """
        return pose_with(self, self.found.qpos, joints or {})

    def write_mjcf(self, path: str | Path) -> None:
        """Write the robot as a MuJoCo XML file."""
        atomic_write(Path(path), mjcf_text(self.spec).encode())

    def write_urdf(self, path: str | Path) -> None:
        """Write the robot as a URDF file."""
        atomic_write(Path(path), urdf_text(self.model, self.name).encode())

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: a picture, and what it is made of."""
        return html_of("Robot", self)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the specification, and what is found in it."""
        state = super().__getstate__()
        if self.source:  # what is found needs files that may not be there
            with suppress(EquipoiseError):
                state["found"] = self.found
        return state
