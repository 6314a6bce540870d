"""Frames on a CAN FD bus through python-can, whatever interface it drives.

One frame is one CAN FD message of 64 bytes; nothing else fits. The arbitration id (29
bits, extended) says which end of which link speaks:

| bits | meaning |
| --- | --- |
| 0-2 | the sender's port, 0 to 7 |
| 3-17 | the sending node, 0 to 32767 |
| 18 | parity of the sender's tick |
| 19-28 | mark of this robot, so that a bus can be shared; a small one goes first |

Eleven bits would hold 256 ends only. A second message under the same id, of 16 bytes,
seals the frame: the sender's tick, and the tag that only a holder of the run's key can
make (``keyed_tag``, over the same words as in a datagram). Who is docked to that end
takes the frame when its seal is there; all others, messages of any other form, frames
without a seal and seals without a frame change nothing. A message of the present tick
is kept for the next one, so that a round stays a round however fast the neighbours are.
"""

import os
import socket
import struct
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.errors import ConfigError
from equipoise.core.extras import require_extra
from equipoise.modules.frame import FRAME_SIZE
from equipoise.modules.kernels.datagram import ENDS, FRAME, TAG, TICK, WINDOW, WORDS
from equipoise.modules.transports.batch_wires import AbstractBatchWires
from equipoise.modules.transports.keyed_tag import tag_of

if TYPE_CHECKING:
    import can

__all__ = ["LOOPBACK", "MARKS", "CanWires", "arbitration_id", "open_bus"]

LOOPBACK = "loopback"
"""Our own interface beside python-can's: a bus within this machine."""

MARKS = 1 << 10
"""Marks that can tell robots on one bus apart."""
_PORTS, _NODES, _PARITY, _MARK = 8, 1 << 15, 18, 19
_MOST = 4096  # messages looked at in one go, so that a babbling bus cannot hold us
_BUFFER = 1 << 21  # bytes that may wait at a socket
_SEAL = struct.Struct("<qq")  # tick and tag
_UNSEALED = 4  # frames of one end that may wait for their seal


def arbitration_id(node: int, port: int, tick: int, mark: int) -> int:
    """Return the identifier of a frame that a node sends by a port.

    Args:
        node: 0 to 32767.
        port: 0 to 7.
        tick: the sender's; its parity counts.
        mark: the robot's, 0 to 1023.
    """
    return port | node << 3 | (tick & 1) << _PARITY | mark << _MARK


def open_bus(
    interface: str, channel: str, options: Mapping[str, Any] | None = None
) -> "can.BusABC":
    """Return a CAN FD bus of python-can.

    Args:
        interface: its name there, as "socketcan", "virtual" or "udp_multicast"; or
            "loopback", which is ours and never leaves this machine.
        channel: as that interface wants it: "can0", a multicast address, or one with
            a port for "loopback".
        options: further arguments of the interface.

    Raises:
        ConfigError: the bus cannot be opened; python-can's reason is in the message.
        MissingExtraError: python-can is not installed.
    """
    require_extra("can", "can")
    import can

    try:
        if interface == LOOPBACK:
            from equipoise.modules.transports.can_loopback import LoopbackBus

            bus: can.BusABC = LoopbackBus(channel)
        else:
            more = options or {}
            bus = can.Bus(interface=interface, channel=channel, fd=True, **more)
    except (can.CanError, OSError, ValueError, NotImplementedError) as error:
        reason = str(error) or type(error).__name__
        raise ConfigError(f"CAN bus {interface} {channel}", [reason]) from None
    _give_room(bus)
    return bus


def _give_room(bus: "can.BusABC") -> None:
    """Let more messages wait, where the bus is a socket."""
    try:
        with socket.socket(fileno=os.dup(bus.fileno())) as twin:
            twin.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
    except (OSError, NotImplementedError):
        pass  # not a socket; it has its own ways


@final
class CanWires(AbstractBatchWires):
    """One process's end of all its links, on one bus that it shares with the others."""

    def __init__(
        self,
        bus: "can.BusABC",
        nodes: Sequence[int],
        far: Ints,
        ports: int,
        key: Ints,
        mark: int = 0,
    ) -> None:
        """Lay out who is docked where.

        Args:
            bus: an open bus; closed with the wires.
            nodes: which nodes live here.
            far: for each end of the robot the end docked to it, see ``far_ends``.
            ports: connectors of a node.
            key: the run's key, (2,).
            mark: the robot's, 0 to 1023; the same for all its processes.

        Raises:
            ConfigError: more nodes, ports or marks than an identifier can tell apart.
        """
        count = len(far) // ports
        problems = [
            f"{name} must be at most {most}, got {value}"
            for name, value, most in (
                ("nodes", count, _NODES),
                ("ports", ports, _PORTS),
                ("mark", mark, MARKS - 1),
            )
            if value > most
        ]
        if problems:
            raise ConfigError("CanWires", problems)
        import can

        super().__init__(nodes, far, ports)
        self.bus, self.mark, self._message = bus, mark, can.Message
        self._problem: tuple[type[Exception], ...] = (can.CanError, OSError, ValueError)
        self._later: list[can.Message] = []
        self._key, self._words = key, np.zeros((1, WORDS), np.int64)
        self._unsealed: dict[int, deque[bytes]] = {}
        """By sending end: frames whose seal has not come."""

    def _post_outer(self) -> int:
        sent = 0
        frames = self._source[0].reshape(-1, FRAME_SIZE)
        sends = self._source[1].reshape(-1)
        for row in self._docks.outer[sends[self._docks.outer]].tolist():
            end, frame = int(self._docks.own[row]), frames[row].tobytes()
            tag = self._tag(end, self.tick, frame)
            try:
                for data in (frame, _SEAL.pack(self.tick, tag)):
                    self.bus.send(self._written(end, data))
                sent += 1
            except self._problem:
                self.unsent += 1
        return sent

    def _written(self, end: int, data: bytes) -> "can.Message":
        """Return what an end sends as a message."""
        node, port = divmod(end, self.ports)
        return self._message(
            arbitration_id=arbitration_id(node, port, self.tick, self.mark),
            is_extended_id=True,
            is_fd=True,
            bitrate_switch=True,
            data=data,
        )

    def _tag(self, end: int, tick: int, frame: bytes) -> int:
        """Return the tag of a frame that an end sends in a tick."""
        words = self._words
        words[0, ENDS], words[0, TICK] = end | int(self._docks.far[end]) << 32, tick
        words[0, FRAME:TAG] = np.frombuffer(frame, np.int64)
        return int(tag_of(self._key, words, 0, TAG))

    def _collect_outer(self, found: int) -> int:
        waiting, self._later = self._later, []
        for message in waiting:
            found = self._sort(message, found)
        for _ in range(_MOST):
            try:
                message = self.bus.recv(0.0)
            except self._problem:  # something that is no CAN message at all
                self.refused += 1
                continue
            if message is None:
                break
            found = self._sort(message, found)
        return found

    def _sort(self, message: "can.Message", found: int) -> int:
        """Take one message into the mail if it is for us and of an earlier tick."""
        number = message.arbitration_id
        is_frame = (
            message.is_fd
            and message.is_extended_id
            and not (message.is_error_frame or message.is_remote_frame)
            and len(message.data) in (FRAME_SIZE, _SEAL.size)
            and number >> _MARK == self.mark
        )
        end = (number >> 3) % _NODES * self.ports + number % _PORTS
        is_end = number % _PORTS < self.ports and end < len(self._docks.far)
        if not (is_frame and is_end):
            self.refused += 1
            return found
        to = int(self._docks.far[end])
        place = int(self._docks.place[to]) if to >= 0 else -1
        if place < 0:  # for somebody else
            return found
        if number >> _PARITY & 1 == self.tick & 1:
            self._later.append(message)
            return found
        frame = self._unsealed_by(end, bytes(message.data))
        if frame is not None and found < len(self.mail):
            self.mail[found] = np.frombuffer(frame, np.uint8)
            self.where[found] = divmod(place, self.ports)
            found += 1
        return found

    def _unsealed_by(self, end: int, data: bytes) -> bytes | None:
        """Put a frame aside, or return the one that a seal belongs to."""
        waiting = self._unsealed.setdefault(end, deque())
        if len(data) == FRAME_SIZE:
            waiting.append(data)
            if len(waiting) > _UNSEALED:
                waiting.popleft()
                self.refused += 1
            return None
        tick, tag = _SEAL.unpack(data)
        if abs(self.tick - tick) <= WINDOW:
            for frame in waiting:
                if self._tag(end, tick, frame) == tag:
                    waiting.remove(frame)
                    return frame
        self.refused += 1
        return None

    def close(self) -> None:
        """Leave the bus."""
        self.bus.shutdown()
