"""Algorithms 1 and 2 of [Moll2006] exactly as printed, errors included.

For the papers room and for tests that show the errors; use ``MassProgram`` otherwise.
Kept as in the print: an incoming message is brought to the module's frame once, on
arrival; only a change of ``moduleMass`` marks the connectors; connector i is sent the
whole minus what is behind i. Only the rule of sending can be chosen, as the printed one
takes n(n-1) messages on a chain of n. "Inertia" is read as the second moment about the
frame's origin, S = int [x; 1][x; 1]ᵀ dm, the one reading in which the printed sum is
exact.
"""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from equipoise.control.com.mass.program import Rule
from equipoise.control.com.module_frames import ModuleSensed, module_frames
from equipoise.modules.message import Message
from equipoise.modules.node import AbstractProgram, Inbox, Outbox
from equipoise.robots.assembly.module_body import ModuleBody
from equipoise.spatial.poses import Pose

__all__ = ["PrintedProgram", "PrintedShare", "PrintedState"]

Moment = NDArray[Any]
"""Second moment about the frame's origin, (4, 4); not checked, it may be indefinite."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PrintedShare(Message):
    """Everything behind the sender's connector, seen from that connector's frame."""

    moment: Moment


@dataclass(frozen=True, slots=True, eq=False)
class PrintedState:
    """The variables of the printed program."""

    module_mass: Moment | None = None
    connector_mass: tuple[Moment, ...] = ()
    """What is behind each connector, in the module's frame at the time of arrival."""
    mass: Moment | None = None
    """The whole robot in the module's frame."""
    sensed: ModuleSensed | None = None
    """What was sensed in the last step."""
    reported: frozenset[int] = frozenset()
    """Connectors that have been heard from."""
    marked: frozenset[int] = frozenset()
    """Connectors marked for update but held back; empty with the printed rule."""


@final
@dataclass(frozen=True)
class PrintedProgram(AbstractProgram[ModuleSensed, PrintedState, PrintedShare]):
    """One module's program, as printed."""

    body: ModuleBody
    rule: Rule = "printed"
    dtype: DTypeLike = np.float64
    tolerance: float = 1e-9
    """moduleMass "has changed" when an entry differs by more than this share of the
    largest; sines are rounded, so that plain inequality would mean nothing."""

    def init(self) -> PrintedState:
        """Return the state of a module that knows nothing yet."""
        nothing = np.zeros((4, 4), self.dtype)
        return PrintedState(connector_mass=(nothing,) * len(self.body.connectors))

    def step(
        self, inbox: Inbox[PrintedShare], inputs: ModuleSensed, state: PrintedState
    ) -> tuple[Outbox[PrintedShare], PrintedState]:
        """Run the body of algorithm 1's loop once."""
        if not inbox and inputs == state.sensed:
            return {}, state  # algorithm 2 would find the same again
        frames = module_frames(self.body, self.body.part_mass, inputs)
        connector_mass, marked = list(state.connector_mass), set(state.marked)
        for port, message in inbox:
            X_MD = self._matrix(frames.inwards[port].X_AB)
            connector_mass[port] = X_MD @ message.moment @ X_MD.T
            marked.update(k for k in inputs.docked if k != port)
        own = frames.own.mass.second_moment.astype(self.dtype)
        if self._has_changed(own, state.module_mass):
            marked.update(inputs.docked)
        mass = sum(connector_mass, start=own)
        reported = state.reported | {port for port, _ in inbox}
        outbox: dict[int, PrintedShare] = {}
        for k in sorted(marked):
            if self.rule == "echo" and not reported >= set(inputs.docked) - {k}:
                continue
            X_CM = self._matrix(frames.outwards[k].X_AB)
            side = mass - connector_mass[k]
            outbox[k] = PrintedShare(moment=X_CM @ side @ X_CM.T)
        return outbox, PrintedState(
            module_mass=own,
            connector_mass=tuple(connector_mass),
            mass=mass,
            sensed=inputs,
            reported=reported,
            marked=frozenset(marked - outbox.keys()),
        )

    def _matrix(self, X: Pose) -> Moment:
        return X.matrix.astype(self.dtype)

    def _has_changed(self, now: Moment, before: Moment | None) -> bool:
        if before is None:
            return True
        largest = float(np.abs(before).max())
        return bool(np.abs(now - before).max() > self.tolerance * largest)
