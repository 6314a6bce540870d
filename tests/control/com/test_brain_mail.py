"""What a module keeps of frames and contacts, one at a time."""

import numpy as np
import pytest

from equipoise.control.com.brain.contact import TABLE, ContactEntry
from equipoise.control.com.brain.mail import Letters, empty_room, forget, take_frames
from equipoise.control.com.brain.pages import (
    empty_payload,
    put_contact_page,
    put_motion_page,
    put_world_page,
)
from equipoise.control.com.brain.state import NOWHERE, OLD, empty_memory
from equipoise.control.com.loads import CarriedLoad, MovingFrame
from equipoise.modules import frame as fr
from equipoise.modules.kernels import rows as at
from equipoise.modules.kernels.frame import write_frame_bytes
from equipoise.modules.kernels.member import boot, empty_seats
from equipoise.modules.rules import Rules, rules_vector

RULE = rules_vector(Rules())
N, PORTS, JOINTS = 3, 4, 2
ME, P = 1, 2  # who reads, and at which port
END = ME * PORTS + P
OWN = 7


class Reader:
    """A module in the middle of three that gets frames of module 9, joined to it."""

    def __init__(self):
        self.seats, self.memory = empty_seats(N, PORTS), empty_memory(N, PORTS, JOINTS)
        for i in range(N):
            boot(self.seats, i, OWN - 1 + i, 0, 0, 0)
        self.seats.node[ME, at.SEQ] = 50
        self.seats.node[ME, at.TREE] = 1 << P
        self.alive, self.seq = np.ones(N, bool), 10
        self.page = empty_payload(1)

    def take(self, where=(ME, P), **header):
        """Read the next frame with the page as it is; return how many counted."""
        self.seq += 1
        head = np.zeros((2, fr.COLUMNS), np.int64)
        given = {"SENDER": 9, "ROOT": 9, "EPOCH": 3, "SEQ": self.seq, "FLAGS": fr.F}
        given |= {"JOIN": 4} | header
        for name, value in given.items():
            head[1, getattr(fr, name)] = value
        frames, places = np.zeros((3, 64), np.uint8), np.zeros((3, 2), np.int64)
        write_frame_bytes(head, 1, self.page.byte[0], frames[0])
        places[0] = where
        letters = Letters(frames, places, 1)  # what lies behind the first is not read
        return take_frames(
            RULE, self.alive, self.seats, self.memory, letters, empty_room()
        )

    def contact(self, who, age=0, foot=1, touches=1, x=0.5):
        """Lay a contact's page out."""
        one = ContactEntry.zeros(1)[0]
        one.who, one.age, one.foot, one.touches = who, age, foot, touches
        one.place.point[:] = x, -2.0, 4.0
        put_contact_page(self.page.contact[0], one)

    @property
    def here(self):
        return self.memory.ports[END]

    def table(self, who):
        """Return the entry of a module in the reader's table, None without."""
        rows = self.memory.contacts[ME * TABLE : (ME + 1) * TABLE]
        found = np.flatnonzero(rows["who"] == who)
        assert len(found) < 2
        return rows[int(found[0])] if found.size else None


def test_only_frames_for_living_modules_and_their_ports_are_read():
    for where in ((-1, P), (N, P), (ME, -1), (ME, PORTS)):
        assert Reader().take(where) == 0
    for where in ((0, 0), (N - 1, PORTS - 1)):
        reader = Reader()
        assert reader.take(where) == 1
        assert reader.seats.port[where[0] * PORTS + where[1], at.PEER] == 9
    dead = Reader()
    dead.alive[ME] = False
    assert dead.take() == 0
    assert dead.take((0, P)) == 1


@pytest.mark.parametrize(
    ("flags", "echo", "late"),
    [
        (fr.HEARD, 49, 0),  # the answer of the very next round
        (fr.HEARD, 50, 0),
        (fr.HEARD, 48, 1),
        (fr.HEARD, 45, 4),
        (fr.HEARD, 52, 253),  # 254 rounds ago
        (0, 45, 0),  # it does not hear me: nothing is known
    ],
)
def test_a_sum_is_as_late_as_what_it_echoes(flags, echo, late):
    reader = Reader()
    reader.page.single[0] = np.arange(10) + 0.5
    assert reader.take(FLAGS=fr.F | fr.SUM | flags, ECHO=echo) == 1
    assert reader.here.sum_age == late
    np.testing.assert_array_equal(reader.seats.value[END], np.arange(10) + 0.5)
    assert (reader.here.motion_age, reader.here.world_age) == (OLD, OLD)
    untouched = np.delete(reader.memory.ports["sum_age"], END)
    assert (untouched == OLD).all()


@pytest.mark.parametrize("place", [0, 4, 9])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_sum_with_a_number_that_is_none_does_not_count(place, value):
    reader = Reader()
    reader.page.single[0, place] = value
    assert reader.take(FLAGS=fr.F | fr.SUM) == 0
    assert reader.seats.port[END, at.PEER] == 0


def world_page(reader, age):
    frame = MovingFrame.zeros(1)[0]
    frame.R[:] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    frame.p[:], frame.v[:], frame.w[:] = (1, 2, 3), (0.5, 0.25, -1), (2, 4, -8)
    put_world_page(reader.page.world[0], frame, age)
    return frame


def motion_page(reader, age, sums):
    load = CarriedLoad.zeros(1)[0]
    load.rate[:], load.force[:], load.moment[:] = (1, 2, 3), (4, 5, 6), (-1, -2, 8)
    put_motion_page(reader.page.motion[0], load, np.array([7.0, 8.0, 9.0]), age, sums)
    return load


def test_a_world_page_is_kept_with_its_age_and_the_way_it_took():
    reader = Reader()
    frame = world_page(reader, 6)
    reader.take(FLAGS=fr.HEARD, ECHO=46)
    assert reader.here.world_age == 6 + 3
    for name in ("R", "p", "v", "w"):
        np.testing.assert_allclose(
            getattr(reader.here.world, name), getattr(frame, name), atol=1e-6
        )
    assert (reader.here.motion_age, reader.here.sum_age) == (OLD, OLD)


def test_a_motion_page_counts_where_all_behind_have_frozen():
    reader = Reader()
    load = motion_page(reader, 5, 700)
    reader.take(FLAGS=fr.HEARD | fr.F, ECHO=46)
    assert (reader.here.motion_age, reader.here.sum_behind) == (5 + 3, 700)
    for name in ("rate", "force", "moment"):
        np.testing.assert_array_equal(
            getattr(reader.here.load, name), getattr(load, name)
        )
    np.testing.assert_array_equal(reader.here.span, [7.0, 8.0, 9.0])
    assert reader.here.world_age == OLD
    other = Reader()
    motion_page(other, 5, 700)
    other.take(FLAGS=fr.HEARD)  # no F
    assert (other.here.motion_age, other.here.sum_behind) == (OLD, 0)


@pytest.mark.parametrize(
    ("change", "world", "motion"),
    [
        ({}, 1, 2),
        ({"ROOT": 8}, 1, OLD),
        ({"EPOCH": 4}, 1, OLD),
        ({"JOIN": 5}, 1, OLD),
        ({"FLAGS": 0}, 1, OLD),
        ({"SENDER": 11}, OLD, OLD),
    ],
)
def test_what_came_from_another_tree_life_or_neighbour_is_forgotten(
    change, world, motion
):
    reader = Reader()
    reader.take()
    reader.here.world_age, reader.here.motion_age = 1, 2
    assert reader.take(**change) == 1
    assert (reader.here.world_age, reader.here.motion_age) == (world, motion)


def test_a_contact_is_news_for_all_other_ports():
    reader = Reader()
    reader.contact(33, age=12, foot=5)
    reader.take()
    entry = reader.table(33)
    assert (entry.foot, entry.touches, entry.age, entry.port) == (5, 1, 12, P)
    assert entry.news & 0xFF == 0xFF & ~(1 << P)
    np.testing.assert_array_equal(entry.place.point, [0.5, -2.0, 4.0])
    entry.news = 0
    reader.contact(33, age=11, foot=5, x=0.75)
    reader.take()
    entry = reader.table(33)
    assert (entry.news, entry.age, entry.place.point[0]) == (0, 11, 0.75)  # no news
    for foot, touches in ((6, 1), (6, 0), (6, 1)):
        reader.contact(33, age=11, foot=foot, touches=touches)
        reader.take()
        entry = reader.table(33)
        assert (entry.foot, entry.touches) == (foot, touches)
        assert entry.news & 0xFF == 0xFF & ~(1 << P)
        entry.news = 0


def test_contacts_from_outside_the_tree_and_of_oneself_are_nothing():
    reader = Reader()
    reader.contact(33)
    reader.take((ME, P + 1))
    assert reader.table(33) is None
    for who in (0, OWN):
        reader.contact(who)
        reader.take()
    assert (reader.memory.contacts["who"][: N * TABLE] == 0).all()


def test_an_older_story_by_another_way_is_not_believed():
    for age, port in ((11, P), (10, P + 1), (9, P + 1)):
        reader = Reader()
        reader.seats.node[ME, at.TREE] |= 1 << (P + 1)
        reader.contact(33, age=10)
        reader.take()
        reader.contact(33, age=age, x=0.25)
        reader.take((ME, P + 1), SENDER=12)
        entry = reader.table(33)
        assert entry.port == port, age
        assert entry.place.point[0] == (0.25 if port == P + 1 else 0.5)
    # by the same way it is
    reader.contact(33, age=60, x=0.125)
    reader.take((ME, P + 1), SENDER=12)
    assert reader.table(33).age == 60


def test_a_table_holds_as_many_as_it_has_room_for_after_its_own():
    reader = Reader()
    for who in range(20, 20 + TABLE):
        reader.contact(who)
        reader.take()
    rows = reader.memory.contacts["who"][ME * TABLE : (ME + 1) * TABLE]
    assert rows.tolist() == [0, *range(20, 20 + TABLE - 1)]
    others = np.delete(reader.memory.contacts["who"][: N * TABLE],
                       np.s_[ME * TABLE : (ME + 1) * TABLE])  # fmt: skip
    assert not others.any()
    reader.memory.contacts[ME * TABLE + 3].who = 0  # the first gap is filled
    reader.memory.contacts[ME * TABLE + 5].who = 0
    reader.contact(90)
    reader.take()
    assert reader.memory.contacts[ME * TABLE + 3].who == 90


def test_who_starts_anew_has_forgotten_all_that_is_its_own_and_no_more():
    memory = empty_memory(N, PORTS, JOINTS)
    for records in memory:
        records.view(np.uint8)[:] = 1
    before = [np.array(records) for records in memory]
    forget(memory, ME, 5)
    fresh = empty_memory(N, PORTS, JOINTS)
    ends = slice(ME * PORTS, (ME + 1) * PORTS)
    for name in ("motion_age", "world_age", "sum_age", "sum_behind", "last_page",
                 "cursor", "turns"):  # fmt: skip
        assert (memory.ports[name][ends] == fresh.ports[name][ends]).all(), name
    for name in ("lump", "rate", "force", "moment"):
        assert not memory.ports["load"][name][ends].any()
    table = memory.contacts[ME * TABLE : (ME + 1) * TABLE]
    for name in ("who", "foot", "touches", "age", "port", "news"):
        assert not table[name].any(), name
    module = memory.modules[ME]
    assert (module.touched, module.complete, module.tree_name) == (0, 0, 0)
    assert (module.foot, module.source) == (5, NOWHERE)
    assert (module.pose_age, module.oldest) == (OLD, OLD)
    assert module.estimate.known == 0
    assert not np.any(module.estimate.span)
    assert not memory.rows["known"][ME * JOINTS : (ME + 1) * JOINTS].any()
    each = (PORTS, 1, TABLE, JOINTS)
    for was, now, rows in zip(before, memory, each, strict=True):
        keep = np.ones(len(was), bool)
        keep[ME * rows : (ME + 1) * rows] = False
        assert was[keep].tobytes() == np.array(now)[keep].tobytes()
