"""Random numbers with their whole state in one array cell, compiled.

SplitMix64: a counter that is stirred. Equal state, equal numbers, on every machine;
good enough to decide the fate of frames, not meant for secrets.
"""

import numpy as np
from numpy.typing import NDArray

from equipoise.core.jit import compiled

__all__ = ["Words", "chance", "next_random", "pick", "stir"]

Words = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_A, _B, _C, _UNIT = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@compiled(allocates=False, force_inline=True)
def stir(x: np.uint64) -> np.uint64:
    """Return another 64-bit word; no two words share one."""
    x = (x ^ (x >> _A)) * _FIRST
    x = (x ^ (x >> _B)) * _SECOND
    return x ^ (x >> _C)


@compiled(allocates=False, force_inline=True)
def next_random(dice: Words) -> np.uint64:
    """Return the next 64 random bits; ``dice[0]`` is the state."""
    dice[0] += _STEP
    return stir(dice[0])


@compiled(allocates=False, force_inline=True)
def chance(dice: Words, share: float) -> bool:
    """Return True in that share of calls; a share of 0 draws nothing."""
    if share <= 0.0:
        return False
    return float(next_random(dice) >> _UNIT) * 2.0**-53 < share


@compiled(allocates=False, force_inline=True)
def pick(dice: Words, many: int) -> int:
    """Return one of 0 to many - 1; the bias is below many / 2**53."""
    return int(float(next_random(dice) >> _UNIT) * 2.0**-53 * many)
