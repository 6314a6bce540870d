"""MuJoCo's shortest way to accelerations, in a loop without Python.

Kinematics, centres of mass, composite inertias, their factors, velocities about the
centres of mass, the recursion of Newton and Euler, solve: what ``mj_forward`` does less
contacts, constraints, sensors and actuators. Poses of geoms, sites and inertial frames
are still computed on the way; nothing can leave them out.
"""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numba
import numpy as np

from equipoise.core.arrays import Array
from equipoise_lab.bench.clock import Runner

__all__ = ["NAME", "runner"]

NAME = "MuJoCo, shortest way"

STAGES = ("mj_kinematics", "mj_comPos", "mj_crb", "mj_factorM", "mj_comVel")


def _engine() -> Any:
    """Return MuJoCo's library as it lies in the wheel."""
    files = sorted(Path(mujoco.__file__).parent.glob("*mujoco.*"))
    names = [f for f in files if ".so" in f.name or f.suffix == ".dylib"]
    return ctypes.CDLL(str(names[0]))


@cache
def _loop() -> Any:
    """Return a compiled loop over states.

    It takes how many times, the addresses of model and data, the data's own q and v,
    then poses, rates, forces and results, a row a state.
    """
    library, pointer = _engine(), ctypes.c_void_p
    two = ctypes.CFUNCTYPE(None, pointer, pointer)
    kinematics, com, crb, factor, speeds = (two((s, library)) for s in STAGES)
    four = ctypes.CFUNCTYPE(None, pointer, pointer, ctypes.c_int, pointer)
    rne = four(("mj_rne", library))
    five = ctypes.CFUNCTYPE(None, *[pointer] * 4, ctypes.c_int)
    solve = five(("mj_solveM", library))

    @numba.njit
    def run(times, m, d, q, v, poses, rates, forces, results):
        left = np.zeros(v.shape[0])
        for _ in range(times):
            for i in range(poses.shape[0]):
                q[:] = poses[i]
                v[:] = rates[i]
                kinematics(m, d)
                com(m, d)
                crb(m, d)
                factor(m, d)
                speeds(m, d)
                rne(m, d, 0, left.ctypes.data)
                for k in range(left.shape[0]):
                    left[k] = forces[i, k] - left[k]
                solve(m, d, results[i].ctypes.data, left.ctypes.data, 1)

    return run


def runner(
    model: mujoco.MjModel, poses: Array, rates: Array, forces: Array
) -> tuple[Runner, Array]:
    """Return what runs over states, and the accelerations it writes, (states, nv).

    Args:
        model: of the robot.
        poses: (states, nq), in MuJoCo's layout.
        rates: (states, nv).
        forces: along the speeds, (states, nv).
    """
    data = mujoco.MjData(model)
    run = _loop()
    found = np.zeros_like(rates)
    given = (poses, rates, forces)

    def several(times: int) -> None:
        run(times, model._address, data._address, data.qpos, data.qvel, *given, found)

    several(1)
    return Runner(NAME, several, len(poses)), found
