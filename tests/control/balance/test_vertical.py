"""RALPHY's trunk controller: loads at rest, tilted, slipping, pushed; their rate."""

import numpy as np

from equipoise.control.balance.vertical import VerticalBalance, VerticalConfig
from equipoise.core.constants import GRAVITY
from oracles.ralphy import (
    ralphy_estimate,
    ralphy_machine,
    ralphy_reference,
    ralphy_stance,
)

WEIGHT = 12.0 * GRAVITY


def told(trunk, config=None, ticks=200, estimate=None, stance=None):
    """Return what the part says at every tick, and its last state."""
    part = VerticalBalance(config or VerticalConfig())
    state, answers = part.init(ralphy_machine()), []
    for tick in range(ticks):
        known = estimate or ralphy_estimate(time=1e-3 * tick)
        answer, state = part.step(known, stance or ralphy_stance(), trunk, state)
        answers.append(answer.legs["load"].copy())
    return np.array(answers), answer, state


def test_at_rest_four_feet_carry_the_weight_evenly():
    loads, answer, _ = told(ralphy_reference())
    assert np.allclose(loads[-1], WEIGHT / 4.0)
    assert np.allclose(answer.force, [0.0, 0.0, -WEIGHT / 4.0])


def test_a_tilt_is_turned_back_by_the_loads_own_moment():
    c, m = VerticalConfig(), ralphy_machine()
    arms = m.geometry.hips[:, :2]
    for axis in range(2):
        rpy = np.zeros(3)
        rpy[axis] = 1e-3  # of the reference; sin x = x to 1e-6
        loads, _, _ = told(ralphy_reference(rpy_WB=rpy))
        moment = [arms[:, 1] @ loads[-1], -arms[:, 0] @ loads[-1]]
        wanted = np.zeros(2)
        wanted[axis] = m.turning[axis, axis] * c.attitude * 1e-3
        assert np.allclose(moment, wanted, atol=1e-5)


def test_no_load_changes_faster_than_it_may():
    most = 20.0 * WEIGHT * VerticalConfig().period  # nominal, in 5 ms
    loads, _, state = told(
        ralphy_reference(), VerticalConfig(rock=0.9, rock_time=0.05), ticks=400
    )
    jumps = np.abs(np.diff(loads[50:], axis=0))
    assert jumps.max() <= most * (1.0 + 1e-12)  # rounding
    assert jumps.max() >= 0.5 * most  # it is the limit that holds
    assert state.share[0].outcome == 0.0


def test_diagonals_rock_without_moving_the_trunk():
    loads, _, _ = told(ralphy_reference(), VerticalConfig(rock=0.5), ticks=700)
    late = loads[200:]
    assert np.allclose(late.sum(axis=1), WEIGHT)
    assert np.allclose(late[:, 0], late[:, 3])
    assert np.allclose(late[:, [0, 2]].sum(axis=1), 0.5 * WEIGHT)
    # half a step of lag: an amplitude of 0.5, sampled every 5 ms of 500
    assert late[:, 0].max() > 0.74 * WEIGHT / 2.0 * 0.99


def test_a_slip_and_a_push_change_the_bounds():
    slips = ralphy_estimate()
    slips.legs["foot_rate"][2] = 0.4, 0.0, 0.0
    assert told(ralphy_reference(), estimate=slips)[2].watch[0].situation == 1.0
    pushed = ralphy_estimate(v_WB=(0.0, 0.5, 0.0))
    pushed.legs["foot_rate"][:] = 0.0, -0.5, 0.0  # feet stay where they are
    assert told(ralphy_reference(), estimate=pushed)[2].watch[0].situation == 2.0
    assert told(ralphy_reference())[2].watch[0].situation == 0.0


def test_a_force_points_at_the_hip():
    """F_x = (v t / h) F_z, with t from the middle of the support."""
    part, m = VerticalBalance(), ralphy_machine()
    state, trunk = part.init(m), ralphy_reference(path=(0.4, 0.0), v_WB=(0.4, 0, 0))
    known = ralphy_estimate(v_WB=(0.4, 0.0, 0.0))
    known.legs["foot_rate"][:] = -0.4, 0.0, 0.0
    air, ground = (0, 1, 1, 1), (1, 1, 1, 1)
    for tick in range(200):  # the first leg lands at a phase of 0.2
        phase = tick * 1e-3 / 0.5
        stands = air if phase < 0.2 else ground
        stance = ralphy_stance(stands, walking=1.0, phase=phase)
        answer, state = part.step(known, stance, trunk, state)
    t = 0.099 - 0.375 / 2.0
    force = answer.force[0]
    assert answer.legs["load"][0] > 10.0
    assert np.isclose(force[0] / force[2], 0.4 * t / m.height)
