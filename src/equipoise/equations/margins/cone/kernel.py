"""The loop around the cone programs, for machine code by LLVM."""

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.equations.emit.call import jump

__all__ = ["cone_loop"]

PREPARE, BEGIN, TURN, TOUCH, LOOK, SWING, ANSWER = range(7)
HELD = 1e3
MOST_TURNS = 30
SETTLED = 0.01


@compiled
def settle(
    code: Ints, which: int, spot: Array, at: int, out: Array, count: int
) -> None:
    """Take turns until t is reached and the middle is near."""
    for _ in range(MOST_TURNS):
        jump(code[which], 0, spot.ctypes.data, out.ctypes.data)
        first = at + 2 if which == TURN else at
        for k in range(count - 1):
            spot[first + k] = out[k]
        if not out[count - 1] > SETTLED and spot[at + 6] >= spot[at + 7]:
            break


@compiled
def cone_loop(
    code: Ints, states: Array, told: Array, contacts: int, rounds: int, ends: Array
) -> None:
    """Judge states one after the other.

    Args:
        code: addresses of the programs, in the order of ``ConePrograms``.
        states: (n, given).
        told: (n, told); overwritten.
        contacts: a state.
        rounds: directions tried at most.
        ends: the coarse and the fine t.
    """
    places = contacts + rounds
    seen, corners = 8 * contacts + 6, 2 * places + 2
    spot, out = np.zeros(seen + 8), np.zeros(64 + seen + corners)
    search = np.zeros(corners + 16)
    given = states.shape[1]
    last, held = np.zeros(given + 11), np.zeros(5)
    for i in range(states.shape[0]):
        jump(code[PREPARE], 0, states[i].ctypes.data, out.ctypes.data)
        spot[:seen] = out[:seen]
        search[:] = 0.0
        search[:corners] = out[seen : seen + corners]
        search[corners : corners + 2] = spot[8 * contacts : 8 * contacts + 2]
        search[corners + 11] = 1e30
        search[corners + 12] = 1.0
        for k in range(rounds + 1):
            jump(code[LOOK], 0, search.ctypes.data, out.ctypes.data)
            search[:] = out[: corners + 16]
            if out[corners + 15] != 0.0 or k == rounds:
                break
            spot[seen] = search[corners + 7]
            spot[seen + 1] = search[corners + 8]
            jump(code[BEGIN], 0, spot.ctypes.data, out.ctypes.data)
            spot[seen + 2 : seen + 7] = out[:5]
            spot[seen + 7] = HELD
            settle(code, TURN, spot, seen, out, 6)
            there = spot[seen + 2 : seen + 7].copy()
            spot[seen + 7] = ends[0]
            settle(code, TURN, spot, seen, out, 6)
            jump(code[TOUCH], 0, spot.ctypes.data, out.ctypes.data)
            search[corners + 3 : corners + 7] = out[:4]
            if out[2] < search[corners + 11]:
                held[:] = there
        spot[seen : seen + 2] = search[corners + 12 : corners + 14]
        spot[seen + 2 : seen + 7] = held
        spot[seen + 7] = ends[1]
        settle(code, SWING, spot, seen, out, 8)
        last[:given] = states[i]
        last[given : given + 7] = spot[seen : seen + 7]
        last[given + 7] = search[corners + 14]
        last[given + 8] = search[corners + 11]
        last[given + 9 : given + 11] = search[corners + 12 : corners + 14]
        jump(code[ANSWER], 0, last.ctypes.data, told[i].ctypes.data)
