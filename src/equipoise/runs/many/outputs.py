"""Files of many robots at once: numbers, a table by robot, a picture."""

from collections.abc import Sequence
from pathlib import Path

from equipoise.core.files import write_json, write_together
from equipoise.runs.many.result import ManyResult
from equipoise.sim.recording import write_netcdf
from equipoise.viz.many_plots import plot_many

__all__ = ["write_many"]


def write_many(result: ManyResult, out: str | Path) -> list[Path]:
    """Write ``many.json``, ``many.nc`` and ``many.png`` and return them.

    Args:
        result: of the robots.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """

    def write(folder: Path) -> Sequence[Path]:
        recording = write_netcdf(result.dataset, folder / "many.nc")
        numbers = write_json(folder, "many.json", result.summary)
        title = f"{result.about['robots']:,} times {result.about['walk']}"
        picture = plot_many(result.dataset, title, folder / "many.png")
        return [numbers, recording, picture]

    return write_together(out, write).files
