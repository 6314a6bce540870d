"""What ``equipoise export`` can be asked besides the run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, final

from equipoise.core.setting import Setting, expect_usable

__all__ = ["ExportConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ExportConfig:
    """One file for another program.

    Raises:
        ConfigError: a part of the run for a file that is no animation.
    """

    file: Path
    span: Annotated[
        tuple[float, float] | None,
        Setting(
            "First and last second of the run that an animation shows",
            "s",
            metavar="FROM,TO",
            usual="the decisive seconds",
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        is_idle = self.span is not None and not self.is_movie
        problem = f"--span is for animations (.gif), got '{self.file.name}'"
        expect_usable(self, "export", problem if is_idle else "")

    @property
    def is_movie(self) -> bool:
        """Whether the file is an animation."""
        return self.file.suffix.lower() == ".gif"
