"""Multipliers of stances known within tolerances, against ten thousand drawn ones."""

import math

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError
from equipoise.stability import Foot, compliant_stance, multiplier_interval
from oracles.soft_crowd import crowd_on_feet, crowd_on_level_feet

G = 9.81
SAMPLES = 2_000  # of each of the stances below: ten thousand and more in all
STEPS = 8  # of the load; the answers are the same with 25
SQUARE = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * 0.3
STANCES = {  # places, height, stiffness, and times by which the interval may be wider
    "quadruped": (SQUARE, 0.6, [3000, 2500, 2800, 3300], 2.0),
    "quadruped, off-centre": (SQUARE - [0.06, 0.03], 0.6, [3000] * 4, 2.2),
    "long quadruped": (SQUARE * [1, 0.6], 0.6, [3000, 2500, 2800, 3300], 2.0),
    "tripod": ([[0.3, 0], [-0.2, 0.25], [-0.15, -0.2]], 0.6, [3000, 2500, 2800], 2.0),
    "six feet": (
        [[0.3, 0.2], [0, 0.25], [-0.3, 0.2], [-0.3, -0.2], [0, -0.25], [0.3, -0.2]],
        0.5,
        [1500] * 6,
        2.5,
    ),
    "planar": (SQUARE * [0.3, 3], 0.6, [20000] * 4, 2.0),
}
each_stance = pytest.mark.parametrize(
    "places, height, stiffness, loose", STANCES.values(), ids=STANCES.keys()
)
COM = np.array([0.01, 0.01, 0.02])  # [m]
SHARE, MASS_SHARE = 0.05, 0.1


def drawn(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw numbers from -1 to 1, one in five robots with all at an end."""
    unit = rng.uniform(-1, 1, shape)
    unit[: len(unit) // 5] = np.sign(unit[: len(unit) // 5])
    return unit


def stance(places, height, stiffness, shift=(0, 0, 0)) -> list[Foot]:
    feet = np.c_[np.array(places), np.full(len(places), -height)] - np.array(shift)
    return [Foot(p, float(k)) for p, k in zip(feet, stiffness, strict=True)]


@each_stance
def test_every_drawn_robot_on_level_feet_is_in_the_interval(
    rng, places, height, stiffness, loose
):
    v, k = np.array(places), np.array(stiffness, dtype=float)
    tip = compliant_stance(1.0, stance(v, height, k)).multiplier
    m = 0.8 / tip
    found = multiplier_interval(
        m,
        stance(v, height, k),
        mass_tolerance=MASS_SHARE,
        com_tolerance=COM,
        stiffness_tolerance=SHARE,
    )
    assert found.is_proved
    shift = COM * drawn(rng, (SAMPLES, 3))
    ks = k * (1 + SHARE * drawn(rng, (SAMPLES, len(k))))
    load = m * G * (1 + MASS_SHARE * drawn(rng, (SAMPLES,)))
    args = v - shift[:, None, :2], height + shift[:, 2]
    assert crowd_on_level_feet(*args, ks * found.high, load, STEPS).all()
    assert not crowd_on_level_feet(*args, ks * found.low, load, STEPS).any()
    # Not too wide: the corners of the tolerances alone span a good part of it.
    some = [
        compliant_stance(
            float(load[i] / G), stance(v, height, ks[i], shift[i])
        ).multiplier
        for i in range(20)
    ]
    assert found.low <= min(some) and max(some) <= found.high
    assert found.high - found.low <= loose * np.ptp(some)


@pytest.mark.parametrize("offset", [0.0, 0.05])
def test_every_drawn_robot_on_any_ground_is_in_the_searched_interval(rng, offset):
    arms = np.c_[SQUARE - [offset, 0], [-0.6, -0.5, -0.55, -0.62]]
    A = rng.normal(size=(4, 3, 3))
    K = 600 * (A @ A.transpose(0, 2, 1) + 3 * np.eye(3))
    feet = [Foot(arm, ground) for arm, ground in zip(arms, K, strict=True)]
    m = 0.8 / compliant_stance(1.0, feet).multiplier
    found = multiplier_interval(
        m, feet, com_tolerance=COM, stiffness_tolerance=SHARE, mass_tolerance=MASS_SHARE
    )
    assert not found.is_proved
    shift = COM * drawn(rng, (SAMPLES // 2, 3))
    Ks = K * (1 + SHARE * drawn(rng, (SAMPLES // 2, 4)))[..., None, None]
    load = m * G * (1 + MASS_SHARE * drawn(rng, (SAMPLES // 2,)))
    moved = arms - shift[:, None, :]
    assert crowd_on_feet(moved, Ks * found.high, load, STEPS).all()
    assert not crowd_on_feet(moved, Ks * found.low, load, STEPS).any()
    some = [
        compliant_stance(
            float(load[i] / G), [Foot(*x) for x in zip(moved[i], Ks[i], strict=True)]
        ).multiplier
        for i in range(20)
    ]
    assert found.low < min(some) and max(some) < found.high
    # the search adds its range once more, and the mass's goes on top of that
    assert found.high - found.low <= 3 * np.ptp(some)


def test_a_common_tolerance_scales_exactly():
    feet = stance(SQUARE, 0.6, [3000] * 4)
    at = compliant_stance(20.0, feet).multiplier
    found = multiplier_interval(
        20.0, feet, mass_tolerance=0.1, stiffness_tolerance=0.2, each_foot=False
    )
    assert found.is_proved
    # solver: the interval carries 1e-7 of room for the path's end
    assert found.low == pytest.approx(at * 0.9 / 1.2, rel=3e-7)
    assert found.high == pytest.approx(at * 1.1 / 0.8, rel=3e-7)
    apart = multiplier_interval(20.0, feet, mass_tolerance=0.1, stiffness_tolerance=0.2)
    assert apart.low < found.low and found.high < apart.high


def test_a_symmetric_stance_with_the_mass_off_is_the_closed_form():
    # Equal springs on a square: A = 4 k r^2, and W = A / (h^2/3 + s^2/3)^(3/2) at the
    # farthest corner of the box, where s is its diagonal and h the largest height.
    k, r, h, e = 3000.0, 0.3, 0.6, 0.01
    found = multiplier_interval(
        10.0, stance(SQUARE, h, [k] * 4), com_tolerance=(e, e, 0.02)
    )
    carried = (
        4 * k * r**2 / ((h + 0.02) ** (2 / 3) + math.hypot(e, e) ** (2 / 3)) ** 1.5
    )
    assert found.high >= 10 * G / carried
    # truncation: 200 tilts and 20 halvings
    assert found.high == pytest.approx(10 * G / carried, rel=1e-4)
    assert found.low == pytest.approx(10 * G * (h - 0.02) / (4 * k * r**2), rel=1e-4)


def test_beside_its_feet_no_ground_helps():
    feet = stance(SQUARE - [0.35, 0], 0.6, [3000] * 4)
    found = multiplier_interval(1.0, feet, com_tolerance=0.01)
    assert found.low == found.high == math.inf and found.below(1) == "no"
    edge = multiplier_interval(
        1.0, stance(SQUARE - [0.3, 0], 0.6, [3000] * 4), com_tolerance=0.01
    )
    assert edge.below(1) == "unknown"


def test_two_feet_are_never_a_yes():
    feet = stance([[-0.2, 0], [0.2, 0]], 0.6, [1e6] * 2)
    found = multiplier_interval(1.0, feet, com_tolerance=0.01)
    assert found.below(1) != "yes" and found.high == math.inf


def test_soft_legs_are_searched_and_more_room_is_left():
    C = np.diag([0.0, 0.0, 1e-4])
    feet = [Foot((x, y, -0.6), 1e4, C) for x, y in SQUARE]
    found = multiplier_interval(10.0, feet, com_tolerance=0.01)
    at = compliant_stance(10.0, feet).multiplier
    assert not found.is_proved and found.low < at < found.high


def test_where_the_multiplier_is_only_a_bound_so_is_the_interval():
    # firm sideways and soft upright: it leans ever more and never gives way
    C = np.diag([1 / 26, 1 / 26, 1 / 4.5])
    places = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * 0.438 - [0.017, 0]
    feet = [Foot((x, y, -1.0), 1e5 * np.eye(3), C) for x, y in places]
    stance = compliant_stance(1.0, feet, gravity=1.0)
    assert "at most" in stance.reason
    for width in (0.0, 0.001):
        found = multiplier_interval(1.0, feet, com_tolerance=width, gravity=1.0)
        assert found.low == 0.0 and found.high >= stance.multiplier


def test_bad_tolerances_are_refused():
    feet = stance(SQUARE, 0.6, [3000] * 4)
    with pytest.raises(NotPhysicalError, match="stiffness_tolerance must be a share"):
        multiplier_interval(1.0, feet, stiffness_tolerance=-0.1)
    with pytest.raises(NotPhysicalError, match="mass_tolerance must be a share"):
        multiplier_interval(1.0, feet, mass_tolerance=math.nan)
    with pytest.raises(NotPhysicalError, match="feet is empty"):
        multiplier_interval(1.0, [])
