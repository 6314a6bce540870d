"""Margins of a body on soft feet: pose test, softest mode, critical size."""

import math

import numpy as np
import pytest
from scipy import linalg

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.loops.cartesian_stance import cartesian_lean
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.critical_size import critical_height, critical_width
from equipoise.stability.soft.foot import Foot
from equipoise.stability.soft.leg_springs import (
    cartesian_critical_width,
    series_critical_width,
)
from equipoise.stability.soft.planar import planar_stance
from equipoise.stability.soft.pose import SoftBody
from equipoise.stability.soft.radial import radial_stance
from equipoise.stability.soft.softest_mode import softest_mode
from equipoise.stability.soft.springs import rotation_after
from oracles.soft_stances import in_a_plane, on_a_circle, uneven

G = 9.81
EXACT = 1e-6  # the promise for the multiplier, and for what is found by it


def test_the_stance_that_was_found_passes_the_pose_test(rng):
    for _ in range(10):
        feet = uneven(rng, (4e3, 9e3))
        stance, body = compliant_stance(12.0, feet), SoftBody(12.0, feet)
        assert stance.stable
        there = body.test(stance.displacement, stance.R_WB)
        assert there.is_balanced and there.stable and 0 < there.margin < 1
        scale = np.abs(stance.hessian).max()
        assert np.abs(there.hessian - stance.hessian).max() < 1e-12 * scale  # rounding
        aside = rotation_after(stance.R_WB, np.array([0.02, 0.0, 0.0]))
        away = body.test(stance.displacement, aside)
        assert not away.is_balanced and not away.stable
    assert not body.test([0, 0, 1.0], np.eye(3)).stable  # in the air
    assert body.test([0, 0, 1.0], np.eye(3)).margin == -math.inf


def test_an_upright_body_beyond_the_critical_softness_is_balanced_but_not_stable():
    m, k, r, h = 10.0, 2000.0, 0.2, 0.5
    critical = h / radial_stance(4, m, k, 0.0, r, h, 1.0).a
    for share in (0.99, 1.01):
        body = SoftBody(m, on_a_circle(4, r, critical * share, k))
        there = body.test([0, 0, -m * G / (4 * k)], np.eye(3))
        assert there.is_balanced
        assert there.stable == (share < 1)
        # rounding; relative to the unloaded springs the tilt has 1 - a left
        assert there.margin == pytest.approx(1 - share, abs=1e-12)


def test_softest_mode_of_symmetric_stances(rng):
    tips = 0
    for _ in range(30):
        m, k, r, h, inertia = rng.uniform(
            [5, 3e3, 0.1, 0.2, 0.05], [20, 9e3, 0.4, 0.5, 2.0]
        )
        legs = int(rng.integers(3, 7))
        tensor = np.diag([inertia, inertia, 1.5 * inertia])
        exact = radial_stance(legs, m, k, 0.0, r, h, inertia)
        flat = planar_stance(m, k, 0.0, r, h, inertia)
        for stance, feet in (
            (exact, on_a_circle(legs, r, h, k, turn=rng.uniform(0, 6))),
            (flat, in_a_plane(r, h, k)),
        ):
            found = softest_mode(m, tensor, feet)
            if stance.a >= 1:
                assert math.isnan(found.eigenvalue) and np.isnan(found.motion).all()
                continue
            bounce = (stance.eigenvalues[0] * stance.eigenvalues[1]).real
            tip = (stance.eigenvalues[2] * stance.eigenvalues[3]).real
            tips += int(tip < bounce)
            # solver: the stance is solved to 1e-11 of the weight
            assert found.eigenvalue == pytest.approx(min(bounce, tip), rel=1e-8)
    assert 10 < tips < 60


def test_softest_mode_is_the_first_of_the_whole_body_that_is_not_free(rng):
    for _ in range(10):
        feet = uneven(rng, (4e3, 9e3))
        turn = rotation_after(np.eye(3), rng.normal(size=3))
        inertia = turn @ np.diag([0.3, 0.5, 0.6]) @ turn.T
        stance, found = compliant_stance(12.0, feet), softest_mode(12.0, inertia, feet)
        M = np.diag(np.full(6, 12.0))
        M[3:, 3:] = stance.R_WB @ inertia @ stance.R_WB.T
        values = np.sort(np.abs(linalg.eigh(stance.hessian, M, eigvals_only=True)))
        # rounding of eigenvalues near 1e3: two slides and the turn are free
        assert values[:3].max() < 1e-8
        assert found.eigenvalue == pytest.approx(values[3], rel=1e-9)
        residue = stance.hessian @ found.motion - found.eigenvalue * M @ found.motion
        assert (
            np.abs(residue).max() < 1e-6 * np.abs(stance.hessian @ found.motion).max()
        )
        assert found.motion @ M @ found.motion == pytest.approx(1.0, rel=1e-12)


def test_ground_that_holds_sideways_leaves_no_motion_free(rng):
    ground = np.diag([4e3, 3e3, 9e3])
    feet = on_a_circle(4, 0.3, 0.4, ground)
    found = softest_mode(12.0, np.diag([0.5, 0.4, 0.7]), feet)
    stance = compliant_stance(12.0, feet)
    M = np.diag([12.0, 12.0, 12.0, 0.5, 0.4, 0.7])
    values = linalg.eigh(stance.hessian, M, eigvals_only=True)
    assert found.eigenvalue == pytest.approx(values[0], rel=1e-9)  # rounding


def test_critical_height_of_symmetric_stances(rng):
    for _ in range(8):
        m, k, r, h = rng.uniform([1, 500, 0.05, 0.1], [60, 2e4, 0.5, 1])
        legs = int(rng.integers(3, 7))
        circle = legs * k * r * r / (2 * m * G)
        found = critical_height(m, on_a_circle(legs, r, h, k))
        assert found == pytest.approx(circle, rel=EXACT)
        flat = 2 * k * r * r / (m * G)
        assert critical_height(m, in_a_plane(r, h, k)) == pytest.approx(flat, rel=EXACT)


def test_critical_height_off_the_middle():
    m, r, off = 10.0, 0.3, 0.02
    for k, is_fold in ((300.0, True), (4e3, False)):
        h0 = 2 * k * r * r / (m * G)
        # fold a^(-2/3) = 1 + R^(2/3), or lifted foot a = s / sqrt(1 + (s q)^2),
        # with a = h / h0, R = off / h, q = r / h and s = 1 - off / r, solved for h
        fold = (h0 ** (2 / 3) - off ** (2 / 3)) ** 1.5
        lift = (1 - off / r) * math.sqrt(h0 * h0 - r * r)
        # which is first: the tilt at the fold has cos^3 = a
        tilt = math.acos((fold / h0) ** (1 / 3))
        assert is_fold == (math.tan(tilt) < (r - off) / fold)
        for h in (0.3, 3.0 * h0):
            found = critical_height(m, in_a_plane(r, h, k, off))
            assert found == pytest.approx(fold if is_fold else lift, rel=EXACT)


def test_critical_width_of_controlled_legs_on_soft_ground(rng):
    for _ in range(8):
        m, h = rng.uniform([5, 0.3], [60, 0.8])
        k1, k3, gx, gz = rng.uniform(8, 40, 4) * m * G / h
        C, ground = np.diag([1 / k1, 1 / k1, 1 / k3]), np.diag([gx, gx, gz])
        for legs in (3, 5):
            exact = series_critical_width(m, h, k1, k3, gz, feet=legs)
            r = exact * rng.uniform(0.5, 2)
            feet = on_a_circle(legs, r, h, ground, C)
            assert r * critical_width(m, feet) == pytest.approx(exact, rel=EXACT)


def test_critical_width_on_hard_ground():
    m, h = 60.0, 0.5
    for k1, k3 in ((7.0, 17.0), (17.0, 7.0)):
        unit = m * G / h
        C = np.diag([1 / k1, 1 / k1, 1 / k3]) / unit
        feet = in_a_plane(0.1, h, 1e9 * unit, compliance=C)
        found = 0.1 * critical_width(m, feet) / h
        # ground 1e8 times as hard as the legs
        assert found == pytest.approx(cartesian_critical_width(k1, k3), rel=EXACT)


def test_cartesian_foot_control_leans_instead_of_falling():
    # stiffer across than along: past the critical width there is a stable lean
    m, h, k1, k3 = 60.0, 0.5, 17.0, 7.0
    unit = m * G / h
    C, hard = np.diag([1 / k1, 1 / k1, 1 / k3]) / unit, 1e9 * unit * np.eye(3)
    for slender in (0.257, 0.259):
        assert slender < cartesian_critical_width(k1, k3)
        exact = cartesian_lean(k1, k3, slender)
        assert exact.leans and not exact.upright_stable
        # a hair off the middle picks a side; it also turns the body by 60 times that
        found = compliant_stance(m, in_a_plane(slender * h, h, hard, 1e-8, C))
        assert found.stable
        assert found.tilt == pytest.approx(exact.angle, abs=1e-6)
        assert found.weakest == pytest.approx([1.0, 0.0], abs=1e-6)


def test_scaled_to_the_critical_size_the_multiplier_is_one(rng):
    for _ in range(5):
        feet = uneven(rng, (1e3, 4e3))
        s, h = critical_width(12.0, feet), critical_height(12.0, feet)
        lift = h + min(foot.position[2] for foot in feet)
        for factor, raised in ((s, 0.0), (1.0, lift)):
            there = [
                Foot(
                    foot.position * [factor, factor, 1] - [0, 0, raised],
                    foot.ground_stiffness,
                )
                for foot in feet
            ]
            found = compliant_stance(12.0, there).multiplier
            assert found == pytest.approx(1.0, rel=EXACT)


def test_sizes_that_nothing_changes():
    beside = [Foot((x, y, -0.5), 1e6) for x, y in ((0.2, 0), (0.4, 0.1), (0.4, -0.1))]
    assert critical_height(1.0, beside) == 0.0
    assert critical_width(1.0, beside) == math.inf


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda f: critical_height(0, f), "mass must be a number > 0, got 0"),
        (lambda f: critical_width(-1, f), "mass must be a number > 0, got -1"),
        (lambda f: critical_height(1, []), "feet is empty"),
        (lambda f: critical_width(1, [f[0], f[0]]), "are both at"),
        (lambda f: critical_height(1, [Foot((0, 0, 1), 1.0)]), "1 m above the centre"),
        (lambda f: critical_width(1, [Foot((0, 0, -1), 1.0)]), "without width"),
        (lambda f: softest_mode(1, np.diag([1, 1, 0]), f), "inertia must"),
        (lambda f: softest_mode(1, np.eye(2), f), "inertia must have shape"),
        (lambda f: SoftBody(1, f + f[:1]), "are both at"),
    ],
)
def test_refuses_what_has_no_margin(call, problem):
    with pytest.raises((NotPhysicalError, ShapeError), match=problem):
        call(on_a_circle(4, 0.2, 0.5, 1e3))
