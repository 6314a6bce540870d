"""Thing on the common controller: a crawl that its hobby servos can hold."""

import pytest

from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.walk import WalkConfig, walk


@pytest.mark.sim
def test_it_crawls_a_metre_in_half_a_minute_by_the_common_controller():
    config = WalkConfig(
        robot=RobotChoice(name="thing"),
        controller="walking",
        gait="crawl",
        speed=0.04,
        seconds=8.0,
        seed=3,
    )
    summary = walk(config).summary
    assert not summary["fell"]
    assert summary["mean_speed_mps"] == pytest.approx(0.04, rel=0.1)
    assert max(summary["roll_max_deg"], summary["pitch_max_deg"]) < 5.0
    assert summary["static_margin_p5_m"] > 0.005
