"""What a controller drives: the contract between the one loop and its two plants.

``sim.ideal`` obeys torques at once and is sensed without fault. ``sim.machine.plant``
has drives, sensors and a bus. The loop (``sim.rollout``) knows neither.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Protocol, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.contracts import Command
from equipoise.sim.run import Cpu, Outcome, Run
from equipoise.sim.world import World

__all__ = ["Moves", "Plant", "PlantConfig", "RunPlan", "Stop", "Telemetry", "Watch"]

Watch = Callable[[int, mujoco.MjData], None]
"""Called at each tick with its number and the engine's data. Of an ideal plant the
forces of the present state are known then, ``data.xpos`` is of that state and
``data.qpos`` already ahead; of a machine kinematics are fresh and
forces those that acted last."""
Stop = Callable[[mujoco.MjData], bool]
"""Called as ``Watch`` is; True ends the run."""
Moves = Callable[[mujoco.MjData], None]
"""Called before every time step, to move what moves by itself, a board."""


@final
@dataclass(frozen=True, kw_only=True)
class RunPlan:
    """Plan of a run for a plant of any kind."""

    world: World
    ticks: int
    """Control periods."""
    hold: int
    """Time steps in a control period."""
    every: int
    """Ticks from one kept sample or frame to the next."""
    pushed: Ints
    """Bodies that are pushed, (np,)."""
    push: Array
    """By what force, (ticks, np, 3) [N]."""
    signals: tuple[str, ...] | None
    """What is kept of what the controller says; None for all that it says at first."""
    watch: Watch | None
    moves: Moves | None
    stop: Stop | None

    @property
    def dt(self) -> float:
        """Time step [s]."""
        return float(self.world.model.opt.timestep)

    @property
    def period(self) -> float:
        """Control period [s]."""
        return self.hold * self.dt


class PlantConfig(Protocol):
    """Settings that a plant is made of."""

    @property
    def period(self) -> float | None:
        """Control period [s]; None for a time step."""
        ...

    @property
    def every(self) -> int:
        """Ticks from one kept sample or frame to the next, unless told."""
        ...

    def plant(self, plan: RunPlan) -> "Plant":
        """Return the plant, before its first tick.

        Args:
            plan: what is to happen.

        Raises:
            ConfigError: a world that it is not made for.
        """
        ...


class Plant(Protocol):
    """Plant that is read, commanded and stepped, one control period per tick."""

    data: mujoco.MjData
    """Data of the engine."""
    joints: int
    """Number of driven joints."""
    settled: int
    """Number of ticks after which every function of a tick has been called."""
    is_over: bool
    """Whether it was asked to stop after the last tick."""

    def record(self, k: int) -> bool:
        """Update the kinematics and store tick ``k``'s state; return False if bad.

        Args:
            k: number of the tick.
        """
        ...

    def read(self, k: int) -> Any:
        """Return the controller's input; the next tick overwrites it.

        Args:
            k: number of the tick.
        """
        ...

    def apply(self, k: int, command: Command) -> bool:
        """Take a command; return False if no motor could obey it.

        Args:
            k: number of the tick.
            command: what the joints are asked to do.
        """
        ...

    def advance(self, k: int) -> None:
        """Run the time steps of control period ``k``.

        Args:
            k: number of the tick.
        """
        ...

    def run(self, outcome: Outcome, cpu: Cpu, warnings: Sequence[str]) -> Run:
        """Return the recording, cut to the ticks that happened.

        Args:
            outcome: how it ended.
            cpu: processor time.
            warnings: of the engine.
        """
        ...


@final
@dataclass
class Telemetry:
    """Room for what a controller says; made when it first says something."""

    samples: int
    wanted: tuple[str, ...] | None
    names: tuple[str, ...] = ()
    rows: Array = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    picked: Callable[[dict[str, float]], Any] | None = field(default=None, repr=False)
    """Returns the numbers of these names; None while there are none."""

    @property
    def table(self) -> Array:
        """Telemetry, (samples, ns)."""
        return self.rows if len(self.rows) else np.zeros((self.samples, 0))

    def keep(self, at: int, said: dict[str, float]) -> None:
        """Keep what was said at a sample.

        Args:
            at: which sample.
            said: numbers by name.
        """
        if not len(self.rows):
            self.names = tuple(said) if self.wanted is None else self.wanted
            self.rows = np.full((self.samples, len(self.names)), np.nan)
            self.picked = itemgetter(*self.names) if self.names else None
        if self.picked is None:
            return
        try:
            self.rows[at] = self.picked(said)
        except KeyError:
            self.rows[at] = [said.get(name, np.nan) for name in self.names]
