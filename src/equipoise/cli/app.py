"""The command's front: which commands there are, exit codes, one-sentence errors.

Exit codes: 0 done or yes, 1 the answer is no, 2 bad input, 3 not known, 70 a defect of
the program itself, 130 stopped by Ctrl-C. Only this file knows how Typer fails. Heavy
libraries are imported inside the commands, so that ``--help`` is quick.
"""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from equipoise.cli.balance import balance_command
from equipoise.cli.listings import controllers_command, robots_command
from equipoise.cli.mass import mass_command
from equipoise.cli.output import complain
from equipoise.cli.reproduce import reproduce_command
from equipoise.cli.view import view_command

__all__ = ["app", "main"]

BAD_INPUT, DEFECT, INTERRUPTED = 2, 70, 130
TRY_HELP = "Try 'equipoise {command} --help'."

app = typer.Typer(
    name="equipoise",
    help="Know where a robot's mass is, whether it will fall, and keep it standing.",
    epilog="Exit codes: 0 done or yes, 1 the answer is no, 2 bad input, 3 not known.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("balance")(balance_command)
app.command("mass")(mass_command)
app.command("reproduce")(reproduce_command)
app.command("robots")(robots_command)
app.command("controllers")(controllers_command)
app.command("view")(view_command)


def print_version(wanted: bool) -> None:
    """Print the version and end, if asked to."""
    if wanted:
        from equipoise import __version__

        print(f"equipoise {__version__}")
        raise typer.Exit(0)


@app.callback(invoke_without_command=True)
def front(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=print_version,
            help="Print the version.",
        ),
    ] = False,
) -> None:
    """Know where a robot's mass is, whether it will fall, and keep it standing."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and end the process with its exit code.

    Args:
        arguments: what was typed after ``equipoise``; None for the process's own.
    """
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        code = app(
            args=None if arguments is None else list(arguments),
            prog_name="equipoise",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has left
        sys.stdout = None  # type: ignore[assignment]  # nothing to flush at the end
        return 0
    except Exception as error:
        return explained(error)
    if code == INTERRUPTED:
        complain("Stopped; nothing was written.")
    return code if isinstance(code, int) else 0


def explained(error: Exception) -> int:
    """Say what went wrong in one sentence and return the exit code."""
    from equipoise.core.errors import EquipoiseError

    if isinstance(error, EquipoiseError):
        complain(error)
        return BAD_INPUT
    message: Any = getattr(error, "format_message", None)
    if message is not None:  # what Typer says about the arguments
        context = getattr(error, "ctx", None)
        name = "" if context is None else (context.info_name or "")
        command = "" if name == "equipoise" else name
        hint = TRY_HELP.format(command=command).replace("  ", " ")
        complain(f"{str(message()).rstrip('.?')}. {hint}")
        return BAD_INPUT
    if isinstance(error, typer.Abort):
        complain("Stopped; nothing was written.")
        return INTERRUPTED
    import traceback

    traceback.print_exception(error)
    complain("This is a defect of equipoise; please report it with the lines above.")
    return DEFECT
