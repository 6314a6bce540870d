"""Walk: a machine on legs is told a velocity and shall keep it.

It stands for a second, as in the job, and is then told to walk. The merit of an instant
is exp(-4 |v - v*|² / (v*² + 0.01 g h)), v the trunk's level velocity in its own axes,
v* the commanded one and h the height of its hips: 1 where both agree, about 0.03 for
one that stands still. It does well when it went half the commanded way at least.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, final

import numpy as np

from equipoise.control.gaits.margin_kernel import static_at
from equipoise.core.arrays import Array, VecN
from equipoise.core.constants import GRAVITY
from equipoise.robots.robot import Robot
from equipoise.runs.gym.arena import AbstractArena, ArenaConfig, ObservedSignal
from equipoise.runs.gym.servo import ActionKind, Servo, servo_of
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.goals import START
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.staged import stage_of
from equipoise.sim.staged import StagedRun

__all__ = ["WalkArena"]

SHARP, LEAST = 4.0, 0.01
ENOUGH = 0.5  # of the commanded way


@final
class WalkArena(AbstractArena):
    """A machine on legs that shall walk.

    Args:
        robot: with legs.
        config: how it is moved.
        walk: the job; its seed does not count.
    """

    kinds: ClassVar[tuple[ActionKind, ...]] = ("position", "torque")
    options: ClassVar[tuple[str, ...]] = (
        "job_seed", "speed", "left", "turn", "push", "push_heading", "push_at",
        "friction", "terrain",
    )  # fmt: skip

    def __init__(self, robot: Robot, config: ArenaConfig, walk: WalkConfig) -> None:
        self.own, self.walk = robot, walk
        self.usual = resolved_walk(robot, walk)
        self.resolved = self.usual
        self.went, self.shall = np.zeros(2), np.zeros(2)
        super().__init__(config)

    def stage(self, seed: int, options: Mapping[str, Any]) -> StagedRun:
        """Return the job of an episode: a walk with that seed."""
        self.resolved = self.usual.with_seed(seed)
        if options:
            job = replace(self.walk, seed=seed, **options)
            self.resolved = resolved_walk(self.own, job)
        self.went, self.shall = np.zeros(2), np.zeros(2)
        return stage_of(self.resolved).staged

    def prepare(self, staged: StagedRun) -> tuple[Servo, VecN]:
        """Return a servo about the machine's stand, and its drives' torques."""
        drives = self.resolved.machine.drives
        limit = np.array([drive.torque for drive in drives])
        model, config = staged.world.model, self.config
        stand = model.key("start").qpos[staged.world.q_address]
        servo = servo_of(
            staged.world,
            config.action,
            rest=stand,
            limit=limit,
            speed=np.array([drive.speed for drive in drives]),
            period=float(staged.plant.period or model.opt.timestep),
            stiffness=config.stiffness,
            damping=config.damping,
        )
        joints, feet = model.nu, len(staged.world.feet)
        self.signals = walking_signals(joints, feet)
        self.mass = self.resolved.machine.mass
        self.radius = self.resolved.machine.geometry.foot_radius
        return servo, limit

    @property
    def commanded_velocity(self) -> VecN:
        """Forward, left [m/s] and turn [rad/s] as commanded now, (3,)."""
        if self.stepper.time < START:
            return np.zeros(3)
        walk = self.resolved
        return np.array([walk.forward, walk.aside, walk.turn])

    @property
    def velocity(self) -> VecN:
        """Velocity of the trunk in its level axes, forward, left, up, (3,) [m/s]."""
        data = self.stepper.data
        R_WB = data.xmat[self.stepper.world.base].reshape(3, 3)
        yaw = math.atan2(R_WB[1, 0], R_WB[0, 0])
        c, s, (x, y, z) = math.cos(yaw), math.sin(yaw), data.qvel[:3]
        return np.array([c * x + s * y, c * y - s * x, z])

    def observed(self) -> tuple[Array, ...]:
        """Return command, attitude, velocities, joints, feet and the last action."""
        data, world, servo = self.stepper.data, self.stepper.world, self.servo
        R_WB = data.xmat[world.base].reshape(3, 3)
        loads = self.loads() / (self.mass * GRAVITY)
        return (
            self.commanded_velocity,
            R_WB[2],
            self.velocity,
            data.qvel[3:6],
            data.qpos[world.q_address] - servo.rest,
            data.qvel[world.v_address],
            loads,
            self.asked,
        )

    def loads(self) -> VecN:
        """Return what presses each foot, along the ground's normal, (nl,) [N]."""
        plant: Any = self.stepper.plant
        return np.array(plant.contacts.feet["normal"])

    def merit(self) -> float:
        """Return how well trunk and command agree, 0 to 1."""
        wanted, has = self.commanded_velocity[:2], self.velocity[:2]
        self.went += self.period * has
        self.shall += self.period * wanted
        off, size = has - wanted, float(wanted @ wanted)
        size += LEAST * GRAVITY * self.resolved.machine.height
        return math.exp(-SHARP * float(off @ off) / size)

    def margin(self) -> float:
        """Return how far the centre of mass is inside the feet that carry [m]."""
        world, data = self.stepper.world, self.stepper.data
        carries = self.loads() > 0.0
        feet = data.geom_xpos[world.feet[carries]][:, :2]
        centre = data.subtree_com[world.root][:2]
        return static_at(np.ascontiguousarray(feet - centre), len(feet))

    def is_well(self) -> bool:
        """Return whether it went half the commanded way."""
        return bool(self.went @ self.shall >= ENOUGH * self.shall @ self.shall)

    def about(self) -> dict[str, Any]:
        """Return commanded and present velocity."""
        return {
            "command": self.commanded_velocity.tolist(),
            "velocity": self.velocity.tolist(),
        }


def walking_signals(joints: int, feet: int) -> tuple[ObservedSignal, ...]:
    """Return what is observed of a walking machine.

    Args:
        joints: how many.
        feet: how many.
    """
    return (
        ObservedSignal("command", "forward, left; turn", "m/s; rad/s", 3, -10.0, 10.0),
        ObservedSignal("up", "the world's up in the trunk's axes", "1", 3, -1.0, 1.0),
        ObservedSignal(
            "velocity", "of the trunk: ahead, left, up", "m/s", 3, -50.0, 50.0
        ),
        ObservedSignal(
            "rate", "of turn, in the trunk's axes", "rad/s", 3, -100.0, 100.0
        ),
        ObservedSignal("joints", "from the stand", "rad", joints, -10.0, 10.0),
        ObservedSignal("speeds", "of the joints", "rad/s", joints, -200.0, 200.0),
        ObservedSignal("loads", "on the feet, over the weight", "1", feet, 0.0, 10.0),
        ObservedSignal("action", "the last one", "1", joints, -1.0, 1.0),
    )
