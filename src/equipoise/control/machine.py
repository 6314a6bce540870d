"""The machine as its walking controller knows it: legs, mass, drives, size."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.errors import ConfigError
from equipoise.robots.drives import Drive
from equipoise.robots.legs import (
    LegGeometry,
    foot_jacobians,
    leg_geometry,
    place_foot,
)
from equipoise.robots.robot import Robot
from equipoise.robots.senses import FOOT_SENSES, WARP1_SENSES
from equipoise.robots.size import Scale

__all__ = ["LeggedMachine", "foot_mobility", "legged_machine", "stance_radius"]

ALONG_SHANKS = frozenset(("load", "pad"))
"""Sensors that only legs of WARP1's kind have."""


@final
@dataclass(frozen=True, eq=False)
class LeggedMachine:
    """Machine as all parts of a walking controller may know it."""

    name: str
    geometry: LegGeometry
    drives: tuple[Drive, ...]
    """In actuator order, leg by leg, (nu,)."""
    height: float
    """Of the hips over the foot points, as it walks [m]."""
    mass: float
    """With its payload [kg]."""
    inertia: Array
    """Of each leg as it stands, its drives' rotors in it, (nl, nj, nj) [kg m²]."""
    turning: Array
    """Inertia of the whole machine about its centre of mass as it stands, in B, (3, 3)
    [kg m²]."""
    senses: frozenset[str] = WARP1_SENSES
    """Names of its sensors, from ``robots.senses.SENSES``."""
    lost: tuple[int, ...] = ()
    """Places of legs that are no longer there, front to rear, left before right."""
    period: float = 0.002
    """Control period of the computer that moves its legs [s]."""

    @cached_property
    def places(self) -> Ints:
        """Place of each leg among the original ones, (nl,)."""
        whole = self.legs + len(self.lost)
        return np.array([k for k in range(whole) if k not in self.lost])

    @property
    def feels_feet(self) -> bool:
        """Whether its feet measure their loads; otherwise torques are used."""
        return not self.senses.isdisjoint(("load", "force"))

    @cached_property
    def has_foot_sensors(self) -> bool:
        """Whether there are sensors in its feet beside load cells and pads."""
        return not self.senses.isdisjoint(FOOT_SENSES)

    @property
    def legs(self) -> int:
        """Number of legs."""
        return len(self.geometry.legs)

    @property
    def joints(self) -> int:
        """Number of joints of each leg."""
        return len(self.drives) // self.legs

    @property
    def side(self) -> VecN:
        """1 for legs on the left, -1 on the right, (nl,)."""
        return np.sign(self.geometry.hips[:, 1])

    @property
    def is_scaled(self) -> bool:
        """Whether it walks with WARP1's settings, scaled to its size."""
        return not self.geometry.is_closed

    @property
    def half_width(self) -> float:
        """Mean distance of the hips from the middle [m]."""
        return float(np.abs(self.geometry.hips[:, 1]).mean())

    @cached_property
    def is_backdrivable(self) -> bool:
        """Whether feet are light enough, vertically, to follow force commands."""
        light = 1.0 / foot_mobility(self)[:, 2, 2].clip(1e-12)
        return bool(light.max() < self.mass / (2.0 * self.legs))

    @property
    def scale(self) -> Scale:
        """Size of the machine."""
        return Scale(self.mass, self.height)

    def at_height(self, height: float) -> "LeggedMachine":
        """Return the same machine with its hips at another height as it walks.

        Args:
            height: of the hips over the foot points [m].

        Raises:
            ConfigError: a height that the legs do not have.
        """
        if problems := _height_problems(self.geometry, height):
            raise ConfigError(f"robot '{self.name}'", problems)
        return replace(self, height=height)


def legged_machine(robot: Robot, *, height: float | None = None) -> LeggedMachine:
    """Return the machine that a robot is.

    Args:
        robot: with legs, balls for feet, and drives.
        height: of the hips over the foot points, as it walks; None for 0.5, of legs
            without closed forms as high as they stand [m].

    Raises:
        ConfigError: legs of another kind, joints without drives, or a height that the
            legs do not have.
    """
    geometry = leg_geometry(robot)
    if height is None:
        height = 0.5 if geometry.is_closed else _stand_height(geometry)
    problems = _height_problems(geometry, height)
    joints = len(geometry.lower)
    if len(robot.drives) != joints:
        wanted = f"{joints} joints need as many drives, got {len(robot.drives)}"
        problems.insert(0, wanted)
    if problems:
        raise ConfigError(f"robot '{robot.name}'", problems)
    return LeggedMachine(
        robot.name,
        geometry,
        robot.drives,
        height,
        geometry.mass,
        _leg_inertia(robot, robot.drives, len(geometry.legs)),
        _whole_inertia(robot),
        senses=robot.senses if geometry.is_closed else robot.senses - ALONG_SHANKS,
        lost=robot.lost,
        period=robot.period,
    )


def _height_problems(geometry: LegGeometry, height: float) -> list[str]:
    """Return what is wrong with a height of the hips over the foot points."""
    reach = float(geometry.lengths.sum(axis=1).min())
    if not geometry.is_closed or 0.5 * reach <= height < reach:
        return []
    limits = f"{0.5 * reach:.2f} m to less than {reach:.2f} m"
    return [f"height must be {limits}, got {height!r}"]


def _stand_height(geometry: LegGeometry) -> float:
    """Return how high the hips of chains are over their feet as they stand [m]."""
    foot = np.zeros(3)
    nj = geometry.joints
    place_foot(
        geometry.legs[0], geometry.stand[:nj], np.zeros(nj), foot, np.zeros((3, nj)),
        np.zeros(3),
    )  # fmt: skip
    return -float(foot[2])


def stance_radius(machine: LeggedMachine) -> float:
    """Return how far feet are from the trunk's middle as it stands, from above [m].

    Args:
        machine: whose feet they are.
    """
    g, nj, foot = machine.geometry, machine.joints, np.zeros(3)
    if g.is_closed:  # it stands on feet under its hips
        return float(np.hypot(g.hips[:, 0], g.hips[:, 1]).max())
    far: list[float] = []
    for one in range(machine.legs):
        stand = g.stand[one * nj : (one + 1) * nj]
        place_foot(
            g.legs[one], stand, np.zeros(nj), foot, np.zeros((3, nj)), np.zeros(3)
        )
        far.append(float(np.hypot(*(g.hips[one] + foot)[:2])))
    return max(far)


def _leg_inertia(robot: Robot, drives: tuple[Drive, ...], legs: int) -> Array:
    """Return each leg's own M as it stands, its drives' rotors in it, (nl, nj, nj).

    Args:
        robot: the machine.
        drives: of its joints, (nu,).
        legs: how many it has.
    """
    model, data = robot.model, mujoco.MjData(robot.model)
    keys = [key for key in robot.spec.keys if key.name == "start"]
    data.qpos[:] = keys[0].qpos if keys else model.qpos0
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    driven = model.jnt_dofadr[model.actuator_trnid[:, 0]]
    inertia = full[np.ix_(driven, driven)]
    inertia += np.diag([drive.inertia for drive in drives])
    nj = len(drives) // legs
    blocks = [slice(nj * leg, nj * (leg + 1)) for leg in range(legs)]
    return np.array([inertia[own, own] for own in blocks])


def _whole_inertia(robot: Robot) -> Array:
    """Return the machine's inertia about its centre of mass as it stands, (3, 3).

    Args:
        robot: the machine, its trunk on a free joint.
    """
    model, data = robot.model, mujoco.MjData(robot.model)
    keys = [key for key in robot.spec.keys if key.name == "start"]
    data.qpos[:] = keys[0].qpos if keys else model.qpos0
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    trunk = model.body(robot.base).id
    R = data.xmat[trunk].reshape(3, 3)
    c = R.T @ (data.subtree_com[trunk] - data.xpos[trunk])
    mass = float(model.body_subtreemass[trunk])
    return full[3:6, 3:6] - mass * (c @ c * np.eye(3) - np.outer(c, c))


def foot_mobility(machine: LeggedMachine) -> Array:
    """Return how a force on a foot accelerates it, in B, (nl, 3, 3) [1/kg].

    That is J M⁻¹ Jᵀ with the trunk held, in the pose in which the machine stands.

    Args:
        machine: whose feet they are.
    """
    geometry, nj = machine.geometry, machine.joints
    stand = geometry.stand.reshape(machine.legs, 1, nj)
    out = np.zeros((machine.legs, 3, 3))
    for leg, inertia in enumerate(machine.inertia):
        J = foot_jacobians(geometry, leg, stand[leg])[0]
        out[leg] = J @ np.linalg.solve(inertia, J.T)
    return out
