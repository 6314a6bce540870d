"""A robot that somebody learns to move, episode after episode; no Gymnasium in sight.

What happens is the job's own: the staged job of ``runs.stand``, ``runs.walk`` or
``runs.balance``, stepped from outside. One step of a learner is some ticks of the job,
through which its action is held.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import is_number, is_whole
from equipoise.core.contracts import Command
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.kinds import Verdict
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from equipoise.runs.gym.servo import ActionKind, Servo, expect_action, expect_servo
from equipoise.runs.robot import MOST_SEED
from equipoise.sim.staged import StagedRun
from equipoise.sim.stepper import Stepper

__all__ = [
    "AbstractArena",
    "ArenaConfig",
    "ArenaEpisode",
    "ObservedSignal",
    "Row",
    "Taken",
    "robot_of",
]

Row = NDArray[np.float32]
LONGEST = 600.0  # episode [s]
PRICE = 0.1  # of effort, in merits
HELD = 1e-6  # share of a tick by which steps may miss whole ticks


@final
@dataclass(frozen=True, slots=True)
class ObservedSignal:
    """Some numbers that a learner is told."""

    name: str
    what: str
    unit: str
    size: int
    low: float
    high: float
    """Beyond which they are cut off."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class ArenaConfig:
    """Settings of an environment, whatever its task."""

    action: ActionKind
    frequency: float | None = None
    """Of its steps; None for the task's usual one, of torques the job's own [1/s]."""
    seconds: float
    """For which an episode lasts, unless it ends before [s]."""
    stiffness: float | None = None
    """Of the springs that hold places; None for what suits the motors [N m/rad]."""
    damping: float | None = None
    """Of their dampers, or of speeds; None for what suits the springs [N m s/rad]."""

    def expect_usable(self, kinds: tuple[str, ...]) -> None:
        """Refuse what cannot be, all problems at once.

        Args:
            kinds: of actions that the task has.

        Raises:
            ConfigError: names every problem.
        """
        problems = expect_servo(self.action, kinds, self.stiffness, self.damping)
        rate, seconds = self.frequency, self.seconds
        if rate is not None and not (is_number(rate) and 0.0 < rate < math.inf):
            problems.append(f"frequency must be > 0 Hz, got {rate!r}")
        if not (is_number(seconds) and 0.0 < seconds <= LONGEST):
            problems.append(
                f"seconds must be > 0 and at most {LONGEST:g}, got {seconds!r}"
            )
        if problems:
            raise ConfigError("the environment", problems)


@final
@dataclass(frozen=True, slots=True)
class Taken:
    """Result of a step."""

    observation: Row
    reward: float
    is_over: bool
    """Whether the robot has fallen, or its state is not finite."""
    is_late: bool
    """Whether the episode's time has passed."""


@final
@dataclass(frozen=True, slots=True)
class ArenaEpisode:
    """All that an arena was told since its episode began, which says how it is now."""

    seed: int
    options: dict[str, Any]
    actions: list[VecN] = field(default_factory=list[VecN])


class AbstractArena(ABC):
    """One robot and its task.

    Args:
        config: how it is moved.
    """

    kinds: ClassVar[tuple[ActionKind, ...]]
    """Of actions that it takes, the usual one first."""
    usual_rate: ClassVar[float] = 50.0
    """Of steps [1/s]."""
    options: ClassVar[tuple[str, ...]] = ("job_seed",)
    """What can be told at the beginning of an episode."""

    servo: Servo
    signals: tuple[ObservedSignal, ...]
    staged: StagedRun
    stepper: Stepper

    def __init__(self, config: ArenaConfig) -> None:
        config.expect_usable(self.kinds)
        self.config, self.seed, self.steps = config, 0, 0
        self.fell, self.is_ready = False, False
        self.effort = 0.0
        """Mean square of torques over their limits in the last step."""
        self.readings: Any = None
        """What a controller is told now."""
        self.guide: Any = None
        """Steps at every tick, for whoever asks it; see ``runs.gym.baseline``."""
        self.episode: ArenaEpisode | None = None
        self.begin(0)
        ticks = self.ticks_of(config.frequency)
        self.ticks, self.period = ticks, ticks * self.stepper.period
        low = [np.full(s.size, s.low) for s in self.signals]
        high = [np.full(s.size, s.high) for s in self.signals]
        self.low, self.high = np.concatenate(low), np.concatenate(high)
        self.is_ready, self.episode = False, None

    @property
    def joints(self) -> int:
        """Number of driven joints."""
        return self.stepper.model.nu

    @property
    def limit(self) -> VecN:
        """Torque limit of each motor, (nu,) [N m]."""
        return self._limit

    @abstractmethod
    def stage(self, seed: int, options: Mapping[str, Any]) -> StagedRun:
        """Return the job of an episode.

        Args:
            seed: of the job.
            options: what was told.
        """

    @abstractmethod
    def observed(self) -> tuple[Array, ...]:
        """Return what is observed now, as ``signals`` lists it."""

    @abstractmethod
    def merit(self) -> float:
        """Return how well it does now, 0 to 1; what moving costs is taken off."""

    @abstractmethod
    def margin(self) -> float:
        """Return how far it is from falling, see the task [m]."""

    @abstractmethod
    def is_well(self) -> bool:
        """Return whether it does well enough for the job's yes."""

    @abstractmethod
    def prepare(self, staged: StagedRun) -> tuple[Servo, VecN]:
        """Return servo and torque limits of an episode, (nu,) [N m].

        Args:
            staged: the job.
        """

    def about(self) -> dict[str, Any]:
        """Return what else there is to know of now, by name."""
        return {}

    def ticks_of(self, frequency: float | None) -> int:
        """Return how many ticks of the job a step lasts, or say what would do."""
        tick = self.stepper.period
        if frequency is None:
            is_torque = self.config.action == "torque"
            return 1 if is_torque else max(1, round(1.0 / (self.usual_rate * tick)))
        ticks = max(1, round(1.0 / (frequency * tick)))
        if abs(ticks * tick * frequency - 1.0) > HELD:
            problem = (
                f"frequency must divide the job's {1.0 / tick:g} Hz, got {frequency!r};"
                f" {1.0 / (ticks * tick):.6g} would do"
            )
            raise ConfigError("the environment", [problem])
        return ticks

    def begin(self, seed: int, options: Mapping[str, Any] | None = None) -> Row:
        """Begin an episode and return what is observed.

        Args:
            seed: of the job.
            options: what is told of it, see the task; ``job_seed`` counts before
                ``seed``.

        Raises:
            UnknownNameError: no such option.
            ConfigError: a value that cannot be.
        """
        told = dict(options or {})
        for name in told:
            if name not in self.options:
                where = "an episode"
                raise UnknownNameError("option", name, self.options, where)
        asked, seed = dict(told), told.pop("job_seed", seed)
        if not (is_whole(seed) and 0 <= seed < MOST_SEED):
            problem = f"job_seed must be >= 0 and below 2^63, got {seed!r}"
            raise ConfigError("an episode", [problem])
        self.seed, self.steps, self.fell, self.effort = int(seed), 0, False, 0.0
        self.episode = ArenaEpisode(int(seed), asked)
        self.staged = self.stage(self.seed, told)
        self.stepper = self.staged.stepper(self.config.seconds + 1.0)
        self.servo, self._limit = self.prepare(self.staged)
        self.asked, self.wanted = np.zeros((2, self.joints))
        self.command = Command(np.zeros(self.joints))
        told_now = self.wanted, self.command.tau
        data, world = self.stepper.data, self.stepper.world
        self.ask = self.servo.bound(data, world, self._limit, *told_now)
        self.readings = self.stepper.sense()
        if self.guide is not None:
            self.guide.begin(self)
        self.is_ready = True
        return self.observation() if hasattr(self, "low") else np.zeros(0, np.float32)

    def advance(self, action: object) -> Taken:
        """Hold an action for a step.

        Args:
            action: one number a joint, in [-1, 1].

        Raises:
            EquipoiseError: an action that cannot be, or no episode.
        """
        if not self.is_ready:
            raise ConfigError("the environment", ["reset it before its first step"])
        self.asked = expect_action(action, self.joints)
        if self.episode is not None:
            self.episode.actions.append(self.asked.copy())
        stepper, data, spent = self.stepper, self.stepper.data, 0.0
        np.multiply(self.servo.scale, self.asked, out=self.wanted)
        for _ in range(self.ticks):
            spent += self.ask()
            is_told = stepper.act(self.command)
            self.readings = stepper.sense() if is_told else None
            if self.readings is None or self.staged.has_fallen(data):
                self.fell = True
                break
            if self.guide is not None:
                self.guide.tick(self.readings)
        self.effort = spent / self.ticks
        self.steps += 1
        reward = 0.0 if self.fell else self.merit() - PRICE * self.effort
        is_late = self.steps * self.period >= self.config.seconds - 1e-9
        if self.fell:
            self.is_ready = False
        return Taken(self.observation(), float(reward), self.fell, is_late)

    def live_through(self, episode: "ArenaEpisode | None") -> None:
        """Do an episode again as far as it went: same seeds, same bits.

        Args:
            episode: of an arena that was made as this one; None for none.
        """
        if episode is None:
            return
        self.begin(episode.seed, episode.options)
        for action in episode.actions:
            self.advance(action)

    def observation(self) -> Row:
        """Return what is observed now, within its bounds, (n,), single precision."""
        row = np.concatenate(self.observed())
        row = np.clip(np.nan_to_num(row), self.low, self.high)
        return row.astype(np.float32)

    def info(self, *, is_late: bool = False) -> dict[str, Any]:
        """Return what is known beside the observation.

        Args:
            is_late: whether the episode's time has passed.
        """
        verdict: Verdict = "no" if self.fell else "unknown"
        if is_late and not self.fell:
            verdict = "yes" if self.is_well() else "no"
        return {
            "time": self.stepper.time,
            "margin": self.margin(),
            "verdict": verdict,
            "effort": self.effort,
            "job_seed": self.seed,
            **self.about(),
        }


def robot_of(robot: str | Robot, **chosen: Any) -> Robot:
    """Return a robot that was given, or named.

    Args:
        robot: from ``equipoise.load``, a built-in name, a file, or a name of the
            package ``robot_descriptions``.
        chosen: options of the robot; none with a robot that was given.

    Raises:
        EquipoiseError: no such robot, or options that it does not have.
    """
    if isinstance(robot, Robot):
        if chosen:
            listed = ", ".join(chosen)
            raise ConfigError("the environment", [f"{listed}: the robot is built"])
        return robot
    return load(robot, **chosen)
