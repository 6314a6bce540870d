"""Verdicts from a contact table are never a wrong yes, by a second algorithm."""

import math

import numpy as np
import pytest

from equipoise.control.com.brain.state import TABLE, ContactEntry, empty_memory
from equipoise.control.com.feet.support import (
    SupportConfig,
    Verdict,
    balance_verdict,
    hull_margin,
)
from equipoise.core.errors import ConfigError
from oracles.certified import meets
from oracles.pyramids import pyramid_wrenches
from oracles.table_region import region_of, table_contacts

SIDES = 32
"""Of the pyramid inside a friction cone: its forces are all allowed."""


def held_up(contacts, xy):
    """Oracle: is there a set of forces within the cones? A linear program."""
    place = contacts["place"]
    arms = place["point"] - [*xy, 0.0]
    normals = place["normal"] / np.linalg.norm(place["normal"], axis=1)[:, None]
    wrenches = pyramid_wrenches(arms, normals, place["friction"], SIDES)
    return meets(wrenches, np.eye(6)[2])


def level_feet(xy):
    """Return contacts on level ground, friction one half."""
    contacts = ContactEntry.zeros(len(xy))
    place = contacts["place"]
    place["point"][:, :2], place["normal"][:, 2], place["friction"] = xy, 1.0, 0.5
    return contacts


def drawn(rng, level):
    """Return a random contact set and a place for the centre of mass."""
    count = int(rng.integers(1, 7))
    contacts = level_feet(rng.uniform(-0.2, 0.2, (count, 2)))
    place = contacts["place"]
    place["friction"] = rng.uniform(0.2, 1.0, count)
    if not level:
        place["point"][:, 2] = rng.uniform(-0.05, 0.05, count)
        normals = rng.normal([0.0, 0.0, 1.0], 0.3, (count, 3))
        place["normal"] = normals / np.linalg.norm(normals, axis=1)[:, None]
    return contacts, rng.uniform(-0.15, 0.15, 2)


def said(contacts, xy, slack=0.0, need=0.0):
    """Return the verdict on a set of contacts."""
    chosen = np.arange(max(len(contacts), 1))
    return balance_verdict(contacts, chosen, len(contacts), tuple(xy), slack, need)


@pytest.mark.parametrize("level", [True, False])
def test_no_verdict_contradicts_the_forces(level):
    rng = np.random.default_rng(70)
    answers = {-1: 0, 0: 0, 1: 0}
    for _ in range(150):
        contacts, xy = drawn(rng, level)
        answer = said(contacts, xy)
        answers[answer] += 1
        if answer != Verdict.NOT_KNOWN:
            assert held_up(contacts, xy) == (answer == Verdict.YES)
    assert answers[1] > 10  # it does say yes
    assert (answers[0] > 20) == level  # and no, where hull and region are the same


def test_a_no_is_said_only_beyond_the_slack():
    square = level_feet([[0, 0], [0.2, 0], [0.2, 0.2], [0, 0.2]])
    assert said(square, (0.19, 0.1), 0.005, 0.004) == Verdict.YES
    assert said(square, (0.192, 0.1), 0.005, 0.004) == Verdict.NOT_KNOWN
    assert said(square, (0.204, 0.1), 0.005, 0.004) == Verdict.NOT_KNOWN
    assert said(square, (0.206, 0.1), 0.005, 0.004) == Verdict.NO
    assert said(square[:0], (0.1, 0.1)) == Verdict.NO


def test_the_margin_is_the_distance_to_the_nearest_edge():
    corners = level_feet([[0, 0], [3, 0], [3, 4], [0, 4], [1, 1]])  # the last: inside
    chosen = np.arange(5)
    assert hull_margin(corners, chosen, 5, 1.0, 2.0) == pytest.approx(1.0, abs=1e-15)
    assert hull_margin(corners, chosen, 5, 3.5, 2.0) == pytest.approx(-0.5, abs=1e-15)
    # the triangle 3-4-5: two thirds from each leg, the rest of the way to the slope
    assert hull_margin(corners, chosen, 3, 2.5, 1.0) == pytest.approx(0.5, abs=1e-15)
    assert hull_margin(corners, chosen, 2, 1.0, 0.0) == -math.inf


def test_a_slippery_slope_does_not_count():
    feet = level_feet([[0.0, 0.0], [0.3, 0.0], [0.0, 0.3]])
    assert said(feet, (0.1, 0.1)) == Verdict.YES
    feet[0].place.normal[:] = [
        math.sin(0.6),
        0.0,
        math.cos(0.6),
    ]  # tan 0.6 = 0.68 > 0.5
    assert said(feet, (0.1, 0.1)) == Verdict.NOT_KNOWN


def test_a_table_gives_contacts_and_region():
    memory = empty_memory(2, 6, 3)
    rows = [TABLE, TABLE + 3, TABLE + 4]  # of the second module
    feet = level_feet([[0.0, 0.0], [0.2, 0.0], [0.0, 0.2]])
    feet["who"], feet["touches"] = [2, 7, 9], 1
    memory.contacts[rows] = feet
    assert len(table_contacts(memory, 0)) == 0
    assert region_of(table_contacts(memory, 0)) is None
    region = region_of(table_contacts(memory, 1))
    assert region is not None
    # half of 0.2 m times 0.2 m, to the promised gap
    assert region.area == pytest.approx(0.02, rel=1e-3)
    assert not region.contains((0.15, 0.15))
    assert len(table_contacts(memory, 1, without=7)) == 2
    memory.contacts[TABLE].touches = 0
    assert len(table_contacts(memory, 1)) == 2


def test_negative_margins_are_refused():
    with pytest.raises(ConfigError, match="margin must be >= 0 m, got -1"):
        SupportConfig(margin=-1)
