"""Thousands of walking robots as one environment of Gymnasium, on a graphics card.

On a card everything that goes in and comes out is a tensor of PyTorch there, and
nothing is copied; on this machine (``backend="host"``) it is an array of NumPy. A robot
whose episode has ended begins another at its next step, as Gymnasium's own vectors do.
"""

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, MissingExtraError, UnknownNameError
from equipoise.core.extras import require_extra
from equipoise.equations.cuda.module import chosen_backend
from equipoise.robots.robot import Robot
from equipoise.runs.gym.arena import LONGEST, robot_of
from equipoise.runs.gym.servo import ActionKind, expect_servo
from equipoise.runs.gym.task import walking_task
from equipoise.runs.many.simulate import GROUND
from equipoise.runs.walk.config import WalkConfig
from equipoise.sim.many.episodes import ManyEpisodes
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.pushes import PushPlan, Spread
from equipoise.sim.many.robots import ManyRobots

try:
    from gymnasium.spaces import Box
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    require_extra("gym", "gymnasium")  # says what to install
    raise

__all__ = ["ManyWalkVectorEnv"]


@final
class ManyWalkVectorEnv(VectorEnv[Any, Any, Any]):
    """``equipoise/ManyWalk-v0``: robots on legs that are told to walk.

    Args:
        robot: a built-in name, a file or a robot with legs.
        num_envs: how many robots.
        action: "position" or "torque".
        frequency: of steps [1/s].
        seconds: of an episode [s].
        stiffness: of the springs; None for what suits the motors [N m/rad].
        damping: of the dampers; None for what suits the springs [N m s/rad].
        vary: drawn anew for each episode, by name: ``speed``, ``left``, ``turn``,
            ``friction``, ``ground_stiffness``, ``ground_damping``, ``payload``; see
            ``simulate_many``.
        pushes: who pushes them; None for nobody.
        backend: "auto" for PyTorch on a card, where that is not for CuPy; "torch",
            "cupy", or "host" for this machine.
        timestep: of physics [s].
        robot_options: as ``equipoise.load`` takes them.
        settings: of ``WalkConfig`` that say on what it walks: ``ground``, ``terrain``,
            ``speed``, ...

    Raises:
        EquipoiseError: a robot or settings that cannot be used, or no card.
    """

    def __reduce__(self) -> Any:
        """Refuse to be pickled or copied.

        Raises:
            TypeError: always.
        """
        told = "many robots live in a card's memory and cannot be pickled or copied"
        raise TypeError(f"{told}; make another environment with the same options")

    def __init__(
        self,
        robot: str | Robot = "warp1",
        num_envs: int = 1,
        *,
        action: ActionKind = "position",
        frequency: float = 50.0,
        seconds: float = 10.0,
        stiffness: float | None = None,
        damping: float | None = None,
        vary: Mapping[str, Spread] | None = None,
        pushes: PushPlan | None = None,
        backend: str = "auto",
        timestep: float = 0.001,
        robot_options: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        _expect_usable(action, stiffness, damping, frequency, seconds)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        given: dict[str, Any] = {"ground": GROUND, "sensors": "ideal", **settings}
        walk = WalkConfig(**given)
        own = robot_of(robot, **dict(robot_options or {}))
        servo: dict[str, Any] = {"stiffness": stiffness, "damping": damping}
        servo["timestep"] = timestep
        self.task = task = walking_task(own, walk, action=action, **servo)
        self.robots = ManyRobots(
            task.program,
            num_envs,
            settings=vary,
            pushes=pushes,
            plan=KernelPlan(has_pushes=pushes is not None),
            backend=tensors_of(backend),
        )
        self.episodes = ManyEpisodes(
            self.robots,
            task.text("single"),
            actions=task.joints,
            seen=len(task.low),
            ticks=_ticks_of(frequency, task.program.tick),
            longest=max(1, round(seconds / task.program.tick)),
        )
        self.num_envs = num_envs
        low, high = task.low.astype(np.float32), task.high.astype(np.float32)
        self.single_observation_space = Box(low, high)
        self.single_action_space = Box(-1.0, 1.0, (task.joints,))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode with every robot.

        Args:
            seed: of all that is drawn from now on; None for another one.
            options: ``reset_mask``, truth values, (n,): only robots for which it is
                true begin anew.

        Raises:
            EquipoiseError: a seed or options that cannot be.
        """
        told = dict(options or {})
        mask = told.pop("reset_mask", None)
        for name in told:
            raise UnknownNameError("option", name, ["reset_mask"], "an episode")
        return self.episodes.begin(seed, mask), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Hold an action for a step, one a robot.

        Args:
            actions: (n, joints), in [-1, 1]; beyond counts as the end. A robot that is
                given a number that is none has fallen.

        Raises:
            EquipoiseError: actions of another shape, or no episode.
        """
        took = self.episodes.step(actions)
        return (*took[:4], {"time": took.time})

    def render(self) -> None:
        """Draw nothing: thousands of robots have no picture."""

    def close_extras(self, **kwargs: Any) -> None:
        """Let go of nothing that Python does not let go of itself.

        Args:
            kwargs: not needed.
        """


def tensors_of(backend: str) -> str:
    """Return whose arrays go in and out: PyTorch's on a card, if nobody chose others.

    Args:
        backend: as it was given.
    """
    if backend != "auto":
        return backend
    try:
        return chosen_backend("torch")
    except MissingExtraError:
        return backend


def _ticks_of(frequency: float, tick: float) -> int:
    """Return how many ticks a step lasts, or say what would do."""
    ticks = max(1, round(1.0 / (frequency * tick)))
    if abs(ticks * tick * frequency - 1.0) > 1e-6:
        problem = (
            f"frequency must divide the robots' {1.0 / tick:g} Hz, got {frequency!r}; "
            f"{1.0 / (ticks * tick):.6g} would do"
        )
        raise ConfigError("the environment", [problem])
    return ticks


def _expect_usable(
    action: str,
    stiffness: float | None,
    damping: float | None,
    frequency: float,
    seconds: float,
) -> None:
    """Refuse what cannot be, all problems at once."""
    problems = expect_servo(action, ("position", "torque"), stiffness, damping)
    if not (is_number(frequency) and 0.0 < frequency < float("inf")):
        problems.append(f"frequency must be > 0 Hz, got {frequency!r}")
    if not (is_number(seconds) and 0.0 < seconds <= LONGEST):
        problems.append(f"seconds must be > 0 and at most {LONGEST:g}, got {seconds!r}")
    if problems:
        raise ConfigError("the environment", problems)
