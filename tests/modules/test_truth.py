"""The judge of scenarios finds every kind of lie, and nothing in the truth."""

from collections.abc import Callable

import numpy as np
import pytest

from equipoise.modules.ensemble.channel import Channel
from equipoise.modules.kernels import rows as at
from equipoise.modules.rules import Rules
from equipoise_lab.torture.bound import robots_of
from equipoise_lab.torture.chronicle import RING
from equipoise_lab.torture.claims import own_values
from equipoise_lab.torture.components import components, distances, size
from equipoise_lab.torture.feet import Weights, does_stand
from equipoise_lab.torture.graphs import PORTS
from equipoise_lab.torture.judge import (
    BOTH_SILENT,
    KEEPS_SUMS,
    ONE_LEADER_FROM,
    ONE_SILENT,
    findings,
    first_finding,
    judge_round,
    lasting_links,
    new_judge,
    window_of,
)
from equipoise_lab.torture.scenario import Scenario
from equipoise_lab.torture.trial import Run, live_on
from oracles.certified import meets

SETTLED = 80  # rounds; a chain of four knows itself after 26 + 6 * 3 at the latest


def chain(modules: int) -> Scenario:
    """Module k's port 1 to module k + 1's port 0; nothing goes wrong."""
    ends = [(k * PORTS + 1, (k + 1) * PORTS) for k in range(modules - 1)]
    return Scenario(
        seed=1,
        family="none",
        ids=np.arange(10, 10 + modules),
        links=np.array(ends, dtype=np.int64).reshape(-1, 2),
        channel=Channel(),
        after=Channel(),
        faults=(),
    )


@pytest.fixture
def run() -> Run:
    """A chain of four that knows itself; modules 0 and 3 touch the ground."""
    run = Run(chain(4), Rules())
    for i in range(4):
        run.ensemble.touch(i, i in (0, 3))
    run.strike()
    ensemble = run.ensemble
    live_on(ensemble.rule, ensemble.seats, ensemble.wires, run.judge, 0, SETTLED)
    assert ensemble.known.all() and ensemble.steady.all() and not findings(run.judge)
    return run


@pytest.mark.parametrize(("delays", "late"), [(False, 0), (True, 4)])
def test_a_judge_doubts_a_link_a_round_before_its_ends_may_drop_it(delays, late):
    # By hand: a module drops a link after 8 rounds without a frame, or when the last
    # proof from beyond it is 8 + 2 * 2 + 2 rounds old, there and back; a frame that may
    # be four rounds late hides as many.
    rules, scene = Rules(silence=8, delta=2), Run(chain(3), Rules()).judge.scene
    judge = new_judge(np.arange(3), scene, 0, rules, delays=delays)
    assert judge.terms[[ONE_SILENT, BOTH_SILENT]].tolist() == [7 - late, 10 - late]


def judged(run: Run, sent: int = 6) -> dict[str, int]:
    """Judge one more round in which nothing arrived and nothing was decided anew."""
    run.judge.scene.arrived[:] = run.ensemble.wires.far >= 0
    judge_round(run.judge, run.ensemble.seats, SETTLED, sent)
    return findings(run.judge)


def node(run: Run, i: int) -> np.ndarray:
    return run.ensemble.seats.node[i]


def behind(run: Run, i: int, p: int) -> np.ndarray:
    return run.ensemble.seats.value[i * PORTS + p]


def double(run: Run) -> None:
    behind(run, 0, 1)[:] += own_values(4)[2]


def miscount(run: Run) -> None:
    node(run, 1)[at.COUNT] = 3


def half(run: Run) -> None:
    behind(run, 1, 1)[:] -= own_values(4)[3]
    node(run, 1)[at.COUNT] = 3
    node(run, 1)[at.EPOCH] += 1  # under a name of its own


def other_set(run: Run) -> None:
    behind(run, 1, 1)[:] -= own_values(4)[3]
    node(run, 1)[at.COUNT] = 3


def moved_cut(run: Run) -> None:
    behind(run, 1, 0)[:] += own_values(4)[2]
    behind(run, 1, 1)[:] -= own_values(4)[2]


def one_sided(run: Run) -> None:
    node(run, 2)[at.TREE] = 1 << 1
    behind(run, 2, 1)[:] = own_values(4).sum(axis=0) - own_values(4)[2]


def rival(run: Run) -> None:
    run.judge.terms[ONE_LEADER_FROM] = 0
    for i in (0, 3):
        node(run, i)[at.IS_LEADER] = 1


def floating(run: Run) -> None:
    for i in range(4):
        node(run, i)[at.IS_LEADER] = i == 1


def wrong_feet(run: Run) -> None:
    node(run, 2)[at.FEET] ^= 5


def forgotten(run: Run) -> None:
    run.judge.terms[KEEPS_SUMS] = 1
    node(run, 3)[at.KNOWN] = 0


@pytest.mark.parametrize(
    ("lie", "found"),
    [
        (double, {"double"}),
        (miscount, {"double"}),
        (half, {"never-linked", "never-there", "verdict"}),
        (other_set, {"never-linked", "never-there", "two-sets", "cut", "verdict"}),
        (moved_cut, {"cut"}),
        (one_sided, {"cut"}),
        (rival, {"two-leaders"}),
        (floating, {"leader-in-the-air"}),
        (wrong_feet, {"verdict"}),
        (forgotten, {"sums"}),
    ],
)
def test_each_lie_is_found(run: Run, lie: Callable[[Run], None], found: set[str]):
    lie(run)
    assert set(judged(run)) == found
    assert f"in round {SETTLED}" in first_finding(run.judge)


def test_the_truth_is_not_blamed(run: Run):
    assert judged(run) == {} and first_finding(run.judge) == ""


@pytest.mark.parametrize("sent", [5, 7])
def test_frames_are_two_a_link_and_round(run: Run, sent: int):
    assert judged(run, sent) == {"frames": 1}


def test_a_claim_may_outlive_the_truth_only_for_the_window(run: Run):
    ensemble, window = run.ensemble, window_of(4)
    ensemble.undock(2, 1)
    last = SETTLED + window
    for now in range(SETTLED, last):  # nobody decides: all go on claiming four
        judge_round(run.judge, ensemble.seats, now, 4)
    assert not findings(run.judge)
    judge_round(run.judge, ensemble.seats, last, 4)
    assert set(findings(run.judge)) == {"never-there", "verdict"}
    assert run.judge.ledger.age[:, 1].tolist() == [window + 1] * 4


def test_a_silent_link_may_count_or_not(run: Run):
    judge, ensemble = run.judge, run.ensemble
    for now in range(SETTLED, SETTLED + 10):
        judge.scene.arrived[:] = ensemble.wires.far >= 0
        judge.scene.arrived[3 * PORTS] = 0  # nothing reaches the last module
        judge_round(judge, ensemble.seats, now, 6)
    row = (SETTLED + 9) % RING
    assert (judge.past.may[row, 2] >> 3) & 1 and not (
        judge.past.certain[row, 2] >> 3
    ) & 1
    assert (judge.past.certain[row, 1] >> 2) & 1


def test_robots_and_bounds_after_a_cut(run: Run):
    run.ensemble.undock(0, 1)
    graph = lasting_links(run.judge.scene, run.ensemble.wires.mute)
    robots = {r.members: r for r in robots_of(graph, run.ensemble)}
    assert set(robots) == {0b0001, 0b1110}
    assert robots[0b1110].bound == 32 + 4 * 2  # a tree that keeps its root, id 13
    assert robots[0b0001].bound == 32  # its root is gone, but there is nowhere to go


def stands_by_weights(points: np.ndarray, centre: np.ndarray) -> bool:
    """Oracle: the centre is a mean of the points, with weights that add up to 1."""
    rows = np.vstack([points.T, np.ones(len(points))])
    return meets(rows, np.array([*centre, 1.0]))


def test_standing_is_being_inside_the_polygon_of_feet():
    rng, answers = np.random.default_rng(3), list[bool]()
    for _ in range(60):
        n = int(rng.integers(1, 9))
        weights = Weights(rng.uniform(-1, 1, (n, 2)), rng.uniform(0.5, 2, n))
        feet = rng.integers(1, 2**24, n) * (rng.random(n) < 0.7)
        members = int(rng.integers(1, 2**n))
        own = np.array([j for j in range(n) if (members >> j) & 1])
        place, mass = weights.place[own], weights.mass[own]
        reach = 0.4 * (np.stack([feet & 0xFFF, feet >> 12], axis=1) / 4096 - 0.5)
        points = (weights.place + reach)[[j for j in own if feet[j]]]
        centre = (mass[:, None] * place).sum(axis=0) / mass.sum()
        stands = len(points) > 2 and stands_by_weights(points, centre)
        assert does_stand(weights, feet, members) == stands
        answers.append(stands)
    assert 5 < sum(answers) < 55  # both answers occur


def test_components_and_distances_of_a_ring_and_a_pair():
    graph = np.zeros(7, np.int64)
    for a, b in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (5, 6)]:
        graph[a] |= 1 << b
        graph[b] |= 1 << a
    parts = np.zeros(7, np.int64)
    components(graph, parts)
    assert parts.tolist() == [0b11111] * 5 + [0b1100000] * 2
    assert [distances(graph, i) for i in range(7)] == [2] * 5 + [1, 1]
    assert size(0b1100000) == 2


def quiet(run: Run, begin: int, rounds: int) -> int:
    """Judge some rounds in which nothing is decided anew; return the next one."""
    for now in range(begin, begin + rounds):
        run.judge.scene.arrived[:] = run.ensemble.wires.far >= 0
        judge_round(run.judge, run.ensemble.seats, now, 6)
    return begin + rounds


def test_a_name_that_is_still_claimed_is_not_forgotten(run: Run):
    now = quiet(run, SETTLED, window_of(4) + 3)
    assert not findings(run.judge)
    other_set(run)
    quiet(run, now, 1)
    assert "two-sets" in findings(run.judge)


@pytest.mark.parametrize("late", [0, 1])
def test_a_name_that_nobody_claims_is_forgotten_after_the_window(run: Run, late: int):
    """The last claim of all four was made a round before ``SETTLED``."""
    for i in range(4):
        node(run, i)[at.KNOWN] = 0
    now = quiet(run, SETTLED, window_of(4) - 1 + late)
    node(run, 1)[at.KNOWN] = 1
    other_set(run)
    quiet(run, now, 1)
    assert ("two-sets" in findings(run.judge)) is (late == 0)
