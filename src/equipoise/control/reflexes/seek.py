"""A foot that finds no ground is lowered, and gives its foothold up if there is none.

Emergency actions of [Ridderstrom2003] section 3.1.1: the trunk waits while a late foot
is let down upright. If it finds nothing, or stands on an edge, its place is forbidden
and another foothold asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import (
    REFLEXES,
    AbstractReflex,
    Estimate,
    SupportRequest,
    WalkingStance,
)
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    LegStance,
    TrunkEstimate,
)
from equipoise.core.bound import settled
from equipoise.core.checks import expect_positive, expect_within
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry, room_like

__all__ = ["SeekConfig", "SeekReflex"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class SeekConfig:
    """How a foot searches; defaults are TITAN III's.

    Raises:
        ConfigError: a number that is not positive, or a share that is none.
    """

    speed: float = 0.25
    """Downwards [m/s]."""
    depth: float = 0.15
    """Farthest below its foothold [m]."""
    patience: float = 0.15
    """For which it waits there before it gives up [s]."""
    clear: float = 0.05
    """Above its foothold to which it is lifted again before it goes elsewhere [m]."""
    edge: float = 0.5
    """Share of the contacts round a foot without ground from which it stands on an
    edge."""
    settled: float = 0.2
    """After landing within which an edge counts [s]."""

    def __post_init__(self) -> None:
        expect_positive(self, "speed", "depth", "patience", "clear", "settled")
        expect_within(self, "edge", 0.1, 1.0)


class SeekSettings(Record):
    """The settings as the kernel takes them; see ``SeekConfig``."""

    speed: float = entry("downwards", "m/s")
    depth: float = entry("farthest below its foothold", "m")
    patience: float = entry("for which it waits there before it gives up", "s")
    clear: float = entry("above its foothold before it goes elsewhere", "m")
    edge: float = entry("share of contacts without ground from which it is an edge")
    settled: float = entry("after landing within which an edge counts", "s")


class Sought(Record):
    """How the search of one foot goes."""

    stood: float = entry("for how long it has stood", "s")
    active: float = entry("1 while it searches")


@final
@REFLEXES.register("seek")
@dataclass(frozen=True)
class SeekReflex(AbstractReflex[Records[Sought]]):
    """Lowers late feet; forbids footholds; its state is how long feet stand."""

    config: SeekConfig = field(default_factory=SeekConfig)
    settings: Records[SeekSettings] = field(init=False, repr=False, compare=False)
    _seek = settled(lambda: seek)

    def __post_init__(self) -> None:
        settings = SeekSettings.zeros()
        for name in SeekSettings.entries:
            settings[name] = getattr(self.config, name)
        object.__setattr__(self, "settings", settings)

    def init(self, machine: LeggedMachine) -> Records[Sought]:
        """Return a state in which all feet have stood for long."""
        state = Sought.zeros(machine.legs)
        state["stood"] = 1e3
        return state

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: Records[Sought],
    ) -> Records[Sought]:
        """Lower late feet, forbid what they do not find; return the next state."""
        after = room_like(state)
        self._seek(
            estimate.trunk,
            estimate.legs,
            stance.legs,
            self.settings,
            state,
            after,
            asked.legs,
        )
        return after

    def tell(self, state: Records[Sought]) -> Mapping[str, float]:
        """Return whether a foot searches."""
        return {"seek_active": float(state["active"].max())}


@compiled(allocates=False)
def seek(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    settings: Records[SeekSettings],
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
def _way_down(late: float, setting: SeekSettings) -> tuple[float, float]:
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
