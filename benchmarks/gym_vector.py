"""Steps a second of many robots: our vector against Gymnasium's own.

Run: ``python benchmarks/gym_vector.py [--robots 8] [--steps 10] [--rounds 7] [--robot
g1.urdf]``. Each round times Gymnasium's ``SyncVectorEnv``, ours on one thread and ours
on two, one after the other, so that all meet the same load; medians are printed, with
the least and the most. Give it a quiet machine: threads wait for each other.
"""

import argparse
import statistics
import time
from typing import Any

import gymnasium
import numpy as np

import equipoise  # noqa: F401  (makes the environments known)

WAYS: dict[str, tuple[str | None, dict[str, Any]]] = {
    "SyncVectorEnv": ("sync", {}),
    "ours, one thread": (None, {"threads": 1}),
    "ours, two threads": (None, {"threads": 2}),
}


def timed(vector: Any, steps: int) -> tuple[float, float]:
    """Return wall and processor time of a robot's step [s]."""
    actions = np.zeros(vector.action_space.shape, np.float32)
    wall, own = time.perf_counter(), time.process_time()
    for _ in range(steps):
        vector.step(actions)
    count = steps * vector.num_envs
    return (time.perf_counter() - wall) / count, (time.process_time() - own) / count


def main() -> None:
    """Print a row an environment and way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robots", type=int, default=8)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--robot", help="of another stand, a file")
    asked = parser.parse_args()
    quiet: dict[str, Any] = {"push": (0.0, 0.0)}
    jobs: list[tuple[str, dict[str, Any]]] = [
        ("Walk", {}),
        ("Stand", quiet),
        ("Modules", {}),
        ("Modules", {"modules": 60}),
    ]
    if asked.robot:
        jobs.append(("Stand", {**quiet, "robot": asked.robot}))
    print("| environment | way | steps/s | least to most | processor [us/step] |")
    print("| --- | --- | --- | --- | --- |")
    for kind, chosen in jobs:
        made = {
            way: gymnasium.make_vec(
                f"equipoise/{kind}-v0",
                asked.robots,
                vectorization_mode=mode,
                seconds=600.0,
                **chosen,
                **more,
            )
            for way, (mode, more) in WAYS.items()
        }
        took: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
        for vector in made.values():
            vector.reset(seed=0)
            timed(vector, 5)
        for _ in range(asked.rounds):
            for way, vector in made.items():
                vector.reset(seed=0)
                took[way].append(timed(vector, asked.steps))
        for way, times in took.items():
            rates = sorted(1.0 / wall for wall, _ in times)
            own = statistics.median(own for _, own in times)
            print(
                f"| {kind} {chosen} | {way} | {statistics.median(rates):.0f} | "
                f"{rates[0]:.0f} to {rates[-1]:.0f} | {1e6 * own:.0f} |",
                flush=True,
            )
        for vector in made.values():
            vector.close()


if __name__ == "__main__":
    main()
