"""Ensemble and object program say the same, frame by frame, whatever happens."""

from typing import final

import numpy as np
import pytest

from equipoise.modules import frame as fr
from equipoise.modules.ensemble.channel import Channel
from equipoise.modules.ensemble.ensemble import Ensemble
from equipoise.modules.frame import ProtocolFrame
from equipoise.modules.kernels import rows as at
from equipoise.modules.member.cargo import AbstractCargo
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import (
    ConnectorState,
    MemberInputs,
    MemberState,
    Slot,
)
from equipoise.modules.rules import RULE_NAMES, Rules

PORTS = 4
GRAPHS = {  # links without ports; three trees, three graphs with loops
    "chain": [(k, k + 1) for k in range(9)],
    "star": [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 8), (6, 9)],
    "pair": [(0, 1)],
    "ring": [(k, (k + 1) % 8) for k in range(8)],
    "ladder": [(k, k + 1) for k in (0, 1, 2, 4, 5, 6)] + [(k, k + 4) for k in range(4)],
    "grid": [(k, k + 1) for k in range(12) if k % 4 < 3]
    + [(k, k + 4) for k in range(8)],
}
BAD = Channel(
    loss=0.1, duplication=0.1, delay=0.15, corruption=0.02, garbage=0.01,
    reordering=True,
)  # fmt: skip
NAMES = ("flags", "seq", "echo", "dist", "id", "root", "epoch", "count", "join")
NAMES += ("cand", "feet", "age", "token")


@final
class Tens(AbstractCargo[tuple[float, ...], tuple[float, ...]]):
    """Ten floats of each module, added and carried as they are."""

    def own(self, body):
        return body

    def bring_in(self, body, port, value):
        return value

    def bring_out(self, body, port, value):
        return value

    def add(self, a, b):
        return tuple(x + y for x, y in zip(a, b, strict=True))


def frame_of(head, value=None) -> ProtocolFrame:
    return ProtocolFrame(**dict(zip(NAMES, head.tolist(), strict=True)), value=value)


def state_of(ensemble: Ensemble, i: int) -> MemberState:
    """What the ensemble holds for module i, as the object program's state."""
    row = ensemble.seats.node[i].tolist()
    ports = []
    for p in range(PORTS):
        e = i * PORTS + p
        here = ensemble.seats.port[e].tolist()
        value = tuple(ensemble.seats.value[e].tolist()) if here[at.HAS_VALUE] else None
        head = frame_of(ensemble.seats.port[e, at.HEAD : at.HEAD + fr.COLUMNS])
        one = ConnectorState(head, value, here[at.PEER], here[at.QUIET], here[at.GOOD])
        one.half, one.up, one.rec = here[at.HALF], here[at.UP] != 0, here[at.REC] != 0
        one.rec_peer, one.rec_join = here[at.REC_PEER], here[at.REC_JOIN]
        one.rec_child = here[at.REC_CHILD] != 0
        ports.append(one)
    slots = tuple(Slot(*row[slot : slot + 3]) for slot in at.SLOTS)
    first = row[at.ID], row[at.SEQ], row[at.OWN_EPOCH], row[at.JOIN]
    return MemberState(
        *first, row[at.ROOT], row[at.EPOCH], ports, row[at.DIST], row[at.PARENT],
        row[at.BOOT], row[at.ROUNDS], row[at.SINCE_BUMP], row[at.FROZEN] != 0,
        row[at.DIRTY] != 0, g=row[at.SEEN] != 0, incumbent=row[at.INCUMBENT] != 0,
        slots=slots, calm=row[at.CALM],
        mark=tuple(row[at.MARK_ROOT : at.MARK_OPEN + 1]),
    )  # fmt: skip


class Twins:
    """An ensemble, and one object program for each of its modules beside it."""

    def __init__(self, graph: str, seed: int, rules: Rules, channel: Channel) -> None:
        self.rng = np.random.default_rng(seed)
        pairs = GRAPHS[graph]
        n = 1 + max(map(max, pairs))
        ids = self.rng.permutation(3 * n)[:n] + 1
        own = self.rng.normal(size=(n, 10))
        self.ensemble = Ensemble(
            ids, PORTS, own=own, rules=rules, channel=channel, seed=seed
        )
        for i, j in pairs:
            self.ensemble.dock(
                i, self.ensemble.free_port(i), j, self.ensemble.free_port(j)
            )
        cargo = Tens()
        self.members = [
            Member(id=int(name), ports=PORTS, cargo=cargo, rules=rules) for name in ids
        ]
        self.bodies = [tuple(row) for row in own.tolist()]
        self.states = [state_of(self.ensemble, i) for i in range(n)]
        self.compared = self.known = 0

    def mail(self) -> list[list[tuple[int, ProtocolFrame]]]:
        """What each module read in the last round, in order."""
        wires = self.ensemble.wires
        slot = (self.ensemble.tick - 1) % len(wires.waiting)
        boxes = [[] for _ in self.members]
        for k in range(wires.waiting[slot]):
            i, p = divmod(int(wires.queue_to[slot, k]), PORTS)
            row = wires.queue_frame[slot, k]
            value = tuple(wires.value[row].tolist())
            boxes[i].append((p, frame_of(wires.head[row], value)))
        return boxes

    def posted(self) -> dict[tuple[int, int], tuple]:
        """Header and sum of each frame that the ensemble sent in the last round."""
        wires = self.ensemble.wires
        slot = (self.ensemble.tick - 1) % len(wires.waiting)
        first = slot * 2 * len(wires.far)
        told = {}
        for row in range(first, first + wires.stored[slot]):
            if wires.source[row] >= 0:
                head = tuple(wires.head[row].tolist())
                is_sum = head[fr.FLAGS] & fr.SUM
                value = tuple(wires.value[row].tolist()) if is_sum else None
                told[divmod(int(wires.source[row]), PORTS)] = head, value
        return told

    def step(self) -> None:
        """Run both for a round and compare all that is sent and published."""
        ensemble, wires = self.ensemble, self.ensemble.wires
        ensemble.step()
        boxes, told = self.mail(), self.posted()
        total, beyond = ensemble.total, ensemble.beyond
        for i, member in enumerate(self.members):
            if not wires.alive[i]:
                continue
            inputs = MemberInputs(
                attached=tuple(p for p in range(PORTS) if wires.attached[i] >> p & 1),
                body=self.bodies[i],
                touching=bool(wires.touching[i]),
                foot=int(wires.foot[i]),
            )
            outbox, self.states[i] = member.step(boxes[i], inputs, self.states[i])
            for p, frame in outbox.items():
                assert told.pop((i, p)) == (frame.row, frame.value), (
                    ensemble.tick,
                    i,
                    p,
                )
                self.compared += 1
            self.compare_report(i, total[i], beyond[i])
        assert not told, f"round {ensemble.tick}: only the ensemble sent {sorted(told)}"

    def compare_report(self, i: int, total, beyond) -> None:
        ensemble, report = self.ensemble, self.states[i].report
        columns = (at.KNOWN, at.STEADY, at.OPEN, at.COUNT, at.LEADER, at.FEET)
        ours = tuple(ensemble.seats.node[i, [*columns, at.ROOT, at.EPOCH]].tolist())
        theirs = (report.known, report.steady, report.is_open, report.count)
        theirs += (
            report.leader,
            report.feet,
            self.states[i].root,
            self.states[i].epoch,
        )
        assert ours == theirs, (ensemble.tick, i)
        if report.known:
            self.known += 1
            assert tuple(total.tolist()) == report.total
            for p, value in report.beyond.items():
                assert tuple(beyond[p].tolist()) == value

    def shake(self) -> None:
        """Let one thing happen, drawn by lot."""
        ensemble, rng = self.ensemble, self.rng
        i, p = int(rng.integers(ensemble.n)), int(rng.integers(PORTS))
        kind = rng.integers(9)
        if kind == 0:
            ensemble.undock(i, p)
        elif kind in (1, 2):  # also at once after undocking: frames are still under way
            j, q = int(rng.integers(ensemble.n)), int(rng.integers(PORTS))
            ensemble.undock(i, p)
            ensemble.undock(j, q)
            if i != j:
                ensemble.dock(i, p, j, q)
        elif kind == 3:
            ensemble.mute(i, p, bool(rng.integers(2)))
        elif kind == 4:
            ensemble.cut(i, p, bool(rng.integers(2)))
        elif kind == 5:
            ensemble.crash(i)
        elif kind in (6, 7):
            ensemble.heal()
            for k in np.flatnonzero(ensemble.wires.alive == 0):
                ensemble.restart(int(k))
                self.states[k] = state_of(ensemble, int(k))
        else:
            ensemble.touch(i, bool(rng.integers(2)))


def run(twins: Twins, rounds: int, every: int, calm: int = 45) -> None:
    """Compare round by round; something happens every so many rounds, then calm."""
    for k in range(rounds):
        if k % every == 0 and 30 <= k < rounds - calm:
            twins.shake()
        twins.step()


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_frame_is_the_same_on_bad_wires(graph: str):
    twins = Twins(graph, 11, Rules(), BAD)
    for i in range(twins.ensemble.n):
        twins.ensemble.touch(i, i % 2 == 0)
    run(twins, 200, 6)
    assert twins.compared > 100
    assert twins.known > 0
    assert twins.ensemble.tally["duplicated"] > 0
    assert twins.ensemble.tally["garbled"] > 0


def test_every_frame_is_the_same_of_few_modules_to_which_much_happens():
    """Within a second as plain Python, too: docks, mutes, cuts, crashes, touches."""
    twins = Twins("ring", 4, Rules(), BAD)
    run(twins, 110, 2, calm=40)
    assert twins.compared > 500
    assert twins.known > 0


@pytest.mark.parametrize("name", RULE_NAMES)
def test_every_frame_is_the_same_with_a_rule_switched_off(name: str):
    twins = Twins("ladder", 5, Rules(off=frozenset({name})), BAD)
    twins.ensemble.touch(2)
    run(twins, 90, 3, calm=25)
    assert twins.compared > 500


@pytest.mark.parametrize("graph", ["grid", "star"])
def test_every_frame_is_the_same_from_arbitrary_states(graph: str):
    twins = Twins(graph, 23, Rules(), Channel())
    for i in range(twins.ensemble.n):
        twins.ensemble.arbitrary(i)
        twins.states[i] = state_of(twins.ensemble, i)
    run(twins, 90, 1000)
    assert twins.known > 0
