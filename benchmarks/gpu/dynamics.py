"""Equations of motion of many robots on one graphics card: how fast, and how right.

    python benchmarks/gpu/dynamics.py --write out/gpu/dynamics   # where MuJoCo is
    python benchmarks/gpu/dynamics.py out/gpu/dynamics           # where the card is

The first writes kernels of WARP1 and of the Unitree Go2 with states and what the CPU
computes for them; the second needs NumPy and CuPy or PyTorch alone. A rate is robots a
second, states read from the card's memory and results written there, the best of
several launches of 4 M robots, timed by the card's own clock.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from equipoise.equations.cuda.batch import open_kernels

COUNT = 1 << 22
KNOWN = 1024  # states with a result from the CPU
REPEATS = 7
KINDS = {"single": np.float32, "double": np.float64}
ASKED = {"single": 5e9, "double": 2e9}
GO2 = ("go2_description/urdf/go2.urdf", ("FL_foot", "FR_foot", "RL_foot", "RR_foot"))


def write(folder: Path) -> None:
    """Write kernels, states and results of the CPU."""
    import equipoise as eq
    from equipoise.equations.robot.gpu_kernels import robot_cuda

    folder.mkdir(parents=True, exist_ok=True)
    import pinocchio  # its package brings the robots' files

    robots = Path(pinocchio.__file__).parents[4] / "share/example-robot-data/robots"
    for name, file, feet in (
        ("warp1", "warp1", None),
        ("go2", str(robots / GO2[0]), GO2[1]),
    ):
        motion = eq.derive(eq.load(file), parameters="numbers", feet=feet)
        for precision in KINDS:
            names = ["forward_on_feet", "forward_dynamics", "inverse_dynamics"]
            names += ["feet", "foot_velocities", "com"]
            parts = [("", names)]
            parts += [("_linear", ["linearization"])] * (name == "warp1")
            for part, which in parts:
                prefix = f"{name}_{precision}{part}"
                text = robot_cuda(motion.functions, prefix, precision, which)
                (folder / f"{prefix}.cu").write_text(text.text)
                info = json.dumps(text.info())
                (folder / f"{prefix}_info.json").write_text(info)
        np.savez(folder / f"{name}.npz", **states_and_results(motion))


def states_and_results(motion):
    """Return inputs and results by name, (rows, robots), in double precision."""
    rng = np.random.default_rng(0)
    q = np.tile(motion.start, (KNOWN, 1)) + rng.normal(0, 0.3, (KNOWN, motion.nq))
    q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1)[:, None]
    v, vdot = rng.normal(size=(2, KNOWN, motion.nv))
    tau = 10 * rng.normal(size=(KNOWN, motion.nv))
    forces = 50 * rng.normal(size=(KNOWN, len(motion.feet), 3))
    card = motion.on_gpu(precision="double", exact=True, backend="host")
    given = {"q": q, "v": v, "vdot": vdot, "tau": tau, "forces": forces}
    given = {k: x.reshape(KNOWN, -1).T.copy() for k, x in given.items()}
    found = dict(given)
    for name, inputs in (
        ("forward_on_feet", ("q", "v", "tau", "forces")),
        ("forward_dynamics", ("q", "v", "tau")),
        ("inverse_dynamics", ("q", "v", "vdot")),
        ("feet", ("q",)),
        ("foot_velocities", ("q", "v")),
        ("com", ("q",)),
    ):
        found[f"{name}_0"] = card.call(name, *(given[k] for k in inputs))[0]
    if motion.robot.name != "warp1":  # one robot will do: it is a long kernel
        return found
    few = {k: np.ascontiguousarray(x[:, :32]) for k, x in given.items()}
    q, v, tau, vdot = (few[k] for k in ("q", "v", "tau", "vdot"))
    a, b = card.call("linearization", q, v, vdot, tau)
    return {**found, "linearization_0": a, "linearization_1": b}


class Card:
    """CuPy or PyTorch: arrays on the card and its clock."""

    def __init__(self, name: str) -> None:
        self.name = name
        if name == "cupy":
            import cupy

            self.package = cupy
            self.put = cupy.asarray
            self.get = cupy.asnumpy
            about = cupy.cuda.runtime.getDeviceProperties(0)
            self.device = about["name"].decode()
        else:
            import torch

            self.package = torch
            self.put = lambda x: torch.from_numpy(x).cuda()
            self.get = lambda x: x.cpu().numpy()
            self.device = torch.cuda.get_device_name()

    def seconds(self, work) -> float:
        """Return how long some work took on the card, the best of several."""
        cuda, best = self.package.cuda, np.inf
        events = (
            (lambda: cuda.Event())
            if self.name == "cupy"
            else (lambda: cuda.Event(enable_timing=True))
        )
        work()
        for _ in range(REPEATS):
            start, end = events(), events()
            start.record()
            work()
            end.record()
            end.synchronize()
            best = min(best, self.elapsed(start, end))
        return best

    def elapsed(self, start, end) -> float:
        """Return seconds between two events."""
        if self.name == "cupy":
            return self.package.cuda.get_elapsed_time(start, end) / 1e3
        return start.elapsed_time(end) / 1e3


def measure(folder: Path, prefix: str, card: Card, exact: bool, count: int) -> list:
    """Return a row for each kernel of a file."""
    start = time.perf_counter()
    batch = open_kernels(folder / f"{prefix}_info.json", exact=exact, backend=card.name)
    compiled = time.perf_counter() - start
    robot, precision = prefix.split("_")[:2]
    known = np.load(folder / f"{robot}.npz")
    kind, rows = KINDS[precision], []
    for kernel, about in batch.kernels.items():
        name = kernel.removeprefix(f"{prefix}_")
        wanted = [known[f"{name}_{k}"] for k in range(len(about["outputs"]))]
        width = wanted[0].shape[-1]
        few = [known[a["name"]][:, :width] for a in about["inputs"]]
        few = [card.put(np.ascontiguousarray(x, kind)) for x in few]
        found = [card.get(x) for x in batch(kernel, *few)]
        scale = [np.abs(x).max(axis=0) for x in wanted]
        error = max(
            float((np.abs(x - y) / s).max())
            for x, y, s in zip(found, wanted, scale, strict=True)
        )
        bits = all((x == y).all() for x, y in zip(found, wanted, strict=True))
        many = [card.put(np.tile(known[a["name"]].astype(kind), count // KNOWN))
                for a in about["inputs"]]  # fmt: skip
        out = batch(kernel, *many)
        took = card.seconds(lambda k=kernel, m=many, o=out: batch(k, *m, out=o))
        moved = sum(x.nbytes for x in (*many, *out))
        rows.append(
            {
                "robot": robot, "precision": precision, "exact": exact, "kernel": name,
                "robots": count, "rate": count / took, "terabytes_a_second":
                moved / took / 1e12, "error": error, "same_bits": bits,
                "compile_s": compiled, "backend": card.name,
            }
        )  # fmt: skip
    return rows


def print_rows(rows: list) -> None:
    """Print rates, errors and traffic."""
    for r in rows:
        print(
            f"{r['robot']:6s}{r['precision']:7s}{'exact' if r['exact'] else 'quick':6s}"
            f"{r['backend']:6s}{r['kernel']:18s}{r['rate'] / 1e9:8.3f}e9/s "
            f"{r['terabytes_a_second']:6.2f} TB/s  error {r['error']:.1e}  "
            f"{'same bits' if r['same_bits'] else ''}  "
            f"(compiled in {r['compile_s']:.1f} s)",
            flush=True,
        )


def main() -> None:
    """Write, or measure what is there."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--linear", action="store_true", help="linearisation too")
    options = parser.parse_args()
    if options.write:
        write(options.folder)
        return
    rows = []
    jobs = [(f"{robot}_{precision}", backend, exact, COUNT)
            for backend in ("cupy", "torch") for robot in ("warp1", "go2")
            for precision in KINDS for exact in (False, True)
            if backend == "cupy" or robot == "warp1"]  # fmt: skip
    if options.linear:
        jobs += [("warp1_single_linear", "cupy", False, 1 << 18)]
        jobs += [("warp1_double_linear", "cupy", True, 1 << 18)]
    for prefix, backend, exact, count in jobs:
        try:
            card = Card(backend)
            found = measure(options.folder, prefix, card, exact, count)
            print_rows(found)
            rows += found
        except Exception as error:
            print(f"{prefix} {backend} exact={exact}: {type(error).__name__}: {error}")
    if options.out:
        device = Card("cupy").device
        text = json.dumps({"device": device, "rows": rows}, indent=1)
        options.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
