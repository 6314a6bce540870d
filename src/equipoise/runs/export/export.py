"""One door for runs that leave: which file is asked for, and of what."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.core.extras import require_extra
from equipoise.runs.export.table import write_csv, write_parquet
from equipoise.sim.recording import FORMAT, open_run

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["MCAP", "expect_format", "export"]

MCAP = "run.mcap"
"""What ``--mcap`` writes beside a recording."""


def export(run: "xr.Dataset | str | Path | Any", path: str | Path) -> Path:
    """Export a run to another program, completely or not at all, and return the file.

    The ending says what is written: ``.mcap`` is a log that Foxglove shows, ``.csv``
    and ``.parquet`` are tables, a row a sample and a column a signal, ``.gif`` is a
    moving picture.

    Args:
        run: what ``simulate``, ``walk``, ``balance`` or ``stand`` returned, a dataset
            from ``open_run``, or a ``run.nc`` or its folder.
        path: the file to make or replace; its folder is made if needed.

    Raises:
        ConfigError: another ending, or something that did not move.
        BadFileError: the run cannot be read or shown, or the file not written.
        MissingExtraError: a package is missing; the sentence says how to get it.
    """
    path = Path(path)
    write = expect_format(path)
    dataset, where = _dataset_of(run)
    try:
        return write(dataset, path, where)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadFileError | ConfigError):
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        sentence = f"{where} is not a whole run ({reason}); record it again."
        raise BadFileError(sentence) from None


def expect_format(path: Path) -> "Callable[[xr.Dataset, Path, str], Path]":
    """Return what writes a file of this ending; refuse one that nothing can write.

    Args:
        path: the file.

    Raises:
        ConfigError: another ending.
        MissingExtraError: a package is missing.
    """
    ending = path.suffix.lower()
    if ending == ".csv":
        return write_csv
    if ending == ".parquet":
        require_extra("parquet", "pyarrow")
        return write_parquet
    if ending == ".mcap":
        for module in (
            "mcap.writer",
            "mcap_protobuf.schema",
            "foxglove_schemas_protobuf",
        ):
            require_extra("mcap", module)
        from equipoise.runs.export.foxglove.log import write_mcap

        return write_mcap
    if ending == ".gif":
        from equipoise.runs.movie import write_run_movie

        return lambda run, file, where: write_run_movie(run, file, where=where)
    kinds = ".mcap, .csv, .parquet or .gif"
    problem = f"its ending says the kind: {kinds}; got '{path.name}'"
    raise ConfigError("the exported file", [problem])


def _dataset_of(run: Any) -> "tuple[xr.Dataset, str]":
    """Return the signals of what was given, and what to call it in an error."""
    if isinstance(run, str | Path):
        return open_run(run), str(run)
    found: Any = run if hasattr(run, "data_vars") else getattr(run, "dataset", None)
    if not hasattr(found, "data_vars"):
        problem = (
            "it takes the result of a run with motion, a dataset of open_run, or a "
            f"run.nc; got {type(run).__name__}"
        )
        raise ConfigError("export", [problem])
    if found.attrs.get("equipoise") != FORMAT:
        problem = f"it takes a recorded run ('{FORMAT}'), got another dataset"
        raise ConfigError("export", [problem])
    return found, "the run"
