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
            help="moll2006, ridderstrom2003 or wendlandt1997.",
            autocompletion=complete_choices(
                "moll2006", "ridderstrom2003", "wendlandt1997"
            ),
        ),
    ],
    trees: Annotated[
        int | None,
        typer.Option(
            help="Random robots a claim, 1 to 1000; moll2006 only.", show_default="20"
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
            help="Chapter of the work, alone; ridderstrom2003 only, 3 or 11.",
            show_default="all",
        ),
    ] = None,
    json_output: options.Json = False,
    seed: options.Seed = 0,
    out: options.Out = None,
) -> int:
    """Check every claim of a work and print it beside our number.

    Exits 1 when a claim is missed; claims that cannot hold as printed are marked.
    """
    from equipoise.core.errors import ConfigError

    open_lab("reproduce")
    from equipoise_lab.papers import pictures, reproduce

    expect_out(out)
    problems = []
    if trees is not None and not 1 <= trees <= 1000:
        problems.append(f"trees must be 1 to 1000, got {trees}")
    if seed < 0:
        problems.append(f"seed must be >= 0, got {seed}")
    if problems:
        raise ConfigError("reproduce", problems)
    with progress_bar(f"reproducing {work}") as progress:
        found = reproduce(
            work,
            trees=trees,
            part=part,
            chapter=chapter,
            seed=seed,
            progress=progress,
        )
    claims = found["claims"]
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
        print_settings(found["settings"])
        print_claims(claims)
        print_written(written)
    return 1 if any(claim["status"] == "missed" for claim in claims) else 0


def print_settings(settings: list[dict[str, Any]]) -> None:
    """Print what the work sets and we use too; one line each, and why if it differs."""
    if not settings:
        return
    say("Settings, which are no claims: what the work says, what we use.")
    for row in settings:
        line = f"{row['where']}: {row['quantity']}: {shown(row['published'])}, "
        is_same = row["published"] == row["ours"]
        line += "the same" if is_same else f"ours {shown(row['ours'])}"
        line += f" ({row['note']})" if row["note"] else ""
        say(*wrap(line, 96, initial_indent="  ", subsequent_indent="      "))
    say("")


def print_claims(claims: list[dict[str, Any]]) -> None:
    """Print the claims for people: a line each, what agrees by how much, and why."""
    width = max(len(claim["status"]) for claim in claims)
    indent = " " * (width + 4)
    for claim in claims:
        line = (
            f"{claim['status']:>{width}}  {claim['where']}: {claim['quantity']}:"
            f" paper {shown(claim['published'])}, ours {shown(claim['ours'])}"
        )
        if claim["tolerance"] is not None:
            line += f" (agrees: {agreement(claim['tolerance'])})"
        say(*wrap(line, 96, subsequent_indent=indent))
        say(*wrap(claim["why"], 96, initial_indent=indent, subsequent_indent=indent))
    counts = Counter(claim["status"] for claim in claims)
    listed = ", ".join(f"{n} {status}" for status, n in counts.most_common())
    say(f"{len(claims)} claims: {listed}.")


def agreement(tolerance: Any) -> str:
    """Return in words what counts as agreement."""
    if isinstance(tolerance, str):
        return tolerance
    return "exactly" if tolerance == 0 else f"to {shown(tolerance)}"


def shown(value: Any) -> str:
    """Return a cell's text; a dash where there is no number."""
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
