"""Whether any pose at all brings a robot's centre of mass onto its support line.

A local search from many starts inside the joint limits, contacts ignored. What it finds
is reachable; what it does not find is very likely out of reach, which is no proof.
"""

from typing import NamedTuple

import mujoco
import numpy as np
from scipy.optimize import minimize

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.robots.robot import Robot

__all__ = ["Reach", "best_distance"]

GOOD_ENOUGH = 1e-5
"""Distance at which the search stops: far below anything that is asked [m]."""
SCALE = 100.0  # the goal is squared centimetres, so that L-BFGS-B's tolerances bite


class Reach(NamedTuple):
    """The best pose of a search."""

    distance: float
    """Of the centre of mass from the line [m]."""
    q: Array
    """The pose in MuJoCo's ``qpos`` layout."""
    tried: int
    """Starts used, the first pose included."""


def best_distance(
    robot: Robot,
    starts: int = 40,
    rng: np.random.Generator | None = None,
    line_xy: tuple[float, float] = (0.0, 0.0),
) -> Reach:
    """Return the smallest distance of the centre of mass from a vertical line.

    Over poses within the joint limits, ignoring contacts, height and torques; the base
    stays where it is. L-BFGS-B [Byrd1995] with the exact Jacobian, from the robot's
    start pose first and then from poses drawn uniformly; it ends early at 0.01 mm.

    Args:
        robot: any robot with hinges or slides.
        starts: how many starts at most, >= 1.
        rng: draws the poses; None only with ``starts`` = 1.
        line_xy: where the line stands [m].

    Raises:
        ConfigError: no starts, or no generator for them.
    """
    if starts < 1 or (starts > 1 and rng is None):
        problem = f"starts must be >= 1, with a generator if > 1, got {starts!r}"
        raise ConfigError("best_distance", [problem])
    search = ReachSearch(robot, np.array(line_xy))
    x = search.first
    best, tried = Reach(np.inf, search.data.qpos.copy(), 0), 0
    while tried < starts and best.distance > GOOD_ENOUGH:
        tried += 1
        if tried > 1 and rng is not None:
            x = rng.uniform(search.lower, search.upper)
        found = minimize(
            search.value,
            x,
            jac=True,
            method="L-BFGS-B",
            bounds=list(zip(search.lower, search.upper, strict=True)),
            options={"maxiter": 500, "ftol": 1e-14, "gtol": 1e-10},
        )
        distance = float(np.sqrt(found.fun)) / SCALE
        if distance < best.distance:
            search.value(found.x)
            best = Reach(distance, search.data.qpos.copy(), tried)
    return best._replace(tried=tried)


class ReachSearch:
    """The squared distance and its gradient over the joints that can move."""

    def __init__(self, robot: Robot, line_xy: Array) -> None:
        model = robot.model
        self.model, self.data = model, mujoco.MjData(model)
        key = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, "start")
        if key >= 0:
            mujoco.mj_resetDataKeyframe(model, self.data, key)
        kinds = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
        joints = np.flatnonzero(np.isin(model.jnt_type, kinds))
        self.q_at, self.v_at = model.jnt_qposadr[joints], model.jnt_dofadr[joints]
        limited = np.asarray(model.jnt_limited, bool)[joints]
        spans = np.asarray(model.jnt_range)[joints]
        self.lower = np.where(limited, spans[:, 0], -np.pi)
        self.upper = np.where(limited, spans[:, 1], np.pi)
        self.first = np.clip(self.data.qpos[self.q_at], self.lower, self.upper)
        self.line_xy, self.jacobian = line_xy, np.zeros((3, model.nv))

    def value(self, x: Array) -> tuple[float, Array]:
        """Return the squared distance [cm²] and its gradient."""
        self.data.qpos[self.q_at] = x
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_jacSubtreeCom(self.model, self.data, self.jacobian, 0)
        away = SCALE * (self.data.subtree_com[0, :2] - self.line_xy)
        columns = SCALE * self.jacobian[:2][:, self.v_at]
        return float(away @ away), 2.0 * columns.T @ away
