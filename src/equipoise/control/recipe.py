"""A controller with a name: its parts, their settings, and the machine they suit.

Settings are those of one machine, whose size is told with them; any other of that kind
gets them by similarity, see ``control.scaling``.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, final

from equipoise.control.fit import Fit
from equipoise.control.machine import LeggedMachine
from equipoise.control.scaling import scaled_settings
from equipoise.control.walker import WARP1, WalkerConfig
from equipoise.core.catalogue import Catalogue
from equipoise.core.contracts import Controller
from equipoise.robots.size import Scale

__all__ = ["CONTROLLERS", "AbstractRecipe", "AbstractWholeRecipe", "AskedWalk"]

T = TypeVar("T")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class AskedWalk:
    """Request to a controller, at the size of its own machine."""

    robot: str = "warp1"
    legs: int = 4
    gait: str | None = None
    """None for the controller's own."""
    duty: float | None = None
    """None for the gait's own."""
    speed: float | None = None
    """None for the controller's own [m/s]."""
    left: float = 0.0
    """[m/s]."""
    turn: float = 0.0
    """[rad/s]."""
    payload: float = 0.0
    """[kg]."""
    acceleration: float | None = None
    """Acceleration that the machine itself asks for; None for the controller's own
    [m/s²]."""
    is_soft: bool = False
    """Whether the ground is."""
    rough: float = 0.0
    """Height of what lies about unseen [m]."""
    slope: float = 0.0
    """Rise over run."""
    mode: str | None = None
    """Operating mode; None for the controller's own."""
    tracking: str | None = None
    """How legs track their references; None for the controller's own."""
    is_commanded: bool = False
    """Whether an operator commands, whatever the machine can do."""
    is_mapped: bool = False
    """Whether places are forbidden, as a map has them."""
    is_backdrivable: bool = True
    """Whether feet can be told forces, see ``LeggedMachine``."""
    ground: str = "mujoco"
    actuators: str = "motor"


class AbstractRecipe(ABC):
    """Base of named controllers: how one is composed of parts."""

    fit: ClassVar[Fit] = Fit()
    size: ClassVar[Scale]
    """Of the machine that its numbers are of."""
    speed: ClassVar[float]
    """Unless one is given, of that machine [m/s]."""
    gait: ClassVar[str]
    """What it is called."""
    pattern: ClassVar[str]
    """The gait of ``control.gaits`` by which strokes and loads are checked before."""

    modes: ClassVar[tuple[str, ...]] = ()
    """Operating modes that can be asked of it."""
    is_guarded: ClassVar[bool] = False
    """Whether it grants only what it can do, so that anything may be commanded."""

    turns: ClassVar[bool] = True
    """Whether it can be told to."""

    trackings: ClassVar[tuple[str, ...]] = ()
    """Ways in which it can be asked to track its legs' references."""

    @abstractmethod
    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return parts and settings at the size of its own machine.

        ``clocked`` has cycle and duty factor of its pattern, whoever lets legs step.

        Args:
            asked: how it shall walk.
        """

    @final
    def sized(self, settings: T) -> T:
        """Return a part's settings for WARP1, carried over to its own machine's size.

        Args:
            settings: of the part, at WARP1's size.
        """
        return scaled_settings(settings, self.size.over(WARP1))


class AbstractWholeRecipe(AbstractRecipe):
    """One whose controller is all of a piece: it has no parts to choose."""

    @final
    def config(self, asked: AskedWalk) -> WalkerConfig:
        """Return the settings of no parts in particular, which nobody asks for."""
        return WalkerConfig()

    @abstractmethod
    def controller(
        self, machine: LeggedMachine, asked: AskedWalk, gains: Mapping[str, Any]
    ) -> tuple[Controller[Any], Mapping[str, Any]]:
        """Return the controller, and its settings as they count, by name.

        Args:
            machine: that it drives.
            asked: how it shall walk; its speed is that of this machine.
            gains: settings that were given, by name.

        Raises:
            EquipoiseError: a setting that there is not, or that cannot be.
        """


CONTROLLERS: Catalogue[AbstractRecipe] = Catalogue(
    "equipoise.control.controllers", "controller"
)
