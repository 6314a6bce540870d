"""Recorded runs as moving pictures: what is shown, when, and where it is written."""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import equipoise as eq
from equipoise.cli.app import run
from equipoise.core.errors import ConfigError
from equipoise.runs import movie
from equipoise.runs.movie import movie_of, pace_of, pushes_in, write_run_movie
from equipoise.sim.disturbances import Push
from equipoise.viz.movie.film import PANEL, SCENE, frames_of
from equipoise.viz.movie.marks import LOUD

GREEN, VERMILION, BLUE, PURPLE, ORANGE, RED, _ = LOUD


@pytest.fixture(scope="module")
def walked():
    """WARP1 that trots and is pushed to its left."""
    return eq.simulate(
        eq.load("warp1"), seconds=4.0, push=30.0, push_at=2.5, actuators="ideal"
    )


@pytest.fixture(scope="module")
def steered():
    """Three modules that reach their line."""
    return eq.simulate(eq.load("superbot", modules=3), seconds=0.2)


def pixels(frame, colour):
    """Count the robot's part of a frame that has a colour; its legend aside."""
    scene = frame[: SCENE[1] - 20].astype(int)
    return int((np.abs(scene - colour).max(axis=2) < 30).sum())


def test_a_push_is_in_the_middle_of_what_is_shown(walked):
    movie = movie_of(walked.dataset, None, None)
    (push,) = movie.marks.pushes
    assert push.start == 2.5
    assert push.impulse == pytest.approx((0.0, 30.0, 0.0), abs=1e-12)
    assert movie.time[0] == 0.0
    assert movie.time[-1] == 4.0
    assert movie.speed == 1.0
    assert np.allclose(np.diff(movie.time), 0.05)


def test_the_number_is_the_capture_point_inside_the_feet(walked):
    movie = movie_of(walked.dataset, (2.0, 3.0), None)
    k = 5
    corners, point = movie.marks.feet[k][:, :2], movie.marks.balance.capture[k, :2]
    edges = np.roll(corners, -1, axis=0) - corners
    normals = np.stack((-edges[:, 1], edges[:, 0]), axis=1)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    inside = ((point - corners) * normals).sum(axis=1).min()  # counter-clockwise
    assert movie.chart.values[k] == pytest.approx(1e3 * inside, rel=1e-9)
    assert movie.chart.said(k) == f"{1e3 * inside:+.0f} mm"


def test_marks_are_in_the_frames_they_belong_to(walked):
    movie = movie_of(walked.dataset, (2.45, 2.55), 1.0)
    before, start, after = frames_of(movie)
    assert before.shape == (SCENE[1] + PANEL[1], SCENE[0], 3)
    assert pixels(before, RED) == 0
    assert pixels(start, RED) > 200
    assert pixels(after, RED) > 200
    for colour in (VERMILION, GREEN, ORANGE, PURPLE):
        assert pixels(start, colour) > 5, colour


def test_the_camera_goes_with_a_walk_and_stays_with_modules(walked, steered):
    along = movie_of(walked.dataset, (2.0, 4.0), None)
    gone = np.subtract(along.cameras[-1].eye, along.cameras[0].eye)
    trunk = along.marks.com[-1] - along.marks.com[0]
    assert gone[0] == pytest.approx(trunk[0], abs=0.1)
    assert gone[0] > 0.4
    assert gone[2] == 0.0
    assert len(set(movie_of(steered.dataset, None, None).cameras)) == 1


def test_what_is_over_soon_is_slow():
    assert pace_of(4.0) == (1.0, 20.0)
    assert pace_of(2.0) == (0.5, 25.0)
    assert pace_of(0.3) == (0.25, 25.0)
    assert pace_of(50.0) == (3.0, 20.0)  # and what is long is fast


def test_a_pushed_stand_tells_its_push():
    push = Push(impulse=(0.0, 8.0, 0.0), start=0.1, duration=0.05)
    stood = eq.simulate(eq.load("biped"), seconds=0.2, block_mass=0.0, push=push)
    (found,) = pushes_in(stood.dataset)
    assert found.impulse == (0.0, 8.0, 0.0)
    assert (found.start, found.duration) == (0.1, 0.05)


def test_a_result_writes_its_movie(steered, tmp_path):
    shares = []
    path = steered.movie(tmp_path / "run.gif", speed=1.0, progress=shares.append)
    with Image.open(path) as file:
        assert file.n_frames == len(shares) == 5
        assert file.size == (SCENE[0], SCENE[1] + PANEL[1])
        assert file.info["loop"] == 0
    assert shares[-1] == 1.0
    assert path.stat().st_size < 1_500_000


@pytest.mark.parametrize(
    ("span", "speed", "sentence"),
    [
        ((1.0, 0.5), None, "span must be from an earlier to a later second"),
        ((7.0, 8.0), None, r"nothing was recorded from 7 s on; .* ends at 0.20 s"),
        (None, 0.0, "speed must be 0.01 to 100, got 0.0"),
    ],
)
def test_a_time_that_is_none_is_refused(steered, tmp_path, span, speed, sentence):
    with pytest.raises(ConfigError, match=sentence):
        write_run_movie(steered.dataset, tmp_path / "a.gif", span=span, speed=speed)
    assert not list(tmp_path.iterdir())


def test_a_film_of_thousands_of_frames_is_refused(walked):
    with pytest.raises(ConfigError, match="may have 600 frames, got 801"):
        movie_of(walked.dataset, (0.0, 4.0), 0.1)


def test_a_speed_is_kept_where_too_few_frames_were_recorded(steered):
    movie = movie_of(steered.dataset, (0.0, 0.1), 0.05)
    assert len(movie.time) == 41  # 0.1 s at a twentieth of the speed, 20 a second
    assert len(set(movie.time)) == 11  # of 100 a second


def test_another_kind_of_file_is_refused(steered, tmp_path):
    with pytest.raises(ConfigError, match=r"ending must be \.gif, got 'a\.png'"):
        steered.movie(tmp_path / "a.png")


def test_a_verdict_without_motion_has_no_movie(tmp_path):
    with pytest.raises(ConfigError, match="it has no motion"):
        eq.check(eq.load("warp1")).movie(tmp_path / "a.gif")


def test_the_command_writes_it_beside_its_files(tmp_path, capsys):
    typed = ["balance", "--modules", "2", "--seconds", "0.05", "--gif", "--json"]
    assert run([*typed, "--out", str(tmp_path)]) in (0, 1)
    assert json.loads(capsys.readouterr().out)["modules"] == 2
    with Image.open(tmp_path / "run.gif") as file:
        assert file.n_frames > 1
    page = (tmp_path / "index.html").read_text()
    assert '<img src="run.gif"' in page and 'href="replay.html"' in page
    assert f"export {tmp_path}/run.nc {tmp_path}/run.csv" in page
    assert page.count("<tr>") > 5 and "alanced" in page.split("</header>")[0]
    again = tmp_path / "again.gif"
    typed = ["export", str(tmp_path / "run.nc"), str(again), "--span", "0,0.02"]
    assert run(typed) == 0
    assert str(again) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (["balance", "--gif"], "give --out DIR too"),
        (
            ["walk", "--gif", "--seeds", "3", "--out", "x"],
            "for a single run, got --seeds 3",
        ),
    ],
)
def test_gif_where_it_cannot_be_written_is_refused_at_once(typed, sentence, capsys):
    assert run(typed) == 2
    assert sentence in capsys.readouterr().err


def test_a_picture_of_the_end_is_of_the_last_whole_state(monkeypatch, tmp_path):
    """480 by 360 pixels, of the scene; the camera looks at the robot alone."""
    states = np.arange(20.0).reshape(4, 5)
    states[3, 2] = np.nan  # a run that was stopped
    run = {"qpos": SimpleNamespace(values=states)}
    asked = []

    def camera_for(robot, states, size):
        asked.append((robot.nq, [state.tolist() for state in states], size))
        return "camera"

    def draw(model, qpos, size, camera):
        asked.append((model, qpos.tolist(), size, camera))
        return "picture"

    for name, part in {
        "robot_alone": lambda run, where: SimpleNamespace(nq=3),
        "replay_model": lambda run, where: "scene",
        "camera_for": camera_for,
        "draw": draw,
        "write_png": lambda path, picture: (path, picture),
    }.items():
        monkeypatch.setattr(movie, name, part)
    path = tmp_path / "end.png"
    written: Any = movie.write_last_frame(run, path)  # pyright: ignore
    assert written == (path, "picture")
    assert asked == [
        (3, [[10.0, 11.0, 12.0]], (480, 360)),
        ("scene", [10.0, 11.0, 12.0, 13.0, 14.0], (480, 360), "camera"),
    ]
