"""Forward dynamics of one state, called from Python; and how soon it can be called."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from equipoise.core.arrays import Array
from equipoise.equations.motion import derive
from equipoise.robots.robot import Robot
from equipoise_lab.bench.clock import Runner, processor_seconds
from equipoise_lab.bench.pinocchio import twin_of
from equipoise_lab.bench.states import random_states

__all__ = ["OURS", "THEIRS", "python_runners", "seconds_to_callable"]

OURS, THEIRS = "equipoise, forward_dynamics", "Pinocchio, aba"
CALLS = 50


def python_runners(robot: Robot, seed: int) -> list[Runner]:
    """Return calls on one state: ours, and Pinocchio's where it is installed.

    Args:
        robot: whose forward dynamics.
        seed: same seed, same state.
    """
    states = random_states(robot.model, 1, seed)
    outside = (states.qpos, states.outside(states.v), states.outside(states.tau))
    q, v, tau = (np.ascontiguousarray(x[0]) for x in outside)
    motion = derive(robot)
    runners = [_repeated(OURS, motion.forward_dynamics, q, v, tau)]
    try:
        pin: Any = import_module("pinocchio")
    except ImportError:
        return runners
    twin = twin_of(pin, robot.model)
    data = twin.model.createData()
    rows = (twin.pose(states), twin.along(states.v), twin.along(states.tau))
    q, v, tau = (np.ascontiguousarray(x[0]) for x in rows)
    runners.append(_repeated(THEIRS, pin.aba, twin.model, data, q, v, tau))
    return runners


def _repeated(name: str, function: Callable[..., Any], *given: Any) -> Runner:
    """Return a loop over calls of a function."""

    def run(times: int) -> None:
        for _ in range(times * CALLS):
            function(*given)

    return Runner(name, run, CALLS)


def seconds_to_callable(robot: Robot) -> float:
    """Return the processor time from a robot to its first acceleration."""
    model = robot.model
    q, v = np.array(model.qpos0), np.zeros(model.nv)

    def first() -> Array:
        return derive(robot).forward_dynamics(q, v, v)

    return processor_seconds(first, 3)
