"""Mass properties of whole robots: messages, sums and the engine agree."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from equipoise.robots.robot import Robot
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.mass import engine_mass, mass_properties

TOL = 1e-12  # rounding: some hundred sums, each within eps of the largest term

# Two small balls on a stick, hung on a turned body: closed form below.
DUMBBELL = """<mujoco><worldbody><body name="a" pos="0 0 2" euler="0 0 90">
<freejoint/><geom type="sphere" size=".1" mass="1" pos="1 0 0"/>
<body name="b" pos="-1 0 0"><joint axis="0 0 1"/>
<geom type="sphere" size=".1" mass="3"/></body></body></worldbody></mujoco>"""


def dumbbell() -> Robot:
    return Robot("dumbbell", mujoco.MjSpec.from_string(DUMBBELL), "a")


def test_a_dumbbell_by_hand():
    result = mass_properties(dumbbell())
    s = result.summary
    ball = 0.4 * 0.1**2  # solid ball, per kilogram
    across = 4 * ball + 1.0 * 1.5**2 + 3.0 * 0.5**2
    wanted = np.diag([across, 4 * ball, across])  # the stick lies along y
    assert s["mass"] == pytest.approx(4.0, rel=TOL)
    np.testing.assert_allclose(s["com"], [0.0, -0.5, 2.0], rtol=0.0, atol=TOL)
    np.testing.assert_allclose(s["inertia"], wanted, rtol=0.0, atol=4 * TOL)
    assert (s["rounds"], s["messages"], s["diameter"]) == (None, None, None)
    assert s["max_error_vs_engine"] < TOL
    mass, p_WC, inertia = engine_mass(dumbbell())
    assert mass == pytest.approx(4.0, rel=TOL)
    np.testing.assert_allclose(p_WC, [0.0, -0.5, 2.0], rtol=0.0, atol=TOL)
    np.testing.assert_allclose(inertia, wanted, rtol=0.0, atol=4 * TOL)


@pytest.mark.parametrize("mount", ["fixed", "free"])
def test_messages_and_sums_agree(mount):
    robot = random_tree(modules=12, branches=3, seed=6, angles="random", mount=mount)
    told = mass_properties(robot).summary
    summed = mass_properties(replace(robot, assembly=None)).summary
    assert told["mass"] == pytest.approx(summed["mass"], rel=TOL)
    for key in ("com", "inertia", "extents"):
        np.testing.assert_allclose(told[key], summed[key], rtol=0.0, atol=10 * TOL)
    assert told["max_error_vs_engine"] < TOL and summed["max_error_vs_engine"] < TOL
    assert told["messages"] == 2 * 11  # the echo rule
