"""Random numbers that are looked up, not drawn in turn: Philox 4x32-10 [Salmon2011].

Four words of a counter and two of a key give four random words. Who asks for the same
counter gets the same numbers, on any processor, in any order, in whichever launch: a
robot's pushes depend on the seed, its number and the instant alone.
"""

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array

__all__ = ["PHILOX_TEXT", "STREAMS", "philox", "shares"]

Words = NDArray[np.uint32]
ROUNDS = 10
FACTORS = (0xD2511F53, 0xCD9E8D57)
STEPS = (0x9E3779B9, 0xBB67AE85)
STREAMS = {"settings": 1, "start": 2, "push": 3, "force": 4}
"""The counter's third word: what numbers are for."""
SHORT = 2.0**-24
"""Between two numbers that ``shares`` gives; single precision holds them exactly."""

PHILOX_TEXT = f"""
DEVICE void philox(unsigned int (&c)[4], unsigned int k0, unsigned int k1)
{{
#pragma unroll
  for (int round = 0; round < {ROUNDS}; ++round) {{
    const unsigned long long a = (unsigned long long){FACTORS[0]:#x}u * c[0];
    const unsigned long long b = (unsigned long long){FACTORS[1]:#x}u * c[2];
    const unsigned int c1 = c[1], c3 = c[3];
    c[0] = (unsigned int)(b >> 32) ^ c1 ^ k0;
    c[1] = (unsigned int)b;
    c[2] = (unsigned int)(a >> 32) ^ c3 ^ k1;
    c[3] = (unsigned int)a;
    k0 += {STEPS[0]:#x}u;
    k1 += {STEPS[1]:#x}u;
  }}
}}

DEVICE REAL share(unsigned int word)
{{
  return (REAL)(word >> 8) * (REAL){SHORT!r};
}}
"""
"""The same in CUDA and C++: ``philox`` replaces a counter by random words."""


def philox(counter: Words, key: tuple[int, int]) -> Words:
    """Return random words.

    Args:
        counter: (..., 4).
        key: two words, of which each other pair gives other numbers.
    """
    a, b, c, d = (counter[..., k].astype(np.uint64) for k in range(4))
    low = np.uint64(0xFFFFFFFF)
    first, second = (np.uint64(k) for k in key)
    for _ in range(ROUNDS):
        one, other = np.uint64(FACTORS[0]) * a, np.uint64(FACTORS[1]) * c
        a, c = (other >> np.uint64(32)) ^ b ^ first, (one >> np.uint64(32)) ^ d ^ second
        b, d = other & low, one & low
        first = (first + np.uint64(STEPS[0])) & low
        second = (second + np.uint64(STEPS[1])) & low
    return np.stack([a, b, c, d], axis=-1).astype(np.uint32)


def shares(words: Words) -> Array:
    """Return random words as numbers from 0 on and below 1, all of 24 bits."""
    return (words >> np.uint32(8)).astype(np.float64) * SHORT
