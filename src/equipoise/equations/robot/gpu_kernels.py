"""A robot's equations as CUDA: what is asked of many of them at once, a kernel each."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from equipoise.core.kinds import Precision
from equipoise.equations.cuda.file import CudaFile, init_kernel, joined_work
from equipoise.equations.cuda.kernel import ArrayRows, straight_kernel
from equipoise.equations.cuda.text import named_work
from equipoise.equations.linear.robot import LinearEquations
from equipoise.equations.robot.functions import RobotFunctions
from equipoise.equations.robot.quantities import QUANTITIES
from equipoise.equations.tape.program import Program, program

__all__ = ["LINEAR", "USUAL", "robot_cuda", "usual"]

LINEAR = "linearization"
USUAL = (
    "forward_dynamics",
    "forward_on_feet",
    "inverse_dynamics",
    "inverse_on_feet",
    "com",
    "feet",
    "foot_velocities",
    LINEAR,
)
"""Kernels that a file has, those on feet where the robot has some."""
MOST_SPEEDS = 24
"""Of a robot whose linearisation is a usual kernel; it grows with their cube."""
ON_FEET = ("forward_on_feet", "inverse_on_feet", "feet", "foot_velocities")
RESULTS = {
    "forward_dynamics": "vdot",
    "forward_on_feet": "vdot",
    "inverse_dynamics": "tau",
    "inverse_on_feet": "tau",
    "feet": "positions",
    "foot_velocities": "velocities",
}
"""Names of the arrays that come out, where they are not the kernel's own."""


def robot_cuda(
    functions: RobotFunctions,
    prefix: str,
    precision: Precision,
    names: Sequence[str] | None = None,
    *,
    fixed: bool = False,
) -> CudaFile:
    """Return the kernels of a robot.

    Args:
        functions: of the robot.
        prefix: of the kernels' names, a C identifier.
        precision: ``double`` or ``single``.
        names: which: of ``QUANTITIES`` and ``linearization``; the usual ones that the
            robot has if not given.
        fixed: write the values of the parameters into the text.

    Raises:
        UnknownNameError: no such quantity.
        ConfigError: the robot has none of it, such as feet; a number too large for the
            precision.
    """
    wanted = usual(functions) if names is None else list(names)
    programs = {name: program_of(functions, name) for name in wanted}
    values = np.array(list(functions.parameters.values()), dtype=float)
    shared = {} if fixed else joined_work(list(programs.values()))
    kernels = [
        straight_kernel(
            found,
            f"{prefix}_{name}",
            _input_rows(
                functions, "qvat" if name == LINEAR else QUANTITIES[name].inputs
            ),
            _output_rows(functions, name, found),
            precision,
            named_work(found, precision, values)[0] if fixed else shared,
            _by_columns(functions, found) if name == LINEAR else None,
        )
        for name, found in programs.items()
    ]
    if fixed:
        return CudaFile(prefix, precision, tuple(kernels))
    return CudaFile(
        prefix,
        precision,
        tuple(kernels),
        init_kernel(prefix, list(programs.values()), shared, precision),
        tuple(
            {
                "name": p.name,
                "value": functions.parameters[p.name],
                "index": k,
                "help": p.help,
            }
            for k, p in enumerate(functions.equations.robot.parameters)
        ),
        len(shared),
    )


def usual(functions: RobotFunctions) -> list[str]:
    """Return the usual kernels that a robot can have."""
    left_out = () if functions.feet else ON_FEET
    is_quaternion = functions.equations.robot.attitude == "quaternion"
    if not is_quaternion or functions.nv > MOST_SPEEDS:
        left_out = (*left_out, LINEAR)
    return [name for name in USUAL if name not in left_out]


def program_of(functions: RobotFunctions, name: str) -> Program:
    """Return the program of a kernel."""
    if name != LINEAR:
        return functions.program(name)
    e = functions.equations
    linear = LinearEquations(e, None, (), np.zeros((0, 3)))
    outputs = linear.block(functions.parameters).outputs
    return program(
        [x for output in outputs for x in output.values],
        [*e.q, *e.v, *linear.vdot, *e.torques()],
        [p.symbol for p in e.robot.parameters],
    )


def _by_columns(functions: RobotFunctions, linear: Program) -> list[int]:
    """Return the outputs of A and B by columns: each is the solution of one system."""
    n = 2 * functions.nv
    rows = np.array(linear.outputs)
    parts = (rows[: n * n].reshape(n, n), rows[n * n :].reshape(n, -1))
    return [int(r) for part in parts for r in part.T.ravel()]


def _input_rows(functions: RobotFunctions, letters: str) -> list[ArrayRows]:
    """Return the arrays that go in: q, v, t for tau, a for vdot, f for forces."""
    e = functions.equations
    speeds = tuple(c.name for c in e.robot.v)
    feet = tuple(f"{foot}.{k}" for foot in e.robot.points for k in "xyz")
    made: Mapping[str, Callable[[], ArrayRows]] = {
        "q": lambda: ArrayRows("q", tuple(c.name for c in e.robot.q), "coordinates"),
        "v": lambda: ArrayRows("v", speeds, "speeds"),
        "t": lambda: ArrayRows("tau", speeds, "generalised forces along the speeds"),
        "a": lambda: ArrayRows("vdot", speeds, "accelerations"),
        "f": lambda: ArrayRows("forces", feet, "on the feet, in the world [N]"),
    }
    return [made[letter]() for letter in letters]


def _output_rows(
    functions: RobotFunctions, name: str, found: Program
) -> list[ArrayRows]:
    """Return the arrays that come out of a kernel."""
    e = functions.equations
    if name == LINEAR:
        speeds = [c.name for c in e.robot.v]
        x = [*(f"d {s}" for s in speeds), *(f"d rate of {s}" for s in speeds)]
        driven = [speeds[k] for k in e.driven]
        a = tuple(f"{row} by {column}" for row in x for column in x)
        b = tuple(f"{row} by tau of {column}" for row in x for column in driven)
        found_rows = [ArrayRows("A", a, "row by row")]
        return [*found_rows, ArrayRows("B", b, "row by row")] if driven else found_rows
    quantity = QUANTITIES[name]
    array = RESULTS.get(name, name)
    if name in ("forward_dynamics", "forward_on_feet"):
        return [ArrayRows(array, tuple(c.name for c in e.robot.v), quantity.help)]
    rows = tuple(f"{array}[{k}]" for k in range(len(found.outputs)))
    if name in ("inverse_dynamics", "inverse_on_feet"):
        rows = tuple(c.name for c in e.robot.v)
    if name in ("feet", "foot_velocities"):
        rows = tuple(f"{foot}.{k}" for foot in e.robot.points for k in "xyz")
    return [ArrayRows(array, rows, quantity.help)]
