"""``equipoise reproduce``: every claim of a work, side by side with ours."""

from collections import Counter
from textwrap import wrap
from typing import Annotated, Any

import typer

from equipoise.cli import options
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
            metavar="KEY", help="moll2006, ridderstrom2003 or wendlandt1997."
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
            help="Part of the work; ridderstrom2003 only, 2 to 4.", show_default="all"
        ),
    ] = None,
    chapter: Annotated[
        int | None,
        typer.Option(
            help="Chapter of the work, alone; ridderstrom2003 only, 11.",
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
    from equipoise.papers import pictures, reproduce

    expect_out(out)
    problems = []
    if trees is not None and not 1 <= trees <= 1000:
        problems.append(f"trees must be 1 to 1000, got {trees}")
    if seed < 0:
        problems.append(f"seed must be >= 0, got {seed}")
    if problems:
        raise ConfigError("reproduce", problems)
    with progress_bar(f"reproducing {work}") as progress:
        claims = reproduce(
            work,
            trees=trees,
            part=part,
            chapter=chapter,
            seed=seed,
            progress=progress,
        )["claims"]
    name = work if part is None else f"{work}-part{part}"
    name = name if chapter is None else f"{name}-chapter{chapter}"
    written = write_files(
        out,
        lambda to: [
            write_json(to, f"{name}.json", {"claims": claims}),
            *pictures(work, to, part=part, chapter=chapter),
        ],
    )
    if json_output:
        print_json({"claims": claims})
    else:
        print_claims(claims)
        print_written(written)
    return 1 if any(claim["status"] == "missed" for claim in claims) else 0


def print_claims(claims: list[dict[str, Any]]) -> None:
    """Print the claims for people: a line each, and why where it does not just hold."""
    width = max(len(claim["status"]) for claim in claims)
    for claim in claims:
        line = (
            f"{claim['status']:>{width}}  {claim['where']}: {claim['quantity']}:"
            f" paper {shown(claim['published'])}, ours {shown(claim['ours'])}"
        )
        say(*wrap(line, 96, subsequent_indent=" " * (width + 4)))
        if claim["status"] != "met":
            indent = " " * (width + 4)
            lines = wrap(
                claim["why"], 96, initial_indent=indent, subsequent_indent=indent
            )
            say(*lines)
    counts = Counter(claim["status"] for claim in claims)
    listed = ", ".join(f"{n} {status}" for status, n in counts.most_common())
    say(f"{len(claims)} claims: {listed}.")


def shown(value: Any) -> str:
    """Return a cell's text; a dash where there is no number."""
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
