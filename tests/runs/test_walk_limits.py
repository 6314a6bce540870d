"""Limits of a walk: over instants and sides, with pockets, as far as they are known."""

import json

import numpy as np
import pytest

from equipoise.cli.app import run
from equipoise.core.errors import ConfigError
from equipoise.runs.robot import RobotChoice
from equipoise.runs.walk import push_grid
from equipoise.runs.walk.limits import WalkLimitsConfig, push_limits
from equipoise.runs.walk.push_grid import (
    PushGrid,
    TriedImpulse,
    limit_of,
    push_trial,
    random_pockets,
)

STEP = 0.1 * 60.392  # of WARP1 [N s]


def machine(monkeypatch, survives):
    """Let a machine survive what a function of impulse, heading and phase says."""

    def stands(config, phase, impulse, heading_deg, at):
        return survives(impulse, heading_deg, phase)

    monkeypatch.setattr(push_grid, "survives_push", stands)


def test_a_limit_is_the_last_impulse_below_which_all_stand():
    rows = [TriedImpulse(k * 5.0, s, 4) for k, s in enumerate((4, 4, 3, 4, 0), 1)]
    found = limit_of(rows, 4)
    assert found["impulse_ns"] == 10.0 and found["falls_at_ns"] == 15.0
    assert (found["falls"], found["tried"]) == (1, 4)
    assert found["pocket_until_ns"] == 20.0
    none = limit_of(rows[:2], 4)
    assert none["impulse_ns"] == 10.0 and none["falls_at_ns"] is None
    assert limit_of(rows[2:3], 4)["impulse_ns"] == 0.0


def test_one_instant_that_falls_is_a_fall_and_larger_ones_are_tried(monkeypatch):
    asked = []

    def survives(impulse, heading, phase):
        asked.append((round(impulse), phase))
        return impulse < 3.5 or (impulse > 4.5 and impulse < 5.5) or phase != 2

    machine(monkeypatch, survives)
    grid = PushGrid(WalkLimitsConfig(phases=3), 0.0, 1.0, 20.0, 0.6)
    found = limit_of(push_trial(grid), 3)
    assert (found["impulse_ns"], found["falls_at_ns"]) == (3.0, 4.0)
    assert (found["falls"], found["pocket_until_ns"]) == (1, 5.0)
    assert max(asked)[0] == 7  # three beyond the first that falls, no more
    assert [p for size, p in asked if size == 4] == [0, 1, 2]


def test_each_side_has_its_own_limit_and_all_is_said(monkeypatch):
    def survives(impulse, heading, phase):
        return impulse < (3.5 * STEP if 0.0 < heading < 180.0 else 5.5 * STEP)

    machine(monkeypatch, survives)
    lines = []
    config = WalkLimitsConfig(pushes=6, phases=3)
    result = push_limits(config, processes=1, on_result=lines.append)
    s = result.summary
    left = [0.0 < heading < 180.0 for heading in s["heading_deg"]]
    wanted = np.where(left, 3.0, 5.0) * s["step_ns"]
    np.testing.assert_allclose(s["impulse_ns"], wanted)
    np.testing.assert_allclose(s["falls_at_ns"], wanted + s["step_ns"])
    assert s["step_ns"] == pytest.approx(0.1 * s["mass_kg"])
    assert (s["phases"], s["bound_ns"]) == (3, pytest.approx(2.0 * s["mass_kg"]))
    assert s["complete"] and s["pockets"] == [] and result.verdict == "yes"
    # grids: all instants up to the first fall, then one each of three more
    assert s["walks"] == 3 * (4 * 3 + 3) + 5 * (6 * 3 + 3) + 6
    assert len(lines) == 8
    assert lines[2].startswith("towards 90° (left): 18.1 N s (0.30 N s/kg) and all")
    assert "falls at 24.2 N s at 3 of 3 instants" in lines[2]


def test_a_random_push_below_both_limits_that_falls_is_a_pocket():
    headings, limits = [0.0, 90.0, 180.0, 270.0], [50.0, 40.0, 60.0, 60.0]
    pushed = [
        (45.0, np.radians(45.0), 2.5, 0.0),  # above one of them
        (39.0, np.radians(45.0), 2.5, 0.0),
        (39.0, np.radians(45.0), 2.5, 1.0),  # survived
        (49.0, np.radians(350.0), 3.0, 0.0),
    ]
    found = random_pockets(headings, limits, pushed)
    assert [one["impulse_ns"] for one in found] == [39.0, 49.0]
    assert found[1]["survived_ns"] == 50.0
    assert random_pockets(headings, [None, *limits[1:]], pushed) == []


def test_ctrl_c_keeps_what_is_known_and_stdout_is_one_object(
    monkeypatch, capsys, tmp_path
):
    def survives(impulse, heading, phase):
        if heading > 100.0:
            raise KeyboardInterrupt
        return impulse < 20.0

    machine(monkeypatch, survives)
    words = ["limits", "warp1", "--quick", "--processes", "1"]
    assert run([*words, "--json", "--out", str(tmp_path)]) == 130
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert told["complete"] is False and told["quick"] is True
    assert [one is None for one in told["impulse_ns"]] == [False, False, True, True]
    assert told["pushes"] == 0 and told["lost"] == []
    lines = err.splitlines()
    assert lines[0].startswith("towards 0° (ahead): 12.1 N s")
    assert lines[-1] == "Stopped by Ctrl-C."
    written = json.loads((tmp_path / "limits.json").read_text())
    assert written["impulse_ns"] == told["impulse_ns"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["limits.json", "limits.png"]
    assert run(words) == 130
    out, err = capsys.readouterr()
    assert "not known" in out and "2 of 4 directions are known" in out


def test_a_lost_row_is_not_known_and_the_code_says_so(monkeypatch, capsys):
    def survives(impulse, heading, phase):
        if heading == 90.0:
            raise ValueError("broken")
        return False

    machine(monkeypatch, survives)
    words = ["limits", "warp1", "--quick", "--pushes", "0", "--processes", "1"]
    assert run(words) == 3
    out, err = capsys.readouterr()
    assert "towards 90° (left): not known, ValueError: broken" in err
    assert "A run was lost: ValueError: broken." in out


def test_each_push_is_tried_as_it_is_told(monkeypatch):
    asked = []

    def staged(robot, walk):
        asked.append(walk)
        raise LookupError

    monkeypatch.setattr(push_grid, "staged_walk", staged)
    config = WalkLimitsConfig(gait="crawl", speed=0.1, sensors="ideal", seed=5)
    with pytest.raises(LookupError):
        push_grid.survives_push(config, 3, 40.0, 135.0, 3.25)
    walk = asked[0]
    assert (walk.push, walk.push_heading, walk.push_at) == (40.0, 135.0, 3.25)
    assert (walk.seed, walk.seconds, walk.sensors) == (8, 7.25, "ideal")
    assert (walk.gait, walk.speed) == ("crawl", 0.1)


def test_a_walk_is_pushed_in_truth():
    """WARP1 takes 20 N s, and 200 N s throw it over within a second."""
    config = WalkLimitsConfig(sensors="ideal")
    assert push_grid.survives_push(config, 0, 20.0, 270.0, 2.0)
    assert not push_grid.survives_push(config, 0, 200.0, 270.0, 2.0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["warp1", "--timestep", "0.001"], "--timestep is for robots that stand"),
        (["biped", "--phases", "3"], "--phases is for machines that walk, got 'biped'"),
        (["warp1", "--phases", "0"], "phases must be 1 to 64, got 0"),
        (["warp1", "--sensors", "bad"], "sensors must be 'ideal' or 'real', got"),
        (["superbot"], "limits can be found for 'asv', 'biped'"),
        (["warp1", "--gait", "hop"], "hop"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(words, said, capsys):
    assert run(["limits", *words]) == 2
    out, err = capsys.readouterr()
    assert said in err and not out and len(err.splitlines()) == 1


def test_a_robot_that_does_not_walk_is_refused():
    with pytest.raises(ConfigError, match="four legs or more; 'biped' is not one"):
        push_limits(WalkLimitsConfig(robot=RobotChoice(name="biped")))
