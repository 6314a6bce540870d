"""A foot that finds no ground is lowered, and gives up its foothold if there is none.

Emergency actions of [Ridderstrom2003] section 3.1.1: the trunk waits while a late foot
is let down upright. If it finds nothing, or stands on an edge, its place is forbidden
and another foothold asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

from equipoise.control.kernel_reflex import KernelReflex
from equipoise.control.parts import REFLEXES
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    LegStance,
    TrunkEstimate,
)
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["SeekConfig", "SeekReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SeekConfig(Settings):
    """Settings of the search for the ground; the defaults are TITAN III's."""

    speed: Annotated[
        float, Setting("Speed at which a late foot is lowered", "m/s", above=0.0)
    ] = 0.25
    depth: Annotated[
        float,
        Setting("Largest depth below the foothold that is searched", "m", above=0.0),
    ] = 0.15
    patience: Annotated[
        float,
        Setting("Time the foot waits at that depth before it gives up", "s", above=0.0),
    ] = 0.15
    clear: Annotated[
        float,
        Setting(
            "Height above the foothold to which the foot is raised before it "
            "moves to another",
            "m",
            above=0.0,
        ),
    ] = 0.05
    edge: Annotated[
        float,
        Setting(
            "Share of a foot's contact sensors without ground that makes an edge",
            least=0.1,
            most=1.0,
        ),
    ] = 0.5
    settled: Annotated[
        float,
        Setting("Time after landing during which an edge is detected", "s", above=0.0),
    ] = 0.2


class Sought(Record):
    """State of the search of one foot."""

    stood: float = entry("for how long it has stood", "s")
    active: float = entry("1 while it searches")


@final
@REFLEXES.register("seek")
@dataclass(frozen=True)
class SeekReflex(KernelReflex[Sought]):
    """Reflex that searches for the ground and gives up bad footholds."""

    config: SeekConfig = field(default_factory=SeekConfig)
    memory: ClassVar[type[Record]] = Sought
    at_first: ClassVar[Mapping[str, float]] = {"stood": 1e3}
    _act = cached_dispatch(lambda: seek)

    def tell(self, state: Records[Sought]) -> Mapping[str, float]:
        """Return whether a foot searches."""
        return {"seek_active": float(state["active"].max())}


@compiled(allocates=False)
def seek(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[SeekConfig],
    before: Records[Sought],
    after: Records[Sought],
    aims: Records[LegAim],
) -> None:
    """Lower the aims of late feet; say which footholds are bad."""
    setting, all_stand = settings[0], True
    for leg in stance:
        all_stand = all_stand and leg.stands > 0.0
    for one in range(stance.shape[0]):
        after[one] = before[one]
        leg, aim, sought = stance[one], aims[one], after[one]
        if leg.stands == 0.0:
            sought.stood = 0.0
        elif leg.scheduled > 0.0:  # an early foot may not lift again before its time
            sought.stood += trunk[0].dt
        sought.active = 0.0
        if leg.stands == 0.0 and leg.late > 0.0:
            sought.active = 1.0
            deep, speed = _way_down(leg.late, setting)
            aim.place[2] -= deep
            aim.velocity[2] -= speed
            if deep < -setting.clear:
                aim.banned = 1.0
        is_new = 0.0 < sought.stood < setting.settled
        if is_new and all_stand and legs[one].edge >= setting.edge:
            aim.banned, sought.active = 1.0, 1.0


@compiled(allocates=False)
def _way_down(late: float, setting: SeekConfig) -> tuple[float, float]:
    """Return how far below its foothold a late foot shall be, and how fast it goes.

    Down, a while at its deepest, and up again to a little above: from there it can go
    elsewhere without hitting the walls of a hole.

    Args:
        late: for how long it has been due [s].
        setting: of the search.
    """
    down = setting.depth / setting.speed
    if late < down:
        return setting.speed * late, setting.speed
    rises = late - down - setting.patience
    if rises < 0.0:
        return setting.depth, 0.0
    return setting.depth - setting.speed * rises, -setting.speed
