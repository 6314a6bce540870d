"""Balance runs: their numbers, what counts as settled and as fallen, and repeats."""

import json
from dataclasses import replace

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.control.com.law import law_names
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.timing import untimed
from equipoise.robots.assembly.file import write_assembly
from equipoise.robots.superbot.quadruped import superbot_quadruped
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.balance.balance import (
    BalanceConfig,
    SteerConfig,
    balance,
    has_tipped,
    settling_time,
)
from equipoise.runs.balance.compare import PAPER_SCHEMES
from equipoise.runs.robot import RobotChoice
from equipoise.runs.simulate import simulate
from equipoise.sim.rollout import Outcome
from equipoise.sim.world import build_world

SMALL = RobotChoice(options={"modules": 3, "branches": 1})


def small(**settings):
    return BalanceConfig(robot=SMALL, steer=SteerConfig(**settings))


@pytest.mark.parametrize(
    ("distance", "settled"),
    [
        ([0.5, 0.3, 0.09, 0.05], 0.2),
        ([0.5, 0.05, 0.3, 0.05], 0.3),  # for good, not for the first time
        ([0.05, 0.05, 0.05, 0.05], 0.0),
        ([0.5, 0.05, 0.05, 0.1], None),  # 0.1 itself does not count
        ([0.5, 0.05, 0.05, np.nan], None),
    ],
)
def test_settling_time_by_hand(distance, settled):
    time = np.array([0.0, 0.1, 0.2, 0.3])
    assert settling_time(time, np.array(distance)) == settled


def test_numbers_agree_with_the_recording():
    result = balance(small(seconds=0.5))
    s, run = result.summary, result.dataset
    p_WC = run["com"].values
    distance = np.hypot(p_WC[:, 0], p_WC[:, 1]) / 0.084
    # rounding: a norm and a division
    assert s["distance_initial_w"] == pytest.approx(distance[0], rel=1e-14)
    assert s["distance_final_w"] == pytest.approx(distance[-1], abs=1e-14)
    assert s["height_ratio"] == p_WC[-1, 2] / p_WC[0, 2]
    assert s["messages"] == int(np.nansum(run["messages"].values))
    assert s["saturation"] == pytest.approx(np.nanmean(run["saturation"].values))
    assert json.loads(run.attrs["summary"]) == s
    config = json.loads(run.attrs["config"])
    assert (config["modules"], config["mass_scale"], config["seconds"]) == (3, 0.1, 0.5)
    assert result.outcome is Outcome.FINISHED


def test_same_seed_same_numbers():
    runs = [balance(small(seconds=0.2, loss=0.3, seed=5)) for _ in range(2)]
    first, second = (run.summary for run in runs)
    assert untimed(first) == untimed(second)  # exact: same program, same numbers
    assert len(untimed(first)) == len(first) - 1
    told = [untimed(run.dataset.attrs) for run in runs]
    for attributes in told:
        attributes["summary"] = untimed(json.loads(attributes["summary"]))
    assert told[0] == told[1]
    for name in ("com", "qpos", "tau", "messages", "contacts"):
        a, b = (run.dataset[name].values for run in runs)
        assert np.array_equal(a, b, equal_nan=True), name
    other = balance(small(seconds=0.2, loss=0.3, seed=6)).summary
    assert (
        other["distance_final_w"] != first["distance_final_w"]
    )  # other messages were lost


def test_simulate_is_the_same_run():
    choice = {"modules": 3, "branches": 1}
    ours = balance(small(seconds=0.1)).summary
    result = eq.simulate(eq.load("superbot", **choice), seconds=0.1)
    assert untimed(result.summary) == untimed(ours)
    assert isinstance(result, eq.BalanceResult)


def test_a_point_and_a_line_are_measured_as_such():
    robot = random_tree(modules=3, branches=1)
    start = simulate(robot, seconds=0.001).dataset["com"].values[0]
    aside = start + np.array([0.03, 0.04, 0.12])
    line = simulate(robot, seconds=0.001, target=tuple(aside[:2])).summary
    point = simulate(robot, seconds=0.001, target=tuple(aside)).summary
    # rounding; 3-4-5 and 5-12-13
    assert line["distance_initial_w"] == pytest.approx(0.05 / 0.084, rel=1e-12)
    assert point["distance_initial_w"] == pytest.approx(0.13 / 0.084, rel=1e-12)


def test_a_fixed_base_never_tips():
    world = build_world(random_tree(modules=1, branches=1))
    assert not has_tipped(world, np.zeros((2, world.model.nq)))


@pytest.mark.parametrize(
    ("angle_deg", "axis", "fell"),
    [
        (44.0, (1.0, 0.0, 0.0), False),
        (46.0, (1.0, 0.0, 0.0), True),
        (-46.0, (0.6, 0.8, 0.0), True),
        (180.0, (0.0, 0.0, 1.0), False),  # a turn about the vertical is no lean
    ],
)
def test_a_free_base_has_tipped_beyond_45_degrees(angle_deg, axis, fell):
    world = build_world(random_tree(modules=1, branches=1, mount="free"))
    start, turn, turned = world.start().qpos, np.empty(4), np.empty(4)
    mujoco.mju_axisAngle2Quat(start[3:7], np.array([0.36, 0.48, 0.8]), 1.1)  # any pose
    mujoco.mju_axisAngle2Quat(turn, np.array(axis), np.radians(angle_deg))
    mujoco.mju_mulQuat(turned, turn, start[3:7])
    leaning = start.copy()
    leaning[3:7] = turned
    assert has_tipped(world, np.array([start, leaning, start])) is fell
    assert not has_tipped(world, np.array([start, start]))


def test_a_robot_that_topples_fell():
    # One leg, a free foot of one module, ten modules hanging to a side.
    robot = random_tree(modules=10, branches=1, seed=0, mount="free")
    result = simulate(robot, seconds=1.5)
    assert result.summary["fell"] and result.verdict == "no"


def test_a_run_that_broke_off_fell(monkeypatch):
    from equipoise.control.com.controller import ComController
    from equipoise.core.contracts import Command

    def step(self, sensed, state):
        bad = np.nan if sensed.time > 0.05 else 0.0
        return Command(np.full_like(sensed.q, bad), {"messages": 1.0}), state

    monkeypatch.setattr(ComController, "step", step)
    result = balance(small(seconds=0.2))
    assert result.outcome is Outcome.BAD_COMMAND
    assert result.summary["fell"] and result.summary["settling_time_s"] is None
    assert result.verdict == "no"
    assert "last_qpos" in result.dataset
    assert all(np.isfinite(v) for v in result.summary.values() if isinstance(v, float))


def test_refuses_a_robot_without_modules():
    robot = replace(random_tree(modules=1, branches=1), assembly=None)
    with pytest.raises(ConfigError, match="robots made of modules"):
        simulate(robot, seconds=0.1)


def test_an_unknown_controller_is_said_before_work():
    with pytest.raises(UnknownNameError, match="Did you mean 'upright'"):
        balance(small(controller="uprigth"))


def test_all_problems_are_said_at_once():
    with pytest.raises(ConfigError) as caught:
        SteerConfig(seconds=-1.0, loss=2.0, hop_delay_ms=0.5, seed=-1)
    assert len(caught.value.problems) == 4


def test_the_papers_schemes_are_there():
    assert set(PAPER_SCHEMES) <= set(law_names())


@pytest.mark.parametrize("seed", [9903, 9906])
def test_a_chain_with_late_links_settles_within_four_seconds(seed):
    """20 ms a hop are 0.85 and 0.34 of what these chains bear at the start."""
    chain = random_tree(20, 1, seed=seed)
    result = simulate(chain, seed=seed, seconds=4.0, hop_delay_ms=20.0)
    assert result.summary["settling_time_s"] is not None


def test_a_robot_on_four_feet_is_held_by_its_own_law(tmp_path):
    plan = superbot_quadruped()
    write_assembly(plan, tmp_path / "four.yaml")
    choice = RobotChoice(name=str(tmp_path / "four.yaml"))
    s = balance(BalanceConfig(robot=choice, steer=SteerConfig(seconds=1.0))).summary
    assert s["controller"] == "many feet" and not s["fell"]
    assert s["distance_final_w"] < 0.01 and s["height_ratio"] > 0.95
    for wrong in ({"controller": "default"}, {"hop_delay_ms": 5.0}, {"target": (0, 0)}):
        with pytest.raises(ConfigError, match="for robots on one foot"):
            balance(BalanceConfig(robot=choice, steer=SteerConfig(**wrong)))
