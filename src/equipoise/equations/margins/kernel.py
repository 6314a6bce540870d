"""Rows of eight states at once, and the loop around a margin that is one program.

Numbers are copied one by one: slices of arrays take seconds to compile.
"""

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.equations.emit.call import jump

__all__ = ["copied_rows", "fetched", "line_loop", "stored"]


@compiled
def copied_rows(rows: Array, at: int, source: Array, first: int, count: int) -> None:
    """Copy rows of all lanes.

    Args:
        rows: where to, (rows, lanes).
        at: first row there.
        source: (rows, lanes).
        first: first row here.
        count: rows.
    """
    for k in range(count):
        for lane in range(rows.shape[1]):
            rows[at + k, lane] = source[first + k, lane]


@compiled
def fetched(rows: Array, table: Array, state: int) -> None:
    """Copy a few states from a table to rows of lanes.

    Args:
        rows: (rows, lanes), as many rows as the table has or more; overwritten.
        table: (numbers, states).
        state: the first of them.
    """
    for k in range(table.shape[0]):
        for lane in range(rows.shape[1]):
            rows[k, lane] = table[k, state + lane]


@compiled
def stored(table: Array, rows: Array, state: int) -> None:
    """Copy a few states from rows of lanes to a table.

    Args:
        table: (numbers, states); overwritten.
        rows: (numbers, lanes).
        state: the first of them.
    """
    for k in range(table.shape[0]):
        for lane in range(rows.shape[1]):
            table[k, state + lane] = rows[k, lane]


@compiled
def line_loop(code: int, states: Array, told: Array) -> None:
    """Judge states, a few at a time.

    Args:
        code: address of the program.
        states: (given, n), n a multiple of the lanes.
        told: (told, n); overwritten.
    """
    lanes = 8
    x, y = np.zeros((states.shape[0], lanes)), np.zeros((told.shape[0], lanes))
    for i in range(0, states.shape[1], lanes):
        fetched(x, states, i)
        jump(code, 0, x.ctypes.data, y.ctypes.data)
        stored(told, y, i)
