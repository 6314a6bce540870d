"""What tests of RALPHY share: the machine as it stands."""

from functools import cache

import numpy as np

from equipoise.control.machine import legged_machine
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.records import GaitClock, LegStance, TrunkEstimate, TrunkPose
from equipoise.control.signals import Estimate, TrunkReference, WalkingStance
from equipoise.robots.load import load

CYCLE, DUTY = 0.5, 0.75


@cache
def ralphy_machine():
    """Return it as its walking controller knows it."""
    return legged_machine(load("ralphy"))


def ralphy_estimate(v_WB=(0.0, 0.0, 0.0), time=0.0):
    """Return what it knows standing level, a millisecond a tick."""
    m = ralphy_machine()
    legs, trunk = first_estimate(m.geometry.legs, 3), TrunkEstimate.zeros()
    legs["q"] = m.geometry.stand.reshape(m.legs, 3)
    observe_legs(m.geometry.legs, legs)
    one = trunk[0]
    one.p_WB[:], one.v_WB[:], one.R_WB[:] = (0.0, 0.0, m.height), v_WB, np.eye(3)
    one.p_BC[:] = 0.0, 0.0, 0.0  # over the feet's middle
    one.time, one.dt, one.mass, one.height = time, 0.001, m.mass, m.height
    legs["foothold"] = one.p_WB + m.geometry.hips + legs["foot"]
    legs["load"] = m.mass * 9.81 / m.legs
    return Estimate(m, trunk, legs)


def ralphy_stance(stands=(1, 1, 1, 1), walking=0.0, phase=0.0, progress=0.0):
    """Return who stands, at a share of its cycle."""
    legs, clock = LegStance.zeros(4), GaitClock.zeros()
    legs["stands"] = legs["scheduled"] = stands
    legs["support"], legs["swing"] = DUTY * CYCLE, (1.0 - DUTY) * CYCLE
    legs["goal"], legs["progress"] = np.nan, progress
    clock["phase"], clock["cycle"], clock["walking"] = phase, CYCLE, walking
    return WalkingStance(legs, clock)


def ralphy_reference(**given):
    """Return a reference where it stands, feet under its hips, changed as given."""
    pose, m = TrunkPose.zeros(), ralphy_machine()
    pose[0].p_WB[2] = m.height
    for name, value in given.items():
        pose[name] = value
    return TrunkReference(pose, m.geometry.hips - [0.0, 0.0, m.height])
