"""Forward dynamics of a robot, everybody's, over the same states, taking turns."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import MissingToolError
from equipoise.equations.motion import EquationsOfMotion
from equipoise.equations.tape.interpret import interpret
from equipoise_lab.bench import minimal_mujoco
from equipoise_lab.bench.casadi_c import SIGNS, by_casadi
from equipoise_lab.bench.clock import Runner
from equipoise_lab.bench.generated import (
    Candidate,
    by_compiler,
    by_llvm,
    in_batches,
)
from equipoise_lab.bench.pinocchio import Twin, twin_of
from equipoise_lab.bench.pinocchio_cpp import arrays, by_codegen, natively
from equipoise_lab.bench.states import States, random_states

__all__ = ["ABA", "Contest", "contest"]

ABA = "Pinocchio, aba in its own loop"
NEEDS = {"pinocchio": "pin", "casadi": "casadi"}


@final
@dataclass(frozen=True)
class Contest:
    """Who takes part, how far each is from the reference, and who is missing."""

    runners: list[Runner]
    errors: dict[str, float]
    """Largest difference from NumPy's interpreter, as a part of the largest number."""
    missing: list[str]
    """A line for each, with what to install."""


def contest(
    motion: EquationsOfMotion,
    states: int,
    seed: int,
    *,
    has_casadi: bool,
    has_builds: bool = False,
) -> Contest:
    """Return everybody's forward dynamics of a robot, ready to run.

    Args:
        motion: the robot's equations with yaw, pitch and roll.
        states: over how many.
        seed: same seed, same states.
        has_casadi: CasADi's C takes part as a user writes it, who knows only WARP1.
        has_builds: Pinocchio takes part in C++, and by CasADi's C, built here.
    """
    model = motion.robot.model
    given = random_states(model, states, seed)
    program = motion.functions.program("forward_dynamics")
    values = np.array(list(motion.parameters.values()))
    x = np.ascontiguousarray(np.hstack([given.q, given.v, given.tau]))
    reference = interpret(program, x, values)
    runners: list[Runner] = []
    errors: dict[str, float] = {}
    missing: list[str] = []

    def enter(runner: Runner, found: Array) -> None:
        runners.append(runner)
        off = np.abs(found - reference).max()
        errors[runner.name] = float(off / np.abs(reference).max())

    def attempt(make: Callable[[], Candidate], signs: Any = 1.0) -> None:
        try:
            made = make()
        except (MissingToolError, ImportError) as problem:
            missing.append(failure_text(problem))
        else:
            enter(made.runner, made.found * signs)

    def attempt_pair(make: Callable[[], tuple[Runner, Array]]) -> None:
        try:
            enter(*make())
        except (MissingToolError, ImportError) as problem:
            missing.append(failure_text(problem))

    attempt_pair(lambda: _in_pinocchio(model, given))
    if has_builds:
        attempt_pair(lambda: natively(_twin(model), given))
        attempt_pair(lambda: by_codegen(_twin(model), given))
    found, rates = minimal_mujoco.runner(
        model, given.qpos, given.outside(given.v), given.outside(given.tau)
    )
    enter(found, given.inside(rates))
    if has_casadi:
        attempt(lambda: by_casadi(given), SIGNS)
    lanes = motion.functions.lanes
    attempt(lambda: by_llvm("LLVM", program, values, x))
    attempt(lambda: by_compiler("C", program, values, x))
    if len(lanes) == 4:
        side = "legs side by side"
        attempt(lambda: by_llvm(f"LLVM, {side}", program, values, x, lanes))
        attempt(lambda: by_compiler(f"C, {side}", program, values, x, lanes))
    attempt(lambda: in_batches("C, many states at once", program, values, x))
    return Contest(runners, errors, list(dict.fromkeys(missing)))


def failure_text(problem: ImportError | MissingToolError) -> str:
    """Return what is missing and how to get it, in a sentence."""
    if isinstance(problem, MissingToolError):
        return str(problem)
    name = str(problem.name).split(".")[0]
    return f"{name} is not installed: pip install {NEEDS.get(name, name)}"


def _in_pinocchio(model: Any, states: States) -> tuple[Runner, Array]:
    """Return Pinocchio's own loop over ``aba``, and its accelerations.

    Raises:
        ImportError: Pinocchio is not installed.
    """
    pin: Any = import_module("pinocchio")
    there = _twin(model)
    pool = pin.ModelPool(there.model, 1)
    given = [np.asfortranarray(x.T) for x in arrays(there, states)]

    def run(times: int) -> None:
        for _ in range(times):
            pin.abaInParallel(1, pool, *given)

    found = there.along(pin.abaInParallel(1, pool, *given).T)
    return Runner(ABA, run, len(states.joints)), found


def _twin(model: Any) -> Twin:
    """Return the robot in Pinocchio.

    Raises:
        ImportError: Pinocchio is not installed.
    """
    return twin_of(import_module("pinocchio"), model)
