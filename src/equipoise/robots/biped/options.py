"""What can be chosen of the biped: a human's size, its soles and its strength."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, final, get_args

from equipoise.core.errors import UnknownNameError
from equipoise.core.setting import Setting, expect_usable
from equipoise.robots.builtin import BuiltIn

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot
    from equipoise.robots.source import Provenance

__all__ = ["ROBOT", "BipedOptions", "FootShape"]

FootShape = Literal["box", "spheres"]
PAPER_HEIGHT = 1.72  # [m], for which the printed start height leaves the soles 1.7 mm


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class BipedOptions:
    """The size from which every length, mass and inertia of the biped is made.

    Raises:
        ConfigError: a size that no body has, or a limit that is not above zero.
        UnknownNameError: no such foot.
    """

    height: Annotated[float, Setting("Body height", "m", least=0.5, most=2.5)] = (
        PAPER_HEIGHT
    )
    body_mass: Annotated[
        float, Setting("Mass of the whole body", "kg", least=5.0, most=300.0)
    ] = 70.0
    feet: Annotated[
        FootShape, Setting("Shape of the soles: boxes, or spheres at their corners")
    ] = "box"
    torque_limit: Annotated[
        float | None,
        Setting("Torque limit of every joint", "N m", above=0.0, usual="none"),
    ] = None

    def __post_init__(self) -> None:
        """Refuse what is not a body."""
        if self.feet not in get_args(FootShape):
            known = get_args(FootShape)
            raise UnknownNameError("foot", str(self.feet), known, "the biped")
        expect_usable(self, "the biped")


def _build(options: BipedOptions) -> "Robot":
    """Return the biped."""
    from equipoise.robots.biped.biped import biped

    return biped(options)


def _sources() -> "Provenance":
    """Return where its numbers come from."""
    from equipoise.robots.biped import biped as own
    from equipoise.robots.source import Provenance, facts_from

    facts = facts_from(vars(own), own.SOURCES, "the biped")
    ideal = "its state is known without error: no sensors are simulated"
    return Provenance(facts=facts, senses={}, simplified=(ideal,))


ROBOT = BuiltIn(
    name="biped",
    what="a trunk on two legs of six joints, of a human's size; it stands",
    options=BipedOptions,
    task="stand",
    build=_build,
    sources=_sources,
)
