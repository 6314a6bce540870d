"""What the parts of a walking controller tell each other.

A walking controller answers four questions, [Ridderstrom2003] section 4.2: which feet
stand when (*support*), where the trunk shall go (*motion*), how it is kept upright
(*balance*), and what is done at once when something is amiss (*reflexes*). One that
looks ahead answers the first two beforehand (*planner*), and a *leg program* says how
feet get to where they belong. Before all of them a *pilot* says where to. Each answer
is a part; parts see only what is in this file, and their state is passed in and out.
What the answers consist of, with units, is in ``control.records``.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar, cast

import numpy as np

from equipoise.control.ground_map import GroundMap, no_map
from equipoise.control.legs.law import LegLaw
from equipoise.control.machine import LeggedMachine
from equipoise.control.records import (
    ClockRequest,
    GaitClock,
    LegAim,
    LegBalance,
    LegEstimate,
    LegStance,
    PlannedLeg,
    PlannedTrunk,
    Travel,
    TrunkEstimate,
    TrunkPose,
)
from equipoise.core.arrays import Array, Vec3
from equipoise.core.catalogue import Catalogue
from equipoise.core.records import Records, record_of

__all__ = [
    "BALANCES",
    "LEG_PROGRAMS",
    "MOTIONS",
    "NOTHING_PLANNED",
    "NO_MAP",
    "PILOTS",
    "PLANNERS",
    "REFLEXES",
    "SUPPORTS",
    "AbstractBalance",
    "AbstractLegProgram",
    "AbstractMotion",
    "AbstractPilot",
    "AbstractPlanner",
    "AbstractReflex",
    "AbstractSupport",
    "BalanceCommand",
    "Estimate",
    "SupportRequest",
    "TrunkReference",
    "WalkingPlan",
    "WalkingStance",
]

State = TypeVar("State")
NOTHING: Mapping[str, float] = {}


@dataclass(slots=True, eq=False)
class WalkingPlan:
    """What is to come: the planner's answer. One of no legs plans nothing."""

    legs: Records[PlannedLeg]
    """(nl,)."""
    trunk: Records[PlannedTrunk]
    """Knots in time, (nk,)."""
    travel: Records[Travel]
    """The goal as far as the plan grants it, (1,)."""


NOTHING_PLANNED = WalkingPlan(
    PlannedLeg.zeros(0), PlannedTrunk.zeros(0), Travel.zeros()
)
NO_MAP = no_map()
NO_SCAN = np.zeros((0, 3))


@dataclass(slots=True, eq=False)
class Estimate:
    """What the machine knows of itself at this tick."""

    machine: LeggedMachine
    trunk: Records[TrunkEstimate]
    """(1,)."""
    legs: Records[LegEstimate]
    """(nl,)."""
    ground: GroundMap = NO_MAP
    """What is known of it."""
    plan: WalkingPlan = NOTHING_PLANNED
    """In force."""
    scan: Array = field(default_factory=lambda: NO_SCAN)
    """Points of the ground ahead in B as they were seen last, (n, 3) [m]; (0, 3)
    without a scanner."""
    scanned: float = math.nan
    """When they were seen, in the time of the readings [s]."""

    @property
    def p_WB(self) -> Vec3:
        """Place of the trunk, (3,) [m]."""
        return self.trunk["p_WB"][0]

    @property
    def v_WB(self) -> Vec3:
        """Its velocity, (3,) [m/s]."""
        return self.trunk["v_WB"][0]

    @property
    def R_WB(self) -> Array:
        """Its orientation, (3, 3)."""
        return self.trunk["R_WB"][0]

    @property
    def footholds(self) -> Array:
        """Where in W each foot stands, or last stood, (nl, 3) [m]."""
        return self.legs["foothold"]


@dataclass(slots=True, eq=False)
class WalkingStance:
    """Who stands: the support part's answer."""

    legs: Records[LegStance]
    """(nl,)."""
    clock: Records[GaitClock]
    """(1,)."""


@dataclass(slots=True, eq=False)
class TrunkReference:
    """Where the trunk shall be and go: the motion part's answer."""

    pose: Records[TrunkPose]
    """(1,)."""
    places: Array
    """Where feet shall be from the trunk as the middle of their support, (nl, 3) [m]:
    in the frame of the reference."""


@dataclass(slots=True, eq=False)
class BalanceCommand:
    """How the trunk is kept upright: the balance part's answer."""

    trunk: TrunkReference
    """The reference, corrected where the part does so."""
    legs: Records[LegBalance]
    """(nl,)."""

    @property
    def force(self) -> Array:
        """Of each foot on the ground in B, on top of what the legs' springs do."""
        return self.legs["force"]

    @property
    def shift(self) -> Array:
        """Of the next footholds, forward and left, (nl, 2) [m]."""
        return self.legs["shift"]


@dataclass(slots=True, eq=False)
class SupportRequest:
    """What legs are told at a tick, which the support part hears at the next one."""

    legs: Records[LegAim]
    """(nl,)."""
    clock: Records[ClockRequest]
    """(1,)."""


def nothing_asked(machine: LeggedMachine) -> SupportRequest:
    """Return what is asked before the first tick.

    Args:
        machine: whose legs are told nothing yet.
    """
    aims = LegAim.zeros(machine.legs, joints=machine.joints)
    return SupportRequest(aims, ClockRequest.zeros())


class Part:
    """What a part needs of the others, and gives them, see ``control.fit``."""

    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset()
    legs_taken: ClassVar[int] = 0
    """How many legs it is for; 0 for any number."""
    limps: ClassVar[bool] = False
    """Of planners and supports: whether they go on where legs are missing."""
    made_for: ClassVar[str | None] = "warp1"
    """Built-in robot whose size the default settings are for; None for settings that
    are the same at every size."""

    @cached_property
    def settings(self) -> Records[Any]:
        """Settings of its ``config`` as its kernels take them, (1,)."""
        return record_of(cast(Any, self).config)


class AbstractPilot(Part, ABC, Generic[State]):
    """Decides where the machine is told to go; made of an ``Errand``."""

    @abstractmethod
    def init(self, machine: LeggedMachine) -> State:
        """Return the state before a machine's first tick."""

    @abstractmethod
    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: State,
    ) -> tuple[Records[Travel], State]:
        """Return the command, and the next state.

        Args:
            estimate: of this tick, without a plan.
            stance: of the last tick.
            asked: at the last tick.
            state: of the last tick.
        """

    def tell(self, state: State) -> Mapping[str, float]:
        """Return what it tells of itself, by name, for the telemetry; nothing here.

        Args:
            state: after this tick.
        """
        return NOTHING


class AbstractPlanner(Part, ABC, Generic[State]):
    """Decides ahead of time when legs step, where to, and where the trunk goes."""

    @abstractmethod
    def init(self, machine: LeggedMachine) -> State:
        """Return the state before a machine's first tick."""

    @abstractmethod
    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        asked: SupportRequest,
        state: State,
    ) -> tuple[WalkingPlan, State]:
        """Return the plan in force, a new one where it is time, and the next state.

        Args:
            estimate: of this tick.
            goal: of the operator.
            stance: of the last tick, with the clock by which plans go.
            asked: at the last tick.
            state: of the last tick.
        """

    def tell(self, state: State) -> Mapping[str, float]:
        """Return what it tells of itself, by name, for the telemetry; nothing here.

        Args:
            state: after this tick.
        """
        return NOTHING


class AbstractSupport(Part, ABC, Generic[State]):
    """Decides which feet stand, and when they step."""

    @abstractmethod
    def init(self, machine: LeggedMachine) -> State:
        """Return the state before a machine's first tick."""

    @abstractmethod
    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        asked: SupportRequest,
        state: State,
    ) -> tuple[WalkingStance, State]:
        """Return who stands, and the next state."""


class AbstractMotion(Part, ABC, Generic[State]):
    """Decides where the trunk goes, and where feet belong under it."""

    @abstractmethod
    def init(self, machine: LeggedMachine) -> State:
        """Return the state before a machine's first tick."""

    @abstractmethod
    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        state: State,
    ) -> tuple[TrunkReference, State]:
        """Return the trunk's reference, and the next state."""


class AbstractBalance(Part, ABC, Generic[State]):
    """Decides what feet press with and where they step to stay upright."""

    @abstractmethod
    def init(self, machine: LeggedMachine) -> State:
        """Return the state before a machine's first tick."""

    @abstractmethod
    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: State,
    ) -> tuple[BalanceCommand, State]:
        """Return forces and shifts, and the next state."""

    def tell(self, state: State) -> Mapping[str, float]:
        """Return what it tells of itself, by name, for the telemetry; nothing here.

        Args:
            state: after this tick.
        """
        return NOTHING


class AbstractLegProgram(Part, ABC, Generic[State]):
    """Decides how feet stand and how they swing to where they belong."""

    law: LegLaw

    @cached_property
    def blank(self) -> Records[LegAim]:
        """Aims of which each tick makes the like, (nl,)."""
        return self.law.aim()

    @abstractmethod
    def init(self) -> State:
        """Return the state before a machine's first tick."""

    @abstractmethod
    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        balance: BalanceCommand,
        state: State,
    ) -> tuple[Records[LegAim], State]:
        """Return what each leg is told, and the next state."""


class AbstractReflex(Part, ABC, Generic[State]):
    """Changes what the legs are told, and may ask the support part for something."""

    @abstractmethod
    def init(self, machine: LeggedMachine) -> State:
        """Return the state before a machine's first tick."""

    @abstractmethod
    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: State,
    ) -> State:
        """Change what is ``asked``, which is this tick's own; return the next state."""

    def tell(self, state: State) -> Mapping[str, float]:
        """Return what it tells of itself, by name, for the telemetry; nothing here.

        Args:
            state: after this tick.
        """
        return NOTHING


PILOTS: Catalogue[AbstractPilot[Any]] = Catalogue("equipoise.control.pilots", "pilot")
PLANNERS: Catalogue[AbstractPlanner[Any]] = Catalogue(
    "equipoise.control.planners", "planner"
)
LEG_PROGRAMS: Catalogue[AbstractLegProgram[Any]] = Catalogue(
    "equipoise.control.legs.programs", "leg program"
)
SUPPORTS: Catalogue[AbstractSupport[Any]] = Catalogue(
    "equipoise.control.support", "support part"
)
MOTIONS: Catalogue[AbstractMotion[Any]] = Catalogue(
    "equipoise.control.motion", "motion part"
)
BALANCES: Catalogue[AbstractBalance[Any]] = Catalogue(
    "equipoise.control.balance", "balance part"
)
REFLEXES: Catalogue[AbstractReflex[Any]] = Catalogue(
    "equipoise.control.reflexes", "reflex"
)
