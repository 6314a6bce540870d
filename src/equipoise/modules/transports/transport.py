"""How a message gets from one node's connector to the connector docked to it.

A transport is the one thing here with inner state that changes in place: it stands for
the wires. What it carries is its own affair: messages, or frames as bytes.
``InMemory`` is perfect wires; ``equipoise.modules.faults`` wraps any transport to make
it worse; ``datagram`` and ``can_bus`` carry bytes between processes.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeAlias, TypeVar, final

from equipoise.core.errors import ConfigError

__all__ = ["AbstractTransport", "End", "InMemory", "Link"]

T = TypeVar("T")

End: TypeAlias = tuple[int, int]
"""One end of a link: (node, port)."""
Link: TypeAlias = tuple[End, End]
"""Two ends that are docked to each other."""


class AbstractTransport(ABC, Generic[T]):
    """Transport of messages over links, without a guarantee that they arrive."""

    @abstractmethod
    def send(self, end: End, message: T) -> None:
        """Put a message on the wire at the sender's own end."""

    @abstractmethod
    def receive(self, node: int) -> list[tuple[int, T]]:
        """Return all that has arrived at a node: (its port, message) in order."""

    @abstractmethod
    def in_flight(self) -> int:
        """Return the number of messages sent but neither received nor lost."""

    def close(self) -> None:
        """Release the operating system's resources; nothing may be sent afterwards."""


@final
class InMemory(AbstractTransport[T]):
    """Perfect transport: nothing is lost, and the order is kept.

    A message sent at an end to which nothing is docked vanishes.
    """

    def __init__(self, links: Iterable[Link] = ()) -> None:
        """Dock the given links; see ``dock``."""
        self._far: dict[End, End] = {}
        self._mail: dict[int, list[tuple[int, T]]] = {}
        for link in links:
            self.dock(link)

    def dock(self, link: Link) -> None:
        """Connect two ends.

        Raises:
            ConfigError: an end is in use already, or both ends are the same.
        """
        a, b = link
        used = [
            f"node {node} port {port} is docked to node {far[0]} port {far[1]} already"
            for node, port in link
            if (far := self._far.get((node, port))) is not None
        ]
        if a == b:
            used.append(f"node {a[0]} port {a[1]} cannot be docked to itself")
        if used:
            raise ConfigError(f"link {a} to {b}", used)
        self._far[a], self._far[b] = b, a

    def undock(self, link: Link) -> None:
        """Separate two ends; messages already on the wire still arrive.

        Raises:
            ConfigError: the two ends are not docked to each other.
        """
        a, b = link
        if self._far.get(a) != b:
            raise ConfigError(f"link {a} to {b}", ["it is not docked"])
        del self._far[a], self._far[b]

    def send(self, end: End, message: T) -> None:
        """Deliver a message to the mailbox at the far end."""
        far = self._far.get(end)
        if far is not None:
            self._mail.setdefault(far[0], []).append((far[1], message))

    def receive(self, node: int) -> list[tuple[int, T]]:
        """Empty the node's mailbox and return its messages."""
        return self._mail.pop(node, [])

    def in_flight(self) -> int:
        """Return the number of messages in the mailboxes."""
        return sum(map(len, self._mail.values()))
