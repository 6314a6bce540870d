"""The mass update of the firmware in NumPy, rounding by rounding, for many states.

The same operations in the same order as ``firmware/mass.c``, each rounded to single
precision: NumPy never fuses a product and a sum. All arrays hold one state a row.

Order of additions. With o the bracket, a, b, c what its connectors brought and r the
rest of the robot, connector by connector: ``((r + c) + b) + o``, ``(r + c) + (o + a)``
and ``r + ((o + a) + b)``. So a sum costs the same however many connectors there are;
it differs from one in ascending order by rounding alone.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equipoise.control.com.small.small_module import KEPT, PORTS, SmallModule, Swap
from equipoise.core.arrays import Ints

__all__ = [
    "MassSums",
    "Turning",
    "joint_frames",
    "mass_update",
    "sine_cosine",
    "single",
]

Floats: TypeAlias = NDArray[Any]
"""Single precision, wherever a number is a float."""
Turning: TypeAlias = tuple[Floats, Floats, Floats, Floats, Floats, Floats]
"""c and s of an angle, c c, s c, and c and s of twice that angle."""
M, HX, HY, HZ, XX, XY, XZ, YY, YZ, ZZ = range(10)
PAIR = ((XX, XY, XZ), (XY, YY, YZ), (XZ, YZ, ZZ))
MATE: tuple[Swap, ...] = (
    ((0, 1, 2), 6),
    ((1, 0, 2), 4),
    ((0, 1, 2), 5),
    ((1, 0, 2), 7),
)
WHERE = (1, 0, 3)


def single(value: Any) -> Any:
    """Return numbers in single precision."""
    return np.asarray(value, dtype=np.float32)


def _number(text: str) -> np.float32:
    """Return a hexadecimal constant."""
    return np.float32(float.fromhex(text))


TWO_OVER_PI, ROUND = _number("0x1.45f306p-1"), _number("0x1.8p23")
QUARTER = (_number("0x1.92p0"), _number("0x1.fb4p-12"), _number("0x1.4442d2p-24"))
SINE = (_number("-0x1.555546p-3"), _number("0x1.11073cp-7"), _number("-0x1.9943f2p-13"))
COSINE = (
    np.float32(-0.5),
    _number("0x1.55554ap-5"),
    _number("-0x1.6c0c34p-10"),
    _number("0x1.99eb9cp-16"),
)


def sine_cosine(angle: ArrayLike) -> tuple[Floats, Floats]:
    """Return sine and cosine, to about a unit in the last place up to 1000 rad.

    Args:
        angle: any shape [rad].
    """
    a: Floats = single(angle)
    shifted = a * TWO_OVER_PI + ROUND
    k = shifted - ROUND
    quarter = shifted.view(np.uint32)
    r = ((a - k * QUARTER[0]) - k * QUARTER[1]) - k * QUARTER[2]
    z = r * r
    sine = r + r * z * (SINE[0] + z * (SINE[1] + z * SINE[2]))
    low = COSINE[1] + z * (COSINE[2] + z * COSINE[3])
    cosine = np.float32(1.0) + z * (COSINE[0] + z * low)
    is_odd = (quarter & 1) == 1
    first, second = np.where(is_odd, cosine, sine), np.where(is_odd, sine, cosine)
    return (
        np.where((quarter & 2) != 0, -first, first),
        np.where(((quarter + 1) & 2) != 0, -second, second),
    )


def _turning(angle: ArrayLike) -> Turning:
    """Return cosine and sine of angles, and of twice the angles."""
    s, c = sine_cosine(angle)
    sc = s * c
    return c, s, c * c, sc, (c - s) * (c + s), sc + sc


def joint_frames(angles: ArrayLike) -> tuple[Turning, Turning, Turning]:
    """Return what follows from the joint angles, (n, 3) [rad]."""
    a = single(angles)
    return _turning(a[:, 0]), _turning(a[:, 1]), _turning(a[:, 2])


def _backwards(t: Turning) -> Turning:
    """Return the turn the other way."""
    return t[0], -t[1], t[2], -t[3], t[4], -t[5]


def _after(b: Swap, a: Swap) -> Swap:
    """Return the swap that does ``a``, then ``b``."""
    axis = tuple(a[0][k] for k in b[0])
    flips = [(b[1] >> i ^ a[1] >> k) & 1 for i, k in enumerate(b[0])]
    return (axis[0], axis[1], axis[2]), sum(f << i for i, f in enumerate(flips))


def _back(a: Swap) -> Swap:
    """Return the swap that undoes ``a``."""
    axis = [a[0].index(i) for i in range(3)]
    minus = sum((a[1] >> i & 1) << a[0][i] for i in range(3))
    return (axis[0], axis[1], axis[2]), minus


def _swapped(v: Floats, w: Swap) -> Floats:
    """Return lumps, (n, 10), whose frames have their axes swapped; exact."""
    out, axis = v.copy(), w[0]
    signs = [np.float32(-1.0 if w[1] >> i & 1 else 1.0) for i in range(3)]
    for i in range(3):
        out[:, HX + i] = signs[i] * v[:, HX + axis[i]]
        for j in range(i, 3):
            sign = signs[i] * signs[j]
            out[:, PAIR[i][j]] = sign * v[:, PAIR[axis[i]][axis[j]]]
    return out


def _shift(v: Floats, axis: int, distance: float) -> None:
    """Move lumps by a distance along an axis of their frame."""
    d = np.float32(distance)
    if d == 0.0:
        return
    for i in range(3):
        if i != axis:
            v[:, PAIR[i][axis]] += d * v[:, HX + i]
    before = v[:, HX + axis].copy()
    now = before + v[:, M] * d
    v[:, HX + axis] = now
    v[:, PAIR[axis][axis]] += d * (before + now)


def _rotate(v: Floats, a: int, b: int, t: Turning) -> None:
    """Turn the columns a and b."""
    c, s = t[0], t[1]
    x, y = v[:, a].copy(), v[:, b].copy()
    v[:, a] = c * x - s * y
    v[:, b] = s * x + c * y


def _rotate_twice(v: Floats, aa: int, ab: int, bb: int, t: Turning) -> None:
    """Turn the second moment of the plane in which a turn happens."""
    _, _, cc, sc, c2, s2 = t
    x, y, both = v[:, aa].copy(), v[:, bb].copy(), v[:, ab].copy()
    apart = x - y
    part = cc * apart - s2 * both
    v[:, ab] = sc * apart + c2 * both
    v[:, aa] = y + part
    v[:, bb] = x - part


def _turn_y(v: Floats, t: Turning) -> None:
    """Turn lumps about y."""
    _rotate(v, HZ, HX, t)
    _rotate(v, YZ, XY, t)
    _rotate_twice(v, ZZ, XZ, XX, t)


def _turn_z(v: Floats, t: Turning) -> None:
    """Turn lumps about z."""
    _rotate(v, HX, HY, t)
    _rotate(v, XZ, YZ, t)
    _rotate_twice(v, XX, XY, YY, t)


def _with_part(v: Floats, five: tuple[float, ...]) -> Floats:
    """Return lumps with a part of the module added."""
    out = v.copy()
    out[:, KEPT] += single(five)
    return out


@final
@dataclass(frozen=True, eq=False)
class MassSums:
    """Result of a mass update, one row per state."""

    out: Floats
    """Sums sent through each connector, in its own frame, (n, 6, 10)."""
    side_M: Floats
    """Each bracket with everything attached to it, in M, (n, 2, 10)."""
    total_M: Floats
    """The whole robot, in M, (n, 10)."""


def _gather(
    module: SmallModule, side: int, heard: Ints, quarter: Ints, incoming: Floats
) -> tuple[list[Floats], Floats]:
    """Return the slots of a bracket, and the bracket with all that hangs on it."""
    slots: list[Floats] = []
    for p in range(3 * side, 3 * side + 3):
        v = np.zeros_like(incoming[:, p])
        for q in range(4):
            rows = (quarter[:, p] & 3) == q
            v[rows] = _swapped(incoming[rows, p], _after(module.faces[p], MATE[q]))
        _shift(v, 1, module.reach[p][0])
        _shift(v, 2, module.reach[p][1])
        v[(heard >> p & 1) == 0] = 0.0
        slots.append(v)
    slots[0] = _with_part(slots[0], module.outer[side])
    slots.append(slots[0] + slots[1])
    return slots, slots[3] + slots[2]


def _spread(
    module: SmallModule, side: int, slots: list[Floats], rest: Floats, out: Floats
) -> None:
    """Write what a bracket's connectors are told."""
    far = rest + slots[2]
    told = {3: rest + slots[3], 0: far + slots[0]}
    told[1] = _with_part(far + slots[1], module.outer[side])
    for i in range(3):
        p, v = 3 * side + i, told[WHERE[i]]
        _shift(v, 2, -module.reach[p][1])
        _shift(v, 1, -module.reach[p][0])
        out[:, p] = _swapped(v, _back(module.faces[p]))


def mass_update(
    module: SmallModule,
    angles: ArrayLike,
    heard: ArrayLike,
    quarter: ArrayLike,
    incoming: ArrayLike,
) -> MassSums:
    """Return the sums that a module sends, from those that it has received.

    Args:
        module: its numbers.
        angles: joint angles, (n, 3) [rad].
        heard: bit p says that connector p brought a sum, (n,).
        quarter: quarter turns of what is docked to each connector, (n, 6).
        incoming: sums in the frames of the neighbours' connectors, (n, 6, 10).
    """
    bits, turns = np.asarray(heard, dtype=np.int64), np.asarray(quarter, dtype=np.int64)
    values: Floats = single(incoming)
    hinge_a, roll, hinge_b = joint_frames(angles)
    slots_a, a = _gather(module, 0, bits, turns, values)
    _turn_y(a, _backwards(hinge_a))
    slots_b, b = _gather(module, 1, bits, turns, values)
    _turn_y(b, hinge_b)
    _turn_z(b, roll)
    _shift(b, 2, module.pivots[2])
    out = np.zeros((len(values), PORTS, 10), np.float32)
    rest = _with_part(b, module.core)
    total = a + rest
    _turn_y(rest, hinge_a)
    _spread(module, 0, slots_a, rest, out)
    rest = _with_part(a, module.core)
    _shift(rest, 2, -module.pivots[2])
    _turn_z(rest, _backwards(roll))
    _turn_y(rest, _backwards(hinge_b))
    _spread(module, 1, slots_b, rest, out)
    return MassSums(out=out, side_M=np.stack([a, b], axis=1), total_M=total)
