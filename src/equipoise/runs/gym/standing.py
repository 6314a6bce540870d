"""Stand: a robot on feet is pushed now and then and shall stay up.

The merit of an instant is exp(-(d/0.1 h)² - (a/0.35)²), d the distance of the base's
centre of mass from where it shall be, h its height and a the angle of the base from how
it shall be [rad]. It does well when it is within 5 cm and 5 degrees and at rest, as the
job says.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, final

import mujoco
import numpy as np

from equipoise.control.gaits.margin_kernel import static_at
from equipoise.control.workspace.soles import keyframe_posture
from equipoise.core.arrays import Array, VecN
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.robots.robot import Robot
from equipoise.runs.gym.arena import AbstractArena, ArenaConfig, ObservedSignal
from equipoise.runs.gym.servo import ActionKind, Servo, servo_of
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.judge import set_place, trunk_centre
from equipoise.runs.stand.own_robot import footed, mass_of
from equipoise.runs.stand.staged import staged_stand
from equipoise.sim.disturbances import Push
from equipoise.sim.ideal import AT_LIMIT, command_limits
from equipoise.sim.staged import StagedRun

__all__ = ["StandArena"]

FAR, TURNED = 0.1, 0.35  # share of the height, and angle [rad], that cost much
NEAR, LEVEL = 0.05, math.radians(5.0)  # [m], [rad]
SLOW, STILL = 0.05, 0.1  # at rest [m/s], [rad/s]
EVERY, FIRST, LAST = 2.0, 0.5, 1.0  # a push in each two seconds, between these [s]
LASTS, RESTS = 0.1, 1.0  # a push, and the time that is left after the last one [s]
QUICK = 20.0  # of joints that have no limit [rad/s]


@final
class StandArena(AbstractArena):
    """A robot on feet that shall stay up.

    Args:
        robot: that can stand.
        config: how it is moved.
        stand: the job; its push does not count.
        push: least and largest impulse of a push, over the robot's mass [N s/kg].
    """

    kinds: ClassVar[tuple[ActionKind, ...]] = ("position", "torque")
    usual_rate: ClassVar[float] = 100.0  # at 50 light feet on stiff springs ring
    options: ClassVar[tuple[str, ...]] = ("job_seed", "push", "push_at", "friction")

    def __init__(
        self,
        robot: Robot,
        config: ArenaConfig,
        stand: StandConfig,
        push: tuple[float, float],
    ) -> None:
        self.own, self.stand, self.push = footed(robot).robot, stand, push
        self.mass = mass_of(self.own)
        self.aim, self.set = set_place(self.own)
        self.centre = trunk_centre(self.own)
        super().__init__(config)

    def stage(self, seed: int, options: Mapping[str, Any]) -> StagedRun:
        """Return the job of an episode: a stand with its pushes."""
        told = dict(options)
        own = told.pop("push", None)
        at = told.pop("push_at", None)
        job = replace(self.stand, seed=seed, push=None, **told)
        pushes = self.drawn(seed) if own is None else (_told_push(own, at),)
        staged = staged_stand(self.own, job)
        return replace(staged, pushes=pushes)

    def drawn(self, seed: int) -> tuple[Push, ...]:
        """Return the pushes of an episode, one in every two seconds."""
        if not self.push[1] > 0.0:
            return ()
        draws, pushes = stream(seed, "pushes"), list[Push]()
        count = math.floor((self.config.seconds - LAST - RESTS) / EVERY) + 1
        for k in range(count):
            size = self.mass * float(draws.uniform(*self.push))
            angle = float(draws.uniform(0.0, math.tau))
            start = EVERY * k + float(draws.uniform(FIRST, LAST))
            impulse = (size * math.cos(angle), size * math.sin(angle), 0.0)
            pushes.append(Push(impulse=impulse, start=start, duration=LASTS))
        return tuple(pushes)

    def prepare(self, staged: StagedRun) -> tuple[Servo, VecN]:
        """Return a servo about the set pose; motors without limit get the weight's."""
        world, config, model = staged.world, self.config, staged.world.model
        limit = AT_LIMIT * command_limits(model)
        weight = self.mass * GRAVITY * float(self.aim[2])
        usual = np.where(np.isfinite(limit), limit, weight)
        servo = servo_of(
            world,
            config.action,
            rest=keyframe_posture(world.robot)[world.q_address],
            limit=usual,
            speed=np.full(model.nu, QUICK),
            period=float(staged.plant.period or model.opt.timestep),
            stiffness=config.stiffness,
            damping=config.damping,
        )
        self.signals = _standing_signals(model.nu)
        self.feet = own_geoms(model, world.base)
        return servo, usual

    def errors(self) -> tuple[VecN, VecN]:
        """Return how far the base is off, (3,) [m], and its turn, (3,) [rad], in W."""
        data, base = self.stepper.data, self.stepper.world.base
        R_WB = data.xmat[base].reshape(3, 3)
        back, off, turn = np.empty(4), np.empty(4), np.empty(3)
        mujoco.mju_negQuat(back, self.set)
        mujoco.mju_mulQuat(off, data.xquat[base], back)
        mujoco.mju_quat2Vel(turn, off, 1.0)
        return data.xpos[base] + R_WB @ self.centre - self.aim, turn

    def rates(self) -> tuple[VecN, VecN]:
        """Return velocity, in W, and angular velocity of the base, (3,) each."""
        sensed = self.readings
        if sensed is None:
            return np.zeros(3), np.zeros(3)
        return sensed.V_WB[:3], sensed.V_WB[3:]

    def observed(self) -> tuple[Array, ...]:
        """Return the base's errors and rates, joints and the last action."""
        data, world = self.stepper.data, self.stepper.world
        return (
            *self.errors(),
            *self.rates(),
            data.qpos[world.q_address] - self.servo.rest,
            data.qvel[world.v_address],
            self.asked,
        )

    def merit(self) -> float:
        """Return how near it is to how it shall stand, 0 to 1."""
        off, turn = self.errors()
        far = float(off @ off) / (FAR * float(self.aim[2])) ** 2
        return math.exp(-far - float(turn @ turn) / TURNED**2)

    def margin(self) -> float:
        """Return how far the centre of mass is inside all that touches the ground."""
        data, world = self.stepper.data, self.stepper.world
        pairs = data.contact.geom
        touches = (self.feet[pairs].sum(axis=1) == 1) & (data.contact.dist <= 0.0)
        place = data.contact.pos[touches][:, :2] - data.subtree_com[world.root][:2]
        return static_at(np.ascontiguousarray(place), len(place))

    def is_well(self) -> bool:
        """Return whether it is at rest where it shall be."""
        (off, turn), (v, w) = self.errors(), self.rates()
        near = np.linalg.norm(off) < NEAR and np.linalg.norm(turn) < LEVEL
        return bool(near and np.linalg.norm(v) < SLOW and np.linalg.norm(w) < STILL)


def _told_push(impulse: Any, start: Any) -> Push:
    """Return the push that was told for an episode."""
    try:
        row = tuple(float(x) for x in impulse)
    except (TypeError, ValueError):
        problem = f"push must be three numbers in N s, got {impulse!r}"
        raise ConfigError("an episode", [problem]) from None
    return Push(
        impulse=row,  # pyright: ignore[reportArgumentType]
        start=FIRST if start is None else start,
        duration=LASTS,
    )


def own_geoms(model: mujoco.MjModel, base: int) -> Array:
    """Return which geoms are the robot's, (ngeom,)."""
    return np.asarray(model.body_rootid[model.geom_bodyid] == model.body_rootid[base])


def _standing_signals(joints: int) -> tuple[ObservedSignal, ...]:
    """Return what is observed of a robot that stands.

    Args:
        joints: how many.
    """
    return (
        ObservedSignal(
            "place", "of the base from where it shall be", "m", 3, -10.0, 10.0
        ),
        ObservedSignal(
            "turn", "of the base from how it shall be", "rad", 3, -math.tau, math.tau
        ),
        ObservedSignal("velocity", "of the base", "m/s", 3, -50.0, 50.0),
        ObservedSignal("rate", "of turn of the base", "rad/s", 3, -100.0, 100.0),
        ObservedSignal("joints", "from the set pose", "rad", joints, -10.0, 10.0),
        ObservedSignal("speeds", "of the joints", "rad/s", joints, -200.0, 200.0),
        ObservedSignal("action", "the last one", "1", joints, -1.0, 1.0),
    )
