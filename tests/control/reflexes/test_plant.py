"""Feet that hang in the air are put down before a machine walks."""

import numpy as np
import pytest

from equipoise.control.reflexes.plant import PlantReflex, PlantReflexConfig
from equipoise.control.signals import nothing_asked
from oracles.walking_parts import DT, estimate, machine, stance

HANGS = (0.0, 150.0, np.nan, 150.0)  # nothing is known of the third foot's load [N]


def ticks(reflex, number, load, state=None, walking=0.0, stands=(1, 1, 1, 1)):
    """Return by how much aims were lowered at the last tick, and the state."""
    state = reflex.init(machine()) if state is None else state
    known, who, asked = estimate(load=load), stance(stands), nothing_asked(machine())
    who.clock["walking"] = walking
    for _ in range(number):
        asked.legs["place"] = 0.0
        asked, state = reflex.step(known, who, asked, state)
    return -asked.legs["place"][:, 2], state


def test_a_foot_that_carries_nothing_is_lowered_until_it_does():
    reflex = PlantReflex(PlantReflexConfig(speed=0.2, depth=0.05, carries=100.0))
    lowered, state = ticks(reflex, 50, HANGS)
    assert lowered == pytest.approx([0.2 * 50 * DT, 0.0, 0.0, 0.0])
    deepest, state = ticks(reflex, 500, HANGS, state)
    assert deepest == pytest.approx([0.05, 0.0, 0.0, 0.0])
    given_back, _ = ticks(reflex, 500, 150.0, state)
    assert given_back == pytest.approx(np.zeros(4), abs=0.05 * np.exp(-9.0))


def test_a_machine_that_walks_lowers_nothing():
    reflex = PlantReflex()
    assert ticks(reflex, 50, HANGS, walking=1.0)[0] == pytest.approx(np.zeros(4))
    swings = ticks(reflex, 50, HANGS, stands=(0, 1, 1, 1))[0]
    assert swings == pytest.approx(np.zeros(4))
