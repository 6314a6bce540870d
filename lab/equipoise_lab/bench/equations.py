"""Derivation, operations and speed of generated equations against others, in one run.

``equipoise bench equations`` shows it. Ratios are of least times; the machine may be
busy, see ``clock``.
"""

import os
import platform
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from equipoise.equations.motion import derive
from equipoise.robots.load import load
from equipoise_lab.bench.calls import (
    OURS,
    THEIRS,
    python_runners,
    seconds_to_callable,
)
from equipoise_lab.bench.clock import Timing, measured, processor_seconds
from equipoise_lab.bench.derivations import DERIVATIONS, THESIS, Derivation
from equipoise_lab.bench.dynamics import ABA, contest, told

__all__ = ["bench_equations"]

PACKAGES = ("numpy", "llvmlite", "mujoco", "pin", "casadi", "sympy", "symengine")
MODULES = 20  # of a SuperBot tree with 60 joints
STATES, FEW_STATES = 128, 16

Progress = Callable[[float], None]


def bench_equations(
    rounds: int = 200,
    seed: int = 0,
    progress: Progress | None = None,
    *,
    is_quick: bool = False,
) -> dict[str, Any]:
    """Return the tables, ready for JSON.

    Args:
        rounds: how often everybody runs; the more, the nearer the least time is to
            that of an idle machine.
        seed: same seed, same states.
        progress: told the share done.
        is_quick: leave out sympy, which takes most of the time.
    """
    say = progress or (lambda share: None)
    missing: list[str] = []
    derivations = derived(missing, is_quick, lambda s: say(0.4 * s))
    warp1 = load("warp1")
    dynamics = raced("warp1", {}, STATES, rounds, seed, missing, part(say, 0.4, 0.7))
    large = {"modules": MODULES}
    superbot = raced(
        "superbot", large, FEW_STATES, rounds // 2, seed, missing, part(say, 0.7, 0.9)
    )
    runners = python_runners(warp1, seed)
    calls = measured(runners, rounds, part(say, 0.9, 1.0))
    python = {name: row(time, calls.get(THEIRS)) for name, time in calls.items()}
    tables = {
        "derivation": derivations,
        "forward_dynamics": dynamics,
        "superbot": superbot,
        "from_python": python,
        "seconds_to_callable": seconds_to_callable(warp1),
    }
    return {
        **tables,
        "ratios": ratios(tables),
        "missing": list(dict.fromkeys(missing)),
        "rounds": rounds,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "versions": {name: found for name in PACKAGES if (found := installed(name))},
    }


def part(say: Progress, start: float, end: float) -> Progress:
    """Return what tells the progress of a part of the whole."""
    return lambda share: say(start + (end - start) * share)


def installed(package: str) -> str | None:
    """Return a package's version, None if it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def derived(
    missing: list[str], is_quick: bool, say: Progress
) -> dict[str, dict[str, Any]]:
    """Return the table of derivations; adds to what is missing."""
    found = [Derivation("thesis, Maple with Sophia", None, THESIS, NOT_ALIKE)]
    for k, (package, make) in enumerate(DERIVATIONS.items()):
        if is_quick and package == "sympy":
            continue
        try:
            found.append(make())
        except ImportError as problem:
            missing.append(told(problem))
        say((k + 1) / len(DERIVATIONS))
    mine = next(d.seconds for d in found if d.seconds is not None)
    return {
        d.name: {
            "seconds": d.seconds,
            "of_ours": None if d.seconds is None else d.seconds / mine,
            "operations": d.operations._asdict(),
            "note": d.note,
        }
        for d in found
    }


NOT_ALIKE = "1999; 38 sines and cosines, so its model had more angles"


def raced(
    name: str,
    options: dict[str, int],
    states: int,
    rounds: int,
    seed: int,
    missing: list[str],
    say: Progress,
) -> dict[str, Any]:
    """Return the table of a robot's forward dynamics; adds to what is missing."""
    robot = load(name, **options)

    def made() -> Any:
        motion = derive(robot, attitude="yaw-pitch-roll")
        return motion, motion.functions.program("forward_dynamics")

    seconds = processor_seconds(made, 2)
    motion, program = made()
    field = contest(motion, states, seed, has_casadi=name == "warp1")
    missing += field.missing
    times = measured(field.runners, rounds, say)
    rows = {
        who: row(time, times.get(ABA)) | {"error": field.errors[who]}
        for who, time in times.items()
    }
    return {
        "robot": name,
        "speeds": motion.nv,
        "derive_s": seconds,
        "operations": program.operations._asdict(),
        "rows": rows,
    }


def row(time: Timing, rival: Timing | None) -> dict[str, Any]:
    """Return a line of a table."""
    least = None if rival is None else rival.least / time.least
    middle = None if rival is None else rival.median / time.median
    return {
        "ns_min": time.least,
        "ns_median": time.median,
        "ns_quartiles": list(time.quartiles),
        "times_faster": least,
        "times_faster_by_medians": middle,
    }


def ratios(tables: dict[str, Any]) -> dict[str, float | None]:
    """Return the numbers that the library promises something about."""
    rows, big = tables["forward_dynamics"]["rows"], tables["superbot"]["rows"]

    def over(table: dict[str, Any], slow: str, fast: str) -> float | None:
        if slow not in table or fast not in table:
            return None
        return table[slow]["ns_min"] / table[fast]["ns_min"]

    sympy = tables["derivation"].get("sympy, KanesMethod")
    side = "legs side by side"
    return {
        "sympy_over_script": None if sympy is None else sympy["of_ours"],
        "aba_over_c": over(rows, ABA, "C"),
        "aba_over_c_simd": over(rows, ABA, f"C, {side}"),
        "aba_over_c_batch": over(rows, ABA, "C, many states at once"),
        "aba_over_llvm": over(rows, ABA, "LLVM"),
        "aba_over_llvm_simd": over(rows, ABA, f"LLVM, {side}"),
        "mujoco_over_c": over(rows, "MuJoCo, shortest way", "C"),
        "casadi_over_c": over(rows, "CasADi's C", "C"),
        "aba_over_c_superbot": over(big, ABA, "C"),
        "aba_over_llvm_superbot": over(big, ABA, "LLVM"),
        "python_aba_over_ours": over(tables["from_python"], THEIRS, OURS),
    }
