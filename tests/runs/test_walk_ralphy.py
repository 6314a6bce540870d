"""RALPHY walks on impedance legs; legs that learn the ground track forces better."""

import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.seeds import walk_seeds
from equipoise.runs.walk.walk import WalkConfig, walk

RALPHY = RobotChoice(name="ralphy")


@pytest.mark.sim
def test_it_crawls_at_its_own_speed_on_a_duty_factor_of_three_quarters():
    result = walk(WalkConfig(robot=RALPHY, seconds=6.0, seed=3))
    s = result.summary
    assert (s["controller"], s["gait"], s["settings"]["duty"]) == (
        "ralphy", "crawl", 0.75
    )  # fmt: skip
    assert not s["fell"]
    assert abs(s["mean_speed_mps"] / 0.4 - 1.0) <= 0.1
    assert max(s["roll_max_deg"], s["pitch_max_deg"]) <= 4.0
    assert result.run.period == 1e-3
    assert set(np.unique(result.run.said("situation")[:-1])) <= {0.0, 1.0, 2.0}


@pytest.mark.sim
def test_legs_that_learn_the_ground_track_forces_five_times_better():
    how = WalkConfig(
        robot=RALPHY, seconds=2.5, seed=3, ground_stiffness=70e3, adapt=True
    )
    told = walk(how).summary
    assert told["terrain"] == "soft:70000"
    found = told["forces"]["adaptation"]
    assert found["ground_n_per_m"] / found["first_guess_n_per_m"] > 4.0
    assert max(found["force_error_rms_leg_share"]) < 0.15
    assert found["better"] >= 5.0


def refusal(robot, **asked):
    with pytest.raises(ConfigError) as problem:
        resolved_walk(eq.load(robot), WalkConfig(**asked))
    return str(problem.value)


def test_what_contradicts_itself_is_refused():
    with pytest.raises(ConfigError, match=r"stands for terrain 'soft:15000'.*slope:5"):
        WalkConfig(ground_stiffness=15e3, terrain="slope:5")
    with pytest.raises(ConfigError, match=r"ground-stiffness must be 200 to .*got -1"):
        WalkConfig(ground_stiffness=-1.0)
    same = WalkConfig(ground_stiffness=15e3, terrain="soft:15000")
    assert same == WalkConfig(ground_stiffness=15e3)
    assert "'steps' does not learn the ground" in refusal("warp1", adapt=True)
    told = refusal("ralphy", adapt=True, gains={"cycloid.adapts": False})
    assert "give only one" in told
    assert "walks on 4 legs, 'tum' has 6" in refusal("tum", controller="ralphy")


@pytest.mark.slow
@pytest.mark.sim
def test_twenty_walks_of_ten_metres():
    """[Ridderstrom2003] section 3.2.5: about 0.4 m/s; 19 of 20 within 10 % and 4°."""
    rows = walk_seeds(WalkConfig(robot=RALPHY, seconds=28.0, seed=100), 20).rows
    good = [
        not row["fell"]
        and row["distance_m"] >= 10.0
        and abs(row["mean_speed_mps"] / 0.4 - 1.0) <= 0.1
        and max(row["roll_max_deg"], row["pitch_max_deg"]) <= 4.0
        for row in rows
    ]
    assert sum(good) >= 19
