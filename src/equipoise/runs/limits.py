"""How much a robot takes before it falls: blocks, pushes in all directions, at random.

Each limit is found by going up a grid, so that the first failure counts, not a later
one; then the step that failed is halved until it is known to 1 %, quickly to 10 %. A
run ends when the robot has fallen, never because it seems to be safe.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, final

from equipoise.core.kinds import Verdict
from equipoise.core.seeds import stream
from equipoise.robots.robot import Robot
from equipoise.runs.limits_config import HUMAN, LimitsConfig
from equipoise.runs.limits_result import AbstractLimitsResult
from equipoise.runs.process_map import Gathered, Lost, gathered
from equipoise.runs.result import yes_or_no
from equipoise.runs.robot import RobotChoice, find_robot, kept
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.own_robot import Footed, footed, mass_of
from equipoise.runs.stand.result import ending
from equipoise.runs.stand.staged import expect_law, staged_stand
from equipoise.sim.disturbances import Push

__all__ = [
    "HEADINGS_DEG",
    "LimitsConfig",
    "LimitsResult",
    "first_failure",
    "limits",
]

Progress = Callable[[float], None]
HEADINGS_DEG = tuple(45.0 * k for k in range(8))
"""Directions of the pushes, from +x towards +y [degrees]."""
PUSH_START, PUSH_DURATION = 1.0, 0.1  # of the pushes in the eight directions [s]
RANDOM_NS, RANDOM_START = (4.0, 24.0), (0.5, 1.5)  # ranges of the random ones
FIRST_KG, MOST_KG, STEP_KG = 0.5, 100.0, 1.1
FIRST_NS, MOST_NS, STEP_NS = 1.0, 300.0, 1.15
PRECISION = 0.01
QUICK_STEP_KG, QUICK_STEP_NS, QUICK_PRECISION = 1.3, 1.4, 0.1
BATCH = 4  # random pushes a job


@final
@dataclass(frozen=True, repr=False)
class LimitsResult(AbstractLimitsResult):
    """What was found."""

    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    random_pushes: tuple[tuple[Push, bool], ...] = field(repr=False)
    """Each random push, and whether it was survived."""
    robot: Robot | None = field(default=None, repr=False)
    """Which one, for pictures."""

    @property
    def verdict(self) -> Verdict:
        """Whether it stands at all where nobody pushes it."""
        if self.summary["falls_unpushed"]:
            return "no"
        return yes_or_no(True) if self.summary["complete"] else "unknown"

    def pushes_tried(self) -> list[dict[str, Any]]:
        """Return each random push in numbers, and whether it was survived."""
        return [
            {"impulse_ns": list(one.impulse), "start_s": one.start, "survived": is_well}
            for one, is_well in self.random_pushes
        ]


class LimitSearch(NamedTuple):
    """Look for the largest block, or the largest push in a direction."""

    calm: StandConfig
    heading_deg: float | None
    """None for the block."""
    scale: float = 1.0
    """Of blocks and pushes that are tried, against those of a human."""
    quick: bool = False
    """Whether larger steps are taken."""


class Batch(NamedTuple):
    """Try some pushes."""

    calm: StandConfig
    pushes: tuple[Push, ...]


def limits(
    config: LimitsConfig | None = None,
    *,
    processes: int = 2,
    progress: Progress | None = None,
    on_result: Callable[[str], None] | None = None,
    is_stoppable: bool = False,
) -> LimitsResult:
    """Return the largest block and pushes that a robot on feet survives.

    Survived means: not fallen, and 4 s after the start at rest within 5 cm and 5
    degrees of where the controller wants it, see ``equipoise.runs.stand.stand``.

    Args:
        config: which robot and controller; None for the biped and the recommended one.
        processes: how many runs at a time; the numbers do not depend on it.
        progress: called with the share done, in [0, 1].
        on_result: called with a sentence for each result as it comes.
        is_stoppable: whether Ctrl-C ends it early with what is known, instead of
            raising.

    Raises:
        EquipoiseError: a robot or settings that cannot be used; nothing has been
            simulated then.
    """
    config = config or LimitsConfig()
    calm = config.calm()
    expect_law(calm.controller)
    ready = kept(calm.robot, footed_robot)
    staged_stand(ready.robot, calm)
    mass = mass_of(ready.robot)
    scale = mass / HUMAN if ready.robot.source else 1.0
    every = None if config.impulse is None else config.impulse * mass
    drawn = random_pushes(config.random_pushes, config.seed, scale, every)
    batches = [drawn[k : k + BATCH] for k in range(0, len(drawn), BATCH)]
    searches = [
        LimitSearch(calm, heading, scale, config.quick)
        for heading in (None, *HEADINGS_DEG)
    ]
    found = gathered(
        worked,
        [*searches, *(Batch(calm, batch) for batch in batches)],
        processes=processes,
        progress=progress,
        done=lambda k, one: (
            _tell(on_result, searches[k], one) if k < len(searches) else None
        ),
        is_stoppable=is_stoppable,
    )
    return _result_of(config, ready, found, batches)


def _tell(
    on_result: Callable[[str], None] | None, search: LimitSearch, found: Any
) -> None:
    """Tell one limit as it comes."""
    if on_result is None:
        return
    is_block = search.heading_deg is None
    what = "block at 4.5 m/s" if is_block else f"push towards {search.heading_deg:.0f}°"
    if isinstance(found, Lost):
        on_result(f"largest {what}: not known, {found.reason}")
    else:
        on_result(f"largest {what}: {found[0]:.3g} {'kg' if is_block else 'N s'}")


def _result_of(
    config: LimitsConfig,
    ready: Footed,
    found: Gathered,
    batches: Sequence[tuple[Push, ...]],
) -> LimitsResult:
    """Return what is known after some jobs; limits that are missing are None."""
    mass, searches = mass_of(ready.robot), len(HEADINGS_DEG) + 1
    known = [found.done.get(k, [None])[0] for k in range(searches)]
    each = [None if value is None else value / mass for value in known]
    tried = [
        (push, bool(stood))
        for k, batch in enumerate(batches, searches)
        if k in found.done
        for push, stood in zip(batch, found.done[k], strict=True)
    ]
    summary = {
        "robot": config.robot.name,
        "controller": config.controller,
        "seed": config.seed,
        "block_mass_kg": known[0],
        "impulse_ns": known[1:],
        "heading_deg": list(HEADINGS_DEG),
        "pushes_survived": sum(stood for _, stood in tried),
        "pushes": len(tried),
        "falls_unpushed": 0.0 in known,  # what ``first_failure`` returns then alone
        "faces_deg": ready.faces_deg,
        "mass_kg": mass,
        "block_share": each[0],
        "impulse_ns_per_kg": each[1:],
        "delay_ms": config.delay_ms,
        "state": "ideal",
        "quick": config.quick,
        "known_to": QUICK_PRECISION if config.quick else PRECISION,
        "complete": found.is_complete,
        "lost": found.lost,
        "assumed": list(ready.assumed),
        "unfit": [],
    }
    return LimitsResult(summary, tuple(tried), ready.robot)


def random_pushes(
    count: int, seed: int, scale: float = 1.0, impulse: float | None = None
) -> tuple[Push, ...]:
    """Return horizontal pushes on the trunk; the first ones do not depend on the count.

    Args:
        count: how many.
        seed: which.
        scale: of their impulses, against those of a human.
        impulse: of every push [N s]; None to draw them.
    """
    low = (RANDOM_NS[0], 0.0, RANDOM_START[0])
    high = (RANDOM_NS[1], 360.0, RANDOM_START[1])
    draws = stream(seed, "pushes").uniform(low, high, (count, 3))
    return tuple(
        heading_push(scale * float(size) if impulse is None else impulse, *rest)
        for size, *rest in draws.tolist()
    )


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
    precision = QUICK_PRECISION if job.quick else PRECISION
    if job.heading_deg is None:
        return [
            first_failure(
                lambda mass: stands(replace(job.calm, block_mass=mass)),
                job.scale * FIRST_KG,
                QUICK_STEP_KG if job.quick else STEP_KG,
                job.scale * MOST_KG,
                precision,
            )
        ]
    heading = job.heading_deg
    return [
        first_failure(
            lambda ns: stands(
                replace(job.calm, push=heading_push(ns, heading, PUSH_START))
            ),
            job.scale * FIRST_NS,
            QUICK_STEP_NS if job.quick else STEP_NS,
            job.scale * MOST_NS,
            precision,
        )
    ]


def footed_robot(choice: RobotChoice) -> Footed:
    """Return the robot that was chosen, ready to stand on its feet."""
    return footed(kept(choice, find_robot))


def stands(config: StandConfig) -> bool:
    """Return whether a robot survives a run."""
    robot = kept(config.robot, footed_robot).robot
    run = staged_stand(robot, config).run()
    return ending(robot, run).survived


def first_failure(
    survives: Callable[[float], bool],
    first: float,
    step: float,
    most: float,
    precision: float = PRECISION,
) -> float:
    """Return the largest value survived below the first that is not.

    Args:
        survives: asked for one value at a time.
        first: the smallest value of the grid, > 0; below it nothing is known but 0.
        step: factor from one value of the grid to the next, > 1.
        most: where the search ends: if this is survived too, it is the answer.
        precision: share of the limit to which it is found.

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
    while high - low > precision * high:
        middle = 0.5 * (low + high)
        if survives(middle):
            low = middle
        else:
            high = middle
    return low
