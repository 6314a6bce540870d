"""Frames on a CAN FD bus: python-can's virtual one, and multicast on this host."""

import os
import socket
import sys

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, MissingToolError
from equipoise.modules.batch_wires import far_ends
from equipoise.modules.can_bus import CanWires, arbitration_id, open_bus

can = pytest.importorskip("can")

LINKS = [((0, 0), (1, 5)), ((1, 2), (2, 2)), ((2, 0), (3, 0))]
HOSTS = [[0], [1], [2, 3]]
FAR = far_ends(LINKS, 4, 6)
# of this process alone: another one may run the other half of the tests
GROUP, PORT = f"239.74.163.{os.getpid() % 250 + 1}", 20000 + os.getpid() % 20000


@pytest.fixture(params=["virtual", "udp_multicast"])
def wires(request):
    channel = "here" if request.param == "virtual" else GROUP
    options = {} if request.param == "virtual" else {"port": PORT, "hop_limit": 0}
    try:
        opened = [
            CanWires(open_bus(request.param, channel, options), nodes, FAR, 6, mark=5)
            for nodes in HOSTS
        ]
    except ConfigError as error:
        pytest.skip(str(error))
    yield opened
    for wire in opened:
        wire.close()


def set_tick(wires, tick: int) -> None:
    for wire in wires:
        wire.tick = tick


def frame(rng) -> bytes:
    return rng.integers(0, 256, 64).astype(np.uint8).tobytes()


def test_the_identifier_tells_every_end_apart():
    ends = [(n, p, t) for n in (0, 1, 32767) for p in range(8) for t in (4, 5)]
    numbers = {arbitration_id(n, p, t, 1023) for n, p, t in ends}
    assert len(numbers) == len(ends)
    assert max(numbers) < 2**29


def test_a_frame_reaches_the_docked_end_and_no_other(wires, rng):
    a, b, c = frame(rng), frame(rng), frame(rng)
    wires[0].send((0, 0), a)
    wires[2].send((2, 2), b)
    wires[2].send((2, 0), c)  # inside one process
    set_tick(wires, 1)
    assert sorted(wires[1].receive(1)) == sorted([(5, a), (2, b)])
    assert wires[2].receive(3) == [(0, c)]
    assert [w.in_flight() for w in wires] == [0, 0, 0]
    assert [w.refused for w in wires] == [0, 0, 0]


def test_a_frame_of_this_tick_waits_for_the_next(wires, rng):
    a, b = frame(rng), frame(rng)
    wires[0].send((0, 0), a)
    assert wires[1].receive(1) == []
    set_tick(wires, 1)
    wires[0].send((0, 0), b)
    assert wires[1].receive(1) == [(5, a)]
    set_tick(wires, 2)
    assert wires[1].receive(1) == [(5, b)]


def test_garbage_and_strangers_on_the_bus_change_nothing(wires, rng):
    bus, good = wires[0].bus, arbitration_id(0, 0, 0, 5)
    rubbish = [
        can.Message(arbitration_id=0x123, is_extended_id=False, data=b"abc"),
        can.Message(arbitration_id=good, is_fd=True, data=bytes(48)),
        can.Message(arbitration_id=good, data=bytes(8)),
        can.Message(arbitration_id=good, is_remote_frame=True, dlc=8),
        can.Message(arbitration_id=good ^ 1 << 20, is_fd=True, data=bytes(64)),
        can.Message(arbitration_id=good | 7, is_fd=True, data=bytes(64)),
        can.Message(arbitration_id=good | 9000 << 3, is_fd=True, data=bytes(64)),
    ]
    for message in rubbish:
        bus.send(message)
    expected = len(rubbish)
    if hasattr(bus, "_multicast"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 0)
            stranger.sendto(b"no message at all", (GROUP, PORT))
        expected += 1
    set_tick(wires, 1)
    assert wires[1].receive(1) == []
    assert wires[1].refused == expected
    a = frame(rng)
    wires[0].send((0, 0), a)
    set_tick(wires, 2)
    assert wires[1].receive(1) == [(5, a)]


def test_refuses_what_an_identifier_cannot_say_and_a_bus_that_is_not_there():
    bus = open_bus("virtual", "elsewhere")
    with pytest.raises(ConfigError, match=r"ports must be at most 8, got 9; mark must"):
        CanWires(bus, [0], np.full(9, -1), 9, mark=1024)
    bus.shutdown()
    with pytest.raises(ConfigError, match=r"CAN bus nonsense x is not usable"):
        open_bus("nonsense", "x")


def test_without_python_can_it_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "can", None)
    with pytest.raises(MissingToolError, match=r"pip install 'equipoise\[can\]'"):
        open_bus("virtual", "x")
