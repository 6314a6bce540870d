"""From its belly, over a block and after a push the hexapod walks on."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.walk import WalkConfig, walk

TUM = RobotChoice(name="tum")
BLOCK = 0.3 * 57.0  # of a leg's length, 0.05 + 0.22 + 0.30 m [cm]
PUSH = 16.0  # half of m √(g h) [N s]


@pytest.mark.sim
def test_it_gets_up_and_walks():
    result = walk(WalkConfig(robot=TUM, speed=0.3, seconds=4.0, start="belly", seed=1))
    assert not result.summary["fell"]
    height = result.run.p_WB[:, 2]
    assert height[0] == pytest.approx(0.05, abs=1e-3)
    assert np.all(height[result.run.time > 1.0] > 0.17)
    assert result.summary["distance_m"] > 0.4


def test_what_stays_down_has_fallen():
    weak = {"law.stiffness": (1.0, 1.0, 1.0), "posture.weight": 0.0}
    found = walk(
        WalkConfig(
            robot=TUM,
            seconds=4.0,
            start="belly",
            gains=weak,
            speed=0.1,
            mode="springs",
        )
    ).summary
    assert found["fell_how"] == "trunk on the ground"
    assert found["fell_at_s"] == pytest.approx(2.0, abs=0.01)
    with pytest.raises(
        ConfigError, match="start must be 'stand' or 'belly', got 'head'"
    ):
        WalkConfig(start="head")  # pyright: ignore[reportArgumentType]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "speed", "seconds"),
    [
        ({"start": "belly"}, 0.3, 8.0),
        ({"terrain": f"bump:{BLOCK}"}, 0.15, 14.0),
        *(({"push": PUSH, "push_heading": h}, 0.3, 8.0) for h in (0.0, 90.0, 180.0)),
    ],
)
def test_it_walks_on_in_eighteen_of_twenty(settings, speed, seconds):
    passed = 0
    for seed in range(100, 120):
        found = walk(
            WalkConfig(robot=TUM, speed=speed, seconds=seconds, seed=seed, **settings)
        ).summary
        passed += not found["fell"] and found["mean_speed_mps"] > 0.85 * speed
    assert passed >= 18
