"""What ``equipoise lint`` can be asked besides the files."""

from dataclasses import dataclass
from typing import Annotated, final

from equipoise.core.setting import Setting, expect_usable
from equipoise.runs.robot import PACKAGES

__all__ = ["LintConfig"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LintConfig:
    """Settings of a search for mistakes in robot files."""

    skip_others: Annotated[bool, Setting("Skip XML files that describe no robot")] = (
        False
    )
    packages: Annotated[tuple[str, ...], PACKAGES] = ()
    strict: Annotated[bool, Setting("Exit 1 also on a warning")] = False

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        expect_usable(self, "lint")
