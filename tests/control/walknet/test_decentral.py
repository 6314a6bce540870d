"""A leg's command depends on what itself and its neighbours read, nobody else.

[Ridderstrom2003] section 3.4.1: leg controllers are independent but for the influences
of the legs before, behind and beside. What comes from above is how fast the trunk shall
go, and what the trunk's own sensors tell.
"""

import copy
import dataclasses
import itertools
from functools import cache

import numpy as np
import pytest

import equipoise as eq
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout

LEGS = range(6)
OF_JOINTS = {"q": 0.3, "v": 2.0, "current": 1.0, "limit": 1.0}
OF_FEET = {"load": 50.0}
SIZES = (1.0, -1.0)
STEPS_ON = 47  # ticks, and so not always the same one of a selector's


class Kept:
    """A controller whose readings and states are kept now and then."""

    def __init__(self, inner):
        self.inner, self.kept, self.count = inner, [], 0

    def init(self):
        return self.inner.init()

    def step(self, readings, state):
        if self.count % STEPS_ON == 0:
            self.kept.append(copy.deepcopy((readings, state)))
        self.count += 1
        return self.inner.step(readings, state)


@cache
def walk(mode):
    """Return the controller of a hexapod, and what it read and knew on its way."""
    config = WalkConfig(speed=0.3, mode=mode, seconds=4.0, seed=1)
    plan = resolved_walk(eq.load("tum"), config)
    control = plan.new_controller()
    kept = Kept(control)
    world = machine_world(plan.robot, "flat")
    rollout(world, kept, 4.0, plant=plan.plant)
    return control, kept.kept


def neighbours(leg):
    """Return who is before, behind and beside a leg."""
    return [k for k in (leg - 2, leg + 2, leg ^ 1) if k in LEGS]


def changed(readings, leg, size=1.0):
    """Return readings of which all of one leg's are others."""
    new = {}
    for name, by in OF_JOINTS.items():
        new[name] = np.array(getattr(readings, name))
        new[name][3 * leg : 3 * leg + 3] += size * by
    for name, by in OF_FEET.items():
        new[name] = np.array(getattr(readings, name))
        new[name][leg] += size * by
    return dataclasses.replace(readings, **new)


def told(command, leg):
    """Return what a leg's drives are told, as bytes."""
    own = slice(3 * leg, 3 * leg + 3)
    return command.tau[own].tobytes() + command.volts[own].tobytes()


@pytest.mark.sim
@pytest.mark.parametrize("mode", ["feedback", "ik"])
def test_at_once_a_leg_heeds_its_own_readings_only(mode):
    control, kept = walk(mode)
    own = 0
    for readings, state in kept:
        usual, _ = control.step(readings, state)
        for other in LEGS:
            command, _ = control.step(changed(readings, other), state)
            for leg in LEGS:
                if leg != other:
                    assert told(command, leg) == told(usual, leg)
            own += told(command, other) != told(usual, other)
    assert own == 6 * len(kept)


@pytest.mark.sim
@pytest.mark.parametrize("mode", ["feedback", "ik"])
def test_a_moment_later_it_heeds_its_neighbours_too_and_nobody_else(mode):
    """What legs told is heard at the next tick; what the trunk knows stays the same."""
    control, kept = walk(mode)
    heeded = 0
    for readings, state in kept:
        _, then = control.step(readings, state)
        usual, after = control.step(readings, then)
        for other, size in itertools.product(LEGS, SIZES):
            _, odd = control.step(changed(readings, other, size), state)
            above = odd.observer._replace(memory=then.observer.memory)
            command, late = control.step(readings, odd._replace(observer=above))
            for leg in LEGS:
                is_same = told(command, leg) == told(usual, leg)
                one, two = (each.stance.legs[leg].tobytes() for each in (late, after))
                is_same = is_same and one == two
                if leg in neighbours(other):
                    heeded += not is_same
                elif leg != other:
                    assert is_same
    assert heeded > 0
