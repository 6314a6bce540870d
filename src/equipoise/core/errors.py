"""One family of errors, each with a sentence for the person who reads it.

A message says where, what, the value, and what would work. The command line prints
it as it is and exits 2; a program can catch ``EquipoiseError`` or the builtin kind.
"""

import difflib
from collections.abc import Iterable, Sequence

from equipoise.core.text import LONGEST, shown

__all__ = [
    "BadFileError",
    "ConfigError",
    "DamagedFileWarning",
    "EngineWarning",
    "EquipoiseError",
    "EquipoiseWarning",
    "MissingExtraError",
    "MissingToolError",
    "NotPhysicalError",
    "OpenClusterWarning",
    "QuantityError",
    "ShapeError",
    "UnknownNameError",
    "UnsupportedSystemError",
]

MOST_COMPARED = 1000
"""Known names that are compared with what was typed; only robot files have more."""
MOST_NAMES = 8
"""Names that a message lists; of more known ones, those nearest to what was typed."""


class EquipoiseError(Exception):
    """Base of all errors that this library raises on purpose."""


class EquipoiseWarning(UserWarning):
    """Base of what this library warns of; the commands print it as it is."""


class EngineWarning(EquipoiseWarning):
    """The installed MuJoCo has a known defect; the message says what to install."""


class DamagedFileWarning(EquipoiseWarning):
    """A file of ours is damaged and used as far as it is whole; the message says so."""


class OpenClusterWarning(EquipoiseWarning):
    """Others can take part in a cluster; the message says who, and what would help."""


class NotPhysicalError(EquipoiseError, ValueError):
    """Error for a number that no real robot can have."""


class ShapeError(EquipoiseError, ValueError):
    """Error for an array of the wrong shape, or with entries that are not finite."""


class BadFileError(EquipoiseError, ValueError):
    """Error for a file that cannot be used; the message starts with its name."""


class MissingToolError(EquipoiseError, RuntimeError):
    """Error for a missing package or program; the message says how to get it."""


class MissingExtraError(MissingToolError):
    """Error for missing packages of an extra; the message says how to install it."""


class UnsupportedSystemError(EquipoiseError, RuntimeError):
    """Error for an operating system that cannot do it; the message says which can."""


class ConfigError(EquipoiseError, ValueError):
    """Error for settings that cannot be used; all problems are reported together."""

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        self.where, self.problems = where, tuple(problems)
        super().__init__(f"{where} is not usable: {'; '.join(self.problems)}.")


class QuantityError(EquipoiseError, ValueError):
    """A text that is no number of the kind that is wanted."""

    def __init__(self, name: str, wanted: str, text: str) -> None:
        self.name, self.wanted, self.text = name, wanted, text
        self.problem = f"{name} takes {wanted}, got '{shown(text)}'"
        super().__init__(f"{self.problem}.")


class UnknownNameError(EquipoiseError, KeyError):
    """Error for a name that is looked up where it does not exist.

    Args:
        kind: what was looked up, as ``setting``.
        name: as it was given.
        known: all names that there are.
        where: what was looked through.
        more: sentence at the end, with a blank before it.
        nearest: number of names listed where there are more than ``MOST_NAMES``.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        where: str,
        more: str = "",
        nearest: int = MOST_NAMES,
    ) -> None:
        self.kind, self.name, self.known = kind, name, tuple(sorted(known))
        few = [known for known in self.known if len(known) <= LONGEST][:MOST_COMPARED]
        near = difflib.get_close_matches(name[:LONGEST], few, n=1)
        self.near = shown(near[0]) if near else ""
        hint = f" Did you mean '{self.near}'?" if near else ""
        self.listing = _listing(name, self.known, few, nearest)
        self.message = (
            f"{where} has no {kind} '{shown(name)}'.{hint} Known: {self.listing}.{more}"
        )
        super().__init__(self.message)

    def saying(self, message: str) -> "UnknownNameError":
        """Return this error with another sentence.

        Args:
            message: what, where, the name, and what would work.
        """
        self.message = message
        return self

    def __str__(self) -> str:
        """Return the sentence; KeyError alone would print its repr, quotes and all."""
        return self.message


def _listing(name: str, known: Sequence[str], few: list[str], nearest: int) -> str:
    """Return known names in words: all, or those nearest to what was typed."""
    if len(known) <= MOST_NAMES:
        return ", ".join(map(shown, known)) or "none"
    close = difflib.get_close_matches(name[:LONGEST], few, n=nearest, cutoff=0.0)
    return f"{', '.join(map(shown, close))} and {len(known) - len(close)} more"
