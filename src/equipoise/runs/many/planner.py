"""Robots and controllers of many rows, each found once."""

from dataclasses import dataclass, field, replace
from typing import Any, final

from equipoise.core.errors import EquipoiseError
from equipoise.robots.robot import Robot
from equipoise.runs.many.rows import (
    GROUPED,
    OWN,
    WalkRow,
    fixed_gains,
    row_walk,
    varied_gains,
)
from equipoise.runs.many.simulate import GROUND
from equipoise.runs.robot import find_robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import ResolvedWalk, resolved_walk

__all__ = ["WalkPlanner"]

MORE = ("heading", "left", "turn")


@final
@dataclass
class WalkPlanner:
    """Finds what rows have in common.

    A speed between two that gave the same controller gives the same one, and is not
    asked.
    """

    robots: dict[str, Robot] = field(default_factory=dict[str, Robot])
    plans: dict[str, dict[Any, ResolvedWalk]] = field(
        default_factory=dict[str, dict[Any, ResolvedWalk]]
    )
    """By speed, of walks that are else the same."""
    gains: dict[str, ResolvedWalk] = field(default_factory=dict[str, ResolvedWalk])
    """Of walks without gains."""

    def plan(self, place: int, walk: WalkConfig | str) -> WalkRow | str:
        """Return a row's walk with its robot and controller, or why there is none.

        Args:
            place: of the row.
            walk: what is asked, or what is wrong with the row.
        """
        if isinstance(walk, str):
            return walk
        ground = GROUND if walk.ground == "mujoco" else walk.ground  # nobody chose
        walk = replace(walk, ground=ground, sensors="ideal")
        try:
            robot = self.robot(walk)
            own = self.own_gains(robot, walk)
            bare = replace(walk, gains=fixed_gains(walk, own)) if own else walk
            return WalkRow(place, row_walk(self.planned(robot, bare), walk), own)
        except EquipoiseError as error:
            return str(error)

    def robot(self, walk: WalkConfig) -> Robot:
        """Return the robot of a walk."""
        name = repr(walk.robot)
        if name not in self.robots:
            self.robots[name] = find_robot(walk.robot)
        return self.robots[name]

    def own_gains(self, robot: Robot, walk: WalkConfig) -> tuple[str, ...]:
        """Return the gains of a walk that can be numbers of each robot."""
        if not walk.gains:
            return ()
        bare = replace(walk, **OWN, gains={})
        key = f"{bare.settings_record()} {walk.robot!r}"
        if key not in self.gains:
            self.gains[key] = resolved_walk(robot, bare)
        return varied_gains(walk, self.gains[key])

    def planned(self, robot: Robot, walk: WalkConfig) -> ResolvedWalk:
        """Return machine and controller of a walk."""
        key = repr([getattr(walk, name) for name in (*GROUPED, *MORE, "gains")])
        known = self.plans.setdefault(key, {})
        speed = walk.speed
        if speed not in known:
            slower = [s for s in known if None not in (s, speed) and s < speed]
            faster = [s for s in known if None not in (s, speed) and s > speed]
            if slower and faster:
                below, above = known[max(slower)], known[min(faster)]
                if below.walking == above.walking:
                    return below
            known[speed] = self.shared(resolved_walk(robot, walk))
        return known[speed]

    def shared(self, plan: ResolvedWalk) -> ResolvedWalk:
        """Return a plan whose controller is the very one of an equal plan."""
        for other in (p for known in self.plans.values() for p in known.values()):
            if other.walking == plan.walking:
                return replace(plan, walking=other.walking)
        return plan
