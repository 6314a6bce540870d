"""Our own controllers as policies: what a learner has to beat.

The job's controller steps at every tick of the job on what it senses there, as it does
in the job, and says which torques it wants. The policy gives the action that asks for
these torques. With ``action="torque"`` at the job's own rate (the usual one) that is
the job itself, to the bit; at a lower rate, or through springs, the controller's torque
at the beginning of a step is held, and it does what it can.
"""

from typing import Any, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.runs.gym.arena import AbstractArena

__all__ = ["Baseline", "Guide", "baseline"]


@final
class Guide:
    """A job's controller that is stepped beside an episode."""

    def __init__(self) -> None:
        self.controller: Any = None
        self.state: Any = None
        self.command: Any = None

    def begin(self, arena: AbstractArena) -> None:
        """Begin with an episode.

        Args:
            arena: in which it happens, its first readings made.
        """
        self.controller = arena.staged.controller
        self.state = self.controller.init()
        self.tick(arena.readings)

    def tick(self, readings: Any) -> None:
        """Step the controller.

        Args:
            readings: of this tick.
        """
        self.command, self.state = self.controller.step(readings, self.state)


@final
class Baseline:
    """A policy: ``action = policy(observation)``.

    It sees more than the observation, namely what the job's controller senses.

    Args:
        arenas: the robots that it moves.
        is_many: whether actions are rows, one a robot.
    """

    def __init__(self, arenas: list[AbstractArena], *, is_many: bool) -> None:
        self.arenas, self.is_many = arenas, is_many
        for arena in arenas:
            arena.guide = Guide()

    def __call__(self, observation: Any = None) -> Array:
        """Return the action that the job's controller would take now.

        Args:
            observation: not needed; the controller has senses of its own.

        Raises:
            ConfigError: no episode has begun since the policy was made.
        """
        del observation
        rows = [_wanted(arena) for arena in self.arenas]
        return np.stack(rows) if self.is_many else rows[0]


def _wanted(arena: AbstractArena) -> Array:
    """Return the action that a robot's guide would take now, (nu,)."""
    if arena.guide.command is None:
        raise ConfigError("the baseline", ["reset the environment first"])
    data, world = arena.stepper.data, arena.stepper.world
    at, rate = world.q_address, world.v_address
    return arena.servo.action(
        arena.guide.command.tau,
        data.qpos[at],
        data.qvel[rate],
        data.qfrc_bias[rate],
    )


def baseline(env: Any) -> Baseline:
    """Return our own controller as a policy for an environment.

        env = gymnasium.make("equipoise/Walk-v0", action="torque")
        policy = baseline(env)
        observation, info = env.reset(seed=7)
        action = policy(observation)

    Args:
        env: one of ours, in wrappers or not, or a vector of them; reset it afterwards.

    Raises:
        ConfigError: not one of ours.
    """
    inner = getattr(env, "unwrapped", env)
    arenas = getattr(inner, "arenas", None)
    if arenas is not None:
        return Baseline(list(arenas), is_many=True)
    arena = getattr(inner, "arena", None)
    if not isinstance(arena, AbstractArena):
        problem = (
            f"it accepts only equipoise's environments, got {type(inner).__name__}"
        )
        raise ConfigError("the baseline", [problem])
    return Baseline([arena], is_many=False)
