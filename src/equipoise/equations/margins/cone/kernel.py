"""The loop around the cone programs, for machine code by LLVM."""

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

__all__ = ["cone_loop"]

PREPARE, BEGIN, TURN, TOUCH, LOOK, SWING, ANSWER = range(7)


@compiled
def is_settled(spot: Array, seen: int, off: float, enough: float) -> bool:
    """Say whether t is reached and the middle near; what is not a number is."""
    return not off > enough and spot[seen + 6] > REACHED * spot[seen + 7]


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
        ends: the t to hold, the coarse and the fine one.
    """
    places = contacts + rounds
    seen, corners = 8 * contacts + 6, 2 * places + 2
    spot, out = np.zeros(seen + 8), np.zeros(64 + seen + corners)
    search = np.zeros(corners + 16)
    given = states.shape[1]
    last, held, there = np.zeros(given + 11), np.zeros(5), np.zeros(5)
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
            there[:] = out[:5]
            spot[seen + 7] = ends[0]
            leg = 0
            for _ in range(MOST_TURNS):
                jump(code[TURN], 0, spot.ctypes.data, out.ctypes.data)
                spot[seen + 2 : seen + 7] = out[:5]
                if is_settled(spot, seen, out[5], HALFWAY):
                    if leg == 1:
                        break
                    leg = 1
                    there[:] = out[:5]
                    spot[seen + 7] = ends[1]
            jump(code[TOUCH], 0, spot.ctypes.data, out.ctypes.data)
            search[corners + 3 : corners + 7] = out[:4]
            if out[2] < search[corners + 11]:
                held[:] = there
        spot[seen : seen + 2] = search[corners + 12 : corners + 14]
        spot[seen + 2 : seen + 7] = held
        spot[seen + 7] = ends[2]
        for _ in range(MOST_TURNS):
            jump(code[SWING], 0, spot.ctypes.data, out.ctypes.data)
            spot[seen : seen + 7] = out[:7]
            if is_settled(spot, seen, out[7], SETTLED):
                break
        last[:given] = states[i]
        last[given : given + 7] = spot[seen : seen + 7]
        last[given + 7] = search[corners + 14]
        last[given + 8] = search[corners + 11]
        last[given + 9 : given + 11] = search[corners + 12 : corners + 14]
        jump(code[ANSWER], 0, last.ctypes.data, told[i].ctypes.data)
