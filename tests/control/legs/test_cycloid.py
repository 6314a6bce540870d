"""RALPHY's leg program: cycloids over the ground, and references in the ground."""

import numpy as np
import pytest

from equipoise.control.leg_programs.cycloid import CycloidConfig, CycloidProgram
from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.records import LegBalance
from equipoise.control.signals import BalanceCommand
from equipoise.core.errors import ConfigError
from oracles.ralphy import (
    ralphy_estimate,
    ralphy_machine,
    ralphy_reference,
    ralphy_stance,
)

SPEED, SWING = 0.4, 0.125
LAW = LegLawConfig(stiffness=(500.0, 500.0, 2000.0), damping=(15.0, 15.0, 50.0))


def program(**settings):
    """Return the program on the machine that it is made for."""
    m = ralphy_machine()
    return CycloidProgram(leg_law(m.geometry, m.drives, LAW), CycloidConfig(**settings))


def pressing(load):
    """Return what the balance part says where each foot shall carry a load [N]."""
    legs = LegBalance.zeros(4)
    legs["force"][:, 2], legs["load"] = -load, load
    return legs


def swung(**settings):
    """Return places and velocities of the first foot over the ground in a swing."""
    own, m = program(**settings), ralphy_machine()
    trunk = ralphy_reference(v_WB=(SPEED, 0.0, 0.0), path=(SPEED, 0.0))
    told = BalanceCommand(trunk, LegBalance.zeros(4))
    known = ralphy_estimate(v_WB=(SPEED, 0.0, 0.0))
    _, state = own.step(known, ralphy_stance(walking=1.0), told, own.init())
    places, velocities = [], []
    for share in np.linspace(0.0, 1.0, 101):
        stance = ralphy_stance((0, 1, 1, 1), walking=1.0, progress=share)
        aim, state = own.step(known, stance, told, state)
        at = aim["place"][0] + m.geometry.hips[0] + (SPEED * share * SWING, 0.0, 0.0)
        places.append(at)
        velocities.append(aim["velocity"][0] + (SPEED, 0.0, 0.0))
    return np.array(places), np.array(velocities), aim


def test_a_foot_leaves_and_meets_the_ground_at_rest():
    places, velocities, _ = swung()
    assert np.allclose(velocities[[0, -1]], 0.0, atol=1e-9)
    rate = np.gradient(places, SWING / 100.0, axis=0)
    # truncation: jerk 8 pi^3 L / T^3 times h^2 / 6
    assert np.allclose(rate[1:-1], velocities[1:-1], atol=0.01)
    length = places[-1, 0] - places[0, 0]
    # half a support ahead of its hip, seen from the trunk, which went on meanwhile
    assert length == pytest.approx(SPEED * (0.375 / 2.0 + SWING), abs=1e-9)
    assert places[:, 2].max() - places[0, 2] == pytest.approx(length / np.pi, rel=1e-3)


def test_its_lift_may_be_told():
    places, _, _ = swung(lift=0.02)
    assert places[:, 2].max() - places[0, 2] == pytest.approx(0.02, rel=1e-3)


def test_a_reference_lies_as_deep_as_the_ground_gives_way():
    own, load = program(guess=15e3), 30.0
    known, trunk = ralphy_estimate(), ralphy_reference()
    told = BalanceCommand(trunk, pressing(load))
    state = own.init()
    for _ in range(2):  # footholds count from the second tick on
        aim, state = own.step(known, ralphy_stance(), told, state)
    assert np.allclose(aim["place"][:, 2] - known.legs["foot"][:, 2], -load / 15e3)
    assert np.allclose(aim["place"][:, :2], known.legs["foot"][:, :2])


def test_legs_learn_only_where_they_shall():
    known = ralphy_estimate()
    known.legs["load"] = 50.0  # more than soft ground would carry at its height
    told = BalanceCommand(ralphy_reference(), pressing(30.0))
    learnt = {}
    for adapts in (False, True):
        own = program(adapts=adapts)
        state = own.init()
        for _ in range(300):
            aim, state = own.step(known, ralphy_stance(), told, state)
        learnt[adapts] = state["offset"].copy(), aim["place"][:, 2].copy()
    assert not learnt[False][0].any()
    # the ground carries 50 N where the foot is, so the foot is told to press less
    assert np.allclose(learnt[True][0], 50.0, rtol=1e-3)
    assert (learnt[True][1] > known.legs["foot"][:, 2]).all()


def test_settings_that_cannot_be_are_refused():
    with pytest.raises(ConfigError, match="guess"):
        CycloidConfig(guess=0.0)
