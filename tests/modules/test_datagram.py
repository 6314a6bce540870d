"""Frames between sockets: what arrives, and what changes nothing."""

import socket
import tempfile
from pathlib import Path

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.modules import Corrupted, InMemory, Lossy
from equipoise.modules.transports import many_datagrams as batch
from equipoise.modules.transports.datagram import bound_socket, open_wires
from equipoise.modules.transports.keyed_tag import new_key, tag_of

LINKS = [((0, 0), (1, 5)), ((1, 2), (2, 2)), ((2, 0), (3, 0))]
HOSTS = [[0], [1], [2, 3]]


@pytest.fixture(params=["udp", "unix"])
def wires(request):
    with tempfile.TemporaryDirectory() as folder:
        opened = open_wires(
            request.param, HOSTS, LINKS, ports=6, key=new_key(), folder=Path(folder)
        )
        yield opened
        for wire in opened:
            wire.close()
        assert list(Path(folder).iterdir()) == []


def frame(rng) -> bytes:
    return rng.integers(0, 256, 64).astype(np.uint8).tobytes()


def test_the_small_interface_carries_frames_to_the_docked_end_in_order(wires, rng):
    a, b, c, d = (frame(rng) for _ in range(4))
    wires[0].send((0, 0), a)
    wires[0].send((0, 0), b)
    wires[2].send((2, 2), c)
    wires[2].send((2, 0), d)  # inside one process
    assert wires[1].in_flight() == 3
    assert wires[1].receive(1) == [(5, a), (5, b), (2, c)]
    assert wires[2].receive(3) == [(0, d)]
    assert wires[1].receive(1) == []
    wires[0].send((0, 3), a)  # nothing is docked there
    assert [w.in_flight() for w in wires] == [0, 0, 0]


def test_all_frames_of_a_tick_go_at_once(wires, rng):
    frames = rng.integers(0, 256, (2, 6, 64)).astype(np.uint8)
    sends = np.zeros((2, 6), np.bool_)
    sends[0, [0, 2, 3]] = sends[1, 0] = True  # (2, 3) is free
    assert wires[2].post(frames, sends) == 3
    assert wires[2].collect() == 2
    got = {tuple(w): bytes(m) for w, m in zip(*first(wires[2], 2), strict=True)}
    assert got == {(1, 0): bytes(frames[0, 0]), (0, 0): bytes(frames[1, 0])}
    assert wires[1].collect() == 1
    assert wires[1].where[0].tolist() == [0, 2]
    assert bytes(wires[1].mail[0]) == bytes(frames[0, 2])


def first(wire, count):
    return wire.where[:count].tolist(), wire.mail[:count]


def test_foreign_datagrams_change_nothing_and_are_counted(wires, rng):
    target = wires[1].wire.getsockname()
    kind = socket.AF_UNIX if isinstance(target, str) else socket.AF_INET
    genuine, wires[0].refused = frame(rng), 0
    wires[0].send((0, 0), genuine)
    copy = wires[1].wire.recv(200)  # an eavesdropper's, with a good tag
    assert len(copy) == 88
    with socket.socket(kind, socket.SOCK_DGRAM) as stranger:
        for text in (b"", b"hello", bytes(88), bytes(89), bytes(5000), copy[:80]):
            stranger.sendto(text, target)
        for byte in (0, 4, 8, 20, 87):  # ends, tick, frame, tag
            spoilt = bytearray(copy)
            spoilt[byte] ^= 1
            stranger.sendto(spoilt, target)
            assert wires[1].receive(1) == []
        assert wires[1].refused == 11
        stranger.sendto(copy, target)
        assert wires[1].receive(1) == [(5, genuine)]
        wires[1].tick = 17  # a replay long after
        stranger.sendto(copy, target)
        assert wires[1].receive(1) == []
        stranger.sendto(copy, wires[2].wire.getsockname())  # to another process
        assert wires[2].in_flight() == 0
    assert [w.refused for w in wires] == [0, 12, 1]


def test_a_good_tag_from_an_end_that_is_not_docked_there_is_refused(wires, rng):
    wires[0].send((0, 0), frame(rng))
    words = np.frombuffer(wires[1].wire.recv(200), np.int64).reshape(1, 11).copy()
    words[0, 0] ^= 1  # another port of the sender
    words[0, 10] = tag_of(wires[0]._key, words, 0, 10)
    wires[0].wire.sendto(words.tobytes(), wires[1].wire.getsockname())
    assert wires[1].receive(1) == []
    assert wires[1].refused == 1
    genuine = frame(rng)  # in the same batch, behind two that are refused
    for text in (words.tobytes(), b"hello"):
        wires[0].wire.sendto(text, wires[1].wire.getsockname())
    wires[0].send((0, 0), genuine)
    assert wires[1].receive(1) == [(5, genuine)]
    assert wires[1].refused == 3


def test_another_runs_key_is_foreign(rng):
    runs = [
        open_wires("udp", [[0], [1]], LINKS[:1], ports=6, key=new_key()) for _ in "ab"
    ]
    runs[0][0]._out = batch.Outgoing(
        runs[0][0]._words.view(np.uint8), [runs[1][1].wire.getsockname()]
    )
    runs[0][0].send((0, 0), frame(rng))
    assert runs[1][1].receive(1) == []
    assert runs[1][1].refused == 1
    for wire in (*runs[0], *runs[1]):
        wire.close()


def test_a_full_or_vanished_box_costs_its_own_frames_only(rng):
    with tempfile.TemporaryDirectory() as folder:
        opened = open_wires(
            "unix", HOSTS, LINKS, ports=6, key=new_key(), folder=Path(folder)
        )
        frames = rng.integers(0, 256, (1, 6, 64)).astype(np.uint8)
        sends = np.zeros((1, 6), np.bool_)
        sends[0, [2, 5]] = True
        for _ in range(40):  # node 0 never reads
            opened[1].post(frames, sends)
            assert opened[2].collect() == 1
        assert 0 < opened[1].unsent < 40
        before = opened[1].unsent
        opened[0].close()
        assert opened[1].post(frames, sends) == 1
        assert opened[1].unsent == before + 1
        assert opened[2].collect() == 1
        opened[1].close(), opened[2].close()


def test_one_call_a_datagram_does_the_same(monkeypatch, rng):
    monkeypatch.setattr(batch, "_LIBRARY", None)
    opened = open_wires("udp", HOSTS, LINKS, ports=6, key=new_key())
    frames = rng.integers(0, 256, (1, 6, 64)).astype(np.uint8)
    assert opened[1].post(frames, np.ones((1, 6), np.bool_)) == 2
    assert opened[0].receive(0) == [(0, bytes(frames[0, 5]))]
    assert opened[2].receive(2) == [(2, bytes(frames[0, 2]))]
    for wire in opened:
        wire.close()


def test_faults_wrap_datagrams_as_they_wrap_memory(wires, rng):
    frames = [frame(rng) for _ in range(30)]
    got = []
    for inner in (wires[0], InMemory(LINKS)):
        spoilt = Corrupted(inner, 0.3, stream(1, "flips"))
        lossy = Lossy(spoilt, 0.4, stream(1, "loss"))
        taken = []
        for text in frames:
            lossy.send((0, 0), text)
            taken += (wires[1] if inner is wires[0] else lossy).receive(1)
        got.append(taken)
    assert got[0] == got[1]
    assert 0 < len(got[0]) < 30


def test_refuses_what_it_cannot_carry(wires):
    with pytest.raises(ConfigError, match=r"carry 64 bytes .* got 3 from node 0"):
        wires[0].send((0, 0), b"abc")
    with pytest.raises(ConfigError, match=r"nodes \[0\], got 64 from node 2"):
        wires[0].send((2, 0), bytes(64))
    with pytest.raises(ConfigError, match=r"set a shorter TMPDIR"):
        bound_socket("unix", Path("/tmp") / ("x" * 120))
