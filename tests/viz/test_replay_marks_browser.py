"""Marks, plots, a camera that follows and a dark page, in a real browser."""

import html

import numpy as np
import pytest

from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.replay.marks import (
    PlotLine,
    ReplayExtras,
    ReplayMarks,
    ReplayPlot,
)
from equipoise.viz.replay.page import write_replay
from oracles.browser import SIZE, Visit

HOSTILE = "</script><img src=x onerror=document.title='owned'>"
GREEN, ORANGE, PURPLE = (0, 158, 115), (230, 159, 0), (204, 121, 167)
PANEL = 360  # width of the plots [pixels]


def extras(near: Camera, nt: int) -> ReplayExtras:
    """Return a square of support that moves along x, and all that goes with it."""
    way = np.column_stack((np.linspace(0.0, 2.0, nt), np.zeros(nt), np.zeros(nt)))
    square = np.array([[0.3, -0.3, 0], [0.6, -0.3, 0], [0.6, 0.3, 0], [0.3, 0.3, 0.0]])
    marks = ReplayMarks(
        capture=np.add(way, (0.2, -0.35, 0.0)),
        pressure=np.add(way, (0.45, 0.0, 0.0)),
        support=[square + p for p in way],
        force_places=np.add(way, (0.0, -0.3, 0.0))[:, None],
        forces=np.tile([0.0, 0.0, 100.0], (nt, 1, 1)),
        metres_a_newton=4e-3,
    )
    lines = tuple(PlotLine(name, way[:, 0]) for name in (HOSTILE, "knee"))
    plots = (
        ReplayPlot("margin", "mm", lines[1:], has_zero=True),
        ReplayPlot("joint angles", "deg", lines, is_joints=True),
    )
    return ReplayExtras(
        marks=marks, plots=plots, track=way, near=near, follows=True, notes=(HOSTILE,)
    )


@pytest.fixture(scope="module")
def looks(arm, tmp_path_factory):
    """The page at its start, later, later without following, and dark."""
    folder = tmp_path_factory.mktemp("browser")
    time = np.arange(41) / 20.0
    near = camera_for(arm, [np.zeros(3)], size=SIZE, margin=0.2)
    page = write_replay(
        folder / "page.html",
        arm,
        time,
        np.zeros((41, 3)),
        title=HOSTILE,
        camera=near,
        fps=np.inf,
        extras=extras(near, 41),
    ).as_uri()
    hashes = {
        "start": "t=0",
        "later": "t=1",
        "still": "t=1&follow=0",
        "dark": "t=0&theme=dark",
        "alone": "t=0&plots=0",
    }
    found = {
        name: Visit(f"{page}#{mark}", folder, name, 1500)
        for name, mark in hashes.items()
    }
    for look in found.values():
        look.finish()
    return found


def count(look: Visit, colour: tuple[int, int, int], right: int = SIZE[0] - PANEL):
    """Return how many pixels of the picture have nearly a colour, and their middle."""
    part = look.image[180:520, :right]
    rows, columns = np.nonzero(np.abs(part - colour).max(axis=2) < 30)
    return len(rows), columns.mean() if len(columns) else np.nan


def test_no_look_complains(looks):
    for name, look in looks.items():
        assert look.complaints == [], name
        assert 'data-ready="' in look.document


def test_support_force_and_capture_point_are_drawn(looks):
    assert count(looks["start"], GREEN)[0] > 60  # the rim
    assert count(looks["start"], PURPLE)[0] > 15  # a thin ring, seen flat
    force = looks["start"].image[:, : SIZE[0] - PANEL]
    r, g, b = np.moveaxis(force, 2, 0)
    assert ((r > 1.25 * g) & (g > 2.5 * b) & (r > 90)).sum() > 100  # lit: its hue


def test_the_camera_goes_along_or_stays(looks):
    before, with_it, without = (
        count(looks[name], GREEN)[1] for name in ("start", "later", "still")
    )
    assert abs(before - with_it) < 3.0  # [pixels]: it moves with what it follows
    assert not abs(before - without) < 30.0


def test_plots_are_beside_the_picture_and_go_away(looks):
    panel = looks["start"].image[:, SIZE[0] - PANEL + 60 :]
    inks = (np.abs(panel - (0, 114, 178)).max(axis=2) < 40).sum()
    assert inks > 200
    for name, is_there in (("start", True), ("alone", False)):
        assert ('<body class="beside"' in looks[name].document) == is_there
    # the cursor is at half the time in the one, at the left end in the other
    assert 'class="cursor" style="left: 44px' in looks["start"].document
    assert 'class="cursor" style="left: 44px' not in looks["later"].document


def test_a_dark_page_is_dark(looks):
    for name, is_dark in (("start", False), ("dark", True)):
        corner = looks[name].image[60:80, 500:520].mean()
        panel = looks[name].image[2:6, SIZE[0] - 100 : SIZE[0] - 40].mean()
        assert (corner < 80) == is_dark and (panel < 80) == is_dark


def test_names_of_joints_and_notes_are_words(looks):
    document = looks["start"].document
    escaped = html.escape(HOSTILE, quote=False)
    assert f">{escaped}</option>" in document
    assert f'<div id="notes"><div>{escaped}</div></div>' in document
    assert "<img" not in document and "<title>owned" not in document
