"""A walk's numbers computed from its file by a script that has never seen the library.

The script opens ``run.nc`` and nothing else: what it finds has to be what was told.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from equipoise.control.ground_map import GroundMap, MapFrame
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk.effort import walking_from
from equipoise.runs.walk.numbers.footholds import foothold_numbers
from equipoise.runs.walk.record import recorded_walk
from equipoise.runs.walk.walk import WalkConfig, walk
from equipoise.sim.recording import write_run
from oracles import outside_walk

SCRIPT = Path(outside_walk.__file__)


def forbidden() -> GroundMap:
    """Return a map of stripes across the way, so that some feet do hit one."""
    frame, banned = MapFrame.zeros(), np.zeros((60, 40))
    frame["west"], frame["south"], frame["cell"] = -1.5, -1.0, 0.05
    banned[::4] = 1.0
    return GroundMap(frame, np.full_like(banned, np.nan), banned)


@pytest.fixture(scope="module", params=["titan6", "warp1"])
def answer(request, tmp_path_factory):
    """What the script says of a walk, beside what was told of it."""
    result = walk(WalkConfig(robot=RobotChoice(name=request.param), seconds=4.0))
    summary, ground = result.summary, forbidden()
    dataset = recorded_walk(result.world, result.run, result.margins, summary, ground)
    path = write_run(dataset, tmp_path_factory.mktemp("walk") / "run.nc")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == "" and done.returncode == 0
    said = json.loads(done.stdout)
    assert said["imported"] == []
    return request.param, said["found"], said["told"], result, ground


def test_what_adds_up_is_the_same_to_the_last_digits(answer):
    _, found, told, *_ = answer
    for key in ("settings_sha256", "slip_m", "energy_j", "steps"):
        assert found[key] == told[key]
    # chords of 10 ms in place of 2 ms
    assert found["distance_m"] == pytest.approx(told["distance_m"], abs=1e-3)
    # it begins up to 8 ms later, of a second at least, and speed varies by as much
    assert found["mean_speed_mps"] == pytest.approx(told["mean_speed_mps"], rel=0.01)
    # its first step may lie up to 8 ms before the first sample that is kept
    duty = told["gait_found"]["duty"]
    assert found["duty"] == pytest.approx(duty, abs=0.01)


def test_extremes_are_missed_by_no_more_than_a_sample_moves(answer):
    _, found, told, *_ = answer
    for key in ("roll_max_deg", "pitch_max_deg"):
        assert found[key] <= told[key] + 1e-9
        assert told[key] - found[key] <= found["between_deg"]


def test_margins_are_those_of_feet_schedule_and_mass(answer):
    _, found, *_ = answer
    assert found["margins"] > 50
    assert found["margin_off_m"] < 1e-9  # rounding


def test_feet_on_forbidden_cells_are_found(answer):
    _, found, _, result, ground = answer
    ours = foothold_numbers(result.run, ground, walking_from(result.run))
    assert found["banned_hit"] == ours["banned_hit"] > 0


def test_what_was_planned_is_near_what_came_of_it(answer):
    name, found, told, *_ = answer
    # the reference is by dead reckoning and a trunk follows it within centimetres
    assert 0.0 < found["reference_off_m"] < 0.15
    if name == "warp1":
        assert "foothold_off_m" not in found  # it plans none
        return
    assert found["foothold_off_m"] < 0.1
    told_error = told["forces"]["force_error_rms_share"]
    # a fifth of the samples: landings are short, and a leg's share of them differs
    assert len(found["force_error"]) == len(told_error) == 4
    assert np.mean(found["force_error"]) == pytest.approx(np.mean(told_error), rel=0.25)
