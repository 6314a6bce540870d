"""Rows between the world and the hosts of modules: each reading to its module."""

import numpy as np
import pytest

from equipoise.control.com.brain.state import Contact, ModuleReport, Senses
from equipoise.control.com.loads import ContactPush, MovingFrame
from equipoise.modules.kernels.datagram import Came
from equipoise.modules.transports.keyed_tag import new_key
from equipoise.runs.processes.rows import (
    ANSWER,
    HELLO,
    SENSES,
    Answers,
    Crew,
    Layout,
    read_datagrams,
    scatter,
    seal,
    words_of,
)

PLACES = np.array([[0, 1], [1, 0], [0, 0], [0, 2]])  # host of each, and place there


def drawn(rng, rows):
    """Return rows of numbers of which no two are alike."""
    plain = np.asarray(rows)
    flat = plain.view(np.float64) if plain.dtype.itemsize % 8 == 0 else plain
    flat[...] = rng.normal(size=flat.shape)
    return rows


def test_every_reading_goes_to_its_module(rng):
    nm, layout = len(PLACES), Layout(modules=3, joints=2, parts=2)
    senses = Senses(
        q=rng.normal(size=(nm, 2)),
        rate=rng.normal(size=(nm, 2)),
        skin=drawn(rng, ContactPush.zeros(2 * nm)),
        anchor=drawn(rng, MovingFrame.zeros(nm)),
        contact=drawn(rng, Contact.zeros(nm)),
        anchor_part=rng.integers(1, 100, nm),
        attached=rng.integers(1, 100, nm),
        touching=np.array([True, False, True, True]),
    )
    rows = layout.senses_rows(2)
    scatter(new_key(), senses, PLACES, rows, words_of(rows), 7)
    assert [int(row.who) >> 32 for row in rows] == [SENSES] * 2
    assert [int(row.who) & 0xFFFFFFFF for row in rows] == [0, 1]
    assert [int(row.when) for row in rows] == [7, 7]
    for m, (host, place) in enumerate(PLACES):
        own = layout.senses_of(rows[host], 3)
        for name in Senses._fields:
            each = 2 if name == "skin" else 1
            told = np.asarray(getattr(own, name))[each * place : each * (place + 1)]
            meant = np.asarray(getattr(senses, name))[each * m : each * (m + 1)]
            assert told.tobytes() == meant.tobytes(), (m, name)


LAYOUT = Layout(modules=3, joints=2, parts=2)
CREW = Crew(PLACES, np.array([[2, 0, 3], [1, 0, 0]]), np.array([3, 1]))


def answers_of(rng, key):
    """Return two hosts' answers of tick 7 as they came in, the second host's first."""
    rows = LAYOUT.answer_rows(2)
    drawn(rng, rows)
    words = words_of(rows)
    for r, host in enumerate((1, 0)):
        seal(key, words, r, host, ANSWER, 7)
    room = np.zeros((4, 8 * LAYOUT.answer_words + 8), np.uint8)
    room[:2, :-8] = words.view(np.uint8)
    lengths = np.full(4, 8 * LAYOUT.answer_words, np.uint32)
    return rows, Came(room.view(np.int64), lengths), LAYOUT.arrived(room)


def empty():
    """Return that nothing was heard yet, in numbers that no answer has."""
    report = ModuleReport.zeros(4)
    np.asarray(report).view(np.float64)[...] = -5.0
    return Answers(np.zeros(2, int), np.full((4, 2), -5.0), report, np.full((2, 3), -5))


def test_every_answer_goes_to_its_module(rng):
    key = new_key()
    rows, came, arrived = answers_of(rng, key)
    out = empty()
    assert read_datagrams(key, came, arrived, CREW, out, 7, 2) == 0
    assert out.mark.tolist() == [ANSWER, ANSWER]
    for m, (host, place) in enumerate(PLACES):
        row = rows[1 - host]
        assert out.tau[m].tobytes() == row.tau[place].tobytes()
        own, meant = np.asarray(out.report)[m], np.asarray(row.report)[place]
        assert own.tobytes() == meant.tobytes(), m
    for host in range(2):
        assert out.counters[host].tolist() == rows[1 - host].counters.tolist()


@pytest.mark.parametrize("fault", ["late", "early", "short", "long", "changed", "key"])
def test_what_is_not_this_ticks_answer_of_a_host_changes_nothing(rng, fault):
    """Another tick's is dropped; what the run's processes did not send is counted."""
    key = new_key()
    _, came, arrived = answers_of(rng, key)
    tick, whole = 7, 8 * LAYOUT.answer_words
    came.lengths[0] = whole + {"short": -8, "long": 8}.get(fault, 0)
    if fault in ("late", "early"):
        tick += 1 if fault == "late" else -1
    elif fault == "changed":
        came.words[0, 5] ^= 1
    elif fault == "key":
        key = key + 1
    out = empty()
    foreign = read_datagrams(key, came, arrived, CREW, out, tick, 2)
    none_heard = fault in ("late", "early", "key")
    assert foreign == {"late": 0, "early": 0, "key": 2}.get(fault, 1)
    assert out.mark.tolist() == [0 if none_heard else ANSWER, 0]
    assert (out.tau[1] == -5.0).all() and (out.counters[1] == -5).all()
    assert (out.tau[0] == -5.0).all() == none_heard


def test_a_host_that_comes_up_is_heard_without_an_answer(rng):
    key = new_key()
    _, came, arrived = answers_of(rng, key)
    seal(key, came.words[:, :-1], 0, 1, HELLO, 0)
    out = empty()
    assert read_datagrams(key, came, arrived, CREW, out, 7, 1) == 0
    assert out.mark.tolist() == [0, HELLO]
    assert (out.tau == -5.0).all() and (out.counters == -5).all()
