import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.modules import (
    Corrupted,
    Delayed,
    Duplicated,
    InMemory,
    Lossy,
    Message,
    OneWay,
    Partitioned,
    Reordered,
    VirtualClock,
)

LINK = ((0, 0), (1, 0))


def ticks_received(wires, count: int) -> list[int]:
    for tick in range(count):
        wires.send((0, 0), Message(sender=0, tick=tick))
    return [message.tick for _, message in wires.receive(1)]


def test_same_seed_same_losses_and_the_asked_share():
    runs = [
        ticks_received(Lossy(InMemory([LINK]), 0.3, stream(seed, "loss")), 4000)
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    # statistical: binomial, 5 sigma of 4000 draws with chance 0.3
    assert abs(len(runs[0]) - 2800) < 5 * np.sqrt(4000 * 0.3 * 0.7)
    assert runs[0] == sorted(runs[0])


def test_no_loss_loses_nothing():
    wires = Lossy(InMemory([LINK]), 0.0, stream(0, "loss"))
    assert ticks_received(wires, 100) == list(range(100))


def test_duplicates_come_twice_and_nothing_is_lost():
    wires = Duplicated(InMemory([LINK]), 0.5, stream(0, "twice"))
    got = ticks_received(wires, 400)
    assert sorted(set(got)) == list(range(400))
    # statistical: binomial, 5 sigma of 400 draws with chance 0.5
    assert abs(len(got) - 600) < 5 * 10


def test_reordering_keeps_what_it_shuffles():
    got = ticks_received(Reordered(InMemory([LINK]), stream(0, "order")), 50)
    assert got != list(range(50))
    assert sorted(got) == list(range(50))


def test_a_delay_of_k_ticks_is_one_tick_of_travel_and_k_of_waiting():
    clock = VirtualClock()
    wires = Delayed(InMemory([LINK]), clock, 3)
    wires.send((0, 0), Message(sender=0, tick=0))
    arrivals = []
    for _ in range(8):
        arrivals += [clock.now for _ in wires.receive(1)]
        clock.advance()
    assert arrivals == [4]
    assert wires.in_flight() == 0


def test_jitter_lets_messages_overtake_and_loses_none():
    clock = VirtualClock()
    wires = Delayed(InMemory([LINK]), clock, 0, jitter=4, rng=stream(0, "jitter"))
    got = []
    for tick in range(60):
        got += [message.tick for _, message in wires.receive(1)]
        if tick < 50:
            wires.send((0, 0), Message(sender=0, tick=tick))
        clock.advance()
    assert got != sorted(got)
    assert sorted(got) == list(range(50))
    assert wires.in_flight() == 0


def test_faults_stack():
    clock = VirtualClock()
    held = Delayed(InMemory([LINK]), clock, 1)
    wires = Lossy(held, 0.5, stream(3, "loss"))
    for tick in range(100):
        wires.send((0, 0), Message(sender=0, tick=tick))
    waiting = wires.in_flight()
    assert 0 < waiting < 100
    clock.advance()
    assert wires.receive(1) == []
    clock.advance()
    assert len(wires.receive(1)) == waiting


@pytest.mark.parametrize("loss", [-0.1, 1.0, float("nan")])
def test_refuses_a_chance_that_is_none(loss):
    with pytest.raises(ConfigError, match=r"loss must lie in \[0, 1\)"):
        Lossy(InMemory(), loss, stream(0, "loss"))


def test_refuses_negative_delay_and_jitter_without_a_generator():
    with pytest.raises(ConfigError, match=r"delay must be >= 0 ticks, got -1"):
        Delayed(InMemory(), VirtualClock(), -1)
    with pytest.raises(ConfigError, match=r"needs rng"):
        Delayed(InMemory(), VirtualClock(), 0, jitter=2)


def frames_received(wires, count: int) -> list[bytes]:
    for k in range(count):
        wires.send((0, 0), bytes([k % 256] * 64))
    return [frame for _, frame in wires.receive(1)]


def bits_apart(a: bytes, b: bytes) -> int:
    return sum((x ^ y).bit_count() for x, y in zip(a, b, strict=True))


def test_corruption_flips_1_to_12_bits_of_the_asked_share_and_repeats():
    runs = []
    for seed in (1, 1, 2):
        wires = Corrupted(InMemory([LINK]), 0.25, stream(seed, "flips"))
        runs.append(frames_received(wires, 2000))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    apart = [bits_apart(f, bytes([k % 256] * 64)) for k, f in enumerate(runs[0])]
    assert set(apart) == set(range(13))
    # statistical: binomial, 5 sigma of 2000 draws with chance 0.25
    assert abs(sum(n > 0 for n in apart) - 500) < 5 * np.sqrt(2000 * 0.25 * 0.75)


def test_a_dumb_end_hears_but_is_not_heard():
    wires = OneWay(InMemory([LINK]), [(0, 0)])
    wires.send((0, 0), 1)
    wires.send((1, 0), 2)
    assert wires.receive(1) == []
    assert wires.receive(0) == [(0, 2)]
    wires.muted.clear()
    wires.send((0, 0), 3)
    assert wires.receive(1) == [(0, 3)]
    assert wires.lost == 1


def test_a_partition_cuts_both_ways_until_it_heals():
    other = ((1, 1), (2, 0))
    wires = Partitioned(InMemory([LINK, other]))
    wires.part([LINK])
    for end in ((0, 0), (1, 0), (1, 1)):
        wires.send(end, 1)
    assert (wires.receive(0), wires.receive(1)) == ([], [])
    assert wires.receive(2) == [(0, 1)]
    assert wires.lost == 2
    wires.heal()
    wires.send((1, 0), 2)
    assert wires.receive(0) == [(0, 2)]


def test_refuses_to_flip_no_bit():
    with pytest.raises(ConfigError, match=r"bits must be >= 1, got 0"):
        Corrupted(InMemory(), 0.5, stream(0, "flips"), bits=0)
