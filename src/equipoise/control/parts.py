"""What the four parts of a walking controller tell each other.

A walking controller answers four questions, [Ridderstrom2003] section 4.2: which feet
stand when (*support*), where the trunk shall go (*motion*), how it is kept upright
(*balance*), and what is done at once when something is amiss (*reflexes*). Each answer
is a part; parts see only what is in this file, and their state is passed in and out.

Numbers of one kind share an array, since a compiled kernel is called faster the fewer
it takes; the constants here say where in it they are. W is the frame of the machine's
own dead reckoning: level, its origin where the run began, drifting as it walks.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from equipoise.control.machine import Machine
from equipoise.core.arrays import Array, VecN
from equipoise.core.catalogue import Catalogue

__all__ = [
    "BALANCES",
    "MOTIONS",
    "REFLEXES",
    "SUPPORTS",
    "AbstractBalance",
    "AbstractMotion",
    "AbstractReflex",
    "AbstractSupport",
    "Asked",
    "Effort",
    "Estimate",
    "Stance",
    "TrunkReference",
]

State = TypeVar("State")

# Estimate.trunk
PLACE, SPEED, TURN, ATTITUDE, CENTRE = 0, 3, 6, 9, 18
TRUNK = 21
# Stance.legs
SCHEDULED, STANDS, PROGRESS, SWING, SUPPORT, LATE = range(6)
LEG = 6
# Stance.clock
PHASE, CYCLE, WALKING, RATE = range(4)
# goal
FORWARD, LEFT, TURNING, WALKS = range(4)
# TrunkReference.pose
AT, TILT, GOES, TURNS, PATH = 0, 3, 6, 9, 10
POSE = 12


@dataclass(slots=True, eq=False)
class Estimate:
    """What the machine knows of itself at this tick."""

    time: float
    """[s]."""
    dt: float
    """Control period [s]."""
    machine: Machine
    q: VecN
    """Joint angles, (3 nl,) [rad]."""
    v: VecN
    """Joint speeds, (3 nl,) [rad/s]."""
    feet: Array
    """Per leg the rows r, r' and the Jacobian of hip to foot in B, (nl, 5, 3)."""
    trunk: VecN
    """p_WB, v_WB, w_WB_B, R_WB row by row and p_BC, the centre of mass, (21,)."""
    load: VecN
    """On each foot, (nl,) [N]; nan where it is not known."""
    footholds: Array
    """Where in W each foot stands, or last stood, (nl, 3) [m]."""

    @property
    def p_WB(self) -> VecN:
        """Place of the trunk, (3,) [m]."""
        return self.trunk[PLACE : PLACE + 3]

    @property
    def v_WB(self) -> VecN:
        """Its velocity, (3,) [m/s]."""
        return self.trunk[SPEED : SPEED + 3]

    @property
    def R_WB(self) -> Array:
        """Its orientation, (3, 3)."""
        return self.trunk[ATTITUDE : ATTITUDE + 9].reshape(3, 3)


@dataclass(slots=True, eq=False)
class Stance:
    """Who stands: the support part's answer."""

    legs: Array
    """Per leg, (nl, 6): 1 where the schedule has it stand; 1 where it does stand; share
    of its swing that is over; durations of a swing and of a support [s]; for how long
    its footfall is overdue [s]."""
    clock: VecN
    """Share of the cycle, its duration [s], 1 while it runs and its rate, (4,)."""


@dataclass(slots=True, eq=False)
class TrunkReference:
    """Where the trunk shall be and go: the motion part's answer."""

    pose: VecN
    """p_WB, roll, pitch, yaw, v_WB, the rate of yaw, and v_WB without sway, level, with
    which feet are left behind, (12,)."""
    places: Array
    """Where feet shall be from the trunk as the middle of their support, (nl, 3) [m]:
    in the frame of the reference."""


@dataclass(slots=True, eq=False)
class Effort:
    """How the trunk is kept upright: the balance part's answer."""

    trunk: TrunkReference
    """The reference, corrected where the part does so."""
    force: Array
    """Of each foot on the ground in B, on top of what the legs' springs do, (nl, 3)."""
    shift: Array
    """Of the next footholds, forward and left, (nl, 2) [m]."""


@dataclass(slots=True, eq=False)
class Asked:
    """What the last tick asks of the support part."""

    veto: VecN
    """Above zero for legs that shall not lift, (nl,)."""
    hold: float
    """Above zero: the clock shall stand still."""
    halt: float
    """Above zero: no leg shall lift any more."""
    landing: Array
    """Where each swinging foot is bound for, from its hip in B, (nl, 3) [m]."""


def nothing_asked(legs: int) -> Asked:
    """Return what is asked before the first tick.

    Args:
        legs: how many.
    """
    return Asked(np.zeros(legs), 0.0, 0.0, np.zeros((legs, 3)))


class AbstractSupport(ABC, Generic[State]):
    """Decides which feet stand, and when they step."""

    @abstractmethod
    def init(self) -> State:
        """Return the state before the first tick."""

    @abstractmethod
    def step(
        self, estimate: Estimate, goal: VecN, asked: Asked, state: State
    ) -> tuple[Stance, State]:
        """Return who stands, and the next state."""


class AbstractMotion(ABC, Generic[State]):
    """Decides where the trunk goes, and where feet belong under it."""

    @abstractmethod
    def init(self) -> State:
        """Return the state before the first tick."""

    @abstractmethod
    def step(
        self, estimate: Estimate, goal: VecN, stance: Stance, state: State
    ) -> tuple[TrunkReference, State]:
        """Return the trunk's reference, and the next state."""


class AbstractBalance(ABC, Generic[State]):
    """Decides what feet press with and where they step to stay upright."""

    @abstractmethod
    def init(self) -> State:
        """Return the state before the first tick."""

    @abstractmethod
    def step(
        self, estimate: Estimate, stance: Stance, trunk: TrunkReference, state: State
    ) -> tuple[Effort, State]:
        """Return forces and shifts, and the next state."""


class AbstractReflex(ABC, Generic[State]):
    """Changes what the legs are told, and may ask the support part for something."""

    @abstractmethod
    def init(self) -> State:
        """Return the state before the first tick."""

    @abstractmethod
    def step(
        self, estimate: Estimate, stance: Stance, aim: Array, asked: Asked, state: State
    ) -> State:
        """Change ``aim``, (6, nl, 3), and ``asked``, which are this tick's own."""


SUPPORTS: Catalogue[AbstractSupport[VecN]] = Catalogue(
    "equipoise.control.support", "support part"
)
MOTIONS: Catalogue[AbstractMotion[VecN]] = Catalogue(
    "equipoise.control.motion", "motion part"
)
BALANCES: Catalogue[AbstractBalance[VecN]] = Catalogue(
    "equipoise.control.balance", "balance part"
)
REFLEXES: Catalogue[AbstractReflex[VecN]] = Catalogue(
    "equipoise.control.reflexes", "reflex"
)
