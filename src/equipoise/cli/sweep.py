"""``equipoise sweep``: ask the same thing many times over, with other options."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.answer_page import with_index
from equipoise.cli.command import SpokenCommand
from equipoise.cli.completion import complete_choices, complete_robots
from equipoise.cli.output import (
    complain,
    expect_out,
    print_json,
    print_table,
    print_written,
    progress_bar,
    say,
    write_files,
)
from equipoise.runs.jobs.job import Job, job_named, job_names
from equipoise.runs.sweep.kinds import KINDS

if TYPE_CHECKING:
    from equipoise.runs.sweep.sweep import SweepResult
    from equipoise.runs.sweep.swept import SweptJob

__all__ = ["SweepCommand", "sweep_command"]

YES, UNKNOWN = 0, 3
NAME = "sweep.jsonl"  # in which finished rows are kept


class SweepCommand(SpokenCommand):
    """Hands on what it does not know: the options of the job."""

    def __init__(self, *words: Any, **settings: Any) -> None:
        super().__init__(*words, **settings)
        handed = {"ignore_unknown_options": True, "allow_extra_args": True}
        self.context_settings = {**self.context_settings, **handed}


def sweep_command(
    context: typer.Context,
    job: Annotated[
        str,
        typer.Argument(
            metavar="|".join(job_names()),
            help="What is asked.",
            autocompletion=complete_choices(*job_names()),
        ),
    ],
    robot: Annotated[
        str | None,
        typer.Argument(
            metavar="ROBOT",
            help="Robot, followed by options of the job for all rows.",
            autocompletion=complete_robots(),
            show_default="the job's own",
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LO:HI:N",
            help="An option of the job or robot: N points with both ends, or values "
            "between commas; LO:HI where points are drawn. May be repeated.",
            show_default="nothing",
        ),
    ] = None,
    design: Annotated[
        str,
        typer.Option(
            metavar="|".join(KINDS),
            help="All combinations, or drawn points.",
            autocompletion=complete_choices(*KINDS),
        ),
    ] = "grid",
    samples: Annotated[
        int, typer.Option(metavar="N", help="Points that are drawn.")
    ] = 0,
    rows_of: Annotated[
        Path | None,
        typer.Option(
            "--list",
            metavar="FILE",
            help="Points from a .csv or .yaml file, its columns named as options.",
            show_default="none",
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option(metavar="N", help="Rows at each point, by seeds in a row.")
    ] = 1,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="Processes.", show_default="one a core"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="local|ssh:FILE|ADDRESS",
            help="Run the rows on Dask's workers instead of local processes.",
            show_default="none",
        ),
    ] = None,
    draw: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBER",
            help="Column of the table to draw; can be repeated.",
            show_default="the answer, and what matters most",
        ),
    ] = None,
    gpu: options.Gpu = False,
    backend: options.GpuBackend = None,
    seed: options.Seed = 0,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Ask a job for every combination of options, and keep all answers in a table.

    What is varied: an option of the job; robot; set.NAME, a setting of its controller;
    mass.NAME, length.NAME and so on, numbers of the robot, see --change of the job.
    With --out a sweep that was stopped goes on where it was. Exits 0 when every row
    has an answer, 3 when some have none.
    """
    from equipoise.runs.sweep.front import sweep_job
    from equipoise.runs.sweep.given import typed_design

    expect_out(out)
    words = [*([] if robot is None else [robot]), *context.args]
    named = words[0] if words and not words[0].startswith("-") else None
    typed = words if named is None else words[1:]
    swept = _swept_job(job_named(job), named, typed)
    asked = typed_design(vary or [], design, samples, rows_of, seeds, seed)
    with _kept_when_stopped(out), progress_bar("sweeping", is_slow=True) as progress:
        result = sweep_job(
            swept,
            asked,
            workers=workers,
            cluster=cluster,
            card=options.card_of(gpu, backend),
            out=out,
            progress=progress,
        )
    save = partial(result.save, draw=tuple(draw or ()))
    written = write_files(out, with_index(save, out, _print_sweep, result))
    if json_output:
        print_json({**result.summary, "table": result.rows})
    else:
        _print_sweep(result)
        print_written(written)
    return YES if result.verdict == "yes" else UNKNOWN


def _swept_job(job: Job, robot: str | None, typed: list[str]) -> "SweptJob":
    """Return a job with the options that were typed for all rows.

    Args:
        job: which.
        robot: which is asked; None for the job's own.
        typed: words of its options.

    Raises:
        EquipoiseError: an option that the job does not have, or that it does not take.
    """
    from equipoise.runs.sweep.swept import OF_FILES, SweptJob

    swept = SweptJob(job, robot, ())
    own = swept.options
    for word in typed:
        option = word.removeprefix("--").partition("=")[0]
        if word[:2] == "--" and not {option, option.removeprefix("no-")} & {*own}:
            raise swept.unknown(option)
    command = _command_of(job)
    stand_in = ["superbot"] if job.name == "check" else []  # it wants one
    named = stand_in if robot is None else [robot]
    context = command.make_context(f"equipoise {job.title}", [*named, *typed])
    names = {setting.name: option for option, setting in own.items()}
    names |= {name: option for option, name in OF_FILES.items()} | {"gains": "set"}
    common = list[str]()
    for name, value in options.given_options(context).items():
        if name in names:
            common += swept.words(names[name], value)
    return replace(swept, common=tuple(common))


def _command_of(job: Job) -> Any:
    """Return a job's command as Typer has it."""
    from equipoise.cli.app import front_command  # it offers all commands, this too

    found = front_command()
    for word in job.title.split():
        found = found.commands[word]
    return found


@contextmanager
def _kept_when_stopped(out: Path | None) -> Generator[None, None, None]:
    """Say after Ctrl-C that nothing is lost, where it is not."""
    try:
        yield
    except KeyboardInterrupt:
        if out is not None and (out / NAME).exists():
            complain(
                f"Finished rows are kept in {out}: run the same command to continue."
            )
        raise


def _print_sweep(result: "SweepResult") -> None:
    """Print how many rows there are, by answer."""
    s = result.summary
    rows = [("yes", str(s["yes"])), ("no", str(s["no"]))]
    rows += [("not known", str(s["unknown"])), ("without an answer", str(s["failed"]))]
    print_table(("answer", "rows"), rows, title=f"{s['rows']} times {s['job']}")
    first = next((row for row in result.rows if row["error"]), None)
    if first is not None:
        say(f"The first without an answer, row {first['index']}: {first['error']}")
