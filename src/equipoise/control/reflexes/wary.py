"""On ground too soft for three feet no foot lifts: the machine waits.

How stiff the ground is under each foot, and the margin that feet on it have, are those
of ``observer.softness``. The margin is asked for the feet that stand and, while all do,
for those that will be left when the one lifts that has stood longest. Where that one is
spent no foot lifts any more until it is back: the machine waits on all feet. So it
suits gaits that lift one foot at a time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, final

from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.softness import (
    FIRMEST,
    FootSoftness,
    SoftnessConfig,
    learn_softness,
    soft_margin,
)
from equipoise.control.parts import REFLEXES, AbstractReflex
from equipoise.control.records import (
    ClockRequest,
    LegEstimate,
    LegStance,
    TrunkEstimate,
)
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, copied, entry, pooled_empty_like
from equipoise.core.setting import Setting

__all__ = ["WaryConfig", "WaryReflex", "WaryState"]

NONE = -1  # leg that lifts


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class WaryConfig(SoftnessConfig):
    """Margins at which legs wait, and how ground stiffness is learnt; for WARP1.

    The least margin may be negative: a swing is shorter than a fall, and stiffness
    is known to a fifth.
    """

    least: Annotated[
        float,
        Setting(
            "Margin of the remaining feet below which no leg lifts",
            least=-10.0,
            most=1.0,
        ),
    ] = -0.2
    enough: Annotated[
        float,
        Setting(
            "Margin of the remaining feet above which legs lift again",
            least=-10.0,
            most=1.0,
        ),
    ] = 0.5
    calm_time: Annotated[
        float,
        Setting(
            "Time constant of the low-pass of that margin while all feet stand",
            "s",
            above=0.0,
        ),
    ] = 0.5

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the two margins together."""
        if self.enough < self.least:
            yield f"enough must be >= least, {self.least!r}, got {self.enough!r}"


class Wariness(Record):
    """Remaining margin on soft ground."""

    margin: float = entry("of the feet that stand, 1 on hard ground")
    left: float = entry("without the foot that stood longest, while all stood")
    waits: float = entry("1 while no foot may lift")
    softest: float = entry("stiffness of the ground under the softest foot", "N/m")


class WaryState(NamedTuple):
    """State of the wary reflex between two ticks."""

    feet: Records[FootSoftness]
    """(nl,)."""
    whole: Records[Wariness]
    """(1,)."""


@final
@REFLEXES.register("wary")
@dataclass(frozen=True)
class WaryReflex(AbstractReflex[WaryState]):
    """Reflex that halts the gait before the margin on soft ground is spent."""

    config: WaryConfig = field(default_factory=WaryConfig)
    _learn = cached_dispatch(lambda: learn_softness)
    _wait = cached_dispatch(lambda: wait)

    def init(self, machine: LeggedMachine) -> WaryState:
        """Return a state in which the ground is taken for hard."""
        feet, whole = FootSoftness.zeros(machine.legs), Wariness.zeros()
        feet["stiffness"] = whole["softest"] = FIRMEST
        whole["margin"] = whole["left"] = 1.0
        return WaryState(feet, whole)

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: WaryState,
    ) -> tuple[SupportRequest, WaryState]:
        """Return a halt where the margin is spent, and what was learnt."""
        clock = copied(asked.clock)
        after = WaryState(pooled_empty_like(state.feet), pooled_empty_like(state.whole))
        trunk, legs, who = estimate.trunk, estimate.legs, stance.legs
        self._learn(trunk, legs, who, self.settings, state.feet, after.feet)
        self._wait(
            trunk,
            legs,
            who,
            self.settings,
            after.feet,
            state.whole,
            after.whole,
            clock,
        )
        return SupportRequest(asked.legs, clock), after

    def tell(self, state: WaryState) -> Mapping[str, float]:
        """Return the margins, the softest ground [N/m] and whether it waits."""
        one = state.whole[0]
        return {
            "soft_margin": one.margin,
            "soft_margin_left": one.left,
            "softest": one.softest,
            "waits": one.waits,
            "wary_active": float(one.waits > 0.0),
        }


@compiled(allocates=False)
def wait(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[WaryConfig],
    feet: Records[FootSoftness],
    before: Records[Wariness],
    after: Records[Wariness],
    asked: Records[ClockRequest],
) -> None:
    """Write the margins, and ask for a halt while the one to come is spent."""
    after[0] = before[0]
    now = after[0]
    now.softest, all_stand = FIRMEST, True
    for one in range(legs.shape[0]):
        now.softest = min(now.softest, feet[one].stiffness)
        all_stand = all_stand and stance[one].stands > 0.0
    now.margin = soft_margin(trunk[0], legs, stance, feet, NONE)
    if all_stand:
        left, longest = 1.0, 0.0
        for foot in feet:
            longest = max(longest, foot.stood)
        for one in range(legs.shape[0]):
            if feet[one].stood == longest:
                margin = soft_margin(trunk[0], legs, stance, feet, one)
                left = min(left, margin)
        share = trunk[0].dt / (settings[0].calm_time + trunk[0].dt)
        now.left += share * (left - now.left)
    if now.left < settings[0].least:
        now.waits = 1.0
    elif now.left > settings[0].enough:
        now.waits = 0.0
    asked[0].halt += now.waits
