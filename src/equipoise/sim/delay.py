"""A controller whose commands arrive late: any controller, wrapped."""

import math
from collections import deque
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.contracts import Command, Controller, Sensed
from equipoise.core.errors import ConfigError

__all__ = ["DelayedController", "delay_ticks"]


class DelayState(NamedTuple):
    """Commands on their way, oldest first, and the controller's own state."""

    waiting: deque[Array]
    inner: Any


@final
@dataclass(frozen=True)
class DelayedController:
    """Controller whose torques are some periods late; until then there are none.

    What it says about itself (telemetry) is not delayed.
    """

    controller: Controller[Any]
    ticks: int
    """Delay in control periods, >= 0."""

    def init(self) -> DelayState:
        """Return the state before the first tick."""
        return DelayState(deque(), self.controller.init())

    def step(self, sensed: Sensed, state: DelayState) -> tuple[Command, DelayState]:
        """Return the command from some periods ago."""
        command, inner = self.controller.step(sensed, state.inner)
        waiting = state.waiting
        waiting.append(command.tau.copy())
        late = waiting.popleft() if len(waiting) > self.ticks else None
        tau = np.zeros_like(command.tau) if late is None else late
        return Command(tau, command.telemetry), DelayState(waiting, inner)


def delay_ticks(delay_ms: float, period: float) -> int:
    """Return a delay in whole control periods.

    Args:
        delay_ms: >= 0, a multiple of the period [ms].
        period: of the controller [s].

    Raises:
        ConfigError: it lies between two control periods, or is no delay.
    """
    period_ms = 1e3 * period
    if not (math.isfinite(delay_ms) and delay_ms >= 0.0):
        raise ConfigError("the delay", [f"delay-ms must be >= 0, got {delay_ms!r}"])
    ticks = round(delay_ms / period_ms)
    if abs(ticks * period_ms - delay_ms) > 1e-6 * period_ms:
        raise ConfigError(
            "the delay",
            [
                f"delay-ms must be a multiple of the {period_ms:g} ms control period, "
                f"got {delay_ms!r}; {ticks * period_ms:g} would do"
            ],
        )
    return ticks
