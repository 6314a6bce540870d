"""Limits: the first failure counts; random pushes are the same ones each time."""

import math
from importlib import import_module

import numpy as np
import pytest

from equipoise.cli.limits import tell_limits
from equipoise.core.errors import ConfigError
from equipoise.runs.limits import (
    Batch,
    LimitsConfig,
    first_failure,
    heading_push,
    limits,
    random_pushes,
)
from equipoise.runs.process_map import process_map
from equipoise.runs.robot import RobotChoice

module = import_module("equipoise.runs.limits")  # the room's door has the function


def test_the_first_failure_counts_not_a_later_one():
    asked = []

    def survives(x: float) -> bool:
        asked.append(x)
        return x < 2.0 or 3.0 < x < 5.0  # a gap that plain halving would jump

    found = first_failure(survives, 0.5, 1.1, 100.0)
    assert 2.0 * 0.99 <= found < 2.0
    assert max(asked) < 3.0  # nothing above the gap was tried
    rising = np.array(asked[: 1 + int(np.argmax(asked))])
    np.testing.assert_allclose(rising[1:] / rising[:-1], 1.1)


@pytest.mark.parametrize("limit", [0.013, 0.4, 7.77])
def test_a_limit_is_known_to_one_percent(limit: float):
    found = first_failure(lambda x: x <= limit, 0.5, 1.15, 100.0)
    assert limit * 0.98 - 0.0 <= found <= limit


def test_no_limit_and_no_standing():
    assert first_failure(lambda x: True, 0.5, 1.1, 3.0) == 3.0
    assert first_failure(lambda x: False, 0.5, 1.1, 3.0) == 0.0


def test_random_pushes_are_in_range_and_do_not_depend_on_how_many():
    pushes = random_pushes(400, 3)
    size = np.array([np.linalg.norm(push.impulse) for push in pushes])
    heading = np.array([np.arctan2(*push.impulse[1::-1]) for push in pushes])
    start = np.array([push.start for push in pushes])
    assert 4.0 <= size.min() < 4.5 < 23.5 < size.max() <= 24.0
    assert 0.5 <= start.min() < 0.52 < 1.48 < start.max() <= 1.5
    assert np.histogram(heading, 8, (-np.pi, np.pi))[0].min() > 25  # of 50, 5 sigma
    assert all(push.impulse[2] == 0.0 and push.duration == 0.1 for push in pushes)
    assert all(push.body is None for push in pushes)  # the trunk
    assert random_pushes(7, 3) == pushes[:7]
    assert random_pushes(7, 4) != pushes[:7]


def test_every_direction_has_its_own_limit(monkeypatch):
    """A robot that takes 2 kg, and pushes by how far they point along +y."""

    def stands(config) -> bool:
        assert config.seconds == 4.0
        if config.push is None:
            assert config.block_speed == 4.5
            return config.block_mass < 2.0
        assert config.block_mass == 0.0
        x, y, _ = config.push.impulse
        return np.hypot(x, y) * (1.5 + y / np.hypot(x, y)) < 10.0

    monkeypatch.setattr(module, "stands", stands)
    result = limits(LimitsConfig(controller="workspace", pushes=9), processes=1)
    s = result.summary
    assert s["block_mass_kg"] == pytest.approx(2.0, rel=0.01)
    lean = np.sin(np.radians([0, 45, 90, 135, 180, 225, 270, 315]))
    np.testing.assert_allclose(s["impulse_ns"], 10.0 / (1.5 + lean), rtol=0.011)
    assert len(result.random_pushes) == s["pushes"] == 9
    assert s["pushes_survived"] == sum(good for _, good in result.random_pushes)
    for push, good in result.random_pushes:
        size, y = np.hypot(*push.impulse[:2]), push.impulse[1]
        assert good == (size * (1.5 + y / size) < 10.0)


def test_quick_steps_are_larger_and_the_precision_is_said(monkeypatch):
    tried = []

    def stands(config) -> bool:
        tried.append(config)
        return config.push is None or np.hypot(*config.push.impulse[:2]) < 10.0

    monkeypatch.setattr(module, "stands", stands)
    slow = limits(LimitsConfig(controller="workspace", pushes=0), processes=1)
    count = len(tried)
    quick = limits(
        LimitsConfig(controller="workspace", pushes=0, quick=True), processes=1
    )
    assert len(tried) - count < 0.5 * count
    assert (slow.summary["known_to"], quick.summary["known_to"]) == (0.01, 0.1)
    found = np.array(quick.summary["impulse_ns"])
    assert (found < 10.0).all() and (found > 8.9).all()
    assert LimitsConfig(quick=True).random_pushes < LimitsConfig().random_pushes == 200


def test_results_are_told_as_they_come_and_ctrl_c_keeps_them(monkeypatch, tmp_path):
    """The fourth search is stopped: the block and two directions are known."""
    lines = []

    def stands(config) -> bool:
        if len(lines) == 3:
            raise KeyboardInterrupt
        return (config.block_mass or np.hypot(*config.push.impulse[:2])) < 2.0

    monkeypatch.setattr(module, "stands", stands)
    config = LimitsConfig(controller="workspace", pushes=9)
    stopped = {"processes": 1, "on_result": lines.append}
    result = limits(config, **stopped, is_stoppable=True)
    s = result.summary
    assert [line.partition(":")[0] for line in lines] == [
        "largest block at 4.5 m/s", "largest push towards 0°",
        "largest push towards 45°",
    ]  # fmt: skip
    assert s["block_mass_kg"] == pytest.approx(2.0, rel=0.011)
    assert [one is None for one in s["impulse_ns"]] == [False] * 2 + [True] * 6
    assert not s["complete"] and (s["pushes"], s["pushes_survived"]) == (0, 0)
    assert result.verdict == "unknown"
    names = sorted(path.name for path in result.save(tmp_path))
    assert names == ["limits.json", "limits.png"]
    lines.clear()
    with pytest.raises(KeyboardInterrupt):
        limits(config, **stopped)


def test_a_run_that_is_lost_is_said_and_the_rest_is_kept(monkeypatch):
    def stands(config) -> bool:
        if config.push is not None and config.push.impulse[1] > 1.0:
            raise ValueError("broken")
        return False

    monkeypatch.setattr(module, "stands", stands)
    s = limits(LimitsConfig(controller="workspace", pushes=0), processes=1).summary
    assert s["impulse_ns"] == [0.0] * 8 and s["complete"]
    monkeypatch.setattr(module, "FIRST_NS", 2.0)
    s = limits(LimitsConfig(controller="workspace", pushes=0), processes=1).summary
    lost = [
        heading
        for heading, one in zip(s["heading_deg"], s["impulse_ns"], strict=True)
        if one is None
    ]
    assert lost == [45.0, 90.0, 135.0] and s["lost"] == ["ValueError: broken"] * 3


@pytest.mark.parametrize("least", [0.0, 9.0])
def test_a_robot_that_falls_unpushed_is_told_so(monkeypatch, capsys, least):
    def stands(config) -> bool:
        push = config.push
        return least > math.hypot(*(push.impulse if push else (config.block_mass,)))

    monkeypatch.setattr(module, "stands", stands)
    result = limits(LimitsConfig(controller="workspace", pushes=0), processes=1)
    falls = least == 0.0
    assert result.summary["falls_unpushed"] is falls
    assert result.verdict == ("no" if falls else "yes")
    assert tell_limits(result, False, None) == int(falls)
    said = capsys.readouterr().out
    assert ("It does not even stand without a push" in said) is falls


@pytest.mark.slow
def test_numbers_do_not_depend_on_the_number_of_processes():
    calm = LimitsConfig(controller="workspace").calm()
    jobs = [
        Batch(calm, (heading_push(3.0, 10.0, 1.0), heading_push(20.0, 100.0, 0.7))),
        Batch(calm, (heading_push(12.0, 180.0, 0.5),)),
    ]
    one, two = (process_map(module.worked, jobs, processes=n) for n in (1, 2))
    assert one == two == [[1.0, 0.0], [1.0]]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"pushes": -1}, "pushes must be 0 to 100000, got -1"),
        ({"controller": "upright"}, "it steers robots made of modules"),
        ({"timestep": 0.0007}, "got 0.0007; 0.0005 would do"),
        (
            {"robot": RobotChoice(name="biped", options={"torque_limit": 5.0})},
            "too low to stand",
        ),
    ],
)
def test_bad_input_is_said_before_anything_is_simulated(change, match, monkeypatch):
    monkeypatch.setattr(module, "gathered", None)  # would be called
    with pytest.raises(ConfigError, match=match):
        limits(LimitsConfig(**change))
