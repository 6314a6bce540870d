"""The tag against the construction written out over bytes, and the printed vector."""

import numpy as np
import pytest

from equipoise.modules.transports.keyed_tag import new_key, sealed, tag_of

WORD = (1 << 64) - 1


def siphash(key: bytes, text: bytes) -> int:
    """Oracle: SipHash-2-4 over bytes in Python's whole numbers."""

    def turned(x, b):
        return ((x << b) | (x >> (64 - b))) & WORD

    def stir():
        v[0] = (v[0] + v[1]) & WORD
        v[1] = turned(v[1], 13) ^ v[0]
        v[0] = turned(v[0], 32)
        v[2] = (v[2] + v[3]) & WORD
        v[3] = turned(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) & WORD
        v[3] = turned(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) & WORD
        v[1] = turned(v[1], 17) ^ v[2]
        v[2] = turned(v[2], 32)

    k = [int.from_bytes(key[i : i + 8], "little") for i in (0, 8)]
    start = b"somepseudorandomlygeneratedbytes"
    v = [
        int.from_bytes(start[i : i + 8], "big") ^ k[i // 8 % 2] for i in range(0, 32, 8)
    ]
    padded = text + bytes((7 - len(text)) % 8) + bytes([len(text) % 256])
    for i in range(0, len(padded), 8):
        word = int.from_bytes(padded[i : i + 8], "little")
        v[3] ^= word
        stir(), stir()
        v[0] ^= word
    v[2] ^= 0xFF
    stir(), stir(), stir(), stir()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def test_the_oracle_gives_the_papers_vector():
    # [Aumasson2012] appendix A: key 00..0f, text 00..0e
    assert siphash(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5


@pytest.mark.parametrize("count", [1, 2, 10, 40])
def test_the_compiled_tag_is_the_oracles(count, rng):
    key = rng.integers(-(2**63), 2**63 - 1, 2)
    words = rng.integers(-(2**63), 2**63 - 1, (3, count))
    expected = siphash(key.tobytes(), words[1].tobytes())
    assert tag_of(key, words, 1, count) & WORD == expected


def test_any_flipped_bit_of_text_tag_or_key_breaks_the_seal(rng):
    key, words = new_key(), rng.integers(-(2**63), 2**63 - 1, (1, 11))
    words[0, 10] = tag_of(key, words, 0, 10)
    assert sealed(key, words, 0, 10)
    for k in range(11):
        for bit in range(64):
            words[0, k] ^= np.int64(1) << np.int64(bit)
            assert not sealed(key, words, 0, 10)
            words[0, k] ^= np.int64(1) << np.int64(bit)
    assert not sealed(key ^ np.array([0, 1]), words, 0, 10)
    assert not np.array_equal(new_key(), new_key())
