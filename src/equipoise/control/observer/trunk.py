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
from typing import NamedTuple, final

import numpy as np

from equipoise.control.machine import Machine
from equipoise.control.observer.aided import AIDED, learn_at_rest, level_by_legs
from equipoise.control.observer.attitude import (
    STATE,
    AttitudeObserver,
    observe_attitude,
)
from equipoise.control.observer.legs import hold_last, observe_legs
from equipoise.control.parts import STANDS, TRUNK, Estimate
from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.contracts import Readings
from equipoise.core.jit import compiled
from equipoise.robots.leg_kinematics import centre_of_mass

__all__ = ["TrunkConfig", "TrunkObserver", "TrunkState"]

MOVES = 6  # numbers of the dead reckoning: place and velocity of the trunk
LEGS = STATE + AIDED + MOVES  # where in the memory those of the legs begin
ROOM = 30  # numbers that a tick works with: a frame and five vectors


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class TrunkConfig:
    """Of the dead reckoning; defaults suit WARP1 at 500 Hz.

    Raises:
        ConfigError: a number that is not positive.
    """

    velocity_time: float = 0.02
    """Of the velocity's low-pass [s]."""
    place_time: float = 0.2
    """In which the place, level, is drawn to where the feet have it [s]."""
    height_time: float = 0.01
    """And its height [s]."""
    slip_time: float = 0.3
    """In which a foothold, level, is drawn to where the foot is seen [s]: feet slip."""
    sink_time: float = 0.1
    """And its height [s]: feet sink in."""
    loaded: float = 20.0
    """Load from which a standing foot tells [N]."""
    level_rate: float = 2.0
    """p, with which legs level the attitude while walking [1/s]."""

    def __post_init__(self) -> None:
        expect_positive(self, *self.__slots__)


class TrunkState(NamedTuple):
    """What the observer carries from tick to tick."""

    memory: VecN
    """State of the attitude observer and of ``observer.aided``, p_WB and v_WB, and for
    each leg whether it stood, (36 + nl,)."""
    q: VecN
    """Last good joint angles, (3 nl,) [rad]."""
    v: VecN
    """And speeds, (3 nl,) [rad/s]."""
    footholds: Array
    """Where in W each foot stands, or last stood, (nl, 3) [m]."""


@final
@dataclass(frozen=True, eq=False)
class TrunkObserver:
    """Readings in, ``Estimate`` out."""

    machine: Machine
    config: TrunkConfig = field(default_factory=TrunkConfig)
    attitude: AttitudeObserver = field(default_factory=AttitudeObserver)
    tables: tuple[Array, VecN] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        c = self.config
        radius = self.machine.geometry.foot_radius
        numbers = [
            c.velocity_time,
            c.place_time,
            c.loaded,
            c.level_rate,
            radius,
            c.slip_time,
            c.height_time,
            c.sink_time,
        ]
        tables = np.stack([self.attitude.table(), self.attitude.table()])
        for k in (0, 3, 12):
            tables[1, k], tables[1, k + 2] = 1e-12, 0.0  # inclinometers have no say
        object.__setattr__(self, "tables", (tables, np.array(numbers)))

    def init(self) -> TrunkState:
        """Return a state in which every foot is about to be put down at the origin."""
        nl = self.machine.legs
        memory = np.zeros(STATE + AIDED + MOVES + nl)
        memory[:STATE] = self.attitude.init()
        return TrunkState(memory, np.zeros(3 * nl), np.zeros(3 * nl), np.zeros((nl, 3)))

    def step(
        self, readings: Readings, legs: Array, walks: bool, state: TrunkState
    ) -> tuple[Estimate, TrunkState]:
        """Return what is known now, and the next state.

        Args:
            readings: of the sensors.
            legs: of the last ``Stance``, (nl, 6).
            walks: whether the machine walked then; else it rests.
            state: of the last tick.
        """
        g, nl = self.machine.geometry, self.machine.legs
        memory, q, v = state.memory.copy(), state.q.copy(), state.v.copy()
        footholds, room = state.footholds.copy(), np.empty(ROOM)
        feet, trunk = np.empty((nl, 5, 3)), np.empty(TRUNK)
        observe(
            readings.q, readings.v, readings.gyro, readings.acceleration,
            readings.inclination, readings.load, readings.dt, legs, walks,
            self.tables[0], self.tables[1], g.hips, g.lengths, g.trunk, g.limbs,
            memory, q, v, footholds, room, feet, trunk,
        )  # fmt: skip
        estimate = Estimate(
            readings.time, readings.dt, self.machine, q, v, feet, trunk, readings.load,
            footholds,
        )  # fmt: skip
        return estimate, TrunkState(memory, q, v, footholds)


@compiled(allocates=False)
def observe(
    angles: VecN,
    speeds: VecN,
    gyro: VecN,
    acceleration: VecN,
    inclination: VecN,
    load: VecN,
    dt: float,
    stance: Array,
    walks: bool,
    tables: Array,
    table: VecN,
    hips: Array,
    lengths: Array,
    body: VecN,
    limbs: Array,
    memory: VecN,
    q: VecN,
    v: VecN,
    footholds: Array,
    room: VecN,
    feet: Array,
    trunk: VecN,
) -> None:
    """Advance the observer and write the estimate; arguments as in the class."""
    attitude, aided = memory[:STATE], memory[STATE : STATE + AIDED]
    moves, stood = memory[STATE + AIDED : LEGS], memory[LEGS:]
    frame, legs = room[:12].reshape(4, 3), room[12:15]
    has_walked = walks or aided[6] < 0.0
    hold_last(angles, q)
    hold_last(speeds, v)
    observe_attitude(
        gyro,
        acceleration,
        inclination,
        dt,
        tables[1 if has_walked else 0],
        attitude,
        frame,
    )
    observe_legs(q, v, lengths, feet)
    centre_of_mass(q, hips, lengths, body, limbs, trunk[18:21])
    for i in range(3):
        trunk[6 + i] = frame[3, i]
        for j in range(3):
            trunk[9 + 3 * i + j] = frame[i, j]
    tell = reckon(
        frame, q, v, feet, hips, load, stance, dt, table, moves, stood, footholds,
        room[12:],
    )  # fmt: skip
    if has_walked:
        level_by_legs(acceleration, legs, tell, dt, table[3], frame, attitude, aided)
    else:
        learn_at_rest(gyro, acceleration, dt, frame, attitude, aided)
    for i in range(6):
        trunk[i] = moves[i]


@compiled(allocates=False)
def reckon(
    frame: Array,
    q: VecN,
    v: VecN,
    feet: Array,
    hips: Array,
    load: VecN,
    stance: Array,
    dt: float,
    table: VecN,
    moves: VecN,
    stood: VecN,
    footholds: Array,
    room: VecN,
) -> bool:
    """Advance place and velocity by what the standing feet say; say whether any did.

    What they say of the velocity comes first in ``room``, (18,).
    """
    legs, speed, place, count = room[:3], room[3:6], room[6:9], 0.0
    arm, back, rolls, w = room[9:12], room[12:15], room[15:18], frame[3]
    for i in range(6):
        room[3 + i] = 0.0
    for leg in range(hips.shape[0]):
        for i in range(3):
            arm[i] = hips[leg, i] + feet[leg, 0, i]
        stands = stance[leg, STANDS] > 0.0
        if stands and stood[leg] == 0.0:
            for i in range(3):
                reach = frame[i, 0] * arm[0] + frame[i, 1] * arm[1]
                footholds[leg, i] = moves[i] + reach + frame[i, 2] * arm[2]
        stood[leg] = 1.0 if stands else 0.0
        if not stands or load[leg] < table[2]:  # unknown loads count
            continue
        share = load[leg] if math.isfinite(load[leg]) else 1.0
        count += share
        roll_on(frame, q, v, leg, table[4], rolls)
        back[0] = feet[leg, 1, 0] + w[1] * arm[2] - w[2] * arm[1]
        back[1] = feet[leg, 1, 1] + w[2] * arm[0] - w[0] * arm[2]
        back[2] = feet[leg, 1, 2] + w[0] * arm[1] - w[1] * arm[0]
        for i in range(3):
            for j in range(3):
                speed[i] -= share * frame[i, j] * back[j]
                place[i] -= share * frame[i, j] * arm[j]
            speed[i] += share * rolls[i]
            footholds[leg, i] += rolls[i] * dt
            reach = frame[i, 0] * arm[0] + frame[i, 1] * arm[1] + frame[i, 2] * arm[2]
            off = moves[i] + reach - footholds[leg, i]
            time = table[5] if i < 2 else table[7]
            footholds[leg, i] += dt / (time + dt) * off
            place[i] += share * footholds[leg, i]
    for i in range(3):
        if count > 0.0:
            share, legs[i] = dt / (table[0] + dt), speed[i] / count
            moves[3 + i] += share * (legs[i] - moves[3 + i])
        moves[i] += moves[3 + i] * dt
        if count > 0.0:
            time = table[1] if i < 2 else table[6]
            moves[i] += dt / (time + dt) * (place[i] / count - moves[i])
    return count > 0.0


@compiled(allocates=False)
def roll_on(frame: Array, q: VecN, v: VecN, leg: int, radius: float, out: VecN) -> None:
    """Write the velocity in W of a foot's ball as it rolls over the ground, (3,)."""
    roll, swing = v[3 * leg], v[3 * leg + 1] + v[3 * leg + 2]
    c, s = math.cos(q[3 * leg]), math.sin(q[3 * leg])
    x = frame[3, 0] + roll
    y = frame[3, 1] - c * swing
    z = frame[3, 2] - s * swing
    out[0] = radius * (frame[1, 0] * x + frame[1, 1] * y + frame[1, 2] * z)
    out[1] = -radius * (frame[0, 0] * x + frame[0, 1] * y + frame[0, 2] * z)
    out[2] = 0.0
