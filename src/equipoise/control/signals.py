"""What the parts of a walking controller tell each other.

Estimate, plan, stance, reference of the trunk and what is asked of the legs: each part
sees only these, see ``control.parts``. What they consist of, with units, is in
``control.records``.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from equipoise.control.ground_map import GroundMap, no_map
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
from equipoise.core.records import Records

__all__ = [
    "NOTHING_PLANNED",
    "NO_MAP",
    "BalanceCommand",
    "Estimate",
    "SupportRequest",
    "TrunkReference",
    "WalkingPlan",
    "WalkingStance",
    "nothing_asked",
]


@dataclass(slots=True, eq=False)
class WalkingPlan:
    """Output of the planner; a plan of no legs plans nothing."""

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
    """Estimate of the machine's own state at this tick."""

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
        """Present or last foothold of each foot in W, (nl, 3) [m]."""
        return self.legs["foothold"]


@dataclass(slots=True, eq=False)
class WalkingStance:
    """Output of the support part: which feet stand."""

    legs: Records[LegStance]
    """(nl,)."""
    clock: Records[GaitClock]
    """(1,)."""


@dataclass(slots=True, eq=False)
class TrunkReference:
    """Output of the motion part: reference of the trunk."""

    pose: Records[TrunkPose]
    """(1,)."""
    places: Array
    """Where feet shall be from the trunk as the middle of their support, (nl, 3) [m]:
    in the frame of the reference."""


@dataclass(slots=True, eq=False)
class BalanceCommand:
    """Output of the balance part: how the trunk is kept upright."""

    trunk: TrunkReference
    """The reference, corrected where the part does so."""
    legs: Records[LegBalance]
    """(nl,)."""

    @property
    def force(self) -> Array:
        """Force of each foot on the ground in B, in addition to the legs' springs."""
        return self.legs["force"]

    @property
    def shift(self) -> Array:
        """Shift of the next footholds, forward and left, (nl, 2) [m]."""
        return self.legs["shift"]


@dataclass(slots=True, eq=False)
class SupportRequest:
    """Requests of a tick that the support part receives at the next one."""

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
