"""Randomised leader election on a tree, by messages only.

[Moll2006] section III asks for one leader among the modules in contact with the ground
and leaves the protocol open. Ours needs no names: every candidate draws a random ticket
from its own generator; through each link every node tells, once all its other links
have reported, the largest ticket behind it and how many hold it. When a node has heard
from all its links it knows both for the whole tree. One holder: it is the leader.
Several: they alone draw again, in the next ballot. No candidate: no leader.

A ballot costs 2(n-1) messages; b ballots send in at most b d rounds and are known
everywhere one round later, d the tree's diameter. A ballot among k candidates ties with
chance below k 2**-ticket_bits, so with the default one ballot is enough in practice.

The program assumes a tree, links that lose nothing, and inputs that stay as they are
while it runs; to elect again, start from ``init``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.modules.message import Message
from equipoise.modules.node import AbstractProgram, Inbox, Outbox

__all__ = ["Ballot", "Candidate", "Election", "ElectionState"]

Best = tuple[int, int]
"""(largest ticket, number of its holders); (-1, 0) where there is no candidate."""
NOBODY: Best = (-1, 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ballot(Message):
    """Message with the best ticket behind the sender, in one ballot."""

    ballot: int
    """Number of the ballot, from 0."""
    ticket: int
    """Largest ticket among the candidates behind the sender; -1 without candidates."""
    holders: int
    """Number of nodes that hold that ticket."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Knowledge of a node about itself."""

    is_candidate: bool
    """Whether the node may be elected (it touches the ground)."""
    ports: tuple[int, ...]
    """Ports of the node to which something is docked."""


@dataclass(frozen=True, slots=True)
class ElectionState:
    """State of a node in the election."""

    ballot: int = 0
    """Ballot in which the node takes part."""
    ticket: int | None = None
    """Ticket of the node in this ballot; -1 if it is out, None if not drawn yet."""
    heard: tuple[tuple[int, int, Best], ...] = ()
    """Reports as (ballot, port, best ticket behind it), from this ballot on."""
    told: frozenset[int] = frozenset()
    """Ports to which this ballot's message was sent."""
    is_over: bool = False
    """Whether the node knows the result."""
    is_leader: bool = False
    """Whether this node is the leader; False as long as the result is not known."""
    leader_port: int | None = None
    """Port behind which the leader is; None where it is here, nowhere, or not known."""


@final
@dataclass(frozen=True)
class Election(AbstractProgram[Candidate, ElectionState, Ballot]):
    """Program of one node; it ends in silence, with ``is_over`` at every node."""

    seed: int
    """Seed of this node's own tickets; nodes need different seeds."""
    ticket_bits: int = 48
    """Number of bits of a ticket, drawn from 0 to 2**ticket_bits - 1."""

    def __post_init__(self) -> None:
        """Refuse a range from which no useful ticket can be drawn."""
        if not 1 <= self.ticket_bits <= 62:
            problem = f"ticket_bits must be 1 to 62, got {self.ticket_bits!r}"
            raise ConfigError("Election", [problem])

    def init(self) -> ElectionState:
        """Return the state before the first ballot."""
        return ElectionState()

    def draw(self, ballot: int) -> int:
        """Return this node's ticket for a ballot; the same one whenever asked."""
        rng = np.random.default_rng([self.seed, ballot])
        (ticket,) = rng.integers(2**self.ticket_bits, size=1).tolist()
        return ticket

    def step(
        self, inbox: Inbox[Ballot], inputs: Candidate, state: ElectionState
    ) -> tuple[Outbox[Ballot], ElectionState]:
        """Take reports, pass on complete ones, and end a complete ballot."""
        if state.is_over:
            return {}, state
        if state.ticket is None:
            own = self.draw(0) if inputs.is_candidate else -1
            state = replace(state, ticket=own)
        news = tuple((m.ballot, port, (m.ticket, m.holders)) for port, m in inbox)
        heard = {(b, port): (b, port, best) for b, port, best in (*state.heard, *news)}
        state = replace(state, heard=tuple(heard.values()))
        outbox, state = _tell(inputs, state, {})
        reports = _reports(state)
        if len(reports) == len(inputs.ports):
            state = self._end_ballot(reports, state)
            if not state.is_over:
                outbox, state = _tell(inputs, state, outbox)
        return outbox, state

    def _end_ballot(
        self, reports: Mapping[int, Best], state: ElectionState
    ) -> ElectionState:
        """Return the state with the result, or at the start of the next ballot."""
        own = _own_best(state)
        ticket, holders = _best_of([own, *reports.values()])
        if holders <= 1:
            ports = [port for port, best in reports.items() if best[0] == ticket]
            is_here = holders == 1 and own[0] == ticket
            there = ports[0] if holders == 1 and not is_here else None
            return replace(state, is_over=True, is_leader=is_here, leader_port=there)
        ballot = state.ballot + 1
        return replace(
            state,
            ballot=ballot,
            ticket=self.draw(ballot) if own[0] == ticket else -1,
            heard=tuple(entry for entry in state.heard if entry[0] >= ballot),
            told=frozenset(),
        )


def _own_best(state: ElectionState) -> Best:
    is_out = state.ticket is None or state.ticket < 0
    return NOBODY if is_out else (state.ticket or 0, 1)


def _best_of(entries: list[Best]) -> Best:
    """Return the largest ticket and how many hold it in all entries together."""
    ticket = max(t for t, _ in entries)
    return (
        (ticket, sum(n for t, n in entries if t == ticket)) if ticket >= 0 else NOBODY
    )


def _reports(state: ElectionState) -> dict[int, Best]:
    return {port: best for b, port, best in state.heard if b == state.ballot}


def _tell(
    inputs: Candidate, state: ElectionState, taken: Mapping[int, Ballot]
) -> tuple[dict[int, Ballot], ElectionState]:
    """Add this ballot's messages: to each port of which all others have reported.

    A port that carries a message in this round already (``taken``) waits for the next.
    """
    reports = _reports(state)
    news: dict[int, Ballot] = {}
    for port in inputs.ports:
        others = [p for p in inputs.ports if p != port]
        is_early = any(p not in reports for p in others)
        if is_early or port in state.told or port in taken:
            continue
        best = _best_of([_own_best(state), *(reports[p] for p in others)])
        news[port] = Ballot(ballot=state.ballot, ticket=best[0], holders=best[1])
    return {**taken, **news}, replace(state, told=state.told | news.keys())
