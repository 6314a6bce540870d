"""How bad the wires of an ensemble are."""

from dataclasses import dataclass
from typing import final

from equipoise.core.errors import ConfigError

__all__ = ["Channel"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Channel:
    """Probabilities of faults, drawn for each frame; the default loses nothing."""

    loss: float = 0.0
    """Chance that a frame vanishes, 0 to 1."""
    corruption: float = 0.0
    """Chance that bits flip and the checksum refuses the frame, 0 to 1."""
    duplication: float = 0.0
    """Chance that a frame arrives twice, 0 to 1."""
    delay: float = 0.0
    """Chance that a copy is 1 to ``Rules.delta`` rounds late, 0 to 1."""
    garbage: float = 0.0
    """Chance that random fields arrive instead, and no checksum notices, 0 to 1."""
    reordering: bool = False
    """Whether what arrives in one round is read in random order."""

    def __post_init__(self) -> None:
        """Report all problems together.

        Raises:
            ConfigError: a chance outside 0 to 1.
        """
        names = ("loss", "corruption", "duplication", "delay", "garbage")
        problems = [
            f"{name} must be 0 to 1, got {value!r}"
            for name in names
            if not 0.0 <= (value := getattr(self, name)) <= 1.0
        ]
        if problems:
            raise ConfigError("Channel", problems)
