"""Built-in robots of which little can be chosen: machines as they were.

Read whenever a command starts: what is heavy is imported when a robot is wanted.
"""

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, final

from equipoise.robots.builtin import BuiltIn
from equipoise.robots.size import Scale

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot
    from equipoise.robots.source import Provenance

__all__ = ["AsBuilt", "chained_robot", "sliding_robot"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class AsBuilt:
    """No options."""

    is_parted: ClassVar[bool] = False
    """Whether the trunk is in two parts."""


def sliding_robot(
    name: str,
    what: str,
    controller: str = "walking",
    options: type = AsBuilt,
    *,
    size: Scale,
    speed: float,
) -> BuiltIn:
    """Return a machine on slides as the catalogue takes it.

    Args:
        name: of its folder, whose ``build.py`` has it as ``BUILD`` and whose
            ``looks.py`` draws it.
        what: it is, in a phrase.
        controller: by which it walks unless another is asked for.
        options: what can be chosen of it, with ``is_parted``.
        size: its mass, and the height of its hips.
        speed: at which it walks unless another is asked for [m/s].
    """

    def build(options: Any) -> "Robot":
        from equipoise.robots.sliding import sliding_machine  # brings MuJoCo

        own = importlib.import_module(f"equipoise.robots.{name}.build")
        looks = importlib.import_module(f"equipoise.robots.{name}.looks")
        robot = sliding_machine(own.BUILD, is_parted=options.is_parted)
        looks.dress(robot.spec, own.BUILD)
        return robot

    def sources() -> "Provenance":
        from equipoise.robots.sliding import sliding_provenance

        own = importlib.import_module(f"equipoise.robots.{name}.build")
        return sliding_provenance(own.BUILD)

    return BuiltIn(
        name=name,
        what=what,
        options=options,
        task="walk",
        build=build,
        sources=sources,
        controller=controller,
        size=size,
        speed=speed,
    )


def chained_robot(
    name: str,
    what: str,
    legs: str,
    controller: str = "walking",
    *,
    size: Scale | None = None,
    speed: float | None = None,
    acceleration: float | None = None,
) -> BuiltIn:
    """Return a machine with legs of hinges as the catalogue takes it.

    Args:
        name: of its folder, whose ``build.py`` has it as ``BUILD``.
        what: it is, in a phrase.
        legs: ``articulated``, a mammal's, or ``sprawling``, an insect's: the file here
            that builds them.
        controller: by which it walks unless another is asked for.
        size: its mass, and the height of its hips; None where its controller's settings
            are those of another machine.
        speed: at which it walks unless another is asked for; None for its controller's,
            carried over to its size [m/s].
        acceleration: with which it starts to walk; None for its controller's [m/s²].
    """

    def build(options: AsBuilt) -> "Robot":
        kind = importlib.import_module(f"equipoise.robots.{legs}")  # brings MuJoCo
        own = importlib.import_module(f"equipoise.robots.{name}.build")
        return getattr(kind, f"{legs}_machine")(own.BUILD)

    def sources() -> "Provenance":
        kind = importlib.import_module(f"equipoise.robots.{legs}")
        own = importlib.import_module(f"equipoise.robots.{name}.build")
        return getattr(kind, f"{legs}_provenance")(own.BUILD)

    return BuiltIn(
        name=name,
        what=what,
        options=AsBuilt,
        task="walk",
        build=build,
        sources=sources,
        controller=controller,
        size=size,
        speed=speed,
        acceleration=acceleration,
    )
