"""Steps of a module's tick: growing older, finding its pose, and what it reports."""

from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.com.brain import kernel
from equipoise.control.com.brain.state import (
    NOWHERE,
    OLD,
    OWN_FOOT,
    empty_memory,
    empty_outbox,
    empty_senses,
)
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import empty_seats

N, PORTS, JOINTS, PARTS = 3, 4, 2, 3
ME, OWN, LEADER = 1, 7, 9
ENDS = slice(ME * PORTS, (ME + 1) * PORTS)
TRUST = 20


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Let the steps run as Python: nothing is compiled for a few numbers."""
    for name, one in list(vars(kernel).items()):
        if hasattr(one, "py_func"):
            monkeypatch.setattr(kernel, name, one.py_func)


@pytest.fixture
def memory():
    return empty_memory(N, PORTS, JOINTS)


def test_what_was_heard_ages_by_a_round_up_to_a_limit(memory):
    for name in ("motion_age", "world_age", "sum_age"):
        memory.ports[name] = np.arange(12) * 10
    memory.ports["sum_age"][5] = memory.ports["world_age"][6] = OLD
    memory.modules["pose_age"] = 3
    kernel._grow_older(memory, ME)
    wanted = np.arange(12) * 10
    wanted[ENDS] += 1
    np.testing.assert_array_equal(memory.ports["motion_age"], wanted)
    wanted[5] = OLD
    np.testing.assert_array_equal(memory.ports["sum_age"], wanted)
    wanted[5], wanted[6] = 51, OLD
    np.testing.assert_array_equal(memory.ports["world_age"], wanted)
    assert memory.modules["pose_age"].tolist() == [3, OLD, 3]


def test_what_came_through_a_dead_link_is_forgotten(memory):
    port = np.zeros((N * PORTS, at.PORT), np.int64)
    port[:, at.PEER] = 5
    port[[1, ME * PORTS + 2, 9], at.PEER] = 0
    for name in ("motion_age", "world_age", "sum_age"):
        memory.ports[name] = 4
    kernel._drop_dead(memory, port, ME)
    wanted = np.full(12, 4)
    wanted[ME * PORTS + 2] = OLD  # the others' are theirs to drop
    np.testing.assert_array_equal(memory.ports["motion_age"], wanted)
    np.testing.assert_array_equal(memory.ports["world_age"], wanted)
    assert (memory.ports["sum_age"] == 4).all()


def test_a_dead_module_says_and_knows_nothing(memory):
    outbox = empty_outbox(N, PORTS)
    outbox.sends[:] = True
    memory.rows["known"] = 1
    for name in outbox.report.dtype.names or ():
        outbox.report[name] = 5.0
    kernel._be_silent(memory, outbox, ME)
    np.testing.assert_array_equal(outbox.sends, [1] * 4 + [0] * 4 + [1] * 4)
    np.testing.assert_array_equal(memory.rows["known"], [1, 1, 0, 0, 1, 1])
    said = {name: outbox.report[name][ME] for name in outbox.report.dtype.names or ()}
    assert said.pop("leader") == said.pop("verdict") == -1.0
    assert not any(np.any(value) for value in said.values())
    assert (outbox.report["count"][[0, 2]] == 5.0).all()


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_push_that_is_no_number_counts_as_none(place, bad):
    x = [1.0, -2.0, 3.0]
    x[place] = bad
    wanted = [1.0, -2.0, 3.0]
    wanted[place] = 0.0
    assert list(kernel._finite(tuple(x))) == wanted


class Finder:
    """A module that looks for its pose; W is told from where it comes."""

    def __init__(self, monkeypatch) -> None:
        self.seats, self.memory = empty_seats(N, PORTS), empty_memory(N, PORTS, JOINTS)
        self.senses = empty_senses(N, PARTS, JOINTS)
        self.scratch = SimpleNamespace(
            parts=[SimpleNamespace(frame=f"part {k}") for k in range(PARTS)],
            faces=np.array([SimpleNamespace(mate=f"mate {k}") for k in range(PORTS)]),
        )
        self.node, self.module = self.seats.node[ME], self.memory.modules[ME]
        self.node[at.ID], self.node[at.TREE] = OWN, 0b0110
        self.node[at.LEADER] = -1
        port = self.seats.port[ENDS]
        port[:, at.UP] = 1
        port[:, at.HEAD + fr.CAND] = [LEADER, 4, LEADER | fr.INCUMBENT, LEADER]
        self.memory.ports["world_age"][ENDS] = 5, 6, 7, 8
        self.found: list[str] = []
        monkeypatch.setattr(
            kernel, "find_world", lambda frame, *_: self.found.append(frame)
        )

    def look(self) -> tuple[int, int, list[str]]:
        self.found.clear()
        self.module.pose_age = OLD
        given = self.memory, self.seats, self.senses, self.scratch
        kernel._find_pose(TRUST, *given, ME)
        return self.module.source, self.module.pose_age, self.found


@pytest.fixture
def finder(monkeypatch):
    return Finder(monkeypatch)


def test_the_leader_stands_on_its_own_foot(finder):
    finder.node[at.LEADER] = OWN
    assert finder.look() == (NOWHERE, OLD, [])  # it does not touch
    finder.senses.touching[ME] = True
    finder.senses.anchor_part[ME] = 2
    assert finder.look() == (OWN_FOOT, 0, ["part 2"])


def test_others_take_it_from_where_in_the_tree_the_leader_is(finder):
    finder.node[at.LEADER] = LEADER  # ports 0 and 3 are not of the tree, 1 has another
    assert finder.look() == (2, 7, ["mate 2"])
    finder.node[at.LEADER] = 4
    assert finder.look() == (1, 6, ["mate 1"])
    finder.seats.port[ME * PORTS + 1, at.HEAD + fr.CAND] = 1  # the smallest name
    finder.node[at.LEADER] = 1
    assert finder.look() == (1, 6, ["mate 1"])
    finder.node[at.LEADER] = 5
    assert finder.look() == (NOWHERE, OLD, [])
    finder.node[at.LEADER] = 0  # nobody touches: equal to no candidate
    finder.seats.port[ENDS, at.HEAD + fr.CAND] = 0
    assert finder.look() == (NOWHERE, OLD, [])


def test_while_no_leader_is_known_the_last_source_goes_on(finder):
    finder.module.source = 3
    assert finder.look() == (3, 8, ["mate 3"])
    finder.module.source = OWN_FOOT
    finder.senses.touching[ME] = True
    assert finder.look() == (OWN_FOOT, 0, ["part 0"])
    finder.senses.touching[ME] = False
    assert finder.look() == (NOWHERE, OLD, [])


@pytest.mark.parametrize(("age", "is_trusted"), [(TRUST - 1, True), (TRUST, False)])
def test_an_old_pose_or_one_through_a_link_that_is_down_is_none(
    finder, age, is_trusted
):
    finder.module.source = 3
    finder.memory.ports["world_age"][ME * PORTS + 3] = age
    assert finder.look()[1:] == ((age, ["mate 3"]) if is_trusted else (OLD, []))
    finder.seats.port[ME * PORTS + 3, at.UP] = 0
    assert finder.look()[1:] == (OLD, [])


@pytest.mark.parametrize("known", [0, 1])
@pytest.mark.parametrize("steers", [0, 1])
@pytest.mark.parametrize(("complete", "steady"), [(1, 1), (1, 0), (0, 1)])
def test_a_report_says_what_the_module_knows(
    monkeypatch, memory, known, steers, complete, steady
):
    node = empty_seats(N, PORTS).node
    node[ME, at.KNOWN], node[ME, at.STEADY], node[ME, at.OPEN] = known, steady, 1
    node[ME, at.LEADER], node[ME, at.COUNT] = LEADER, 12
    module = memory.modules[ME]
    module.estimate.known, module.oldest = steers, 40
    module.estimate.whole[0] = 2.5
    monkeypatch.setattr(kernel, "is_complete", lambda *_: complete != 0)
    motion = (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)
    monkeypatch.setattr(kernel, "whole_motion", lambda *_: motion)
    seen = []

    def verdict(*given):
        seen.append(given[1:])
        return 1.0

    monkeypatch.setattr(kernel, "foot_verdict", verdict)
    report = empty_outbox(N, PORTS).report[ME]
    kernel._tell(memory, node, SimpleNamespace(total=[None]), ME, 0.25, report)
    assert (report.known, report.steady, report.open) == (known, steady, 1.0)
    assert (report.leader, report.count) == (LEADER, 12.0)
    assert report.mass == (2.5 if known else 0.0)
    assert report.holds == 1.0 - steers
    assert report.age == 40 * 0.25
    assert report.complete == module.complete == complete
    np.testing.assert_array_equal(report.com, motion[0] if steers else [np.nan] * 3)
    judged = bool(steers and complete and steady)
    assert report.verdict == (1.0 if judged else -1.0)
    assert seen == ([(ME, *motion, 10.0)] if judged else [])
