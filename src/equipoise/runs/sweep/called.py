"""A function of the caller's own as what is asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pickle import PicklingError, dumps
from typing import Any, final

from equipoise.core.errors import ConfigError
from equipoise.runs.result import AbstractResult
from equipoise.runs.sweep.sweep import Answer

__all__ = ["Called", "expect_travels"]

Question = tuple[Mapping[str, Any], int]


@final
@dataclass(frozen=True)
class Called:
    """Calls a function with a row's point, and its seed where it takes one."""

    function: Callable[..., Any]
    takes_seed: bool

    def __call__(self, question: Question) -> Answer:
        """Return what it gave: a result of ours, numbers by name, or one of them."""
        point, seed = question
        more = {"seed": seed} if self.takes_seed else {}
        found = self.function(**point, **more)
        if isinstance(found, AbstractResult):
            return Answer(found.verdict, found.summary)
        if isinstance(found, bool):
            return Answer("yes" if found else "no")
        if isinstance(found, Mapping):
            said = found.get("verdict", "")
            return Answer(str(said), {k: v for k, v in found.items() if k != "verdict"})
        return Answer("", {"value": found})


def expect_travels(ask: Callable[..., Any]) -> None:
    """Refuse a function that no other process can import.

    Args:
        ask: what the rows are asked with.

    Raises:
        ConfigError: it cannot be pickled.
    """
    try:
        dumps(ask)
    except (PicklingError, AttributeError, TypeError):
        problem = "its function cannot go to another process; define it in a file, "
        raise ConfigError("the sweep", [f"{problem}or take workers=1"]) from None
