"""The environments by the names that Gymnasium knows them by, one robot or many.

What can be chosen is said at ``stand_arena``, ``walk_arena`` and ``modules_arena``; an
environment of one robot takes ``render_mode`` and ``size`` besides, one of many also
``num_envs`` and ``threads``.
"""

from collections.abc import Mapping
from dataclasses import fields
from functools import partial
from typing import Any, final

from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.robot import Robot
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.gym.arena import AbstractArena, ArenaConfig, robot_of
from equipoise.runs.gym.env import AbstractRobotEnv
from equipoise.runs.gym.servo import ActionKind
from equipoise.runs.gym.standing import StandArena
from equipoise.runs.gym.steering import ModulesArena
from equipoise.runs.gym.vector import AbstractRobotVectorEnv
from equipoise.runs.gym.walking import WalkArena
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.walk.config import WalkConfig

__all__ = [
    "ModulesEnv",
    "ModulesVectorEnv",
    "StandEnv",
    "StandVectorEnv",
    "WalkEnv",
    "WalkVectorEnv",
    "modules_arena",
    "stand_arena",
    "walk_arena",
]

VIEW = ("render_mode", "size", "num_envs", "threads", "max_episode_steps")
APART = ("robot", "seed", "seconds", "goal", "ramp", "stop_at", "freeze", "start")
"""Settings of jobs that an environment has itself, or that no episode has."""


def stand_arena(
    robot: str | Robot = "biped",
    *,
    action: ActionKind = "position",
    frequency: float | None = None,
    seconds: float = 6.0,
    stiffness: float | None = None,
    damping: float | None = None,
    push: tuple[float, float] = (0.1, 0.3),
    robot_options: Mapping[str, Any] | None = None,
    **settings: Any,
) -> StandArena:
    """Return a robot on feet that is pushed now and then.

    Args:
        robot: a built-in name, a file or a robot that can stand on its feet.
        action: "position" or "torque".
        frequency: of steps; None for 100, of torques the job's own 500 [1/s].
        seconds: of an episode.
        stiffness: of the springs; None for what suits the motors [N m/rad].
        damping: of the dampers; None for what suits the springs [N m s/rad].
        push: least and largest impulse, over the robot's mass [N s/kg]; one is drawn
            for every two seconds, from any side.
        robot_options: as ``equipoise.load`` takes them.
        settings: others of ``StandConfig``: ``friction``, ``controller`` and ``gains``
            of the baseline, ``block_mass`` and ``block_speed`` to throw one as well.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    _expect_settings(settings, StandConfig, ("push", "delay_ms"))
    try:
        low, high = push
        is_good = is_number(low) and is_number(high) and 0.0 <= low <= high <= 10.0
    except (TypeError, ValueError):
        low, high, is_good = 0.0, 0.0, False
    if not is_good:
        problem = f"push must be (least, largest) from 0 to 10 N s/kg, got {push!r}"
        raise ConfigError("the environment", [problem])
    arena = ArenaConfig(
        action=action,
        frequency=frequency,
        seconds=seconds,
        stiffness=stiffness,
        damping=damping,
    )
    arena.expect_usable(StandArena.kinds)
    settings.setdefault("block_mass", 0.0)
    job = StandConfig(seconds=seconds, **settings)
    return StandArena(robot_of(robot, **dict(robot_options or {})), arena, job, push)


def walk_arena(
    robot: str | Robot = "warp1",
    *,
    action: ActionKind = "position",
    frequency: float | None = None,
    seconds: float = 10.0,
    stiffness: float | None = None,
    damping: float | None = None,
    robot_options: Mapping[str, Any] | None = None,
    **settings: Any,
) -> WalkArena:
    """Return a machine on legs that is told to walk.

    Args:
        robot: a built-in name, a file or a robot with legs.
        action: "position" or "torque".
        frequency: of steps; None for 50, of torques the job's own [1/s].
        seconds: of an episode, of which it stands for the first; 2.5 at least.
        stiffness: of the springs; None for what suits the motors [N m/rad].
        damping: of the dampers; None for what suits the springs [N m s/rad].
        robot_options: as ``equipoise.load`` takes them.
        settings: others of ``WalkConfig``: ``speed``, ``left``, ``turn``, ``heading``,
            ``terrain``, ``friction``, ``push``, ``actuators``; ``gait``, ``sensors``
            and others for the baseline.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    _expect_settings(settings, WalkConfig)
    arena = ArenaConfig(
        action=action,
        frequency=frequency,
        seconds=seconds,
        stiffness=stiffness,
        damping=damping,
    )
    arena.expect_usable(WalkArena.kinds)
    job = WalkConfig(seconds=seconds, **settings)
    return WalkArena(robot_of(robot, **dict(robot_options or {})), arena, job)


def modules_arena(
    robot: str | Robot = "superbot",
    *,
    modules: int = 8,
    action: ActionKind = "velocity",
    frequency: float | None = None,
    seconds: float = 4.0,
    damping: float | None = None,
    robot_options: Mapping[str, Any] | None = None,
    **settings: Any,
) -> ModulesArena:
    """Return a tree of modules that shall be balanced.

    Args:
        robot: "superbot" for another random tree in every episode, an assembly file or
            a robot made of modules.
        modules: of a random tree.
        action: "velocity" or "torque".
        frequency: of steps; None for 50, of torques the job's own 1000 [1/s].
        seconds: of an episode.
        damping: of the joints' speeds; None for what suits them [N m s/rad].
        robot_options: as ``equipoise.load`` takes them; with ``seed`` the same random
            tree in every episode.
        settings: others of ``SteerConfig``: ``target``, ``contacts``; ``controller``,
            ``gains``, ``hop_delay_ms``, ``loss`` of the baseline.

    Raises:
        EquipoiseError: a robot or settings that cannot be used.
    """
    _expect_settings(settings, SteerConfig)
    arena = ArenaConfig(
        action=action, frequency=frequency, seconds=seconds, damping=damping
    )
    arena.expect_usable(ModulesArena.kinds)
    if settings.get("target") is not None:
        settings["target"] = tuple(settings["target"])
    job, chosen = SteerConfig(seconds=seconds, **settings), dict(robot_options or {})
    if robot != "superbot":
        return ModulesArena(robot_of(robot, **chosen), arena, job)
    if "seed" in chosen:
        return ModulesArena(robot_of(robot, modules=modules, **chosen), arena, job)

    def grown(seed: int) -> Robot:
        return robot_of(robot, modules=modules, seed=seed, **chosen)

    return ModulesArena(grown, arena, job)


def _expect_settings(
    given: Mapping[str, Any], job: type, more: tuple[str, ...] = ()
) -> None:
    """Refuse a setting that a job does not have.

    Args:
        given: by name.
        job: the class of its settings.
        more: settings that do not count here.
    """
    known = [field.name for field in fields(job)]
    known = [name for name in known if name not in (*APART, *more)]
    for name in given:
        if name not in known:
            raise UnknownNameError("setting", name, known, "the environment")


def _viewed(chosen: dict[str, Any]) -> dict[str, Any]:
    """Take what is of the view, not of the arena, out of what was chosen."""
    return {name: chosen.pop(name) for name in VIEW if name in chosen}


@final
class StandEnv(AbstractRobotEnv):
    """``equipoise/Stand-v0``.

    Args:
        chosen: see ``stand_arena``; ``render_mode`` and ``size`` besides.
    """

    def __init__(self, **chosen: Any) -> None:
        view = _viewed(chosen)
        super().__init__(_shared(partial(stand_arena, **chosen), "biped"), **view)


@final
class WalkEnv(AbstractRobotEnv):
    """``equipoise/Walk-v0``.

    Args:
        chosen: see ``walk_arena``; ``render_mode`` and ``size`` besides.
    """

    def __init__(self, **chosen: Any) -> None:
        view = _viewed(chosen)
        super().__init__(_shared(partial(walk_arena, **chosen), "warp1"), **view)


@final
class ModulesEnv(AbstractRobotEnv):
    """``equipoise/Modules-v0``.

    Args:
        chosen: see ``modules_arena``; ``render_mode`` and ``size`` besides.
    """

    def __init__(self, **chosen: Any) -> None:
        view = _viewed(chosen)
        super().__init__(partial(modules_arena, **chosen), **view)


@final
class StandVectorEnv(AbstractRobotVectorEnv):
    """Many of ``equipoise/Stand-v0``.

    Args:
        chosen: see ``stand_arena`` and ``AbstractRobotVectorEnv``.
    """

    def __init__(self, **chosen: Any) -> None:
        view = _viewed(chosen)
        super().__init__(_shared(partial(stand_arena, **chosen), "biped"), **view)


@final
class WalkVectorEnv(AbstractRobotVectorEnv):
    """Many of ``equipoise/Walk-v0``.

    Args:
        chosen: see ``walk_arena`` and ``AbstractRobotVectorEnv``.
    """

    def __init__(self, **chosen: Any) -> None:
        view = _viewed(chosen)
        super().__init__(_shared(partial(walk_arena, **chosen), "warp1"), **view)


@final
class ModulesVectorEnv(AbstractRobotVectorEnv):
    """Many of ``equipoise/Modules-v0``.

    Args:
        chosen: see ``modules_arena`` and ``AbstractRobotVectorEnv``.
    """

    def __init__(self, **chosen: Any) -> None:
        view = _viewed(chosen)
        super().__init__(partial(modules_arena, **chosen), **view)


def _shared(make: "partial[Any]", usual: str) -> "partial[AbstractArena]":
    """Return what makes arenas with one robot, which is read once.

    Args:
        make: an arena's maker with what was chosen.
        usual: robot where none was chosen.
    """
    chosen = dict(make.keywords)
    options = dict(chosen.pop("robot_options", None) or {})
    robot = robot_of(chosen.pop("robot", usual), **options)
    return partial(make.func, robot=robot, **chosen)
