"""The runtime, with integers for payloads: every node learns the sum of all numbers."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.modules import (
    AbstractProgram,
    Delayed,
    InMemory,
    Message,
    Reordered,
    VirtualClock,
    run_round,
    run_rounds,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Part(Message):
    value: int


@dataclass(frozen=True)
class Known:
    heard: tuple[tuple[int, int], ...] = ()
    told: frozenset[int] = frozenset()
    ticks: tuple[int, ...] = ()
    total: int | None = None


class Sum(AbstractProgram):
    """Tells each port the sum of the others once they have all reported."""

    def init(self):
        return Known()

    def step(self, inbox, inputs, state):
        own, ports = inputs
        heard = dict(state.heard) | {port: m.value for port, m in inbox}
        outbox = {}
        for port in ports:
            others = [p for p in ports if p != port]
            if port not in state.told and all(p in heard for p in others):
                outbox[port] = Part(value=own + sum(heard[p] for p in others))
        is_known = len(heard) == len(ports)
        return outbox, replace(
            state,
            heard=tuple(sorted(heard.items())),
            told=state.told | outbox.keys(),
            ticks=state.ticks + tuple(m.tick for _, m in inbox),
            total=own + sum(heard.values()) if is_known else None,
        )


class Chatter(AbstractProgram):
    def init(self):
        return 0

    def step(self, inbox, inputs, state):
        return {0: Part(value=state)}, state + len(inbox)


def random_tree(n: int, rng: np.random.Generator):
    """Return links and each node's ports; node k hangs on an earlier one."""
    ports: list[list[int]] = [[] for _ in range(n)]
    links = []
    for k in range(1, n):
        parent = int(rng.integers(max(0, k - 3), k))
        ends = [(node, len(ports[node])) for node in (parent, k)]
        for node, port in ends:
            ports[node].append(port)
        links.append(tuple(ends))
    return links, ports


def diameter(n: int, links) -> int:
    """Oracle: all distances by Floyd and Warshall."""
    far = np.full((n, n), n, dtype=int)
    np.fill_diagonal(far, 0)
    for (a, _), (b, _) in links:
        far[a, b] = far[b, a] = 1
    for k in range(n):
        far = np.minimum(far, far[:, [k]] + far[[k], :])
    return int(far.max())


def inputs_of(ports, values):
    return [(int(v), tuple(p)) for v, p in zip(values, ports, strict=True)]


@given(n=st.integers(1, 30), seed=st.integers(0, 10**6))
def test_everyone_learns_the_sum_in_d_rounds_and_falls_silent(n, seed):
    rng = stream(seed, "sum")
    links, ports = random_tree(n, rng)
    values = rng.integers(-1000, 1000, n)
    outcome = run_rounds([Sum()] * n, inputs_of(ports, values), InMemory(links))
    assert [s.total for s in outcome.states] == [values.sum()] * n
    assert outcome.is_quiet
    assert outcome.messages == 2 * (n - 1)
    assert outcome.last_sending_round == diameter(n, links)
    assert outcome.rounds == diameter(n, links) + 1
    assert outcome.sent[-1] == 0


@given(n=st.integers(2, 20), seed=st.integers(0, 10**6))
def test_the_order_of_steps_and_of_mail_changes_nothing(n, seed):
    rng = stream(seed, "order")
    links, ports = random_tree(n, rng)
    inputs = inputs_of(ports, rng.integers(0, 1000, n))
    plain = run_rounds([Sum()] * n, inputs, InMemory(links))
    shuffled = run_rounds(
        [Sum()] * n, inputs, Reordered(InMemory(links), rng), order=rng
    )
    assert [replace(s, ticks=()) for s in shuffled.states] == [
        replace(s, ticks=()) for s in plain.states
    ]
    assert shuffled.sent == plain.sent


def test_messages_are_stamped_with_sender_and_tick():
    clock = VirtualClock(now=7)
    wires = InMemory([((0, 0), (1, 0))])
    states, sent = run_round(
        [Sum()] * 2, [(1, (0,)), (2, (0,))], [Known()] * 2, wires, clock
    )
    assert sent == 2
    assert clock.now == 8
    assert wires.receive(0) == [(0, Part(sender=1, tick=7, value=2))]
    assert all(s.total is None for s in states)


def test_delays_stretch_the_run_and_leave_the_result():
    rng = stream(5, "delay")
    links, ports = random_tree(12, rng)
    values = rng.integers(0, 1000, 12)
    clock = VirtualClock()
    wires = Delayed(InMemory(links), clock, 2)
    outcome = run_rounds([Sum()] * 12, inputs_of(ports, values), wires, clock=clock)
    assert outcome.is_quiet
    assert {s.total for s in outcome.states} == {int(values.sum())}
    # exact: each hop takes 1 + 2 ticks, the first send is in round 1
    d = diameter(12, links)
    assert outcome.last_sending_round == 1 + 3 * (d - 1)


def test_a_run_can_be_stopped_and_taken_up_again():
    rng = stream(6, "resume")
    links, ports = random_tree(15, rng)
    inputs = inputs_of(ports, rng.integers(0, 1000, 15))
    whole = run_rounds([Sum()] * 15, inputs, InMemory(links))
    wires, clock = InMemory(links), VirtualClock()
    first = run_rounds([Sum()] * 15, inputs, wires, clock=clock, limit=3)
    assert not first.is_quiet
    rest = run_rounds([Sum()] * 15, inputs, wires, clock=clock, states=first.states)
    assert rest.states == whole.states
    assert first.sent + rest.sent == whole.sent


def test_a_chatterer_is_stopped_at_the_limit():
    wires = InMemory([((0, 0), (1, 0))])
    outcome = run_rounds([Chatter()] * 2, [None, None], wires, limit=10)
    assert not outcome.is_quiet
    assert outcome.sent == (2,) * 10


def test_refuses_a_node_without_inputs():
    with pytest.raises(ConfigError, match=r"got 2, 1 and 2"):
        run_rounds([Sum()] * 2, [(1, ())], InMemory())


class Echo(AbstractProgram):
    """Counts the bytes it hears and says its number as one byte."""

    def init(self):
        return b""

    def step(self, inbox, inputs, state):
        return {0: bytes([inputs])}, state + b"".join(frame for _, frame in inbox)


def test_bytes_travel_as_they_are():
    wires = InMemory([((0, 0), (1, 0))])
    outcome = run_rounds([Echo(), Echo()], [7, 9], wires, limit=3)
    assert outcome.states == (b"\x09\x09", b"\x07\x07")
