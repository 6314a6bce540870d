"""TITAN III's attitude law: a reference that leans the other way."""

import math

import numpy as np
import pytest

from equipoise.control.balance.level import LevelBalance, LevelConfig
from equipoise.control.records import TrunkPose
from equipoise.control.signals import TrunkReference
from oracles.walking_parts import DT, estimate, machine, stance


def leaning(pitch):
    known = estimate()
    c, s = math.cos(pitch), math.sin(pitch)
    known.trunk["R_WB"][0] = [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
    return known


def level_reference():
    return TrunkReference(TrunkPose.zeros(), np.zeros((4, 3)))


def test_a_trunk_that_hangs_its_nose_is_told_to_lift_it_by_so_much():
    part = LevelBalance(LevelConfig(gain=0.5, sample=5 * DT))
    state, told = part.init(machine()), []
    for k in range(11):
        lean = 0.1 if k < 7 else 0.2
        command, state = part.step(leaning(lean), stance(), level_reference(), state)
        told.append(float(command.trunk.pose["rpy_WB"][0, 1]))
    # sampled at ticks 0, 5 and 10, held in between
    assert told[:10] == pytest.approx(10 * [-0.05], abs=1e-12)
    assert told[10] == pytest.approx(-0.1, abs=1e-12)


def test_feet_carry_the_weight_and_the_reference_is_not_touched():
    part, known = LevelBalance(LevelConfig(gain=0.3)), leaning(0.0)
    state, given = part.init(machine()), level_reference()
    for _ in range(500):
        command, state = part.step(known, stance(), given, state)
    weight = 9.81 * float(known.trunk["mass"][0])
    assert command.force[:, 2].sum() == pytest.approx(-weight, rel=1e-6)  # taken on
    assert not given.pose["rpy_WB"].any()
