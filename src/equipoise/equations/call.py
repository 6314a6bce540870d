"""Calling machine code by its address, fast: a few hundred nanoseconds from Python.

The address is a number that ``callable`` got from LLVM; arrays go in as they are.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from equipoise.core.arrays import Array, VecN
from equipoise.core.jit import compiled

__all__ = ["call_joined", "call_many", "call_one", "jump"]


def jump_code(typing_context: Any, address: Any, a: Any, b: Any, c: Any) -> Any:
    """Return type and code of a call of three pointers at an address."""
    signature = types.void(types.intp, types.intp, types.intp, types.intp)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer] * 3)
        target = builder.inttoptr(args[0], kind.as_pointer())
        builder.call(target, [builder.inttoptr(x, pointer) for x in args[1:]])
        return context.get_dummy_value()

    return signature, generate


jump = cast(Callable[[int, int, int, int], None], intrinsic(jump_code))


@compiled
def call_one(address: int, work: int, width: int, inputs: VecN, outputs: VecN) -> bool:
    """Call a function on one state; return False if the inputs are not as many.

    Args:
        address: of machine code that takes work, inputs and outputs.
        work: address of what all calls share.
        width: how many inputs the function takes.
        inputs: contiguous.
        outputs: contiguous; overwritten.
    """
    if inputs.shape[0] != width:
        return False
    jump(address, work, inputs.ctypes.data, outputs.ctypes.data)
    return True


@compiled
def call_joined(
    address: int, work: int, width: int, a: VecN, b: VecN, c: VecN, outputs: VecN
) -> bool:
    """Call a function on one state whose inputs come in three arrays.

    Returns False if the inputs are not as many.

    Args:
        address: of machine code that takes work, inputs and outputs.
        work: address of what all calls share.
        width: how many inputs the function takes.
        a: first inputs, contiguous.
        b: next inputs, contiguous.
        c: last inputs, contiguous.
        outputs: contiguous; overwritten.
    """
    n, m = a.shape[0], a.shape[0] + b.shape[0]
    if m + c.shape[0] != width:
        return False
    inputs = np.empty(width)
    for i in range(n):
        inputs[i] = a[i]
    for i in range(m - n):
        inputs[n + i] = b[i]
    for i in range(width - m):
        inputs[m + i] = c[i]
    jump(address, work, inputs.ctypes.data, outputs.ctypes.data)
    return True


@compiled
def call_many(address: int, work: int, inputs: Array, outputs: Array) -> None:
    """Call a function for each row of inputs.

    Args:
        address: of machine code that takes work, inputs and outputs.
        work: address of what all calls share.
        inputs: (n, inputs), contiguous.
        outputs: (n, outputs), contiguous; overwritten.
    """
    for i in range(inputs.shape[0]):
        jump(address, work, inputs[i].ctypes.data, outputs[i].ctypes.data)
