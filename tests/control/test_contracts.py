"""Every controller is pure: stepped twice from one state it does the same twice.

A state is a value. Whoever keeps one can step from it again, later and after other
steps, and gets the same torques, the same telemetry and a state that goes on alike.
"""

import copy

import mujoco
import numpy as np
import pytest

from equipoise.control.com import (
    ComConfig,
    ComController,
    Crash,
    FeetConfig,
    FeetController,
    FramedConfig,
    FramedController,
    PathController,
    Step,
    find_law,
    law_names,
    lift_in_turn,
)
from equipoise.control.pilot import WalkingGoal
from equipoise.control.walker import walker, walker_config
from equipoise.control.workspace import balance_law_names, balancer
from equipoise.core.contracts import Sensed
from equipoise.robots.biped.biped import biped
from equipoise.robots.superbot.quadruped import superbot_quadruped
from oracles.held_feet import sensed_of
from oracles.module_robots import any_tree
from oracles.walking_parts import machine, recorded

TREE = any_tree(5, np.random.default_rng(8))
QUADRUPED = superbot_quadruped()
FAULTS = FramedConfig(
    loss=0.2,
    duplication=0.2,
    delay=0.3,
    crashes=(Crash(module=2, time=0.06, seconds=0.02),),
)


def modular(assembly, ticks=120):
    """Return readings of a modular robot that moves, some feet pushed."""
    rng = np.random.default_rng(5)
    joints = sum(j.locked is None for j in assembly.body.joints)
    nu, ns = joints * len(assembly.modules), 2 * len(assembly.modules)
    first = [m.angles for m in assembly.modules]
    q = np.array(first, float)[:, [j.locked is None for j in assembly.body.joints]]
    return [
        Sensed(
            time=0.001 * k,
            dt=0.001,
            q=q.ravel() + 0.02 * rng.normal(size=nu),
            v=rng.normal(size=nu),
            p_WB=np.array([0.0, 0.0, 0.1]),
            R_WB=np.eye(3),
            V_WB=0.1 * rng.normal(size=6),
            skin=rng.normal(size=(ns, 6)),
        )
        for k in range(ticks)
    ]


def standing(robot, ticks=40):
    """Return readings of a legged robot near its set point."""
    rng = np.random.default_rng(3)
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    found = []
    for k in range(ticks):
        found.append(sensed_of(robot, q, v, time=0.002 * k))
        v = v + 0.02 * rng.normal(size=len(v))
        q = q.copy()
        mujoco.mj_integratePos(robot.model, q, v, 0.002)
    return found


def path_of(assembly):
    """Return a controller that leads the centre of mass along two goals."""
    steps = (Step(goal=(0.0, 0.0), seconds=0.0, tolerance=9.0), Step(goal=(0.1, 0.0)))
    return PathController(assembly, find_law("upright")(), steps)


CONTROLLERS = {
    **{
        f"com {name}": lambda name=name: (
            ComController(TREE, find_law(name)()),
            modular(TREE),
        )
        for name in law_names()
    },
    "com with loss and delay": lambda: (
        ComController(
            TREE, find_law("upright")(), ComConfig(hop_delay=0.003, loss=0.3)
        ),
        modular(TREE),
    ),
    "com without delay": lambda: (
        ComController(TREE, find_law("upright")(), ComConfig(hop_delay=0.0)),
        modular(TREE),
    ),
    "path": lambda: (path_of(TREE), modular(TREE)),
    "framed": lambda: (FramedController(TREE), modular(TREE, 200)),
    "framed with faults": lambda: (
        FramedController(TREE, config=FAULTS),
        modular(TREE, 200),
    ),
    "feet": lambda: (
        FeetController(QUADRUPED, lift_in_turn((3,)), FeetConfig(framed=FAULTS)),
        modular(QUADRUPED, 200),
    ),
    **{
        f"balance {name}": lambda name=name: (
            balancer(name, biped()),
            standing(biped()),
        )
        for name in balance_law_names()
    },
    "walking": lambda: (
        walker(machine(), (WalkingGoal(time=0.2, forward=0.3),), walker_config("trot")),
        list(recorded())[:400],
    ),
}


def said(command):
    """Return a command's bits."""
    volts = None if command.volts is None else command.volts.tobytes()
    return command.tau.tobytes(), volts, dict(command.telemetry)


def run(controller, readings, state):
    """Return the bits of all commands from a state on, and the last state."""
    bits = []
    for sensed in readings:
        command, state = controller.step(sensed, state)
        bits.append(said(command))
    return bits, state


@pytest.mark.parametrize("name", CONTROLLERS)
def test_a_state_can_be_stepped_from_again(name):
    controller, readings = CONTROLLERS[name]()
    half = len(readings) // 2
    first, middle = run(controller, readings[:half], controller.init())
    want, _ = run(controller, readings[half:], middle)
    assert len(set(tau for tau, _, _ in want)) > 5  # it does something
    again, _ = run(controller, readings[half:], middle)
    assert repr(again) == repr(want)  # NaN is NaN
    other = copy.deepcopy(readings[half])
    other.v[:] += 0.1
    controller.step(other, middle)  # another future, and a state in between
    _, late = run(controller, readings[half : half + 7], middle)
    rest, _ = run(controller, readings[half + 7 :], late)
    assert repr(rest) == repr(want[7:])
    assert len(first) == half


@pytest.mark.parametrize("name", CONTROLLERS)
def test_a_command_stays_as_it_is(name):
    controller, readings = CONTROLLERS[name]()
    state, kept = controller.init(), []
    for sensed in readings[:30]:
        command, state = controller.step(sensed, state)
        kept.append((command, said(command)))
    assert all(repr(said(command)) == repr(bits) for command, bits in kept)
