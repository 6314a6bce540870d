"""Parts that a walking controller is composed of, and where they are found.

A walking controller answers four questions, [Ridderstrom2003] section 4.2: which feet
stand when (*support*), where the trunk shall go (*motion*), how it is kept upright
(*balance*), and what is done at once when something is amiss (*reflexes*). One that
looks ahead answers the first two beforehand (*planner*), and a *leg program* says how
feet get to where they belong. Before all of them a *pilot* chooses the velocity. Each
answer is a part; parts see only what is in ``control.signals``, and their state is
passed in and out.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar, cast

from equipoise.control.legs.law import LegLaw
from equipoise.control.machine import LeggedMachine
from equipoise.control.records import LegAim, Travel
from equipoise.control.signals import (
    BalanceCommand,
    Estimate,
    SupportRequest,
    TrunkReference,
    WalkingPlan,
    WalkingStance,
)
from equipoise.core.catalogue import Catalogue
from equipoise.core.records import Records, record_of

__all__ = [
    "BALANCES",
    "LEG_PROGRAMS",
    "MOTIONS",
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
]

State = TypeVar("State")
NOTHING: Mapping[str, float] = {}


class ControllerPart:
    """Base of all parts: needs and gifts, see ``control.fit``."""

    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset()
    legs_taken: ClassVar[int] = 0
    """Number of legs that it is for; 0 for any number."""
    limps: ClassVar[bool] = False
    """Whether a planner or support works if legs are missing."""
    made_for: ClassVar[str | None] = "warp1"
    """Built-in robot whose size the default settings are for; None for settings that
    are the same at every size."""

    @cached_property
    def settings(self) -> Records[Any]:
        """Settings of its ``config`` as its kernels take them, (1,)."""
        return record_of(cast(Any, self).config)


class AbstractPilot(ControllerPart, ABC, Generic[State]):
    """Decides where the machine is told to go; made of a ``PilotTask``."""

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


class AbstractPlanner(ControllerPart, ABC, Generic[State]):
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


class AbstractSupport(ControllerPart, ABC, Generic[State]):
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


class AbstractMotion(ControllerPart, ABC, Generic[State]):
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


class AbstractBalance(ControllerPart, ABC, Generic[State]):
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


class AbstractLegProgram(ControllerPart, ABC, Generic[State]):
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


class AbstractReflex(ControllerPart, ABC, Generic[State]):
    """Asks legs for something else, and the support part where it needs to."""

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
    ) -> tuple[SupportRequest, State]:
        """Return what is asked for instead, and the next state.

        Args:
            estimate: of this tick.
            stance: of this tick.
            asked: by the leg program and the reflexes before; left as it is.
            state: of the last tick.
        """

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
    "equipoise.control.leg_programs", "leg program"
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
