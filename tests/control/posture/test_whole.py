"""The whole posture controller on random readings, against its law in vectors.

Attitude is taken from its observer, which has tests of its own; loads are shared by the
distribution, which has too. What comes before and after is written out here.
"""

import numpy as np
import pytest

from equipoise.control.forces.distribution import share_consistent, share_printed
from equipoise.control.observer.attitude import AttitudeConfig
from equipoise.control.posture.config import PostureControllerConfig
from equipoise.control.posture.controller import (
    posture_controller,
)
from equipoise.control.records import SharedLoad
from equipoise.core.contracts import Readings
from equipoise.robots.legs import centre_of_mass, foot_jacobian, leg_geometry
from equipoise.robots.warp1.warp1 import warp1
from oracles.other_views import BESIDE, FLIPS

ROBOT = warp1()
LEGS = leg_geometry(ROBOT)
STAND = np.asarray(ROBOT.spec.keys[0].qpos)[7:].copy()
DT, G = 0.004, 9.7
ENOUGH = 1e-9  # rounding, relative to torques of some hundred N m
OURS = PostureControllerConfig(
    height=(900.0, 80.0, 3000.0), roll=(400.0, 30.0, 900.0), pitch=(500.0, 41.0, 800.0),
    most=(0.4, 0.3, 0.2), leg_stiffness=700.0, leg_damping=30.0, least_load=9.0,
    knock_amplitude=1.7, knock_frequency=60.0, reference_rate=20.0,
    attitude=AttitudeConfig(smooth_rate=2.0),
)  # fmt: skip
PRINTED = PostureControllerConfig(
    height=(900.0, 80.0, 3000.0), roll=(400.0, 30.0, 900.0), pitch=(500.0, 41.0, 800.0),
    most=(0.4, 0.3, 0.2), leg_stiffness=700.0, leg_damping=30.0, sharing="printed",
    weight="printed", height_of="hips", feet="printed",
    reference_rate=0.0, knock_amplitude=0.0,
)  # fmt: skip
CASES = {"ours": OURS, "printed": PRINTED}


def target(time):
    """Return a roll, pitch and rise that change."""
    return 0.05 * np.sin(9.0 * time), 0.04 * np.cos(7.0 * time), 0.02 * time


def drawn(seed, count=40):
    """Yield readings of a machine that is shaken, some of which fail."""
    rng = np.random.default_rng(seed)
    q, v = STAND.copy(), np.zeros(12)
    for k in range(count):
        v = 0.8 * v + rng.normal(0.0, 0.4, 12)
        q = q + DT * v
        r = Readings(
            k * DT, DT, q.copy(), v.copy(), rng.normal(0.0, 2.0, 12), np.zeros(12),
            rng.normal(0.0, 0.3, 3), rng.normal([0.3, -0.2, G], 0.3),
            rng.normal([0.06, -0.05], 0.01), np.full(4, 148.0), np.zeros(4),
        )  # fmt: skip
        if k % 9 == 4:
            r.q[k % 12] = r.v[(k + 5) % 12] = np.nan
        yield r


class Law:
    """From how the trunk stands to what the joints do, in NumPy."""

    def __init__(self, config):
        self.c, self.integral, self.first = config, np.zeros(3), None
        self.at, self.going = np.zeros(3), np.zeros(3)
        self.q, self.v = np.zeros(12), np.zeros(12)

    def lead(self, time):
        p, want = self.c.reference_rate, np.array(target(time))
        if p == 0.0:
            self.at, self.going = want, np.zeros(3)
            return
        self.going = self.going + DT * (p * p * (want - self.at) - 2 * p * self.going)
        self.at = self.at + DT * self.going

    def torques(self, r, R, w):
        c = self.c
        self.q = np.where(np.isfinite(r.q), r.q, self.q)
        self.v = np.where(np.isfinite(r.v), r.v, self.v)
        J, up = np.empty((4, 3, 3)), R[2]
        foot_jacobian(self.q, LEGS.lengths, J)
        foot, rate = self.feet(J)
        arm = LEGS.hips + foot
        roll, pitch = np.arctan2(up[1], up[2]), np.arcsin(-up[0])
        if c.height_of == "hips":
            height = -(foot @ up).mean()
            rising = -((rate + np.cross(w, foot)) @ up).mean()
        else:
            height, rising = -arm[:, 2].mean(), -rate[:, 2].mean()
        self.first = height if self.first is None else self.first
        self.lead(r.time)
        s, co = np.sin(roll), np.cos(roll)
        rates = np.array(
            [
                w[0] + (s * w[1] + co * w[2]) * np.tan(pitch),
                co * w[1] - s * w[2],
                rising,
            ]
        )
        errors = self.at - [roll, pitch, height - self.first]
        slower = self.going - rates
        order = [2, 0, 1]  # height, roll, pitch
        P, D, K = np.array([c.height, c.roll, c.pitch]).T
        self.errors, most = errors, np.array(c.most)
        grown = self.integral + K * errors[order] * DT
        self.integral = np.clip(grown, -most, most)
        f3, m1, m2 = P * errors[order] + D * slower[order] + self.integral
        weight, force = LEGS.mass * G, np.zeros((4, 3))
        if c.weight == "printed":
            f3 += weight
        else:
            centre = np.zeros(3)
            centre_of_mass(self.q, LEGS.legs, LEGS.trunk, centre)
            lift = weight * up
            low = np.array([0.0, 0.0, arm[:, 2].mean()])
            held = np.cross(centre, lift) - np.cross(low, [lift[0], lift[1], 0.0])
            f3, m1, m2 = f3 + lift[2], m1 + held[0], m2 + held[1]
            force[:, :2] = -lift[:2] / 4
        shared = SharedLoad.zeros(4)
        shared["stands"] = 1.0
        if c.sharing == "printed":
            shared["arm"] = LEGS.hips[:, :2]
            share_printed(f3, m1, m2, shared)
        else:
            shared["arm"] = arm[:, :2]
            share_consistent(f3, m1, m2, c.least_load, shared)
        force[:, 2] = -shared["load"]
        place, goes = np.zeros((4, 3)), np.zeros((4, 3))
        if c.feet == "plumb":
            place, goes = self.plumb(up, w, arm)
        K, D = np.array([1.0, 1.0, 0.0]) * [[c.leg_stiffness], [c.leg_damping]]
        pull = K * (place - foot) + D * (goes - rate) + force
        tau = np.einsum("lij,li->lj", J, pull)
        most = np.array([drive.torque for drive in ROBOT.drives]).reshape(4, 3)
        tau = np.clip(tau, -most, most)
        cycle = r.time * c.knock_frequency
        up_now = c.knock_amplitude if cycle % 1.0 < 0.5 else -c.knock_amplitude
        tau += up_now * np.array([1.0, -1.0, -1.0, 1.0])[:, None]
        return np.clip(tau, -most, most).ravel(), height

    def feet(self, J):
        a, p, k = self.q.reshape(4, 3).T
        l1, l2 = LEGS.lengths.T
        down = l1 * np.cos(p) + l2 * np.cos(p + k)
        ahead = l1 * np.sin(p) + l2 * np.sin(p + k)
        foot = np.stack([ahead, down * np.sin(a), -down * np.cos(a)], axis=1)
        return foot, np.einsum("lij,lj->li", J, self.v.reshape(4, 3))

    def plumb(self, up, w, arm):
        """Return places and velocities of feet as a level trunk has them."""
        ahead = np.array([1.0, 0.0, 0.0]) - up[0] * up
        ahead /= np.linalg.norm(ahead)
        left = np.cross(up, ahead)
        place = np.outer(LEGS.hips[:, 0], ahead) + np.outer(LEGS.hips[:, 1], left)
        place += np.outer(arm @ up, up)
        turns = w - (up @ w) * up
        return place - LEGS.hips, np.cross(place, turns)


@pytest.mark.parametrize("name", CASES)
def test_random_readings_are_answered_as_the_law_has_it(name):
    config = CASES[name]
    controller = posture_controller(ROBOT, config, target, gravity=G)
    state, law = controller.init(), Law(config)
    for r in drawn(7):
        command, state = controller.step(r, state)
        w, x, y, z = state.memory[0].quat_WB
        seen = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        tau, height = law.torques(r, seen, state.memory[0].rate)
        np.testing.assert_allclose(command.tau, tau, rtol=ENOUGH, atol=1e-7)
        told = command.telemetry
        assert told["height"] == pytest.approx(height)
        roll, pitch, rise = law.errors
        assert told["roll_error"] == pytest.approx(roll)
        assert told["pitch_error"] == pytest.approx(pitch)
        assert told["height_error"] == pytest.approx(rise)
        assert told["roll"] == pytest.approx(law.at[0] - roll)
        assert told["pitch"] == pytest.approx(law.at[1] - pitch)
    assert told["skipped"] == 0.0
    assert np.abs(law.integral).max() > 0.1


def test_in_the_mirror_the_other_side_does_the_same():
    config = PostureControllerConfig(knock_amplitude=0.0, least_load=9.0)

    def beyond(time):
        roll, pitch, rise = target(time)
        return -roll, pitch, rise

    one = posture_controller(ROBOT, config, target)
    two = posture_controller(ROBOT, config, beyond)
    state, seen, across = one.init(), two.init(), np.array([1.0, -1.0, 1.0])

    def joints(x):
        return (x.reshape(4, 3) * FLIPS)[BESIDE].ravel()

    for r in drawn(9):
        other = Readings(
            r.time, r.dt, joints(r.q), joints(r.v), joints(r.current), r.limit,
            -r.gyro * across, r.acceleration * across, r.inclination * [-1, 1],
            r.load, r.pad,
        )  # fmt: skip
        command, state = one.step(r, state)
        again, seen = two.step(other, seen)
        # solver: the sharing's slack, 1e-9 of loads by a conditioning of 1e4
        np.testing.assert_allclose(again.tau, joints(command.tau), atol=1e-2)
        np.testing.assert_allclose(again.volts, joints(command.volts), atol=1e-2)
