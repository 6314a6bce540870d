"""Closed-loop steps a second of many walking robots on one graphics card.

    python benchmarks/gpu/walking.py make out/gpu/walking    # where equipoise is
    python benchmarks/gpu/walking.py run out/gpu/walking     # where the card is

``make`` writes the programs and what this machine's processor computes with them; it
takes the robot's name as a third word (``warp1`` unless told). ``run`` needs NumPy and
CuPy alone (a third word names another backend): it compares bits with the processor's,
then counts steps. A step is one of physics, of ``timestep``, the controller's share
included; steps of robots that have fallen do not count. Each speed is the median of
some launches after a warm one, with the least and the most.
"""

import pickle
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

SOURCE = Path(__file__).resolve().parents[2] / "src" / "equipoise"
ROBOTS, TICKS = 64, 1000  # of the comparison with the processor
LAUNCHES = 7
BACKEND = sys.argv[3] if sys.argv[1:2] == ["run"] and len(sys.argv) > 3 else "cupy"
ENDS = 100.0  # after which no other part begins [s]
WAYS: dict[str, dict[str, Any]] = {
    "in registers": {},
    "memory shared": {"memory": "shared"},
    "memory global": {"memory": "global"},
    "shared, settings again": {"memory": "shared", "rereads": True},
    "shared, again, 3 blocks": {"memory": "shared", "rereads": True, "resident": 3},
}


def open_doors() -> None:
    """Let files of rooms be imported whose doors need more than is here."""
    sys.path.insert(0, str(SOURCE.parent))
    for room in ("sim", "equations"):
        door = ModuleType(f"equipoise.{room}")
        door.__path__ = [str(SOURCE / room)]
        sys.modules[door.__name__] = door


def many(program: Any, count: int, *, pushed: float = 0.0, **given: Any) -> Any:
    """Return robots, each with a push of its own if they are pushed [N s]."""
    from equipoise.sim.many.kernel_text import KernelPlan
    from equipoise.sim.many.pushes import PushPlan
    from equipoise.sim.many.robots import ManyRobots

    names = ("precision", "rereads", "memory", "resident", "record", "watch")
    chosen = {name: given.pop(name) for name in names if name in given}
    plan = KernelPlan(has_pushes=pushed > 0.0, **chosen)
    pushes = PushPlan(impulse=(0.0, pushed), at=(1.0, 2.0)) if pushed else None
    given = {"backend": BACKEND} | given
    if BACKEND == "host":
        count = max(1, count >> 14)  # only to see that it runs
    return ManyRobots(program, count, seed=1, pushes=pushes, plan=plan, **given)


def make(folder: Path, robot: str) -> None:
    """Write programs and what a processor computes with them."""
    from equipoise.robots.load import load
    from equipoise.runs.gym.task import walking_task
    from equipoise.runs.many.walking_program import walking_program
    from equipoise.runs.walk.config import WalkConfig

    program = walking_program(load(robot))
    write(folder, program)
    task = walking_task(load(robot), WalkConfig(ground="weak", sensors="ideal"))
    text = task.text("single")
    kept = (task.program, text, task.joints, len(task.low))
    moved = episodes(*kept, 16, "host")
    seen = [moved.begin(seed=7), *(moved.step(rocked(k)).observation for k in range(5))]
    (folder / "task.pickle").write_bytes(pickle.dumps((*kept, np.stack(seen))))


def write(folder: Path, program: Any) -> None:
    """Write a program and what a processor computes with it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.pickle").write_bytes(pickle.dumps(program))
    kept: dict[str, Any] = {}
    for precision in ("double", "single"):
        robots = many(program, ROBOTS, pushed=60.0, precision=precision, backend="host")
        robots.run(TICKS)
        kept |= {f"{precision}_{n}": getattr(robots, n) for n in ("state", "fell")}
    np.savez(folder / "processor.npz", **kept)
    print(f"{program.name}: {program.operations:.0f} operations a step")


def episodes(
    program: Any, text: str, joints: int, seen: int, count: int, backend: str
) -> Any:
    """Return robots that a learner moves, ten ticks a step."""
    from equipoise.sim.many.episodes import ManyEpisodes
    from equipoise.sim.many.kernel_text import KernelPlan
    from equipoise.sim.many.robots import ManyRobots

    plan = KernelPlan(has_pushes=False)
    vary = {"speed": (0.1, 0.5)}
    robots = ManyRobots(program, count, settings=vary, plan=plan, backend=backend)
    sizes = {"actions": joints, "seen": seen, "ticks": 10, "longest": 5000}
    return ManyEpisodes(robots, text, **sizes)


def rocked(k: int) -> Any:
    """Return actions of 16 robots at a step."""
    turn = 0.3 * k + np.arange(16)[:, None] + np.arange(12)
    return (0.2 * np.sin(turn)).astype(np.float32)


def environment(folder: Path) -> None:
    """Step robots by tensors of PyTorch; say how fast, and how far from NumPy's."""
    import torch

    *task, seen = pickle.loads((folder / "task.pickle").read_bytes())
    few = episodes(*task, 16, "torch")
    found = [few.begin(seed=7)]
    for k in range(5):
        action = torch.as_tensor(rocked(k), device="cuda")
        found.append(few.step(action).observation)
    off = np.abs(torch.stack(found).cpu().numpy() - seen).max()
    kind = f"{type(found[0]).__name__} on {found[0].device}"
    print(f"episodes: {kind}; observations of 5 steps differ by at most {off:.1e}")
    for count in (4096, 2**16, 2**18):
        many = episodes(*task, count, "torch")
        many.begin(seed=1)
        action = 0.1 * torch.randn(count, task[2], device="cuda")
        for _ in range(5):
            many.step(action)
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(50):
            took = many.step(action)
        torch.cuda.synchronize()
        rate = 50 * count / (time.perf_counter() - began)
        fell = float(took.is_over.float().mean())
        print(
            f"episodes, {count:,} robots: {rate:.3e} steps of 20 ms a second, "
            f"{rate * 20:.2e} of physics; {fell:.2%} fell in the last",
            flush=True,
        )


def compare(program: Any, kept: Any, precision: str) -> None:
    """Say whether the card has the processor's bits, and how far off it is quickly."""
    state, fell = kept[f"{precision}_state"], kept[f"{precision}_fell"]
    for exact in (True, False):
        found = many(program, ROBOTS, pushed=60.0, precision=precision, exact=exact)
        if found.robots < ROBOTS:
            return
        found.run(TICKS)
        here, down = found.memory.take(found.state), found.memory.take(found.fell)
        stands = (fell < 0) & (down < 0)
        off = np.abs(here - state)[:, stands].max(initial=0.0)
        same = np.array_equal(here, state) and np.array_equal(fell, down)
        print(
            f"{precision}, exact {exact}: bits {'equal' if same else 'differ'}; "
            f"fallen {np.sum(down > 0)}, on the processor {np.sum(fell > 0)}; of those "
            f"that stand the state differs by at most {off:.2e}",
            flush=True,
        )


def repeats(program: Any) -> None:
    """Say whether numbers repeat, and depend neither on the cut nor on the others."""
    whole, again, cut, few = (many(program, n, pushed=60.0) for n in (999, 999, 999, 7))
    few_of = few.robots
    for robots in (whole, again, few):
        robots.advance(500)
    for ticks in (1, 99, 400):
        cut.advance(ticks)
    states = [r.memory.take(r.state) for r in (whole, again, cut, few)]
    told = [np.array_equal(states[0], states[k]) for k in (1, 2)]
    told.append(np.array_equal(states[0][:, :few_of], states[3]))
    print(f"same again {told[0]}, cut {told[1]}, with fewer robots {told[2]}")


def speed(program: Any, count: int, ticks: int, title: str, **given: Any) -> None:
    """Print the steps a second of some robots."""
    robots = many(program, count, **given)
    robots.advance(1000)  # on their feet, and walking
    robots.memory.wait()
    rates = []
    for _ in range(LAUNCHES):
        before = done(robots)
        began = time.perf_counter()
        robots.advance(ticks)
        robots.memory.wait()
        took = time.perf_counter() - began
        rates.append((done(robots) - before) * program.period / took)
    best = statistics.median(rates)
    fallen = float((robots.memory.take(robots.fell) >= 0).mean())
    print(
        f"{title:24s} {robots.robots:9,d} {best:10.3e} "
        f"({min(rates):.2e} to {max(rates):.2e}) {best * program.timestep:10.3e} "
        f"{fallen:7.2%} {registers(robots)}",
        flush=True,
    )


def whole(program: Any, count: int, seconds: float) -> None:
    """Print how long whole walks take, as ``simulate_many`` does them."""
    from equipoise.runs.many.walk_results import WATCHED, walk_outcomes

    began = time.perf_counter()
    robots = many(program, count, pushed=60.0, watch=WATCHED)
    made = time.perf_counter()
    did = walk_outcomes(robots, seconds)
    took = time.perf_counter() - made
    steps = did.simulated.sum() / program.timestep
    print(
        f"{robots.robots:,} walks of {seconds:g} s: made in {made - began:.2f} s, "
        f"walked in {took:.2f} s, {steps / took:.3e} steps/s; "
        f"{did.fell.mean():.2%} fell, mean speed {np.nanmean(did.speed):.3f} m/s",
        flush=True,
    )


def done(robots: Any) -> int:
    """Return how many ticks all robots have walked."""
    fell = robots.memory.take(robots.fell).astype(np.int64)
    return int(np.where(fell < 0, robots.tick, fell).sum())


def card() -> str:
    """Return what computes."""
    if BACKEND == "host":
        return "this machine's processor"
    if BACKEND == "torch":
        import torch

        return f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}"
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return f"{name}, CuPy {cupy.__version__}"


def registers(robots: Any) -> str:
    """Return registers a thread and local memory, where CuPy tells them."""
    try:
        kernel = robots.module._started._kernels["many_run"]
        return f"{kernel.num_regs} registers, {kernel.local_size_bytes} B local"
    except Exception:
        return ""


def run(folder: Path) -> None:
    """Compare and count on the card."""
    began = time.perf_counter()
    open_doors()
    program = pickle.loads((folder / "program.pickle").read_bytes())
    kept = np.load(folder / "processor.npz")
    print(f"{card()}; {program.name}")
    print(
        f"{program.operations:.0f} operations a step of {program.timestep:g} s, "
        f"{program.period} steps a tick, {len(program.state)} numbers of state"
    )
    print("way, robots, steps/s (least to most), simulated s/s, fallen")
    shared, pushed = {"memory": "shared"}, {"pushed": 60.0, "watch": ("upright",)}
    parts: list[tuple[str, Callable[[], None]]] = [
        (f"single, {way}", lambda p=plan, w=way: speed(program, 2**18, 256, w, **p))
        for way, plan in WAYS.items()
    ]
    parts += [
        ("repeats", lambda: repeats(program)),
        ("single", lambda: compare(program, kept, "single")),
        ("2^16", lambda: speed(program, 2**16, 5000, "long launches", **shared)),
        ("2^20", lambda: speed(program, 2**20, 64, "a million", **shared)),
        ("pushed", lambda: speed(program, 2**18, 256, "pushed", **shared, **pushed)),
        ("whole", lambda: [whole(program, 2**18, 10.0) for _ in range(2)] and None),
        ("double", lambda: speed(program, 2**18, 64, "double", precision="double")),
        ("episodes", lambda: environment(folder)),
        ("double bits", lambda: compare(program, kept, "double")),
    ]
    for name, part in parts:
        if time.perf_counter() - began > ENDS:
            print(f"{name}: no time left")
            continue
        try:
            part()
        except Exception:
            print(f"{name} failed: {traceback.format_exc(limit=-2)}")
    print(f"{time.perf_counter() - began:.0f} s")


def main() -> None:
    """Make or run, as told."""
    folder = Path(sys.argv[2])
    if sys.argv[1] == "make":
        make(folder, sys.argv[3] if len(sys.argv) > 3 else "warp1")
    else:
        run(folder)


if __name__ == "__main__":
    main()
