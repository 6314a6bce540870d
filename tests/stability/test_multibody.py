"""Robots with heavy legs: MuJoCo's own steps, closed forms, legs without mass."""

import math

import mujoco
import numpy as np
import pytest
from scipy.optimize import brentq

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.robots.biped.biped import biped
from equipoise.robots.pose_kinematics import BodyPoint, PosedModel, foot_points
from equipoise.robots.stance.stance import pose_of
from equipoise.robots.warp1.warp1 import LEGS, warp1
from equipoise.stability.multibody.law import (
    FootLaw,
    JointLaw,
    ground_springs,
    law_matrix,
    law_springs,
)
from equipoise.stability.multibody.multibody import MultibodyStance, multibody_stance
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Foot
from equipoise.stability.soft.leg_springs import series_critical_width
from oracles.pinned_robot import narrow_warp1, pinned, step_rates, torque_law

HEIGHT = 0.58
FEET = foot_points(warp1())
SOFT_SIDEWAYS, SOFT_UPWARDS = (4e3, 4e3, 10e3), (10e3, 10e3, 4e3)


def stance(half_width: float, stiffness: tuple[float, ...], **how) -> MultibodyStance:
    spec, qpos = narrow_warp1(half_width, HEIGHT)
    return multibody_stance(
        spec.compile(), qpos, FEET, FootLaw("trunk", stiffness), **how
    )


def mujoco_rates(
    half_width: float, K: tuple[float, ...], damping: float, settle: float
) -> np.ndarray:
    """Return the slow rates of MuJoCo's own step where it has settled."""
    ours = stance(half_width, K).qpos
    return slow_rates(*narrow_warp1(half_width, HEIGHT), ours, K, damping, settle)


def slow_rates(
    spec: mujoco.MjSpec,
    qpos: np.ndarray,
    ours: np.ndarray,
    K: tuple[float, ...],
    damping: float,
    settle: float,
) -> np.ndarray:
    """Return MuJoCo's slow rates near the equilibrium that we found, (k,) [1/s]."""
    model = pinned(spec, qpos)
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    trunk = np.array(data.body("trunk").xpos)
    rest = np.array([data.geom(f"{leg}_foot").xpos - trunk for leg in LEGS])
    data.qpos[:] = ours
    with torque_law(model, rest, np.array(K), np.full(3, damping)):
        for _ in range(round(settle / model.opt.timestep)):
            mujoco.mj_step(model, data)
        assert np.abs(data.qpos - ours).max() < 1e-6
        rates = step_rates(model, data)
    return rates[np.abs(rates) < 500]  # the ties decay at 1 / (4 dt) and faster


def test_frequencies_are_those_of_mujocos_step():
    found = mujoco_rates(0.2, SOFT_SIDEWAYS, 0.0, 0.0)
    found = np.sort(found[(found.imag > 1) & (np.abs(found.real) < 1)].imag)
    ours = np.sqrt(stance(0.2, SOFT_SIDEWAYS).eigenvalues)
    # truncation: (ω dt)² / 24 of a step of 0.5 ms at 56 rad/s, 3.3e-5
    np.testing.assert_allclose(ours, found, rtol=5e-5)


@pytest.mark.parametrize(
    ("stiffness", "specified", "in_mujoco"),
    [(SOFT_SIDEWAYS, 0.0846, 0.0843), (SOFT_UPWARDS, 0.1290, 0.1285)],
    ids=["k1 = 4, k3 = 10 kN/m", "k1 = 10, k3 = 4 kN/m"],
)
def test_critical_width_of_warp1_is_mujocos_onset(stiffness, specified, in_mujoco):
    high = brentq(
        lambda r: stance(r, stiffness).multiplier - 1,
        0.9 * in_mujoco,
        1.1 * in_mujoco,
        xtol=1e-6,
    )
    assert not stance(0.9999 * high, stiffness).stable
    assert high == pytest.approx(in_mujoco, rel=0.01)  # the number to reach
    assert high == pytest.approx(specified, rel=0.01)
    # A fifth of a percent to either side MuJoCo decays and grows.
    assert mujoco_rates(1.002 * high, stiffness, 200.0, 0.2).real.max() < 0
    assert mujoco_rates(0.998 * high, stiffness, 200.0, 0.2).real.max() > 0


def test_an_uneven_pose_ends_in_a_fold():
    spec, qpos = narrow_warp1(0.15, HEIGHT)
    # Every foot elsewhere: no symmetry is left. Of six seeds this is the one whose path
    # ends before a foot lifts.
    qpos[7:] += 0.05 * np.random.default_rng(4).normal(size=12)
    model, K = spec.copy().compile(), np.array(SOFT_SIDEWAYS)
    start = multibody_stance(model, qpos, FEET, FootLaw("trunk", K))
    assert start.stable and "down to" in start.reason
    for share in (0.99, 1.01, 4.0):
        k = tuple(share * start.multiplier * K)
        found = multibody_stance(model, qpos, FEET, FootLaw("trunk", k))
        assert found.stands == ("yes" if share > 1 else "no")
        # the same end from any stiffness: a fold is met to a few of the path's 1e-9
        assert found.multiplier * share == pytest.approx(1, rel=1e-8)
        if share == 1.01:
            rates = slow_rates(spec, qpos, found.qpos, k, 200.0, 0.05)
            assert rates.real.max() < 0


def test_lumped_and_massless_legs_are_both_wrong_by_a_tenth():
    ours = 0.08447
    lumped = series_critical_width(60.4, HEIGHT, 8e3, 20e3, math.inf)
    without = series_critical_width(37.6, HEIGHT, 8e3, 20e3, math.inf)
    assert 0.10 < lumped / ours - 1 < 0.13 and 0.11 < 1 - without / ours < 0.14
    assert stance(1.001 * ours, SOFT_SIDEWAYS).stable
    assert not stance(0.999 * ours, SOFT_SIDEWAYS).stable


def random_spd(rng: np.random.Generator, scale: float) -> np.ndarray:
    A = rng.normal(size=(3, 3))
    return scale * (A @ A.T + 0.3 * np.eye(3))


def light_legs(half_width: float) -> tuple[mujoco.MjModel, np.ndarray]:
    spec, qpos = narrow_warp1(half_width, HEIGHT)
    for leg in LEGS:
        for limb in ("thigh", "shank"):
            body = spec.body(f"{leg}_{limb}")
            body.mass, body.inertia = 1e-9, [1e-11] * 3
    return spec.compile(), qpos


@pytest.mark.parametrize("case", range(4))
def test_massless_legs_are_the_ideal_machine(rng, case):
    model, qpos = light_legs(0.25)
    legs = np.array([random_spd(rng, 3e3) for _ in LEGS])
    ground = np.array([random_spd(rng, 6e3) for _ in LEGS])
    if case % 2:  # vertical springs, which leave slides and turns neutral
        ground = np.array([np.diag([0, 0, K[2, 2]]) for K in ground])
    places = PosedModel(model, FEET, "trunk").at(qpos).p_WP - qpos[:3]
    feet = [
        Foot(p, K, np.linalg.inv(leg))
        for p, K, leg in zip(places, ground, legs, strict=True)
    ]
    weight = 3.0 if case >= 2 else 1.0  # heavier: falls, or lifts a foot
    model.opt.gravity[2] *= weight
    ideal = compliant_stance(37.6, feet, gravity=9.81 * weight)
    ours = multibody_stance(model, qpos, FEET, FootLaw("trunk", legs), ground)
    # solver: compliant_stance is exact to 1e-8; the legs weigh 2e-10 of the trunk
    assert ours.multiplier == pytest.approx(ideal.multiplier, rel=1e-7), ours.reason
    assert ours.stable == ideal.stable
    if ideal.stable:
        np.testing.assert_allclose(ours.forces, ideal.forces, atol=1e-5)


def test_hessian_is_the_second_difference_of_the_energy(rng):
    robot = warp1()
    posed = PosedModel(robot.model, FEET, "trunk")
    start = np.array(robot.model.key(0).qpos)
    q = posed.moved(start, 0.2 * rng.normal(size=posed.nv))
    law = FootLaw("trunk", [random_spd(rng, 1e3) for _ in LEGS])
    K = law_matrix(law, posed)
    K_ground = np.kron(np.eye(4), random_spd(rng, 1e3))

    def springs(pose: np.ndarray) -> list:
        at = posed.at(pose)
        return [law_springs(law, K, posed, at), ground_springs(K_ground, at)]

    rests = [s.x for s in springs(start)]

    def slope(move: np.ndarray) -> np.ndarray:
        """Differences of the energy itself, along the chart at q."""
        e, h = np.eye(posed.nv), 1e-4

        def energy(at: np.ndarray) -> float:
            parts = zip(springs(posed.moved(q, at)), rests, strict=True)
            return sum(0.5 * (s.x - r) @ s.K @ (s.x - r) for s, r in parts)

        return np.array(
            [(energy(move + h * d) - energy(move - h * d)) / (2 * h) for d in e]
        )

    found = springs(q)
    H = sum(
        s.stiffness() + s.geometric(s.pull(r))
        for s, r in zip(found, rests, strict=True)
    )
    g = sum(s.gradient(r) for s, r in zip(found, rests, strict=True))
    scale = np.abs(H).max()
    # truncation 1e-8 of third derivatives
    np.testing.assert_allclose(slope(np.zeros(posed.nv)), g, atol=1e-7 * scale)
    for axis in rng.choice(posed.nv, 6, replace=False):
        step = 1e-3 * np.eye(posed.nv)[axis]
        row = (slope(step) - slope(-step)) / 2e-3
        np.testing.assert_allclose(row, H[axis], atol=5e-6 * scale)


PENDULUM = """<mujoco><worldbody><body name="rod"><joint name="ankle" axis="0 1 0"/>
<inertial pos="0 0 0.5" mass="3" diaginertia="0.01 0.01 0.01"/>
<body name="top" pos="0 0 0.8"><joint name="hip" axis="0 1 0"/>
<inertial pos="0 0 0.3" mass="2" diaginertia="0.01 0.01 0.01"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("share", [0.3, 0.99, 1.01])
def test_double_pendulum_on_joint_springs_in_closed_form(share):
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    g = 9.81
    fall = g * np.array([[3 * 0.5 + 2 * 1.1, 2 * 0.3], [2 * 0.3, 2 * 0.3]])
    K = np.array([[60.0, 5.0], [5.0, 10.0]])
    critical = np.linalg.eigvals(np.linalg.solve(K, fall)).real.max()
    law = JointLaw(K * critical / share)
    found = multibody_stance(model, [0, 0], [BodyPoint("rod", (0, 0, 0))], law)
    # the upright pose does not move under weight: rounding and the path's 1e-10
    assert found.multiplier == pytest.approx(share, rel=1e-8)
    assert found.stands == ("yes" if share < 1 else "no")
    M = np.array(
        [
            [0.02 + 3 * 0.25 + 2 * 1.1**2, 0.01 + 2 * 1.1 * 0.3],
            [0.01 + 2 * 1.1 * 0.3, 0.01 + 2 * 0.09],
        ]
    )
    exact = np.sort(np.linalg.eigvals(np.linalg.solve(M, K * critical / share - fall)))
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-9, atol=1e-9)


def test_trimmed_pose_is_the_equilibrium_and_its_multiplier_is_exact():
    found = stance(0.2, SOFT_SIDEWAYS, trimmed=True)
    qpos = narrow_warp1(0.2, HEIGHT)[1]
    np.testing.assert_array_equal(found.qpos, qpos)
    weight = 60.4 * 9.81
    assert found.forces[:, 2].sum() == pytest.approx(weight, rel=1e-12)
    assert found.stable and (found.forces[:, 2] > 0).all()
    for factor, answer in ((1.001, "yes"), (0.999, "no")):
        K = tuple(factor * found.multiplier * k for k in SOFT_SIDEWAYS)
        assert stance(0.2, K, trimmed=True).stands == answer
    soft = stance(0.2, SOFT_SIDEWAYS, ground=8e3, trimmed=True)
    assert found.multiplier < soft.multiplier < 1
    np.testing.assert_allclose(soft.forces[:, :2], 0, atol=1e-9)


def test_joint_law_is_mujocos_own_joint_springs(rng):
    spec, qpos = narrow_warp1(0.2, HEIGHT)
    stiffness = rng.uniform(300, 900, 12)
    ours = multibody_stance(spec.copy().compile(), qpos, FEET, JointLaw(stiffness))
    assert ours.stable
    model = pinned(spec, qpos)
    model.jnt_stiffness[1:], model.qpos_spring[:] = stiffness, qpos
    data = mujoco.MjData(model)
    data.qpos[:] = ours.qpos
    mujoco.mj_forward(model, data)
    # Where we call it at rest MuJoCo has no acceleration, of 9.81 without the springs;
    # the ties give way by some 1e-7 m until they carry.
    for _ in range(2000):
        mujoco.mj_step(model, data)
        data.qvel *= 0.99
    assert np.abs(data.qpos - ours.qpos).max() < 1e-6
    found = step_rates(model, data)
    found = found[(np.abs(found) < 500) & (found.imag > 1) & (np.abs(found.real) < 1)]
    exact = np.sqrt(ours.eigenvalues)
    # truncation: (ω dt)² / 24 at the fastest
    worst = (exact.max() * model.opt.timestep) ** 2 / 24
    np.testing.assert_allclose(np.sort(found.imag), exact, rtol=2 * worst)


def test_joint_stiffness_holds_warp1():
    spec, qpos = narrow_warp1(0.2, HEIGHT)
    model = spec.compile()
    stiff = multibody_stance(model, qpos, FEET, JointLaw(2000.0))
    soft = multibody_stance(model, qpos, FEET, JointLaw(np.full(12, 1000.0)))
    assert stiff.stable and soft.multiplier == pytest.approx(2 * stiff.multiplier)
    critical = 2000.0 * stiff.multiplier
    assert multibody_stance(model, qpos, FEET, JointLaw(1.001 * critical)).stable
    assert not multibody_stance(model, qpos, FEET, JointLaw(0.999 * critical)).stable


def test_never_a_wrong_yes():
    spec, qpos = narrow_warp1(0.2, HEIGHT)
    model = spec.compile()
    loose = np.full(12, 500.0)
    loose[2] = 0.0  # one knee without a spring: its foot carries nothing
    limp = multibody_stance(model, qpos, FEET, JointLaw(loose))
    assert limp.stands == "unknown" and "would have to pull" in limp.reason
    none = multibody_stance(model, qpos, FEET, JointLaw(np.zeros(12)))
    assert none.stands == "unknown" and "without weight" in none.reason
    assert np.isnan(none.eigenvalues).all() and math.isnan(none.multiplier)
    one = multibody_stance(model, qpos, FEET[:1], FootLaw("trunk", SOFT_SIDEWAYS))
    assert one.stands == "unknown"  # on one point foot nothing stops the turning
    heavy_nose = narrow_warp1(0.2, HEIGHT)[0]
    heavy_nose.body("trunk").ipos = [0.8, 0.0, 0.0]  # beyond the front feet
    tips = multibody_stance(
        heavy_nose.compile(), qpos, FEET, FootLaw("trunk", SOFT_SIDEWAYS)
    )
    assert tips.stands == "unknown" and "would have to pull" in tips.reason
    trimmed = multibody_stance(
        heavy_nose.compile(), qpos, FEET, FootLaw("trunk", SOFT_SIDEWAYS), trimmed=True
    )
    assert trimmed.stands == "unknown" and "would have to pull" in trimmed.reason


def test_soles_of_a_biped_hold_it():
    robot = biped()
    pose = pose_of(robot)
    feet = foot_points(robot, pose)
    assert len(feet) == 8 and {point.body for point in feet} == {
        "left_foot",
        "right_foot",
    }
    found = {
        k: multibody_stance(robot.model, pose, feet, JointLaw(k), trimmed=True)
        for k in (300.0, 3000.0)
    }
    assert found[300.0].stands == "no" and found[3000.0].stands == "yes"
    # set points that hold the pose keep the forces: the factor is inverse to k
    ratio = found[300.0].multiplier / found[3000.0].multiplier
    assert ratio == pytest.approx(10, rel=1e-9)
    total = found[3000.0].forces.sum(axis=0)
    weight = robot.model.body_mass.sum() * 9.81
    np.testing.assert_allclose(total, [0, 0, weight], atol=1e-9 * weight)


def test_refuses_laws_that_are_none():
    spec, qpos = narrow_warp1(0.2, HEIGHT)
    model = spec.compile()
    with pytest.raises(NotPhysicalError, match="feet is empty"):
        multibody_stance(model, qpos, [], JointLaw(1.0))
    uneven = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    with pytest.raises(NotPhysicalError, match="judged by `closed_loop`"):
        multibody_stance(model, qpos, FEET, FootLaw("trunk", uneven))
    with pytest.raises(NotPhysicalError, match="no negative eigenvalue, got -1"):
        multibody_stance(model, qpos, FEET, FootLaw("trunk", (1.0, 1.0, -1.0)))
    with pytest.raises(ShapeError, match=r"is not carried by body 'front_left_thigh'"):
        multibody_stance(model, qpos, FEET, FootLaw("front_left_thigh", (1, 1, 1)))
    with pytest.raises(
        ShapeError, match=r"JointLaw: stiffness must have shape \(12,\)"
    ):
        multibody_stance(model, qpos, FEET, JointLaw([1.0, 2.0]))
    with pytest.raises(NotPhysicalError, match="no stiffness upwards under a foot"):
        multibody_stance(model, qpos, FEET, JointLaw(1.0), np.diag([1.0, 1.0, 0.0]))
