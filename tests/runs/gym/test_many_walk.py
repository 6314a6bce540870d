"""Thousands of robots as one environment, by a trunk that glides as it is pushed on."""

import gymnasium
import numpy as np
import pytest

import equipoise  # noqa: F401  (makes the environments known)
from equipoise.core.errors import (
    ConfigError,
    MissingExtraError,
    ShapeError,
    UnknownNameError,
)
from equipoise.equations.tape.functions import less
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.runs.gym import many
from equipoise.runs.gym.task import ManyTask
from equipoise.sim.many.program import ManyProgram

FAR = 0.3  # where it falls [m]


def sled() -> ManyTask:
    """Return a mass that goes with the speed of its action and falls at 0.3 m."""
    tape = Tape()
    x, v = tape.symbol("x", "state"), tape.symbol("v", "state")
    speed, action = tape.symbol("speed", "input"), tape.symbol("action", "input")
    time, command = tape.symbol("time", "input"), tape.symbol("command", "input")
    push = [tape.symbol(k, "input") for k in ("fx", "fy", "fz")]
    given, after = [x, v, speed, action], x + 0.005 * command
    step = program([after, command, less(FAR, after)], [*given, command, *push])

    def named(*names: str) -> tuple[NamedNumber, ...]:
        return tuple(NamedNumber(name, "") for name in names)

    whole = ManyProgram(
        name="sled",
        state=named("x", "v"),
        moved=2,
        settings=named("speed", "action.0"),
        command=named("command"),
        push=named("fx", "fy", "fz"),
        control=program([action], [*given, time]),
        step=step,
        telemetry=named("has_fallen"),
        period=2,
        timestep=0.005,
    )
    seen = program([x, speed, action, x + speed], given)
    return ManyTask(whole, (), seen, 1, np.full(3, -9.0), np.full(3, 9.0))


def four(monkeypatch, seconds: float):
    """Return four sleds and for how long an episode lasts."""
    monkeypatch.setattr(many, "walking_task", lambda *_, **__: sled())
    return gymnasium.make_vec(
        "equipoise/ManyWalk-v0",
        num_envs=4,
        backend="host",
        seconds=seconds,
        vary={"speed": (0.1, 0.5)},
    )


@pytest.fixture
def env(monkeypatch):
    made = four(monkeypatch, 0.4)
    yield made
    made.close()


def test_each_robot_is_moved_by_its_own_action(env):
    seen, _ = env.reset(seed=5)
    assert env.observation_space.contains(seen) and seen.dtype == np.float32
    told = seen[:, 1].copy()
    assert len(set(told)) == 4 and 0.1 <= told.min() and told.max() < 0.5
    action = np.array([[0.5], [-0.5], [3.0], [0.0]])
    for k in range(1, 6):
        before = seen
        seen, reward, over, late, info = env.step(action)
        assert seen is not before  # who keeps observations keeps them
        # rounding: steps of 1 cm in single precision
        np.testing.assert_allclose(
            seen[:, 0], 0.02 * k * action.clip(-1, 1)[:, 0], atol=1e-6
        )
        np.testing.assert_allclose(reward, seen[:, 0] + told, atol=1e-7)
        np.testing.assert_allclose(info["time"], 0.02 * k)
        assert not over.any() and not late.any()


def test_episodes_end_and_begin_again_with_other_numbers(env):
    seen, _ = env.reset(seed=5)
    told, action = seen[:, 1].copy(), np.array([[1.0], [0.0], [0.0], [0.0]])
    ends = []
    for _ in range(16):
        seen, reward, over, late, _ = env.step(action)
        ends.append((over[0], *late[1:]))
    assert ends[15][0] and reward[0] == 0.0 and seen[0, 0] > FAR  # fell at 0.32 m
    assert not np.array(ends)[:15].any() and not late.any()
    for _ in range(4):
        seen, reward, over, late, info = env.step(action)
        ends.append((over[0], *late[1:]))
        if len(ends) == 17:  # the step through which the first one waited
            assert (seen[0, 0], reward[0], info["time"][0]) == (0.0, 0.0, 0.0)
            assert seen[0, 1] != told[0] and seen[0, 2] == 0.0  # and no action yet
    assert late.tolist() == [False, True, True, True]  # at 0.4 s
    seen, reward, *_ = env.step(action)
    assert (seen[1:, 1] != told[1:]).all() and (reward[1:] == 0.0).all()
    again, _ = env.reset(seed=5)
    np.testing.assert_array_equal(again[:, 1], told)
    other, _ = env.reset()
    assert (other[:, 1] != told).all()


def test_a_fall_in_the_last_step_is_a_fall_and_not_the_end_of_time(monkeypatch):
    made = four(monkeypatch, 0.32)  # when the one at full speed is at 0.32 m
    made.reset(seed=5)
    for _ in range(16):
        _, reward, over, late, _ = made.step(np.array([[1.0], [0.9], [0.0], [0.0]]))
    assert over.tolist() == [True, False, False, False]
    assert late.tolist() == [False, True, True, True]
    assert reward[0] == 0.0 and (reward[1:] > 0.0).all()
    made.close()


def test_some_robots_alone_can_begin_anew(env):
    env.reset(seed=5)
    seen, *_ = env.step(np.full((4, 1), 0.5))
    mask = np.array([True, False, False, True])
    after, _ = env.reset(options={"reset_mask": mask})
    np.testing.assert_array_equal(after[:, 0] == 0.0, mask)
    np.testing.assert_array_equal(after[~mask], seen[~mask])


def test_what_cannot_be_is_said_in_a_sentence(env, monkeypatch):
    with pytest.raises(ConfigError, match="reset it before its first step"):
        env.step(np.zeros((4, 1)))
    env.reset()
    with pytest.raises(
        ShapeError, match=r"shape \(4, 1\), one row per robot, got \(4, 2"
    ):
        env.step(np.zeros((4, 2)))
    with pytest.raises(UnknownNameError, match="no option 'speed'"):
        env.reset(options={"speed": 1.0})
    with pytest.raises(ConfigError, match="frequency must divide the robots' 100 Hz"):
        many.ManyWalkVectorEnv(num_envs=1, frequency=30.0, backend="host")
    with pytest.raises(ConfigError, match="action must be position or torque"):
        many.ManyWalkVectorEnv(num_envs=1, action="velocity", backend="host")
    *_, over, _, _ = env.step(np.array([[np.nan], [0.0], [0.0], [0.0]]))
    assert over.tolist() == [True, False, False, False]


def test_tensors_are_pytorchs_where_it_sees_a_card(monkeypatch):
    def none(backend):
        raise MissingExtraError(backend)

    monkeypatch.setattr(many, "chosen_backend", none)
    assert many.tensors_of("auto") == "auto"  # CuPy, or what to install
    monkeypatch.setattr(many, "chosen_backend", lambda backend: backend)
    assert many.tensors_of("auto") == "torch"
    assert many.tensors_of("host") == "host"


@pytest.mark.slow
@pytest.mark.parametrize("action", ["position", "torque"])
def test_warp1_stands_on_its_springs_and_sees_what_one_alone_sees(action):
    made = many.ManyWalkVectorEnv("warp1", 2, backend="host", action=action)
    alone = gymnasium.make(
        "equipoise/Walk-v0", action=action, ground="weak", actuators="ideal"
    )
    assert made.single_observation_space == alone.observation_space
    assert made.single_action_space == alone.action_space
    seen, _ = made.reset(seed=1)
    for _ in range(50):
        seen, _, over, _, _ = made.step(np.zeros((2, 12), np.float32))
    if action == "position":
        assert not over.any() and (seen[:, 5] > 0.99).all()  # upright
        loads = seen[:, 36:40].sum(axis=1)
        np.testing.assert_allclose(loads, 1.0, rtol=0.1)  # they carry its weight
    else:
        assert (seen[:, 5] < 1.0).all()  # nothing holds it
