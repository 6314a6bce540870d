"""Programs as functions to call from Python, compiled by LLVM; no C compiler needed."""

import ctypes
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, final

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ShapeError
from equipoise.equations.emit.call import call_joined, call_many, call_one
from equipoise.equations.emit.llvm import LANES, llvm_source
from equipoise.equations.emit.packed_llvm import llvm_lanes_source
from equipoise.equations.tape.program import Program

__all__ = ["Compiled", "compiled_program"]

LOCK = threading.Lock()  # LLVM's set-up is not made for several threads
TwoPointers = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
READY: set[int] = set()  # numbers of arrays whose caller is compiled


@final
class Compiled:
    """A program ready to run; call it with its inputs.

    Parameters are set once and can be changed with ``set``. Calling it is safe from
    several threads, setting parameters is not.
    """

    def __init__(
        self,
        program: Program,
        parameters: VecN,
        lanes: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self.program = program
        if lanes is not None and len(lanes) == LANES:
            source = llvm_lanes_source(program, lanes)
        else:
            source = llvm_source(program)
        self._engine = engine_of(source)  # holds the code
        self._init: int = self._engine.get_function_address("init")
        self.address: int = self._engine.get_function_address("step")
        """Of machine code that takes three pointers: memory, inputs, outputs."""
        self._joined: int = self._engine.get_function_address("joined")
        room = len(program.kept) * (1 if lanes is None else len(lanes))
        self.memory: VecN = np.zeros(room)
        """What all calls share."""
        self._work: int = self.memory.ctypes.data
        self._width = len(program.inputs)
        self._one = Head(self.address, self._work, self._width)
        self._three = Head(self._joined, self._work, self._width, -1, -1)
        self._outputs = len(program.outputs)
        self.set(parameters)

    def set(self, parameters: ArrayLike) -> None:
        """Set the parameters, (parameters,).

        Raises:
            ShapeError: another number of them, or one that is not finite.
        """
        values = np.array(parameters, dtype=np.float64)
        wanted = (len(self.program.parameters),)
        if values.shape != wanted or not np.isfinite(values).all():
            raise ShapeError(
                f"parameters of a program should be finite and of shape {wanted}, "
                f"got {values}."
            )
        TwoPointers(self._init)(values.ctypes.data, self._work)

    def __call__(self, *inputs: Array) -> Array:
        """Return the outputs, (outputs,) or (states, outputs).

        Args:
            inputs: one or several arrays that hold the inputs one after the other,
                each (n,) or all (states, n).

        Raises:
            ShapeError: another number of inputs.
        """
        y = np.empty(self._outputs)
        if len(inputs) not in READY:
            _get_ready(len(inputs))
        try:
            if len(inputs) == 3:
                fits = call_joined(self._three.address, *inputs, y)
            elif len(inputs) == 1:
                fits = call_one(self._one.address, inputs[0], y)
            else:
                return self.many(*inputs)
        except TypeError:  # several states, or other types
            return self.many(*inputs)
        if not fits:
            raise self._misfit(inputs)
        return y

    def of_three(
        self, first: int, second: int
    ) -> Callable[[Any, Any, Any], Array | None]:
        """Return a function of one state in three arrays: the shortest way from Python.

        It returns the outputs, (outputs,), or None where it is not given contiguous
        arrays of doubles of just these sizes.

        Args:
            first: how many inputs are in the first array.
            second: how many are in the second; the rest is in the third.
        """
        _get_ready(3)
        whole = Head(self._joined, self._work, self._width, first, second)
        head, outputs, room = whole.address, self._outputs, np.empty
        kept = (self, whole)  # as long as the function is there

        def one(a: Any, b: Any, c: Any, _: object = kept) -> Array | None:
            y = room(outputs)
            try:
                if call_joined(head, a, b, c, y):
                    return y
            except TypeError:  # several states, or other types
                pass
            return None

        return one

    def _misfit(self, inputs: Sequence[Array]) -> ShapeError:
        shapes = [np.shape(x) for x in inputs]
        return ShapeError(f"a program has {self._width} inputs, got {shapes}.")

    def many(self, *inputs: Array) -> Array:
        """Return the outputs of any number of states, (..., outputs)."""
        x = np.concatenate([np.asarray(a, dtype=np.float64) for a in inputs], axis=-1)
        if x.shape[-1:] != (self._width,):
            raise self._misfit(inputs)
        y = np.empty((*x.shape[:-1], self._outputs))
        rows = x.reshape(-1, self._width)
        call_many(self.address, self._work, rows, y.reshape(-1, self._outputs))
        return y


@final
class Head:
    """Whole numbers in a row, at an address that stays."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = np.array(numbers, dtype=np.int64)
        self.address: int = self._numbers.ctypes.data


def compiled_program(
    program: Program,
    parameters: ArrayLike = (),
    lanes: Sequence[Sequence[int]] | None = None,
) -> Compiled:
    """Return a program as a function.

    Args:
        program: what to compute.
        parameters: their values, (parameters,).
        lanes: symbols of equal legs, as ``lanes.packing`` takes them; used where there
            are four.

    Raises:
        ShapeError: another number of parameters.
    """
    return Compiled(program, np.asarray(parameters, dtype=np.float64), lanes)


def _get_ready(arrays: int) -> None:
    """Compile the caller for a number of arrays, where there is one, once."""
    callers = {1: call_one, 3: call_joined}
    if arrays in callers and arrays not in READY:
        _refuse_other_types(callers[arrays])
    READY.add(arrays)


def _refuse_other_types(caller: Any) -> None:
    """Make a caller raise TypeError for arrays that it was not compiled for."""
    x, head = np.zeros(0), Head(0, 0, 1, -1, -1)
    if not caller.signatures:  # one input wanted, none given: calls nothing
        arrays = 2 if caller is call_one else 4
        caller(head.address, *[x] * arrays)
    caller.disable_compile()


@cache
def _prepare() -> Any:
    """Set up LLVM, once, and return what makes code for this computer."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


def engine_of(source: str) -> Any:
    """Return machine code of a module."""
    with LOCK:
        machine = _prepare().create_target_machine(
            cpu=llvm.get_host_cpu_name(),
            features=llvm.get_host_cpu_features().flatten(),
            opt=3,
        )  # the engine below takes it over, so each needs its own
        module = llvm.parse_assembly(source)
        module.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.slp_vectorization = False  # slow on straight lines, and no gain
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
    return engine
