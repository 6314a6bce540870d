"""The module program of the firmware in Python: frames in, a round, frames out.

Integers by the compiled protocol of ``modules``, sums and torques by the float programs
here, so that C, on whatever processor, can be checked frame by frame.
"""

from collections.abc import Sequence
from typing import final

import numpy as np

from equipoise.control.com.small.float_program import Floats, MassSums, mass_update
from equipoise.control.com.small.float_steering import (
    Aim,
    FloatSteeringConfig,
    holding_torques,
    steer,
)
from equipoise.control.com.small.small_module import PORTS, SmallModule
from equipoise.modules import frame as fr
from equipoise.modules.hashing import hash32
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import (
    boot,
    empty_seats,
    read_frame_bytes,
    run_module_round,
    take,
    write_frame_bytes,
    write_head,
)
from equipoise.modules.rules import Rules, rules_vector

__all__ = ["Twin", "drawn", "stuffed", "unstuffed"]


def drawn(id: int, boots: int) -> tuple[int, int, int]:
    """Return seq, epoch and join that a module draws at its start.

    Args:
        id: its name.
        boots: how often it has been started.
    """
    word = hash32(id, boots)
    return word & 0xFF, word >> 8 & 0xFFFF, word >> 24


def stuffed(frame: bytes) -> bytes:
    """Return a frame as it goes over a serial line, without a zero but its last byte.

    Every zero is replaced by the distance to the next one; the first distance leads.

    Args:
        frame: up to 253 bytes.
    """
    pieces = frame.split(b"\0")
    return b"".join(bytes([len(piece) + 1]) + piece for piece in pieces) + b"\0"


def unstuffed(line: bytes) -> bytes | None:
    """Return the frame of a line whose last byte was taken off; None for garbage."""
    frame, at_gap = bytearray(line[1:]), 0
    while at_gap < len(line):
        if line[at_gap] == 0:
            return None
        at_gap += line[at_gap]
        if at_gap < len(line):
            frame[at_gap - 1] = 0
    whole = at_gap == len(line) and 0 not in line
    return bytes(frame) if whole else None


@final
class Twin:
    """Twin of one module; the caller carries its frames."""

    def __init__(
        self,
        module: SmallModule,
        *,
        id: int,
        seq: int,
        epoch: int,
        join: int,
        quarter: Sequence[int] = (0,) * PORTS,
        gains: FloatSteeringConfig | None = None,
    ) -> None:
        """Start a module.

        Args:
            module: its numbers.
            id: its name.
            seq: first sequence number.
            epoch: first own epoch.
            join: join counter.
            quarter: quarter turns of what is docked to each connector.
            gains: of the steering; the defaults if None.
        """
        self.module, self.gains = module, gains or FloatSteeringConfig()
        self.quarter = np.array([quarter], np.int64)
        self.seats = empty_seats(1, PORTS)
        self.kept = np.zeros((1, 3), np.float32)
        self.steers = True  # so that the first round notes which angles to hold
        self._felt = np.zeros((2, 1, 3), np.float32)
        self._aim: Aim | None = None
        self._sums: MassSums | None = None
        self._heard = 0
        self._rule = rules_vector(Rules())
        self._head, self._value = np.zeros((1, fr.COLUMNS), np.int64), np.zeros((1, 10))
        self._bytes = np.zeros(fr.PAYLOAD_SIZE, np.uint8)
        boot(self.seats, 0, id, seq, epoch, join)

    @property
    def known(self) -> bool:
        """Whether the module knows the whole robot."""
        return bool(self.seats.node[0, at.KNOWN])

    def mail(self, port: int, frame: bytes) -> bool:
        """Deliver a frame.

        Args:
            port: the connector by which it came.
            frame: 64 bytes.

        Returns:
            Whether it was accepted.
        """
        data = np.frombuffer(frame, np.uint8)
        if len(data) != fr.FRAME_SIZE:
            return False
        if not read_frame_bytes(data, self._head, 0, self._bytes):
            return False
        self._value[0] = self._bytes.view("<f4")
        return bool(
            take(self._rule, self.seats, 0, port, self._head, 0, self._value, 0)
        )

    def round(
        self,
        angles: Sequence[float],
        rates: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        touching: bool = False,
        foot: int = 0,
        attached: int = 0,
        aim: Aim | None = None,
    ) -> None:
        """Run a round.

        Args:
            angles: of the joints [rad].
            rates: of the joints [rad/s].
            touching: whether the module touches the ground.
            foot: counts its contact places.
            attached: bit p: connector p is mechanically closed.
            aim: one row; None while the world frame is not known.
        """
        run_module_round(self._rule, self.seats, 0, touching, foot, attached)
        self._felt = np.array([[angles], [rates]], np.float32)
        self._aim, self._sums = aim, None
        self._heard = sum(1 << p for p in range(PORTS) if self.seats.port[p, at.V_IN])
        is_open = bool(self.seats.node[0, at.OPEN])
        steers = self.known and not is_open and aim is not None
        if self.steers and not steers:
            self.kept = self._felt[0]
        self.steers = steers

    @property
    def sums(self) -> MassSums:
        """Sums that the module sends and knows, from the mail before the last round.

        It is computed when it is first asked for, which must be before more mail.
        """
        if self._sums is None:
            q, values = self._felt[0], [self.seats.value]
            self._sums = mass_update(
                self.module, q, [self._heard], self.quarter, values
            )
        return self._sums

    @property
    def torque(self) -> Floats:
        """Joint torques of the last round, (1, 3) [N m]; as ``sums``, before mail."""
        q, rates = self._felt
        if self.steers and self._aim is not None:
            return steer(self.module, q, self.sums, self.gains, self._aim)
        return holding_torques(self.module, self.gains, self.kept, q, rates)

    def frame(self, port: int) -> bytes | None:
        """Return the frame for a connector; None while the module keeps silent."""
        if not write_head(self._rule, self.seats, 0, port, self._head, 0):
            return None
        payload = np.zeros(fr.PAYLOAD_SIZE, np.uint8)
        if self._head[0, fr.FLAGS] & fr.SUM:
            payload = self.sums.out[0, port].astype("<f4").view(np.uint8)
        whole = np.zeros(fr.FRAME_SIZE, np.uint8)
        write_frame_bytes(self._head, 0, payload, whole)
        return whole.tobytes()
