"""What the world and a host of modules tell each other, as datagrams of 64-bit words.

Each tick the world sends every host one row: its modules' readings. The host answers
with one: torques, reports and counters. Every row begins with who and when, and ends
with the tag that only processes of the run can make.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.brain.state import Contact, ModuleReport, Senses
from equipoise.control.com.loads import ContactPush, MovingFrame
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.modules.kernels.datagram import Came
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
    "AnswerRow",
    "Answers",
    "ArrivedRow",
    "Crew",
    "Layout",
    "SensesRow",
    "read_datagrams",
    "scatter",
    "seal",
    "words_of",
]

SENSES, STOP, ANSWER, HELLO = range(1, 5)
"""Kinds of rows."""
POSTED, LOST, REFUSED = range(3)
COUNTERS = 3
"""Numbers that a host counts since it began: frames that went out; that loss, a
partition, a full box or its own late birth cost; datagrams that were not for it."""
WHO, WHEN = 0, 1  # words of every row
WORD = 8  # bytes


class Row(Record):
    """Header of every row."""

    who: int = entry("the host, and in the upper half the row's kind", kind=np.int64)
    when: int = entry("tick", kind=np.int64)


class SensesRow(Row):
    """Readings that the world sends to a host, see ``Senses``."""

    q: Array = entry("joint values", "rad or m", "modules", "joints")
    rate: Array = entry("joint rates", "rad/s or m/s", "modules", "joints")
    skin: Records[ContactPush] = entry(
        "on each part", "", "modules", "parts", kind=ContactPush
    )
    anchor: Records[MovingFrame] = entry(
        "part by which a module stands, in W", "", "modules", kind=MovingFrame
    )
    contact: Records[Contact] = entry("where it stands", "", "modules", kind=Contact)
    anchor_part: Ints = entry("which part stands", "", "modules", kind=np.int64)
    attached: Ints = entry("connectors that are closed", "", "modules", kind=np.int64)
    touching: NDArray[np.uint8] = entry("stands or not", "", "modules", kind=np.uint8)
    tag: int = entry("of all before", kind=np.int64)


class AnswerRow(Row):
    """Answer of a host."""

    counters: Ints = entry("since it began", "", COUNTERS, kind=np.int64)
    tau: Array = entry("torques", "N m", "modules", "joints")
    report: Records[ModuleReport] = entry(
        "what modules tell", "", "modules", kind=ModuleReport
    )
    tag: int = entry("of all before", kind=np.int64)


class ArrivedRow(AnswerRow):
    """An answer in a room that is larger, so that longer datagrams are known."""

    beyond: int = entry("what is not part of an answer", kind=np.int64)


def words_of(rows: Records[Any]) -> Ints:
    """Return rows as 64-bit words, the same memory, (rows, words)."""
    plain = np.asarray(rows)
    return plain.view(np.int64).reshape(len(plain), -1)


@dataclass(frozen=True)
class Layout:
    """Sizes of the rows, the same for all hosts."""

    modules: int
    """Most modules that a host runs."""
    joints: int
    parts: int

    def senses_rows(self, count: int) -> Records[SensesRow]:
        """Return some rows of readings, empty."""
        return SensesRow.zeros(
            count, modules=self.modules, joints=self.joints, parts=self.parts
        )

    def answer_rows(self, count: int) -> Records[AnswerRow]:
        """Return some answers, empty."""
        return AnswerRow.zeros(count, modules=self.modules, joints=self.joints)

    def arrived(self, room: NDArray[np.uint8]) -> Records[ArrivedRow]:
        """Return what came in as rows, the same memory.

        Args:
            room: a row for each, as long as an ``ArrivedRow``.
        """
        dtype = ArrivedRow.dtype(modules=self.modules, joints=self.joints)
        return cast("Records[ArrivedRow]", room.view(dtype)[:, 0])

    @property
    def senses_words(self) -> int:
        """Words of a row of readings, the tag included."""
        return words_of(self.senses_rows(1)).shape[1]

    @property
    def answer_words(self) -> int:
        """Words of an answer, the tag included."""
        return words_of(self.answer_rows(1)).shape[1]

    def senses_of(self, row: SensesRow, count: int) -> Senses:
        """Return the readings in a row as views, for a host of ``count`` modules."""
        return Senses(
            q=row.q[:count],
            rate=row.rate[:count],
            skin=cast(Any, row.skin[:count]).reshape(-1),
            anchor=row.anchor[:count],
            contact=row.contact[:count],
            anchor_part=row.anchor_part[:count],
            attached=row.attached[:count],
            touching=row.touching[:count].view(np.bool_),
        )


class Crew(NamedTuple):
    """Assignment of modules to hosts."""

    place: Ints
    """Host of each module and its place there, (nm, 2)."""
    member: Ints
    """Modules of each host, (hosts, most)."""
    size: Ints
    """Number of modules of each host, (hosts,)."""


class Answers(NamedTuple):
    """Last answers of all hosts."""

    mark: Ints
    """ANSWER or HELLO for those that were heard, (hosts,)."""
    tau: Array
    """Torques by module, (nm, joints)."""
    report: Records[ModuleReport]
    """(nm,)."""
    counters: Ints
    """(hosts, COUNTERS)."""


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
    senses: Senses,
    place: Ints,
    rows: Records[SensesRow],
    words: Ints,
    tick: int,
) -> None:
    """Write every host's row of readings.

    Args:
        key: the run's, (2,).
        senses: of all modules.
        place: host of each module and its place there, (nm, 2).
        rows: one a host; overwritten.
        words: the same memory as words.
        tick: this tick.
    """
    for m in range(place.shape[0]):
        row, i = rows[place[m, 0]], place[m, 1]
        for a in range(row.q.shape[1]):
            row.q[i, a] = senses.q[m, a]
            row.rate[i, a] = senses.rate[m, a]
        parts = row.skin.shape[1]
        for b in range(parts):
            row.skin[i, b] = senses.skin[m * parts + b]
        row.anchor[i] = senses.anchor[m]
        row.contact[i] = senses.contact[m]
        row.anchor_part[i] = senses.anchor_part[m]
        row.attached[i] = senses.attached[m]
        row.touching[i] = senses.touching[m]
    for h in range(words.shape[0]):
        seal(key, words, h, h, SENSES, tick)


@compiled(allocates=False)
def read_datagrams(
    key: Ints,
    came: Came,
    rows: Records[ArrivedRow],
    crew: Crew,
    out: Answers,
    tick: int,
    count: int,
) -> int:
    """Read what hosts sent; return how many datagrams were not theirs.

    Args:
        key: the run's, (2,).
        came: what came, as words.
        rows: the same memory.
        crew: who runs where.
        out: overwritten by those that were heard.
        tick: the tick that is waited for.
        count: how many came.
    """
    foreign, last = 0, came.words.shape[1] - 2  # the tag; one word is beyond
    for r in range(count):
        row = rows[r]
        h, kind = row.who & 0xFFFFFFFF, row.who >> 32
        is_whole = came.lengths[r] == WORD * (last + 1)
        if not (is_whole and sealed(key, came.words, r, last)):
            foreign += 1
            continue
        if kind == HELLO:
            out.mark[h] = HELLO
        if kind != ANSWER or row.when != tick:
            continue
        out.mark[h] = ANSWER
        for c in range(COUNTERS):
            out.counters[h, c] = row.counters[c]
        for i in range(crew.size[h]):
            m = crew.member[h, i]
            for a in range(row.tau.shape[1]):
                out.tau[m, a] = row.tau[i, a]
            out.report[m] = row.report[i]
    return foreign
