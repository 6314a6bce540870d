"""``equipoise sweep``: ask the same thing many times over, with other options."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.cli import options
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
from equipoise.cli.told import with_index

if TYPE_CHECKING:
    from equipoise.runs.sweep.sweep import SweepResult

__all__ = ["SweepCommand", "sweep_command"]

YES, UNKNOWN = 0, 3
JOBS = ("balance", "check", "limits", "modules", "walk")
KINDS = ("grid", "random", "sobol")
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
            metavar="|".join(JOBS),
            help="What is asked.",
            autocompletion=complete_choices(*JOBS),
        ),
    ],
    robot: Annotated[
        str | None,
        typer.Argument(
            metavar="ROBOT",
            help="Of whom; then any option of the job, for all rows.",
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
            help="Dask's workers instead of processes of our own.",
            show_default="none",
        ),
    ] = None,
    draw: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBER",
            help="A column of the table to draw, may be repeated.",
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
    from equipoise.cli.sweeping import sweep_words, typed_design

    expect_out(out)
    words = [*([] if robot is None else [robot]), *context.args]
    asked = typed_design(vary or [], design, samples, rows_of, seeds, seed)
    with _kept_when_stopped(out), progress_bar("sweeping", is_slow=True) as progress:
        result = sweep_words(
            job,
            words,
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


@contextmanager
def _kept_when_stopped(out: Path | None) -> Generator[None, None, None]:
    """Say after Ctrl-C that nothing is lost, where it is not."""
    try:
        yield
    except KeyboardInterrupt:
        if out is not None and (out / NAME).exists():
            complain(f"Finished rows are kept in {out}: type the same to go on there.")
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
