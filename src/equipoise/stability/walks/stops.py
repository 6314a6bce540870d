"""Did the robot end standing after it was told to stop? Judged on recorded states.

Two tests of a walk at one instant ([Ridderstrom2003] sections 2.4 and 2.5):

* **safe walk** [Hirose1993]: all joints freeze at once; the robot may rock and
  even fall onto its feet, as long as it ends standing.
* **stop test** [Karcnik1996]: the robot may use its joints to stop, but must end
  standing on the very support it had.

The trial itself is run elsewhere; its samples come here. Ending means: still for a
while, the centre of mass over the support, and too little speed left to climb out,
v²/(2 g) below the height of the energy stability margin.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array
from equipoise.core.checks import is_number
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.rigid.energy import energy_margin
from equipoise.stability.rigid.hull import expect_states, support_polygon
from equipoise.stability.rigid.support import static_margin

__all__ = ["Answer", "StopTrial", "StopVerdict", "is_safe_walk", "passes_stop_test"]

Answer = Literal["yes", "no", "unknown"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StopTrial:
    """Recorded motion of a robot from the instant of a stop on; nt samples.

    Raises:
        ShapeError: an array that does not have nt samples, or no sample at all.
        NotPhysicalError: the time does not rise.
    """

    time: Array
    """Times of the samples, rising, (nt,) [s]."""
    p_WC: Array
    """Centre of mass, (nt, 3) [m]."""
    speed: Array
    """Greatest speed of any part of the robot, (nt,) [m/s]."""
    supports: Sequence[ArrayLike]
    """Contact points of the feet at each sample, nt times (n, 3) [m]; n may be 0."""
    is_on_feet: Array
    """Whether nothing but feet touches the ground, (nt,)."""

    def __post_init__(self) -> None:
        nt = len(self.supports)
        shapes = {"time": (nt,), "p_WC": (nt, 3), "speed": (nt,), "is_on_feet": (nt,)}
        for name, shape in shapes.items():
            if nt == 0 or np.shape(getattr(self, name)) != shape:
                raise ShapeError(
                    f"{name} must have shape {shape} for the {nt} supports, at least "
                    f"one, got {np.shape(getattr(self, name))}."
                )
        if not (np.diff(self.time) > 0.0).all():
            raise NotPhysicalError("time must rise from each sample to the next.")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StopVerdict:
    """Verdict on a stop trial, with its reason."""

    answer: Answer
    """Answer; "unknown" if the trial is too short, or its numbers are not finite."""
    reason: str
    """Reason in one sentence."""
    margin: float
    """Static margin at the last sample [m]; NaN where its numbers are not finite."""


def is_safe_walk(
    trial: StopTrial,
    *,
    still: float = 0.01,
    hold: float = 0.5,
    gravity: float = GRAVITY,
) -> StopVerdict:
    """Return whether a robot whose joints were frozen ends standing on its feet.

    Args:
        trial: states from the instant of freezing on.
        still: a robot slower than this does not move, > 0 [m/s].
        hold: for how long it must not move at the end of the trial, > 0 [s].
        gravity: > 0 [m/s²].

    Raises:
        NotPhysicalError: a limit that is not a positive number.
        ShapeError: a support of the wrong shape or with an entry that is not finite.
    """
    for name, value in (("still", still), ("hold", hold), ("gravity", gravity)):
        if not (is_number(value) and 0.0 < value < math.inf):
            raise NotPhysicalError(f"{name} must be > 0, got {value!r}.")
    if not (np.isfinite(trial.p_WC).all() and np.isfinite(trial.speed).all()):
        return StopVerdict(
            answer="unknown",
            reason="The states are not finite, so the result is unknown.",
            margin=math.nan,
        )
    points = expect_states("supports[-1]", trial.supports[-1], ())
    p_WC = trial.p_WC[-1]
    margin = float(static_margin(p_WC[:2], points))
    height = float(energy_margin(p_WC, points, 1.0, gravity).height)
    answer, reason = _ending(trial, still, hold, height, gravity)
    return StopVerdict(answer=answer, reason=reason, margin=margin)


def _ending(
    trial: StopTrial, still: float, hold: float, height: float, gravity: float
) -> tuple[Answer, str]:
    """Return how a trial ended, given the climb out of its last stance [m]."""
    watched = float(trial.time[-1] - trial.time[0])
    if watched < hold:
        return "unknown", f"The trial lasts {watched:g} s, shorter than {hold:g} s."
    # The last sample at or before the start of the final stretch counts as well.
    first = np.searchsorted(trial.time, trial.time[-1] - hold, side="right") - 1
    fastest = float(np.max(trial.speed[max(int(first), 0) :]))
    if fastest > still:
        return "unknown", (
            f"It still moves at {fastest:.3g} m/s in the last {hold:g} s; watch longer."
        )
    if not bool(trial.is_on_feet[-1]):
        return "no", "It lies on more than its feet."
    if not height > 0.0:
        return "no", "Its centre of mass is not over the inside of its support."
    climb = float(trial.speed[-1]) ** 2 / (2.0 * gravity)
    if not climb < height:
        return "unknown", "It is so close to the edge that its last speed may tip it."
    return "yes", "It stands still on its feet, its centre of mass over its support."


def _is_same_support(one: Array, other: Array, slack: float) -> bool:
    """Return whether two hulls differ by at most slack anywhere [m] (Hausdorff)."""
    if len(one) == 0 or len(other) == 0:
        return len(one) == len(other)
    farthest = min(static_margin(one, other).min(), static_margin(other, one).min())
    return bool(farthest >= -slack)


def passes_stop_test(
    trial: StopTrial,
    *,
    slack: float = 0.005,
    still: float = 0.01,
    hold: float = 0.5,
    gravity: float = GRAVITY,
) -> StopVerdict:
    """Return whether a robot came to rest without a change of its support.

    A "no" is about the way of stopping that was tried: another may succeed.

    Args:
        trial: states from the instant of the stop on.
        slack: how far the support's edge may shift and still be the same, >= 0 [m].
        still: as in ``is_safe_walk`` [m/s].
        hold: as in ``is_safe_walk`` [s].
        gravity: > 0 [m/s²].

    Raises:
        NotPhysicalError: a limit that is not a positive number.
        ShapeError: a support of the wrong shape or with an entry that is not finite.
    """
    if not (is_number(slack) and 0.0 <= slack < math.inf):
        raise NotPhysicalError(f"slack must be >= 0 m, got {slack!r}.")
    verdict = is_safe_walk(trial, still=still, hold=hold, gravity=gravity)
    start = support_polygon(trial.supports[0])
    rows = zip(trial.time, trial.supports, trial.is_on_feet, strict=True)
    for time, points, is_on_feet in rows:
        is_same = _is_same_support(start, support_polygon(points), slack)
        if not (is_same and bool(is_on_feet)):
            return StopVerdict(
                answer="no",
                reason=f"Its support changed after {time - trial.time[0]:.3g} s.",
                margin=verdict.margin,
            )
    return verdict
