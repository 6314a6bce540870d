"""The packing of a GIF's pixels, after Lempel, Ziv and Welch, in a compiled loop.

A pixel may be written as another colour that is close to it where that lets a known
run of pixels go on; what was written is returned, so that nothing drifts.
"""

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled

__all__ = ["packed_pixels"]

MOST_CODES = 4096
Bytes = NDArray[np.uint8]


@compiled(allocates=False)
def _put(out: Bytes, bits: Ints, code: int, width: int) -> None:
    """Append a code to a row of bytes.

    Args:
        out: the bytes.
        bits: waiting bits, their number, and bytes already there, (3,); changed.
        code: to append.
        width: of it [bits].
    """
    bits[0] |= code << bits[1]
    bits[1] += width
    while bits[1] >= 8:
        out[bits[2]] = bits[0] & 255
        bits[0] >>= 8
        bits[1] -= 8
        bits[2] += 1


@compiled
def packed_pixels(pixels: Bytes, alike: Bytes, depth: int) -> Bytes:
    """Return pixels packed; where a neighbouring colour was taken they are changed.

    Args:
        pixels: numbers of colours in reading order, (n,); changed to what was written.
        alike: for each colour others that may stand for it, the closest first and
            itself in place of none, (colours, m).
        depth: bits of a colour's number, 2 to 8.
    """
    clear = 1 << depth
    out = np.empty(2 * len(pixels) + 64, np.uint8)
    bits = np.zeros(3, np.int64)
    follow = np.full((MOST_CODES, clear), -1, np.int16)
    code, width, top = int(pixels[0]), depth + 1, clear + 2
    _put(out, bits, clear, width)
    for k in range(1, len(pixels)):
        own = int(pixels[k])
        further = follow[code, own]
        for m in range(alike.shape[1]):
            if further >= 0:
                break
            other = int(alike[own, m])
            if follow[code, other] >= 0:
                further = follow[code, other]
                pixels[k] = other
        if further >= 0:
            code = int(further)
            continue
        _put(out, bits, code, width)
        if top == MOST_CODES:
            _put(out, bits, clear, width)
            follow[:] = -1
            width, top = depth + 1, clear + 2
        else:
            follow[code, own] = top
            if top == 1 << width:
                width += 1
            top += 1
        code = own
    _put(out, bits, code, width)
    _put(out, bits, clear + 1, width + 1 if top == 1 << width and width < 12 else width)
    _put(out, bits, 0, 7)
    return out[: bits[2]]
