"""A frame's 64 bytes written and read by compiled code; the twin of ``frame``."""

import numpy as np
from numpy.typing import NDArray

import equipoise.modules.frame as fr
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled

__all__ = ["Bytes", "crc_of_frame", "read_frame_bytes", "write_frame_bytes"]

Bytes = NDArray[np.uint8]
CRC_AT, PAYLOAD_AT = 22, 24
# where each column of a header stands, and its bytes
PLACES = (0, 1, 2, 3, 4, 6, 8, 10, 11, 12, 14, 17, 18)
SIZES = (1, 1, 1, 1, 2, 2, 2, 1, 1, 2, 3, 1, 4)
START = 0xFFFF ^ fr.VERSION


def _table() -> tuple[int, ...]:
    """Return what each top byte adds to the checksum, polynomial 0x1021."""
    words: list[int] = []
    for byte in range(256):
        word = byte << 8
        for _ in range(8):
            word = (word << 1) ^ (0x1021 if word & 0x8000 else 0)
        words.append(word & 0xFFFF)
    return tuple(words)


TABLE = np.array(_table(), dtype=np.int64)


@compiled(allocates=False)
def crc_of_frame(frame: Bytes) -> int:
    """Return the checksum over the 62 other bytes of a frame."""
    word = START
    for k in range(fr.FRAME_SIZE):
        if k < CRC_AT or k >= PAYLOAD_AT:
            word = ((word << 8) & 0xFFFF) ^ TABLE[(word >> 8) ^ int(frame[k])]
    return word


@compiled(allocates=False)
def write_frame_bytes(head: Ints, h: int, payload: Bytes, frame: Bytes) -> None:
    """Write a frame's bytes; each number is cut to its field.

    Args:
        head: header rows, (any, 13).
        h: the row to pack.
        payload: (40,), what the frame carries.
        frame: (64,), written.
    """
    for a in range(fr.COLUMNS):
        word = head[h, a]
        if a == fr.CAND:
            word = (word & 0x7FFF) | ((word >> 31) & 1) << 15
        for k in range(SIZES[a]):
            frame[PLACES[a] + k] = (word >> (8 * k)) & 0xFF
    for k in range(fr.PAYLOAD_SIZE):
        frame[PAYLOAD_AT + k] = payload[k]
    word = crc_of_frame(frame)
    frame[CRC_AT] = word & 0xFF
    frame[CRC_AT + 1] = word >> 8


@compiled(allocates=False, force_inline=True)
def _word_at(frame: Bytes, k: int) -> int:
    """Return the two bytes from place k on as a number."""
    return int(frame[k]) | int(frame[k + 1]) << 8


@compiled(allocates=False)
def read_frame_bytes(frame: Bytes, head: Ints, h: int, payload: Bytes) -> bool:
    """Read a frame's bytes into a header row and a payload.

    Args:
        frame: (64,), as it came over the wire.
        head: header rows, (any, 13); row ``h`` is written if the frame is good.
        h: see above.
        payload: (40,), written if the frame is good.

    Returns:
        Whether the checksum is right and the names are such that a module can have;
        where not, nothing is written.
    """
    if crc_of_frame(frame) != _word_at(frame, CRC_AT):
        return False
    sender, root = _word_at(frame, PLACES[fr.SENDER]), _word_at(frame, PLACES[fr.ROOT])
    if not (1 <= sender <= fr.HIGHEST and 1 <= root <= fr.HIGHEST):
        return False
    if _word_at(frame, PLACES[fr.CAND]) & 0x7FFF > fr.HIGHEST:
        return False
    for a in range(fr.COLUMNS):
        word = 0
        for k in range(SIZES[a]):
            word |= int(frame[PLACES[a] + k]) << (8 * k)
        if a == fr.CAND:
            word = (word & 0x7FFF) | (word >> 15) << 31
        head[h, a] = word
    for k in range(fr.PAYLOAD_SIZE):
        payload[k] = frame[PAYLOAD_AT + k]
    return True
