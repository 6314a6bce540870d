"""Every controller on every machine: who walks, how fast and how upright, or why not.

Run: ``python benchmarks/machines.py [--seeds 1] [--first-seed 100] [--machines a,...]
[--controllers a,...] [--out FILE.json]``. The table answers what chapter 4 of
[Ridderstrom2003] asks for: controllers of different kinds side by side on one machine.
Each walks for 12 s on level ground by the machine's own sensors and motors, at the
speed that it has unless told: its own on its own machine, half the similar one on
others. Files of the package ``example-robot-data`` are machines too, where installed.
Nothing is tuned for a pair. Exits 1 when a machine falls by its own controller.
"""

import argparse
import json
import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import equipoise as eq
from equipoise.control.recipe import CONTROLLERS
from equipoise.core.errors import EquipoiseError
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.runs.walk.walk import WalkConfig, walk_robot

FILES = {
    "hyq": "hyq_no_sensors.urdf",
    "anymal_c": "anymal_c_simple_description/urdf/anymal.urdf",
    "go2": "go2.urdf",
}
SECONDS = 12.0
LATE = 6.0  # from when on the speed counts: all ramps are over [s]


def machines() -> dict[str, str | Path]:
    """Return the machines by name: built in, and files where they are installed."""
    names = [name for name in builtin_names() if builtin(name).task == "walk"]
    found: dict[str, str | Path] = {name: name for name in names}
    try:
        installed = files("example-robot-data") or []
    except PackageNotFoundError:
        return found
    for name, ending in FILES.items():
        paths = [f for f in installed if str(f).endswith(f"/{ending}")]
        if paths:
            found[name] = Path(str(paths[0].locate()))
    return found


def walked(machine: str | Path, controller: str, seed: int) -> dict[str, Any]:
    """Return what one walk gave; ``unfit`` where it was refused."""
    config = WalkConfig(controller=controller, seconds=SECONDS, seed=seed)
    try:
        result = walk_robot(eq.load(machine), config)
    except EquipoiseError as error:
        return {"unfit": str(error)}
    s, run = result.summary, result.run
    late = run.time >= LATE
    way = run.p_WB[late, :2]
    lasted = float(run.time[-1]) - LATE
    return {
        "fell": s["fell"],
        "asked_mps": s["settings"]["speed"],
        "speed_mps": float(sum((way[-1] - way[0]) ** 2) ** 0.5) / lasted
        if len(way) > 1
        else 0.0,
        "tilt_max_deg": max(s["roll_max_deg"], s["pitch_max_deg"]),
        "cost_of_transport": s["cost_of_transport"],
    }


def cell(runs: list[dict[str, Any]]) -> str:
    """Return a pair's runs for people."""
    if "unfit" in runs[0]:
        return "unfit"
    upright = [run for run in runs if not run["fell"]]
    if not upright:
        return "falls"
    speed = min(run["speed_mps"] / run["asked_mps"] for run in upright)
    tilt = max(run["tilt_max_deg"] for run in upright)
    fell = "" if len(upright) == len(runs) else f" {len(upright)}/{len(runs)}"
    return f"{runs[0]['asked_mps']:.2f} m/s: {100 * speed:.0f} %, {tilt:.1f}°{fell}"


def main() -> int:
    """Walk all pairs, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--machines", default="")
    parser.add_argument("--controllers", default="")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    known, seeds = machines(), range(given.first_seed, given.first_seed + given.seeds)
    names = [n for n in given.machines.split(",") if n] or list(known)
    controllers = [n for n in given.controllers.split(",") if n] or CONTROLLERS.names()
    told: dict[str, dict[str, list[dict[str, Any]]]] = {}
    print("| machine | " + " | ".join(f"`{c}`" for c in controllers) + " |")
    print("| --- |" + " --- |" * len(controllers))
    for name in names:
        told[name] = {
            controller: [walked(known[name], controller, seed) for seed in seeds]
            for controller in controllers
        }
        row = " | ".join(cell(told[name][controller]) for controller in controllers)
        print(f"| {name} | {row} |", flush=True)
    if given.out is not None:
        given.out.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    own = [(n, builtin(n).controller) for n in names if n in builtin_names()]
    fallen = [
        name
        for name, controller in own
        if any(run.get("fell", True) for run in told[name].get(controller, []))
    ]
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
