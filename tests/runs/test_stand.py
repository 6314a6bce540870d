"""The biped under the thrown block: what [Wendlandt1997] and its prototype say."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.core.timing import untimed
from equipoise.runs.limits import heading_push
from equipoise.runs.robot import RobotChoice
from equipoise.runs.stand.staged import has_fallen
from equipoise.runs.stand.stand import StandConfig, stand
from equipoise.sim.staged import StagedRun
from equipoise.spatial.rotations import (
    matrix_from_axis_angle,
    matrix_from_quat,
    quat_from_matrix,
    random_rotation,
)

PAPER = StandConfig(controller="workspace")


def sized(**options) -> RobotChoice:
    """Return a biped of another size."""
    return RobotChoice(name="biped", options=options)


CALM = replace(PAPER, block_mass=0.0, seconds=4.0)


@pytest.mark.parametrize("feet", ["box", "spheres"])
@pytest.mark.parametrize("timestep", [0.00025, 0.0005, 0.001])
def test_the_papers_throw_is_survived_at_any_time_step_on_any_feet(timestep, feet):
    s = stand(replace(PAPER, timestep=timestep, robot=sized(feet=feet))).summary
    assert s["survived"]
    assert not s["fell"]
    assert s["position_error_m"] < 1e-4  # asked for by the issue
    assert s["orientation_error_deg"] < 0.01
    # the prototype: 33 to 38 mm, back at 0.35 and 0.36 s; both hang on the bounce
    assert 20.0 < s["heel_lift_mm"] < 60.0
    assert 0.30 < s["recontact_s"] < 0.42
    assert s["recontact_by_foot_s"][0] < s["recontact_by_foot_s"][1]  # y < 0 first
    assert s["peak_torque_nm"] == pytest.approx(195.0, abs=1.0)  # at the start


def test_the_papers_law_is_as_weak_as_it_is_against_blocks():
    heavy = replace(PAPER, seconds=4.0)
    assert stand(replace(heavy, block_mass=2.1)).summary["survived"]
    assert stand(replace(heavy, block_mass=2.3)).summary["fell"]


@pytest.mark.parametrize("heading", [90.0, 270.0])
def test_the_papers_law_is_as_weak_as_it_is_against_pushes_from_the_side(heading):
    standing = stand(replace(CALM, push=heading_push(3.0, heading, 1.0)))
    assert standing.verdict == "yes"
    fallen = stand(replace(CALM, push=heading_push(5.0, heading, 1.0)))
    assert fallen.verdict == "no"


def test_a_robot_mirrored_and_pushed_from_the_other_side_does_the_same():
    left, right = (
        stand(replace(CALM, seconds=1.5, push=heading_push(3.0, heading, 1.0)))
        for heading in (60.0, 300.0)
    )
    a, b = left.dataset["com"].values, right.dataset["com"].values
    assert np.abs(a[:, 1]).max() > 0.002
    # rounding that 1.5 s of an unstable robot have blown up
    np.testing.assert_allclose(a * [1.0, -1.0, 1.0], b, atol=1e-8)


def test_six_milliseconds_late_is_survived_and_ten_are_not():
    assert stand(replace(PAPER, delay_ms=6.0)).verdict == "yes"
    assert stand(replace(PAPER, delay_ms=10.0)).summary["fell"]


def test_the_same_run_twice_gives_the_same_numbers():
    one, two = (stand(replace(PAPER, seconds=0.5)) for _ in range(2))
    assert untimed(one.summary) == untimed(two.summary)
    for name in one.dataset.variables:
        np.testing.assert_array_equal(one.dataset[name], two.dataset[name])


def test_a_fall_ends_the_run_and_is_said():
    result = stand(replace(PAPER, friction=0.1))
    s = result.summary
    assert s["fell"]
    assert not s["survived"]
    assert s["simulated_s"] < 1.5
    json.dumps(s, allow_nan=False)


def test_half_way_back_is_neither_fallen_nor_survived():
    s = stand(replace(PAPER, seconds=0.1)).summary
    assert not s["fell"]
    assert not s["survived"]


def test_signals_have_names_and_the_configuration_is_kept():
    run = stand(
        replace(PAPER, seconds=0.2, robot=sized(height=1.6, body_mass=60.0))
    ).dataset
    assert run["contact_force"].dims == ("time", "foot", "axis")
    assert run["foot"].values.tolist() == ["left_foot", "right_foot"]
    for name in ("centre_of_pressure", "heel_height", "toe_height", "position_error"):
        assert run[name].sizes["time"] == 101
    config = json.loads(run.attrs["config"])
    assert (config["height"], config["body_mass"]) == (1.6, 60.0)
    assert config["block_mass"] == 1.8
    assert json.loads(run.attrs["summary"])["controller"] == "workspace"
    # the block flies at a height that fits the body
    start = run["qpos"].sel(coordinate="block.z").values[0]
    assert start == pytest.approx(1.2 * 1.6 / 1.72)


def test_without_a_block_there_is_none():
    run = stand(replace(PAPER, block_mass=0.0, seconds=0.01)).dataset
    assert not any("block" in str(name) for name in run["coordinate"].values)


def test_a_torque_limit_holds():
    s = stand(replace(PAPER, robot=sized(torque_limit=120.0))).summary
    assert s["peak_torque_nm"] == 120.0
    assert s["survived"]


@pytest.mark.parametrize("angle_deg", [59.0, 61.0])
def test_a_turn_of_sixty_degrees_from_the_set_pose_is_a_fall(rng, angle_deg):
    R_set = random_rotation(rng)
    quat, upright = quat_from_matrix(R_set), np.array([0.0, 0.0, 1.0])
    turn = matrix_from_axis_angle([0.0, 0.6, -0.8], math.radians(angle_deg))
    R = matrix_from_quat(quat) @ turn
    nearest = math.cos(math.radians(30.0))
    args = (R, np.zeros(3), quat, 0.5, nearest)
    assert has_fallen(upright, *args) == (angle_deg > 60.0)
    assert has_fallen(0.49 * upright, *args)  # too low


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"controller": "workspac"}, "no controller 'workspac'. Did you mean"),
        ({"controller": "upright"}, "robots made of modules; a biped has workspace"),
        ({"block_mass": -1.0}, "block-mass must be 0 to 1000 kg, got -1.0"),
        ({"block_mass": math.nan}, "block-mass must be 0 to 1000 kg, got nan"),
        ({"block_speed": 60.0}, "block-speed must be 0 to 50 m/s, got 60.0"),
        ({"friction": 0.0}, "friction must be > 0, got 0.0"),
        ({"seconds": 0.0}, "seconds must be 0.002 to 600 s, got 0.0"),
        ({"timestep": 0.0003}, "0.002 s, got 0.0003; 0.00025 would do"),
        ({"timestep": 0.005}, "timestep must be 1e-05 to 0.002 s, got 0.005"),
        ({"delay_ms": 5.0}, "2 ms control period, got 5.0; 4 would do"),
        ({"seed": -1}, "seed must be >= 0"),
    ],
)
def test_bad_input_is_said_before_anything_is_simulated(change, match, monkeypatch):
    monkeypatch.setattr(StagedRun, "run", None)  # would be called
    with pytest.raises(EquipoiseError, match=match):
        stand(StandConfig(**{"controller": "workspace", **change}))


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"body_mass": -70.0}, "body-mass must be 5 to 300 kg, got -70.0"),
        ({"feet": "wheels"}, "no foot 'wheels'.*Known: box, spheres"),
        ({"torque_limit": 20.0}, "'left_knee' alone needs 27.6; give at least 27.6"),
    ],
)
def test_a_body_that_cannot_stand_is_refused(options, match, monkeypatch):
    monkeypatch.setattr(StagedRun, "run", None)  # would be called
    with pytest.raises(EquipoiseError, match=match):
        stand(StandConfig(controller="workspace", robot=sized(**options)))


def test_a_torque_limit_just_above_what_standing_needs_is_let_pass():
    with pytest.raises(ConfigError, match="too low to stand"):
        stand(replace(PAPER, robot=sized(torque_limit=27.5), seconds=0.002))
    stand(replace(PAPER, robot=sized(torque_limit=27.6), seconds=0.002))
