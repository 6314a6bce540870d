"""A machine walks as it would at the command line, and what is to be told of that."""

import math
from typing import Any, NamedTuple

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.robots.load import load
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk_robot
from equipoise_lab.papers.check import Checks
from equipoise_lab.papers.claim import Claim, beyond, not_checkable

__all__ = ["Walked", "refused_walk", "sized_claims", "walked", "yaws"]


class Walked(NamedTuple):
    """What a walk gave, once it went as fast as it was told to."""

    fell: bool
    controller: str
    """By name."""
    speed: float
    """Along the command [m/s]."""
    turn: float
    """To the left [rad/s]."""
    way: float
    """Walked along the command in that time [m]."""
    tilt: float
    """Largest roll or pitch, from the ground's [°]."""
    rms: float
    """Of both together [°]."""
    sway: float
    """Of both about their means [°]."""
    power: float
    """Mechanical [W]."""
    aloft: tuple[float, ...]
    """Share of the time with no foot, one, two and so on in the air."""
    duty: float
    """Share of a cycle for which legs stood, on average."""
    frozen: tuple[int, int]
    """At how many instants it was frozen, and at how many it then stood."""

    @property
    def how(self) -> str:
        """In words."""
        end = "fell" if self.fell else "did not fall"
        return (
            f"{self.speed:.3f} m/s for {self.way:.1f} m at most {self.tilt:.1f}°, {end}"
        )


def refused_walk(machine: str, **settings: Any) -> str:
    """Return why a walk is refused, "" where it is not.

    Args:
        machine: name of a robot.
        settings: of ``WalkConfig``.
    """
    try:
        walked(machine, settle=2.0, **settings)
    except ConfigError as error:
        return error.problems[0]
    return ""


def sized_claims(
    where: str,
    quantity: str,
    printed: float,
    ours: Any,
    checks: Checks,
    why: str,
) -> list[Claim]:
    """Return a performance that our machine was sized by, and that it has it.

    Its strokes and drives are not printed. They were chosen until the machine did what
    is printed, so that nothing of the work is found out; that our controller can do it
    on such a machine is what we add.

    Args:
        where: place in the thesis.
        quantity: what is printed.
        printed: by how much.
        ours: what ours does.
        checks: what it has to stand.
        why: what was tried.
    """
    claim = not_checkable(
        where,
        quantity,
        printed,
        "strokes and drives are not printed, and ours were chosen until it did this,"
        " see 'equipoise robots'",
        ours=ours,
    )
    added = beyond(
        where,
        f"{quantity}: our controller, on a machine sized for it",
        ours,
        checks,
        why,
        tolerance="its own controller, no less than printed, upright",
    )
    return [claim, added]


def walked(machine: str, *, settle: float, **settings: Any) -> Walked:
    """Return a walk by the machine's own controller, sensors and drives as they are.

    Args:
        machine: name of a robot.
        settle: when it is as fast as it was told to be [s].
        settings: of ``WalkConfig``: ``speed``, ``seconds``, ``seed``, ...

    Raises:
        ConfigError: it cannot walk so.
    """
    result = walk_robot(load(machine), WalkConfig(**settings))
    told, run = result.summary, result.dataset
    time, pose = run["frame_time"].values, run["qpos"].values
    first = min(int(np.searchsorted(time, settle)), len(time) - 2)
    way = pose[-1, :2] - pose[first, :2]
    lasted = float(time[-1] - time[first])
    angle = math.radians(settings.get("heading", 0.0))
    ahead = np.array([math.cos(angle), math.sin(angle)])
    left, speed = settings.get("left", 0.0), told["settings"]["speed"]
    if left:
        ahead = np.array([speed, left]) / math.hypot(speed, left)
    yaw = yaws(pose[first:, 3:7])
    turn = float(yaw[-1] - yaw[0])
    along = float(ahead @ way)
    if settings.get("turn") or settings.get("command"):  # no way ahead on a circle
        along = float(np.linalg.norm(np.diff(pose[first:, :2], axis=0), axis=1).sum())
    gait, stop = told["gait_found"], told["freeze"]
    return Walked(
        fell=bool(told["fell"]),
        controller=str(told["controller"]),
        speed=along / lasted,
        turn=turn / lasted,
        way=along,
        tilt=max(told["roll_max_deg"], told["pitch_max_deg"]),
        rms=told["attitude_rms_deg"],
        sway=_swayed(pose[first:, 3:7]),
        power=told["mechanical_power_w"],
        aloft=tuple(gait["in_the_air_share"] or ()),
        duty=float(np.mean(gait["duty"] or [0.0])),
        frozen=(int(stop["tried"]), int(stop["stable"])) if stop else (0, 0),
    )


def _swayed(quats: np.ndarray) -> float:
    """Return how far roll and pitch are from their means, root mean square [°]."""
    w, x, y, z = quats.T
    roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0))
    return math.degrees(math.hypot(float(roll.std()), float(pitch.std())))


def yaws(quats: np.ndarray) -> np.ndarray:
    """Return headings of orientations, without jumps, (n,) [rad]."""
    w, x, y, z = quats.T
    return np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
