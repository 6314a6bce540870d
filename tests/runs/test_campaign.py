"""Many trees: one row each, in order, the same from one process and from two."""

import json

import pytest

from equipoise.core.errors import UnknownNameError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.balance import campaign as room
from equipoise.runs.balance.campaign import TreeRun, campaign, run_trees
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.simulate import simulate

SHORT = SteerConfig(seconds=0.05)
SMALL = {"modules": 3, "branches": 1, "steer": SHORT}


def without_speed(rows):
    return [{k: v for k, v in row.items() if k != "realtime_factor"} for row in rows]


def test_a_row_says_what_a_run_of_that_tree_says():
    (row,) = campaign([7003], "default", processes=1, **SMALL)
    robot = random_tree(3, 1, 7003)
    told = simulate(robot, "default", seconds=0.05, seed=7003)
    for key in room.NUMBERS:
        if key != "realtime_factor":
            assert row[key] == told.summary[key], key
    assert row["tree"] == 7003
    assert row["controller"] == "default"
    assert row["outcome"] == "FINISHED"
    distance = told.dataset["distance_w"].values
    assert row["distance_tail_w"] == distance.max()  # shorter than a second: all of it
    assert row["distance_path_w"] == [distance[0]]  # every 0.1 s from the start


@pytest.mark.slow
def test_two_processes_give_the_rows_of_one_in_order():
    seeds = [7005, 7001, 7003]
    shares = []
    both = campaign(seeds, processes=2, progress=shares.append, **SMALL)
    assert [row["tree"] for row in both] == seeds
    assert without_speed(both) == without_speed(campaign(seeds, processes=1, **SMALL))
    assert shares[-1] == 1.0
    json.dumps(both, allow_nan=False)


def test_the_tree_is_also_the_seed_of_the_losses():
    lossy = SteerConfig(seconds=0.05, loss=0.5)
    settings = SMALL | {"steer": lossy, "angles": "random"}
    (row,) = campaign([7001], processes=1, **settings)
    robot = random_tree(3, 1, 7001, "random")
    same, other = (
        simulate(robot, seconds=0.05, loss=0.5, seed=seed).summary for seed in (7001, 0)
    )
    assert row["distance_final_w"] == same["distance_final_w"]
    assert same["distance_final_w"] != other["distance_final_w"]  # or this says nothing
    assert row["loss"] == 0.5


def test_a_tree_without_a_result_keeps_its_row(monkeypatch):
    def refuse(modules, branches, seed, *rest):
        if seed == 7001:
            raise MemoryError("no room")
        return random_tree(modules, branches, seed, *rest)

    monkeypatch.setattr(room, "random_tree", refuse)
    rows = campaign([7000, 7001, 7002], processes=1, **SMALL)
    assert [row["tree"] for row in rows] == [7000, 7001, 7002]
    assert [row["error"] for row in rows] == [None, "MemoryError: no room", None]
    assert rows[1]["distance_final_w"] is None
    assert rows[1].keys() == rows[0].keys()


def test_runs_of_several_kinds_keep_their_labels():
    runs = [
        TreeRun(seed=7000, modules=3, branches=1, angles=angles, steer=SHORT)
        for angles in ("zero", "random")
    ]
    rows = run_trees(runs, processes=1)
    assert [row["angles"] for row in rows] == ["zero", "random"]
    assert rows[0]["distance_initial_w"] != rows[1]["distance_initial_w"]


def test_an_unknown_controller_is_said_before_anything_runs():
    with pytest.raises(UnknownNameError, match="uprigth"):
        campaign([7000], "uprigth")
