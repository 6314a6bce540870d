"""What a learner needs of a world: predicates, admissible actions, steps, rewards.

Safety is the world's: in each state it offers only actions that lead to safe states, so
that a learner may try any of them, [Ridderstrom2003] section 3.3.3.
"""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numpy as np

from equipoise.core.arrays import Ints

__all__ = ["AbstractWorld", "state_name"]

S = TypeVar("S")


class AbstractWorld(ABC, Generic[S]):
    """A world of situations S, of which a learner sees predicates only.

    States are numbers: bit k is predicate k. Actions are numbers too, from 0 on.
    Situations are passed in and out and never changed in place.
    """

    predicates: tuple[str, ...]
    """What each bit of a state says, in words."""
    actions: tuple[str, ...]
    """Names of all actions."""

    @abstractmethod
    def init(self, rng: np.random.Generator) -> S:
        """Return a safe situation to begin in.

        Args:
            rng: draws it.
        """

    @abstractmethod
    def state(self, at: S) -> int:
        """Return the predicates that hold.

        Args:
            at: a situation.
        """

    @abstractmethod
    def admissible(self, state: int) -> Ints:
        """Return the actions that may be tried, at least one.

        Args:
            state: which predicates hold.
        """

    @abstractmethod
    def is_safe(self, state: int) -> bool:
        """Return whether the machine may be in a state.

        Args:
            state: which predicates hold.
        """

    @abstractmethod
    def step(self, at: S, action: int) -> tuple[S, float]:
        """Return where an action leads, and its reward.

        Args:
            at: a situation.
            action: one that is admissible there.
        """

    @property
    def states(self) -> int:
        """Number of states."""
        return 1 << len(self.predicates)


def state_name(state: int, predicates: int) -> str:
    """Return a state as it is written: a digit for each predicate, such as ``01001``.

    Args:
        state: which predicates hold.
        predicates: how many there are.
    """
    return "".join("1" if state >> k & 1 else "0" for k in range(predicates))
