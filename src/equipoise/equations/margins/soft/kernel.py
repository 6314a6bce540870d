"""The loop around the programs of soft ground, for machine code by LLVM."""

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.equations.emit.call import jump

__all__ = ["soft_loop"]

TURN, MODE, SLOPES = range(3)


@compiled
def soft_loop(code: Ints, states: Array, told: Array, loads: int, turns: int) -> None:
    """Judge states one after the other.

    Args:
        code: addresses of the programs, in the order of ``soft_code``.
        states: (n, given).
        told: (n, told); overwritten.
        loads: steps in which the weight is put on.
        turns: of Newton's method.
    """
    given = states.shape[1]
    x, y = np.zeros(given + 5), np.zeros(6)
    whole, slopes = np.zeros(given + 8), np.zeros(told.shape[1] - 2)
    for i in range(states.shape[0]):
        x[:given] = states[i]
        x[given:] = 0.0
        x[given + 3] = 1.0
        for turn in range(1, turns + 1):
            x[given + 4] = turn / loads if turn < loads else 1.0
            jump(code[TURN], 0, x.ctypes.data, y.ctypes.data)
            x[given : given + 4] = y[:4]
        jump(code[MODE], 0, x.ctypes.data, y.ctypes.data)
        whole[: given + 4] = x[: given + 4]
        whole[given + 4 :] = y[:4]
        jump(code[SLOPES], 0, whole.ctypes.data, slopes.ctypes.data)
        told[i, 0] = y[4]
        told[i, 1] = y[5]
        for k in range(slopes.shape[0]):
            told[i, 2 + k] = 0.0 if y[5] != 0.0 else slopes[k]
