"""``equipoise lint``: which mistakes are in a robot file?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_robot_files
from equipoise.cli.output import (
    complain,
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    write_files,
    write_json,
)
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.runs.lint_config import LintConfig

__all__ = ["lint_command"]

RobotFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="One or more URDF, xacro or MJCF files, or names of robots that are "
        "files.",
        autocompletion=complete_robot_files,
    ),
]
BAD_INPUT = 2


@takes_settings(LintConfig)
def lint_command(
    file: RobotFiles,
    settings: Settings = NO_SETTINGS,
    seed: options.Seed = 0,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Find mistakes in the masses, inertias and servo gains of a robot file.

    An error is physically impossible, a warning is implausible, a note is worth a look.
    Exits 0 when nothing is wrong, 1 on an error (or, with --strict, a warning), 2 when
    a file cannot be read; with several files, the worst one counts.
    """
    from equipoise.core.errors import BadFileError
    from equipoise.robots.files.other_xml import no_robot
    from equipoise.robots.lint.lint import lint

    del seed  # nothing here is random
    expect_out(out)
    config = LintConfig(**settings)
    skipped = {path: no_robot(path) for path in file if config.skip_others}
    told: list[dict[str, Any]] = []
    code = 0
    for path in file:
        if skipped.get(path):
            told.append({"file": str(path), "skipped": skipped[path]})
            continue
        try:
            report = lint(path, config.packages)
        except BadFileError as error:
            complain(error)
            told.append({"file": str(path), "error": str(error)})
            code = BAD_INPUT
        else:
            told.append(report.summary)
            wrong = report.count("error") + config.strict * report.count("warning")
            code = max(code, int(wrong > 0))
    _print_all(told, json_output, out)
    return code


def _print_all(told: list[dict[str, Any]], json_output: bool, out: Path | None) -> None:
    """Print and write what is said of all files; of one alone as ever."""
    is_one = len(told) == 1
    if is_one and "error" in told[0]:
        return
    content = told[0] if is_one else {"files": told}
    written = write_files(out, lambda to: [write_json(to, "lint.json", content)])
    if json_output:
        print_json(content)
        return
    for summary in told:
        if "skipped" in summary:
            say(f"{summary['file']}: skipped, {summary['skipped']}.")
        elif "error" not in summary:
            _print_report(summary)
    print_written(written)


def _print_report(s: dict[str, Any]) -> None:
    """Print the findings for people, one a paragraph of the table."""
    say(f"{s['file']}: {s['kind']}, {s['bodies']} bodies, {s['total_mass_kg']:.6g} kg")
    rows = [
        (
            f["level"],
            f["body"] or "the file",
            f"{f['what']}: {f['value']}",
            f["suggestion"],
        )
        for f in s["findings"]
    ]
    if rows:
        head = ("level", "body", "what", "suggestion")
        print_table(head, rows, justify="left")
    notes = len(rows) - s["errors"] - s["warnings"]
    say(f"{s['errors']} errors, {s['warnings']} warnings, {notes} notes.")
