"""What tests of walking parts share: a machine, estimates by hand, a recorded walk."""

import copy
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from equipoise.control.machine import legged_machine
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.pilot import WalkingGoal
from equipoise.control.records import (
    GaitClock,
    LegStance,
    Travel,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.control.signals import Estimate, TrunkReference, WalkingStance
from equipoise.control.walker import walker, walker_config
from equipoise.robots.legs import centre_of_mass, leg_angles
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout

DT = 0.002  # control period [s]


@cache
def machine(height=0.5):
    """Return WARP1 as its walking controller knows it."""
    return legged_machine(warp1(), height=height)


@cache
def flat_world():
    """Return WARP1 on level ground."""
    return machine_world(warp1(), "flat")


def rotation(roll, pitch, yaw):
    """Return R = R_z(yaw) R_y(pitch) R_x(roll), written out from its factors."""
    (cr, sr), (cp, sp), (cy, sy) = ((np.cos(a), np.sin(a)) for a in (roll, pitch, yaw))
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def angles_for(places):
    """Return the joint angles that put WARP1's feet there, hip to foot in B."""
    g, q = machine().geometry, np.empty(12)
    assert leg_angles(np.asarray(places, float), g.lengths, g.bend, q)
    return q


def estimate(
    places=None,
    p_WB=(0.0, 0.0, 0.5),
    tilt=(0.0, 0.0, 0.0),
    v_WB=(0.0, 0.0, 0.0),
    w_B=(0.0, 0.0, 0.0),
    load: ArrayLike = 150.0,
    dt=DT,
):
    """Return what WARP1 would know in a pose, feet hip to foot in B, still joints."""
    m = machine()
    g = m.geometry
    down = [[0.0, 0.0, -m.height]] * 4
    q = angles_for(down if places is None else places)
    legs, trunk = first_estimate(g.legs, 3), TrunkEstimate.zeros()
    legs["q"] = q.reshape(4, 3)
    observe_legs(g.legs, legs)
    one, R = trunk[0], rotation(*tilt)
    centre_of_mass(q, g.legs, g.trunk, one.p_BC)
    one.p_WB[:], one.v_WB[:], one.w_WB_B[:], one.R_WB[:] = p_WB, v_WB, w_B, R
    one.dt, one.mass, one.height = dt, m.mass, m.height
    legs["foothold"] = np.asarray(p_WB, float) + (g.hips + legs["foot"]) @ R.T
    legs["load"] = load
    return Estimate(m, trunk, legs)


def stance(stands=(1, 1, 1, 1), progress=0.0, swing=0.35, support=0.35, late=0.0):
    """Return a stance in which legs do as they are scheduled to."""
    legs, clock = LegStance.zeros(4), GaitClock.zeros()
    legs["goal"] = np.nan  # as the motion part has it
    legs["scheduled"] = legs["stands"] = stands
    legs["progress"] = np.where(legs["stands"] > 0.0, 0.0, progress)
    legs["swing"], legs["support"], legs["late"] = swing, support, late
    clock[0].cycle, clock[0].walking, clock[0].rate = swing + support, 1.0, 1.0
    return WalkingStance(legs, clock)


def travel(forward=0.0, left=0.0, turn=0.0, walks=0.0):
    """Return what the operator wants."""
    goal = Travel.zeros()
    goal[0].velocity[:], goal[0].walks = (forward, left, turn), walks
    return goal


def reference(
    at=(0.0, 0.0, 0.5), tilt=(0.0, 0.0, 0.0), goes=(0.0, 0.0, 0.0), turns=0.0
):
    """Return a reference of the trunk, feet belonging under the hips."""
    pose = TrunkPose.zeros()
    pose[0].p_WB[:], pose[0].rpy_WB[:], pose[0].v_WB[:] = at, tilt, goes
    pose[0].yaw_rate, pose[0].path[:] = turns, goes[:2]
    places = machine().geometry.hips - np.array([0.0, 0.0, machine().height])
    return TrunkReference(pose, places)


@cache
def recorded(seconds=1.2):
    """Return the readings of WARP1 as it starts to trot, real sensors and motors."""
    kept = []
    config = walker_config("trot")
    controller = walker(machine(), (WalkingGoal(time=0.2, forward=0.3),), config)

    class Recorder:
        def init(self):
            kept.clear()
            return controller.init()

        def step(self, readings, state):
            kept.append(copy.deepcopy(readings))
            return controller.step(readings, state)

    run = rollout(flat_world(), Recorder(), seconds, plant=MachineConfig.real(1))
    assert run.is_finite
    return tuple(kept)


def flat(thing):
    """Return every number of nested states, in order, as a list of arrays."""
    if isinstance(thing, tuple | list):
        return [x for part in thing for x in flat(part)]
    if hasattr(thing, "__dataclass_fields__"):
        names = [n for n in thing.__dataclass_fields__ if n != "machine"]
        return flat([getattr(thing, name) for name in names])
    if isinstance(thing, dict):
        return flat([thing[key] for key in sorted(thing)])
    if isinstance(thing, np.ndarray) and thing.dtype.names:  # not what is between
        return [x for name in thing.dtype.names for x in flat(thing[name])]
    return [np.asarray(thing)]


def same(one, other):
    """Say whether two nests hold the same numbers, bit by bit, NaN like NaN."""
    a, b = flat(one), flat(other)
    return len(a) == len(b) and all(
        x.shape == y.shape and x.dtype == y.dtype and x.tobytes() == y.tobytes()
        for x, y in zip(a, b, strict=True)
    )
