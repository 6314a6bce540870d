"""A walk that may be frozen at any instant, and TITAN IV's numbers."""

from functools import cache

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.freeze import freeze_ticks
from equipoise.runs.walk.walk import WalkConfig, walk

INSTANTS = 12


@cache
def walked(robot="titan4", **how):
    settings = {"seconds": 8.0, "seed": 1, "freeze": INSTANTS} | how
    return walk(WalkConfig(robot=RobotChoice(name=robot), **settings))


def test_the_expanded_trot_is_a_safe_walk_and_a_plain_trot_is_less_so():
    safe, trot = (
        walked(**how).summary["freeze"] for how in ({}, {"gait": "trot", "speed": 0.5})
    )
    assert safe["tried"] == trot["tried"] == INSTANTS
    assert safe["stable"] == INSTANTS
    assert safe["tipped"] < trot["tipped"]
    assert safe["tilt_max_deg"] < trot["tilt_max_deg"]


def test_titan4_walks_calmly_by_its_own_controller():
    s = walked().summary
    assert s["settings"]["planner"] == "expanded"
    assert not s["fell"]
    assert max(s["roll_max_deg"], s["pitch_max_deg"]) < 2.5
    way = walked().run.p_WB[:, 0]
    assert way[-1] - way[len(way) // 2] == pytest.approx(0.4 * 4.0, rel=0.1)


def test_the_walk_itself_is_not_touched():
    plain = walked(freeze=0)
    assert plain.summary["freeze"] is None
    assert np.array_equal(plain.run.qpos, walked().run.qpos)


def test_each_instant_is_told_and_the_seed_draws_them():
    freeze = walked().summary["freeze"]
    times = [one["time_s"] for one in freeze["instants"]]
    assert times == sorted(times)
    assert 1.0 <= times[0] < times[-1] < 8.0
    assert freeze["tilt_max_deg"] == max(i["tilt_max_deg"] for i in freeze["instants"])
    drawn = freeze_ticks(INSTANTS, 1.0, 8.0, 0.002, 1)
    assert [round(t / 0.002) for t in times] == sorted(drawn)
    assert drawn != freeze_ticks(INSTANTS, 1.0, 8.0, 0.002, 2)
    assert len(freeze_ticks(0, 1.0, 8.0, 0.002, 1)) == 0


@pytest.mark.parametrize("number", [-1, 501, 2.5, True])
def test_a_silly_number_of_instants_is_refused(number):
    with pytest.raises(ConfigError, match="freeze must be"):
        WalkConfig(freeze=number)


@pytest.mark.slow
def test_twenty_metres_with_start_and_stop_on_twenty_seeds():
    for seed in range(100, 120):
        s = walked(seconds=57.0, stop_at=53.0, seed=seed, freeze=20).summary
        assert not s["fell"]
        assert s["distance_m"] > 20.0
        assert max(s["roll_max_deg"], s["pitch_max_deg"]) < 2.5
        assert s["freeze"]["stable"] >= 18


@pytest.mark.slow
def test_the_duty_factor_is_swept_from_trot_to_crawl_in_one_walk():
    sweep = {"duty": 0.55, "gains": {"expanded.duty_to": 0.75}}
    for seed in range(100, 105):
        config = WalkConfig(
            robot=RobotChoice(name="titan4"), seconds=30.0, seed=seed, **sweep
        )
        assert not walk(config).summary["fell"]
