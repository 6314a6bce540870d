"""The loop around the programs of soft ground, eight states at once."""

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.equations.emit.call import jump
from equipoise.equations.margins.kernel import copied_rows, fetched

__all__ = ["soft_loop"]

TURN, MODE, SLOPES = range(3)


@compiled
def soft_loop(code: Ints, states: Array, told: Array, loads: int, turns: int) -> None:
    """Judge states, a few at a time.

    Args:
        code: addresses of the programs, in the order of ``soft_code``.
        states: (given, n), n a multiple of the lanes.
        told: (told, n); overwritten.
        loads: steps in which the weight is put on.
        turns: of Newton's method.
    """
    lanes, given = 8, states.shape[0]
    x, y = np.zeros((given + 5, lanes)), np.zeros((6, lanes))
    whole = np.zeros((given + 8, lanes))
    slopes = np.zeros((told.shape[0] - 2, lanes))
    for i in range(0, states.shape[1], lanes):
        fetched(x, states, i)
        for lane in range(lanes):
            for k in range(5):
                x[given + k, lane] = 1.0 if k == 3 else 0.0
        for turn in range(1, turns + 1):
            for lane in range(lanes):
                x[given + 4, lane] = turn / loads if turn < loads else 1.0
            jump(code[TURN], 0, x.ctypes.data, y.ctypes.data)
            copied_rows(x, given, y, 0, 4)
        jump(code[MODE], 0, x.ctypes.data, y.ctypes.data)
        copied_rows(whole, 0, x, 0, given + 4)
        copied_rows(whole, given + 4, y, 0, 4)
        jump(code[SLOPES], 0, whole.ctypes.data, slopes.ctypes.data)
        for lane in range(lanes):
            told[0, i + lane] = y[4, lane]
            told[1, i + lane] = y[5, lane]
            for k in range(slopes.shape[0]):
                told[2 + k, i + lane] = 0.0 if y[5, lane] != 0.0 else slopes[k, lane]
