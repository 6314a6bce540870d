"""Blocks and Python functions run together in time; signals come back by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.assemble import ParameterTable, parameter_value
from equipoise.equations.blocks.block import Block
from equipoise.equations.blocks.wiring import OUTSIDE, Function, SignalSource, Wiring
from equipoise.equations.emit.callable import Compiled, compiled_program
from equipoise.equations.tape.program import live_operations, program

__all__ = ["History", "played"]

Signal = Callable[[float], VecN] | VecN


@final
@dataclass(frozen=True)
class History:
    """History of every signal and state by name, over ``time``."""

    time: VecN
    """(nt,) [s]."""
    signals: Mapping[str, Array]
    """Outputs and inputs, (nt, width), by name."""

    def __getitem__(self, name: str) -> Array:
        """Return a signal by name.

        Raises:
            ConfigError: there is none.
        """
        if name not in self.signals:
            known = ", ".join(sorted(self.signals)[:12])
            raise ConfigError("the history", [f"no signal '{name}'; there are {known}"])
        return self.signals[name]


def played(
    wiring: Wiring,
    *,
    seconds: float,
    dt: float,
    inputs: Mapping[str, Signal] | None = None,
    parameters: ParameterTable | None = None,
) -> History:
    """Return what wired parts do in time, integrated with steps of fourth order.

    Functions written in Python are asked once a step and hold what they said.

    Args:
        wiring: the parts.
        seconds: how long, >= dt.
        dt: the step, > 0 [s].
        inputs: signals from outside, each an array or a function of time.
        parameters: values by name, a list where each occurrence has its own.

    Raises:
        ConfigError: a step that is not above zero, a signal from outside that is
            missing, or signals that go round in a circle.
    """
    if not (0.0 < dt <= seconds < np.inf):
        problem = f"needs 0 < dt <= seconds, got dt {dt!r} and seconds {seconds!r}"
        raise ConfigError("the run", [problem])
    missing = sorted(set(wiring.outside) - set(inputs or {}))
    if missing:
        raise ConfigError("the run", [f"input '{missing[0]}' is not given"])
    machine = WiredMachine(wiring, dict(inputs or {}), dict(parameters or {}))
    steps = round(seconds / dt)
    rows: list[dict[str, VecN]] = []
    for k in range(steps + 1):
        machine.sample(k * dt)
        rows.append(machine.named(k * dt))
        if k < steps:
            machine.advance(k * dt, dt)
    signals = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return History(dt * np.arange(steps + 1, dtype=np.float64), signals)


class WiredMachine:
    """Wired parts with their states."""

    def __init__(
        self, wiring: Wiring, inputs: Mapping[str, Signal], table: ParameterTable
    ) -> None:
        self.wiring, self.inputs = wiring, inputs
        self.x: dict[int, VecN] = {}
        self.rates: dict[int, tuple[Compiled, list[str]]] = {}
        self.ways: dict[SignalSource, tuple[Compiled, list[str]]] = {}
        self.held: dict[SignalSource, VecN] = {}
        self.last: dict[SignalSource, VecN] = {}
        for k, part in enumerate(wiring.parts):
            if isinstance(part.what, Block):
                self.add(k, part.what, table)

    def add(self, k: int, block: Block, table: ParameterTable) -> None:
        """Compile a block: its rates, and each output alone."""
        self.x[k] = block.initial
        values = [parameter_value(self.wiring, k, p, table) for p in block.parameters]
        rates = [s.rate for s in block.states]
        jobs = [(o.name, o.values) for o in block.outputs]
        for name, results in [*jobs, *([("", tuple(rates))] if rates else [])]:
            needed = set(live_operations(block.tape, [e.ref for e in results]))
            used = [s for s in block.inputs if needed & {e.ref for e in s.symbols}]
            given = [s.symbol for s in block.states]
            given += [e for s in used for e in s.symbols]
            symbols = [p.symbol for p in block.parameters]
            run = compiled_program(program(results, given, symbols), values)
            names = [s.name for s in used]
            if name:
                self.ways[SignalSource(k, name)] = (run, names)
            else:
                self.rates[k] = (run, names)

    def signal(
        self, source: SignalSource, time: float, open_: tuple[SignalSource, ...]
    ) -> VecN:
        """Return a signal now."""
        if source.part == OUTSIDE:
            given = self.inputs[source.signal]
            return np.atleast_1d(np.asarray(given(time) if callable(given) else given))
        if source in self.held:
            return self.held[source]
        if source in self.last:
            return self.last[source]
        if source in open_:
            way = " -> ".join(f"{self.wiring.label(s.part)}.{s.signal}" for s in open_)
            problem = f"signals form a loop without a state in it: {way}"
            raise ConfigError("the run", [problem])
        run, names = self.ways[source]
        parts = self.gathered(source.part, names, time, (*open_, source))
        self.last[source] = run(np.concatenate([self.x[source.part], *parts]))
        return self.last[source]

    def gathered(
        self,
        k: int,
        names: list[str],
        time: float,
        open_: tuple[SignalSource, ...] = (),
    ) -> list[VecN]:
        """Return some inputs of a part now."""
        return [
            self.signal(self.wiring.sources[k, name], time, open_) for name in names
        ]

    def sample(self, time: float) -> None:
        """Ask the Python functions, in an order in which their inputs are there."""
        self.held, self.last = {}, {}
        waiting = [
            (k, p.what)
            for k, p in enumerate(self.wiring.parts)
            if isinstance(p.what, Function)
        ]
        while waiting:
            ready = [item for item in waiting if self.is_ready(item[0], item[1])]
            if not ready:
                names = ", ".join(self.wiring.label(k) for k, _ in waiting)
                problem = f"functions wait for each other in a loop: {names}"
                raise ConfigError("the run", [problem])
            for k, function in ready:
                given = self.gathered(k, list(function.inputs), time)
                for (name, width), value in zip(
                    function.outputs.items(), function.call(*given), strict=True
                ):
                    self.held[SignalSource(k, name)] = _checked(
                        function, name, width, value
                    )
                waiting.remove((k, function))

    def is_ready(self, k: int, function: Function) -> bool:
        """Return whether everything that a function needs can be computed."""
        stack = [self.wiring.sources[k, name] for name in function.inputs]
        seen: set[SignalSource] = set()
        while stack:
            source = stack.pop()
            if source in seen or source.part == OUTSIDE or source in self.held:
                continue
            seen.add(source)
            if source not in self.ways:
                return False
            names = self.ways[source][1]
            stack += [self.wiring.sources[source.part, name] for name in names]
        return True

    def named(self, time: float) -> dict[str, VecN]:
        """Return every signal and state by name."""
        found = {
            n: self.signal(SignalSource(OUTSIDE, n), time, ())
            for n in self.wiring.outside
        }
        sources = [*self.ways, *self.held]
        names = [s.signal for s in sources]
        for source in sources:
            label = self.wiring.label(source.part)
            is_alone = names.count(source.signal) == 1
            name = source.signal if is_alone else f"{label}.{source.signal}"
            found[name] = self.signal(source, time, ())
        for k, x in self.x.items():
            block = self.wiring.parts[k].what
            if isinstance(block, Block):
                for s, value in zip(block.states, x, strict=True):
                    found[f"{self.wiring.label(k)}.{s.name}"] = np.array([value])
        return found

    def slopes(self, time: float) -> dict[int, VecN]:
        """Return the rates of all states."""
        self.last = {}
        return {
            k: run(np.concatenate([self.x[k], *self.gathered(k, names, time)]))
            for k, (run, names) in self.rates.items()
        }

    def advance(self, time: float, dt: float) -> None:
        """Integrate all states over one step (Runge and Kutta, fourth order)."""
        start = {k: x.copy() for k, x in self.x.items()}
        total = {k: np.zeros_like(x) for k, x in self.x.items()}
        for share, weight in ((0.5, 1.0), (0.5, 2.0), (1.0, 2.0), (0.0, 1.0)):
            at = time + (0.0 if weight == 1.0 and share == 0.5 else 0.5 * dt)
            at = time + dt if share == 0.0 else at
            for k, slope in self.slopes(at).items():
                total[k] += weight / 6.0 * slope
                self.x[k] = start[k] + share * dt * slope
        for k, slope in total.items():
            self.x[k] = start[k] + dt * slope


def _checked(function: Function, name: str, width: int, value: VecN) -> VecN:
    """Return a function's answer as an array of the width that it promised."""
    found = np.atleast_1d(np.asarray(value, dtype=np.float64))
    if found.shape != (width,):
        problem = (
            f"output '{name}' of '{function.name}' should have shape ({width},), "
            f"got {found.shape}"
        )
        raise ConfigError("the run", [problem])
    return found
