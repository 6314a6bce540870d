"""A tag that only who holds the run's key can make: SipHash-2-4 [Aumasson2012].

Eight bytes at the end of a datagram. A process that was not given the key cannot forge
them (one guess in 2⁶⁴), so what it sends is recognised and left aside. Datagrams here
are whole 64-bit words, seen as int64: sums wrap, and a shift to the right is masked.
"""

import secrets

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled

__all__ = ["new_key", "sealed", "tag_of"]

_STARTS = (
    0x736F6D6570736575,
    0x646F72616E646F6D,
    0x6C7967656E657261,
    0x7465646279746573,
)
_A, _B, _C, _D = _STARTS


def new_key() -> Ints:
    """Return a key for one run from the operating system's secrets, (2,)."""
    return np.frombuffer(secrets.token_bytes(16), np.int64).copy()


@compiled(allocates=False, force_inline=True)
def _turned(word: int, bits: int) -> int:
    """Return a word with its bits moved up, those that fall out coming in below."""
    return (word << bits) | ((word >> (64 - bits)) & ((1 << bits) - 1))


@compiled(allocates=False, force_inline=True)
def _stirred(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """Return the four words after one round."""
    a, c = a + b, c + d
    b, d = _turned(b, 13) ^ a, _turned(d, 16) ^ c
    a = _turned(a, 32)
    c, a = c + b, a + d
    b, d = _turned(b, 17) ^ c, _turned(d, 21) ^ a
    return a, b, _turned(c, 32), d


@compiled(allocates=False)
def tag_of(key: Ints, words: Ints, row: int, count: int) -> int:
    """Return the tag of the first words of a row.

    Args:
        key: the run's key, (2,).
        words: datagrams, one a row.
        row: which one.
        count: how many of its words are covered.
    """
    a, b, c, d = key[0] ^ _A, key[1] ^ _B, key[0] ^ _C, key[1] ^ _D
    for k in range(count + 1):
        word = words[row, k] if k < count else (8 * count) << 56
        d ^= word
        a, b, c, d = _stirred(a, b, c, d)
        a, b, c, d = _stirred(a, b, c, d)
        a ^= word
    c ^= 0xFF
    for _ in range(4):
        a, b, c, d = _stirred(a, b, c, d)
    return a ^ b ^ c ^ d


@compiled(allocates=False)
def sealed(key: Ints, words: Ints, row: int, count: int) -> bool:
    """Return whether a row's word after the first ``count`` is their tag.

    Args:
        key: the run's key, (2,).
        words: datagrams, one a row.
        row: which one.
        count: how many of its words are covered.
    """
    return words[row, count] == tag_of(key, words, row, count)
