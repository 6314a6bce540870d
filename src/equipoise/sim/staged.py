"""A job with all in place but the loop: run it whole, or step it from outside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import mujoco

from equipoise.core.contracts import Controller
from equipoise.robots.robot import Robot
from equipoise.sim.disturbances import Push
from equipoise.sim.held_forces import HeldForces
from equipoise.sim.plant import Moves, PlantConfig, Stop, Watch
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Run
from equipoise.sim.stepper import Stepper
from equipoise.sim.world import World

__all__ = ["StagedRun"]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class StagedRun:
    """A robot in its world, its controller, its plant and what will happen to it."""

    world: World
    controller: Controller[Any]
    plant: PlantConfig
    seconds: float
    """For which it runs [s]."""
    falls: Stop
    """Says whether the robot has fallen."""
    stop: Stop | None = None
    """What ends the run."""
    pushes: Sequence[Push] = ()
    forces: HeldForces | None = None
    signals: Sequence[str] | None = None
    """Of the controller's telemetry, that are kept; None for all."""
    watch: Watch | None = field(default=None, repr=False)
    record_every: int | None = None
    moves: Moves | None = field(default=None, repr=False)
    """Moves what moves by itself, before every time step."""

    @property
    def robot(self) -> Robot:
        """Robot in the world, which may differ from the requested one."""
        return self.world.robot

    def has_fallen(self, data: mujoco.MjData) -> bool:
        """Return whether the robot has fallen.

        Args:
            data: of the engine, kinematics and contacts fresh.
        """
        return self.falls(data)

    def run(self, progress: Callable[[float], None] | None = None) -> Run:
        """Run it to its end and return what happened.

        Args:
            progress: called with the share done, in [0, 1].
        """
        return rollout(
            self.world,
            self.controller,
            self.seconds,
            plant=self.plant,
            pushes=self.pushes,
            forces=self.forces,
            signals=self.signals,
            watch=self.watch,
            moves=self.moves,
            stop=self.stop,
            record_every=self.record_every,
            progress=progress,
        )

    def stepper(self, horizon: float | None = None) -> Stepper:
        """Return its plant at the start, to be stepped from outside.

        A fall does not end it: ask ``has_fallen``.

        Args:
            horizon: how long it can go on; None for its own time [s].
        """
        return Stepper(
            self.world,
            self.plant,
            horizon=self.seconds if horizon is None else horizon,
            pushes=self.pushes,
            forces=self.forces,
            moves=self.moves,
        )
