"""The answers of several checks, one robot after the other, and what they make."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, final

from equipoise.core.errors import EquipoiseError
from equipoise.robots.files.other_xml import no_robot
from equipoise.runs.check.result import CheckResult

__all__ = ["RobotReport", "Statement", "exit_code", "reported"]

CODES = {"yes": 0, "no": 1, "unknown": 3}
BAD_INPUT = 2
WORST = (2, 1, 3, 0)
"""Exit codes, the one that counts most first."""


class Statement(NamedTuple):
    """One thing that a check says: that it stands, or that a number is there."""

    name: str
    answer: Literal["yes", "no", "unknown", "error"]
    sentence: str


@final
@dataclass(frozen=True)
class RobotReport:
    """Report on one robot: a check, or the reason why there is none."""

    name: str
    """As it was typed."""
    result: CheckResult | None = None
    trouble: str = ""
    """Why it could not be checked, a sentence; empty if it was."""
    skipped: str = ""
    """Why it was passed over; empty if it was not."""

    @property
    def code(self) -> int:
        """The exit code of this robot alone."""
        if self.trouble:
            return BAD_INPUT
        return 0 if self.result is None else CODES[self.result.verdict]

    @property
    def statements(self) -> list[Statement]:
        """All that was asked, each with its answer."""
        result = self.result
        if result is None:
            return [Statement("can be read", "error", self.trouble)] * bool(
                self.trouble
            )
        said = [*_reasons(result), *([result.pose_note] if result.pose_note else [])]
        found = [Statement("stands", result.stands, "; ".join(said))]
        found += [
            Statement(str(asked.requirement), asked.answer, asked.sentence)
            for asked in result.requirements
        ]
        if result.comparison and result.asked and result.asked.no_worse:
            change = result.comparison
            name = f"no worse than {change.old}"
            found.append(Statement(name, change.is_no_worse, change.sentence))
        return found

    @property
    def json_content(self) -> dict[str, Any]:
        """Numbers for ``--json``."""
        if self.result is not None:
            return {"file": self.name, **self.result.report}
        return {
            "file": self.name,
            "error": self.trouble or None,
            "skipped": self.skipped or None,
        }


def _reasons(result: CheckResult) -> list[str]:
    """Return why a robot stands or does not."""
    return list(result.summary["reasons"])


def exit_code(reports: Sequence[RobotReport]) -> int:
    """Return the exit code of several checks: bad input, no, not known, yes.

    Args:
        reports: one for each robot.
    """
    codes = {report.code for report in reports}
    return next((code for code in WORST if code in codes), 0)


def reported(
    name: str, checked: Callable[[str], CheckResult], skip_others: bool
) -> RobotReport:
    """Return what becomes of one robot.

    Args:
        name: as it was typed.
        checked: checks the robot of a name.
        skip_others: whether an XML file that is no robot is passed over.
    """
    if skip_others and (why := no_robot(name)):
        return RobotReport(name, skipped=why)
    try:
        return RobotReport(name, checked(name))
    except EquipoiseError as error:
        return RobotReport(name, trouble=str(error))
