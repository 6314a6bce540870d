"""What a program on a node is: a pure step from what it hears to what it says.

A node has numbered connectors (ports). Its program sees its own inputs (sensors, which
connectors are docked) and the messages that came in through its connectors: no other
node's state, no positions in the world, no shared memory. State is explicit, so that
a run can be stored, replayed, and moved to another process.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

__all__ = ["AbstractProgram", "Inbox", "Inputs", "M", "Outbox", "State"]

M = TypeVar("M")  # what is said: a Message, or a frame as bytes
Inputs = TypeVar("Inputs")
State = TypeVar("State")

Inbox: TypeAlias = Sequence[tuple[int, M]]
"""(port, message) in the order of arrival; a port may occur more than once."""
Outbox: TypeAlias = Mapping[int, M]
"""At most one message per port."""


class AbstractProgram(ABC, Generic[Inputs, State, M]):
    """Program of a node; the same object may serve many nodes, as it has no state."""

    @abstractmethod
    def init(self) -> State:
        """Return the state before the first step."""

    @abstractmethod
    def step(
        self, inbox: Inbox[M], inputs: Inputs, state: State
    ) -> tuple[Outbox[M], State]:
        """Return the outbox and the next state; arguments are left unchanged.

        Args:
            inbox: what arrived since the last step.
            inputs: what the node itself senses now.
            state: what the last step (or ``init``) returned.
        """
