"""The thesis's ground against closed forms, SciPy's integrator and MuJoCo's bodies."""

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.sim.ground import (
    GROUNDS,
    FeltGround,
    FootBall,
    GroundConfig,
    ground_forces,
)
from equipoise.sim.terrain import Terrain, parse_terrain, surface_of

RADIUS = 0.025
FLAT = surface_of(Terrain())
MASS = 15.1  # a quarter of WARP1 [kg]


def force(config, place, velocity, surface=FLAT):
    """Of the ground on one foot, (3,)."""
    foot = foot_at(place, velocity)
    ground_forces(config.law, surface, RADIUS, 0.0, foot)
    return foot[0].force


def foot_at(place, velocity):
    """Return a foot whose force is not known yet."""
    foot = FootBall.zeros()
    foot[0].place[:], foot[0].free[:] = place, velocity
    foot[0].force[:] = np.nan
    return foot


def at_depth(depth, config, velocity=(0.0, 0.0, 0.0)):
    return force(config, (0.0, 0.0, RADIUS - depth), velocity)


def test_both_rows_of_table_6_1_are_there():
    rows = {name: list(config.law[0].tolist()) for name, config in GROUNDS.items()}
    assert rows == {
        "weak": [70_000.0, 2_000.0, 0.7, 2_000.0, 1.0],
        "heavy": [50_000.0, 100_000.0, 0.7, 2_000.0, 1.0],
    }


def test_bad_ground_is_told_in_a_sentence():
    with pytest.raises(ConfigError, match="stiffness must be > 0 N/mⁿ, got -1"):
        GroundConfig(stiffness=-1.0)


@pytest.mark.parametrize("name", GROUNDS)
def test_a_foot_at_rest_is_held_by_the_spring_alone(name):
    config = GROUNDS[name]
    got = at_depth(0.003, config)
    assert got[2] == pytest.approx(config.stiffness * 0.003, rel=1e-12)
    assert (got[0], got[1]) == (0.0, 0.0)
    assert not at_depth(-1e-6, config, (1.0, 0.0, -1.0)).any()


@pytest.mark.parametrize("name", GROUNDS)
def test_touch_down_is_continuous_at_any_speed(name):
    """A spring and a damper side by side would jump to d v; here F falls with δ."""
    config = GROUNDS[name]
    for depth in (1e-6, 1e-9, 1e-12):
        got = at_depth(depth, config, (0.0, 0.0, -2.0))[2]
        assert got == pytest.approx(
            depth * (config.stiffness + 2.0 * config.damping), rel=1e-3
        )  # the depth of 1e-12 m is a difference of 25 mm: 3e-6 of rounding


@given(
    depth=st.floats(1e-5, 0.05),  # [m]
    up=st.floats(-3.0, 3.0),  # [m/s]
    along=st.tuples(*[st.floats(-3.0, 3.0)] * 2),  # [m/s]
    name=st.sampled_from(sorted(GROUNDS)),
)
@settings(max_examples=200, deadline=None)
def test_it_never_pulls_and_friction_only_brakes(depth, up, along, name):
    config = GROUNDS[name]
    got = at_depth(depth, config, (*along, up))
    assert got[2] >= 0.0
    assert np.hypot(got[0], got[1]) <= config.friction * got[2] * (1 + 1e-12)
    assert got[:2] @ along <= 0.0
    # the damper's part of the normal force never does work on the foot
    assert (got[2] - config.stiffness * depth) * up <= 1e-9 * got[2]


def test_friction_is_that_of_the_speed_in_any_direction():
    config = GROUNDS["weak"]
    for angle in (0.0, 0.4, 2.0):
        way = np.array([math.cos(angle), math.sin(angle), 0.0])
        got = at_depth(0.002, config, 0.05 * way)
        limit = 0.7 * 70e3 * 0.002
        wanted = limit * 2 / math.pi * math.atan(math.pi * 2e3 * 0.05 / (2 * limit))
        np.testing.assert_allclose(got[:2], -wanted * way[:2], rtol=1e-12, atol=1e-12)


def bounce(config, speed):
    """Depth reached and speed of leaving of a mass without weight, by SciPy."""

    def slope(_, s):
        return [s[1], -at_depth(s[0], config, (0.0, 0.0, -s[1]))[2] / MASS]

    def left(t, s):
        return s[0] if t > 1e-6 else 1.0

    left.terminal, left.direction = True, -1
    run = solve_ivp(slope, (0.0, 1.0), [1e-12, speed], events=left, rtol=1e-9,
        atol=1e-12, max_step=1e-3)  # fmt: skip
    return run.y[0].max(), -run.y[1, -1]


@pytest.mark.parametrize("name", GROUNDS)
@pytest.mark.parametrize("speed", [0.1, 1.0])
def test_an_impact_is_that_of_the_closed_form(name, speed):
    """On the way in v dv/dδ = -(k/m) δ (1 + λ v), λ = d/k; on the way out a spring.

    So (k/2m) δ² = v/λ - ln(1 + λ v)/λ² at the deepest, and v' = δ sqrt(k/m) after.
    """
    config = GROUNDS[name]
    k, rate = config.stiffness, config.damping / config.stiffness
    lost = speed / rate - math.log1p(rate * speed) / rate**2
    deepest = math.sqrt(2 * MASS / k * lost)
    depth, after = bounce(config, speed)
    # stops of 1 ms near the deepest: δ is flat there, (1 ms)² k / 8 m of it at most
    assert depth == pytest.approx(deepest, rel=1e-6 * k / MASS / 8)
    assert after == pytest.approx(deepest * math.sqrt(k / MASS), rel=1e-5)
    assert after < speed


def ball(mass=MASS, place=(0.0, 0.0, RADIUS), timestep=1e-3):
    """A model of one foot on a short leg of its own, its centre of mass 4 cm up."""
    spec = mujoco.MjSpec()
    spec.option.timestep = timestep
    body = spec.worldbody.add_body(name="leg", pos=place)
    for axis in np.eye(3):
        body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = mass, [0.0, 0.01, 0.04], [0.1, 0.1, 0.1]
    body.add_geom(name="foot", type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[RADIUS, 0, 0],
        contype=0, conaffinity=0)  # fmt: skip
    return spec.compile()


def run(model, surface, config, seconds, start=(0.0, 0.0, 0.0)):
    """The foot's places and velocities step by step, and the force at the end."""
    data, feet = mujoco.MjData(model), FootBall.zeros()
    data.qvel[:] = start
    press = FeltGround.of(model, ["foot"], surface, config).bound(data, feet)
    rows = []
    for _ in range(round(seconds / model.opt.timestep)):
        mujoco.mj_step1(model, data)
        press()
        mujoco.mj_step2(model, data)
        rows.append(np.r_[data.qpos, data.qvel])
    return np.array(rows), feet[0].force


@pytest.mark.parametrize("name", GROUNDS)
def test_a_standing_foot_sinks_by_its_weight_over_the_stiffness(name):
    config = GROUNDS[name]
    sink = MASS * 9.81 / config.stiffness
    rows, force = run(ball(place=(0, 0, RADIUS - sink)), FLAT, config, 0.5)
    # it stays: forces of 148 N round at 3e-14 N, for 500 steps
    np.testing.assert_allclose(rows[:, 2], 0.0, atol=1e-12)
    assert force[2] == pytest.approx(MASS * 9.81, rel=1e-9)


def test_a_drop_is_scipys_to_first_order():
    """MuJoCo with the force against an integrator of another kind, step by step."""
    config, height = GROUNDS["heavy"], 0.1

    def slope(_, s):
        return [s[1], force(config, (0, 0, s[0]), (0, 0, s[1]))[2] / MASS - 9.81]

    errors = []
    for timestep in (1e-3, 5e-4, 2.5e-4):
        model = ball(place=(0, 0, RADIUS + height), timestep=timestep)
        rows, _ = run(model, FLAT, config, 0.25)
        times = timestep * np.arange(1, len(rows) + 1)
        exact = solve_ivp(slope, (0, times[-1]), [RADIUS + height, 0], t_eval=times,
            rtol=1e-9, atol=1e-12, max_step=1e-3)  # fmt: skip
        errors.append(np.abs(rows[:, 2] + RADIUS + height - exact.y[0]).max())
    # semi-implicit Euler: first order, so that half the step is half the error
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all((rates > 0.8) & (rates < 1.2))
    assert errors[-1] < 1e-3


def test_a_foot_on_a_slope_creeps_as_the_closed_form_says():
    """F = γ N (2/π) atan(π d_h v / (2 γ N)) solved for v."""
    surface, config = surface_of(parse_terrain("slope:20")), GROUNDS["heavy"]
    angle = math.atan(0.2)
    place = (-RADIUS * math.sin(angle), 0.0, RADIUS * math.cos(angle))
    rows, force = run(ball(place=place), surface, config, 2.0)
    limit = 0.7 * MASS * 9.81 * math.cos(angle)
    pull = MASS * 9.81 * math.sin(angle)
    speed = 2 * limit / (math.pi * 2e3) * math.tan(math.pi * pull / (2 * limit))
    down = np.array([-math.cos(angle), 0.0, -math.sin(angle)])
    # settled: what is left of the bounce after 2 s is below 1e-4 m/s of 1.7 cm/s
    np.testing.assert_allclose(rows[-1, 3:], speed * down, atol=1e-4)
    assert speed > pull / 2e3  # the slope of atan is steepest at rest
    np.testing.assert_allclose(force, [0, 0, MASS * 9.81], atol=0.2)


def test_a_light_foot_creeps_alike_at_a_coarse_step():
    """0.28 kg is a WARP1 foot without rotors: h d_h / m is 7, beyond 2 for Euler."""
    surface, config = surface_of(parse_terrain("slope:20")), GROUNDS["heavy"]
    angle, mass = math.atan(0.2), 0.28
    high = RADIUS - mass * 9.81 * math.cos(angle) / config.stiffness  # no bounce
    place = (-high * math.sin(angle), 0.0, high * math.cos(angle))
    rows, force = run(ball(mass, place), surface, config, 0.5)
    limit, pull = (0.7 * mass * 9.81 * math.cos(angle), mass * 9.81 * math.sin(angle))
    speed = 2 * limit / (math.pi * 2e3) * math.tan(math.pi * pull / (2 * limit))
    # at rest in every other way: what is left is the solution's share of 1e-13
    assert np.linalg.norm(rows[-1, 3:]) == pytest.approx(speed, rel=1e-3)
    np.testing.assert_allclose(force, [0, 0, mass * 9.81], atol=1e-2)


@given(
    speed=st.floats(1e-6, 5.0),  # [m/s]
    press=st.floats(0.1, 3000.0),  # [N]
    ease=st.floats(0.0, 0.02),  # [m/s/N], a foot of 50 g in a millisecond
)
@settings(max_examples=200, deadline=None)
def test_friction_is_that_of_the_speed_at_the_end_of_the_step(speed, press, ease):
    """Solved by SciPy with another method, from the law alone."""
    config, depth = GROUNDS["weak"], press / GROUNDS["weak"].stiffness
    foot = foot_at((0.0, 0.0, RADIUS - depth), (speed, 0, 0))
    ground_forces(config.law, FLAT, RADIUS, ease, foot)

    def left(s):
        return s - ease * at_depth(depth, config, (s, 0.0, 0.0))[0] - speed

    end = brentq(left, 0.0, speed, xtol=1e-15, rtol=1e-14)
    wanted = at_depth(depth, config, (end, 0.0, 0.0))[0]
    # the law is at most d_h steep: 2e3 N s/m times the two solvers' 1e-13 of the speed
    assert foot[0].force[0] == pytest.approx(wanted, rel=1e-9, abs=1e-8)


def test_feet_of_a_machine_get_the_engines_velocities_and_moments(rng):
    """Against mj_objectVelocity and mj_applyFT at a random state."""
    robot, config = eq.load("warp1"), GROUNDS["weak"]
    model, data = robot.model, mujoco.MjData(robot.model)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.opt.timestep = 1e-15  # the law at the present speeds
    mujoco.mj_resetDataKeyframe(model, data, 0)
    data.qpos[2] -= 0.004
    data.qpos[3:7] += rng.normal(0.0, 0.002, 4)
    data.qvel[:] = rng.normal(0.0, 0.3, model.nv)
    feet = FootBall.zeros(4)
    press = FeltGround.of(model, robot.feet, FLAT, config).bound(data, feet)
    mujoco.mj_step1(model, data)
    press()
    wanted, speed = np.zeros(model.nv), np.zeros(6)
    for k, foot in enumerate(robot.feet):
        geom = model.geom(foot)
        mujoco.mj_objectVelocity(
            model, data, mujoco.mjtObj.mjOBJ_GEOM, geom.id, speed, 0
        )
        np.testing.assert_allclose(feet[k].velocity, speed[3:], atol=1e-13)
        own = force(config, data.geom_xpos[geom.id], speed[3:])
        assert own[2] > 0.0
        np.testing.assert_allclose(feet[k].force, own, rtol=1e-9)
        mujoco.mj_applyFT(model, data, own, np.zeros(3), data.geom_xpos[geom.id],
            int(geom.bodyid[0]), wanted)  # fmt: skip
    mujoco.mj_forward(model, data)
    found = data.qacc.copy()
    data.xfrc_applied[:] = 0.0
    data.qfrc_applied[:] = wanted
    mujoco.mj_forward(model, data)
    # accelerations of some 1e3 /s² after a solution of 18 equations
    np.testing.assert_allclose(found, data.qacc, rtol=1e-9, atol=1e-8)
    assert np.abs(found).max() > 50.0
