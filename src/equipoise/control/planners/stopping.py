"""A plan is in force at every moment, and every plan ends at rest.

The Adaptive Suspension Vehicle's trunk planner, [Ridderstrom2003] section 3.2.2: ten
times a second a way is proposed that goes towards the command for half a second and
then stops. It is tried on a point model (``planners.point_model``); where it cannot be,
a weaker acceleration is. Where none can, the last plan is carried on, and comes to its
second half: the machine stops. It goes by the operator's mode (``control.modes``), and
in close manoeuvring the command is first limited to what legs can keep up with.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, final

import numpy as np

from equipoise.control.forces.two_step import FootForce, ForceMiss, TrunkWrench
from equipoise.control.gaits.named import named_gait
from equipoise.control.machine import LeggedMachine
from equipoise.control.modes import (
    FREE_MODES,
    expect_mode,
)
from equipoise.control.parts import (
    NOTHING_PLANNED,
    PLANNERS,
    AbstractPlanner,
    Estimate,
    SupportRequest,
    WalkingPlan,
    WalkingStance,
)
from equipoise.control.planners.leg_limits import LegLimits, leg_limits
from equipoise.control.planners.point_model import (
    PointLeg,
    StopPlan,
)
from equipoise.control.planners.proposals import (
    PlanningRoom,
    StoppingMemory,
    StoppingSettings,
    plan_on,
)
from equipoise.control.records import (
    Travel,
)
from equipoise.core.bound import settled
from equipoise.core.checks import expect_positive, expect_within
from equipoise.core.records import Records, room_like

__all__ = ["StoppingConfig", "StoppingPlanner", "StoppingState"]

TRAVEL = Travel.zeros()  # whose like is made at every tick


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class StoppingConfig:
    """Of the plans; defaults are the ASV's.

    Raises:
        ConfigError: a number that is not positive, or a gait that is not known.
        UnknownNameError: no such mode.
    """

    mode: str = "tripod"
    """That the operator wants, of ``control.modes.MODES``."""
    gait: str = "tripod"
    """By which legs step."""
    duty: float | None = None
    """Share of a cycle for which a leg stands; None for the gait's own."""
    cycle: float = 1.0
    """Of the gait [s]."""
    swing: float = 0.6
    """Duration of a swing where legs step freely, not by the clock [s]."""
    patience: float = 0.6
    """Share of its time that a leg may have left to be lifted then."""
    period: float = 0.1
    """Between plans [s]."""
    segment: float = 0.5
    """Duration of a plan's first segment [s]."""
    sample: float = 0.05
    """Between samples of the point model [s]."""
    acceleration: float = 1.0
    """Towards the command [m/s²]."""
    turn_acceleration: float = 0.3
    """And of the turn [rad/s²]."""
    stop: float = 1.0
    """Deceleration of the second segment [m/s²]."""
    turn_stop: float = 0.3
    """And of the turn [rad/s²]."""
    margin: float = 0.1
    """At rest, at least [m]."""
    friction: float = 0.55
    """That feet are trusted to have."""
    most: float = 0.9
    """Share of the weight that a foot carries at most."""
    short: float = 0.05
    """Share of the weight by which planned forces may fall short."""
    tilt_rate: float = 0.15
    """That missing moments may leave before the servo takes it out [rad/s]."""
    workspace: float = 0.97
    """Share of a leg's reach that plans use."""
    slack: float = 0.05
    """By which a foot that stands may be beyond it [m]."""
    keeps_margin: bool = False
    """Whether the margin is kept on the way, too: no strides beyond static balance."""
    is_limited: bool = True
    """Whether the command is limited to what legs can keep up with."""
    settle: float = 1.0
    """For how long it steps on the spot before it rests [s]."""

    def __post_init__(self) -> None:
        names = [n for n in self.__slots__ if n not in ("mode", "gait", "duty")]
        names = [n for n in names if n not in ("is_limited", "keeps_margin")]
        expect_positive(self, *names)
        expect_within(self, "workspace", 0.1, 1.0)
        expect_mode(self.mode)


class StoppingState(NamedTuple):
    """What the planner carries from tick to tick."""

    plan: Records[StopPlan]
    """In force, (1,)."""
    memory: Records[StoppingMemory]
    """(1,)."""
    settings: Records[StoppingSettings]
    """With what is the machine's own, (1,); never changed."""
    limits: Records[LegLimits]
    """Of the legs, (nl,); never changed."""


@final
@PLANNERS.register("stopping")
@dataclass(frozen=True)
class StoppingPlanner(AbstractPlanner[StoppingState]):
    """Grants velocities that it can stop from; its state is the plan in force."""

    gives: ClassVar[frozenset[str]] = frozenset()
    config: StoppingConfig = field(default_factory=StoppingConfig)
    _plan = settled(lambda: plan_on)

    def init(self, machine: LeggedMachine) -> StoppingState:
        """Return a plan to rest, made at the start."""
        c, settings = self.config, StoppingSettings.zeros()
        one = settings[0]
        for name in StoppingSettings.entries:
            if name in c.__slots__ and name != "mode":
                settings[name] = getattr(c, name)
        one.mode, one.dt = expect_mode(c.mode), c.sample
        one.is_free = 1.0 if c.mode in FREE_MODES else 0.0
        one.stays = 1.0 if c.mode == "precision" else 0.0
        one.inertia[:] = machine.turning
        plan = StopPlan.zeros()
        plan["lasts"], plan["stops"], plan["spins_down"] = (
            c.segment,
            c.stop,
            c.turn_stop,
        )
        gait = named_gait(c.gait, machine.legs, c.duty)
        limits = leg_limits(machine, gait, c.workspace)
        return StoppingState(plan, StoppingMemory.zeros(), settings, limits)

    def step(
        self,
        estimate: Estimate,
        goal: Records[Travel],
        stance: WalkingStance,
        asked: SupportRequest,
        state: StoppingState,
    ) -> tuple[WalkingPlan, StoppingState]:
        """Return what is granted, and the next state."""
        plan, memory, travel = (
            room_like(state.plan),
            room_like(state.memory),
            room_like(TRAVEL),
        )
        self._plan(
            (estimate.trunk, estimate.legs),
            (stance.legs, stance.clock),
            goal,
            (state.settings, state.limits),
            (state.plan, state.memory),
            (plan, memory),
            planning_room(len(stance.legs)),
            travel,
        )
        nothing = NOTHING_PLANNED
        return (
            WalkingPlan(nothing.legs, nothing.trunk, travel),
            StoppingState(plan, memory, state.settings, state.limits),
        )

    def tell(self, state: StoppingState) -> Mapping[str, float]:
        """Return the plan's age, whether it can stop, and how often it had to."""
        memory = state.memory[0]
        return {
            "plan_age": float(memory.time - state.plan[0].made),
            "stop_armed": 1.0,
            "stops_executed": float(memory.stops),
            "plan_made": float(memory.tried - memory.refused),
            "plan_failed": float(memory.refused),
            "plan_shrunk": float(memory.shrunk),
            "plan_reason": float(memory.reason),
            "mode": float(memory.mode),
        }


def planning_room(legs: int) -> PlanningRoom:
    """Return memory in which plans are tried; what was in it does not count.

    Args:
        legs: how many the machine has.
    """
    if legs not in _ROOMS:
        _ROOMS[legs] = PlanningRoom(
            PointLeg.zeros(legs),
            FootForce.zeros(legs),
            np.zeros((legs, 2)),
            TrunkWrench.zeros(),
            ForceMiss.zeros(),
        )
    return _ROOMS[legs]


_ROOMS: dict[int, PlanningRoom] = {}
