"""Reflexes that are one kernel over a memory of each leg."""

from abc import ABC
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import AbstractReflex
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Record, Records, copied, pooled_empty_like

__all__ = ["KernelReflex"]

R = TypeVar("R", bound=Record)


class KernelReflex(AbstractReflex[Records[R]], ABC):
    """Base of a reflex with a memory of each leg, which its kernel advances.

    The kernel takes trunk, legs and stance, the settings, the memory of the last tick
    and of this one, the aims, and whatever ``also`` returns.
    """

    memory: ClassVar[type[Record]]
    """Record of the memory of one leg."""
    at_first: ClassVar[Mapping[str, float]] = {}
    """Entries of the memory before the first tick that are not 0."""
    asks_clock: ClassVar[bool] = False
    """Whether its kernel also writes a request to the clock of the gait."""
    _act: ClassVar[cached_dispatch[None]]

    def init(self, machine: LeggedMachine) -> Records[R]:
        """Return the memory before a machine's first tick, (nl,)."""
        state: Records[Any] = self.memory.zeros(machine.legs)
        for name, value in self.at_first.items():
            state[name] = value
        return state

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: Records[R],
    ) -> tuple[SupportRequest, Records[R]]:
        """Return what is asked for instead, and the next memory."""
        after, legs = pooled_empty_like(state), copied(asked.legs)
        clock = copied(asked.clock) if self.asks_clock else asked.clock
        instead = SupportRequest(legs, clock)
        self._act(
            estimate.trunk,
            estimate.legs,
            stance.legs,
            self.settings,
            state,
            after,
            legs,
            *self.also(estimate, stance, instead),
        )
        return instead, after

    def also(
        self, estimate: Estimate, stance: WalkingStance, asked: SupportRequest
    ) -> tuple[Any, ...]:
        """Return further arguments of the kernel; none.

        Args:
            estimate: of this tick.
            stance: of this tick.
            asked: what is asked for instead, which the kernel may write.
        """
        return ()
