"""Rows between the world and the hosts of modules: each reading to its module."""

import numpy as np

from equipoise.control.com.brain.state import Contact, Senses
from equipoise.control.com.loads import ContactPush, MovingFrame
from equipoise.modules.transports.keyed_tag import new_key
from equipoise.runs.processes.rows import SENSES, Layout, scatter, words_of

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
