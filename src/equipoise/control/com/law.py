"""What a steering law is, and the catalogue in which it is found by name.

A law is a pure function of one joint's view (``joint_view``) and that joint's own
memory: it sees nothing of another module. One file in ``laws/`` is one law.
"""

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Self

from equipoise.control.com.goal import ComGoal
from equipoise.control.com.joint_view import JointView
from equipoise.control.recommended import STEERING_LAW
from equipoise.core.arrays import Array
from equipoise.core.catalogue import Catalogue
from equipoise.core.records import Records
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["RECOMMENDED", "AbstractLaw", "find_law", "law_names", "register"]

RECOMMENDED = STEERING_LAW

_LAWS: Catalogue["AbstractLaw"] = Catalogue("equipoise.control.com.laws", "controller")
register = _LAWS.register
"""Class decorator: offer a law to users under a name."""


class AbstractLaw(ABC):
    """Steering law; its config is a frozen dataclass given to the constructor."""

    memory_width: ClassVar[int] = 0
    """Number of values that the law keeps for each joint between ticks."""
    stamina: ClassVar[float] = math.inf
    """Time at the torque limit after which a motor is spared [s]."""

    @classmethod
    def fitting(cls, assembly: Assembly, hop_delay: float = 0.0) -> Self:
        """Return the law with settings that suit a robot, by default its own.

        Args:
            assembly: the robot.
            hop_delay: time a message takes to a neighbour [s].
        """
        return cls()

    @abstractmethod
    def torques(
        self,
        rows: Records[JointView],
        goal: ComGoal,
        memory: Array,
        dt: float,
        tau: Array,
    ) -> None:
        """Write every joint's torque without gravity compensation.

        Args:
            rows: what each module knows about each of its joints, (joints,); those
                that are not known get no torque.
            goal: where the centre of mass shall be.
            memory: the law's own numbers, (joints, memory_width), NaN before the first
                tick; written.
            dt: control period [s].
            tau: written, (joints,) [N m or N].
        """


def law_names() -> tuple[str, ...]:
    """Return the names of all laws, sorted."""
    return _LAWS.names()


def find_law(name: str) -> "type[AbstractLaw]":
    """Return a law's class, or raise an error that lists the names."""
    return _LAWS.find(name)
