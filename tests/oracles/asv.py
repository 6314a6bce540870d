"""What tests of the Adaptive Suspension Vehicle share: the machine as it stands."""

from functools import cache

import numpy as np

from equipoise.control.machine import legged_machine
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.records import GaitClock, LegStance, TrunkEstimate, TrunkPose
from equipoise.control.signals import Estimate, WalkingStance
from equipoise.robots.legs import moment_columns
from equipoise.robots.load import load


@cache
def asv_machine():
    """Return it as its walking controller knows it."""
    return legged_machine(load("asv"))


def asv_estimate(slope=0.0, v_WB=(0.0, 0.0, 0.0)):
    """Return what it knows standing level, feet on a slope ahead."""
    m = asv_machine()
    legs, trunk = first_estimate(m.geometry.legs, 3), TrunkEstimate.zeros()
    legs["q"] = m.geometry.stand.reshape(m.legs, 3)
    legs["q"][:, 2] += slope * m.geometry.hips[:, 0]
    observe_legs(m.geometry.legs, legs)
    for build, leg in zip(m.geometry.legs, legs, strict=True):
        moment_columns(build, leg.q, leg.weigh)
    one = trunk[0]
    one.p_WB[:], one.v_WB[:], one.R_WB[:] = (0.0, 0.0, m.height), v_WB, np.eye(3)
    one.dt, one.mass, one.height = 0.002, m.mass, m.height
    legs["foothold"] = one.p_WB + m.geometry.hips + legs["foot"]
    legs["load"] = m.mass * 9.81 / m.legs
    return Estimate(m, trunk, legs)


def asv_stance(phase=0.0, stands=(1, 1, 1, 1, 1, 1)):
    """Return who stands, at a share of a cycle of one second."""
    legs, clock = LegStance.zeros(6), GaitClock.zeros()
    legs["stands"], legs["support"], legs["swing"] = stands, 0.5, 0.5
    legs["goal"] = np.nan
    clock["phase"], clock["cycle"], clock["walking"] = phase, 1.0, 1.0
    return WalkingStance(legs, clock)


def asv_pose(**given):
    """Return a reference where it stands, changed as given."""
    pose = TrunkPose.zeros()
    pose[0].p_WB[2] = asv_machine().height
    for name, value in given.items():
        pose[name] = value
    return pose
