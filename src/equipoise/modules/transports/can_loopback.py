"""A CAN bus between processes of one machine: multicast that stays on the loopback.

python-can's own multicast bus listens on every interface of the machine. This one joins
its group on 127.0.0.1 alone, is bound to the group's address, so that nothing else
reaches it, and sends with a hop limit of 0. Messages are CAN FD with 29-bit ids:
four bytes of id, then the data.
"""

import select
import socket
import struct
from typing import final

import can

__all__ = ["LoopbackBus"]

LOOPBACK = socket.inet_aton("127.0.0.1")
IP_MULTICAST_ALL = 49  # Linux: 0 leaves out groups that only others have joined
LONGEST = 4 + 64


@final
class LoopbackBus(can.BusABC):
    """One process's end of the bus."""

    def __init__(self, channel: str) -> None:
        """Join the bus.

        Args:
            channel: address of the group and port, as "239.74.1.2:20001".

        Raises:
            ValueError: no such address.
            OSError: it cannot be joined.
        """
        super().__init__(channel)
        group, _, port = channel.rpartition(":")
        self._group = (group, int(port))
        self._socket = _joined(*self._group)

    def send(self, msg: can.Message, timeout: float | None = None) -> None:
        """Send a message to everybody on the bus.

        Args:
            msg: CAN FD, with a 29-bit identifier.
            timeout: not read; the loopback does not wait.
        """
        head = struct.pack("<I", msg.arbitration_id)
        self._socket.sendto(head + bytes(msg.data), self._group)

    def _recv_internal(self, timeout: float | None) -> tuple[can.Message | None, bool]:
        if not select.select([self._socket], [], [], timeout)[0]:
            return None, False
        data, sender = self._socket.recvfrom(LONGEST + 1)
        if not 4 <= len(data) <= LONGEST:
            raise can.CanOperationError(f"{len(data)} bytes from {sender}, no message")
        (number,) = struct.unpack_from("<I", data)
        try:
            return can.Message(
                arbitration_id=number, is_fd=True, data=data[4:], check=True
            ), False
        except ValueError as error:
            raise can.CanOperationError(f"no message from {sender}") from error

    def fileno(self) -> int:
        """Return the socket's number."""
        return self._socket.fileno()

    def shutdown(self) -> None:
        """Leave the bus."""
        super().shutdown()
        self._socket.close()


def _joined(group: str, port: int) -> socket.socket:
    """Return a socket that hears one group on the loopback, and nothing else."""
    wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        for option in ("SO_REUSEADDR", "SO_REUSEPORT"):
            if hasattr(socket, option):
                wire.setsockopt(socket.SOL_SOCKET, getattr(socket, option), 1)
        level = socket.IPPROTO_IP
        try:
            wire.setsockopt(level, IP_MULTICAST_ALL, 0)
        except OSError:
            pass  # not Linux; the group's address is of this run alone
        wire.setsockopt(level, socket.IP_MULTICAST_IF, LOOPBACK)
        wire.setsockopt(level, socket.IP_MULTICAST_TTL, 0)
        wire.bind((group, port))
        member = socket.inet_aton(group) + LOOPBACK
        wire.setsockopt(level, socket.IP_ADD_MEMBERSHIP, member)
    except BaseException:
        wire.close()
        raise
    return wire
