"""A leg's closed forms against MuJoCo's kinematics."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.robots.legs import (
    centre_of_mass,
    foot_jacobian,
    foot_place,
    leg_angles,
    leg_geometry,
)

EPS = np.finfo(float).eps


@pytest.fixture(scope="module")
def machine():
    robot = eq.load("warp1")
    return robot, leg_geometry(robot)


@pytest.mark.parametrize("seed", range(20))
def test_places_jacobians_and_centre_are_the_engines(machine, seed):
    robot, g = machine
    model, data = robot.model, mujoco.MjData(robot.model)
    q = np.random.default_rng(seed).uniform(-1.2, 1.2, 12)
    data.qpos[:] = model.qpos0
    data.qpos[7:] = q
    mujoco.mj_forward(model, data)
    places, jacobians = np.zeros((4, 3)), np.zeros((4, 3, 3))
    centre, theirs = np.zeros(3), np.zeros((3, model.nv))
    foot_place(q, g.lengths, places)
    foot_jacobian(q, g.lengths, jacobians)
    mass = centre_of_mass(q, g.legs, g.trunk, centre)
    tol = 32 * EPS  # some thirty roundings of lengths below a metre
    for k, foot in enumerate(robot.feet):
        hip_to_foot = data.geom(foot).xpos - data.xpos[1] - g.hips[k]
        np.testing.assert_allclose(places[k], hip_to_foot, rtol=0.0, atol=tol)
        mujoco.mj_jacGeom(model, data, theirs, None, model.geom(foot).id)
        own = theirs[:, 6 + 3 * k : 9 + 3 * k]
        np.testing.assert_allclose(jacobians[k], own, rtol=0.0, atol=tol)
    whole = data.subtree_com[1] - data.xpos[1]
    np.testing.assert_allclose(centre, whole, rtol=0.0, atol=tol)
    assert mass == pytest.approx(60.4, rel=1e-12)  # table 6.5


def test_a_trunk_whose_mass_is_off_its_middle_moves_the_centre(machine):
    spec = machine[0].spec.copy()
    spec.body("trunk").ipos = [0.05, -0.02, 0.1]
    robot = replace(machine[0], spec=spec)
    g, data = leg_geometry(robot), mujoco.MjData(robot.model)
    data.qpos[7:] = q = np.linspace(-1.0, 1.0, 12)
    mujoco.mj_forward(robot.model, data)
    centre = np.zeros(3)
    centre_of_mass(q, g.legs, g.trunk, centre)
    whole = data.subtree_com[1] - data.xpos[1]
    np.testing.assert_allclose(centre, whole, rtol=0.0, atol=32 * EPS)  # as above


@pytest.mark.parametrize("bend", [-1.0, 1.0])
def test_angles_undo_places(machine, bend):
    _, g = machine
    rng = np.random.default_rng(5)
    q = rng.uniform(-0.5, 0.5, 12)
    q[2::3] = bend * rng.uniform(0.2, 1.5, 4)  # the foot stays below the hip
    places, back = np.zeros((4, 3)), np.zeros(12)
    foot_place(q, g.lengths, places)
    assert leg_angles(places, g.lengths, bend * np.ones(4), back)
    # acos near a bend of 0.2 rad loses a factor 1 / sin(0.2)
    np.testing.assert_allclose(back, q, rtol=0.0, atol=1e3 * EPS)


def test_a_place_out_of_reach_is_pointed_at_and_told(machine):
    _, g = machine
    places, q, there = np.tile([0.3, 0.2, -0.9], (4, 1)), np.zeros(12), np.zeros((4, 3))
    assert not leg_angles(places, g.lengths, g.bend, q)
    foot_place(q, g.lengths, there)
    ways = there / np.linalg.norm(there, axis=1, keepdims=True)
    wanted = places[0] / np.linalg.norm(places[0])
    # the stretched leg keeps a bend of sqrt(2e-9) rad
    np.testing.assert_allclose(ways, np.tile(wanted, (4, 1)), rtol=0.0, atol=1e-4)


def test_feet_that_are_no_balls_are_refused():
    with pytest.raises(ConfigError, match="must be balls"):
        leg_geometry(eq.load("biped"))
