"""From a learner's numbers to torques, and back.

An action is one number a joint in [-1, 1]. It is a place to go to, held by a spring and
a damper at every tick of the job's controller; or a torque; or a speed, the joint's
weight being carried. Motors keep their own limits, whatever they are asked for.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, final, get_args

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.bound import bound
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, ShapeError
from equipoise.core.jit import compiled
from equipoise.sim.world import World

__all__ = ["ActionKind", "Servo", "expect_action", "servo_of"]

ActionKind = Literal["position", "torque", "velocity"]
KINDS = get_args(ActionKind)
UNITS = {"position": "rad", "torque": "N m", "velocity": "rad/s"}
REACH = 1.0  # from the stand, of a place to go to [rad]
GIVES = 0.5  # off its place by so much, a spring asks for all a motor has [rad]
LAGS = 3.0  # behind its speed by so much, a joint gets all its motor has [rad/s]
DAMPED = 0.7  # of a joint's own inertia on its spring
SLOWS = 0.025  # a damper's share of its spring, at least [s]
STIFFEST, THICKEST = 1.0, 0.5  # of a tick's inertia: beyond it springs would ring


class MovingJoints(NamedTuple):
    """Indices of a robot's joints in the engine."""

    qpos: VecN
    """(nq,)."""
    qvel: VecN
    """(nv,)."""
    weight: VecN
    """What carries the robot where it is, (nv,) [N m]."""
    at: Ints
    """Of each joint in ``qpos``, (nu,)."""
    rate: Ints
    """Of each joint in ``qvel``, (nu,)."""


class JointSprings(NamedTuple):
    """Springs and dampers that hold joints, each (nu,)."""

    rest: VecN
    """Where an action of 0 does [rad]."""
    stiffness: VecN
    """[N m/rad]."""
    damping: VecN
    """[N m s/rad]."""


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Servo:
    """Servo between actions and motors; arrays are (nu,)."""

    kind: ActionKind
    scale: VecN
    """What an action of 1 asks for [rad, N m or rad/s]."""
    rest: VecN
    """Where an action of 0 holds the joints [rad]; of places only."""
    stiffness: VecN
    """Of the springs [N m/rad]."""
    damping: VecN
    """Of the dampers [N m s/rad]."""

    @property
    def unit(self) -> str:
        """Unit of an action."""
        return UNITS[self.kind]

    def bound(
        self, data: mujoco.MjData, world: World, limit: VecN, asked: VecN, tau: VecN
    ) -> Callable[[], float]:
        """Return what writes the torques of the present state into ``tau``.

        It returns the mean square of torques over their limits, each at most 1.

        Args:
            data: of the engine, kinematics fresh at every call.
            world: where things are in it.
            limit: what each motor has, (nu,) [N m].
            asked: action times scale, (nu,); read at every call.
            tau: overwritten at every call, (nu,) [N m].
        """
        joints = MovingJoints(
            data.qpos, data.qvel, data.qfrc_bias, world.q_address, world.v_address
        )
        springs = JointSprings(self.rest, self.stiffness, self.damping)
        kind = KINDS.index(self.kind)
        return bound(_ask_torques, kind, joints, springs, limit, asked, tau)

    def action(self, tau: VecN, q: VecN, v: VecN, weight: VecN) -> Array:
        """Return the action that asks for torques now, (nu,), in [-1, 1].

        Args:
            tau: the torques, (nu,) [N m].
            q: joint positions, (nu,) [rad].
            v: joint speeds, (nu,) [rad/s].
            weight: torques that carry what hangs on the joints, (nu,) [N m].
        """
        if self.kind == "torque":
            asked = tau
        elif self.kind == "velocity":
            asked = v + (tau - weight) / self.damping
        else:
            asked = q - self.rest + (tau + self.damping * v) / self.stiffness
        return np.clip(asked / self.scale, -1.0, 1.0)


def servo_of(
    world: World,
    kind: ActionKind,
    *,
    rest: VecN,
    limit: VecN,
    speed: VecN,
    period: float,
    stiffness: float | None = None,
    damping: float | None = None,
) -> Servo:
    """Return the servo of a robot's joints.

    A torque's scale is the power of two at or above what a motor has, so that dividing
    by it and multiplying again loses no bit.

    Args:
        world: the robot and where it stands.
        kind: of actions.
        rest: where joints are held by an action of zero, (nu,) [rad].
        limit: what each motor has, (nu,) [N m].
        speed: largest of each joint, (nu,) [rad/s].
        period: from one torque to the next [s].
        stiffness: of all springs; None for what suits the motors [N m/rad].
        damping: of all dampers; None for what suits the springs [N m s/rad].
    """
    own = np.asarray(world.model.dof_M0)[world.v_address]
    spring = np.minimum(limit / GIVES, STIFFEST * own / period**2)
    if stiffness is not None:
        spring = np.full(len(rest), float(stiffness))
    usual = np.maximum(2.0 * DAMPED * np.sqrt(spring * own), SLOWS * spring)
    if kind == "velocity":
        usual = limit / LAGS
    damper = np.minimum(usual, THICKEST * own / period)
    if damping is not None:
        damper = np.full(len(rest), float(damping))
    scale = {
        "position": np.full(len(rest), REACH),
        "torque": np.exp2(np.ceil(np.log2(limit))),
        "velocity": speed,
    }[kind]
    return Servo(
        kind=kind,
        scale=scale.astype(np.float64),
        rest=np.array(rest, np.float64),
        stiffness=spring,
        damping=damper,
    )


def expect_servo(
    kind: str, known: tuple[str, ...], stiffness: float | None, damping: float | None
) -> list[str]:
    """Return what is wrong with how joints shall be moved.

    Args:
        kind: of actions.
        known: kinds that the environment has.
        stiffness: of the springs, or None.
        damping: of the dampers, or None.
    """
    problems = []
    if kind not in get_args(ActionKind) or kind not in known:
        problems.append(f"action must be {' or '.join(known)}, got {kind!r}")
    for name, value in (("stiffness", stiffness), ("damping", damping)):
        if value is not None and not (is_number(value) and 0.0 < value < math.inf):
            problems.append(f"{name} must be > 0, got {value!r}")
    return problems


def expect_action(action: object, joints: int) -> VecN:
    """Return an action as numbers in [-1, 1], (nu,), or say what is wrong with it.

    Args:
        action: what a learner gave; beyond 1 counts as 1.
        joints: how many numbers it must have.

    Raises:
        ShapeError: another number of them, or some that are not finite.
        ConfigError: no numbers.
    """
    try:
        numbers = np.asarray(action, dtype=np.float64)
    except (TypeError, ValueError):
        problem = f"it must be {joints} numbers, got {type(action).__name__}"
        raise ConfigError("the action", [problem]) from None
    if numbers.shape != (joints,):
        raise ShapeError(
            f"the action must have {joints} numbers, one per joint, got the shape "
            f"{numbers.shape}."
        )
    if not np.isfinite(numbers).all():
        joint = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise ShapeError(
            f"the action of joint {joint} is {numbers[joint]}; give numbers from -1 "
            "to 1."
        )
    return np.clip(numbers, -1.0, 1.0)


@compiled(allocates=False)
def _ask_torques(
    kind: int,
    joints: MovingJoints,
    springs: JointSprings,
    limit: VecN,
    asked: VecN,
    tau: VecN,
) -> float:
    """Write what the motors are told; return the mean square of their shares.

    Args:
        kind: of actions, an index into ``KINDS``.
        joints: what they do now.
        springs: that hold them to places.
        limit: what each motor has, (nu,) [N m].
        asked: action times scale, (nu,).
        tau: overwritten, (nu,) [N m].
    """
    spent = 0.0
    for j in range(tau.shape[0]):
        v = joints.qvel[joints.rate[j]]
        if kind == 0:
            off = springs.rest[j] + asked[j] - joints.qpos[joints.at[j]]
            tau[j] = springs.stiffness[j] * off - springs.damping[j] * v
        elif kind == 1:
            tau[j] = asked[j]
        else:
            tau[j] = springs.damping[j] * (asked[j] - v) + joints.weight[joints.rate[j]]
        share = min(abs(tau[j]) / limit[j], 1.0)
        spent += share * share
    return spent / tau.shape[0]
