"""Sums over the tree: everything behind each connector, and when it is known."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, TypeVar

from equipoise.modules.frame import INCUMBENT, OPEN, F, G
from equipoise.modules.hashing import foot_digest, identity_hash, link_hash
from equipoise.modules.member.cargo import AbstractCargo
from equipoise.modules.member.state import FULL, MemberInputs, MemberReport, MemberState
from equipoise.modules.rules import Rules

__all__ = ["RoundSums", "elect", "judge_known", "round_sums"]

B = TypeVar("B")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class SumPart(Generic[V]):
    """Sum of the part behind a connector, or of the module itself."""

    count: int
    token: int
    feet: int
    age: int
    cand: int
    is_open: bool
    value: V | None
    """None where no complete sum has come in yet."""


@dataclass(frozen=True, slots=True)
class RoundSums(Generic[B, V]):
    """Sums that a module has to add in one round."""

    rules: Rules
    cargo: AbstractCargo[B, V]
    body: B
    state: MemberState[V]
    own: SumPart[V]
    tree: tuple[int, ...]
    parts: dict[int, SumPart[V]]
    """By tree port, where F was heard in this epoch."""

    def has_f(self, without: int = -1) -> bool:
        """Return whether F came in through all tree ports, one left out."""
        return all(q in self.parts for q in self.tree if q != without)

    def has_g(self, without: int = -1) -> bool:
        """Return whether G came in through all tree ports, one left out."""
        ports, others = self.state.ports, (q for q in self.tree if q != without)
        return all(ports[q].head.flags & G for q in others)

    def is_told(self, p: int) -> bool:
        """Return whether the neighbour at a port may be told F."""
        return p in self.tree and not self.state.dirty and self.has_f(without=p)

    def added(self, without: int = -1, *, has_value: bool = True) -> SumPart[V]:
        """Return own and all other parts in ascending order, one port left out.

        Args:
            without: the port to leave out.
            has_value: whether the values are added too, where all are there.
        """
        others = [self.parts[q] for q in self.tree if q != without and q in self.parts]
        every = [self.own, *others]
        values = [part.value for part in every]
        return SumPart(
            count=min(sum(part.count for part in every), self.rules.most + 1),
            token=sum(part.token for part in every) % 2**32,
            feet=sum(part.feet for part in every) % 2**24,
            age=max(part.age for part in every),
            cand=self.best(part.cand for part in every),
            is_open=any(part.is_open for part in every),
            value=self._value(values) if has_value and self.has_f(without) else None,
        )

    def best(self, candidates: Iterable[int]) -> int:
        """Return the best candidate: the incumbent, else by lot; 0 for none."""
        state, standing = self.state, {cand for cand in candidates if cand}

        def key(cand: int) -> tuple[bool, int, int]:
            name = cand & (INCUMBENT - 1)
            is_incumbent = cand >= INCUMBENT
            return is_incumbent, identity_hash(name, state.root, state.epoch), name

        return max(standing, key=key, default=0)

    def _value(self, values: list[V | None]) -> V | None:
        """Return the sum of values, or None where one is missing."""
        known = [value for value in values if value is not None]
        return reduce(self.cargo.add, known) if len(known) == len(values) else None


def round_sums(
    rules: Rules,
    cargo: AbstractCargo[B, V],
    inputs: MemberInputs[B],
    state: MemberState[V],
) -> RoundSums[B, V]:
    """Return the parts that a module adds in this round."""
    tree = state.tree()
    parts = {
        p: _part(cargo, inputs.body, state, p)
        for p in tree
        if state.ports[p].head.flags & F and state.shares_epoch(state.ports[p])
    }
    own = _own(cargo, inputs, state)
    return RoundSums(rules, cargo, inputs.body, state, own, tree, parts)


def _own(
    cargo: AbstractCargo[B, V], inputs: MemberInputs[B], state: MemberState[V]
) -> SumPart[V]:
    """Return what the module is itself."""
    token = 0
    for port in state.ports:
        if port.rec:
            word = link_hash(state.id, port.rec_peer, state.root, state.epoch)
            token += word if state.id < port.rec_peer else -word
    return SumPart(
        count=1,
        token=token % 2**32,
        feet=foot_digest(state.id, inputs.foot) if inputs.touching else 0,
        age=_age_of_loops(state),
        cand=state.candidate(inputs.touching),
        is_open=any(not state.ports[p].up for p in inputs.attached),
        value=cargo.own(inputs.body),
    )


def _age_of_loops(state: MemberState[V]) -> int:
    """Return the age of what the module says of its links that close loops.

    It counts what is docked there as alive until the neighbour has been silent for too
    long, so that word is as old as the last frame.
    """
    tree = state.tree()
    loops = (p for p, port in enumerate(state.ports) if port.rec and p not in tree)
    return min(max((_rounds_ago(state, p) for p in loops), default=0), FULL)


def _rounds_ago(state: MemberState[V], p: int) -> int:
    """Return for how many rounds what the neighbour at a port last said has stood.

    Its frame echoes what this module said then, so it is no older than that reply,
    however long it was under way.
    """
    port = state.ports[p]
    return max(port.quiet + 1, (state.seq - port.head.echo) % 256 - 1)


def _part(
    cargo: AbstractCargo[B, V], body: B, state: MemberState[V], p: int
) -> SumPart[V]:
    """Return what is behind a port, as its neighbour last said."""
    head, came = state.ports[p].head, state.ports[p].value
    return SumPart(
        count=head.count,
        token=head.token,
        feet=head.feet,
        age=min(head.age + _rounds_ago(state, p), FULL),
        cand=head.cand,
        is_open=bool(head.flags & OPEN),
        value=None if came is None else cargo.bring_in(body, p, came),
    )


def judge_known(sums: RoundSums[Any, V], total: SumPart[V]) -> bool:
    """Return whether this epoch is closed here; publish what is known.

    Closed: frozen and clean, F from everywhere, every link counted from both its ends,
    and not too many modules. Known: closed, and everybody else has seen that too.
    """
    rules, state = sums.rules, sums.state
    is_balanced = total.token == 0 or "token" in rules.off
    is_closed = state.frozen and not state.dirty and sums.has_f()
    is_closed = is_closed and is_balanced and total.count <= rules.most
    state.g = state.g or is_closed
    is_seen = sums.has_g() or "second_sweep" in rules.off
    known = is_closed and is_seen and total.value is not None
    mark = (state.root, state.epoch, total.feet, total.count, int(total.is_open))
    is_calm = known and mark == state.mark
    state.calm = min(state.calm + 1, FULL) if is_calm else 0
    state.mark = mark if known else ()
    steady = known and not total.is_open and state.calm >= total.age < FULL
    if not known:
        state.report = MemberReport(tree=sums.tree)
        return is_closed
    behind = {p: part.value for p, part in sums.parts.items()}
    state.report = MemberReport(
        known=True,
        steady=steady or "steady" in rules.off,
        is_open=total.is_open,
        count=total.count,
        feet=total.feet,
        age=total.age,
        leader=total.cand & (INCUMBENT - 1),
        is_leader=total.cand & (INCUMBENT - 1) == state.id,
        tree=sums.tree,
        total=total.value,
        beyond={p: value for p, value in behind.items() if value is not None},
    )
    return is_closed


def elect(state: MemberState[V], touching: bool) -> None:
    """Take or give up the office; while nothing is known the holder keeps it."""
    if not touching:
        state.incumbent = False
    if state.report.known:
        state.incumbent = state.report.is_leader
