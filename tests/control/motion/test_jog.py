"""The trunk moved by hand over feet that stay."""

import numpy as np

from equipoise.control.motion.jog import JogConfig, JogMotion
from equipoise.control.records import Travel
from oracles.asv import asv_estimate, asv_machine, asv_stance


def jogged(velocity, ticks, follows=True):
    """Return the last reference; the trunk goes with it, or stays."""
    part, known, goal = JogMotion(), asv_estimate(), Travel.zeros()
    goal["velocity"] = velocity
    state = part.init(asv_machine())
    for _ in range(ticks):
        answer, state = part.step(known, goal, asv_stance(), state)
        if follows:
            known.trunk["p_WB"][0] = answer.pose["p_WB"][0]
            c, s = np.cos(state["yaw"][0]), np.sin(state["yaw"][0])
            known.trunk["R_WB"][0] = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    return answer.pose[0]


def test_the_reference_goes_as_it_is_told():
    pose = jogged((0.1, -0.05, 0.0), 500)
    assert np.allclose(pose.p_WB, [0.1, -0.05, asv_machine().height])
    assert np.allclose(pose.v_WB, [0.1, -0.05, 0.0])
    assert np.isclose(jogged((0.0, 0.0, 0.1), 500).rpy_WB[2], 0.1)


def test_a_trunk_that_is_held_is_not_pulled_farther_than_the_leash():
    pose = jogged((1.0, 0.0, 1.0), 1000, follows=False)
    assert np.isclose(pose.p_WB[0], JogConfig().leash)
    assert np.isclose(pose.rpy_WB[2], JogConfig().heading_leash)
