"""The program by which every module learns the whole robot's mass properties.

Algorithms 1 and 2 of [Moll2006] as a message-passing node. A module sees its own
joints, the masses of its own parts and what comes in through its connectors; through
each connector it tells the mass properties of everything on its own side, in the frame
of that connector. Three things differ from the print, on purpose:

* What came in stays in the frame of the connector and is brought to the module's frame
  anew whenever a joint has moved. The print brings it there once and looks at
  ``moduleMass`` for changes; a straight module that turns its roll joint by 180 degrees
  keeps its own mass properties, so nobody hears that half the robot has swung round.
  Here any motion of an own joint is a change. (``printed_program`` has the original.)
* The others are summed; nothing is subtracted from the whole, which would cancel.
* Beside the ten numbers a message carries the rate of the first moment, so that one
  module that knows its own velocity makes the velocity of the whole robot's centre of
  mass known to all (the paper's introduction).

Counted in iterations of the main loop: from a cold start messages are sent in
iterations 1 to d, d the largest distance between two modules, and every value is exact
in iteration d + 1. Then silence until something moves.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from equipoise.control.com.module_frames import (
    ModuleFrames,
    ModuleSensed,
    MovingMass,
    module_frames,
)
from equipoise.core.errors import ConfigError
from equipoise.modules.message import Message
from equipoise.modules.node import AbstractProgram, Inbox, Outbox
from equipoise.robots.assembly.module_body import ModuleBody
from equipoise.spatial.mass.mass import MassProperties

__all__ = ["MassProgram", "MassShare", "MassState", "Rule"]

Rule = Literal["printed", "echo"]
"""When to send. ``printed``: to every connector marked for update, at once, O(n d)
messages from a cold start. ``echo``: to a marked connector only once all other docked
connectors have reported, exactly 2(n-1) messages, none of them partial."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class MassShare(Message):
    """Everything behind the sender's connector, seen from that connector's frame."""

    mass: MassProperties
    """Ten numbers: mass, centre of mass, second moments."""
    rate: NDArray[Any]
    """d(m p)/dt as seen in the connector's frame, (3,) [kg m/s]."""


@dataclass(frozen=True, slots=True)
class MassState:
    """Knowledge of one module."""

    frames: ModuleFrames | None = None
    """None before the first step."""
    heard: tuple[MassShare | None, ...] = ()
    """The newest message of each connector, still in the sender's connector frame."""
    behind: tuple[MovingMass | None, ...] = ()
    """What lies behind each connector, in M; None where nothing has been heard."""
    marked: frozenset[int] = frozenset()
    """Connectors whose neighbour has yet to be told."""
    whole: MovingMass | None = None
    """The whole robot in M, as far as heard of."""

    @property
    def is_complete(self) -> bool:
        """Whether every docked connector has reported.

        With the echo rule this means that ``whole`` is everything; with the printed
        rule a report may itself have been partial.
        """
        if self.frames is None:
            return False
        return all(self.behind[k] is not None for k in self.frames.sensed.docked)


@final
@dataclass(frozen=True)
class MassProgram(AbstractProgram[ModuleSensed, MassState, MassShare]):
    """Program of one module; the same object serves all modules of one kind."""

    body: ModuleBody
    rule: Rule = "echo"
    dtype: DTypeLike = np.float64
    """float64, or float32 for messages and sums as a small processor would do them
    (sines and cosines are still taken in float64 and rounded)."""

    def __post_init__(self) -> None:
        """Refuse an unknown rule."""
        if self.rule not in ("printed", "echo"):
            problem = f"rule must be 'printed' or 'echo', got {self.rule!r}"
            raise ConfigError("MassProgram", [problem])

    @cached_property
    def part_mass(self) -> tuple[MassProperties, ...]:
        """Masses of the module's parts in the program's own number format."""
        return tuple(
            MassProperties(part.mass, part.com, part.inertia, dtype=self.dtype)
            for part in self.body.part_mass
        )

    def init(self) -> MassState:
        """Return the state of a module that knows nothing yet."""
        nothing = (None,) * len(self.body.connectors)
        return MassState(heard=nothing, behind=nothing)

    def step(
        self, inbox: Inbox[MassShare], inputs: ModuleSensed, state: MassState
    ) -> tuple[Outbox[MassShare], MassState]:
        """Return algorithm 1's messages for one pass of its loop, and the state."""
        frames = state.frames
        if frames is None or inputs != frames.sensed:
            frames = module_frames(self.body, self.part_mass, inputs)
            state = _with_frames(frames, state)
        elif not inbox:
            return {}, state
        state = _recomputed(frames, _with_mail(inbox, inputs, state))
        return self._send(frames, state)

    def _send(
        self, frames: ModuleFrames, state: MassState
    ) -> tuple[dict[int, MassShare], MassState]:
        """Tell each marked connector about all that is not behind it."""
        outbox: dict[int, MassShare] = {}
        for k in sorted(state.marked):
            others = [state.behind[j] for j in frames.sensed.docked if j != k]
            known = [lump for lump in others if lump is not None]
            if self.rule == "echo" and len(known) < len(others):
                continue
            side = sum(known, start=frames.own)
            told = side.seen_from(frames.outwards[k])
            outbox[k] = MassShare(mass=told.mass, rate=told.rate)
        return outbox, replace(state, marked=state.marked - outbox.keys())


def _with_frames(frames: ModuleFrames, state: MassState) -> MassState:
    """Return the state after own joints or docks have changed: all must be told.

    What was docked elsewhere, or turned otherwise, is forgotten.
    """
    now = frames.sensed.turns
    then = now if state.frames is None else state.frames.sensed.turns
    heard = tuple(
        message if turn is not None and turn == before else None
        for message, turn, before in zip(state.heard, now, then, strict=True)
    )
    marked = frozenset(frames.sensed.docked)
    stale = (None,) * len(heard)
    return MassState(frames=frames, heard=heard, behind=stale, marked=marked)


def _with_mail(
    inbox: Inbox[MassShare], sensed: ModuleSensed, state: MassState
) -> MassState:
    """Keep the newest message of each docked connector; mark the other connectors."""
    heard, behind = list(state.heard), list(state.behind)
    marked, docked = set(state.marked), sensed.docked
    for port, message in inbox:
        known = heard[port]
        is_late = known is not None and message.tick < known.tick
        if sensed.turns[port] is None or is_late:
            continue
        heard[port], behind[port] = message, None
        marked.update(j for j in docked if j != port)
    return replace(
        state, heard=tuple(heard), behind=tuple(behind), marked=frozenset(marked)
    )


def _recomputed(frames: ModuleFrames, state: MassState) -> MassState:
    """Return algorithm 2: the whole is the module itself and all that is behind it."""
    behind = list(state.behind)
    for k, motion in frames.inwards.items():
        message = state.heard[k]
        if behind[k] is None and message is not None:
            behind[k] = MovingMass(message.mass, message.rate).seen_from(motion)
    known = (lump for lump in behind if lump is not None)
    return replace(state, behind=tuple(behind), whole=sum(known, start=frames.own))
