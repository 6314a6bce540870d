"""A module's joints together: kinematics against MuJoCo, steps never uphill."""

import numpy as np
import pytest

from equipoise.control.com import distance_to, line_goal, point_goal
from equipoise.control.com.joint_view import JointView
from equipoise.control.com.laws.module import (
    ModuleConfig,
    ModuleLaw,
    centre_after_turns,
    module_turns,
)
from equipoise.core.errors import ConfigError
from oracles.module_robots import Engine, Talk, any_tree, random_state

GOALS = [line_goal((0.0, 0.0)), line_goal((0, 0), (1, -1, 2)), point_goal((0, 0, 0.3))]


def known_robot(rng, kind="superbot", ground=0, goal=None):
    """Return the engine, joint values and rows of a robot at rest."""
    assembly = any_tree(8, rng, kind, ground)
    q, _ = random_state(assembly, rng)
    talk = Talk(assembly, goal=goal)
    talk.tick(q, np.zeros_like(q), 2 * assembly.diameter + 2)
    return Engine(assembly), q, talk.state.rows


def outwards(rows, module):
    """Return the module's rows from the ground outwards: the first moves the most."""
    own = np.arange(3 * module, 3 * module + 3)
    return own[np.argsort(-rows["moved_mass"][own])]


@pytest.mark.parametrize("kind", ["superbot", "sliding"])
@pytest.mark.parametrize("ground", [0, 4])
def test_the_moved_centre_and_its_jacobian_are_the_engines(kind, ground, rng):
    engine, q, rows = known_robot(rng, kind, ground)
    for module in range(8):
        order, turns = outwards(rows, module), rng.uniform(-1.0, 1.0, 3)
        columns = np.empty((3, 3))
        centre = centre_after_turns(rows, order, turns, columns)
        moved = q.copy().ravel()
        moved[order] += turns
        engine.set(moved.reshape(q.shape), np.zeros_like(q))
        # rounding: lengths below 2 m through 30 rotations
        want = engine.data.subtree_com[0]
        np.testing.assert_allclose(centre, want, rtol=0, atol=1e-14)
        J = engine.com_jacobian()[:, order].T  # no joint is locked: rows are columns
        np.testing.assert_allclose(columns, J, rtol=0, atol=1e-14)


@pytest.mark.parametrize("goal", GOALS, ids=["line", "leaning", "point"])
@pytest.mark.parametrize("share", [0.2, 1.0])
def test_a_module_by_itself_never_leads_away_from_the_goal(goal, share, rng):
    better = 0
    for _ in range(6):
        _, _, rows = known_robot(rng, goal=goal)
        before = distance_to(goal, rows[0].com)
        for module in range(8):
            order, turns = outwards(rows, module), np.empty(3)
            module_turns(rows, order, goal, share, 0.02, turns)
            after = distance_to(
                goal, centre_after_turns(rows, order, turns, np.empty((3, 3)))
            )
            aim = (1.0 - share) * before
            assert abs(after - aim) <= (before - aim) * (1.0 + 1e-12)  # rounding
            better += after < before - 1e-4
            value = rows["angle"][order] + turns
            # rounding: (limit - angle) + angle
            assert (value >= rows["lower"][order] - 1e-15).all()
            assert (value <= rows["upper"][order] + 1e-15).all()
    assert better > 24  # of 48; leaves can do little


def test_a_small_way_is_the_damped_least_squares_step(rng):
    # closed form for a short way: J (J Jᵀ + λ² 1)⁻¹ e, joints within their limits
    goal = line_goal((0.0, 0.0))
    _, _, rows = known_robot(rng, goal=goal)
    rows["lower"], rows["upper"] = -9.0, 9.0
    small, compared = 1e-6, 0
    for module in range(8):
        order, turns, columns = outwards(rows, module), np.zeros(3), np.empty((3, 3))
        centre_after_turns(rows, order, turns, columns)
        J = columns[:, :2].T
        e = rows[0].com[:2]
        want = -small * J.T @ np.linalg.solve(J @ J.T + 0.05**2 * np.eye(2), e)
        module_turns(rows, order, goal, small, 0.05, turns)
        # solver: nine sweeps of Gauss-Seidel, each gains a digit or so at this damping
        scale = np.abs(want).max()
        np.testing.assert_allclose(turns, want, rtol=0, atol=0.02 * scale)
        compared += scale > 1e-9
    assert compared > 4


def test_a_locked_joint_is_not_planned_with(rng):
    goal = line_goal((0.0, 0.0))
    _, _, rows = known_robot(rng, kind="conro", goal=goal)
    moving = 0
    for module in range(8):
        turns = np.empty(3)
        module_turns(rows, outwards(rows, module), goal, 1.0, 0.02, turns)
        assert turns[1] == 0.0  # the roll joint is in the middle either way
        moving += np.abs(turns).max() > 1e-3
    assert moving > 4


def test_joints_that_do_not_make_whole_modules_are_refused():
    law, rows = ModuleLaw(ModuleConfig(joints=2)), JointView.zeros(3)
    with pytest.raises(ConfigError, match="joints must divide 3, got 2"):
        law.torques(rows, GOALS[0], np.empty((3, 0)), 0.001, np.empty(3))


def test_the_torque_is_a_spring_to_the_turn_and_a_damper(rng):
    goal = line_goal((0.0, 0.0))
    _, _, rows = known_robot(rng, goal=goal)
    rows["rate"] = rng.normal(size=len(rows))
    config = ModuleConfig(proportional=3.0, derivative=0.1, share=0.4, damping=0.03)
    tau = np.empty(len(rows))
    ModuleLaw(config).torques(rows, goal, np.empty((len(rows), 0)), 0.001, tau)
    for module in range(8):
        order, turns = outwards(rows, module), np.empty(3)
        module_turns(rows, order, goal, 0.4, 0.03, turns)
        want = 3.0 * turns - 0.1 * rows["rate"][order]
        np.testing.assert_allclose(tau[order], want, rtol=0, atol=1e-14)  # rounding
