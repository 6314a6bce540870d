"""How much work tips a body over on soft feet, over all directions.

The body stands in a well of energy. Tilted any way and free otherwise, it climbs to a
ridge; the ridge closes around the well, so that whatever path it falls by crosses it,
and the lowest point of the ridge is the work needed. There the body balances on the
feet that are left, a saddle of the energy. On hard ground that is the energy stability
margin of Messuri and Klein; on soft ground the body has sunk before it tips, and feet
give way under it ([Ridderstrom2003] section 2.5.2 in words, two feet in closed form in
``stability.barrier``).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.constants import GRAVITY
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Bools, Foot, expect_feet
from equipoise.stability.soft.relaxed_energy import Relaxed, RelaxedEnergy
from equipoise.stability.soft.springs import rotation_after, solution_of

__all__ = ["TippingBarrier", "tipping_barrier"]

_WAYS = 36  # directions in which the ridge is looked for
_FIRST, _LONGEST, _FARTHEST = 0.02, 0.1, 2.5
"""Steps of the tilt, and the tilt beyond which it has fallen [rad]."""


@final
@dataclass(frozen=True, eq=False)
class TippingBarrier:
    """Energy barrier of the easiest way to tip a body over."""

    energy: float
    """Work needed [J]; 0 where the body does not stand."""
    direction: Array
    """Direction in which its top moves, seen from above, a unit vector, (2,)."""
    tilt: float
    """Angle of the body's vertical to the world's at the ridge [rad]; nan where it
    does not stand."""


def tipping_barrier(
    mass: float, feet: Sequence[Foot], *, gravity: float = GRAVITY
) -> TippingBarrier:
    """Return the work that tips a body on soft feet over, and the direction.

    The ridge is found along 36 ways from the stance and its lowest points are solved as
    saddles of the energy. A foot that lifts lets go of what it held sideways, and that
    energy is lost; on vertical springs nothing is.

    Args:
        mass: of the body; its weight acts at the origin of the feet's positions [kg].
        feet: at least one.
        gravity: free fall [m/s^2].

    Returns:
        The barrier; infinite where the body does not tip over up to a tilt of 2.5 rad.

    Raises:
        NotPhysicalError: a mass that is none, no foot, or two feet at one place.
        ShapeError: something that is not a ``Foot``.
    """
    stance = compliant_stance(mass, feet, gravity=gravity)
    if not stance.stable:
        return TippingBarrier(0.0, stance.weakest, math.nan)
    arrays = expect_feet(feet)
    well = RelaxedEnergy(arrays, mass * gravity / arrays.force)
    start = well.state(stance.displacement / arrays.length, stance.R_WB)
    angles = 2 * np.pi * np.arange(_WAYS) / _WAYS
    ridge = [_ridge(well, start, float(angle)) for angle in angles]
    heights = np.array([math.inf if top is None else top.energy for top in ridge])
    low = (heights <= np.roll(heights, 1)) & (heights <= np.roll(heights, -1))
    passes = [_saddle(well, start, ridge, int(i)) for i in np.flatnonzero(low)]
    found = [top for top in passes if top is not None]
    if not found:
        return TippingBarrier(math.inf, stance.weakest, math.nan)
    top = min(found, key=lambda state: state.energy)
    up = top.R[:, 2]
    way = up[:2] - start.R[:2, 2]
    return TippingBarrier(
        max(0.0, top.energy - start.energy) * arrays.force * arrays.length,
        way / np.linalg.norm(way),
        math.atan2(math.hypot(up[0], up[1]), up[2]),
    )


def _tilted(R: Mat3, angle: float, tilt: float) -> tuple[Mat3, Vec3]:
    """Return R leaned over towards an angle seen from above, and the axis of that."""
    axis = np.array([-math.sin(angle), math.cos(angle), 0.0])
    return rotation_after(R, axis * tilt), axis


def _ridge(well: RelaxedEnergy, start: Relaxed, angle: float) -> Relaxed | None:
    """Return the body on the ridge in one direction; None if there is no ridge."""
    tilt, step, now = 0.0, _FIRST, start
    while tilt < _FARTHEST:
        R, axis = _tilted(start.R, angle, tilt + step)
        ahead = well.at(now.p, R)
        if ahead is None:
            return None
        if ahead.slope[3:] @ axis <= 0:
            if tilt > 0:
                return _summit(well, start, angle, (tilt, now), (tilt + step, ahead))
            step /= 4  # a well so narrow that the first step is beyond it
            if step < 1e-7:
                return None
            continue
        tilt, now = tilt + step, ahead
        step = min(1.5 * step, _LONGEST)
    return None


def _summit(
    well: RelaxedEnergy,
    start: Relaxed,
    angle: float,
    low: tuple[float, Relaxed],
    high: tuple[float, Relaxed],
) -> Relaxed:
    """Return the body where the moment that holds it is zero, between two tilts."""
    (left, before), (right, after) = low, high
    axis = _tilted(start.R, angle, 0.0)[1]
    below, above = float(before.slope[3:] @ axis), float(after.slope[3:] @ axis)
    scale, side, now = below - above, 0, before
    for _ in range(40):
        tilt = left + below / (below - above) * (right - left)
        ahead = well.at(before.p, _tilted(start.R, angle, tilt)[0])
        if ahead is None:
            return now
        now, value = ahead, float(ahead.slope[3:] @ axis)
        if abs(value) < 1e-9 * scale or right - left < 1e-10:
            break
        if value > 0:
            left, below, before = tilt, value, ahead
            above, side = (above / 2 if side > 0 else above), 1
        else:
            right, above = tilt, value
            below, side = (below / 2 if side < 0 else below), -1
    return now


def _saddle(
    well: RelaxedEnergy, start: Relaxed, ridge: list[Relaxed | None], low: int
) -> Relaxed | None:
    """Return the pass next to a low point of the ridge.

    Newton on the whole slope, the feet that press on either side of the low point made
    to hold: on hard ground each of them alone is a top and not a pass. A foot that
    pulls is then let go, one that is pushed into the ground taken in. Where that ends
    nowhere the ridge is first walked to its lowest point.
    """
    top = ridge[low]
    if top is None:
        return None
    own = top.springs.presses
    sides = (ridge[low - 1], ridge[(low + 1) % len(ridge)])
    left, right = (own if near is None else near.springs.presses for near in sides)
    for presses in (own | left | right, own | left, own | right, own):
        found = _pass(well, top, presses)
        if found is not None and start.energy < found.energy <= top.energy + 1e-12:
            return found
    near, presses = _walked(well, start, 2 * np.pi * low / len(ridge), top)
    found = _pass(well, near, presses)
    is_lower = found is not None and start.energy < found.energy <= near.energy + 1e-12
    return found if is_lower else near


def _pass(well: RelaxedEnergy, top: Relaxed, presses: Bools) -> Relaxed | None:
    """Return the pass near the top of a ridge on feet that push, or None."""
    for _ in range(2 * len(presses)):
        found = _balanced(well, top, presses)
        if found is None:
            return None
        pushes = np.less(found.springs.pulls, 0.0)
        if np.array_equal(pushes, presses):
            H = found.springs.hessian + well.neutral(presses)
            ways_down = int((np.linalg.eigvalsh(0.5 * (H + H.T)) < 0).sum())
            return found if ways_down == 1 else None
        presses = pushes
    return None


def _balanced(well: RelaxedEnergy, top: Relaxed, presses: Bools) -> Relaxed | None:
    """Return the balance near the top of a ridge with given feet holding."""
    now = well.state(top.p, top.R, presses)
    for _ in range(30):
        H = now.springs.hessian + well.neutral(presses)
        try:
            change = -solution_of(H, now.slope)
        except np.linalg.LinAlgError:
            return None
        if not np.abs(change).max() < 0.5:
            return None
        now = well.state(now.p + change[:3], rotation_after(now.R, change[3:]), presses)
        if np.abs(change).max() < 1e-11:
            return now
    return None


def _walked(
    well: RelaxedEnergy, start: Relaxed, angle: float, top: Relaxed
) -> tuple[Relaxed, Bools]:
    """Return the lowest point of the ridge near a direction, by halving steps.

    With it come the feet that press there or right beside it.
    """
    step = np.pi / _WAYS
    presses = top.springs.presses
    while step > 1e-5:
        presses = top.springs.presses
        for side in (-step, step):
            other = _ridge(well, start, angle + side)
            if other is not None and other.energy < top.energy:
                angle, top = angle + side, other
                break
            presses = presses if other is None else presses | other.springs.presses
        else:
            step /= 2
    return top, presses
