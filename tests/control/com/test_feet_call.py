"""Consent of all modules, gathered through frames."""

import numpy as np

from equipoise.control.com.brain.mail import Letters
from equipoise.control.com.brain.pages import CONTACT, MOTION
from equipoise.control.com.brain.state import empty_memory
from equipoise.control.com.feet.call import (
    GO,
    PATIENCE,
    agree,
    empty_calls,
    forget_calls,
    hear,
    sign,
)
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.frame import crc_of_frame

PORTS = 2


def chain(n):
    """Return the memory of n modules in a row, the first one their leader.

    Port 0 is towards the leader, port 1 away from it.
    """
    calls, memory = empty_calls(n, PORTS), empty_memory(n, PORTS, 3)
    node = np.zeros((n, at.NODE), np.int64)
    node[:, at.KNOWN] = 1
    node[:, at.TREE] = 3
    node[0, at.TREE], node[-1, at.TREE] = 2, 1
    memory.modules["source"] = 0
    memory.modules[0].source = -1
    return calls, memory, node


def exchanged(calls):
    """Let every module hear its neighbours' words, as if by frames."""
    n = len(calls.call)
    calls.heard["age"] += 1
    for i in range(n - 1):
        out, back = i * PORTS + 1, (i + 1) * PORTS
        for end, far in ((out, back), (back, out)):
            word = calls.word[far]
            calls.heard[end] = word >> 8, word & 0xFF, 0


def run(calls, memory, node, yes, rounds):
    """Let the modules talk."""
    for _ in range(rounds):
        agree(calls, memory, node, yes)
        exchanged(calls)


def test_the_leader_hears_yes_only_when_all_say_it():
    n = 6
    calls, memory, node = chain(n)
    calls.call[0] = 5
    yes = np.full(n, 5)
    yes[3] = 0
    run(calls, memory, node, yes, 40)
    assert calls.call.tolist() == [5] * n  # the call has come through
    assert calls.all_yes[0] == 0
    assert calls.word[3 * PORTS] & 0xFF == 0  # towards the leader
    assert calls.word[3 * PORTS + 1] & 0xFF == 0
    assert calls.word[4 * PORTS] & 0xFF == 5  # behind number 3 all agree
    yes[3] = 5
    run(calls, memory, node, yes, n + 1)
    assert calls.all_yes[0] == 1
    yes[5] = 4  # a yes to another step is none
    run(calls, memory, node, yes, n + 1)
    assert calls.all_yes[0] == 0


def test_a_module_that_does_not_know_does_not_consent():
    calls, memory, node = chain(3)
    calls.call[0] = 1
    yes = np.ones(3, np.int64)
    node[1, at.KNOWN] = 0
    run(calls, memory, node, yes, 10)
    assert calls.all_yes[0] == 0
    node[1, at.KNOWN] = 1
    run(calls, memory, node, yes, 10)
    assert calls.all_yes[0] == 1


def test_silence_ends_consents_and_calls():
    calls, memory, node = chain(3)
    calls.call[0] = 2 | GO
    yes = np.full(3, 2)
    run(calls, memory, node, yes, 10)
    assert calls.all_yes[0] == 1
    for _ in range(PATIENCE + 1):
        calls.heard["age"] = np.minimum(calls.heard["age"] + 1, PATIENCE)
        agree(calls, memory, node, yes)
    assert calls.all_yes[0] == 0
    assert calls.call.tolist() == [2 | GO, 0, 0]


def test_words_travel_in_contact_pages_only():
    calls = empty_calls(1, PORTS)
    calls.word[:] = 0x4105
    frames = np.zeros((PORTS, 64), np.uint8)
    frames[:, 24] = CONTACT, MOTION
    frames[:, 4], frames[:, 1] = 7, 9
    sign(calls, frames, np.ones(PORTS, np.bool_))
    assert not frames[1, 60:].any()
    port = np.zeros((PORTS, at.PORT), np.int64)
    port[:, at.PEER], port[:, at.HEAD + 1] = 7, 9
    where = np.array([[0, 0], [0, 1]])
    hear(calls, Letters(frames, where, 2), port)
    assert calls.heard[0].tolist() == (0x41, 5, 0)
    assert calls.heard[1].age == PATIENCE


def test_a_spoilt_late_or_foreign_frame_says_nothing():
    good = np.zeros((1, 64), np.uint8)
    good[0, [1, 4, 24]] = 9, 7, CONTACT
    good[0, 60] = 5
    crc = crc_of_frame(good[0])
    good[0, 22], good[0, 23] = crc & 0xFF, crc >> 8
    port = np.zeros((PORTS, at.PORT), np.int64)
    port[:, at.PEER], port[:, at.HEAD + 1] = 7, 9
    where = np.array([[0, 0]])

    def heard(frame, rows):
        calls = empty_calls(1, PORTS)
        hear(calls, Letters(frame, where, 1), rows)
        return calls.heard[0].consent

    assert heard(good, port) == 5
    spoilt = good.copy()
    spoilt[0, 61] ^= 1
    assert heard(spoilt, port) == 0
    for column, other in ((at.PEER, 8), (at.HEAD + 1, 10)):
        rows = port.copy()
        rows[:, column] = other
        assert heard(good, rows) == 0


def test_a_module_that_starts_anew_has_forgotten():
    calls, memory, node = chain(3)
    calls.call[0] = 1
    run(calls, memory, node, np.ones(3, np.int64), 10)
    forget_calls(calls, 1, PORTS)
    assert calls.call[1] == 0
    assert calls.heard[2:4].tolist() == [(0, 0, PATIENCE)] * 2
