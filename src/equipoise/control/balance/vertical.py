"""RALPHY's trunk controller: a wrench, whose vertical part the feet share.

What the trunk misses becomes a wrench (``forces.servo``), as on the Adaptive Suspension
Vehicle, 200 times a second. Feet share its force by a linear program that has both
sides carry alike (``forces.vertical``), [Ridderstrom2003] section 3.2.4. Moments are
not in the printed program. Here the one about the forward axis says by how much one
side shall carry more than the other, and of all that fulfil the program the loads are
taken that are nearest to the legs' force references (``forces.force_reference``),
shifted between front and rear by the other moment. A force points from the foot to its
hip.

Bounds of the program change with what happens (``forces.constraints``): a foot that
slips, a trunk that is pushed.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple, final, get_args

import numpy as np

from equipoise.control.forces.constraints import Situation, constraints
from equipoise.control.forces.force_reference import peak_for
from equipoise.control.forces.servo import ServoConfig, ServoState, servo_trunk
from equipoise.control.forces.sharing import (
    SharingLeg,
    SharingWatch,
    SituationBounds,
    VerticalConfig,
    share_trunk,
)
from equipoise.control.forces.two_step import TrunkWrench
from equipoise.control.forces.vertical import SPLIT, VerticalShare
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import BALANCES, AbstractBalance
from equipoise.control.records import LegBalance
from equipoise.control.signals import (
    BalanceCommand,
    Estimate,
    TrunkReference,
    WalkingStance,
)
from equipoise.core.arrays import Array
from equipoise.core.bound import cached_dispatch
from equipoise.core.constants import GRAVITY
from equipoise.core.records import Records, pooled_empty_like, record_of

__all__ = ["VerticalBalance", "VerticalConfig", "VerticalState"]

SITUATIONS: tuple[Situation, ...] = get_args(Situation)
"""In the order of their numbers."""


class VerticalState(NamedTuple):
    """State of RALPHY's trunk controller between two ticks."""

    servo: Records[ServoState]
    """(1,)."""
    legs: Records[LegBalance]
    """Its last answer, (nl,)."""
    feet: Records[SharingLeg]
    """How they share, (nl,)."""
    share: Records[VerticalShare]
    """What came of the last distribution, (1,)."""
    wrench: Records[TrunkWrench]
    """Last asked for, (1,)."""
    watch: Records[SharingWatch]
    """(1,)."""
    inertia: Array
    """Of the machine about its centre of mass, (3, 3) [kg m²]; never changed."""
    bounds: Records[SituationBounds]
    """In each situation; never changed."""


@final
@BALANCES.register("vertical")
@dataclass(frozen=True)
class VerticalBalance(AbstractBalance[VerticalState]):
    """Balance by foot loads from RALPHY's linear program."""

    made_for: ClassVar[str | None] = "ralphy"
    config: VerticalConfig = field(default_factory=VerticalConfig)
    _serve = cached_dispatch(lambda: servo_trunk)
    _share = cached_dispatch(lambda: share_trunk)

    @cached_property
    def servo(self) -> Records[ServoConfig]:
        """Settings of its servo, which leaves out all but height, roll and pitch."""
        c = self.config
        own = ServoConfig(
            period=c.period,
            speed=0.0,
            integral=0.0,
            most_integral=0.0,
            place=0.0,
            height=c.height,
            sink=c.sink,
            attitude=c.attitude,
            rolling=c.rolling,
            heading=0.0,
            turning=0.0,
        )
        return record_of(own)

    def init(self, machine: LeggedMachine) -> VerticalState:
        """Return a state in which nothing has been shared yet."""
        c, weight = self.config, GRAVITY * machine.mass
        bounds = SituationBounds.zeros(len(SITUATIONS))
        for one, situation in zip(bounds, SITUATIONS, strict=True):
            limits = constraints(situation, weight, machine.legs, c.period)
            one.least, one.most, one.step = limits.least, limits.most, limits.step
        watch = SharingWatch.zeros()
        watch["dip"], watch["height"] = c.dip, machine.height
        watch["full"] = peak_for(1.0 / machine.legs, weight, 1.0, c.dip)
        feet = SharingLeg.zeros(machine.legs)
        feet["side"], feet["began"], feet["scheduled"] = machine.side, math.nan, 1.0
        return VerticalState(
            ServoState.zeros(),
            LegBalance.zeros(machine.legs),
            feet,
            VerticalShare.zeros(),
            TrunkWrench.zeros(),
            watch,
            np.array(machine.turning, dtype=np.float64),
            bounds,
        )

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        trunk: TrunkReference,
        state: VerticalState,
    ) -> tuple[BalanceCommand, VerticalState]:
        """Return loads and shifts, and the next state."""
        known, inertia = estimate, state.inertia
        servo, legs, feet = (
            pooled_empty_like(state.servo),
            pooled_empty_like(state.legs),
            pooled_empty_like(state.feet),
        )
        share, wrench, watch = (
            pooled_empty_like(state.share),
            pooled_empty_like(state.wrench),
            pooled_empty_like(state.watch),
        )
        self._serve(
            known.trunk, known.legs, stance.clock, trunk.pose, (self.servo, inertia),
            (state.servo, servo), (state.wrench, wrench),
        )  # fmt: skip
        self._share(
            known.trunk,
            known.legs,
            (stance.legs, stance.clock, trunk.pose),
            (self.settings, state.bounds),
            (state.feet, feet, legs),
            (state.share, share),
            (state.watch, watch),
            (wrench, servo),
        )
        after = VerticalState(
            servo, legs, feet, share, wrench, watch, inertia, state.bounds
        )
        return BalanceCommand(trunk, legs), after

    def tell(self, state: VerticalState) -> Mapping[str, float]:
        """Return what came of the last distribution."""
        share, watch = state.share[0], state.watch[0]
        return {
            "infeasible": 1.0 if share.outcome >= SPLIT else 0.0,
            "uneven": float(share.uneven),
            "widened": float(share.widened),
            "situation": float(watch.situation),
        }
