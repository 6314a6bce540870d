"""Programs run by NumPy, one array operation after the other: slow, and the reference.

Every other way of running a program is checked against this one. States may come in
any number: each operation works on all of them at once.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from equipoise.core.errors import ShapeError
from equipoise.equations.tape.program import Program
from equipoise.equations.tape.tape import Op

__all__ = ["interpret"]


def _inverse(a: Any) -> Any:
    """Return 1 / a in the precision of a."""
    return np.divide(a.dtype.type(1), a)


def _less(a: Any, b: Any) -> Any:
    """Return 1 where a < b, else 0."""
    return (a < b).astype(a.dtype)


def _select(test: Any, a: Any, b: Any) -> Any:
    """Return a where the test is not zero, else b."""
    return np.where(test != 0, a, b)


WAYS: dict[Op, Callable[..., Any]] = {
    Op.ADD: np.add,
    Op.MULTIPLY: np.multiply,
    Op.RECIPROCAL: _inverse,
    Op.SINE: np.sin,
    Op.COSINE: np.cos,
    Op.SQUARE_ROOT: np.sqrt,
    Op.EXPONENTIAL: np.exp,
    Op.LOGARITHM: np.log,
    Op.ARC_TANGENT_2: np.arctan2,
    Op.ABSOLUTE: np.abs,
    Op.MINIMUM: np.minimum,
    Op.MAXIMUM: np.maximum,
    Op.LESS: _less,
    Op.SELECT: _select,
}


def interpret(
    program: Program,
    inputs: NDArray[Any],
    parameters: NDArray[Any] | None = None,
    *,
    dtype: DTypeLike = np.float64,
) -> NDArray[Any]:
    """Return a program's outputs, (..., outputs).

    Args:
        program: what to compute.
        inputs: (..., inputs), any number of states.
        parameters: (parameters,).
        dtype: the precision in which everything is computed.

    Raises:
        ShapeError: another number of inputs or parameters.
    """
    x = np.asarray(inputs, dtype=dtype)
    p = np.asarray([] if parameters is None else parameters, dtype=dtype)
    for name, got, wanted in (
        ("inputs", x.shape[-1:], (len(program.inputs),)),
        ("parameters", p.shape, (len(program.parameters),)),
    ):
        if got != wanted:
            problem = f"{name} of a program should have shape {wanted}, got {got}."
            raise ShapeError(problem)
    tape, known = program.tape, {}

    def at(reference: int) -> Any:
        i = abs(reference)
        if i not in known:  # a number
            known[i] = np.asarray(tape.value[i], dtype=dtype)
        return known[i] if reference > 0 else -known[i]

    known.update(zip(program.parameters, p, strict=True))
    known.update(zip(program.inputs, np.moveaxis(x, -1, 0), strict=True))
    for i in (*program.init, *program.step):
        known[i] = WAYS[tape.ops[i]](*map(at, tape.args[i]))
    outs = [np.broadcast_to(at(r), x.shape[:-1]) for r in program.outputs]
    return np.stack(outs, axis=-1)
