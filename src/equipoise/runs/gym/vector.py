"""Many robots as one environment of Gymnasium, in one process, some threads.

The engine lets go of Python while it computes, so that threads can step several robots
at once; that pays where a tick of a robot takes long, and costs where it does not, for
only one thread at a time has Python. What each robot does is what it does alone: same
seeds, same bits. A robot whose episode
has ended begins another at its next step, as Gymnasium's own vectors do.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import thread_time
from typing import Any, ClassVar

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from equipoise.core.arrays import Array
from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError, ShapeError
from equipoise.runs.gym.arena import AbstractArena, Row, Taken
from equipoise.runs.gym.env import (
    arena_again,
    expect_render_mode,
    job_seed,
    metadata_of,
    spaces_of,
)
from equipoise.runs.gym.picture import Portraitist
from equipoise.sim.engine_warnings import collected_warnings

__all__ = ["AbstractRobotVectorEnv"]

SLOW = 150e-6  # tick from which threads pay, found with benchmarks/gym_vector.py [s]
TRIED = 2  # steps; the first one may load machine code


class AbstractRobotVectorEnv(VectorEnv[Row, Array, Array]):
    """Several arenas of one kind, stepped together.

    Args:
        make: makes an arena; it must travel as a pickle for the environment to.
        num_envs: how many robots.
        threads: that step them; None for one a processor if a robot is slow enough for
            that to pay, else one.
        render_mode: ``rgb_array`` for pictures, None for none.
        size: of a picture, width and height [pixels].
        max_episode_steps: after which episodes are cut; None for their time.

    Raises:
        ConfigError: numbers that cannot be.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["rgb_array"],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        make: Callable[[], AbstractArena],
        num_envs: int = 1,
        threads: int | None = None,
        render_mode: str | None = None,
        size: tuple[int, int] = (480, 360),
        max_episode_steps: int | None = None,
    ) -> None:
        expect_render_mode(render_mode)
        for name, value in (
            ("num_envs", num_envs),
            ("threads", threads),
            ("max_episode_steps", max_episode_steps),
        ):
            if value is not None and not (is_whole(value) and value >= 1):
                problem = f"{name} must be a whole number >= 1, got {value!r}"
                raise ConfigError("the environment", [problem])
        self.num_envs, self.render_mode, self.make = num_envs, render_mode, make
        self.arenas = [make() for _ in range(num_envs)]
        first = self.arenas[0]
        self.single_observation_space, self.single_action_space = spaces_of(first)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        own = {**metadata_of(first), "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.metadata = own  # pyright: ignore
        self.most = max_episode_steps
        self.draws = [seeding.np_random(None)[0] for _ in range(num_envs)]
        self.is_over = np.zeros(num_envs, bool)
        self.portraitists = [Portraitist(size) for _ in range(num_envs)]
        workers = min(num_envs, _usual_threads(first) if threads is None else threads)
        self.shares = [range(k, num_envs, workers) for k in range(workers)]
        self.pool = self.hired()

    def hired(self) -> ThreadPoolExecutor | None:
        """Return threads, one a share; None where this one does it all."""
        workers = len(self.shares)
        return ThreadPoolExecutor(workers) if workers > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        """Return what travels: what the arenas were told, not the arenas."""
        episodes = [arena.episode for arena in self.arenas]
        return {**self.__dict__, "arenas": episodes, "pool": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Be what was sent, each robot in the middle of its episode."""
        self.__dict__ |= state
        self.arenas = [arena_again(self.make, one) for one in state["arenas"]]
        self.pool = self.hired()

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Row, dict[str, Any]]:
        """Begin an episode with every robot.

        Args:
            seed: of the first, each other one's is larger by one; or one a robot; None
                to go on drawing.
            options: of the episodes, see the task; with ``reset_mask``, (n,), only
                robots for which it is true begin anew.

        Raises:
            EquipoiseError: seeds or options that cannot be.
        """
        seeds = self.seeds_of(seed)
        told = dict(options or {})
        chosen = np.asarray(told.pop("reset_mask", np.ones(self.num_envs, bool)))
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise ShapeError(f"reset_mask must be {self.num_envs} truth values.")
        rows, infos = [arena.observation() for arena in self.arenas], {}
        with collected_warnings():
            for k in np.flatnonzero(chosen):
                if seeds[k] is not None:
                    self.draws[k] = seeding.np_random(seeds[k])[0]
                rows[k] = self.begin(int(k), told)
                infos = self._add_info(infos, self.arenas[k].info(), int(k))
        self.is_over[chosen] = False
        return np.stack(rows), infos

    def seeds_of(self, seed: Any) -> list[int | None]:
        """Return each robot's seed."""
        if seed is None or is_whole(seed):
            first = None if seed is None else int(seed)
            return [None if first is None else first + k for k in range(self.num_envs)]
        seeds = list(seed)
        if len(seeds) != self.num_envs:
            count = self.num_envs
            raise ShapeError(f"seed must be one or {count} numbers, got {len(seeds)}.")
        return seeds

    def begin(self, k: int, options: dict[str, Any]) -> Row:
        """Begin an episode with one robot and return what is observed."""
        self.portraitists[k].forget()
        return self.arenas[k].begin(job_seed(self.draws[k]), options)

    def step(self, actions: Any) -> tuple[Row, Array, Array, Array, dict[str, Any]]:
        """Hold an action for a step, one a robot.

        Args:
            actions: (n, joints), in [-1, 1].

        Raises:
            EquipoiseError: actions that cannot be, or no episode.
        """
        count, joints = self.num_envs, self.arenas[0].joints
        if np.shape(actions) != (count, joints):
            raise ShapeError(
                f"actions must have the shape ({count}, {joints}), one row a robot, "
                f"got {np.shape(actions)}."
            )
        begins, taken = self.is_over.copy(), list[Taken | None]([None] * count)
        rows = list[Row]([np.zeros(0, np.float32)] * count)

        def advance(share: range) -> None:
            for k in share:
                if not begins[k]:
                    taken[k] = self.arenas[k].advance(actions[k])

        with collected_warnings():
            if self.pool is None:
                advance(self.shares[0])
            else:
                list(self.pool.map(advance, self.shares))
            for k in np.flatnonzero(begins):
                rows[k] = self.begin(int(k), {})
        return self.gathered(rows, taken)

    def gathered(
        self, rows: list[Row], taken: list[Taken | None]
    ) -> tuple[Row, Array, Array, Array, dict[str, Any]]:
        """Return what a step gave, robot by robot."""
        rewards = np.zeros(self.num_envs)
        ends, late = np.zeros((2, self.num_envs), bool)
        infos: dict[str, Any] = {}
        for k, (arena, gave) in enumerate(zip(self.arenas, taken, strict=True)):
            is_late = False
            if gave is not None:
                rows[k], rewards[k] = gave.observation, gave.reward
                is_cut = self.most is not None and arena.steps >= self.most
                is_late = gave.is_late or is_cut
                ends[k], late[k] = gave.is_over, is_late and not gave.is_over
            infos = self._add_info(infos, arena.info(is_late=is_late), k)
        self.is_over = ends | late
        return np.stack(rows), rewards, ends, late, infos

    def render(self) -> tuple[Any, ...] | None:
        """Return a picture of every robot; None without a render mode."""
        if self.render_mode is None:
            return None
        pairs = zip(self.portraitists, self.arenas, strict=True)
        return tuple(artist.draw(arena) for artist, arena in pairs)

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads.

        Args:
            kwargs: not needed.
        """
        del kwargs
        pool = getattr(self, "pool", None)  # of one that was refused there is none
        if pool is not None:
            pool.shutdown()


def _usual_threads(arena: AbstractArena) -> int:
    """Return how many threads pay for robots like this one.

    Args:
        arena: whose present episode is spent for it.
    """
    return (os.cpu_count() or 1) if _tick_time(arena) > SLOW else 1


def _tick_time(arena: AbstractArena) -> float:
    """Return the processor time of a tick of the job [s].

    Args:
        arena: whose present episode is spent for it.
    """
    took, rest = list[float](), np.zeros(arena.joints)
    with collected_warnings():
        for _ in range(TRIED):
            arena.begin(0)
            began = thread_time()
            arena.advance(rest)
            took.append((thread_time() - began) / arena.ticks)
    arena.is_ready, arena.episode = False, None
    return min(took)
