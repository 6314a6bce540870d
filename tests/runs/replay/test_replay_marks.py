"""What a page shows over a run is what mechanics says, for every kind of run."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
import xarray as xr

import equipoise as eq
from equipoise.core.errors import BadFileError
from equipoise.runs.replay.marks import forces_on_ground, marks_of, standing_margins
from equipoise.runs.replay.motion import motion_of
from equipoise.runs.replay.outcome import outcome_of, push_marks
from equipoise.runs.replay.page import (
    poses_beside,
    smoothed,
    write_robot_replay,
    write_run_replay,
)
from equipoise.runs.replay.plots import plots_of
from equipoise.runs.replay.recorded import RecordedMotion, unbroken
from equipoise.sim.recorded_looks import recorded_spec

MASS, SIDE, HIGH = 3.0, 0.2, 0.5
BOX = f"""<mujoco><worldbody>
 <body name="box" pos="0 0 {HIGH / 2}"><freejoint/>
  <geom type="box" size="{SIDE / 2} {SIDE / 2} {HIGH / 2}" mass="{MASS}"/>
 </body>
 <body name="ball" pos="3 0 1"><freejoint/><geom size="0.1" mass="0.5"/></body>
</worldbody></mujoco>"""


def sliding(ways: np.ndarray, time: np.ndarray):
    """Return the motion of a box that slides along x, a lighter ball beside it."""
    spec = mujoco.MjSpec.from_string(BOX)
    qpos = np.tile(spec.compile().qpos0, (len(time), 1))
    qpos[:, 0] = ways
    return motion_of(spec, time, qpos)


def test_a_box_at_rest_stands_on_its_corners():
    time = np.linspace(0.0, 1.0, 11)
    motion = sliding(0.0 * time, time)
    assert motion.mass == MASS and not motion.is_fixed
    for polygon in motion.support:
        corners = {(round(x, 6), round(y, 6)) for x, y, _ in polygon}
        assert corners == {(a, b) for a in (-0.1, 0.1) for b in (-0.1, 0.1)}
    force, place = motion.reaction()
    # one rounding a term
    assert np.allclose(force, [0.0, 0.0, MASS * 9.81], atol=1e-9)
    assert np.allclose(place[:, :2], 0.0, atol=1e-9)
    assert np.allclose(motion.capture()[:, :2], 0.0, atol=1e-9)


def test_a_camera_that_goes_along_keeps_all_poses_in_view():
    """A box that goes 5 m ahead and is lifted by 1 m, beside the camera's own way."""
    time = np.linspace(0.0, 1.0, 101)
    moved = sliding(5.0 * time, time).qpos.copy()
    moved[:, 2] += time
    motion = motion_of(mujoco.MjSpec.from_string(BOX), time, moved)
    poses = poses_beside(motion, smoothed(motion))
    # an average over half a second, at both ends over the half of it that there is:
    # an eighth of a second ahead at the start, as much behind at the end, and a sample
    assert np.abs(poses[:, 0]).max() <= 5.0 * (0.25 + 0.01)
    assert poses[0, 2] == moved[0, 2] and poses[-1, 2] == moved[-1, 2]
    assert (motion.qpos == moved).all()


def test_margins_begin_where_the_robot_first_stands():
    """A point ahead of the box by its way: margins go from inside to outside."""
    time = np.linspace(0.0, 1.0, 11)
    motion = sliding(0.0 * time, time)
    point = motion.com + np.outer(time, [0.3, 0.0, 0.0])
    wanted = 1e3 * (SIDE / 2 - 0.3 * time)
    np.testing.assert_allclose(standing_margins(point, motion), wanted, atol=1e-6)
    corner = motion.support[0][:1]
    late = replace(motion, support=[corner] * 4 + motion.support[4:])
    found = standing_margins(point, late)
    assert np.isnan(found[:4]).all()
    np.testing.assert_allclose(found[4:], wanted[4:], atol=1e-6)
    never = replace(motion, support=[corner] * 11)
    assert (standing_margins(point, never) < 0.0).all()


def test_a_box_that_slides_has_its_capture_point_ahead():
    time, v = np.linspace(0.0, 1.0, 21), 0.3
    motion = sliding(v * time, time)
    ahead = motion.capture()[:, 0] - motion.com[:, 0]
    # the pendulum of [Pratt2006]; contacts lie half of NEAR or less off the floor
    assert np.allclose(ahead, v * math.sqrt(HIGH / 2 / 9.81), rtol=5e-3)


def test_a_box_that_speeds_up_presses_behind_its_middle():
    time, a = np.linspace(0.0, 1.0, 41), 1.2
    motion = sliding(0.5 * a * time**2, time)
    force, place = motion.reaction()
    inner = slice(2, -2)  # differences at the ends are one-sided
    assert np.allclose(force[inner, 0], MASS * a, rtol=1e-9)
    behind = place[inner, 0] - motion.com[inner, 0]
    assert np.allclose(behind, -a / 9.81 * HIGH / 2, rtol=5e-3)


def test_margins_are_lengths_inside_the_support():
    time = np.linspace(0.0, 1.0, 11)
    motion = sliding(0.0 * time, time)
    force, place = motion.reaction()
    marks = marks_of(motion, place[:, None], force[:, None])
    run = xr.Dataset()
    every = np.arange(11)
    margin, joints = plots_of(run, RecordedMotion(every, every, motion, marks))
    assert [line.name for line in margin.lines] == [
        "centre of mass", "pressure point", "capture point",
    ]  # fmt: skip
    for line in margin.lines:
        assert np.allclose(line.values, 1000 * SIDE / 2, atol=1e-3)  # [mm]
    assert joints.lines == ()


def test_in_the_air_there_is_no_support_and_no_force():
    spec = mujoco.MjSpec.from_string(BOX)
    qpos = spec.compile().qpos0[None].copy()
    qpos[0, 2] += 1.0
    motion = motion_of(spec, np.zeros(1), qpos)
    assert len(motion.support[0]) == 0
    force, place = motion.reaction()
    assert np.isnan(force).all() and np.isnan(place).all()
    marks = marks_of(motion, place[:, None], force[:, None])
    assert np.isnan(marks.pressure).all()


@pytest.fixture(scope="module")
def runs():
    return {
        "balance": eq.simulate(eq.load("superbot", modules=4, branches=1), seconds=0.3),
        "stand": eq.simulate(eq.load("biped"), seconds=0.5),
        "walk": eq.simulate(eq.load("warp1"), gait="trot", seconds=2.5),
    }


@pytest.mark.parametrize("kind", ["balance", "stand", "walk"])
def test_every_kind_of_run_has_marks_and_plots(kind: str, runs, tmp_path: Path):
    run = runs[kind].dataset
    page = write_run_replay(run, tmp_path / "page.html").read_text()
    for key in ("capture", "pressure", "support", "forces"):
        assert re.search(rf'"{key}":"[A-Za-z0-9+/=]{{20,}}"', page), key
    titles = re.findall(r'"title":"([^"]*)","unit"', page)
    assert titles[0] == "margin inside the support"
    assert titles[-2:] == ["joint angles", "joint torques"]
    own = {
        "balance": ["distance to the support line", "messages sent"],
        "stand": ["trunk off its aim", "load of each foot"],
        "walk": ["speed", "load of each foot"],
    }
    assert titles[1:-2] == own[kind]
    verdict, outcome = runs[kind].verdict, re.search(r'"outcome":"([^"]*)"', page)
    assert f'"verdict":"{verdict}"' in page
    assert ("not" in outcome[1] and outcome[1] != "did not fall") == (verdict == "no")
    assert ('"near":null' in page) == (kind == "balance")  # it is bolted down


@pytest.mark.parametrize("kind", ["stand", "walk"])
def test_recorded_forces_carry_the_weight_where_they_act(kind: str, runs):
    run = runs[kind].dataset
    still = slice(-5, None) if kind == "stand" else slice(60, 65)  # before it trots
    time, qpos = run["frame_time"].values[still], run["qpos"].values[still]
    motion = motion_of(recorded_spec(run), time, qpos)
    at = np.searchsorted(run["time"].values, time - 1e-9)
    places, forces = forces_on_ground(run, motion, at)
    marks = marks_of(motion, places, forces)
    up = np.nansum(marks.forces[:, :, 2], axis=1)
    # the rest of a hit or of settling: within a fifth of the weight
    assert np.allclose(up, motion.mass * 9.81, rtol=0.2)
    assert (np.abs(places[..., 2]) < 0.02).all()  # on the floor
    for point, polygon in zip(marks.pressure, motion.support, strict=True):
        low, high = polygon[:, :2].min(axis=0), polygon[:, :2].max(axis=0)
        assert (low - 0.01 <= point[:2]).all() and (point[:2] <= high + 0.01).all()


def test_a_run_without_a_robot_is_one_sentence(runs, tmp_path: Path):
    run = runs["stand"].dataset.copy()
    run["robot_mjcf"] = ((), "<mujoco/>")
    with pytest.raises(BadFileError, match=r"x\.nc has "):
        write_run_replay(run, tmp_path / "page.html", "x.nc")


def test_a_run_that_exploded_is_shown_up_to_then(runs, tmp_path: Path):
    run = runs["stand"].dataset.copy(deep=True)
    whole = write_run_replay(run, tmp_path / "whole.html").stat().st_size
    run["qpos"].values[200:] = 1e6
    page = write_run_replay(run, tmp_path / "part.html")
    assert page.stat().st_size < 0.97 * whole
    poses = unbroken(run["frame_time"].values, run["qpos"].values)
    assert np.isfinite(poses[:200]).all() and np.isnan(poses[200:]).all()
    assert '"floor":{"place":[0.0,0.0,0.0],"normal":[0.0,0.0,1.0]}' in page.read_text()


def test_a_push_is_drawn_while_it_lasts(runs):
    run = runs["walk"].dataset.copy()
    time = np.arange(11) / 10.0
    motion = sliding(0.1 * time, time)
    assert push_marks(run, motion) is None
    walk = {"push": 4.0, "push_heading": 60.0, "push_at": None, "seconds": 0.8}
    stand = {
        "push": {"impulse": [2.0, math.sqrt(12.0), 0.0], "start": 0.4, "duration": 0.1}
    }
    for config in (walk, stand):
        run.attrs["config"] = json.dumps(config)
        marks = push_marks(run, motion)
        assert np.isfinite(marks).all(axis=1).nonzero()[0].tolist() == [4]
        assert marks[4, :3].tolist() == motion.com[4].tolist()
        force = [20.0, 20.0 * math.sqrt(3.0), 0.0]  # 4 N s in a tenth of a second
        assert np.allclose(marks[4, 3:], force, rtol=1e-12)  # rounding
    for strange in (
        '{"push": {"impulse": "x", "start": 1}}',
        "[1]",
        "{",
        '{"push": "x"}',
    ):
        run.attrs["config"] = strange
        assert push_marks(run, motion) is None


def test_how_a_run_ended_is_said(runs):
    run = runs["walk"].dataset.copy()
    for summary, lamp, words in (
        ({"fell": True, "fell_at_s": 1.234}, "no", "fell after 1.23 s"),
        ({"fell": False, "goal": {"reached": False}}, "no", "did not get there"),
        ({"fell": False, "goal": None}, "yes", "did not fall"),
        ({"fell": False, "survived": False}, "no", "not at rest at the end"),
        ({"fell": False, "distance_final_w": 0.2}, "no", "not balanced"),
        ({}, None, ""),
    ):
        run.attrs["summary"] = json.dumps(summary)
        assert outcome_of(run) == (lamp, words)
    run.attrs["outcome"] = "not_finite"
    assert outcome_of(run)[0] == "no"


HOSTILE = "</script><img src=x onerror=alert(1)>"


def test_names_of_a_file_are_words_on_the_page(tmp_path: Path):
    name = HOSTILE.replace("<", "&lt;").replace(">", "&gt;")
    inertial = (
        '<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" '
        'ixz="0" iyz="0"/></inertial><collision><geometry><box size=".1 .1 .1"/>'
        "</geometry></collision>"
    )
    text = f"""<robot name="{name}"><link name="a">{inertial}<visual><geometry>
     <mesh filename="{name}.stl"/></geometry></visual></link>
     <link name="b">{inertial}</link><joint name="{name}" type="continuous">
     <parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>"""
    (tmp_path / "r.urdf").write_text(text)
    page = write_robot_replay(eq.load(tmp_path / "r.urdf"), tmp_path / "p.html")
    assert "<img" not in page.read_text()
    assert "\\u003cimg src=x onerror=alert(1)\\u003e.stl is not there" in (
        page.read_text()
    )
