"""The whole trunk observer on random readings, against its equations in matrices.

What is read is noisy, fails now and then, and belongs to no motion at all, so that
every correction has something to do. Turns are matrix exponentials here.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from equipoise.control.observer.attitude import AttitudeConfig, AttitudeObserver
from equipoise.control.observer.trunk import TrunkConfig, TrunkObserver
from equipoise.core.constants import GRAVITY
from equipoise.core.contracts import Readings
from equipoise.robots.legs import centre_of_mass, foot_jacobian
from oracles.other_views import BESIDE, FLIPS, IN_THE_MIRROR, expect_seen_alike
from oracles.walking_parts import machine, rotation, stance

DT = 0.01  # a coarse tick: half a second of rest comes soon
ENOUGH = 1e-9  # rounding, through some hundred ticks that forget
ATTITUDE = AttitudeConfig(
    start_time=0.15, hold=0.025, abrupt_force=1.0, abrupt_turn=0.8, calm_time=0.15,
    quick_time=0.05, largest_bias=0.002, inclinometer_lag=0.1, smooth_rate=2.0,
    abrupt_rate=0.7,
)  # fmt: skip
CONFIG = TrunkConfig(
    velocity_time=0.05, place_time=0.25, height_time=0.15, slip_time=0.2,
    sink_time=0.1, loaded=60.0, level_rate=1.7, heading_rate=1.1,
)  # fmt: skip
RESTS = 62
"""Ticks of rest: offsets are learnt from half a second on."""


class Attitude:
    """Poles by which gyros and inclinometers agree; see ``observer.attitude``."""

    def __init__(self):
        self.R, self.bias, self.rate = None, np.zeros(3), np.zeros(3)
        self.calmed, self.abrupt, self.silent = 0.0, 0.0, 0.0
        self.calm = self.quick = None

    def start(self, r):
        roll, pitch = r.inclination
        x, y, z = r.acceleration
        roll = roll if np.isfinite(roll) else math.atan2(y, z)
        pitch = pitch if np.isfinite(pitch) else -math.atan2(x, math.hypot(y, z))
        self.R = rotation(*np.nan_to_num([roll, pitch, 0.0]))
        self.lagging = np.nan_to_num([roll, pitch])
        self.rate = np.nan_to_num(r.gyro)

    def turn(self, vector):
        self.R = self.R @ Rotation.from_rotvec(vector).as_matrix()

    def tick(self, r, legs_level):
        c = ATTITUDE
        if self.R is None:
            self.start(r)
        before = self.rate
        self.rate = np.where(np.isfinite(r.gyro), r.gyro - self.bias, before)
        self.turn(0.5 * (before + self.rate) * DT)
        is_abrupt = self.moves_abruptly(r)
        p, b = (c.smooth_rate, c.smooth_bias_rate)
        if self.calmed < c.start_time:
            p, b = c.start_rate, c.start_bias_rate
        if is_abrupt:
            p, b = c.abrupt_rate, c.abrupt_bias_rate
        T = c.inclinometer_lag
        k, learn = T * (p * p + 2 * p * b), T * p * p * b
        if legs_level:
            k, learn = 1e-12, 0.0
        roll = math.atan2(self.R[2, 1], self.R[2, 2])
        pitch = math.asin(-self.R[2, 0])
        self.lagging += (1.0 - math.exp(-DT / T)) * (
            np.array([roll, pitch]) - self.lagging
        )
        off = r.inclination - self.lagging
        self.lagging += np.where(np.isfinite(off), (2 * p + b - 1 / T) * DT * off, 0.0)
        if np.isfinite(off).all():
            self.silent = 0.0
            pull = k * np.array(
                [off[0], off[1] * math.cos(roll), -off[1] * math.sin(roll)]
            )
            most = c.largest_bias
            self.bias = np.clip(self.bias - DT * learn / k * pull, -most, most)
            self.turn(pull * DT)
            return
        self.silent += DT
        self.bias = np.clip(self.bias, -c.largest_bias, c.largest_bias)
        size = np.linalg.norm(r.acceleration)
        if self.silent > c.hold and size > 0.0 and not is_abrupt:
            pull = np.cross(r.acceleration / size, self.R[2])
            self.turn(c.smooth_rate * pull * DT)

    def moves_abruptly(self, r):
        c, gone = ATTITUDE, 0.0
        if np.isfinite(r.acceleration).all():
            f = self.R @ r.acceleration
            if self.calm is None:
                self.calm = self.quick = f
            self.quick = self.quick + (1 - math.exp(-DT / c.quick_time)) * (
                f - self.quick
            )
            self.calm = self.calm + (1 - math.exp(-DT / c.calm_time)) * (f - self.calm)
            gone = np.linalg.norm(self.quick - self.calm)
        if gone > c.abrupt_force or np.linalg.norm(self.rate) > c.abrupt_turn:
            self.abrupt = c.hold
        else:
            self.abrupt = max(0.0, self.abrupt - DT)
            self.calmed += DT
        return self.abrupt > 0.0


class Whole:
    """Attitude, feet that tell where the trunk is, and what both teach each other."""

    def __init__(self, is_still):
        self.attitude, self.is_still = Attitude(), is_still
        self.p, self.v, self.felt = np.zeros(3), np.zeros(3), np.zeros(3)
        self.offset, self.rested = np.zeros(3), 0.0
        self.hold, self.stood = np.zeros((4, 3)), np.zeros(4, bool)
        self.q, self.rates = np.zeros(12), np.zeros(12)

    def tick(self, r, stands, walks):
        a, c, g = self.attitude, CONFIG, machine().geometry
        has_walked = walks or self.rested < 0.0
        a.tick(r, has_walked)
        self.q = np.where(np.isfinite(r.q), r.q, self.q)
        self.rates = np.where(np.isfinite(r.v), r.v, self.rates)
        J, v = np.empty((4, 3, 3)), self.rates.reshape(4, 3)
        foot_jacobian(self.q, g.lengths, J)
        self.arm = g.hips + places_of(self.q)
        self.foot_rate = np.einsum("lij,lj->li", J, v)
        roll, swing = self.q.reshape(4, 3)[:, 0], v[:, 1] + v[:, 2]
        spin = np.stack([v[:, 0], -np.cos(roll) * swing, -np.sin(roll) * swing], 1)
        R, w, up = a.R, a.rate, np.array([0.0, 0.0, 1.0])
        told, seen, count = np.zeros(3), np.zeros(3), 0.0
        for k in range(4):
            at = self.p + R @ self.arm[k]
            if stands[k] and not self.stood[k]:
                self.hold[k] = at
            self.stood[k] = stands[k]
            if not stands[k] or r.load[k] < c.loaded:
                continue
            share = r.load[k] if np.isfinite(r.load[k]) else 1.0
            rolls = np.cross(R @ (w + spin[k]), g.foot_radius * up)
            back = R @ (self.foot_rate[k] + np.cross(w, self.arm[k]))
            self.hold[k] += rolls * DT
            times = np.array([c.slip_time, c.slip_time, c.sink_time])
            self.hold[k] += DT / (times + DT) * (at - self.hold[k])
            told += share * (rolls - back)
            seen += share * (self.hold[k] - R @ self.arm[k])
            count += share
        self.told = told / max(count, 1e-300)
        if count > 0.0:
            self.v += DT / (c.velocity_time + DT) * (self.told - self.v)
        self.p += self.v * DT
        if count > 0.0:
            times = np.array([c.place_time, c.place_time, c.height_time])
            self.p += DT / (times + DT) * (seen / count - self.p)
        self.R_told = R.copy()
        if has_walked:
            self.level(r, R, count > 0.0)
        else:
            self.rest(r, R)

    def level(self, r, R, tells):
        a, p = self.attitude, CONFIG.level_rate
        self.rested = -1.0
        force = r.acceleration - self.offset
        if np.isfinite(force).all():
            self.felt += DT * (R @ force - [0.0, 0.0, GRAVITY])
            if tells:
                e = self.told - self.felt
                self.felt += 3.0 * p * DT * e
                turn = p * p / GRAVITY * DT * (R.T @ [-e[1], e[0], 0.0])
                a.turn(3.0 * turn)
                a.bias = a.bias - p * turn
        if tells:
            p, own = CONFIG.heading_rate, self.stood
            here = (self.arm[own] @ R.T)[:, :2]
            there = self.hold[own][:, :2]
            here, there = here - here.mean(axis=0), there - there.mean(axis=0)
            square = (here**2).sum()
            if square > 0.0:
                across = here[:, 0] @ there[:, 1] - here[:, 1] @ there[:, 0]
                a.turn(2.0 * p * DT * across / square * R[2])
                a.bias = a.bias - [0.0, 0.0, p * p * DT * across / square]

    def rest(self, r, R):
        grows = np.zeros(3) if self.is_still else self.told - self.felt
        self.felt = np.zeros(3) if self.is_still else self.told.copy()
        self.rested += DT
        if self.rested <= 0.5:
            return
        share, a = DT / min(max(self.rested - 0.5, DT), 2.0), self.attitude
        if np.isfinite(r.gyro[2]):
            turns = 0.0 if self.is_still else self.turns()
            a.bias[2] += share * (r.gyro[2] - turns - a.bias[2])
        off = r.acceleration - GRAVITY * R[2] - R.T @ grows / DT
        self.offset += np.where(np.isfinite(off), share * (off - self.offset), 0.0)

    def turns(self):
        at, rate = self.arm[self.stood][:, :2], self.foot_rate[self.stood][:, :2]
        if len(at) < 2:
            return 0.0
        at, rate = at - at.mean(axis=0), rate - rate.mean(axis=0)
        across = at[:, 0] @ rate[:, 1] - at[:, 1] @ rate[:, 0]
        return -across / (at**2).sum()


def places_of(q):
    """Return hip to foot in B by two links below a roll and a pitch, (4, 3)."""
    a, p, k = q.reshape(4, 3).T
    l1, l2 = machine().geometry.lengths.T
    ahead = l1 * np.sin(p) + l2 * np.sin(p + k)
    down = l1 * np.cos(p) + l2 * np.cos(p + k)
    return np.stack([ahead, down * np.sin(a), -down * np.cos(a)], axis=1)


def drawn(seed, count, calm=1.0):
    """Yield readings, who stands and whether it walks, at all ticks."""
    rng = np.random.default_rng(seed)
    q, v = machine().geometry.stand.copy(), np.zeros(12)
    for k in range(count):
        v = 0.9 * v + calm * rng.normal(0.0, 0.3, 12)
        q = q + DT * v
        tilt = rng.normal(0.0, 0.01, 2)
        force = rng.normal([0.0, 0.0, GRAVITY], 0.5 * calm)
        r = Readings(
            k * DT, DT, q.copy(), v.copy(), rng.normal(size=12),
            rng.integers(-1, 2, 12).astype(float), calm * rng.normal(0.0, 0.3, 3),
            force, tilt, rng.uniform(0.0, 300.0, 4), np.zeros(4),
        )  # fmt: skip
        for part, often in ((r.q, 0.02), (r.v, 0.02), (r.gyro, 0.03), (r.load, 0.1)):
            part[rng.random(len(part)) < often] = np.nan
        if rng.random() < 0.05:
            r.acceleration[rng.integers(3)] = np.nan
        if k % 25 > 17:
            r.inclination[rng.integers(2)] = np.nan
        yield r, (rng.random(4) < 0.7).astype(float)


@pytest.mark.parametrize("is_still", [True, False])
def test_random_readings_are_taken_as_the_equations_have_it(is_still):
    config = replace(CONFIG, stands_still=is_still)
    observer = TrunkObserver(machine(), config, AttitudeObserver(ATTITUDE))
    state, law, g = observer.init(), Whole(is_still), machine().geometry
    close, centre = {"rtol": ENOUGH, "atol": ENOUGH}, np.zeros(3)
    for k, (r, stands) in enumerate(drawn(3, RESTS + 34, 0.3)):
        walks = RESTS <= k < RESTS + 24
        found = stance(stands).legs
        known, state = observer.step(r, found, walks, state)
        law.tick(r, stands > 0.0, walks)
        memory, trunk = state.memory[0], known.trunk[0]
        np.testing.assert_allclose(known.R_WB, law.R_told, **close)
        np.testing.assert_allclose(trunk.w_WB_B, law.attitude.rate, **close)
        np.testing.assert_allclose(known.p_WB, law.p, **close)
        np.testing.assert_allclose(known.v_WB, law.v, **close)
        np.testing.assert_allclose(known.footholds, law.hold, **close)
        np.testing.assert_allclose(memory.bias, law.attitude.bias, **close)
        np.testing.assert_allclose(memory.offset, law.offset, **close)
        np.testing.assert_allclose(memory.felt, law.felt, **close)
        centre_of_mass(law.q, g.legs, g.trunk, centre)
        np.testing.assert_allclose(trunk.p_BC, centre, **close)
        assert (trunk.time, trunk.dt) == (r.time, DT)
        assert (trunk.mass, trunk.height) == (machine().mass, machine().height)
        np.testing.assert_array_equal(known.legs["current"].ravel(), r.current)
        np.testing.assert_array_equal(known.legs["limit"].ravel(), r.limit)
        np.testing.assert_array_equal(known.legs["load"], r.load)
        np.testing.assert_array_equal(known.legs["stood"], stands)
    assert np.abs(law.offset).max() > 1e-3 and law.attitude.bias.any()


def test_in_the_mirror_it_knows_the_mirror_image():
    observer = TrunkObserver(machine(), CONFIG, AttitudeObserver(ATTITUDE))
    state, seen = observer.init(), observer.init()
    across = np.array([1.0, -1.0, 1.0])

    def joints(x):
        return (x.reshape(4, 3) * FLIPS)[BESIDE].ravel()

    for k, (r, stands) in enumerate(drawn(5, 40)):
        other = replace(
            r, q=joints(r.q), v=joints(r.v), current=joints(r.current),
            limit=joints(r.limit), gyro=-r.gyro * across, load=r.load[BESIDE],
            acceleration=r.acceleration * across, inclination=r.inclination * [-1, 1],
        )  # fmt: skip
        walks = k > 20
        known, state = observer.step(r, stance(stands).legs, walks, state)
        again, seen = observer.step(other, stance(stands[BESIDE]).legs, walks, seen)
        expect_seen_alike(IN_THE_MIRROR, known, again)
