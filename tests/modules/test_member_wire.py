"""The module protocol as bytes, through wires that spoil, lose and double them."""

import numpy as np
import pytest

from equipoise.core.seeds import stream
from equipoise.modules import (
    Corrupted,
    Duplicated,
    InMemory,
    Lossy,
    Member,
    MemberInputs,
    Numbers,
    VirtualClock,
    run_round,
)
from oracles.member_wire import WireMember

LINKS = [((0, 0), (1, 0)), ((1, 1), (2, 0)), ((2, 1), (3, 0)), ((3, 1), (0, 1))]


def to_bytes(value: int) -> bytes:
    return value.to_bytes(40, "little")


def from_bytes(data: bytes) -> int:
    return int.from_bytes(data, "little")


def run(rounds: int, spoil: float, decode=from_bytes):
    """Four modules in a ring; each says what it knows in each round."""
    plain: InMemory[bytes] = InMemory(LINKS)
    spoilt = Corrupted(plain, spoil, stream(0, "spoil"))
    wires = Duplicated(Lossy(spoilt, 0.05, stream(0, "loss")), 0.1, stream(0, "twice"))
    programs = [
        WireMember(
            member=Member(id=k + 1, ports=2, cargo=Numbers()),
            encode=to_bytes,
            decode=decode,
        )
        for k in range(4)
    ]
    inputs = [MemberInputs(attached=(0, 1), body=10**k) for k in range(4)]
    states, clock = tuple(program.init() for program in programs), VirtualClock()
    said: list[list[int | None]] = []
    for _ in range(rounds):
        states, _ = run_round(programs, inputs, states, wires, clock)
        said.append([state.report.total for state in states])
    return said, spoilt.corrupted


def test_spoilt_frames_are_as_good_as_lost():
    said, corrupted = run(300, 0.2)
    assert corrupted > 200
    totals = [total for row in said for total in row if total is not None]
    assert set(totals) == {1111}
    # 8 directed links, eight losses in a row at 24 %: 0.24**8 * 8 * 260 = 0.02 breaks.
    assert len(totals) > 4 * 240


def test_a_payload_that_is_no_sum_is_never_published():
    said, _ = run(60, 0.0, decode=lambda data: None)
    assert all(total is None for row in said for total in row)


@pytest.mark.parametrize("length", [0, 63, 64, 65])
def test_mail_of_any_length_changes_nothing(length: int):
    member = WireMember(
        member=Member(id=1, ports=1, cargo=Numbers()),
        encode=to_bytes,
        decode=from_bytes,
    )
    inputs, state = MemberInputs(attached=(0,), body=1), member.init()
    junk = np.random.default_rng(0).bytes(length)
    assert member.step([(0, junk)], inputs, state) == member.step([], inputs, state)
