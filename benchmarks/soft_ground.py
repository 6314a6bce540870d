"""Softest ground that a robot stands on: our criterion beside MuJoCo's own eigenvalues.

    python benchmarks/soft_ground.py [--stances 20] [--seed 52025] [--out FILE.json]

``mujoco.mjd_transitionFD`` linearises one time step of a body on sprung feet about its
equilibrium, which is followed as the springs are made softer; it falls where an
eigenvalue leaves the unit circle. That is what a user of MuJoCo can do without a
criterion. It shares no code with ``check``, which says at once how much softer the
ground may be. Stances are drawn at random (three to six feet, uneven ground, masses off
the middle), and robots of files stand as ``check`` puts them down, joints held. Needs
the tests of a checkout, and ``example-robot-data`` for the robots.
"""

import argparse
import json
import platform
import sys
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path
from typing import Any

import numpy as np

import equipoise as eq
from equipoise.robots.robot import Robot
from equipoise.stability import Foot, compliant_stance

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from oracles.soft_falls import SoftBody, SoftWorld, drawn_body

ROBOTS = (
    "go2_description/urdf/go2.urdf",
    "a1_description/urdf/a1.urdf",
    "anymal_c_simple_description/urdf/anymal.urdf",
    "solo_description/robots/solo12.urdf",
    "b1_description/urdf/b1.urdf",
)
STIFF = 2000.0  # of the ground under a foot where a robot is judged [N/m per kg]


def robots() -> Iterator[Robot]:
    """Yield WARP1 and the robots of files that are there."""
    yield eq.load("warp1")
    try:
        listed = files("example-robot-data") or []
    except PackageNotFoundError:
        return
    for end in ROBOTS:
        yield from (eq.load(str(f.locate())) for f in listed if str(f).endswith(end))


def judged(robot: Robot) -> tuple[SoftBody, float] | None:
    """Return how a robot stands, held, and ``check``'s factor; None if not known."""
    ground = STIFF * float(robot.model.body_mass.sum())
    result = eq.check(robot, ground_stiffness=ground, joints="held")
    stance, soft = result.stance, result.summary["compliance"]
    if soft is None or soft["multiplier"] is None:
        print(f"{robot.name}: left out, {'; '.join(result.summary['reasons'])}")
        return None
    middles = stance.points + stance.radii[:, None] * stance.normals
    stiffness = np.array(soft["contact_stiffness"])
    return SoftBody(stance.mass, middles - stance.com, stiffness), soft["multiplier"]


def drawn(seed: int, count: int) -> Iterator[tuple[str, SoftBody, float]]:
    """Yield random stances and the factor that the criterion gives."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        body = drawn_body(rng)
        feet = [
            Foot(arm, float(x))
            for arm, x in zip(body.arms, body.stiffness, strict=True)
        ]
        yield f"drawn {k}", body, compliant_stance(body.mass, feet).multiplier


def compared(name: str, body: SoftBody, ours: float) -> dict[str, Any]:
    """Return both factors of a stance, and how long MuJoCo's took."""
    began = time.process_time()
    theirs = SoftWorld(body).linear_end(ours)
    return {
        "stance": name,
        "mass_kg": body.mass,
        "feet": len(body.arms),
        "ours": ours,
        "transition_fd": theirs,
        "apart_percent": 100 * (ours / theirs - 1),
        "seconds": time.process_time() - began,
    }


def main() -> None:
    """Print a table, or write it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--stances", type=int, default=20, help="drawn at random")
    options.add_argument("--seed", type=int, default=52025)
    options.add_argument("--out", type=Path, help="JSON file to write")
    chosen = options.parse_args()
    rows: list[dict[str, Any]] = []
    print("stance, kg, contacts, smallest factor on every stiffness: ours, MuJoCo's")
    cases = [(robot.name, *said) for robot in robots() if (said := judged(robot))]
    for name, body, ours in [*cases, *drawn(chosen.seed, chosen.stances)]:
        row = compared(name, body, ours)
        rows.append(row)
        print(
            f"{name:14} {row['mass_kg']:6.1f} {row['feet']:3} {ours:.6f} "
            f"{row['transition_fd']:.6f} {row['apart_percent']:+.4f} %",
            flush=True,
        )
    apart = np.abs([row["apart_percent"] for row in rows])
    print(
        f"{len(rows)} stances: apart by {np.median(apart):.4f} % (median), "
        f"{apart.max():.4f} % at most; MuJoCo {version('mujoco')}, "
        f"{platform.machine()}"
    )
    if chosen.out:
        report = {
            "seed": chosen.seed,
            "stances": len(rows),
            "median_percent": float(np.median(apart)),
            "most_percent": float(apart.max()),
            "rows": rows,
        }
        chosen.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
