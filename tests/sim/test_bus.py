"""Bits on the bus: frames, the schedule of a cycle, load, delay."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.sim.machine.bus import MESSAGES, BusConfig, bus_figures, frame_bits


def stuffed(bits: list[int]) -> int:
    """Oracle: how many bits a CAN controller stuffs into a row of bits."""
    count, run, last = 0, 0, -1
    for bit in bits:
        run = run + 1 if bit == last else 1
        last = bit
        if run == 5:
            count, run, last = count + 1, 1, 1 - bit
    return count


def test_a_frame_has_the_bits_of_its_fields():
    # start, identifier, three flags, length, CRC and its end, acknowledge, end, gap
    fields = 1 + 11 + 3 + 4 + 15 + 1 + 2 + 7 + 3
    assert [frame_bits(n) for n in (0, 1, 8)] == [fields, fields + 8, fields + 64]
    assert frame_bits(8, stuffed=True, gap=False) == 132


@pytest.mark.parametrize("size", range(9))
def test_worst_stuffing_is_reached_and_never_passed(size: int):
    room = 1 + 11 + 3 + 4 + 15 + 8 * size  # start to CRC, where bits are stuffed
    worst = [0] * 5 + [1, 1, 1, 1, 0, 0, 0, 0] * 20
    limit = frame_bits(size, stuffed=True) - frame_bits(size)
    assert stuffed(worst[:room]) == limit
    rng = np.random.default_rng(size)
    seen = [stuffed(list(rng.integers(0, 2, room))) for _ in range(200)]
    assert 0 < max(seen) <= limit


def test_the_schedule_has_the_printed_numbers():
    figures = bus_figures(1000.0)
    assert len(MESSAGES) == 7
    assert (figures.data_bits, figures.bits) == (384, 792)
    # printed: saturates at about 1000 Hz on 1 Mbit/s; the gaps and the seventh message
    # leave 1058, which "approximately" covers
    assert figures.full_rate == pytest.approx(1e6 / 945, rel=1e-12)
    assert 1000.0 <= figures.full_rate < 1100.0
    assert figures.load == pytest.approx((6 * 135 + 135 / 2) * 1e3 / 1e6, rel=1e-12)
    assert bus_figures(500.0).load == pytest.approx(figures.load / 2, rel=1e-12)
    assert bus_figures(500.0, 5e5).load == pytest.approx(figures.load, rel=1e-12)


def test_no_seven_frames_with_as_much_data_take_the_printed_bits():
    sizes = [np.array(c) for c in compositions(48, 7)]
    assert len(sizes) == 3003  # ways to leave 8 of 56 bytes empty
    plain = {sum(frame_bits(n, gap=False) for n in c) for c in sizes}
    worst = {sum(frame_bits(n, stuffed=True, gap=False) for n in c) for c in sizes}
    assert plain == {692}
    assert worst == {844}


def compositions(total: int, parts: int):
    """Return all ways to share bytes among frames of at most 8."""
    if parts == 1:
        return [(total,)] if 0 <= total <= 8 else []
    return [
        (first, *rest)
        for first in range(min(8, total) + 1)
        for rest in compositions(total - first, parts - 1)
    ]


def test_the_delay_is_what_four_frames_and_the_computer_take():
    assert BusConfig().delay == pytest.approx(4 * 135e-6 + 0.4e-3, rel=1e-12)
    assert BusConfig(bit_rate=5e5, compute=0.0).delay == pytest.approx(8 * 135e-6)


def test_what_is_no_bus_is_refused():
    with pytest.raises(ConfigError, match="0 to 8 bytes, got 9"):
        frame_bits(9)
    with pytest.raises(ConfigError, match="rates must be > 0, got 0"):
        bus_figures(0.0)
    with pytest.raises(
        ConfigError, match=r"bit_rate .* got 0; .*timeout .* got 0; loss"
    ):
        BusConfig(bit_rate=0, timeout=0, loss=2.0)
    with pytest.raises(ConfigError, match="times of faults must be >= 0 s"):
        BusConfig(cut=((0, -1.0),))
