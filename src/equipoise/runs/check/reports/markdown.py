"""Checks as Markdown, for the summary page of a CI run or a comment.

Names come from robot files; every sign that Markdown, HTML or mathematics would read
is written as its number, so that none of them does anything.
"""

from collections.abc import Iterable, Sequence

from equipoise.core.text import shown
from equipoise.runs.check.compare import Comparison
from equipoise.runs.check.reports.report import RobotReport
from equipoise.runs.check.require.numbers import NUMBERS

__all__ = ["markdown_text"]

SIGNS = {"yes": "✅ yes", "no": "❌ no", "unknown": "❔ unknown", "error": "❌ error"}
SPECIAL = "\\`*_[]<>#|~$&@:"
WEB = "www."
LONGEST = 2000
"""Characters of a sentence."""


def markdown_text(reports: Sequence[RobotReport]) -> str:
    """Return checks as Markdown: a table of all robots, then each one's own part.

    Args:
        reports: one for each robot.
    """
    head = ("robot", "stands", "margin", "required", "verdict")
    lines = ["## equipoise check", "", *_table(head, map(_overview, reports)), ""]
    for report in reports:
        lines += _part(report)
    return "\n".join(lines).rstrip() + "\n"


def _overview(report: RobotReport) -> tuple[str, ...]:
    """Return the cells of a robot's line in the table of all."""
    result = report.result
    if result is None:
        told = "❌ bad input" if report.trouble else "passed over"
        return _plain(report.name), "-", "-", "-", told
    margin = NUMBERS["margin"].read(result.summary)
    met = sum(found.answer == "yes" for found in result.requirements)
    count = len(result.requirements)
    return (
        _plain(report.name),
        SIGNS[result.stands],
        "-" if margin is None else f"{1e3 * margin:.1f} mm",
        f"{met} of {count} met" if count else "-",
        SIGNS[result.verdict],
    )


def _part(report: RobotReport) -> list[str]:
    """Return what is said of one robot."""
    lines = [f"### {_plain(report.name)}", ""]
    if report.result is None:
        return [*lines, _plain(report.trouble or report.skipped), ""]
    rows = [
        (_plain(s.name), SIGNS[s.answer], _plain(s.sentence)) for s in report.statements
    ]
    lines += [*_table(("asked", "answer", "why"), rows), ""]
    if report.result.comparison:
        lines += _compared(report.result.comparison)
    remedies = report.result.remedies
    for goal in dict.fromkeys(remedy.goal for remedy in remedies):
        lines += [f"Tried on the changed robot: {_plain(goal)} if", ""]
        lines += [f"- {_plain(r.change)}" for r in remedies if r.goal == goal]
        lines.append("")
    return lines


def _compared(found: Comparison) -> list[str]:
    """Return the table of what changed."""
    rows = [("stands", found.old_stands, found.new_stands, "")]
    rows += [
        (_plain(c.name), *(_number(x, c.unit) for x in (c.old, c.new, c.change)))
        for c in found.changes
    ]
    return [
        f"Compared to {_plain(found.old)}: {_plain(found.sentence)}.",
        "",
        *_table(("", "before", "now", "change"), rows),
        "",
    ]


def _number(value: float | None, unit: str) -> str:
    """Return a number with its unit, a dash where there is none."""
    return "-" if value is None else f"{value:.5g} {unit}".rstrip()


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; its cells are safe already."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def _plain(text: object) -> str:
    """Return a text that nothing reads as markup, link, mention or mathematics.

    Args:
        text: whatever a file or a user named.
    """
    line = shown(text, LONGEST)
    safe = "".join(f"&#{ord(c)};" if c in SPECIAL else c for c in line)
    return safe.replace(WEB, f"www&#{ord('.')};")
