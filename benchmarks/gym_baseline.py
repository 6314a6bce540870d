"""Returns of our controllers, of no action and of random ones in the environments.

Run: ``python benchmarks/gym_baseline.py [--episodes 10] [--first-seed 1000] [--only
Walk] [--robot go2.urdf]``. Nothing was chosen by these seeds. Prints a table for
``docs/gymnasium.md``.
"""

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import equipoise  # noqa: F401  (makes the environments known)
from equipoise.runs.gym.baseline import baseline

Policy = Callable[[Any], Any]


def episode(env: Any, policy: Policy, seed: int) -> tuple[float, bool, str]:
    """Return an episode's sum of rewards, whether it fell, and the verdict."""
    observation, info = env.reset(seed=seed)
    total, is_over, is_late = 0.0, False, False
    while not (is_over or is_late):
        step = env.step(policy(observation))
        observation, reward, is_over, is_late, info = step
        total += float(reward)
    return total, is_over, info["verdict"]


def policies(env: Any) -> dict[str, Callable[[int], Policy]]:
    """Return what makes each policy from a seed, by name."""
    shape = env.action_space.shape

    def drawn(seed: int) -> Policy:
        rng = np.random.default_rng(seed)
        return lambda _: rng.uniform(-1.0, 1.0, shape)

    return {
        "zero": lambda _: lambda _: np.zeros(shape),
        "random": drawn,
        "baseline": lambda _: baseline(env),
    }


def main() -> None:
    """Print a row an environment and policy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--only", help="of these environments, as Walk")
    parser.add_argument("--robot", help="of another walk, a file")
    asked = parser.parse_args()
    seeds = range(asked.first_seed, asked.first_seed + asked.episodes)
    jobs: list[tuple[str, dict[str, Any]]] = [
        ("Stand", {}),
        ("Stand", {"action": "torque"}),
        ("Walk", {}),
        ("Walk", {"action": "torque"}),
        ("Modules", {}),
        ("Modules", {"action": "torque"}),
    ]
    if asked.robot:
        jobs.append(("Walk", {"robot": asked.robot}))
    jobs = [job for job in jobs if asked.only in (None, job[0])]
    print("| environment | policy | mean reward | least | yes | fell |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind, chosen in jobs:
        env = gymnasium.make(f"equipoise/{kind}-v0", disable_env_checker=True, **chosen)
        arena = env.unwrapped.arena
        scale = arena.period / arena.config.seconds
        for name, make in policies(env).items():
            ends = [episode(env, make(seed), seed) for seed in seeds]
            share = np.array([total for total, _, _ in ends]) * scale
            told = ", ".join(f"{k}={v}" for k, v in chosen.items())
            yes = sum(verdict == "yes" for _, _, verdict in ends)
            fell = sum(is_over for _, is_over, _ in ends)
            print(
                f"| {kind} {told} | {name} | {share.mean():.3f} | {share.min():.3f} | "
                f"{yes}/{len(ends)} | {fell}/{len(ends)} |",
                flush=True,
            )
            arena.guide = None


if __name__ == "__main__":
    main()
