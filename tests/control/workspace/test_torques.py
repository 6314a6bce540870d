"""Which wrench each foot gives, and the torques that do it: Algorithms 5 and 6."""

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace import legged_tree, workspace_torques
from equipoise.control.workspace.dynamics import moved
from equipoise.control.workspace.small import (
    add_column6,
    add_inverse6,
    inverse6,
    invert_lower6,
    lower_root6,
    solve_spd6,
)
from equipoise.control.workspace.wrench import minimum_norm
from equipoise.robots.biped.biped import biped
from oracles.held_feet import joint_forces, mujoco_dense
from oracles.legged_robots import Shape, any_state, legged_robot

# rounding, as the issue asks: chains of twenty joints, wrenches of one size
TIGHT = 1e-12
SHAPES = {
    "six joints": Shape(),
    "slides, waist, toes": Shape(legs=(6, 7), slides=1, waist=1, toes=True),
    "four legs, arms, welds": Shape(legs=(6, 6, 8, 6), arms=2, welds=True, soles=True),
    "a loose block": Shape(block=True),
}


@pytest.fixture(params=["biped", *SHAPES])
def robot(request, rng):
    """The biped, or a random robot."""
    if request.param == "biped":
        return biped()
    return legged_robot(SHAPES[request.param], rng)


def paper_wrenches(dense, wrench):
    """Return the feet's wrenches at their centres in their own axes, (6 nf,).

    G takes them to the central body, least norm by NumPy's pseudo-inverse. A foot's
    wrench is seen at the central body through the twist that they share when no joint
    turns: with v_1 the base's six velocities, V_f = J_f v_1 and V_1 = J_1 v_1.
    """
    free = np.flatnonzero(np.abs(dense.J_base).max(axis=0) > 0.0)
    assert len(free) == 6
    to_foot = dense.J_feet[:, free] @ np.linalg.inv(dense.J_base[:, free])
    G = to_foot.T
    return G, np.linalg.pinv(G) @ wrench


def test_torques_are_the_jacobian_transpose_of_least_wrenches(robot, rng):
    model = robot.model
    for _ in range(10):
        q, v = any_state(robot, rng)
        wrench = rng.normal(size=6) * [300, 300, 300, 50, 50, 50]
        dense = mujoco_dense(robot, q, v)
        G, F_feet = paper_wrenches(dense, wrench)
        np.testing.assert_allclose(G @ F_feet, wrench, rtol=0.0, atol=1e-10)
        # at rest the motors, the ground's wrenches and the wrench off the body balance
        want = dense.J_base.T @ wrench - dense.J_feet.T @ F_feet
        tau = workspace_torques(robot, q, v, wrench)
        assert tau.shape == (model.nu,)
        found = joint_forces(robot, tau)
        scale = np.abs(want).max()
        assert scale > 1.0
        np.testing.assert_allclose(found, want, rtol=0.0, atol=TIGHT * scale)


def test_shares_sum_up_and_no_others_are_smaller(robot, rng):
    q, v = any_state(robot, rng)
    t, s = moved(robot, q, v)
    F = s.trunk[0].F
    F[:] = rng.normal(size=6) * [300, 300, 300, 50, 50, 50]
    minimum_norm(t, s)
    shares, r_O = s.feet["F"], s.links["r_O"]
    np.testing.assert_allclose(shares.sum(axis=0), F, rtol=0, atol=TIGHT * 300)
    at_feet = shares.copy()
    at_feet[:, 3:] -= np.cross(r_O[t.foot], shares[:, :3])
    least = (at_feet**2).sum()
    # inner wrenches that cancel on the body cost something in every direction
    smallest = np.inf
    for _ in range(20):
        inner = rng.normal(size=shares.shape)
        inner -= inner.mean(axis=0)
        other = at_feet + inner
        other[:, 3:] -= np.cross(r_O[t.foot], inner[:, :3])
        smallest = min(smallest, (other**2).sum() - least)
    assert smallest > 0.0


def test_velocities_do_not_matter(rng):
    robot = biped()
    q, v = any_state(robot, rng)
    wrench = rng.normal(size=6)
    still = workspace_torques(robot, q, np.zeros(18), wrench)
    np.testing.assert_array_equal(workspace_torques(robot, q, v, wrench), still)


def test_motors_are_named_not_counted(rng):
    """Gears and the order of motors change commands, not what the joints feel."""
    robot = legged_robot(Shape(legs=(6, 7)), rng)
    model = robot.model
    joints = model.actuator_trnid[:, 0]
    assert (np.diff(joints) < 0).any()  # not in the order of the joints
    assert (model.actuator_gear[:, 0] < 0).any()
    for motor in legged_tree(robot).arrays.joints:
        joint = int(np.flatnonzero(model.jnt_dofadr == motor.v_address)[0])
        assert joints[motor.actuator] == joint
        assert motor.gear == model.actuator_gear[motor.actuator, 0]


def test_a_straight_push_up_is_shared_evenly_and_by_hand():
    """Biped in its symmetric pose: half the weight a knee, force times lever arm."""
    robot = biped()
    model = robot.model
    q = np.array(model.key("set").qpos)
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, q[3:7])
    # a vertical force through the middle of the feet's centres needs no foot torque
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    middle = 0.5 * (data.body("left_foot").xipos + data.body("right_foot").xipos)
    arm = middle - data.body("trunk").xipos
    lift = np.array([0.0, 0.0, 600.0])
    turn = R.reshape(3, 3).T
    wrench = np.hstack([turn @ lift, turn @ np.cross(arm, lift)])
    tau = workspace_torques(robot, q, np.zeros(18), wrench)
    named = {model.actuator(k).name: tau[k] for k in range(model.nu)}
    for side in ("left", "right"):
        foot = data.body(f"{side}_foot").xipos
        for joint in ("hip_pitch", "knee", "ankle_pitch"):
            anchor, axis = data_joint(model, data, f"{side}_{joint}")
            moment = np.cross(foot - anchor, 0.5 * lift) @ axis
            # rounding, 300 N at arms below 1 m
            assert named[f"{side}_{joint}"] == pytest.approx(-moment, abs=1e-10)


def data_joint(model, data, name):
    """Return a joint's anchor and axis in W."""
    joint = model.joint(name).id
    return data.xanchor[joint], data.xaxis[joint]


def test_small_algebra_against_numpy(rng):
    for _ in range(50):
        A = rng.normal(size=(6, 6))
        inverse = np.zeros((6, 6))
        inverse6(A.copy(), inverse)
        # rounding times the conditioning of a matrix that any draw can make
        near = 1e-14 * np.linalg.cond(A)
        np.testing.assert_allclose(inverse @ A, np.eye(6), rtol=0.0, atol=near)
        S = A @ A.T
        x = rng.normal(size=6)
        found = x.copy()
        solve_spd6(np.tril(S), found)
        near = 1e-14 * np.linalg.cond(S) * np.linalg.norm(found)
        np.testing.assert_allclose(found, np.linalg.solve(S, x), rtol=0.0, atol=near)


def test_inverse_that_needs_other_rows_first():
    """A zero on the diagonal is no reason to fail; a singular matrix shows itself."""
    inverse = np.zeros((6, 6))
    turn = np.roll(np.eye(6), 1, axis=0)
    inverse6(turn.copy(), inverse)
    np.testing.assert_array_equal(inverse, turn.T)
    inverse6(np.diag([1.0, 1.0, 0.0, 1.0, 1.0, 1.0]), inverse)
    assert not np.isfinite(inverse).all()


def any_root(rng):
    """Return a lower triangle, its diagonal positive."""
    return np.linalg.cholesky(np.cov(rng.normal(size=(6, 12))))


def test_roots_against_numpy(rng):
    for _ in range(20):
        A = np.cov(rng.normal(size=(6, 12)))
        root = np.tril(A) + np.triu(np.full((6, 6), np.nan), 1)  # never read
        lower_root6(root)
        B = np.tril(root)
        # rounding, conditioned by the draw
        near = 1e-15 * np.linalg.cond(A)
        np.testing.assert_allclose(B.T @ B, A, rtol=0.0, atol=near * np.abs(A).max())
        invert_lower6(root)
        np.testing.assert_allclose(np.tril(root) @ B, np.eye(6), atol=near)


def test_a_column_added_to_a_root(rng):
    for S in (any_root(rng), np.zeros((6, 6))):
        grown, w = S.copy(), rng.normal(size=6)
        add_column6(grown, w.copy())
        want = S @ S.T + np.outer(w, w)
        np.testing.assert_allclose(grown @ grown.T, want, rtol=0, atol=1e-14 * 30)
        np.testing.assert_array_equal(np.triu(grown, 1), 0.0)


def test_inverses_add_up(rng):
    S, alpha = any_root(rng), rng.normal(size=6)
    total, bias = np.zeros((6, 6)), np.zeros(6)
    for _ in range(2):
        add_inverse6(S.copy(), alpha, total, bias)
    want = 2.0 * np.linalg.inv(S @ S.T)
    near = 1e-14 * np.linalg.cond(S @ S.T) * np.abs(want).max()  # rounding, conditioned
    np.testing.assert_allclose(total, want, rtol=0.0, atol=near)
    np.testing.assert_allclose(bias, -want @ alpha, rtol=0.0, atol=10 * near)
