"""``equipoise export``: a recorded run for other programs; and ``--mcap`` of others."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.cli import options
from equipoise.cli.completion import complete_runs
from equipoise.cli.output import (
    expect_beside,
    print_json,
    print_written,
    progress_bar,
    tell_replaced,
)
from equipoise.cli.setting_options import NONE as NO_SETTINGS
from equipoise.cli.setting_options import Settings, takes_settings
from equipoise.runs.export.config import ExportConfig

if TYPE_CHECKING:
    from equipoise.runs.result import AbstractResult

__all__ = ["expect_mcap", "export_command", "with_log"]


@takes_settings(ExportConfig)
def export_command(
    run: Annotated[
        Path,
        typer.Argument(
            metavar="RUN",
            help="Recorded run: a run.nc, or its folder.",
            autocompletion=complete_runs,
        ),
    ],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="File to write; it ends in .mcap, .csv, .parquet or .gif.",
        ),
    ],
    settings: Settings = NO_SETTINGS,
    json_output: options.Json = False,
) -> int:
    """Export a recorded run to another program: Foxglove, a spreadsheet, a slide."""
    from equipoise.runs.export.export import export

    config, is_there = ExportConfig(file=file, **settings), file.exists()
    written = _drawn(run, config) if config.is_movie else export(run, file)
    tell_replaced([written] if is_there else [])
    if json_output:
        print_json({"run": str(run), "file": str(written)})
    else:
        print_written([written])
    return 0


def _drawn(run: Path, config: ExportConfig) -> Path:
    """Write a moving picture, telling how far it is, and return it."""
    from equipoise.runs.movie import write_run_movie
    from equipoise.sim.recording import open_run

    found = open_run(run)
    with progress_bar("drawing") as progress:
        return write_run_movie(
            found, config.file, span=config.span, progress=progress, where=str(run)
        )


def expect_mcap(is_wanted: bool, out: Path | None, seeds: int | None = None) -> None:
    """Refuse ``--mcap`` where it cannot be written; see ``expect_beside``.

    Args:
        is_wanted: whether it was typed.
        out: folder of ``--out``.
        seeds: how many runs there are; None for one.

    Raises:
        MissingExtraError: a package is missing.
    """
    if is_wanted:
        from equipoise.runs.export.export import MCAP, expect_format

        expect_beside("--mcap", MCAP, out, seeds)
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
