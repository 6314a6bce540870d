"""The largest pushes that a walking robot survives, all tried at once.

A push has been survived when the robot has not fallen four seconds after it began. In
each of eight directions an impulse counts as survived only if it is at eight instants
of the gait's cycle.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_none
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot
from equipoise.runs.limits import (
    FIRST_NS,
    HEADINGS_DEG,
    HUMAN,
    MOST_NS,
    PRECISION,
    PUSH_DURATION,
    STEP_NS,
    bad_pushes,
)
from equipoise.runs.many.simulate import GROUND
from equipoise.runs.many.walked import WATCHED, Flags, walked
from equipoise.runs.many.walking_program import walking_program
from equipoise.runs.result import AbstractResult, Verdict, said
from equipoise.runs.robot import RobotChoice, find_robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.planned import planned
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.program import ManyProgram
from equipoise.sim.many.pushes import PushPlan
from equipoise.sim.many.robots import ManyRobots

__all__ = ["WalkLimitsConfig", "WalkLimitsResult", "walk_limits"]

PHASES = 8
AT = 3.0  # of the first push: it walks evenly since a second [s]
AFTER = 4.0  # that must be survived [s]
RANDOM_AT = (2.0, 4.0)  # [s]
RANDOM_PER_MASS = (0.2, 1.4)  # impulses of random pushes [N s/kg]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WalkLimitsConfig:
    """Which robot, and how many random pushes."""

    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="warp1"))
    pushes: int = 200
    """How many random pushes, 0 to 100000."""
    seed: int = 0
    """Which random pushes."""
    friction: float = 0.7
    """Of the ground."""
    impulse: float | None = None
    """Of every random push, per mass [N s/kg]; None for 0.2 to 1.4."""

    def __post_init__(self) -> None:
        """Refuse settings out of range."""
        expect_none("limits", bad_pushes(self.pushes, self.impulse))


@final
@dataclass(frozen=True, eq=False, repr=False)
class WalkLimitsResult(AbstractResult):
    """What was found."""

    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    random: Array = field(repr=False)
    """Impulse [N s], heading [rad], instant [s] of each random push, and 1 where it was
    survived, (4, pushes)."""
    robot: Robot | None = field(default=None, repr=False)
    """Which one, for pictures."""

    @property
    def verdict(self) -> Verdict:
        """Whether it survives some push from every side."""
        return said(min(self.summary["impulse_ns"]) > 0.0)

    def picture(self, path: Path) -> Path:
        """Draw the pushes survived from each side as PNG and return its path.

        Args:
            path: the file to make or replace.

        Raises:
            BadFileError: the file cannot be written.
        """
        from equipoise.runs.portrait import standing_shapes
        from equipoise.viz.limits_plot import plot_limits  # brings pictures

        return plot_limits([self.summary], path, shapes=standing_shapes(self.robot))

    def save(self, out: str | Path) -> list[Path]:
        """Write ``limits.json`` and ``limits.png`` into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.many.outputs import write_walk_limits  # brings pictures

        return write_walk_limits(self, out)


class PushTrial(NamedTuple):
    """What every push is tried with."""

    program: ManyProgram
    cycle: float
    """Of the gait [s]."""
    seed: int
    backend: str

    def stands(self, pushes: PushPlan, count: int, last: float) -> Flags:
        """Return who has not fallen, (count,).

        Args:
            pushes: a push a robot.
            count: how many robots.
            last: when the last push begins [s].
        """
        robots = ManyRobots(
            self.program,
            count,
            seed=self.seed,
            pushes=pushes,
            plan=KernelPlan(watch=WATCHED),
            backend=self.backend,
        )
        return ~walked(robots, last + AFTER).fell

    def survived(self, impulses: Array, headings: VecN) -> Flags:
        """Return which impulses are survived at every instant, (headings, impulses).

        Args:
            impulses: of each heading, (headings, impulses) [N s].
            headings: [rad].
        """
        at = AT + np.arange(PHASES) / PHASES * self.cycle
        shape = (*impulses.shape, PHASES)
        plan = PushPlan(
            impulse=np.broadcast_to(impulses[:, :, None], shape).ravel(),
            heading=np.broadcast_to(headings[:, None, None], shape).ravel(),
            at=np.broadcast_to(at, shape).ravel(),
            duration=PUSH_DURATION,
        )
        last = float(at[-1])
        stands = self.stands(plan, math.prod(shape), last).reshape(shape)
        return np.logical_and.reduce(stands, axis=2)


def walk_limits(
    config: WalkLimitsConfig | None = None,
    *,
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
) -> WalkLimitsResult:
    """Return the largest pushes that a walking robot survives.

    Args:
        config: which robot; None for WARP1.
        backend: see ``equipoise.equations.cuda.module.cuda_module``.
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a robot that cannot be simulated so, or nothing that runs it.
    """
    config = config or WalkLimitsConfig()
    robot = find_robot(config.robot)
    expect_walker(robot)
    walk = WalkConfig(ground=GROUND, sensors="ideal", friction=config.friction)
    plan = planned(robot, walk)
    program = walking_program(robot, walk)
    cycle = plan.walking.clocked.cycle if plan.walking else 0.5
    trial = PushTrial(program, cycle, config.seed, backend)
    mass, tell = plan.machine.mass, progress or (lambda _: None)
    scale = mass / HUMAN
    headings = np.radians(HEADINGS_DEG)
    low, high = coarse(trial, headings, scale)
    tell(0.5)
    limits = refined(trial, headings, low, high)
    tell(0.8)
    random = random_trial(trial, config, mass)
    tell(1.0)
    summary = {
        "robot": robot.name,
        "controller": plan.controller or plan.gait,
        "gait": plan.gait,
        "seed": config.seed,
        "block_mass_kg": None,
        "impulse_ns": limits.tolist(),
        "heading_deg": list(HEADINGS_DEG),
        "pushes_survived": int(random[3].sum()),
        "pushes": config.pushes,
        "faces_deg": 0.0,
        "mass_kg": mass,
        "impulse_ns_per_kg": (limits / mass).tolist(),
        "friction": config.friction,
        "ground": GROUND,
        "state": "ideal",
        "assumed": list(plan.assumed),
    }
    return WalkLimitsResult(summary, random, robot)


def expect_walker(robot: Robot) -> None:
    """Refuse a robot that does not walk by parts.

    Raises:
        ConfigError: says why, and what would work.
    """
    if robot.drives and robot.legs:
        return
    if robot.source and robot.assembly is None and len(robot.found.legs) >= 4:
        return
    problem = (
        f"on a graphics card robots walk on four legs and more; '{robot.name}' is "
        "balanced by a controller that is no straight line: leave --gpu out"
    )
    raise ConfigError("limits", [problem])


def coarse(trial: PushTrial, headings: VecN, scale: float) -> tuple[VecN, VecN]:
    """Return the last impulse survived and the first that is not, by heading [N s]."""
    steps = math.ceil(math.log(MOST_NS / FIRST_NS) / math.log(STEP_NS))
    grid = np.minimum(FIRST_NS * STEP_NS ** np.arange(steps + 1), MOST_NS) * scale
    tried = np.broadcast_to(grid, (len(headings), len(grid)))
    return ends(np.ascontiguousarray(tried), trial.survived(tried, headings))


def ends(tried: Array, survived: Flags) -> tuple[VecN, VecN]:
    """Return the last value below the first failure, and that one, row by row."""
    first = np.where(survived.all(axis=1), tried.shape[1], survived.argmin(axis=1))
    rows = np.arange(len(tried))
    low = np.where(first > 0, tried[rows, np.maximum(first - 1, 0)], 0.0)
    high = tried[rows, np.minimum(first, tried.shape[1] - 1)]
    return low, high


def refined(trial: PushTrial, headings: VecN, low: VecN, high: VecN) -> VecN:
    """Return the largest impulse below the first failure, to 1 % [N s]."""
    count = math.ceil((STEP_NS - 1.0) / PRECISION)
    share = np.arange(1, count) / count
    tried = low[:, None] + share * (high - low)[:, None]
    found, _ = ends(tried, trial.survived(tried, headings))
    return np.maximum(found, low)


def random_trial(trial: PushTrial, config: WalkLimitsConfig, mass: float) -> Array:
    """Return random pushes and whether they were survived, (4, pushes)."""
    if not config.pushes:
        return np.zeros((4, 0))
    low, high = (mass * impulse for impulse in RANDOM_PER_MASS)
    if config.impulse is not None:
        low = high = config.impulse * mass
    plan = PushPlan(impulse=(low, high), at=RANDOM_AT, duration=PUSH_DURATION)
    drawn = plan.drawn(config.pushes, trial.seed)
    stands = trial.stands(plan, config.pushes, RANDOM_AT[1])
    return np.concatenate([drawn, stands[None].astype(np.float64)])
