"""Limits on contact forces: knees in closed form, energy differences, programs."""

import math
from typing import Any

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.region.region import RegionKind, equilibrium_region
from equipoise.stability.region.torques import joint_torque_ranges, torque_limits
from oracles.certified import farthest
from oracles.pyramids import pyramid_wrenches

# The accuracy promised for a support; the solver stops at 1e-10 of the spread.
PROMISED = 1e-6
G = 9.81
TURNS = np.linspace(0, 2 * math.pi, 12, endpoint=False) + 0.1
DIRECTIONS = np.c_[np.cos(TURNS), np.sin(TURNS)]
SHANK, SHANK_MASS = 0.2, 0.5
KNEES = [(0.3, 0.2), (-0.3, 0.2), (-0.3, -0.2), (0.3, -0.2)]


def table(limit, *, actuator=False):
    """Return a table on four shanks that lie level, and where their tips touch."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    top = spec.worldbody.add_body(name="top", pos=[0, 0, 0.4])
    top.add_freejoint()
    top.mass, top.inertia, top.explicitinertial = 8.0, [1, 1, 1], True
    tips = []
    for k, (x, y) in enumerate(KNEES):
        out = math.copysign(SHANK, x)
        shank = top.add_body(name=f"shank{k}", pos=[x, y, -0.4])
        joint = shank.add_joint(name=f"knee{k}", axis=[0, 1, 0])
        if actuator:
            motor = spec.add_actuator(name=f"motor{k}", target=f"knee{k}")
            motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
            motor.gear[0], motor.ctrlrange = -2.0, [-limit / 2, limit / 2]
            motor.ctrllimited = True
        else:
            joint.actfrcrange, joint.actfrclimited = [-limit, limit], True
        shank.mass, shank.ipos = SHANK_MASS, [out / 2, 0, 0]
        shank.inertia, shank.explicitinertial = [0.01, 0.01, 0.01], True
        tips.append([x + out, y, 0.0])
    model = spec.compile()
    return model, np.array(tips), np.arange(2, 6)


@pytest.mark.parametrize("actuator", [False, True])
@pytest.mark.parametrize("share", [0.3, 0.4, 0.6])
def test_a_knee_that_lies_level_caps_the_normal_force(share, actuator):
    """τ = f_z l - m g l / 2 whatever the friction does: the cap τ / l + m g / 2."""
    weight = (8.0 + 4 * SHANK_MASS) * G
    cap = share * weight
    limit = (cap - SHANK_MASS * G / 2) * SHANK
    model, tips, bodies = table(limit, actuator=actuator)
    rows, bounds = torque_limits(model, model.qpos0, tips, bodies)
    assert rows.shape == (8, 4, 3)
    normals, friction = [[0, 0, 1]] * 4, 0.7
    knees = equilibrium_region(
        tips, normals, friction, weight, force_rows=rows, force_bounds=bounds
    )
    caps = equilibrium_region(tips, normals, friction, weight, max_normal=cap)
    free = equilibrium_region(tips, normals, friction)
    assert knees.area == pytest.approx(caps.area, rel=1e-3)  # the default gap
    assert knees.area < 0.99 * free.area
    for d in DIRECTIONS:
        assert knees.support(d) == pytest.approx(caps.support(d), abs=PROMISED)


def test_knees_too_weak_to_hold_the_weight_leave_nothing():
    model, tips, bodies = table(0.2 * 10.0 * G * SHANK)  # four fifths of the weight
    rows, bounds = torque_limits(model, model.qpos0, tips, bodies)
    region = equilibrium_region(
        tips, [[0, 0, 1]] * 4, 0.7, 10.0 * G, force_rows=rows, force_bounds=bounds
    )
    assert region.kind is RegionKind.EMPTY


def test_a_leg_in_the_air_that_cannot_hold_itself_leaves_nothing():
    model, tips, bodies = table(0.9 * SHANK_MASS * G * SHANK / 2)
    strong = np.tile([-math.inf, math.inf], (model.nv, 1))
    strong[6] = joint_torque_ranges(model)[6]  # only the first knee is weak
    feet = slice(1, 4)  # and it does not touch
    rows, bounds = torque_limits(
        model, model.qpos0, tips[feet], bodies[feet], ranges=strong
    )
    contacts = tips[feet], [[0, 0, 1]] * 3, 0.7, 10.0 * G
    limits: Any = dict(force_rows=rows, force_bounds=bounds)
    assert equilibrium_region(*contacts).kind is RegionKind.AREA
    assert equilibrium_region(*contacts, **limits).kind is RegionKind.EMPTY


def test_rows_are_the_slope_of_the_energy():
    """τ = d/dq (V - Σ f·p): central differences of heights and places on WARP1."""
    robot = eq.load("warp1")
    model, rng = robot.model, np.random.default_rng(4)
    pose = np.array(model.key("start").qpos)
    pose[7:] += rng.uniform(-0.4, 0.4, 12)
    data = mujoco.MjData(model)
    feet = [model.geom(name).id for name in robot.feet]
    bodies = model.geom_bodyid[feet]

    def placed(q):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        return data.geom_xpos[feet].copy(), model.body_mass @ data.xipos[:, 2] * G

    forces = rng.normal(0.0, 200.0, (4, 3))
    limit = np.tile([-70.0, 90.0], (model.nv, 1))
    limit[:6] = [-math.inf, math.inf]
    points = placed(pose)[0]
    rows, bounds = torque_limits(model, pose, points, bodies, ranges=limit)
    over = np.einsum("lik,ik->l", rows, forces) - bounds
    step = np.cbrt(np.finfo(float).eps)
    for j in range(12):
        values = []
        for side in (step, -step):
            q = pose.copy()
            q[7 + j] += side
            places, energy = placed(q)
            values.append(energy - np.sum(forces * places))
        torque = (values[0] - values[1]) / (2 * step)
        # truncation and rounding of the difference, eps^(2/3) of some 1000 J
        assert over[2 * j] == pytest.approx(torque - 90.0, abs=1e-6)
        assert over[2 * j + 1] == pytest.approx(-torque - 70.0, abs=1e-6)


def test_against_linear_programs_with_many_sides():
    rng = np.random.default_rng(0)
    sides, checked = 120, 0
    for _ in range(8):
        points = np.c_[rng.uniform(-0.4, 0.4, (4, 2)), rng.normal(0, 0.1, 4)]
        normals = np.c_[rng.normal(0, 0.2, (4, 2)), np.ones(4)]
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        rows, bounds = rng.normal(size=(6, 4, 3)), rng.uniform(20.0, 60.0, 6)
        weight, friction = 80.0, 0.6
        limits: Any = dict(force_rows=rows, force_bounds=bounds)
        region = equilibrium_region(points, normals, friction, weight, **limits)
        reach = []
        for stretch in (1.0, 1 / math.cos(math.pi / sides)):
            w = pyramid_wrenches(points, normals, np.full(4, friction), sides, stretch)
            owner = np.repeat(np.arange(4), sides)
            upper = np.einsum("lnk,kn->ln", rows[:, owner], w[:3])
            balance, target = w[[0, 1, 2, 5]], np.array([0, 0, weight, 0])
            gains = (DIRECTIONS[:, 1:] * w[3] - DIRECTIONS[:, :1] * w[4]) / weight
            reach.append([farthest(g, balance, target, (upper, bounds)) for g in gains])
        ours = np.array([region.support(d) for d in DIRECTIONS])
        low, high = np.array(reach)
        # the programs' optima are proved to 1e-8, those of the region to 1e-6
        assert (low <= ours + 1e-5).all() and (ours <= high + 1e-5).all()
        checked += np.isfinite(low).all()
    assert checked > 3


def test_limits_that_never_bind_change_nothing():
    model, tips, bodies = table(1e5)
    rows, bounds = torque_limits(model, model.qpos0, tips, bodies)
    limited = equilibrium_region(
        tips, [[0, 0, 1]] * 4, 0.7, 98.1, force_rows=rows, force_bounds=bounds
    )
    free = equilibrium_region(tips, [[0, 0, 1]] * 4, 0.7)
    for d in DIRECTIONS:
        assert limited.support(d) == pytest.approx(free.support(d), abs=PROMISED)


def test_ranges_come_from_the_model():
    model, _, _ = table(7.0, actuator=True)
    ranges = joint_torque_ranges(model)
    assert np.isinf(ranges[:6]).all()
    np.testing.assert_array_equal(ranges[6:], [[-7.0, 7.0]] * 4)
    biped = eq.load("biped", torque_limit=50.0).model
    np.testing.assert_array_equal(joint_torque_ranges(biped)[6:], [[-50.0, 50.0]] * 12)
    assert np.isinf(joint_torque_ranges(eq.load("biped").model)).all()


def test_bad_input_gets_a_sentence():
    model, tips, bodies = table(7.0)
    with pytest.raises(ShapeError, match=r"bodies must be numbers of bodies, 0 to 5"):
        torque_limits(model, model.qpos0, tips, bodies + 9)
    with pytest.raises(ShapeError, match=r"ranges must have shape \(10, 2\)"):
        torque_limits(model, model.qpos0, tips, bodies, ranges=[[0, 1]])
    with pytest.raises(NotPhysicalError, match=r"ranges\[0\] must rise .* got 1, 0"):
        torque_limits(model, model.qpos0, tips, bodies, ranges=[[1.0, 0.0]] * 10)
    with pytest.raises(ShapeError, match="must be given together"):
        equilibrium_region(tips, [[0, 0, 1]] * 4, 0.7, force_bounds=[1.0])
    with pytest.raises(ShapeError, match=r"force_rows must have shape"):
        equilibrium_region(
            tips, [[0, 0, 1]] * 4, 0.7, force_rows=[[1.0]], force_bounds=[1.0]
        )
