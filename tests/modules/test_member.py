"""The module protocol in calm: exact sums, one leader, fixed cost."""

import pickle

import pytest

from equipoise.modules import Delayed, InMemory, VirtualClock, run_round
from equipoise.modules.frame import SUM, F, ProtocolFrame, pack_frame, unpack_frame
from equipoise.modules.member.cargo import Numbers
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import MemberInputs, is_newer
from equipoise.modules.rules import Rules
from oracles.member_world import PORTS, MemberWorld, chain, grid, ring

GRAPHS = {
    "one": lambda: chain(1),
    "pair": lambda: chain(2),
    "chain": lambda: chain(7, ids=(4, 2, 9, 1, 30, 8, 5)),
    "ring": lambda: ring(6),
    "grid": lambda: grid(3, 3, ids=(5, 9, 1, 8, 2, 7, 3, 6, 4)),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_all_know_exactly_who_is_there(name: str):
    world = GRAPHS[name]()
    world.touch(0)
    assert world.rounds_until_right(world.bound()) <= world.bound()
    assert world.all_right()


@pytest.mark.parametrize("name", GRAPHS)
def test_two_frames_a_link_a_round_and_none_in_quarantine(name: str):
    world = GRAPHS[name]()
    for k in range(40):
        world.round()
        is_silent = k < world.rules.quarantine
        assert world.sent == (0 if is_silent else 2 * len(world.links()))


def test_sides_of_every_link_add_up():
    world = grid(3, 3)
    world.run(60)
    trees = [world.report(i).tree for i in range(9)]
    assert sum(map(len, trees)) == 2 * 8  # a tree over nine modules, both ends
    for i, tree in enumerate(trees):
        behind = world.report(i).beyond
        assert set(behind) == set(tree)
        assert sum(behind.values()) + (1 << 8 * i) == world.report(i).total


def test_no_contact_no_leader():
    world = chain(4)
    world.run(50)
    assert [world.report(i).leader for i in range(4)] == [0] * 4
    world.touch(2)
    world.run(6)
    assert [world.report(i).leader for i in range(4)] == [3] * 4
    assert [world.report(i).is_leader for i in range(4)] == [False, False, True, False]


def test_nothing_is_said_about_the_leader_while_nothing_is_known():
    world = chain(3)
    world.touch(0)
    world.run(20)
    assert world.known() == []
    assert [world.report(i).leader for i in range(3)] == [-1] * 3


def test_the_incumbent_stays_whoever_touches():
    world = chain(5)
    world.touch(1)
    world.run(60)
    for i in (0, 2, 3, 4):
        world.touch(i)
        world.run(8)
        assert {world.report(j).leader for j in range(5)} == {2}


def test_a_lifted_leader_is_replaced_and_the_leader_is_drawn_by_lot():
    drawn: set[int] = set()
    for seed in range(8):
        world = chain(3, seed=seed)
        for i in range(3):
            world.touch(i)
        world.run(40)
        (first,) = {world.report(i).leader for i in range(3)}
        world.touch(first - 1, False)
        world.run(6)
        (second,) = {world.report(i).leader for i in range(3)}
        assert second != first and second > 0
        drawn.add(first)
    # By lot: a fair one misses a given module in 8 draws with chance (2/3)**8 = 4 %.
    assert len(drawn) >= 2


def test_touching_never_costs_the_sums_and_is_known_in_d_plus_2_rounds():
    world = chain(8)
    world.touch(0)
    world.run(80)
    d = world.diameter(0)
    for i, is_touching in ((7, True), (0, False), (7, False), (3, True), (7, True)):
        world.touch(i, is_touching)
        for k in range(1, d + 14):
            world.round()
            world.check()
            assert len(world.known()) == 8
            assert k < d + 2 or world.all_right()


def test_steady_comes_back_and_never_lies_while_feet_change():
    world = chain(5)
    world.touch(0)
    world.run(70)
    assert all(world.report(i).steady for i in range(5))
    world.touch(4)
    world.run(2)
    assert not world.report(3).steady  # what it hears has just changed
    steady = 0
    for k in range(60):
        world.touch(k % 5, k % 3 > 0)
        world.run(1 + k % 4)
        world.check()
        steady += sum(world.report(i).steady for i in range(5))
    assert steady > 0  # or the check above had nothing to look at
    world.run(20)
    assert all(world.report(i).steady for i in range(5))


def test_a_closed_connector_with_a_dead_module_is_open():
    world = chain(4)
    world.touch(0)
    world.run(60)
    assert not any(world.report(i).is_open for i in range(4))
    world.crash(3)
    world.run(60)
    assert [world.report(i).is_open for i in range(3)] == [True] * 3
    assert not any(world.report(i).steady for i in range(3))
    world.undock(2, 3)
    world.run(20)
    assert all(world.report(i).steady for i in range(3))


def test_state_does_not_grow():
    world = ring(4, loss=0.1)
    sizes: set[int] = set()
    for k in range(4):
        world.run(45)
        world.crash(k % 4)
        world.restart(k % 4)
        sizes.add(max(len(pickle.dumps(state)) for state in world.states))
    # Counters of more or fewer digits; a list of anything would add hundreds of bytes.
    assert max(sizes) - min(sizes) < 200


def test_more_modules_than_can_be_known():
    known = {}
    for most in (5, 4):
        world = chain(5, rules=Rules(most=most))
        world.run(90)
        known[most] = world.known()
    assert known == {5: [0, 1, 2, 3, 4], 4: []}


def test_a_count_of_255_on_the_wire_is_not_known():
    world = chain(2)
    world.run(60)
    state = world.states[0]
    assert state is not None and state.report.known
    head = state.ports[0].head
    full: ProtocolFrame[int] = ProtocolFrame(
        flags=head.flags,
        seq=(head.seq + 1) % 256,
        echo=state.seq,
        dist=head.dist,
        id=head.id,
        root=head.root,
        epoch=head.epoch,
        count=255,
        join=head.join,
        token=head.token,
        value=head.value,
    )
    inputs = MemberInputs(attached=(0,), body=1)
    _, after = world.members[0].step([(0, full)], inputs, state)
    assert not after.report.known


def test_epochs_and_sequence_numbers_wrap():
    assert is_newer(3, 65530) and not is_newer(65530, 3) and not is_newer(7, 7)
    world = chain(4)
    for state in world.states:
        assert state is not None
        state.own_epoch = state.epoch = 65534
        state.seq = 240
    epochs: set[int] = set()
    for _ in range(4):
        world.run(70)
        assert world.all_right()
        epochs |= {state.epoch for state in world.states if state}
        world.undock(1, 2)
        world.rounds_until_right(60)
        world.dock(1, 2)
    assert 65534 in epochs and min(epochs) < 10


def test_any_transport_carries_it():
    links = [((0, 0), (1, 0)), ((1, 1), (2, 0))]
    clock = VirtualClock()
    wires = Delayed(InMemory(links), clock, 2)
    program = [Member(id=i, ports=2, cargo=Numbers()) for i in (1, 2, 3)]
    inputs = [MemberInputs(attached=p, body=b) for p, b in (((0,), 1), ((0, 1), 10))]
    inputs.append(MemberInputs(attached=(0,), body=100))
    states = tuple(member.init() for member in program)
    for _ in range(90):
        states, sent = run_round(program, inputs, states, wires, clock)
        assert sent in (0, 4)
    assert [state.report.total for state in states] == [111] * 3


def test_frames_of_a_running_robot_fit_the_wire():
    world = grid(2, 3)
    world.touch(1)
    kinds: set[int] = set()
    for _ in range(60):
        world.round()
        for _, _, _, frame in world.on_wire:
            kinds.add(frame.flags & (F | SUM))
            got = unpack_frame(pack_frame(frame))
            assert got is not None and got.row == frame.row
            if not frame.flags & F:
                void = (frame.count, frame.cand, frame.feet, frame.age, frame.token)
                assert void == (0, 0, 0, 0, 0) and not frame.flags & SUM
    assert kinds == {0, F, F | SUM}


def test_step_leaves_its_arguments_alone():
    world: MemberWorld = chain(3)
    world.run(45)
    state = world.states[1]
    assert state is not None
    before = pickle.dumps(state)
    inputs = MemberInputs(attached=tuple(range(PORTS)), body=1, touching=True)
    world.members[1].step([], inputs, state)
    assert pickle.dumps(state) == before
