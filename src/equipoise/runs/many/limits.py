"""The largest pushes that a walking robot survives, all tried at once.

A push has been survived when the robot has not fallen four seconds after it began. In
each of eight directions an impulse counts as survived only if it is at eight instants
of the gait's cycle.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError
from equipoise.core.friction import MIDDLE_FRICTION
from equipoise.robots.robot import Robot
from equipoise.runs.limits import (
    FIRST_NS,
    HEADINGS_DEG,
    MOST_NS,
    PRECISION,
    PUSH_DURATION,
    STEP_NS,
)
from equipoise.runs.limits_config import HUMAN
from equipoise.runs.many.simulate import GROUND
from equipoise.runs.many.walk_results import WATCHED, Flags, walk_outcomes
from equipoise.runs.many.walking_program import program_of
from equipoise.runs.robot import find_robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.fit import is_walker
from equipoise.runs.walk.limits import WalkLimitsResult
from equipoise.runs.walk.limits_config import (
    AFTER,
    AT,
    CARD_PHASES,
    CARD_PUSHES,
    RANDOM_AT,
    RANDOM_PER_MASS,
    WalkLimitsConfig,
)
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.program import ManyProgram
from equipoise.sim.many.pushes import PushPlan
from equipoise.sim.many.robots import ManyRobots

__all__ = ["WalkLimitsConfig", "WalkLimitsResult", "walk_limits"]


class PushTrial(NamedTuple):
    """Settings of the trials of pushes."""

    program: ManyProgram
    cycle: float
    """Of the gait [s]."""
    seed: int
    backend: str
    phases: int
    """Instants at which an impulse has to be survived."""

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
        return ~walk_outcomes(robots, last + AFTER).fell

    def survived(self, impulses: Array, headings: VecN) -> Flags:
        """Return which impulses are survived at every instant, (headings, impulses).

        Args:
            impulses: of each heading, (headings, impulses) [N s].
            headings: [rad].
        """
        at = AT + np.arange(self.phases) / self.phases * self.cycle
        shape = (*impulses.shape, self.phases)
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
    _expect_card_walker(robot)
    friction = MIDDLE_FRICTION if config.friction is None else config.friction
    walk = WalkConfig(
        controller=config.controller,
        gait=config.gait,
        speed=config.speed,
        ground=GROUND,
        sensors="ideal",
        friction=friction,
    )
    walked = resolved_walk(robot, walk)
    program = program_of(walked)
    cycle = walked.walking.clocked.cycle if walked.walking else 0.5
    phases = CARD_PHASES if config.phases is None else config.phases
    trial = PushTrial(program, cycle, config.seed, backend, phases)
    mass, tell = walked.machine.mass, progress or (lambda _: None)
    scale = mass / HUMAN
    headings = np.radians(HEADINGS_DEG)
    low, high, above = coarse(trial, headings, scale)
    tell(0.5)
    limits = _refined(trial, headings, low, high)
    tell(0.8)
    random = _random_trial(trial, config, mass)
    tell(1.0)
    summary = {
        "robot": robot.name,
        "controller": walked.controller or walked.gait,
        "gait": walked.gait,
        "seed": config.seed,
        "block_mass_kg": None,
        "impulse_ns": limits.tolist(),
        "heading_deg": list(HEADINGS_DEG),
        "pockets": [
            {"heading_deg": heading, "impulse_ns": falls, "survived_ns": survived}
            for heading, falls, survived in zip(
                HEADINGS_DEG, high.tolist(), above.tolist(), strict=True
            )
            if math.isfinite(survived)
        ],
        "phases": phases,
        "bound_ns": MOST_NS * scale,
        "pushes_survived": int(random[3].sum()),
        "pushes": random.shape[1],
        "faces_deg": 0.0,
        "mass_kg": mass,
        "impulse_ns_per_kg": (limits / mass).tolist(),
        "friction": friction,
        "ground": GROUND,
        "state": "ideal",
        "quick": False,
        "complete": True,
        "lost": [],
        "assumed": list(walked.assumed),
    }
    return WalkLimitsResult(summary, random, robot)


def _expect_card_walker(robot: Robot) -> None:
    """Refuse a robot that does not walk by parts.

    Raises:
        ConfigError: says why, and what would work.
    """
    if not is_walker(robot):
        problem = (
            f"on a graphics card robots walk on four legs or more; the controller of "
            f"'{robot.name}' cannot run there: leave --gpu out"
        )
        raise ConfigError("limits", [problem])


def coarse(trial: PushTrial, headings: VecN, scale: float) -> tuple[VecN, VecN, VecN]:
    """Return what a grid of impulses shows, by heading [N s].

    Returns:
        The last one survived, the first that is not, and the least above that which is
        survived again, NaN where none is.
    """
    steps = math.ceil(math.log(MOST_NS / FIRST_NS) / math.log(STEP_NS))
    grid = np.minimum(FIRST_NS * STEP_NS ** np.arange(steps + 1), MOST_NS) * scale
    tried = np.broadcast_to(grid, (len(headings), len(grid)))
    survived = trial.survived(tried, headings)
    low, high = _ends(np.ascontiguousarray(tried), survived)
    again = np.where(survived & (tried > high[:, None]), tried, np.inf).min(axis=1)
    return low, high, np.where(np.isfinite(again), again, math.nan)


def _ends(tried: Array, survived: Flags) -> tuple[VecN, VecN]:
    """Return the last value below the first failure, and that one, row by row."""
    first = np.where(survived.all(axis=1), tried.shape[1], survived.argmin(axis=1))
    rows = np.arange(len(tried))
    low = np.where(first > 0, tried[rows, np.maximum(first - 1, 0)], 0.0)
    high = tried[rows, np.minimum(first, tried.shape[1] - 1)]
    return low, high


def _refined(trial: PushTrial, headings: VecN, low: VecN, high: VecN) -> VecN:
    """Return the largest impulse below the first failure, to 1 % [N s]."""
    count = math.ceil((STEP_NS - 1.0) / PRECISION)
    share = np.arange(1, count) / count
    tried = low[:, None] + share * (high - low)[:, None]
    found, _ = _ends(tried, trial.survived(tried, headings))
    return np.maximum(found, low)


def _random_trial(trial: PushTrial, config: WalkLimitsConfig, mass: float) -> Array:
    """Return random pushes and whether they were survived, (4, pushes)."""
    count = CARD_PUSHES if config.pushes is None else config.pushes
    if not count:
        return np.zeros((4, 0))
    low, high = (mass * impulse for impulse in RANDOM_PER_MASS)
    if config.impulse is not None:
        low = high = config.impulse * mass
    plan = PushPlan(impulse=(low, high), at=RANDOM_AT, duration=PUSH_DURATION)
    drawn = plan.drawn(count, trial.seed)
    stands = trial.stands(plan, count, RANDOM_AT[1])
    return np.concatenate([drawn, stands[None].astype(np.float64)])
