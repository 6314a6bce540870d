"""The program by which a leader on the ground tells every module where it is.

[Moll2006] section III: a module in contact with the ground carries the world frame; its
position is passed on from connector to connector, so that each module can compute the
mass properties in world coordinates. Passed on here are pose and velocity, hence also
the velocity of the whole robot's centre of mass.
"""

from dataclasses import dataclass
from typing import final

import numpy as np

from equipoise.control.com.module_frames import (
    ModuleSensed,
    MovingMass,
    RelativeMotion,
    connector_motions,
    part_motions,
)
from equipoise.core.arrays import Vec3
from equipoise.modules.message import Message
from equipoise.modules.node import AbstractProgram, Inbox, Outbox
from equipoise.robots.assembly.module_body import ModuleBody, mating

__all__ = [
    "Anchor",
    "FrameShare",
    "FrameState",
    "Placed",
    "WorldFrame",
    "com_velocity",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class FrameShare(Message):
    """Pose and velocity of the sender's connector in the world."""

    W_C: RelativeMotion
    """RelativeMotion of the sender's connector frame in the world."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Anchor of the leader: pose and velocity of its connector on the ground."""

    connector: int
    W_C: RelativeMotion
    """RelativeMotion of that connector's frame in the world."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A module's senses, and the anchor where it is the leader."""

    module: ModuleSensed
    anchor: Anchor | None = None


@dataclass(frozen=True, slots=True)
class FrameState:
    """Knowledge of one module about its pose."""

    sensed: Placed | None = None
    """None before the first step."""
    heard: tuple[int, FrameShare] | None = None
    """The newest message and the connector it came through."""
    W_M: RelativeMotion | None = None
    """RelativeMotion of the module's frame in the world; None: not known."""


@final
@dataclass(frozen=True)
class WorldFrame(AbstractProgram[Placed, FrameState, FrameShare]):
    """Program of one module: n-1 messages from a cold start, then silence."""

    body: ModuleBody

    def init(self) -> FrameState:
        """Return the state of a module that does not know where it is."""
        return FrameState()

    def step(
        self, inbox: Inbox[FrameShare], inputs: Placed, state: FrameState
    ) -> tuple[Outbox[FrameShare], FrameState]:
        """Compose the newest frame received with the own joints; send it on."""
        heard = _newest(inbox, inputs.module, state.heard)
        if heard is state.heard and inputs == state.sensed:
            return {}, state
        source, W_C = _source(inputs, heard)
        if W_C is None:
            return {}, FrameState(sensed=inputs, heard=heard)
        parts = part_motions(self.body, inputs.module.angles, inputs.module.rates)
        docked = inputs.module.docked
        M_C = connector_motions(self.body, parts, (*docked, source))
        W_M = W_C @ M_C[source].inverse()
        told_by = None if inputs.anchor is not None else source
        outbox = {k: FrameShare(W_C=W_M @ M_C[k]) for k in docked if k != told_by}
        return outbox, FrameState(sensed=inputs, heard=heard, W_M=W_M)


def _newest(
    inbox: Inbox[FrameShare],
    sensed: ModuleSensed,
    known: tuple[int, FrameShare] | None,
) -> tuple[int, FrameShare] | None:
    if known is not None and sensed.turns[known[0]] is None:  # undocked since
        known = None
    for port, message in inbox:
        is_late = known is not None and message.tick < known[1].tick
        if sensed.turns[port] is not None and not is_late:
            known = (port, message)
    return known


def _source(
    inputs: Placed, heard: tuple[int, FrameShare] | None
) -> tuple[int, RelativeMotion | None]:
    """Return the own connector whose place is known, and its motion in the world."""
    if inputs.anchor is not None:
        return inputs.anchor.connector, inputs.anchor.W_C
    if heard is None:
        return -1, None
    port, message = heard
    turn = inputs.module.turns[port]
    if turn is None:
        return -1, None
    return port, message.W_C @ RelativeMotion.still(mating(turn))


def com_velocity(whole: MovingMass, W_M: RelativeMotion) -> Vec3:
    """Return v_WC of the whole robot's centre of mass from what one module knows.

    Args:
        whole: the whole robot seen from the module's frame M.
        W_M: motion of M in the world.

    Returns:
        The velocity, expressed in W, (3,) [m/s].
    """
    seen = whole.seen_from(W_M)
    return np.asarray(seen.rate / seen.mass.mass, dtype=np.float64)
