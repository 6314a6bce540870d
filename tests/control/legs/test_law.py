"""The leg law against hand statics, another engine, and its own limits."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from equipoise.control.legs.law import LegLawConfig, leg_law
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.core.errors import ConfigError
from equipoise.core.records import copied
from equipoise.robots.drives import Drive
from equipoise.robots.legs import foot_jacobian, foot_place, leg_geometry
from equipoise.robots.warp1.warp1 import warp1

EPS = np.finfo(float).eps
STRONG = [Drive(current=1e6)] * 12  # so that no limit acts
LEGS = leg_geometry(warp1())


def pose(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return bent legs and their speeds: knees at least 0.2 rad from straight."""
    rng = np.random.default_rng(seed)
    q = rng.uniform([-0.4, -0.6, -1.8], [0.4, 1.2, -0.2], (4, 3)).reshape(-1)
    return q, rng.uniform(-2.0, 2.0, 12)


def observed(q, v):
    """Return what is known of the legs."""
    legs = first_estimate(LEGS.legs, 3)
    legs["q"], legs["v"] = q.reshape(4, 3), v.reshape(4, 3)
    observe_legs(LEGS.legs, legs)
    return legs


def test_observes_what_the_kinematics_say():
    q, v = pose(1)
    legs, place, J = observed(q, v), np.empty((4, 3)), np.empty((4, 3, 3))
    foot_place(q, LEGS.lengths, place)
    foot_jacobian(q, LEGS.lengths, J)
    # The same formula twice: products of a sine and a length of 0.3 m, rounded.
    np.testing.assert_allclose(legs["foot"], place, rtol=0, atol=4 * EPS)
    np.testing.assert_allclose(legs["jacobian"], J, rtol=0, atol=4 * EPS)
    rate = np.einsum("lij,lj->li", J, v.reshape(4, 3))
    np.testing.assert_allclose(legs["foot_rate"], rate, rtol=0, atol=16 * EPS)


def test_force_alone_is_what_another_engine_asks_of_the_joints():
    """A force on the ground is balanced by MuJoCo's own Jacobian transpose."""
    robot = warp1()
    model, data = robot.model, mujoco.MjData(robot.model)
    q, v = pose(2)
    data.qpos[3:7], data.qpos[7:] = [1, 0, 0, 0], q
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    law = leg_law(LEGS, STRONG)
    aim = law.aim()
    aim["stiffness"], aim["damping"] = 0.0, 0.0
    aim["force"] = np.random.default_rng(3).uniform(-300, 300, (4, 3))
    expected = np.zeros(model.nv)
    for foot, force in zip(robot.feet, aim["force"], strict=True):
        J = np.empty((3, model.nv))
        geom = model.geom(foot)
        point = data.geom(foot).xpos
        mujoco.mj_jac(model, data, J, None, point, int(geom.bodyid[0]))
        expected += J.T @ force
    # Forces of 300 N at arms of 0.6 m, a dozen roundings.
    np.testing.assert_allclose(law.torques(q, v, aim), expected[6:], atol=1e-12)


def test_springs_and_dampers_add_to_the_force():
    q, v = pose(4)
    law = leg_law(LEGS, STRONG)
    rng = np.random.default_rng(5)
    aim = law.aim()
    aim["place"] = [0.05, -0.02, -0.45]
    aim["velocity"] = rng.uniform(-1, 1, (4, 3))
    legs = observed(q, v)
    force = np.array([4000, 4000, 10_000]) * (aim["place"] - legs["foot"])
    force += np.array([700, 700, 1100]) * (aim["velocity"] - legs["foot_rate"])
    plain = law.aim()
    plain["stiffness"], plain["damping"], plain["force"] = 0.0, 0.0, force
    # Rounding of torques of some 1000 N m.
    np.testing.assert_allclose(
        law.torques(q, v, aim), law.torques(q, v, plain), rtol=0, atol=1e-11
    )


def test_knee_guard_pushes_back_and_never_pulls():
    law = leg_law(LEGS, STRONG)
    aim = law.aim()
    aim["stiffness"], aim["damping"] = 0.0, 0.0
    q, v = np.zeros(12), np.zeros(12)
    q[2::3] = [-0.06, -0.03, 0.02, 0.02]
    v[2::3] = [3.0, 0.0, 1.0, -3.0]
    tau = law.torques(q, v, aim)[2::3]
    # The thesis's spring and damper by hand: 500 · 0.02, 500 · 0.07 + 20, and a knee
    # that already flexes at 3 rad/s is let go.
    np.testing.assert_allclose(tau, [0.0, -10.0, -55.0, 0.0], rtol=0, atol=1e-12)


def test_knee_guard_of_knees_that_bend_backward_is_its_mirror_image():
    mirrored = replace(LEGS, legs=copied(LEGS.legs))
    mirrored.legs["bend"] *= -1.0
    law, other = leg_law(LEGS, STRONG), leg_law(mirrored, STRONG)
    aim = law.aim()
    aim["stiffness"], aim["damping"] = 0.0, 0.0
    q, v = np.zeros(12), np.zeros(12)
    q[2::3], v[2::3] = 0.02, 1.0
    there, back = law.torques(q, v, aim), other.torques(-q, -v, aim)
    assert np.any(there != 0.0)
    np.testing.assert_array_equal(there, -back)  # signs only: exact


def test_torque_stays_within_each_drive_and_the_rest_is_untouched():
    weak = [Drive(torque_constant=10.0), Drive(), Drive()] * 4
    q, v = pose(6)
    aim = leg_law(LEGS, weak).aim()
    aim["place"] = [0.3, 0.2, -0.3]
    free = leg_law(LEGS, STRONG).torques(q, v, aim)
    tau = leg_law(LEGS, weak).torques(q, v, aim)
    most = np.tile([50.0, 91.0, 91.0], 4)
    assert np.any(np.abs(free) > most) and np.any(np.abs(free) < most)
    np.testing.assert_array_equal(tau, np.clip(free, -most, most))  # exact: a choice


def test_drives_own_inertia_is_fed_forward_only_when_asked_for():
    q, v = pose(7)
    plain = leg_law(LEGS, STRONG)
    fed = leg_law(LEGS, STRONG, LegLawConfig(inertia_share=0.5))
    aim = plain.aim()
    aim["acceleration"] = 4.0
    more = fed.torques(q, v, aim) - plain.torques(q, v, aim)
    # 0.5 · 2.7 kg m² · 4 rad/s², beside torques of some 1000 N m.
    np.testing.assert_allclose(more, 5.4, rtol=0, atol=1e-11)


def test_a_joint_that_is_told_a_speed_is_kept_to_it():
    q, v = pose(9)
    law = leg_law(LEGS, STRONG)
    aim = law.aim()
    before = law.torques(q, v, aim)
    aim["rate"][1], aim["servo"][1, 2] = 1.5, 8.0  # the others are told none
    more = law.torques(q, v, aim) - before
    # 8 N m s/rad by hand, beside torques of some 1000 N m.
    np.testing.assert_allclose(more[5], 8.0 * (1.5 - v[5]), rtol=0, atol=1e-11)
    assert np.all(np.delete(more, 5) == 0.0)


def test_a_lost_encoder_slackens_its_own_leg_only():
    q, v = pose(8)
    law = leg_law(LEGS, [Drive()] * 12)
    aim = law.aim()
    whole = law.torques(q, v, aim)
    q[4] = math.nan
    tau = law.torques(q, v, aim)
    assert np.all(tau[3:6] == 0.0)
    keep = [0, 1, 2, *range(6, 12)]
    np.testing.assert_array_equal(tau[keep], whole[keep])


def test_refuses_wrong_gains_and_drives_in_one_sentence():
    with pytest.raises(ConfigError, match=r"stiffness must be values.*damping"):
        LegLawConfig(stiffness=(1.0, 2.0, -3.0), damping=(math.nan, 0.0, 0.0))
    with pytest.raises(ConfigError, match="12 joints need as many drives, got 3"):
        leg_law(LEGS, [Drive()] * 3)
