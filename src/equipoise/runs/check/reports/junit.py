"""Checks as JUnit XML, which every CI service reads.

A test suite for each robot; a test case for whether it stands and for each number that
is required. "No" is a failure, "unknown" and a file that cannot be read are errors;
what a "yes" rests on is the output of its test case.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from equipoise.core.text import shown
from equipoise.runs.check.reports.report import RobotReport, Statement

__all__ = ["junit_text"]

LONGEST = 2000
"""Characters of a sentence."""


def junit_text(reports: Sequence[RobotReport]) -> str:
    """Return checks as the text of a JUnit file.

    Args:
        reports: one for each robot.
    """
    root = ET.Element("testsuites", name="equipoise check")
    for report in reports:
        suite = ET.SubElement(root, "testsuite", name=_safe(report.name))
        for statement in report.statements:
            _add_case(suite, report, statement)
        if report.skipped:
            case = ET.SubElement(suite, "testcase", name="is a robot")
            case.set("classname", _safe(report.name))
            ET.SubElement(case, "skipped", message=_safe(report.skipped))
        _count(suite, [suite])
    _count(root, list(root))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_case(suite: ET.Element, report: RobotReport, statement: Statement) -> None:
    """Add one test case to a suite."""
    case = ET.SubElement(suite, "testcase", name=_safe(statement.name))
    case.set("classname", _safe(report.name))
    if statement.answer == "yes":
        ET.SubElement(case, "system-out").text = _safe(statement.sentence)
        return
    tag = "failure" if statement.answer == "no" else "error"
    message = _safe(statement.sentence)
    found = ET.SubElement(case, tag, message=message, type=statement.answer)
    remedies = () if report.result is None else report.result.remedies
    found.text = "\n".join([message, *(_safe(r.sentence) for r in remedies)])


def _count(element: ET.Element, suites: list[ET.Element]) -> None:
    """Write how many cases there are, failed, in error and skipped."""
    cases = [case for suite in suites for case in suite.iter("testcase")]
    element.set("tests", str(len(cases)))
    for key, tag in (
        ("failures", "failure"),
        ("errors", "error"),
        ("skipped", "skipped"),
    ):
        element.set(key, str(sum(case.find(tag) is not None for case in cases)))


def _safe(text: object) -> str:
    """Return a text that XML can carry: one line, no control characters."""
    return shown(text, LONGEST)
