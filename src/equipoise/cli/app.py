"""The command's front: which commands there are, exit codes, one-sentence errors.

Exit codes: 0 done or yes, 1 the answer is no, 2 bad input, 3 not known, 70 a defect of
the program itself, 130 stopped by Ctrl-C, 143 by SIGTERM, 141 the reader of the output
left. Only this file knows how Typer fails. Heavy libraries are imported inside the
commands, so that ``--help`` is quick.
"""

import re
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Annotated, Any

import typer

from equipoise.cli.balance import balance_command
from equipoise.cli.bench import bench_command
from equipoise.cli.check import check_command
from equipoise.cli.command import offer
from equipoise.cli.derive import derive_command
from equipoise.cli.describe import describe_command
from equipoise.cli.export import export_command
from equipoise.cli.gait import gait_command
from equipoise.cli.learn import learn_command
from equipoise.cli.limits import limits_command
from equipoise.cli.linearize import linearize_command
from equipoise.cli.lint import lint_command
from equipoise.cli.listings import controllers_command, robots_command
from equipoise.cli.mass import mass_command
from equipoise.cli.modules.app import modules_app
from equipoise.cli.options import expect_values
from equipoise.cli.output import complain, remember_words
from equipoise.cli.reproduce import reproduce_command
from equipoise.cli.streams import (
    INTERRUPTED,
    CannotPrintError,
    EndRequest,
    exhausted,
    held_streams,
    hushed,
    stopped_by_signals,
)
from equipoise.cli.sweep import SweepCommand, sweep_command
from equipoise.cli.view import view_command
from equipoise.cli.walk import walk_command
from equipoise.core.log import heard_on_stderr

__all__ = ["app", "front_command", "main"]

VERBOSE = "--verbose"
BAD_INPUT, DEFECT, READER_LEFT = 2, 70, 141

app = typer.Typer(
    name="equipoise",
    help="Know where a robot's mass is, whether it will fall, and keep it standing.",
    epilog="Numbers can have a unit: 20deg, 35%, 2cm, 15kN/m, 1.8km/h; without one "
    "they are in the unit that the help shows. Exit codes: 0 for yes or done, 1 for "
    "no, 2 for bad input, 3 for unknown.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
COMMANDS = (
    (
        balance_command,
        "Simulate a robot that keeps its balance while it is hit.",
        "balance biped --block-mass 2kg",
    ),
    (
        bench_command,
        "Measure generated equations against other libraries.",
        "bench equations --quick",
    ),
    (
        check_command,
        "Judge whether a robot stands, and by what margin.",
        "check warp1 --slope 35%",
    ),
    (
        controllers_command,
        "List the controllers, or the settings of one.",
        "controllers upright",
    ),
    (
        derive_command,
        "Write a robot's equations of motion as C.",
        "derive warp1 --target simd --out build",
    ),
    (
        describe_command,
        "Show what is found in a robot file, and what is assumed.",
        "describe dog.urdf --out .",
    ),
    (
        export_command,
        "Export a recorded run to another program.",
        "export out/run.nc run.mcap",
    ),
    (
        gait_command,
        "Show a gait: its diagram, margins and speed limits.",
        "gait crawl --stroke 15cm",
    ),
    (
        learn_command,
        "Let a machine learn a task by trial and error.",
        "learn thing --steps 200 --policy turn.json",
    ),
    (
        limits_command,
        "Find the largest block and push that a robot survives.",
        "limits biped --pushes 20",
    ),
    (
        linearize_command,
        "Linearise a robot about a pose: A, B, modes, poles.",
        "linearize biped --ground-stiffness 15kN/m",
    ),
    (
        lint_command,
        "Find mistakes in a robot file: masses, frames, gains.",
        "lint dog.urdf",
    ),
    (
        mass_command,
        "Compute mass, centre of mass and inertia of a robot.",
        "mass warp1 --payload 500g",
    ),
    (
        reproduce_command,
        "Check every claim of a published work.",
        "reproduce moll2006 --trees 5",
    ),
    (
        robots_command,
        "List the robots, or describe one with its sources.",
        "robots warp1",
    ),
    (
        view_command,
        "Play a recorded run, or show a robot, in the browser.",
        "view out/run.nc",
    ),
    (
        walk_command,
        "Make a robot walk, and measure how well it does.",
        "walk warp1 --speed 0.5m/s --terrain slope:10deg",
    ),
)
"""Every command, what it does in a line, and an example that begins with its name."""
for command, brief, example in COMMANDS:
    offer(app, example.split()[0], command, brief, example)
app.add_typer(modules_app, name="modules")
offer(
    app,
    "sweep",
    sweep_command,
    "Run a job many times with varied options.",
    "sweep check warp1 --vary slope=0deg:40deg:9",
    SweepCommand,
)


def _print_version(wanted: bool) -> None:
    """Print the version and end, if asked to."""
    if wanted:
        from importlib.metadata import version

        print(f"equipoise {version('equipoise')}")
        raise typer.Exit(0)


@app.callback(invoke_without_command=True)
def front(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_print_version,
            help="Print the version.",
        ),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            VERBOSE,
            help="Report on stderr which files are read, what is assumed and how long "
            "each stage takes; works with any command.",
        ),
    ] = False,
) -> None:
    """Know where a robot's mass is, whether it will fall, and keep it standing."""
    del verbose  # taken before anything is parsed, see run
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and end the process with its exit code.

    Args:
        arguments: what was typed after ``equipoise``; None for the process's own.
    """
    with stopped_by_signals() as ending:
        code = run(arguments, ending)
    sys.exit(code)


def run(
    arguments: Sequence[str] | None = None, ending: EndRequest | None = None
) -> int:
    """Run the command and return its exit code.

    Args:
        arguments: what was typed after ``equipoise``; None for the process's own.
        ending: knows which signal stopped it; None where Ctrl-C alone does.
    """
    typed = list(sys.argv[1:] if arguments is None else arguments)
    with held_streams() as can_print:
        if not can_print:
            complain(CannotPrintError("standard output is closed"))
            return BAD_INPUT
        code = _answered(typed)
        if code == INTERRUPTED:
            ending = ending or EndRequest()
            complain(f"Stopped by {ending.name}.")
            return ending.code
        return code


def _answered(typed: list[str]) -> int:
    """Do what was typed and return the exit code, ``INTERRUPTED`` if it was stopped."""
    is_verbose = VERBOSE in typed
    typed = [word for word in typed if word != VERBOSE]
    try:
        expect_values(typed)
        remember_words(typed)
        with warnings.catch_warnings(), heard_on_stderr(is_verbose):
            if not sys.warnoptions:
                _filter_warnings()
            code = front_command()(
                args=typed, prog_name="equipoise", standalone_mode=False
            )
        sys.stdout.flush()
    except SystemExit as end:  # of completion, or what Typer makes of a broken pipe
        if end.code != 1:
            return end.code if isinstance(end.code, int) else 0
        return _left_by_reader()
    except BrokenPipeError:
        return _left_by_reader()
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return _explained(error, typed)
    return code if isinstance(code, int) else 0


def _filter_warnings() -> None:
    """Ignore warnings of libraries, which tell users nothing; show our own."""
    from equipoise.core.errors import EquipoiseWarning

    warnings.simplefilter("ignore")
    warnings.simplefilter("default", EquipoiseWarning)
    warnings.showwarning = lambda message, *_, **__: complain(message)


@cache
def front_command() -> Any:
    """Return all commands as Typer reads them, put together once."""
    import typer.main

    return typer.main.get_command(app)


def _left_by_reader() -> int:
    """Return the code for a reader who left; nothing is flushed at the end then."""
    sys.stdout = hushed()
    return READER_LEFT


def _explained(error: Exception, typed: list[str]) -> int:
    """Say what went wrong in one sentence and return the exit code."""
    from equipoise.core.errors import EquipoiseError

    if isinstance(error, CannotPrintError):
        sys.stdout = hushed()
    if isinstance(error, EquipoiseError):
        complain(error)
        return BAD_INPUT
    if hasattr(error, "format_message"):  # what Typer says about the arguments
        complain(_usage_sentence(error, typed))
        return BAD_INPUT
    if isinstance(error, MemoryError):
        complain("There is not enough memory; use a smaller robot or a shorter run.")
        return BAD_INPUT
    if sentence := exhausted(error):
        complain(sentence)
        return BAD_INPUT
    import traceback

    complain("".join(traceback.format_exception(error)), is_line=False)
    complain("This is a defect of equipoise; please report it with the lines above.")
    return DEFECT


def _usage_sentence(error: Any, typed: list[str]) -> str:
    """Return Typer's complaint as one sentence, with the value that it leaves out."""
    message = str(error.format_message()).rstrip(".?")
    message = re.sub(r"\. Did you mean (.*)$", r" (did you mean \1?)", message)
    if message.startswith("No such command") and "did you mean" not in message:
        known = getattr(getattr(error, "ctx", None), "command", None)
        message += f" (known: {', '.join(sorted(getattr(known, 'commands', ())))})"
    if match := re.match(r"Invalid value for '(--[a-z-]+)'", message):
        value = [
            after for option, after in pairwise([*typed, ""]) if option == match[1]
        ] + [a.partition("=")[2] for a in typed if a.startswith(f"{match[1]}=")]
        message += f", got '{value[-1]}'" if value else ""
    where = getattr(error, "ctx", None)
    command = getattr(where, "command_path", None) or "equipoise"
    return f"{message}; try '{command} --help'."
