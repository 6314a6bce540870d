"""Modules docked to each other, wires that lose and delay, and what is really so.

The judge of the module protocol: it never asks a module what it believes of its links,
only what is docked, who is switched on, and which frames were handed over. The value of
a module is one byte of a long integer, so a sum tells who was counted, and how often.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

import numpy as np

from equipoise.modules.frame import ProtocolFrame
from equipoise.modules.hashing import foot_digest
from equipoise.modules.member.cargo import Numbers
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import MemberInputs, MemberReport, MemberState
from equipoise.modules.rules import Rules

End = tuple[int, int]
PORTS = 4
STALE = 15  # rounds, and 4 a module: how long a claim may outlive the truth


@dataclass(frozen=True)
class Instant:
    """What was so in one round."""

    possible: frozenset[tuple[int, int]]
    """Pairs of running modules that are docked to each other."""
    certain: frozenset[tuple[int, int]]
    """Those that heard each other lately, both ways."""
    touching: tuple[tuple[bool, int], ...]
    """Whether each module touches, and with which contact place."""


@dataclass
class MemberWorld:
    """n modules, by number from 0; names are ``ids``."""

    n: int
    rules: Rules = field(default_factory=Rules)
    ids: Sequence[int] = ()
    seed: int = 0
    loss: float = 0.0
    duplicate: float = 0.0
    late: float = 0.0
    now: int = 0

    def __post_init__(self) -> None:
        self.ids = self.ids or range(1, self.n + 1)
        self.rng = np.random.default_rng(self.seed)
        self.far: dict[End, End] = {}
        self.on_wire: list[tuple[int, int, End, ProtocolFrame[int]]] = []
        self.heard: dict[End, int] = {}
        self.newest: dict[End, int] = {}
        self.mute: set[End] = set()
        self.touching, self.foot = [False] * self.n, [0] * self.n
        self.members = [
            Member(id=i, ports=PORTS, cargo=Numbers(), seed=self.seed, rules=self.rules)
            for i in self.ids
        ]
        self.states: list[MemberState[int] | None] = [m.init() for m in self.members]
        self.born, self.count, self.sent = [0] * self.n, 0, 0
        self.history: list[Instant] = []

    # What happens to the robot

    def dock(self, a: int, b: int, pa: int | None = None, pb: int | None = None):
        """Join two modules, at their first free connectors unless said otherwise."""
        end = (a, self.free(a)[0] if pa is None else pa)
        other = (b, self.free(b)[0] if pb is None else pb)
        assert end not in self.far and other not in self.far and a != b
        self.far[end], self.far[other] = other, end
        for one in (end, other):
            self.heard.pop(one, None)
        return end, other

    def undock(self, a: int, b: int) -> tuple[End, End]:
        """Separate two modules; frames under way still arrive."""
        end = next(e for e, f in self.far.items() if e[0] == a and f[0] == b)
        other = self.far.pop(end)
        del self.far[other]
        return end, other

    def free(self, i: int) -> list[int]:
        return [p for p in range(PORTS) if (i, p) not in self.far]

    def links(self) -> list[tuple[int, int]]:
        return [(a[0], b[0]) for a, b in self.far.items() if a < b]

    def crash(self, i: int) -> None:
        self.states[i] = None

    def restart(self, i: int, state: MemberState[int] | None = None) -> None:
        self.born[i] = self.now
        fresh = replace(self.members[i], seed=self.seed + 1000 + self.now).init()
        self.states[i] = fresh if state is None else state

    def silence(self, a: int, b: int, is_mute: bool = True) -> None:
        """Lose, or hear again, everything that a sends to b."""
        ends = {e for e, f in self.far.items() if e[0] == a and f[0] == b}
        self.mute = self.mute | ends if is_mute else self.mute - ends

    def touch(self, i: int, is_touching: bool = True) -> None:
        self.foot[i] = (self.foot[i] + is_touching) % 256
        self.touching[i] = is_touching

    # Rounds

    def run(self, rounds: int) -> None:
        for _ in range(rounds):
            self.round()

    def round(self) -> None:
        """Hand over what is due, let every running module step, send."""
        due = [item for item in self.on_wire if item[0] <= self.now]
        self.on_wire = [item for item in self.on_wire if item[0] > self.now]
        mail: dict[int, list[tuple[int, ProtocolFrame[int]]]] = {}
        for _, number, end, frame in sorted(due, key=lambda item: item[:2]):
            mail.setdefault(end[0], []).append((end[1], frame))
            if number > self.newest.get(end, 0):  # news, not overtaken on its way
                self.newest[end], self.heard[end] = number, self.now
        self.sent = 0
        for i, state in enumerate(self.states):
            if state is None:
                continue
            inputs = MemberInputs(
                attached=tuple(p for p in range(PORTS) if (i, p) in self.far),
                body=1 << (8 * i),
                touching=self.touching[i],
                foot=self.foot[i],
            )
            box, after = self.members[i].step(mail.get(i, []), inputs, state)
            self.states[i] = after
            self.sent += len(box)
            for port, frame in box.items():
                self._post((i, port), frame)
        self._note()
        self.now += 1

    def _post(self, end: End, frame: ProtocolFrame[int]) -> None:
        self.count += 1
        copies = 1 + int(self.rng.random() < self.duplicate)
        for _ in range(copies):
            if end in self.mute or self.rng.random() < self.loss:
                continue
            is_late = self.rng.random() < self.late
            extra = int(self.rng.integers(1, 4)) if is_late else 0
            self.on_wire.append(
                (self.now + 1 + extra, self.count, self.far[end], frame)
            )

    # What is really so

    def runs(self, i: int) -> bool:
        """Whether a module is on and past its silence."""
        return self.states[i] is not None and self.age(i) > self.rules.quarantine

    def age(self, i: int) -> int:
        return self.now - self.born[i]

    def _note(self) -> None:
        fresh = self.now - self.rules.silence
        possible: set[tuple[int, int]] = set()
        certain: set[tuple[int, int]] = set()
        for a, b in self.far.items():
            if self.states[a[0]] is None or self.states[b[0]] is None or a > b:
                continue
            possible.add((a[0], b[0]))
            is_heard = min(self.heard.get(end, -99) for end in (a, b)) > fresh
            if self.runs(a[0]) and self.runs(b[0]) and is_heard:
                certain.add((a[0], b[0]))
        touching = tuple(zip(self.touching, self.foot, strict=True))
        now = Instant(frozenset(possible), frozenset(certain), touching)
        self.history.append(now)

    def component(self, i: int) -> frozenset[int]:
        """The running modules docked together with one, now."""
        return component(i, self.possible())

    def possible(self) -> frozenset[tuple[int, int]]:
        on = [state is not None for state in self.states]
        return frozenset((a, b) for a, b in self.links() if on[a] and on[b])

    def diameter(self, i: int) -> int:
        """Largest distance between two modules of a component."""
        return max(reach(j, self.possible()) for j in self.component(i))

    # What the modules say

    def report(self, i: int) -> MemberReport[int]:
        state = self.states[i]
        return MemberReport() if state is None else state.report

    def known(self) -> list[int]:
        return [i for i in range(self.n) if self.report(i).known]

    def claim(self, i: int) -> frozenset[int]:
        """Who is counted by a module that says it knows; nobody twice."""
        return decode(self.report(i).total, self.n)

    def is_right(self, i: int) -> bool:
        """Whether a module knows exactly the robot it is part of, and its leader."""
        report = self.report(i)
        if not report.known or self.claim(i) != self.component(i):
            return False
        feet = [j for j in self.component(i) if self.touching[j]]
        leaders = [j for j in self.component(i) if self.report(j).is_leader]
        names = [self.ids[j] for j in leaders]
        return names == [report.leader] if feet else report.leader == 0 and not names

    def all_right(self) -> bool:
        on = [i for i, state in enumerate(self.states) if state is not None]
        is_known = all(self.report(i).known for i in on)
        return is_known and all(self.is_right(i) for i in on)

    def rounds_until_right(
        self, limit: int, stays: int = 12, *, is_judged: bool = True
    ) -> int:
        """Run on; return after how many rounds all was right, and then stayed so."""
        last_wrong = 0
        for k in range(1, limit + stays + 1):
            self.round()
            if is_judged:
                self.check()
            last_wrong = last_wrong if self.all_right() else k
            if k - last_wrong >= stays:
                break
        return last_wrong

    def bound(self, has_loops: bool = True) -> int:
        """Rounds from the last fault within which all is right again."""
        d = max(self.diameter(i) for i in range(self.n))
        if has_loops:  # docs/protocol_bound.md: one lost name, the deepest tree
            return max(14 + self.n + 3 * d, 32 + 2 * d) + 2 * (self.n - 1)
        return max(15 + 6 * d, 19 + 5 * d, 32 + 4 * d)

    # The judge

    def check(self) -> None:
        """Refuse any claim that was never true, or not lately."""
        sets: dict[tuple[int, int], frozenset[int]] = {}
        window = STALE + 4 * self.n
        for i in self.known():
            report, state, claim = self.report(i), self.states[i], self.claim(i)
            assert state is not None
            assert i in claim and report.count == len(claim)
            same = sets.setdefault((state.root, state.epoch), claim)
            assert same == claim, f"one epoch, two sets: {same} and {claim}"
            since = max(self.born[i] + self.rules.quarantine + 3, self.now - window, 0)
            lately = self.history[since : self.now][::-1]
            assert any(fits(claim, then) for then in lately), (
                f"round {self.now}: module {i} claims {sorted(claim)}"
            )
            if report.steady:
                self._check_feet(report, claim, lately)
        self._check_cuts()

    def _check_feet(
        self,
        report: MemberReport[int],
        claim: frozenset[int],
        lately: Iterable[Instant],
    ) -> None:
        """What a steady module says about touching was so, all at one instant."""
        for then in lately:
            feet = [(j, then.touching[j]) for j in claim if then.touching[j][0]]
            digests = [foot_digest(self.ids[j], foot) for j, (_, foot) in feet]
            if fits(claim, then) and sum(digests) % 2**24 == report.feet:
                return
        raise AssertionError(f"round {self.now}: feet that never were, {report}")

    def _check_cuts(self) -> None:
        """Both sides of a link that carries sums make up the whole."""
        for a, b in self.far.items():
            here, there = self.report(a[0]), self.report(b[0])
            mine, theirs = self.states[a[0]], self.states[b[0]]
            if not (here.known and there.known and mine and theirs):
                continue
            is_same = (mine.root, mine.epoch) == (theirs.root, theirs.epoch)
            peers = (mine.ports[a[1]].rec_peer, theirs.ports[b[1]].rec_peer)
            if not is_same or peers != (theirs.id, mine.id):
                continue  # docked anew on ports that do not know it yet
            if a[1] in here.beyond and b[1] in there.beyond:
                assert here.beyond[a[1]] + there.beyond[b[1]] == here.total


def fits(claim: frozenset[int], then: Instant) -> bool:
    """Whether a set was a robot: held together, and nobody certain left out."""
    inside = frozenset((a, b) for a, b in then.possible if a in claim and b in claim)
    is_whole = claim == component(min(claim), inside)
    return is_whole and all((a in claim) == (b in claim) for a, b in then.certain)


@lru_cache(4096)
def component(i: int, links: frozenset[tuple[int, int]]) -> frozenset[int]:
    """Everybody who hangs together with i."""
    near: dict[int, list[int]] = {}
    for a, b in links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    seen, todo = {i}, [i]
    while todo:
        new = [j for j in near.get(todo.pop(), []) if j not in seen]
        seen.update(new)
        todo += new
    return frozenset(seen)


def reach(i: int, links: Iterable[tuple[int, int]]) -> int:
    """Distance from i to the module farthest from it."""
    seen, edge, hops = {i}, {i}, -1
    while edge:
        hops += 1
        near = {b for a, b in links if a in edge} | {a for a, b in links if b in edge}
        edge = near - seen
        seen |= edge
    return hops


def decode(total: int | None, n: int) -> frozenset[int]:
    """Who is in a sum of one byte a module; an error if anybody is in it twice."""
    assert total is not None
    counts = [total >> (8 * i) & 255 for i in range(n)]
    assert max(counts) == 1, f"counted more than once: {counts}"
    return frozenset(i for i, count in enumerate(counts) if count)


@cache
def _settled(make: Callable[..., MemberWorld], *size: int) -> MemberWorld:
    world = make(*size)
    world.touch(0)
    world.run(world.bound())
    assert world.all_right()
    return world


def settled(make: Callable[..., MemberWorld], *size: int) -> MemberWorld:
    """Return a robot in which all is known; module 0 alone touches."""
    return deepcopy(_settled(make, *size))


def chain(n: int, **options) -> MemberWorld:
    world = MemberWorld(n, **options)
    for i in range(n - 1):
        world.dock(i, i + 1)
    return world


def ring(n: int, **options) -> MemberWorld:
    world = chain(n, **options)
    world.dock(n - 1, 0)
    return world


def grid(rows: int, columns: int, **options) -> MemberWorld:
    world = MemberWorld(rows * columns, **options)
    for i in range(rows * columns):
        if i % columns < columns - 1:
            world.dock(i, i + 1)
        if i + columns < rows * columns:
            world.dock(i, i + columns)
    return world
