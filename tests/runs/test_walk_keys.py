"""Numbers of a walk's controller, each by hand on a run that is made up."""

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import equipoise as eq
from equipoise.control.ground_map import GroundMap, MapFrame, no_map
from equipoise.control.walker import WalkerConfig
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.numbers import identity
from equipoise.runs.walk.numbers.footholds import banned_at, foothold_numbers
from equipoise.runs.walk.numbers.forces import force_numbers
from equipoise.runs.walk.numbers.identity import machine_sha256, used_settings
from equipoise.runs.walk.numbers.path import lateral_error
from equipoise.runs.walk.numbers.planning import goal_numbers, plan_numbers
from equipoise.runs.walk.numbers.reflexes import reflex_numbers
from equipoise.runs.walk.numbers.spells import beginnings, event_count, lasting, longest
from equipoise.runs.walk.walk import WalkConfig, walk

TIME = np.arange(0.0, 1.0, 0.01)


class Made(SimpleNamespace):
    """A run of a hundred samples in one second, as far as numbers look at it."""

    def __init__(self, said=None, **signals):
        said = {name: np.asarray(v, float) for name, v in (said or {}).items()}
        super().__init__(time=TIME, spoken=said, signals=tuple(said), **signals)

    def said(self, name):
        return self.spoken.get(name, np.full(len(TIME), np.nan))


def between(first, last):
    return (TIME >= first - 1e-9) & (TIME < last - 1e-9)


def test_spells_are_counted_and_timed_as_by_hand():
    twice = between(0.0, 0.1) | between(0.5, 0.8)
    assert beginnings(twice) == 2
    assert lasting(TIME, twice) == pytest.approx(0.4)
    assert longest(TIME, twice) == pytest.approx(0.3)
    assert longest(TIME, np.zeros(100, bool)) == 0.0
    assert event_count(np.array([np.nan, 2.0, 2.0, 3.0, np.nan, 5.0])) == 5


def test_plans_are_told_as_counted_and_nothing_is_made_up():
    made = np.cumsum(between(0.1, 0.11) | between(0.6, 0.61))
    age = np.where(between(0.1, 0.6), TIME - 0.1, np.nan)
    said = {"plan_made": made, "plan_age": age, "stop_armed": TIME < 2.0}
    found = plan_numbers(Made(said))
    assert found == {
        "made": 2, "failed": None, "deadlocks": None, "stop_armed": True,
        "age_max_s": pytest.approx(0.49), "stops_executed": None,
    }  # fmt: skip
    said |= {"stop_armed": TIME < 0.5, "plan_failed": 0 * TIME}
    said["stopping"] = between(0.2, 0.3)
    found = plan_numbers(Made(said))
    assert (found["stop_armed"], found["stops_executed"]) == (False, 1)
    assert found["failed"] == 0
    assert plan_numbers(Made()) is None


def test_a_goal_is_reached_where_the_trunk_truly_is():
    way = np.stack([TIME, 0.0 * TIME, 0.1 + 0.0 * TIME], axis=1)
    away = goal_numbers(Made({"goal_reached": 1.0 + 0.0 * TIME}, p_WB=way), (2, 0), 0.1)
    assert (away["reached"], away["at_s"]) == (False, None)
    assert away["away_m"] == pytest.approx(2.0 - TIME[-1])
    said = {"knocks": np.floor(4.0 * TIME), "no_way": 0.0 * TIME}
    there = goal_numbers(Made(said, p_WB=way), (1.0, 0.05), 0.1)
    assert (there["reached"], there["at_s"]) == (True, TIME[-1])
    assert (there["knocks"], there["no_way"]) == (3, False)
    assert goal_numbers(Made(p_WB=way), None, 0.1) is None


def test_reflexes_are_those_that_tell():
    said = {"reach_active": between(0.1, 0.2) | between(0.4, 0.6), "waits": TIME}
    found = reflex_numbers(Made(said))
    assert found == {"reach": {"count": 2, "seconds": pytest.approx(0.3)}}


def test_forces_that_are_asked_for_are_held_against_those_given():
    given = np.zeros((100, 2, 3))
    given[:, :, 2] = 40.0, 50.0
    said = {
        "asked_load_0": np.where(between(0.0, 0.5), 43.0, np.nan),
        "asked_load_1": np.where(between(0.2, 0.3), -50.0, 50.0),
        "infeasible": between(0.3, 0.55),
        "wrench_miss_x": 0.01 * TIME,
        "wrench_miss_y": -0.02 * TIME,
        "wrench_miss_z": 0 * TIME,
    }
    found = force_numbers(Made(said, foot_force=given), 100.0, 0)
    assert found["pulls"] == 1
    assert found["infeasible_share"] == pytest.approx(0.25)
    assert found["longest_infeasible_s"] == pytest.approx(0.25)
    # the 95th of a hundred even steps to 0.99 is 0.9405
    assert found["wrench_miss_p95"] == pytest.approx([0.009405, 0.01881, 0.0])
    # 3 N always; 100 N a tenth of the time: the root of 1000
    assert found["force_error_rms_share"] == pytest.approx([0.03, 0.1 * 10**0.5])
    assert found["friction_cut_share"] is None
    assert force_numbers(Made(foot_force=given), 100.0, 0) is None


def test_the_path_may_bend_and_being_late_on_it_is_no_error():
    turn, speed = 0.8, 2.0
    pose = {"attitude": np.full((100, 3), 0.3)}
    along = 0.3 + turn * (0.7 * TIME)  # it goes slower than told, on the same circle
    place = (
        speed
        / turn
        * np.stack([np.sin(along) - np.sin(0.3), np.cos(0.3) - np.cos(along)], axis=1)
    )
    ones = np.ones(100)
    bent = {"forward": speed * ones, "left": 0 * ones, "turn": turn * ones}
    on = lateral_error(Made(bent, p_WB=place, **pose), 0)
    assert on is not None and on < 0.011  # half a step of the path, 2 m/s by 10 ms
    straight = {**bent, "turn": 0 * ones, "left": 0.5 * ones}
    angle = 0.3 + np.arctan2(0.5, speed)
    way = np.outer(0.5 * TIME, [np.cos(angle), np.sin(angle)])
    off = np.sin(np.pi * TIME)[:, None] * 0.07
    across = np.array([-np.sin(angle), np.cos(angle)])
    found = lateral_error(Made(straight, p_WB=way + off * across, **pose), 0)
    assert found == pytest.approx(0.07, rel=1e-3)
    still = {"forward": 0 * ones, "left": 0 * ones, "turn": ones}
    assert lateral_error(Made(still, p_WB=place, **pose), 0) is None


def map_of(*cells):
    frame, banned = MapFrame.zeros(), np.zeros((4, 3))
    frame["west"], frame["south"], frame["cell"] = -1.0, -0.5, 0.5
    for i, j in cells:
        banned[i, j] = 1.0
    return GroundMap(frame, np.full((4, 3), np.nan), banned)


def test_feet_in_forbidden_cells_are_counted():
    ground = map_of((0, 0), (3, 2))
    places = np.array([[-0.6, -0.1], [-0.4, -0.1], [0.6, 0.9], [5.0, 5.0], [-2.0, 0]])
    assert banned_at(places, ground).tolist() == [True, False, True, False, False]
    touches = np.stack([between(0.0, 0.3) | between(0.5, 1.0), TIME < 2.0], axis=1)
    touches[20] = False, True  # a bounce
    place = np.zeros((100, 2, 3))
    place[50:, 0, :2] = 0.6, 0.9
    run = Made({"footholds_refused": TIME > 0.5}, touches=touches, foot_place=place)
    found = foothold_numbers(run, ground, 0)
    assert found == {"placed": 1, "banned_hit": 1, "refused": 1}
    assert foothold_numbers(run, map_of(), 0)["banned_hit"] == 0
    assert foothold_numbers(run, no_map(), 0)["banned_hit"] is None


def test_digests_tell_machines_and_settings_apart():
    plain, laden = eq.load("warp1"), eq.load("warp1", payload=1.0)
    assert machine_sha256(plain) == machine_sha256(eq.load("warp1"))
    assert machine_sha256(plain) != machine_sha256(laden)
    used = used_settings(WalkerConfig(reflexes=("reach",)))
    assert "reach" in used and "elevate" not in used and "law" in used
    json.dumps(used, allow_nan=False)


@pytest.mark.parametrize("name", ["titan6", "warp1"])
def test_a_walk_tells_who_walked_and_what_came_of_it(name):
    s = walk(WalkConfig(robot=RobotChoice(name=name), seconds=2.5)).summary
    parts = s["parts"]
    assert list(parts) == [
        "support", "motion", "balance", "reflexes", "planner", "legs", "pilot",
    ]  # fmt: skip
    text = json.dumps(s["settings"], sort_keys=True, separators=(",", ":"))
    assert s["settings_sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert s["steps"] == s["footholds"]["placed"] > 2
    assert 0.0 < s["lateral_error_max_m"] < 0.1
    assert set(s["reflexes"]) == set(parts["reflexes"])
    if name == "warp1":
        assert s["plan"] is s["forces"] is s["goal"] is None
        return
    # at the first step it begins to plan, and once a step from then on
    assert s["plan"]["made"] >= 0.5 * s["steps"]
    assert s["forces"]["pulls"] == 0  # feet cannot
    assert all(0.0 < share < 0.3 for share in s["forces"]["force_error_rms_share"])


def test_settings_become_what_json_can_hold():
    given = {
        3: np.array([[1.5, np.inf], [-2.0, np.nan]]),
        "kept": (True, None, 7, -0.25, "word"),
        "number": np.float64(0.5),
        "path": Path("a.urdf"),
    }
    found = identity._plain(given)
    assert found == {
        "3": [[1.5, "inf"], [-2.0, "nan"]],
        "kept": [True, None, 7, -0.25, "word"],
        "number": 0.5,
        "path": "a.urdf",
    }
    assert found["kept"][0] is True
    json.dumps(found, allow_nan=False)
