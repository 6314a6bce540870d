"""``equipoise modules``: a robot's modules as machines of their own."""

import typer

from equipoise.cli.command import offer
from equipoise.cli.modules.firmware import firmware_command
from equipoise.cli.modules.run import RunCommand, run_command
from equipoise.cli.modules.torture import torture_command

__all__ = ["modules_app"]

modules_app = typer.Typer(
    name="modules",
    help="Run a robot's modules as separate processes, under faults, or as firmware.",
    short_help="Run modules as processes, under faults, or as firmware.",
    rich_markup_mode=None,
)


@modules_app.callback(invoke_without_command=True)
def modules(context: typer.Context) -> None:
    """Run a robot's modules as separate processes, under faults, or as firmware."""
    if context.invoked_subcommand is None:
        print(context.get_help())


offer(
    modules_app,
    "run",
    run_command,
    "Balance a robot whose modules are processes.",
    "modules run --kill 3 --after 500ms --seconds 2s",
    RunCommand,
)
offer(
    modules_app,
    "torture",
    torture_command,
    "Inject faults into modules and judge all their claims.",
    "modules torture --seeds 20",
)
offer(
    modules_app,
    "firmware",
    firmware_command,
    "Write the module program as C for the ATmega128.",
    "modules firmware --out build",
)
