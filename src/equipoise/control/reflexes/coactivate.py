"""A stance leg stiffens if a neighbour meets more resistance: Cruse's rule 5a.

[Ridderstrom2003] section 3.4.1 names it and says that it was never simulated. Here a
leg's resistance is the force with which the ground holds its foot back against the way
the trunk goes, and its usual one the mean over a while; what a standing leg is told to
do is done with gains that are higher by a share of what its neighbours meet beyond
theirs. Legs come in pairs, left before right.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, final

from equipoise.control.kernel_reflex import KernelReflex
from equipoise.control.parts import REFLEXES
from equipoise.control.records import LegAim, LegEstimate, LegStance, TrunkEstimate
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.arrays import Ints
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["CoactivateConfig", "CoactivateReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class CoactivateConfig(Settings):
    """Settings of the added push of legs; defaults are the TUM hexapod's."""

    gain: Annotated[
        float,
        Setting(
            "Gain added per share of resistance that a neighbour meets in excess",
            least=0.0,
        ),
    ] = 0.2
    time: Annotated[
        float,
        Setting(
            "Time constant of the mean that is a leg's usual resistance", "s", above=0.0
        ),
    ] = 1.0
    least: Annotated[
        float, Setting("Smallest usual resistance that is used", "N", above=0.0)
    ] = 10.0
    most: Annotated[
        float, Setting("Largest share by which gains are raised", least=0.0)
    ] = 1.0


class Resistance(Record):
    """Resistance that one leg meets."""

    met: float = entry("now; 0 in the air", "N")
    usual: float = entry("mean while it stands", "N")
    raised: float = entry("share by which its gains are")


@final
@REFLEXES.register("coactivate")
@dataclass(frozen=True)
class CoactivateReflex(KernelReflex[Resistance]):
    """Reflex that stiffens standing legs whose neighbours meet resistance."""

    made_for: ClassVar[str | None] = "tum"
    config: CoactivateConfig = field(default_factory=CoactivateConfig)
    memory: ClassVar[type[Record]] = Resistance
    _act = cached_dispatch(lambda: coactivate)

    def also(
        self, estimate: Estimate, stance: WalkingStance, asked: SupportRequest
    ) -> tuple[Any, ...]:
        """Return the places of the legs."""
        return (estimate.machine.places,)

    def tell(self, state: Records[Resistance]) -> Mapping[str, float]:
        """Return whether a leg pushes harder."""
        return {"coactivate_active": float(state["raised"].max() > 0.0)}


@compiled(allocates=False)
def coactivate(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[CoactivateConfig],
    before: Records[Resistance],
    after: Records[Resistance],
    aims: Records[LegAim],
    places: Ints,
) -> None:
    """Note what each leg meets, and raise its neighbours' gains; see the class."""
    setting, R, v = settings[0], trunk[0].R_WB, trunk[0].v_WB
    share = trunk[0].dt / (setting.time + trunk[0].dt)
    speed = max(math.sqrt(v[0] * v[0] + v[1] * v[1]), 1e-9)
    for one in range(legs.shape[0]):
        after[one] = before[one]
        own, f = after[one], legs[one].force
        own.met, own.raised = 0.0, 0.0
        if stance[one].stands == 0.0 or not math.isfinite(f[0] + f[1] + f[2]):
            continue
        for i in range(2):
            along = R[i, 0] * f[0] + R[i, 1] * f[1] + R[i, 2] * f[2]
            own.met -= along * v[i] / speed
        own.met = max(own.met, 0.0)
        own.usual += share * (own.met - own.usual)
    for one in range(legs.shape[0]):
        if stance[one].stands == 0.0:
            continue
        raised = 0.0
        for other in range(legs.shape[0]):
            if _is_next(places[one], places[other]):
                usual = max(after[other].usual, setting.least)
                raised = max(raised, (after[other].met - usual) / usual)
        raised = min(setting.gain * raised, setting.most)
        after[one].raised = raised
        for i in range(3):
            aims[one].stiffness[i] *= 1.0 + raised
            aims[one].damping[i] *= 1.0 + raised
        for j in range(aims[one].servo.shape[0]):
            aims[one].servo[j] *= 1.0 + raised


@compiled(allocates=False)
def _is_next(one: int, other: int) -> bool:
    """Return whether two places are beside, before or behind each other."""
    return other == one ^ 1 or other == one - 2 or other == one + 2
