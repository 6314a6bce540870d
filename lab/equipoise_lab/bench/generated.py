"""Generated code to be timed, compiled by LLVM or by a C compiler."""

import ctypes
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled
from equipoise.equations.emit.batch import batch_source
from equipoise.equations.emit.c import c_source
from equipoise.equations.emit.call import jump
from equipoise.equations.emit.callable import compiled_program
from equipoise.equations.emit.simd import simd_source
from equipoise.equations.emit.toolchains import BOARDS, call
from equipoise.equations.tape.program import Program
from equipoise_lab.bench.clock import Runner

__all__ = [
    "FLAGS",
    "LANE_FLAGS",
    "PLAIN",
    "Candidate",
    "address",
    "by_compiler",
    "by_llvm",
    "in_batches",
    "library",
]

PLAIN = ("-O3", "-march=native")
FLAGS = (*PLAIN, "-fno-tree-slp-vectorize", "-fno-trapping-math")
"""What suits straight lines: no search for lanes in them, but in the loop of sines."""
LANE_FLAGS = (
    *("-O2", "-march=native", "-fno-trapping-math", "-ftree-loop-vectorize"),
    *("-fschedule-insns", "-fsched-pressure"),
)
"""What suits packs: the compiler's own order, with an eye on the few registers."""


class Candidate:
    """Machine code that goes over states.

    Args:
        name: for the table.
        step: address of the code.
        work: what all calls share.
        inputs: (states, inputs), contiguous.
        outputs: how many.
        keep: what must not be freed.
    """

    def __init__(
        self,
        name: str,
        step: int,
        work: VecN,
        inputs: Array,
        outputs: int,
        keep: object,
    ) -> None:
        self.step, self.work, self.inputs, self.keep = step, work, inputs, keep
        self.found = np.zeros((len(inputs), outputs))
        self.runner = Runner(name, self.run, len(inputs))
        self.run(1)

    def run(self, times: int) -> None:
        """Go over all states some times."""
        work = self.work.ctypes.data
        _over_states(self.step, work, self.inputs, self.found, times)


@compiled
def _over_states(
    address: int, work: int, inputs: Array, outputs: Array, times: int
) -> None:
    """Call machine code for each row of inputs, some times."""
    for _ in range(times):
        for i in range(inputs.shape[0]):
            jump(address, work, inputs[i].ctypes.data, outputs[i].ctypes.data)


def by_llvm(
    name: str,
    program: Program,
    values: VecN,
    inputs: Array,
    lanes: Sequence[Sequence[int]] | None = None,
) -> Candidate:
    """Return a program compiled by LLVM.

    Args:
        name: for the table.
        program: what to compute.
        values: of the parameters.
        inputs: (states, inputs), contiguous.
        lanes: symbols of equal legs, to be put side by side.
    """
    code = compiled_program(program, values, lanes)
    outputs = len(program.outputs)
    return Candidate(name, code.address, code.memory, inputs, outputs, code)


def by_compiler(
    name: str,
    program: Program,
    values: VecN,
    inputs: Array,
    lanes: Sequence[Sequence[int]] | None = None,
) -> Candidate:
    """Return a program as C, compiled; the arguments are those of ``by_llvm``.

    Raises:
        MissingToolError: there is no C compiler.
    """
    if lanes is None:
        source = c_source(program, "code")
    else:
        source = simd_source(program, lanes, "code")
    code = library(source, FLAGS if lanes is None else LANE_FLAGS)
    work = np.zeros(len(program.kept) * len(lanes or [0]))
    code.code_init(as_pointer(values), as_pointer(work))
    step, outputs = address(code.code_step), len(program.outputs)
    return Candidate(name, step, work, inputs, outputs, code)


def in_batches(name: str, program: Program, values: VecN, inputs: Array) -> Candidate:
    """Return C that takes many states at a time, compiled; arguments as ``by_llvm``.

    Raises:
        MissingToolError: there is no C compiler.
    """
    work = {i: f"w[{k}]" for k, i in enumerate(program.kept)}
    source = c_source(program, "code")
    source += batch_source(program, "code", "double", work)
    code = library("#include <stddef.h>\n" + source)
    kept = np.zeros(len(work))
    code.code_init(as_pointer(values), as_pointer(kept))
    step, outputs = address(code.code_step), len(program.outputs)
    found = Candidate(name, step, kept, inputs, outputs, code)
    rows = ctypes.c_size_t(len(inputs))
    given = (as_pointer(kept), rows, as_pointer(inputs), as_pointer(found.found))

    def run(times: int, kept: object = found) -> None:  # its arrays must stay
        for _ in range(times):
            code.code_batch(*given)

    found.found[:] = np.nan  # what the single steps left there
    run(1)
    found.runner = Runner(name, run, len(inputs))
    return found


def address(function: Any) -> int:
    """Return where a function of a library is."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def as_pointer(array: VecN) -> Any:
    """Return an array as C takes it."""
    return ctypes.c_void_p(array.ctypes.data)


def library(source: str, flags: Sequence[str] = FLAGS) -> Any:
    """Return C code as a library of functions.

    Args:
        source: one file.
        flags: for the compiler.

    Raises:
        MissingToolError: there is no C compiler.
    """
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "code.so"
        file.write_bytes(_built(source, tuple(flags)))
        return ctypes.CDLL(str(file))


@cache
def _built(source: str, flags: tuple[str, ...]) -> bytes:
    """Return the file of a library, so that it can be loaded more than once.

    Raises:
        MissingToolError: there is no C compiler.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "code.c").write_text(source)
        arguments = [*flags, "-fPIC", "-shared", "code.c", "-o", "code.so", "-lm"]
        call(BOARDS["host"].compiler, arguments, folder)
        return (folder / "code.so").read_bytes()
