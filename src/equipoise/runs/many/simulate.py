"""One door to many robots at once: walk all of them, and say what happened to each."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.kinds import Precision
from equipoise.core.setting import offered_names
from equipoise.robots.robot import Robot
from equipoise.runs.many.result import ManyResult
from equipoise.runs.many.walk_results import WATCHED, Recorded, walk_outcomes
from equipoise.runs.many.walking_program import VARIED, walking_program
from equipoise.runs.walk.config import WalkConfig
from equipoise.sim.many.height_field import HeightField
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.pushes import PushPlan, Spread
from equipoise.sim.many.robots import ManyRobots

__all__ = ["GROUND", "simulate_many"]

GROUND = "weak"
"""Row of the thesis's table that carries feet unless told."""
LONGEST = 3600.0  # [s]
FIRST_TOLD = "told at time 0"


def simulate_many(
    robot: Robot,
    robots: int = 1024,
    *,
    seconds: float = 10.0,
    seed: int = 0,
    vary: Mapping[str, Spread] | None = None,
    pushes: PushPlan | None = None,
    heights: HeightField | None = None,
    record: Sequence[str] = (),
    every: float = 0.02,
    backend: str = "auto",
    precision: Precision = "single",
    exact: bool = False,
    timestep: float = 0.001,
    progress: Callable[[float], None] | None = None,
    **settings: Any,
) -> ManyResult:
    """Simulate many walking robots at once, on a graphics card or on this machine.

    Feet stand on ground that is a law of force; the controller knows the truth and
    drives torques within the drives' limits. A robot's numbers depend on the seed and
    on its number alone, not on how many there are.

        eq.simulate_many(eq.load("warp1"), 100_000, vary={"speed": (0.1, 0.6)})

    Args:
        robot: that ``equipoise walk`` takes, with a controller of parts.
        robots: how many.
        seconds: for which they walk; the first of them they stand [s].
        seed: of all that is drawn.
        vary: what robots have of their own, by name as ``speed``, ``friction`` or
            ``capture.gain``: (least, most) to draw evenly, a number for all, or an
            array of one a robot.
        pushes: who pushes them; None for nobody.
        heights: of the ground over its plane, zero where they start; None for none.
        record: names of state and of what is told that are written down.
        every: time from row to row of what is recorded [s].
        backend: "auto" for a card, "cupy", "torch", or "host" for this machine.
        precision: "single" or "double".
        exact: the same bits on a card as on this machine; slower.
        timestep: of physics [s].
        progress: called with the share done, in [0, 1].
        settings: of the walk, as ``WalkConfig`` has them: ``gait``, ``terrain``,
            ``ground`` ("weak" unless told), ``gains``, ...

    Raises:
        EquipoiseError: a robot, a ground or a controller that cannot be run so; every
            reason is named.
    """
    _expect_times(seconds, every)
    known = [*offered_names(WalkConfig, "many"), "gains"]
    for name in settings:
        if name not in known:
            raise UnknownNameError("setting", name, known, "many robots at once")
    walk: dict[str, Any] = {"ground": GROUND, "sensors": "ideal", **settings}
    config = WalkConfig(**walk)
    names = (*VARIED, *(name for name in vary or {} if name not in VARIED))
    has_table = heights is not None
    program = walking_program(
        robot, config, varied=names, timestep=timestep, has_table=has_table
    )
    plan = KernelPlan(
        precision=precision,
        has_pushes=pushes is not None,
        record=tuple(record),
        watch=WATCHED,
    )
    many = ManyRobots(
        program,
        robots,
        seed=seed,
        settings=vary,
        pushes=pushes,
        ground=heights,
        plan=plan,
        backend=backend,
        exact=exact,
    )
    rows, step = recording(many, seconds, every)
    did = walk_outcomes(many, seconds, records=rows, every=step, progress=progress)
    take = many.memory.take
    own = zip(program.settings, take(many.settings), strict=True)
    drawn = [] if pushes is None else pushes.drawn(robots, seed)
    return ManyResult(
        about={
            "machine": robot.name,
            "walk": program.name,
            "robots": robots,
            "seconds": float(seconds),
            "seed": seed,
            "timestep_s": program.timestep,
            "control_period_s": program.tick,
            "backend": many.memory.backend,
            "precision": precision,
            "recorded": list(record),
            "settings": {name: str(value) for name, value in settings.items()},
        },
        program=program,
        walked=did,
        settings={one.name: row for one, row in own},
        pushes=dict(zip(("impulse", "heading", "at"), drawn, strict=False)),
        state=take(many.state),
        telemetry=take(many.telemetry),
        recorded=None if rows is None else _recorded(many, rows, step),
    )


def _expect_times(seconds: float, every: float) -> None:
    """Refuse times that are none, both at once."""
    problems = list[str]()
    if not (is_number(seconds) and 0.0 < seconds <= LONGEST):
        problems.append(f"seconds must be > 0 and at most {LONGEST:g}, got {seconds!r}")
    if not (is_number(every) and 0.0 < every < math.inf):
        problems.append(f"every must be > 0 s, got {every!r}")
    if problems:
        raise ConfigError("many robots at once", problems)


def recording(many: ManyRobots, seconds: float, every: float) -> tuple[Any, int]:
    """Return where rows of a recording go, None for nowhere, and ticks between them."""
    if not many.plan.record:
        return None, 0
    step = max(1, round(every / many.program.tick))
    rows = max(1, round(seconds / many.program.tick)) // step + 1
    shape = (rows, len(many.plan.record), many.robots)
    there = many.memory.full(shape, math.nan, many.real)
    names = [one.name for one in many.program.state]
    for k, name in enumerate(many.plan.record):
        if name in names:
            there[0, k] = many.state[names.index(name)]
    return there, step


def _recorded(many: ManyRobots, rows: Any, step: int) -> Recorded:
    """Return what was recorded, with its times."""
    values = many.memory.take(rows)
    time = np.arange(len(values), dtype=np.float64) * (step * many.program.tick)
    return Recorded(time, values)
