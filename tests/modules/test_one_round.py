"""One round of the compiled program from states drawn at random, against ``member``.

Whole robots reach few of the states that a module can be in: here each port, timer,
epoch and mark is drawn by itself, at the limits of all rules more often than not.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from equipoise.modules import frame as fr
from equipoise.modules.frame import ProtocolFrame
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import (
    Seats,
    empty_seats,
    run_module_round,
    take,
    write_head,
)
from equipoise.modules.kernels.sums import add_tree_sums
from equipoise.modules.member.cargo import Numbers
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import (
    ConnectorState,
    MemberInputs,
    MemberState,
    Slot,
    fresh_state,
)
from equipoise.modules.rules import RULE_NAMES, Rules, rules_vector

PORTS, OWN, WHERE = 4, 10, 1
"""Connectors, the module's name and its row of three."""
NAMES = ("flags", "seq", "echo", "dist", "id", "root", "epoch", "count", "join")
NAMES += ("cand", "feet", "age", "token")


class Lots:
    """Numbers drawn for a module."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.is_calm = self.is_so(0.5)
        """Whether the module has long been in a tree in which all is well."""

    def one(self, *values: int) -> int:
        return int(values[self.rng.integers(len(values))])

    def below(self, top: int) -> int:
        return int(self.rng.integers(top))

    def is_so(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def rules(self) -> Rules:
        off = {n for n in RULE_NAMES if self.is_so(0.03)}
        if self.is_so(0.5):
            off.add("token")
        return Rules(
            delta=self.below(2), silence=2 + self.below(3), bump=1 + self.below(3),
            hops=2 + self.below(4), window=1 + self.below(6), most=3 + self.below(30),
            off=frozenset(off),
        )  # fmt: skip

    def head(self, me: np.ndarray, p: int, fits: float) -> list[int]:
        """Return what a neighbour may have said to a module; often it fits."""
        flags = self.below(256)
        if self.is_so(0.8):
            flags = (flags | fr.F | fr.HEARD) & ~fr.REF
        if self.is_so(0.7):
            flags = (flags | fr.G) & ~(fr.DIRTY | fr.OPEN)
        if self.is_calm:
            flags = (flags | fr.F | fr.G | fr.HEARD) & ~(fr.DIRTY | fr.REF)
            flags &= ~(0 if self.is_so(0.1) else fr.OPEN)
            fits = 0.99
        root, epoch = int(me[at.ROOT]), int(me[at.EPOCH])
        dist = int(me[at.DIST]) + self.one(-1, 0, 1, 1)
        if p == me[at.PARENT]:
            flags, dist = flags & ~fr.PAR, int(me[at.DIST]) - 1
        elif self.is_so(0.7):
            flags, dist = flags | fr.PAR, int(me[at.DIST]) + 1
        if not self.is_so(fits):
            root = self.one(4, OWN, 12, 13, root)
            epoch = (epoch + self.one(-40000, -3, -2, -1, 0, 1, 2, 40000)) % 65536
            dist = self.below(6)
        echo = (int(me[at.SEQ]) + 1 - self.one(0, 0, 1, 1, 2, 3, 7)) % 256
        cand = self.one(0, 4, OWN, 12, 13, 14) | self.one(0, 0, fr.INCUMBENT)
        feet, token = self.below(1 << 24), self.below(1 << 32)
        who = self.one(4, 11, 12, 12, 13)
        last = [1 + self.below(5), self.below(3), cand, feet]
        last += [self.one(0, 1, 5, *(() if self.is_calm else (100, 253, 255))), token]
        return [flags, self.below(256), echo, max(dist, 0), who, root, epoch, *last]

    def module(self, rules: Rules) -> Seats:
        """Return three modules, of which the middle one is in some state."""
        seats = empty_seats(3, PORTS)
        me = seats.node[WHERE]
        me[at.ID], me[at.SEQ] = OWN, self.one(0, 1, 100, 101, 254, 255)
        is_root = self.is_so(0.4)
        me[at.ROOT] = OWN if is_root else self.one(12, 13)
        me[at.PARENT] = -1 if is_root else self.below(PORTS)
        me[at.DIST] = 0 if is_root else 1 + self.below(rules.hops)
        me[at.OWN_EPOCH] = self.one(0, 5, 65535)
        me[at.EPOCH] = me[at.OWN_EPOCH] if is_root else self.one(0, 5, 65535)
        if not self.is_calm and self.is_so(0.1):  # what no sequence of rounds leads to
            me[at.PARENT], me[at.DIST] = self.below(PORTS + 2) - 1, self.below(8)
            me[at.ROOT] = self.one(4, OWN, 12)
        first = rules.quarantine + rules.listen
        me[at.JOIN] = self.one(0, 7, 255)
        me[at.BOOT] = self.one(0, rules.quarantine - 1, rules.quarantine, first - 2,
                               first - 1, 100, 253, 254)  # fmt: skip
        me[at.BOOT] = max(me[at.BOOT], 0)
        me[at.ROUNDS] = self.one(0, 1, 2, 5, 9, rules.join - 1, rules.join, 254)
        me[at.SINCE_BUMP] = self.one(0, 0, rules.bump - 1, rules.bump, 254)
        me[at.FROZEN], me[at.SEEN] = self.is_so(0.75), self.is_so(0.3)
        me[at.DIRTY] = self.is_so(0.1)
        me[at.INCUMBENT] = self.is_so(0.4)
        for slot in at.SLOTS:
            root, epoch = self.one(0, 12, 13, 14), int(me[at.EPOCH])
            epoch = (epoch + self.one(-7, -1, 0, 0, 1, 3, 40000)) % 65536
            me[slot : slot + 3] = root, epoch, self.one(0, 1, 2, 9)
        me[at.CALM] = self.one(0, 1, 5, 254, 255)
        if self.is_calm:
            me[at.BOOT], me[at.FROZEN], me[at.DIRTY] = 100, 1, 0
            me[at.ROUNDS] = self.one(5, 254)
        for p in range(PORTS):
            self.port(rules, me, seats.port[WHERE * PORTS + p], p)
        return seats

    def port(self, rules: Rules, me: np.ndarray, end: np.ndarray, p: int) -> None:
        """Write what a module knows of one of its ports."""
        end[at.QUIET] = at.NEVER
        if self.is_so(0.2):  # nobody has ever been here
            return
        me[at.LIVE] |= 1 << p
        end[at.HEAD : at.HEAD + fr.COLUMNS] = self.head(me, p, fits=0.9)
        end[at.QUIET] = self.one(0, 0, 0, 0, rules.silence - 2, rules.silence - 1)
        end[at.PEER] = end[at.HEAD + fr.SENDER] if self.is_so(0.95) else 0
        end[at.GOOD] = self.one(0, 1, 2, 2, 2, 2)
        if me[at.BOOT] <= rules.quarantine:
            end[at.GOOD] = 0  # while it keeps silent no link is proven
        end[at.HALF] = self.one(0, 0, 0, 2 * rules.silence, 254)
        end[at.HAS_VALUE] = self.is_so(0.9)
        if self.is_calm:
            end[at.QUIET], end[at.GOOD], end[at.HALF], end[at.HAS_VALUE] = 0, 2, 0, 1
            end[at.PEER] = end[at.HEAD + fr.SENDER]
        if me[at.FROZEN] and (self.is_calm or self.is_so(0.9)):
            end[at.REC], end[at.REC_PEER] = 1, end[at.HEAD + fr.SENDER]
            end[at.REC_JOIN] = end[at.HEAD + fr.JOIN]
            is_below = end[at.HEAD + fr.FLAGS] & fr.PAR and p != me[at.PARENT]
            end[at.REC_CHILD] = 1 if is_below else 0
        if me[at.FROZEN] and self.is_so(0.04):
            end[self.one(at.REC_PEER, at.REC_JOIN)] += 1


def frame_of(head: Any) -> ProtocolFrame[int]:
    numbers = dict(zip(NAMES, [int(x) for x in head], strict=True))
    return ProtocolFrame(**numbers, value=1)


def state_of(seats: Seats) -> MemberState[int]:
    """Return what the rows hold, as the object program's state."""
    row = seats.node[WHERE].tolist()
    ports = list[ConnectorState[int]]()
    for here in seats.port[WHERE * PORTS : (WHERE + 1) * PORTS].tolist():
        head = replace(frame_of(here[at.HEAD : at.HEAD + fr.COLUMNS]), value=None)
        value = 1 if here[at.HAS_VALUE] else None
        one = ConnectorState(head, value, here[at.PEER], here[at.QUIET], here[at.GOOD])
        one.half, one.up, one.rec = here[at.HALF], here[at.UP] != 0, here[at.REC] != 0
        one.rec_peer, one.rec_join = here[at.REC_PEER], here[at.REC_JOIN]
        one.rec_child, one.refuses = here[at.REC_CHILD] != 0, here[at.REFUSED] != 0
        ports.append(one)
    first = row[at.ID], row[at.SEQ], row[at.OWN_EPOCH], row[at.JOIN]
    return MemberState(
        *first, row[at.ROOT], row[at.EPOCH], ports, row[at.DIST], row[at.PARENT],
        row[at.BOOT], row[at.ROUNDS], row[at.SINCE_BUMP], row[at.FROZEN] != 0,
        row[at.DIRTY] != 0, row[at.DIRTY_OUT] != 0, row[at.SEEN] != 0,
        row[at.INCUMBENT] != 0, tuple(Slot(*row[s : s + 3]) for s in at.SLOTS),
        row[at.CALM], tuple(row[at.MARK_ROOT : at.MARK_OPEN + 1]),
    )  # fmt: skip


def told(state: MemberState[int]) -> list[Any]:
    """Return all that a state remembers, without its report and values."""
    row: list[Any] = [state.seq, state.own_epoch, state.join, state.root, state.epoch]
    row += [state.dist, state.parent, state.boot, state.rounds_in, state.since_bump]
    row += [state.frozen, state.dirty, state.dirty_out, state.g, state.incumbent]
    row += [state.calm, state.mark if state.mark and state.mark[0] else ()]
    row += [(slot.root, slot.epoch, slot.timer) for slot in state.slots]
    for port in state.ports:
        row.append((port.head.row, port.value is not None, port.peer, port.quiet))
        row.append((port.good, port.half, port.up))
        row.append((port.rec, port.rec_peer, port.rec_join, port.rec_child))
    return row


@dataclass
class Round:
    """What happens to a module in one round."""

    rules: Rules
    seats: Seats
    mail: list[tuple[int, list[int]]]
    touches: bool
    foot: int
    attached: int

    def by_rows(self, seats: Seats) -> dict[int, tuple[int, ...]]:
        """Run the compiled program on rows; return the headers that are sent."""
        rule = rules_vector(self.rules)
        for p, head in self.mail:
            rows = np.array([[0] * fr.COLUMNS, head])
            take(rule, seats, WHERE, p, rows, 1, np.ones((1, at.VALUE)), 0)
        run_module_round(rule, seats, WHERE, self.touches, self.foot, self.attached)
        out, sent = np.full((3, fr.COLUMNS), 99), dict[int, tuple[int, ...]]()
        for p in range(PORTS):
            if self.attached >> p & 1:
                if write_head(rule, seats, WHERE, p, out, 1):
                    sent[p] = tuple(out[1].tolist())
                else:
                    assert not out[1].any()
        assert (out[[0, 2]] == 99).all()
        return sent

    def balance(self) -> None:
        """Let all tokens cancel, as in a whole tree, and what is known be no news."""
        trial = Seats(*(array.copy() for array in self.seats))
        self.by_rows(trial)
        me, ends = trial.node[WHERE], trial.port[WHERE * PORTS : (WHERE + 1) * PORTS]
        rest = add_tree_sums(rules_vector(self.rules), me, ends, -1)[1]
        heard = {p for p, _ in self.mail}
        for p in range(PORTS):
            if me[at.TREE] >> p & 1 and p not in heard:
                here = self.seats.port[WHERE * PORTS + p]
                word = int(here[at.HEAD + fr.TOKEN]) - int(rest)
                here[at.HEAD + fr.TOKEN] = word % 2**32
                break
        trial = Seats(*(array.copy() for array in self.seats))
        self.by_rows(trial)
        marks = slice(at.MARK_ROOT, at.MARK_OPEN + 1)
        self.seats.node[WHERE, marks] = trial.node[WHERE, marks]

    def by_objects(self) -> tuple[dict[int, tuple[int, ...]], MemberState[int]]:
        """Run the reference; return the headers that are sent and its state."""
        cargo = Numbers()
        member: Member[int, int] = Member(
            id=OWN, ports=PORTS, cargo=cargo, rules=self.rules
        )
        docked = tuple(p for p in range(PORTS) if self.attached >> p & 1)
        inputs = MemberInputs(
            attached=docked, body=1, touching=self.touches, foot=self.foot
        )
        mail = [(p, frame_of(head)) for p, head in self.mail]
        given = state_of(self.seats)
        box, state = member.step(mail, inputs, given)
        assert told(given) == told(state_of(self.seats))  # left alone
        return {p: frame.row for p, frame in box.items()}, state


def drawn(seed: int) -> Round:
    """Return a module in some state, and what reaches it in a round."""
    lots = Lots(seed)
    rules = lots.rules()
    seats = lots.module(rules)
    me, mail = seats.node[WHERE], list[tuple[int, list[int]]]()
    for _ in range(lots.one(0, 0, *(() if lots.is_calm else (1, 2)), 1)):
        p = lots.below(PORTS)
        head, here = lots.head(me, p, fits=0.8), seats.port[WHERE * PORTS + p]
        if lots.is_so(0.7):
            head[fr.SENDER] = int(here[at.PEER])  # nobody's is dropped
        head[fr.SEQ] = (int(here[at.HEAD + fr.SEQ]) + lots.one(0, 1, 1, 127, 128)) % 256
        mail.append((p, head))
    one = Round(rules, seats, mail, lots.is_so(0.5), lots.below(256), lots.below(16))
    if lots.is_so(0.5):
        one.attached |= int(me[at.LIVE])
    if lots.is_so(0.7):
        one.balance()
    return one


def compare(seed: int) -> MemberState[int]:
    """Run a round both ways; all that is said, kept and published is the same."""
    one = drawn(seed)
    frames, state = one.by_objects()
    others = [array.copy() for array in one.seats]
    assert one.by_rows(one.seats) == frames, seed
    after, row = state_of(one.seats), one.seats.node[WHERE]
    assert told(after) == told(state), seed
    report = state.report
    assert [bool(row[a]) for a in (at.KNOWN, at.STEADY, at.OPEN, at.IS_LEADER)] == [
        report.known, report.steady, report.is_open, report.is_leader,
    ], seed  # fmt: skip
    assert row[[at.COUNT, at.FEET, at.AGE, at.LEADER]].tolist() == [
        report.count, report.feet, report.age, report.leader,
    ], seed  # fmt: skip
    assert tuple(p for p in range(PORTS) if row[at.TREE] >> p & 1) == report.tree
    silence = one.rules.silence
    for p, here in enumerate(one.seats.port[WHERE * PORTS : (WHERE + 1) * PORTS]):
        is_empty = here[at.QUIET] >= silence and not (here[at.PEER] or here[at.REC])
        if row[at.TALKS] and others[0][WHERE, at.LIVE] >> p & 1:
            assert row[at.LIVE] >> p & 1 == (0 if is_empty else 1), (seed, p)
    for was, array in zip(others, one.seats, strict=True):  # nobody else's is touched
        each = len(array) // 3
        assert (was[:each] == array[:each]).all()
        assert (was[2 * each :] == array[2 * each :]).all()
    return state


@pytest.mark.parametrize("first", range(0, 1600, 200))
def test_a_round_from_any_state_is_that_of_the_reference(first: int):
    states = [compare(seed) for seed in range(first, first + 200)]
    # the states are worth drawing: each of these things happens in many of them
    assert sum(state.report.known for state in states) > 10
    assert sum(state.report.steady for state in states) > 1
    assert sum(state.report.is_leader for state in states) > 1
    assert sum(state.dirty_out for state in states) > 20
    assert sum(state.frozen for state in states) > 50
    assert sum(port.refuses for state in states for port in state.ports) > 3


def test_a_module_s_first_numbers_come_from_its_seed_and_name():
    def first(name: int, **given: int) -> tuple[int, ...]:
        member: Member[int, int] = Member(id=name, ports=1, cargo=Numbers(), **given)
        state = member.init()
        return state.seq, state.epoch, state.join

    assert first(3) == first(3, seed=0)
    assert len({first(3), first(4), first(3, seed=1), first(4, seed=1)}) == 4


def test_a_fresh_state_takes_any_numbers_modulo_their_fields():
    state = fresh_state(7, 3, seq=256 + 5, epoch=3 * 65536 + 40000, join=512 + 9)
    assert (state.seq, state.join) == (5, 9)
    assert state.epoch == state.own_epoch == 40000
    assert (state.id, state.root, state.parent, state.dist) == (7, 7, -1, 0)
    assert [port.peer for port in state.ports] == [0, 0, 0]
    assert all(port.quiet == at.NEVER and not port.up for port in state.ports)
