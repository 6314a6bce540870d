"""Speed and agreement of the friction region, beside pypoman, hpp and linear programs.

Run: ``python benchmarks/region.py [--quick] [--out FILE.json]``. All jobs take turns on
the same contacts, so that other programs' load falls on all of them; ratios are of
medians, and the others' set-up is not counted. Ours has true cones, the others pyramids
(8 sides for speed, as their users take; 16 for agreement). What is not installed is
null; the wheel of hpp finds its own libraries only with the folder ``cmeel.prefix/lib``
in LD_LIBRARY_PATH.
"""

import argparse
import importlib
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linprog

from equipoise.stability.region.region import RegionKind, equilibrium_region

GAP = 1e-2
Contacts = tuple[np.ndarray, np.ndarray, float]
Job = Callable[[], object]


def stance(nc: int, lean_deg: float, rng: np.random.Generator) -> Contacts:
    """Return feet some 0.3 m from a centre, on ground that leans up to an angle."""
    turns = (np.arange(nc) + rng.uniform(-0.3, 0.3, nc)) * 2 * math.pi / nc
    reach = rng.uniform(0.2, 0.4, nc)
    heights = rng.uniform(-0.1, 0.1, nc)
    points = np.c_[reach * np.cos(turns), reach * np.sin(turns), heights]
    lean, way = np.deg2rad(rng.uniform(0, lean_deg, nc)), rng.uniform(0, 7, nc)
    side = np.sin(lean)
    return points, np.c_[side * np.cos(way), side * np.sin(way), np.cos(lean)], 0.6


def edges(contacts: Contacts, sides: int) -> np.ndarray:
    """Return force and moment of all edges of pyramids in the cones, (6, n)."""
    turns = np.arange(sides) * 2 * math.pi / sides
    columns = []
    for p, n in zip(contacts[0], contacts[1], strict=True):
        tangents = np.linalg.svd(n[None])[2][1:]
        forces = n + contacts[2] * np.c_[np.cos(turns), np.sin(turns)] @ tangents
        columns.append(np.c_[forces, np.cross(p, forces)])
    return np.concatenate(columns).T


def polytope(contacts: Contacts, sides: int) -> tuple[Any, Any, Any]:
    """Return the same pyramids as pypoman wants them: projection, faces, equalities."""
    points, normals, friction = contacts
    nc = len(points)
    turns = (np.arange(sides) + 0.5) * 2 * math.pi / sides
    faces = np.zeros((sides * nc, 3 * nc))
    wrench = np.zeros((6, 3 * nc))
    for i, (p, n) in enumerate(zip(points, normals, strict=True)):
        tangents = np.linalg.svd(n[None])[2][1:]
        ways = np.c_[np.cos(turns), np.sin(turns)] @ tangents
        rows, columns = slice(sides * i, sides * (i + 1)), slice(3 * i, 3 * i + 3)
        faces[rows, columns] = ways - friction * math.cos(math.pi / sides) * n
        wrench[:3, columns] = np.eye(3)
        wrench[3:, columns] = np.cross(p, np.eye(3)).T
    projection = np.array([-wrench[4], wrench[3]]), np.zeros(2)
    equal = wrench[[0, 1, 2, 5]], np.array([0.0, 0.0, 1.0, 0.0])
    return projection, (faces, np.zeros(len(faces))), equal


def our_job(contacts: Contacts) -> Job:
    """Return the whole of ours, from the contacts on."""
    return lambda: equilibrium_region(*contacts, gap=GAP)


def pypoman_job(contacts: Contacts) -> Job | None:
    """Return pypoman's projection alone, or None where it is not installed."""
    try:
        project: Any = importlib.import_module("pypoman").project_polytope
    except ImportError:
        return None
    ready = polytope(contacts, 8)
    return lambda: project(*ready, method="bretl")


def linear_job(contacts: Contacts) -> Job:
    """Return as many linear programs as ours solves cones at least, one a foot."""
    wrench = edges(contacts, 8)
    turns = np.arange(len(contacts[0])) * 2 * math.pi / len(contacts[0])
    gains = [math.cos(t) * wrench[4] - math.sin(t) * wrench[3] for t in turns]
    rows, target = wrench[[0, 1, 2, 5]], [0.0, 0.0, 1.0, 0.0]
    return lambda: [linprog(gain, A_eq=rows, b_eq=target) for gain in gains]


JOBS: dict[str, Callable[[Contacts], Job | None]] = {
    "ours": our_job,
    "pypoman_8_sides": pypoman_job,
    "scipy_one_program_a_foot": linear_job,
}


def speed(nc: int, lean_deg: float, rounds: int) -> dict[str, Any]:
    """Return medians [ms] of all jobs on the same contacts, and ratios to ours."""
    rng = np.random.default_rng(0)
    times: dict[str, list[float]] = {name: [] for name in JOBS}
    done = 0
    while done < rounds:
        contacts = stance(nc, lean_deg, rng)
        if equilibrium_region(*contacts, gap=GAP).kind is not RegionKind.AREA:
            continue
        done += 1
        for name, prepare in JOBS.items():
            if (job := prepare(contacts)) is not None:
                start = time.perf_counter()
                job()
                times[name].append(time.perf_counter() - start)
    out: dict[str, Any] = {"contacts": nc, "lean_deg": lean_deg}
    for name, taken in times.items():
        out[f"{name}_ms"] = 1e3 * float(np.median(taken)) if taken else None
    for name in list(JOBS)[1:]:
        taken = out[f"{name}_ms"]
        out[f"{name}_over_ours"] = None if taken is None else taken / out["ours_ms"]
    return out


def hpp() -> Any:
    """Return hpp-centroidal-dynamics, or None where it cannot be imported."""
    try:
        return importlib.import_module("hpp_centroidal_dynamics")
    except ImportError:
        return None


def hpp_holds(peer: Any, contacts: Contacts) -> Callable[[np.ndarray], bool]:
    """Return hpp's membership test with 16-sided pyramids."""
    points, normals, friction = contacts
    test = peer.Equilibrium("region", 1.0, 16)
    algorithm = peer.EquilibriumAlgorithm.EQUILIBRIUM_ALGORITHM_DLP
    test.setNewContacts(points, normals, friction, algorithm)

    def holds(xy: np.ndarray) -> bool:
        status, robustness = test.computeEquilibriumRobustness(np.array([*xy, 0.3]))
        return status == peer.LP_status.LP_STATUS_OPTIMAL and robustness >= 0.0

    return holds


def linear_holds(contacts: Contacts) -> Callable[[np.ndarray], bool]:
    """Return the same test as a linear program."""
    wrench = edges(contacts, 16)

    def holds(xy: np.ndarray) -> bool:
        target = [0, 0, 1, xy[1], -xy[0], 0]
        return linprog(np.zeros(wrench.shape[1]), A_eq=wrench, b_eq=target).status == 0

    return holds


def agreement(stances: int, points: int) -> dict[str, Any]:
    """Return how many points beyond 1 cm of the edge are judged otherwise."""
    rng = np.random.default_rng(1)
    peer = hpp()
    out: dict[str, Any] = {"points": 0, "inside": 0, "other_linear": 0}
    out["other_hpp_16_sides"] = None if peer is None else 0
    for k in range(stances):
        contacts = stance(3 + k % 4, (15, 50)[k % 2], rng)
        region = equilibrium_region(*contacts)
        if region.kind is not RegionKind.AREA:
            continue
        linear = linear_holds(contacts)
        other = None if peer is None else hpp_holds(peer, contacts)
        for xy in rng.uniform(-0.5, 0.5, (points, 2)):
            if abs(region.margin(xy)) <= 0.01:
                continue
            inside = region.contains(xy)
            out["points"] += 1
            out["inside"] += inside
            out["other_linear"] += linear(xy) is not inside
            if other is not None:
                out["other_hpp_16_sides"] += other(xy) is not inside
    return out


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, help="JSON file to write")
    options.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    chosen = options.parse_args()
    rounds = 10 if chosen.quick else 100
    result = {
        "speed": [speed(nc, lean, rounds) for nc in (3, 4, 6) for lean in (20, 50)],
        "agreement": agreement(10 if chosen.quick else 60, 100),
    }
    text = json.dumps(result, indent=1)
    print(text)
    if chosen.out:
        chosen.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
