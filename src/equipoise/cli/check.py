"""``equipoise check``: will it stand, by how much, and which way does it fail first."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.cli import options
from equipoise.cli.check_report import print_reports
from equipoise.cli.completion import complete_robots
from equipoise.cli.output import expect_out, print_written, write_files
from equipoise.cli.robot_options import NONE, RobotOptions, takes_robot_options
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.runs.check.config import CheckConfig
from equipoise.runs.robot import RobotChoice

if TYPE_CHECKING:
    from equipoise.runs.check.result import CheckResult

__all__ = ["check_command"]

REPORTS = "Reports"


@takes_robot_options()
@takes_settings(CheckConfig)
def check_command(
    robot: Annotated[
        list[str],
        typer.Argument(
            metavar="ROBOT",
            help="Built-in robots, see 'equipoise robots', or files; one or more.",
            autocompletion=complete_robots(),
            show_default=False,
        ),
    ],
    settings: Settings = NO_SETTINGS,
    summary: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|github",
            help="Write a summary as Markdown; 'github' adds it to the run's page.",
            rich_help_panel=REPORTS,
        ),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the answers as JUnit XML.",
            rich_help_panel=REPORTS,
        ),
    ] = None,
    skip_others: Annotated[
        bool,
        typer.Option("--skip-others", help="Skip XML files that are no robots."),
    ] = False,
    robot_options: RobotOptions = NONE,
    seed: options.Seed = 0,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Judge whether a robot stands in a pose, on its own drives or with held joints.

    Exits 0 when it stands, 1 when it does not, 3 when that cannot be known; what is
    required counts as well, and of several robots the worst. A robot that creeps, sinks
    by more than 5 % of its height or has passive joints is not called standing.
    """
    from equipoise.runs.check.asked_robot import check_named, expect_requirements
    from equipoise.runs.check.reports.report import exit_code, reported
    from equipoise.runs.check.reports.write import (
        expect_reports,
        saved,
        write_reports,
    )

    expect_out(out)
    expect_reports(summary, junit)
    config = CheckConfig(**settings)
    expect_requirements(config)

    def checked(name: str) -> "CheckResult":
        choice = RobotChoice(name=name, seed=seed, options=robot_options)
        return check_named(choice, config)

    reports = [reported(name, checked, skip_others) for name in robot]
    written = write_files(out, lambda to: saved(reports, to))
    written += write_reports(reports, summary, junit)
    print_reports(reports, json_output)
    if not json_output:
        print_written(written)
    return exit_code(reports)
