"""``equipoise modules torture``: faults of every kind against the module program."""

from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.cli import options
from equipoise.cli.lab import open_lab
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_table,
    print_written,
    progress_bar,
    say,
    write_files,
    write_json,
)

if TYPE_CHECKING:
    from equipoise_lab.torture.campaign import TortureResult

__all__ = ["torture_command"]

YES, NO = 0, 1
SHOWN = 10  # violations that people are told about


def torture_command(
    seed: options.Seed = 0,
    seeds: Annotated[
        int, typer.Option(metavar="N", help="How many, --seed being the first.")
    ] = 100,
    faults: Annotated[
        str,
        typer.Option(
            metavar="all|NAME,NAME",
            help="Families of scenarios or kinds of faults, as storms or crashes: "
            "general, redock-storm, crash, partition, ...",
        ),
    ] = "all",
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Inject faults into the modules of random robots and judge all their claims.

    Same seed, same frames: a seed that fails fails again with --seeds 1. Exits 0 when
    nothing was wrong, 1 when something was.
    """
    open_lab("modules torture")
    from equipoise_lab.torture.campaign import family_rows, torture

    expect_out(out)
    with progress_bar("torturing") as progress:
        result = torture(seed, seeds, faults, progress=progress)
    content = {**result.summary, "families": family_rows(result.trials)}
    content["violating"] = _told(result, len(result.violating))
    written = write_files(out, lambda to: [write_json(to, "torture.json", content)])
    if json_output:
        print_json(result.summary)
    else:
        _print_torture(result)
        print_written(written)
    return NO if result.violating else YES


def _told(result: "TortureResult", most: int) -> list[dict[str, object]]:
    """Return what went wrong, a row a seed."""
    wrong = [trial for trial in result.trials if trial.is_violated]
    rows: list[dict[str, object]] = [
        {
            "seed": t.seed,
            "family": t.family,
            "modules": t.modules,
            "first": t.first,
            "findings": t.findings,
            "recovery_rounds": t.recovery,
            "rounds_beyond_bound": -t.margin if t.is_bound else None,
            "digest": f"{t.digest:016x}",
        }
        for t in wrong
    ]
    rows += [{"seed": seed, "first": why} for seed, why in result.lost.items()]
    return rows[:most]


def _print_torture(result: "TortureResult") -> None:
    """Print how it went for people."""
    from equipoise_lab.torture.campaign import family_rows

    head = ("family", "runs", "wrong", "never", "late", "spare")
    rows = [
        (
            row["family"],
            row["runs"],
            row["findings"],
            row["not_recovered"],
            row["late"],
            _whole(row["spare_min"]),
            *(_whole(row[f"recovery_{part}"]) for part in ("p50", "p99", "max")),
            *(_whole(row[f"stale_{part}"]) for part in ("p99", "max")),
        )
        for row in family_rows(result.trials)
    ]
    title = "recovered never, late, with rounds to spare or after rounds; "
    title += "claims outlived the truth by rounds"
    print_table((*head, "p50", "p99", "max", "stale p99", "max"), rows, title)
    summary = result.summary
    say(f"{summary['violations']} of {summary['runs']} runs violated a promise.")
    for row in _told(result, SHOWN):
        say(f"  seed {row['seed']}: {_sentence(row)}")
    if result.trials and len(result.trials) == 1:
        say(f"Digest of all frames: {result.trials[0].digest:016x}.")


def _whole(number: float | None) -> str:
    """Return a number of rounds for people; a dash where there is none."""
    return "-" if number is None else f"{number:.0f}"


def _sentence(row: dict[str, object]) -> str:
    """Return what went wrong in words."""
    if row["first"]:
        return str(row["first"])
    if row["recovery_rounds"] is None:
        return "it never recovered"
    took, beyond = row["recovery_rounds"], row["rounds_beyond_bound"]
    return f"it took {took} rounds to recover, {beyond} too many"
