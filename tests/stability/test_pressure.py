"""Centre of pressure, zero moment point and both dynamic margins on random motions."""

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.spatial import random_rotation
from equipoise.stability.rigid.hull import support_polygon
from equipoise.stability.rigid.pressure import (
    centre_of_pressure,
    edge_moments,
    effective_wrench,
    pressure_margin,
    spin_rate,
    tipping_margin,
    zero_moment_point,
)
from equipoise.stability.rigid.support import static_margin

G = 9.81
# rounding: sums of some hundred terms up to 100 N m, divided by at least 20 N
ROUNDING = 1e-12
seeds = st.integers(0, 2**32 - 1)


class Motion:
    """Some bodies that move somehow, 1 m above four feet on a level plane."""

    def __init__(self, seed: int, bodies: int = 5) -> None:
        rng = np.random.default_rng(seed)
        self.masses = rng.uniform(0.5, 4, bodies)
        self.p = rng.uniform(-0.5, 0.5, (bodies, 3)) + np.array([0, 0, 1])
        self.a = rng.uniform(-4, 4, (bodies, 3))
        turns = np.array([random_rotation(rng) for _ in range(bodies)])
        moments = self.masses[:, None] * rng.uniform(0.01, 0.05, (bodies, 3))
        self.inertia = np.einsum("bij,bj,bkj->bik", turns, moments, turns)
        self.w, self.wdot = rng.uniform(-5, 5, (2, bodies, 3))
        self.spin = spin_rate(self.inertia, self.w, self.wdot)
        self.height = rng.uniform(-0.3, 0.3)
        feet = rng.uniform(0.2, 0.6, (4, 2)) * [[1, 1], [1, -1], [-1, 1], [-1, -1]]
        self.feet = np.c_[feet, np.full(4, self.height)]
        self.rng = rng

    def wrench(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return effective_wrench(self.masses, self.p, self.a, self.spin, G)

    def contact_forces(self) -> np.ndarray:
        """Ground forces that make this motion by Newton and Euler about the origin."""
        pull = self.masses[:, None] * (self.a + np.array([0, 0, G]))
        turn = np.cross(self.p, pull) + self.spin
        target = np.concatenate([pull.sum(axis=0), turn.sum(axis=0)])
        grasp = np.zeros((6, 12))
        for i, (x, y, z) in enumerate(self.feet):
            grasp[:3, 3 * i : 3 * i + 3] = np.eye(3)
            cross = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
            grasp[3:, 3 * i : 3 * i + 3] = cross
        some = self.rng.uniform(-20, 20, 12)  # the part the motion does not fix
        forces = some + np.linalg.pinv(grasp) @ (target - grasp @ some)
        assert np.abs(grasp @ forces - target).max() < 1e-11
        return forces.reshape(4, 3)


@given(seed=seeds)
def test_zero_moment_point_is_the_centre_of_pressure(seed):
    motion = Motion(seed)
    ours = zero_moment_point(*motion.wrench(), motion.height)
    pressure = centre_of_pressure(motion.feet, motion.contact_forces())
    np.testing.assert_allclose(ours, pressure, rtol=0, atol=ROUNDING)


def test_the_moment_term_is_needed():
    off = []
    for seed in range(50):
        p_WC, force, moment = Motion(seed).wrench()
        with_it = zero_moment_point(p_WC, force, moment)
        off.append(np.abs(with_it - zero_moment_point(p_WC, force, 0 * moment)).max())
    assert max(off) > 0.1  # metres: the printed recipe misses by this much


@given(seed=seeds)
def test_moment_about_an_edge_is_distance_times_push(seed):
    motion = Motion(seed)
    wrench = motion.wrench()
    p_WZ = zero_moment_point(*wrench, motion.height)
    corners = support_polygon(motion.feet)
    moments = edge_moments(*wrench, motion.feet, motion.height)
    push = abs(wrench[1][2])
    for a, b, moment in zip(corners, np.roll(corners, -1, 0), moments, strict=True):
        way = (b - a) / np.linalg.norm(b - a)
        inside = way[0] * (p_WZ[1] - a[1]) - way[1] * (p_WZ[0] - a[0])
        assert moment == pytest.approx(push * inside, abs=ROUNDING * push)


@given(seed=seeds)
def test_both_margins_agree_in_sign_and_differ_by_the_push(seed):
    motion = Motion(seed)
    wrench, weight = motion.wrench(), motion.masses.sum() * G
    distance = pressure_margin(*wrench, motion.feet, motion.height)
    tipping = tipping_margin(*wrench, motion.feet, weight, motion.height)
    p_WZ = zero_moment_point(*wrench, motion.height)
    assert distance == static_margin(p_WZ[:2], motion.feet)
    assert (distance > 0) == (tipping > 0)
    ratio = abs(wrench[1][2]) / weight
    if distance > 0:
        assert tipping == pytest.approx(ratio * distance, abs=ROUNDING)
    else:  # past a corner the way to the edge's line is shorter than to the edge
        assert ratio * distance - ROUNDING <= tipping


def test_draws_are_inside_and_outside():  # or the branches above would be idle
    margins = []
    for seed in range(60):
        motion = Motion(seed)
        margins.append(pressure_margin(*motion.wrench(), motion.feet, motion.height))
    assert min(margins) < 0 < max(margins)


@given(seed=seeds, angle=st.floats(-3.2, 3.2), factor=st.floats(0.01, 100))
def test_turning_the_world_and_scaling_the_masses_change_nothing(seed, angle, factor):
    motion = Motion(seed)
    wrench, weight = motion.wrench(), motion.masses.sum() * G
    here = zero_moment_point(*wrench, motion.height)
    margins = [
        pressure_margin(*wrench, motion.feet, motion.height),
        tipping_margin(*wrench, motion.feet, weight, motion.height),
    ]
    R = Rotation.from_rotvec([0, 0, angle]).as_matrix()
    turned = effective_wrench(
        factor * motion.masses,
        motion.p @ R.T,
        motion.a @ R.T,
        factor * motion.spin @ R.T,
        G,
    )
    feet = motion.feet @ R.T
    there = zero_moment_point(*turned, motion.height)
    np.testing.assert_allclose(there, R @ here, rtol=0, atol=ROUNDING)
    again = [
        pressure_margin(*turned, feet, motion.height),
        tipping_margin(*turned, feet, factor * weight, motion.height),
    ]
    np.testing.assert_allclose(again, margins, rtol=0, atol=ROUNDING)


@given(seed=seeds)
def test_mirroring_the_motion_mirrors_the_point(seed):
    motion = Motion(seed)
    mirror = np.array([1, -1, 1])  # moments are axial: they flip the other way
    wrench = effective_wrench(
        motion.masses, motion.p * mirror, motion.a * mirror, -motion.spin * mirror, G
    )
    there = zero_moment_point(*wrench, motion.height)
    here = zero_moment_point(*motion.wrench(), motion.height)
    np.testing.assert_allclose(there, here * mirror, rtol=0, atol=ROUNDING)


def test_leading_axes_are_states():
    motions = [Motion(seed) for seed in range(6)]
    masses, feet = motions[0].masses, motions[0].feet
    p, a, spin = (
        np.reshape([getattr(m, name) for m in motions], (2, 3, 5, 3))
        for name in ("p", "a", "spin")
    )
    wrench = effective_wrench(masses, p, a, spin)
    one = effective_wrench(masses, p[1, 2], a[1, 2], spin[1, 2])
    for many, single in zip(wrench, one, strict=True):
        np.testing.assert_allclose(many[1, 2], single, rtol=0, atol=ROUNDING)
    assert zero_moment_point(*wrench).shape == (2, 3, 3)
    assert edge_moments(*wrench, feet).shape == (2, 3, 4)
    for margin in (
        pressure_margin(*wrench, feet),
        tipping_margin(*wrench, feet, 100.0),
    ):
        assert margin.shape == (2, 3)


def test_spin_rate_is_the_derivative_of_the_momentum(rng):
    inertia = np.diag([0.1, 0.2, 0.25])
    w, wdot = rng.uniform(-3, 3, (2, 3))

    def momentum(time: float) -> np.ndarray:
        """Turn with w + wdot t to second order in time, from the axes of the body."""
        R = Rotation.from_rotvec(w * time + wdot * time**2 / 2).as_matrix()
        return R @ inertia @ R.T @ (w + wdot * time)

    step = 1e-5
    by_steps = (momentum(step) - momentum(-step)) / (2 * step)
    # truncation: step^2 times third derivatives below 100; rounding: 1e-16 / step
    np.testing.assert_allclose(spin_rate(inertia, w, wdot), by_steps, rtol=0, atol=3e-8)


ARM = """
<mujoco><worldbody><body pos="0 0 1"><freejoint/>
<geom type="box" size=".2 .1 .3" density="300"/>
<body pos=".2 0 .2"><joint axis="0 1 0"/><joint axis="1 0 0"/>
<geom type="capsule" size=".05" fromto="0 0 0 .3 .1 0"/>
<body pos=".3 .1 0"><joint axis="0 0 1"/>
<geom type="box" size=".1 .05 .07" pos=".1 0 0"/></body></body>
<body pos="-.2 .1 0"><joint axis="1 1 0"/><geom type="box" size=".1 .2 .04"/></body>
</body></worldbody></mujoco>
"""


def test_another_engine_finds_the_same_point(rng):
    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    for _ in range(20):
        data.qpos = rng.uniform(-1, 1, model.nq)
        data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7])
        data.qvel, data.qacc = rng.uniform(-2, 2, (2, model.nv))
        mujoco.mj_inverse(model, data)
        mujoco.mj_rnePostConstraint(model, data)
        a, spin = np.zeros((2, model.nbody - 1, 3))
        for body in range(1, model.nbody):
            kind, (rate, speed) = mujoco.mjtObj.mjOBJ_BODY, np.zeros((2, 6))
            mujoco.mj_objectAcceleration(model, data, kind, body, rate, 0)
            mujoco.mj_objectVelocity(model, data, kind, body, speed, 0)
            R = data.ximat[body].reshape(3, 3)
            inertia = R @ np.diag(model.body_inertia[body]) @ R.T
            a[body - 1] = rate[3:] + model.opt.gravity  # the engine's frame falls up
            spin[body - 1] = spin_rate(inertia, speed[:3], rate[:3])
        wrench = effective_wrench(model.body_mass[1:], data.xipos[1:], a, spin)
        # The engine's own answer: force and moment needed at the free base.
        base = data.xpos[1]
        turn = data.xmat[1].reshape(3, 3) @ data.qfrc_inverse[3:6]
        expected = zero_moment_point(base, -data.qfrc_inverse[:3], -turn)
        ours = zero_moment_point(*wrench)
        # rounding: 1e-15 of moments up to 1e3 N m over a push of 100 N
        np.testing.assert_allclose(ours, expected, rtol=0, atol=ROUNDING)


def test_a_robot_at_rest_has_its_point_below_its_centre():
    wrench = effective_wrench([1, 3], [[0, 0, 1], [0.4, 0.2, 2]], np.zeros((2, 3)))
    np.testing.assert_allclose(
        zero_moment_point(*wrench, 0.5), [0.3, 0.15, 0.5], rtol=0, atol=ROUNDING
    )
    square = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    assert pressure_margin(*wrench, square) == pytest.approx(0.7, abs=ROUNDING)
    assert tipping_margin(*wrench, square, 4 * G) == pytest.approx(0.7, abs=ROUNDING)


def test_nothing_that_does_not_press_is_called_balanced():
    square = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    for up in (G, G + 5):  # free fall, and pulled down faster than that
        wrench = effective_wrench([2.0], [[0, 0, 1.0]], [[0, 0, -up]])
        assert np.isnan(zero_moment_point(*wrench)).all()
        assert pressure_margin(*wrench, square) == -np.inf
        assert tipping_margin(*wrench, square, 2 * G) == -np.inf
    assert np.isnan(centre_of_pressure([[0, 0, 0]], [[0, 0, 0]])).all()
    assert np.isnan(centre_of_pressure([[0, 0, 0]], [[0, 0, -1]])).all()


def test_supports_without_area():
    wrench = effective_wrench(
        [2.0], [[3, 4, 1.0]], [[0, 0, G]]
    )  # pressed twice as hard
    assert pressure_margin(*wrench, [[0, 0]]) == -5
    assert tipping_margin(*wrench, [[0, 0]], 2 * G) == pytest.approx(
        -10, rel=1e-15, abs=0
    )
    segment = [[0, 0], [3, 0]]
    assert tipping_margin(*wrench, segment, 2 * G) == pytest.approx(
        -8, rel=1e-15, abs=0
    )
    beside = [[0, 0], [-3, 0]]  # past its end: farther than from its line
    assert tipping_margin(*wrench, beside, 2 * G) == pytest.approx(
        -10, rel=1e-15, abs=0
    )
    assert edge_moments(*wrench, segment) == pytest.approx(
        [16 * G, -16 * G], rel=1e-14, abs=0
    )
    assert pressure_margin(*wrench, []) == tipping_margin(*wrench, [], 1) == -np.inf


def test_bad_input_is_refused():
    at = np.zeros((2, 3))
    with pytest.raises(NotPhysicalError, match=r"masses must be >= 0 kg .* \[-1.0, 2"):
        effective_wrench([-1, 2], at, at)
    with pytest.raises(NotPhysicalError, match="masses must be"):
        effective_wrench([0, 0], at, at)
    with pytest.raises(NotPhysicalError, match="gravity must be >= 0"):
        effective_wrench([1, 1], at, at, gravity=-9.81)
    with pytest.raises(ShapeError, match=r"p_WBcm must have shape \(2, 3\)"):
        effective_wrench([1, 1], at[:1], at)
    with pytest.raises(ShapeError, match="forces must have shape"):
        centre_of_pressure(at, at[:1])
    with pytest.raises(NotPhysicalError, match="weight must be > 0 N, got 0"):
        tipping_margin(at[0], [0, 0, -1], at[0], at, 0)
    with pytest.raises(ShapeError, match="height must be finite"):
        zero_moment_point(at[0], [0, 0, -1], at[0], np.nan)
