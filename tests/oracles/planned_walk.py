"""TITAN IV that goes exactly as it plans, without any physics."""

from functools import cache
from typing import NamedTuple

import numpy as np

from equipoise.control.machine import legged_machine
from equipoise.control.motion.follow import at_knots
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.records import GaitClock, LegStance, TrunkEstimate, TrunkPose
from equipoise.control.signals import Estimate, WalkingStance, nothing_asked
from equipoise.robots.legged import legged_robot
from equipoise.robots.legs import centre_of_mass
from equipoise.robots.load import load

DT = 0.01  # from one look at the plan to the next [s]


@cache
def titan4():
    """Return TITAN IV as its controller knows it."""
    return legged_machine(legged_robot(load("titan4")))


def known(off=None, place=(0.0, 0.0), yaw=0.0):
    """Return what TITAN IV knows of itself, feet off where they stand by so much."""
    machine = titan4()
    geometry, legs = machine.geometry, first_estimate(machine.geometry.legs, 3)
    legs["q"] = 0.0
    if off is not None:
        legs["q"][:, :2] = off
    observe_legs(geometry.legs, legs)
    trunk = TrunkEstimate.zeros()
    one, (c, s) = trunk[0], (np.cos(yaw), np.sin(yaw))
    one.R_WB[:] = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    one.p_WB[:] = *place, machine.height
    centre_of_mass(legs["q"].ravel(), geometry.legs, geometry.trunk, one.p_BC)
    one.dt, one.mass, one.height = DT, machine.mass, machine.height
    legs["foothold"] = one.p_WB + (legs["hip"] + legs["foot"]) @ one.R_WB.T
    return Estimate(machine, trunk, legs)


class Planned(NamedTuple):
    """What was planned, tick by tick."""

    time: np.ndarray
    stands: np.ndarray
    """Which legs do, (nt, 4)."""
    trunk: np.ndarray
    """(nt, 2) [m]."""
    feet: np.ndarray
    """Where they stand or stood, (nt, 4, 2) [m]."""
    states: list


def walked(planner, goal_at, seconds, ground=None, *, start=(0.0, 0.0), yaw=0.0):
    """Return a walk in which trunk and feet do as they are planned to."""
    machine = titan4()
    asked, state = nothing_asked(machine), planner.init(machine)
    legs, clock = LegStance.zeros(4), GaitClock.zeros()
    place, (c, s) = np.array(start), (np.cos(yaw), np.sin(yaw))
    feet = place + machine.geometry.hips[:, :2] @ np.array([[c, s], [-s, c]])
    bound, rows = feet.copy(), []
    for k in range(round(seconds / DT)):
        time = k * DT
        clock["time"] = max(time - DT, 0.0)  # a planner sees the last tick's
        c, s = np.cos(yaw), np.sin(yaw)
        seen = (feet - place) @ np.array([[c, -s], [s, c]])
        estimate = known(seen - machine.geometry.hips[:, :2], place, yaw)
        if ground is not None:
            estimate.ground = ground
        stance = WalkingStance(legs, clock)
        plan, state = planner.step(estimate, goal_at(time), stance, asked, state)
        stands = np.ones(4, bool)
        if len(plan.trunk):
            pose = TrunkPose.zeros()
            at_knots(time, plan.trunk, pose[0])
            place, yaw = pose["p_WB"][0, :2].copy(), float(pose["rpy_WB"][0, 2])
        for leg, step in enumerate(plan.legs):
            stands[leg] = not step.lift <= time < step.land
            if stands[leg]:
                feet[leg] = bound[leg]
            else:
                bound[leg] = step.foothold[:2]
        legs["stands"] = stands
        rows.append((time, stands, place.copy(), feet.copy(), state))
    return Planned(*(np.array(x) for x in list(zip(*rows, strict=True))[:4]),
                   [row[4] for row in rows])  # fmt: skip
