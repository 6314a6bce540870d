"""Mass properties of a whole robot: told by its modules, and checked by the engine.

A robot made of modules is asked the distributed way: each module learns the whole from
its neighbours' messages, and the module on the ground says what it has learned. A robot
from a URDF or MJCF file has no modules; its bodies are summed from the leaves to the
root instead, without messages.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import mujoco
import numpy as np

from equipoise.control.com.mass.learn import learn_mass
from equipoise.core.arrays import Array
from equipoise.core.files import write_json
from equipoise.core.kinds import Verdict
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import robot_bodies
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.runs.robot import RobotChoice, find_robot
from equipoise.spatial.mass.mass import MassProperties
from equipoise.spatial.mass.tree import tree_mass

__all__ = ["MassResult", "engine_mass", "mass_properties", "robot_mass"]

ROUNDING = 1e-9  # of sums over 2000 modules, relative, with room


@final
@dataclass(frozen=True, repr=False)
class MassResult(AbstractResult):
    """Mass properties of a robot in the world, and how they were learnt."""

    robot: Robot = field(repr=False)
    whole_W: MassProperties
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""

    @property
    def verdict(self) -> Verdict:
        """Whether what was learned is what the engine says, but for rounding."""
        return yes_or_no(self.summary["max_error_vs_engine"] < ROUNDING)

    def save(self, out: str | Path) -> list[Path]:
        """Write ``mass.json`` into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: the file cannot be written.
        """
        return [write_json(Path(out), "mass.json", self.summary)]


def robot_mass(choice: RobotChoice) -> MassResult:
    """Return the mass properties of the robot that was chosen.

    Raises:
        EquipoiseError: a robot that cannot be used.
    """
    return mass_properties(find_robot(choice), choice.seed)


def mass_properties(robot: Robot, seed: int = 0) -> MassResult:
    """Return a robot's mass properties at its start pose, seen from the world.

    Args:
        robot: any robot.
        seed: repeated in the summary.
    """
    engine = engine_mass(robot)  # first: it soon refuses a robot that is too long
    rounds = messages = diameter = None
    if robot.assembly is None:
        whole = _summed_bodies(robot)
        error = _largest_error([whole], engine)
    else:
        learned = learn_mass(robot.assembly)
        whole = learned.whole_W[robot.assembly.ground.module]
        error = _largest_error(learned.whole_W, engine)
        rounds, messages = learned.rounds, learned.messages
        diameter = learned.diameter
    summary = {
        "robot": robot.name,
        "seed": seed,
        "modules": len(robot.modules),
        "mass": float(whole.mass),
        "com": whole.com.tolist(),
        "inertia": whole.inertia.tolist(),
        "rounds": rounds,
        "messages": messages,
        "max_error_vs_engine": error,
        "diameter": diameter,
        "extents": whole.extents().tolist(),
        "left_out": list(robot.others),
    }
    return MassResult(robot, whole, summary)


def _started(robot: Robot) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return the robot in its start pose."""
    model = robot.model
    data = mujoco.MjData(model)
    key = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_KEY, "start")
    if key >= 0:
        mujoco.mj_resetDataKeyframe(model, data, key)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return model, data


def _summed_bodies(robot: Robot) -> MassProperties:
    """Return the whole robot by one pass over its bodies, seen from the world."""
    model, data = _started(robot)
    R_WB = data.xmat.reshape(-1, 3, 3)
    mine = robot_bodies(model, robot.base)
    parent = np.asarray(model.body_parentid, np.int64).copy()
    R_WP, p_WP = R_WB[parent], data.xpos[parent]
    R_PW = R_WP.swapaxes(1, 2)
    R_PC = R_PW @ R_WB
    p_PC = (R_PW @ (data.xpos - p_WP)[:, :, None])[:, :, 0]
    parent[0] = -1
    none = MassProperties.zero()  # what stands still beside the robot is not its own
    bodies = [_body_mass(model, b) if mine[b] else none for b in range(model.nbody)]
    own = np.array([body.to_vector() for body in bodies])
    return MassProperties.from_vector(tree_mass(parent, R_PC, p_PC, own).subtree[0])


def _body_mass(model: mujoco.MjModel, body: int) -> MassProperties:
    """Return one body in its own frame."""
    if model.body_mass[body] == 0.0:
        return MassProperties.zero()
    R, quat = np.empty(9), model.body_iquat[body]
    mujoco.mju_quat2Mat(R, quat)
    axes = R.reshape(3, 3)
    inertia = axes @ np.diag(model.body_inertia[body]) @ axes.T
    return MassProperties(
        float(model.body_mass[body]), model.body_ipos[body], 0.5 * (inertia + inertia.T)
    )


def engine_mass(robot: Robot) -> tuple[float, Array, Array]:
    """Return mass, centre and inertia about it from the engine's own numbers."""
    model, data = _started(robot)
    masses = np.where(robot_bodies(model, robot.base), model.body_mass, 0.0)
    p_WC = masses @ data.xipos / masses.sum()
    R = data.ximat.reshape(-1, 3, 3)
    arms = data.xipos - p_WC
    turning = np.where(masses[:, None] > 0.0, model.body_inertia, 0.0)
    own = R @ (turning[:, :, None] * R.swapaxes(1, 2))
    squares = np.einsum("bi,bi->b", arms, arms)[:, None, None] * np.eye(3)
    steiner = squares - arms[:, :, None] * arms[:, None, :]
    inertia = (own + masses[:, None, None] * steiner).sum(axis=0)
    return float(masses.sum()), p_WC, inertia


def _largest_error(estimates: Any, engine: tuple[float, Array, Array]) -> float:
    """Return how far estimates are from the engine, relative, over all of them.

    The centre is measured in radii of gyration, so that a centre at zero is no problem.
    """
    mass, p_WC, inertia = engine
    size = np.sqrt(np.trace(inertia) / (2.0 * mass))
    scale = np.abs(inertia).max()
    worst = 0.0
    for estimate in estimates:
        off = (
            abs(float(estimate.mass) - mass) / mass,
            float(np.abs(estimate.com - p_WC).max()) / size,
            float(np.abs(estimate.inertia - inertia).max()) / scale,
        )
        worst = max(worst, *off)
    return worst
