"""What the world and a host of modules tell each other, as datagrams of 64-bit words.

Each tick the world sends every host one row: its modules' readings. The host answers
with one: torques, reports and counters. Every row begins with who and when, and ends
with the tag that only processes of the run can make.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.brain.state import PLACE, REPORT, Senses
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.modules.transports.keyed_tag import sealed, tag_of

__all__ = [
    "ANSWER",
    "COUNTERS",
    "HELLO",
    "LOST",
    "POSTED",
    "REFUSED",
    "SENSES",
    "STOP",
    "Layout",
    "gather",
    "scatter",
    "seal",
]

SENSES, STOP, ANSWER, HELLO = range(1, 5)
"""Kinds of rows."""
POSTED, LOST, REFUSED = range(3)
COUNTERS = 3
"""Numbers that a host counts since it began: frames that went out; that loss, a
partition, a full box or its own late birth cost; datagrams that were not for it."""
WHO, WHEN, BODY = 0, 1, 2


@dataclass(frozen=True)
class Layout:
    """Where things are in the rows; the same for all hosts, with room for the most."""

    modules: int
    """Most modules that a host runs."""
    joints: int
    parts: int

    @cached_property
    def starts(self) -> Ints:
        """First words of the fields, in the order of ``scatter``, and of the tag."""
        widths = [
            self.joints, self.joints, 6 * self.parts, 18, PLACE, 1, 1, 1,
        ]  # fmt: skip
        return BODY + np.cumsum([0, *(self.modules * w for w in widths)])

    @property
    def senses_words(self) -> int:
        """Words of a row of readings, the tag included."""
        return int(self.starts[-1]) + 1

    @property
    def answer_words(self) -> int:
        """Words of an answer, the tag included."""
        return BODY + COUNTERS + self.modules * (self.joints + REPORT) + 1

    def senses_of(self, row: Ints, count: int) -> Senses:
        """Return the readings in a row as views, for a host of ``count`` modules."""
        numbers, at = row.view(np.float64), self.starts.tolist()
        flags = row.view(np.bool_)[8 * at[7] :]

        def table(start: int, rows: int, width: int) -> Array:
            return numbers[start : start + rows * width].reshape(rows, width)

        return Senses(
            q=table(at[0], count, self.joints),
            rate=table(at[1], count, self.joints),
            skin=table(at[2], count * self.parts, 6),
            anchor=table(at[3], count, 18),
            contact=table(at[4], count, PLACE),
            anchor_part=row[at[5] : at[5] + count],
            attached=row[at[6] : at[6] + count],
            touching=flags[:count],
        )

    def answer_of(self, row: Ints, count: int) -> tuple[Ints, Array, Array]:
        """Return an answer's counters, torques and reports as views."""
        start, numbers = BODY + COUNTERS, row.view(np.float64)
        middle = start + self.modules * self.joints
        tau = numbers[start : start + count * self.joints]
        report = numbers[middle : middle + count * REPORT]
        return (
            row[BODY:start],
            tau.reshape(count, self.joints),
            report.reshape(count, REPORT),
        )


@compiled(allocates=False)
def seal(key: Ints, rows: Ints, r: int, who: int, kind: int, tick: int) -> None:
    """Write a row's first words and its tag.

    Args:
        key: the run's, (2,).
        rows: the rows, whole.
        r: which one.
        who: the host's number.
        kind: what the row is.
        tick: when.
    """
    last = rows.shape[1] - 1
    rows[r, WHO] = who | kind << 32
    rows[r, WHEN] = tick
    rows[r, last] = tag_of(key, rows, r, last)


@compiled(allocates=False)
def scatter(
    key: Ints,
    tick: int,
    q: Array,
    rate: Array,
    skin: Array,
    anchor: Array,
    contact: Array,
    anchor_part: Ints,
    attached: Ints,
    touching: NDArray[np.bool_],
    place: Ints,
    starts: Ints,
    rows: Ints,
    numbers: Array,
    flags: NDArray[np.bool_],
) -> None:
    """Write every host's row of readings.

    Args:
        key: the run's, (2,).
        tick: this tick.
        q: joint values, (nm, joints); so the other readings, see ``Senses``.
        rate: joint rates.
        skin: (nm * parts, 6).
        anchor: (nm, 18).
        contact: (nm, PLACE).
        anchor_part: (nm,).
        attached: (nm,).
        touching: (nm,).
        place: host of each module and its place there, (nm, 2).
        starts: ``Layout.starts``.
        rows: (hosts, words); written.
        numbers: the same memory as floats.
        flags: the same memory as bytes.
    """
    joints, parts = q.shape[1], skin.shape[0] // q.shape[0]
    for m in range(place.shape[0]):
        h, i = place[m, 0], place[m, 1]
        for a in range(joints):
            numbers[h, starts[0] + i * joints + a] = q[m, a]
            numbers[h, starts[1] + i * joints + a] = rate[m, a]
        for b in range(parts):
            for a in range(6):
                k = (i * parts + b) * 6 + a
                numbers[h, starts[2] + k] = skin[m * parts + b, a]
        for a in range(18):
            numbers[h, starts[3] + 18 * i + a] = anchor[m, a]
        for a in range(PLACE):
            numbers[h, starts[4] + PLACE * i + a] = contact[m, a]
        rows[h, starts[5] + i] = anchor_part[m]
        rows[h, starts[6] + i] = attached[m]
        flags[h, 8 * starts[7] + i] = touching[m]
    for h in range(rows.shape[0]):
        seal(key, rows, h, h, SENSES, tick)


@compiled(allocates=False)
def gather(
    key: Ints,
    tick: int,
    rows: Ints,
    numbers: Array,
    lengths: NDArray[np.uint32],
    count: int,
    last: int,
    member: Ints,
    member_count: Ints,
    mark: Ints,
    tau: Array,
    report: Array,
    counters: Ints,
) -> int:
    """Read what hosts sent; return how many datagrams were not theirs.

    Args:
        key: the run's, (2,).
        tick: the tick that is waited for.
        rows: what came, (room, words).
        numbers: the same memory as floats.
        lengths: bytes of each.
        count: how many came.
        last: the word that is the tag.
        member: modules of each host, (hosts, most).
        member_count: how many they are, (hosts,).
        mark: (hosts,); set to ANSWER or HELLO for those that were heard.
        tau: torques by module, (nm, joints); written.
        report: (nm, REPORT); written.
        counters: (hosts, COUNTERS); written.
    """
    foreign, joints = 0, tau.shape[1]
    most = member.shape[1]
    for r in range(count):
        h, kind = rows[r, WHO] & 0xFFFFFFFF, rows[r, WHO] >> 32
        if lengths[r] != 8 * (last + 1) or not sealed(key, rows, r, last):
            foreign += 1
            continue
        if kind == HELLO:
            mark[h] = HELLO
        if kind != ANSWER or rows[r, WHEN] != tick:
            continue
        mark[h] = ANSWER
        for c in range(COUNTERS):
            counters[h, c] = rows[r, BODY + c]
        start = BODY + COUNTERS
        for i in range(member_count[h]):
            m = member[h, i]
            for a in range(joints):
                tau[m, a] = numbers[r, start + i * joints + a]
            for a in range(REPORT):
                at = start + most * joints + i * REPORT + a
                report[m, a] = numbers[r, at]
    return foreign
