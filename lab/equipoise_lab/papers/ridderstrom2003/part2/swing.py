"""Legs in the air, section 5.4: WARP1 on a support, its feet led round ellipses.

Motors with their limits, sensors, buses. The thesis measures speeds, so the motors'
constant is taken from the row of table 5.2 that gives one, K = 48 V / 2.6 rad/s; the
row of torques gives 18.2, which is 1.4 % less.
"""

from dataclasses import replace
from typing import NamedTuple

import mujoco
import numpy as np

from equipoise.control.legs import (
    EllipseConfig,
    EllipseMotion,
    LegLawConfig,
    LegMotion,
    follow_controller,
)
from equipoise.control.records import LegAim
from equipoise.core.arrays import Array
from equipoise.robots.drives import Drive
from equipoise.robots.legs import leg_angles, leg_geometry
from equipoise.robots.warp1.warp1 import LIMB_DRIVE, warp1
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Run
from equipoise.sim.world import World
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED

__all__ = ["BY_SPEED", "BY_TORQUE", "Swing", "held_warp1", "swung"]

ABOVE = 2.0  # height of the trunk on its support [m]
PERIODS, FIRST = 5, 2  # simulated, and those of them until it is periodic
HEAVY = 1e7  # mass of a trunk that legs do not move [kg], and its inertia [kg m²]
FULL = 0.999  # of the voltage: saturated


BY_SPEED, BY_TORQUE = (
    PRINTED.volts / PRINTED.forward.speed,
    PRINTED.forward.torque / PRINTED.amperes,
)
"""K of hip flexion and knee by either row of table 5.2 [V s/rad, N m/A]."""


def _with_constant(drive: Drive, constant: float) -> Drive:
    """Return hip flexion's and the knee's drive with another K and the same torque."""
    if drive != LIMB_DRIVE:
        return drive
    return replace(
        drive, torque_constant=constant, current=PRINTED.forward.torque / constant
    )


def held_warp1(motion: LegMotion, constant: float) -> World:
    """Return WARP1 with its trunk held and its legs in the air, as a motion begins.

    Args:
        motion: of its legs.
        constant: K of hip flexion and knee [V s/rad].
    """
    robot = warp1()
    drives = tuple(_with_constant(d, constant) for d in robot.drives)
    robot = replace(robot, drives=drives)
    spec = robot.spec.copy()
    spec.option.timestep = 0.001
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    trunk = spec.body(robot.base)
    trunk.mass, trunk.inertia, trunk.gravcomp = HEAVY, [HEAVY] * 3, 1.0
    for motor, drive in zip(spec.actuators, robot.drives, strict=True):
        spec.joint(motor.target).armature = drive.inertia
    pose = np.asarray(robot.spec.keys[0].qpos).copy()
    legs, aim = leg_geometry(robot), LegAim.zeros(4, joints=3)
    motion.write(0.0, aim)
    places = np.ascontiguousarray(aim["place"])
    leg_angles(places, legs.lengths, legs.bend, pose[7:])
    pose[2] = ABOVE
    return World(robot, None, spec.compile(), spec, start_pose=pose)


class Swing(NamedTuple):
    """Front left leg round an ellipse, after it has become periodic."""

    time: Array
    """[s], (n,)."""
    foot: Array
    """Along and up, from the hip, (n, 2) [m]."""
    aim: Array
    """Where it should be, (n, 2) [m]."""
    volts: Array
    """Of hip flexion and knee, (n, 2) [V]."""
    speeds: Array
    """Of the same, (n, 2) [rad/s]."""

    @property
    def foot_speed(self) -> Array:
        """[m/s], (n,)."""
        return np.linalg.norm(np.gradient(self.foot, self.time, axis=0), axis=1)

    @property
    def below_hip(self) -> float:
        """Speed of the foot where it passes below the hip [m/s]."""
        x, z = self.foot.T
        return float(self.foot_speed[(np.abs(x) < 0.01) & (z < z.mean())].mean())

    @property
    def error(self) -> Array:
        """Of the foot, along and up, (n, 2) [m]."""
        return self.foot - self.aim

    @property
    def saturated(self) -> tuple[float, float]:
        """Share of the time at full voltage, of hip flexion and knee."""
        full = np.abs(self.volts) > FULL * PRINTED.volts
        return float(full[:, 0].mean()), float(full[:, 1].mean())

    @property
    def limit_speed(self) -> float:
        """Largest speed of the hip at full voltage, NaN if it never is [rad/s]."""
        full = np.abs(self.volts[:, 0]) > FULL * PRINTED.volts
        return float(np.abs(self.speeds[full, 0]).max()) if full.any() else np.nan


def swung(
    period: float,
    *,
    seed: int = 0,
    inertia_share: float = 1.0,
    constant: float = BY_SPEED,
) -> Swing:
    """Return the front left leg's motion round an ellipse.

    Args:
        period: of the ellipse [s].
        seed: of the sensors' noise.
        inertia_share: of the drives' inertia that is fed forward; 0 is law (5.1) as
            printed.
        constant: K of hip flexion and knee [V s/rad].
    """
    motion = EllipseMotion(EllipseConfig(period=period))
    world = held_warp1(motion, constant)
    law = LegLawConfig(inertia_share=inertia_share)
    controller = follow_controller(world.robot, motion, law)
    config = MachineConfig.real(seed)
    run = rollout(world, controller, PERIODS * period, plant=config)
    return _cut(run, round(FIRST * period / config.period), world)


def _cut(run: Run, first: int, world: World) -> Swing:
    """Return the front left leg of a run from a tick on."""
    when = slice(first, -1)
    hip = leg_geometry(world.robot).hips[0] + world.start().qpos[:3]
    return Swing(
        run.time[when],
        (run.foot_place[when, 0] - hip)[:, ::2],
        np.stack([run.said("aim_x"), run.said("aim_z")], axis=1)[when],
        run.volts[when, 1:3],
        run.v[when, 1:3],
    )
