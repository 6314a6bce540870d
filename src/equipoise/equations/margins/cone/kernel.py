"""The loop around the cone programs, for machine code that takes eight states at once.

What a lane finds does not depend on its neighbours: a lane that is done waits, its
numbers left alone, until all are.
"""

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.equations.emit.call import jump
from equipoise.equations.margins.cone.settings import (
    HALFWAY,
    MOST_TURNS,
    REACHED,
    SETTLED,
)
from equipoise.equations.margins.kernel import copied_rows, fetched, stored

__all__ = ["cone_loop"]

PREPARE, BEGIN, TURN, TOUCH, LOOK, SWING, ANSWER = range(7)
NONE, FIRST, LAST = range(3)  # what a lane waits for: nothing, or the end of a leg


@compiled
def _kept(rows: Array, at: int, new: Array, count: int, works: Ints) -> None:
    """Copy numbers of the lanes that work.

    Args:
        rows: where to, (rows, lanes).
        at: first row.
        new: (rows, lanes).
        count: rows.
        works: not zero in lanes that do.
    """
    for k in range(count):
        for lane in range(works.shape[0]):
            if works[lane] != 0:
                rows[at + k, lane] = new[k, lane]


@compiled
def _climb(code: Ints, spot: Array, there: Array, leg: Ints, coarse: float) -> None:
    """Follow the path of one direction: to a first t, which is noted, then to the last.

    Args:
        code: addresses of the programs.
        spot: rows of the barrier.
        there: unknowns and t at the first; overwritten.
        leg: of each lane; overwritten.
        coarse: the last t.
    """
    seen = spot.shape[0] - 8
    out = np.empty((6, spot.shape[1]))
    for _ in range(MOST_TURNS):
        jump(code[TURN], 0, spot.ctypes.data, out.ctypes.data)
        _kept(spot, seen + 2, out, 5, leg)
        busy = False
        for lane in range(leg.shape[0]):
            is_there = spot[seen + 6, lane] > REACHED * spot[seen + 7, lane]
            if leg[lane] != NONE and is_there and not out[5, lane] > HALFWAY:
                if leg[lane] == FIRST:
                    for k in range(5):
                        there[k, lane] = out[k, lane]
                    spot[seen + 7, lane] = coarse
                    leg[lane] = LAST
                else:
                    leg[lane] = NONE
            busy = busy or leg[lane] != NONE
        if not busy:
            break


@compiled
def _swing(code: Ints, spot: Array, works: Ints) -> None:
    """Follow the last path, its direction free.

    Args:
        code: addresses of the programs.
        spot: rows of the barrier.
        works: ones; overwritten.
    """
    seen = spot.shape[0] - 8
    out = np.empty((8, spot.shape[1]))
    works.fill(1)
    for _ in range(MOST_TURNS):
        jump(code[SWING], 0, spot.ctypes.data, out.ctypes.data)
        _kept(spot, seen, out, 7, works)
        busy = False
        for lane in range(works.shape[0]):
            is_there = spot[seen + 6, lane] > REACHED * spot[seen + 7, lane]
            if is_there and not out[7, lane] > SETTLED:
                works[lane] = 0
            busy = busy or works[lane] != 0
        if not busy:
            break


@compiled
def _search_edge(
    code: Ints, spot: Array, search: Array, held: Array, rounds: int, ends: Array
) -> None:
    """Draw both bounds together, direction by direction.

    Args:
        code: addresses of the programs.
        spot: rows of the barrier.
        search: rows of the polygon.
        held: unknowns and t of the best direction; overwritten.
        rounds: directions tried at most.
        ends: the t to hold, the coarse and the fine one.
    """
    seen, corners, lanes = spot.shape[0] - 8, search.shape[0] - 16, spot.shape[1]
    out, there = np.empty(search.shape), np.empty((5, lanes))
    works, leg = np.ones(lanes, np.int64), np.empty(lanes, np.int64)
    for k in range(rounds + 1):
        jump(code[LOOK], 0, search.ctypes.data, out.ctypes.data)
        _kept(search, 0, out, corners + 16, works)
        busy = False
        for lane in range(lanes):
            works[lane] = search[corners + 15, lane] == 0.0
            busy = busy or works[lane] != 0
        if k == rounds or not busy:
            break
        copied_rows(spot, seen, search, corners + 7, 2)
        jump(code[BEGIN], 0, spot.ctypes.data, out.ctypes.data)
        copied_rows(spot, seen + 2, out, 0, 5)
        copied_rows(there, 0, out, 0, 5)
        for lane in range(lanes):
            spot[seen + 7, lane] = ends[0]
            leg[lane] = works[lane] * FIRST
        _climb(code, spot, there, leg, ends[1])
        jump(code[TOUCH], 0, spot.ctypes.data, out.ctypes.data)
        for lane in range(lanes):
            leg[lane] = works[lane] * (out[2, lane] < search[corners + 11, lane])
        _kept(held, 0, there, 5, leg)
        _kept(search, corners + 3, out, 4, works)


@compiled
def cone_loop(
    code: Ints, states: Array, told: Array, contacts: int, rounds: int, ends: Array
) -> None:
    """Judge states, a few at a time.

    Args:
        code: addresses of the programs, in the order of ``ConePrograms``.
        states: (given, n), n a multiple of the lanes.
        told: (told, n); overwritten.
        contacts: a state.
        rounds: directions tried at most.
        ends: the t to hold, the coarse and the fine one.
    """
    lanes = 8
    given, seen = states.shape[0], 8 * contacts + 6
    corners = 2 * (contacts + rounds) + 2
    spot, search = np.zeros((seen + 8, lanes)), np.zeros((corners + 16, lanes))
    held, last = np.zeros((5, lanes)), np.zeros((given + 11, lanes))
    first, out = np.zeros((seen + corners, lanes)), np.zeros((told.shape[0], lanes))
    works = np.ones(lanes, np.int64)
    for i in range(0, states.shape[1], lanes):
        fetched(last, states, i)
        jump(code[PREPARE], 0, last.ctypes.data, first.ctypes.data)
        spot.fill(0.0)
        search.fill(0.0)
        held.fill(0.0)
        copied_rows(spot, 0, first, 0, seen)
        copied_rows(search, 0, first, seen, corners)
        copied_rows(search, corners, spot, 8 * contacts, 2)
        for lane in range(lanes):
            search[corners + 11, lane] = 1e30
            search[corners + 12, lane] = 1.0
        _search_edge(code, spot, search, held, rounds, ends)
        copied_rows(spot, seen, search, corners + 12, 2)
        copied_rows(spot, seen + 2, held, 0, 5)
        for lane in range(lanes):
            spot[seen + 7, lane] = ends[2]
        _swing(code, spot, works)
        copied_rows(last, given, spot, seen, 7)
        copied_rows(last, given + 7, search, corners + 14, 1)
        copied_rows(last, given + 8, search, corners + 11, 3)
        jump(code[ANSWER], 0, last.ctypes.data, out.ctypes.data)
        stored(told, out, i)
