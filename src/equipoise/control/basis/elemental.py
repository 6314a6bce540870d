"""The three elemental controllers, bound to feet and trunk: one step of each.

[Ridderstrom2003] section 3.3.2. A step moves what the controller is bound to (its
output) a little towards where it would converge, and returns how far: 0 where it has.
"""

import math

import numpy as np

from equipoise.control.basis.stance import (
    BasisParts,
    BasisStance,
    centre_xy,
    leg_posture,
    reaches,
    tripod_margin,
)
from equipoise.core.arrays import VecN
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = [
    "CONTACT", "HEIGHT", "POSITION", "POSTURE", "TRUNK", "YAW", "Bound", "error_of",
    "step_once",
]  # fmt: skip

POSITION, CONTACT, POSTURE = 0, 1, 2
"""Which controller."""
TRUNK, YAW, HEIGHT = -1, -2, -3
"""Outputs beside the feet, which are 0 to 3: trunk's x and y, heading, height."""
HALVINGS = 5  # of a step that leads out of reach or to a worse posture
SLIDES = 6  # directions in a quarter turn, along the end of a leg's reach
SHIFT = 0.2  # of a step, by which a posture's slope is looked for


class Bound(Record):
    """Controller bound to its inputs and its output."""

    kind: int = entry("which controller", kind=np.int64)
    output: int = entry("what it moves", kind=np.int64)
    feet: VecN = entry("the three feet that contact is sought on", "", 3, kind=np.int64)
    direction: VecN = entry("in W, of position alone", "", 2)
    until: float = entry("how far along it from W's origin position goes", "m")
    heading: float = entry("to which position turns the trunk", "rad")


@compiled(allocates=False)
def _move(stance: Records[BasisStance], output: int, x: float, y: float) -> None:
    """Move an output: a foot or the trunk by x and y, heading or height by x.

    Args:
        stance: changed, (1,).
        output: which.
        x: forward in W [m], or turn [rad], or up [m].
        y: left in W [m].
    """
    at = stance[0]
    if output >= 0:
        at.feet[output, 0] += x
        at.feet[output, 1] += y
    elif output == TRUNK:
        at.p_WB[0] += x
        at.p_WB[1] += y
    elif output == YAW:
        at.yaw += x
    else:
        at.p_WB[2] += x


@compiled(allocates=False)
def step_once(stance: Records[BasisStance], bound: Bound, parts: BasisParts) -> float:
    """Advance a controller by one step; return its way, 0 once converged.

    Args:
        stance: changed, (1,).
        bound: the controller.
        parts: of the machine.
    """
    body = parts[2][0]
    if bound.kind == POSTURE:
        return _posture_step(stance, bound.output, parts)
    x, y, far = bound.direction[0], bound.direction[1], body.step
    if bound.output == YAW:
        off = bound.heading - stance[0].yaw
        off = math.atan2(math.sin(off), math.cos(off))
        if abs(off) < body.steady:
            return 0.0
        x, y, far = math.copysign(1.0, off), 0.0, min(body.turn, abs(off))
    elif bound.kind == POSITION:
        far = min(far, bound.until - _along(stance[0], bound))
        if far < body.still:
            return 0.0
    else:
        x, y, size = _residual(stance, bound, parts)
        if (
            error_of(stance, bound, parts, body.margin + body.spare) <= 0.0
            or size < body.still
        ):
            return 0.0
        x, y, far = x / size, y / size, min(body.step, size)
    for _ in range(HALVINGS):
        _move(stance, bound.output, far * x, far * y)
        if reaches(stance, bound.output, parts):
            return far
        _move(stance, bound.output, -far * x, -far * y)
        far *= 0.5
    if bound.kind == CONTACT and bound.output >= 0:
        return _slide(stance, bound.output, x, y, parts)
    return 0.0


@compiled(allocates=False)
def _slide(
    stance: Records[BasisStance], foot: int, x: float, y: float, parts: BasisParts
) -> float:
    """Move a foot along the end of its reach, as near to a direction as it goes.

    Args:
        stance: changed, (1,).
        foot: which.
        x: of the direction in W.
        y: likewise.
        parts: of the machine.
    """
    far = parts[2][0].step
    for k in range(1, SLIDES):
        for sign in (-1.0, 1.0):
            turn = sign * k * 0.5 * math.pi / SLIDES
            c, s = math.cos(turn), math.sin(turn)
            u, w = far * (c * x - s * y), far * (s * x + c * y)
            _move(stance, foot, u, w)
            if reaches(stance, foot, parts):
                return far
            _move(stance, foot, -u, -w)
    return 0.0


@compiled(allocates=False)
def _along(stance: BasisStance, bound: Bound) -> float:
    """Return how far a position controller's output is along its direction [m]."""
    x, y = stance.p_WB[0], stance.p_WB[1]
    if bound.output >= 0:
        x, y = stance.feet[bound.output, 0], stance.feet[bound.output, 1]
    return bound.direction[0] * x + bound.direction[1] * y


@compiled(allocates=False)
def _residual(
    stance: Records[BasisStance], bound: Bound, parts: BasisParts
) -> tuple[float, float, float]:
    """Return where a contact controller moves its output to, and how far it is [m].

    Equal unit forces on the three feet leave the moment MᵀM = |Σ (r_i - r_C)|², whose
    gradient draws a foot along -Σ (r_i - r_C), and the trunk to the feet's centroid.
    """
    feet, (x, y) = stance[0].feet, centre_xy(stance, parts)
    u, w = -3.0 * x, -3.0 * y
    for k in range(3):
        u, w = u + feet[bound.feet[k], 0], w + feet[bound.feet[k], 1]
    if bound.output >= 0:
        return -u, -w, math.hypot(u, w)
    return u / 3.0, w / 3.0, math.hypot(u, w) / 3.0


@compiled(allocates=False)
def error_of(
    stance: Records[BasisStance], bound: Bound, parts: BasisParts, wanted: float
) -> float:
    """Return the error of a controller's goal, 0 where it is reached.

    Of contact that is the margin which is missing [m]; of posture and position, which
    go on from wherever they are, nothing.

    Args:
        stance: of the machine, (1,).
        bound: the controller.
        parts: of the machine.
        wanted: margin that contact shall have [m].
    """
    if bound.kind != CONTACT:
        return 0.0
    feet = bound.feet
    has = tripod_margin(stance, feet[0], feet[1], feet[2], parts)
    return max(wanted - has, 0.0)


@compiled(allocates=False)
def _posture_of(stance: Records[BasisStance], output: int, parts: BasisParts) -> float:
    """Return ln m of all legs that an output moves."""
    if output >= 0:
        return leg_posture(stance, output, parts)
    sum_of = 0.0
    for one in range(stance[0].feet.shape[0]):
        sum_of += leg_posture(stance, one, parts)
    return sum_of


@compiled(allocates=False)
def _tried_posture(
    stance: Records[BasisStance], output: int, x: float, y: float, parts: BasisParts
) -> float:
    """Return what posture a move would lead to."""
    _move(stance, output, x, y)
    found = _posture_of(stance, output, parts)
    _move(stance, output, -x, -y)
    return found


@compiled(allocates=False)
def _uphill(before: float, here: float, after: float, by: float, most: float) -> float:
    """Return the step to the top of a parabola through three points, bounded.

    Args:
        before: value at -by.
        here: value at 0.
        after: value at by.
        by: how far they are apart.
        most: longest step.
    """
    if not (before > -math.inf and after > -math.inf):
        return most if after > before else (-most if before > after else 0.0)
    slope, bend = after - before, after + before - 2.0 * here
    if bend >= 0.0:
        return most if slope > 0.0 else -most
    return min(max(-0.5 * by * slope / bend, -most), most)


@compiled(allocates=False)
def _posture_step(
    stance: Records[BasisStance], output: int, parts: BasisParts
) -> float:
    """Go one step uphill on the posture measure, Newton's where it is concave."""
    body = parts[2][0]
    turns = output == YAW
    most, least = (body.turn, body.steady) if turns else (body.step, body.still)
    here, by = _posture_of(stance, output, parts), SHIFT * most
    before = _tried_posture(stance, output, -by, 0.0, parts)
    after = _tried_posture(stance, output, by, 0.0, parts)
    x, y = _uphill(before, here, after, by, most), 0.0
    if output >= TRUNK:
        before = _tried_posture(stance, output, 0.0, -by, parts)
        after = _tried_posture(stance, output, 0.0, by, parts)
        y = _uphill(before, here, after, by, most)
    size = math.hypot(x, y)
    share = min(1.0, most / size) if size > 0.0 else 0.0
    for _ in range(HALVINGS):
        if share * size < least:
            return 0.0
        if _tried_posture(stance, output, share * x, share * y, parts) > here:
            _move(stance, output, share * x, share * y)
            return share * size
        share *= 0.5
    return 0.0
