"""How fast do many robots at once walk, and one of them in MuJoCo?

Mean speed along the way commanded and rate of turn, over whole cycles from 4 s on, for
WARP1's trot as straight-line programs (single precision, on this machine), and as
``equipoise walk`` has it with real sensors, bus, motors and observer on the ground of
table 6.1 (``weak``) and on MuJoCo's own contacts; mean of three seeds.

    python benchmarks/many_speeds.py [--robot go2.urdf]
"""

import argparse

import numpy as np

from equipoise.robots.load import load
from equipoise.runs.many.walking_program import walking_program
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk_robot
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.robots import ManyRobots
from equipoise.spatial.rotations import matrix_from_quat

FROM, CYCLES, SEEDS = 4.0, 8, (1000, 1001, 1002)
ASKED = [(v, 0.0) for v in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)] + [
    (0.2, w) for w in (0.2, 0.4)
]


def yaw_of(quat):
    """Return headings from quaternions, (4, n)."""
    return np.array([np.arctan2(*matrix_from_quat(q)[1::-1, 0]) for q in quat.T])


def many(robot, asked, seconds):
    """Return speeds and rates of turn, all at once."""
    config = WalkConfig(ground="weak", friction=0.7)
    program = walking_program(robot, config)
    v, w = np.array(asked).T
    robots = ManyRobots(
        program,
        len(asked),
        settings={"speed": v, "turn": w},
        plan=KernelPlan(has_pushes=False),
        backend="host",
    )
    robots.run(round(FROM / program.tick))
    first = np.array(robots.state[:7], float)
    robots.run(round((seconds - FROM) / program.tick))
    last = np.array(robots.state[:7], float)
    return *moved(first, last, seconds - FROM, w), np.array(robots.fell) >= 0


def moved(first, last, time, turn):
    """Return speed along an arc and rate of turn between two poses, (7, n)."""
    far = np.hypot(*(last - first)[:2])
    angle = np.unwrap(np.stack([yaw_of(first[3:]), yaw_of(last[3:])]), axis=0)
    half = 0.5 * turn * time
    arc = np.where(np.abs(half) > 1e-6, half / np.sin(np.where(half, half, 1.0)), 1.0)
    return far * arc / time, (angle[1] - angle[0]) / time


def one(robot, ground, speed, turn, seconds):
    """Return speed and rate of turn of a walk in MuJoCo, and how many seeds fell."""
    found, falls = [], 0
    for seed in SEEDS:
        config = WalkConfig(
            ground=ground,
            speed=speed,
            turn=turn,
            seconds=seconds,
            friction=0.7,
            seed=seed,
        )
        result = walk_robot(robot, config)
        run, falls = result.run, falls + int(result.summary["fell"])
        k = int(np.searchsorted(run.time, FROM))
        poses = [run.qpos[i, :7, None] for i in (k, -1)]
        found.append(moved(*poses, run.time[-1] - run.time[k], np.array([turn])))
    return *np.mean(found, axis=0)[:, 0], falls


def main():
    """Print a row for each speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--robot", default="warp1")
    robot = load(parser.parse_args().robot)
    config = WalkConfig(ground="weak")
    cycle = next(
        s.value
        for s in walking_program(robot, config, varied=("clocked.cycle",)).settings
    )
    seconds = FROM + CYCLES * cycle
    rows = zip(ASKED, *many(robot, ASKED, seconds), strict=True)
    print("| asked m/s, rad/s | many | `walk --ground weak` | `walk` |")
    print("| --- | --- | --- | --- |")
    for (v, w), speed, turn, fell in rows:
        cells = ["fell" if fell else f"{speed:.3f}, {turn:+.3f}"]
        for ground in ("weak", "mujoco"):
            a, b, falls = one(robot, ground, v, w, seconds)
            cells.append(f"{falls} of 3 fell" if falls else f"{a:.3f}, {b:+.3f}")
        print(f"| {v:g}, {w:g} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
