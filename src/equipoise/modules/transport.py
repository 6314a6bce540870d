"""How a message gets from one node's connector to the connector docked to it.

A transport is the one thing here with inner state that changes in place: it stands for
the wires. ``InMemory`` is perfect wires; ``equipoise.modules.faults`` wraps any
transport to make it worse; datagrams or a bus would be further subclasses.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TypeAlias, final

from equipoise.core.errors import ConfigError
from equipoise.modules.message import Message

__all__ = ["AbstractTransport", "End", "InMemory", "Link"]

End: TypeAlias = tuple[int, int]
"""One end of a link: (node, port)."""
Link: TypeAlias = tuple[End, End]
"""Two ends that are docked to each other."""


class AbstractTransport(ABC):
    """Carries messages over links; promises nothing about when, or whether at all."""

    @abstractmethod
    def send(self, end: End, message: Message) -> None:
        """Put a message on the wire at the sender's own end."""

    @abstractmethod
    def receive(self, node: int) -> list[tuple[int, Message]]:
        """Take everything that has arrived at a node: (its port, message) in order."""

    @abstractmethod
    def in_flight(self) -> int:
        """Return how many messages were sent but not yet received (nor lost)."""


@final
class InMemory(AbstractTransport):
    """Perfect wires: nothing is lost, order is kept.

    A message sent at an end to which nothing is docked vanishes.
    """

    def __init__(self, links: Iterable[Link] = ()) -> None:
        """Dock the given links; see ``dock``."""
        self._far: dict[End, End] = {}
        self._mail: dict[int, list[tuple[int, Message]]] = {}
        for link in links:
            self.dock(link)

    def dock(self, link: Link) -> None:
        """Join two ends.

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

    def send(self, end: End, message: Message) -> None:
        """Deliver into the mail box at the far end."""
        far = self._far.get(end)
        if far is not None:
            self._mail.setdefault(far[0], []).append((far[1], message))

    def receive(self, node: int) -> list[tuple[int, Message]]:
        """Empty the node's mail box."""
        return self._mail.pop(node, [])

    def in_flight(self) -> int:
        """Return the number of messages in the mail boxes."""
        return sum(map(len, self._mail.values()))
