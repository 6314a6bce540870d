"""Do many robots at once fall where one of them does in MuJoCo?

A robot trots (WARP1 at 0.4 m/s) and is pushed once, for 0.1 s: impulse, heading,
instant and friction are drawn by the seed. The same pushes are given to the
straight-line programs (on this machine) and to ``equipoise walk`` with real sensors,
bus, motors and observer, on the ground of table 6.1 (``weak``) and on MuJoCo's own
contacts.
``weak, other noise`` is the same walk with other noise and offsets of the sensors and
another start: what MuJoCo says of a push is no surer than that.

    python benchmarks/many_falls.py --first 1000 --count 500 [--robot go2.urdf]
"""

import argparse
import json
import math
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from time import perf_counter

import numpy as np

from equipoise.core.seeds import stream
from equipoise.robots.load import load
from equipoise.runs.many.walking_program import walking_program
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.staged import JOINT_NOISE
from equipoise.runs.walk.walk import walk_robot
from equipoise.sim.machine.world import machine_world
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.pushes import PushPlan
from equipoise.sim.many.robots import ManyRobots

SECONDS = 7.0
IMPULSES, INSTANTS = (40.0, 140.0), (3.0, 4.0)
WARP1 = 60.4  # whose impulses they are; others get theirs by mass [kg]
OTHER = 10_000_000  # on top of a seed whose noise is another


@dataclass
class Drawn:
    """One push, as a seed has it."""

    config: WalkConfig

    @classmethod
    def by(cls, seed: int, mass: float) -> "Drawn":
        """Return the push of a seed, on a robot of some mass [kg]."""
        rng = stream(seed, "many falls")
        config = WalkConfig(
            ground="weak",
            seconds=SECONDS,
            push=float(rng.uniform(*IMPULSES)) * mass / WARP1,
            push_heading=float(rng.uniform(0.0, 360.0)),
            push_at=round(float(rng.uniform(*INSTANTS)), 3),
            friction=float(rng.uniform(0.6, 0.8)),
            seed=seed,
        )
        return cls(config)


def many_falls(robot, drawn, precision):
    """Return who fell of many at once, and the seconds that it took."""
    config = WalkConfig(ground="weak", seconds=SECONDS)
    program = walking_program(robot, config)
    walk, q = resolved_walk(robot, config), []
    for one in drawn:
        world = machine_world(
            walk.robot, walk.terrain, friction=one.config.friction, ground="weak",
            joint_noise=JOINT_NOISE, seed=one.config.seed, size=walk.size,
        )  # fmt: skip
        q.append(world.start_pose)
    names = [one.name for one in program.state]
    robots = ManyRobots(
        program,
        len(drawn),
        settings={"friction": np.array([one.config.friction for one in drawn])},
        start={names[k]: row for k, row in enumerate(np.array(q).T)},
        pushes=PushPlan(
            impulse=np.array([one.config.push for one in drawn]),
            heading=np.radians([one.config.push_heading for one in drawn]),
            at=np.array([one.config.push_at for one in drawn]),
        ),
        plan=KernelPlan(precision=precision),
        backend="host",
    )
    began = perf_counter()
    robots.run(round(SECONDS / program.tick))
    return np.array(robots.fell) >= 0, perf_counter() - began


def one_by_one(robot, configs, what):
    """Return who fell of walks one after the other."""
    found = []
    for k, config in enumerate(configs):
        found.append(bool(walk_robot(robot, config).summary["fell"]))
        print(f"\r{what} {k + 1}/{len(configs)}", end="", flush=True)
    print()
    return np.array(found)


def interval(share, count):
    """Return Wilson's 95 % interval of a share."""
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    half *= z / (1 + z * z / count)
    return middle - half, middle + half


def main():
    """Print how often who agrees with whom."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robot", default="warp1")
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    robot = load(args.robot)
    mass = float(robot.model.body_mass.sum())
    drawn = [Drawn.by(args.first + k, mass) for k in range(args.count)]
    configs = [one.config for one in drawn]
    fell, took = many_falls(robot, drawn, "single")
    falls = {
        "many, single": fell,
        "many, double": many_falls(robot, drawn, "double")[0],
    }
    falls["weak"] = one_by_one(robot, configs, "weak")
    other = [replace(c, seed=c.seed + OTHER) for c in configs]
    falls["weak, other noise"] = one_by_one(robot, other, "weak, other noise")
    own = [replace(c, ground="mujoco") for c in configs]
    falls["mujoco"] = one_by_one(robot, own, "mujoco")
    print(
        f"{args.count} pushes of {IMPULSES} N s per {WARP1} kg, seeds {args.first} on"
    )
    print(f"the many in single precision took {took:.1f} s on one core")
    for name, fell in falls.items():
        print(f"  {name:20s} fell {fell.mean():6.1%}")
    table = {}
    for a, b in combinations(falls, 2):
        share = float((falls[a] == falls[b]).mean())
        low, high = interval(share, args.count)
        table[f"{a} | {b}"] = [share, low, high]
        print(f"  {a:18s} and {b:18s} agree in {share:6.1%} ({low:.1%} to {high:.1%})")
    if args.out is not None:
        rows = {name: fell.astype(int).tolist() for name, fell in falls.items()}
        text = json.dumps({"agree": table, "fell": rows}, indent=1)
        args.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
