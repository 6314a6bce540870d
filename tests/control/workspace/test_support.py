"""Forces inside cones and soles: equations against MuJoCo, limits against geometry."""

import math

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace import BalancerConfig, balancer, legged_tree
from equipoise.control.workspace.feet import lowest_corner
from equipoise.control.workspace.force_problem import move_links, solve_pushes
from equipoise.control.workspace.laws.cone import ConeLaw
from equipoise.control.workspace.reach import height_over, slack_above
from equipoise.control.workspace.soles import keyframe_posture
from equipoise.control.workspace.standing import ask_trunk
from equipoise.core.errors import ConfigError
from equipoise.robots.biped.biped import biped
from oracles.held_feet import sensed_of
from oracles.legged_robots import Shape, legged_robot

FRICTION = 0.3


@pytest.fixture(scope="module")
def robot():
    """The paper's biped."""
    return biped()


class Case:
    """A state of the biped with the problem made ready to be solved."""

    def __init__(self, robot, seed, speed=0.5, spread=0.15):
        rng = np.random.default_rng(seed)
        model = robot.model
        self.robot, self.rng = robot, rng
        self.q = np.array(model.key("set").qpos)
        mujoco.mj_integratePos(
            model,
            self.q,
            np.r_[0.05 * rng.normal(size=6), spread * rng.normal(size=12)],
            1,
        )
        self.v = speed * rng.normal(size=model.nv)
        self.controller = balancer("workspace-cone", robot)
        self.state = self.controller.init()
        self.command, self.state = self.controller.step(
            sensed_of(robot, self.q, self.v), self.state
        )
        self.s, self.e = self.state.scratch, self.state.memory
        self.t = legged_tree(robot).arrays
        self.u = self.e.problem.u

    def solve(self, wish=None, weight=None, A_foot=None, stands=(1, 1), ticks=1):
        """Solve again for given wishes, as often as a robot would that stands still."""
        m = self.e.problem
        weight = [1.0] * 6 + [0.0] * 2 if weight is None else weight
        move_links(self.t, self.s, m)
        if wish is not None:
            m.wish[0].trunk[:] = wish
        m.weight[0].trunk[:], m.weight[0].centre[:] = weight[:6], weight[6:]
        self.u.feet["A"][:] = 0.0 if A_foot is None else A_foot
        self.u.feet["stands"][:] = stands
        for _ in range(ticks):
            solve_pushes(self.t, self.s, m, FRICTION)
        return self.u.body[0].acceleration.copy(), self.u.feet["wrench"].copy()

    def qacc(self):
        """Return the accelerations that the solution claims, in MuJoCo's layout."""
        A, V = self.u.body[0].acceleration, self.s.links[0].V
        linear = A[:3] + np.cross(V[3:], V[:3])  # of the body's point, the body at O
        R = self.s.links[0].R_WL
        return np.r_[linear, R.T @ A[3:], self.u.joints["rate"]]

    def residual(self, wrench, tau):
        """Return M v' + h - forces by MuJoCo's inverse dynamics."""
        model, data = self.robot.model, mujoco.MjData(self.robot.model)
        data.qpos[:], data.qvel[:], data.qacc[:] = self.q, self.v, self.qacc()
        mujoco.mj_forward(model, data)
        data.qacc[:] = self.qacc()
        mujoco.mj_inverse(model, data)
        force = data.qfrc_inverse + data.qfrc_constraint  # feet may touch each other
        for f, link in enumerate(legged_tree(self.robot).feet):
            jp, jr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            p_WO = self.s.trunk[0].p_WO
            mujoco.mj_jac(model, data, jp, jr, p_WO, model.body(link).id)
            force -= jp.T @ wrench[f, :3] + jr.T @ wrench[f, 3:]
        force[6:] -= tau
        return force


@pytest.mark.parametrize("seed", range(10))
def test_torques_forces_and_accelerations_obey_the_equations_of_motion(robot, seed):
    case = Case(robot, seed)
    A_foot = case.rng.normal(size=(2, 6))
    _, wrench = case.solve(case.rng.normal(size=6), A_foot=A_foot)
    residual = case.residual(wrench, case.s.joints["tau"])
    # rounding through two six-by-six inverses; forces are near 700 N
    assert np.abs(residual).max() < 1e-8


def test_arms_are_held_where_the_robot_stands(robot):
    armed = legged_robot(Shape(legs=(6, 6), arms=2), np.random.default_rng(5))
    controller = balancer("workspace-cone", armed)
    state = controller.init()
    pose = keyframe_posture(armed)
    joints, u = legged_tree(armed).arrays.joints, state.memory.problem.u
    arms = np.flatnonzero(u.joints["foot"] < 0)
    assert arms.size >= 2
    pose[joints[arms[0]].q_address] += 0.1
    velocity = np.zeros(armed.model.nv)
    velocity[joints[arms[1]].v_address] = 0.2
    controller.step(sensed_of(armed, pose, velocity), state)
    asked = u.joints["rate"][arms]
    want = np.zeros(len(arms))
    want[:2] = -100.0 * 0.1, -20.0 * 0.2
    np.testing.assert_allclose(asked, want, atol=1e-12)


def test_a_wrong_wrench_is_noticed(robot):
    case = Case(robot, 0)
    _, wrench = case.solve()
    wrench[0, 0] += 1e-3
    assert np.abs(case.residual(wrench, case.s.joints["tau"])).max() > 1e-4


@pytest.mark.parametrize("seed", range(10))
def test_forces_stay_in_their_cones_and_inside_the_soles(robot, seed):
    case = Case(robot, seed, spread=0.05)
    _, wrench = case.solve(30.0 * case.rng.normal(size=6))
    u = case.u
    pressed = 0
    for f in range(2):
        fx, fy, fz = wrench[f, :3]
        if fz < 1e-6:
            continue
        pressed += 1
        assert abs(fx) + abs(fy) <= FRICTION * fz * (1 + 1e-12)  # its pyramid
        corners = u.corners["p_O"][u.corners["foot"] == f]
        low, high = corners.min(axis=0), corners.max(axis=0)
        height = corners[:, 2].mean()
        spread = np.ptp(corners[:, 2])
        x = (-wrench[f, 4] + height * fx) / fz
        y = (wrench[f, 3] + height * fy) / fz
        slack = FRICTION * spread + 1e-9  # corners of a tilted foot differ in height
        assert low[0] - slack <= x <= high[0] + slack
        assert low[1] - slack <= y <= high[1] + slack
    assert pressed > 0


def test_what_the_ground_can_give_is_given(robot):
    case = Case(robot, 3, speed=0.0, spread=0.0)
    wish = np.array([0.2, -0.1, 0.5, 0.1, -0.2, 0.05])
    weight = [60.0] * 3 + [1.0] * 3 + [0.0] * 2
    found, _ = case.solve(wish, weight=weight, ticks=300)
    # Pushes near 86 N weigh 1e-6 [1/kg²] each: 1e-6 * 86 N * 70 kg of acceleration at
    # weight 1, and 1 / 60² of it for the place.
    np.testing.assert_allclose(found[:3], wish[:3], atol=6e-3 / 60.0**2)
    np.testing.assert_allclose(found[3:], wish[3:], atol=6e-3)
    assert np.abs(found - wish).max() > 0.0


def test_a_foot_that_does_not_stand_does_not_press(robot):
    case = Case(robot, 4)
    _, wrench = case.solve(stands=(0, 1))
    assert not wrench[0].any()
    assert wrench[1, 2] > 100.0


def test_the_centre_of_mass_can_be_asked_as_well(robot):
    case = Case(robot, 5, speed=0.0, spread=0.0)
    case.e.problem.wish[0].centre[:] = [0.4, -0.3]
    weight = [0.0, 0, 1, 1e-3, 1e-3, 1e-3, 100, 100]
    _, wrench = case.solve(np.zeros(6), weight=weight, ticks=300)
    np.testing.assert_allclose(wrench[:, :2].sum(axis=0) / 70.0, [0.4, -0.3], atol=1e-3)


def test_the_whole_body_is_the_engines(robot):
    case = Case(robot, 6)
    data = mujoco.MjData(robot.model)
    data.qpos[:], data.qvel[:] = case.q, case.v
    mujoco.mj_forward(robot.model, data)
    mujoco.mj_subtreeVel(robot.model, data)
    whole = case.e.problem.whole[0]
    assert whole.mass == pytest.approx(70.0, rel=1e-14)
    np.testing.assert_allclose(whole.p_WC, data.subtree_com[0], atol=1e-13)
    np.testing.assert_allclose(whole.v_WC, data.subtree_linvel[0], atol=1e-13)
    assert whole.rate == pytest.approx(math.sqrt(9.81 / data.subtree_com[0, 2]))


def test_a_raised_body_has_stretched_its_leg_as_far_as_allowed(robot):
    case = Case(robot, 7)
    share = ConeLaw().stretch
    e, s = case.e, case.s
    for f, side in enumerate(("left", "right")):
        slack = slack_above(f, e.reach, share, s.links, (0.0, 0.0, 0.0))
        data = mujoco.MjData(robot.model)
        data.qpos[:] = case.q
        mujoco.mj_kinematics(robot.model, data)
        hip = data.xanchor[robot.model.joint(f"{side}_hip_roll").id]
        ankle = data.xanchor[robot.model.joint(f"{side}_ankle_pitch").id]
        raised = hip + slack * np.array([0.0, 0.0, 1.0])
        leg = (0.245 + 0.246) * 1.72
        assert np.linalg.norm(raised - ankle) == pytest.approx(share * leg, rel=1e-12)
        p_WO = s.trunk[0].p_WO
        top = height_over(f, e.reach, share, s, p_WO)
        assert top - p_WO[2] == pytest.approx(slack, abs=1e-12)


def test_lowest_corner_is_the_soles(robot):
    case = Case(robot, 8)
    data = mujoco.MjData(robot.model)
    data.qpos[:] = case.q
    mujoco.mj_kinematics(robot.model, data)
    geom = robot.model.geom("left_sole")
    R, half = data.geom_xmat[geom.id].reshape(3, 3), geom.size
    corners = [
        data.geom_xpos[geom.id] + R @ (half * [a, b, -1])
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    low = min(c[2] for c in corners)
    assert lowest_corner(0, case.u, case.s.trunk[0].p_WO[2]) == pytest.approx(
        low, abs=1e-14
    )


def test_legs_of_seven_joints_are_refused_in_one_sentence():
    robot = legged_robot(Shape(legs=(7, 6)), np.random.default_rng(3))
    with pytest.raises(ConfigError, match=r"exactly 6"):
        balancer("workspace-cone", robot).init()


@pytest.mark.parametrize("friction", [0.2, 0.5])
def test_the_law_uses_all_the_friction_it_is_told_of_and_no_more(robot, friction):
    # Closed form: a trunk a metre off its place asks for five times what it weighs, so
    # every newton is pressed along the pyramids' edges that point one way.
    law = balancer("workspace-cone", robot, BalancerConfig(friction=friction))
    state = law.init()
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    q[0] += 1.0
    for _ in range(20):  # pushes change by a share each tick
        _, state = law.step(sensed_of(robot, q, v), state)
    force = np.abs(state.memory.problem.u.feet["wrench"][:, :3]).sum(axis=0)
    assert force[2] > 700.0
    # rounding: sums over eight corners
    assert force[0] == pytest.approx(friction * force[2], rel=1e-12)
    assert force[1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("share", "more"), [(0.5, 1 / 16), (1.0, 1.0), (2.0, 16.0)])
def test_beyond_the_bow_standing_upright_counts_more(robot, share, more):
    # closed form: rotations weigh 1 + (lean / bow)⁴ of their share, places as before
    case = Case(robot, 0, speed=0.0, spread=0.0)
    s, manner = case.s, case.e.manner
    lean = share * math.radians(ConeLaw().bow_deg)
    turn = np.array([math.cos(lean / 2), 0.6 * math.sin(lean / 2), 0.0, 0.0])
    turn[2] = 0.8 * math.sin(lean / 2)
    mujoco.mju_mulQuat(s.trunk[0].quat, turn, s.aim[0].quat)
    ask_trunk(s, case.e.problem, manner, math.inf)
    want = np.array([60.0] * 3 + [1.0 + more] * 3 + [0.0] * 2)
    # rounding: acos near 1 keeps eight digits of a lean of 5 degrees, fourfold
    weight = case.e.problem.weight[0]
    found = np.r_[weight.trunk, weight.centre]
    np.testing.assert_allclose(found, want, rtol=1e-10)
