"""What a work sets and we use too: no claims, for nothing is found out by it.

A setting is a choice, so it is neither met nor missed. It is listed so that a reader
sees on which numbers both works agree, and where and why ours are others.
"""

from dataclasses import asdict, dataclass
from typing import Any, TypeAlias, final

from equipoise.core.errors import ConfigError
from equipoise_lab.papers.claim import is_value

__all__ = ["Setting", "setting"]

Value: TypeAlias = float | int | str | None


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """One choice of a work beside ours. Numbers have the unit that it names."""

    where: str
    """Section, equation or table of the work."""
    quantity: str
    published: Value
    ours: Value
    """Read off our model or default, never copied from the print."""
    note: str
    """Why ours is another, or what it was chosen by; empty where both are the same."""

    def __post_init__(self) -> None:
        """Refuse a setting that could not go into JSON, or differs without a word."""
        problems = [
            f"{name} must be finite, text or None, got {getattr(self, name)!r}"
            for name in ("published", "ours")
            if not is_value(getattr(self, name))
        ]
        if self.published != self.ours and not self.note:
            problems.append(
                f"{self.ours!r} is not the printed {self.published!r}; say why"
            )
        if problems:
            raise ConfigError(f"setting '{self.quantity}'", problems)

    def as_row(self) -> dict[str, Any]:
        """Return the setting as plain data, a key a field."""
        return asdict(self)


def setting(
    where: str, quantity: str, published: Value, ours: Any, note: str = ""
) -> Setting:
    """Return a setting; a number of ours that differs by rounding alone is the same.

    Args:
        where: place in the work.
        quantity: what is set, with its unit.
        published: what the work says.
        ours: what we use.
        note: why it is another.
    """
    value = ours.item() if hasattr(ours, "item") else ours
    if isinstance(published, float | int) and isinstance(value, float | int):
        # Degrees to radians and back, or centimetres to metres, cost some roundings.
        is_same = abs(value - published) <= 1e-12 * max(1.0, abs(published))
        value = published if is_same else value
    return Setting(
        where=where, quantity=quantity, published=published, ours=value, note=note
    )
