"""``equipoise export``: a recorded run for other programs; and ``--mcap`` of others."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.cli import options
from equipoise.cli.output import print_json, print_written, tell_replaced

if TYPE_CHECKING:
    from equipoise.runs.result import AbstractResult

__all__ = ["expect_mcap", "export_command", "with_log"]


def export_command(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A run.nc, or its folder.")
    ],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="To write: its ending is .mcap, .csv or .parquet."
        ),
    ],
    json_output: options.Json = False,
) -> int:
    """Write a recorded run for another program: Foxglove, a spreadsheet, pandas."""
    from equipoise.runs.export.export import export

    is_there = file.exists()
    written = export(run, file)
    tell_replaced([written] if is_there else [])
    if json_output:
        print_json({"run": str(run), "file": str(written)})
    else:
        print_written([written])
    return 0


def expect_mcap(is_wanted: bool, out: Path | None, seeds: int | None = None) -> None:
    """Refuse ``--mcap`` where it cannot be written, before any work is done.

    Args:
        is_wanted: whether it was typed.
        out: folder of ``--out``.
        seeds: how many runs there are; None for one.

    Raises:
        ConfigError: there is no folder, or many runs.
        MissingExtraError: a package is missing.
    """
    if not is_wanted:
        return
    from equipoise.core.errors import ConfigError
    from equipoise.runs.export.export import MCAP, expect_format

    if out is None:
        problem = f"--mcap writes {MCAP} into the folder of --out; give --out DIR too"
        raise ConfigError("the command", [problem])
    if seeds is not None:
        problem = f"--mcap is of one run, got --seeds {seeds}; leave one of them out"
        raise ConfigError("the command", [problem])
    expect_format(Path(MCAP))


def with_log(
    save: "Callable[[Path], Sequence[Path]]",
    results: "Sequence[AbstractResult]",
    is_wanted: bool,
) -> "Callable[[Path], Sequence[Path]]":
    """Return what writes a job's files, and a log beside each recording if wanted.

    Args:
        save: writes the files and returns them, recordings among them.
        results: one for each recording, in the same order.
        is_wanted: whether ``--mcap`` was typed.
    """
    if not is_wanted:
        return save

    def save_all(folder: Path) -> list[Path]:
        from equipoise.runs.export.export import export

        files = list(save(folder))
        recordings = [path for path in files if path.suffix == ".nc"]
        pairs = zip(recordings, results, strict=True)
        logs = [export(result, path.with_suffix(".mcap")) for path, result in pairs]
        return [*files, *logs]

    return save_all
