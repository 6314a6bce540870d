"""Legs of any chain against MuJoCo's kinematics."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.legs import (
    CHAIN,
    KNEE,
    centre_of_mass,
    foot_angles,
    foot_jacobians,
    leg_geometry,
    place_foot,
)
from equipoise.robots.robot import Robot

EPS = np.finfo(float).eps


def random_machine(seed: int, joints: int = 3, legs: int = 4) -> Robot:
    """Return a machine whose joints have any axes, offsets and zeros, some sliding."""
    rng = np.random.default_rng(seed)
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    trunk = spec.worldbody.add_body(name="trunk", pos=[0.0, 0.0, 1.0])
    trunk.add_freejoint()
    trunk.add_geom(
        size=[0.1, 0.2, 0.05], type=mujoco.mjtGeom.mjGEOM_BOX, pos=[0.1, 0, 0]
    )
    for k in range(legs):
        body = trunk
        for j in range(joints):
            turn = rng.normal(size=4)
            body = body.add_body(
                name=f"l{k}{j}",
                pos=rng.uniform(-0.3, 0.3, 3),
                quat=turn / np.linalg.norm(turn),
            )
            slides = rng.random() < 0.3
            kind = (
                mujoco.mjtJoint.mjJNT_SLIDE if slides else mujoco.mjtJoint.mjJNT_HINGE
            )
            body.add_joint(
                name=f"j{k}{j}", type=kind, axis=rng.normal(size=3),
                pos=rng.uniform(-0.1, 0.1, 3), ref=rng.uniform(-0.5, 0.5),
            )  # fmt: skip
            body.add_geom(
                size=[0.03, 0, 0],
                type=mujoco.mjtGeom.mjGEOM_SPHERE,
                pos=rng.uniform(-0.1, 0.1, 3),
            )
        body.add_geom(
            name=f"foot{k}",
            size=[0.02, 0, 0],
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            pos=rng.uniform(-0.2, 0.2, 3),
        )
    return Robot(
        "random", spec, base="trunk",
        feet=tuple(f"foot{k}" for k in range(legs)),
        legs=tuple(f"l{k}0" for k in range(legs)),
    )  # fmt: skip


def expect_as_engine(robot: Robot, seed: int) -> None:
    """Compare place, Jacobian, rate of turn and centre of mass in a random pose."""
    rng, model = np.random.default_rng(seed), robot.model
    g, data = leg_geometry(robot), mujoco.MjData(robot.model)
    nj, nl = g.joints, len(g.legs)
    data.qpos[7:] = model.qpos0[7:] + rng.uniform(-1.0, 1.0, model.nq - 7)
    data.qvel[6:] = v = rng.normal(size=model.nv - 6)
    mujoco.mj_forward(model, data)
    q, base = data.qpos[7:], model.body(robot.base).id
    R = data.xmat[base].reshape(3, 3)
    assert (g.legs["kind"] == CHAIN).all()
    tol = 200 * EPS  # some hundred roundings of lengths about a metre
    for k, foot in enumerate(robot.feet):
        own = slice(nj * k, nj * (k + 1))
        place, J, spin = np.zeros(3), np.zeros((3, nj)), np.zeros(3)
        place_foot(g.legs[k], q[own].copy(), v[own].copy(), place, J, spin)
        theirs = R.T @ (data.geom(foot).xpos - data.xpos[base])
        np.testing.assert_allclose(g.hips[k] + place, theirs, rtol=0.0, atol=tol)
        full, turn = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jacGeom(model, data, full, turn, model.geom(foot).id)
        columns = slice(6 + own.start, 6 + own.stop)
        np.testing.assert_allclose(J, R.T @ full[:, columns], rtol=0.0, atol=tol)
        wanted = R.T @ turn[:, columns] @ v[own]
        np.testing.assert_allclose(spin, wanted, rtol=0.0, atol=5 * tol)
    centre = np.zeros(3)
    mass = centre_of_mass(q.copy(), g.legs, g.trunk, centre)
    whole = R.T @ (data.subtree_com[base] - data.xpos[base])
    np.testing.assert_allclose(centre, whole, rtol=0.0, atol=tol)
    assert mass == pytest.approx(model.body_subtreemass[base], rel=1e-12)
    assert nl == len(robot.feet)


@pytest.mark.parametrize("joints", [2, 3])
@pytest.mark.parametrize("seed", range(10))
def test_places_turns_and_centre_of_any_chain_are_the_engines(seed, joints):
    expect_as_engine(random_machine(seed, joints), seed)


def test_closed_forms_are_a_special_case_of_chains():
    robot = eq.load("warp1")
    as_file = replace(robot, source="warp1.xml")  # files have no closed forms
    knees, chains = leg_geometry(robot), leg_geometry(as_file)
    assert (knees.legs["kind"] == KNEE).all()
    assert (chains.legs["kind"] == CHAIN).all()
    q = np.tile([0.2, 0.5, -0.9], 4)
    for k in range(4):
        own = q[3 * k :][:3].reshape(1, 3)
        np.testing.assert_allclose(
            foot_jacobians(chains, k, own), foot_jacobians(knees, k, own), atol=20 * EPS
        )
    centres = np.zeros((2, 3))
    for g, out in zip((knees, chains), centres, strict=True):
        centre_of_mass(q, g.legs, g.trunk, out)
    np.testing.assert_allclose(centres[0], centres[1], rtol=0.0, atol=32 * EPS)
    np.testing.assert_allclose(chains.legs["straight"], 0.0, atol=20 * EPS)
    np.testing.assert_array_equal(chains.bend, knees.bend)


def test_feet_reach_for_places_within_the_joints_ranges():
    g = leg_geometry(replace(eq.load("warp1"), source="warp1.xml"))
    places = np.tile([0.1, 0.05, -0.45], (4, 1))
    q, is_reached = foot_angles(g, places)
    assert is_reached
    for k in range(4):
        foot = np.zeros(3)
        place_foot(
            g.legs[k],
            q[3 * k :][:3].copy(),
            np.zeros(3),
            foot,
            np.zeros((3, 3)),
            np.zeros(3),
        )
        np.testing.assert_allclose(foot, places[k], atol=1e-8)
    assert ((g.lower <= q) & (q <= g.upper)).all()
    _, is_reached = foot_angles(g, np.tile([0.0, 0.0, -0.7], (4, 1)))
    assert not is_reached


@pytest.mark.parametrize("seed", range(5))
def test_a_straight_leg_is_the_longest(seed):
    g = leg_geometry(random_machine(seed))
    for leg in g.legs:
        if not np.isfinite(leg.straight):
            continue
        angles = leg.straight + np.linspace(-np.pi, np.pi, 361)
        axis, knee = leg.axis[-1], leg.anchor[-1]
        far = []
        for angle in angles:
            turn, out = np.zeros(4), np.zeros(3)
            mujoco.mju_axisAngle2Quat(turn, axis.copy(), angle - leg.zero[-1])
            mujoco.mju_rotVecQuat(out, leg.pad - knee, turn)
            far.append(np.linalg.norm(out + knee - leg.anchor[-2]))
        assert far[180] == pytest.approx(max(far), abs=1e-12)
