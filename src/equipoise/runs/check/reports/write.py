"""Where reports go: files of their own, or the summary that GitHub shows."""

import os
from collections.abc import Sequence
from pathlib import Path

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.core.files import atomic_write
from equipoise.runs.check.reports.junit import junit_text
from equipoise.runs.check.reports.markdown import markdown_text
from equipoise.runs.check.reports.report import RobotReport

__all__ = ["expect_place", "summary_path", "write_junit", "write_summary"]

GITHUB, VARIABLE = "github", "GITHUB_STEP_SUMMARY"


def summary_path(given: str) -> tuple[Path, bool]:
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


def expect_place(option: str, path: Path) -> None:
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


def write_summary(given: str, reports: Sequence[RobotReport]) -> Path:
    """Write checks as Markdown, and return the file.

    Args:
        given: a file, or "github".
        reports: one for each robot.

    Raises:
        BadFileError: it cannot be written.
        ConfigError: GitHub names no file here.
    """
    path, is_added = summary_path(given)
    before = ""
    if is_added and path.is_file():
        try:
            before = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise BadFileError(f"{path}: cannot be read ({error.strerror}).") from None
    gap = "" if not before or before.endswith("\n") else "\n"
    return atomic_write(path, before + gap + markdown_text(reports))


def write_junit(path: Path, reports: Sequence[RobotReport]) -> Path:
    """Write checks as JUnit XML, and return the file.

    Args:
        path: the file.
        reports: one for each robot.

    Raises:
        BadFileError: it cannot be written.
    """
    return atomic_write(path, junit_text(reports))
