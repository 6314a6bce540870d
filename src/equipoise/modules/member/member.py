"""The module protocol as a program: exact sums and one leader, or "not known".

Every round every module sends its whole public state through every docked connector:
no acknowledgements, nothing that a lost frame could block for ever. The module with the
largest name roots a tree; the tree has a number, its epoch, and within one epoch a
module chooses its parent once. Whatever changes later spoils the epoch, and the root
issues the next one. Through each tree link flows "everything behind me", so each module
has the total and the part beyond each connector; it publishes them after two sweeps
over a tree that nobody has seen change. See ``docs/protocol.md``.

This is the reference: one function a rule, in the order in which the rules apply.
"""

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast, final

import numpy as np

from equipoise.modules.frame import (
    DIRTY,
    HEARD,
    OPEN,
    PAR,
    REF,
    SUM,
    F,
    G,
    ProtocolFrame,
)
from equipoise.modules.member.cargo import AbstractCargo
from equipoise.modules.member.links import begin_round, judge_links, take_mail
from equipoise.modules.member.state import (
    MemberInputs,
    MemberReport,
    MemberState,
    fresh_state,
)
from equipoise.modules.member.sums import RoundSums, elect, judge_known, round_sums
from equipoise.modules.member.tree import bump, keep_tree, own_name, record_tree
from equipoise.modules.node import AbstractProgram, Inbox, Outbox
from equipoise.modules.rules import Rules

__all__ = ["Member"]

B = TypeVar("B")
V = TypeVar("V")


@final
@dataclass(frozen=True, kw_only=True)
class Member(
    AbstractProgram[MemberInputs[B], MemberState[V], ProtocolFrame[V]], Generic[B, V]
):
    """Program of one module."""

    id: int
    """Name of the module, from 1; no two modules share one."""
    ports: int
    """Number of connectors of the module."""
    cargo: AbstractCargo[B, V]
    """Kind of value that is summed."""
    seed: int = 0
    """Seed of the numbers drawn at the start; a restart takes another one."""
    rules: Rules = field(default_factory=Rules)
    """Constants of the protocol, the same in all modules."""

    def init(self) -> MemberState[V]:
        """Return the state of a module just switched on, with random numbers."""
        rng = np.random.default_rng([self.seed, self.id])
        seq, epoch, join = (int(rng.integers(top)) for top in (256, 65536, 256))
        return fresh_state(self.id, self.ports, seq=seq, epoch=epoch, join=join)

    def step(
        self,
        inbox: Inbox[ProtocolFrame[V]],
        inputs: MemberInputs[B],
        state: MemberState[V],
    ) -> tuple[Outbox[ProtocolFrame[V]], MemberState[V]]:
        """Run one round: mail, links, tree, sums, report, and a frame per connector."""
        state = state.copied()
        begin_round(state)
        take_mail(self.rules, state, inbox)
        if not judge_links(self.rules, state):
            state.report = MemberReport()
            return {}, state
        own_name(state)
        keep_tree(self.rules, state)
        record_tree(self.rules, state)
        bump(self.rules, state)
        sums = round_sums(self.rules, self.cargo, inputs, state)
        is_closed = judge_known(sums, sums.added())
        elect(state, inputs.touching)
        outbox = {p: _frame(sums, p, is_closed) for p in inputs.attached}
        return outbox, state


def _frame(sums: RoundSums[B, V], p: int, is_closed: bool) -> ProtocolFrame[V]:
    """Return what one neighbour is told."""
    state = sums.state
    port = state.ports[p]
    flags = PAR * (p == state.parent) | DIRTY * state.dirty_out
    flags |= HEARD * (port.peer != 0) | REF * port.refuses
    told: dict[str, Any] = {}
    if sums.is_told(p):
        out = sums.added(without=p, has_value=state.seq % 2 == 0)
        is_seen = state.g and is_closed and sums.has_g(without=p)
        flags |= F | G * is_seen | OPEN * out.is_open
        told = {"count": out.count, "cand": out.cand, "feet": out.feet}
        told |= {"age": out.age, "token": out.token}
        if out.value is not None:
            flags |= SUM
            told["value"] = sums.cargo.bring_out(sums.body, p, out.value)
    return cast(
        ProtocolFrame[V],
        ProtocolFrame(
            flags=flags,
            seq=state.seq,
            echo=port.head.seq if port.peer else 0,
            dist=state.dist,
            id=state.id,
            root=state.root,
            epoch=state.epoch,
            join=state.join,
            **told,
        ),
    )
