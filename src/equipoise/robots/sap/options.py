"""What can be chosen of sap: nothing, it is as it was built."""

from typing import TYPE_CHECKING

from equipoise.robots.as_built import AsBuilt
from equipoise.robots.builtin import BuiltIn
from equipoise.robots.size import Scale

if TYPE_CHECKING:
    from equipoise.robots.robot import Robot  # brings MuJoCo
    from equipoise.robots.source import Provenance

__all__ = ["ROBOT", "SIZE", "SPEED"]
SIZE = Scale(mass=9.0, height=0.31)
SPEED = 0.12  # as it walks unless told otherwise [m/s]


def _build(options: AsBuilt) -> "Robot":
    """Return the machine."""
    from equipoise.robots.sap.build import sap

    return sap()


def _sources() -> "Provenance":
    """Return where its numbers and sensors come from."""
    from equipoise.robots.sap import build as own
    from equipoise.robots.source import Provenance, facts_from

    facts = facts_from(vars(own), own.SOURCES, "'sap'")
    return Provenance(facts=facts, senses=own.SENSES, simplified=own.SIMPLIFIED)


ROBOT = BuiltIn(
    name="sap",
    what="SAP of Paris, two legs on pneumatic valves and two wheels, 9 kg",
    options=AsBuilt,
    task="walk",
    build=_build,
    sources=_sources,
    controller="sap",
    size=SIZE,
    speed=SPEED,
)
