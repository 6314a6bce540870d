"""Environments that are pickled or copied go on as the original, to the last bit."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import equipoise as eq

pytestmark = pytest.mark.sim
QUICK = {
    "Stand": {"frequency": 50.0},
    "Walk": {"frequency": 25.0},
    "Modules": {"modules": 4},
}
OPTIONS = {
    "Stand": {"push": (30.0, 0.0, 0.0), "push_at": 0.01},
    "Walk": {"friction": 0.4},
    "Modules": {"job_seed": 11},
}
WAYS = {
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "copy": copy.deepcopy,
}


def made(kind: str, **chosen: Any) -> Any:
    """Return an environment with Gymnasium's own wrappers around it."""
    return gymnasium.make(f"equipoise/{kind}-v0", **QUICK[kind], **chosen)


def seen(env: Any, count: int = 3) -> bytes:
    """Return all that some steps give, actions drawn by the environment."""
    found = list[Any]()
    for _ in range(count):
        row, reward, is_over, is_late, info = env.step(0.2 * env.action_space.sample())
        found += [row, reward, is_over, is_late]
        found += [info[name] for name in ("time", "margin", "effort", "job_seed")]
    return b"".join(np.asarray(one).tobytes() for one in found)


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("way", WAYS)
def test_a_copy_goes_on_where_the_original_is(kind: str, way: str):
    """In the middle of an episode, and with the same next one."""
    env = made(kind)
    env.action_space.seed(1)
    env.reset(seed=5, options=OPTIONS[kind])
    seen(env)
    other = WAYS[way](env)
    assert other.unwrapped is not env.unwrapped
    assert other.unwrapped.arena.stepper.data is not env.unwrapped.arena.stepper.data
    assert seen(other) == seen(env)
    row, info = env.reset()
    its_row, its_info = other.reset()
    assert row.tobytes() == its_row.tobytes()
    assert info["job_seed"] == its_info["job_seed"]


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_is_fresh_where_the_original_is(way: str):
    env = made("Modules")
    other = WAYS[way](env.unwrapped)
    with pytest.raises(eq.core.errors.EquipoiseError, match="reset it"):
        other.step(np.zeros(other.action_space.shape))
    assert other.reset(seed=3)[0].tobytes() == env.reset(seed=3)[0].tobytes()


def test_an_original_goes_on_beside_its_copy():
    """What one does does not move the other."""
    env, alone = made("Modules"), made("Modules")
    for one in (env, alone):
        one.action_space.seed(4)
        one.reset(seed=2)
    seen(copy.deepcopy(env))
    assert seen(env) == seen(alone)


def test_a_robot_that_was_given_travels_along():
    robot = eq.load("biped", change="mass.trunk=1.5x")
    env = gymnasium.make("equipoise/Stand-v0", robot=robot, frequency=50.0).unwrapped
    other = pickle.loads(pickle.dumps(env))
    assert other.arena.mass == env.arena.mass
    assert other.reset(seed=1)[0].tobytes() == env.reset(seed=1)[0].tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_many_robots_are_copied_each_in_its_episode(threads: int):
    env = gymnasium.make_vec(
        "equipoise/Modules-v0", num_envs=2, threads=threads, modules=3
    )
    env.action_space.seed(1)
    env.reset(seed=6)
    env.step(0.2 * env.action_space.sample())
    other = pickle.loads(pickle.dumps(env))
    for _ in range(3):
        action = 0.2 * env.action_space.sample()
        for here, there in zip(env.step(action)[:4], other.step(action)[:4], strict=1):
            assert np.asarray(here).tobytes() == np.asarray(there).tobytes()
    env.close()
    other.close()
