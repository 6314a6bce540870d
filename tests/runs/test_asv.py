"""The Adaptive Suspension Vehicle walks, by its own sensors: one seed by day."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk

SEEDS = range(100, 120)


def walked(robot="asv", **given):
    """Return a walk of the ASV."""
    return walk(WalkConfig(robot=RobotChoice(name=robot), **given))


def steady_speed(result, command, until):
    """Return mean speed and way from 95 % of the command to the stop."""
    run = result.run
    first = int(np.argmax(run.said("forward") >= 0.95 * command))
    last = int(np.searchsorted(run.time, until)) - 1
    way = float(np.hypot(*(run.p_WB[last] - run.p_WB[first])[:2]))
    return way / float(run.time[last] - run.time[first]), way


def expect_fast(seed, seconds, stop, least):
    """Expect a fast tripod that stops by itself, its stop plan held and not needed."""
    result = walked(seed=seed, seconds=seconds, stop_at=stop)
    s = result.summary
    speed, way = steady_speed(result, 3.4, stop)
    assert not s["fell"]
    assert s["controller"] == "asv" and s["gait"] == "tripod"
    assert max(s["roll_max_deg"], s["pitch_max_deg"]) < 3.0
    assert speed > 3.3 and way > least
    assert s["plan"]["stop_armed"] and s["plan"]["stops_executed"] == 0
    assert s["forces"]["pulls"] == 0 and s["forces"]["infeasible_share"] == 0.0
    return result


def test_it_walks_fast_and_stops():
    result = expect_fast(0, 13.0, 7.5, 8.0)
    rest = result.run.p_WB[-100:]
    assert np.abs(rest - rest[-1]).max() < 0.05


def test_an_impossible_command_is_granted_as_far_as_it_can_stop():
    result = walked(command=(10.0, 0.0, 3.0), seconds=8.0)
    s = result.summary
    assert not s["fell"]
    assert s["static_margin_min_m"] > 0.0
    assert np.nanmax(result.run.said("forward")) < 3.0
    assert s["plan"]["failed"] + np.nanmax(result.run.said("plan_shrunk")) > 0


def test_in_precision_footing_the_trunk_moves_and_the_feet_stay():
    result = walked(command=(0.4, 0.0, 0.0), mode="precision", seconds=6.0)
    s = result.summary
    assert 0.5 < s["distance_m"] < 1.2
    assert s["slip_m"] < 0.1 and not s["fell"]


def test_what_it_does_not_go_with_says_why():
    with pytest.raises(ConfigError, match="walks on 6 legs, 'warp1' has 4"):
        walked(robot="warp1", controller="asv")
    with pytest.raises(ConfigError, match=r"feet weigh more than 7\.55 kg"):
        walked(robot="warp1", controller="asv")
    with pytest.raises(ConfigError, match="mode 'hop'"):
        walked(mode="hop")
    with pytest.raises(ConfigError, match="follows given speeds"):
        walked(robot="warp1", command=(1.0, 0.0, 0.0))
    with pytest.raises(ConfigError, match="command must be"):
        walked(command=(1.0, float("nan"), 0.0))
    with pytest.raises(ConfigError, match="give only one"):
        walked(command=(1.0, 0.0, 0.0), speed=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_forty_metres(seed):
    result = expect_fast(seed, 20.0, 15.0, 25.0)
    assert result.summary["distance_m"] > 40.0


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("slope", [35, -35])
def test_steep_slopes(seed, slope):
    result = walked(seed=seed, speed=0.8, terrain=f"slope:{slope}", seconds=12.0)
    s = result.summary
    assert not s["fell"]
    assert max(s["roll_max_deg"], s["pitch_max_deg"]) < 8.0
    assert steady_speed(result, 0.8, 12.0)[0] > 0.7


@pytest.mark.slow
def test_soft_ground():
    """44 kN/m under each foot: it sinks in by 0.1 m as it stands on six."""
    runs = [
        walked(seed=s, speed=1.0, terrain="soft:44000", seconds=12.0) for s in SEEDS
    ]
    assert sum(not run.summary["fell"] for run in runs) >= 19


@pytest.mark.slow
@pytest.mark.parametrize("number", range(100))
def test_random_and_impossible_commands(number):
    rng = np.random.default_rng(1000 + number)
    most = (10.0, 10.0, 3.0) if number % 2 == 0 else (3.0, 0.6, 0.3)
    command = tuple(float(x) for x in rng.uniform(np.negative(most), most))
    result = walked(command=command, seconds=10.0, seed=100 + number % 20)
    s, run = result.summary, result.run
    granted = np.stack([run.said(n) for n in ("forward", "left", "turn")])[:, :-1]
    assert not s["fell"]
    assert (np.abs(granted).T <= np.abs(command) + 1e-9).all()
    assert s["static_margin_min_m"] is None or s["static_margin_min_m"] > 0.0
