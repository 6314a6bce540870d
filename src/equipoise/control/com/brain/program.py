"""What the modules of one process are told once, as the compiled code reads it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.goal import ComGoal
from equipoise.control.com.network import ModuleDesign
from equipoise.core.arrays import Array, Ints

__all__ = ["ModuleProgram", "ThinkNumbers"]


class ThinkNumbers(NamedTuple):
    """The numbers of ``BrainConfig`` that ``think`` reads."""

    trust: int
    """Age from which numbers are too old [rounds]."""
    dt: float
    """A round [s]."""
    foot_step: float
    """A contact that moved this far is another one [m]."""


class ModuleProgram(NamedTuple):
    """Constants of the programs of n modules."""

    rule: Ints
    """The protocol's constants, what ``rules_vector`` returns."""
    settings: ThinkNumbers
    goal: ComGoal
    """Where the centre of mass shall go."""
    shape: ModuleDesign
    """What they are made of."""
    mate: Array
    """(n * ports, 3, 3) R of the neighbour's connector seen from ours."""
    alive: NDArray[np.bool_]
    """(n,) modules that run; the others say nothing and know nothing."""
