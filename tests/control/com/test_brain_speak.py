"""Whose turn it is to be told through a connector: poses, contacts, motions."""

import numpy as np
import pytest

from equipoise.control.com.brain import speak as said
from equipoise.control.com.brain.contact import TABLE
from equipoise.control.com.brain.pages import CONTACT, MOTION, NOTHING, WORLD
from equipoise.control.com.brain.state import NOWHERE, OLD, OWN_FOOT, empty_memory
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.loads import CarriedLoad
from equipoise.control.com.module_motion import FaceState, ModuleScratch, PartState
from equipoise.control.com.share import Share
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.member import empty_seats

N, PORTS, JOINTS = 3, 4, 2
ME, P = 1, 2
END = ME * PORTS + P


class Speaker:
    """A module in the middle of three, and its connector in the middle of a tree."""

    def __init__(self):
        self.seats, self.memory = empty_seats(N, PORTS), empty_memory(N, PORTS, JOINTS)
        self.node = self.seats.node[ME]
        self.node[at.TREE], self.node[at.FROZEN] = 1 << P, 1
        self.seats.port[END, at.UP] = 1
        self.module, self.port = self.memory.modules[ME], self.memory.ports[END]

    def contact(self, row, who=40, port=-1, news=0):
        one = self.memory.contacts[ME * TABLE + row]
        one.who, one.port, one.news = who + row, port, news

    def page(self, can_move=True):
        kind, row = said._choose_page(self.memory, self.seats, ME, P, can_move)
        return (kind, row - ME * TABLE) if kind == CONTACT else (kind, None)

    def next(self, can_move=True):
        row = said._next_contact(self.memory, ME, P, END, can_move)
        return row - ME * TABLE if row >= 0 else None


def test_a_pose_is_told_every_second_time():
    speaker = Speaker()
    speaker.module.pose_age, speaker.module.source = OLD - 1, OWN_FOOT
    kinds = [speaker.page()[0] for _ in range(5)]
    assert kinds == [WORLD, MOTION, WORLD, MOTION, WORLD]
    assert speaker.port.turns == 2
    alone = Speaker()
    alone.module.pose_age, alone.module.source = 0, OWN_FOOT
    assert [alone.page(can_move=False)[0] for _ in range(3)] == [WORLD] * 3


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({}, WORLD),
        ({"pose_age": OLD}, NOTHING),  # it does not know where it is
        ({"source": P}, NOTHING),  # it knows it from there
        ({"source": P + 1}, WORLD),
        ({"source": NOWHERE}, WORLD),
        ({"up": 0}, NOTHING),
        ({"tree": 0}, NOTHING),  # a link that closes a loop
        ({"tree": 0, "frozen": 0}, WORLD),  # nobody knows yet
        ({"tree": 1 << (P + 1)}, NOTHING),
    ],
)
def test_a_pose_goes_where_it_is_needed(change, kind):
    speaker = Speaker()
    speaker.module.pose_age = change.get("pose_age", 3)
    speaker.module.source = change.get("source", OWN_FOOT)
    speaker.seats.port[END, at.UP] = change.get("up", 1)
    speaker.node[at.TREE] = change.get("tree", 1 << P)
    speaker.node[at.FROZEN] = change.get("frozen", 1)
    speaker.seats.port[:END, at.UP] = speaker.seats.port[END + 1 :, at.UP] = (
        1 - (speaker.seats.port[END, at.UP])
    )
    assert speaker.page(can_move=False)[0] == kind
    assert speaker.port.last_page == kind


def test_news_goes_before_motions_and_once_through_each_connector():
    speaker = Speaker()
    speaker.contact(3, news=1 << P | 1)
    speaker.contact(5, news=1)  # this port has been told
    assert [speaker.page() for _ in range(3)] == [
        (CONTACT, 3), (MOTION, None), (MOTION, None),
    ]  # fmt: skip
    assert speaker.memory.contacts[ME * TABLE + 3].news == 1
    assert (speaker.port.cursor, speaker.port.turns) == (3, 2)


def test_without_news_a_contact_is_told_after_four_motions_each_in_turn():
    speaker = Speaker()
    for row in (0, 2, TABLE - 1):
        speaker.contact(row)
    told = [speaker.page() for _ in range(20)]
    motions = [(MOTION, None)] * 4
    ring = [2, TABLE - 1, 0, 2]
    assert told == [step for row in ring for step in (*motions, (CONTACT, row))]
    speaker.contact(4, news=1 << P)
    assert speaker.page() == (MOTION, None)  # no two contacts one after the other
    assert speaker.page() == (CONTACT, 4)


def test_contacts_go_round_where_no_motion_can_be_told():
    speaker = Speaker()
    for row in (1, 4):
        speaker.contact(row)
    told = [speaker.page(can_move=False) for _ in range(4)]
    assert told == [(CONTACT, 1), (NOTHING, None), (CONTACT, 4), (NOTHING, None)]
    assert speaker.port.turns == 0


def test_no_contact_goes_back_to_where_it_came_from_nor_out_of_the_tree():
    speaker = Speaker()
    speaker.contact(1, port=P, news=1 << P)
    assert speaker.next(can_move=False) is None
    speaker.contact(2, port=P + 1)
    assert speaker.next(can_move=False) == 2
    speaker.port.turns = said.CONTACT_EVERY - 1
    assert speaker.next() is None
    speaker.port.turns = said.CONTACT_EVERY
    assert speaker.next() == 2
    speaker.contact(5, port=P + 1, news=1 << P)
    speaker.port.turns = 0
    assert speaker.next() == speaker.next(can_move=False) == 5
    speaker.memory.contacts["who"][:] = 0
    assert speaker.next(can_move=False) is None
    speaker.contact(2)
    speaker.node[at.TREE] = 0
    assert speaker.page(can_move=False) == (NOTHING, None)


def test_what_is_behind_a_connector_is_all_but_what_came_through_it():
    speaker = Speaker()
    scratch = ModuleScratch(
        PartState.zeros(4), FaceState.zeros(PORTS), CarriedLoad.zeros(),
        CarriedLoad.zeros(), np.zeros(3), JointView.zeros(),
    )  # fmt: skip
    speaker.node[at.TREE] = 0b1101
    scratch.own["rate"][0] = 1.0, 2.0, 3.0
    scratch.own["lump"][0, 0] = 0.5
    scratch.faces["frame"]["R"][:] = np.eye(3)
    scratch.faces["heard"]["rate"][:] = [[10, 0, 0], [20, 0, 0], [40, 0, 0], [80, 0, 0]]
    scratch.faces["heard"]["lump"][:, 0] = 1, 2, 4, 8
    speaker.module.estimate.span[:] = 1.0, 2.0, 3.0
    ports = speaker.memory.ports
    first = ME * PORTS
    ports["span"][first : first + PORTS] = np.array([[1], [2], [4], [8]]) * 10.0
    ports["motion_age"][first : first + PORTS] = 3, 900, 800, 5
    ports["sum_age"][first : first + PORTS] = 7, 900, 800, 2
    ports["sum_behind"][first : first + PORTS] = 4, 900, 800, 8
    draft = Share.zeros(1)[0]
    ages = said._gather_behind(
        speaker.memory, speaker.seats.node, scratch, draft, ME, P
    )
    assert ages == (5, 11)  # the older motion, and the older sum with what it had
    np.testing.assert_array_equal(draft.span, [91.0, 92.0, 93.0])  # own, 10 and 80
    assert draft.load.lump[0] == 0.5 + 1 + 8
    np.testing.assert_allclose(draft.load.rate, [91.0, 2.0, 3.0])
    ages = said._gather_behind(
        speaker.memory, speaker.seats.node, scratch, draft, ME, 1
    )
    assert ages == (OLD, OLD)  # outside the tree nothing is behind
    speaker.node[at.TREE] = 1 << P
    ages = said._gather_behind(
        speaker.memory, speaker.seats.node, scratch, draft, ME, P
    )
    assert ages == (0, 0)
    assert draft.load.lump[0] == 0.5
