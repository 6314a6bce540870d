"""The general test of standing on soft feet against every closed form."""

import math

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.spatial import matrix_from_axis_angle
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.equilibria import planar_equilibria
from equipoise.stability.soft.foot import Foot, expect_feet
from equipoise.stability.soft.leg_springs import series_critical_width
from equipoise.stability.soft.planar import planar_stance
from equipoise.stability.soft.radial import radial_stance
from equipoise.stability.soft.stiff_limit import stiff_limit
from oracles.soft_feet import loaded_slowly
from oracles.soft_stances import in_a_plane, on_a_circle, uneven

G = 9.81
EXACT = 1e-6  # the promise; the path's end is solved to 1e-9


def check_radial(rng: np.random.Generator) -> bool:
    legs = int(rng.integers(3, 9))
    m, k, r, h = rng.uniform([1, 500, 0.05, 0.1], [60, 2e4, 0.5, 1])
    exact = radial_stance(legs, m, k, 1.0, r, h, 1.0)
    found = compliant_stance(m, on_a_circle(legs, r, h, k, turn=rng.uniform(0, 6)))
    assert found.multiplier == pytest.approx(exact.a, rel=EXACT)
    assert found.stable == exact.stable
    return found.stable


def check_planar(rng: np.random.Generator) -> bool:
    m, k, r, h = rng.uniform([1, 500, 0.05, 0.1], [60, 2e4, 0.5, 1])
    exact = planar_stance(m, k, 1.0, r, h, 1.0)
    found = compliant_stance(m, in_a_plane(r, h, k))
    assert found.multiplier == pytest.approx(exact.a, rel=EXACT)
    assert found.stable == exact.stable
    return found.stable


def check_offset(rng: np.random.Generator) -> bool:
    """The centre of mass off the middle ends in a fold, or sooner by a lifted foot."""
    m, r, h = rng.uniform([1, 0.1, 0.2], [60, 0.5, 1])
    gamma, a = rng.uniform(0.01, 0.9), rng.uniform(0.05, 1.0)
    slender, rest = r / h, 1 - gamma
    ends = (1 + (gamma * slender) ** (2 / 3)) ** -1.5
    at_lift = rest / math.hypot(1, rest * slender)  # the weight over the other foot
    lifts = math.cos(math.atan(rest * slender)) ** 3 > at_lift  # before the fold
    if lifts:
        ends = at_lift
    k = m * G * h / (2 * a * r * r)
    found = compliant_stance(m, in_a_plane(r, h, k, gamma * r))
    assert found.multiplier == pytest.approx(a / ends, rel=EXACT)
    assert found.stable == (a < ends)
    if found.stable:
        tilts = planar_equilibria(a, gamma * slender)
        middle = tilts[1] if len(tilts) > 1 else tilts[0]
        assert found.tilt == pytest.approx(middle, rel=1e-7)  # solver: 1e-11 of weight
    return lifts


def check_series(rng: np.random.Generator) -> bool:
    """Legs and ground in series on L >= 3 feet: the first root of a quadratic."""
    legs = int(rng.integers(3, 7))
    m, h = rng.uniform([5, 0.3], [60, 0.8])
    k1, k3, gx, gz = rng.uniform(8, 40, 4) * m * G / h
    gx = gx if rng.random() < 0.7 else 0.0
    critical = series_critical_width(m, h, k1, k3, gz, feet=legs)
    r = critical * rng.uniform(0.8, 1.25)
    series = 1 / (1 / k3 + 1 / gz)
    # L r^2 k_s / 2 = w h + w^2 / L (1/k1 - 1/k3) for the weight w
    bend = (1 / k1 - 1 / k3) / legs
    righting = legs * r * r * series / 2
    root = h * h + 4 * bend * righting
    first = 2 * righting / (h + math.sqrt(root)) if root >= 0 else math.inf
    feet = on_a_circle(
        legs, r, h, np.diag([gx, gx, gz]), np.diag([1 / k1, 1 / k1, 1 / k3])
    )
    found = compliant_stance(m, feet)
    assert math.isfinite(first)
    assert found.multiplier == pytest.approx(m * G / first, rel=EXACT)
    assert found.stable == (r > critical)
    return found.stable


CHECKS = [check_radial, check_planar, check_offset, check_series]


@pytest.mark.parametrize("check", CHECKS)
def test_agrees_with_the_closed_form(rng, check):
    answers = [check(rng) for _ in range(40)]
    assert len(set(answers)) == 2  # both answers were tried


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
def test_agrees_with_the_closed_form_ten_thousand_times(rng, check):
    answers = [check(rng) for _ in range(2500)]
    assert len(set(answers)) == 2


def test_controlled_legs_in_a_plane(rng):
    # hard ground is 1e9 times the legs, and the answer that much off
    for _ in range(20):
        m, h = rng.uniform([5, 0.3], [60, 0.8])
        k1, k3 = rng.uniform(8, 40, 2) * m * G / h
        critical = series_critical_width(m, h, k1, k3, 1e9 * k3)
        C = np.diag([1 / k1, 1 / k1, 1 / k3])
        for share in (0.999, 1.001):
            feet = in_a_plane(critical * share, h, 1e9 * k3, compliance=C)
            assert compliant_stance(m, feet).stable == (share > 1)


def test_slowly_loaded_bodies_tip_where_it_says(rng):
    lifted = 0
    for _ in range(5):
        n = int(rng.integers(4, 7))
        angles = np.sort(
            rng.uniform(0, 2 * np.pi, n) * 0.1 + 2 * np.pi * np.arange(n) / n
        )
        radii = rng.uniform(0.25, 0.4, n)
        arms = np.stack(
            [
                radii * np.cos(angles),
                radii * np.sin(angles),
                rng.uniform(-0.7, -0.5, n),
            ],
            axis=1,
        )
        arms[:, :2] += rng.uniform(-0.12, 0.12, 2)
        k = rng.uniform(1000, 4000, n)
        m = 12.0
        feet = [Foot(arm, float(x)) for arm, x in zip(arms, k, strict=True)]
        found = compliant_stance(m, feet)
        assert math.isfinite(found.multiplier)
        k_end = k * found.multiplier
        before = loaded_slowly(arms, k_end * 1.02, m * G)
        after = loaded_slowly(arms, k_end * 0.97, m * G)
        stands = compliant_stance(
            m, [Foot(arm, float(x)) for arm, x in zip(arms, k_end * 1.02, strict=True)]
        )
        assert stands.stable
        # solver: BFGS stops at a slope of 1e-7, the energy is flat near its end
        assert stands.tilt == pytest.approx(np.hypot(*before[1:]), rel=1e-3, abs=1e-5)
        assert np.abs(after[1:]).max() > 1.0
        lifted += int(not stands.forces.any(axis=1).all())
    assert lifted > 0  # feet that leave the ground on the way were among them


def test_feet_that_lift_and_touch_again_are_followed():
    """A stance that halving the step at a lifting foot gave up twice too soon."""
    feet = uneven(np.random.default_rng(63), (500.0, 4000.0))
    arms = np.array([foot.position for foot in feet])
    k_end = np.array([foot.ground_stiffness[2, 2] for foot in feet])
    k_end *= compliant_stance(12.0, feet).multiplier
    before = loaded_slowly(arms, k_end * 1.02, 12.0 * G, steps=20)
    after = loaded_slowly(arms, k_end * 0.97, 12.0 * G, steps=20)
    assert np.hypot(*before[1:]) < 0.6 < 1.0 < np.abs(after[1:]).max()


def test_forces_carry_the_weight_and_scale_with_stiffness(rng):
    for _ in range(20):
        arms = [
            (0.3, 0.2, -0.5),
            (-0.3, 0.25, -0.6),
            (0.25, -0.3, -0.4),
            (-0.2, -0.2, -0.5),
        ]
        A = rng.normal(size=(4, 3, 3))
        K = 3000 * (A @ A.transpose(0, 2, 1) + 2 * np.eye(3))
        C = 2e-5 * (A.transpose(0, 2, 1) @ A)
        at_all = compliant_stance(8, [Foot(*x) for x in zip(arms, K, C, strict=True)])
        assert at_all.stable
        # solver: a force of 1e-11 of the weight is left over
        assert at_all.forces.sum(axis=0) == pytest.approx([0, 0, 8 * G], abs=1e-8)
        for share in (0.999, 1.001):
            s = at_all.multiplier * share
            scaled = [Foot(*x) for x in zip(arms, K * s, C / s, strict=True)]
            there = compliant_stance(8, scaled)
            assert there.stable == (share > 1)
            assert there.multiplier == pytest.approx(1 / share, rel=EXACT)


def test_turning_the_world_changes_nothing(rng):
    turn = matrix_from_axis_angle([0, 0, 1], 1.234)
    arms = np.array([(0.3, 0.2, -0.5), (-0.3, 0.25, -0.6), (0.05, -0.3, -0.4)])
    K, C = np.diag([500.0, 900.0, 2000.0]), np.diag([1e-4, 3e-4, 5e-5])
    here = compliant_stance(5, [Foot(arm, K, C) for arm in arms])
    there = compliant_stance(
        5, [Foot(turn @ arm, turn @ K @ turn.T, turn @ C @ turn.T) for arm in arms]
    )
    assert there.multiplier == pytest.approx(here.multiplier, rel=1e-8)
    assert there.tilt == pytest.approx(here.tilt, rel=1e-8)
    assert there.forces == pytest.approx(here.forces @ turn.T, abs=1e-7)


@pytest.mark.parametrize(
    "arms",
    [
        [(0, 0, -1)],
        [(-0.2, 0, -1), (0.2, 0, -1)],
        [(-0.2, 0, -1), (0.2, 0, -1), (0.4, 0, -1)],
        [(0.2, 0, -1), (0.6, 0.2, -1), (0.6, -0.2, -1)],
        [(0.2, 0, -1), (0.6, 0.2, -1), (0.6, -0.2, -1), (0.1, 0, -1)],
    ],
    ids=["one", "two", "in a row", "all to one side", "all to one side, four"],
)
def test_never_stands_where_nothing_holds_it(arms):
    for ground in (1e7, 1e6 * np.eye(3)):
        found = compliant_stance(1.0, [Foot(arm, ground) for arm in arms])
        assert not found.stable and found.multiplier == math.inf
        assert np.isnan(found.forces).all() and math.isnan(found.tilt)
        assert found.reason.startswith("it falls on any ground")


def test_a_lifted_foot_is_not_a_fall():
    # far behind the other three, the fourth would have to pull: 0.25 - 0.267 of the
    # weight by the law of the lever on equal springs
    spots = [(0.1, 0.3), (0.1, -0.3), (-0.4, 0.0), (-1.4, 0.0)]
    feet = [Foot((x, y, -0.5), 5000.0) for x, y in spots]
    four, three = compliant_stance(10.0, feet), compliant_stance(10.0, feet[:3])
    assert four.stable and not four.forces[3].any()
    assert four.forces[:3] == pytest.approx(three.forces, abs=1e-8)
    assert four.tilt == pytest.approx(three.tilt, rel=1e-9)


def test_on_stiff_ground_the_lever_says_which_feet_carry():
    spots = [(0.1, 0.3), (0.1, -0.3), (-0.4, 0.0), (-1.4, 0.0)]
    feet = expect_feet([Foot((x, y, -0.5), 5000.0) for x, y in spots])
    start = stiff_limit(feet)
    assert start is not None
    assert start.presses.tolist() == [True, True, True, False]
    sinks = start.rate[2] + feet.arms[:, 1] * start.rate[3]
    sinks -= feet.arms[:, 0] * start.rate[4]
    # rounding: 0.1 (f1 + f2) = 0.4 f3 and f1 + f2 + f3 = 1
    assert -sinks[:3] == pytest.approx([0.4, 0.4, 0.2], abs=1e-14)
    assert sinks[3] > 0


def test_refuses_what_is_no_stance():
    foot = Foot((0, 0, -1), 1000.0)
    with pytest.raises(NotPhysicalError, match="feet is empty"):
        compliant_stance(1.0, [])
    with pytest.raises(NotPhysicalError, match=r"feet\[0\] and feet\[1\] are both at"):
        compliant_stance(1.0, [foot, Foot((0, 0, -1), 500.0)])
    with pytest.raises(NotPhysicalError, match="mass must be a number > 0, got 0"):
        compliant_stance(0, [foot])
    with pytest.raises(ShapeError, match=r"feet\[0\] must be a Foot, got 3"):
        compliant_stance(1.0, [3])  # type: ignore[list-item]
