"""``equipoise reproduce``: every claim of a work, side by side with ours."""

from collections import Counter
from textwrap import wrap
from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_choices
from equipoise.cli.lab import open_lab
from equipoise.cli.output import (
    expect_out,
    print_json,
    print_written,
    progress_bar,
    say,
    write_files,
    write_json,
)

__all__ = ["reproduce_command"]


def reproduce_command(
    work: Annotated[
        str,
        typer.Argument(
            metavar="KEY",
            help="Work to reproduce: moll2006, ridderstrom2003 or wendlandt1997.",
            autocompletion=complete_choices(
                "moll2006", "ridderstrom2003", "wendlandt1997"
            ),
        ),
    ],
    trees: Annotated[
        int | None,
        typer.Option(
            help="Number of random robots per seed, 1 to 1000; moll2006 only.",
            show_default="20",
        ),
    ] = None,
    part: Annotated[
        int | None,
        typer.Option(
            help="Part of the work; ridderstrom2003 only, 1 to 4.", show_default="all"
        ),
    ] = None,
    chapter: Annotated[
        int | None,
        typer.Option(
            help="Single chapter of the work; ridderstrom2003 only, 3 or 11.",
            show_default="all",
        ),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option(
            help="Number of seeds on which a claim is judged, 1 to 100; if they"
            " disagree, the claim is mixed."
        ),
    ] = 3,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Check every claim of a published work and print it beside our own result.

    Exits 1 when a claim is missed, even on a single seed. Claims that cannot hold as
    printed are marked, and results beyond the work are listed separately.
    """
    from equipoise.core.errors import ConfigError

    open_lab("reproduce")
    from equipoise_lab.papers import FAILING, pictures, reproduce

    expect_out(out)
    problems = []
    if trees is not None and not 1 <= trees <= 1000:
        problems.append(f"trees must be 1 to 1000, got {trees}")
    if seed < 0:
        problems.append(f"seed must be >= 0, got {seed}")
    if not 1 <= seeds <= 100:
        problems.append(f"seeds must be 1 to 100, got {seeds}")
    if problems:
        raise ConfigError("reproduce", problems)
    with progress_bar(f"reproducing {work}") as progress:
        found = reproduce(
            work,
            trees=trees,
            part=part,
            chapter=chapter,
            seed=seed,
            seeds=seeds,
            progress=progress,
        )
    name = work if part is None else f"{work}-part{part}"
    name = name if chapter is None else f"{name}-chapter{chapter}"
    written = write_files(
        out,
        lambda to: [
            write_json(to, f"{name}.json", found),
            *pictures(work, to, part=part, chapter=chapter),
        ],
    )
    if json_output:
        print_json(found)
    else:
        _print_settings(found["settings"])
        _print_claims(found["claims"], found["beyond"])
        print_written(written)
    judged = [*found["claims"], *found["beyond"]]
    return 1 if any(row["status"] in FAILING for row in judged) else 0


def _print_settings(settings: list[dict[str, Any]]) -> None:
    """Print what the work sets and we use too; one line each, and why if it differs."""
    if not settings:
        return
    say("Settings, which are not claims: the work's values and ours.")
    for row in settings:
        line = f"{row['where']}: {row['quantity']}: {_shown(row['published'])}, "
        is_same = row["published"] == row["ours"]
        line += "the same" if is_same else f"ours {_shown(row['ours'])}"
        line += f" ({row['note']})" if row["note"] else ""
        say(*wrap(line, 96, initial_indent="  ", subsequent_indent="      "))
    say("")


def _print_claims(claims: list[dict[str, Any]], beyond: list[dict[str, Any]]) -> None:
    """Print the claims for people, then what we add to the work."""
    width = max(len(row["status"]) for row in (*claims, *beyond))
    for row in claims:
        _print_row(row, width, f"paper {_shown(row['published'])}, ours {_seen(row)}")
    if beyond:
        say("", "Results beyond the work, which does not state them.")
    for row in beyond:
        _print_row(row, width, _seen(row))
    say(f"{len(claims)} claims: {_counted(claims)}.")
    if beyond:
        say(f"{len(beyond)} beyond: {_counted(beyond)}.")


def _print_row(row: dict[str, Any], width: int, told: str) -> None:
    """Print a claim: what agrees by how much, and why."""
    indent = " " * (width + 4)
    line = f"{row['status']:>{width}}  {row['where']}: {row['quantity']}: {told}"
    if row["tolerance"] is not None:
        line += f" (agrees: {_agreement(row['tolerance'])})"
    say(*wrap(line, 96, subsequent_indent=indent))
    say(*wrap(row["why"], 96, initial_indent=indent, subsequent_indent=indent))


def _seen(row: dict[str, Any]) -> str:
    """Return what we find; on each seed, with its status, where they disagree."""
    if row["status"] != "mixed":
        return _shown(row["ours"])
    of_seed = (
        f"seed {one['seed']} {_shown(one['ours'])} ({one['status']})"
        for one in row["seeds"]
    )
    return "; ".join(of_seed)


def _counted(rows: list[dict[str, Any]]) -> str:
    """Return in words how many rows have which status."""
    counts = Counter(row["status"] for row in rows)
    return ", ".join(f"{n} {status}" for status, n in counts.most_common())


def _agreement(tolerance: Any) -> str:
    """Return in words what counts as agreement."""
    if isinstance(tolerance, str):
        return tolerance
    return "exactly" if tolerance == 0 else f"to {_shown(tolerance)}"


def _shown(value: Any) -> str:
    """Return a cell's text; a dash where there is no number."""
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
