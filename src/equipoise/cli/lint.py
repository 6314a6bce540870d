"""``equipoise lint``: are the mass properties of a robot file credible?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    say,
    write_files,
    write_json,
)

__all__ = ["lint_command"]

RobotFile = Annotated[Path, typer.Argument(metavar="FILE", help="A URDF or MJCF file.")]


def lint_command(
    file: RobotFile,
    seed: options.Seed = 0,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Say which mass properties of a URDF or MJCF file are not credible."""
    from equipoise.robots.lint.lint import lint

    del seed  # nothing here is random
    expect_out(out)
    report = lint(file)
    written = write_files(out, lambda to: [write_json(to, "lint.json", report.summary)])
    if json_output:
        print_json(report.summary)
    else:
        print_report(report.summary)
        print_written(written)
    return 1 if report.count("error") else 0


def print_report(s: dict[str, Any]) -> None:
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
