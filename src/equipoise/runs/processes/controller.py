"""A controller whose modules live in other processes; ``sim.rollout`` steps it.

To the simulation it is a controller like any other. Each tick the fleet's hosts get
their readings, talk to each other, and answer with torques; a module whose process is
dead has none.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import final

import numpy as np

from equipoise.control.com.brain.brain import first_senses
from equipoise.control.com.brain.state import Senses
from equipoise.control.com.readings import (
    ModuleReadings,
    lay_out,
    readings_by_module,
)
from equipoise.core.contracts import Command, Sensed
from equipoise.robots.assembly.assembly import Assembly
from equipoise.runs.processes.fleet import Fleet

__all__ = ["FleetController", "FleetState", "Kill"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Kill:
    """A module whose process is ended the hard way."""

    module: int
    time: float
    """Time of the crash since the start [s]."""


@dataclass
class FleetState:
    """State of the world's process between ticks."""

    senses: Senses
    tick: int = 0
    posted: int = 0
    """Frames since the start."""
    began: float = 0.0
    """When the first tick began, by the machine's clock [s]."""
    ended: float = 0.0
    """When the last one ended [s]."""


@final
@dataclass(frozen=True)
class FleetController:
    """Steps a fleet; ``init`` starts its processes, anew if they have run already."""

    assembly: Assembly
    fleet: Fleet
    kills: tuple[Kill, ...] = ()
    dt: float = 0.001
    """Control period [s]."""
    show: Callable[[int], None] | None = None
    """Called with each tick's number when it is over."""

    def __post_init__(self) -> None:
        """Lay out where the readings go, once."""
        object.__setattr__(self, "_readings", readings_by_module(self.assembly))
        object.__setattr__(self, "last", [])

    _readings: ModuleReadings = field(init=False, repr=False)
    last: list[FleetState] = field(init=False, repr=False)
    """The state of the present run, as its only element."""

    def init(self) -> FleetState:
        """Start every process and return the state before the first tick."""
        if self.fleet.has_ticked:
            self.fleet.restart()
        elif not self.fleet.running.any():
            self.fleet.start()
        state = FleetState(
            first_senses(self.assembly, np.arange(len(self.assembly.modules)))
        )
        self.last[:] = [state]
        return state

    def step(self, sensed: Sensed, state: FleetState) -> tuple[Command, FleetState]:
        """Give out the readings, gather the torques."""
        fleet, s = self.fleet, state.senses
        if state.tick == 0:
            state.began = perf_counter()
        for kill in self.kills:
            if round(kill.time / self.dt) == state.tick:
                fleet.kill(kill.module)
        ground = self.assembly.ground.module
        anchor = s.anchor[ground : ground + 1]
        room = self._readings._replace(q=s.q, rate=s.rate, skin=s.skin, base=anchor)
        lay_out(sensed, room)
        fleet.exchange(state.tick, s)
        posted = fleet.posted
        telemetry = {"messages": float(posted - state.posted)}
        if self.show is not None:
            self.show(state.tick)
        state.tick += 1
        state.posted = posted
        state.ended = perf_counter()
        return Command(fleet.tau.ravel()[self._readings.free], telemetry), state
