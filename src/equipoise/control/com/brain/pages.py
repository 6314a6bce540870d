"""What the 40 bytes of a page say: the numbers of a robot between two mass sums.

Every second frame of a module carries a page: nine places of four bytes after a head.

| kind | head | places |
| --- | --- | --- |
| WORLD | age, which | connector in W: small numbers of a quaternion 3, p 3, twist 6 |
| MOTION | age, sum's age | all behind: rate of the first moment 3, span 3, push 6 |
| CONTACT | foot, module | point in W 3, normal 3 and friction, radius, force 3, age |
| LIFTED | foot, module | the same module no longer touches; the places mean nothing |

A place is a float32, relative error 2^-24 = 6e-8. Twist, push and force are halves, two
a place, relative error 2^-11 = 5e-4 from 6e-5 up to 65504, where they saturate. A
normal's numbers are whole multiples of 1/32767, friction of 1/4096 up to 16. Of a
quaternion the largest number is left out and the head says which. What is not a number
is sent as zero.

One buffer is seen as bytes, as float32 and as 16-bit words: ``Payload``.
"""

from math import frexp, ldexp, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.geometry.vectors import M3, V3, get3, get9, put3, put9
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled

__all__ = [
    "CONTACT",
    "LIFTED",
    "MOTION",
    "NOTHING",
    "WORLD",
    "Payload",
    "empty_payload",
    "half_bits",
    "half_value",
    "put_contact_page",
    "put_motion_page",
    "put_world_page",
    "read_contact_page",
    "read_motion_page",
    "read_world_page",
]

NOTHING, WORLD, MOTION, CONTACT, LIFTED = 0, 1, 2, 3, 4
"""Byte 0 of a page: its kind."""
SIZE = 40
OLDEST = 255  # rounds, in one byte
LATE = 65535  # rounds, in two bytes
NORMAL_UNIT, FRICTION_UNIT = 32767.0, 4096.0
LARGEST_HALF = 65504.0

Bytes = NDArray[np.uint8]
Singles = NDArray[np.float32]
Words = NDArray[np.uint16]


class Payload(NamedTuple):
    """The same memory, row by row, in three kinds of numbers."""

    byte: Bytes
    """(n, 40)."""
    single: Singles
    """(n, 10)."""
    word: Words
    """(n, 20)."""


def empty_payload(rows: int) -> Payload:
    """Return room for a number of payloads, all zero."""
    single = np.zeros((rows, SIZE // 4), np.float32)
    return Payload(single.view(np.uint8), single, single.view(np.uint16))


@compiled(allocates=False, melts=True)
def half_bits(x: float) -> int:
    """Return the IEEE half nearest to x as 16 bits; beyond its range the largest."""
    if x != x:
        return 0
    size = min(abs(x), LARGEST_HALF)
    if size < 2.0**-14:
        bits = int(np.rint(size * 2.0**24))
    else:
        part, power = frexp(size)
        # a mantissa that rounds up to 2 carries into the exponent by itself
        bits = ((power + 14) << 10) + int(np.rint(part * 2048.0)) - 1024
    return bits | 0x8000 if x < 0.0 else bits


@compiled(allocates=False, melts=True)
def half_value(bits: int) -> float:
    """Return the number that 16 bits of an IEEE half mean."""
    power, part = (bits >> 10) & 31, bits & 1023
    size = ldexp(float(part), -24) if power == 0 else ldexp(part + 1024.0, power - 25)
    return -size if bits & 0x8000 else size


@compiled(allocates=False, melts=True)
def put_single(single: Singles, r: int, place: int, x: float) -> None:
    """Write one place; what is not finite as a float32 becomes zero."""
    single[r, place] = x if abs(x) < 3.0e38 else 0.0


@compiled(allocates=False, melts=True)
def put_places(single: Singles, r: int, place: int, x: V3) -> None:
    """Write three places."""
    put_single(single, r, place, x[0])
    put_single(single, r, place + 1, x[1])
    put_single(single, r, place + 2, x[2])


@compiled(allocates=False, melts=True)
def put_halves(
    word: Words, r: int, first: int, a: Array, i: int, k: int, n: int
) -> None:
    """Write n halves from a[i, k:]."""
    for j in range(n):
        word[r, first + j] = half_bits(a[i, k + j])


@compiled(allocates=False, melts=True)
def get_places(single: Singles, r: int, place: int) -> V3:
    """Return three places; numbers that are not finite count as zero."""
    x, y, z = single[r, place], single[r, place + 1], single[r, place + 2]
    return (
        float(x) if abs(x) < np.inf else 0.0,
        float(y) if abs(y) < np.inf else 0.0,
        float(z) if abs(z) < np.inf else 0.0,
    )


@compiled(allocates=False, melts=True)
def small_three(R: M3) -> tuple[int, V3]:
    """Return which number of a rotation's unit quaternion is largest, and the others.

    The largest, of (w, x, y, z), is made positive and left out: it can be found from
    the others without losing digits, since it is at least 1/2 [Shepperd1978].
    """
    a, b, c = R[0], R[4], R[8]
    w, x, y, z = 1.0 + a + b + c, 1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c
    yz, zx, xy = R[7] - R[5], R[2] - R[6], R[3] - R[1]
    zy, xz, yx = R[7] + R[5], R[2] + R[6], R[3] + R[1]
    if w >= x and w >= y and w >= z:
        s = 0.5 / sqrt(w)
        return 0, (s * yz, s * zx, s * xy)
    if x >= y and x >= z:
        s = 0.5 / sqrt(x)
        return 1, (s * yz, s * yx, s * xz)
    if y >= z:
        s = 0.5 / sqrt(y)
        return 2, (s * zx, s * yx, s * zy)
    s = 0.5 / sqrt(z)
    return 3, (s * xy, s * xz, s * zy)


@compiled(allocates=False, melts=True)
def rotation_of(largest: int, q: V3) -> M3:
    """Return the rotation that ``small_three`` was made from."""
    a, b, c = q
    square = a * a + b * b + c * c
    if square > 1.0:  # bytes that are no rotation
        s = 1.0 / sqrt(square)
        a, b, c, square = s * a, s * b, s * c, 1.0
    d = sqrt(1.0 - square)
    w, x, y, z = d, a, b, c
    if largest == 1:
        w, x, y, z = a, d, b, c
    elif largest == 2:
        w, x, y, z = a, b, d, c
    elif largest == 3:
        w, x, y, z = a, b, c, d
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@compiled(allocates=False, melts=True)
def put_world_page(page: Payload, r: int, pose: Array, i: int, age: int) -> None:
    """Write a WORLD page into row ``r``.

    Args:
        page: where to.
        r: its row.
        pose: R, p, v, w of the sender's connector in W, row ``i``, (n, 18).
        i: see above.
        age: of the oldest of these numbers [rounds].
    """
    byte, single, word = page
    largest, others = small_three(get9(pose, i, 0))
    byte[r, 0], byte[r, 1], word[r, 1] = WORLD, min(age, OLDEST), largest
    put_places(single, r, 1, others)
    put_places(single, r, 4, get3(pose, i, 9))
    put_halves(word, r, 14, pose, i, 12, 6)


@compiled(allocates=False, melts=True)
def read_world_page(page: Payload, r: int, pose: Array, i: int) -> int:
    """Write what a WORLD page says into row ``i`` of ``pose``; return its age."""
    byte, single, word = page
    put9(pose, i, 0, rotation_of(int(word[r, 1]), get_places(single, r, 1)))
    put3(pose, i, 9, get_places(single, r, 4))
    for k in range(6):
        pose[i, 12 + k] = half_value(word[r, 14 + k])
    return int(byte[r, 1])


@compiled(allocates=False, melts=True)
def put_motion_page(
    page: Payload, r: int, load: Array, i: int, span: Array, s: int, age: int, sums: int
) -> None:
    """Write a MOTION page into row ``r``.

    Args:
        page: where to.
        r: its row.
        load: of all behind, in the sender's connector frame: columns 10 to 12 are the
            first moment's rate, 13 to 18 the push; row ``i``.
        i: see above.
        span: sum of J Jᵀ behind, row ``s``, (n, 3).
        s: see above.
        age: of the oldest of these numbers [rounds].
        sums: age of the oldest number in the mass sum of all behind [rounds].
    """
    byte, single, word = page
    byte[r, 0], byte[r, 1], word[r, 1] = MOTION, min(age, OLDEST), min(sums, LATE)
    put_places(single, r, 1, get3(load, i, 10))
    put_places(single, r, 4, get3(span, s, 0))
    put_halves(word, r, 14, load, i, 13, 6)


@compiled(allocates=False, melts=True)
def read_motion_page(
    page: Payload, r: int, load: Array, i: int, span: Array, s: int
) -> tuple[int, int]:
    """Write what a MOTION page says, as ``put_motion_page`` has it; return its ages."""
    byte, single, word = page
    put3(load, i, 10, get_places(single, r, 1))
    put3(span, s, 0, get_places(single, r, 4))
    for k in range(6):
        load[i, 13 + k] = half_value(word[r, 14 + k])
    return int(byte[r, 1]), int(word[r, 1])


@compiled(allocates=False, melts=True)
def put_contact_page(
    page: Payload, r: int, who: int, foot: int, touches: bool, age: int,
    place: Array, i: int,
) -> None:  # fmt: skip
    """Write a CONTACT or LIFTED page into row ``r``.

    Args:
        page: where to.
        r: its row.
        who: id of the module that touches, below 65536.
        foot: its foot counter, 0 to 255.
        touches: False when it no longer does.
        age: of the news [rounds].
        place: point 3, normal 3, friction, radius, force 3, row ``i``, (n, 11).
        i: see above.
    """
    byte, single, word = page
    byte[r, 0], byte[r, 1], word[r, 1] = CONTACT if touches else LIFTED, foot, who
    put_places(single, r, 1, get3(place, i, 0))
    for k in range(3):
        # two's complement of a whole number
        whole = int(np.rint(min(max(place[i, 3 + k], -1.0), 1.0) * NORMAL_UNIT))
        word[r, 8 + k] = whole & 0xFFFF
    word[r, 11] = int(np.rint(min(max(place[i, 6], 0.0), 15.999) * FRICTION_UNIT))
    put_single(single, r, 6, place[i, 7])
    put_halves(word, r, 14, place, i, 8, 3)
    word[r, 17] = min(age, LATE)
    single[r, 9] = 0.0


@compiled(allocates=False, melts=True)
def read_contact_page(page: Payload, r: int, who: Ints, place: Array, i: int) -> None:
    """Write what a page says about a contact.

    Args:
        page: where from.
        r: its row.
        who: row ``i`` is written: module, foot, whether it touches, age.
        place: row ``i`` is written, as in ``put_contact_page``.
        i: see above.
    """
    byte, single, word = page
    who[i, 0], who[i, 1] = int(word[r, 1]), int(byte[r, 1])
    who[i, 2], who[i, 3] = (1 if byte[r, 0] == CONTACT else 0), int(word[r, 17])
    put3(place, i, 0, get_places(single, r, 1))
    for k in range(3):
        whole = int(word[r, 8 + k])
        place[i, 3 + k] = (whole - 65536 if whole > 32767 else whole) / NORMAL_UNIT
        place[i, 8 + k] = half_value(word[r, 14 + k])
    place[i, 6] = word[r, 11] / FRICTION_UNIT
    radius = single[r, 6]
    place[i, 7] = float(radius) if abs(radius) < np.inf else 0.0
