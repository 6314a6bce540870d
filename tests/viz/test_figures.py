"""What is in a plot before it is written: curves, scales, names, limits."""

import math

import numpy as np
import pytest
import xarray as xr

from equipoise.core.errors import ConfigError
from equipoise.viz import limits_plot, plots, stand_plots, sweep_plots
from equipoise.viz.plots import PALETTE, plot_balance, run_label
from equipoise.viz.sweep_plots import Captions, IntervalLine
from oracles.figures import expect_readable, kept_figures, lines_of

# --- a robot that is hit ----------------------------------------------------------

TIME = np.linspace(0.0, 1.0, 11)
HEEL = [[-0.1, 0.04, 0], [-0.1, -0.04, 0]]
TOE = [[0.2, 0.03, 0], [0.2, -0.03, 0]]


def stood(ahead=1.0):
    """Return a run on two feet; signals are multiples of time."""
    sole = np.array([HEEL + TOE, [*HEEL, TOE[0], [math.nan] * 3]]) * [ahead, 1, 1]
    force = TIME[:, None, None] * np.array([[3.0, 4.0, 10.0], [0.0, -1.0, 20.0]])
    cop = TIME[:, None, None] * np.array([[0.1, 0.02, 0.0], [0.2, 0.03, 0.0]])
    high = TIME[:, None] * np.array([0.001, 0.002])
    frames = TIME[::2]
    angles = np.stack([frames, 2.0 * frames, 3.0 * frames], axis=1)
    feet = ("time", "foot")
    return xr.Dataset(
        {
            "position_error": ("time", 0.01 * TIME),
            "orientation_error": ("time", 5.0 * TIME),
            "qpos": (("frame_time", "coordinate"), np.c_[0.0 * frames, angles]),
            "tau": (("frame_time", "actuator"), 10.0 * angles),
            "contact_force": ((*feet, "axis"), force),
            "centre_of_pressure": ((*feet, "axis"), cop),
            "heel_height": (feet, high),
            "toe_height": (feet, 2.0 * high),
            "sole": (("foot", "corner", "axis"), sole),
        },
        {
            "time": TIME, "frame_time": frames, "foot": ["left_foot", "right_foot"],
            "coordinate": ["x", "left_knee", "left_hip", "right_knee"],
            "actuator": ["left_knee", "left_hip", "right_knee"],
        },
        {"robot": "walker", "controller": "law"},
    )  # fmt: skip


@pytest.mark.parametrize("ahead", [1.0, -1.0])
def test_a_hit_is_drawn_in_what_the_axes_say(monkeypatch, tmp_path, ahead):
    figures = kept_figures(monkeypatch, stand_plots)
    run = stood(ahead)
    assert stand_plots.plot_stand(run, tmp_path / "a.png") == tmp_path / "a.png"
    (figure,) = figures
    expect_readable(figure)
    assert figure.get_suptitle() == "A hit taken by walker, law"
    error, angle, torque, force, heel, *_ = figure.axes
    (turned,) = [a for a in figure.axes if a.get_ylabel() == "turned [°]"]
    np.testing.assert_allclose(error.get_lines()[0].get_ydata(), 10.0 * TIME)  # mm
    np.testing.assert_allclose(turned.get_lines()[0].get_ydata(), 5.0 * TIME)
    assert error.get_ylim()[0] == turned.get_ylim()[0] == force.get_ylim()[0] == 0.0
    assert heel.get_xlabel() == "time [s]" and not error.get_xlabel()
    frames = TIME[::2]
    for axes, unit in ((angle, np.degrees(1.0)), (torque, 10.0)):
        for k, one in enumerate(axes.get_lines()):
            np.testing.assert_allclose(one.get_xdata(), frames)
            np.testing.assert_allclose(one.get_ydata(), unit * (k + 1) * frames)
    # colours tell joints, styles tell legs; a joint is named once
    knee, hip, other = torque.get_lines()
    assert knee.get_color() == other.get_color() == PALETTE[0] != hip.get_color()
    assert (knee.get_linestyle(), other.get_linestyle()) == ("-", "--")
    assert set(lines_of(torque)) == {"knee", "hip"}
    assert angle.get_legend() is None and torque.get_legend() is not None
    assert torque.get_legend().get_title().get_text() == "left full, right dashed"
    up, along = lines_of(force)["left foot, up"], lines_of(force)["left foot, along"]
    np.testing.assert_allclose(up.get_ydata(), 10.0 * TIME)
    np.testing.assert_allclose(along.get_ydata(), 5.0 * TIME)  # of 3 and 4
    assert set(lines_of(force)) > {"right foot, up", "right foot, along"}
    np.testing.assert_allclose(lines_of(heel)["right foot, heel"].get_ydata(), 2 * TIME)
    np.testing.assert_allclose(lines_of(heel)["left foot, toe"].get_ydata(), 2 * TIME)
    named = {axes.get_title(): axes for axes in figure.axes}
    for k, foot in enumerate(("left foot", "right foot")):
        axes = named[foot]
        (outline,) = axes.patches
        # seen from above, toes up: +y of the foot is to the left
        corners = outline.get_xy()
        assert corners[:, 1].max() == pytest.approx(200.0)
        assert corners[:, 1].min() == pytest.approx(-100.0)
        assert corners[:, 0].min() == pytest.approx(-40.0)
        dots = np.asarray(axes.collections[0].get_offsets())
        p = 1e3 * TIME * (0.1, 0.2)[k], 1e3 * TIME * (0.02, 0.03)[k]
        np.testing.assert_allclose(dots, np.c_[-ahead * p[1], ahead * p[0]], atol=1e-9)
        assert axes.get_xlabel() == ("-y [mm]" if ahead > 0 else "y [mm]")
    label = f"centre of pressure, {'' if ahead > 0 else '-'}x [mm], toes up"
    assert named["left foot"].get_ylabel() == label
    titled = stand_plots.plot_stand(run, tmp_path / "a.png", title="Hit!")
    assert titled and figures[1].get_suptitle() == "Hit!"


# --- balance ----------------------------------------------------------------------


def balanced(start=0.3, controller="law", nt=50, **attrs):
    time = np.arange(nt) * 0.1
    return xr.Dataset(
        {
            "distance_w": ("time", np.linspace(1.0, 0.05, nt)),
            "com_height": ("time", np.linspace(start, 0.2, nt)),
            "messages": ("time", np.arange(nt) % 2 * 4.0),
        },
        {"time": time},
        {"controller": controller, "robot": "tree", "seed": 3, **attrs},
    )


def drawn(monkeypatch, *runs, **more):
    figures = kept_figures(monkeypatch, plots)
    plot_balance(runs, "a.png", **more)
    return figures[0]


def test_balance_is_distance_height_and_messages(monkeypatch):
    figure = drawn(monkeypatch, balanced())
    expect_readable(figure)
    distance, height, messages = figure.axes[:3]
    curve, mark = distance.get_lines()
    np.testing.assert_allclose(curve.get_xdata(), np.arange(50) * 0.1)
    np.testing.assert_allclose(curve.get_ydata(), np.linspace(1.0, 0.05, 50))
    assert list(mark.get_ydata()) == [0.1, 0.1]
    assert distance.texts[0].get_text() == "balanced: 0.1"
    assert distance.get_ylim()[0] == height.get_ylim()[0] == 0.0
    assert messages.get_ylim() == (0.0, pytest.approx(4.4))
    assert messages.get_xlabel() == "time [s]"
    assert figure.get_suptitle() == "Balance of tree, seed 3"
    (share,) = height.child_axes
    assert share.get_ylabel() == "of the start [1]"
    there, back = share._functions  # the scale itself
    assert there(0.3) == pytest.approx(1.0) and back(0.5) == pytest.approx(0.15)
    assert drawn(monkeypatch, balanced(), title="Own").get_suptitle() == "Own"


def test_runs_that_start_otherwise_have_no_share_of_the_start(monkeypatch):
    figure = drawn(monkeypatch, balanced(0.3), balanced(0.3004, "law", seed=4))
    assert figure.axes[1].child_axes == []
    assert figure.get_suptitle() == "Balance of tree"
    alike = drawn(monkeypatch, balanced(0.3), balanced(0.30029))
    assert len(alike.axes[1].child_axes) == 1
    low = drawn(monkeypatch, balanced(-0.3))
    assert low.axes[1].child_axes == []


def test_a_signal_that_nobody_has_leaves_a_note(monkeypatch):
    run = balanced().drop_vars(["messages", "com_height"])
    figure = drawn(monkeypatch, run)
    notes = [axes.texts[-1].get_text() for axes in figure.axes[1:3]]
    assert notes == [f"no signal '{n}' recorded" for n in ("com_height", "messages")]
    assert figure.axes[2].get_ylim() == (0.0, 1.0)
    assert figure.axes[1].get_ylabel() == "centre-of-mass\nheight [m]"
    for runs in ([], [xr.Dataset()]):
        with pytest.raises(ConfigError, match="run"):
            plot_balance(runs, "a.png")


def test_controllers_have_colours_and_their_variants_styles(monkeypatch):
    off = balanced(gravity_compensation=0)
    figure = drawn(monkeypatch, balanced(), off, balanced(controller="other"), off)
    lines = figure.axes[0].get_lines()[:4]
    colours, styles = (
        [ln.get_color() for ln in lines],
        [ln.get_linestyle() for ln in lines],
    )
    assert colours == [PALETTE[0], PALETTE[0], PALETTE[1], PALETTE[0]]
    assert styles == ["-", "--", "-", "--"]
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert named == ["law", "law (gravity compensation off)", "other"]
    assert {line.get_linewidth() for line in lines} == {1.7}
    crowd = drawn(monkeypatch, *[balanced(seed=k) for k in range(13)])
    assert {line.get_alpha() for line in crowd.axes[0].get_lines()[:13]} == {0.45}
    few = drawn(monkeypatch, *[balanced(seed=k) for k in range(12)])
    assert {line.get_alpha() for line in few.axes[0].get_lines()[:12]} == {1.0}
    assert len(few.legends[0].get_texts()) == 1


@pytest.mark.parametrize("value", [0, False, "no", " OFF ", "false", "0"])
def test_a_label_tells_what_is_off(value):
    assert run_label({"contacts": value}) == "run (contacts off)"
    both = {"controller": "law", "contacts": value, "gravity_compensation": value}
    assert run_label(both) == "law (gravity compensation off) (contacts off)"
    assert run_label({"controller": "law", "contacts": 1}) == "law"


def test_long_runs_are_thinned_and_counts_averaged(monkeypatch):
    figure = drawn(monkeypatch, balanced(nt=9000))
    distance, _, messages = figure.axes[:3]
    assert 4000 <= len(distance.get_lines()[0].get_xdata()) <= 5000
    found = messages.get_lines()[0]
    assert 250 <= len(found.get_xdata()) <= 251
    np.testing.assert_allclose(found.get_ydata(), 2.0)  # of zeros and fours
    assert found.get_xdata()[0] == pytest.approx(0.1 * 17.5)  # of the first 36


# --- sweeps -----------------------------------------------------------------------

TOLD = Captions("speed $v$", "margin", "one\n" + "x" * 81)


def line(label, at, fallen=None):
    return IntervalLine(label, at, at - 0.1, at + 0.2, fallen)


@pytest.mark.parametrize("limits", [None, (0.0, 1.0)])
def test_lines_have_their_intervals_and_falls(monkeypatch, limits):
    figures = kept_figures(monkeypatch, sweep_plots)
    one, two = np.array([0.1, 0.5, 0.3]), np.array([0.9, math.nan, 0.2])
    lines = [line("a", one, np.array([0, 1, 2])), line("b", two, np.array([0, 2, 0]))]
    sweep_plots.plot_lines([1.0, 2.0, 4.0], lines, TOLD, "a.png", limits)
    (figure,) = figures
    expect_readable(figure)
    (axes,) = figure.axes
    for drawn, wanted in zip(axes.get_lines(), (one, two), strict=True):
        assert list(drawn.get_xdata()) == [1.0, 2.0, 4.0]
        np.testing.assert_array_equal(drawn.get_ydata(), wanted)
    band = axes.collections[0].get_datalim(axes.transData)
    assert (band.y0, band.y1) == (pytest.approx(0.0), pytest.approx(0.7))
    assert [t.get_text() for t in axes.texts] == ["× 3 fell", "× 2 fell"]
    assert [t.xy[0] for t in axes.texts] == [2.0, 4.0]
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["a", "b"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("speed $v$", "margin")
    assert axes.get_title() == "one\n" + "x" * 77 + "..."
    if limits:
        assert axes.get_ylim() == (pytest.approx(-0.04), pytest.approx(1.04))
    sweep_plots.plot_lines(["slow", 2], [line("", one[:2])], TOLD, "a.png")
    (names,) = figures[1].axes
    assert names.get_legend() is None and not names.texts
    assert list(names.get_lines()[0].get_xdata()) == [0.0, 1.0]
    assert [t.get_text() for t in names.get_xticklabels()] == ["slow", "2"]


def test_a_map_has_its_numbers_in_their_cells(monkeypatch):
    figures = kept_figures(monkeypatch, sweep_plots)
    values = np.array([[0.1, 0.2, math.nan], [0.8, 0.9, 1.0]])
    fallen = np.array([[0, 2, 3], [0, 0, 0]])
    sweep_plots.plot_map([1, 2, 3], ["a", "b"], values, TOLD, "a.png", fallen=fallen)
    (figure,) = figures
    expect_readable(figure)
    axes = figure.axes[0]
    cells = {t.get_position(): (t.get_text(), t.get_color()) for t in axes.texts}
    assert cells == {
        (0, 0): ("0.1", "white"), (1, 0): ("0.2\n2 fell", "white"),
        (2, 0): ("3 fell", "black"), (0, 1): ("0.8", "black"),
        (1, 1): ("0.9", "black"), (2, 1): ("1", "black"),
    }  # fmt: skip
    (image,) = axes.get_images()
    assert image.get_clim() == (0.1, 1.0) and image.origin == "lower"
    assert [t.get_text() for t in axes.get_yticklabels()] == ["a", "b"]
    sweep_plots.plot_map([1], [1], np.array([[math.nan]]), TOLD, "a.png")
    assert figures[1].axes[0].get_images()[0].get_clim() == (0.0, 1.0)
    assert figures[1].axes[0].texts[0].get_text() == "-"
    sweep_plots.plot_map([1], [1], np.array([[0.5]]), TOLD, "a.png", (0.0, 2.0))
    assert figures[2].axes[0].get_images()[0].get_clim() == (0.0, 2.0)
    wide = np.zeros((2, 21))
    sweep_plots.plot_map(range(21), [1, 2], wide, TOLD, "a.png")
    assert not figures[3].axes[0].texts  # too many to be read
    assert len(figures[3].axes[0].get_xticks()) == 11
    for figure in figures:
        assert figure.get_size_inches()[0] >= 2.4 + 0.75 * 5
    sweep_plots.plot_map(range(20), range(10), np.zeros((10, 20)), TOLD, "a.png")
    assert len(figures[4].axes[0].texts) == 200


def test_points_are_apart_by_what_is_known_of_them(monkeypatch):
    figures = kept_figures(monkeypatch, sweep_plots)
    across, up = np.arange(5.0), np.array([1.0, 2.0, 3.0, math.nan, 5.0])
    values = np.array([0.1, math.nan, 0.3, 0.4, 0.5])
    fell = np.array([False, False, True, True, False])
    sweep_plots.plot_points(across, up, values, TOLD, "a.png", fell)
    axes = figures[0].axes[0]
    expect_readable(figures[0])
    rest, down, known = (np.asarray(c.get_offsets()) for c in axes.collections)
    np.testing.assert_array_equal(rest, [[1, 2]])
    np.testing.assert_array_equal(down, [[2, 3], [3, 1]])  # at the foot, if nowhere
    np.testing.assert_array_equal(known, [[0, 1], [4, 5]])
    np.testing.assert_array_equal(axes.collections[2].get_array(), [0.1, 0.5])
    assert len(figures[0].axes) == 2  # with a scale of colours
    sweep_plots.plot_points(across, values, values, TOLD, "a.png")
    assert len(figures[1].axes) == 1 and figures[1].axes[0].get_legend() is None


@pytest.mark.parametrize("hits, count", [(0, 5), (5, 5), (3, 10), (90, 100)])
def test_wilsons_interval_is_where_the_score_is_z(hits, count):
    z = 1.959963984540054
    for end in sweep_plots.share_interval(hits, count):
        if 0.0 < end < 1.0:  # (p - end)² = z² end (1 - end) / n
            off = (hits / count - end) ** 2
            assert off == pytest.approx(z * z * end * (1.0 - end) / count)
    low, high = sweep_plots.share_interval(hits, count)
    assert low <= hits / count <= high
    assert (low == 0.0) is (hits == 0) and (high == 1.0) is (hits == count)
    assert sweep_plots.share_interval(0, 0) == (0.0, 1.0)


# --- limits -----------------------------------------------------------------------


def limits(*impulses, **more):
    headings = [360.0 * k / len(impulses) for k in range(len(impulses))]
    given = {"robot": "dog", "controller": "trot", "block_mass_kg": None}
    return given | {"impulse_ns": impulses, "heading_deg": headings} | more


def test_rings_are_of_round_pushes_up_to_the_largest(monkeypatch):
    figures = kept_figures(monkeypatch, limits_plot)
    limits_plot.plot_limits([limits(10.0, 25.0, 40.0, None)], "a.png")
    (figure,) = figures
    expect_readable(figure)
    (axes,) = figure.axes
    rings = {t.get_text() for t in axes.texts if "N s" in t.get_text()}
    assert rings == {"20 N s", "40 N s"}
    radii = [c.get_radius() for c in axes.patches]
    np.testing.assert_allclose(radii, [0.3, 0.65, 1.0])
    for ring, radius in (("20 N s", 0.65), ("40 N s", 1.0)):
        (text,) = [t for t in axes.texts if t.get_text() == ring]
        a = math.radians(67.5)
        np.testing.assert_allclose(
            text.get_position(), [radius * math.cos(a), radius * math.sin(a)]
        )
    assert axes.get_xlim() == axes.get_ylim() == (-1.5, 1.5)
    assert figure.get_suptitle() == "Pushes that dog survives"
    sides = [t for t in axes.texts if t.get_text().startswith("to its")]
    names = ("front", 180), ("left", 270), ("back", 0), ("right", 90)
    assert [t.get_text() for t in sides] == [f"to its {n}\n{a}°" for n, a in names]
    for text, (_, angle) in zip(sides, names, strict=True):
        a = math.radians(angle)
        wanted = [1.43 * math.cos(a), 1.43 * math.sin(a)]
        np.testing.assert_allclose(text.get_position(), wanted, atol=1e-12)


def test_controllers_stand_side_by_side_and_are_named(monkeypatch):
    figures = kept_figures(monkeypatch, limits_plot)
    runs = [limits(10.0, 20.0), limits(5.0, None, controller="law", block_mass_kg=1.5)]
    limits_plot.plot_limits(runs, "a.png", title="Own")
    (axes,) = figures[0].axes
    by_gid = {ln.get_gid(): ln for ln in axes.get_lines() if ln.get_gid()}
    for k, shift in ((0, -1.75), (1, 1.75)):
        x, y = (float(one[0]) for one in by_gid[f"limits {k}"].get_data())
        assert math.degrees(math.atan2(y, x)) == pytest.approx(shift)
    assert lines_of(axes).keys() == {"trot", "law, hit by a block of up to 1.5 kg"}
    assert figures[0].get_suptitle() == "Own"
    limits_plot.plot_limits([limits(None, None)], "a.png")
    assert not lines_of(figures[1].axes[0])


@pytest.mark.parametrize("angle", [0, 30, 60, 90, 120, 180, 250, 300])
def test_a_number_is_outside_of_its_point(monkeypatch, angle):
    figures = kept_figures(monkeypatch, limits_plot)
    run = limits(12.34, heading_deg=[float(angle)])
    limits_plot.plot_limits([run], "a.png")
    (text,) = [t for t in figures[0].axes[0].texts if t.get_text() == "12.3"]
    x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    across = "center" if abs(x) < 0.38 else "left" if x > 0 else "right"
    up = "center" if abs(y) < 0.38 else "bottom" if y > 0 else "top"
    assert (text.get_ha(), text.get_va()) == (across, up)
    np.testing.assert_allclose(text.xy, (x, y), atol=1e-12)
    np.testing.assert_allclose(text.get_position(), (7 * x, 7 * y), atol=1e-12)
