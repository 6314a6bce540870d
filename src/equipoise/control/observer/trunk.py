"""Trunk observer of a walking machine: attitude, velocity and dead reckoning.

Attitude is the inertial sensors' (``observer.attitude``) until the machine walks; from
then on legs and accelerometer level it (``observer.aided``). Each foot that stands and
is loaded says how fast the trunk moves over it, v_WB = -R (r' + w × (h + r)), and where
it is, p_WB = p_WF - R (h + r), h the hip and r hip to foot. Velocity is their mean by
load through a low-pass; place follows velocity and is drawn to the feet's mean. A
foot's place in W is taken over when it begins to stand, and rolls on as the shank
turns: its ball of radius ρ moves by w_shank × ρ n₃, 3 cm a second at a trot.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, NamedTuple, final

import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.aided import (
    WalkingMemory,
    learn_at_rest,
    level_by_legs,
    turn_to_footholds,
    turned_by_feet,
)
from equipoise.control.observer.attitude import AttitudeObserver
from equipoise.control.observer.inertial import (
    AttitudeGains,
    observe_attitude,
    read_trunk,
)
from equipoise.control.observer.legs import (
    first_estimate,
    read_feet,
    read_legs,
    weigh_legs,
)
from equipoise.control.observer.load_from_torque import LegFeel, feel_ground
from equipoise.control.records import LegEstimate, LegStance, TrunkEstimate
from equipoise.control.signals import Estimate
from equipoise.core.arrays import Array, Vec3
from equipoise.core.bound import cached_dispatch
from equipoise.core.contracts import Readings
from equipoise.core.jit import compiled
from equipoise.core.records import Records, pooled_empty_like, record_of
from equipoise.core.setting import Setting, Settings
from equipoise.robots.legs import LegBuild, TrunkBuild

__all__ = ["TrunkConfig", "TrunkObserver", "TrunkState"]

TRUNK = TrunkEstimate.zeros()  # whose like is made at every tick
RESTS, WALKS = range(2)  # which settings hold: before the first walk, and from then on


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class TrunkConfig(Settings):
    """Settings of the dead reckoning; the defaults suit WARP1 at 500 Hz."""

    velocity_time: Annotated[
        float, Setting("Time constant of the velocity's low-pass", "s", above=0.0)
    ] = 0.02
    place_time: Annotated[
        float,
        Setting(
            "Time constant with which the horizontal position follows the feet",
            "s",
            above=0.0,
        ),
    ] = 0.2
    height_time: Annotated[
        float,
        Setting("Time constant with which the height follows the feet", "s", above=0.0),
    ] = 0.01
    slip_time: Annotated[
        float,
        Setting(
            "Time constant with which a slipping foothold follows its foot",
            "s",
            above=0.0,
        ),
    ] = 0.3
    sink_time: Annotated[
        float,
        Setting(
            "Time constant with which the height of a foothold follows its foot",
            "s",
            above=0.0,
        ),
    ] = 0.1
    loaded: Annotated[
        float, Setting("Load above which a standing foot is used", "N", above=0.0)
    ] = 20.0
    feel_time: Annotated[
        float,
        Setting(
            "Time constant of loads felt by torques, where feet have no sensors",
            "s",
            above=0.0,
        ),
    ] = 0.01
    level_rate: Annotated[
        float,
        Setting(
            "Rate at which legs level the attitude while walking, p", "1/s", above=0.0
        ),
    ] = 2.0
    heading_rate: Annotated[
        float,
        Setting(
            "Rate at which footholds correct the heading while walking; 0 "
            "leaves it to the gyro",
            "1/s",
            least=0.0,
        ),
    ] = 0.0
    stands_still: Annotated[
        bool,
        Setting(
            "Whether the machine stands still before it walks; else its feet "
            "say how it rocks"
        ),
    ] = True


class BuiltMachine(NamedTuple):
    """Design of the machine."""

    trunk: Records[TrunkBuild]
    """What does not move with the legs, (1,)."""
    legs: Records[LegBuild]
    """(nl,)."""
    feels: Records[LegFeel]
    """How legs feel the ground, (nl,)."""
    foot_radius: float
    """Radius of a foot's ball [m]."""
    mass: float
    """Of the machine [kg]."""
    height: float
    """Height of the hips over the foot points, as it walks [m]."""


class TrunkState(NamedTuple):
    """State of the observer between two ticks."""

    memory: Records[WalkingMemory]
    """(1,)."""
    legs: Records[LegEstimate]
    """What was known of the legs, (nl,)."""


@final
@dataclass(frozen=True, eq=False)
class TrunkObserver:
    """Observer from readings to an ``Estimate``."""

    machine: LeggedMachine
    config: TrunkConfig = field(default_factory=TrunkConfig)
    attitude: AttitudeObserver = field(default_factory=AttitudeObserver)
    built: BuiltMachine = field(init=False, repr=False)
    _observe = cached_dispatch(lambda: observe)

    def __post_init__(self) -> None:
        own, feels = (
            self.machine,
            LegFeel.zeros(self.machine.legs, joints=self.machine.joints),
        )
        if "force" in own.senses:
            feels["has_force"] = 1.0
        elif not own.feels_feet:
            feels["inertia"], feels["time"] = own.inertia, self.config.feel_time
            constants = [drive.torque_constant for drive in own.drives]
            feels["constant"] = np.reshape(constants, (own.legs, -1))
        built = BuiltMachine(
            own.geometry.trunk,
            own.geometry.legs,
            feels,
            own.geometry.foot_radius,
            own.mass,
            own.height,
        )
        object.__setattr__(self, "built", built)

    @cached_property
    def settings(self) -> Records[TrunkConfig]:
        """Settings as the kernel takes them, (1,)."""
        return record_of(self.config)

    @cached_property
    def gains(self) -> Records[AttitudeGains]:
        """Gains of the attitude as it rests and as it walks, (2,)."""
        gains = AttitudeGains.zeros(2)
        for one in gains:
            self.attitude.fill(one)
        gains[WALKS].pull[:], gains[WALKS].learn[:] = 1e-12, 0.0  # legs level
        return gains

    def init(self) -> TrunkState:
        """Return a state in which every foot is about to be put down at the origin."""
        machine, memory = self.machine, WalkingMemory.zeros()
        memory[0].quat_WB[0] = 1.0
        legs = first_estimate(machine.geometry.legs, machine.joints)
        return TrunkState(memory, legs)

    def step(
        self,
        readings: Readings,
        stance: Records[LegStance],
        walks: bool,
        state: TrunkState,
    ) -> tuple[Estimate, TrunkState]:
        """Return what is known now, and the next state.

        Args:
            readings: of the sensors.
            stance: of the legs at the last tick, (nl,).
            walks: whether the machine walked then; else it rests.
            state: of the last tick.
        """
        r = readings
        memory, trunk, legs = (
            pooled_empty_like(state.memory),
            pooled_empty_like(TRUNK),
            pooled_empty_like(state.legs),
        )
        read_trunk(
            r.gyro, r.acceleration, r.inclination, r.time, r.dt, state.memory, memory
        )
        read_legs(r.q, r.v, r.current, r.limit, r.load, state.legs, legs)
        if self.machine.has_foot_sensors:
            read_feet(r.force, r.edge, r.near, legs)
        given = self.settings, self.gains, self.built
        self._observe(stance, walks, given, memory, trunk, legs)
        estimate = Estimate(self.machine, trunk, legs, scan=r.scan, scanned=r.scanned)
        return estimate, TrunkState(memory, legs)


@compiled(allocates=False)
def observe(
    stance: Records[LegStance],
    walks: bool,
    given: tuple[Records[TrunkConfig], Records[AttitudeGains], BuiltMachine],
    memory: Records[WalkingMemory],
    trunk: Records[TrunkEstimate],
    legs: Records[LegEstimate],
) -> None:
    """Advance the observer and write the estimate; arguments as in the class."""
    (settings, gains, built), state, known = given, memory[0], trunk[0]
    has_walked = walks or state.rested < 0.0
    which = WALKS if has_walked else RESTS
    setting = settings[0]
    observe_attitude(gains[which : which + 1], memory, trunk)
    weigh_legs(built.trunk, built.legs, legs, trunk)
    feel_ground(built.feels, built.legs, state.dt, known, legs)
    tells = _reckon(stance, setting, built.foot_radius, state, known, legs)
    if has_walked:
        level_by_legs(tells, setting.level_rate, state, known)
        if setting.heading_rate > 0.0 and tells:
            turn_to_footholds(setting.heading_rate, state, known, legs)
    else:
        is_still = setting.stands_still
        learn_at_rest(state, known, is_still, turned_by_feet(legs))
    known.time, known.dt = state.time, state.dt
    known.mass, known.height = built.mass, built.height
    for i in range(3):
        known.p_WB[i], known.v_WB[i] = state.p_WB[i], state.v_WB[i]


@compiled(allocates=False)
def _reckon(
    stance: Records[LegStance],
    setting: TrunkConfig,
    radius: float,
    state: WalkingMemory,
    trunk: TrunkEstimate,
    legs: Records[LegEstimate],
) -> bool:
    """Advance place and velocity by what the standing feet say; say whether any did."""
    p, v, told, seen, dt = state.p_WB, state.v_WB, state.told, state.seen, state.dt
    count = 0.0
    for i in range(3):
        told[i], seen[i] = 0.0, 0.0
    for one in range(legs.shape[0]):
        leg, stands = legs[one], stance[one].stands > 0.0
        if stands and leg.stood == 0.0:
            _put_down(leg, trunk.R_WB, p)
        leg.stood = 1.0 if stands else 0.0
        if not stands or leg.load < setting.loaded:  # unknown loads count
            continue
        share = leg.load if math.isfinite(leg.load) else 1.0
        count += share
        _ask_foot(leg, share, setting, radius, state, trunk)
    for i in range(3):
        if count > 0.0:
            told[i], seen[i] = told[i] / count, seen[i] / count
            v[i] += dt / (setting.velocity_time + dt) * (told[i] - v[i])
        p[i] += v[i] * dt
        slow = setting.place_time if i < 2 else setting.height_time
        if count > 0.0:
            p[i] += dt / (slow + dt) * (seen[i] - p[i])
    return count > 0.0


@compiled(allocates=False)
def _put_down(leg: LegEstimate, R: Array, p_WB: Vec3) -> None:
    """Take over where a foot that begins to stand is put down."""
    for i in range(3):
        reach = R[i, 0] * (leg.hip[0] + leg.foot[0]) + R[i, 1] * (
            leg.hip[1] + leg.foot[1]
        )
        leg.foothold[i] = p_WB[i] + reach + R[i, 2] * (leg.hip[2] + leg.foot[2])


@compiled(allocates=False)
def _ask_foot(
    leg: LegEstimate,
    share: float,
    setting: TrunkConfig,
    radius: float,
    state: WalkingMemory,
    trunk: TrunkEstimate,
) -> None:
    """Add what a standing foot says of the trunk, and draw its foothold to it."""
    R, w, rate, hold, dt = (
        trunk.R_WB,
        trunk.w_WB_B,
        leg.foot_rate,
        leg.foothold,
        state.dt,
    )
    x, y, z = (
        leg.hip[0] + leg.foot[0],
        leg.hip[1] + leg.foot[1],
        leg.hip[2] + leg.foot[2],
    )
    arm = (x, y, z)
    back = (
        rate[0] + w[1] * z - w[2] * y,
        rate[1] + w[2] * x - w[0] * z,
        rate[2] + w[0] * y - w[1] * x,
    )
    rolls = _roll_on(leg, radius, trunk)
    told, seen = state.told, state.seen
    for i in range(3):
        for j in range(3):
            told[i] -= share * R[i, j] * back[j]
            seen[i] -= share * R[i, j] * arm[j]
        told[i] += share * rolls[i]
        hold[i] += rolls[i] * dt
        off = state.p_WB[i] + (R[i, 0] * x + R[i, 1] * y + R[i, 2] * z) - hold[i]
        slow = setting.slip_time if i < 2 else setting.sink_time
        hold[i] += dt / (slow + dt) * off
        seen[i] += share * hold[i]


@compiled(allocates=False)
def _roll_on(
    leg: LegEstimate, radius: float, trunk: TrunkEstimate
) -> tuple[float, float, float]:
    """Return the velocity in W of a foot's ball as it rolls over the ground."""
    R, w, spin = trunk.R_WB, trunk.w_WB_B, leg.spin
    x, y, z = w[0] + spin[0], w[1] + spin[1], w[2] + spin[2]
    ahead = radius * (R[1, 0] * x + R[1, 1] * y + R[1, 2] * z)
    return ahead, -radius * (R[0, 0] * x + R[0, 1] * y + R[0, 2] * z), 0.0
