"""The bus between a machine's controller and the node of each leg: bits, load, delay.

WARP1 has a CAN bus of its own for each leg, [Ridderstrom2003] section 5.2.1. A frame
with an 11-bit identifier and n bytes of data has

    44 + 8 n bits, 3 more until the next one may begin, and up to ⌊(33 + 8 n) / 4⌋
    that are stuffed in where five equal bits would follow each other.

The thesis counts 384 bits of data and 792 in all, in up to seven messages a sample. Six
frames of eight bytes at worst stuffing, gaps left out, are exactly that: 6 · 64 = 384
and 6 · (44 + 64 + 24) = 792. Seven frames with as much data take 692 bits unstuffed and
844 at worst, whatever their sizes. So we take six messages in every cycle and the
node's status, a seventh, in every other (algorithm 1). A cycle with all seven takes 945
bits, gaps included, which also explains the printed 1000 Hz at which a bus of 1 Mbit/s
is full: 1058 Hz, while 792 bits would allow 1263 Hz.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple, final

from equipoise.core.checks import is_number, is_whole
from equipoise.core.errors import ConfigError
from equipoise.core.setting import Setting, Settings

__all__ = [
    "MESSAGES",
    "BusConfig",
    "BusFigures",
    "BusMessage",
    "bus_figures",
    "frame_bits",
]

FIXED_BITS, GAP_BITS, STUFFED_HEAD = 44, 3, 33


class BusMessage(NamedTuple):
    """One message of the schedule."""

    name: str
    size: int
    """Data [bytes], 0 to 8."""
    every: int = 1
    """Cycles from one to the next."""
    is_command: bool = False
    """Whether the controller sends it."""


MESSAGES = (
    BusMessage("status", 8, every=2),
    BusMessage("motor encoders", 8),
    BusMessage("joint encoders", 8),
    BusMessage("actuator", 8, is_command=True),
    BusMessage("controller status", 8, is_command=True),
    BusMessage("currents", 8),
    BusMessage("foot", 8),
)
"""A cycle of a leg's node in the order of algorithm 1; sizes are our reading of 384."""
BEFORE_COMMAND = ("status", "motor encoders", "joint encoders")


class BusFigures(NamedTuple):
    """Load that a schedule puts on a bus."""

    data_bits: int
    """In a cycle without the messages of every other one."""
    bits: int
    """The same with overhead, worst stuffing, no gaps: as the thesis counts."""
    most_bits: int
    """In the fullest cycle, gaps included."""
    load: float
    """Share of the bus in use on average, at worst stuffing."""
    full_rate: float
    """Cycles a second at which the fullest cycle just fits [1/s]."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class BusConfig(Settings):
    """Transmission of commands; defaults are WARP1's buses, without faults."""

    bit_rate: Annotated[
        float, Setting("Rate of the bus", "bit/s", least=1e4, most=1e6)
    ] = 1e6
    compute: Annotated[
        float,
        Setting(
            "Time that the controller's computer takes; our choice, a fifth of 2 ms",
            "s",
            least=0.0,
            most=0.1,
        ),
    ] = 0.4e-3
    timeout: Annotated[
        int,
        Setting(
            'Cycles without a command after which a node halts; "a few" in the thesis',
            least=1,
        ),
    ] = 3
    loss: Annotated[
        float, Setting("Probability that a message is lost", least=0.0, most=1.0)
    ] = 0.0
    seed: Annotated[int, Setting("Seed of the losses of messages", least=0)] = 0
    cut: tuple[tuple[int, float], ...] = ()
    """Legs whose bus is cut, with the time [s]."""
    halt: Annotated[
        float | None,
        Setting(
            "Time at which a Halt message is sent to all nodes",
            "s",
            least=0.0,
            usual="never",
        ),
    ] = None

    def problems(self) -> Iterator[str]:
        """Yield the problems of the times at which buses are cut, as a phrase."""
        times = [when for _, when in self.cut]
        if not all(is_number(when) and when >= 0.0 for when in times):
            yield f"times of faults must be >= 0 s, got {times!r}"

    @property
    def delay(self) -> float:
        """Delay from sampling to the command's effect [s].

        The node's status and both encoder messages go out, the computer computes, the
        actuator message comes back; all at worst stuffing.
        """
        names = (*BEFORE_COMMAND, "actuator")
        sizes = [message.size for message in MESSAGES if message.name in names]
        bits = sum(frame_bits(size, stuffed=True) for size in sizes)
        return bits / self.bit_rate + self.compute


def frame_bits(size: int, *, stuffed: bool = False, gap: bool = True) -> int:
    """Return how many bits a frame with an 11-bit identifier takes.

    Args:
        size: data, 0 to 8 [bytes].
        stuffed: whether to count the most stuffing there can be.
        gap: whether to count the bits until the next frame may begin.
    """
    if not (is_whole(size) and 0 <= size <= 8):
        raise ConfigError("a frame", [f"its data must be 0 to 8 bytes, got {size!r}"])
    bits = FIXED_BITS + 8 * size
    bits += (STUFFED_HEAD + 8 * size) // 4 if stuffed else 0
    return bits + (GAP_BITS if gap else 0)


def bus_figures(
    rate: float, bit_rate: float = 1e6, messages: Sequence[BusMessage] = MESSAGES
) -> BusFigures:
    """Return the load that a schedule puts on a bus.

    Args:
        rate: cycles a second [1/s].
        bit_rate: of the bus [bit/s].
        messages: the schedule.

    Raises:
        ConfigError: a rate that is none.
    """
    if not (rate > 0.0 and bit_rate > 0.0 and math.isfinite(rate / bit_rate)):
        raise ConfigError("the bus", [f"rates must be > 0, got {rate!r}, {bit_rate!r}"])
    plain = [m for m in messages if m.every == 1]
    most = sum(frame_bits(m.size, stuffed=True) for m in messages)
    mean = sum(frame_bits(m.size, stuffed=True) / m.every for m in messages)
    return BusFigures(
        data_bits=sum(8 * m.size for m in plain),
        bits=sum(frame_bits(m.size, stuffed=True, gap=False) for m in plain),
        most_bits=most,
        load=mean * rate / bit_rate,
        full_rate=bit_rate / most,
    )
