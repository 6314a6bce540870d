"""Does a walk return after a disturbance? Vukobratović's three kinds of stability.

[Vukobratovic1970], in the wording of [Ridderstrom2003] section 2.5. A walk is judged
against itself: what it did before the disturbance is the undisturbed motion.

* **orientation and height**: there is a closed region around the undisturbed roll,
  pitch, yaw and height to which they return. Here it is the smallest box, a little
  widened; yaw is counted from the line on which a turning walk went before.
* **path**: the velocity of the trunk, averaged over a cycle, returns to its direction
  and magnitude.
* **stationary gait**: what characterises a stride returns, see ``gait_recovery``.

A recording is finite, so "returns" means: inside for the rest of it, a cycle at least.
"No" is about this disturbance and this length; a longer recording may end in a yes.
"""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, VecN, expect_array
from equipoise.core.errors import NotPhysicalError, ShapeError

__all__ = [
    "FEWEST",
    "DisturbedWalk",
    "Flags",
    "Recovery",
    "mean_velocity",
    "path_recovery",
    "posture_recovery",
    "short",
    "unknown",
]

Answer = Literal["yes", "no", "unknown"]
Flags: TypeAlias = NDArray[np.bool_]
STILL = 1e-3  # no walk is slower [m/s]
FEWEST = 2
"""Strides or cycles, before and after, that tell anything."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class DisturbedWalk:
    """Recorded walk with the instant of its disturbance; nt samples, nl legs.

    Raises:
        ShapeError: arrays that do not have nt samples, or numbers that are not finite.
        NotPhysicalError: times that do not rise, or out of order.
    """

    time: Array
    """Times of the samples, rising, (nt,) [s]."""
    angles: Array
    """Roll, pitch and yaw of the trunk, (nt, 3) [rad]; yaw may pass π."""
    p_WB: Array
    """Position of the trunk, (nt, 3) [m]."""
    stands: Flags
    """Whether each foot stands, (nt, nl)."""
    period: float
    """Period of a complete cycle [s]."""
    steady: float
    """Time from which it walks steadily [s]."""
    disturbed: tuple[float, float]
    """Times at which the disturbance begins and ends [s]."""

    def __post_init__(self) -> None:
        """Refuse what cannot be judged."""
        nt = len(self.time)
        for name, shape in (("angles", (nt, 3)), ("p_WB", (nt, 3))):
            expect_array(name, getattr(self, name), shape)
        if np.ndim(self.stands) != 2 or len(self.stands) != nt:
            got = np.shape(self.stands)
            raise ShapeError(f"stands must have shape ({nt}, legs), got {got}.")
        begin, end = self.disturbed
        if not (nt and (np.diff(self.time) > 0.0).all()):
            raise NotPhysicalError("time must rise from each sample to the next.")
        if not (self.period > 0.0 and self.steady < begin <= end):
            raise NotPhysicalError(
                "a walk needs a period > 0 s and has to be steady before it is "
                f"disturbed, got period {self.period!r}, steady from {self.steady!r}, "
                f"disturbed {self.disturbed!r}."
            )

    @property
    def before(self) -> Flags:
        """Mask of the undisturbed samples, (nt,)."""
        return (self.time >= self.steady) & (self.time < self.disturbed[0])

    @property
    def after(self) -> Flags:
        """Mask of the samples after the disturbance, (nt,)."""
        return self.time > self.disturbed[1]

    def is_short(self) -> bool:
        """Return whether there are too few cycles before or after to decide."""
        least = FEWEST * self.period
        spans = (
            self.disturbed[0] - max(self.steady, float(self.time[0])),
            float(self.time[-1]) - self.disturbed[1],
        )
        # Half a sample of slack: a recording's last one may fall just short.
        slack = 0.5 * float(np.diff(self.time).max()) if len(self.time) > 1 else 0.0
        return min(spans) < least - slack


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Recovery:
    """Result of one test of recovery on a walk."""

    answer: Answer
    """Answer; "unknown" if too little was recorded."""
    reason: str
    """Reason in one sentence."""
    after: float
    """Time from the disturbance until it recovered [s]; NaN if it did not, or is
    not known."""


def unknown(reason: str) -> Recovery:
    """Return that nothing can be told."""
    return Recovery(answer="unknown", reason=reason, after=math.nan)


def short(walk: DisturbedWalk) -> Recovery | None:
    """Return why a walk cannot be judged, None where it can."""
    if walk.is_short():
        return unknown(
            f"Fewer than {FEWEST} cycles were recorded before or after the disturbance."
        )
    return None


def posture_recovery(
    walk: DisturbedWalk, *, angle: float = math.radians(1.0), height: float = 0.005
) -> Recovery:
    """Return whether orientation and height return to their undisturbed region.

    Args:
        walk: what happened.
        angle: by how much the region's angles are widened, >= 0 [rad].
        height: by how much its heights are, >= 0 [m].
    """
    if found := short(walk):
        return found
    turned = np.unwrap(walk.angles, axis=0)
    turned[:, 2] -= _heading(walk, turned[:, 2])
    posture = np.column_stack([turned, walk.p_WB[:, 2]])
    slack = np.array([angle] * 3 + [height])
    calm = posture[walk.before]
    low, high = calm.min(axis=0) - slack, calm.max(axis=0) + slack
    is_out = ((posture < low) | (posture > high)).any(axis=1) & walk.after
    names = np.array(["roll", "pitch", "yaw", "height"])
    last = int(np.flatnonzero(is_out)[-1]) if is_out.any() else None
    back = 0.0 if last is None else float(walk.time[last]) - walk.disturbed[1]
    if last is not None and walk.time[-1] - walk.time[last] < walk.period:
        out = (posture[last] < low) | (posture[last] > high)
        return Recovery(
            answer="no",
            reason=f"Its {' and '.join(names[out])} still leaves the region.",
            after=math.nan,
        )
    return Recovery(
        answer="yes",
        reason="Orientation and height have recovered for good.",
        after=back,
    )


def _heading(walk: DisturbedWalk, yaw: VecN) -> VecN:
    """Return the yaw that a walk would have gone on with, a straight line, (nt,) [rad].

    Args:
        walk: what happened; a walk may turn, and drift.
        yaw: without jumps, (nt,) [rad].
    """
    slope, first = np.polyfit(walk.time[walk.before], yaw[walk.before], 1)
    return slope * walk.time + first


def mean_velocity(walk: DisturbedWalk, begin: float, end: float) -> VecN:
    """Return the trunk's level velocity averaged over a span, (2,) [m/s]."""
    ends = [
        [float(np.interp(t, walk.time, walk.p_WB[:, k])) for k in (0, 1)]
        for t in (begin, end)
    ]
    return (np.array(ends[1]) - np.array(ends[0])) / (end - begin)


def _cycle_velocity(walk: DisturbedWalk, until: float, yaw: VecN) -> VecN:
    """Return the mean velocity of a cycle along and across the heading, (2,) [m/s].

    Args:
        walk: what happened.
        until: end of the cycle [s].
        yaw: heading that it would have at each sample, (nt,) [rad].
    """
    v = mean_velocity(walk, until - walk.period, until)
    at = float(np.interp(until - 0.5 * walk.period, walk.time, yaw))
    c, s = math.cos(at), math.sin(at)
    return np.array([c * v[0] + s * v[1], c * v[1] - s * v[0]])


def path_recovery(
    walk: DisturbedWalk, *, angle: float = math.radians(5.0), share: float = 0.1
) -> Recovery:
    """Return whether the average velocity returns to its direction and magnitude.

    Args:
        walk: what happened; directions are counted from where a turning walk would
            head.
        angle: by which its direction may differ, >= 0 [rad].
        share: by which its magnitude may, of the undisturbed one, >= 0.
    """
    if found := short(walk):
        return found
    begin, end = walk.disturbed
    yaw = _heading(walk, np.unwrap(walk.angles[:, 2]))
    cycles = math.floor((begin - walk.steady) / walk.period + 1e-9)
    rows = [_cycle_velocity(walk, begin - k * walk.period, yaw) for k in range(cycles)]
    calm = np.mean(rows, axis=0)
    size = float(np.linalg.norm(calm))
    if size < STILL:
        return unknown("It did not walk anywhere before the disturbance.")
    count = math.floor((float(walk.time[-1]) - end) / walk.period + 1e-9)
    back, last = math.nan, ""
    for k in range(count):  # from the last cycle to the first
        until = float(walk.time[-1]) - k * walk.period
        v = _cycle_velocity(walk, until, yaw)
        turned = math.atan2(float(calm[0] * v[1] - calm[1] * v[0]), float(calm @ v))
        more = float(np.linalg.norm(v)) / size - 1.0
        last = last or f"turned by {math.degrees(turned):.1f}° and {more:+.0%} in size"
        if abs(turned) > angle or abs(more) > share:
            break
        back = max(until - walk.period - end, 0.0)
    if math.isnan(back):
        return Recovery(answer="no", reason=f"Its velocity ends {last}.", after=back)
    return Recovery(answer="yes", reason=f"Its velocity is back, {last}.", after=back)
