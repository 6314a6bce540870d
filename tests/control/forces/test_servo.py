"""The trunk servo against vectors and matrices of NumPy."""

import math

import numpy as np
import pytest

from equipoise.control.forces.own_weight import force_of_torques, own_weight
from equipoise.control.forces.servo import (
    ServoConfig,
    ServoState,
    ask_wrench,
    ground_axes,
    servo_trunk,
)
from equipoise.control.forces.two_step import TrunkWrench
from equipoise.control.records import LegEstimate, TrunkEstimate
from equipoise.core.constants import GRAVITY
from equipoise.core.records import record_of
from oracles.other_views import random_ticks
from oracles.walking_parts import DT, machine, rotation

ENOUGH = 1e-10  # rounding: some hundred operations on numbers of up to 1e4, relative
GAINS = {
    "speed": 3.0, "integral": 0.7, "most_integral": 0.02, "place": 2.0,
    "height": 90.0, "sink": 12.0, "attitude": 250.0, "rolling": 27.0,
    "heading": 20.0, "turning": 6.0, "period": 3 * DT,
}  # fmt: skip


def gains():
    """Return gains that are all different."""
    return record_of(ServoConfig(**GAINS))


def inertia():
    """Return WARP1's about its centre of mass [kg m²]."""
    return np.array(machine().turning)


def fitted_axes(footholds, yaw):
    """Return ahead, left and normal of the plane of least squares, row by row."""
    ahead = np.array([np.cos(yaw), np.sin(yaw), 0.0])
    xy = footholds[:, :2] - footholds[:, :2].mean(axis=0)
    rise = footholds[:, 2] - footholds[:, 2].mean()
    u, v = np.linalg.lstsq(xy, rise, rcond=None)[0]
    normal = np.array([-u, -v, 1.0]) / np.hypot(1.0, np.hypot(u, v))
    along = ahead + np.array([0.0, 0.0, ahead[:2] @ [u, v]])
    along /= np.linalg.norm(along)
    return np.array([along, np.cross(normal, along), normal])


class Servo:
    """The docstring's law in vectors: a = K_p e_p + K_d e_v + K_i ∫ e_v."""

    def __init__(self):
        self.lag, self.summed = np.zeros(2), np.zeros(2)

    def wrench(self, known, clock, pose):
        """Return force and moment along the axes, and the centre's velocity."""
        g, trunk, legs = GAINS, known.trunk[0], known.legs
        R, mass = trunk.R_WB, trunk.mass
        inner = np.cross(trunk.w_WB_B, trunk.p_BC)
        inner = inner + np.einsum("lij,lj->i", legs["weigh"], legs["v"]) / mass
        centre = trunk.v_WB + R @ inner
        yaw, dt = pose.rpy_WB[2], max(g["period"], trunk.dt)
        H = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
        off = H @ (pose.v_WB - centre)[:2]
        far = H @ (pose.p_WB - trunk.p_WB)[:2]
        self.lag += dt / (0.5 * clock.cycle + dt) * (off - self.lag)
        if clock.walking > 0.0:
            most = g["most_integral"]
            self.summed += g["integral"] * self.lag * dt
            self.summed = np.clip(self.summed, -most, most)
        else:
            self.summed *= 1.0 - dt / (0.5 + dt)
        level = H.T @ (g["speed"] * off + g["place"] * far + self.summed)
        up = g["height"] * (pose.p_WB - trunk.p_WB)[2]
        up += g["sink"] * (pose.v_WB - trunk.v_WB)[2]
        force = mass * np.array([*level, up + GRAVITY])
        wanted = rotation(*pose.rpy_WB)
        turn = 0.5 * np.cross(R.T, wanted.T).sum(axis=0)
        rate = R @ trunk.w_WB_B - [0.0, 0.0, pose.yaw_rate]
        P = np.array([g["attitude"], g["attitude"], g["heading"]])
        D = np.array([g["rolling"], g["rolling"], g["turning"]])
        moment = R @ machine().turning @ R.T @ (P * turn - D * rate)
        axes = fitted_axes(legs["foothold"], yaw)
        return axes @ force, axes @ moment, centre


@pytest.fixture(scope="module")
def ticks():
    """What is known at 30 ticks, walking and then at rest; legs move their mass."""
    rng, found = np.random.default_rng(4), []
    for k, (known, _, told, trunk, _) in enumerate(random_ticks(31, 30)):
        known.legs["weigh"] = rng.normal(0.0, 1.0, (4, 3, 3))
        told.clock["walking"] = k < 20
        found.append((known, told, trunk))
    return found


def test_axes_are_those_of_the_footholds_plane(ticks):
    for known, _, trunk in ticks:
        yaw = trunk.pose[0].rpy_WB[2]
        found = np.array(ground_axes(known.legs, yaw))
        want = fitted_axes(known.legs["foothold"], yaw)
        np.testing.assert_allclose(found, want, atol=ENOUGH)
        np.testing.assert_allclose(found @ found.T, np.eye(3), atol=ENOUGH)


def test_the_wrench_is_the_laws(ticks):
    law, state, out = Servo(), ServoState.zeros(), TrunkWrench.zeros()
    for known, told, trunk in ticks:
        axes = ground_axes(known.legs, trunk.pose[0].rpy_WB[2])
        ask_wrench(
            known.trunk[0], known.legs, told.clock[0], trunk.pose[0],
            (gains()[0], inertia()), axes, state[0], out[0],
        )  # fmt: skip
        force, moment, centre = law.wrench(known, told.clock[0], trunk.pose[0])
        np.testing.assert_allclose(out[0].force, force, rtol=ENOUGH, atol=1e-8)
        np.testing.assert_allclose(out[0].moment, moment, rtol=ENOUGH, atol=1e-8)
        np.testing.assert_allclose(state[0].centre, centre, rtol=ENOUGH)
        np.testing.assert_allclose(state[0].lag, law.lag, rtol=ENOUGH)
        np.testing.assert_allclose(state[0].summed, law.summed, rtol=ENOUGH)
    assert np.abs(law.summed).max() < 0.02  # at rest it fades


def test_a_wrench_holds_until_the_next_one_is_due(ticks):
    law, before, last = Servo(), ServoState.zeros(), TrunkWrench.zeros()
    asked = []
    for known, told, trunk in ticks[:20]:
        after, wrench = ServoState.zeros(), TrunkWrench.zeros()
        servo_trunk(
            known.trunk, known.legs, told.clock, trunk.pose,
            (gains(), inertia()), (before, after), (last, wrench),
        )  # fmt: skip
        is_new = wrench[0].tobytes() != last[0].tobytes()
        asked.append(is_new)
        if is_new:
            force, moment, _ = law.wrench(known, told.clock[0], trunk.pose[0])
            np.testing.assert_allclose(wrench[0].force, force, rtol=ENOUGH, atol=1e-8)
            np.testing.assert_allclose(wrench[0].moment, moment, rtol=ENOUGH, atol=1e-8)
            assert after[0].due == GAINS["period"]
        else:
            assert after[0].due == before[0].due - DT
            assert after[0].summed.tolist() == before[0].summed.tolist()
        before, last = after, wrench
    assert np.flatnonzero(asked).tolist() == [0, 3, 6, 9, 12, 15, 18]


def test_a_period_below_a_ticks_counts_as_a_tick(ticks):
    known, told, trunk = ticks[3]
    axes, found = ground_axes(known.legs, 0.3), []
    for period in (0.0, DT):
        gain, state, out = gains(), ServoState.zeros(), TrunkWrench.zeros()
        gain["period"] = period
        ask_wrench(
            known.trunk[0], known.legs, told.clock[0], trunk.pose[0],
            (gain[0], inertia()), axes, state[0], out[0],
        )  # fmt: skip
        found.append(out.tobytes())
    assert found[0] == found[1]


def test_own_weight_is_the_force_whose_torques_hold_the_leg(ticks):
    known = ticks[5][0]
    for leg in known.legs:
        torques = GRAVITY * known.trunk[0].R_WB[2] @ leg.weigh
        want = np.linalg.solve(leg.jacobian.T, torques)
        np.testing.assert_allclose(own_weight(known.trunk[0], leg), want, rtol=1e-9)
        again = force_of_torques(leg, *torques.tolist())
        np.testing.assert_allclose(again, want, rtol=1e-9)
    leg.jacobian[:] = np.outer([1.0, 2.0, 3.0], [1.0, 0.5, 0.2])  # stretched
    assert own_weight(known.trunk[0], leg) == (0.0, 0.0, 0.0)


def test_legs_without_three_joints_tell_no_weight():
    trunk, legs = TrunkEstimate.zeros(), LegEstimate.zeros(1, joints=2)
    trunk["R_WB"], legs["weigh"], legs["jacobian"] = np.eye(3), 1.0, 1.0
    assert own_weight(trunk[0], legs[0]) == (0.0, 0.0, 0.0)
    assert force_of_torques(legs[0], 1.0, 2.0, 3.0) == (0.0, 0.0, 0.0)


def test_footholds_in_a_line_have_a_level_plane():
    known = random_ticks(1, 1)[0][0]
    known.legs["foothold"] = np.outer(np.arange(4.0), [0.1, 0.2, 0.05])
    axes = np.array(ground_axes(known.legs, 0.4))
    c, s = math.cos(0.4), math.sin(0.4)
    np.testing.assert_allclose(axes, [[c, s, 0], [-s, c, 0], [0, 0, 1]], atol=1e-15)
