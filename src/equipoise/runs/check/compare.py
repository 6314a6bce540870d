"""A robot beside an older version of itself: what changed, and whether for the worse.

Worse is an answer further from "yes", or a margin smaller by more than a micrometre.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, final

from equipoise.runs.check.require.numbers import NUMBERS
from equipoise.runs.check.result import CheckResult
from equipoise.runs.check.verdict import Answer

__all__ = ["Change", "Comparison", "comparison", "judged_change", "older"]

RANK = {"no": 0, "unknown": 1, "yes": 2}
ROUNDING = 1e-6  # to which a margin is found [m]
SHOWN = (
    "static-margin",
    "region-margin",
    "energy",
    "area",
    "torque-share",
    "critical-stiffness",
    "stiffness-share",
)


class Change(NamedTuple):
    """A number of an older robot and of this one."""

    name: str
    unit: str
    old: float | None
    new: float | None

    @property
    def change(self) -> float | None:
        """Change of the number; None if one of both is unknown."""
        return None if self.old is None or self.new is None else self.new - self.old


@final
@dataclass(frozen=True)
class Comparison:
    """Comparison with an older robot."""

    old: str
    """The older robot's file, or its name."""
    old_stands: Answer
    new_stands: Answer
    changes: tuple[Change, ...]
    is_no_worse: Answer
    """Whether it is at least as good; "unknown" where a margin is not known."""
    sentence: str

    @property
    def summary(self) -> dict[str, Any]:
        """Numbers for ``--json``."""
        return {
            "robot": self.old,
            "stands": [self.old_stands, self.new_stands],
            "no_worse": self.is_no_worse,
            "sentence": self.sentence,
            "changes": [
                {**change._asdict(), "change": change.change} for change in self.changes
            ],
        }


def comparison(old: CheckResult, new: CheckResult, name: str) -> Comparison:
    """Return what changed from one check to another.

    Args:
        old: of the older robot.
        new: of the robot now.
        name: of the older robot, or its file.
    """
    is_no_worse, sentence = judged_change(old, new)
    return Comparison(
        name,
        old.stands,
        new.stands,
        _changes(old.summary, new.summary),
        is_no_worse,
        sentence,
    )


def _changes(old: dict[str, Any], new: dict[str, Any]) -> tuple[Change, ...]:
    """Return every number that both or one of two checks have."""
    found = [Change("mass", "kg", old["mass"], new["mass"])]
    for k, axis in enumerate("xyz"):
        name = f"centre of mass {axis}"
        found.append(Change(name, "m", old["com"][k], new["com"][k]))
    for name in SHOWN:
        number = NUMBERS[name]
        pair = number.read(old), number.read(new)
        if pair != (None, None):
            found.append(Change(number.what, number.unit, *pair))
    return tuple(found)


def judged_change(old: CheckResult, new: CheckResult) -> tuple[Answer, str]:
    """Return whether a robot is no worse than an older one, and why."""
    if RANK[new.stands] < RANK[old.stands]:
        return "no", f"whether it stands was {old.stands} and is {new.stands}"
    read = NUMBERS["margin"].read
    was, now = read(old.summary), read(new.summary)
    if was is None:
        return "yes", f"whether it stands was {old.stands} and is {new.stands}"
    if now is None:
        return "unknown", "its margin is not known any more"
    if now < was - ROUNDING:
        return "no", f"its margin was {was:.4f} m and is {now:.4f} m"
    return "yes", f"its margin was {was:.4f} m and is {now:.4f} m"


def older(compare_to: str | None, name: str) -> str | None:
    """Return which older robot one is compared to; None where there is none.

    Args:
        compare_to: a robot, or a folder with files of the same names; None for none.
        name: of the robot now.
    """
    if compare_to is None or not Path(compare_to).is_dir():
        return compare_to
    place = Path(compare_to) / Path(name).name
    return str(place) if place.is_file() else None
