"""What a standing run and a search for limits leave behind."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from equipoise.core.errors import BadFileError
from equipoise.runs.limits import LimitsResult, heading_push
from equipoise.runs.replay.page import write_run_replay
from equipoise.runs.stand.outputs import write_stand
from equipoise.runs.stand.stand import StandConfig, stand
from equipoise.sim.recorded_looks import replay_model
from equipoise.sim.recording import open_run

CONFIG = StandConfig(controller="workspace", seconds=0.3)


@pytest.fixture(scope="module")
def result():
    return stand(CONFIG)


@pytest.fixture(scope="module")
def folder(result, tmp_path_factory):
    out = tmp_path_factory.mktemp("stand")
    return out, write_stand(result, out)


def test_a_run_leaves_recording_plot_stills_and_replay(result, folder):
    tmp_path, written = folder
    names = ["run.nc", "stand.png", "stills.png", "replay.html"]
    assert [path.name for path in written] == names
    assert {path.name for path in tmp_path.iterdir()} == set(names)
    assert open_run(tmp_path).identical(result.dataset)
    wide, high = Image.open(tmp_path / "stills.png").size
    assert wide > 2 * high  # several side by side
    plot = np.asarray(Image.open(tmp_path / "stand.png").convert("RGB"))
    assert len(np.unique(plot.reshape(-1, 3), axis=0)) > 100


def test_the_recorded_scene_has_the_block_and_it_moves(result):
    model = replay_model(result.dataset)
    assert model.body("block").id > 0
    place = result.dataset["qpos"].sel(coordinate="block.x").values
    assert place[0] - place.min() > 0.2


def test_a_recorded_run_can_be_viewed_without_its_robot(folder, tmp_path):
    page = write_run_replay(open_run(folder[0]), tmp_path / "again.html")
    assert page.read_bytes() == (folder[0] / "replay.html").read_bytes()


def test_a_run_that_blew_up_is_still_drawn(tmp_path):
    fallen = stand(replace(CONFIG, block_mass=9.0, seconds=2.0))
    assert fallen.summary["fell"]
    assert len(write_stand(fallen, tmp_path)) == 4


def test_nothing_is_left_where_nothing_can_be_written(result, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFileError):
        write_stand(result, tmp_path / "file" / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_limits_leave_numbers_and_a_picture(tmp_path):
    summary = {
        "robot": "biped", "controller": "workspace", "seed": 0, "block_mass_kg": 2.2,
        "impulse_ns": [float(k) for k in range(1, 9)], "pushes_survived": 1,
        "heading_deg": [45.0 * k for k in range(8)], "pushes": 2,
    }  # fmt: skip
    pushes = (
        (heading_push(4.0, 0.0, 1.0), True),
        (heading_push(9.0, 90.0, 1.2), False),
    )
    written = LimitsResult(summary, pushes).save(tmp_path)
    assert [path.name for path in written] == ["limits.json", "limits.png"]
    kept = json.loads(written[0].read_text())
    assert kept["impulse_ns"] == summary["impulse_ns"]
    assert [push["survived"] for push in kept["random_pushes"]] == [True, False]
    assert Image.open(written[1]).size[0] > 300
