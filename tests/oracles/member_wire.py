"""The module protocol over wires of bytes: each frame as its 64 bytes.

What the sums are is up to a pair of functions, to 40 bytes and back. A frame whose
length or checksum is wrong is dropped without a trace, as if it had been lost.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast, final

from equipoise.modules.frame import (
    PAYLOAD_SIZE,
    SUM,
    ProtocolFrame,
    pack_frame,
    unpack_frame,
)
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import MemberInputs, MemberState
from equipoise.modules.node import AbstractProgram, Inbox, Outbox

__all__ = ["WireMember"]

B = TypeVar("B")
V = TypeVar("V")


@final
@dataclass(frozen=True, kw_only=True)
class WireMember(
    AbstractProgram[MemberInputs[B], MemberState[V], bytes], Generic[B, V]
):
    """A ``Member`` that hears and says bytes."""

    member: Member[B, V]
    encode: Callable[[V], bytes]
    """A sum as 40 bytes."""
    decode: Callable[[bytes], V | None]
    """40 bytes as a sum; None where they can be none. Must not raise."""

    def init(self) -> MemberState[V]:
        """Return the state of a module just switched on."""
        return self.member.init()

    def step(
        self, inbox: Inbox[bytes], inputs: MemberInputs[B], state: MemberState[V]
    ) -> tuple[Outbox[bytes], MemberState[V]]:
        """Pass one round with what can be read of the mail."""
        read = [(port, self._read(data)) for port, data in inbox]
        mail = [(port, frame) for port, frame in read if frame is not None]
        said, after = self.member.step(mail, inputs, state)
        return {port: self._written(frame) for port, frame in said.items()}, after

    def _read(self, data: bytes) -> ProtocolFrame[V] | None:
        frame = unpack_frame(data)
        if frame is None:
            return None
        payload = frame.value if frame.flags & SUM else None
        value = None if payload is None else self.decode(payload)
        heard: ProtocolFrame[Any] = frame
        return cast(ProtocolFrame[V], replace(heard, value=value))

    def _written(self, frame: ProtocolFrame[V]) -> bytes:
        value = frame.value
        return pack_frame(
            frame, bytes(PAYLOAD_SIZE) if value is None else self.encode(value)
        )
