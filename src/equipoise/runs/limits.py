"""How much a biped takes before it falls: blocks, pushes in all directions, at random.

Each limit is found by going up a grid, so that the first failure counts, not a later
one; then the step that failed is halved until it is known to 1 %. A run ends when the
robot has fallen, never because it seems to be safe.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, final

from equipoise.control.workspace.balancer import RECOMMENDED
from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.runs.process_map import Lost, process_map
from equipoise.runs.result import AbstractResult, Verdict, said
from equipoise.runs.robot import RobotChoice, find_robot
from equipoise.runs.stand.result import ending
from equipoise.runs.stand.stand import StandConfig, expect_law, prepared, simulated
from equipoise.sim.disturbances import Push

__all__ = ["HEADINGS_DEG", "LimitsConfig", "LimitsResult", "first_failure", "limits"]

Progress = Callable[[float], None]
HEADINGS_DEG = tuple(45.0 * k for k in range(8))
"""Directions of the pushes, from +x towards +y [degrees]."""
SECONDS = 4.0
"""When a robot must be at rest [s]."""
SPEED = 4.5  # of the block [m/s]
PUSH_START, PUSH_DURATION = 1.0, 0.1  # of the pushes in the eight directions [s]
RANDOM_NS, RANDOM_START = (4.0, 24.0), (0.5, 1.5)  # ranges of the random ones
FIRST_KG, MOST_KG, STEP_KG = 0.5, 100.0, 1.1
FIRST_NS, MOST_NS, STEP_NS = 1.0, 300.0, 1.15
PRECISION = 0.01
BATCH = 4  # random pushes a job
MOST_PUSHES = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitsConfig:
    """Which biped and controller, and how many random pushes."""

    controller: str = RECOMMENDED
    pushes: int = 200
    """How many random pushes, 0 to 100000."""
    seed: int = 0
    """Which random pushes."""
    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="biped"))
    """Which robot that stands on feet, and its size."""
    friction: float = 0.3
    timestep: float = 0.0005
    """[s]."""

    def __post_init__(self) -> None:
        """Refuse settings out of range."""
        if not (is_whole(self.pushes) and 0 <= self.pushes <= MOST_PUSHES):
            raise ConfigError(
                "limits", [f"pushes must be 0 to {MOST_PUSHES}, got {self.pushes!r}"]
            )
        self.calm()

    def calm(self) -> StandConfig:
        """Return the run in which nothing happens."""
        return StandConfig(
            controller=self.controller,
            block_mass=0.0,
            block_speed=SPEED,
            robot=self.robot,
            friction=self.friction,
            seconds=SECONDS,
            timestep=self.timestep,
            seed=self.seed,
        )


@final
@dataclass(frozen=True)
class LimitsResult(AbstractResult):
    """What was found."""

    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    random_pushes: tuple[tuple[Push, bool], ...] = field(repr=False)
    """Each random push, and whether it was survived."""

    @property
    def verdict(self) -> Verdict:
        """Whether it stands at all: some block and some push from every side."""
        least = min(self.summary["block_mass_kg"], *self.summary["impulse_ns"])
        return said(least > 0.0)

    def save(self, out: str | Path) -> list[Path]:
        """Write ``limits.json`` and ``limits.png`` into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.stand.outputs import write_limits  # brings pictures

        return write_limits(self, out)


class LimitSearch(NamedTuple):
    """Look for the largest block, or the largest push in a direction."""

    calm: StandConfig
    heading_deg: float | None
    """None for the block."""


class Batch(NamedTuple):
    """Try some pushes."""

    calm: StandConfig
    pushes: tuple[Push, ...]


def limits(
    config: LimitsConfig | None = None,
    *,
    processes: int = 2,
    progress: Progress | None = None,
) -> LimitsResult:
    """Return the largest block and pushes that a biped survives.

    Survived means: not fallen, and 4 s after the start at rest within 5 cm and 5
    degrees of where the controller wants it, see ``equipoise.runs.stand.stand``.

    Args:
        config: which biped and controller; None for the recommended one.
        processes: how many runs at a time; the numbers do not depend on it.
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a robot or settings that cannot be used; nothing has been
            simulated then.
    """
    config = config or LimitsConfig()
    calm = config.calm()
    expect_law(config.controller)
    prepared(find_robot(calm.robot), calm)
    drawn = random_pushes(config.pushes, config.seed)
    batches = [drawn[k : k + BATCH] for k in range(0, len(drawn), BATCH)]
    jobs: list[LimitSearch | Batch] = [
        LimitSearch(calm, None),
        *(LimitSearch(calm, heading) for heading in HEADINGS_DEG),
        *(Batch(calm, batch) for batch in batches),
    ]
    found = process_map(worked, jobs, processes=processes, progress=progress)
    for result in found:
        if isinstance(result, Lost):
            raise RuntimeError(f"a run was lost: {result.reason}")
    values = [result for result in found if not isinstance(result, Lost)]
    searches = len(HEADINGS_DEG) + 1
    survived = [bool(x) for batch in values[searches:] for x in batch]
    summary = {
        "robot": config.robot.name,
        "controller": config.controller,
        "seed": config.seed,
        "block_mass_kg": values[0][0],
        "impulse_ns": [value[0] for value in values[1:searches]],
        "heading_deg": list(HEADINGS_DEG),
        "pushes_survived": sum(survived),
        "pushes": config.pushes,
    }
    return LimitsResult(summary, tuple(zip(drawn, survived, strict=True)))


def random_pushes(count: int, seed: int) -> tuple[Push, ...]:
    """Return horizontal pushes on the trunk; the first ones do not depend on the count.

    Args:
        count: how many.
        seed: which.
    """
    low = (RANDOM_NS[0], 0.0, RANDOM_START[0])
    high = (RANDOM_NS[1], 360.0, RANDOM_START[1])
    draws = stream(seed, "pushes").uniform(low, high, (count, 3))
    return tuple(heading_push(*(float(x) for x in draw)) for draw in draws)


def heading_push(impulse: float, heading_deg: float, start: float) -> Push:
    """Return a horizontal push.

    Args:
        impulse: [N s].
        heading_deg: from +x towards +y [degrees].
        start: [s].
    """
    angle = math.radians(heading_deg)
    return Push(
        impulse=(impulse * math.cos(angle), impulse * math.sin(angle), 0.0),
        start=start,
        duration=PUSH_DURATION,
    )


def worked(job: LimitSearch | Batch) -> list[float]:
    """Do one job: the limit that was looked for, or 1 for each push survived."""
    if isinstance(job, Batch):
        return [float(stands(replace(job.calm, push=push))) for push in job.pushes]
    if job.heading_deg is None:
        return [
            first_failure(
                lambda mass: stands(replace(job.calm, block_mass=mass)),
                FIRST_KG,
                STEP_KG,
                MOST_KG,
            )
        ]
    heading = job.heading_deg
    return [
        first_failure(
            lambda ns: stands(
                replace(job.calm, push=heading_push(ns, heading, PUSH_START))
            ),
            FIRST_NS,
            STEP_NS,
            MOST_NS,
        )
    ]


def stands(config: StandConfig) -> bool:
    """Say whether a biped survives a run."""
    robot = find_robot(config.robot)
    run = simulated(*prepared(robot, config), config)
    return ending(robot, run).survived


def first_failure(
    survives: Callable[[float], bool], first: float, step: float, most: float
) -> float:
    """Return the largest value survived below the first that is not, to 1 %.

    Args:
        survives: asked for one value at a time.
        first: the smallest value of the grid, > 0; below it nothing is known but 0.
        step: factor from one value of the grid to the next, > 1.
        most: where the search ends: if this is survived too, it is the answer.

    Returns:
        The limit; 0 if not even nothing at all is survived.
    """
    low, high = 0.0, first
    while survives(high):
        if high >= most:
            return high
        low, high = high, min(step * high, most)
    if low == 0.0 and not survives(0.0):
        return 0.0
    while high - low > PRECISION * high:
        middle = 0.5 * (low + high)
        if survives(middle):
            low = middle
        else:
            high = middle
    return low
