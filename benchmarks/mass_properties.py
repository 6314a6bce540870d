"""Speed and accuracy of two-pass mass properties, beside MuJoCo, Pinocchio and NumPy.

Run: ``python benchmarks/mass_properties.py [--quick] [--out FILE.json]``. Times are the
processor time of this process (other programs do not count), wall time beside it.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from equipoise.spatial import MassProperties, tree_mass
from oracles.trees import chain_of_modules, mujoco_model, random_tree

KINDS = ("chain", "branch5", "binary")


def timed(job: Callable[[], object], repeats: int) -> dict[str, float]:
    """Return median, least and largest processor time, and median wall time [s]."""
    job()
    cpu, wall = [], []
    for _ in range(repeats):
        start, at = time.process_time(), time.perf_counter()
        job()
        cpu.append(time.process_time() - start)
        wall.append(time.perf_counter() - at)
    return {
        "cpu_s": float(np.median(cpu)),
        "cpu_min_s": min(cpu),
        "cpu_max_s": max(cpu),
        "wall_s": float(np.median(wall)),
        "wall_min_s": min(wall),
    }


def parents(kind: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return parent indices; branch5: a random node with fewer than 5 children."""
    if kind == "chain":
        return np.arange(-1, n - 1)
    if kind == "binary":
        return np.r_[-1, np.arange(n - 1) // 2]
    parent, count, open_nodes = np.full(n, -1), np.zeros(n, int), [0]
    for k, draw in enumerate(rng.random(n - 1), start=1):
        slot = int(draw * len(open_nodes))
        up = parent[k] = open_nodes[slot]
        count[up] += 1
        if count[up] == 5:
            open_nodes[slot] = open_nodes[-1]
            open_nodes.pop()
        open_nodes.append(k)
    return parent


def arrays(kind: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return parent, R_PC, p_PC and additive rows of n random nodes."""
    w, x, y, z = (q := rng.standard_normal((4, n))) / np.linalg.norm(q, axis=0)
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    points = rng.normal(scale=0.1, size=(n, 5, 4))
    points[..., 3] = 1
    S = 0.1 * np.einsum("nki,nkj->nij", points, points)
    own = S[:, (3, 0, 1, 2, 0, 0, 0, 1, 1, 2), (3, 3, 3, 3, 0, 1, 2, 1, 2, 2)]
    R_PC = np.ascontiguousarray(R.transpose(2, 0, 1))
    p_PC = rng.normal(scale=0.1, size=(n, 3))
    return parents(kind, n, rng), R_PC, p_PC, np.ascontiguousarray(own)


def speed(sizes: list[int]) -> list[dict[str, Any]]:
    """Return the table of times, with the log-log slope over sizes of each row kind."""
    table: list[dict[str, Any]] = []
    for kind in KINDS:
        for dtype in (np.float64, np.float32):
            for n in sizes:
                tree = arrays(kind, n, np.random.default_rng(1))
                parent, *rest = tree
                inputs = [a.astype(dtype) for a in rest]
                row = timed(lambda p=parent, i=inputs: tree_mass(p, *i), 7)
                table.append({"tree": kind, "dtype": dtype.__name__, "nodes": n, **row})
                print(
                    f"{kind:8} {dtype.__name__} {n:>8} {row['cpu_s'] * 1e3:9.2f} ms "
                    f"[{row['cpu_min_s'] * 1e3:.2f}, {row['cpu_max_s'] * 1e3:.2f}] "
                    f"{row['wall_s'] * 1e3:9.2f} ms wall"
                )
            times = [r["cpu_min_s"] for r in table[-len(sizes) :]]
            slope = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
            table[-1]["slope"] = slope
            print(f"{kind:8} {dtype.__name__} slope {slope:.3f} (1 is linear)")
    return table


def plain_numpy(tree: Any) -> np.ndarray:
    """Return each subtree's (4, 4) form by a Python loop over nodes."""
    S = np.array([b.second_moment for b in tree.bodies])
    X = np.eye(4)
    for k in range(len(S) - 1, 0, -1):
        X[:3, :3], X[:3, 3] = tree.R_PC[k], tree.p_PC[k]
        S[tree.parent[k]] += X @ S[k] @ X.T
    return S


def pinocchio_job(model: mujoco.MjModel) -> Callable[[], object] | None:
    """Return ccrba on the same chain, or None where pin is not installed."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    twin = pin.Model()
    up = 0
    for b in range(1, model.nbody):
        quat = pin.Quaternion(*(float(x) for x in model.body_quat[b]))
        place = pin.SE3(quat, model.body_pos[b])
        up = twin.addJoint(up, pin.JointModelRZ(), place, str(b))
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, model.body_iquat[b])
        turn = turn.reshape(3, 3)
        inertia = turn @ np.diag(model.body_inertia[b]) @ turn.T
        body = pin.Inertia(float(model.body_mass[b]), model.body_ipos[b], inertia)
        twin.appendBodyToJoint(up, body, pin.SE3.Identity())
    data, q = twin.createData(), pin.neutral(twin)
    v = np.zeros(twin.nv)
    return lambda: pin.ccrba(twin, data, q, v)


def rivals(n: int) -> dict[str, Any]:
    """Return times on one random chain of n bodies, and their ratios to ours."""
    tree = random_tree("chain", n, np.random.default_rng(2))
    model = mujoco_model(tree)
    data = mujoco.MjData(model)
    own = tree.own

    def engine() -> None:
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)

    jobs: dict[str, Callable[[], object] | None] = {
        "ours": lambda: tree_mass(tree.parent, tree.R_PC, tree.p_PC, own),
        "mujoco_kinematics_compos": engine,
        # building its model takes minutes beyond this
        "pinocchio_ccrba": pinocchio_job(model) if n <= 300 else None,
        "plain_numpy_subtree_only": lambda: plain_numpy(tree),
    }
    out: dict[str, Any] = {"nodes": n}
    for name, job in jobs.items():
        out[name] = None if job is None else timed(job, 7)["wall_min_s"]
    for name in list(jobs)[1:]:
        if out[name] is not None:
            out[f"ratio_{name}"] = out[name] / out["ours"]
            print(f"n {n}: {name} takes {out[f'ratio_{name}']:.2f} x ours")
    return out


def accuracy(trees: int) -> dict[str, float]:
    """Return the worst relative differences to MuJoCo over random trees."""
    worst = {"mass": 0.0, "com": 0.0, "inertia": 0.0}
    for seed in range(trees):
        n = 5 + 7 * (seed % 30)
        tree = random_tree("random", n, np.random.default_rng(seed))
        model = mujoco_model(tree)
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        rows = tree_mass(tree.parent, tree.R_PC, tree.p_PC, tree.own).whole
        # at the engine's rounding of c, the inertia's change is second order
        com, total = data.subtree_com[1], float(model.body_subtreemass[1])
        arm = data.xipos[1:] - com
        turn = data.ximat[1:].reshape(-1, 3, 3)
        inertia = np.einsum("nij,nj,nkj->ik", turn, model.body_inertia[1:], turn)
        C = np.einsum("n,ni,nj->ij", model.body_mass[1:], arm, arm)
        inertia += np.trace(C) * np.eye(3) - C
        for k in range(n):
            b = model.body(str(k)).id
            seen = MassProperties.from_vector(rows[k])
            seen = seen.transformed(data.xmat[b].reshape(3, 3), data.xpos[b])
            size = np.abs(data.xipos[1:] - data.xpos[b]).max()
            off = {
                "mass": abs(seen.mass - total) / total,
                "com": np.abs(seen.com - com).max() / size,
                "inertia": np.abs(seen.inertia - inertia).max() / np.trace(inertia),
            }
            worst = {key: max(worst[key], float(off[key])) for key in worst}
    print("worst difference to MuJoCo, relative:", worst)
    return worst


def single_precision() -> dict[str, Any]:
    """Return what float32 keeps of a straight 1000-module chain."""
    out: dict[str, Any] = {}
    for tilted in (False, True):
        tree = chain_of_modules(1000, tilted, np.random.default_rng(0))
        exact = tree_mass(tree.parent, tree.R_PC, tree.p_PC, tree.own)
        rows = np.array([b.to_factored_vector() for b in tree.bodies], np.float32)
        got = tree_mass(tree.parent, tree.R_PC, tree.p_PC, rows, layout="factored")
        com = exact.whole[:, 1:4] / exact.whole[:, :1]
        off = np.linalg.norm(got.whole[:, 1:4] / got.whole[:, :1] - com, axis=1)
        distance = np.linalg.norm(com, axis=1)
        bodies = [MassProperties.from_factored_vector(r) for r in got.whole]
        lowest = min(
            float(np.linalg.eigvalsh(b.inertia.astype(np.float64))[0]) for b in bodies
        )
        # the message about the last two modules: one alone has its centre at 0
        leaf = got.subtree[-2, 1:4] / got.subtree[-2, 0]
        leaf_off = leaf - exact.subtree[-2, 1:4] / exact.subtree[-2, 0]
        out["tilted" if tilted else "straight"] = {
            "leaf_error_w": float(np.abs(leaf_off).max() / 0.084),
            "whole_error_per_distance": float(np.max(off / distance)),
            "lowest_principal_moment": lowest,
        }
    print("float32, 1000 modules:", json.dumps(out))
    return out


def main() -> None:
    """Run everything, print it, and write it where --out says."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, help="JSON file to write")
    options.add_argument("--quick", action="store_true", help="up to 1e4 nodes")
    chosen = options.parse_args()
    sizes = [10**3, 10**4] if chosen.quick else [10**3, 10**4, 10**5, 10**6]
    rows = speed(sizes)
    largest = [
        row["cpu_s"]
        for row in rows
        if row["nodes"] == sizes[-1] and row["dtype"] == "float64"
    ]
    result = {
        "largest": {
            "nodes": sizes[-1],
            "trees": len(largest),
            "least_s": min(largest),
            "most_s": max(largest),
        },
        "speed": rows,
        "rivals": [rivals(n) for n in (100, 300, 1000)],
        "accuracy": accuracy(10 if chosen.quick else 100),
        "float32": single_precision(),
    }
    if chosen.out:
        chosen.out.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
