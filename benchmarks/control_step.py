"""Time of one step of WARP1's walking controller, from readings to voltages.

    python benchmarks/control_step.py [--seconds 3] [--rounds 15] [--out FILE.json]

Readings are recorded from a walk with real sensors, motors and bus, and then given to
the controller again, round by round, gaits in turn so that a slow spell of the machine
meets all. Processor time of the thread, the median step of each round; printed are the
median and the best of the rounds. Prints JSON; exits 1 when the best trot takes more
than 30 microseconds.
"""

import argparse
import copy
import json
import math
import sys
from pathlib import Path
from time import thread_time_ns

import numpy as np

from equipoise.control.machine import legged_machine
from equipoise.control.pilot import WalkingGoal
from equipoise.control.walker import walker, walker_config
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout

GOAL = 30.0  # microseconds a step
CASES = {"trot": 0.4, "crawl": 0.1}  # speeds [m/s]


class Recorder:
    """A controller that keeps all readings it is given."""

    def __init__(self, inner):
        self.inner, self.readings = inner, []

    def init(self):
        """Return the controller's state, with nothing kept yet."""
        self.readings.clear()
        return self.inner.init()

    def step(self, readings, state):
        """Keep the readings and pass them on."""
        self.readings.append(copy.deepcopy(readings))
        return self.inner.step(readings, state)


def recorded(gait, speed, seconds):
    """Return a controller and the readings of a walk that it made."""
    robot, config = warp1(), walker_config(gait)
    machine = legged_machine(robot, height=config.height)
    controller = walker(machine, (WalkingGoal(time=0.5, forward=speed),), config)
    world = machine_world(robot, "flat", joint_noise=math.radians(1.0), seed=1)
    recorder = Recorder(controller)
    run = rollout(world, recorder, seconds, plant=MachineConfig.real(1))
    if not run.is_finite:
        raise SystemExit(f"the run broke off: {run.outcome}")
    return controller, recorder.readings


def median_step(controller, readings):
    """Return the median time of a step over all readings [us]."""
    state, times = controller.init(), np.empty(len(readings))
    for k, reading in enumerate(readings):
        began = thread_time_ns()
        _, state = controller.step(reading, state)
        times[k] = thread_time_ns() - began
    return 1e-3 * float(np.median(times))


def clock_cost():
    """Return what reading the clock twice takes [us]."""
    times = [-(thread_time_ns() - thread_time_ns()) for _ in range(2000)]
    return 1e-3 * float(np.median(times))


def main():
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    walks = {gait: recorded(gait, v, args.seconds) for gait, v in CASES.items()}
    times = {gait: [] for gait in walks}
    for _ in range(args.rounds):
        for gait, (controller, readings) in walks.items():
            times[gait].append(median_step(controller, readings) - clock_cost())
    report = {
        gait: {"median_us": float(np.median(row)), "best_us": min(row)}
        for gait, row in times.items()
    }
    missed = [name for name in ("trot",) if report[name]["best_us"] > GOAL]
    text = json.dumps({"step": report, "goal_us": GOAL, "missed": missed}, indent=2)
    print(text)
    if args.out is not None:
        args.out.write_text(text)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
