"""P_1 and z_1 of the recursions against dense projections through other engines."""

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace import legged_tree, workspace_dynamics
from equipoise.robots.biped.biped import biped
from equipoise.robots.load import load
from oracles.held_feet import PinocchioTwin, held, mujoco_dense, with_big_feet
from oracles.legged_robots import (
    Shape,
    any_shape,
    any_state,
    biped_state,
    legged_robot,
)

ENGINES = ("mujoco", "pinocchio")
# what is asked of the two forms; measured: big 3e-7 (its own bias), exact 3e-14
BIG, EXACT = 1e-6, 1e-10
# straight knees: P_1's root grows as 1/angle and costs as many digits, 1e3 at 0.1
# degrees: some 1e4 eps. Measured 4e-12; asked is 1e-8 down to 1 degree.
EXACT_STRAIGHT = 1e-10
# random trees: a dozen links with entries of one size, a weakest leg of 0.03 (squared:
# 1e3), some 30 eps each; measured 1e-13
EXACT_TREES = 1e-11
# rounding of the big form: feet weigh 1e6 central bodies, eps 1e6 times the weakest
# leg's 1e3 is 2e-7; measured 1.4e-8
BIG_TREES = 1e-7


@pytest.fixture(params=ENGINES)
def engine(request):
    """A function from a robot to a function from a state to dense equations."""
    if request.param == "mujoco":
        return lambda robot: lambda q, v: mujoco_dense(robot, q, v)
    pin = pytest.importorskip("pinocchio", reason="the extra 'peers' brings pin")
    return lambda robot: PinocchioTwin(pin, robot).dense


def off(found, wanted) -> float:
    """Return the largest difference against the largest entry wanted."""
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


def test_biped_over_200_states(engine, rng):
    robot = biped()
    dense_at = engine(robot)
    worst = np.zeros((2, 2))
    for _ in range(200):
        q, v = biped_state(rng)
        dense = dense_at(q, v)
        assert np.linalg.norm(dense.V_feet) > 0.1  # the feet do move
        want = held(dense)
        for row, base in enumerate(("big", "exact")):
            P, z = workspace_dynamics(robot, q, v, base)
            worst[row] = np.maximum(worst[row], [off(P, want.P), off(z, want.z)])
    assert worst[0].max() < BIG
    assert worst[1].max() < EXACT


def test_biped_with_its_feet_at_rest(engine, rng):
    """The velocities that the controller meets: feet still, the trunk moving."""
    robot = biped()
    dense_at = engine(robot)
    mj = robot.model
    for _ in range(20):
        q, _ = biped_state(rng)
        still = mujoco_dense(robot, q, np.zeros(mj.nv))
        v = held(still).N @ rng.normal(size=6)
        np.testing.assert_allclose(still.J_feet @ v, 0.0, atol=1e-12)  # rounding
        want = held(dense_at(q, v))
        P, z = workspace_dynamics(robot, q, v)
        assert off(P, want.P) < EXACT
        assert off(z, want.z) < EXACT
        P, z = workspace_dynamics(robot, q, v, base="big")
        assert off(P, want.P) < BIG
        assert off(z, want.z) < BIG


@pytest.mark.parametrize("knee_deg", [0.1, 1.0, 10.0])
def test_exact_form_near_straight_knees(engine, knee_deg, rng):
    robot = biped()
    dense_at = engine(robot)
    big = []
    for _ in range(60):
        q, v = biped_state(rng, (knee_deg, 1.2 * knee_deg))
        want = held(dense_at(q, v))
        P, z = workspace_dynamics(robot, q, v, base="exact")
        assert off(P, want.P) < EXACT_STRAIGHT
        assert off(z, want.z) < EXACT_STRAIGHT
        big.append(off(workspace_dynamics(robot, q, v, base="big")[0], want.P))
    assert max(big) > BIG  # where the paper's form is no longer good enough


@pytest.mark.parametrize(("height", "mass"), [(0.6, 6.0), (2.4, 250.0)])
def test_small_and_large_bipeds(engine, height, mass, rng):
    robot = load("biped", height=height, body_mass=mass)
    dense_at = engine(robot)
    for _ in range(20):
        q, v = biped_state(rng)
        want = held(dense_at(q, v))
        P, z = workspace_dynamics(robot, q, v)
        assert off(P, want.P) < EXACT
        assert off(z, want.z) < EXACT


SHAPES = {
    "six joints": Shape(),
    "eight joints, seven": Shape(legs=(8, 7)),
    "three legs": Shape(legs=(6, 7, 6)),
    "four legs": Shape(legs=(6, 6, 8, 6)),
    "slides": Shape(slides=2),
    "waist": Shape(waist=1),
    "waist, and two legs above it": Shape(legs=(6, 7, 6, 6), waist=2),
    "arms": Shape(arms=2),
    "toes": Shape(toes=True),
    "welded soles": Shape(soles=True, toes=True),
    "welded extras": Shape(welds=True, waist=1),
    "a loose block": Shape(block=True),
}


def check_tree(robot, engine, rng, states):
    """Compare both forms in some states of a random robot."""
    dense_at = engine(robot)
    for _ in range(states):
        q, v = any_state(robot, rng)
        dense = dense_at(q, v)
        assert np.linalg.norm(dense.V_feet) > 0.1
        want = held(dense)
        P, z = workspace_dynamics(robot, q, v, base="exact")
        assert off(P, want.P) < EXACT_TREES
        assert off(z, want.z) < EXACT_TREES
        P_big, z_big = with_big_feet(dense, want)
        P, z = workspace_dynamics(robot, q, v, base="big")
        # what the big feet leave out is known to first order; the next is its square
        assert off(P, P_big) < BIG_TREES + off(P_big, want.P) ** 2
        assert off(z, z_big) < BIG_TREES + off(P_big, want.P) * off(z_big, want.z)


@pytest.mark.parametrize("name", SHAPES)
def test_trees_of_one_kind(name, engine, rng):
    check_tree(legged_robot(SHAPES[name], rng), engine, rng, 3)


def test_trees_of_every_kind_at_once(engine, rng):
    shapes = [any_shape(rng) for _ in range(20)]
    assert {len(s.legs) for s in shapes} == {2, 3, 4}
    assert {s.waist for s in shapes} == {0, 1, 2}
    for shape in shapes:
        check_tree(legged_robot(shape, rng), engine, rng, 2)


def test_random_robots_are_what_they_say(rng):
    """The set-up of the tests above: bent, offset, several joints a body, legs meet."""
    robot = legged_robot(Shape(legs=(6, 7), waist=1, welds=True, slides=1), rng)
    model, t = robot.model, legged_tree(robot).arrays
    base = model.body(robot.base).id
    assert np.linalg.norm(model.body_ipos[base]) > 0.01
    assert model.body_jntnum[1:].max() > 1
    assert (model.body_jntnum == 0).sum() > 2  # the world, and welded ones
    assert np.abs(t.joints["reference"]).min() > 0.0
    assert t.joints["is_slide"].sum() == 2
    assert sorted(t.links["carriers"])[-1] == 2
    assert t.links[0].carriers == 1
    assert [len(legged_tree(robot).leg(k)) for k in range(2)] == [7, 8]


def test_links_weigh_what_the_robot_weighs(rng):
    robot = legged_robot(Shape(legs=(6, 7, 8), waist=1, welds=True, arms=2), rng)
    model, t = robot.model, legged_tree(robot).arrays
    # rounding: a sum of some thirty masses
    assert t.links["mass"].sum() == pytest.approx(model.body_mass.sum(), rel=1e-14)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    base = model.body(robot.base).id
    own = np.flatnonzero(model.body_weldid == base)
    assert len(own) > 1
    centre = np.average(data.xipos[own], axis=0, weights=model.body_mass[own])
    R_WB = data.xmat[base].reshape(3, 3)
    # rounding, lengths of 1 m
    want = R_WB.T @ (centre - data.xpos[base])
    np.testing.assert_allclose(t.links[0].com, want, rtol=0.0, atol=1e-14)


def test_turning_and_shifting_the_world_changes_nothing_but_the_weight(rng):
    """P_1 is the body's own; a turn about the vertical leaves z_1 alone too."""
    robot = biped()
    q, v = biped_state(rng, (30.0, 60.0))
    P, z = workspace_dynamics(robot, q, v)
    turn = np.array([np.cos(0.7), 0.0, 0.0, np.sin(0.7)])
    moved, speed = q.copy(), v.copy()
    mujoco.mju_mulQuat(moved[3:7], turn, q[3:7])
    moved[:3] += [3.0, -2.0, 5.0]
    mujoco.mju_rotVecQuat(speed[:3], v[:3], turn)
    P_moved, z_moved = workspace_dynamics(robot, moved, speed)
    # rounding, some hundred operations on the largest entry
    assert off(P_moved, P) < 1e-12
    assert off(z_moved, z) < 1e-12


def test_at_rest_the_bias_is_the_weight_that_the_legs_do_not_carry():
    """Standing still, F_1 = z_1 must lift at least the trunk and at most everything."""
    robot = biped()
    model = robot.model
    q = np.array(model.key("set").qpos)
    _, z = workspace_dynamics(robot, q, np.zeros(model.nv))
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, q[3:7])
    force = R.reshape(3, 3) @ z[:3]
    trunk = 9.81 * model.body("trunk").mass[0]
    assert trunk < force[2] < 9.81 * model.body_mass.sum()
    # reading: three digits noted by an earlier program for one leg's share
    assert 0.5 * force[2] == pytest.approx(296.0, abs=0.5)
