"""Tables of recorded runs: which numbers stand in which row, under which name."""

import numpy as np
import pytest
import xarray as xr

from equipoise.core.errors import ConfigError
from equipoise.runs.export.export import _dataset_of, expect_format
from equipoise.runs.export.table import signals_of, table_of, write_csv
from equipoise.sim.recording import FORMAT


def run():
    """Return a run whose frames are between its ticks, but for one."""
    units = {"units": "m"}
    return xr.Dataset(
        {
            "speed": ("time", [1.0, 2.0, 3.0], {"units": "m/s"}),
            "count": ("time", np.array([4, 5, 6], np.int32)),
            "com": (("frame_time", "axis"), [[1.0, 2.0], [3.0, 4.0]], units),
            "grid": (("time", "a", "axis"), np.arange(12.0).reshape(3, 2, 2)),
            "names": ("time", ["x", "y", "z"]),
            "gain": ("axis", [7.0, 8.0]),
            "total": ((), 9.0),
        },
        {
            "time": [0.0, 0.1, 0.2],
            "frame_time": [0.1, 0.15],
            "axis": ["x", "y"],
        },
        {"equipoise": FORMAT},
    )


def test_signals_with_a_time_that_are_numbers():
    found = {signal.name: signal for signal in signals_of(run())}
    assert list(found) == ["speed", "count", "com", "grid"]
    assert (found["speed"].time, found["speed"].unit) == ("time", "m/s")
    assert found["speed"].labels == ((),)
    assert (found["com"].time, found["com"].unit) == ("frame_time", "m")
    assert found["com"].labels == (("x",), ("y",))
    assert found["grid"].labels == (("0", "x"), ("0", "y"), ("1", "x"), ("1", "y"))
    assert found["grid"].values.tolist()[1] == [4.0, 5.0, 6.0, 7.0]
    assert found["count"].values.tolist() == [[4.0], [5.0], [6.0]]


def test_a_table_has_the_moments_of_both_times():
    table = table_of(run())
    assert list(table.columns) == [
        "time (s)", "speed (m/s)", "count", "com[x] (m)", "com[y] (m)", "grid[0,x]",
        "grid[0,y]", "grid[1,x]", "grid[1,y]",
    ]  # fmt: skip
    nan = np.nan
    wanted = {
        "time (s)": [0.0, 0.1, 0.15, 0.2],
        "speed (m/s)": [1.0, 2.0, nan, 3.0],
        "com[y] (m)": [nan, 2.0, 4.0, nan],
        "grid[1,x]": [2.0, 6.0, nan, 10.0],
    }
    for name, values in wanted.items():
        np.testing.assert_array_equal(table[name], values)


def test_moments_that_are_none_are_left_out():
    given = run().assign_coords(time=[0.0, np.nan, 0.2])
    table = table_of(given)
    assert table["time (s)"].tolist() == [0.0, 0.1, 0.15, 0.2]
    np.testing.assert_array_equal(table["speed (m/s)"], [1.0, np.nan, np.nan, 3.0])
    alone = table_of(run().drop_vars(["frame_time", "com"]))
    assert alone["time (s)"].tolist() == [0.0, 0.1, 0.2]


def test_a_table_of_text_leaves_empty_what_is_not_known(tmp_path):
    path = write_csv(run(), tmp_path / "a.csv", "the run")
    head, *rows = path.read_text().splitlines()
    assert head.split(",")[:2] == ["time (s)", "speed (m/s)"]
    assert len(rows) == 4
    cells = rows[2].split(",")
    assert float(cells[0]) == 0.15 and cells[1] == ""


def test_what_leaves_is_a_recorded_run(tmp_path):
    given = run()
    assert _dataset_of(given) == (given, "the run")

    class Result:
        dataset = given

    assert _dataset_of(Result())[0] is given
    with pytest.raises(ConfigError, match="got int"):
        _dataset_of(3)
    given.attrs["equipoise"] = "other"
    with pytest.raises(ConfigError, match="got another dataset"):
        _dataset_of(given)


def test_endings_say_the_kind(tmp_path):
    for name in ("a.csv", "a.CSV"):
        assert expect_format(tmp_path / name) is write_csv
    with pytest.raises(ConfigError, match=r"got 'a.txt'"):
        expect_format(tmp_path / "a.txt")
    assert callable(expect_format(tmp_path / "a.gif"))
