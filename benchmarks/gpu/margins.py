"""Margins against friction cones, with all derivatives: how many a second on a card.

    python benchmarks/gpu/margins.py --prepare     anywhere: states, and their margins
    python benchmarks/gpu/margins.py               on the card, with CuPy and PyTorch

States have four contacts, on three kinds of ground; every state has its own places,
normals and frictions. Each row is checked against the same states judged on a processor
in double precision: states a second (the best of five starts), the errors of margin and
derivatives where both are judged, how many are judged by bounds alone, and by how much
a proved bound was too high.
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
SHELF = Path(__file__).parents[2] / "out" / "gpu"
GROUNDS = {  # largest slope under a foot [rad], largest height of one [m]
    "gentle": (0.1, 0.02),
    "rough": (0.3, 0.1),
    "boulders": (0.6, 0.2),
}
DIFFERENT = 8192
STATES = 1 << 22
FEET = np.array([[0.2, 0.15], [0.2, -0.15], [-0.2, 0.15], [-0.2, -0.15]])


def states(ground: str, count: int) -> np.ndarray:
    """Return states, (count, 38), as numbers of single precision."""
    rng = np.random.default_rng([20, *ground.encode()])
    slope, height = GROUNDS[ground]
    x = np.zeros((count, 38))
    x[:, :3] = rng.uniform(-0.15, 0.15, (count, 3))
    x[:, 3:6] = [0.0, 0.0, 9.81]
    x[:, 3:6] += rng.uniform(-1.0, 1.0, (count, 3))
    for i in range(4):
        lean, way = rng.uniform(0, slope, count), rng.uniform(0, 2 * np.pi, count)
        place = FEET[i] + rng.uniform(-0.08, 0.08, (count, 2))
        x[:, 6 + 8 * i : 8 + 8 * i] = place
        x[:, 8 + 8 * i] = rng.uniform(-height, height, count)
        x[:, 9 + 8 * i] = np.sin(lean) * np.cos(way)
        x[:, 10 + 8 * i] = np.sin(lean) * np.sin(way)
        x[:, 11 + 8 * i] = np.cos(lean)
        x[:, 12 + 8 * i] = rng.uniform(0.3, 1.0, count)
        x[:, 13 + 8 * i] = 1.0
    return x.astype(np.float32).astype(np.float64)


def prepare() -> None:
    """Write the margins of all states, judged on this processor."""
    from equipoise.equations.margins.run import margins_on_cpu

    SHELF.mkdir(parents=True, exist_ok=True)
    known = {}
    for ground in GROUNDS:
        margins_on_cpu("cone", 4, states(ground, 8).T)  # compiled once
        taken = []
        for _ in range(5):
            began = time.process_time()  # a core's own: others may use it too
            known[ground] = margins_on_cpu("cone", 4, states(ground, DIFFERENT).T).T
            taken.append(time.process_time() - began)
        rate = DIFFERENT / min(taken)
        print(f"{ground}: {rate:.3g} a second on one core, in double precision")
    np.savez_compressed(SHELF / "margins.npz", **known)


def on_card(ground: str, known: np.ndarray, precision: str) -> str:
    """Return a row of the table."""
    import cupy

    from equipoise.equations.cuda.module import cuda_module
    from equipoise.equations.margins.card import start_margin
    from equipoise.equations.margins.code import cuda_text
    from equipoise.equations.margins.cone.code import cone_code

    code = cone_code(4, precision)
    kind = np.float64 if precision == "double" else np.float32
    module = cuda_module(cuda_text(code, precision), precision=precision)
    few = states(ground, DIFFERENT).astype(kind)
    given = cupy.asarray(np.ascontiguousarray(few.T))
    given = cupy.ascontiguousarray(cupy.tile(given, (1, STATES // DIFFERENT)))
    told = cupy.zeros((code.outputs, STATES), kind)
    best = np.inf
    for _ in range(6):
        cupy.cuda.Device().synchronize()
        began = time.perf_counter()
        start_margin(module, code, given, told, lambda n: cupy.zeros(n, np.int32))
        cupy.cuda.Device().synchronize()
        best = min(best, time.perf_counter() - began)
    found = cupy.asnumpy(told[:, :DIFFERENT]).T.astype(np.float64)
    last = cupy.asnumpy(told[:, -DIFFERENT:]).T.astype(np.float64)
    same = np.array_equal(found, last, equal_nan=True)
    return f"{ground:9} {precision:7} {STATES / best:9.3g} {judged(found, known, same)}"


def by_cupy() -> str:
    """Return whether CuPy arrays are judged as the processor judges them."""
    import cupy

    from equipoise.equations import cone_margins

    known = np.load(SHELF / "margins.npz")["rough"]
    x = cupy.asarray(states("rough", DIFFERENT))
    each = x[:, 6:].reshape(-1, 4, 8)
    parts = [each[..., :3], each[..., 3:6], each[..., 6]]
    told = cone_margins(x[:, :3], *parts, x[:, 3:6] - cupy.asarray([0, 0, 9.81]))
    fine = cupy.asnumpy(told.status == 0) & (known[:, 3] == 0)
    error = np.abs(cupy.asnumpy(told.margin) - known[:, 0])[fine].max()
    slope = np.abs(cupy.asnumpy(told.slopes["p_WC"]) - known[:, 4:7])[fine].max()
    return f"CuPy arrays: off by {error:.1e} m, slopes by {slope:.1e} at most"


def by_torch() -> str:
    """Return what PyTorch's own check says, and the speed there and back."""
    import torch

    from equipoise.equations.margins import autograd

    def tensors(count: int, kind: "torch.dtype") -> "list[torch.Tensor]":
        x = torch.tensor(states("rough", count), dtype=kind, device="cuda")
        each = x[:, 6:].reshape(count, 4, 8)
        parts = [x[:, :3], each[..., :3], each[..., 3:6], each[..., 6]]
        parts.append(x[:, 3:6] - x.new_tensor([0.0, 0.0, 9.81]))
        return [part.clone().requires_grad_() for part in parts]

    def margin(*parts: "torch.Tensor") -> "torch.Tensor":
        return autograd.torch_cone_margins(*parts).margin

    few = tensors(8, torch.float64)
    fine = torch.autograd.gradcheck(margin, few, atol=1e-3)
    com, points = few[0], few[1]
    fine = fine and torch.autograd.gradcheck(
        lambda c, p: autograd.torch_static_margins(c[:, :2], p).margin, (com, points)
    )
    high = (0.3 * com.detach() + com.new_tensor([0, 0, 0.5])).requires_grad_()
    weight = com.new_tensor(150.0).requires_grad_()
    level = (points.detach() * com.new_tensor([1, 1, 0.1])).requires_grad_()
    stiff = com.new_full((4,), 1e5).requires_grad_()
    fine = fine and torch.autograd.gradcheck(
        lambda *x: autograd.torch_soft_margins(*x).margin, (high, weight, level, stiff)
    )
    lines = [f"PyTorch {torch.__version__}: gradcheck of cone, static, soft: {fine}"]
    parts = [
        p.detach().repeat(256, *[1] * (p.ndim - 1))
        for p in tensors(8192, torch.float32)
    ]
    parts = [p.requires_grad_() for p in parts]
    best = np.inf
    for _ in range(5):
        torch.cuda.synchronize()
        began = time.perf_counter()
        margin(*parts).sum().backward()
        torch.cuda.synchronize()
        best = min(best, time.perf_counter() - began)
    lines.append(
        f"cone margins with backward, rough: {len(parts[0]) / best:.3g} a second"
    )
    return "\n".join(lines)


def judged(found: np.ndarray, known: np.ndarray, same: bool) -> str:
    """Return what a comparison says, as text."""
    both = (found[:, 3] == 0) & (known[:, 3] == 0)
    error = np.abs(found - known)[both]
    margin = np.percentile(error[:, 0], [50, 99, 100])
    slope = np.percentile(error[:, 4:].max(axis=1), [50, 99])
    ahead = (found[:, 1] - known[:, 2]).max()
    status = np.bincount(np.nan_to_num(found[:, 3], nan=9).astype(int), minlength=4)
    text = " ".join(f"{x:.1e}" for x in (*margin, *slope))
    return f"{text}  {ahead:9.1e}  {status.tolist()} {'same' if same else 'NOT SAME'}"


def main() -> None:
    """Print a table."""
    if "--prepare" in sys.argv:
        prepare()
        return
    import cupy

    print(cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(), STATES, "states")
    print(
        "ground precision states/s  margin error 50 99 100 %, slopes 50 99 %, "
        "bound too high, status 0 1 2 3, repeats"
    )
    known = np.load(SHELF / "margins.npz")
    for precision in ("single", "double"):
        for ground in GROUNDS:
            try:
                print(on_card(ground, known[ground], precision), flush=True)
            except Exception as error:
                print(ground, precision, type(error).__name__, error, flush=True)
    for part in (by_cupy, by_torch):
        try:
            print(part(), flush=True)
        except Exception as error:
            print(part.__name__, type(error).__name__, error, flush=True)


if __name__ == "__main__":
    main()
