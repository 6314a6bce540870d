"""Each rule of the module protocol in the smallest scene that shows what it is for.

Every scene is played twice: with all rules it must end well, and with its own rule
switched off it must not, or the scene would say nothing about the rule.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from equipoise.modules.frame import DIRTY, HEARD, PAR, F, G, ProtocolFrame
from equipoise.modules.member.cargo import Numbers
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import MemberInputs, MemberState, Slot
from equipoise.modules.rules import RULE_NAMES, Rules
from oracles.member_world import MemberWorld, chain

State = MemberState[int]
Scene = Callable[[Rules], bool]
SCENES: dict[str, Scene] = {}


def scene(play: Scene) -> Scene:
    """Keep a scene under the name of its rule."""
    SCENES[play.__name__] = play
    return play


@pytest.mark.parametrize("name", RULE_NAMES)
def test_the_scene_ends_well_with_the_rule_and_badly_without(name: str):
    assert SCENES[name](Rules())
    assert not SCENES[name](Rules(off=frozenset({name})))


def pair(rules: Rules) -> MemberWorld:
    """Two modules that know each other; number 1, name 2, is the root."""
    world = chain(2, rules=rules)
    world.run(45)
    assert len(world.known()) == 2
    return world


def hear(world: MemberWorld, i: int, *clear: int, **fields: Any) -> State:
    """Give a module the next frame of its neighbour, changed; return what it makes."""
    state = world.states[i]
    assert state is not None
    head = state.ports[0].head
    fields.setdefault("flags", head.flags & ~sum(clear))
    fields.setdefault("seq", (head.seq + 1) % 256)
    fields.setdefault("echo", state.seq)
    frame = replace(head, **fields)
    inputs = MemberInputs(attached=(0,), body=1 << (8 * i))
    _, after = world.members[i].step([(0, frame)], inputs, state)
    return after


def alone(
    rules: Rules, rounds: int, mail: ProtocolFrame[int] | None = None, since: int = 0
):
    """Run one module; from a round on it hears the same neighbour every round."""
    member: Member[int, int] = Member(id=5, ports=1, cargo=Numbers(), rules=rules)
    inputs, state, sent = MemberInputs(attached=(0,), body=1), member.init(), 0
    for k in range(rounds):
        said = [] if mail is None or k < since else [(0, replace(mail, seq=k % 256))]
        box, state = member.step(said, inputs, state)
        sent += len(box)
    return state, sent


@scene
def listen(rules: Rules) -> bool:
    """A module that was just switched on does not say it is the whole robot."""
    state, _ = alone(rules, rules.quarantine + 4)
    return not state.report.known


@scene
def half_open(rules: Rules) -> bool:
    """Nor while somebody is heard who does not hear it yet."""
    state, _ = alone(rules, 30, ProtocolFrame(id=7, root=7), since=20)
    return state.boot == 30 and not state.report.known


@scene
def quarantine(rules: Rules) -> bool:
    """It keeps silent until everybody has forgotten its former self."""
    _, sent = alone(rules, rules.silence + rules.delta + 2)
    return sent == 0


@scene
def freeze(rules: Rules) -> bool:
    """A child that stops being one spoils the epoch."""
    world = pair(rules)
    before = world.states[1]
    assert before is not None
    return hear(world, 1, PAR).epoch == (before.epoch + 1) % 65536


@scene
def second_sweep(rules: Rules) -> bool:
    """Nothing is known before the others have seen that all is frozen."""
    world = pair(rules)
    assert hear(world, 0).report.known
    return not hear(world, 0, G).report.known


@scene
def token(rules: Rules) -> bool:
    """A sum in which a link is counted from one end only is not believed."""
    world = pair(rules)
    state = world.states[0]
    assert state is not None
    return not hear(world, 0, token=state.ports[0].head.token ^ 1).report.known


@scene
def echo(rules: Rules) -> bool:
    """A neighbour that does not hear this module is no link."""
    return not hear(pair(rules), 0, HEARD).ports[0].up


@scene
def bump(rules: Rules) -> bool:
    """The root answers DIRTY with the next epoch."""
    world = pair(rules)
    before = world.states[1]
    assert before is not None
    after = hear(world, 1, flags=before.ports[0].head.flags | DIRTY)
    return after.epoch == (before.epoch + 1) % 65536


def test_dirty_is_passed_on_whoever_of_the_epoch_says_it():
    world = pair(Rules())
    told = world.states[0]
    assert told is not None and not told.dirty_out
    head = told.ports[0].head
    assert not head.flags & PAR  # it is the parent who says so
    after = hear(world, 0, flags=head.flags | DIRTY)
    assert after.dirty_out and not after.dirty
    assert not hear(world, 0, flags=head.flags | DIRTY, epoch=head.epoch - 1).dirty_out


def left(*names: tuple[int, int], timer: int = 100) -> set[tuple[int, int]]:
    """Return what a module refuses after it left the trees of these roots in turn."""
    world = pair(Rules())
    state = world.states[0]
    assert state is not None
    for root, epoch in names:
        hear_of = {"root": root, "epoch": epoch % 65536, "dist": 0}
        state.root, state.epoch, state.dist = root, epoch % 65536, 1
        after = hear(world, 0, F, G, **{**hear_of, "root": 1000, "epoch": 7})
        assert after.root == 1000  # so that it left
        state.slots = after.slots
    return {(slot.root, slot.epoch) for slot in state.slots if slot.timer > 0}


def test_the_three_largest_names_that_were_left_are_kept():
    assert left((9, 1), (8, 2), (7, 3)) == {(9, 1), (8, 2), (7, 3)}
    names = [(9, 1), (8, 2), (7, 3), (3, 4), (4, 5), (5, 6)]
    assert left(*names) == {(9, 1), (8, 2), (7, 3), (5, 6)}
    assert left(*reversed(names)) == {(9, 1), (8, 2), (7, 3), (5, 6)}
    # of one root only the last, so that its epochs do not push out lost names
    assert left((9, 1), (8, 2), *((7, k) for k in range(50))) == {
        (9, 1),
        (8, 2),
        (7, 49),
    }


def test_a_root_that_started_anew_is_another_name():
    assert left((9, 1), (9, 64)) == {(9, 64)}
    assert left((9, 1), (9, 65)) == {(9, 1), (9, 65)}
    assert left((9, 5), (9, 65530)) == {(9, 65530)}
    assert left((9, 5), (9, 40000), (9, 6)) == {(9, 6), (9, 40000)}


def offered(rules: Rules, epoch: int, dist: int = 0) -> bool:
    """Return whether a module joins a root 9 whose epoch 50 it left before."""
    world = pair(rules)
    state = world.states[0]
    assert state is not None
    state.slots = (Slot(9, 50, 100), *(Slot() for _ in state.slots[1:]))
    return hear(world, 0, F, G, root=9, epoch=epoch, dist=dist).root == 9


@scene
def memory(rules: Rules) -> bool:
    """An epoch that was left is not entered again; a newer one is."""
    assert offered(rules, 51)
    return not offered(rules, 50)


@scene
def memory_window(rules: Rules) -> bool:
    """A root that started anew, with any epoch, is not taken for its old self."""
    return offered(rules, 50 - rules.window)


@scene
def hop_limit(rules: Rules) -> bool:
    """A name that nobody answers for does not travel for ever."""
    assert offered(rules, 51, dist=rules.hops - 1)
    return not offered(rules, 51, dist=rules.hops)


@scene
def join(rules: Rules) -> bool:
    """A neighbour that left the epoch and came back spoils it."""
    world = pair(rules)
    state = world.states[0]
    assert state is not None
    after = hear(world, 0, join=(state.ports[0].head.join + 1) % 256)
    return after.dirty and not after.report.known


@scene
def serial(rules: Rules) -> bool:
    """A frame that was overtaken by a newer one is not looked at."""
    world = pair(rules)
    state = world.states[0]
    assert state is not None
    late = (state.ports[0].head.seq - 1) % 256
    return hear(world, 0, seq=late, feet=77).report.feet == 0


@scene
def steady(rules: Rules) -> bool:
    """What has just changed may still be otherwise elsewhere."""
    world = pair(rules)
    world.run(5)
    assert world.report(0).steady
    after = hear(world, 0, feet=77)
    assert after.report.known and after.report.feet == 77
    return not after.report.steady


def test_a_frame_is_as_old_as_what_it_answers():
    world = pair(Rules())
    state = world.states[0]
    assert state is not None
    assert hear(world, 0).report.age == 1  # one link, one round
    late = hear(world, 0, echo=(state.seq - 4) % 256)
    assert late.report.known and late.report.age == 4


@pytest.mark.parametrize(("older", "is_up"), [(0, True), (1, False)])
def test_the_oldest_echo_that_proves_a_link(older: int, is_up: bool):
    rules = Rules()
    world = pair(rules)
    state = world.states[0]
    assert state is not None
    now = state.seq + 1  # the round that hears it
    after = hear(world, 0, echo=(now - rules.echo - older) % 256)
    assert after.ports[0].up is is_up


@pytest.mark.parametrize("hops", [(1, 3), (3, 1)])
def test_of_two_ways_to_one_root_the_shorter_is_taken(hops: tuple[int, int]):
    member: Member[int, int] = Member(id=5, ports=2, cargo=Numbers(), rules=Rules())
    inputs, state = MemberInputs(attached=(0, 1), body=1), member.init()
    for k in range(40):
        told = {"root": 9, "flags": HEARD, "seq": k, "echo": state.seq}
        heard = [(p, ProtocolFrame(id=7 + p, dist=hops[p], **told)) for p in range(2)]
        _, state = member.step(heard, inputs, state)
    assert (state.root, state.parent, state.dist) == (9, hops.index(1), 2)


def test_there_is_a_scene_for_every_rule():
    assert SCENES.keys() == RULE_NAMES.keys()
