"""Public quadrupeds walk from their files: falls, speed, attitude and chatter.

Run: ``python benchmarks/robot_files.py [--seeds 20] [--first-seed 1000] [--only
"trot;crawl"] [--robots a1,...] [--held-out DIR] [--out FILE.json]``. Files are those of
the package ``example-robot-data``; sensors, bus, delay and motors are on, friction 0.6
to 0.8 and joint angles at the start differ from seed to seed. All nine were looked at
while gains were chosen, with seeds below 10; do not report on those seeds. With
``--held-out`` the robots are those that nothing was tuned on instead: DIR has the
checkouts ``mujoco_menagerie`` and ``unitree_ros``. Exits 1 when a number that is asked
for is missed.
"""

import argparse
import hashlib
import json
import sys
from importlib.metadata import files
from pathlib import Path
from typing import Any

import numpy as np

import equipoise as eq
from equipoise.control.machine import legged_machine
from equipoise.core.errors import EquipoiseError
from equipoise.robots.legged import legged_robot
from equipoise.runs.walk.walk import WalkConfig, walk_robot

ROBOTS = {
    "a1": "a1.urdf",
    "go1": "go1.urdf",
    "go2": "go2.urdf",
    "b1": "b1.urdf",
    "laikago": "laikago.urdf",
    "anymal_b": "anymal_b_simple_description/robots/anymal.urdf",
    "anymal_c": "anymal_c_simple_description/urdf/anymal.urdf",
    "hyq": "hyq_no_sensors.urdf",
    "solo12": "solo12.urdf",
}
UNITREE = "unitree_ros/robots"
HELD_OUT = {
    "spot": "mujoco_menagerie/boston_dynamics_spot/spot.xml",
    "spot_arm": "mujoco_menagerie/boston_dynamics_spot/spot_arm.xml",
    "barkour_v0": "mujoco_menagerie/google_barkour_v0/barkour_v0.xml",
    "barkour_vb": "mujoco_menagerie/google_barkour_vb/barkour_vb.xml",
    "aliengo": f"{UNITREE}/aliengo_description/urdf/aliengo.urdf",
    "a2": f"{UNITREE}/a2_description/urdf/a2.urdf",
    "as2": f"{UNITREE}/as2_description/urdf/as2.urdf",
    "b2": f"{UNITREE}/b2_description/urdf/b2_description.urdf",
}
TASKS: dict[str, dict[str, Any]] = {
    "trot": {"gait": "trot", "seconds": 10.0},
    "trot, v* 0.3": {"gait": "trot", "seconds": 10.0, "star": 0.3},
    "crawl": {"gait": "crawl", "seconds": 10.0},
    "push 0.3 N s/kg": {"gait": "trot", "seconds": 8.0, "kick": 0.3},
    "push 0.6 N s/kg": {"gait": "trot", "seconds": 8.0, "kick": 0.6},
    "blocks 0.1 h": {"gait": "trot", "seconds": 10.0, "terrain": "blocks:0.1h"},
}
SPEED, ROLL, CHATTER = 0.05, 8.0, 0.05  # asked for at the trot, v* 0.18
STAND, PUSHED = 0.95, 0.9  # share that does not fall, at least


def robot_path(ending: str) -> Path:
    """Return an installed file by the end of its path."""
    found = [
        f for f in files("example-robot-data") or [] if str(f).endswith(f"/{ending}")
    ]
    return Path(str(found[0].locate()))


def row(path: Path, task: str, seeds: range) -> dict[str, Any]:
    """Return what some walks of a robot gave."""
    how = dict(TASKS[task])
    robot = eq.load(path)
    machine = legged_machine(legged_robot(robot))
    star, kick = how.pop("star", None), how.pop("kick", 0.0)
    if star is not None:
        how["speed"] = star * float(np.sqrt(9.81 * machine.height))
    try:
        told = [
            walk_robot(
                robot, WalkConfig(**how, push=kick * machine.mass, seed=seed)
            ).summary
            for seed in seeds
        ]
    except EquipoiseError as refusal:
        return {
            "mass_kg": machine.mass,
            "falls": 0,
            "seeds": 0,
            "refused": str(refusal),
        }
    upright = [s for s in told if not s["fell"]]
    worst = max((abs(s["speed_error"]) for s in upright), default=None)
    margins = [s["static_margin_p5_m"] for s in upright]
    return {
        "mass_kg": machine.mass,
        "falls": len(told) - len(upright),
        "fallen_seeds": [
            seed for seed, s in zip(seeds, told, strict=True) if s["fell"]
        ],
        "seeds": len(told),
        "speed_mps": told[0]["settings"]["speed"],
        "speed_error_most": worst,
        "roll_p95_deg_most": max((s["roll_p95_deg"] for s in upright), default=None),
        "chatter_most": max((s["chatter"] for s in upright), default=None),
        "static_margin_p5_m_least": min(margins, default=None),
        "cost_of_transport": float(np.median([s["cost_of_transport"] for s in upright]))
        if upright
        else None,
        "realtime_factor": float(np.median([s["realtime_factor"] for s in told])),
    }


def is_met(task: str, found: dict[str, Any]) -> bool:
    """Say whether a row is what is asked for."""
    if "refused" in found:
        return False
    share = 1.0 - found["falls"] / found["seeds"]
    if "push" in task:
        return share >= PUSHED
    if task == "trot":
        return (
            share >= STAND
            and found["speed_error_most"] <= SPEED
            and found["roll_p95_deg_most"] <= ROLL
            and found["chatter_most"] <= CHATTER
        )
    return share >= STAND


def main() -> int:
    """Walk, print a line a robot and task, and return 1 if a number is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--only", default="")
    parser.add_argument("--robots", default="")
    parser.add_argument("--held-out", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    paths = (
        {name: robot_path(ending) for name, ending in ROBOTS.items()}
        if asked.held_out is None
        else {name: asked.held_out / path for name, path in HELD_OUT.items()}
    )
    if asked.robots:
        paths = {name: paths[name] for name in asked.robots.split(",")}
    seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
    tasks: dict[str, dict[str, Any]] = {}
    missed = 0
    for task in asked.only.split(";") if asked.only else TASKS:
        tasks[task] = {}
        for name, path in paths.items():
            found = tasks[task][name] = row(path, task, seeds)
            missed += not is_met(task, found)
            verdict = "" if is_met(task, found) else "  MISSED"
            print(f"{task}, {name}: {json.dumps(found)}{verdict}", flush=True)
    if asked.out:
        report = {
            "seeds": [seeds.start, seeds.stop - 1],
            "sha256": {
                name: hashlib.sha256(path.read_bytes()).hexdigest()
                for name, path in paths.items()
            },
            "tasks": tasks,
        }
        asked.out.write_text(json.dumps(report, indent=2) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
