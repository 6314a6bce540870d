"""A robot pinned by its feet in MuJoCo: its own constraints, its own time stepping.

Only the law's torque is written here, from MuJoCo's Jacobians; equilibrium and
linearisation are MuJoCo's.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import mujoco
import numpy as np

from equipoise.robots.warp1 import warp1 as numbers
from equipoise.robots.warp1.warp1 import LEGS, warp1

__all__ = ["narrow_warp1", "pinned", "step_rates", "torque_law"]

STEP = 5e-4  # [s]


def narrow_warp1(half_width: float, height: float) -> tuple[mujoco.MjSpec, np.ndarray]:
    """Return WARP1 with hips, and feet under them, at a half-width, and its pose.

    The trunk's centre of mass is at a height over the feet's middles.
    """
    spec = warp1().spec.copy()
    for leg in LEGS:
        thigh = spec.body(f"{leg}_thigh")
        x, y, z = thigh.pos
        thigh.pos = [x, math.copysign(half_width, y), z]
    reach = height + numbers.HIP[2]
    a, b = numbers.THIGH, numbers.SHANK
    knee = -math.acos((reach**2 - a**2 - b**2) / (2 * a * b))
    pitch = -math.atan2(b * math.sin(knee), a + b * math.cos(knee))
    return spec, np.array([0, 0, height, 1, 0, 0, 0] + [0, pitch, knee] * 4)


def pinned(spec: mujoco.MjSpec, qpos: np.ndarray) -> mujoco.MjModel:
    """Return the model, nothing colliding, every foot tied to where it is in a pose."""
    spec = spec.copy()
    spec.option.timestep = STEP
    spec.option.tolerance, spec.option.iterations = 1e-14, 200
    for geom in spec.geoms:
        geom.contype = geom.conaffinity = 0
    plain = spec.compile()
    data = mujoco.MjData(plain)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(plain, data)
    for leg in LEGS:
        tie = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT)
        tie.objtype = mujoco.mjtObj.mjOBJ_BODY
        tie.name1, tie.name2 = f"{leg}_shank", "world"
        tie.data[:3] = [0.0, 0.0, -numbers.SHANK]
        tie.solref = [4 * STEP, 1.0]
        tie.solimp = [0.9999, 0.9999, 0.001, 0.5, 2.0]  # 1e4 times stiffer than solref
    model = spec.compile()
    # A tie is where the feet meet in the reference pose: tell it the pose's places.
    for index, leg in enumerate(LEGS):
        foot = data.geom(f"{leg}_foot").xpos
        model.eq_data[index, :3] = [0.0, 0.0, -numbers.SHANK]
        model.eq_data[index, 3:6] = foot
    return model


@contextmanager
def torque_law(
    model: mujoco.MjModel, rest: np.ndarray, stiffness: np.ndarray, damping: np.ndarray
) -> Iterator[None]:
    """Let MuJoCo apply tau = J^T {K (r_ref - r) - D r'} to every leg's joints.

    rest is (n, 3), from the trunk's origin in its frame; K and D (3,).
    """
    feet = [model.geom(f"{leg}_foot").id for leg in LEGS]
    trunk = model.body("trunk").id
    J = np.zeros((3, model.nv))

    def apply(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        R = data.xmat[trunk].reshape(3, 3)
        data.qfrc_applied[:] = 0.0
        for index, geom in enumerate(feet):
            mujoco.mj_jacGeom(model, data, J, None, geom)
            own = R.T @ J
            own[:, :6] = 0.0
            r = R.T @ (data.geom_xpos[geom] - data.xpos[trunk])
            force = stiffness * (rest[index] - r) - damping * (own @ data.qvel)
            data.qfrc_applied += own.T @ force

    mujoco.set_mjcb_control(apply)
    try:
        yield
    finally:
        mujoco.set_mjcb_control(None)


def step_rates(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Return log(eigenvalue) / dt of MuJoCo's own step, linearised, (2 nv,) [1/s]."""
    n = 2 * model.nv
    A = np.zeros((n, n))
    mujoco.mjd_transitionFD(model, data, 1e-6, True, A, None, None, None)
    values = np.linalg.eigvals(A).astype(complex)
    return np.log(np.where(np.abs(values) > 1e-12, values, 1e-12)) / STEP
