"""One thing that would do: what is changed, by how much, in words."""

from dataclasses import dataclass
from typing import Any, Literal, final

__all__ = ["Remedy", "RemedyKind"]

RemedyKind = Literal[
    "move",
    "lighter",
    "apart",
    "sole",
    "friction",
    "slope",
    "ground-stiffness",
    "leg-stiffness",
    "torque",
    "stiffness",
]


@final
@dataclass(frozen=True)
class Remedy:
    """A change after which the check says "yes": it was made and checked."""

    kind: RemedyKind
    what: tuple[str, ...]
    """Bodies, shapes or joints that are changed; none where the world is."""
    amount: float
    """By how much, or to what; rounded so that it still does."""
    unit: str
    goal: str
    """What is reached by it, as "it stands"."""
    change: str
    """What is done, as "'battery' (4 kg) moves 41 mm to the rear"."""
    towards: str = ""
    """Where to, of a move: front, rear, left or right, seen from the robot."""

    @property
    def sentence(self) -> str:
        """Goal and change together."""
        return f"{self.goal} if {self.change}"

    @property
    def summary(self) -> dict[str, Any]:
        """Numbers for ``--json``."""
        return {
            "kind": self.kind,
            "what": list(self.what),
            "amount": self.amount,
            "unit": self.unit,
            "towards": self.towards or None,
            "sentence": self.sentence,
        }
