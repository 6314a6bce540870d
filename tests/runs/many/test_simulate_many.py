"""Many robots at once through their door, by a trunk whose motion is known."""

import json

import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.runs.many import simulate as door
from equipoise.sim.many.pushes import PushPlan
from oracles.many_glider import STRENGTH, glider

HOST = {"backend": "host", "precision": "double", "seconds": 4.0}


@pytest.fixture
def machine(monkeypatch):
    """A robot whose program is the glider's; what was asked of it is kept."""

    def program(robot, config, *, varied, timestep, has_table):
        program.asked = config, tuple(varied), timestep
        return glider()

    monkeypatch.setattr(door, "walking_program", program)
    robot = eq.load("warp1")
    return robot, program


def test_each_robot_goes_its_own_way(machine):
    robot, program = machine
    vary = {
        "speed": np.array([0.4, 0.3, 0.2]),
        "left": np.array([0.0, 0.4, 0.1]),
        "turn": np.array([0.0, 0.0, 1.5]),
    }
    result = eq.simulate_many(robot, 3, vary=vary, **HOST)
    wanted = np.hypot(vary["speed"], vary["left"])
    # truncation: pieces of 0.25 s of an arc at 1.5 rad/s are taken as straight, their
    # chords shorter by (0.375 / 2)^2 / 6 = 0.6 %
    tolerance = np.array([1e-12, 1e-12, 0.006 * wanted[2]])
    assert (np.abs(result.walked.speed - wanted) < tolerance).all()
    assert (np.abs(result.walked.distance - 4.0 * wanted) < 4.0 * tolerance).all()
    assert result.verdict == "yes"
    config, varied, timestep = program.asked
    assert (config.ground, timestep) == ("weak", 0.001)
    assert {"speed", "friction"} <= set(varied)


def test_those_that_are_pushed_too_hard_fall_and_are_counted(machine, tmp_path):
    robot, _ = machine
    pushes = PushPlan(impulse=(0.0, 2.0 * STRENGTH), at=(1.0, 2.0))
    result = eq.simulate_many(
        robot, 200, pushes=pushes, record=("base.x", "upright"), every=0.5, **HOST
    )
    hard = result.pushes["impulse"] > STRENGTH
    assert 0 < hard.sum() < 200  # both kinds
    np.testing.assert_array_equal(result.walked.fell, hard)
    lasts = result.walked.fell_at[hard] - result.pushes["at"][hard]
    assert (lasts > 0.0).all() and (lasts < 0.1 + 0.011).all()  # within the push
    assert np.isnan(result.walked.speed[hard]).all()
    assert result.summary["fell"]["count"] == hard.sum()
    assert result.verdict == "no"
    rows = result.dataset["record"].sel(recorded="base.x")
    assert rows.sizes == {"time": 9, "robot": 200}
    np.testing.assert_allclose(rows[:, ~hard].T, 0.4 * rows.time.values[None].repeat(
        (~hard).sum(), 0), atol=1e-12)  # fmt: skip
    assert np.isnan(rows[-1, hard]).all()
    files = result.save(tmp_path)
    assert [path.name for path in files] == ["many.json", "many.nc", "many.png"]
    assert json.loads(files[0].read_text())["robots"] == 200


def test_what_cannot_be_is_refused_before_anything_runs(machine):
    robot, _ = machine
    with pytest.raises(UnknownNameError, match="no setting 'push'"):
        eq.simulate_many(robot, 2, push=3.0, **HOST)
    with pytest.raises(ConfigError, match="seconds must be > 0") as told:
        eq.simulate_many(robot, 2, **{**HOST, "seconds": -1.0}, every=0.0)
    assert "every must be > 0 s" in str(told.value)
    with pytest.raises(UnknownNameError, match="no setting 'sped'"):
        eq.simulate_many(robot, 2, vary={"sped": 0.1}, **HOST)


@pytest.mark.slow
def test_warp1_walks_as_it_does_alone():
    result = eq.simulate_many(
        eq.load("warp1"), 4, vary={"speed": [0.2, 0.3, 0.4, 0.5]}, **HOST
    )
    assert result.verdict == "yes"
    # what is asked: within the tenth that one walk is off
    np.testing.assert_allclose(result.walked.speed, [0.2, 0.3, 0.4, 0.5], rtol=0.1)
