"""Learn by trying: all at random at first, later mostly what has proved good.

[Ridderstrom2003] section 3.3.3. Exploration falls linearly from one share to another
over the first steps; what is tried is drawn from the actions tried least in a state.
An action after which nothing has changed has converged already: it gives no event and
is not activated again before something has.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar, final

import numpy as np

from equipoise.control.learning.qualities import Qualities, no_qualities, updated
from equipoise.control.learning.world import AbstractWorld
from equipoise.core.arrays import Array, Ints
from equipoise.core.seeds import stream
from equipoise.core.setting import Setting, Settings

__all__ = [
    "Episode",
    "Learned",
    "LearningConfig",
    "exploration",
    "greedy_trial",
    "learn",
]

S = TypeVar("S")
EVENT = 0.02  # reward below which nothing has happened in an unchanged state


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class LearningConfig(Settings):
    """Settings of the learning."""

    steps: Annotated[int, Setting("Number of steps that are tried", least=1.0)] = 500
    beta: Annotated[
        float,
        Setting("Weight of a new experience in a partial quality", least=0.0, most=1.0),
    ] = 0.6
    gamma: Annotated[
        float, Setting("Discount of a reward one step later", least=0.0, most=1.0)
    ] = 0.2
    explore_first: Annotated[
        float, Setting("Share of random steps at first", least=0.0, most=1.0)
    ] = 1.0
    explore_last: Annotated[
        float, Setting("Share of random steps in the end", least=0.0, most=1.0)
    ] = 0.1
    explore_until: Annotated[
        int, Setting("Step from which that share holds", least=1.0)
    ] = 500


@final
@dataclass(frozen=True)
class Episode:
    """Sequence of steps in a world."""

    states: Ints
    """Before each step, and after the last, (n + 1,)."""
    actions: Ints
    """(n,)."""
    rewards: Array
    """(n,)."""


@final
@dataclass(frozen=True)
class Learned(Generic[S]):
    """Result of learning."""

    known: Qualities
    at: S
    """The situation in which it ended."""
    trial: Episode
    """While it learned."""
    unsafe: int
    """Unsafe states that it was in."""


def exploration(step: int, config: LearningConfig) -> float:
    """Return the share of steps that are drawn at random, at a step.

    Args:
        step: from 0 on.
        config: how it learns.
    """
    done = min(step / config.explore_until, 1.0)
    return config.explore_first + done * (config.explore_last - config.explore_first)


def learn(
    world: AbstractWorld[S],
    config: LearningConfig,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> Learned[S]:
    """Return the result of learning in a world.

    Args:
        world: in which it is learned.
        config: how.
        seed: of the beginning and of what is tried.
        progress: called with the share done, in [0, 1].
    """
    rng = stream(seed, "learning")
    known = no_qualities(world.states, len(world.actions))
    at = world.init(rng)
    states, actions, rewards = [world.state(at)], list[int](), list[float]()
    spent: frozenset[int] = frozenset()
    for k in range(config.steps):
        x = states[-1]
        offered = left(world.admissible(x), spent)
        is_random = bool(rng.random() < exploration(k, config))
        chosen = least_tried if is_random else best_of
        a = chosen(known, x, offered, rng)
        at, reward = world.step(at, a)
        y = world.state(at)
        best = float(known.quality[y, world.admissible(y)].max())
        updated(known, (x, a, y), reward, best, (config.beta, config.gamma))
        spent = now_spent(spent, (x, a, y), reward)
        states.append(y)
        actions.append(a)
        rewards.append(reward)
        if progress is not None:
            progress((k + 1) / config.steps)
    trial = Episode(np.array(states), np.array(actions), np.array(rewards))
    return Learned(known, at, trial, sum(not world.is_safe(x) for x in states))


def greedy_trial(
    world: AbstractWorld[S], known: Qualities, at: S, steps: int, seed: int
) -> Episode:
    """Return the episode of the best known actions, without learning.

    What was done in a state without any gain is not done there again before there is
    one: else it would go round in a circle, since a state does not say where feet are.

    Args:
        world: in which it was learned.
        known: what was learned.
        at: where it begins.
        steps: how many.
        seed: of choices between equals.
    """
    rng = stream(seed, "greedy")
    states, actions, rewards = [world.state(at)], list[int](), list[float]()
    spent: set[tuple[int, int]] = set()
    for _ in range(steps):
        x = states[-1]
        offered = left(world.admissible(x), frozenset(a for y, a in spent if y == x))
        a = best_of(known, x, offered, rng)
        at, reward = world.step(at, a)
        states.append(world.state(at))
        actions.append(a)
        rewards.append(reward)
        spent = spent | {(x, a)} if abs(reward) < EVENT else set()
    return Episode(np.array(states), np.array(actions), np.array(rewards))


def best_of(
    known: Qualities, state: int, offered: Ints, rng: np.random.Generator
) -> int:
    """Return the best action of those that are offered, one of them if several are.

    Args:
        known: what was learned.
        state: in which it is taken.
        offered: the choice, at least one.
        rng: draws between equals.
    """
    quality = known.quality[state, offered]
    return int(rng.choice(offered[quality == quality.max()]))


def least_tried(
    known: Qualities, state: int, offered: Ints, rng: np.random.Generator
) -> int:
    """Return one of the actions that were tried least often.

    Args:
        known: what was learned.
        state: in which it is taken.
        offered: the choice, at least one.
        rng: draws between equals.
    """
    tried = known.counts[state, offered].sum(axis=1)
    return int(rng.choice(offered[tried == tried.min()]))


def left(offered: Ints, spent: frozenset[int]) -> Ints:
    """Return the actions that are not spent; all if none is left.

    Args:
        offered: that are admissible.
        spent: after which nothing has changed.
    """
    if not spent:
        return offered
    kept = offered[~np.isin(offered, list(spent))]
    return kept if kept.size else offered


def now_spent(
    spent: frozenset[int], step: tuple[int, int, int], reward: float
) -> frozenset[int]:
    """Return the actions after which nothing has changed, a step later.

    Args:
        spent: so far.
        step: state, action and the state that followed.
        reward: of it.
    """
    x, a, y = step
    return spent | {a} if x == y and abs(reward) < EVENT else frozenset()
