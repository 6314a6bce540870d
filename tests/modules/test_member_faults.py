"""The module protocol in trouble, one fault at a time, judged by what is really so."""

import numpy as np
import pytest

from equipoise.modules.frame import ProtocolFrame
from equipoise.modules.member.state import Slot
from oracles.member_world import MemberWorld, chain, grid, ring, settled

K = 8  # rounds of silence after which a link is dead


def expect_recovery(world: MemberWorld, *, has_loops: bool = False) -> int:
    """Run until all is right, every claim judged, within the stated bound."""
    bound = world.bound(has_loops)
    rounds = world.rounds_until_right(bound)
    assert world.all_right()
    assert rounds <= bound
    return rounds


def run_checked(world: MemberWorld, rounds: int) -> None:
    for _ in range(rounds):
        world.round()
        world.check()


@pytest.mark.parametrize("gap", [0, 1, 3, K])
def test_a_part_moves_to_the_same_port_of_its_old_place(gap: int):
    world = settled(chain, 6)
    (_, mine), (_, theirs) = world.undock(3, 4)
    run_checked(world, gap)
    world.dock(3, 5, mine, world.free(5)[0])  # the part {4, 5}, turned round
    assert theirs is not None
    expect_recovery(world)


@pytest.mark.parametrize("gap", [0, 2, K])
def test_a_part_moves_to_another_port_and_to_the_far_end(gap: int):
    world = settled(chain, 6)
    world.undock(3, 4)
    run_checked(world, gap)
    world.dock(3, 4, 3, 3)
    expect_recovery(world)
    world.undock(3, 4)
    run_checked(world, gap)
    world.dock(4, 0, 2, 2)
    expect_recovery(world)


@pytest.mark.parametrize("gap", [0, 1, K])
def test_a_module_moves_to_its_own_grandchild(gap: int):
    world = settled(chain, 5)  # the root is module 4, so 3 has child 2, grandchild 1
    world.undock(3, 4)
    run_checked(world, gap)
    world.dock(4, 1)
    expect_recovery(world)
    world.undock(3, 2)
    run_checked(world, gap)
    world.dock(3, 0)
    expect_recovery(world)


@pytest.mark.parametrize("rounds", [1, K, 2 * K])
@pytest.mark.parametrize("who", [0, 2, 4])
def test_leader_or_leaf_or_cut_module_or_root_starts_anew(who: int, rounds: int):
    world = settled(chain, 5)  # 0 is a leaf and the leader, 2 cuts, 4 is the root
    world.crash(who)
    run_checked(world, rounds)
    world.restart(who)
    expect_recovery(world)


def test_a_root_starts_anew_twice_within_20_rounds():
    world = settled(chain, 5)
    for _ in range(2):
        world.crash(4)
        run_checked(world, 3)
        world.restart(4)
        run_checked(world, 6)
    world.crash(4)
    world.restart(4)
    expect_recovery(world)


@pytest.mark.parametrize("step", [-64, -63, -40, -1, 0, 1])
def test_a_root_comes_back_with_an_epoch_near_its_old_one(step: int):
    world = settled(chain, 4)
    old = world.states[3]
    assert old is not None and old.root == old.id
    world.crash(3)
    run_checked(world, 2)
    fresh = world.members[3].init()
    fresh.own_epoch = fresh.epoch = (old.epoch + step) % 65536
    world.restart(3, fresh)
    expect_recovery(world)


def test_both_halves_go_on_alone_and_come_together_again():
    world = settled(chain, 5)
    world.touch(4)
    world.crash(2)
    run_checked(world, 45)
    assert [world.claim(i) for i in (0, 1)] == [{0, 1}] * 2
    assert [world.claim(i) for i in (3, 4)] == [{3, 4}] * 2
    assert [world.report(i).is_leader for i in range(5)] == [1, 0, 0, 0, 1]
    world.restart(2)
    expect_recovery(world)
    leaders = [i for i in range(5) if world.report(i).is_leader]
    assert len(leaders) == 1


@pytest.mark.parametrize(
    "make, size",
    [(chain, (3,)), (ring, (3,)), pytest.param(grid, (2, 3), marks=pytest.mark.slow)],
)
def test_a_one_way_link_alone_carries_nothing(make, size: tuple[int, ...]):
    template = settled(make, *size)
    for end, (other, _) in template.far.items():
        world = settled(make, *size)
        world.mute = {end}
        has_loops = make is not chain
        run_checked(world, world.bound(has_loops))
        world.undock(end[0], other)  # what must be known is as if it were not there
        for i in range(world.n):
            assert world.claim(i) == world.component(i)
            assert world.report(i).is_open


DEAD_ROOTS = [(ring, (7,)), (grid, (2, 3))]
LARGE_DEAD_ROOTS = [(ring, (60,)), (grid, (4, 4)), (grid, (2, 12))]


@pytest.mark.parametrize(
    "cases", [DEAD_ROOTS, pytest.param(LARGE_DEAD_ROOTS, marks=pytest.mark.slow)]
)
def test_a_dead_root_is_forgotten(cases):
    for make, size in cases:
        world = settled(make, *size)
        root = world.ids[-1]
        world.crash(world.n - 1)
        run_checked(world, world.n + K)
        assert all(state.root != root for state in world.states if state)
        expect_recovery(world, has_loops=True)


@pytest.mark.parametrize("n", [7, pytest.param(60, marks=pytest.mark.slow)])
def test_one_part_leaves_while_another_arrives_at_the_far_end(n: int):
    world = settled(chain, n)
    world.undock(1, 2)
    run_checked(world, world.bound())  # {0, 1} alone, and all the others
    world.undock(n - 2, n - 1)
    world.dock(0, 2)
    expect_recovery(world)


def test_two_robots_merge_under_one_leader():
    world = settled(chain, 6)
    world.undock(2, 3)
    world.touch(5)
    expect_recovery(world)
    assert [i for i in range(6) if world.report(i).is_leader] == [0, 5]
    world.dock(1, 4)
    expect_recovery(world)
    assert len({world.report(i).leader for i in range(6)}) == 1


def test_all_feet_lifted_and_one_put_down():
    world = settled(chain, 5)
    world.touch(0, False)
    world.run(7)
    assert {world.report(i).leader for i in range(5)} == {0}
    world.touch(3)
    world.run(6)
    assert {world.report(i).leader for i in range(5)} == {4}
    assert len(world.known()) == 5


def test_docking_closes_a_loop_and_undocking_opens_it():
    world = settled(chain, 6)
    world.dock(0, 5)
    expect_recovery(world, has_loops=True)
    for i in (0, 3):
        world.undock(i, i + 1)
        expect_recovery(world, has_loops=True)
        world.dock(i, i + 1)
        expect_recovery(world, has_loops=True)


def test_loss_of_every_third_frame_costs_nothing_but_time():
    world = settled(grid, 2, 3)
    world.loss, world.late, world.duplicate = 0.3, 0.2, 0.1
    right = 0
    for _ in range(150):
        run_checked(world, 1)
        right += world.all_right()
    # 14 directed links, eight losses in a row: 0.3**8 * 14 * 150 = 0.14 expected
    # breaks, each of at most some 70 rounds.
    assert right > 75


def scramble(world: MemberWorld, rng: np.random.Generator) -> None:
    """Put any numbers whatever into everything a module remembers."""
    for state in world.states:
        assert state is not None

        def draw(top: int) -> int:
            return int(rng.integers(top))

        def name() -> int:
            return int(rng.integers(1, world.n + 4))  # also names of nobody

        state.seq, state.join, state.dist = draw(256), draw(256), draw(70)
        state.root, state.parent = name(), draw(5) - 1
        state.epoch, state.own_epoch = draw(65536), draw(65536)
        state.rounds_in, state.since_bump, state.calm = draw(99), draw(99), draw(99)
        state.frozen, state.dirty, state.g = draw(2) > 0, draw(2) > 0, draw(2) > 0
        state.slots = tuple(Slot(name(), draw(65536), draw(257)) for _ in state.slots)
        for port in state.ports:
            port.head = ProtocolFrame(
                flags=draw(256),
                seq=draw(256),
                echo=draw(256),
                dist=draw(70),
                id=name(),
                root=name(),
                epoch=draw(65536),
                count=draw(256),
                join=draw(256),
                cand=name(),
                token=draw(2**32),
            )
            port.peer, port.quiet, port.good = name(), draw(9), draw(3)
            port.rec, port.rec_peer, port.rec_child = draw(2) > 0, name(), draw(2) > 0
            port.value = draw(2**32)


@pytest.mark.parametrize("make, size", [(chain, (6,)), (grid, (2, 3))])
def test_any_state_whatever_recovers(make, size: tuple[int, ...]):
    for seed in range(2):
        world = settled(make, *size)
        scramble(world, np.random.default_rng(seed))
        # A name of nobody can travel to the hop limit before it is gone; three of them
        # were put in. Only the return is judged here: lies in memory are believed.
        limit = world.bound() + 3 * world.rules.hops
        assert world.rounds_until_right(limit, is_judged=False) <= limit
        assert world.all_right()
