"""Files of many robots at once: numbers, a table by robot, a picture."""

from collections.abc import Sequence
from pathlib import Path

from equipoise.core.files import write_json, write_together
from equipoise.runs.limits import has_limits
from equipoise.runs.many.result import ManyResult
from equipoise.runs.walk.limits import WalkLimitsResult
from equipoise.sim.recording import write_netcdf
from equipoise.viz.many_plots import plot_many

__all__ = ["write_many", "write_walk_limits"]


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


def write_walk_limits(result: WalkLimitsResult, out: str | Path) -> list[Path]:
    """Write ``limits.json`` and ``limits.png`` and return them.

    Only directions that are known are drawn; nothing is where none is.

    Args:
        result: what was found.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """
    names = ("impulse_ns", "heading_rad", "start_s", "survived")
    rows = [dict(zip(names, row, strict=True)) for row in result.random.T.tolist()]
    content = {**result.summary, "random_pushes": rows}
    shown = has_limits(result.summary)
    return write_together(
        out,
        lambda folder: [
            write_json(folder, "limits.json", content),
            *([result.picture(folder / "limits.png")] if shown else []),
        ],
    ).files
