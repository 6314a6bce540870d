"""Leg programs by polynomials and by cycloids on random ticks, against their rules.

Positions, velocities and accelerations are vectors of NumPy here, weights and inertias
matrices; polynomials are found by solving for their ends.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.leg_programs.cycloid import CycloidConfig, CycloidProgram
from equipoise.control.leg_programs.quintic import QuinticConfig, QuinticProgram
from equipoise.control.legs.law import leg_law
from equipoise.control.machine import foot_mobility
from equipoise.core.constants import GRAVITY
from equipoise.robots.legs import moment_columns
from oracles.other_views import random_ticks
from oracles.walking_parts import DT, machine, rotation

LAW = leg_law(machine().geometry, machine().drives)
K, D = np.array(LAW.config.stiffness), np.array(LAW.config.damping)
CLOSE = {"rtol": 1e-8, "atol": 1e-8}  # rounding, of accelerations of up to 1e3 m/s²


def ticks(seed, count=40):
    """Yield what is known, who stands and what balance tells; legs stay so for long."""
    rng, stands = np.random.default_rng(seed), np.ones(4)
    for k, (known, _, found, trunk, told) in enumerate(random_ticks(seed, count)):
        if k % 8 == 0:
            stands = rng.random(4) < 0.5
        legs = found.legs
        legs["stands"], legs["progress"] = stands, np.where(stands, 0.0, 0.12 * (k % 8))
        legs["late"] = np.where(stands | (k % 8 < 7), 0.0, 0.01)
        legs["clearance"] = rng.choice([0.0, 0.08], 4)
        legs["swing"] = 0.013  # short: the last piece is no whole one
        told.legs["spring"] = rng.choice([0.0, 1.0], (4, 3))
        for build, leg in zip(machine().geometry.legs, known.legs, strict=True):
            moment_columns(build, leg.q, leg.weigh)
        yield k, known, found, trunk, told


def seen(known, trunk):
    """Return poses, arms of the feet, and what trunk and reference see of them."""
    one, pose = known.trunk[0], trunk.pose[0]
    at = SimpleNamespace(R=one.R_WB, p=one.p_WB, v=one.v_WB, w=one.w_WB_B)
    at.arm = known.legs["hip"] + known.legs["foot"]
    at.ground = -at.v @ at.R - np.cross(at.w, at.arm)  # seen from the trunk
    at.turn = rotation(*pose.rpy_WB)
    at.pose = pose
    c, s = np.cos(pose.rpy_WB[2]), np.sin(pose.rpy_WB[2])
    along = np.array([[c, s], [-s, c]]) @ pose.path
    places = trunk.places
    swept = np.stack([-places[:, 1], places[:, 0]], axis=1) * pose.yaw_rate
    at.drift = np.c_[along + swept, np.zeros(4)]
    return at


def goal_of(k, at, trunk, told, leg, low):
    """Return where a foot is bound for, seen from the trunk's reference."""
    shift = np.array([*told.legs[k].shift, low])
    if not np.isfinite(leg.goal[0]):
        return trunk.places[k] + 0.5 * leg.support * at.drift[k] + shift
    rest = (1.0 - leg.progress) * leg.swing
    roll, pitch, yaw = at.pose.rpy_WB
    turn = rotation(roll, pitch, yaw + at.pose.yaw_rate * rest)
    off = leg.goal - at.pose.p_WB - [*at.pose.v_WB[:2] * rest, 0.0]
    return off @ turn + shift


def weight_of(at, leg):
    """Return the force of its foot that holds a leg's own weight."""
    return np.linalg.solve(leg.jacobian.T, GRAVITY * at.R[2] @ leg.weigh)


def fifth(x0, v0, x1, v1, T, s):
    """Return place and velocity of the polynomial that ends without acceleration."""
    t = np.array([0.0, T])
    rows = [t**n for n in range(6)], [n * t ** max(n - 1, 0) for n in range(6)]
    bends = [n * (n - 1) * t ** max(n - 2, 0) for n in range(6)]
    A = np.concatenate([np.array(r).T for r in (*rows, bends)])
    a = np.linalg.solve(A, [x0, x1, v0, v1, 0.0, 0.0])
    u, n = s * T, np.arange(6)
    return a @ u**n, a @ (n * u ** np.maximum(n - 1, 0))


class Quintic:
    """A swing in pieces of second order, told by polynomials of fifth."""

    def __init__(self, config):
        self.c, legs = config, range(4)
        self.state = [
            SimpleNamespace(stood=True, progress=0.0, bias=np.zeros(3)) for _ in legs
        ]
        self.moved = np.linalg.inv(foot_mobility(machine()))

    def tick(self, known, found, trunk, told):
        at, aims = seen(known, trunk), []
        for k in range(4):
            way, leg, own = self.state[k], found.legs[k], known.legs[k]
            way.low = at.pose.p_WB[2] - at.p[2]
            one = SimpleNamespace(banned=0.0)
            if leg.stands:
                self.stand(k, at, own, way, told, one)
            else:
                is_anew = leg.progress < way.progress - 0.02
                if is_anew and np.isfinite(leg.goal[0]):  # another foothold
                    way.left = (at.p - at.pose.p_WB + at.R @ at.arm[k]) @ at.turn
                if way.stood:
                    way.since = self.c.piece
                    way.left, way.rate = at.arm[k].copy(), own.foot_rate.copy()
                self.swing(k, at, known, leg, way, trunk, told, one)
            way.stood, way.progress = bool(leg.stands), leg.progress
            aims.append(one)
        return aims

    def stand(self, k, at, own, way, told, one):
        spring = told.legs[k].spring
        one.place = (own.foothold - at.pose.p_WB) @ at.turn - own.hip
        turns = np.cross([0.0, 0.0, at.pose.yaw_rate], own.foothold - at.pose.p_WB)
        one.velocity = (-turns - at.pose.v_WB) @ at.turn
        if not way.stood:
            one.place = own.foot.copy()
        slides = own.foot_rate - at.ground[k]
        carried = weight_of(at, own) - self.c.keep * slides
        one.force = told.legs[k].force + (1.0 - spring) * carried
        one.landing, one.bend = own.foot, np.zeros(3)
        one.stiffness, one.damping = spring * K, spring * D

    def swing(self, k, at, known, leg, way, trunk, told, one):
        c, own = self.c, known.legs[k]
        goal = goal_of(k, at, trunk, told, leg, np.clip(way.low, -c.sink, c.sink))
        if way.since >= c.piece - 0.5 * DT or leg.late > 0.0:
            self.piece(at.ground[k], goal, leg, way)
        t = way.since
        one.landing = goal - own.hip
        one.velocity = way.velocity + way.bend * t
        one.place = way.place + way.velocity * t + 0.5 * way.bend * t * t - own.hip
        one.bend = way.bend.copy()
        way.since += DT
        missing = K * (one.place - own.foot)
        more = way.bias + DT / c.bias_time * missing
        way.bias = np.clip(more, -c.most_bias, c.most_bias)
        pull = c.inertia * self.moved[k] @ one.bend
        one.force = pull + weight_of(at, own) + way.bias
        one.stiffness, one.damping = K, D

    def piece(self, ground, goal, leg, way):
        T, s, h = leg.swing, leg.progress, self.c.piece
        way.since = 0.0
        level = np.array([1.0, 1.0, 0.0])
        if leg.late > 0.0:
            way.place = goal + level * ground * leg.late
            way.velocity, way.bend = level * ground, np.zeros(3)
            return
        ahead = min(h, max((1.0 - s) * T, 1e-3))
        now, then = (self.along(ground, goal, leg, way, u) for u in (s, s + ahead / T))
        way.place, way.velocity = now[0], now[1]
        way.bend = 2.0 * (then[0] - now[0] - now[1] * ahead) / ahead**2

    def along(self, ground, goal, leg, way, s):
        T, c = leg.swing, self.c
        x = [fifth(way.left[i], way.rate[i], goal[i], ground[i], T, s) for i in (0, 1)]
        top = max(way.left[2], goal[2]) + (leg.clearance or c.lift)
        if s < c.rising:
            z = fifth(way.left[2], 0.0, top, 0.0, c.rising * T, s / c.rising)
        elif s < 1.0 - c.lowering:
            z = top, 0.0
        else:
            u = min((s - 1.0 + c.lowering) / c.lowering, 1.0)
            z = fifth(top, 0.0, goal[2], -c.touch_speed, c.lowering * T, u)
        return np.array([*x, z]).T


def test_swings_by_polynomials_follow_their_rules():
    config = QuinticConfig(
        lift=0.06, rising=0.3, lowering=0.4, touch_speed=0.15, piece=2.5 * DT,
        bias_time=0.02, most_bias=3.0, inertia=0.8, keep=35.0, sink=0.004,
    )  # fmt: skip
    part, rule = QuinticProgram(LAW, config), Quintic(config)
    state = part.init()
    for _, known, found, trunk, told in ticks(19):
        aims, state = part.step(known, found, told, state)
        for aim, want in zip(aims, rule.tick(known, found, trunk, told), strict=True):
            for name, value in vars(want).items():
                np.testing.assert_allclose(aim[name], value, **CLOSE, err_msg=name)
            assert not aim.acceleration.any() and not aim.servo.any()
    assert max(np.abs(way.bias).max() for way in rule.state) == 3.0


class Cycloid:
    """Feet that press as told on ground that they learn, and swing by cycloids."""

    def __init__(self, config):
        self.c = config
        self.state = [
            SimpleNamespace(
                stood=False,
                level=0.0,
                offset=0.0,
                stiffness=config.guess,
                left=np.zeros(3),
                J=np.zeros((3, 3)),
            )
            for _ in range(4)
        ]

    def tick(self, known, found, trunk, told):
        at, aims = seen(known, trunk), [SimpleNamespace() for _ in range(4)]
        for k, (one, way) in enumerate(zip(aims, self.state, strict=True)):
            leg, own = found.legs[k], known.legs[k]
            if leg.stands:
                self.stand(k, at, own, way, told, one)
            elif way.stood:
                way.left = (at.p - at.pose.p_WB + at.R @ at.arm[k]) @ at.turn
                way.J, way.stood = own.jacobian.copy(), False
        depth = [
            max(told.legs[k].load, 0.0) / way.stiffness
            for k, way in enumerate(self.state) if way.stood
        ]  # fmt: skip
        sunk = np.mean(depth) if depth else 0.0
        for k, (one, way) in enumerate(zip(aims, self.state, strict=True)):
            if not found.legs[k].stands:
                self.swing(k, at, known, found.legs[k], way, trunk, told, sunk, one)
        return aims

    def stand(self, k, at, own, way, told, one):
        c, height = self.c, (at.p + at.R @ at.arm[k])[2]
        is_new = not way.stood
        if is_new:
            way.level, way.offset, way.stood = height, 0.0, True
        if c.adapts and own.load > c.force_least:
            y = height - way.level
            r = y / c.sunk
            error = way.offset - way.stiffness * y - own.load
            part = min(c.gain * DT, 1.0) * error / (1.0 + r * r)
            more = way.stiffness + r * part / c.sunk
            way.stiffness = np.clip(more, min(2e3, c.guess), max(500e3, c.guess))
            way.offset -= part
        force = told.legs[k].force
        deep = way.level + (way.offset + force @ at.R[2]) / way.stiffness
        hold = np.array([*own.foothold[:2], deep])
        one.place = (hold - at.pose.p_WB) @ at.turn - own.hip
        turns = np.cross([0.0, 0.0, at.pose.yaw_rate], hold - at.pose.p_WB)
        one.velocity = (-turns - at.pose.v_WB) @ at.turn
        if is_new:
            one.place = own.foot.copy()
        one.force = force + weight_of(at, own)
        one.stiffness, one.damping, one.landing = K, D, own.foot

    def swing(self, k, at, known, leg, way, trunk, told, sunk, one):
        c, own, T = self.c, known.legs[k], leg.swing
        goal = goal_of(k, at, trunk, told, leg, sunk)
        drift = at.drift[k]
        gone = goal - way.left + drift * T
        length = np.hypot(*gone[:2]) + 1e-6
        t = T if leg.late > 0.0 else leg.progress * T
        (x, z), rate, _ = cycle(t, T, length)
        _, _, bend = cycle(t + c.lead, T, length)
        lift = leg.clearance or c.lift
        high = lift * math.pi / length if lift > 0.0 else 1.0
        up = np.array([0.0, 0.0, 1.0])
        place = way.left + gone * x / length - drift * (t + leg.late) + up * high * z
        goes = gone * rate[0] / length - drift + up * high * rate[1]
        bends = gone * bend[0] / length + up * high * bend[1]
        off, slow = at.pose.p_WB - at.p, at.pose.v_WB - at.v
        place = (off + at.turn @ place) @ at.R
        one.place = place - own.hip
        one.velocity = (slow + at.turn @ goes) @ at.R - np.cross(at.w, place)
        one.landing = goal - own.hip
        one.bend = bends - (own.jacobian - way.J) / DT @ own.v
        a = np.linalg.solve(own.jacobian, one.bend)
        torques = machine().inertia[k] @ a
        one.force = c.inertia * np.linalg.solve(own.jacobian.T, torques)
        one.force = one.force + weight_of(at, own)
        one.stiffness, one.damping = K, D
        way.J = own.jacobian.copy()


def cycle(t, T, length):
    """Return x and z of a rolling wheel's point, their rates and accelerations."""
    r, w = length / (2.0 * np.pi), 2.0 * np.pi / T
    if not 0.0 < t < T:
        return (length if t >= T else 0.0, 0.0), (0.0, 0.0), (0.0, 0.0)
    s, c = np.sin(w * t), np.cos(w * t)
    place = r * (w * t - s), r * (1.0 - c)
    return place, (r * w * (1.0 - c), r * w * s), (r * w * w * s, r * w * w * c)


@pytest.mark.parametrize("adapts", [False, True])
def test_feet_that_press_and_swing_by_cycloids_follow_their_rules(adapts):
    config = CycloidConfig(
        adapts=adapts, guess=9000.0, gain=60.0, sunk=0.02, force_least=40.0,
        lift=0.05 if adapts else 0.0, inertia=0.7, lead=0.01, singular=1e-6,
    )  # fmt: skip
    part, rule = CycloidProgram(LAW, config), Cycloid(config)
    state = part.init()
    for _, known, found, trunk, told in ticks(23):
        aims, state = part.step(known, found, told, state)
        wants = rule.tick(known, found, trunk, told)
        for aim, want in zip(aims, wants, strict=True):
            for name, value in vars(want).items():
                np.testing.assert_allclose(aim[name], value, **CLOSE, err_msg=name)
            assert not aim.acceleration.any() and not aim.servo.any()
    stiffness = [way.stiffness for way in rule.state]
    assert (set(stiffness) != {9000.0}) == adapts
