"""Walks of a table as robots of a few programs.

What differs from walk to walk in speed, direction, friction, pushes, forces, gains or
seed is a number of each robot; walks that differ otherwise (gait, terrain, build) have
programs of their own, one after the other.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, final

import numpy as np

from equipoise.control.straight.controller import gain_settings
from equipoise.core.checks import is_number
from equipoise.core.friction import MIDDLE_FRICTION
from equipoise.runs.many.walk_results import WATCHED, WalkOutcomes, walk_outcomes
from equipoise.runs.many.walking_program import VARIED, expect_plain_walk, program_of
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.feasible import expect_footing
from equipoise.runs.walk.goals import START
from equipoise.runs.walk.numbers.way import ENOUGH, WalkCommand, commanded_twist
from equipoise.runs.walk.resolved import ResolvedWalk
from equipoise.runs.walk.staged import PUSH_LASTS
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.pushes import PushPlan
from equipoise.sim.many.robots import ManyRobots

__all__ = ["WalkGroup", "WalkRow", "row_walk", "walk_groups"]

OWN: dict[str, Any] = {
    "speed": None, "heading": 0.0, "left": 0.0, "turn": 0.0,
    "friction": MIDDLE_FRICTION, "push": 0.0, "push_heading": 90.0,
    "push_at": None, "force": 0.0, "seed": 0,
}  # fmt: skip
"""Settings that each robot has of its own, and what they are elsewhere."""
COMMAND = ("speed", "left", "turn")
RAMP_STEP = 0.02  # with which the command is added up [s]
GROUPED = [f.name for f in fields(WalkConfig) if f.name not in (*OWN, "gains")]


@final
@dataclass(frozen=True)
class WalkRow:
    """A walk of a table that can be walked."""

    place: int
    """In the table."""
    resolved: ResolvedWalk
    """The walk; its controller may be that of another row with the same one."""
    gains: tuple[str, ...] = ()
    """Those that are numbers of each robot, by name."""

    @property
    def config(self) -> WalkConfig:
        """What the row asks for."""
        return self.resolved.config

    @property
    def command(self) -> tuple[float, float, float]:
        """Forward, left [m/s] and turn [rad/s]."""
        return self.resolved.forward, self.resolved.aside, self.resolved.turn


def row_walk(shared: ResolvedWalk, config: WalkConfig) -> ResolvedWalk:
    """Return the walk of a row by the controller of another row.

    Args:
        shared: a walk with the same controller.
        config: what the row asks for.

    Raises:
        ConfigError: a slope on which it would slide.
    """
    walk = replace(
        shared,
        config=config,
        speed=shared.speed if config.speed is None else config.speed,
        heading=config.heading,
        left=config.left,
        turn=config.turn,
    )
    expect_footing(walk.terrain, walk.friction)
    return walk


@final
@dataclass(frozen=True)
class WalkGroup:
    """Walks that one program does."""

    walks: tuple[WalkRow, ...]

    def run(
        self,
        *,
        backend: str = "auto",
        progress: Callable[[float], None] | None = None,
    ) -> list[dict[str, Any]]:
        """Walk all of them and return the numbers of each, as ``walk`` names them.

        Args:
            backend: see ``cuda_module``.
            progress: called with the share done, in [0, 1].

        Raises:
            EquipoiseError: straight lines do not have such walks; every reason is
                named.
        """
        first, walks = self.walks[0], self.walks
        expect_plain_walk(first.resolved.robot, first.config)
        program = program_of(first.resolved, varied=(*VARIED, *first.gains))
        told = np.array([walk.command for walk in walks])
        settings: dict[str, Any] = dict(zip(COMMAND, told.T, strict=True))
        settings["friction"] = np.array([one.resolved.friction for one in walks])
        for gain in first.gains:
            settings[gain] = np.array([walk.config.gains[gain] for walk in walks])
        many = ManyRobots(
            program,
            len(walks),
            settings=settings,
            pushes=walk_pushes(walks),
            plan=KernelPlan(watch=WATCHED),
            who=np.array([walk.config.seed for walk in walks]),
            backend=backend,
        )
        did = walk_outcomes(many, first.config.seconds, progress=progress)
        speed = np.hypot(told[:, 0], told[:, 1])
        return [
            _numbers_of(row, did, k, float(speed[k])) for k, row in enumerate(walks)
        ]


def walk_pushes(walks: Sequence[WalkRow]) -> PushPlan:
    """Return each walk's push and random forces."""
    configs = [walk.config for walk in walks]
    return PushPlan(
        impulse=np.array([config.push for config in configs]),
        heading=np.radians([config.push_heading for config in configs]),
        at=np.array([config.pushed_at for config in configs]),
        duration=PUSH_LASTS,
        force=np.array([config.force for config in configs]),
        force_from=START,
    )


def _numbers_of(
    row: WalkRow, did: WalkOutcomes, k: int, commanded: float
) -> dict[str, Any]:
    """Return the numbers of one walk by name, None where there is none.

    Args:
        row: whose walk it is.
        did: what all of them did.
        k: which of them it is.
        commanded: speed [m/s].
    """
    speed = float(did.speed[k])
    far = _commanded_way(row) if commanded > 0.0 else 0.0
    numbers = {
        "fell_at_s": float(did.fell_at[k]),
        "simulated_s": float(did.simulated[k]),
        "distance_m": float(did.distance[k]),
        "mean_speed_mps": speed,
        "commanded_mps": commanded,
        "speed_error": speed / commanded - 1.0 if commanded > 1e-6 else math.nan,
        "tilt_max_deg": math.degrees(did.tilt[k]),
        "height_min_m": float(did.height[k]),
    }
    return {
        "machine": row.resolved.robot.name,
        "gait": row.resolved.gait,
        "terrain": row.config.terrain,
        "ground": row.config.ground,
        "friction": row.resolved.friction,
        "fell": bool(did.fell[k]),
        "arrived": float(did.distance[k]) >= ENOUGH * far,
        **{key: x if math.isfinite(x) else None for key, x in numbers.items()},
    }


def _commanded_way(row: WalkRow) -> float:
    """Return the way that a row's command leads, the pilot's ramp included [m]."""
    walking = row.resolved.walking
    limits = None if walking is None else walking.pilot
    time = np.arange(0.0, row.config.seconds, RAMP_STEP)
    twist = commanded_twist(time, WalkCommand(goals=row.resolved.goals, limits=limits))
    return float(np.hypot(twist[0], twist[1]).sum()) * RAMP_STEP


def walk_groups(walks: Sequence[WalkRow], most: int) -> list[WalkGroup]:
    """Return walks by the programs that do them, in the table's order.

    Args:
        walks: that can be walked.
        most: robots of a group.
    """
    found: dict[tuple[Any, ...], list[WalkRow]] = {}
    for walk in walks:
        fixed = fixed_gains(walk.config, walk.gains)
        same = [repr(getattr(walk.config, name)) for name in GROUPED]
        key = (*same, repr(fixed), walk.gains, id(walk.resolved.walking))
        found.setdefault(key, []).append(walk)
    return [
        WalkGroup(tuple(rows[begin : begin + most]))
        for rows in found.values()
        for begin in range(0, len(rows), most)
    ]


def varied_gains(config: WalkConfig, plan: ResolvedWalk) -> tuple[str, ...]:
    """Return the gains of a walk that can be numbers of each robot, sorted.

    Args:
        config: the walk.
        plan: of a walk with the same parts.
    """
    if plan.walking is None:
        return ()
    known = {one.name for one in gain_settings(plan.walking)}
    given = config.gains.items()
    return tuple(sorted(n for n, value in given if n in known and _is_plain(value)))


def fixed_gains(config: WalkConfig, apart: Sequence[str]) -> dict[str, Any]:
    """Return the gains of a walk that are numbers of its program.

    Args:
        config: the walk.
        apart: names of those that are not.
    """
    return {name: x for name, x in config.gains.items() if name not in apart}


def _is_plain(value: Any) -> bool:
    """Return whether a gain is a number above zero."""
    return is_number(value) and 0.0 < value < math.inf
