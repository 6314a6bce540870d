"""Frames on a CAN FD bus: python-can's virtual one, and ours on the loopback."""

import os
import socket
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, MissingExtraError
from equipoise.modules.transports.batch_wires import far_ends
from equipoise.modules.transports.can_bus import CanWires, arbitration_id, open_bus
from equipoise.modules.transports.keyed_tag import new_key

can = pytest.importorskip("can")

LINKS = [((0, 0), (1, 5)), ((1, 2), (2, 2)), ((2, 0), (3, 0))]
HOSTS = [[0], [1], [2, 3]]
FAR = far_ends(LINKS, 4, 6)
# of this process alone: another one may run the other half of the tests
GROUP, PORT = f"239.74.163.{os.getpid() % 250 + 1}", 20000 + os.getpid() % 12000
KEY = new_key()


@pytest.fixture(params=["virtual", "loopback"])
def wires(request):
    channel = "here" if request.param == "virtual" else f"{GROUP}:{PORT}"
    opened = [
        CanWires(open_bus(request.param, channel), nodes, FAR, 6, KEY, mark=5)
        for nodes in HOSTS
    ]
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
        can.Message(arbitration_id=0x123, data=b"abc"),
        can.Message(arbitration_id=good, is_fd=True, data=bytes(48)),
        can.Message(arbitration_id=good, data=bytes(8)),
        can.Message(arbitration_id=good ^ 1 << 20, is_fd=True, data=bytes(64)),
        can.Message(arbitration_id=good | 7, is_fd=True, data=bytes(64)),
        can.Message(arbitration_id=good | 9000 << 3, is_fd=True, data=bytes(64)),
    ]
    for message in rubbish:
        bus.send(message)
    expected = len(rubbish)
    if not bus.channel_info.startswith("239."):  # which carries CAN FD alone
        remote = can.Message(arbitration_id=good, is_remote_frame=True, dlc=8)
        for message in (remote, can.Message(arbitration_id=9, is_extended_id=False)):
            bus.send(message)
            expected += 1
    if bus.channel_info.startswith("239."):
        for data in (b"no", bytes(99), struct.pack("<I", 2**31) + bytes(64)):
            from_nobody(data)
            expected += 1
    set_tick(wires, 1)
    assert wires[1].receive(1) == []
    assert wires[1].refused == expected
    a = frame(rng)
    wires[0].send((0, 0), a)
    set_tick(wires, 2)
    assert wires[1].receive(1) == [(5, a)]


def from_nobody(data: bytes) -> None:
    """Send something to the loopback's group, as any process of this machine can."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        here = socket.inet_aton("127.0.0.1")
        stranger.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
        stranger.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 0)
        stranger.sendto(data, (GROUP, PORT))


def test_frames_that_are_forged_without_the_key_have_no_effect(wires, rng):
    """A stranger who knows all numbers but the key speaks in module 0's name."""
    forger = CanWires(wires[0].bus, HOSTS[0], FAR, 6, new_key(), mark=5)
    for _ in range(20):
        forger.send((0, 0), frame(rng))
    good = arbitration_id(0, 0, 0, 5)
    for _ in range(20):  # seals of nothing, frames without a seal
        for size in (16, 64):
            data = rng.integers(0, 256, size).astype(np.uint8).tobytes()
            message = can.Message(arbitration_id=good, is_fd=True, data=data)
            wires[0].bus.send(message)
    set_tick(wires, 1)
    assert wires[1].receive(1) == []
    assert wires[1].refused >= 60  # 40 seals, and all frames but the last four
    a = frame(rng)
    wires[0].send((0, 0), a)
    set_tick(wires, 2)
    assert wires[1].receive(1) == [(5, a)]


def test_an_old_frame_that_is_sent_again_is_refused(wires, rng):
    heard = list[can.Message]()
    send = wires[0].bus.send
    wires[0].bus.send = lambda message: (heard.append(message), send(message))
    a = frame(rng)
    wires[0].send((0, 0), a)
    set_tick(wires, 1)
    assert wires[1].receive(1) == [(5, a)]
    set_tick(wires, 19)  # 16 ticks late would do
    for message in heard:
        send(message)
    assert wires[1].receive(1) == []
    assert wires[1].refused == 1
    set_tick(wires, 1)
    for message in heard:  # as late as this it is a frame like any other
        send(message)
    assert wires[1].receive(1) == [(5, a)]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_loopback_bus_is_bound_to_no_other_interface():
    bus = open_bus("loopback", f"{GROUP}:{PORT}")
    try:
        group = socket.inet_aton(GROUP)[::-1].hex().upper()
        lines = Path("/proc/net/udp").read_text().splitlines()[1:]
        bound = {
            line.split()[1] for line in lines if line.split()[1][-4:] == f"{PORT:04X}"
        }
        assert bound == {f"{group}:{PORT:04X}"}  # not 00000000, which is everywhere
        device, joined = "", set[str]()
        for line in Path("/proc/net/igmp").read_text().splitlines()[1:]:
            if not line.startswith("\t"):
                device = line.split()[1]
            elif line.split()[0] == group:
                joined.add(device)
        assert joined == {"lo"}
    finally:
        bus.shutdown()


def test_refuses_what_an_identifier_cannot_say_and_a_bus_that_is_not_there():
    bus = open_bus("virtual", "elsewhere")
    with pytest.raises(ConfigError, match=r"ports must be at most 8, got 9; mark must"):
        CanWires(bus, [0], np.full(9, -1), 9, KEY, mark=1024)
    bus.shutdown()
    with pytest.raises(ConfigError, match=r"CAN bus nonsense x is not usable"):
        open_bus("nonsense", "x")


def test_without_python_can_it_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "can", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'equipoise\[can\]'"):
        open_bus("virtual", "x")
