"""Modules as processes: ticks a second, what a tick costs whom, and trees kept upright.

    python benchmarks/module_processes.py [--seconds 3] [--rounds 5] [--trees 20]

Speed: each case in turn, round by round, so that a slow spell of the machine meets all;
printed are the median and the range of the rates by the machine's clock, and the median
processor time of a tick in the world (of it in the engine) and in one host (read from
/proc, Linux). Trees: seeds 7000 and up, 5 s, contacts on, frames by Unix datagrams, 20
processes; once with 30 % of the frames lost, once with the process of a random module
killed after 2 s. Prints JSON; exits 1 when a tree is not balanced, a verdict was wrong
or a process was left behind.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

import numpy as np

from equipoise.core.seeds import stream
from equipoise.runs.processes.run import ModuleRunConfig, run_modules
from equipoise.runs.robot import RobotChoice

CASES = {
    "20 modules, 20 processes, unix": (20, None, "unix"),
    "20 modules, 20 processes, udp": (20, None, "udp"),
    "20 modules, 4 processes, unix": (20, 4, "unix"),
    "20 modules, 4 processes, can": (20, 4, "can"),
    "200 modules, 8 processes, unix": (200, 8, "unix"),
}
FIRST_TREE = 7000
SETTLE = 100  # ticks before the processor time is read


def on_processor(process: int | str) -> float:
    """Return how long a process has run on a processor [s]; nan where unknown."""
    try:
        return 1e-9 * int(Path(f"/proc/{process}/schedstat").read_text().split()[0])
    except OSError:
        return float("nan")


def measured(modules, processes, transport, seconds):
    marks = {}

    def watch(tick, fleet):
        if tick in (SETTLE, round(1000 * seconds) - 1):
            hosts = np.mean([on_processor(p) for p in fleet.process])
            marks[tick] = (on_processor("self"), hosts)

    config = ModuleRunConfig(
        robot=RobotChoice(seed=5000, options={"modules": modules}),
        seconds=seconds,
        processes=processes,
        transport=transport,
    )
    result = run_modules(config, watch=watch)
    (world, host), (world_end, host_end) = marks.values()
    ticks = result.summary["ticks"] - SETTLE - 1
    return {
        "rate_hz": result.summary["tick_rate_hz"],
        "world_us": 1e6 * (world_end - world) / ticks,
        "host_us": 1e6 * (host_end - host) / ticks,
        "engine_us": result.details["engine_us"],
    }


def speed(seconds, rounds):
    runs = {name: [] for name in CASES}
    for _ in range(rounds):
        for name, case in CASES.items():
            runs[name].append(measured(*case, seconds))
    return {
        name: {
            key: round(statistics.median(run[key] for run in of_case), 1)
            for key in of_case[0]
        }
        | {"rate_range_hz": [
            round(pick(run["rate_hz"] for run in of_case), 1) for pick in (min, max)
        ]}
        for name, of_case in runs.items()
    }  # fmt: skip


def tree(seed, loss, is_killed):
    victim = int(stream(seed, "kill").integers(20))
    config = ModuleRunConfig(
        robot=RobotChoice(seed=seed, options={"modules": 20}),
        seed=seed,
        loss=loss,
        kill=victim if is_killed else None,
        after=2.0 if is_killed else None,
    )
    result = run_modules(config)
    return {"seed": seed} | result.summary | {"right": result.details["right_share"]}


def trees(count):
    report, is_good = {}, True
    for name, loss, is_killed in (("loss 0.3", 0.3, False), ("one killed", 0.0, True)):
        runs = [tree(FIRST_TREE + k, loss, is_killed) for k in range(count)]
        away = sorted(run["distance_final_w"] for run in runs)
        report[name] = {
            "settled": sum(run["settled"] for run in runs),
            "trees": count,
            "distance_final_w": {"median": away[count // 2], "max": away[-1]},
            "recovered_rounds_max": max(run["recovered_rounds_max"] for run in runs),
            "all_right_share_min": min(run["right"] for run in runs),
            "wrong_verdicts": sum(run["wrong_verdicts"] for run in runs),
            "orphans": sum(run["orphans"] for run in runs),
            "not_settled": [run["seed"] for run in runs if not run["settled"]],
        }
        bad = report[name]["wrong_verdicts"] + report[name]["orphans"]
        is_good = is_good and report[name]["settled"] == count and bad == 0
    return report, is_good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trees", type=int, default=20)
    arguments = parser.parse_args()
    report, is_good = {}, True
    if arguments.rounds:
        report["speed"] = speed(arguments.seconds, arguments.rounds)
    if arguments.trees:
        report["trees"], is_good = trees(arguments.trees)
    print(json.dumps(report, indent=2))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
