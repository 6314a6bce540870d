"""``equipoise modules``: a robot's modules as machines of their own."""

import typer

from equipoise.cli.modules.firmware import firmware_command
from equipoise.cli.modules.run import RunCommand, run_command
from equipoise.cli.modules.torture import torture_command

__all__ = ["modules_app"]

modules_app = typer.Typer(
    name="modules",
    help="A robot's modules as machines of their own: processes, faults, firmware.",
    rich_markup_mode=None,
)


@modules_app.callback(invoke_without_command=True)
def modules(context: typer.Context) -> None:
    """A robot's modules as machines of their own: processes, faults, firmware."""
    if context.invoked_subcommand is None:
        print(context.get_help())


modules_app.command("run", cls=RunCommand)(run_command)
modules_app.command("torture")(torture_command)
modules_app.command("firmware")(firmware_command)
