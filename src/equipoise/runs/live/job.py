"""What a live session asks of a job, whatever it is."""

import abc
from dataclasses import dataclass, field
from typing import Any, final

import mujoco

from equipoise.core.arrays import Vec3
from equipoise.core.setting import FieldSetting
from equipoise.runs.live.frame import LiveFrame
from equipoise.viz.camera import Camera
from equipoise.viz.live.knobs import Knob, PlotTrace

__all__ = ["AbstractLiveJob", "Look"]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Look:
    """Appearance of a job on a page."""

    title: str
    picture: mujoco.MjModel = field(repr=False)
    """Compiled for pictures."""
    camera: Camera
    """First view of a page."""
    size: float
    """Of the robot, to which marks are in proportion [m]."""
    follows: bool
    """Whether the camera goes with it at first."""
    plot: str
    """Title of the plot, with its unit."""
    traces: tuple[PlotTrace, ...]
    notes: tuple[str, ...] = ()
    """What is assumed or not shown, a sentence each."""


class AbstractLiveJob(abc.ABC):
    """Something that goes on in time and can be interfered with.

    All of it is called by one thread.
    """

    look: Look
    knobs: tuple[Knob, ...] = ()
    """What can be changed while it runs."""
    strongest_push: float = 0.0
    """0 for what cannot be pushed [N s]."""
    length: float | None = None
    """Of a record, over which one can go back and forth [s]; None for what is live."""

    @property
    @abc.abstractmethod
    def time(self) -> float:
        """Since its start [s]."""

    @property
    @abc.abstractmethod
    def is_over(self) -> bool:
        """Whether it waits to be started again."""

    @abc.abstractmethod
    def restart(self) -> None:
        """Begin again from the start; what was changed stays so."""

    @abc.abstractmethod
    def advance(self, seconds: float, budget: float) -> float:
        """Go on by at most so long and return by how long it did [s].

        Args:
            seconds: of its own time [s].
            budget: of ours, after which it shall return all the same [s].
        """

    @abc.abstractmethod
    def frame(self) -> LiveFrame:
        """Return what is to be seen now."""

    @abc.abstractmethod
    def summary(self) -> dict[str, Any]:
        """Return the numbers so far, finite or None."""

    @abc.abstractmethod
    def turn(self, name: str, value: float) -> None:
        """Change a number that a knob stands for.

        Args:
            name: of the knob.
            value: its new value.

        Raises:
            EquipoiseError: a value that cannot be; nothing has changed.
        """

    def settings(self) -> dict[str, FieldSetting]:
        """Return what can be set of its controller, by name."""
        return {}

    @abc.abstractmethod
    def set_gains(self, gains: dict[str, Any]) -> None:
        """Give its controller other settings.

        Args:
            gains: by name, on top of those that it has.

        Raises:
            EquipoiseError: settings that cannot be; nothing has changed.
        """

    @abc.abstractmethod
    def push(self, body: str | None, impulse: Vec3) -> None:
        """Push a body for 0.1 s.

        Args:
            body: its name; None for the base.
            impulse: in W, (3,) [N s].
        """

    @abc.abstractmethod
    def fail(self, sentence: str) -> None:
        """Take note that it cannot go on.

        Args:
            sentence: why.
        """

    @abc.abstractmethod
    def seek(self, time: float) -> None:
        """Go to a time of a record.

        Args:
            time: [s].
        """

    def heading(self) -> float:
        """Return where the robot's front points, from +x towards +y [rad]."""
        return 0.0
