"""All compositions of some controllers, and those of them that are safe.

[Ridderstrom2003] section 3.3.3: twelve contact controllers, each of three feet and
moving one of them, and one posture controller make 1885 compositions of one to three;
those that lift one leg at most are 157.
"""

import itertools
from collections.abc import Iterable, Sequence

from equipoise.control.basis.compose import Instance
from equipoise.control.basis.predicates import TRIPODS

__all__ = [
    "Chain",
    "admissible_chains",
    "all_chains",
    "lifted_legs",
    "turn_controllers",
]

Chain = tuple[Instance, ...]
"""Each controller is subject to those that follow it."""
LEGS = (1, 2, 3, 4)
LONGEST = 3


def turn_controllers() -> tuple[Instance, ...]:
    """Return the controllers with which turning is learned: φ1 for each foot, φ2."""
    contact = [Instance("phi1", feet, one) for feet in TRIPODS for one in feet]
    return (*contact, Instance("phi2", LEGS, "yaw"))


def all_chains(controllers: Sequence[Instance]) -> tuple[Chain, ...]:
    """Return all ordered compositions of one to three different controllers.

    Args:
        controllers: of which they are made.
    """
    sizes = range(1, LONGEST + 1)
    return tuple(c for n in sizes for c in itertools.permutations(controllers, n))


def lifted_legs(chain: Chain) -> frozenset[int]:
    """Return the legs that a composition moves and so lifts.

    Args:
        chain: the composition.
    """
    return frozenset(one.output for one in chain if isinstance(one.output, int))


def admissible_chains(chains: Iterable[Chain]) -> tuple[Chain, ...]:
    """Return the compositions that lift one leg at most.

    Args:
        chains: of which they are taken.
    """
    return tuple(chain for chain in chains if len(lifted_legs(chain)) <= 1)
