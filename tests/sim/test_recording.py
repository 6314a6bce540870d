"""Recorded runs: whole, labelled, and readable without the robot's file."""

import gc
import json
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
import xarray as xr

from equipoise.core.contracts import Command
from equipoise.core.errors import BadFileError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.sim.recorded_looks import replay_model
from equipoise.sim.recording import (
    RunInfo,
    commit,
    open_run,
    recorded,
    write_run,
)
from equipoise.sim.rollout import rollout
from equipoise.sim.world import build_world

ROOT = Path(__file__).parents[2]


class Push:
    """A constant torque, or NaN from a time on."""

    def __init__(self, until=np.inf):
        self.until = until

    def init(self):
        return None

    def step(self, sensed, state):
        value = 0.3 if sensed.time < self.until else np.nan
        return Command(np.full_like(sensed.q, value), {"messages": 2.0}), state


def dataset(until=np.inf, mount="fixed") -> xr.Dataset:
    world = build_world(random_tree(modules=2, branches=1, seed=1, mount=mount))
    info = RunInfo(controller="push", seed=7, config={"seconds": 0.05, "target": None})
    return recorded(world, rollout(world, Push(until), 0.05), info)


def test_round_trip_is_exact(tmp_path):
    run = dataset()
    path = write_run(run, tmp_path / "new" / "run.nc")
    assert open_run(path).identical(run)
    assert open_run(tmp_path / "new").identical(run)  # its folder will do
    assert [p.name for p in path.parent.iterdir()] == ["run.nc"]


def test_signals_are_labelled():
    run = dataset(mount="free")
    assert run["qpos"].sel(coordinate="base.qw").values[0] == 1.0
    assert run["tau"].sel(actuator="m1_roll").values[0] == 0.3
    assert run["com"].sel(axis="z").equals(run["com_height"].assign_coords(axis="z"))
    assert {run[name].attrs["units"] for name in ("com", "com_height", "time")} == {
        "m",
        "s",
    }


def test_attributes_say_what_it_was():
    run = dataset()
    assert run.attrs["robot"] == "superbot-2x1-zero-1"
    assert (run.attrs["controller"], run.attrs["seed"]) == ("push", 7)
    assert json.loads(run.attrs["config"]) == {"seconds": 0.05, "target": None}
    assert json.loads(run.attrs["versions"])["mujoco"] == mujoco.__version__
    assert run.attrs["outcome"] == "finished"


def test_commit_is_gits_own():
    git = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True
    )
    if git.returncode or not (ROOT / ".git").is_dir():
        pytest.skip("not a checkout")
    assert commit() == git.stdout.strip()


def test_a_run_that_broke_off_keeps_its_last_states(tmp_path):
    run = dataset(until=0.0205)
    assert run.attrs["outcome"] == "bad_command"
    assert run["last_qpos"].shape == (22, 6)
    assert np.array_equal(run["last_qpos"].values[-1], run["qpos"].values[-1])
    assert open_run(write_run(run, tmp_path / "run.nc")).identical(run)


def test_the_recorded_robot_is_the_robot():
    run = dataset()
    model = replay_model(run)
    data = mujoco.MjData(model)
    data.qpos[:] = run["qpos"].values[-1]
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    # reading: MJCF text carries six digits of numbers below 0.1 m
    np.testing.assert_allclose(
        data.subtree_com[0], run["com"].values[-1], rtol=0.0, atol=1e-6
    )


@pytest.mark.parametrize(
    "content", [b"", b"not a file of numbers", b"\x89HDF\r\n\x1a\n" + bytes(500)]
)
def test_refuses_what_is_no_netcdf(tmp_path, content):
    path = tmp_path / "run.nc"
    path.write_bytes(content)
    with pytest.raises(BadFileError, match=r"run\.nc cannot be read as netCDF"):
        open_run(path)


def test_refuses_a_file_cut_short(tmp_path):
    path = write_run(dataset(), tmp_path / "run.nc")
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(BadFileError, match=r"run\.nc cannot be read as netCDF"):
        open_run(path)


def test_refuses_a_file_of_someone_else(tmp_path):
    path = tmp_path / "other.nc"
    xr.Dataset({"x": ("t", [1.0])}).to_netcdf(path, engine="h5netcdf")
    with pytest.raises(BadFileError, match="is not a recorded run"):
        open_run(path)


def test_refuses_a_file_whose_mark_is_a_list(tmp_path):
    path = tmp_path / "other.nc"
    content = xr.Dataset({"x": ("t", [1.0])}, attrs={"equipoise": [1.0, 2.0]})
    content.to_netcdf(path, engine="h5netcdf")
    with pytest.raises(BadFileError, match="is not a recorded run"):
        open_run(path)


def test_refuses_what_is_not_there(tmp_path):
    with pytest.raises(BadFileError, match=r"run\.nc does not exist"):
        open_run(tmp_path)


def test_a_failed_write_leaves_the_old_file(tmp_path):
    """In a process of its own: HDF5 on a full disk ends by a signal, not an error."""
    path = write_run(dataset(), tmp_path / "run.nc")
    before = path.read_bytes()
    code = """
import resource, sys
from equipoise.core.errors import BadFileError
from equipoise.sim.recording import open_run, write_run
run = open_run(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))  # as a full disk does
try:
    write_run(run, sys.argv[1])
except BadFileError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f"{path} could not be written: File too large; "
        "choose another folder or make room.\n"
    )
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<mujoco><include file='/etc/hosts'/></mujoco>", "names other files"),
        ("<mujoco><asset><mesh file = 'a.stl'/></asset></mujoco>", "names other files"),
        ("<mujoco><asset><skin file=\n'a'/></asset></mujoco>", "names other files"),
        ("<mujoco>", "cannot be built"),
        ("<mujoco/>", "poses of shape"),
    ],
)
def test_refuses_a_recorded_robot_that_is_none(text, sentence):
    run = dataset()
    run["robot_mjcf"] = ((), text)
    with pytest.raises(BadFileError, match=sentence):
        replay_model(run, "run.nc")


def test_a_half_opened_file_ends_unsaid(tmp_path, monkeypatch):
    noise: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", noise.append)

    class Half:
        def __del__(self):
            raise ValueError("noise")

    def fail(*args, **kwargs):
        half = Half()
        raise OSError(f"damaged {type(half).__name__}")

    path = write_run(dataset(), tmp_path / "run.nc")
    monkeypatch.setattr("xarray.load_dataset", fail)
    with pytest.raises(BadFileError, match=r"cannot be read as netCDF \(damaged Half"):
        open_run(path)
    gc.collect()
    assert noise == []
