"""A hexapod that has lost a leg walks on."""

import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.walk import WalkConfig, walk

LEGS = (
    "front_left", "front_right", "middle_left", "middle_right", "rear_left",
    "rear_right",
)  # fmt: skip
TUM = RobotChoice(name="tum")


def limped(leg, speed, seed, seconds=14.0):
    return walk(
        WalkConfig(robot=TUM, speed=speed, seconds=seconds, amputate=(leg,), seed=seed)
    ).summary


@pytest.mark.sim
def test_it_walks_on_five_legs():
    found = limped("middle_left", 0.15, 2, 9.0)
    assert not found["fell"]
    assert found["mean_speed_mps"] == pytest.approx(0.15, rel=0.1)
    gait = found["gait_found"]
    assert len(gait["duty"]) == 5 and len(gait["in_the_air_share"]) == 6
    assert max(gait["duty"]) < 0.97  # all of them step
    assert sum(gait["in_the_air_share"][4:]) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("speed", [0.1, 0.15, 0.2])
def test_whichever_leg_it_has_lost(speed):
    for seed in range(100, 120):
        found = limped(LEGS[seed % 6], speed, seed)
        assert not found["fell"]
        assert found["mean_speed_mps"] == pytest.approx(speed, rel=0.15)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"controller": "asv"}, "planner 'stopping' and support 'clocked' must have"),
        ({"amputate": LEGS[:3]}, "walking takes 4 legs, got 3"),
        ({"amputate": (LEGS[2], LEGS[4])}, None),
    ],
)
def test_who_cannot_go_on_says_so(settings, why):
    config = WalkConfig(robot=TUM, **({"amputate": LEGS[2:3]} | settings))
    if why is None:
        assert resolved_walk(eq.load("tum"), config).machine.legs == 4
        return
    with pytest.raises(ConfigError, match=why):
        resolved_walk(eq.load("tum"), config)
