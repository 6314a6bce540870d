"""TUM's state machines: a leg stands, is lifted, moves forward, and is lowered.

The hexapod of TU Munich steps by the same rules between its legs as Walknet, but each
leg is a state machine of four phases, not nets of two [Ridderstrom2003] section 3.4. A
leg goes from one phase to the next by its own foot alone: lifted high enough, over its
foothold, on the ground (which the support part says). Who is held up on its way forward
is lifted anew from a little farther back, higher than before: retract-and-elevate.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, final

from equipoise.control.legs.law import LegLaw, LegLawConfig
from equipoise.control.legs.stepping import (
    aim_standing,
    hold_by_spring,
    seen_at_landing,
)
from equipoise.control.legs.swing import Swing
from equipoise.control.parts import LEG_PROGRAMS, AbstractLegProgram
from equipoise.control.records import (
    LegAim,
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkPose,
)
from equipoise.control.signals import BalanceCommand, Estimate, WalkingStance
from equipoise.core.arrays import Array, Vec3
from equipoise.core.bound import cached_dispatch
from equipoise.core.jit import compiled
from equipoise.core.records import Records, entry, pooled_empty_like
from equipoise.core.setting import Setting, Settings

__all__ = ["PhasesConfig", "PhasesProgram"]

STANCE, UP, FORWARD, DOWN = 0.0, 1.0, 2.0, 3.0
ENOUGH = 0.7  # of its lift from which on a foot goes forward


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class PhasesConfig(Settings):
    """Settings of a leg's four phases; the defaults are the TUM hexapod's."""

    lift: Annotated[
        float,
        Setting(
            "Height of a foot over the place where it left the ground", "m", above=0.0
        ),
    ] = 0.05
    up: Annotated[
        float, Setting("Speed at which the foot is lifted", "m/s", above=0.0)
    ] = 0.8
    forward: Annotated[
        float, Setting("Speed of the foot towards its foothold", "m/s", above=0.0)
    ] = 1.2
    down: Annotated[
        float, Setting("Speed at which the foot is lowered", "m/s", above=0.0)
    ] = 0.5
    rate: Annotated[
        float,
        Setting(
            "Rate at which the foot slows down before it arrives", "1/s", above=0.0
        ),
    ] = 25.0
    near: Annotated[
        float,
        Setting(
            "Horizontal distance from the foothold within which the foot is lowered",
            "m",
            above=0.0,
        ),
    ] = 0.02
    press: Annotated[
        float,
        Setting(
            "Largest depth below the foothold to which the foot is lowered",
            "m",
            above=0.0,
        ),
    ] = 0.03
    lag: Annotated[
        float,
        Setting(
            "Lag of the foot behind its trajectory from which it is held up",
            "m",
            above=0.0,
        ),
    ] = 0.04
    patience: Annotated[
        float, Setting("Duration for which the foot must lag", "s", above=0.0)
    ] = 0.02
    back: Annotated[
        float, Setting("Distance the foot then retracts", "m", above=0.0)
    ] = 0.04
    higher: Annotated[
        float, Setting("Height the foot is then raised", "m", above=0.0)
    ] = 0.1
    steady: Annotated[
        tuple[float, float, float],
        Setting(
            "Damping of the trunk by each standing foot along x, y and z of B", "N s/m"
        ),
    ] = (0.0, 0.0, 0.0)


class PhaseLeg(Swing):
    """State of one leg's state machine."""

    phase: float = entry("0 stance, 1 up, 2 forward, 3 down")
    at: Vec3 = entry("where it is told to be, from its hip", "m", 3)
    level: float = entry("up to which it is lifted, from its hip", "m")
    retreat: Vec3 = entry("where it is lifted, from its hip", "m", 3)
    held: float = entry("for how long it has been held up", "s")


@final
@LEG_PROGRAMS.register("phases")
@dataclass(frozen=True, eq=False)
class PhasesProgram(AbstractLegProgram[Records[PhaseLeg]]):
    """Leg program by a state machine of four phases."""

    law: LegLaw
    made_for: ClassVar[str | None] = "tum"
    config: PhasesConfig = field(default_factory=PhasesConfig)
    _aim_standing = cached_dispatch(lambda: aim_standing)
    _swing = cached_dispatch(lambda: swing_by_phases)

    def init(self) -> Records[PhaseLeg]:
        """Return a state in which all feet stand, (nl,)."""
        state = PhaseLeg.zeros(len(self.law.build))
        state["stood"] = 1.0
        return state

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        balance: BalanceCommand,
        state: Records[PhaseLeg],
    ) -> tuple[Records[LegAim], Records[PhaseLeg]]:
        """Return what each leg is told, and the next state."""
        after, aim = pooled_empty_like(state), pooled_empty_like(self.blank)
        trunk, legs, told = estimate.trunk, estimate.legs, balance.trunk
        self._aim_standing(
            trunk,
            legs,
            stance.legs,
            told.pose,
            balance.legs,
            (True, self.config.steady),
            (state, after),
            aim,
        )
        self._swing(
            (float(trunk["dt"][0]), self.settings, self.law.settings),
            legs,
            stance.legs,
            told.pose,
            told.places,
            balance.legs,
            after,
            aim,
        )
        return aim, after


@compiled(allocates=False)
def swing_by_phases(
    known: tuple[float, Records[PhasesConfig], Records[LegLawConfig]],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    poses: Records[TrunkPose],
    places: Array,
    balance: Records[LegBalance],
    states: Records[PhaseLeg],
    aims: Records[LegAim],
) -> None:
    """Let feet in the air go through their phases.

    Args:
        known: control period, and settings of swings and of springs.
        legs: what is known of them, (nl,).
        stance: who stands, (nl,).
        poses: the trunk's reference, (1,).
        places: where feet belong amid their support, (nl, 3).
        balance: shifts of footholds and shares of springs, (nl,).
        states: of the machines, (nl,); advanced.
        aims: what legs are told, (nl,); overwritten for those in the air.
    """
    (dt, settings, law), pose = known, poses[0]
    c, s = math.cos(pose.rpy_WB[2]), math.sin(pose.rpy_WB[2])
    vx, vy = c * pose.path[0] + s * pose.path[1], c * pose.path[1] - s * pose.path[0]
    for one in range(legs.shape[0]):
        leg, aim, state, place = legs[one], aims[one], states[one], places[one]
        stands = stance[one].stands > 0.0
        hold_by_spring(law[0], stands, balance[one], aim)
        if stands:
            state.phase = STANCE
            continue
        half, shift = 0.5 * stance[one].support, balance[one].shift
        told = seen_at_landing(stance[one], pose)
        goal = (
            place[0] + half * (vx - pose.yaw_rate * place[1]) + shift[0],
            place[1] + half * (vy + pose.yaw_rate * place[0]) + shift[1],
            place[2],
        )
        for i in range(3):
            to = told[i] if math.isfinite(told[i]) else goal[i]
            aim.landing[i] = to - leg.hip[i]
        if state.phase == STANCE:
            _lift_off(leg, settings[0].lift, 0.0, aim, state)
        _change_phase(dt, leg, settings[0], aim, state)
        _move_on(dt, leg, settings[0], aim, state)


@compiled(allocates=False)
def _lift_off(
    leg: LegEstimate, lift: float, back: float, aim: LegAim, state: PhaseLeg
) -> None:
    """Begin to lift a foot where it is, or a little farther back."""
    x, y = aim.landing[0] - leg.foot[0], aim.landing[1] - leg.foot[1]
    far = max(math.hypot(x, y), 1e-6)
    state.phase, state.held, state.level = UP, 0.0, leg.foot[2] + lift
    state.retreat[0] = leg.foot[0] - back * x / far
    state.retreat[1] = leg.foot[1] - back * y / far
    for i in range(3):
        state.at[i] = leg.foot[i]


@compiled(allocates=False)
def _change_phase(
    dt: float, leg: LegEstimate, setting: PhasesConfig, aim: LegAim, state: PhaseLeg
) -> None:
    """Go on to the next phase, or back to the lift where the foot is held up."""
    x, y = aim.landing[0] - leg.foot[0], aim.landing[1] - leg.foot[1]
    far, aim.banned = max(math.hypot(x, y), 1e-6), 0.0
    if state.phase == UP:
        missing = (1.0 - ENOUGH) * setting.lift
        if leg.foot[2] > state.level - missing:
            state.phase = FORWARD
    elif state.phase == FORWARD:
        lag = (state.at[0] - leg.foot[0]) * x + (state.at[1] - leg.foot[1]) * y
        state.held = state.held + dt if lag / far > setting.lag else 0.0
        if far < setting.near:
            state.phase = DOWN
        elif state.held > setting.patience:
            _lift_off(leg, setting.higher, setting.back, aim, state)
    if state.phase != DOWN:
        aim.banned = 1.0  # it is not over its foothold


@compiled(allocates=False)
def _move_on(
    dt: float, leg: LegEstimate, setting: PhasesConfig, aim: LegAim, state: PhaseLeg
) -> None:
    """Move a foot's aim as its phase has it."""
    to = aim.landing
    if state.phase == UP:
        to = state.retreat
    x, y = to[0] - state.at[0], to[1] - state.at[1]
    far = max(math.hypot(x, y), 1e-6)
    pace = min(setting.forward, setting.rate * far) / far
    rise = min(setting.rate * (state.level - state.at[2]), setting.up)
    if state.phase == DOWN:
        deep = aim.landing[2] - setting.press - state.at[2]
        rise = max(setting.rate * deep, -setting.down)
    v, most = (pace * x, pace * y, max(rise, -setting.down)), 1.5 * setting.lag
    for i in range(3):
        state.at[i] += v[i] * dt
        off = state.at[i] - leg.foot[i]
        state.at[i] = leg.foot[i] + min(max(off, -most), most)
        aim.place[i], aim.velocity[i] = state.at[i], v[i]
