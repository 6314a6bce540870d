"""First and second derivatives of a pose against differences of positions."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.robots.biped.biped import biped
from equipoise.robots.pose_kinematics import BodyPoint, PosedModel, foot_points
from equipoise.robots.stance.stance import pose_of, stance_of
from equipoise.robots.warp1.warp1 import warp1

BALL = """<mujoco><worldbody><body name="root"><freejoint/><geom size=".1" mass="2"/>
<body name="arm" pos=".1 0 .2"><joint type="ball"/><geom size=".05" pos="0 .1 .3"/>
<body name="hand" pos="0 0 .4"><joint type="slide" axis="1 1 0"/>
<geom size=".03 .05" type="capsule" euler="20 30 0"/></body></body></body>
</worldbody></mujoco>"""


def places(posed: PosedModel, qpos: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the points and the weight's energy, from positions alone."""
    model, data = posed.model, mujoco.MjData(posed.model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    points = [
        data.xpos[b] + data.xmat[b].reshape(3, 3) @ place for b, place in posed.points
    ]
    return np.array(points), -float(model.body_mass @ data.xipos @ model.opt.gravity)


def robots() -> list[tuple[PosedModel, np.ndarray]]:
    warp = warp1()
    ball = mujoco.MjModel.from_xml_string(BALL)
    hand = [BodyPoint("hand", (0.1, -0.2, 0.3)), BodyPoint("root", (0.0, 0.1, 0.0))]
    return [
        (PosedModel(warp.model, foot_points(warp), "trunk"), warp.model.key(0).qpos),
        (PosedModel(ball, hand, "root"), ball.qpos0),
    ]


@pytest.mark.parametrize("which", [0, 1], ids=["warp1", "ball"])
def test_derivatives_agree_with_differences_of_positions(rng, which):
    posed, start = robots()[which]
    q = posed.moved(np.array(start), 0.4 * rng.normal(size=posed.nv))
    at = posed.at(q)
    nv, h = posed.nv, 1e-3
    points, _ = places(posed, q)
    np.testing.assert_allclose(at.p_WP, points, atol=1e-14)  # rounding
    e = h * np.eye(nv)
    for i in range(nv):
        (p, V), (m, U) = (places(posed, posed.moved(q, s * e[i])) for s in (1, -1))
        # truncation: h^2 / 6 of third derivatives, arms below 1.5 m
        np.testing.assert_allclose(at.J_v_WP[..., i], (p - m) / (2 * h), atol=1e-6)
        assert at.weight[i] == pytest.approx((V - U) / (2 * h), abs=1e-4)
        for j in range(i + 1):
            moves = [(1, e[i] + e[j]), (-1, e[i] - e[j])]
            found = [
                (s, places(posed, posed.moved(q, k * d)))
                for s, d in moves
                for k in (1, -1)
            ]
            second = sum(s * p for s, (p, _) in found) / (4 * h * h)
            np.testing.assert_allclose(at.H_WP[..., i, j], second, atol=1e-6)
            pull = sum(s * V for s, (_, V) in found) / (4 * h * h)
            # and rounding: eps of 600 J over 4e-6
            assert at.weight_hessian[i, j] == pytest.approx(pull, abs=2e-4)
    np.testing.assert_array_equal(at.H_WP, np.swapaxes(at.H_WP, 2, 3))


def test_mass_matrix_is_the_kinetic_energy_of_moving_masses(rng):
    posed, start = robots()[0]
    q = posed.moved(np.array(start), 0.4 * rng.normal(size=posed.nv))
    v, h, model = rng.normal(size=posed.nv), 1e-5, posed.model
    ends = []
    for sign in (1, -1):
        data = mujoco.MjData(model)
        data.qpos[:] = posed.moved(q, sign * h * v)
        mujoco.mj_kinematics(model, data)
        ends.append((np.array(data.xipos), data.ximat.reshape(-1, 3, 3).copy()))
    rate = (ends[0][0] - ends[1][0]) / (2 * h)
    turn = (ends[0][1] - ends[1][1]) / (2 * h)
    middle = (ends[0][1] + ends[1][1]) / 2
    spin = np.einsum("bki,bkj->bij", middle, turn)
    w = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
    energy = model.body_mass @ (rate**2).sum(axis=1) + (model.body_inertia * w**2).sum()
    # truncation h^2 and rounding eps / h, both below 1e-9 of the energy
    assert v @ posed.at(q).inertia @ v == pytest.approx(energy, rel=1e-8)


def test_the_base_frame_and_what_hangs_on_it():
    posed, start = robots()[0]
    at = posed.at(np.array(start))
    np.testing.assert_array_equal(at.R_WB, np.eye(3))
    assert at.p_WB[2] == start[2] and posed.is_free
    assert posed.below_base.tolist() == [False] * 6 + [True] * 12
    assert [posed.hangs_on_base(b) for b, _ in posed.points] == [True] * 4
    assert not posed.hangs_on_base(posed.base)
    np.testing.assert_array_equal(at.angles, start[7:])


def test_feet_are_middles_of_balls_and_corners_of_soles():
    warp = warp1()
    for point in foot_points(warp):
        assert point.body.endswith("shank")
        # the sphere's middle is a shank's length down; rounding of two turns
        np.testing.assert_allclose(point.place, (0.0, 0.0, -0.30), atol=1e-12)
    robot = biped()
    pose = pose_of(robot)
    posed = PosedModel(robot.model, foot_points(robot, pose), robot.base)
    found = posed.at(pose).p_WP
    np.testing.assert_allclose(found, stance_of(robot, pose).points, atol=1e-12)


def test_refuses_what_it_does_not_follow():
    model = warp1().model
    with pytest.raises(UnknownNameError, match="no body 'trnk'"):
        PosedModel(model, [], "trnk")
    with pytest.raises(ShapeError, match="qpos must have shape"):
        PosedModel(model, [], "trunk").expect_pose([1.0])
    spec = warp1().spec.copy()
    spec.joint("front_left_knee").stiffness = [1.0, 0.0, 0.0]
    with pytest.raises(ConfigError, match="springs of their own; give them in the law"):
        PosedModel(spec.compile(), [], "trunk")
    spec = warp1().spec.copy()
    tie = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT)
    tie.objtype = mujoco.mjtObj.mjOBJ_BODY
    tie.name1, tie.name2 = "trunk", "front_left_shank"
    with pytest.raises(ConfigError, match="1 equality constraints; name points"):
        PosedModel(spec.compile(), [], "trunk")
