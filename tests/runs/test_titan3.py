"""TITAN III walks by its own sensors: one seed by day, twenty by night."""

import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk

SEEDS = range(100, 120)


def walked(robot="titan3", **given):
    """Return the numbers of a walk."""
    return walk(WalkConfig(robot=RobotChoice(name=robot), **given)).summary


def expect_steady(s, least):
    """Expect a walk as TITAN III's is asked to be."""
    assert not s["fell"]
    assert s["controller"] == "titan3"
    assert s["mean_speed_mps"] > least
    assert s["static_margin_min_m"] > 0.03
    assert max(s["roll_max_deg"], s["pitch_max_deg"]) < 2.0
    assert s["plan"]["deadlocks"] == 0


def test_it_keeps_off_forbidden_cells():
    s = walked(seed=1, seconds=15.0, terrain="banned:30")
    expect_steady(s, 0.12)  # its first steps are slow ones
    assert s["footholds"]["placed"] > 15 and s["footholds"]["banned_hit"] == 0


def test_six_legs_do_not_fit():
    with pytest.raises(ConfigError, match="'titan3' walks on 4 legs, 'asv' has 6"):
        walked("asv", controller="titan3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("heading", "least", "seconds"), [(0, 0.18, 60), (30, 0.12, 85), (90, 0.12, 85)]
)
@pytest.mark.parametrize("seed", SEEDS)
def test_ten_metres_at_any_heading(seed, heading, least, seconds):
    s = walked(seed=seed, seconds=float(seconds), heading=float(heading))
    expect_steady(s, least)
    assert s["distance_m"] > 10.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_hundred_steps_over_forbidden_cells(seed):
    s = walked(seed=seed, seconds=95.0, terrain="banned:30")
    assert not s["fell"] and s["plan"]["deadlocks"] == 0
    assert s["plan"]["made"] >= 100 and s["footholds"]["banned_hit"] == 0


@pytest.mark.slow
def test_a_block_that_is_on_no_map_is_climbed():
    passed = 0
    for seed in SEEDS:
        s = walked(seed=seed, seconds=40.0, terrain="bump:15")
        over = s["distance_m"] > 4.0  # the block is 2.2 m ahead, feet 0.6 m behind
        passed += over and not s["fell"] and 1 <= s["reflexes"]["retract"]["count"]
    assert passed >= 19
