"""The margins that there are, by name."""

from collections.abc import Callable
from typing import Literal, get_args

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.kinds import Precision
from equipoise.equations.emit.c import C_TYPES
from equipoise.equations.margins.code import MarginCode
from equipoise.equations.margins.cone.code import cone_code
from equipoise.equations.margins.soft.code import soft_code
from equipoise.equations.margins.support import pressure_code, static_code

__all__ = ["MOST_CONTACTS", "MarginKind", "margin_code"]

MarginKind = Literal["static", "pressure", "cone", "soft"]
MOST_CONTACTS = 8
"""A state may have: the programs grow with their third power."""
CODES: dict[MarginKind, Callable[[int, Precision], MarginCode]] = {
    "static": static_code,
    "pressure": pressure_code,
    "cone": cone_code,
    "soft": soft_code,
}


def margin_code(
    kind: MarginKind, contacts: int, precision: Precision = "double"
) -> MarginCode:
    """Return a margin as programs and C.

    Args:
        kind: ``static``, ``pressure``, ``cone`` or ``soft``.
        contacts: a state has at most, 1 to 8.
        precision: in which it will run.

    Raises:
        UnknownNameError: there is no such margin.
        ConfigError: no contact or too many, or no such precision.
    """
    if kind not in get_args(MarginKind):
        raise UnknownNameError("margin", kind, get_args(MarginKind), "equipoise")
    problems: list[str] = []
    if not 1 <= contacts <= MOST_CONTACTS:
        problems.append(
            f"a state may have 1 to {MOST_CONTACTS} contacts, got {contacts}; leave out"
            " those inside the hull of the others"
        )
    if precision not in C_TYPES:
        known = " and ".join(C_TYPES)
        problems.append(f"there is no precision '{precision}'; there are {known}")
    if problems:
        raise ConfigError(f"the {kind} margin", problems)
    return CODES[kind](contacts, precision)
