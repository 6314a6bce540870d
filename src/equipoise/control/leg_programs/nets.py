"""Walknet's nets: joint speeds of a leg from its own joints alone.

[Ridderstrom2003] section 3.4.1. What a leg is told by others is when to lift (support
part ``cruse``) and, from above, how fast the trunk shall go and turn, and how fast it
turns, which is a sensor of the trunk. All else it reads from its own joints: the stance
net feeds their speeds back, the height net keeps it from sinking, the swing net takes
it to its target. There is no balance part in this; whoever stands keeps its height.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, NamedTuple, final

from equipoise.control.legs.law import LegLaw
from equipoise.control.parts import LEG_PROGRAMS, AbstractLegProgram
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.control.signals import BalanceCommand, Estimate, WalkingStance
from equipoise.control.walknet.fitted import NetWeights, fitted_nets
from equipoise.control.walknet.stance import NetLeg, go_along, hip_height, lead_foot
from equipoise.control.walknet.swing import SwingNetConfig, begin_swing, swing_on
from equipoise.core.bound import cached_dispatch
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Records, pooled_empty_like
from equipoise.core.setting import Setting

__all__ = ["NetsConfig", "NetsProgram", "NetsState"]

FEEDBACK = 0  # place of "feedback" among the choices of a stance


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class NetsConfig(SwingNetConfig):
    """Settings of the nets and servos of a leg; the defaults are the TUM hexapod's."""

    stance: Annotated[
        Literal["feedback", "ik"],
        Setting(
            "How standing legs move: fed back from their own joints, or by "
            "inverse kinematics"
        ),
    ] = "feedback"
    servo: Annotated[
        float,
        Setting(
            "Rate at which joints of a swinging leg reach the commanded speed",
            "1/s",
            above=0.0,
        ),
    ] = 100.0
    firm: Annotated[
        float,
        Setting(
            "Rate at which joints of a standing leg reach the commanded speed",
            "1/s",
            above=0.0,
        ),
    ] = 300.0
    most_heading: Annotated[
        float, Setting("Largest heading error that counts", "rad", least=0.0)
    ] = 0.3
    offset: Annotated[
        float,
        Setting(
            "Distance of a following foot behind that of the leg ahead", "m", least=0.0
        ),
    ] = 0.01


class NetsState(NamedTuple):
    """State of the nets between two ticks."""

    legs: Records[NetLeg]
    """(nl,)."""
    nets: Records[NetWeights]
    """Fitted at the first tick, (nl,); empty before."""


@final
@LEG_PROGRAMS.register("nets")
@dataclass(frozen=True, eq=False)
class NetsProgram(AbstractLegProgram[NetsState]):
    """Leg program that commands joint speeds by Walknet's nets."""

    law: LegLaw
    made_for: ClassVar[str | None] = "tum"
    config: NetsConfig = field(default_factory=NetsConfig)
    _run = cached_dispatch(lambda: _run_nets)

    def __post_init__(self) -> None:
        if self.law.joints != 3:
            problem = f"it is for legs of 3 joints, got {self.law.joints}"
            raise ConfigError("leg program 'nets'", [problem])

    def init(self) -> NetsState:
        """Return a state in which all feet stand and no net is fitted yet."""
        legs = NetLeg.zeros(len(self.law.build), joints=3)
        legs["stood"] = 1.0
        return NetsState(legs, NetWeights.zeros(0, joints=3))

    def step(
        self,
        estimate: Estimate,
        stance: WalkingStance,
        balance: BalanceCommand,
        state: NetsState,
    ) -> tuple[Records[LegAim], NetsState]:
        """Return what each leg is told, and the next state."""
        before, nets = state
        if len(nets) == 0:
            nets = fitted_nets(estimate.machine, self.config.offset)
            before = before.copy()
            before["held"] = estimate.legs["q"]
            before["place"] = estimate.legs["foot"]
        after, aim = pooled_empty_like(before), pooled_empty_like(self.blank)
        self._run(
            estimate.trunk,
            estimate.legs,
            stance.legs,
            estimate.plan.travel,
            nets,
            self.settings,
            (before, after),
            aim,
        )
        return aim, NetsState(after, nets)


@compiled(allocates=False)
def _run_nets(
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
    stance: Records[LegStance],
    goal: Records[Travel],
    nets: Records[NetWeights],
    settings: Records[NetsConfig],
    states: tuple[Records[NetLeg], Records[NetLeg]],
    aims: Records[LegAim],
) -> None:
    """Run all legs' nets; each reads its own leg, and of the trunk what is wanted."""
    setting, dt, (before, after) = settings[0], trunk[0].dt, states
    v, walks = goal[0].velocity, goal[0].walks > 0.0
    for one in range(legs.shape[0]):
        after[one] = before[one]
        leg, state, own, aim = legs[one], after[one], nets[one], aims[one]
        stands = stance[one].stands > 0.0
        _blank_aim(leg, own, setting.firm if stands else setting.servo, aim)
        for j in range(3):
            share = dt / (setting.filter_time + dt)
            state.rate[j] += share * (leg.v[j] - state.rate[j])
            if stands and state.stood == 0.0:
                state.rate[j] = 0.0  # a swing's speeds are not the trunk's
        turn = _missing_turn(trunk[0], v[2] if walks else 0.0, setting, state)
        x, y = leg.hip[0] + leg.foot[0], leg.hip[1] + leg.foot[1]
        vx, vy = v[0] - v[2] * y, v[1] + v[2] * x
        speed = math.hypot(vx, vy)
        way = (vx / speed, vy / speed) if speed > 1e-9 else (0.0, 0.0)
        if not stands:
            if state.stood > 0.0:
                before_it = legs[own.before if own.before >= 0 else one]
                begin_swing(leg, before_it, own, way, setting, state)
            swing_on(leg, stance[one], own, setting, dt, state, aim)
        elif not walks:
            _rest(leg, own, trunk[0].height, setting, state, aim)
        elif int(setting.stance) == FEEDBACK:
            wanted = (vx, vy, turn)
            go_along(leg, state, own, wanted, trunk[0].height, setting, aim)
        else:
            _lead_on(leg, (vx, vy), dt, setting, state)
            wanted = (vx, vy, turn)
            lead_foot(leg, state, own, wanted, trunk[0].height, setting, aim)
        state.stood = stance[one].stands
        if walks or state.stood == 0.0:
            for j in range(3):
                state.held[j] = leg.q[j]


@compiled(allocates=False)
def _missing_turn(
    trunk: TrunkEstimate, turn: float, setting: NetsConfig, state: NetLeg
) -> float:
    """Return the rate of turn that is missing, for the heading that is, too [rad/s]."""
    misses, most = turn - trunk.w_WB_B[2], setting.most_heading
    state.heading = min(max(state.heading + misses * trunk.dt, -most), most)
    return setting.turn_gain * misses + setting.heading_gain * state.heading


@compiled(allocates=False)
def _lead_on(
    leg: LegEstimate,
    v: tuple[float, float],
    dt: float,
    setting: NetsConfig,
    state: NetLeg,
) -> None:
    """Lead a foot's place on as the ground goes; where it has just landed, anew."""
    for i in range(2):
        off = state.place[i] - v[i] * dt - leg.foot[i] if state.stood > 0.0 else 0.0
        off = min(max(off, -setting.leash), setting.leash)
        state.place[i] = leg.foot[i] + off


@compiled(allocates=False)
def _rest(
    leg: LegEstimate,
    own: NetWeights,
    height: float,
    setting: NetsConfig,
    state: NetLeg,
    aim: LegAim,
) -> None:
    """Keep a leg where it stood when it was told to stop, at its height."""
    for j in range(3):
        aim.rate[j] = setting.height_rate * (state.held[j] - leg.q[j])
    low = height - hip_height(leg.q, own)
    aim.rate[own.lift] = -setting.height_rate * low / own.rise
    for i in range(3):
        state.place[i] = leg.foot[i]


@compiled(allocates=False)
def _blank_aim(leg: LegEstimate, own: NetWeights, servo: float, aim: LegAim) -> None:
    """Tell a leg nothing but that its joints take on speeds, which are zero yet."""
    for i in range(3):
        aim.place[i], aim.landing[i] = leg.foot[i], leg.foot[i]
        aim.velocity[i], aim.force[i], aim.bend[i] = 0.0, 0.0, 0.0
        aim.stiffness[i], aim.damping[i] = 0.0, 0.0
    for j in range(3):
        aim.acceleration[j], aim.rate[j] = 0.0, 0.0
        aim.servo[j] = own.inertia[j] * servo
    aim.veto, aim.banned = 0.0, 0.0
