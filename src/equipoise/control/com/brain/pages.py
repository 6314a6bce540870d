"""What the 40 bytes of a page say: the numbers of a robot between two mass sums.

Every second frame of a module carries a page, of one of three layouts below. Lengths,
rates and spans are float32, relative error 2^-24 = 6e-8. Twist, push and force are
halves, relative error 2^-11 = 5e-4 from 6e-5 up to 65504, where they saturate. A
normal's numbers are whole multiples of 1/32767, friction of 1/4096 up to 16. Of a
quaternion the largest number is left out and the page says which. What is not a number
is sent as zero.

One buffer is seen as bytes, as float32 and as each kind of page: ``Payload``.
"""

from math import frexp, ldexp, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.brain.contact import ContactEntry
from equipoise.control.com.geometry.vectors import (
    M3,
    V3,
    mat,
    put_mat,
    put_vec,
    vec,
)
from equipoise.control.com.loads import CarriedLoad, MovingFrame
from equipoise.core.arrays import Array
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

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
"""Kinds of pages; LIFTED is laid out as CONTACT, and only says who."""
SIZE = 40
OLDEST = 255  # rounds, in one byte
LATE = 65535  # rounds, in two bytes
NORMAL_UNIT, FRICTION_UNIT = 32767.0, 4096.0
LARGEST_HALF = 65504.0


class WorldPage(Record):
    """Page with pose and velocity of the sender's connector in W."""

    kind: int = entry("WORLD", kind=np.uint8)
    age: int = entry("of the oldest number", "rounds", kind=np.uint8)
    largest: int = entry("number of the quaternion left out", kind=np.uint16)
    others: Array = entry("the three that are not", "", 3, kind=np.float32)
    p: Array = entry("place", "m", 3, kind=np.float32)
    v: Array = entry("velocity, as halves", "m/s", 3, kind=np.uint16)
    w: Array = entry("angular velocity, as halves", "rad/s", 3, kind=np.uint16)


class MotionPage(Record):
    """Page with the motion behind the sender's connector, in its frame."""

    kind: int = entry("MOTION", kind=np.uint8)
    age: int = entry("of the oldest number", "rounds", kind=np.uint8)
    sums: int = entry("age of the oldest number in the sum", "rounds", kind=np.uint16)
    rate: Array = entry("of the first moment", "kg m/s", 3, kind=np.float32)
    span: Array = entry("sum of J Jᵀ: xx, xy, yy", "m²/rad²", 3, kind=np.float32)
    force: Array = entry("of contacts, as halves", "N", 3, kind=np.uint16)
    moment: Array = entry("of contacts, as halves", "N m", 3, kind=np.uint16)


class ContactPage(Record):
    """Page with a contact with the ground."""

    kind: int = entry("CONTACT or LIFTED", kind=np.uint8)
    foot: int = entry("the module's foot counter", kind=np.uint8)
    who: int = entry("the module", kind=np.uint16)
    point: Array = entry("in W", "m", 3, kind=np.float32)
    normal: Array = entry("out of the ground", "1/32767", 3, kind=np.int16)
    friction: int = entry("Coulomb coefficient", "1/4096", kind=np.uint16)
    radius: float = entry("of the patch", "m", kind=np.float32)
    force: Array = entry(
        "of the ground on the module, as halves", "N", 3, kind=np.uint16
    )
    age: int = entry("of the news", "rounds", kind=np.uint16)
    word: int = entry("a call and a consent, see feet/call.py", kind=np.uint32)


class Payload(NamedTuple):
    """The same memory, row by row, in several kinds."""

    byte: NDArray[np.uint8]
    """(n, 40)."""
    single: NDArray[np.float32]
    """(n, 10)."""
    world: Records[WorldPage]
    """(n,)."""
    motion: Records[MotionPage]
    """(n,)."""
    contact: Records[ContactPage]
    """(n,)."""


def empty_payload(rows: int) -> Payload:
    """Return room for a number of payloads, all zero."""
    single = np.zeros((rows, SIZE // 4), np.float32)

    def seen_as(kind: type[Record]) -> Any:
        return single.view(kind.dtype()).reshape(rows)

    return Payload(
        single.view(np.uint8),
        single,
        seen_as(WorldPage),
        seen_as(MotionPage),
        seen_as(ContactPage),
    )


@compiled(allocates=False, force_inline=True)
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


@compiled(allocates=False, force_inline=True)
def half_value(bits: int) -> float:
    """Return the number that 16 bits of an IEEE half mean."""
    power, part = int(bits >> 10) & 31, bits & 1023
    size = ldexp(float(part), -24) if power == 0 else ldexp(part + 1024.0, power - 25)
    return -size if bits & 0x8000 else size


@compiled(allocates=False, force_inline=True)
def _put_single(x: float) -> float:
    """Return what is sent of a number; what is not finite as a float32 becomes zero."""
    return x if abs(x) < 3.0e38 else 0.0


@compiled(allocates=False, force_inline=True)
def _put_singles(out: Array, x: V3) -> None:
    """Write three numbers as float32."""
    out[0], out[1], out[2] = _put_single(x[0]), _put_single(x[1]), _put_single(x[2])


@compiled(allocates=False, force_inline=True)
def _put_halves(out: Array, x: V3) -> None:
    """Write three numbers as halves."""
    out[0], out[1], out[2] = half_bits(x[0]), half_bits(x[1]), half_bits(x[2])


@compiled(allocates=False, force_inline=True)
def _singles(a: Array) -> V3:
    """Return three float32; numbers that are not finite count as zero."""
    x, y, z = a[0], a[1], a[2]
    return (
        float(x) if abs(x) < np.inf else 0.0,
        float(y) if abs(y) < np.inf else 0.0,
        float(z) if abs(z) < np.inf else 0.0,
    )


@compiled(allocates=False, force_inline=True)
def _halves(a: Array) -> V3:
    """Return three halves."""
    bits: Any = np.int64(a[0]), np.int64(a[1]), np.int64(a[2])
    return half_value(bits[0]), half_value(bits[1]), half_value(bits[2])


@compiled(allocates=False, force_inline=True)
def _small_three(R: M3) -> tuple[int, V3]:
    """Return which number of a rotation's unit quaternion is largest, and the others.

    The largest, of (w, x, y, z), is made positive and left out: it can be found from
    the others without losing digits, since it is at least 1/2 [Shepperd1978].
    """
    (a, R_xy, R_xz), (R_yx, b, R_yz), (R_zx, R_zy, c) = R
    w, x, y, z = 1.0 + a + b + c, 1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c
    yz, zx, xy = R_zy - R_yz, R_xz - R_zx, R_yx - R_xy
    zy, xz, yx = R_zy + R_yz, R_xz + R_zx, R_yx + R_xy
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


@compiled(allocates=False, force_inline=True)
def _rotation_of(largest: int, q: V3) -> M3:
    """Return the rotation that ``_small_three`` was made from."""
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
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@compiled(allocates=False, force_inline=True)
def put_world_page(page: WorldPage, frame: MovingFrame, age: int) -> None:
    """Write a WORLD page.

    Args:
        page: written.
        frame: the sender's connector in W.
        age: of the oldest of these numbers [rounds].
    """
    largest, others = _small_three(mat(frame.R))
    page.kind, page.age, page.largest = WORLD, min(age, OLDEST), largest
    _put_singles(page.others, others)
    _put_singles(page.p, vec(frame.p))
    _put_halves(page.v, vec(frame.v))
    _put_halves(page.w, vec(frame.w))


@compiled(allocates=False, force_inline=True)
def read_world_page(page: WorldPage, frame: MovingFrame) -> int:
    """Write what a WORLD page says into a frame; return its age."""
    put_mat(frame.R, _rotation_of(int(page.largest), _singles(page.others)))
    put_vec(frame.p, _singles(page.p))
    put_vec(frame.v, _halves(page.v))
    put_vec(frame.w, _halves(page.w))
    return int(page.age)


@compiled(allocates=False, force_inline=True)
def put_motion_page(
    page: MotionPage, load: CarriedLoad, span: Array, age: int, sums: int
) -> None:
    """Write a MOTION page.

    Args:
        page: written.
        load: all behind, in the sender's connector frame; its mass is not told.
        span: sum of J Jᵀ behind, (3,).
        age: of the oldest of these numbers [rounds].
        sums: age of the oldest number in the mass sum of all behind [rounds].
    """
    page.kind, page.age, page.sums = MOTION, min(age, OLDEST), min(sums, LATE)
    _put_singles(page.rate, vec(load.rate))
    _put_singles(page.span, vec(span))
    _put_halves(page.force, vec(load.force))
    _put_halves(page.moment, vec(load.moment))


@compiled(allocates=False, force_inline=True)
def read_motion_page(
    page: MotionPage, load: CarriedLoad, span: Array
) -> tuple[int, int]:
    """Write what a MOTION page says, as ``put_motion_page`` has it; return its ages."""
    put_vec(load.rate, _singles(page.rate))
    put_vec(span, _singles(page.span))
    put_vec(load.force, _halves(page.force))
    put_vec(load.moment, _halves(page.moment))
    return int(page.age), int(page.sums)


@compiled(allocates=False, force_inline=True)
def put_contact_page(page: ContactPage, news: ContactEntry) -> None:
    """Write a CONTACT or LIFTED page.

    Args:
        page: written.
        news: who, below 65536, and where.
    """
    place = news.place
    page.kind = CONTACT if news.touches != 0 else LIFTED
    page.foot, page.who = news.foot, news.who
    _put_singles(page.point, vec(place.point))
    for k in range(3):
        page.normal[k] = int(
            np.rint(min(max(place.normal[k], -1.0), 1.0) * NORMAL_UNIT)
        )
    page.friction = int(np.rint(min(max(place.friction, 0.0), 15.999) * FRICTION_UNIT))
    page.radius = _put_single(place.radius)
    _put_halves(page.force, vec(place.force))
    page.age = min(news.age, LATE)
    page.word = 0


@compiled(allocates=False, force_inline=True)
def read_contact_page(page: ContactPage, news: ContactEntry) -> None:
    """Write what a page says about a contact: who, and where.

    Args:
        page: where from.
        news: written, but for the port that it came by and who is to be told.
    """
    place = news.place
    news.who, news.foot, news.age = int(page.who), int(page.foot), int(page.age)
    news.touches = 1 if page.kind == CONTACT else 0
    put_vec(place.point, _singles(page.point))
    for k in range(3):
        place.normal[k] = page.normal[k] / NORMAL_UNIT
    put_vec(place.force, _halves(page.force))
    place.friction = page.friction / FRICTION_UNIT
    place.radius = float(page.radius) if abs(page.radius) < np.inf else 0.0
