"""Which pictures a sweep has: what is over what, of which rows, under which words."""

from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.runs.sweep import outputs
from equipoise.runs.sweep.design import Choices, Design, design_rows
from equipoise.runs.sweep.outputs import pictures


@pytest.fixture
def drawn(monkeypatch):
    """Return what is drawn instead of being drawn: kind and arguments by file."""
    seen = {}

    def plotter(kind, place):
        def plot(*given):
            path = given[place]
            seen[path.name] = (kind, *given)
            return path

        return plot

    monkeypatch.setattr(outputs, "plot_lines", plotter("lines", 3))
    monkeypatch.setattr(outputs, "plot_map", plotter("map", 4))
    monkeypatch.setattr(outputs, "plot_points", plotter("points", 4))
    return seen


def swept(design, number, *, fell=lambda k: False, verdict=lambda k: "yes"):
    """Return a sweep whose rows have a number by their point."""
    rows = []
    for k, row in enumerate(design_rows(design)):
        point = dict(row.point)
        rows.append(
            {**point, "verdict": verdict(k), "speed": number(point, k), "fell": fell(k)}
        )
    columns = list(rows[0])
    return SimpleNamespace(
        design=design, rows=rows, columns=columns, job="walk some/dog.urdf --push"
    )


def grid(seeds=1, **vary):
    units = {"a": "m"}
    return Design(
        vary={n: Choices(v) for n, v in vary.items()}, seeds=seeds, units=units
    )


def test_one_option_is_a_curve(drawn, tmp_path):
    design = grid(seeds=2, a=(1.0, 2.0, 4.0), b=("x",))
    result = swept(design, lambda p, k: 10 * p["a"] + k % 2)
    (path,) = pictures(result, "speed", tmp_path)
    assert path == tmp_path / "speed.png"
    kind, across, (line,), told, _, limits = drawn["speed.png"]
    assert (kind, across, limits) == ("lines", (1.0, 2.0, 4.0), None)
    assert line.middle == pytest.approx([10.5, 20.5, 40.5])
    assert (told.across, told.up) == ("a [m]", "speed")
    assert told.title == ("walk dog.urdf --push\nmean and 95 % interval of 2 rows each")
    pictures(result, "yes", tmp_path)
    _, _, (line,), told, _, limits = drawn["yes.png"]
    assert (told.up, limits) == ("share of yes", (0.0, 1.0))
    assert line.middle == pytest.approx([1.0, 1.0, 1.0])


def test_runs_that_fell_are_told_and_do_not_count(drawn, tmp_path):
    design = grid(seeds=2, a=(1.0, 2.0))
    result = swept(design, lambda p, k: p["a"] + k, fell=lambda k: k == 3)
    pictures(result, "speed", tmp_path)
    _, _, (line,), told, *_ = drawn["speed.png"]
    assert line.middle == pytest.approx([1.5, 4.0])
    assert told.title.endswith("\nof the 3 runs that did not fall; 1 fell")


def test_two_options_are_a_map_and_a_family_of_lines(drawn, tmp_path):
    design = grid(a=(1.0, 2.0, 4.0), b=(0.12345, 7))
    result = swept(design, lambda p, k: 10 * p["a"] + p["b"], fell=lambda k: k == 1)
    first, second = pictures(result, "speed", tmp_path)
    assert (first.name, second.name) == ("speed-a-b.png", "speed-a-by-b.png")
    kind, across, up, middle, told, _, limits, counts = drawn[first.name]
    assert (kind, across, up, limits) == ("map", (1.0, 2.0, 4.0), (0.12345, 7), None)
    wanted = [[10.12345, 20.12345, 40.12345], [np.nan, 27, 47]]
    np.testing.assert_allclose(middle, wanted)
    assert counts.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert (told.across, told.up) == ("a [m]", "b")
    assert told.title == (
        "walk dog.urdf --push\nspeed\nof the 5 runs that did not fall; 1 fell"
    )
    _, across, lines, told, *_ = drawn[second.name]
    assert across == (1.0, 2.0, 4.0)
    assert [line.label for line in lines] == ["b 0.1235", "b 7"]
    np.testing.assert_allclose(lines[0].middle, wanted[0])
    np.testing.assert_allclose(lines[1].middle, wanted[1])
    assert (told.across, told.up) == ("a [m]", "speed")
    none = swept(design, lambda p, k: 1.0)
    pictures(none, "speed", tmp_path)
    assert drawn[first.name][-1] is None  # nothing fell


def test_three_options_are_drawn_two_by_two_as_means_of_the_third(drawn, tmp_path):
    design = grid(a=(1, 2), b=(10, 20, 30), c=(100, 200))
    result = swept(design, lambda p, k: p["a"] + p["b"] + p["c"])
    names = [path.name for path in pictures(result, "speed", tmp_path)]
    assert names == [
        "speed-a-b.png", "speed-a-by-b.png", "speed-a-c.png", "speed-a-by-c.png",
        "speed-b-c.png", "speed-b-by-c.png",
    ]  # fmt: skip
    _, _, _, middle, told, *_ = drawn["speed-b-c.png"]
    wanted = [[b + c + 1.5 for b in (10, 20, 30)] for c in (100, 200)]
    np.testing.assert_allclose(middle, wanted)
    assert "\nspeed, mean of 2 rows each" in told.title


@pytest.mark.parametrize("count, has_lines", [(8, True), (9, False)])
def test_a_family_has_eight_lines_at_most(drawn, tmp_path, count, has_lines):
    design = grid(a=(1, 2), b=tuple(range(count)))
    pictures(swept(design, lambda p, k: 1.0), "speed", tmp_path)
    assert ("speed-a-by-b.png" in drawn) is has_lines


def test_six_pairs_are_drawn_at_most(drawn, tmp_path):
    design = grid(**{name: (1, 2) for name in "abcde"})
    pictures(swept(design, lambda p, k: 1.0), "speed", tmp_path)
    assert sum(kind == "map" for kind, *_ in drawn.values()) == 6
    assert "speed-b-d.png" in drawn and "speed-b-e.png" not in drawn


def test_points_of_a_list_are_drawn_over_options_two_by_two(drawn, tmp_path):
    points = [{"a": 1.0, "b": 5.0, "c": 2.0}, {"a": 2.0, "b": 3.0, "c": 2.0}]
    design = Design(kind="list", listed=points, units={"b": "kg"})
    result = swept(design, lambda p, k: 7.0 + k, fell=lambda k: k == 1)
    (path,) = pictures(result, "speed", tmp_path)
    assert path.name == "speed-a-b.png"
    kind, across, up, values, told, _, fell = drawn[path.name]
    assert kind == "points"
    assert across.tolist() == [1.0, 2.0]
    assert up.tolist() == [5.0, 3.0]
    np.testing.assert_array_equal(values, [7.0, np.nan])
    assert fell.tolist() == [False, True]
    assert (told.across, told.up) == ("a", "b [kg]")
    assert told.title == (
        "walk dog.urdf --push\nspeed of 2 rows\nof the 1 run that did not fall; 1 fell"
    )


def test_a_list_of_one_option_is_drawn_over_it(drawn, tmp_path):
    design = Design(kind="list", listed=[{"a": 1.0}, {"a": 2.0}])
    result = swept(design, lambda p, k: 7.0 + k)
    (path,) = pictures(result, "speed", tmp_path)
    assert path.name == "speed-a.png"
    _, across, up, _, told, *_ = drawn[path.name]
    assert (across.tolist(), up.tolist()) == ([1.0, 2.0], [7.0, 8.0])
    assert (told.across, told.up) == ("a", "speed")
    pictures(result, "yes", tmp_path)
    assert drawn["yes-a.png"][4].up == "share of yes"


def test_what_is_drawn_unless_told():
    design = grid(a=(1, 2))
    result = swept(design, lambda p, k: 1.0)
    assert outputs._drawn_names(result, ()) == ["yes"]
    result.columns += ["value", "mean_speed_mps"]
    assert outputs._drawn_names(result, ()) == ["yes", "mean_speed_mps"]
    silent = swept(design, lambda p, k: 1.0, verdict=lambda k: "")
    assert outputs._drawn_names(silent, ()) == []
    assert outputs._drawn_names(result, ("speed", "yes", "speed")) == ["speed", "yes"]
    with pytest.raises(UnknownNameError, match="spede"):
        outputs._drawn_names(result, ("spede",))
    with pytest.raises(ConfigError, match="'value' has no numbers"):
        outputs._drawn_names(result, ("value",))


def test_names_of_files_are_such_as_any_file_may_have():
    assert outputs._safe("a.b/c [m]") == "a.b_c_m"
    assert outputs._safe("..") == "x"
    assert outputs._shorter(1.23456) == "1.235"
    assert outputs._shorter("word") == "word"
