"""Walknet's nets in each leg: joint speeds from its own joints, nobody else's.

[Ridderstrom2003] section 3.4.1. What a leg is told by others is when to lift (support
part ``cruse``) and, from above, how fast the trunk shall go and turn, and how fast it
turns, which is a sensor of the trunk. All else it reads from its own joints: the stance
net feeds their speeds back, the height net keeps it from sinking, the swing net takes
it to its target. There is no balance part in this; whoever stands keeps its height.
"""

import math
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, final

from equipoise.control.legs.law import LegLaw
from equipoise.control.parts import (
    LEG_PROGRAMS,
    AbstractLegProgram,
    BalanceCommand,
    Estimate,
    WalkingStance,
)
from equipoise.control.records import (
    LegAim,
    LegEstimate,
    LegStance,
    Travel,
    TrunkEstimate,
)
from equipoise.control.walknet.fitted import NetWeights, fitted_nets
from equipoise.control.walknet.stance import (
    NetLeg,
    go_along,
    height_of,
    lead_foot,
)
from equipoise.control.walknet.swing import SwingSettings, begin_swing, swing_on
from equipoise.core.bound import settled
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Records, entry, room_like

__all__ = ["NetsConfig", "NetsProgram", "NetsState"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class NetsConfig:
    """Weights of the nets; defaults are the TUM hexapod's.

    Raises:
        ConfigError: a number that is negative or not finite.
    """

    stance: Literal["feedback", "ik"] = "feedback"
    """How standing legs move: joints go on as they go, or feet as the ground does."""
    servo: float = 100.0
    """At which joints of a swinging leg take on the speeds that they are told [1/s]."""
    firm: float = 300.0
    """And of a standing one, whose joints move the trunk too [1/s]."""
    filter_time: float = 0.05
    """Of the joints' speeds that are fed back [s]."""
    speed_gain: float = 2.0
    """Share of a missing speed by which more is fed back."""
    yielding: float = 0.8
    """Share of the third joint's speed that is fed back: with all of it legs creep to a
    side under the weight."""
    least: float = 0.7
    """Retraction of a standing leg at least, over the commanded speed."""
    turn_gain: float = 1.0
    """Of a missing rate of turn."""
    heading_gain: float = 2.0
    """Rate of turn for a missing heading [1/s]."""
    most_heading: float = 0.3
    """Largest heading that is missed [rad]."""
    height_rate: float = 80.0
    """At which a leg's height is put right [1/s]."""
    place_rate: float = 50.0
    """At which the place of a foot that is led is put right [1/s]."""
    leash: float = 0.02
    """How far it may be led ahead of where it is [m]."""
    slowest: float = 0.05
    """Speed that errors of speed are told over at least [m/s]."""
    fore: float = 2.0
    """Swing net, times the duration of a swing: to and fro."""
    fall: float = 3.2
    """Down to the target."""
    lift: float = 3.2
    """Up, for each metre to go."""
    bend: float = 3.2
    """Of the third joint."""
    stride: float = 0.14
    """Of a foot on the ground, from one extreme position to the other [m]."""
    press: float = 0.015
    """How far below the ground targets are [m]."""
    search: float = 0.25
    """Speed downwards of a foot that is late [m/s]."""
    retract: float = 0.6
    """Speed backwards of a foot that is held up [m/s]."""
    elevate: float = 0.8
    """And upwards [m/s]."""
    reflex_time: float = 0.05
    """For which it goes back and up [s]."""
    patience: float = 0.03
    """For which it must have been held up [s]."""
    follow: float = 0.0
    """How far a target may be moved to come behind the foot of the leg before, rule 4;
    hips of the TUM hexapod are two strides apart, so it does not follow [m]."""
    offset: float = 0.01
    """Of a foot behind that of the leg before, where it follows [m]."""

    def __post_init__(self) -> None:
        zero = ("speed_gain", "yielding", "least", "turn_gain", "heading_gain")
        zero += ("most_heading", "press", "follow", "offset", "retract", "elevate")
        names = set(self.__slots__) - {"stance", *zero}
        expect_positive(self, *zero, zero=True)
        expect_positive(self, *sorted(names))
        if self.stance not in ("feedback", "ik"):
            problem = f"stance must be 'feedback' or 'ik', got {self.stance!r}"
            raise ConfigError("NetsConfig", [problem])


class NetSettings(SwingSettings):
    """All settings as the kernel takes them."""

    feeds_back: float = entry("1 where joints go on as they go, 0 where feet are led")
    servo: float = entry("at which swinging joints take on their speeds", "1/s")
    firm: float = entry("and standing ones", "1/s")
    most_heading: float = entry("largest that is missed", "rad")


class NetsState(NamedTuple):
    """What the program carries from tick to tick."""

    legs: Records[NetLeg]
    """(nl,)."""
    nets: Records[NetWeights]
    """Fitted at the first tick, (nl,); empty before."""


@final
@LEG_PROGRAMS.register("nets")
@dataclass(frozen=True, eq=False)
class NetsProgram(AbstractLegProgram[NetsState]):
    """Tells joints speeds; its state is what the nets keep."""

    law: LegLaw
    config: NetsConfig = field(default_factory=NetsConfig)
    settings: Records[NetSettings] = field(init=False, repr=False)
    blank: Records[LegAim] = field(init=False, repr=False)
    """Whose like is made at every tick, (nl,)."""
    _run = settled(lambda: _run_nets)

    def __post_init__(self) -> None:
        if self.law.joints != 3:
            problem = f"it is for legs of 3 joints, got {self.law.joints}"
            raise ConfigError("leg program 'nets'", [problem])
        settings = NetSettings.zeros()
        for name in NetSettings.entries:
            if name != "feeds_back":
                settings[name] = getattr(self.config, name)
        settings["feeds_back"] = float(self.config.stance == "feedback")
        object.__setattr__(self, "settings", settings)
        object.__setattr__(self, "blank", self.law.aim())

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
        after, aim = room_like(before), room_like(self.blank)
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
    settings: Records[NetSettings],
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
        elif setting.feeds_back > 0.0:
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
    trunk: TrunkEstimate, turn: float, setting: NetSettings, state: NetLeg
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
    setting: NetSettings,
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
    setting: NetSettings,
    state: NetLeg,
    aim: LegAim,
) -> None:
    """Keep a leg where it stood when it was told to stop, at its height."""
    for j in range(3):
        aim.rate[j] = setting.height_rate * (state.held[j] - leg.q[j])
    low = height - height_of(leg.q, own)
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
