"""Steps a second of many walking robots on other grounds, robots and time steps.

    python benchmarks/gpu/grounds.py make out/gpu/grounds [go2.urdf]  # here
    python benchmarks/gpu/grounds.py run out/gpu/grounds [host]       # on the card

``make`` writes programs (WARP1 on the plane, on rolling ground, on heights from a table
and at 2 ms; another robot if a file is named) and what this machine's processor
computes with some. ``run`` needs NumPy and CuPy alone: it compares bits, then counts
steps, as ``walking.py`` does: median of seven launches, least and most.
"""

import pickle
import statistics
import sys
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

SOURCE = Path(__file__).resolve().parents[2] / "src" / "equipoise"
ROBOTS, TICKS, LAUNCHES = 64, 1500, 7
COUNT = 262_144
VARIED = ("speed", "friction", "waves.phase")


def open_doors() -> None:
    """Let files of rooms be imported whose doors need more than is here."""
    sys.path.insert(0, str(SOURCE.parent))
    for room in ("sim", "equations"):
        door = ModuleType(f"equipoise.{room}")
        door.__path__ = [str(SOURCE / room)]
        sys.modules[door.__name__] = door


def hills() -> Any:
    """Return a table of hills, level where robots start."""
    from equipoise.sim.many.height_field import HeightField

    x, y = np.meshgrid(np.arange(-4.0, 12.0, 0.02), np.arange(-4.0, 4.0, 0.02))
    rough = np.sin(7.0 * x + 2.0 * y) + np.sin(3.0 * x - 6.0 * y + 1.0)
    heights = 0.02 * rough * np.clip(x - 0.6, 0.0, 1.0)
    return HeightField(np.ascontiguousarray(heights.T), 0.02, (-4.0, -4.0))


def many(program: Any, count: int, backend: str, **given: Any) -> Any:
    """Return robots of a program, each at a speed of its own."""
    from equipoise.sim.many.kernel_text import KernelPlan
    from equipoise.sim.many.robots import ManyRobots

    ground = hills() if program.probes else None
    plan = KernelPlan(has_pushes=False)
    vary = {"speed": (0.1, 0.4)}
    settings = {"seed": 1, "settings": vary, "ground": ground, "plan": plan}
    return ManyRobots(program, count, backend=backend, **settings, **given)


def make(folder: Path, other: str | None) -> None:
    """Write programs and what a processor computes with them."""
    from dataclasses import replace

    from equipoise.robots.load import load
    from equipoise.runs.many.walking_program import walking_program
    from equipoise.runs.walk.config import WalkConfig

    folder.mkdir(parents=True, exist_ok=True)
    robot, config = load("warp1"), WalkConfig(ground="weak")
    asked: dict[str, tuple[Any, dict[str, Any]]] = {
        "plane": (robot, {"varied": VARIED}),
        "rolling": (robot, {"varied": (*VARIED, "waves.height")}),
        "table": (robot, {"varied": VARIED, "has_table": True}),
        "plane, 2 ms": (robot, {"varied": VARIED, "timestep": 0.002}),
    }
    if other is not None:
        asked["another robot"] = (load(other), {"varied": VARIED})
    programs, kept = {}, {}
    for name, (who, how) in asked.items():
        programs[name] = program = walking_program(who, config, **how)
        if name == "rolling":
            numbers = [
                one._replace(value=0.05) if one.name == "waves.height" else one
                for one in program.settings
            ]
            programs[name] = replace(program, settings=tuple(numbers))
        robots = many(programs[name], ROBOTS, "host")
        robots.run(TICKS)
        kept[name] = np.array(robots.state), np.array(robots.fell)
        fell = int((kept[name][1] >= 0).sum())
        print(f"{name}: {program.operations:.0f} operations, {fell} of {ROBOTS} fell")
    (folder / "programs.pickle").write_bytes(pickle.dumps((programs, kept)))


def compared(name: str, program: Any, kept: Any, backend: str) -> None:
    """Say whether a card's bits are the processor's."""
    robots = many(program, ROBOTS, backend, exact=True)
    robots.run(TICKS)
    state, fell = robots.memory.take(robots.state), robots.memory.take(robots.fell)
    same = np.array_equal(state, kept[0]) and np.array_equal(fell, kept[1])
    off = float(np.abs(state - kept[0])[:, fell < 0].max())
    print(f"{name:14s} exact: bits {'equal' if same else 'differ'}, off {off:.2e}")


def counted(name: str, program: Any, backend: str) -> None:
    """Print steps a second."""
    count = COUNT if backend != "host" else 16
    robots = many(program, count, backend)
    robots.advance(500)  # it walks, and the kernel is warm
    robots.memory.wait()
    rates = []
    for _ in range(LAUNCHES):
        begin = time.perf_counter()
        robots.advance(300)
        robots.memory.wait()
        stands = float((robots.memory.take(robots.fell) < 0).sum())
        steps = stands * 300 * program.period
        rates.append(steps / (time.perf_counter() - begin))
    middle, fell = statistics.median(rates), 1.0 - stands / count
    print(
        f"{name:14s} {program.operations:5.0f} operations, {middle:.3e} steps/s "
        f"({min(rates):.2e} to {max(rates):.2e}), {middle * program.timestep:.2e} s/s, "
        f"{fell:.2%} fell",
        flush=True,
    )


def run(folder: Path, backend: str) -> None:
    """Compare, then count."""
    open_doors()
    programs, kept = pickle.loads((folder / "programs.pickle").read_bytes())
    print(f"{COUNT:,} robots of {programs['plane'].name} and others, single precision")
    for name, program in programs.items():
        for part in (lambda *a: compared(*a[:2], kept[a[0]], backend), counted):
            try:
                part(name, program, backend)
            except Exception:  # one part must not end the others
                traceback.print_exc()


if __name__ == "__main__":
    last = sys.argv[3] if len(sys.argv) > 3 else None
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), last)
    else:
        run(Path(sys.argv[2]), last or "cupy")
