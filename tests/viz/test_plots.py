"""Plots: the file is a picture of the right size and shows what the runs hold."""

import matplotlib.axes
import numpy as np
import pytest
import xarray as xr
from PIL import Image

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.core.text import plot_text
from equipoise.viz import plots
from equipoise.viz.plots import new_figure, plot_balance, run_label, save_figure


def run(controller: str = "rate", rate: float = 5.0, **attrs) -> xr.Dataset:
    time = np.arange(0.0, 2.0, 0.01)
    signals = {
        "distance_w": 2.0 * np.exp(-rate * time),
        "com_height": 0.3 - 0.05 * (1.0 - np.exp(-rate * time)),
        "messages": np.where(np.arange(len(time)) % 2, 38, 0),
    }
    return xr.Dataset(
        {name: ("time", values) for name, values in signals.items()},
        coords={"time": time},
        attrs={"controller": controller, "robot": "superbot", "seed": 3, **attrs},
    )


@pytest.fixture
def figures(monkeypatch) -> list:
    """Every figure that gets written."""
    kept: list = []
    real = plots.save_figure

    def keep(figure, path):
        kept.append(figure)
        return real(figure, path)

    monkeypatch.setattr(plots, "save_figure", keep)
    return kept


def curves(axes: matplotlib.axes.Axes) -> list:
    return [line for line in axes.lines if len(line.get_xdata()) > 2]


@pytest.mark.parametrize("count", [1, 7, 40])
def test_one_or_many_runs(tmp_path, figures, count):
    runs = [run(f"c{k % 9}", 1.0 + k) for k in range(count)]
    path = plot_balance(runs, tmp_path / "plot.png")
    with Image.open(path) as picture:
        assert picture.format == "PNG"
        assert picture.size == (900, 840)  # 7.5 x 7 inches at 120 dots
        assert len(set(picture.convert("L").tobytes())) > 50
    (figure,) = figures
    assert [len(curves(axes)) for axes in figure.axes[:3]] == [count] * 3
    (legend,) = figure.legends
    assert len(legend.get_texts()) == min(count, 9)


def test_curves_carry_the_numbers(tmp_path, figures):
    data = run()
    plot_balance([data], tmp_path / "plot.png")
    distance, height, messages = figures[0].axes[:3]
    (line,) = curves(distance)
    assert (line.get_xdata() == data.time.values).all()
    assert (line.get_ydata() == data.distance_w.values).all()
    assert (curves(height)[0].get_ydata() == data.com_height.values).all()
    marks = [
        line.get_ydata() for line in distance.lines if line is not curves(distance)[0]
    ]
    assert [list(mark) for mark in marks] == [[0.1, 0.1]]
    assert all("[" in axes.get_ylabel() for axes in (distance, height, messages))
    assert messages.get_xlabel() == "time [s]"


def test_messages_are_averaged_not_dropped(tmp_path, figures):
    time = np.arange(0.0, 5.0, 0.001)
    data = xr.Dataset(
        {"messages": ("time", np.where(np.arange(5000) % 20 == 7, 40.0, 0.0))},
        coords={"time": time},
    )
    plot_balance([data], tmp_path / "plot.png")
    shown = curves(figures[0].axes[2])[0].get_ydata()
    assert len(shown) == plots.MESSAGE_BINS
    # rounding: every bin of 20 steps holds one step with 40 messages
    assert np.abs(shown - 2.0).max() <= 1e-12


def test_missing_signals_are_said(tmp_path, figures):
    plot_balance([run().drop_vars("messages")], tmp_path / "plot.png")
    words = [text.get_text() for text in figures[0].axes[2].texts]
    assert words == ["no signal 'messages' recorded"]


def test_a_controller_keeps_its_colour(tmp_path, figures):
    runs = [
        run("default", gravity_compensation=0),
        run("rate"),
        run("default", gravity_compensation=1),
    ]
    plot_balance(runs, tmp_path / "plot.png")
    a, b, c = curves(figures[0].axes[0])
    assert a.get_color() == c.get_color() != b.get_color()
    assert a.get_linestyle() != c.get_linestyle()


@pytest.mark.parametrize("off", [False, 0, np.int64(0), "False", "off"])
def test_names_say_what_is_off(off):
    name = run_label({"controller": "rate", "gravity_compensation": off})
    assert name == "rate (gravity compensation off)"
    assert run_label({"controller": "rate", "gravity_compensation": not off}) in (
        "rate",
        name if isinstance(off, str) else "rate",
    )
    assert run_label({"controller": "rate", "contacts": off}) == "rate (contacts off)"
    assert run_label({}) == "run"


def test_no_runs_is_one_sentence(tmp_path):
    with pytest.raises(ConfigError, match="at least one run"):
        plot_balance([], tmp_path / "plot.png")
    with pytest.raises(ConfigError, match="dimension 'time'"):
        plot_balance([xr.Dataset()], tmp_path / "plot.png")
    assert not list(tmp_path.iterdir())


def test_hostile_names_are_plain_text(tmp_path):
    # Unbalanced mathematics would make Matplotlib raise.
    hostile = run("$\\frac{$", robot="$x_{$")
    assert plot_balance([hostile], tmp_path / "plot.png").stat().st_size > 1000


def test_an_unwritable_path_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFileError, match="could not be written"):
        plot_balance([run()], tmp_path / "file" / "plot.png")


@pytest.mark.parametrize("name", ["$x^$", r"$\frac$ \$", "\x9b" * 9, "x" * 300_000])
def test_a_name_is_never_a_formula_in_any_place(tmp_path, name):
    """Every kind of text of a figure; the formulas would raise when it is drawn."""
    figure = new_figure(3.0, 2.0)
    axes = figure.subplots()
    axes.plot([0.0, 1.0], [1.0, 100.0], label=name)
    axes.set_yscale("log")
    axes.set_xticks([0.0, 1.0], [name, name])
    axes.set(title=name, xlabel=name, ylabel=name)
    axes.annotate(name, (0.5, 0.5))
    axes.legend(title=name)
    figure.suptitle(name)
    figure.legend()
    path = save_figure(figure, tmp_path / "a.png")
    assert path.stat().st_size > 1000
    assert axes.get_title() == plot_text(name)
    ticks = [tick.get_text() for tick in axes.get_yticklabels()]
    assert any("mathdefault" in text for text in ticks)  # powers of ten stay formulas
