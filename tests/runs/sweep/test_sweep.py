"""Rows that are asked, kept, resumed and tabled."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, DamagedFileWarning
from equipoise.runs.sweep.crew import Pool
from equipoise.runs.sweep.design import Choices, Design
from equipoise.runs.sweep.sweep import Answer, run_sweep
from equipoise.runs.sweep.table import flat
from equipoise.viz.sweep_plots import mean_interval, share_interval
from runs.sweep.rows import ask, dies_once, dies_unless_empty, numbered

GRID = Design(vary={"a": Choices((1, 2)), "b": Choices((0.5, 1.5))}, seeds=2)


def question(row):
    return row.point["a"], row.point["b"], row.seed


def swept(folder=None, crew=None, asks=ask, progress=None):
    return run_sweep(
        "test", GRID, asks, question, crew or Pool(1), folder=folder, progress=progress
    )


def test_a_table_has_every_row_in_order_failures_too():
    result = swept()
    table = list(csv.DictReader(io.StringIO(result.csv())))
    assert [int(row["index"]) for row in table] == list(range(8))
    assert [row["verdict"] for row in table] == ["yes"] * 4 + [""] * 2 + ["no"] * 2
    assert table[4]["error"] == "ValueError: seed 0 cannot be"
    assert table[4]["sum"] == ""
    assert [float(row["sum"]) for row in table[:4]] == [1.5, 11.5, 2.5, 12.5]
    assert "realtime_factor" not in table[0]
    assert table[0]["deep.x[1]"] == "0.5"
    assert result.summary["failed"] == 2
    assert result.verdict == "unknown"


def test_its_dataset_has_a_dimension_an_option():
    data = swept().dataset
    assert data["sum"].dims == ("a", "b", "seed")
    assert float(data["sum"].sel(a=1, b=1.5, seed=1)) == 12.5
    assert np.isnan(data["sum"].sel(a=2, b=0.5)).all()


def test_processes_give_the_same_table():
    assert swept(crew=Pool(2)).csv() == swept().csv()


class Killed(BaseException):
    """As a signal would end it."""


def test_a_killed_sweep_goes_on_and_repeats_no_row(tmp_path):
    whole, asked = swept().csv(), []

    def until_killed(one):
        if len(asked) == 3:
            raise Killed
        asked.append(one)
        return ask(one)

    with pytest.raises(Killed):
        swept(tmp_path, asks=until_killed)
    with (tmp_path / "sweep.jsonl").open("a") as file:
        file.write('{"index": 3, "cut in the mid')
    rest = []

    def noted(one):
        rest.append(one)
        return ask(one)

    shares = []
    result = swept(tmp_path, asks=noted, progress=shares.append)
    assert len(rest) == 5
    assert not set(rest) & set(asked)
    assert shares[0] == pytest.approx(3 / 8)
    assert result.csv() == whole
    again = []
    assert swept(tmp_path, asks=again.append).csv() == whole
    assert not again


def test_a_sweep_shot_at_any_moment_loses_and_repeats_no_finished_row(tmp_path):
    whole = numbered(tmp_path / "whole", workers=1).csv()
    folder, rows = tmp_path / "shot", Path(__file__).with_name("rows.py")
    journal, before = folder / "sweep.jsonl", b""
    for wanted in (1, 3, 20):  # rows of its own after which a sweep is shot
        process = subprocess.Popen([sys.executable, rows, folder])
        try:
            while kept(journal) < kept_in(before) + wanted:
                assert process.poll() is None
        finally:
            process.kill()
            process.wait()
        assert journal.read_bytes().startswith(before)  # nothing was lost
        before = journal.read_bytes()
    assert kept(journal) < 60
    finished = [json.loads(line)["index"] for line in before.splitlines()[1:]]
    noted = (folder / "noted.txt").read_text().split()
    assert numbered(folder).csv() == whole
    after = (folder / "noted.txt").read_text().split()[len(noted) :]
    assert set(map(int, after)) == set(range(60)) - set(finished)  # none repeated


def kept(journal):
    """Return how many lines a journal has."""
    return kept_in(journal.read_bytes()) if journal.exists() else 0


def kept_in(text):
    """Return how many lines a journal's text has."""
    return text.count(b"\n")


def test_numbers_that_are_none_are_nothing_whether_resumed_or_not(tmp_path):
    def asked(question):
        return Answer("yes", {"x": np.float64(np.nan), "y": np.int64(3)})

    fresh = swept(tmp_path, asks=asked)
    assert fresh.rows[0]["x"] is None
    assert swept(tmp_path, asks=None).csv() == fresh.csv()


def test_two_sweeps_do_not_write_one_folder(tmp_path):
    pytest.importorskip("fcntl", reason="Windows has no such locks")

    def asked(question):
        with pytest.raises(ConfigError, match="another sweep is writing"):
            swept(tmp_path)
        return Answer("yes")

    assert len(swept(tmp_path, asks=asked).rows) == 8


def test_a_file_that_is_no_journal_is_left_alone(tmp_path):
    path = tmp_path / "sweep.jsonl"
    path.write_text("my notes\n")
    with pytest.raises(ConfigError, match="another form"):
        swept(tmp_path)
    assert path.read_text() == "my notes\n"


DEEP = b"[" * 100_000
DAMAGED = [
    b"",
    b"\xff\x00 not a line of ours",
    DEEP,
    b'{"index": ' + DEEP,
    b'{"index": "x"}',
    b'{"index": true, "a": 1, "b": 0.5, "seed": 0, "verdict": "yes", "error": null}',
    b'{"index": 99, "verdict": "yes", "error": null}',
    b'{"index": -1, "a": 2, "b": 1.5, "seed": 1, "verdict": "no", "error": null}',
    b'{"index": 3}',
    b'{"index": 3, "a": 1, "b": 0.5, "seed": 1, "verdict": "yes", "error": null}',
    b'{"index": 3, "a": 1, "b": 1.5, "seed": 1, "verdict": 7, "error": null}',
    b"null",
]


@pytest.mark.parametrize("damage", DAMAGED, ids=map(str, range(len(DAMAGED))))
def test_a_damaged_line_costs_its_own_row_alone(tmp_path, damage):
    whole = swept(tmp_path).csv()
    path, asked = tmp_path / "sweep.jsonl", []
    lines = path.read_bytes().splitlines()
    lines[4] = damage  # of row 3
    path.write_bytes(b"\n".join(lines) + b"\n")

    def noted(one):
        asked.append(one)
        return ask(one)

    with pytest.warns(DamagedFileWarning, match=r"sweep\.jsonl: one line is damaged"):
        assert swept(tmp_path, asks=noted).csv() == whole
    assert asked == [(1, 1.5, 1)]


def test_a_first_line_said_twice_is_read_and_one_of_another_sweep_refused(tmp_path):
    whole = swept(tmp_path).csv()
    path = tmp_path / "sweep.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], lines[0], *lines[3:]]))
    assert swept(tmp_path, asks=None).csv() == whole
    other = lines[0].replace(b'"test"', b'"other"')
    path.write_bytes(b"".join([*lines[:3], other, *lines[3:]]))
    with pytest.raises(ConfigError, match=r"another sweep \(other job, in line 4\)"):
        swept(tmp_path)


def test_answers_of_other_versions_are_not_mixed(tmp_path, monkeypatch):
    versions = {"mujoco": "3.1", "numpy": "2.0"}
    where = "equipoise.runs.sweep.sweep.worker_versions"
    monkeypatch.setattr(where, lambda: dict(versions))
    swept(tmp_path)
    versions["mujoco"] = "3.2"
    with pytest.raises(ConfigError, match=r"\(other versions: mujoco\)"):
        swept(tmp_path)


def test_another_sweep_does_not_go_on_in_the_same_folder(tmp_path):
    swept(tmp_path)
    before = (tmp_path / "sweep.jsonl").read_bytes()
    with pytest.raises(ConfigError, match=r"another sweep \(other job\); name"):
        run_sweep("other", GRID, ask, question, Pool(1), folder=tmp_path)
    assert (tmp_path / "sweep.jsonl").read_bytes() == before


def test_a_worker_that_dies_costs_nothing_and_one_that_always_does_a_row(tmp_path):
    path = str(tmp_path / "tried")
    design = Design(vary={"n": Choices((0, 1))})

    def asked(row):
        return path if row.index == 0 else ""

    result = run_sweep("die", design, dies_once, asked, Pool(2))
    assert [row["verdict"] for row in result.rows] == ["yes"] * 2
    result = run_sweep("die", design, dies_unless_empty, asked, Pool(2))
    assert [row["verdict"] for row in result.rows] == ["", "yes"]
    assert "exit code 9" in result.rows[0]["error"]


def test_workers_that_all_die_are_not_started_for_ever():
    design = Design(vary={"n": Choices(tuple(range(100)))})
    with pytest.raises(ConfigError, match=r"die before the first answer: .*code 9"):
        run_sweep("die", design, dies_unless_empty, lambda row: "all", Pool(2))


def test_a_sweep_none_of_whose_rows_has_an_answer_is_refused(tmp_path):
    folder = tmp_path / "new" / "deep"

    def never(question):
        raise ValueError("the floor is gone")

    with pytest.raises(ConfigError, match="none of 8 rows has an answer: ValueError: "):
        swept(folder, asks=never)
    assert not folder.parent.exists()


def test_files_are_written_whole(tmp_path):
    import xarray as xr

    result = swept()
    names = {path.name for path in result.save(tmp_path)}
    assert names == {
        "sweep.csv",
        "sweep.nc",
        "sweep.json",
        "yes-a-b.png",
        "yes-a-by-b.png",
    }
    with xr.open_dataset(tmp_path / "sweep.nc", engine="h5netcdf") as data:
        assert data["sum"].dims == ("a", "b", "seed")
    assert json.loads((tmp_path / "sweep.json").read_text())["rows"] == 8


def test_what_nests_is_flattened_and_long_lists_left_out():
    found = flat({"a": {"b": [1, {"c": 2}]}, "long": list(range(100)), "emit_s": 1})
    assert found == {"a.b[0]": 1, "a.b[1].c": 2}


def test_intervals_are_those_of_other_books():
    from scipy.stats import binomtest, t

    for hits, count in ((0, 10), (3, 10), (10, 10), (57, 200)):
        other = binomtest(hits, count).proportion_ci(method="wilson")
        assert share_interval(hits, count) == pytest.approx(other, abs=1e-12)
    values = np.array([1.0, 2.0, 4.0, np.nan])
    other = t.interval(0.95, 2, loc=7 / 3, scale=np.std([1, 2, 4], ddof=1) / 3**0.5)
    assert mean_interval(values) == pytest.approx(other)
