"""Where reports go: files of their own, or the summary that GitHub shows."""

import os
from collections.abc import Sequence
from pathlib import Path

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.core.files import atomic_write
from equipoise.runs.check.reports.junit import junit_text
from equipoise.runs.check.reports.markdown import markdown_text
from equipoise.runs.check.reports.report import RobotReport

__all__ = ["expect_reports", "saved", "write_reports"]

GITHUB, VARIABLE = "github", "GITHUB_STEP_SUMMARY"


def _summary_path(given: str) -> tuple[Path, bool]:
    """Return the file that a summary goes to, and whether it is added to it.

    Args:
        given: a file, or "github" for the one that GitHub names.

    Raises:
        ConfigError: GitHub names none here.
    """
    if given != GITHUB:
        return Path(given), False
    named = os.environ.get(VARIABLE, "")
    if not named:
        problem = f"--summary github needs ${VARIABLE}, which GitHub sets; name a file"
        raise ConfigError("check", [problem])
    return Path(named), True


def _expect_place(option: str, path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done.

    Args:
        option: that names it.
        path: the file.

    Raises:
        BadFileError: it is a folder, or its folder cannot be written to.
    """
    if path.is_dir():
        raise BadFileError(f"{option} {path}: is a folder; name a file in it.")
    there = next(p for p in path.absolute().parents if os.path.lexists(p))
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise BadFileError(
            f"{option} {path}: {there} cannot be written to; choose another folder."
        )


def expect_reports(summary: str | None, junit: Path | None) -> None:
    """Refuse reports that cannot be written, before any work is done.

    Args:
        summary: where Markdown goes; None for none.
        junit: where JUnit XML goes; None for none.

    Raises:
        BadFileError: a file that cannot be written.
        ConfigError: GitHub names no file here.
    """
    if summary is not None:
        _expect_place("--summary", _summary_path(summary)[0])
    if junit is not None:
        _expect_place("--junit", junit)


def saved(reports: Sequence[RobotReport], to: Path) -> list[Path]:
    """Write every check's files, of several robots in a folder each.

    Args:
        reports: one for each robot.
        to: the folder.
    """
    files: list[Path] = []
    for k, report in enumerate(reports):
        folder = to if len(reports) == 1 else to / f"{k + 1}-{Path(report.name).stem}"
        files += [] if report.result is None else report.result.save(folder)
    return files


def write_reports(
    reports: Sequence[RobotReport], summary: str | None, junit: Path | None
) -> list[Path]:
    """Write what other programs read, and return the files.

    Args:
        reports: one for each robot.
        summary: where Markdown goes; None for none.
        junit: where JUnit XML goes; None for none.

    Raises:
        BadFileError: a file that cannot be written.
    """
    files = [] if summary is None else [_write_summary(summary, reports)]
    if junit is not None:
        files.append(atomic_write(junit, junit_text(reports)))
    return files


def _write_summary(given: str, reports: Sequence[RobotReport]) -> Path:
    """Write checks as Markdown, and return the file.

    Args:
        given: a file, or "github".
        reports: one for each robot.

    Raises:
        BadFileError: it cannot be written.
        ConfigError: GitHub names no file here.
    """
    path, is_added = _summary_path(given)
    before = ""
    if is_added and path.is_file():
        try:
            before = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise BadFileError(f"{path}: cannot be read ({error.strerror}).") from None
    gap = "" if not before or before.endswith("\n") else "\n"
    return atomic_write(path, before + gap + markdown_text(reports))
