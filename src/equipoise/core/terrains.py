"""Which kinds of ground a walk can be on: names, numbers, limits and help, once.

Light, so that help and completion read it. The geometry of each kind is in
``sim.terrain``.
"""

from dataclasses import dataclass
from typing import final

from equipoise.core.checks import is_number
from equipoise.core.quantity import Quantity, number_of

__all__ = ["TERRAINS", "TerrainKind", "TerrainNumber", "terrain_words"]

HIPS = Quantity("", "heights of its hips")
TIMES_HIPS = "h"


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class TerrainNumber:
    """The one number that a kind of ground takes."""

    quantity: Quantity
    """What it is a number of, and its unit where none is given."""
    least: float
    """In that unit, as for the next two."""
    most: float
    example: float
    usual: float | None = None
    """Value where the number is left out; None where it has to be given."""
    in_hips: bool = False
    """Whether it can be given in heights of a machine's hips, as ``0.1h``; then it is
    how much higher or lower than known the ground may be."""

    def problem(self, name: str, value: float) -> str:
        """Return what is wrong with a value; "" if nothing is.

        Args:
            name: of the kind of ground.
            value: in its unit.
        """
        if is_number(value) and self.least <= value <= self.most:
            return ""
        limits = f"{self.least:g} to {self.most:g} {self.quantity.unit}"
        return f"{name} must be {limits}, got {value!r}"

    def read(self, name: str, text: str) -> float:
        """Return the number that a text says, in its unit.

        Args:
            name: of the kind of ground.
            text: as typed.

        Raises:
            QuantityError: a text that is no such number.
        """
        return number_of(text, self.quantity, f"terrain '{name}'")

    def read_hips(self, name: str, text: str) -> float | None:
        """Return the number of hip heights that a text says; None where it says none.

        Args:
            name: of the kind of ground.
            text: as typed.

        Raises:
            QuantityError: a text that ends as such a number does, and is none.
        """
        if not (self.in_hips and text.endswith(TIMES_HIPS)):
            return None
        return number_of(text.removesuffix(TIMES_HIPS), HIPS, f"terrain '{name}'")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class TerrainKind:
    """A kind of ground that has a name."""

    what: str
    """What it is, as a noun phrase for help texts."""
    number: TerrainNumber | None = None
    """None where it takes none."""

    def example(self, name: str) -> str:
        """Return how it is typed.

        Args:
            name: of the kind.
        """
        return name if self.number is None else f"{name}:{self.number.example:g}"


TERRAINS = {
    "flat": TerrainKind(what="level ground"),
    "slope": TerrainKind(
        what="a slope that rises ahead",
        number=TerrainNumber(
            quantity=Quantity("slope", "%"), least=-60.0, most=60.0, example=10.0
        ),
    ),
    "blocks": TerrainKind(
        what="blocks of 0.3 m, each up to so high",
        number=TerrainNumber(
            quantity=Quantity("length", "cm"),
            least=0.0,
            most=20.0,
            example=4.0,
            in_hips=True,
        ),
    ),
    "soft": TerrainKind(
        what="soft ground, so stiff under each foot",
        number=TerrainNumber(
            quantity=Quantity("stiffness", "N/m"), least=200.0, most=1e6, example=3000.0
        ),
    ),
    "bump": TerrainKind(
        what="one block of that height in the path of the left feet",
        number=TerrainNumber(
            quantity=Quantity("length", "cm"),
            least=0.0,
            most=40.0,
            example=15.0,
            in_hips=True,
        ),
    ),
    "pit": TerrainKind(
        what="one hole of that depth in the path of the left feet",
        number=TerrainNumber(
            quantity=Quantity("length", "cm"),
            least=0.0,
            most=100.0,
            example=30.0,
            in_hips=True,
        ),
    ),
    "banned": TerrainKind(
        what="level ground with that share of its cells forbidden to feet",
        number=TerrainNumber(
            quantity=Quantity("share", "%"), least=0.0, most=80.0, example=30.0
        ),
    ),
    "wall": TerrainKind(
        what="a wall across the path, too high to step over, too low for the "
        "trunk to touch"
    ),
    "plates": TerrainKind(
        what="three stacked plates of that height, at different angles",
        number=TerrainNumber(
            quantity=Quantity("length", "cm"),
            least=0.0,
            most=20.0,
            example=1.0,
            usual=1.0,
            in_hips=True,
        ),
    ),
}
"""All kinds by name."""


def terrain_words() -> tuple[str, ...]:
    """Return the kinds as they are typed, a colon where a number follows."""
    return tuple(
        name if kind.number is None else f"{name}:" for name, kind in TERRAINS.items()
    )
