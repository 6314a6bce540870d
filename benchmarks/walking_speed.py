"""Cost of a simulated millisecond of WARP1: physics, drives, sensors, bus, loop.

    python benchmarks/walking_speed.py [--seconds 4] [--rounds 5] [--out FILE.json]

The machine stands on each kind of ground, held by a compiled joint law that costs next
to nothing, at 500 Hz with physics at 1 kHz. Processor time of the loop, without the
controller's, warm, best of some rounds. Prints JSON; exits 1 when a number to reach is
missed: 60 microseconds with ideal drives, 90 with motors, sensors and buses, on level
ground.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from equipoise.core.contracts import Command
from equipoise.core.jit import compiled
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout

ELASTIC = MachineConfig(
    actuators=ActuatorConfig(kind="elastic"),
    sensors=SensorConfig(kind="real", shaft="motor"),
    bus=BusConfig(),
)
CASES = {
    "ideal": (MachineConfig(), 60.0),
    "motors": (MachineConfig(actuators=ActuatorConfig(kind="motor")), 90.0),
    "motors, sensors, bus": (MachineConfig.real(), 90.0),
    "elastic, sensors, bus": (ELASTIC, 90.0),
}
GROUNDS = (
    ("flat", "mujoco"),
    ("flat", "weak"),
    ("slope:15", "mujoco"),
    ("blocks:4", "mujoco"),
)


@compiled(allocates=False)
def hold(q, v, start, tau):
    for j in range(q.shape[0]):
        tau[j] = 3000.0 * (start[j] - q[j]) - 300.0 * v[j]


class Hold:
    """Holds the joints at their angles of the start."""

    def __init__(self, start):
        self.start = start

    def init(self):
        """Return room for the torques."""
        return np.zeros_like(self.start)

    def step(self, readings, tau):
        """Return the torques that hold."""
        hold(readings.q, readings.v, self.start, tau)
        return Command(tau, {}), tau


def cost(world, config, seconds, rounds):
    """Return microseconds a simulated millisecond, by part."""
    law = Hold(world.start().qpos[world.q_address])
    best = None
    for _ in range(rounds):
        run = rollout(world, law, seconds, plant=config)
        if not run.is_finite:
            raise SystemExit(f"the run broke off: {run.outcome}")
        best = run.cpu if best is None else min(best, run.cpu)
    scale = 1e3 / seconds
    return {
        "loop": scale * (best.total - best.control),
        "physics": scale * best.physics,
        "sensing": scale * best.sensing,
    }


def main():
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    robot, report, missed = warp1(), {}, []
    for name, (config, goal) in CASES.items():
        is_rigid = config.actuators.kind != "elastic"
        for terrain, ground in GROUNDS:
            world = machine_world(robot, terrain, ground=ground, rigid_drives=is_rigid)
            row = cost(world, config, args.seconds, args.rounds)
            report[f"{name}; {terrain}, {ground}"] = row
            if (terrain, ground) == GROUNDS[0] and row["loop"] > goal:
                missed.append(name)
    text = json.dumps({"us_per_ms": report, "missed": missed}, indent=2)
    print(text)
    if args.out is not None:
        args.out.write_text(text)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
