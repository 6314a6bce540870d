"""Run a graph of nodes in rounds, deterministically.

One round is one pass of every node's main loop: every node takes its mail, steps, and
only then is anything sent, so that a message crosses exactly one link per round. The
order in which nodes are stepped therefore cannot matter, and ``order`` shuffles it so
that tests can show it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.modules.clock import VirtualClock
from equipoise.modules.message import Message
from equipoise.modules.node import AbstractProgram
from equipoise.modules.transports.transport import AbstractTransport

__all__ = ["RoundsOutcome", "run_round", "run_rounds"]

S = TypeVar("S")
I = TypeVar("I")  # noqa: E741  (inputs; a type variable, never a value)


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundsOutcome(Generic[S]):
    """Outcome of a run of several rounds."""

    states: tuple[S, ...]
    """State of each node after the last round."""
    sent: tuple[int, ...]
    """Number of messages sent in each round; entry 0 is the first round."""
    is_quiet: bool
    """Whether the last round sent nothing and no message was under way."""

    @property
    def rounds(self) -> int:
        """Number of rounds, including the last silent one."""
        return len(self.sent)

    @property
    def last_sending_round(self) -> int:
        """Number of the last round in which anything was sent; 0 when none was."""
        return max((k for k, n in enumerate(self.sent, start=1) if n), default=0)

    @property
    def messages(self) -> int:
        """Total number of messages sent."""
        return sum(self.sent)


def run_round(
    programs: Sequence[AbstractProgram[I, S, Any]],
    inputs: Sequence[I],
    states: Sequence[S],
    transport: AbstractTransport[Any],
    clock: VirtualClock,
    *,
    order: np.random.Generator | None = None,
) -> tuple[tuple[S, ...], int]:
    """Run one round: every node receives, steps once and sends; return its outcome.

    Args:
        programs: one per node (the same object may occur many times).
        inputs: what each node senses in this round.
        states: state of each node before the round.
        transport: the wires.
        clock: stamps what is a ``Message``; advanced by one tick at the end.
        order: shuffles the order in which nodes are stepped; None is by number.

    Returns:
        The states after the round, and how many messages were sent.
    """
    after = list(states)
    posted: list[tuple[tuple[int, int], Any]] = []
    numbers = range(len(after))
    for node in numbers if order is None else order.permutation(len(after)).tolist():
        mail = transport.receive(node)
        outbox, after[node] = programs[node].step(mail, inputs[node], after[node])
        for port, said in outbox.items():
            is_message = isinstance(said, Message)
            stamped = replace(said, sender=node, tick=clock.now) if is_message else said
            posted.append(((node, port), stamped))
    for end, message in posted:
        transport.send(end, message)
    clock.advance()
    return tuple(after), len(posted)


def run_rounds(
    programs: Sequence[AbstractProgram[I, S, Any]],
    inputs: Sequence[I],
    transport: AbstractTransport[Any],
    *,
    states: Sequence[S] | None = None,
    clock: VirtualClock | None = None,
    limit: int | None = None,
    order: np.random.Generator | None = None,
) -> RoundsOutcome[S]:
    """Run rounds with constant inputs until silence or a limit; return the outcome.

    Args:
        programs: one per node.
        inputs: what each node senses, the same in every round.
        transport: the wires.
        states: where to start; None calls each program's ``init``.
        clock: shared with a transport that delays; None makes a new one.
        limit: rounds to run at most; None is 4 rounds a node plus 64, enough for a
            flood over any tree, after which a program is taken to chatter for ever.
        order: shuffles the order in which nodes are stepped.

    Raises:
        ConfigError: not one program, one inputs and one state a node.
    """
    start = [p.init() for p in programs] if states is None else list(states)
    if not len(programs) == len(inputs) == len(start):
        raise ConfigError(
            "run_rounds",
            [
                "there must be one program, one input and one state per node, got "
                f"{len(programs)}, {len(inputs)} and {len(start)}"
            ],
        )
    clock = VirtualClock() if clock is None else clock
    limit = 4 * len(start) + 64 if limit is None else limit
    sent: list[int] = []
    now: tuple[S, ...] = tuple(start)
    is_quiet = False
    while len(sent) < limit and not is_quiet:
        now, count = run_round(programs, inputs, now, transport, clock, order=order)
        sent.append(count)
        is_quiet = count == 0 and transport.in_flight() == 0
    return RoundsOutcome(states=now, sent=tuple(sent), is_quiet=is_quiet)
