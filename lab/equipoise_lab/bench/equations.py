"""Derivation, operations and speed of generated equations against others, in one run.

``equipoise bench equations`` shows it. Robots of other people's files come from the
package ``example-robot-data``. Ratios are of medians over three placements in memory,
with those of each as their spread; the machine may be busy, see ``clock``.
"""

import datetime
import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path
from typing import Any

from equipoise.equations.motion import derive
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from equipoise_lab.bench import minimal_mujoco
from equipoise_lab.bench.calls import (
    OURS,
    THEIRS,
    python_runners,
    seconds_to_callable,
)
from equipoise_lab.bench.clock import (
    Runner,
    Timing,
    measured,
    measured_anew,
    processor,
    processor_seconds,
    ratio,
)
from equipoise_lab.bench.derivations import DERIVATIONS, THESIS, Derivation
from equipoise_lab.bench.dynamics import ABA, contest, failure_text
from equipoise_lab.bench.pinocchio_cpp import CODEGEN, NATIVE

__all__ = ["bench_equations"]

PACKAGES = ("numpy", "llvmlite", "mujoco", "pin", "casadi", "sympy", "symengine")
MODULES = 20  # of a SuperBot tree with 60 joints
STATES, FEW_STATES = 128, 16
OURS_IN_C = "C"
ROBOTS = {
    "go2": "go2_description/urdf/go2.urdf",
    "anymal_c": "anymal_c_simple_description/urdf/anymal.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
}
"""Files of other people, in ``example-robot-data``."""

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
        is_quick: leave out sympy and building Pinocchio, which take most of the time.
    """
    say = progress or (lambda share: None)
    missing: list[str] = []
    derivations = derived(missing, is_quick, lambda s: say(0.3 * s))
    warp1 = load("warp1")

    def race(robot: Robot, states: int, rounds: int, to: float) -> dict[str, Any]:
        told = _part(say, to - 0.1, to)
        builds = not is_quick
        return _raced(robot, states, rounds, seed, missing, told, has_builds=builds)

    dynamics = race(warp1, STATES, rounds, 0.5)
    others = {
        name: race(robot, STATES, max(3, rounds // 2), 0.6 + 0.1 * k)
        for k, (name, robot) in enumerate(_robots_of_others(missing).items())
    }
    superbot = race(
        load("superbot", modules=MODULES), FEW_STATES, max(3, rounds // 2), 0.9
    )
    runners = python_runners(warp1, seed)
    calls = measured(runners, rounds, _part(say, 0.9, 1.0))
    python = {name: _row(time, calls, THEIRS, OURS) for name, time in calls.items()}
    tables = {
        "derivation": derivations,
        "forward_dynamics": dynamics,
        "robots": others,
        "superbot": superbot,
        "from_python": python,
        "seconds_to_callable": seconds_to_callable(warp1),
    }
    return {
        **tables,
        "ratios": ratios(tables),
        "missing": list(dict.fromkeys(missing)),
        "rounds": rounds,
        "machine": f"{processor()}, {os.cpu_count()} cores",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {name: found for name in PACKAGES if (found := _installed(name))},
    }


def _part(say: Progress, start: float, end: float) -> Progress:
    """Return what tells the progress of a part of the whole."""
    return lambda share: say(start + (end - start) * share)


def _installed(package: str) -> str | None:
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
            missing.append(failure_text(problem))
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


def _robots_of_others(missing: list[str]) -> dict[str, Robot]:
    """Return robots of other people's files; adds to what is missing."""
    try:
        listed = files("example-robot-data") or []
    except PackageNotFoundError:
        missing.append(
            "example-robot-data is not installed: pip install example-robot-data"
        )
        return {}
    found = {
        end: Path(str(f.locate()))
        for f in listed
        for end in ROBOTS.values()
        if str(f).endswith(end)
    }
    return {name: load(found[end]) for name, end in ROBOTS.items() if end in found}


def _raced(
    robot: Robot,
    states: int,
    rounds: int,
    seed: int,
    missing: list[str],
    say: Progress,
    *,
    has_builds: bool,
) -> dict[str, Any]:
    """Return the table of a robot's forward dynamics; adds to what is missing."""

    def made() -> Any:
        motion = derive(robot, attitude="yaw-pitch-roll")
        return motion, motion.functions.program("forward_dynamics")

    seconds = processor_seconds(made, 2)
    motion, program = made()
    is_warp1 = robot.name == "warp1"
    errors: dict[str, float] = {}

    def entered() -> list[Runner]:
        field = contest(
            motion, states, seed, has_casadi=is_warp1, has_builds=has_builds
        )
        missing.extend(field.missing)
        errors.update(field.errors)
        return field.runners

    times = measured_anew(entered, rounds, say)
    rows = {
        who: _row(time, times, ABA, OURS_IN_C) | {"error": errors[who]}
        for who, time in times.items()
    }
    return {
        "robot": robot.name,
        "speeds": motion.nv,
        "derive_s": seconds,
        "operations": program.operations._asdict(),
        "rows": rows,
    }


def _row(
    time: Timing, times: dict[str, Timing], rival: str, ours: str
) -> dict[str, Any]:
    """Return a line of a table.

    Args:
        time: whose line it is.
        times: everybody's.
        rival: whom it is compared with.
        ours: whose multiple it is.
    """
    aba, mine = times.get(rival), times.get(ours)
    of_ours = None if mine is None else ratio(time, mine)
    return {
        "ns_min": time.least,
        "ns_median": time.median,
        "ns_quartiles": list(time.quartiles),
        "times_faster": None if aba is None else aba.least / time.least,
        "times_faster_by_medians": None if aba is None else aba.median / time.median,
        "times_ours": None if of_ours is None else of_ours.median,
        "times_ours_spread": None if of_ours is None else [of_ours.least, of_ours.most],
    }


def ratios(tables: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers that the library promises something about."""
    rows, big = tables["forward_dynamics"]["rows"], tables["superbot"]["rows"]

    def over(table: dict[str, Any], slow: str, fast: str) -> float | None:
        if slow not in table or fast not in table:
            return None
        return table[slow]["ns_median"] / table[fast]["ns_median"]

    def by_robot(slow: str) -> dict[str, float | None]:
        parts = {"warp1": tables["forward_dynamics"], **tables["robots"]}
        parts["superbot"] = tables["superbot"]
        return {name: over(part["rows"], slow, "C") for name, part in parts.items()}

    sympy = tables["derivation"].get("sympy, KanesMethod")
    side = "legs side by side"
    return {
        "robots": {
            "aba_over_c": by_robot(ABA),
            "aba_in_cpp_over_c": by_robot(NATIVE),
            "aba_codegen_over_c": by_robot(CODEGEN),
            "mujoco_over_c": by_robot(minimal_mujoco.NAME),
        },
        "sympy_over_script": None if sympy is None else sympy["of_ours"],
        "aba_over_c": over(rows, ABA, "C"),
        "aba_over_c_simd": over(rows, ABA, f"C, {side}"),
        "aba_over_c_batch": over(rows, ABA, "C, many states at once"),
        "aba_over_llvm": over(rows, ABA, "LLVM"),
        "aba_over_llvm_simd": over(rows, ABA, f"LLVM, {side}"),
        "mujoco_over_c": over(rows, minimal_mujoco.NAME, "C"),
        "casadi_over_c": over(rows, "CasADi's C", "C"),
        "aba_over_c_superbot": over(big, ABA, "C"),
        "aba_over_llvm_superbot": over(big, ABA, "LLVM"),
        "python_aba_over_ours": over(tables["from_python"], THEIRS, OURS),
    }
