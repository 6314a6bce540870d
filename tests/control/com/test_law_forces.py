"""Laws that pull the centre with a virtual force, against NumPy and the engine."""

import numpy as np
import pytest

from equipoise.control.com import line_goal, point_goal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.laws.rate import RateConfig, RateLaw
from equipoise.control.com.laws.transpose import TransposeConfig, TransposeLaw
from equipoise.control.com.laws.upright import UprightConfig, UprightLaw
from oracles.module_robots import Engine, Talk, any_tree, random_state

GOALS = {
    "line": line_goal((0.1, -0.2)),
    "leaning": line_goal((0.0, 0.1, 0.2), (0.3, -0.2, 1.0)),
    "point": point_goal((0.05, 0.0, 0.4)),
}
each_goal = pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
# rounding: torques up to 1e3, lengths and rates through 30 rotations
CLOSE = dict(rtol=1e-10, atol=1e-10)


def moving_robot(rng, goal):
    """Return rows, and by MuJoCo: Jacobian (3, joints), e and v of the centre (3,)."""
    assembly = any_tree(8, rng)
    q, v = random_state(assembly, rng)
    engine = Engine(assembly).set(q, v)
    talk = Talk(assembly, goal=goal)
    talk.tick(q, v, 2 * assembly.diameter + 2)
    e = engine.data.subtree_com[0] - goal.point[0]
    v_WC = engine.data.subtree_linvel[0]
    return talk.state.rows, engine.com_jacobian(), e, v_WC


def torques(law, rows, goal, ticks=1):
    memory, tau = np.full((len(rows), law.memory_width), np.nan), np.empty(len(rows))
    for _ in range(ticks):
        law.torques(rows, goal, memory, 0.001, tau)
    return tau


def axes_of(goal):
    return goal.frame if goal.is_point else goal.frame[:2]


@each_goal
def test_transpose_is_the_transposed_jacobian_times_a_spring(goal, rng):
    rows, J, e, v = moving_robot(rng, goal)
    axes = axes_of(goal)
    force = -axes.T @ axes @ (200.0 * e + 5.0 * v)
    law = TransposeLaw(TransposeConfig(stiffness=200.0, damping=5.0))
    np.testing.assert_allclose(torques(law, rows, goal), J.T @ force, **CLOSE)


@pytest.mark.parametrize("name", ["line", "leaning"])
def test_rate_is_the_damped_inverse(name, rng):
    goal = GOALS[name]
    rows, J, e, _ = moving_robot(rng, goal)
    flat = goal.frame[:2] @ J
    wanted = flat.T @ np.linalg.solve(
        flat @ flat.T + 0.05**2 * np.eye(2), -3.0 * goal.frame[:2] @ e
    )
    config = RateConfig(pace=3.0, damping=0.05, velocity_gain=2.0, rate_limit=0.4)
    assert np.abs(wanted).max() > 0.4  # the limit is tried
    want = 2.0 * (np.clip(wanted, -0.4, 0.4) - rows["rate"])
    np.testing.assert_allclose(torques(RateLaw(config), rows, goal), want, **CLOSE)


@pytest.mark.parametrize("name", ["line", "leaning"])
def test_upright_moves_the_centre_with_its_pace_whatever_the_tree(name, rng):
    # Oracle: joints that only resist with b obey b q̇ = tau. With floor, height and push
    # out of the way the centre's velocity J q̇ across the line is then -(α e + γ v).
    goal = GOALS[name]
    rows, J, e, v = moving_robot(rng, goal)
    config = UprightConfig(
        pace=20.0, top_speed=1e9, brake=0.7, floor=1e-12, patience=1e9,
        height_share=0.0, give=0.0, joint_damping=1.3,
    )  # fmt: skip
    q_rate = torques(UprightLaw(config), rows, goal) / 1.3
    seen = goal.frame[:2] @ J @ q_rate
    want = -goal.frame[:2] @ (20.0 * e + 0.7 * v)
    # the floor of 1e-12 against J Jᵀ of about 1e-2
    np.testing.assert_allclose(seen, want, rtol=1e-8, atol=1e-8)


def test_upright_slows_down_with_old_news_and_far_away(rng):
    goal = GOALS["line"]
    rows, _, e, _ = moving_robot(rng, goal)
    rows["velocity"] = 0.0
    plain = UprightConfig(
        pace=20.0, top_speed=1e9, brake=0.0, patience=1e9, height_share=0.0, give=0.0
    )
    full = torques(UprightLaw(plain), rows, goal)
    rows["age"] = 0.5
    old = UprightConfig(
        pace=20.0, top_speed=1e9, brake=0.0, patience=2.0, height_share=0.0, give=0.0
    )
    slow = torques(UprightLaw(old), rows, goal)
    np.testing.assert_allclose(slow, full * (2.0 / 0.5) / 20.0, **CLOSE)
    far = np.linalg.norm(e[:2])
    capped = UprightConfig(
        pace=20.0, top_speed=0.1, brake=0.0, patience=1e9, height_share=0.0, give=0.0
    )
    seen = torques(UprightLaw(capped), rows, goal)
    np.testing.assert_allclose(seen, full * 0.1 / (20.0 * far), **CLOSE)


def test_upright_lifts_a_centre_that_has_sunk(rng):
    goal = GOALS["line"]
    rows, J, _, _ = moving_robot(rng, goal)
    law = UprightLaw(UprightConfig(height_share=0.9, give=0.0))
    memory = np.full((len(rows), law.memory_width), np.nan)
    level, sunk = np.empty(len(rows)), np.empty(len(rows))
    law.torques(rows, goal, memory, 0.001, level)
    rows["com"][:, 2] *= 0.95  # not below the share: nothing changes
    law.torques(rows, goal, memory, 0.001, sunk)
    np.testing.assert_array_equal(sunk, level)
    rows["com"][:, 2] *= 0.8
    rows["velocity"][:, 2] = 0.0
    law.torques(rows, goal, memory, 0.001, sunk)
    rise = J[2] @ (sunk - level)  # what the added torques do to the height
    assert rise > 0.0
    up = (sunk - level) / J[2]
    assert up.min() > 0.0  # a force straight up, the one each module computes


@pytest.mark.parametrize("name", ["line", "leaning"])
def test_upright_lifts_with_its_gain_and_brakes_the_rise(name, rng):
    # The formula: 2 b (α s - γ v_z) / (tr(J Jᵀ) + 2 floor) upwards, of which the part
    # along the line acts; s is how far the centre is below its share of 0.9.
    goal = GOALS[name]
    rows, J, _, v = moving_robot(rng, goal)
    config = UprightConfig(
        pace=20.0, brake=0.7, joint_damping=1.3, floor=0.004, patience=1e9,
        height_share=0.9, give=0.0, nudge=0.0,
    )  # fmt: skip
    law, height = UprightLaw(config), rows["com"][:, 2].copy()
    tau = np.empty((2, len(rows)))
    for out, first in zip(tau, (height, height / 0.9 + 0.05), strict=True):
        memory = np.column_stack([first, np.zeros(len(rows))])
        law.torques(rows, goal, memory, 0.001, out)
    flat, line = goal.frame[:2] @ J, goal.frame[2]
    room = np.trace(flat @ flat.T) + 2 * 0.004
    lift = 2.0 * 1.3 * (20.0 * 0.9 * 0.05 - 0.7 * v[2]) / room * line[2] * line
    np.testing.assert_allclose(tau[1] - tau[0], J.T @ lift, **CLOSE)


def test_upright_gives_way_to_a_push_after_a_while(rng):
    goal = GOALS["line"]
    rows, _, _, _ = moving_robot(rng, goal)
    rows["touch"] = 0.0
    config = UprightConfig(give=2.0, give_time=0.03, height_share=0.0)
    quiet = torques(UprightLaw(config), rows, goal)
    rows["touch"] = 0.3
    # closed form: a first-order lag, 1 - (1 - dt/T)^n of the way after n ticks
    for ticks in (1, 30):
        gain = 1.0 - (1.0 - 0.001 / 0.03) ** ticks
        seen = torques(UprightLaw(config), rows, goal, ticks) - quiet
        np.testing.assert_allclose(seen, 2.0 * 0.3 * gain, **CLOSE)


def outstretched(span):
    """Return a joint that holds a level arm along x, its axis level and across it."""
    rows = JointView.zeros(1)
    row = rows[0]
    row.known = row.hinge = row.mass = 1.0
    row.moved_mass = 0.5
    row.com[:] = [0.5, 0.0, 0.2]
    row.moved_com[:] = [1.0, 0.0, 0.2]
    row.pivot[:] = [0.0, 0.0, 0.2]
    row.axis[:] = [0.0, 1.0, 0.0]  # turning it lowers the arm
    row.span = row.span[2] = span
    return rows


@pytest.mark.parametrize(("span", "share"), [(0.0, 1.0), (0.0015, 0.25), (0.1, 0.0)])
def test_upright_bends_upwards_what_no_joint_can_steer(span, share):
    # closed form: J is vertical and does nothing against a level error; the second
    # derivative points straight at the line; the nudge fades as the span reaches floor
    config = UprightConfig(nudge=0.5, floor=0.002, give=0.0, height_share=0.0)
    tau = torques(UprightLaw(config), outstretched(span), line_goal((0.0, 0.0)))
    assert tau[0] == pytest.approx(-0.5 * share, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("change", "share"),
    [
        ({"axis": (0, -1, 0)}, 1.0),  # the same bend by a hinge that is turned round
        ({"com": (-0.5, 0.0, 0.2)}, 0.0),  # it would lead away from the line
        ({"com": (0.3, 0.4, 0.2)}, -0.6),  # the cosine of error and bend
        ({"hinge": 0}, 0.0),  # a slide does not bend
        ({"moved_com": (0.0, 0.0, 0.9)}, 0.0),  # an arm straight up bends downwards
        ({"moved_com": (0.0, 3.0, 0.2)}, 0.0),  # an arm along the axis bends nothing
        ({"com": (0.0, 0.0, 0.2)}, 0.0),  # it is there
    ],
)
def test_upright_bends_to_the_side_that_helps_and_lifts(change, share):
    config = UprightConfig(nudge=0.5, floor=0.002, give=0.0, height_share=0.0)
    rows = outstretched(0.0)
    for name, value in change.items():
        rows[name][0] = value
    without = UprightConfig(nudge=0.0, floor=0.002, give=0.0, height_share=0.0)
    goal = line_goal((0.0, 0.0))
    tau = torques(UprightLaw(config), rows, goal)
    tau -= torques(UprightLaw(without), rows, goal)
    assert tau[0] == pytest.approx(0.5 * share, abs=1e-12)
    tau = torques(UprightLaw(config), rows, point_goal((0.0, 0.0, 0.2)))
    tau -= torques(UprightLaw(without), rows, point_goal((0.0, 0.0, 0.2)))
    assert tau[0] == 0.0


def test_upright_lifts_along_a_leaning_line_and_not_off_it(rng):
    goal = GOALS["leaning"]
    rows, J, _, _ = moving_robot(rng, goal)
    law = UprightLaw(UprightConfig(height_share=1.0, give=0.0, nudge=0.0))
    memory = np.full((len(rows), law.memory_width), np.nan)
    level, sunk = np.empty(len(rows)), np.empty(len(rows))
    law.torques(rows, goal, memory, 0.001, level)
    memory[:, 0] += 0.1  # as if it had begun higher
    law.torques(rows, goal, memory, 0.001, sunk)
    assert np.abs(sunk - level).max() > 1e-3
    # the added torques are one force along the line for all joints
    force, *_ = np.linalg.lstsq(J.T, sunk - level, rcond=None)
    np.testing.assert_allclose(J.T @ force, sunk - level, rtol=0, atol=1e-9)
    assert abs(goal.frame[:2] @ force).max() < 1e-6 * np.linalg.norm(force)  # solver
    assert force[2] > 0.0
