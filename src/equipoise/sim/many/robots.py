"""Many robots of one kind that live where they are moved: on a card or on this machine.

Arrays are one row a quantity, one column a robot. A robot that has fallen rests where
it fell until it is started again. Its numbers depend on the seed, on who it is and on
the instant alone: not on how many others there are, nor on how a run is cut.
"""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.equations.cuda.module import chosen_backend, cuda_module
from equipoise.sim.many.height_field import HeightField
from equipoise.sim.many.kernel_text import KernelPlan, kernel_text
from equipoise.sim.many.memory import Memory
from equipoise.sim.many.program import ManyProgram, NamedNumber
from equipoise.sim.many.pushes import NO_WINDOW, PushPlan, Spread, ends_of

__all__ = ["MOST_ROBOTS", "ManyRobots"]

MOST_ROBOTS = 2**27
MOST_TICKS = 2**30
BUSY = 0.2  # time of a launch that is aimed at, so that Ctrl-C and progress work [s]
FIRST = 16  # ticks of the first launch
WORD = 0xFFFFFFFF


@final
class ManyRobots:
    """Many robots of one program.

    Args:
        program: what each of them does.
        robots: how many.
        seed: of all that is drawn.
        settings: by name: a number, a range to draw from, or one number a robot; others
            are as the program has them.
        start: the same for the state at the start.
        pushes: who pushes them; None for nobody.
        ground: heights, where the program looks the ground up in a table.
        plan: what is recorded and watched, and the precision.
        who: which numbers each robot draws, (robots,), >= 0; None to count them.
        backend: "auto" for a card, "cupy", "torch", or "host" for this machine.
        exact: the same bits on a card as on this machine; slower.

    Raises:
        EquipoiseError: numbers that cannot be, or nothing that can run it.
    """

    def __init__(
        self,
        program: ManyProgram,
        robots: int,
        *,
        seed: int = 0,
        settings: Mapping[str, Spread] | None = None,
        start: Mapping[str, Spread] | None = None,
        pushes: PushPlan | None = None,
        ground: HeightField | None = None,
        plan: KernelPlan | None = None,
        who: Any = None,
        backend: str = "auto",
        exact: bool = False,
    ) -> None:
        if not (is_whole(robots) and 1 <= robots <= MOST_ROBOTS):
            problem = f"there can be 1 to {MOST_ROBOTS:,} robots, got {robots!r}"
            raise ConfigError("the robots", [problem])
        if not (is_whole(seed) and 0 <= seed < 2**63):
            problem = f"seed must be >= 0 and below 2^63, got {seed!r}"
            raise ConfigError("the robots", [problem])
        self.program, self.robots, self.seed = program, robots, seed
        self.plan = plan or KernelPlan(has_pushes=pushes is not None)
        self.pushes = pushes or PushPlan()
        self.real = "float32" if self.plan.precision == "single" else "float64"
        text = kernel_text(program, self.plan)
        chosen = chosen_backend(backend)
        self.memory = memory = Memory(chosen)
        self.module = cuda_module(
            text, precision=self.plan.precision, exact=exact, backend=chosen
        )
        self.tick = 0
        """Ticks since the beginning of all robots."""
        counted = np.arange(robots) if who is None else np.asarray(who, np.int64) & WORD
        _expect_shape("who", counted, (robots,))
        self.who = memory.put(counted.astype(np.uint32).view(np.int32), "int32")
        self.began = memory.full((robots,), 0, "int32")
        """Tick at which each robot started, (robots,)."""
        self.fell = memory.full((robots,), -1, "int32")
        """Tick after which each had fallen, -1 if it has not, (robots,)."""
        self.telemetry = memory.full((len(program.telemetry), robots), 0.0, self.real)
        """Telemetry of the last step, (telemetry, robots)."""
        watched = (2 * max(len(self.plan.watch), 1), robots)
        self.extremes = memory.full(watched, 0.0, self.real)
        """Least and largest of what is watched, (2 watched, robots)."""
        self.table = self.table_of(ground)
        """What the kernel takes of the ground's heights; nothing without a table."""
        rows = self.pushes.rows(robots) if self.plan.has_pushes else np.zeros((7, 1))
        self.push_rows = memory.put(rows, self.real)
        self.settings, _, self._settings = self.rows_of("setting", settings)
        """Of each robot, (settings, robots)."""
        self.state, self.start, self._start = self.rows_of("state", start)
        """Of each robot, (state, robots)."""
        self.restart(np.ones(robots, bool))

    def table_of(self, ground: HeightField | None) -> list[Any]:
        """Return the ground's heights as the kernel takes them.

        Args:
            ground: given where the program asks for it, and only there.
        """
        asks, name = bool(self.program.probes), self.program.name
        if ground is not None and not isinstance(ground, HeightField):
            problem = f"the ground must be a HeightField, got {type(ground).__name__}"
            raise ConfigError("the robots", [problem])
        if asks != (ground is not None):
            given = "looks up heights of the ground, but was given none"
            problem = (
                given
                if asks
                else "looks up no heights of the ground, but was given some"
            )
            raise ConfigError("the robots", [f"'{name}' {problem}"])
        if ground is None:
            return []
        heights = self.memory.put(np.ascontiguousarray(ground.heights), self.real)
        return [heights, *ground.heights.shape, *ground.corner, 1.0 / ground.cell]

    def rows_of(
        self, what: str, given: Mapping[str, Spread] | None
    ) -> tuple[Any, Any, Any]:
        """Return all robots' numbers, their initial values, and the ranges of draws.

        Args:
            what: "setting" or "state".
            given: by name.
        """
        known = self.program.settings if what == "setting" else self.program.state
        names = [one.name for one in known]
        for name in given or {}:
            if name not in names:
                where = f"the simulation of '{self.program.name}'"
                raise UnknownNameError(what, name, names, where)
        ends = [_spread_of(one, given or {}, self.robots) for one in known]
        count, memory = max(len(known), 1), self.memory
        rows = memory.full((count, self.robots), 0.0, self.real)
        for row, (low, _) in zip(rows, ends, strict=False):
            row[:] = memory.put(low, self.real) if low.ndim else float(low)
        ranges = np.zeros((count, 2))
        for k, (low, high) in enumerate(ends):
            if low.ndim == 0 and low < high:
                ranges[k] = low, high
        if any(low.ndim for low, _ in ends):
            first = memory.full((count, self.robots), 0.0, self.real)
            first[:] = rows
        else:  # the same for all, but for what is drawn: one column will do
            column = [[float(low)] for low, _ in ends] or [[0.0]]
            first = memory.put(np.array(column), self.real)
        return rows, first, memory.put(ranges, self.real)

    def restart(self, chosen: Any, zeros: int = 0) -> None:
        """Restart some robots, with new numbers where these are drawn.

        Args:
            chosen: truth values, (robots,).
            zeros: how many settings, the last ones, are set to zero.

        Raises:
            ShapeError: another number of truth values.
        """
        _expect_shape("chosen", chosen, (self.robots,))
        numbers = [self.robots, self.seed & WORD, self.seed >> 32, self.tick]
        numbers += [len(self.program.state), len(self.program.settings), zeros]
        numbers += [len(self.program.telemetry), 2 * len(self.plan.watch)]
        numbers.append(int(self.start.shape[1]))
        given = [self.start, self._start, self._settings, self.who]
        given.append(self.memory.put(chosen, "int32"))
        written = [self.state, self.settings, self.began, self.fell]
        written += [self.telemetry, self.extremes]
        self.module.launch("many_begin", self.robots, [*numbers, *given, *written])

    def advance(self, ticks: int, records: Any = None, every: int = 0) -> None:
        """Move all robots that have not fallen; on a card this returns at once.

        Args:
            ticks: of the controller.
            records: where what is recorded is written, (rows, recorded, robots), a row
                each ``every`` ticks from tick 0 on, which is left out; None for
                nowhere.
            every: ticks from row to row.

        Raises:
            ConfigError: more ticks than can be counted.
            ShapeError: records that have no place for all of it.
        """
        if not (is_whole(ticks) and 0 <= self.tick + ticks < MOST_TICKS):
            problem = f"ticks must be 0 to {MOST_TICKS:,} in all, got {ticks!r}"
            raise ConfigError("the robots", [problem])
        self.launch(self.tick + ticks, records, every)

    def launch(self, end: int, records: Any, every: int) -> None:
        """Start the kernel from now to a tick.

        Args:
            end: before which it ends.
            records: see ``advance``.
            every: ticks from row to row.

        Raises:
            ShapeError: records that have no place for all of it.
        """
        if records is not None and every > 0:
            rows = max(len(records), end // every + 1)
            shape = (rows, len(self.plan.record), self.robots)
            _expect_shape("records", records, shape)
        p, tick = self.pushes, self.program.tick
        window = NO_WINDOW if p.every is None else max(1, round(p.every / tick))
        held = [round(p.force_from / tick), max(1, round(p.hold / tick))]
        numbers = [self.robots, self.seed & WORD, self.seed >> 32, self.tick, end]
        numbers += [every if records is not None else 0, window, *held, p.duration]
        arrays = [self.push_rows, self.settings, self.who, self.began, self.state]
        arrays += [self.fell, self.telemetry, self.extremes]
        none = self.telemetry if records is None else records
        self.module.launch(
            "many_run", self.robots, [*numbers, *arrays, none, *self.table]
        )
        self.tick = end

    def run(
        self,
        ticks: int,
        records: Any = None,
        every: int = 0,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        """Move all robots, in launches of a fraction of a second, and wait for it.

        Args:
            ticks: of the controller.
            records: see ``advance``.
            every: ticks from row to row.
            progress: called with the share done, in [0, 1].
        """
        first, piece = self.tick, FIRST
        while self.tick < first + ticks:
            began = perf_counter()
            end = min(self.tick + piece, first + ticks)
            self.launch(end, records, every)
            self.memory.wait()
            took = perf_counter() - began
            piece = max(1, min(4 * piece, int(piece * BUSY / max(took, 1e-6))))
            if progress is not None:
                progress((self.tick - first) / ticks)


def _expect_shape(name: str, given: Any, shape: tuple[int, ...]) -> None:
    """Refuse an array of another shape, which a kernel would read beyond its end."""
    if tuple(np.shape(given)) != shape:
        raise ShapeError(f"{name} must have shape {shape}, got {np.shape(given)}.")


def _spread_of(
    one: NamedNumber, given: Mapping[str, Spread], robots: int
) -> tuple[Array, Array]:
    """Return the ends between which a quantity of all robots is drawn."""
    if one.name not in given:
        return np.array(one.value), np.array(one.value)
    return ends_of(one.name, given[one.name], robots)
