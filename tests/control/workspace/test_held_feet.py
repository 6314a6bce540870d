"""Closed loops with held feet against closed forms: errors of second order.

The dense equations with held feet are integrated in steps; what comes
out must be a damped oscillator in each direction and, for the turn, the scalar equation
θ'' = -K_v θ' - K_p sin(θ/2): the law acts on half the angle's sine.
"""

import mujoco
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from equipoise.control.workspace import balancer
from equipoise.robots.biped.biped import biped
from oracles.held_feet import foot_bodies, held, mujoco_dense, sensed_of

ROBOT = biped()
KP, KV = np.array([50.0, 50.0, 200.0]), np.array([7.07, 7.07, 14.142])
TURN_KP, TURN_KV = 50.0, 7.07
# the law's big feet: 1e-7 of 20 m/s² over the loop's 1/50 s² is 4e-8 m; 1e-6 is asked
NEAR = 1e-6
SECONDS = 1.0
TICK = 0.002
EVERY = 20  # steps between the states that are looked at
TIMES = np.arange(0.0, SECONDS + 0.5 * TICK, EVERY * TICK)


MODEL, DATA = ROBOT.model, mujoco.MjData(ROBOT.model)
FEET = foot_bodies(ROBOT)
DOFS = MODEL.jnt_dofadr[MODEL.actuator_trnid[:, 0]]


def rates(state, tau):
    """Return q' and v' of a state under motor commands: one system, feet held."""
    q, v = state[:19], state[19:]
    DATA.qpos[:], DATA.qvel[:] = q, v
    mujoco.mj_fwdPosition(MODEL, DATA)
    mujoco.mj_fwdVelocity(MODEL, DATA)
    system, right = np.zeros((30, 30)), np.zeros(30)
    M, J, J_rate = np.zeros((18, 18)), np.zeros((12, 18)), np.zeros((12, 18))
    mujoco.mj_fullM(MODEL, DATA, M)
    for f, body in enumerate(FEET):
        linear, turn = slice(6 * f, 6 * f + 3), slice(6 * f + 3, 6 * f + 6)
        mujoco.mj_jacBody(MODEL, DATA, J[linear], J[turn], body)
        point = DATA.xpos[body]
        mujoco.mj_jacDot(MODEL, DATA, J_rate[linear], J_rate[turn], point, body)
    system[:18, :18], system[18:, :18], system[:18, 18:] = M, J, J.T
    right[:18] = -DATA.qfrc_bias
    right[DOFS] += tau
    right[18:] = -J_rate @ v
    quat_rate = np.zeros(4)
    mujoco.mju_mulQuat(quat_rate, q[3:7], np.array([0.0, *(0.5 * v[3:6])]))
    return np.hstack([v[:3], quat_rate, v[6:], np.linalg.solve(system, right)[:18]])


def run(controller, start, held_torque=False, seconds=SECONDS):
    """Return states at TIMES, (nt, 37): Runge-Kutta of order 4, steps of 2 ms.

    The law is asked at every stage, or once a step with its torque held. Truncation:
    (14 rad/s 2 ms)⁴ / 120 of 0.1 m is 1e-9 m.
    """
    memory, state, kept = controller.init(), start.copy(), [start]

    def slope(time, y, tau=None):
        if tau is None:
            sensed = sensed_of(ROBOT, y[:19], y[19:], time)
            tau = controller.step(sensed, memory)[0].tau
        return rates(y, tau)

    for k in range(round(seconds / TICK)):
        time, tau = k * TICK, None
        if held_torque:
            sensed = sensed_of(ROBOT, state[:19], state[19:], time)
            tau = controller.step(sensed, memory)[0].tau.copy()
        a = slope(time, state, tau)
        b = slope(time + 0.5 * TICK, state + 0.5 * TICK * a, tau)
        c = slope(time + 0.5 * TICK, state + 0.5 * TICK * b, tau)
        d = slope(time + TICK, state + TICK * c, tau)
        state = state + TICK / 6.0 * (a + 2 * b + 2 * c + d)
        if (k + 1) % EVERY == 0:
            kept.append(state)
    return np.array(kept)


def oscillator(error, rate, kp, kv, time):
    """Return e(t) of e'' + kv e' + kp e = 0, underdamped."""
    damping = 0.5 * kv
    turn = np.sqrt(kp - damping**2)
    swing = error * np.cos(turn * time)
    swing = swing + (rate + damping * error) / turn * np.sin(turn * time)
    return np.exp(-damping * time) * swing


def turning(angle, rate=0.0):
    """Return θ(TIMES) of the scalar equation of the turn."""

    def slope(_, y):
        return [y[1], -TURN_KV * y[1] - TURN_KP * np.sin(0.5 * y[0])]

    start = [angle, rate]
    return solve_ivp(
        slope, (0, SECONDS), start, "DOP853", TIMES, rtol=1e-12, atol=1e-13
    ).y[0]


def key(name):
    """Return a keyframe at rest."""
    return np.hstack([ROBOT.model.key(name).qpos, np.zeros(18)])


def held_path(time, place, quat):
    """Return a set point that does not move."""
    return np.hstack([place, quat, np.zeros(12)])


def turns(states, quats):
    """Return the rotation vectors from set orientations to the body's, (nt, 3)."""
    body = Rotation.from_quat(states[:, 3:7], scalar_first=True)
    return (body * Rotation.from_quat(quats, scalar_first=True).inv()).as_rotvec()


def test_rising_as_the_paper_does():
    """From the paper's posture to its set point: x, z and pitch."""
    start, goal = key("start"), key("set")
    states = run(balancer("workspace", ROBOT), start)
    error = start[:3] - goal[:3]
    assert abs(error[2]) > 0.1
    want = np.array([oscillator(error, 0.0, KP, KV, t) for t in TIMES])
    np.testing.assert_allclose(states[:, :3] - goal[:3], want, rtol=0.0, atol=NEAR)
    pitch = np.deg2rad(10.0)  # -5 at the start, -15 at the set point
    found = turns(states, goal[3:7])
    want = np.outer(turning(pitch), [0.0, 1.0, 0.0])
    np.testing.assert_allclose(found, want, rtol=0.0, atol=NEAR)
    # the feet were held: it is the constraint that is integrated, not its drift
    data = mujoco.MjData(ROBOT.model)
    data.qpos[:] = start[:19]
    mujoco.mj_kinematics(ROBOT.model, data)
    before = data.body("left_foot").xpos.copy()
    data.qpos[:] = states[-1, :19]
    mujoco.mj_kinematics(ROBOT.model, data)
    np.testing.assert_allclose(data.body("left_foot").xpos, before, atol=1e-8)


def test_any_direction_and_any_axis():
    """A shift with all three parts and a turn about an odd axis, not one plane."""
    start = key("set")
    axis = np.array([0.6, -0.48, 0.64])
    shift, angle = np.array([0.03, 0.02, -0.04]), 0.25
    body = Rotation.from_quat(start[3:7], scalar_first=True)
    quat = (Rotation.from_rotvec(-angle * axis) * body).as_quat(scalar_first=True)
    place = start[:3] - shift
    controller = balancer(
        "workspace", ROBOT, path=lambda time: held_path(time, place, quat)
    )
    states = run(controller, start)
    want = np.array([oscillator(shift, 0.0, KP, KV, t) for t in TIMES])
    np.testing.assert_allclose(states[:, :3] - place, want, rtol=0.0, atol=NEAR)
    want = np.outer(turning(angle), axis)
    np.testing.assert_allclose(turns(states, quat), want, rtol=0.0, atol=NEAR)


def test_held_torques_of_500_hz_stay_near_the_closed_form():
    start, goal = key("start"), key("set")
    states = run(balancer("workspace", ROBOT), start, held_torque=True)
    want = np.array([oscillator(start[:3] - goal[:3], 0.0, KP, KV, t) for t in TIMES])
    off = np.abs(states[:, :3] - goal[:3] - want).max()
    # truncation: a torque held for 2 ms acts 1 ms late, K_v 0.1 m 1 ms is 1 mm
    assert 1e-5 < off < 1.5e-3


# --- a moving set point ---------------------------------------------------------------

SWAY = np.array([0.02, 0.015, 0.03])  # of the trunk [m]
AXIS, SWING, PACE = np.array([0.48, 0.8, -0.36]), 0.15, 4.0  # [rad], [rad/s]
SPIN = np.array([0.0, 0.0, 0.3])  # a steady turn beside it [rad/s]


def moving(time, feed_forward=True):
    """Return a set point that sways and turns about a turning axis, (19,)."""
    s, c = np.sin(PACE * time), np.cos(PACE * time)
    home = key("set")
    place = home[:3] + SWAY * s
    yaw = Rotation.from_rotvec(SPIN * time)
    swing = Rotation.from_rotvec(AXIS * SWING * s)
    body = yaw * swing * Rotation.from_quat(home[3:7], scalar_first=True)
    around = yaw.apply(AXIS)
    w = SPIN + around * SWING * PACE * c
    w_rate = np.cross(SPIN, around) * SWING * PACE * c - around * SWING * PACE**2 * s
    fed = np.hstack([SWAY * PACE * c, -SWAY * PACE**2 * s, w, w_rate])
    pose = np.hstack([place, body.as_quat(scalar_first=True)])
    return np.hstack([pose, fed if feed_forward else np.zeros(12)])


def on_the_way():
    """Return the start on the moving set point, with its velocity, feet at rest."""
    state, aim = key("set"), moving(0.0)
    R = Rotation.from_quat(aim[3:7], scalar_first=True).as_matrix()
    twist = np.hstack([R.T @ aim[7:10], R.T @ aim[13:16]])
    state[19:] = held(mujoco_dense(ROBOT, state[:19], state[19:])).N @ twist
    return state


def test_set_points_velocity_is_the_rate_of_its_pose():
    """The test's own path: central differences, step 1e-5, so near 1e-9."""
    step = 1e-5
    for time in (0.0, 0.3, 0.9):
        before, at, after = (moving(time + d) for d in (-step, 0.0, step))
        v = (after[:3] - before[:3]) / (2 * step)
        np.testing.assert_allclose(v, at[7:10], atol=1e-8)
        a = (after[7:10] - before[7:10]) / (2 * step)
        np.testing.assert_allclose(a, at[10:13], atol=1e-8)
        R = [Rotation.from_quat(x[3:7], scalar_first=True) for x in (before, after)]
        w = (R[1] * R[0].inv()).as_rotvec() / (2 * step)
        np.testing.assert_allclose(w, at[13:16], atol=1e-8)
        w_rate = (after[13:16] - before[13:16]) / (2 * step)
        np.testing.assert_allclose(w_rate, at[16:19], atol=1e-8)


def error_of(states):
    """Return position errors and rotation vectors from the moving set point."""
    aims = np.array([moving(t) for t in TIMES[: len(states)]])
    return states[:, :3] - aims[:, :3], turns(states, aims[:, 3:7])


def test_a_moving_set_point_is_followed_without_error():
    states = run(balancer("workspace", ROBOT, path=moving), on_the_way())
    place, turn = error_of(states)
    assert np.abs(place).max() < NEAR
    assert np.abs(turn).max() < NEAR


def test_an_error_on_the_way_dies_as_it_would_at_rest():
    """Feed-forward makes the errors' equations those of a set point at rest."""
    start, shift, angle = on_the_way(), np.array([0.02, -0.01, 0.015]), 0.2
    home = moving(0.0)
    axis = np.array([0.0, 0.6, 0.8])
    behind = Rotation.from_rotvec(-angle * axis)

    def path(time):
        aim = moving(time)
        aim[:3] -= shift
        body = Rotation.from_quat(aim[3:7], scalar_first=True)
        aim[3:7] = (behind * body).as_quat(scalar_first=True)
        aim[13:16], aim[16:19] = behind.apply(aim[13:16]), behind.apply(aim[16:19])
        return aim

    states = run(balancer("workspace", ROBOT, path=path), start)
    aims = np.array([path(t) for t in TIMES])
    want = np.array([oscillator(shift, 0.0, KP, KV, t) for t in TIMES])
    np.testing.assert_allclose(states[:, :3] - aims[:, :3], want, rtol=0, atol=NEAR)
    # w_e begins as w - R_e w_d = 0: R_e brings the set point's turn to the body's
    np.testing.assert_allclose(behind.inv().apply(path(0.0)[13:16]), home[13:16])
    want = np.outer(turning(angle), axis)
    np.testing.assert_allclose(turns(states, aims[:, 3:7]), want, rtol=0, atol=NEAR)


@pytest.mark.parametrize("part", ["velocity", "acceleration", "spin", "spin's rate"])
def test_every_feed_forward_term_is_needed(part):
    where = {"velocity": 7, "acceleration": 10, "spin": 13, "spin's rate": 16}[part]

    def path(time):
        aim = moving(time)
        aim[where : where + 3] = 0.0
        return aim

    controller = balancer("workspace", ROBOT, path=path)
    place, turn = error_of(run(controller, on_the_way(), seconds=0.32))
    assert max(np.abs(place).max(), np.abs(turn).max()) > 1e-3
