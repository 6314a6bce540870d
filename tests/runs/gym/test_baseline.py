"""Our controllers in the environments: the job itself, and better than nothing."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.balance.staged import staged_balance
from equipoise.runs.gym.baseline import baseline
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.staged import staged_stand
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.staged import staged_walk
from equipoise.sim.disturbances import Push

pytestmark = pytest.mark.sim
SEED = 11
IMPULSE = (0.0, 8.0, 0.0)


def job(kind: str) -> Any:
    """Return a job, staged as the command does."""
    if kind == "Walk":
        config = WalkConfig(seconds=2.5, seed=SEED, actuators="ideal")
        return staged_walk(eq.load("warp1"), config).staged
    if kind == "Stand":
        push = Push(impulse=IMPULSE, start=0.1, duration=0.1)
        config = StandConfig(seconds=0.5, block_mass=0.0, push=push, seed=SEED)
        return staged_stand(eq.load("biped"), config)
    robot = eq.load("superbot", modules=5, seed=SEED)
    return staged_balance(robot, SteerConfig(seconds=0.3, seed=SEED))


CHOSEN: dict[str, dict[str, Any]] = {
    "Walk": {"actuators": "ideal", "seconds": 2.5},
    "Stand": {"seconds": 0.5},
    "Modules": {"modules": 5, "seconds": 0.3},
}


@pytest.mark.parametrize("kind", ["Stand", "Walk", "Modules"])
def test_with_torques_it_is_the_job_to_the_bit(kind: str, run):
    whole = job(kind).run()
    env = gymnasium.make(f"equipoise/{kind}-v0", action="torque", **CHOSEN[kind])
    told: dict[str, Any] = {"job_seed": SEED}
    if kind == "Stand":
        told |= {"push": IMPULSE, "push_at": 0.1}
    ended = run(env, baseline(env), options=told)
    assert not ended["fell"]
    pose = env.unwrapped.arena.stepper.data.qpos
    np.testing.assert_array_equal(pose, whole.qpos[-1])


@pytest.mark.parametrize("kind", ["Stand", "Walk", "Modules"])
def test_it_beats_nothing(kind: str, run, zero):
    """At 50 Hz through springs, on a seed that nothing was chosen by."""
    env = gymnasium.make(f"equipoise/{kind}-v0", seconds=3.0)
    nothing = run(env, zero(env), seed=20_26)
    ours = run(env, baseline(env), seed=20_26)
    assert ours["verdict"] == "yes"
    assert not ours["fell"]
    assert nothing["verdict"] == "no"
    assert ours["return"] > 1.3 * nothing["return"]
    assert nothing["fell"] == (kind == "Stand")


def test_it_wants_an_episode_of_ours():
    env = gymnasium.make("equipoise/Modules-v0", modules=2)
    policy = baseline(env)
    with pytest.raises(ConfigError, match="reset the environment first"):
        policy(None)
    with pytest.raises(ConfigError, match="only equipoise's environments"):
        baseline(gymnasium.make("CartPole-v1"))
