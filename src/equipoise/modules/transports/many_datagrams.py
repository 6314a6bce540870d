"""Many datagrams in one call of the operating system, where it can (Linux).

A module sends a few small datagrams a tick, a thousand times a second; what costs is
not the bytes but the calls. ``Outgoing`` and ``Incoming`` keep rows of memory and the
kernel's list of them, made once; elsewhere than on Linux they call once a datagram.
"""

import ctypes
import socket
import struct
import sys
from collections.abc import Sequence
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Ints

__all__ = ["Address", "Bytes", "Incoming", "Outgoing", "has_batches"]

Address: TypeAlias = str | tuple[str, int]
"""Path of a Unix socket, or host and port."""
Bytes: TypeAlias = NDArray[np.uint8]

_HEADER = np.dtype(
    {
        "names": ["name", "name_len", "iov", "iov_len", "flags", "len"],
        "formats": ["<u8", "<u4", "<u8", "<u8", "<i4", "<u4"],
        "offsets": [0, 8, 16, 24, 48, 56],
        "itemsize": 64,
    }
)  # struct mmsghdr where pointers have 8 bytes
_PIECE = np.dtype([("base", "<u8"), ("len", "<u8")])  # struct iovec
_DONT_WAIT = int(getattr(socket, "MSG_DONTWAIT", 0))


def _system() -> Any:
    """Return the C library if it has the two calls as described above, else None."""
    is_known = sys.platform == "linux" and struct.calcsize("P") == 8
    library = ctypes.CDLL(None) if is_known and sys.byteorder == "little" else None
    if library is None or not hasattr(library, "sendmmsg"):
        return None
    number, place, count = ctypes.c_int, ctypes.c_void_p, ctypes.c_uint
    library.sendmmsg.argtypes = (number, place, count, number)
    library.recvmmsg.argtypes = (number, place, count, number, place)
    return library


_LIBRARY = _system()


def has_batches() -> bool:
    """Return whether this system sends many datagrams in a call."""
    return _LIBRARY is not None


def _packed_address(address: Address) -> bytes:
    """Return an address as the kernel reads it."""
    if isinstance(address, str):
        return struct.pack("=H", socket.AF_UNIX) + address.encode() + b"\0"
    host, port = address
    where = struct.pack("!H", port) + socket.inet_aton(host)
    return struct.pack("=H", socket.AF_INET) + where + bytes(8)


def _headers(rows: Bytes) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the kernel's list of the rows, and the pieces that it points to."""
    count, size = rows.shape
    pieces = np.zeros(count, _PIECE)
    pieces["base"] = rows.ctypes.data + size * np.arange(count, dtype=np.uint64)
    pieces["len"] = size
    headers = np.zeros(count, _HEADER)
    headers["iov"] = pieces.ctypes.data + 16 * np.arange(count, dtype=np.uint64)
    headers["iov_len"] = 1
    return headers, pieces


@final
class Outgoing:
    """Datagrams to be sent: row k always goes to address k."""

    def __init__(self, rows: Bytes, addresses: Sequence[Address]) -> None:
        """Point the kernel's list at the rows and addresses; both stay where they are.

        Args:
            rows: (n, size), filled before each sending.
            addresses: n of them.
        """
        self.rows, self.addresses = rows, list(addresses)
        self._headers, self._pieces = _headers(rows)
        packed = [_packed_address(address) for address in addresses]
        width = max(map(len, packed), default=1)
        self._names = np.zeros((len(packed), width), np.uint8)
        for k, name in enumerate(packed):
            self._names[k, : len(name)] = np.frombuffer(name, np.uint8)
            self._headers["name"][k] = self._names.ctypes.data + k * width
            self._headers["name_len"][k] = len(name)
        self._all = self._headers.view(np.int64).reshape(-1, 8)
        self._list = self._all.copy()
        self._starts = self._all.ctypes.data, self._list.ctypes.data

    def send(self, wire: socket.socket, chosen: Ints) -> int:
        """Send the chosen rows in order, never waiting; return how many did not go.

        Args:
            wire: the socket to send from.
            chosen: numbers of rows, rising, (m,).
        """
        if _LIBRARY is None:
            return self._one_by_one(wire, chosen)
        count, done, failed = len(chosen), 0, 0
        start, number = self._starts[0], wire.fileno()
        if count < len(self._all):
            self._list[:count] = self._all[chosen]
            start = self._starts[1]
        while done < count:
            sent = int(
                _LIBRARY.sendmmsg(number, start + 64 * done, count - done, _DONT_WAIT)
            )
            failed += sent <= 0  # that one: its box is full, or gone; the rest may go
            done += max(sent, 1)
        return failed

    def _one_by_one(self, wire: socket.socket, chosen: Ints) -> int:
        failed = 0
        for k in chosen.tolist():
            try:
                wire.sendto(self.rows[k].data, _DONT_WAIT, self.addresses[k])
            except OSError:
                failed += 1
        return failed


@final
class Incoming:
    """Room for datagrams that have arrived."""

    def __init__(self, count: int, size: int) -> None:
        """Make room.

        Args:
            count: datagrams that fit.
            size: bytes of each; longer ones are cut.
        """
        self.rows: Bytes = np.zeros((count, size), np.uint8)
        self.lengths: NDArray[np.uint32] = np.zeros(count, np.uint32)
        self._headers, self._pieces = _headers(self.rows)
        self._came = self._headers["len"]
        self._start = int(self._headers.ctypes.data)

    def receive(self, wire: socket.socket, most: int | None = None) -> int:
        """Take what is there into the rows and return how many came.

        Args:
            wire: where from.
            most: None takes what is there and never waits; a number waits for that
                many, as long as the socket's own time limit allows between two.
        """
        if _LIBRARY is None:
            return self._one_by_one(wire, most)
        flags = _DONT_WAIT if most is None else 0
        room = len(self.rows) if most is None else most
        number = wire.fileno()
        came = int(_LIBRARY.recvmmsg(number, self._start, room, flags, None))
        self.lengths[:] = self._came
        return max(came, 0)

    def _one_by_one(self, wire: socket.socket, most: int | None) -> int:
        flags = _DONT_WAIT if most is None else 0
        for k in range(len(self.rows) if most is None else most):
            try:
                self.lengths[k] = wire.recv_into(self.rows[k].data, 0, flags)
            except OSError:
                return k
        return len(self.rows) if most is None else most
