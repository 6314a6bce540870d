"""Reflexes that are one kernel over a memory of each leg."""

from abc import ABC
from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import AbstractReflex
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.records import Record, Records, pooled_empty_like

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
    ) -> Records[R]:
        """Change the aims; return the next memory."""
        after = pooled_empty_like(state)
        self._act(
            estimate.trunk,
            estimate.legs,
            stance.legs,
            self.settings,
            state,
            after,
            asked.legs,
            *self.also(estimate, stance, asked),
        )
        return after

    def also(
        self, estimate: Estimate, stance: WalkingStance, asked: SupportRequest
    ) -> tuple[Any, ...]:
        """Return further arguments of the kernel; none.

        Args:
            estimate: of this tick.
            stance: of this tick.
            asked: what is asked for at this tick.
        """
        return ()
