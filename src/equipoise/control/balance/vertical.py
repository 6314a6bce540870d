"""RALPHY's trunk controller: a wrench, and feet that share its vertical part.

What the trunk misses becomes a wrench (``forces.servo``), as on the Adaptive Suspension
Vehicle, 200 times a second. Feet share its force by a linear program that has both
sides carry alike (``forces.vertical``), [Ridderstrom2003] section 3.2.4. Moments are
not in the printed program. Here the one about the forward axis says by how much one
side shall carry more than the other, and of all that fulfil the program the loads are
taken that are nearest to the legs' force references (``legs.force_reference``), shifted
between front and rear by the other moment. A force points from the foot to its hip.

Bounds of the program change with what happens (``forces.constraints``): a foot that
slips, a trunk that is pushed.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, final, get_args

from equipoise.control.forces.constraints import Situation, constraints
from equipoise.control.forces.servo import ServoState, serve
from equipoise.control.forces.sharing import (
    SharingGains,
    SharingLeg,
    SharingWatch,
    SituationBounds,
    share_trunk,
)
from equipoise.control.forces.two_step import TrunkWrench
from equipoise.control.forces.vertical import SPLIT, VerticalShare
from equipoise.control.legs.force_reference import peak_for
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import (
    BALANCES,
    AbstractBalance,
    BalanceCommand,
    Estimate,
    TrunkReference,
    WalkingStance,
)
from equipoise.control.records import LegBalance
from equipoise.core.bound import settled
from equipoise.core.checks import expect_positive
from equipoise.core.constants import GRAVITY
from equipoise.core.records import Records, room_like

__all__ = ["VerticalBalance", "VerticalConfig", "VerticalState"]

SITUATIONS: tuple[Situation, ...] = get_args(Situation)
"""In the order of their numbers."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class VerticalConfig:
    """Gains of the trunk controller and shape of the forces; defaults are RALPHY's.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    period: float = 0.005
    """Between distributions [s]."""
    height: float = 100.0
    """Acceleration per height that is missing [1/s²]."""
    sink: float = 15.0
    """And per upright velocity [1/s]."""
    attitude: float = 300.0
    """Angular acceleration per roll and pitch that is missing [1/s²]."""
    rolling: float = 30.0
    """And per their rates [1/s]."""
    dip: float = 0.2
    """q, of the force reference's third harmonic."""
    take_on: float = 0.02
    """Time in which a foot that begins to stand may be loaded fully [s]."""
    ease: float = 0.02
    """And before its lift-off, in which it is unloaded [s]."""
    slipping: float = 0.3
    """Speed of a standing foot over the ground from which it slips [m/s]."""
    pushed: float = 0.3
    """Speed that the trunk is off by, level, from which it was pushed [m/s]."""
    step_out: float = 0.05
    """Shift of the next foothold per velocity that is too much [s]."""
    reach: float = 0.05
    """Largest shift [m]."""
    rock: float = 0.0
    """Share of its load that a foot hands to and fro between the diagonals while the
    machine stands: a trial of how well legs track forces."""
    rock_time: float = 0.5
    """In which it does so once [s]."""

    def __post_init__(self) -> None:
        expect_positive(self, *self.__slots__, zero=True)


class VerticalState(NamedTuple):
    """What the part carries from tick to tick."""

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
    gains: Records[SharingGains]
    """With what is the machine's own, (1,); never changed."""
    bounds: Records[SituationBounds]
    """In each situation; never changed."""


@final
@BALANCES.register("vertical")
@dataclass(frozen=True)
class VerticalBalance(AbstractBalance[VerticalState]):
    """Loads of standing feet by RALPHY's linear program."""

    config: VerticalConfig = field(default_factory=VerticalConfig)
    _serve = settled(lambda: serve)
    _share = settled(lambda: share_trunk)

    def init(self, machine: LeggedMachine) -> VerticalState:
        """Return a state in which nothing has been shared yet."""
        c, gains, weight = (
            self.config,
            SharingGains.zeros(),
            GRAVITY * machine.mass,
        )
        for name in c.__slots__:
            if name in SharingGains.entries:
                gains[name] = getattr(c, name)
        gains[0].inertia[:] = machine.turning
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
            gains,
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
        known, gains = estimate, state.gains
        servo, legs, feet = (
            room_like(state.servo),
            room_like(state.legs),
            room_like(state.feet),
        )
        share, wrench, watch = (
            room_like(state.share),
            room_like(state.wrench),
            room_like(state.watch),
        )
        self._serve(
            known.trunk, known.legs, stance.clock, trunk.pose, gains,
            (state.servo, servo), (state.wrench, wrench),
        )  # fmt: skip
        self._share(
            known.trunk,
            known.legs,
            (stance.legs, stance.clock, trunk.pose),
            (gains, state.bounds),
            (state.feet, feet, legs),
            (state.share, share),
            (state.watch, watch),
            (wrench, servo),
        )
        after = VerticalState(
            servo, legs, feet, share, wrench, watch, gains, state.bounds
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
