"""What wires between processes have in common: which ends are here, and inner mail.

A process runs some of the nodes. Frames between two of them never leave it; the others
go out by whatever a subclass stands for. ``send`` and ``receive`` are the small
interface of every transport; ``post`` and ``collect`` do the same for all nodes at
once, in compiled code.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Ints
from equipoise.core.bound import bound
from equipoise.core.errors import ConfigError
from equipoise.modules.frame import FRAME_SIZE
from equipoise.modules.kernels.datagram import (
    ArrivedFrames,
    Docks,
    OutgoingFrames,
    PutAside,
    copy_into_mail,
    put_aside,
)
from equipoise.modules.transports.many_datagrams import Bytes
from equipoise.modules.transports.transport import AbstractTransport, End, Link

__all__ = ["ROOM", "AbstractBatchWires", "far_ends"]

ROOM = 256
"""Frames from other processes that are taken at once, at least."""


def far_ends(links: Iterable[Link], nodes: int, ports: int) -> Ints:
    """Return the end that is docked to each end, (nodes * ports,); -1 for none.

    Args:
        links: which ends are docked to each other.
        nodes: how many there are.
        ports: connectors of a node; end p of node n is n * ports + p.
    """
    far = np.full(nodes * ports, -1, np.int64)
    for (a, p), (b, q) in links:
        far[a * ports + p], far[b * ports + q] = b * ports + q, a * ports + p
    return far


class AbstractBatchWires(AbstractTransport[bytes]):
    """One process's end of all its links.

    Attributes:
        tick: the process's present tick; set it each tick.
        refused: what came in and was no frame for an end of ours.
        unsent: frames that the system would not take.
        mail: frames that ``collect`` found, (room, 64).
        where: for which node (its place in ``nodes``) and port, (room, 2).
    """

    def __init__(self, nodes: Sequence[int], far: Ints, ports: int) -> None:
        """Lay out who is docked where.

        Args:
            nodes: which nodes live here.
            far: for each end of the robot the end docked to it, see ``far_ends``.
            ports: connectors of a node.
        """
        self.nodes, self.ports = list(nodes), ports
        self.tick = self.refused = self.unsent = 0
        own = np.array([n * ports + p for n in nodes for p in range(ports)], np.int64)
        place = np.full(len(far), -1, np.int64)
        place[own] = np.arange(len(own))
        is_docked = far[own] >= 0
        is_inner = is_docked & (place[far[own]] >= 0)
        outer, inner = np.flatnonzero(is_docked & ~is_inner), np.flatnonzero(is_inner)
        self._docks = Docks(own, far, place, outer, inner, ports)
        self._inner_count, count = 0, len(inner)
        aside = PutAside(np.zeros((count, 8), np.int64), np.zeros(count, np.int64))
        room = ROOM + count
        self._aside = aside
        self._mail = ArrivedFrames(
            np.zeros((room, 8), np.int64), np.zeros((room, 2), np.int64)
        )
        self.mail: Bytes = self._mail.frames.view(np.uint8)
        self.where: Ints = self._mail.where
        self._frames = np.zeros((len(nodes), ports, FRAME_SIZE), np.uint8)
        self._sends = np.zeros((len(nodes), ports), np.bool_)
        self._boxes: dict[int, list[tuple[int, bytes]]] = {}

        self._source: tuple[Bytes, NDArray[np.bool_]] = (self._frames, self._sends)
        self._put_aside = self._bound_put_aside()
        self._hand_over = bound(copy_into_mail, aside, self._docks, self._mail, int)

    def _outbox(self) -> OutgoingFrames:
        frames, sends = self._source
        words = frames.reshape(-1, FRAME_SIZE).view(np.int64)
        return OutgoingFrames(words, sends.reshape(-1))

    def _bound_put_aside(self) -> Callable[[], int]:
        return bound(put_aside, self._outbox(), self._docks, self._aside)

    def _draw_from(self, frames: Bytes, sends: NDArray[np.bool_]) -> None:
        """Note from which arrays frames are sent; they are mostly the same ones."""
        if not (frames.flags.c_contiguous and sends.flags.c_contiguous):
            raise ConfigError("the wires", ["frames and sends must be contiguous"])
        self._source = (frames, sends)
        self._put_aside = self._bound_put_aside()

    @abstractmethod
    def _post_outer(self) -> int:
        """Send the marked frames of outer ends; return how many went."""

    @abstractmethod
    def _collect_outer(self, found: int) -> int:
        """Add frames from other processes to the first ``found``; return how many."""

    def post(self, frames: Bytes, sends: NDArray[np.bool_]) -> int:
        """Send the marked frames; return how many went.

        Args:
            frames: (nodes, ports, 64), contiguous.
            sends: which of them, (nodes, ports), contiguous.

        Raises:
            ConfigError: arrays with gaps.
        """
        if frames is not self._source[0] or sends is not self._source[1]:
            self._draw_from(frames, sends)
        sent = self._post_outer() if len(self._docks.outer) else 0
        if len(self._docks.inner):
            self._inner_count = self._put_aside()
        return sent + self._inner_count

    def collect(self) -> int:
        """Gather the frames that have arrived; return how many, see ``mail``."""
        found = 0
        if self._inner_count:
            found = self._hand_over(self._inner_count)
            self._inner_count = 0
        return self._collect_outer(found) if len(self._docks.outer) else found

    def send(self, end: End, message: bytes) -> None:
        """Put one frame of 64 bytes on the wire.

        Raises:
            ConfigError: the frame has another size, or the node lives elsewhere.
        """
        node, port = end
        if node not in self.nodes or len(message) != FRAME_SIZE:
            problem = f"they carry {FRAME_SIZE} bytes from nodes {self.nodes}"
            got = f"got {len(message)} from node {node}"
            raise ConfigError("the wires", [f"{problem}, {got}"])
        self._drain()  # what is inside would be overwritten
        place = self.nodes.index(node)
        self._sends[:] = False
        self._sends[place, port] = True
        self._frames[place, port] = np.frombuffer(message, np.uint8)
        self.post(self._frames, self._sends)

    def receive(self, node: int) -> list[tuple[int, bytes]]:
        """Take everything that has arrived at one of our nodes."""
        self._drain()
        return self._boxes.pop(node, [])

    def in_flight(self) -> int:
        """Return how many frames wait here; what others hold is not known."""
        self._drain()
        return sum(map(len, self._boxes.values()))

    def _drain(self) -> None:
        for k in range(self.collect()):
            place, port = self.where[k].tolist()
            box = self._boxes.setdefault(self.nodes[place], [])
            box.append((port, self.mail[k].tobytes()))
