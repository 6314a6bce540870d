"""What pictures of works show, read off their axes: nothing is simulated or rendered.

Curves obey the equations that they stand for, made-up results are where they belong,
and what is drawn is in view.
"""

import math
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb, to_rgba

from equipoise.core.constants import GRAVITY
from equipoise.stability import cartesian_critical_width, planar_equilibria
from equipoise.viz.plots import PALETTE
from equipoise_lab.papers.moll2006 import picture as trees
from equipoise_lab.papers.ridderstrom2003.chapter3 import (
    ralphy_picture,
    sap_picture,
    thing_picture,
)
from equipoise_lab.papers.ridderstrom2003.chapter11 import (
    narrow_picture,
    posture_picture,
)
from equipoise_lab.papers.ridderstrom2003.part2 import kneel_picture, swing_picture
from equipoise_lab.papers.ridderstrom2003.part3 import picture as costs
from equipoise_lab.papers.ridderstrom2003.part4 import (
    attraction_picture,
    control_picture,
    rig_picture,
    surface_picture,
)


@pytest.fixture
def drawn(monkeypatch):
    """Return a module's figure in place of its file."""

    def draw(module, function, *given):
        kept = []
        monkeypatch.setattr(
            module, "save_figure", lambda figure, path: kept.append((figure, path))
        )
        getattr(module, function)("a.png", *given)
        ((figure, path),) = kept
        assert path == "a.png"
        return figure

    return draw


def line(axes, label, nth=0):
    """Return the data of a labelled curve, (n, 2) or (n, 3)."""
    found = [one for one in axes.lines if str(one.get_label()).startswith(label)]
    one = found[nth]
    parts = one.get_data_3d() if hasattr(one, "get_data_3d") else one.get_data()
    return np.array(parts, float).T


def labels(axes):
    return [str(one.get_label()) for one in axes.lines if one.get_label()[0] != "_"]


def levels(axes, way):
    """Return where upright (0) or level (1) lines across a panel are."""
    found = []
    for one in axes.lines:
        data = np.array(one.get_data(), float)
        if data.shape == (2, 2) and np.ptp(data[way]) == 0.0:
            if data[1 - way].tolist() == [0.0, 1.0]:
                found.append(float(data[way][0]))
    return sorted(found)


def is_in_view(axes, data):
    """Say whether points are within a panel's ends."""
    (left, right), (low, top) = axes.get_xlim(), axes.get_ylim()
    data = data[np.isfinite(data).all(axis=1)]
    x, y = data[:, 0], data[:, 1]
    return bool(((left <= x) & (x <= right) & (low <= y) & (y <= top)).all())


# --- part IV --------------------------------------------------------------------------


def test_rests_are_drawn_where_they_are(drawn):
    figure = drawn(surface_picture, "draw_surface")
    curves, edge, surface, path = figure.axes
    for k, a in enumerate((0.3, 0.5, 0.7, 1.0, 1.5)):
        (full,) = [one for one in curves.lines if one.get_label() == f"a = {a:g}"]
        dotted = curves.lines[curves.lines.index(full) - 1]
        assert full.get_color() == dotted.get_color() == PALETTE[k]
        R, tilt = np.array(dotted.get_data(), float)
        tilt = np.radians(tilt)
        # (10.5): sin cos / a - sin - R cos = 0, over some hundred of them
        off = np.sin(tilt) * np.cos(tilt) / a - np.sin(tilt) - R * np.cos(tilt)
        assert np.abs(off).max() < 1e-12
        assert np.ptp(tilt) == pytest.approx(2.9)
        held = np.isfinite(np.array(full.get_data(), float)[0])
        np.testing.assert_array_equal(held, np.cos(tilt) ** 3 > a)
    assert levels(curves, 0) == [0.0, 0.5]
    assert curves.get_xlim() == (-1.5, 1.5)
    for a, R in line(edge, "fold")[::40]:
        counts = [len(planar_equilibria(a, R + d)) for d in (-1e-6, 1e-6)]
        assert counts == [3, 1] or a > 0.999
    lifts = line(edge, "feet that only push")
    few = lifts[:, 0] < 0.8
    # 1 - a / √(1 - (a r/h)²), where a foot lifts before it folds
    a = lifts[few, 0]
    wanted = 0.3 * (1.0 - a / np.sqrt(1.0 - (0.3 * a) ** 2))
    np.testing.assert_allclose(lifts[few, 1], wanted, rtol=1e-9)
    (area,) = edge.collections
    assert isinstance(area, PolyCollection)
    assert area.get_paths()[0].vertices[:, 1].max() == pytest.approx(lifts[:, 1].max())
    assert is_in_view(edge, lifts)
    pulls, pushes = line(path, "only if feet can pull"), line(path, "on feet that push")
    for gamma, tilt in pulls[::20]:
        middle = planar_equilibria(0.5, 0.1 * gamma)[1]
        assert math.radians(tilt) == pytest.approx(middle, abs=1e-12)
    assert np.abs(pulls[:, 0]).max() == pytest.approx(0.9)
    share = 1.0 - 0.5 / math.sqrt(1.0 - 0.05**2)
    assert np.abs(pushes[:, 0]).max() == pytest.approx(share, abs=0.0101)
    assert levels(path, 0) == pytest.approx([-share, share])
    assert f"{share:.4f}" in path.texts[0].get_text()
    a, R, tilt = (np.array(part, float) for part in surface.lines[3].get_data_3d())
    assert np.ptp(R) == 0.0 and np.ptp(tilt) == 0.0 and a.tolist() == [1.0, 1.3]
    found = {}
    for one in surface.lines:
        a, R, tilt = (np.array(part, float) for part in one.get_data_3d())
        if len(a) < 3:
            continue
        off = np.sin(np.radians(tilt)) / a - np.tan(np.radians(tilt)) - R
        assert np.abs(off).max() < 1e-9  # all of them are on the surface
        found[round(float(tilt[0]))] = float(np.abs(R).max())
    assert {0, 69, -69} <= set(found)  # arccos 0.363, both ways, and upright
    assert sum(R > 0.5 for R in found.values()) == 2  # and both folds


def test_the_surface_is_green_where_it_holds(monkeypatch):
    kept = {}

    class Axes:
        def plot_surface(self, a, R, tilt, **how):
            kept.update(a=a, R=R, tilt=np.radians(tilt), **how)

        def __getattr__(self, name):
            return lambda *_, **__: None

    surface_picture._draw_rests(Axes())
    a, R, tilt = kept["a"], kept["R"], kept["tilt"]
    wanted = np.sin(tilt) / a - np.tan(tilt)
    seen = np.isfinite(R)
    np.testing.assert_array_equal(seen, np.abs(wanted) <= 1.0)
    np.testing.assert_allclose(R[seen], wanted[seen], atol=1e-12)
    colours = kept["facecolors"]
    holds = np.cos(tilt) ** 3 > a
    assert {tuple(c) for c in colours[holds]} == {to_rgb(PALETTE[2])}
    assert {tuple(c) for c in colours[~holds]} == {to_rgb(PALETTE[4])}
    assert kept["rcount"] >= a.shape[0] and kept["ccount"] >= a.shape[1]


def raised(job):
    """Return a rig that tips at a height that its trim and friction tell."""
    critical = rig_picture.critical_height(job.radius)
    heights = critical * np.linspace(0.95, 1.01, 7)
    angles = job.trim * 100.0 + np.linspace(0.0, 0.2, 7)
    height = critical * (1.0 - 50.0 * job.trim + job.friction)
    return SimpleNamespace(heights=heights, angles=angles, height=height)


def test_rigs_tip_where_they_did(drawn, monkeypatch):
    monkeypatch.setattr(rig_picture, "raised", raised)
    tips, heights = drawn(rig_picture, "draw_rig").axes
    names = {1e-5: "wires 0.01 mm", 1e-4: "wires 0.1 mm", 1e-3: "wires 1 mm"}
    folds = []
    for trim, name in names.items():
        found = line(tips, name)
        np.testing.assert_allclose(found[:, 0], np.linspace(0.95, 1.01, 7))
        wanted = np.degrees(100.0 * trim + np.linspace(0.0, 0.2, 7))
        np.testing.assert_allclose(found[:, 1], wanted)
        folds.append((1.0 - (0.5 * trim / 0.14) ** (2.0 / 3.0)) ** 1.5)
    assert levels(tips, 0) == pytest.approx(sorted([*folds, 1.0]))
    assert is_in_view(tips, line(tips, "wires 0.01 mm"))
    r, h = line(heights, "h_c").T
    rig = rig_picture.PRINTED.rig
    np.testing.assert_allclose(h, 2.0 * rig.stiffness * r**2 / (rig.mass * GRAVITY))
    assert (r[0], r[-1]) == pytest.approx((0.07, 0.21))
    spread = rig.stiffness_error / rig.stiffness + rig.mass_error / rig.mass
    band = heights.collections[0].get_paths()[0].vertices
    at = band[np.isclose(band[:, 0], r[50])]
    assert sorted(set(np.round(at[:, 1] / h[50], 12))) == pytest.approx(
        [1.0 - spread, 1.0 + spread]
    )
    cases = {"wires 0.01": (1e-5, 0), "wires 1 mm": (1e-3, 0)}
    cases |= {f"friction {f:g} N": (0.0, f) for f in (0.02, 0.1, 0.3)}
    for name, (trim, friction) in cases.items():
        found = line(heights, name)
        np.testing.assert_allclose(found[:, 0], rig_picture.RADII)
        critical = [rig_picture.critical_height(x) for x in rig_picture.RADII]
        wanted = np.array(critical) * (1.0 - 50.0 * trim + friction)
        np.testing.assert_allclose(found[:, 1], wanted)
        if friction < 0.2:
            assert is_in_view(heights, found)


def test_the_critical_width_is_drawn_over_both_stiffnesses(drawn, monkeypatch):
    kept = []
    monkeypatch.setattr(
        control_picture, "_draw_width", lambda *given: kept.append(given)
    )
    figure = drawn(control_picture, "draw_control")
    _, along, up, width = kept[0]
    for i, j in ((0, 0), (5, 40), (48, 3)):
        assert width[i, j] == cartesian_critical_width(along[i, j], up[i, j])
    assert (along[0, 0], along[0, -1], up[0, 0], up[-1, 0]) == (1.0, 25.0, 1.0, 25.0)
    lines = figure.axes[1]
    places = [tuple(np.array(one.get_data()).ravel()) for one in lines.lines]
    assert places == [(7.0, 17.0), (17.0, 7.0)]
    told = [text.get_text() for text in lines.texts if "WARP1" in text.get_text()]
    assert told == [
        f"WARP1 as printed: {cartesian_critical_width(7.0, 17.0):.4f}",
        f"WARP1 as the words say: {cartesian_critical_width(17.0, 7.0):.4f}",
    ]
    (contours,) = [c for c in lines.collections if hasattr(c, "levels")]
    for level, path in zip(contours.levels, contours.get_paths(), strict=True):
        for k1, k3 in path.vertices[:: max(1, len(path.vertices) // 4)]:
            # cells of half a unit; the width bends most where it is large
            assert cartesian_critical_width(k1, k3) == pytest.approx(level, rel=0.05)


def test_the_width_stands_up():
    kept = {}

    class Axes:
        def plot_surface(self, *given, **_):
            kept["surface"] = given

        def view_init(self, *, elev, azim):
            kept["view"] = (elev, azim)

        def __getattr__(self, name):
            return lambda *_, **__: None

    control_picture._draw_width(Axes(), 1.0, 2.0, 3.0)
    assert kept == {"surface": (1.0, 2.0, 3.0), "view": (25, 50)}


def test_starts_that_come_back_are_marked_so(drawn, monkeypatch):
    asked = []

    def outcomes(grid):
        asked.append(grid)
        x, _ = np.meshgrid(grid.columns(), grid.rows())
        return np.where(x < 0.5 * grid.half_width, 1, 2)

    monkeypatch.setattr(attraction_picture, "outcomes", outcomes)
    figure = drawn(attraction_picture, "draw_attraction")
    assert [(g.figure, g.count) for g in asked] == [
        ("fig. 9.6", 25), ("fig. 9.7", 25), ("fig. 9.8", 25),
    ]  # fmt: skip
    for axes, grid in zip(figure.axes, asked, strict=True):
        back, falls = line(axes, "comes back"), line(axes, "falls")
        assert len(back) + len(falls) == 625
        assert back[:, 0].max() < 0.5 <= falls[:, 0].min()
        assert falls[:, 0].max() == pytest.approx(1.2)
        both = np.vstack([back, falls])
        assert sorted(set(both[:, 1])) == pytest.approx(sorted(grid.rows()))
        assert is_in_view(axes, both)
        edge = line(axes, "closed form")
        assert edge[0, 1] == grid.softness[0] and edge[-1, 1] == 1.0
        for offset, a in edge[::500]:
            limit = attraction_picture.limit_offset(a, grid.height, grid.half_width)
            assert offset == pytest.approx(limit / grid.half_width)
        assert levels(axes, 0) == levels(axes, 1) == [1.0]


# --- part II --------------------------------------------------------------------------


def test_ellipses_are_drawn_with_their_limits(drawn, monkeypatch):
    def swung(period):
        time = 7.0 + np.arange(0.0, 3.0 * period, 0.01)
        one = np.column_stack([np.sin(time), np.cos(time)])
        foot = np.column_stack([0.2 * np.sin(time), -0.5 + 0.05 * np.cos(time)])
        return SimpleNamespace(
            time=time, aim=foot + 0.001, foot=foot, volts=40.0 * one, speeds=2.0 * one
        )

    monkeypatch.setattr(swing_picture, "swung", swung)
    figure = drawn(swing_picture, "draw_swing")
    for row, period in enumerate((1.0, 0.8)):
        path, volts, speeds = figure.axes[3 * row : 3 * row + 3]
        swing = swung(period)
        np.testing.assert_array_equal(line(path, "foot"), swing.foot)
        np.testing.assert_array_equal(line(path, "aim"), swing.aim)
        assert is_in_view(path, swing.foot)
        assert path.get_title() == f"period {period:g} s"
        for axes, values, most in (
            (volts, swing.volts, 48.0),
            (speeds, swing.speeds, 2.6),
        ):
            assert labels(axes) == ["hip flexion", "knee"]
            for k, name in enumerate(labels(axes)):
                found = line(axes, name)
                assert found[0, 0] == 0.0 and found[-1, 0] < 2.0 * period
                assert len(found) == pytest.approx(200.0 * period, abs=1)
                np.testing.assert_array_equal(found[:, 1], values[: len(found), k])
                assert is_in_view(axes, found)
            assert levels(axes, 1) == [-most, most]
            assert is_in_view(axes, np.array([[0.0, most], [0.0, -most]]))


def test_kneeling_is_drawn_with_and_without_power(drawn, monkeypatch):
    time = np.arange(0.0, 24.5, 0.5)

    def knelt(*, is_powered=True):
        torques = np.zeros((len(time), 4, 3))
        torques[:, 0, 1], torques[:, 0, 2] = 20.0, 30.0
        torques[:, 1:] = 70.0
        asked = np.column_stack([40.0 + 0 * time, 50.0 + 0 * time])
        height = (0.6 if is_powered else 0.5) + 0 * time
        return SimpleNamespace(time=time, height=height, asked=asked, torques=torques)

    monkeypatch.setattr(kneel_picture, "knelt", knelt)
    left, hip, knee = drawn(kneel_picture, "draw_kneel").axes
    for label, height in (("with power", 0.6), ("resting without", 0.5)):
        found = line(left, label)
        assert set(found[:, 1]) == {height} and is_in_view(left, found)
        np.testing.assert_array_equal(found[:, 0], time)
    for axes, asked, given, name in (
        (hip, 40, 20, "hip flexion"),
        (knee, 50, 30, "knee"),
    ):
        assert axes.get_title() == name
        assert set(line(axes, "asked for")[:, 1]) == {asked}
        assert set(line(axes, "given")[:, 1]) == {given}
        assert levels(axes, 1) == [-91.0, 91.0]
        assert is_in_view(axes, np.array([[0.0, 91.0], [24.0, -91.0]]))
    for axes in (left, hip, knee):
        (span,) = axes.patches
        assert span.get_x() == 7.0 and span.get_width() == 10.0


# --- chapters 3 and 11, part III ------------------------------------------------------


def test_postures_are_drawn_by_law_and_axis(drawn, monkeypatch):
    asked, boards = [], []

    def responded(step):
        asked.append(step)
        k = len(asked)
        return SimpleNamespace(
            time=np.array([0.0, 1.0]),
            share=np.array([0.0, k]),
            power=np.array([k, 9.0]),
        )

    def rocked(pitch, roll, *, seed, seconds):
        boards.append((pitch, roll, seed, seconds))
        time = np.linspace(0.0, seconds, 200)
        attitude = np.radians(np.column_stack([1.0 + time, 2.0 + time, 3.0 + time]))
        return SimpleNamespace(time=time, attitude=attitude)

    monkeypatch.setattr(posture_picture, "responded", responded)
    monkeypatch.setattr(posture_picture, "rocked", rocked)
    pitch, roll, height, power, first, second = drawn(
        posture_picture, "draw_posture"
    ).axes
    tried = posture_picture.steps(0)
    wanted = [
        tried[f"{name} {law}"]
        for name in ("pitch", "roll", "height")
        for law in ("ours", "printed", "rubs")
    ]
    assert asked == wanted
    laws = [
        "recommended",
        "printed law",
        f"printed, friction {tried['roll rubs'].friction:g} N m",
    ]
    for begun, axes in ((1, pitch), (4, roll), (7, height)):
        assert labels(axes) == laws
        for k, law in enumerate(laws):
            assert line(axes, law)[-1, 1] == begun + k
        assert levels(axes, 1) == [1.0]
    assert [line(power, law)[0, 1] for law in laws] == [7, 8, 9]
    for axes in (pitch, roll, height, power):
        assert axes.get_xlim() == (-0.1, 2.5)
    assert boards == [(8.0, 0.0, 0, 9.0), (0.0, 8.0, 0, 9.0)]
    for axes, tilt in ((first, 2.0), (second, 1.0)):
        trunk, board = line(axes, "trunk"), line(axes, "board")
        np.testing.assert_allclose(trunk[:, 1], tilt + trunk[:, 0])
        assert np.abs(board[:, 1]).max() == pytest.approx(8.0, rel=0.01)
        assert is_in_view(axes, board)


def test_widths_are_drawn_beside_both_predictions(drawn, monkeypatch):
    tried = ((0.08, math.inf), (0.095, 0.5), (0.1, 0.0), (0.12, 9.0))

    def narrowed(along, up):
        predicted = SimpleNamespace(heavy=0.101, lumped=0.11)
        return SimpleNamespace(
            along=along, up=up, predicted=predicted, simulated=0.1, tried=tried
        )

    monkeypatch.setattr(narrow_picture, "narrowed", narrowed)
    monkeypatch.setattr(
        narrow_picture, "growth", lambda r, along, up: 10.0 * (0.1 - r) + 1e-9 * along
    )
    figure = drawn(narrow_picture, "draw_narrow")
    for axes, (along, up) in zip(figure.axes, ((4, 10), (10, 4)), strict=True):
        assert axes.get_title() == f"{along} kN/m along, {up} kN/m up"
        found = line(axes, "simulated")
        wanted = [
            (s * 0.1, 10.0 * (0.1 - s * 0.1) + 1e-6 * along)
            for s in (0.94, 0.96, 0.98, 1.02, 1.04)
        ]
        wanted = sorted([*wanted, (0.095, 0.5), (0.1, 0.0)])
        np.testing.assert_allclose(found, wanted, atol=1e-12)
        assert is_in_view(axes, found)
        heavy = line(axes, "energy test with the legs' masses: +1.0 %")
        lumped = line(axes, "(11.3), all mass in the trunk: +10.0 %")
        assert (heavy[0, 0], lumped[0, 0]) == (0.101, 0.11)
        assert levels(axes, 1) == [0.0]


def test_ralphys_loads_are_those_of_one_leg(drawn, monkeypatch):
    asked = []
    time = np.linspace(0.0, 8.0, 50)

    def walk_robot(robot, config):
        asked.append((robot.name, config))
        force = np.zeros((50, 4, 3))
        force[:, 2, 2] = 30.0 + len(asked)
        return SimpleNamespace(run=SimpleNamespace(time=time, foot_force=force))

    monkeypatch.setattr(ralphy_picture, "walk_robot", walk_robot)
    loads = np.tile([1.0, 2.0, 33.0, 4.0], (50, 1))
    monkeypatch.setattr(ralphy_picture, "asked_loads", lambda run: loads)
    still, moving = drawn(ralphy_picture, "draw_forces").axes
    first, second, third = (config for _, config in asked)
    assert [config.adapt for config in (first, second, third)] == [False, True, True]
    assert {config.ground_stiffness for config in (first, second)} == {70e3}
    assert (first.speed, first.support, third.ground_stiffness) == (
        0.0,
        "standing",
        15e3,
    )
    assert {config.seed for config in (first, second, third)} == {100}
    assert {config.seconds for config in (first, second, third)} == {8.0}
    assert dict(third.gains) == {"vertical.rock": 0.0}
    assert dict(first.gains) == {"vertical.rock": 0.6}
    assert set(line(still, "not learning it")[:, 1]) == {31.0}
    assert set(line(still, "learning the ground")[:, 1]) == {32.0}
    assert set(line(still, "asked for")[:, 1]) == {33.0}
    assert [set(np.array(one.get_data())[1]) for one in moving.lines] == [
        {33.0},
        {33.0},
    ]
    assert moving.get_xlim() == (6.0, 7.5)
    monkeypatch.setattr(ralphy_picture, "asked_loads", lambda run: None)
    still, moving = drawn(ralphy_picture, "draw_forces").axes
    assert (len(still.lines), len(moving.lines)) == (2, 1)


def test_saps_way_is_beside_what_it_is_told(drawn, monkeypatch):
    time = np.linspace(0.0, 10.0, 11)

    def trials(seed):
        assert seed == 100
        return {
            name: SimpleNamespace(time=time, way=k * time, slip=0.1 * k, told=0.12)
            for k, name in enumerate(("position", "rotated", "force"), 1)
        }

    monkeypatch.setattr(sap_picture, "trials", trials)
    (axes,) = drawn(sap_picture, "draw_trials").axes
    for k, name in enumerate(("position", "rotated", "force"), 1):
        found = line(axes, f"{name}: {0.1 * k:.2f} m of slip")
        np.testing.assert_allclose(found, np.column_stack([time, k * time]))
    told = line(axes, "as told")
    np.testing.assert_allclose(told, [[1.0, 0.0], [10.0, 0.12 * 9.0]])


def test_things_states_are_drawn_as_it_goes_through_them(drawn):
    figure = drawn(thing_picture, "draw_supervisor")
    assert len(figure.axes) == 8
    assert len({axes.get_title() for axes in figure.axes}) == 8
    moved = []
    for axes in figure.axes:
        points = np.vstack([np.array(one.get_data()).T for one in axes.lines])
        assert is_in_view(axes, points)
        feet = [t.get_text() for t in axes.texts if t.get_text().isdigit()]
        assert feet == ["1", "2", "3", "4"]
        boxes = [np.array(one.get_data()).T for one in axes.lines]
        boxes = [one for one in boxes if len(one) == 5]
        trunks = [b for b in boxes if np.allclose(
            np.linalg.norm(np.diff(b, axis=0), axis=1), [0.18, 0.1, 0.18, 0.1]
        )]  # fmt: skip
        assert len(trunks) == 2  # before and after
        moved.append([b[:-1].mean(axis=0) for b in trunks])
        support = np.array(axes.lines[0].get_data()).T
        marks = [one for one in axes.lines if one.get_marker() == "o"]
        centres = [one for one in marks if one.get_markersize() == 7]
        assert len(centres) == 2
        dots = [m for m in marks if m.get_markersize() == 5]
        dots = [np.array(m.get_data()).ravel() for m in dots]
        assert len(dots) == 4
        # carried by feet that do not move: corners are where feet still are
        stays = [min(np.linalg.norm(c - d) for d in dots) < 1e-9 for c in support]
        assert all(stays)
        assert len(support) in (4, 5)
    first = moved[0][0]
    np.testing.assert_allclose(first, 0.0, atol=1e-12)
    for (_, after), (before, _) in pairwise(moved):
        np.testing.assert_allclose(after, before, atol=1e-12)
    assert moved[-1][1][0] > 0.05  # ahead


def test_trees_are_drawn_with_four_controllers_each(drawn, monkeypatch):
    asked = []

    def run_trees(plan):
        asked.extend(plan)
        return [
            {"distance_path_w": None if k == 1 else [2.0, 0.5 * (k + 1), 1e-9]}
            for k in range(len(plan))
        ]

    monkeypatch.setattr(trees, "run_trees", run_trees)
    figure = drawn(trees, "draw_trees", (7000, 7001))
    laws = [(p.seed, p.steer.controller, p.steer.gravity_compensation) for p in asked]
    schemes = [*((s, False) for s in trees.PAPER_SCHEMES), (trees.RECOMMENDED, True)]
    assert laws == [(seed, *one) for seed in (7000, 7001) for one in schemes]
    tree, paths, other, more = figure.axes
    for k, axes in enumerate((paths, more)):
        for i, (law, on) in enumerate(schemes):
            found = line(axes, f"{law} (ours)" if on else law)
            n = len(schemes) * k + i
            if n == 1:
                assert len(found) == 0
                continue
            assert found[:, 0] == pytest.approx([0.0, 0.1, 0.2])
            assert found[:, 1] == pytest.approx([2.0, 0.5 * (n + 1), 1e-3])
        assert axes.get_xlim() == (0.0, 5.0) and axes.get_yscale() == "log"
    model = trees.random_tree(seed=7000).model
    jointed = sum(int(model.body_parentid[b]) > 0 for b in range(1, model.nbody))
    assert len(tree.lines) == jointed + 2
    assert (tree.get_title(), other.get_title()) == ("tree 7000", "tree 7001")
    upright = np.array(tree.lines[-2].get_data_3d())
    assert np.ptp(upright[:2]) == 0.0 and upright[2, 0] == 0.0
    ends = np.array([one.get_data_3d() for one in tree.lines[:-2]])
    assert ends[:, 2].max() == pytest.approx(upright[2, 1])


def test_costs_are_bars_beside_the_printed_ones(drawn, monkeypatch):
    rows = {
        name: ((10 * k, k, 0), SimpleNamespace(add=3 * k, mul=4 * k), None)
        for k, name in enumerate(costs.ROWS, 10)
    }
    monkeypatch.setattr(costs, "table", lambda: rows)
    figure = drawn(costs, "draw_costs")
    bars, one, two = figure.axes
    tall = [(b.get_x() + 0.5 * b.get_width(), b.get_height()) for b in bars.patches]
    wanted = [
        (k + side * 0.19, (11 if side < 0 else 7) * (k + 10))
        for k in range(5)
        for side in (-1, 1)
    ]
    np.testing.assert_allclose(tall, wanted)
    assert [t.get_text() for t in bars.texts] == [str(size) for _, size in wanted]
    greys = {to_rgba(b.get_facecolor()) for b in bars.patches[::2]}
    assert greys == {to_rgba("0.6")}
    for axes, start, end in (
        (one, costs.ARM_START, costs.ARM_END),
        (two, costs.SCARA_START, costs.SCARA_END),
    ):
        made = costs.arm() if axes is one else costs.scara()
        poses = [np.array(p.get_data_3d()).T for p in axes.lines]
        assert len(poses) == 6
        for share, pose in zip(np.linspace(0.0, 1.0, 5), poses, strict=False):
            q = tuple((1.0 - share) * np.array(start) + share * np.array(end))
            (points,) = costs.line_points(made, q, q, 1)
            np.testing.assert_allclose(pose, points, atol=1e-12)
        np.testing.assert_allclose(poses[-1], [p[-1] for p in poses[:-1]])
        dark = [p.get_color() for p in axes.lines]
        assert dark[4] == PALETTE[0] and set(dark[:4]) == {"0.75"}
