"""What joints of modules on several feet do, against the law in vectors of NumPy.

Everything that modules remember is drawn at random: complete and incomplete tables,
feet that leave, limbs in the air, joints between the legs.
"""

import math

import numpy as np
import pytest

from equipoise.control.com.brain.state import TABLE, empty_memory, empty_senses
from equipoise.control.com.feet.forces import REACH
from equipoise.control.com.feet.law import stand_on_feet
from equipoise.control.com.feet.plan import LegPlan
from equipoise.control.com.feet.stance import (
    FeetGains,
    FeetLawConfig,
    empty_feet_memory,
)
from equipoise.control.com.feet.support import SupportConfig
from equipoise.control.com.network import FaceShape
from equipoise.core.records import record_of

N, JOINTS, PORTS = 3, 2, 4
PARTS = (0, 1, 1, 2)
"""Which part carries each port; joint j is between parts j and j + 1."""
ENOUGH = 1e-9  # rounding, through a Cholesky factor conditioned to some hundreds
LAW = FeetLawConfig(
    pace=2.0, top_speed=0.05, lean=0.6, swiftness=7.0, levelling=5.0, homing=0.4,
    creep=9.0, stiffness=11.0, damping=0.3, joint_damping=0.7, lift=0.5,
    lift_time=0.04, ease_time=0.03, weight_time=0.03, gravity=9.7,
)  # fmt: skip
SUPPORT = SupportConfig(margin=0.01, place_error=0.002, jolt=3.0)
DT = 0.01
GAINS = FeetGains(record_of(LAW), record_of(SUPPORT), DT)


class World:
    """Three modules, what they know, and the law over it module by module."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.home = rng.normal(0.0, 0.3, (N, JOINTS))
        effort = rng.uniform(0.4, 5.0, (N, JOINTS))
        foot = rng.integers(0, 5, (N, JOINTS))
        height = np.where(rng.random((N, JOINTS)) < 0.5, 0.1, np.nan)
        height[0] = np.nan
        self.feet = empty_feet_memory(self.home, effort, LegPlan(foot, height))
        self.memory = empty_memory(N, PORTS, JOINTS)
        self.senses = empty_senses(N, JOINTS + 1, JOINTS)
        self.face = FaceShape.zeros(PORTS)
        self.face["part"] = PARTS
        self.ref, self.weight = np.zeros((N, JOINTS)), np.zeros((N, JOINTS))
        self.offset, self.share = np.zeros((N, JOINTS)), np.zeros((N, JOINTS))
        self.ease, self.goal = np.ones(N), np.full((N, 2), np.nan)
        self.started, self.mark, self.same = False, np.zeros(N), np.zeros(N)
        self.away = np.full(N, np.inf)
        self.kinds = set()

    def draw(self):
        """Put new numbers into what modules know."""
        rng, m = self.rng, self.memory
        for view in m.rows:
            view.known = rng.random() < 0.9
            view.mass, view.moved_mass = 2.0, rng.uniform(0.1, 1.9)
            view.com[:] = rng.normal([0.0, 0.0, 0.2], 0.02)
            view.velocity[:] = rng.normal(0.0, 0.02, 3)
            view.moved_com[:] = rng.normal(0.0, 0.1, 3)
            view.pivot[:] = rng.normal(0.0, 0.1, 3)
            axis = rng.normal(size=3)
            view.axis[:] = axis / np.linalg.norm(axis)
            view.angle, view.age = rng.normal(0.0, 0.3), 0.001 * rng.random()
        for i in range(N):
            first = i * JOINTS
            for name in ("known", "mass", "com", "velocity", "age"):
                m.rows[name][first + 1 : first + JOINTS] = m.rows[name][first]
            m.modules[i].estimate.held = rng.integers(0, JOINTS + 1)
            for k in range(TABLE):
                entry = m.contacts[i * TABLE + k]
                entry.who = (k + 1) * (rng.random() < (0.97 if k < 4 else 0.02))
                entry.touches = rng.random() < 0.95
                entry.port = rng.integers(-1, PORTS)
                turn = 2.0 * k + 0.3 * rng.random()
                entry.place.point[:] = 0.15 * math.cos(turn), 0.15 * math.sin(turn), 0.0
                entry.place.normal[:] = 0.0, 0.0, 1.0
                entry.place.friction = 0.5
                entry.place.force[:] = 0.0, 0.0, rng.choice([0.3, 6.0])
            module = self.feet.modules[i]
            module.steady = float(rng.random() < 0.8)
            if rng.random() < 0.3:
                module.order.foot = rng.integers(0, 5)
                module.order.lifted = rng.integers(0, 2)
            module.order.goal[:] = np.nan
            if rng.random() < 0.3:
                module.order.goal[:] = rng.normal(0.0, 0.05, 2)
        self.senses.anchor_part[:] = rng.integers(0, JOINTS + 1, N)
        self.senses.q[:] = self.home + rng.normal(0.0, 0.1, (N, JOINTS))
        self.senses.rate[:] = rng.normal(0.0, 0.5, (N, JOINTS))

    def expected(self):
        """Return every joint's torque by the law."""
        tau = np.zeros((N, JOINTS))
        if not self.started:
            self.ref, self.started = self.senses.q.copy(), True
        for i in range(N):
            self.module(i, tau[i])
        return tau

    def module(self, i, tau):
        g, m, order = LAW, self.memory, self.feet.modules[i].order
        own = [c for c in m.contacts[i * TABLE : (i + 1) * TABLE]]
        feet = [c for c in own if c.who and c.touches]
        who = [int(c.who) for c in feet]
        stays = [c for c in feet if c.who != order.foot]
        leaves = order.foot
        if len(stays) < 3 and len(stays) < len(feet):
            leaves, stays = 0, feet
        mark = sum(w * w for w in who)
        self.same[i] = self.same[i] + 1.0 if mark == self.mark[i] else 0.0
        self.mark[i] = mark
        goes = leaves != 0 and order.lifted != 0
        step = DT / g.ease_time
        ease = self.ease[i] - step if goes else self.ease[i] + step
        self.ease[i] = np.clip(ease, 1e-3, 1.0)
        view = m.rows[i * JOINTS]
        can = bool(view.known) and len(stays) >= 3
        self.away[i] = np.inf
        forces, velocity = None, None
        if can:
            weights = [self.ease[i] if w == leaves != 0 else 1.0 for w in who]
            forces = held(feet, weights, view.com, view.mass * g.gravity)
            velocity = self.wanted(i, view, feet, stays, leaves)
        for j in range(JOINTS):
            feed = 0.0
            if can:
                feed = self.joint(i, j, feet, forces, velocity, leaves)
            q, rate = self.senses.q[i, j], self.senses.rate[i, j]
            most = self.feet.joints[i * JOINTS + j].effort
            value = self.weight[i, j] + g.stiffness * (self.ref[i, j] - q)
            value += g.joint_damping * feed - g.damping * rate
            tau[j] = np.clip(value, -most, most)

    def wanted(self, i, view, feet, stays, leaves):
        """Return how feet shall go, seen from the body, and keep the goal."""
        g, order = LAW, self.feet.modules[i].order
        every = np.mean([c.place.point[:2] for c in feet], axis=0)
        rest = [c for c in feet if leaves == 0 or c.who != leaves]
        left = np.mean([c.place.point[:2] for c in rest], axis=0)
        goal = every + (g.lean if leaves else 1.0) * (left - every)
        if np.isfinite(order.goal[0]):
            goal = order.goal.copy()
        if order.lifted and np.isfinite(self.goal[i, 0]):
            goal = self.goal[i].copy()
        self.goal[i] = goal
        off = view.com[:2] - goal
        self.away[i] = np.hypot(*off)
        return min(g.pace, g.top_speed / self.away[i]) * off

    def joint(self, i, j, feet, forces, velocity, leaves):
        """Move a joint's reference and weight; return its wanted rate."""
        g, m, at = LAW, self.memory, i * JOINTS + j
        view, kept, order = m.rows[at], self.feet.joints[at], self.feet.modules[i].order
        held_part = m.modules[i].estimate.held
        beyond = []
        torque = np.cross(
            view.moved_com - view.pivot, [0, 0, view.moved_mass * g.gravity]
        )
        for c, f in zip(feet, forces, strict=True):
            part = PARTS[c.port] if c.port >= 0 else self.senses.anchor_part[i]
            after, ground_before = part > j, held_part <= j
            beyond.append(after == ground_before)
            if beyond[-1]:
                torque = torque - np.cross(c.place.point - view.pivot, f)
        weight = view.axis @ torque
        self.weight[i, j] += min(DT / g.weight_time, 1.0) * (weight - self.weight[i, j])
        moved, count = sum(beyond), len(feet)
        single = [c for c, b in zip(feet, beyond, strict=True) if b == (moved == 1)]
        limb = single[-1] if moved == 1 or count - moved == 1 else None
        is_leg = limb is not None and kept.limb == limb.who
        is_up = order.lifted and order.foot and kept.limb == order.foot
        is_up = bool(is_up) and self.ease[i] <= 1e-3
        if self.share[i, j] == 0.0:
            self.offset[i, j] = lifting(view, moved <= count - moved)
        most = DT
        if is_up or moved in (0, count):
            self.kinds.add("lifted" if is_up else "free")
            step = DT / g.lift_time
            share = self.share[i, j] + (step if is_up else -step)
            self.share[i, j] = np.clip(share, -1.0, 1.0)
            target = self.home[i, j] + self.share[i, j] * self.offset[i, j]
            self.ref[i, j] += np.clip(target - self.ref[i, j], -most, most)
            return 0.0
        self.share[i, j] = 0.0
        if not is_leg:
            self.kinds.add("body")
            change = self.home[i, j] - self.ref[i, j]
            self.ref[i, j] += np.clip(change, -0.2 * most, 0.2 * most)
            return 0.0
        least = 0.25 * view.mass * g.gravity / count
        is_light = limb.place.force[2] < least and self.ease[i] >= 1.0
        hip = m.rows[i * JOINTS + kept.hip]
        rise = hip.pivot[2] - limb.place.point[2] - kept.height
        rise = min(rise, -0.001) if is_light else rise
        if np.isnan(rise):
            rise = 0.0
        goes = np.array([*velocity, g.levelling * rise])
        rate = view.axis @ np.cross(limb.place.point - view.pivot, goes)
        rate *= g.swiftness if moved == 1 else -g.swiftness
        homing = 0.0 if is_light else g.homing * (self.home[i, j] - view.angle)
        self.kinds.add("light leg" if is_light else "leg")
        rate = np.clip(homing + rate, -1.0, 1.0)
        self.ref[i, j] += DT * (rate + g.creep * (view.angle - self.ref[i, j]))
        return rate


def held(feet, weights, com, weight):
    """Return the smallest forces of weighted feet that hold a weight at the centre."""
    ways = []
    for c in feet:
        arm = (c.place.point - com) / REACH
        cross = np.cross(np.eye(3), arm)  # rows e_k x arm: transposed, b -> b x arm
        ways.append(np.hstack([np.eye(3), cross.T]))
    A = sum(w * B.T @ B for w, B in zip(weights, ways, strict=True))
    slack = 1e-9 * (A[0, 0] + A[3, 3] + A[4, 4] + A[5, 5]) + 1e-30
    x = np.linalg.solve(A + slack * np.eye(6), [0.0, 0.0, weight, 0.0, 0.0, 0.0])
    return [w * B @ x for w, B in zip(weights, ways, strict=True)]


def lifting(view, is_moved):
    """Return the turn that raises the limb on a side, in proportion to its lever."""
    centre, sign = view.moved_com, 1.0
    if not is_moved:
        rest = view.mass * view.com - view.moved_mass * view.moved_com
        centre, sign = rest / (view.mass - view.moved_mass), -1.0
    rises = np.cross(view.axis, centre - view.pivot)[2]
    return sign * LAW.lift * np.clip(rises / 0.06, -1.0, 1.0)


@pytest.mark.parametrize("seed", range(3))
def test_many_ticks_of_random_knowledge_follow_the_law(seed):
    world, tau = World(seed), np.empty((N, JOINTS))
    for k in range(72):
        if k % 6 == 0:
            world.draw()
        world.senses.q[:] += world.rng.normal(0.0, 0.01, (N, JOINTS))
        stand_on_feet(world.memory, world.feet, world.face, world.senses, GAINS, tau)
        close = {"rtol": ENOUGH, "atol": ENOUGH}
        np.testing.assert_allclose(tau, world.expected(), **close)
        modules, joints = world.feet.modules, world.feet.joints
        np.testing.assert_allclose(modules["ease"], world.ease, **close)
        np.testing.assert_allclose(modules["away"], world.away, **close)
        np.testing.assert_allclose(modules["goal"], world.goal, **close)
        np.testing.assert_array_equal(modules["same"], world.same)
        np.testing.assert_allclose(joints["ref"], world.ref.ravel(), **close)
        np.testing.assert_allclose(joints["share"], world.share.ravel(), **close)
    assert world.kinds == {"free", "lifted", "body", "leg", "light leg"}


def square(world, i, side=0.15):
    """Put four feet and nothing else into module i's table, all staying."""
    world.memory.contacts["who"][TABLE:] = 0
    for k in range(TABLE):
        entry = world.memory.contacts[i * TABLE + k]
        entry.who, entry.touches = (k + 1) * (k < 4), 1
        entry.place.point[:] = side * (1 - 2 * (k % 2)), side * (1 - 2 * (k // 2)), 0.0
    world.feet.modules[i].order.foot = 0
    world.feet.modules[i].steady = 1.0


def test_a_module_says_yes_within_its_feet_and_no_outside_once_it_is_sure():
    world, tau = World(1), np.empty((N, JOINTS))
    world.draw()
    world.memory.rows["known"] = 0
    first = world.memory.rows[0]
    first.known, first.age, first.velocity[:] = 1, 0.01, [0.03, 0.0, 0.04]
    square(world, 0)
    # what may be wrong: 0.002 + 0.01 (2 0.05 + 3 0.01) = 0.0033, and 0.01 of margin
    wrong = 0.002 + 0.01 * (2.0 * 0.05 + 3.0 * 0.01)
    for inside, ticks, word in (
        (wrong + 0.0101, 1, 1), (wrong + 0.0099, 1, -1), (-wrong - 1e-4, 48, -1),
        (-wrong - 1e-4, 2, 0), (-wrong + 1e-4, 1, -1),
    ):  # fmt: skip
        first.com[:2] = 0.15 - inside, 0.0
        for _ in range(ticks):
            stand_on_feet(
                world.memory, world.feet, world.face, world.senses, GAINS, tau
            )
        assert world.feet.modules[0].verdict == word
    world.feet.modules[0].steady = 0.0
    stand_on_feet(world.memory, world.feet, world.face, world.senses, GAINS, tau)
    assert world.feet.modules[0].verdict == -1.0


def test_a_torque_that_is_no_number_is_none():
    world, tau = World(2), np.empty((N, JOINTS))
    world.draw()
    world.senses.rate[0, 0] = np.nan
    stand_on_feet(world.memory, world.feet, world.face, world.senses, GAINS, tau)
    assert tau[0, 0] == 0.0
    assert np.isfinite(tau).all() and tau.any()
