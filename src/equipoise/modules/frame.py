"""One message of the module protocol: 64 bytes, fixed places, little endian.

======  ====  =========  ==================================================
offset  size  field      meaning
======  ====  =========  ==================================================
0       1     flags      see the bits below
1       1     seq        +1 a round, the sender's own
2       1     echo       last seq that the sender accepted from the reader
3       1     dist       hops to the root of the sender's tree
4       2     id         the sender, 1 to 32766
6       2     root       the root's id
8       2     epoch      issued by the root
10      1     count      modules in the sum; 255 too many
11      1     join       +1 whenever the sender enters an epoch
12      2     cand       best ground candidate; bit 15 incumbent, 0 none
14      3     feet       digest of who touches, and how
17      1     age        how old the oldest part of it is [rounds]; 255 too old
18      4     token      boundary token of the modules counted
22      2     crc        over the other 62 bytes
24      40    payload    a sum of 10 float32 (flag SUM), else a page
======  ====  =========  ==================================================

The version of the protocol is mixed into the start of the checksum, so modules that
speak another one are not understood at all rather than misunderstood.
"""

import struct
from binascii import crc_hqx
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from equipoise.core.errors import ConfigError
from equipoise.modules.message import Message

__all__ = [
    "AGE",
    "CAND",
    "COLUMNS",
    "COUNT",
    "DIRTY",
    "DIST",
    "ECHO",
    "EPOCH",
    "FEET",
    "FLAGS",
    "FRAME_SIZE",
    "HEARD",
    "INCUMBENT",
    "JOIN",
    "OPEN",
    "PAR",
    "PAYLOAD_SIZE",
    "REF",
    "ROOT",
    "SENDER",
    "SEQ",
    "SUM",
    "TOKEN",
    "VERSION",
    "F",
    "G",
    "ProtocolFrame",
    "crc16",
    "pack_frame",
    "unpack_frame",
]

PAR, F, G, DIRTY, HEARD, OPEN, REF, SUM = 1, 2, 4, 8, 16, 32, 64, 128
"""Bits of ``flags``: you are my parent; all behind me are frozen; all behind me have
seen F everywhere; this epoch is spoilt; I hear you; a docked connector behind me is
deaf; I refuse the epoch you offer; the payload is a complete sum."""
FLAGS, SEQ, ECHO, DIST, SENDER, ROOT, EPOCH = 0, 1, 2, 3, 4, 5, 6
COUNT, JOIN, CAND, FEET, AGE, TOKEN, COLUMNS = 7, 8, 9, 10, 11, 12, 13
"""Columns of a header in arrays; ``COLUMNS`` is how many there are."""
INCUMBENT = 1 << 31
"""Bit of ``cand`` in memory, above any id; on the wire it is bit 15."""
FRAME_SIZE, PAYLOAD_SIZE = 64, 40
VERSION = 1
HIGHEST = 2**15 - 2  # the largest name that fits beside the incumbent's bit
LIMITS = (255, 255, 255, 255, HIGHEST, HIGHEST, 2**16 - 1)
LIMITS += (255, 255, HIGHEST, 2**24 - 1, 255, 2**32 - 1)

_HEAD = struct.Struct("<BBBBHHHBBHHBBI")  # feet as 2 + 1 bytes
_CRC = struct.Struct("<H")
V = TypeVar("V")


@dataclass(frozen=True, kw_only=True, slots=True)
class ProtocolFrame(Message, Generic[V]):
    """Frame of the protocol: header and payload; ``sender`` is not used."""

    flags: int = 0
    """Sum of the flag bits."""
    seq: int = 0
    """The sender's round number modulo 256."""
    echo: int = 0
    """Last ``seq`` that the sender accepted from the receiver."""
    dist: int = 0
    """The sender's hops to its root."""
    id: int = 0
    """The sender's name."""
    root: int = 0
    """Name of the root of the sender's tree."""
    epoch: int = 0
    """Number of that tree, issued by its root, modulo 65536."""
    count: int = 0
    """Modules in this partial sum."""
    join: int = 0
    """Number of times that the sender has entered an epoch, modulo 256."""
    cand: int = 0
    """Best ground candidate behind the sender, plus ``INCUMBENT``; 0 for none."""
    feet: int = 0
    """Sum of the digests of modules that touch the ground, modulo 2**24."""
    age: int = 0
    """Age of the oldest information on contacts [rounds]; 255 means too old."""
    token: int = 0
    """Sum of the link words of the modules counted, modulo 2**32."""
    value: V | None = None
    """The sum where flag SUM is set, else a page, or None."""

    @property
    def row(self) -> tuple[int, ...]:
        """The header in the order of the columns ``FLAGS`` to ``TOKEN``."""
        first = (self.flags, self.seq, self.echo, self.dist, self.id, self.root)
        second = (self.epoch, self.count, self.join, self.cand, self.feet)
        return (*first, *second, self.age, self.token)


def crc16(data: bytes) -> int:
    """Return the checksum (polynomial 0x1021, most significant bit first)."""
    return crc_hqx(data, 0xFFFF ^ VERSION)


def pack_frame(
    frame: ProtocolFrame[Any], payload: bytes = bytes(PAYLOAD_SIZE)
) -> bytes:
    """Return the 64 bytes of a frame.

    Args:
        frame: the header; its ``value`` is not looked at.
        payload: 40 bytes to carry.

    Raises:
        ConfigError: a number that does not fit its field, or not 40 bytes.
    """
    row = list(frame.row)
    is_incumbent, row[CAND] = row[CAND] >> 31, row[CAND] & (INCUMBENT - 1)
    problems = [
        f"{name} must be 0 to {high}, got {value!r}"
        for name, value, high in zip(_NAMES, row, LIMITS, strict=True)
        if not 0 <= value <= high
    ]
    if len(payload) != PAYLOAD_SIZE:
        problems.append(f"payload must be 40 bytes, got {len(payload)}")
    if problems:
        raise ConfigError("a frame", problems)
    row[CAND] |= is_incumbent << 15
    feet = row[FEET]
    head = _HEAD.pack(*row[:FEET], feet & 0xFFFF, feet >> 16, row[AGE], row[TOKEN])
    return head + _CRC.pack(crc16(head + payload)) + payload


def unpack_frame(data: bytes) -> ProtocolFrame[bytes] | None:
    """Return the frame with its 40 bytes, or None where it can be no frame.

    Refused are a wrong length, a wrong checksum, and names that no module can have.

    Args:
        data: what came over the wire.
    """
    if len(data) != FRAME_SIZE:
        return None
    head, payload = data[: _HEAD.size], data[_HEAD.size + _CRC.size :]
    if _CRC.unpack_from(data, _HEAD.size)[0] != crc16(head + payload):
        return None
    *first, join, cand, low, high, age, token = _HEAD.unpack(head)
    flags, seq, echo, dist, name, root, epoch, count = first
    if not (1 <= name <= HIGHEST and 1 <= root <= HIGHEST and cand & 0x7FFF <= HIGHEST):
        return None
    return ProtocolFrame(
        flags=flags,
        seq=seq,
        echo=echo,
        dist=dist,
        id=name,
        root=root,
        epoch=epoch,
        count=count,
        join=join,
        cand=(cand >> 15) << 31 | cand & 0x7FFF,
        feet=low | high << 16,
        age=age,
        token=token,
        value=payload,
    )


_NAMES = ("flags", "seq", "echo", "dist", "id", "root", "epoch")
_NAMES += ("count", "join", "cand", "feet", "age", "token")
