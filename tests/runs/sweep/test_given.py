"""Designs as people give them: texts, values, lists in files, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from equipoise.core.errors import BadFileError, ConfigError, UnknownNameError
from equipoise.runs.sweep import listed
from equipoise.runs.sweep.design import Choices, Span
from equipoise.runs.sweep.given import dashed, given_design, typed_design
from equipoise.runs.sweep.listed import checked_points, read_points
from equipoise.runs.sweep.values import common_unit, is_no_number, split_unit


def given(vary=None, points=None, kind="grid"):
    samples = 0 if kind == "grid" else 5
    return given_design(vary or {}, points, kind, samples, 2, 3)


def test_options_are_named_as_they_are_typed():
    assert dashed("push_at") == dashed("--push-at") == dashed("push-at") == "push-at"
    assert dashed("skyhook.damping_ratio") == "skyhook.damping_ratio"
    assert dashed("--skyhook.damping_ratio") == "skyhook.damping_ratio"


def test_a_typed_design():
    vary = ["--speed = 0.1:0.5:3 ", "push=10Ns,20Ns", "terrain=flat,wall:1"]
    found = typed_design(vary, "grid", 0, None, 4, 7)
    assert list(found.vary) == ["speed", "push", "terrain"]
    assert found.vary["speed"].values == pytest.approx((0.1, 0.3, 0.5))
    assert found.vary["push"] == Choices((10, 20))
    assert found.vary["terrain"] == Choices(("flat", "wall:1"))
    assert found.units == {"push": "Ns"}
    assert (found.kind, found.samples, found.seeds, found.seed) == ("grid", 0, 4, 7)


@pytest.mark.parametrize(
    "vary, said",
    [
        (["speed"], "--vary takes NAME="),
        (["=1,2"], "--vary takes NAME="),
        (["speed= "], "--vary takes NAME="),
        (["speed=1", "--speed=2"], "speed is varied twice"),
    ],
)
def test_what_is_no_variation_is_refused(vary, said):
    with pytest.raises(ConfigError, match=said):
        typed_design(vary, "grid", 0, None, 1, 0)


def test_values_may_be_texts_lists_and_arrays():
    vary = {"push_at": np.array([1.5, 2.0]), "speed": "0.1:0.5", "gait": ["a", "b"]}
    found = given(vary, kind="random")
    assert found.vary["push-at"] == Choices((1.5, 2.0))
    assert [type(v) for v in found.vary["push-at"].values] == [float, float]
    assert found.vary["speed"] == Span(0.1, 0.5)
    assert found.vary["gait"] == Choices(("a", "b"))
    assert (found.kind, found.samples, found.seeds, found.seed) == ("random", 5, 2, 3)
    with pytest.raises(UnknownNameError, match="design"):
        given(vary, kind="lattice")


def test_points_are_a_list_and_no_other_design(tmp_path):
    points = [{"push_at": 1.5, "slope": "10deg"}, {"slope": "20deg"}]
    found = given(points=points)
    assert found.kind == "list"
    assert list(found.listed) == [{"push-at": 1.5, "slope": 10}, {"slope": 20}]
    assert found.units == {"slope": "deg"}
    with pytest.raises(ConfigError, match="give a list or a sobol design, not both"):
        given(points=points, kind="sobol")
    path = tmp_path / "points.csv"
    path.write_text("push_at,speed\n1.5,2km/h\n,3km/h\n")
    for where in (path, str(path)):
        found = given(points=where)
        assert list(found.listed) == [{"push-at": 1.5, "speed": 2}, {"speed": 3}]
        assert found.units == {"speed": "km/h"}


def test_a_list_is_read_from_csv_and_yaml(tmp_path):
    path = tmp_path / "points.CSV"
    path.write_bytes("\ufeffspeed, name\n0.1,a \n,b\n".encode())
    rows, units = read_points(path)
    assert rows == [{"speed": 0.1, "name": "a"}, {"name": "b"}]
    assert units == {}
    for ending in (".yaml", ".yml"):
        other = tmp_path / f"points{ending}"
        other.write_text("- {speed: 0.1, quick: true, gait: ''}\n- {speed: 2}\n")
        assert read_points(other)[0] == [{"speed": 0.1, "quick": True}, {"speed": 2}]


@pytest.mark.parametrize(
    "name, text, said",
    [
        ("a.txt", "speed\n1\n", "a list ends in .csv or .yaml"),
        ("a.csv", "speed\n1\n2,3\n", "row 2 has more cells"),
        ("a.csv", 'speed\n"1\n', "is no CSV file"),
        ("a.yaml", "speed: 1", "is not a list of points"),
        ("a.yaml", "[1, 2]", "is not a list of points"),
        ("a.yaml", "{", "is not a list of points"),
        ("a.yaml", "text", "is not a list of points"),
        ("a.yaml", "- {speed: .inf}", "row 1 has speed = inf"),
        ("a.csv", "speed\n1\nnan\n", "row 2 has speed = nan"),
        ("a.yaml", "- {speed: 1}\n- {speed: [1]}", r"row 2 has speed = \[1\]"),
    ],
)
def test_a_file_that_is_no_list_is_refused(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(BadFileError, match=said):
        read_points(path)


def test_a_file_that_cannot_be_read_is_refused(tmp_path, monkeypatch):
    with pytest.raises(BadFileError, match="No such file"):
        read_points(tmp_path / "none.csv")
    path = tmp_path / "a.csv"
    path.write_bytes(b"speed\n\xff\n")
    with pytest.raises(BadFileError, match="no text in UTF-8"):
        read_points(path)
    path.write_text("speed\n12\n")
    monkeypatch.setattr(listed, "MOST_BYTES", 9)
    assert read_points(path)[0] == [{"speed": 12}]
    path.write_text("speed\n123\n")
    with pytest.raises(BadFileError, match="is larger than"):
        read_points(path)
    assert Path(path).exists()


def test_a_column_has_a_unit_where_all_its_values_have():
    rows = [{"a": "1m", "b": "2m"}, {"a": "3m", "b": "4km"}, {"b": 5}]
    points, units = checked_points(rows, "here")
    assert points == [{"a": 1, "b": "2m"}, {"a": 3, "b": "4km"}, {"b": 5}]
    assert units == {"a": "m"}
    mixed, units = checked_points([{"a": "1m"}, {"a": 2.0}], "here")
    assert (mixed, units) == ([{"a": "1m"}, {"a": 2.0}], {})
    plain, units = checked_points([{"a ": " 1 "}, {"a": np.float64(2.5)}], "here")
    assert plain[0] == {"a": "1"}
    assert (plain[1]["a"], type(plain[1]["a"])) == (2.5, float)
    with pytest.raises(BadFileError, match="here: row 2 has 3 = 4"):
        checked_points([{"a": 1}, {3: 4}], "here")


def test_a_number_and_its_unit():
    assert split_unit(" 20 deg ") == (20, "deg")
    assert split_unit("-.5e1") == (-5.0, "")
    assert split_unit("9" * 18) == (int("9" * 18), "")
    whole = split_unit("9" * 19)
    assert whole is not None and isinstance(whole[0], float)
    assert split_unit("1e999") is None
    assert split_unit("deg") is None
    assert common_unit(["1m", "2m"]) == ((1, 2), "m")
    assert common_unit(["1m", "2"]) == (("1m", "2"), "")
    assert common_unit(["1m", "x"]) == (("1m", "x"), "")
    assert [is_no_number(w) for w in ("nan", "inf", "1e999", "1", "x")] == [
        True, True, True, False, False,
    ]  # fmt: skip
