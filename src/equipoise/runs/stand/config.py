"""How a robot that stands is balanced, and what is done to it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from equipoise.control.workspace.balancer import RECOMMENDED
from equipoise.core.checks import is_number, is_whole
from equipoise.core.errors import ConfigError
from equipoise.runs.robot import MOST_SEED, RobotChoice
from equipoise.sim.delay import delay_ticks
from equipoise.sim.disturbances import Push
from equipoise.sim.rollout import steps_per_period

__all__ = ["PERIOD", "StandConfig"]

PERIOD = 0.002
"""Of the controller [s]: 500 Hz, as in [Wendlandt1997]."""
MOST_SECONDS, MOST_SPEED, MOST_BLOCK = 600.0, 50.0, 1000.0
LEAST_BLOCK = 1e-6  # a lighter one has less inertia than the engine takes [kg]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandConfig:
    """One run of a biped; the defaults are the throw of [Wendlandt1997]."""

    controller: str = RECOMMENDED
    """Name of a balance law."""
    gains: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the law by name, see ``equipoise controllers NAME``."""
    block_mass: float | None = None
    """Of the block that is thrown, 0 for none [kg]; None for 1.8, of a robot file 0.03
    of its mass."""
    block_speed: float = 4.5
    """Towards -x at the start [m/s]."""
    robot: RobotChoice = field(default_factory=lambda: RobotChoice(name="biped"))
    """Which robot that stands on feet, and its size."""
    friction: float = 0.3
    """Coulomb friction everywhere; the controller is told."""
    seconds: float = 3.0
    """Simulated time, at most 600 [s]."""
    timestep: float = 0.0005
    """Of the simulation, a whole part of the controller's 2 ms [s]."""
    delay_ms: float = 0.0
    """From reading to torque, a multiple of the controller's 2 ms [ms]."""
    push: Push | None = None
    """A push besides the block."""
    seed: int = 0
    """Nothing here is drawn at random; repeated in the summary."""

    def __post_init__(self) -> None:
        """Refuse settings out of range, all problems at once."""
        problems = []
        thrown: dict[str, Any] = {"block_mass": MOST_BLOCK, "block_speed": MOST_SPEED}
        if self.block_mass is None:
            del thrown["block_mass"]
        for name, most in thrown.items():
            value: Any = getattr(self, name)
            if not (is_number(value) and 0.0 <= value <= most):
                shown = name.replace("_", "-")
                problems.append(f"{shown} must be 0 to {most:g}, got {value!r}")
            elif name == "block_mass" and 0.0 < value < LEAST_BLOCK:
                what = f"block-mass must be 0 or at least {LEAST_BLOCK:g} kg"
                problems.append(f"{what}, got {value!r}")
        if not (is_number(self.friction) and 0.0 < self.friction < math.inf):
            problems.append(f"friction must be > 0, got {self.friction!r}")
        if not (is_number(self.seconds) and PERIOD <= self.seconds <= MOST_SECONDS):
            problems.append(
                f"seconds must be {PERIOD:g} to {MOST_SECONDS:g}, got {self.seconds!r}"
            )
        if not (is_number(self.timestep) and 1e-5 <= self.timestep <= PERIOD):
            problems.append(
                f"timestep must be 1e-5 to {PERIOD:g} s, got {self.timestep!r}"
            )
        if not (self.push is None or isinstance(self.push, Push)):
            example = "equipoise.sim.disturbances.Push(impulse=(0, 20, 0))"
            problems.append(f"push must be as {example} [N s], got {self.push!r}")
        if not (is_whole(self.seed) and 0 <= self.seed < MOST_SEED):
            problems.append(f"seed must be >= 0 and below 2^63, got {self.seed!r}")
        if not is_number(self.delay_ms):
            problems.append(f"delay-ms must be a number, got {self.delay_ms!r}")
        if problems:
            raise ConfigError("the run", problems)
        steps_per_period(self.timestep, PERIOD)
        delay_ticks(self.delay_ms, PERIOD)
