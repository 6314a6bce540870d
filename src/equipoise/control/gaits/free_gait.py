"""Legs that step when they must: a free gait ([Ridderstrom2003] section 2.3).

No order is given. A leg's *temporal limit* is the time until it leaves its workspace at
the trunk's present velocity. Of the legs whose foot can be spared, so that the centre
of mass stays the wanted margin inside the rest until the foot is down again, the one
with the least time left lifts. A raised leg waits until it has an allowed foothold, and
the trunk waits rather than leave a leg's reach or the margin. So the margin is kept by
construction; what can be lost is speed, and in the end all motion (``is_stuck``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.gaits.footprint import Footprint
from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.gaits.plan import FootfallPlan, path_poses, placed
from equipoise.core.arrays import Array, Ints, Vec2, Vec3, VecN, expect_array
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError

__all__ = ["FreeGait", "FreeGaitConfig", "free_gait"]

Allowed = Callable[[Vec2], bool]
LANDINGS = (1.0, 0.75, 0.5, 0.25, 0.0)  # shares of the way to the workspace's front end


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class FreeGaitConfig:
    """Settings of a free gait.

    Raises:
        ConfigError: a number that is not positive.
    """

    reach_ahead: float = 0.15
    """Half the length of each leg's workspace [m]."""
    reach_aside: float = 0.10
    """Half the width of each leg's workspace [m]."""
    swing_time: float = 0.4
    """Time from lift-off to the earliest footfall [s]."""
    margin: float = 0.01
    """Smallest distance of the centre of mass inside the support [m]."""
    patience: float = 0.7
    """Largest share of its workspace that a leg may have left when it lifts."""
    dt: float = 0.01
    """Time between decisions [s]."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        expect_positive(
            self, "reach_ahead", "reach_aside", "swing_time", "patience", "dt"
        )
        expect_positive(self, "margin", zero=True)


@final
@dataclass(frozen=True, eq=False)
class FreeGait:
    """Walk with a free gait."""

    plan: FootfallPlan
    """Footfalls in seconds; the plan may end before the requested time."""
    waited: float
    """Time for which the trunk stood still [s]."""
    is_stuck: bool
    """Whether the walk ended because no leg could be lifted any more."""


@final
class Walker:
    """The state of a walk while it is made: feet, timers and the trunk's pose."""

    def __init__(
        self,
        footprint: Footprint,
        twist: Vec3,
        config: FreeGaitConfig,
        allowed: Allowed,
    ) -> None:
        self.footprint, self.twist = footprint, twist
        self.config, self.allowed = config, allowed
        self.reach = np.array([config.reach_ahead, config.reach_aside])
        self.pose = np.zeros(3)
        self.feet = footprint.feet.copy()
        self.air: VecN = np.full(footprint.legs, -1.0)  # time left in it; < 0 stands

    @property
    def stands(self) -> Ints:
        """Numbers of the legs that stand."""
        return np.flatnonzero(self.air < 0.0)

    def places_of_feet(self, pose: Array) -> Array:
        """Return the feet from their middle places, in the trunk's frame, (nl, 2)."""
        off = self.feet - pose[:2]
        c, s = np.cos(pose[2]), np.sin(pose[2])
        x, y = c * off[:, 0] + s * off[:, 1], c * off[:, 1] - s * off[:, 0]
        return np.stack([x, y], axis=1) - self.footprint.feet

    def drift(self) -> Array:
        """Return how each leg's middle place moves over the ground, in B, (nl, 2)."""
        x, y = self.footprint.feet[:, 0], self.footprint.feet[:, 1]
        return self.twist[:2] + self.twist[2] * np.stack([-y, x], axis=1)

    def time_left(self) -> VecN:
        """Return the temporal limit of every leg, (nl,) [s]."""
        rate = -self.drift()
        room = np.where(rate > 0.0, self.reach, -self.reach)
        room = room - self.places_of_feet(self.pose)
        moves = rate != 0.0
        times = np.where(moves, room / np.where(moves, rate, 1.0), np.inf)
        return times.min(axis=1)

    def moved(self, time: float) -> Array:
        """Return the pose after a time at the present velocity, (3,)."""
        step = path_poses(time, self.twist[:2], self.twist[2])
        place = placed(self.pose, step[:2])
        return np.array([place[0], place[1], self.pose[2] + step[2]])

    def margin(self, legs: Ints, pose: Array) -> float:
        """Return the margin over some feet [m]."""
        centre = placed(pose, self.footprint.centre)
        return static_at(self.feet[legs] - centre, len(legs))

    def land(self) -> None:
        """Put down the legs whose time has come and that have a foothold."""
        drift = self.drift()
        for leg in np.flatnonzero(
            (self.air >= 0.0) & (self.air < 0.5 * self.config.dt)
        ):
            rates = np.abs(drift[leg]) / self.reach
            end = drift[leg] / max(float(rates.max()), 1e-12)
            for share in LANDINGS:
                place = placed(self.pose, self.footprint.feet[leg] + share * end)
                if self.allowed(place):
                    self.feet[leg], self.air[leg] = place, -1.0
                    break

    def lift(self) -> None:
        """Lift legs, the most urgent first, as long as the rest can carry."""
        left = self.time_left()
        full = 2.0 * (self.reach / np.maximum(np.abs(self.drift()), 1e-12)).min(axis=1)
        after = self.moved(self.config.swing_time)
        for leg in np.argsort(left):
            rest = self.stands[self.stands != leg]
            if self.air[leg] >= 0.0 or left[leg] > self.config.patience * full[leg]:
                continue
            if self.margin(rest, self.pose) < self.config.margin:
                continue
            if self.margin(rest, after) >= self.config.margin:
                self.air[leg] = self.config.swing_time

    def can_move(self) -> bool:
        """Return whether a step of the trunk keeps all stance legs and the margin."""
        pose = self.moved(self.config.dt)
        off = np.abs(self.places_of_feet(pose))[self.stands]
        is_reached = bool((off <= self.reach + 1e-9).all())
        return is_reached and self.margin(self.stands, pose) >= self.config.margin


def free_gait(
    footprint: Footprint,
    velocity: Vec3,
    seconds: float,
    config: FreeGaitConfig | None = None,
    allowed: Allowed | None = None,
) -> FreeGait:
    """Return a walk in which legs step when they must.

    Args:
        footprint: middles of the legs' workspaces.
        velocity: of the trunk as it sees it, forward, left [m/s] and turn [rad/s],
            (3,).
        seconds: how long, > 0.
        config: workspace, margin and times.
        allowed: whether a foot may be put on a place of the ground; None for all.

    Raises:
        ConfigError: no time, no motion, or a stance without the margin at the start.
        ShapeError: a velocity that is none.
    """
    config = config or FreeGaitConfig()
    twist = expect_array("velocity", velocity, (3,))
    walker = Walker(footprint, twist, config, allowed or (lambda _place: True))
    problems: list[str] = []
    if not 0.0 < seconds < np.inf:
        problems.append(f"seconds must be > 0, got {seconds!r}")
    if not np.any(twist):
        problems.append("velocity must not be zero")
    start = walker.margin(walker.stands, walker.pose)
    if start < config.margin:
        problems.append(f"margin must be at most {start:.3f} m, the initial one")
    if problems:
        raise ConfigError("free gait", problems)
    return _walked(walker, round(seconds / config.dt))


def _walked(walker: Walker, ticks: int) -> FreeGait:
    """Run a walk and gather its rows; ticks that go on straight with it are one row."""
    support: list[NDArray[np.bool_]] = []
    footholds: list[Array] = []
    times, poses = [0.0], [walker.pose.copy()]
    waited, is_stuck, was_moving, dt = 0.0, False, False, walker.config.dt
    for tick in range(ticks):
        walker.land()
        walker.lift()
        stands, is_moving = walker.air < 0.0, walker.can_move()
        is_stuck = not is_moving and bool(stands.all())
        if is_stuck:
            break
        goes_on = bool(support) and not walker.twist[2] and is_moving == was_moving
        if goes_on and bool((stands == support[-1]).all()):
            times.pop()
            poses.pop()
        else:
            support.append(stands)
            footholds.append(np.where(stands[:, None], walker.feet, np.nan))
        walker.pose = walker.moved(dt) if is_moving else walker.pose
        waited += 0.0 if is_moving else dt
        times.append(dt * (tick + 1))
        poses.append(walker.pose.copy())
        walker.air = np.where(stands, -1.0, np.maximum(walker.air - dt, 0.0))
        was_moving = is_moving
    legs = walker.footprint.legs
    plan = FootfallPlan(
        name="free",
        times=np.array(times),
        support=np.array(support, bool).reshape(-1, legs),
        footholds=np.array(footholds).reshape(-1, legs, 2),
        poses=np.array(poses),
        centre=walker.footprint.centre,
    )
    return FreeGait(plan, waited, is_stuck)
