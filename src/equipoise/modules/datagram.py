"""Frames between processes as UDP or Unix datagrams, each with a keyed tag.

One frame is one datagram of 88 bytes: the two ends it goes between, the sender's tick,
the 64-byte frame, and eight bytes that only a holder of the run's key can make
(``keyed_tag``). What is not such a datagram, or is not from the end that is docked
there, or is many ticks old, is counted in ``refused`` and changes nothing.

UDP sockets are on 127.0.0.1 and take any free port. Unix sockets lie in a folder that
only their user may enter. All of a robot's wires are opened at once, before processes
part ways: each process then keeps its own. Frames between two nodes of one process
never leave it.

``send`` and ``receive`` are the small interface of every transport; ``post`` and
``collect`` do the same for all nodes at once, in compiled code and few system calls.
"""

import socket
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Ints
from equipoise.core.errors import ConfigError
from equipoise.modules.datagram_batch import Address, Bytes, Incoming, Outgoing
from equipoise.modules.datagram_kernel import (
    LENGTH,
    WORDS,
    hand_over,
    pack,
    put_aside,
    unpack,
)
from equipoise.modules.frame import FRAME_SIZE
from equipoise.modules.transport import AbstractTransport, End, Link

__all__ = ["DatagramWires", "Family", "bound_socket", "open_wires"]

Family = Literal["udp", "unix"]
_ROOM = 64  # datagrams that are taken in one call
_BUFFER = 1 << 20  # bytes that may wait at a UDP socket
_LONGEST_PATH = 100  # a Unix socket's name must fit 108 bytes


def bound_socket(family: Family, path: Path | None) -> tuple[socket.socket, Address]:
    """Return a new socket and where it can be reached.

    Args:
        family: UDP takes a free port of 127.0.0.1.
        path: where a Unix socket shall lie; not read for UDP.

    Raises:
        ConfigError: the path is too long for a socket.
    """
    if family == "udp":
        wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        wire.bind(("127.0.0.1", 0))
        return wire, wire.getsockname()
    name = str(path)
    if len(name.encode()) > _LONGEST_PATH:
        raise ConfigError(
            f"socket {name}",
            [f"its path must have at most {_LONGEST_PATH} bytes; set a shorter TMPDIR"],
        )
    wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    wire.bind(name)
    return wire, name


def open_wires(
    family: Family,
    hosts: Sequence[Sequence[int]],
    links: Iterable[Link],
    *,
    ports: int,
    key: Ints,
    folder: Path | None = None,
    name: str = "wire",
) -> "tuple[DatagramWires, ...]":
    """Return the wires of every process, all sockets open.

    Args:
        family: "udp" or "unix".
        hosts: the nodes that live in each process.
        links: which ends are docked.
        ports: connectors of a node.
        key: the run's key, (2,).
        folder: where Unix sockets lie; a private one.
        name: first part of their names.
    """
    far = np.full(ports * (1 + max(max(nodes) for nodes in hosts)), -1, np.int64)
    for (a, p), (b, q) in links:
        far[a * ports + p], far[b * ports + q] = b * ports + q, a * ports + p
    opened: list[tuple[socket.socket, Address]] = []
    try:
        for k in range(len(hosts)):
            path = None if folder is None else folder / f"{name}{k}"
            opened.append(bound_socket(family, path))
    except BaseException:
        for wire, _ in opened:
            wire.close()
        raise
    home = np.full(len(far) // ports, -1, np.int64)
    for k, nodes in enumerate(hosts):
        home[list(nodes)] = k
    addresses = [address for _, address in opened]
    return tuple(
        DatagramWires(wire, nodes, far, [addresses[h] for h in home], ports, key)
        for nodes, (wire, _) in zip(hosts, opened, strict=True)
    )


@final
class DatagramWires(AbstractTransport[bytes]):
    """One process's end of all its links to others.

    Attributes:
        tick: the process's present tick; set it each tick.
        refused: datagrams that were not ours or not for us.
        unsent: frames that the system would not take: the receiver's box was full.
        mail: frames that ``collect`` found, (room, 64).
        where: for which node (its place in ``nodes``) and port, (room, 2).
    """

    def __init__(
        self,
        wire: socket.socket,
        nodes: Sequence[int],
        far: Ints,
        addresses: Sequence[Address],
        ports: int,
        key: Ints,
    ) -> None:
        """Lay out who is docked where.

        Args:
            wire: the process's socket.
            nodes: which nodes live here.
            far: for each end of the robot, node * ports + port, the end docked to it;
                -1 for none.
            addresses: where each node lives.
            ports: connectors of a node.
            key: the run's key, (2,).
        """
        self.wire, self.nodes, self.ports = wire, list(nodes), ports
        self.tick = self.refused = self.unsent = 0
        self._key, self._far = key, far
        own = np.array([n * ports + p for n in nodes for p in range(ports)], np.int64)
        self._place = np.full(len(far), -1, np.int64)
        self._place[own] = np.arange(len(own))
        is_docked = far[own] >= 0
        is_inner = is_docked & (self._place[far[own]] >= 0)
        self._outer = np.flatnonzero(is_docked & ~is_inner)
        self._inner = np.flatnonzero(is_inner)
        self._own = own
        self._words = np.zeros((len(self._outer), WORDS), np.int64)
        peers = [addresses[end // ports] for end in far[own[self._outer]].tolist()]
        self._out = Outgoing(self._words.view(np.uint8), peers)
        self._chosen = np.zeros(len(self._outer), np.int64)
        self._in = Incoming(_ROOM, LENGTH + 8)
        self._in_words = self._in.rows.view(np.int64)
        self._inner_box = np.zeros((len(self._inner), 8), np.int64)
        self._inner_to = np.zeros(len(self._inner), np.int64)
        self._inner_count = 0
        room = _ROOM * 4 + len(self._inner)
        self._mail = np.zeros((room, 8), np.int64)
        self.mail: Bytes = self._mail.view(np.uint8)
        self.where: Ints = np.zeros((room, 2), np.int64)
        self._frames = np.zeros((len(nodes), ports, FRAME_SIZE), np.uint8)
        self._sends = np.zeros((len(nodes), ports), np.bool_)
        self._boxes: dict[int, list[tuple[int, bytes]]] = {}

    def post(self, frames: Bytes, sends: NDArray[np.bool_]) -> int:
        """Send the marked frames; return how many went.

        Args:
            frames: (nodes, ports, 64).
            sends: which of them, (nodes, ports).
        """
        words = frames.reshape(-1, FRAME_SIZE).view(np.int64)
        marks = sends.reshape(-1)
        count = pack(
            self._key, self.tick, words, marks, self._outer, self._own, self._far,
            self._words, self._chosen,
        )  # fmt: skip
        unsent = self._out.send(self.wire, self._chosen[:count]) if count else 0
        self.unsent += unsent
        inside = 0
        if len(self._inner):
            inside = put_aside(
                words, marks, self._inner, self._own, self._far, self._place,
                self._inner_box, self._inner_to,
            )  # fmt: skip
            self._inner_count = inside
        return count - unsent + inside

    def collect(self) -> int:
        """Gather the frames that have arrived; return how many, see ``mail``."""
        found = 0
        if self._inner_count:
            found = hand_over(
                self._inner_box, self._inner_to, self._inner_count, self.ports,
                self._mail, self.where,
            )  # fmt: skip
            self._inner_count = 0
        for _ in range(4) if len(self._outer) else ():
            came = self._in.receive(self.wire)
            if not came:
                break
            before = found
            found = unpack(
                self._key, self.tick, self._in_words, self._in.lengths, came,
                self._far, self._place, self.ports, self._mail, self.where, found,
            )  # fmt: skip
            self.refused += came - (found - before)
            if came < _ROOM:
                break
        return found

    def send(self, end: End, message: bytes) -> None:
        """Put one frame of 64 bytes on the wire.

        Raises:
            ConfigError: the frame has another size, or the node lives elsewhere.
        """
        node, port = end
        if node not in self.nodes or len(message) != FRAME_SIZE:
            problem = f"it carries {FRAME_SIZE} bytes from nodes {self.nodes}"
            got = f"got {len(message)} from node {node}"
            raise ConfigError("DatagramWires", [f"{problem}, {got}"])
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

    def close(self) -> None:
        """Close the socket, and remove its name where it has one."""
        name = self.wire.getsockname() if self.wire.fileno() >= 0 else None
        self.wire.close()
        if isinstance(name, str) and name:
            Path(name).unlink(missing_ok=True)
