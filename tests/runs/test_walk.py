"""WARP1 walks, falls when pushed too hard, and is refused what it cannot do."""

import json
from functools import cache

import mujoco
import numpy as np
import pytest
import xarray as xr

import equipoise as eq
from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.core.timing import untimed
from equipoise.robots.visuals.appearance import Appearance
from equipoise.robots.visuals.standalone import portrait_of
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.fall import FALLS, fall_watch
from equipoise.runs.walk.outputs import model_near, write_walk
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.seeds import walk_seeds
from equipoise.runs.walk.walk import (
    WalkConfig,
    WalkResult,
    walk,
    walk_robot,
)
from equipoise.sim.machine.world import machine_world
from equipoise.sim.staged import StagedRun

CONTRACT = {
    "distance_m", "mean_speed_mps", "fell", "static_margin_min_m", "zmp_margin_min_m",
    "slip_m", "energy_j", "cost_of_transport", "torque_peak_share", "realtime_factor",
    "roll_max_deg", "pitch_max_deg", "electrical_energy_j", "speed_error", "fell_at_s",
    "electrical_cost_of_transport", "gait", "terrain", "seed", "settings",
}  # fmt: skip


@cache
def trot():
    return walk(WalkConfig(seconds=3.0))


@cache
def fall():
    return walk(WalkConfig(seconds=4.0, push=200.0))


def test_warp1_trots():
    s = trot().summary
    assert CONTRACT <= set(s)
    assert not s["fell"] and s["fell_at_s"] is None
    # commanded 0.4 m/s; the issue asks for 5 % of a long walk, this is its first step
    assert abs(s["speed_error"]) < 0.15
    assert 0.4 < s["distance_m"] < 0.9
    assert s["roll_max_deg"] < 5.0 and s["pitch_max_deg"] < 5.0
    assert s["static_margin_min_m"] < 0.0  # on two feet, off their line
    assert s["torque_peak_share"] <= 1.0 + 1e-9
    assert s["electrical_energy_j"] > s["energy_j"] > 0.0
    json.dumps(s, allow_nan=False)


def test_warp1_crawls_on_three_feet_at_least():
    result = walk(WalkConfig(gait="crawl", seconds=4.0))
    s = result.summary
    assert not s["fell"] and s["settings"]["speed"] == 0.15
    assert 0.05 < s["distance_m"] < 0.4
    mask = result.run.said("schedule")
    feet = [int(m).bit_count() for m in mask[np.isfinite(mask)]]
    assert min(feet) == 3
    assert s["static_margin_min_m"] > -0.05


def test_a_hard_push_ends_the_run_and_all_is_reported():
    s = fall().summary
    assert s["fell"] and s["fell_how"] in FALLS[1:]
    assert 2.0 < s["fell_at_s"] == s["simulated_s"] < 4.0  # pushed at 2 s
    assert s["roll_max_deg"] > 15.0 and s["energy_j"] > 0.0
    json.dumps(s, allow_nan=False)


def test_same_seed_same_numbers():
    again, first = (
        untimed(s) for s in (walk(WalkConfig(seconds=3.0)).summary, trot().summary)
    )
    assert again == first and "timing" in trot().summary and "timing" not in first
    other = walk(WalkConfig(seconds=3.0, seed=1)).summary
    assert other["distance_m"] != first["distance_m"]
    assert other["settings"]["friction"] != first["settings"]["friction"]
    assert 0.6 <= other["settings"]["friction"] <= 0.8


@pytest.mark.parametrize(
    ("how", "seconds"),
    [
        ({"speed": 0.0, "turn": 0.4}, 3.0),
        ({"speed": 0.0, "left": 0.2}, 3.0),
        ({"speed": -0.3}, 3.0),
    ],
)
def test_it_goes_where_it_is_told(how, seconds):
    s = walk(WalkConfig(seconds=seconds, **how)).summary
    assert not s["fell"]
    # within a first step or two: the right way, and about as fast
    if "turn" in how:
        assert 0.2 < s["turn_rate_radps"] < 0.6
        assert s["cost_of_transport"] is None  # it went nowhere
    else:
        assert abs(s["speed_error"]) < 0.3


def test_parts_of_the_controller_can_be_chosen():
    s = walk(WalkConfig(seconds=2.5, balance="none", reflexes=())).summary
    assert s["settings"]["balance"] == "none" and s["settings"]["reflexes"] == []
    stays = walk(WalkConfig(seconds=2.5, support="standing")).summary
    assert not stays["fell"] and abs(stays["distance_m"]) < 0.1


def test_it_stops_when_told():
    result = walk(WalkConfig(gait="trot", seconds=5.5, stop_at=3.0))
    assert result.verdict == "yes"
    run = result.run
    still = run.time > 5.0
    assert not np.nan_to_num(run.said("walking"))[still].any()
    assert np.abs(np.ptp(run.p_WB[still], axis=0)).max() < 0.03


def walk_of(machine="warp1", **how) -> WalkConfig:
    """Return a walk of a machine, with a payload if there is one among its settings."""
    built = {"payload": how.pop("payload")} if "payload" in how else {}
    return WalkConfig(robot=RobotChoice(name=machine, options=built), **how)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"gait": "tort"}, "take one of bound, crawl, .* trot, walk, wave"),
        ({"gait": "tripod"}, "it needs 6 legs, 'warp1' has 4"),
        ({"gait": "crawl", "duty": 0.6}, "duty must be at least 0.75"),
        ({"speed": 1.0}, r"speed must be at most 0\.\d+ m/s .* got 1"),
        ({"gait": "crawl", "speed": 0.4}, r"at most 0\.\d+ m/s .* got 0.4"),
        ({"speed": 0.0, "turn": 9.0}, r"turn must be at most \d\.\d+ rad/s"),
        ({"terrain": "ice"}, "no terrain 'ice'. Known: .* and 1 more"),
        ({"terrain": "slope:50", "friction": 0.4}, "slope must be within 40 %"),
        ({"terrain": "blocks"}, "blocks needs a number"),
        ({"payload": 90.0}, r"payload must be at most \d+\.?\d* kg .* got 90"),
        ({"payload": -1.0}, "payload must be 0 to 100 kg, got -1.0"),
        ({"seconds": 1.0}, "seconds must be 2.5 to 1200 s, got 1"),
        ({"seconds": float("nan")}, "seconds must be .* got nan"),
        ({"speed": float("nan")}, "speed must be a finite number, got nan"),
        ({"force": -1.0, "seed": -1}, "force must be >= 0.*; seed must be >= 0"),
        ({"stop_at": 11.0}, "stop-at must be 2.5 to below 10 s, got 11"),
        ({"actuators": "steam"}, "actuators must be one of ideal, motor, elastic"),
        ({"balance": "luck"}, "no balance part 'luck'"),
        ({"reflexes": ("reach", "cough")}, "no reflex 'cough'"),
        ({"gait": "bound", "payload": 60.0}, r"at most \d+\.\d kg .* on 1.6 feet"),
        ({"machine": "biped"}, "four legs or more, got 2"),
        ({"machine": "superbot"}, "no legs were found in it"),
        ({"machine": "biped", "payload": 3.0}, "payload belongs to 'warp1'"),
    ],
)
def test_bad_input_is_refused_before_anything_moves(how, said, monkeypatch):
    monkeypatch.setattr(StagedRun, "run", None)
    with pytest.raises(EquipoiseError, match=said) as error:
        walk(walk_of(**how))
    assert str(error.value).count(". ") <= 1 and str(error.value).endswith(".")


def test_the_named_limits_are_accepted_and_a_little_more_is_not():
    robot = eq.load("warp1")
    with pytest.raises(ConfigError, match="speed must be at most") as error:
        resolved_walk(robot, WalkConfig(speed=2.0))
    most = float(str(error.value).split("at most ")[1].split(" m/s")[0])
    resolved_walk(robot, WalkConfig(speed=most))
    with pytest.raises(ConfigError, match="speed"):  # told to a millimetre a second
        resolved_walk(robot, WalkConfig(speed=most + 0.001))
    with pytest.raises(ConfigError, match="at most") as error:
        resolved_walk(eq.load("warp1", payload=90.0), WalkConfig())
    most = float(str(error.value).split("at most ")[1].split(" kg")[0])
    loaded = eq.load("warp1", payload=most)
    resolved_walk(loaded, WalkConfig())
    more = eq.load("warp1", payload=most + 0.2)
    with pytest.raises(ConfigError, match="payload"):
        resolved_walk(more, WalkConfig())


def test_all_ways_to_fall_are_told():
    world = machine_world(eq.load("warp1"), "slope:20")
    watch, data = fall_watch(world), world.start()
    assert watch.kind(data) == 0
    tilted = data.qpos[3:7].copy()
    for angle, kind in ((34.0, 0), (36.0, 2)):
        turn = np.zeros(4)
        mujoco.mju_axisAngle2Quat(turn, np.array([1.0, 0, 0]), np.radians(angle))
        mujoco.mju_mulQuat(data.qpos[3:7], tilted, turn)
        mujoco.mj_forward(world.model, data)
        assert watch.kind(data) == kind
    data.qpos[3:7] = tilted
    for drop, kind in ((0.2, 0), (0.4, 3), (0.6, 1)):
        data.qpos[:3] = world.start_pose[:3] - drop * world.surface.normal
        mujoco.mj_forward(world.model, data)
        assert FALLS[watch.kind(data)] == FALLS[kind]


def test_many_seeds_tell_their_spread():
    config = WalkConfig(seconds=2.5, actuators="ideal", sensors="ideal", seed=3)
    found = walk_seeds(config, 2, processes=1)
    alone = walk(config).summary
    assert [row["seed"] for row in found.rows] == [3, 4]
    assert found.rows[0]["distance_m"] == alone["distance_m"]
    both = sorted(row["distance_m"] for row in found.rows)
    assert found.summary["spread"]["distance_m"]["median"] == pytest.approx(
        sum(both) / 2
    )
    assert found.summary["falls"] == 0 and found.verdict == "yes"


def test_no_processes_are_refused_and_not_taken_for_all():
    config = WalkConfig(robot=RobotChoice(name="warp1"), seconds=2.5)
    with pytest.raises(ConfigError, match="processes must be >= 1, got 0"):
        walk_seeds(config, 2, processes=0)


def test_seeds_that_fall_are_named():
    config = WalkConfig(seconds=2.5, push=400.0, actuators="ideal", sensors="ideal")
    found = walk_seeds(config, 1, processes=1)
    assert found.verdict == "no" and found.summary["fallen_seeds"] == [0]


def test_a_robot_brings_its_own_payload():
    heavy = eq.load("warp1", payload=50.0)
    light = resolved_walk(eq.load("warp1"), WalkConfig(gait="crawl")).walking
    laden = resolved_walk(heavy, WalkConfig(gait="crawl")).walking
    assert laden is not None and light is not None and laden.height > light.height
    assert heavy.payload == 50.0 and eq.load("warp1", legs=6).payload == 0.0
    with pytest.raises(ConfigError, match="payload must be at most"):
        eq.simulate(eq.load("warp1", payload=100.0))


def test_simulate_lets_a_machine_walk():
    robot = eq.load("warp1")
    result = eq.simulate(robot, gait="trot", seconds=2.5, seed=2)
    assert isinstance(result, WalkResult)
    assert result.summary["seed"] == 2 and result.verdict == "yes"
    with pytest.raises(EquipoiseError, match="no setting 'payload'"):
        eq.simulate(robot, payload=3.0)
    with pytest.raises(ConfigError, match="gait="):
        eq.simulate(robot, "trot")


def test_pictures_show_only_blocks_near_the_machine():
    robot = eq.load("warp1")
    scene = machine_world(robot, "blocks:2").scene
    poses = np.array([[3.0, *np.zeros(robot.model.nq - 1)]])
    text = portrait_of(scene, {}, Appearance()).text
    run = xr.Dataset({"robot_mjcf": ((), text), "qpos": (("time", "q"), poses)})
    near = model_near(run, poses, 0.5)
    assert near.nq == robot.model.nq
    # a plane, and the tiles of 0.3 m whose middles are within 0.5 m
    assert near.ngeom - robot.model.ngeom == 1 + 4 * 4
    assert model_near(run, poses, 0.0).ngeom == robot.model.ngeom


def test_a_walk_is_recorded_and_opens_again(tmp_path):
    result = walk_robot(eq.load("warp1"), WalkConfig(seconds=2.5))
    names = [path.name for path in write_walk(result, tmp_path / "walk")]
    assert names == [
        "run.nc", "walk.json", "walk.png", "steps.png", "feet.png", "stills.png",
        "replay.html",
    ]  # fmt: skip
    assert sorted(names) == sorted(p.name for p in (tmp_path / "walk").iterdir())
    run = eq.open_run(tmp_path / "walk")
    assert run.attrs["gait"] == "trot"
    assert json.loads(run.attrs["summary"]) == result.summary
    assert json.loads((tmp_path / "walk" / "walk.json").read_text()) == result.summary
    assert run["qpos"].values[-1] == pytest.approx(result.run.qpos[-1])
    lowest = np.nanmin(run["static_margin"].values)
    assert lowest >= result.summary["static_margin_min_m"] - 1e-12
