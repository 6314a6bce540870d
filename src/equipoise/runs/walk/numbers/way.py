"""Whether a machine went where it was told: the way it was commanded, and its own.

It did where it came at least half as far as its command leads, as the gym environment
has it (``equipoise.runs.gym.walking``), and turned by half of what it was told to turn.
The command is the operator's, as fast as the pilot lets it change; what a planner or a
reflex makes of it is the machine's own doing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from equipoise.control.pilot import PilotConfig, WalkingGoal, goal_rows
from equipoise.core.arrays import Array, VecN
from equipoise.runs.walk.numbers.path import told_path
from equipoise.sim.run import Run

__all__ = ["ENOUGH", "WalkCommand", "commanded_twist", "shortfalls", "way_numbers"]

ENOUGH = 0.5
"""Share of the commanded way, and of the commanded turn, that counts as walked."""
STANDS = 1e-3  # commanded way [m] or turn [rad] below which it is told to stay


@final
@dataclass(frozen=True, kw_only=True)
class WalkCommand:
    """Command of the operator for a walk."""

    goals: Sequence[WalkingGoal]
    """Velocities in time."""
    limits: PilotConfig | None = None
    """How fast the pilot lets them change; None for at once."""
    stays_within: float | None = None
    """Distance within which a machine that is told to stay has to stay; None where
    something pushes it, or its controller says where to [m]."""
    place_reached: bool | None = None
    """Whether it got to the place it was sent to; None where it was sent to none."""


def commanded_twist(time: VecN, command: WalkCommand) -> Array:
    """Return the velocities forward, left [m/s] and turn [rad/s], (3, nt).

    Args:
        time: of the samples, rising, (nt,) [s].
        command: what the operator wants.
    """
    rows, limits = goal_rows(tuple(command.goals)), command.limits
    starts = np.array([row.time for row in rows])
    wanted = np.stack([row.velocity * (row.walks > 0.0) for row in rows])
    at = np.searchsorted(starts, time + 1e-9, side="right") - 1
    asked = np.where(at[:, None] >= 0, wanted[np.maximum(at, 0)], 0.0).T
    if limits is None:
        return asked
    asked = np.where(time < starts[0] + limits.lead - 1e-9, 0.0, asked)
    most = (limits.acceleration, limits.acceleration, limits.turn_acceleration)
    ramped, steps = np.zeros_like(asked), np.diff(time, prepend=time[:1])
    for axis, rate in enumerate(most):
        now = 0.0
        for k, step in enumerate(steps):
            now += min(max(asked[axis, k] - now, -rate * step), rate * step)
            ramped[axis, k] = now
    return ramped


def way_numbers(run: Run, command: WalkCommand, begun: int) -> dict[str, Any]:
    """Return how far a machine should have come and how far it did.

    Told to go straight, its way is its displacement in the commanded direction; told to
    turn as it goes, that direction turns with its trunk.

    Args:
        run: what happened.
        command: what the operator wanted.
        begun: sample at which it was told to walk.

    Returns:
        ``commanded_m`` and ``went_m``, ``commanded_rad`` and ``turned_rad``, None where
        no way or turn was commanded; ``strayed_m``, how far one that was told to stay
        is from where it was; and ``arrived``.
    """
    time, place = run.time[begun:], run.p_WB[begun:, :2]
    yaw = np.unwrap(run.attitude[begun:, 2])
    twist = commanded_twist(time, command)
    steps = np.diff(time)
    size, turn = np.hypot(twist[0, :-1], twist[1, :-1]), float(twist[2, :-1] @ steps)
    far = float(size @ steps)
    goes = far > STANDS and command.place_reached is None
    turns = abs(turn) > STANDS and command.place_reached is None
    went = None
    if goes and turns:
        went = _along_heading(place, yaw, twist)
    elif goes:
        path = told_path(time, twist, float(yaw[0]))[-1]
        far = float(np.hypot(*path))
        went = float((place[-1] - place[0]) @ path) / far if far > STANDS else None
        goes = went is not None
    turned = float(yaw[-1] - yaw[0])
    strayed = float(np.hypot(*(place[-1] - place[0])))
    stays = not goes and not turns and command.place_reached is None
    numbers = {
        "commanded_m": far if goes else None,
        "went_m": went,
        "commanded_rad": turn if turns else None,
        "turned_rad": turned if turns else None,
        "strayed_m": strayed if stays and command.stays_within is not None else None,
    }
    numbers = {
        k: x if x is None or math.isfinite(x) else None for k, x in numbers.items()
    }
    return {**numbers, "arrived": not shortfalls(numbers, command)}


def _along_heading(place: Array, yaw: VecN, twist: Array) -> float:
    """Return the way in the commanded direction, which turns with the trunk [m]."""
    size = np.hypot(twist[0], twist[1])
    last = int(np.argmax(size))
    angle = 0.5 * (yaw[1:] + yaw[:-1]) + math.atan2(twist[1, last], twist[0, last])
    way = np.diff(place, axis=0)
    return float(way[:, 0] @ np.cos(angle) + way[:, 1] @ np.sin(angle))


def _degrees(angle: float) -> str:
    """Return an angle in radians for people, in whole degrees."""
    return f"{round(math.degrees(angle)) + 0.0:.0f}°"


def shortfalls(numbers: dict[str, Any], command: WalkCommand) -> list[str]:
    """Return why a machine did not go where it was told, a sentence each.

    Args:
        numbers: of ``way_numbers``.
        command: what the operator wanted.
    """
    if command.place_reached is not None:
        return [] if command.place_reached else ["It did not reach its goal."]
    found = list[str]()
    far, went = numbers["commanded_m"], numbers["went_m"]
    if far is not None and not (went is not None and went >= ENOUGH * far):
        came = "nowhere" if went is None else f"{round(went, 2) + 0.0:.2f} m"
        found.append(
            f"It did not go where it was commanded: it went {came} of "
            f"{far:.2f} m in that "
            f"direction; at least {ENOUGH * far:.2f} m count as walked."
        )
    turn, turned = numbers["commanded_rad"], numbers["turned_rad"]
    if turn is not None and not (
        turned is not None and turned * math.copysign(1.0, turn) >= ENOUGH * abs(turn)
    ):
        did = "nothing" if turned is None else _degrees(turned)
        found.append(
            f"It did not turn as commanded: it turned by {did} of {_degrees(turn)}; "
            f"at least {_degrees(ENOUGH * turn)} count as turned."
        )
    strayed, near = numbers["strayed_m"], command.stays_within
    if strayed is not None and near is not None and strayed > near:
        found.append(
            f"It did not stay in its place: it is {strayed:.2f} m from there; at "
            f"most {near:.2f} m count as staying."
        )
    return found
