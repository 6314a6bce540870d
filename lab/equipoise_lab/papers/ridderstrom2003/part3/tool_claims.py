"""Chapters 7, 8 and 12: how large the tools' models and code are, there and here.

None of it is like for like: another language, other machines, and what exactly was
counted is not printed. Ours are counted or timed anew in every run.
"""

import ast
import inspect
import tempfile
from dataclasses import fields, is_dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from equipoise.control.legs import KneelMotion, LegLawConfig, follow_controller
from equipoise.control.observer.attitude import AttitudeConfig
from equipoise.control.walker import walker_config
from equipoise.equations import arm, scara, warp1_system
from equipoise.equations.blocks.of_system import OutputValue
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise_lab.papers.claim import Claim, not_checkable
from equipoise_lab.papers.ridderstrom2003.part3.scripts import made_of
from equipoise_lab.papers.ridderstrom2003.part3.setting import PRINTED

__all__ = ["counted_numbers", "tool_claims"]

SECONDS = 2.0  # of standing, for the law's time [s]


def tool_claims() -> list[Claim]:
    """Return the claims about sizes and times."""
    return [
        *_size_claims(),
        _law_claim(),
        _seeing_claim(),
        *_script_claims(),
        *_code_claims(),
        _lines_claim(),
    ]


def counted_numbers(thing: Any) -> int:
    """Return how many numbers a configuration holds, all the way down."""
    if is_dataclass(thing):
        return sum(counted_numbers(getattr(thing, f.name)) for f in fields(thing))
    if isinstance(thing, tuple | list):
        return sum(counted_numbers(item) for item in thing)
    if hasattr(thing, "size"):
        return int(thing.size)
    return int(isinstance(thing, float | int) and not isinstance(thing, bool))


def _size_claims() -> list[Claim]:
    """Return the controller's parameters and the model's outputs."""
    laws = [walker_config("trot"), AttitudeConfig(), *[LegLawConfig()] * 4]
    return [
        not_checkable(
            "7.1.1",
            "scalar parameters of the simple controller of section 5.3",
            f"about {PRINTED.law_parameters}",
            "which ones is not printed; calibration of the sensors is among them. Ours:"
            " numbers in the configurations of walk, observer and four legs' laws",
            ours=sum(map(counted_numbers, laws)),
        ),
        not_checkable(
            "7.1.1",
            "outputs of the rbm",
            f"over {PRINTED.outputs}",
            "which ones is not printed. Ours has the states and the feet's places and"
            " velocities",
            ours=sum(len(row) for row in _outputs().values()),
        ),
    ]


def _outputs() -> dict[str, list[Any]]:
    """Return what WARP1's script puts out where one looks at it: states and feet."""
    robot = warp1_system()
    S = robot.system
    feet: list[OutputValue] = [*robot.pads, *(S.velocity(pad) for pad in robot.pads)]
    return {
        "x": [*S.coordinates.values(), *S.speed_symbols.values()],
        "feet": [e for foot in feet for e in S.scalars(foot)],
    }


def _law_claim() -> Claim:
    """Return what the control signal takes."""
    robot = warp1()
    run = rollout(
        machine_world(robot),
        follow_controller(robot, KneelMotion()),
        SECONDS,
        plant=MachineConfig(),
    )
    ticks = len(run.time) - 1
    return not_checkable(
        "7.4",
        "to calculate the control signal of section 5.3 [µs]",
        PRINTED.law_us,
        "a Pentium of 350 MHz; another machine. Law (5.1) of four legs, processor time"
        " with all that Python adds to a tick",
        ours=round(1e6 * run.cpu.control / ticks, 1),
    )


def _seeing_claim() -> Claim:
    """Return what expressions for the eye cost beside the equations of motion."""
    robot = warp1_system()
    S = robot.system
    e = S.kane()
    field = made_of(S, [*e.M.values(), *e.F, *e.kde]).operations
    points = [*robot.hips, *robot.pads, S.centre_of_mass()]
    seen = made_of(S, [c for p in points for c in p.in_(robot.world)]).operations
    more = (seen.add + seen.mul) / (field.add + field.mul)
    return not_checkable(
        "7.3",
        "more time to simulate with all expressions for visualization and evaluation",
        f"about {PRINTED.seeing:.0%}",
        "which expressions is not printed, and theirs is a time. Ours: additions and"
        " products for hips, pads and centre of mass over those of the rbm field",
        ours=f"{more:.0%}",
    )


def _statements(function: Any) -> int:
    """Return how many statements a function has, its head and docstring left out."""
    (tree,) = ast.parse(dedent(inspect.getsource(function))).body
    return sum(isinstance(node, ast.stmt) for node in ast.walk(tree)) - 2


def _script_claims() -> list[Claim]:
    """Return table 8.1, row by row."""
    imports = ast.parse(inspect.getsource(inspect.getmodule(arm))).body  # type: ignore[arg-type]
    loads = sum(isinstance(node, ast.Import | ast.ImportFrom) for node in imports)
    inside = ast.walk(ast.parse(inspect.getsource(arm)))
    ports = sum(
        getattr(getattr(n, "func", None), "attr", "") == "ports" for n in inside
    )
    exports = _statements(type(arm()).block) + _statements(type(arm()).lines)
    rows = {
        "to initialise": loads,
        "to define the arm and derive its equations": _statements(arm) - ports,
        "to define signals": ports,
        "to export its functions": exports,
    }
    why = "another language: statements of our script of the same arm"
    return [
        not_checkable("8, table 8.1", f"statements {what}", theirs, why, ours=ours)
        for (what, ours), theirs in zip(rows.items(), PRINTED.statements, strict=True)
    ]


def _code_claims() -> list[Claim]:
    """Return how large the scripts of a SCARA robot and of WARP1 are, and the time."""
    small, large = _statements(scara), _script_statements()
    why = "another language: statements of our script"
    return [
        not_checkable(
            "7",
            "to apply the method to the arm of figure 8.1, about [h]",
            PRINTED.arm_hours,
            "a person's time, of an author who knows the tools",
        ),
        not_checkable(
            "7.2.1",
            "lines of code that derive the equations of a SCARA robot, about",
            PRINTED.scara_lines,
            f"{why} of the same robot",
            ours=small,
        ),
        not_checkable(
            "7.2.1",
            "times as large: the code that derives WARP1's equations, about",
            PRINTED.warp1_larger,
            f"{why}s: {large} of the module that derives any machine with legs over"
            f" {small} of the SCARA robot's. Theirs has names for users besides",
            ours=round(large / small, 1),
        ),
    ]


def _script_statements() -> int:
    """Return how many statements the module that derives WARP1's equations has."""
    module = inspect.getmodule(warp1_system)
    tree = ast.parse(inspect.getsource(module))  # type: ignore[arg-type]
    return sum(isinstance(node, ast.stmt) for node in ast.walk(tree))


def _lines_claim() -> Claim:
    """Return how long the exported C is."""
    with tempfile.TemporaryDirectory() as folder:
        paths = warp1_system().system.export(Path(folder) / "warp1")
        (code,) = (path for path in paths if path.suffix == ".c")
        lines = len(code.read_text(encoding="utf-8").splitlines())
    return not_checkable(
        "12.3",
        "lines of the C file of WARP1's model",
        f"almost {PRINTED.lines}",
        "another exporter; ours has a line an operation",
        ours=lines,
    )
