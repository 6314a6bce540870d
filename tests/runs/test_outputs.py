"""What a run leaves behind."""

import numpy as np
import pytest
from PIL import Image

from equipoise.core.errors import BadFileError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.balance.outputs import write_outputs
from equipoise.runs.replay.page import write_run_replay
from equipoise.runs.simulate import simulate
from equipoise.sim.recording import open_run


@pytest.fixture(scope="module")
def results():
    robot = random_tree(modules=3, branches=1, seed=2)
    return [
        simulate(robot, seconds=0.3, gravity_compensation=on) for on in (False, True)
    ]


def test_one_run(results, tmp_path):
    written = write_outputs(results[:1], tmp_path)
    names = ["run.nc", "balance.png", "start.png", "end.png", "replay.html"]
    assert [path.name for path in written] == names
    assert {path.name for path in tmp_path.iterdir()} == set(names)
    assert open_run(tmp_path).identical(results[0].dataset)
    start, end = (
        np.asarray(Image.open(tmp_path / name)) for name in ("start.png", "end.png")
    )
    assert start.shape == end.shape
    assert (start != end).any()  # it moved, and the pictures show it


def test_several_runs_have_their_own_names(results, tmp_path):
    write_outputs(results, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "run-upright-uncompensated.nc", "run-upright.nc", "balance.png", "start.png",
        "end-upright-uncompensated.png", "end-upright.png", "robots.png", "replay.html",
    }  # fmt: skip


def test_a_replay_needs_only_the_recording(results, tmp_path):
    write_outputs(results[:1], tmp_path)
    page = write_run_replay(open_run(tmp_path), tmp_path / "again.html")
    # reading: the recorded MJCF has fewer digits than the robot itself
    assert abs(page.stat().st_size - (tmp_path / "replay.html").stat().st_size) < 5000


def test_a_folder_that_cannot_be_made_is_one_sentence(results, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadFileError, match="could not be written"):
        write_outputs(results[:1], tmp_path / "file" / "below")


@pytest.mark.parametrize("missing", ["goal", "module_width_m", "com"])
def test_a_recording_with_a_hole_is_one_sentence(results, tmp_path, missing):
    run = results[0].dataset.copy()
    if missing in run:
        run = run.drop_vars(missing)
    else:
        run.attrs = {k: v for k, v in run.attrs.items() if k != missing}
    with pytest.raises(BadFileError, match=r"x\.nc is not a whole balance run"):
        write_run_replay(run, tmp_path / "page.html", where="x.nc")
    assert list(tmp_path.iterdir()) == []
