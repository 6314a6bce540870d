"""TITAN VI walks on its Sky-hook; who does not fit its controller is told why."""

import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.walk import WalkConfig, walk

TITAN6 = RobotChoice(name="titan6")


@pytest.mark.sim
def test_it_trots_level_at_its_own_speed():
    s = walk(WalkConfig(robot=TITAN6, seconds=8.0, seed=3)).summary
    assert (s["controller"], s["gait"]) == ("titan6", "intermittent trot")
    assert not s["fell"]
    assert s["mean_speed_mps"] >= 0.97
    assert max(s["roll_max_deg"], s["pitch_max_deg"]) <= 4.0


@pytest.mark.sim
def test_without_the_suspensions_feedback_it_falls():
    how = {"skyhook.feedback": 0.0}
    s = walk(WalkConfig(robot=TITAN6, seconds=8.0, seed=3, gains=how)).summary
    assert s["fell"]
    assert s["fell_at_s"] <= 6.0  # five seconds after it sets off


@pytest.mark.sim
def test_it_goes_over_blocks_that_it_does_not_see():
    s = walk(
        WalkConfig(robot=TITAN6, terrain="blocks:10", speed=0.25, seconds=9.0, seed=3)
    ).summary
    assert not s["fell"]
    assert s["mean_speed_mps"] >= 0.2
    assert s["attitude_rms_deg"] <= 2.0


@pytest.mark.sim
def test_a_crab_angle_leads_aside_and_keeps_the_yaw():
    result = walk(WalkConfig(robot=TITAN6, speed=0.3, heading=90.0, seconds=7.0))
    way = result.run.p_WB[-1] - result.run.p_WB[0]
    assert way[1] > 0.8
    assert abs(way[0]) < 0.1
    assert abs(result.run.attitude[-1, 2]) < np.radians(5.0)
    assert abs(result.summary["mean_speed_mps"] - 0.3) < 0.05


def refusal(robot, **asked):
    with pytest.raises(ConfigError) as problem:
        resolved_walk(eq.load(robot), WalkConfig(**asked))
    return str(problem.value)


def test_who_does_not_fit_is_told_why():
    assert "walks on 4 legs, 'asv' has 6" in refusal("asv", controller="titan6")
    said = refusal("titan6", controller="titan6", gait="crawl")
    assert "its own gait" in said
    assert "leave --gait out" in said
    assert "give --support planned" in refusal("warp1", planner="intermittent")
    assert "give a --planner" in refusal("warp1", motion="follow")
    for planner in ("crab", "expanded", "intermittent"):
        parts = {"planner": planner, "support": "planned", "motion": "follow"}
        said = refusal("asv", **parts)
        assert f"planner '{planner}' is for 4 legs, the machine has 6" in said


def test_another_machine_gets_its_settings_by_size():
    own = resolved_walk(eq.load("titan6"), WalkConfig())
    small = resolved_walk(eq.load("warp1"), WalkConfig(controller="titan6"))
    root = np.sqrt(small.machine.height / own.machine.height)
    assert own.speed == 1.0
    assert small.speed == pytest.approx(0.5 * root, abs=5e-4)  # half of it elsewhere
    ratio = small.walking.planned.waits / own.walking.planned.waits
    assert ratio == pytest.approx(root, rel=1e-12)
