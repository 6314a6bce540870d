"""Frames against bytes written by hand, a bitwise checksum, and flipped bits."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.modules.frame import (
    INCUMBENT,
    SUM,
    F,
    ProtocolFrame,
    crc16,
    pack_frame,
    unpack_frame,
)
from equipoise.modules.hashing import (
    foot_digest,
    foot_digest_kernel,
    hash32,
    identity_hash,
    identity_hash_kernel,
    link_hash,
    link_hash_kernel,
    mix,
)

FRAME: ProtocolFrame[bytes] = ProtocolFrame(
    flags=F | SUM,
    seq=0x11,
    echo=0x22,
    dist=0x33,
    id=0x4455,
    root=0x6677,
    epoch=0x8899,
    count=0xAA,
    join=0xBB,
    cand=INCUMBENT | 0x4CDD,
    feet=0xEEF001,
    age=0x12,
    token=0x3456789A,
)
PAYLOAD = bytes(range(40))
HEADER = "82112233 5544 7766 9988 aa bb ddcc 01f0ee 12 9a785634"


def bitwise_crc(data: bytes) -> int:
    """The same checksum by long division, one bit at a time."""
    rest = 0xFFFE  # all ones, version 1 mixed in
    for bit in (byte >> k & 1 for byte in data for k in range(7, -1, -1)):
        rest = (rest << 1) ^ (0x1021 if (rest >> 15) ^ bit else 0)
        rest &= 0xFFFF
    return rest


def test_golden_bytes():
    data, head = pack_frame(FRAME, PAYLOAD), bytes.fromhex(HEADER)
    assert len(data) == 64
    assert data[:22] == head
    assert data[22:24] == bitwise_crc(head + PAYLOAD).to_bytes(2, "little")
    assert data[24:] == PAYLOAD


def test_checksum_equals_long_division():
    rng = np.random.default_rng(3)
    for _ in range(50):
        data = rng.bytes(62)
        assert crc16(data) == bitwise_crc(data)


def test_round_trip_of_random_frames():
    rng = np.random.default_rng(4)
    tops = (256, 256, 256, 256, 32767, 32767, 65536, 256, 256, 32767, 2**24, 256, 2**32)
    names = "flags seq echo dist id root epoch count join cand feet age token".split()
    for _ in range(200):
        fields = {n: int(rng.integers(top)) for n, top in zip(names, tops, strict=True)}
        fields["id"], fields["root"] = fields["id"] or 1, fields["root"] or 1
        payload = rng.bytes(40)
        frame: ProtocolFrame[bytes] = ProtocolFrame(**fields, value=payload)
        assert unpack_frame(pack_frame(frame, payload)) == frame
        assert frame.row == tuple(fields.values())


def test_every_flipped_bit_is_refused():
    data = pack_frame(FRAME, PAYLOAD)
    for bit in range(512):
        spoilt = bytearray(data)
        spoilt[bit // 8] ^= 1 << bit % 8
        assert unpack_frame(bytes(spoilt)) is None


def test_several_flipped_bits_are_refused():
    rng = np.random.default_rng(5)
    data, got_through = pack_frame(FRAME, PAYLOAD), 0
    for _ in range(4000):
        spoilt = bytearray(data)
        for bit in rng.choice(512, size=int(rng.integers(2, 13)), replace=False):
            spoilt[bit // 8] ^= 1 << int(bit) % 8
        got_through += unpack_frame(bytes(spoilt)) is not None
    # A 16-bit checksum lets 2**-16 of wild changes through: 0.06 expected in 4000.
    assert got_through == 0


def test_wrong_length_and_other_version_are_refused():
    data = pack_frame(FRAME, PAYLOAD)
    assert unpack_frame(data[:-1]) is None
    assert unpack_frame(data + b"\0") is None
    assert unpack_frame(bytes(64)) is None


@pytest.mark.parametrize("at", [5, 7])
@pytest.mark.parametrize("high", [0x00, 0x7F, 0x80, 0xFF])
def test_names_that_nobody_has_are_refused(at: int, high: int):
    data = bytearray(pack_frame(FRAME, PAYLOAD))
    data[at - 1 : at + 1] = [0x00 if high == 0 else 0xFF, high]
    data[22:24] = bitwise_crc(bytes(data[:22] + data[24:])).to_bytes(2, "little")
    assert unpack_frame(bytes(data)) is None
    data[at - 1 : at + 1] = [0xFE, 0x7F]
    data[22:24] = bitwise_crc(bytes(data[:22] + data[24:])).to_bytes(2, "little")
    assert unpack_frame(bytes(data)) is not None


def test_numbers_that_do_not_fit_are_named_together():
    wide: ProtocolFrame[bytes] = ProtocolFrame(id=40000, count=256)
    with pytest.raises(ConfigError, match=r"id must be 0 to 32766.*count.*39"):
        pack_frame(wide, bytes(39))


def test_mix_keeps_words_apart():
    words = np.arange(20000)
    assert len({mix(int(word)) for word in words}) == len(words)
    assert mix(0) == 0
    assert hash32(1, 2) != hash32(2, 1)


def test_compiled_lots_equal_python():
    rng = np.random.default_rng(6)
    for a, b, root, epoch in rng.integers(1, 2**31, size=(200, 4)).tolist():
        assert link_hash_kernel(a, b, root, epoch) == link_hash(b, a, root, epoch)
        assert identity_hash_kernel(a, root, epoch) == identity_hash(a, root, epoch)
        assert foot_digest_kernel(a, b) == foot_digest(a, b) < 2**24
