"""Readings laid out about O, errors turned into accelerations, twists: by NumPy."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from equipoise.control.workspace import twists, wrench
from equipoise.control.workspace.balancer import BalancerConfig
from equipoise.control.workspace.readings import lay_out_readings, write_torques
from equipoise.control.workspace.scratch import (
    Scratch,
    aim_from,
    aim_numbers,
    scratch_for,
)
from equipoise.control.workspace.tree import TreeArrays, TreeJoint, TreeLink
from equipoise.control.workspace.wrench import (
    desired_acceleration,
    joint_torques,
    minimum_norm,
)
from equipoise.core.records import record_of

R_XYZ = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
QUARTERS = [
    R_XYZ,
    np.diag([1.0, -1.0, -1.0]) @ R_XYZ.T,  # about x by more than a right angle,
    np.diag([-1.0, 1.0, -1.0]),  # about y
    np.diag([-1.0, -1.0, 1.0]) @ Rotation.from_rotvec([0.1, 0.2, 0.3]).as_matrix(),
    Rotation.from_rotvec([0.05, -0.1, 0.02]).as_matrix(),
]


def legs() -> TreeArrays:
    """Return a body with two legs of two links: feet are links 3 and 4."""
    links, joints = TreeLink.zeros(5), TreeJoint.zeros(5)
    for k, (inboard, first, end) in enumerate(
        [(-1, 0, 0), (0, 0, 1), (0, 1, 2), (1, 2, 4), (2, 4, 5)]
    ):
        links[k].inboard, links[k].first, links[k].end = inboard, first, end
    links[0].com[:] = 0.1, -0.2, 0.4
    joints["actuator"] = [3, 0, 4, 1, 2]
    joints["gear"] = [1.0, 2.0, 4.0, -5.0, 10.0]
    return TreeArrays(links, joints, np.array([3, 4]), 9.81)


READINGS: dict[str, Any] = {
    "q": np.array([0.1, 0.2, 0.3, 0.4, 0.5]),
    "v": np.array([1.0, 2.0, 3.0, 4.0, 5.0]),
    "p_WB": np.array([3.0, -2.0, 1.0]),
    "R_WB": R_XYZ,
    "V_WB": np.array([0.5, 0.25, -1.0, 2.0, -3.0, 4.0]),
}


def laid_out(**change: Any) -> tuple[bool, Scratch]:
    tree = legs()
    s = scratch_for(tree)
    given = {**READINGS, **change}
    return lay_out_readings(tree, s, *given.values()), s


def test_joints_are_laid_out_by_number_and_the_body_about_its_centre_of_mass():
    is_finite, s = laid_out()
    assert is_finite
    np.testing.assert_array_equal(s.joints["q"], [0.4, 0.1, 0.5, 0.2, 0.3])
    np.testing.assert_array_equal(s.joints["v"], [4.0, 1.0, 5.0, 2.0, 3.0])
    arm = R_XYZ @ [0.1, -0.2, 0.4]
    np.testing.assert_allclose(s.trunk[0].p_WO, READINGS["p_WB"] + arm)
    np.testing.assert_allclose(s.links[0].p_OL, -arm)
    np.testing.assert_array_equal(s.links[0].R_WL, R_XYZ)
    v, w = READINGS["V_WB"][:3], READINGS["V_WB"][3:]
    np.testing.assert_allclose(s.links[0].V, [*(v + np.cross(w, arm)), *w])


@pytest.mark.parametrize("R", QUARTERS)
def test_the_quaternion_is_that_of_the_matrix_whichever_part_leads(R):
    _, s = laid_out(R_WB=R)
    quat = s.trunk[0].quat
    w, x, y, z = quat
    np.testing.assert_allclose(np.linalg.norm(quat), 1.0)
    np.testing.assert_allclose(Rotation.from_quat([x, y, z, w]).as_matrix(), R,
                               atol=1e-12)  # fmt: skip
    assert abs(quat).max() >= 0.5  # its largest part was divided by, not a small one


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", READINGS)
def test_a_reading_that_is_not_finite_is_noticed_wherever_it_is(name, bad):
    for at in np.ndindex(READINGS[name].shape):
        broken = READINGS[name].copy()
        broken[at] = bad
        assert not laid_out(**{name: broken})[0], at


def test_torques_go_to_their_actuators_over_their_gears():
    tree = legs()
    s = scratch_for(tree)
    s.joints["tau"] = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert write_torques(tree, s)
    np.testing.assert_allclose(s.command, [1.0, -0.8, 0.5, 1.0, 0.75])
    for k in (0, 2, 4):
        for bad in (np.nan, np.inf):
            s.joints["tau"] = [1.0, 2.0, 3.0, 4.0, 5.0]
            s.joints["tau"][k] = bad
            assert not write_torques(tree, s)
            assert not s.command.any()


# --- twists -----------------------------------------------------------------------


def test_twists_have_the_linear_half_first():
    V = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    assert twists.halves(V) == ((1, 2, 4), (8, 16, 32))
    out = np.zeros(6)
    twists.put(out, (1.0, 2.0, 4.0), (8.0, 16.0, 32.0))
    np.testing.assert_array_equal(out, V)
    r = np.array([0.3, -0.5, 0.7])
    np.testing.assert_allclose(
        twists.speed_at(V, (0.3, -0.5, 0.7)), V[:3] + np.cross(V[3:], r)
    )
    np.testing.assert_allclose(twists.turned_by(R_XYZ, r), R_XYZ @ r)
    P = np.arange(36.0).reshape(6, 6) + 1.0
    F = np.array([3.0, 1.0, 4.0, 1.5, 9.0, 2.0])
    assert twists.dot6(F, V) == F @ V
    for row in range(6):
        assert twists.row_times(P, row, V) == P[row] @ V


# --- from errors to accelerations -------------------------------------------------


def quat_of(R: np.ndarray) -> np.ndarray:
    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return np.array([w, x, y, z])


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_acceleration_asked_is_that_of_the_formula(seed, sign):
    rng = np.random.default_rng(seed)
    s = scratch_for(legs())
    trunk, aim, links = s.trunk, s.aim, s.links
    R = Rotation.random(random_state=seed).as_matrix()
    R_d = Rotation.random(random_state=seed + 100).as_matrix()
    p, (v, w), path = rng.normal(size=3), rng.normal(size=(2, 3)), rng.normal(size=19)
    path[3:7] = quat_of(R_d)
    trunk[0].p_WO[:], trunk[0].quat[:] = p, sign * quat_of(R)  # one and the same turn
    links[0].V[:] = *v, *w
    aim_from(aim, path)
    np.testing.assert_array_equal(aim_numbers(aim), path)
    p_d, v_d, a_d, w_d, alpha_d = (path[k : k + 3] for k in (0, 7, 10, 13, 16))
    K_p, K_v = rng.uniform(1.0, 9.0, (2, 6))
    gains = record_of(
        BalancerConfig(
            position_gain=tuple(K_p[:3]),
            position_damping=tuple(K_v[:3]),
            turning_gain=tuple(K_p[3:]),
            turning_damping=tuple(K_v[3:]),
        )
    )
    desired_acceleration(s, gains)
    R_e = R @ R_d.T
    e = quat_of(R_e)
    e *= np.sign(e[0])
    linear = a_d - K_v[:3] * (v - v_d) - K_p[:3] * (p - p_d) - np.cross(w, v)
    turned = R_e @ w_d
    angular = R_e @ alpha_d + np.cross(w, turned)
    angular += -K_v[3:] * (w - turned) - K_p[3:] * e[1:]
    np.testing.assert_allclose(trunk[0].X, [*linear, *angular], rtol=1e-9, atol=1e-9)


def shared_by(places: np.ndarray, F: np.ndarray) -> tuple[TreeArrays, Scratch]:
    """Return a body whose wrench has been shared among feet at some places."""
    count = len(places)
    links, foot = TreeLink.zeros(1 + count), np.arange(1, 1 + count)
    tree = TreeArrays(links, TreeJoint.zeros(1), foot, 9.81)
    s = scratch_for(tree)
    s.links["r_O"][1:] = places
    s.trunk[0].F[:] = F
    minimum_norm(tree, s)
    return tree, s


@pytest.mark.parametrize("count", [2, 3])
def test_a_wrench_is_shared_with_the_least_norm(count, rng):
    places, F = rng.normal(size=(count, 3)), rng.normal(size=6)
    _, s = shared_by(places, F)
    # G stacks what a wrench at each foot's own centre does about O
    blocks = []
    for r in places:
        block = np.eye(6)
        block[3:, :3] = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        blocks.append(block)
    G = np.hstack(blocks)
    least = np.linalg.pinv(G) @ F
    for f, block in enumerate(blocks):
        wanted = block @ least[6 * f : 6 * f + 6]
        np.testing.assert_allclose(s.feet[f].F, wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(s.feet["F"].sum(axis=0), F, rtol=1e-9, atol=1e-9)


def test_joints_carry_the_wrenches_of_all_feet_beyond_them(rng):
    tree = legs()
    s = scratch_for(tree)
    s.links["through"] = 9.0  # of the tick before
    s.joints["H"], s.feet["F"] = rng.normal(size=(5, 6)), rng.normal(size=(2, 6))
    joint_torques(tree, s)
    foot = np.array([0, 1, 0, 0, 1])  # that each joint leads to
    wanted = [-s.joints["H"][j] @ s.feet["F"][foot[j]] for j in range(5)]
    np.testing.assert_allclose(s.joints["tau"], wanted)
    both = s.feet["F"].sum(axis=0)
    np.testing.assert_allclose(s.links["through"][0], both)
    tree.links[2].inboard = 1  # the second leg hangs on the first's upper link
    joint_torques(tree, s)
    wanted[0] = -s.joints["H"][0] @ both
    np.testing.assert_allclose(s.joints["tau"], wanted)


def test_a_small_turn_is_asked_back_by_half_its_angle():
    assert wrench._error_quaternion(
        np.array([math.cos(0.2), math.sin(0.2), 0.0, 0.0]), np.array([1.0, 0, 0, 0])
    ) == pytest.approx((math.cos(0.2), math.sin(0.2), 0.0, 0.0))
