"""``equipoise bench``: how fast is it, against others, on this machine?"""

from typing import Annotated, Any

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_choices
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

__all__ = ["bench_command"]

What = Annotated[
    str,
    typer.Argument(
        metavar="equations",
        help="What to measure.",
        autocompletion=complete_choices("equations"),
    ),
]
Rounds = Annotated[
    int, typer.Option("--rounds", help="Number of rounds of measurements, 1 to 2000.")
]
Quick = Annotated[
    bool,
    typer.Option(
        "--quick",
        help="Leave out sympy and the C++ build of Pinocchio, a minute each.",
    ),
]


def bench_command(
    what: What,
    rounds: Rounds = 200,
    quick: Quick = False,
    seed: options.Seed = 0,
    json_output: options.Json = False,
    out: options.Out = None,
) -> int:
    """Measure generated equations against sympy, CasADi, Pinocchio and MuJoCo."""
    from equipoise.core.errors import ConfigError, UnknownNameError

    open_lab("bench")
    from equipoise_lab.bench.equations import bench_equations

    if what != "equations":
        raise UnknownNameError("benchmark", what, ["equations"], "the command 'bench'")
    if not 1 <= rounds <= 2000:
        raise ConfigError("the command", [f"--rounds must be 1 to 2000, got {rounds}"])
    expect_out(out)
    with progress_bar("taking turns") as progress:
        found = bench_equations(rounds, seed, progress, is_quick=quick)
    name = "bench_equations.json"
    written = write_files(out, lambda to: [write_json(to, name, found)])
    if json_output:
        print_json(found)
    else:
        print_tables(found)
        print_written(written)
    return 0


def print_tables(found: dict[str, Any]) -> None:
    """Print the tables for people."""
    _print_derivations(found["derivation"])
    tables = {"WARP1": found["forward_dynamics"], **found["robots"]}
    for name, part in (tables | {"SuperBot tree": found["superbot"]}).items():
        title = f"{name}, {part['speeds']} speeds: accelerations"
        _print_times(title, part["rows"])
        say(f"Derived in {part['derive_s']:.3f} s.", "")
    _print_times("WARP1, one state from Python", found["from_python"])
    say(f"From robot to function: {found['seconds_to_callable']:.2f} s.")
    for line in found["missing"]:
        say(f"Missing: {line}")
    say(
        f"Processor time of the thread, {found['rounds']} rounds in turn, on "
        f"{found['machine']}, {found['date']}; ratios are of medians, with those of "
        "each of three placements in memory."
    )


def _print_derivations(rows: dict[str, Any]) -> None:
    """Print how long WARP1's equations took and what they cost."""
    lines = []
    for name, row in rows.items():
        o, seconds, ratio = row["operations"], row["seconds"], row["of_ours"]
        time = "" if seconds is None else f"{seconds:.3f}"
        times = "" if ratio is None else f"{ratio:.3g}"
        lines.append((name, time, times, o["add"], o["mul"], o["trig"]))
    head = ("WARP1, derived by", "s", "of ours", "add", "mul", "trig")
    print_table(head, lines)


def _print_times(title: str, rows: dict[str, Any]) -> None:
    """Print what a call costs."""
    lines = []
    for name, row in rows.items():
        ratio, error = row["times_ours"], row.get("error")
        cells = (f"{row['ns_min']:.0f}", f"{row['ns_median']:.0f}")
        lines.append(
            (
                name,
                *cells,
                *with_spread(ratio, row["times_ours_spread"]),
                "" if error is None else f"{error:.0e}",
            )
        )
    head = (title, "min ns", "median", "× ours", "spread", "error")
    print_table(head, lines)


def with_spread(ratio: float | None, spread: list[float] | None) -> tuple[str, str]:
    """Return the cells of a ratio, empty without one."""
    if ratio is None or spread is None:
        return "", ""
    return f"{ratio:.2f}", f"{spread[0]:.2f}-{spread[1]:.2f}"
