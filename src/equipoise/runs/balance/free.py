"""A robot made of modules whose root is not bolted down, and a hand that lets it go.

The paper's root is part of the ground [Moll2006] section V. Here it stands on the
ground by its own contacts: its lowest face, friction, nothing else. It starts far off
balance, so a hand holds the root until the centre of mass is over the face, and then
lets go for good.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import final

import mujoco
import numpy as np

from equipoise.control.com.goal import ComGoal, distance_to
from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.robot import Robot
from equipoise.runs.balance.config import SteerConfig
from equipoise.sim.world import World

__all__ = [
    "BALANCED_W",
    "Hand",
    "foot_margin",
    "freed",
    "root_support",
    "steady_gains",
]

BALANCED_W = 0.1
"""Distance below which a robot is balanced [module widths]."""
HAND = "hand"
HELD_FOR = 0.5
"""Time for which it must be balanced before the hand lets go [s]."""
STEADY: Mapping[str, Mapping[str, float]] = {"upright": {"pace": 20.0}}
"""Gains by law, in place of those of a bolted root: at its pace of 150/s the face
begins to rock seconds after the hand let go, 5 of the trees of seeds 0 to 19 fall."""
GRIP = (0.002, 1.0)  # time and damping ratio of the grip: two time steps, critical
FIRM = (0.99, 0.999, 0.001, 0.5, 2.0)


def steady_gains(config: SteerConfig) -> dict[str, float]:
    """Return the gains that a free root needs, by the names of its law.

    Args:
        config: how the robot is steered.
    """
    return dict(STEADY.get(config.controller, {})) if config.free else {}


def root_support(assembly: Assembly) -> str:
    """Return how a robot's root is on the ground: "bolted" or "free".

    Args:
        assembly: of the robot.
    """
    return "bolted" if assembly.ground.mount == "fixed" else "free"


def freed(robot: Robot, assembly: Assembly) -> Robot:
    """Return a robot whose root stands on its face, with a hand that can hold it.

    The hand is an inactive weld of the specification: who simulates the robot without
    a ``Hand`` never feels it.

    Args:
        robot: made of modules.
        assembly: of it.

    Raises:
        ConfigError: a robot that stands on several feet.
    """
    ground = assembly.ground
    if ground.mount == "feet":
        problem = (
            "free is for a root that is bolted to the ground; this robot "
            "stands on its feet"
        )
        raise ConfigError(f"robot '{robot.name}'", [problem])
    found = robot_from_assembly(replace(assembly, ground=replace(ground, mount="free")))
    found.spec.add_equality(
        name=HAND,
        type=mujoco.mjtEq.mjEQ_WELD,
        objtype=mujoco.mjtObj.mjOBJ_BODY,
        name1=found.base,
        active=False,
        solref=list(GRIP),
        solimp=list(FIRM),
    )
    return found


@final
class Hand:
    """Holds a free root until the centre of mass is over its face, then lets it go.

    To be called before every time step, as ``sim.plant.Moves``.

    Args:
        world: of a robot that ``freed`` returned.
        goal: the line or point that the centre of mass is steered to.
        width: of a module [m].
    """

    def __init__(self, world: World, goal: ComGoal, width: float) -> None:
        self.world, self.goal = world, goal
        self.near = BALANCED_W * width
        self.grip = int(world.model.equality(HAND).id)
        self.since: float | None = None
        self.let_go: float | None = None
        """When it let go [s]; None as long as it holds."""

    def __call__(self, data: mujoco.MjData) -> None:
        """Hold on or let go."""
        if data.time == 0.0:  # a run may begin again
            self.since = self.let_go = None
            data.eq_active[self.grip] = 1
        if self.let_go is not None:
            return
        p_WC = data.subtree_com[self.world.root]
        if float(distance_to(self.goal, p_WC[None])[0]) >= self.near:
            self.since = None
            return
        self.since = float(data.time) if self.since is None else self.since
        if data.time - self.since >= HELD_FOR:
            self.let_go = float(data.time)
            data.eq_active[self.grip] = 0


def foot_margin(world: World, qpos: Array, p_WC: Array) -> VecN:
    """Return how far the centre of mass is inside the face it stands on, (nt,) [m].

    In the face's own plane, to the nearest edge; negative outside.

    Args:
        world: of a robot that stands on one face.
        qpos: its poses, the free root first, (nt, nq).
        p_WC: centres of mass, (nt, 3).
    """
    model = world.model
    foot, base = int(world.feet[0]), world.base
    start = int(model.jnt_qposadr[model.body_jntadr[base]])
    half = np.asarray(model.geom_size[foot][:2])
    R_BF = np.empty(9)
    mujoco.mju_quat2Mat(R_BF, model.geom_quat[foot])
    margins, R_WB = np.empty(len(qpos)), np.empty(9)
    for k, pose in enumerate(qpos[:, start : start + 7]):
        mujoco.mju_quat2Mat(R_WB, pose[3:])
        R = R_WB.reshape(3, 3)
        p_FC_W = p_WC[k] - pose[:3] - R @ model.geom_pos[foot]
        aside = (R @ R_BF.reshape(3, 3)).T @ p_FC_W
        margins[k] = float((half - np.abs(aside[:2])).min())
    return margins
