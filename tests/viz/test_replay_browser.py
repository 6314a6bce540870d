"""The replay page in a real browser, opened from disk."""

import re

import numpy as np
import pytest

from equipoise.viz.camera import camera_for
from equipoise.viz.raycast import draw
from equipoise.viz.replay.page import write_replay
from oracles.browser import SIZE, Visit


def stage(image: np.ndarray) -> np.ndarray:
    """Return the part of a page that no panel covers."""
    return image[100:520]


def coloured(image: np.ndarray) -> np.ndarray:
    """Return which pixels belong to the robot: all else is grey."""
    return image.max(axis=2) - image.min(axis=2) > 0.12 * image.max(axis=2)


def clock(look: Visit) -> float:
    """Return the time that a page of the test's motion shows [s]."""
    shown = re.search(r'id="clock">([0-9.]+) / 4.00 s', look.document)
    return -1.0 if shown is None else float(shown[1])


@pytest.fixture(scope="module")
def visits(arm, tmp_path_factory):
    """The page paused at its start, and the same page left to play."""
    folder = tmp_path_factory.mktemp("browser")
    time = np.arange(401) / 100.0
    qpos = np.column_stack((1.2 * time, -0.9 + 0.1 * time, 1.2 - 0.2 * time))
    # Not the arm's own: a point beside it, where nothing else has the mark's colour.
    com = np.column_stack((0.2 + 0.0 * time, 0.03 * time - 0.3, 0.25 + 0.0 * time))
    camera = camera_for(arm, [qpos[0]], size=SIZE, margin=0.15)
    title = "</script><script>document.title='owned'</script><b>arm</b>"
    marked = write_replay(
        folder / "marked.html",
        arm,
        time,
        qpos,
        com=com,
        line_point=np.zeros(3),
        title=title,
        camera=camera,
        width=0.084,
    )
    bare = write_replay(folder / "bare.html", arm, time, qpos, camera=camera)
    start = Visit(f"{bare.as_uri()}#t=0", folder, "start", 1000)
    # The browser's clock also runs while the page loads: a busy machine needs longer.
    for patience in (3000, 8000, 20000):
        play = Visit(marked.as_uri(), folder, f"play{patience}", patience)
        play.finish()
        if clock(play) >= 0.2:
            break
    start.finish()
    expected = draw(arm, qpos[0], size=SIZE, camera=camera).astype(int)
    way = camera.project(com, SIZE)[:, :2].astype(int)
    return start, play, expected, com, title, way


def test_page_loads_without_a_complaint(visits):
    # Any request at all would break the page's policy and be complained about.
    for look in visits[:2]:
        assert look.complaints == []
        assert 'data-ready="' in look.document


def test_page_shows_what_the_ray_caster_shows(visits):
    start, _, expected, *_ = visits
    page, cast = coloured(stage(start.image)), coloured(stage(expected))
    assert cast.sum() > 10_000
    # reading: rims of round shapes differ by about a pixel (32 sided, smoothed)
    assert (page ^ cast).sum() <= 0.03 * cast.sum()
    both = page & cast
    error = np.abs(stage(start.image)[both] - stage(expected)[both]).max(axis=1)
    assert np.median(error) <= 12  # of 255: same light, but no shadow on the robot


def test_page_plays_by_itself(visits):
    start, play, *_ = visits
    assert clock(play) >= 0.2
    changed = np.abs(stage(start.image) - stage(play.image)).max(axis=2) > 40
    assert changed.sum() > 2000


def test_readout_is_the_distance_at_that_time(visits):
    _, play, _, com, *_ = visits
    shown = re.search(r'id="distance">([0-9.]+) module widths', play.document)
    assert shown is not None
    gaps = np.hypot(com[:, 0], com[:, 1]) / 0.084
    at = np.interp(clock(play), np.arange(401) / 100.0, gaps)
    # rounding of the shown clock (half of 10 ms at the largest rate), frames' chords
    slope = np.abs(np.diff(gaps)).max()
    assert abs(float(shown[1]) - at) <= 0.5 * slope + 2e-3


def test_marks_are_painted(visits):
    start, play, *_, way = visits
    blue = [
        (np.abs(stage(look.image) - (0, 114, 178)).max(axis=2) < 40).sum()
        for look in (start, play)
    ]
    assert blue[1] >= blue[0] + 20
    # Somewhere on the ball's way: the picture is taken a little after the document. The
    # ball is lit, so its hue counts: red over green 2.3, little blue.
    (left, top), (right, bottom) = way.min(axis=0) - 5, way.max(axis=0) + 5
    for look, is_there in ((play, True), (start, False)):
        r, g, b = np.moveaxis(look.image[top:bottom, left:right], 2, 0)
        hue = (r > 1.8 * g) & (r < 3.0 * g) & (b < 0.3 * r)
        assert (hue.sum() > 50) == is_there


def test_hostile_title_is_shown_not_run(visits):
    _, play, _, _, title, _ = visits
    escaped = title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f'<h1 id="title">{escaped}</h1>' in play.document
    assert "<title>owned" not in play.document
