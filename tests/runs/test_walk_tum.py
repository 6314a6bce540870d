"""The TUM hexapod by Cruse's rules: nobody tells it a gait, its speed does."""

import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.contacts import without_bounces
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.walk import WalkConfig, walk
from equipoise_lab.papers.ridderstrom2003.chapter3.gait_measures import emergent_gait

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
    off = np.degrees(np.abs(np.unwrap(run.attitude[:, 2])).max())
    return result.summary | {"off_deg": off}, gait


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


@pytest.mark.sim
@pytest.mark.parametrize("mode", ["ik", "springs"])
def test_other_leg_programs_walk_by_the_same_rules(mode):
    found = walk(
        WalkConfig(robot=TUM, speed=0.3, seconds=6.0, mode=mode, seed=2)
    ).summary
    assert not found["fell"]
    assert found["mean_speed_mps"] == pytest.approx(0.3, rel=0.05)
    assert found["parts"]["balance"] == ("posture" if mode == "springs" else "none")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["feedback", "ik"])
def test_numbers_of_twenty_walks(mode):
    fast = [walked(0.4, seed=s, mode=mode) for s in range(100, 120)]
    slow = [walked(0.17, seed=s, mode=mode) for s in range(100, 120)]
    assert not any(summary["fell"] for summary, _ in fast + slow)
    assert min(gait.tripod for _, gait in fast) >= 0.8
    assert min(gait.up[2] for _, gait in slow) >= 0.85
    kept = [
        summary["mean_speed_mps"] >= 0.35 and summary["off_deg"] <= 10.0
        for summary, _ in fast
    ]
    assert sum(kept) >= 19


def test_rules_are_for_six_legs_of_three_joints():
    with pytest.raises(ConfigError, match="walks on 6 legs, 'warp1' has 4"):
        resolved_walk(eq.load("warp1"), WalkConfig(controller="walknet"))
    asv = resolved_walk(eq.load("asv"), WalkConfig(controller="walknet"))
    assert asv.walking.cruse.stride > 1.0  # by its size


@pytest.mark.sim
def test_faster_and_faster_it_goes_from_a_wave_to_tripods():
    result = walk(WalkConfig(robot=TUM, ramp=(0.08, 0.4), seconds=24.0, seed=5))
    assert not result.summary["fell"]
    run = result.run
    forward = run.said("forward")
    assert forward[run.time < 1.0].max() == 0.0
    assert np.nanmin(forward[run.time > 23.5]) == pytest.approx(0.4, rel=0.05)
    up = 6 - run.touches.sum(axis=1)
    slow, fast = (run.time > 3.0) & (run.time < 8.0), run.time > 20.0
    assert np.mean(up[slow]) < 1.8 < 2.5 < np.mean(up[fast])


@pytest.mark.parametrize("ramp", [(0.1,), (0.1, 0.0), (0.1, float("nan"))])
def test_a_ramp_that_is_none_is_refused(ramp):
    with pytest.raises(ConfigError, match="ramp must be"):
        WalkConfig(ramp=ramp)
    with pytest.raises(ConfigError, match="give only one"):
        WalkConfig(ramp=(0.1, 0.2), speed=0.1)


@pytest.mark.sim
def test_it_walks_by_state_machines_of_four_phases():
    found = walk(
        WalkConfig(robot=TUM, mode="phases", speed=0.3, seconds=6.0, seed=2)
    ).summary
    assert not found["fell"] and found["settings"]["leg_program"] == "phases"
    assert found["mean_speed_mps"] == pytest.approx(0.3, rel=0.05)
    assert max(found["roll_max_deg"], found["pitch_max_deg"]) < 5.0


@pytest.mark.slow
def test_by_state_machines_it_walks_with_every_seed():
    for seed in range(100, 120):
        config = WalkConfig(robot=TUM, mode="phases", speed=0.3, seed=seed)
        found = walk(config).summary
        assert not found["fell"]
        assert found["mean_speed_mps"] == pytest.approx(0.3, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("speed", [0.07, 0.13, 0.3])
def test_the_enlarged_insect_walks_with_every_seed(speed):
    for seed in range(100, 120):
        config = WalkConfig(robot=RobotChoice(name="insect"), speed=speed, seed=seed)
        found = walk(config).summary
        assert not found["fell"]
        assert found["mean_speed_mps"] == pytest.approx(speed, rel=0.05)
