"""One robot as an environment of Gymnasium."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.extras import require_extra
from equipoise.runs.gym.arena import AbstractArena, ArenaEpisode, Row
from equipoise.runs.gym.picture import Portraitist
from equipoise.sim.engine_warnings import collected_warnings

try:
    import gymnasium as gym
except ImportError:
    require_extra("gym", "gymnasium")  # says what to install
    raise

__all__ = ["AbstractRobotEnv", "arena_again", "job_seed", "metadata_of", "spaces_of"]

MODES = ("rgb_array",)


class AbstractRobotEnv(gym.Env[Row, Array]):
    """An environment: Gymnasium's manners around an arena.

    It can be pickled and copied: the other one does the episode again, as far as it
    went, and is then the same to the last bit.

    Args:
        make: makes the arena, the robot and its task; it must travel as a pickle.
        render_mode: ``rgb_array`` for pictures, None for none.
        size: of a picture, width and height [pixels].

    Raises:
        ConfigError: another render mode.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(MODES),
        "render_fps": 50,
    }

    def __init__(
        self,
        make: Callable[[], AbstractArena],
        render_mode: str | None = None,
        size: tuple[int, int] = (480, 360),
    ) -> None:
        expect_render_mode(render_mode)
        self.make, self.render_mode = make, render_mode
        self.arena = arena = make()
        self.observation_space, self.action_space = spaces_of(arena)
        self.metadata = metadata_of(arena)  # pyright: ignore
        self.portraitist = Portraitist(size)

    def __getstate__(self) -> dict[str, Any]:
        """Return what travels: what the arena was told, not the arena itself."""
        return {**self.__dict__, "arena": self.arena.episode}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Be what was sent."""
        self.__dict__ |= state
        self.arena = arena_again(self.make, state["arena"])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Row, dict[str, Any]]:
        """Begin an episode; return observation and info.

        Args:
            seed: from which this episode's job and those that follow are drawn.
            options: of this episode, see the task; ``job_seed`` gives the job's own.

        Raises:
            EquipoiseError: options that cannot be.
        """
        super().reset(seed=seed)
        with collected_warnings():
            row = self.arena.begin(job_seed(self.np_random), options)
        self.portraitist.forget()
        return row, self.arena.info()

    def step(self, action: Any) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        """Hold an action for a step.

        Args:
            action: one number a joint, in [-1, 1].

        Raises:
            EquipoiseError: an action that cannot be, or no episode.
        """
        with collected_warnings():
            taken = self.arena.advance(action)
        info = self.arena.info(is_late=taken.is_late)
        is_late = taken.is_late and not taken.is_over
        return taken.observation, taken.reward, taken.is_over, is_late, info

    def render(self) -> Any:
        """Return a picture, (height, width, 3) uint8; None without a render mode."""
        return None if self.render_mode is None else self.portraitist.draw(self.arena)


def expect_render_mode(mode: str | None) -> None:
    """Refuse a render mode that there is not."""
    if mode is not None and mode not in MODES:
        known = " or ".join(repr(m) for m in MODES)
        raise ConfigError("the environment", [f"render_mode is {known}, got {mode!r}"])


def arena_again(
    make: Callable[[], AbstractArena], episode: ArenaEpisode | None
) -> AbstractArena:
    """Return an arena in which an episode has gone as far as in another one.

    Args:
        make: makes arenas.
        episode: of the other one; None where there was none yet.
    """
    with collected_warnings():
        arena = make()
        arena.live_through(episode)
    return arena


def job_seed(draws: np.random.Generator) -> int:
    """Return the seed of the next episode's job."""
    return int(draws.integers(2**31))


def spaces_of(arena: AbstractArena) -> tuple[Any, Any]:
    """Return the spaces of observations and of actions."""
    low, high = arena.low.astype(np.float32), arena.high.astype(np.float32)
    seen = gym.spaces.Box(low, high, dtype=np.float32)
    return seen, gym.spaces.Box(-1.0, 1.0, (arena.joints,), np.float32)


def metadata_of(arena: AbstractArena) -> dict[str, Any]:
    """Return what there is to know of an environment, in words and numbers."""
    names, first = ("name", "what", "unit", "size", "low", "high"), 0
    rows = list[dict[str, Any]]()
    for signal in arena.signals:
        rows.append({"from": first, **{name: getattr(signal, name) for name in names}})
        first += signal.size
    model = arena.stepper.model
    return {
        "render_modes": list(MODES),
        "render_fps": round(1.0 / arena.period),
        "step_s": arena.period,
        "episode_s": arena.config.seconds,
        "observation": rows,
        "action": {
            "kind": arena.servo.kind,
            "unit": arena.servo.unit,
            "joints": [model.actuator(k).name for k in range(model.nu)],
            "one_is": arena.servo.scale.tolist(),
            "zero_is": arena.servo.rest.tolist(),
            "stiffness": arena.servo.stiffness.tolist(),
            "damping": arena.servo.damping.tolist(),
            "torque_limit": arena.limit.tolist(),
        },
        "reward": " ".join((type(arena).merit.__doc__ or "").split()),
    }
