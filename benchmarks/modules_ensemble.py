"""How fast the module program runs: message deliveries, large robots, churn.

Run: ``python benchmarks/modules_ensemble.py [--quick] [--out FILE.json]``. A delivery
is a frame that a living module read, all rules of its round included. Times are the
processor time of the one thread that works; median, least and largest of the repeats.
Modules have six connectors. "binary" trees have two branches a module and are numbered
from the root, "scattered" ones attach each module to any earlier one and give it any
name, so that neighbours lie anywhere in memory.
Exits 1 when a number to reach is missed.
"""

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from equipoise.modules import InMemory, VirtualClock, run_round
from equipoise.modules.ensemble.channel import Channel
from equipoise.modules.ensemble.ensemble import Ensemble
from equipoise.modules.member.cargo import Numbers
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import MemberInputs
from equipoise.modules.rules import Rules

PORTS = 6
WIDE = Rules(hops=4096, most=2**30)  # for robots larger than a 64-byte frame allows
BAD = Channel(loss=0.1, duplication=0.05, delay=0.1, corruption=0.01, reordering=True)
DELIVERIES_TO_REACH = 2e6  # a second
ROUNDS_TO_REACH = 10.0  # a second, 100,000 modules under churn
DOWN, APART = 30, 10  # rounds that a crash and an undocked link last


def tree(
    n: int, kind: str, rng: np.random.Generator
) -> list[tuple[int, int, int, int]]:
    """Return the links of a tree; port 0 leads towards module 0 where it can."""
    used = np.zeros(n, int)
    links = []
    for k in range(1, n):
        up = (k - 1) // 2
        if kind == "scattered":
            up = int(rng.integers(k))
            while used[up] == PORTS:
                up = int(rng.integers(k))
        links.append((up, int(used[up]), k, 0))
        used[up] += 1
        used[k] = 1
    return links


def ensemble_of(n: int, kind: str, channel: Channel | None = None) -> Ensemble:
    rng = np.random.default_rng(n)
    links = tree(n, kind, rng)
    ids = rng.permutation(n) + 1
    own = np.ones((n, 10))
    ensemble = Ensemble(
        ids, PORTS, links=links, own=own, rules=WIDE, channel=channel, seed=1
    )
    for i in rng.choice(n, max(n // 20, 1), replace=False):
        ensemble.touch(int(i))
    return ensemble


def spread(values: list[float]) -> dict[str, float]:
    return {
        "median": float(np.median(values)),
        "least": min(values),
        "largest": max(values),
    }


def calm(n: int, kind: str, channel: Channel | None, repeats: int) -> dict[str, Any]:
    """Deliveries a second once all talk, in blocks of about a million frames."""
    ensemble = ensemble_of(n, kind, channel)
    ensemble.step(30)
    rounds = max(1_000_000 // (2 * n), 4)
    rates, wall = [], []
    for _ in range(repeats):
        start, at = time.thread_time(), time.perf_counter()
        ensemble.step(rounds)
        delivered = int(ensemble.delivered.sum())
        rates.append(delivered / (time.thread_time() - start))
        wall.append(delivered / (time.perf_counter() - at))
    return {
        "modules": n,
        "tree": kind,
        "channel": "bad" if channel else "fair",
        "rounds": rounds * repeats,
        "deliveries_per_s": spread(rates),
        "deliveries_per_wall_s": spread(wall),
    }


class Churn:
    """A thousandth of the modules has something happen to it in each round."""

    def __init__(self, ensemble: Ensemble, share: float = 0.001) -> None:
        self.ensemble, self.rng = ensemble, np.random.default_rng(7)
        self.each = max(int(ensemble.n * share / 5), 1)
        self.down: list[list[int]] = [[] for _ in range(DOWN)]
        self.apart: list[list[int]] = [[] for _ in range(APART)]
        self.events = 0

    def round(self) -> None:
        """Undock, dock, crash, restart, touch: as many of each; then a round."""
        ensemble, rng, k = self.ensemble, self.rng, self.ensemble.tick
        lifted, felled, tapped = rng.integers(ensemble.n, size=(3, self.each)).tolist()
        for i in self.apart[k % APART]:
            self.dock_somewhere(i)
        for i in self.down[k % DOWN]:
            ensemble.restart(i)
        lifted = [i for i in lifted if ensemble.wires.far[ensemble.end(i, 0)] >= 0]
        for i in lifted:
            ensemble.undock(i, 0)
        felled = [i for i in felled if ensemble.wires.alive[i]]
        for i in felled:
            ensemble.crash(i)
        for i in tapped:
            ensemble.touch(i, not ensemble.wires.touching[i])
        many = (self.apart[k % APART], self.down[k % DOWN], lifted, felled, tapped)
        self.events += sum(map(len, many))
        self.apart[k % APART], self.down[k % DOWN] = lifted, felled
        ensemble.step()

    def dock_somewhere(self, i: int) -> None:
        """Dock a part that came off to any module with a free port, loops included."""
        ensemble = self.ensemble
        if ensemble.wires.far[ensemble.end(i, 0)] >= 0:
            return
        for j in self.rng.integers(ensemble.n, size=8).tolist():
            q = ensemble.free_port(j)
            if q >= 0 and j != i:
                ensemble.dock(i, 0, j, q)
                return


def under_churn(n: int, kind: str, rounds: int) -> dict[str, Any]:
    """Rounds a second with churn, the events' own time included."""
    ensemble = ensemble_of(n, kind)
    churn = Churn(ensemble)
    for _ in range(DOWN + 10):
        churn.round()
    churn.events, cpu, wall, delivered = 0, [], [], 0
    for _ in range(rounds):
        start, at = time.thread_time(), time.perf_counter()
        churn.round()
        cpu.append(1.0 / (time.thread_time() - start))
        wall.append(1.0 / (time.perf_counter() - at))
        delivered += int(ensemble.delivered[0])
    return {
        "modules": n,
        "tree": kind,
        "rounds": rounds,
        "events_per_round": churn.events / rounds,
        "deliveries_per_round": delivered / rounds,
        "rounds_per_s": spread(cpu),
        "rounds_per_wall_s": spread(wall),
    }


def cold_start(n: int, kind: str) -> dict[str, Any]:
    """Rounds and seconds until every module of one robot knows the exact total."""
    ensemble = ensemble_of(n, kind)
    start = time.thread_time()
    while ensemble.tick < 2000 and not ensemble.known.all():
        ensemble.step(10)
    right = bool((ensemble.count == n).all() and (ensemble.total == n).all())
    one_leader = len(np.unique(ensemble.leader)) == 1 and bool(
        (ensemble.leader > 0).all()
    )
    return {
        "modules": n,
        "tree": kind,
        "rounds": ensemble.tick,
        "cpu_s": time.thread_time() - start,
        "all_exact": right,
        "one_leader": one_leader,
    }


def objects(n: int, repeats: int) -> dict[str, Any]:
    """The same program as objects on in-memory wires, for comparison."""
    links = tree(n, "binary", np.random.default_rng(n))
    cargo = Numbers()
    programs = [
        Member(id=k + 1, ports=PORTS, cargo=cargo, rules=WIDE) for k in range(n)
    ]
    docked: list[list[int]] = [[] for _ in range(n)]
    for i, p, j, q in links:
        docked[i].append(p)
        docked[j].append(q)
    inputs = [MemberInputs(attached=tuple(ports), body=1) for ports in docked]
    wires = InMemory([((i, p), (j, q)) for i, p, j, q in links])
    clock, states = VirtualClock(), tuple(program.init() for program in programs)
    for _ in range(30):
        states, _ = run_round(programs, inputs, states, wires, clock)
    rates = []
    for _ in range(repeats):
        start, sent = time.thread_time(), 0
        for _ in range(10):
            states, count = run_round(programs, inputs, states, wires, clock)
            sent += count
        rates.append(sent / (time.thread_time() - start))
    return {"modules": n, "deliveries_per_s": spread(rates)}


def exponent(rows: list[dict[str, Any]]) -> float:
    """Return b of "time of a round grows as n to the b", from 1,000 modules on."""
    n = np.array([row["modules"] for row in rows], float)
    rate = np.array([row["deliveries_per_s"]["median"] for row in rows])
    return float(np.polyfit(np.log(n), np.log((n - 1) / rate), 1)[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="up to 10,000 modules")
    parser.add_argument("--out", type=Path, help="write the JSON here too")
    args = parser.parse_args()
    top = 10_000 if args.quick else 100_000
    repeats = 3 if args.quick else 9
    sizes = [n for n in (60, 1_000, 10_000, 100_000) if n <= top]
    kinds = ("binary", "scattered")
    rows = [calm(n, kind, None, repeats) for n in sizes for kind in kinds]
    bad = [calm(n, "binary", BAD, repeats) for n in sizes]
    churn = [under_churn(top, kind, 4 * repeats) for kind in kinds]
    best = {row["tree"]: row["deliveries_per_s"]["median"] for row in rows[2:4]}
    report = {
        "machine": {"processor": platform.processor(), "load": os.getloadavg()},
        "calm": rows,
        "bad_channel": bad,
        "exponent": {
            k: exponent([r for r in rows[2:] if r["tree"] == k]) for k in kinds
        },
        "churn": churn,
        "cold_start": [cold_start(top, kind) for kind in kinds],
        "objects": objects(60, repeats),
    }
    reached = {
        "deliveries": min(best.values()) >= DELIVERIES_TO_REACH,
        "churn": all(row["rounds_per_s"]["median"] >= ROUNDS_TO_REACH for row in churn),
        "exact": all(row["all_exact"] for row in report["cold_start"]),
    }
    text = json.dumps({**report, "reached": reached}, indent=2)
    print(text)
    if args.out:
        args.out.write_text(text + "\n", encoding="utf-8")
    return 0 if all(reached.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
