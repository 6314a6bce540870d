"""Frames between processes as UDP or Unix datagrams, each with a keyed tag.

One frame is one datagram of 88 bytes: the two ends it goes between, the sender's tick,
the 64-byte frame, and eight bytes that only a holder of the run's key can make
(``keyed_tag``). What is not such a datagram, or is not from the end that is docked
there, or is many ticks old, is counted in ``refused`` and changes nothing.

UDP sockets are on 127.0.0.1 and take any free port. Unix sockets lie in a folder that
only their user may enter. All of a robot's wires are opened at once, before processes
part ways: each process then keeps its own.
"""

import socket
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Ints
from equipoise.core.bound import bound
from equipoise.core.errors import ConfigError
from equipoise.modules.kernels.datagram import (
    LENGTH,
    WORDS,
    Came,
    keep_frames,
    pack_datagrams,
)
from equipoise.modules.transports.batch_wires import ROOM, AbstractBatchWires, far_ends
from equipoise.modules.transports.many_datagrams import (
    Address,
    Bytes,
    Incoming,
    Outgoing,
)
from equipoise.modules.transports.transport import Link

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
    far = far_ends(links, 1 + max(max(nodes) for nodes in hosts), ports)
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
class DatagramWires(AbstractBatchWires):
    """One process's end of all its links to others, one socket."""

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
            far: for each end of the robot the end docked to it, see ``far_ends``.
            addresses: where each node lives.
            ports: connectors of a node.
            key: the run's key, (2,).
        """
        super().__init__(nodes, far, ports)
        self.wire, self._key = wire, key
        docks = self._docks
        outer = docks.own[docks.outer]
        self._words = np.zeros((len(outer), WORDS), np.int64)
        peers = [addresses[e // ports] for e in far[outer].tolist()]
        self._out = Outgoing(self._words.view(np.uint8), peers)
        self._chosen = np.zeros(len(outer), np.int64)
        self._in = Incoming(_ROOM, LENGTH + 8)
        self._pack = self._bound_pack()
        came = Came(self._in.rows.view(np.int64), self._in.lengths)
        self._unpack = bound(keep_frames, key, came, docks, self._mail, int, int, int)

    def _bound_pack(self) -> Callable[[int], int]:
        docks, words = self._docks, self._words
        return bound(
            pack_datagrams, self._key, self._outbox(), docks, words, self._chosen, int
        )

    def _draw_from(self, frames: Bytes, sends: NDArray[np.bool_]) -> None:
        super()._draw_from(frames, sends)
        self._pack = self._bound_pack()

    def _post_outer(self) -> int:
        count = self._pack(self.tick)
        unsent = self._out.send(self.wire, self._chosen[:count]) if count else 0
        self.unsent += unsent
        return count - unsent

    def _collect_outer(self, found: int) -> int:
        for _ in range(ROOM // _ROOM):
            came = self._in.receive(self.wire)
            before = found
            if came:
                found = self._unpack(self.tick, came, found)
            self.refused += came - (found - before)
            if came < _ROOM:
                break
        return found

    def close(self) -> None:
        """Close the socket, and remove its name where it has one."""
        name = self.wire.getsockname() if self.wire.fileno() >= 0 else None
        self.wire.close()
        if isinstance(name, str) and name:
            Path(name).unlink(missing_ok=True)
