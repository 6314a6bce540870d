"""Walks to a place along a harmonic potential, round obstacles that feet meet.

[Ridderstrom2003] section 3.3.2: the potential of a map has no minimum but the goal, so
whoever climbs ψ arrives wherever there is a way. The map is empty at first. A foot that
something stops on its way puts an obstacle there, as wide as the machine, and the
potential is solved anew; the machine backs off a little and goes on. Headings off by
more than a threshold are turned to on the spot; else the machine walks where the way
goes without turning.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, final

import numpy as np

from equipoise.control.harmonic.field import HarmonicField, harmonic_field
from equipoise.control.harmonic.grid import WayGrid, way_grid
from equipoise.control.machine import LeggedMachine
from equipoise.control.parts import PILOTS, AbstractPilot
from equipoise.control.pilot import PilotLimits, PilotTask, approach, pilot_limits
from equipoise.control.pilots.foot_collisions import FootCollision, feel_collisions
from equipoise.control.records import Travel
from equipoise.control.signals import Estimate, SupportRequest, WalkingStance
from equipoise.core.arrays import VecN
from equipoise.core.bound import cached_dispatch
from equipoise.core.errors import ConfigError
from equipoise.core.records import Records, pooled_empty_like
from equipoise.core.setting import Setting, Settings

__all__ = ["HarmonicConfig", "HarmonicPilot", "HarmonicState"]

AHEAD = 12  # cells, within which one heads for the farthest that is in sight
NEARLY = 3.0  # cells from there, where it looks ahead again
BERTH = 1.25  # of how far feet are from the middle, by which it keeps away
LAST = 3.0  # cells from the goal, where it does not turn any more


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class HarmonicConfig(Settings):
    """Settings of the way to a goal; the defaults suit a machine of WARP1's size."""

    cell: Annotated[
        float, Setting("Edge length of the map's cells", "m", above=0.0)
    ] = 0.2
    room: Annotated[
        float, Setting("Width of the map around start and goal", "m", above=0.0)
    ] = 3.0
    share: Annotated[
        float,
        Setting(
            "Share of a gradient that keeps the way off obstacles, k",
            least=0.0,
            most=1.0,
        ),
    ] = 0.5
    near: Annotated[
        float,
        Setting("Distance from the goal at which the machine stops", "m", above=0.0),
    ] = 0.1
    swerve: Annotated[
        float,
        Setting(
            "Heading error from which the machine turns on the spot",
            "rad",
            most=math.pi,
        ),
    ] = 0.6
    straight: Annotated[
        float,
        Setting("Heading error below which it has turned enough", "rad", above=0.0),
    ] = 0.15
    turn: Annotated[
        float, Setting("Rate of a turn on the spot", "rad/s", above=0.0)
    ] = 0.3
    back: Annotated[
        float,
        Setting(
            "Distance the machine backs off from an obstacle that a foot met",
            "m",
            above=0.0,
        ),
    ] = 0.5
    tall: Annotated[
        float,
        Setting("Height above which ground on a map is an obstacle", "m", above=0.0),
    ] = 0.15
    lag: Annotated[
        float,
        Setting(
            "Lag of a foot, beyond twice the usual, above which it was stopped",
            "m",
            above=0.0,
        ),
    ] = 0.05
    stopped: Annotated[
        float, Setting("Duration for which a foot must lag", "s", above=0.0)
    ] = 0.03

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the two headings together."""
        if self.swerve < self.straight:
            yield f"swerve must be >= straight, {self.straight!r}, got {self.swerve!r}"


class HarmonicState(NamedTuple):
    """Map, way and progress of the pilot."""

    travel: Records[Travel]
    knocks: Records[FootCollision]
    """(nl,)."""
    grid: WayGrid
    field: HarmonicField
    cell: tuple[int, int] | None
    """Where the machine was when it last looked for its way."""
    heads_for: tuple[float, float] | None
    """Place that it heads for; None without a way [m]."""
    backs_from: tuple[float, float] | None
    """Where it met something, from which it backs off; None where it does not [m]."""
    turns: bool
    """Whether it turns on the spot."""
    found: int
    """How many knocks there were."""
    met: tuple[float, float, float]
    """Place of the last obstacle and how far is kept from it; nan before [m]."""
    is_there: bool
    """Whether the goal has been reached."""


@final
@PILOTS.register("harmonic")
@dataclass(frozen=True)
class HarmonicPilot(AbstractPilot[HarmonicState]):
    """Pilot to the errand's place, at the speed of its last goal."""

    errand: PilotTask
    config: HarmonicConfig = field(default_factory=HarmonicConfig)
    limits: Records[PilotLimits] = field(init=False, repr=False, compare=False)
    _approach = cached_dispatch(lambda: approach)
    _feel = cached_dispatch(lambda: feel_collisions)

    def __post_init__(self) -> None:
        if self.errand.place is None:
            problem = "pilot 'harmonic' needs a destination; give --goal X,Y"
            raise ConfigError("the controller", [problem])
        object.__setattr__(self, "limits", pilot_limits(self.errand.limits))

    def init(self, machine: LeggedMachine) -> HarmonicState:
        """Return a state at rest, nothing being known to be in the way."""
        c = self.config
        grid = way_grid(self.errand.place or (0.0, 0.0), c.cell, c.room)
        return HarmonicState(
            travel=Travel.zeros(),
            knocks=FootCollision.zeros(machine.legs),
            grid=grid,
            field=harmonic_field(grid.is_obstacle, grid.goal, c.share),
            cell=None,
            heads_for=None,
            backs_from=None,
            turns=False,
            found=0,
            met=(math.nan, math.nan, math.nan),
            is_there=False,
        )

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        asked: SupportRequest,
        state: HarmonicState,
    ) -> tuple[Records[Travel], HarmonicState]:
        """Return the command, and the next state."""
        if state.cell is None and not state.found and estimate.ground.height.size:
            state = self.knowing(estimate, state)
        knocks = pooled_empty_like(state.knocks)
        trunk, legs = estimate.trunk, estimate.legs
        stops_from = (self.config.lag, self.config.stopped)
        given = trunk, legs, stance.legs, asked.legs, stops_from, state.knocks
        if self._feel(*given, knocks):
            state = self.met(estimate, knocks, state)
        if self.looks_up(estimate, state):
            p = estimate.p_WB
            cell = state.grid.cell_of(float(p[0]), float(p[1]))
            heads_for = state.grid.next_place(state.field, cell, AHEAD)
            state = state._replace(cell=cell, heads_for=heads_for, backs_from=None)
        wanted, turns, is_there = self.wanted(estimate, state)
        travel = pooled_empty_like(state.travel)
        has_way = state.heads_for is not None or state.backs_from is not None
        walks = self.begun(estimate) and has_way and not is_there
        self._approach(trunk, wanted, walks, self.limits, state.travel, travel)
        state = state._replace(travel=travel, knocks=knocks, turns=turns)
        return travel, state._replace(is_there=is_there)

    def knowing(self, estimate: Estimate, state: HarmonicState) -> HarmonicState:
        """Return the state with what is on the map, before anything was met.

        Args:
            estimate: with the map, at the first tick.
            state: before.
        """
        grid = state.grid.mapped(estimate.ground, self.config.tall, _width_of(estimate))
        solved = harmonic_field(grid.is_obstacle, grid.goal, self.config.share)
        return state._replace(grid=grid, field=solved)

    def looks_up(self, estimate: Estimate, state: HarmonicState) -> bool:
        """Return whether it is time to look for a path.

        That is at the start, once it has backed off, and near where it headed for.

        Args:
            estimate: of this tick.
            state: before.
        """
        p, R = estimate.p_WB, estimate.R_WB
        if state.backs_from is not None:
            dx, dy = state.backs_from[0] - p[0], state.backs_from[1] - p[1]
            return bool(dx * R[0, 0] + dy * R[1, 0] > self.config.back)
        if state.cell is None or state.heads_for is None:
            return state.cell is None
        far = math.hypot(state.heads_for[0] - p[0], state.heads_for[1] - p[1])
        return far < NEARLY * self.config.cell

    def begun(self, estimate: Estimate) -> bool:
        """Return whether the operator has commanded a walk, and no stop since."""
        now, walks = float(estimate.trunk["time"][0]), False
        for goal in sorted(self.errand.goals, key=lambda goal: goal.time):
            walks = goal.walk if goal.time <= now else walks
        return walks

    @property
    def speed(self) -> float:
        """Speed at which it walks [m/s]."""
        return max(math.hypot(g.forward, g.left) for g in self.errand.goals)

    def met(
        self, estimate: Estimate, knocks: Records[FootCollision], state: HarmonicState
    ) -> HarmonicState:
        """Return the state once obstacles are put where feet were stopped.

        Args:
            estimate: of this tick.
            knocks: of the feet, (nl,).
            state: before.
        """
        legs = estimate.legs
        feet = (legs["hip"] + legs["foot"]) @ estimate.R_WB.T
        grid, wide, met = state.grid, _width_of(estimate), state.met
        for foot, knock in zip(feet[:, :2], knocks, strict=True):
            if knock.is_new > 0.0:
                ahead = np.array([math.cos(knock.heading), math.sin(knock.heading)])
                place = estimate.p_WB[:2] + foot + 0.5 * self.config.cell * ahead
                grid = grid.blocked(place, wide)
                met = float(place[0]), float(place[1]), wide
        found = state.found + int(knocks["is_new"].sum())
        solved = harmonic_field(grid.is_obstacle, grid.goal, self.config.share)
        here = float(estimate.p_WB[0]), float(estimate.p_WB[1])
        backs = state.backs_from or here
        if _hits_behind(estimate, knocks):
            backs = None  # not back into something
        state = state._replace(grid=grid, field=solved, backs_from=backs, turns=False)
        return state._replace(cell=None, found=found, met=met)

    def wanted(
        self, estimate: Estimate, state: HarmonicState
    ) -> tuple[VecN, bool, bool]:
        """Return velocities, whether it turns on the spot, and whether it is there.

        Args:
            estimate: of this tick.
            state: with the place it heads for.
        """
        out, c, p, R = np.zeros(3), self.config, estimate.p_WB, estimate.R_WB
        x, y = self.errand.place or (0.0, 0.0)
        far = math.hypot(x - p[0], y - p[1])
        if state.is_there or far < c.near:
            return out, False, True
        if state.backs_from is not None:
            out[0] = -self.speed
            return out, False, False
        if state.heads_for is None:
            return out, False, False
        dx, dy = state.heads_for[0] - p[0], state.heads_for[1] - p[1]
        off = math.atan2(dy, dx) - math.atan2(R[1, 0], R[0, 0])
        off = (off + math.pi) % (2.0 * math.pi) - math.pi
        turns = abs(off) > (c.straight if state.turns else c.swerve)
        turns = turns and self.errand.turns and far > LAST * c.cell
        if turns:
            out[2] = math.copysign(c.turn, off)
            return out, True, False
        brakes = math.sqrt(2.0 * self.errand.limits.acceleration * far)
        speed = min(self.speed, brakes)
        out[:2] = speed * math.cos(off), speed * math.sin(off)
        return out, False, False

    def tell(self, state: HarmonicState) -> Mapping[str, float]:
        """Return whether it is there, what it has met, and where it heads."""
        there = state.heads_for or (math.nan, math.nan)
        return {
            "goal_reached": float(state.is_there),
            "no_way": float(state.cell is not None and state.heads_for is None),
            "knocks": float(state.found),
            "heads_for_x": there[0],
            "heads_for_y": there[1],
            "met_x": state.met[0],
            "met_y": state.met[1],
            "met_wide": state.met[2],
        }


def _hits_behind(estimate: Estimate, knocks: Records[FootCollision]) -> bool:
    """Return whether a foot that went back was stopped just now.

    Args:
        estimate: of this tick.
        knocks: of the feet, (nl,).
    """
    R = estimate.R_WB
    off = knocks["heading"] - math.atan2(R[1, 0], R[0, 0])
    return bool(((knocks["is_new"] > 0.0) & (np.cos(off) < 0.0)).any())


def _width_of(estimate: Estimate) -> float:
    """Return how far feet are from the trunk's middle, seen from above [m]."""
    feet = estimate.legs["hip"] + estimate.legs["foot"]
    return BERTH * float(np.hypot(feet[:, 0], feet[:, 1]).max())
