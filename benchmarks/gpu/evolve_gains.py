"""Better gains for WARP1's trot by a plain evolution strategy on one graphics card.

    python benchmarks/gpu/evolve_gains.py make out/gpu/evolve   # where equipoise is
    python benchmarks/gpu/evolve_gains.py run out/gpu/evolve OUT.json  # with the card

``make`` writes the programs, with every gain a setting of each robot. ``run`` needs
NumPy and CuPy alone. A candidate is a set of gains; as many robots as can be told
apart by luck walk with it on ground, at speeds and under pushes drawn at random, and
its score is the share of them on their feet at the end, less what they miss of their
way. ``benchmarks/evolved_gains.py`` then judges the gains that were found in MuJoCo,
on seeds that nothing here has seen.
"""

import json
import pickle
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from walking import open_doors

LAB = Path(__file__).resolve().parents[2] / "lab"
GAINS = (
    "steps.lift",
    "capture.gain",
    "capture.integral",
    "capture.posture.roll_stiffness",
    "capture.posture.roll_damping",
    "capture.posture.pitch_stiffness",
    "capture.posture.pitch_damping",
    "law.stiffness.x",
    "law.stiffness.y",
    "law.stiffness.z",
    "law.damping.x",
    "law.damping.y",
    "law.damping.z",
)
WORLD: dict[str, Any] = {
    "speed": (0.2, 0.6),
    "friction": (0.5, 0.9),
    "ground_stiffness": (5e4, 3e5),
    "ground_damping": (2e3, 2e4),
}
"""Drawn for each robot."""
SECONDS = 6.0
PUSH = (40.0, 160.0)  # [N s]
FORCE = 20.0  # at random all the way, as a machine's own faults would disturb it [N]
PAIRS, EACH, GENERATIONS = 32, 1024, 60
WAY = 0.2  # of the score that is lost by staying behind by the whole way


def make(folder: Path) -> None:
    """Write the programs."""
    from equipoise.robots.load import load
    from equipoise.runs.many.walking_program import walking_program

    program = walking_program(load("warp1"), varied=(*WORLD, *GAINS))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.pickle").write_bytes(pickle.dumps(program))
    print(f"{program.name}: {program.operations:.0f} operations a step")


class Trials:
    """Scores sets of gains, each by the same number of robots."""

    def __init__(self, program: Any, each: int, backend: str) -> None:
        self.program, self.each, self.backend = program, each, backend
        self.names = [one.name for one in program.settings]
        self.at = [self.names.index(name) for name in GAINS]
        self.robots: Any = None
        self.steps = 0

    def start(self) -> np.ndarray:
        """Return the gains as they were made by hand."""
        return np.array([self.program.settings[k].value for k in self.at])

    def __call__(self, rows: np.ndarray, generation: int) -> np.ndarray:
        """Return the score of each row of gains; a generation has its own luck."""
        from equipoise.sim.many.kernel_text import KernelPlan
        from equipoise.sim.many.pushes import PushPlan
        from equipoise.sim.many.robots import ManyRobots

        gains = {name: np.repeat(rows[:, k], self.each) for k, name in enumerate(GAINS)}
        count = self.each * len(rows)
        # every candidate meets the same worlds and pushes, so that only gains differ
        who = np.tile(np.arange(self.each), len(rows))
        robots = ManyRobots(
            self.program,
            count,
            seed=1000 + generation,
            settings={**WORLD, **gains},
            pushes=PushPlan(impulse=PUSH, at=(2.0, 3.0), force=FORCE),
            plan=KernelPlan(has_pushes=True),
            who=who,
            backend=self.backend,
        )
        ticks = round(SECONDS / self.program.tick)
        robots.run(ticks)
        fell = robots.memory.take(robots.fell)
        state = robots.memory.take(robots.state)
        speed = robots.memory.take(robots.settings)[self.names.index("speed")]
        ended = np.where(fell < 0, ticks, fell)
        self.steps += int(ended.sum()) * self.program.period
        stands = np.isfinite(state[0]) & (fell < 0)
        way = speed * (SECONDS - 1.0)
        missed = np.clip(np.abs(np.nan_to_num(state[0]) - way) / way, 0.0, 1.0)
        score = np.where(stands, 1.0 - WAY * missed, 0.0)
        return score.reshape(len(rows), self.each).mean(axis=1)


def run(folder: Path, out: Path, numbers: Sequence[int], backend: str) -> None:
    """Search, say how it went, and write the gains."""
    open_doors()
    sys.path.insert(0, str(LAB))
    from equipoise_lab.bench.evolution import evolve

    pairs, each, generations = numbers
    program = pickle.loads((folder / "program.pickle").read_bytes())
    trials = Trials(program, each, backend)
    began = time.perf_counter()

    def told(share: float) -> None:
        print(f"{100 * share:.0f} %, {time.perf_counter() - began:.1f} s", flush=True)

    found = evolve(
        trials,
        trials.start(),
        pairs=pairs,
        generations=generations,
        seed=7,
        progress=told if generations < 6 else None,
    )
    took = time.perf_counter() - began
    pair = np.vstack([trials.start(), found.settings])
    fresh = np.mean([trials(pair, 10_000 + k) for k in range(8)], axis=0)
    print(
        f"{trials.steps:.3g} steps in {took:.1f} s, {trials.steps / took:.3g} a second"
    )
    print(
        "scores of the middle:", np.round(found.scores[:: max(1, generations // 10)], 3)
    )
    print(f"on fresh draws: by hand {fresh[0]:.4f}, found {fresh[1]:.4f}")
    gains = dict(zip(GAINS, (float(f"{x:.6g}") for x in found.settings), strict=True))
    for name, by_hand in zip(GAINS, trials.start(), strict=True):
        print(f"{name:34} {by_hand:10.4g} -> {gains[name]:10.4g}")
    told_too = {"seconds": took, "steps": trials.steps, "fresh": fresh.tolist()}
    out.write_text(json.dumps({"gains": gains, **told_too}, indent=2) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]))
    else:
        asked = [int(x) for x in sys.argv[4:7]] or [PAIRS, EACH, GENERATIONS]
        run(Path(sys.argv[2]), Path(sys.argv[3]), asked, (sys.argv[7:] or ["auto"])[0])
