"""How modules agree to lift a foot: a call from the leader, consent from all, compiled.

Two bytes of every contact page are free; they carry a word. Its high byte is the call:
number of the step in the operator's list, and whether its foot may go up. It spreads
from the leader outwards, by the port from which the world frame comes. Its low byte is
consent: the number of the step to which everyone behind the sender says yes, else zero.
What a module tells through a port is its own yes and that of all its other branches; so
the leader knows, by the same rule as for the sums, that EVERY module says yes.

What has not been heard for ``PATIENCE`` rounds is no consent and no call, and without a
call all feet are put down.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.brain.mail import Letters
from equipoise.control.com.brain.pages import CONTACT, LIFTED
from equipoise.control.com.brain.state import BrainMemory
from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.frame import crc_of_frame

__all__ = [
    "GO",
    "STEP",
    "Calls",
    "HeardCall",
    "agree",
    "empty_calls",
    "forget_calls",
    "hear",
    "sign",
]

GO = 0x40
"""Bit of a call: the foot may go up."""
STEP = 0x3F
"""Bits of a call: the step's number in the list, from 1; 0 is no call."""
PATIENCE = 128  # rounds
SENDER_AT, CRC_AT, PAGE_AT, WORD_AT = 4, 22, 24, 60  # places in a frame

Bytes = NDArray[np.uint8]


class HeardCall(Record):
    """Last call and consent received from a neighbour."""

    call: int = entry("the call that it follows", kind=np.int64)
    consent: int = entry("step to which all behind it say yes", kind=np.int64)
    age: int = entry("how long ago", "rounds", kind=np.int64)


class Calls(NamedTuple):
    """Calls and consents received by n modules with P ports."""

    heard: Records[HeardCall]
    """(n * P,) by port."""
    call: Ints
    """(n,) what each module follows; a leader's is its own."""
    all_yes: Ints
    """(n,) 1 where the module and all its branches consent to the call it follows."""
    word: Ints
    """(n * P,) what is said through each port."""


def empty_calls(n: int, ports: int) -> Calls:
    """Return the memory of modules that have heard nothing."""
    heard = HeardCall.zeros(n * ports)
    for one in heard:
        one.age = PATIENCE
    return Calls(
        heard=heard,
        call=np.zeros(n, np.int64),
        all_yes=np.zeros(n, np.int64),
        word=np.zeros(n * ports, np.int64),
    )


def forget_calls(calls: Calls, i: int, ports: int) -> None:
    """Clear what module i knows, as it starts anew."""
    for one in calls.heard[i * ports : (i + 1) * ports]:
        one.call, one.consent, one.age = 0, 0, PATIENCE
    calls.call[i], calls.all_yes[i] = 0, 0


@compiled(allocates=False)
def hear(calls: Calls, letters: Letters, port: Ints) -> None:
    """Read the words of frames that have just been taken, and let the others age.

    Args:
        calls: written.
        letters: the frames.
        port: the protocol's rows; the word of the frame last accepted counts.
    """
    ports = calls.heard.shape[0] // calls.call.shape[0]
    frames, where, count = letters
    for e in range(calls.heard.shape[0]):
        calls.heard[e].age = min(calls.heard[e].age + 1, PATIENCE)
    for f in range(count):
        e, row = where[f, 0] * ports + where[f, 1], frames[f]
        sender = int(row[SENDER_AT]) | int(row[SENDER_AT + 1]) << 8
        is_last = port[e, at.PEER] == sender and port[e, at.HEAD + fr.SEQ] == row[1]
        if is_last and _has_word(row) and _is_whole(row):
            heard = calls.heard[e]
            heard.call, heard.consent, heard.age = row[WORD_AT + 1], row[WORD_AT], 0


@compiled(allocates=False, force_inline=True)
def _has_word(row: Bytes) -> bool:
    """Return whether a frame's page is one that carries a word."""
    kind = row[PAGE_AT]
    return row[0] & fr.SUM == 0 and (kind == CONTACT or kind == LIFTED)


@compiled(allocates=False, force_inline=True)
def _is_whole(row: Bytes) -> bool:
    """Return whether a frame's checksum is right."""
    return crc_of_frame(row) == int(row[CRC_AT]) | int(row[CRC_AT + 1]) << 8


@compiled(allocates=False)
def agree(calls: Calls, memory: BrainMemory, node: Ints, yes: Ints) -> None:
    """Follow the leader's call, gather consents, and write what is said.

    Args:
        calls: written; a leader's own ``call`` is left as it is.
        memory: says where the leader is.
        node: the protocol's rows.
        yes: the call to which each module itself consents, or 0, (n,).
    """
    n = calls.call.shape[0]
    ports = calls.heard.shape[0] // n
    for i in range(n):
        source = memory.modules[i].source
        if source >= 0 and calls.heard[i * ports + source].age < PATIENCE:
            calls.call[i] = calls.heard[i * ports + source].call
        elif source != -1 and node[i, at.KNOWN] != 0:
            calls.call[i] = 0
        step = calls.call[i] & STEP
        nays = 1 if yes[i] != step or step == 0 or node[i, at.KNOWN] == 0 else 0
        for p in range(ports):
            if (node[i, at.TREE] >> p) & 1 != 0 and not _consents(
                calls, i * ports + p, step
            ):
                nays += 1
        calls.all_yes[i] = 1 if nays == 0 else 0
        for p in range(ports):
            e = i * ports + p
            others = nays
            if (node[i, at.TREE] >> p) & 1 != 0 and not _consents(calls, e, step):
                others -= 1
            calls.word[e] = calls.call[i] << 8 | (step if others == 0 else 0)


@compiled(allocates=False, force_inline=True)
def _consents(calls: Calls, e: int, step: int) -> bool:
    """Return whether all behind a port say yes to a step."""
    return calls.heard[e].age < PATIENCE and calls.heard[e].consent == step


@compiled(allocates=False)
def sign(calls: Calls, frames: Bytes, sends: NDArray[np.bool_]) -> None:
    """Write the words into contact pages that are about to be sent.

    Args:
        calls: the words.
        frames: (n * P, 64); changed, checksum and all.
        sends: which of them are sent.
    """
    for e in range(sends.shape[0]):
        row = frames[e]
        if not (sends[e] and _has_word(row)):
            continue
        row[WORD_AT], row[WORD_AT + 1] = calls.word[e] & 0xFF, calls.word[e] >> 8
        crc = crc_of_frame(row)
        row[CRC_AT], row[CRC_AT + 1] = crc & 0xFF, crc >> 8
