import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.modules import (
    Candidate,
    Delayed,
    Election,
    InMemory,
    Reordered,
    VirtualClock,
    run_rounds,
)


def random_tree(n: int, rng: np.random.Generator):
    """Return links, each node's ports, and all distances (Floyd and Warshall)."""
    ports: list[list[int]] = [[] for _ in range(n)]
    links = []
    far = np.full((n, n), n, dtype=int)
    np.fill_diagonal(far, 0)
    for k in range(1, n):
        parent = int(rng.integers(max(0, k - 4), k))
        ends = [(node, len(ports[node])) for node in (parent, k)]
        for node, port in ends:
            ports[node].append(port)
        links.append(tuple(ends))
        far[parent, k] = far[k, parent] = 1
    for k in range(n):
        far = np.minimum(far, far[:, [k]] + far[[k], :])
    return links, ports, far


def elect(links, ports, touching, seed, bits, **options):
    n = len(ports)
    programs = [Election(seed=seed * 1000 + k, ticket_bits=bits) for k in range(n)]
    inputs = [Candidate(k in touching, tuple(ports[k])) for k in range(n)]
    wires = options.pop("wires", InMemory(links))
    return run_rounds(programs, inputs, wires, limit=5000, **options)


@given(
    n=st.integers(1, 25),
    seed=st.integers(0, 10**6),
    bits=st.sampled_from([1, 2, 48]),
    share=st.sampled_from([0.1, 0.5, 1.0]),
)
def test_exactly_one_leader_and_only_among_those_who_touch(n, seed, bits, share):
    rng = stream(seed, "elect")
    links, ports, far = random_tree(n, rng)
    touching = set(np.flatnonzero(rng.random(n) < share).tolist())
    outcome = elect(links, ports, touching, seed, bits)
    states = outcome.states
    leaders = {k for k, s in enumerate(states) if s.is_leader}
    assert outcome.is_quiet
    assert all(s.is_over for s in states)
    assert len(leaders) == (1 if touching else 0)
    assert leaders <= touching
    ballots = states[0].ballot + 1
    assert {s.ballot + 1 for s in states} == {ballots}
    # exact: the echo rule sends once each way a link a ballot, over d rounds a ballot
    assert outcome.messages == ballots * 2 * (n - 1)
    assert outcome.last_sending_round <= ballots * far.max()
    if touching:
        check_ports_point_to_the_leader(links, states, far, leaders.pop())
    else:
        assert all(s.leader_port is None for s in states)


def check_ports_point_to_the_leader(links, states, far, leader):
    neighbour = {a: b[0] for link in links for a, b in (link, link[::-1])}
    for k, state in enumerate(states):
        if k == leader:
            assert state.leader_port is None
        else:
            toward = neighbour[k, state.leader_port]
            assert far[toward, leader] == far[k, leader] - 1


def test_ties_do_happen_with_one_bit_and_are_drawn_again():
    links, ports, _ = random_tree(12, stream(0, "ties"))
    ballots = [
        elect(links, ports, set(range(12)), seed, 1).states[0].ballot + 1
        for seed in range(20)
    ]
    assert max(ballots) > 2


def test_every_candidate_has_the_same_chance():
    links, ports, _ = random_tree(5, stream(1, "fair"))
    wins = np.zeros(5, dtype=int)
    for seed in range(400):
        states = elect(links, ports, {0, 2, 3}, seed, 48).states
        wins[[s.is_leader for s in states]] += 1
    assert wins.sum() == 400
    assert wins[1] == wins[4] == 0
    # statistical: binomial, 5 sigma of 400 draws with chance 1/3
    assert np.abs(wins[[0, 2, 3]] - 400 / 3).max() < 5 * np.sqrt(400 * 2 / 9)


@pytest.mark.parametrize("n", [2, 3, 20])  # 2: a ballot can overtake the one before
def test_same_seed_same_leader_whatever_the_order_or_the_delay(n, rng):
    links, ports, _ = random_tree(n, rng)
    touching = set(range(0, n, 2)) | {n - 1}
    ballots = []
    for seed in range(12):
        plain = elect(links, ports, touching, seed, 1).states
        clock = VirtualClock()
        late = Delayed(InMemory(links), clock, 0, jitter=9, rng=rng)
        wires = Reordered(late, rng)
        other = elect(
            links, ports, touching, seed, 1, wires=wires, clock=clock, order=rng
        ).states
        assert [s.is_leader for s in other] == [s.is_leader for s in plain]
        assert [s.leader_port for s in other] == [s.leader_port for s in plain]
        assert sum(s.is_leader for s in plain) == 1
        ballots.append(plain[0].ballot + 1)
    assert max(ballots) > 1


@pytest.mark.parametrize("bits", [0, 63])
def test_refuses_tickets_that_do_not_fit(bits):
    with pytest.raises(ConfigError, match=rf"1 to 62, got {bits}"):
        Election(seed=0, ticket_bits=bits)
