"""Tables of a run, and files that cannot be written."""

import csv
import errno
import sys

import numpy as np
import pandas as pd
import pytest

import equipoise as eq
from equipoise.core.errors import BadFileError, ConfigError, MissingExtraError


def expect_same(table, run):
    """Compare a table with the run, number by number."""
    compared = 0
    for name, signal in run.data_vars.items():
        dims = signal.dims
        if not dims or dims[0] not in ("time", "frame_time"):
            continue
        rows = np.searchsorted(table["time (s)"], run[dims[0]].values)
        own = [c for c in table.columns if c.split(" (")[0].split("[")[0] == name]
        theirs = signal.values.reshape(len(signal), -1)
        ours = table[own].to_numpy()[rows]
        assert np.array_equal(ours, theirs, equal_nan=True), name
        compared += len(own)
    assert compared == len(table.columns) - 1 > 50


def test_a_table_of_text_has_every_number(walked, tmp_path):
    path = eq.export(walked, tmp_path / "run.csv")
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    cells = [[float(cell or "nan") for cell in row] for row in rows]
    table = pd.DataFrame(cells, columns=head)
    expect_same(table, walked)
    at = walked["foot_force"].sel(foot="front_left_foot", axis="z").values
    assert np.array_equal(
        table["foot_force[front_left_foot,z] (N)"], at, equal_nan=True
    )


def test_a_table_in_parquet_has_every_number_and_what_it_was(walked, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = eq.export(walked, tmp_path / "run.parquet")
    expect_same(pd.read_parquet(path), walked)
    assert b'"warp1"' in parquet.read_schema(path).metadata[b"equipoise"]


def test_two_times_share_a_table(tmp_path):
    run = eq.simulate(eq.load("superbot", modules=3), seconds=0.1).dataset
    table = pd.read_csv(eq.export(run, tmp_path / "run.csv"))
    assert len(table) == len(run["time"]) == 101
    angles = table["qpos[m0_hinge_a] (rad or m)"]
    assert angles.notna().sum() == len(run["frame_time"]) == 11


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("run.txt", r"\.mcap, \.csv, \.parquet or \.gif; got 'run\.txt'"),
        ("run", r"\.mcap, \.csv, \.parquet or \.gif; got 'run'"),
        ("file/run.csv", "could not be written"),
        ("file/run.mcap", "could not be written"),
        ("file/run.parquet", "could not be written"),
    ],
)
def test_a_file_that_cannot_be_is_one_sentence(walked, tmp_path, name, sentence):
    (tmp_path / "file").write_text("mine")
    with pytest.raises((ConfigError, BadFileError), match=sentence):
        eq.export(walked, tmp_path / name)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("given", [3, None, "nothing.nc"])
def test_what_is_no_run_is_one_sentence(given, tmp_path):
    with pytest.raises((ConfigError, BadFileError), match=r"run\.nc|nothing\.nc"):
        eq.export(given, tmp_path / "run.csv")


def test_a_run_without_one_good_pose_is_one_sentence(walked, tmp_path):
    run = walked.copy(deep=True)
    run["qpos"].values[:] = np.nan
    with pytest.raises(ConfigError, match="at least one finite pose"):
        eq.export(run, tmp_path / "run.mcap")
    with pytest.raises(BadFileError, match="not a whole run"):
        eq.export(walked.drop_vars("com"), tmp_path / "run.mcap")
    assert not list(tmp_path.iterdir())


def test_a_missing_package_is_one_sentence(walked, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcap.writer", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for ending in ("mcap", "parquet"):
        with pytest.raises(MissingExtraError, match=rf"equipoise\[{ending}\]"):
            eq.export(walked, tmp_path / f"run.{ending}")


def test_a_full_disk_leaves_the_old_files(walked, tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    paths = [tmp_path / f"run.{ending}" for ending in ("mcap", "csv", "parquet")]
    before = [eq.export(walked, path).read_bytes() for path in paths]
    monkeypatch.setattr("equipoise.runs.export.table.fsync", full)
    monkeypatch.setattr("equipoise.runs.export.foxglove.log.fsync", full)
    for path in paths:
        with pytest.raises(BadFileError, match=f"{path.name} could not be .* No space"):
            eq.export(walked, path)
    assert [path.read_bytes() for path in paths] == before
    assert len(list(tmp_path.iterdir())) == 3
