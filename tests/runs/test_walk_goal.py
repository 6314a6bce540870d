"""Walks to a place: bad ones are refused, good ones end there."""

import math

import pytest

import equipoise as eq
from equipoise.control.machine import legged_machine, stance_radius
from equipoise.control.walker import WalkerConfig
from equipoise.core.errors import ConfigError
from equipoise.robots.legged import legged_robot
from equipoise.runs.walk.controller import finding_its_way
from equipoise.runs.walk.walk import WalkConfig, walk
from equipoise.viz.way_plot import plot_way


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"goal": (math.nan,)}, "goal must be 2 values, got"),
        ({"goal": (1.0, math.inf)}, "goal must be values each -1000 to 1000 m"),
        (
            {"goal": (1.0, 0.0), "turn": 0.1},
            "goal sets the destination; leave turn out",
        ),
        ({"goal": (1.0, 0.0), "stop_at": 5.0}, "leave stop_at out"),
        ({"goal": (1.0, 0.0), "speed": -0.1}, "speed must be > 0"),
        ({"goal": (1.0, 0.0), "pilot": "ramped"}, "follows velocities"),
        ({"goal": (1.0, 0.0), "mapped": True}, "there is no wall on 'flat'"),
        ({"pilot": "harmonic"}, "give --goal X,Y"),
        ({"mapped": True}, "mapped needs a --goal"),
    ],
)
def test_goals_that_cannot_be_gone_to_are_refused(given, said):
    with pytest.raises(ConfigError, match=said):
        WalkConfig(**given)


def test_a_goal_too_far_for_the_map_is_refused_before_it_walks():
    with pytest.raises(ConfigError, match=r"goal must be within 45\.2 m in x and y"):
        walk(WalkConfig(goal=(100.0, 0.0)))


def test_usual_times_are_ten_seconds_and_fifteen_minutes():
    assert WalkConfig().seconds == 10.0
    assert WalkConfig(goal=(1.0, 0.0)).seconds == 900.0
    assert WalkConfig(goal=(1.0, 0.0), seconds=20.0).seconds == 20.0


def test_warp1_gets_to_a_place_beside_it_and_the_walk_ends_there():
    result = walk(WalkConfig(goal=(1.2, 0.6), seed=100))
    goal, p = result.summary["goal"], result.run.p_WB[-1]
    assert result.verdict == "yes" and goal["reached"]
    assert math.hypot(p[0] - 1.2, p[1] - 0.6) < goal["within_m"] < 0.7
    assert goal["at_s"] == result.run.time[-1] < 15.0
    assert result.summary["parts"]["pilot"] == "harmonic"


def test_a_walk_that_ends_elsewhere_is_no_yes():
    result = walk(WalkConfig(goal=(5.0, 0.0), seconds=4.0, seed=100))
    assert result.verdict == "no" and not result.summary["fell"]
    assert result.summary["goal"]["away_m"] > 4.0


def test_the_way_is_drawn_from_the_recording(tmp_path):
    result = walk(WalkConfig(goal=(0.8, 0.0), seed=100))
    names = {path.name for path in result.save(tmp_path)}
    assert "way.png" in names and (tmp_path / "way.png").stat().st_size > 10_000
    with pytest.raises(ConfigError, match="not one of a walk to a place"):
        plot_way(result.dataset.drop_vars("said_met_x"), tmp_path / "other.png")


def test_machines_that_sprawl_have_room_to_get_round():
    for name, far in (("warp1", 0.41), ("tum", 0.51), ("thing", 0.18)):
        machine = legged_machine(legged_robot(eq.load(name)))
        assert stance_radius(machine) == pytest.approx(far, abs=0.01)
        way = finding_its_way(WalkerConfig(), machine).harmonic
        assert way.room >= 3.0 * stance_radius(machine)
