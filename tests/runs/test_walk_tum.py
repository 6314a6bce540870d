"""The TUM hexapod by Cruse's rules: nobody tells it a gait, its speed does."""

import numpy as np
import pytest

import equipoise as eq
from equipoise.control.cruse.measures import emergent_gait
from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.contacts import without_bounces
from equipoise.runs.walk.planned import planned
from equipoise.runs.walk.walk import WalkConfig, walk

TUM = RobotChoice(name="tum")


def walked(speed, **settings):
    result = walk(
        WalkConfig(
            robot=TUM, controller="walknet", speed=speed, seconds=14.0, **settings
        )
    )
    run, width = result.run, 10  # 20 ms: shorter contacts are bounces
    stands = [without_bounces(own, width) for own in run.touches.astype(bool).T]
    gait = emergent_gait(run.time, ~np.stack(stands, axis=1), 7.0)
    return result.summary, gait


@pytest.mark.sim
def test_it_goes_in_tripods_when_fast_and_in_pairs_when_slow():
    fast, tripod = walked(0.4, seed=3)
    slow, tetrapod = walked(0.17, seed=3)
    for summary, gait, speed in ((fast, tripod, 0.4), (slow, tetrapod, 0.17)):
        assert not summary["fell"]
        assert summary["mean_speed_mps"] == pytest.approx(speed, rel=0.05)
        assert max(summary["roll_max_deg"], summary["pitch_max_deg"]) < 5.0
        assert gait.ipsilateral == pytest.approx(1.0 - gait.duty, abs=0.03)
    assert tripod.tripod > 0.8
    assert tetrapod.up[2] > 0.85
    assert tetrapod.tripod < 0.1


def test_rules_are_for_six_legs_of_three_joints():
    with pytest.raises(ConfigError, match="walks on 6 legs, 'warp1' has 4"):
        planned(eq.load("warp1"), WalkConfig(controller="walknet"))
    asv = planned(eq.load("asv"), WalkConfig(controller="walknet"))
    assert asv.walking.cruse.stride > 1.0  # by its size
