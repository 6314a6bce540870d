"""Speed limits: closed forms, differences along the path, WARP1's own numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest

from equipoise.control.gaits.foot_path import (
    SWINGS,
    foot_path,
    peak_factor,
    speed_limit,
)
from equipoise.control.gaits.machine_speed import (
    FootWay,
    fastest_walk,
    largest_stroke,
    shortest_cycle,
)
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.legs import foot_place, leg_geometry
from equipoise.robots.load import load

EPS = np.finfo(float).eps
AHEAD = np.tile([1.0, 0.0], (4, 1))
TABLE = np.tile([4.8, 2.6, 2.6], 4)  # table 5.2 [rad/s]


@pytest.fixture(scope="module")
def legs():
    return leg_geometry(load("warp1"))


def test_the_speed_limit_of_section_2_4():
    assert speed_limit(3.0, 0.75) == pytest.approx(1.0, abs=4 * EPS)
    assert speed_limit(3.0, 0.5) == 3.0
    with pytest.raises(ConfigError, match=r"below 1, got 1\.0"):
        speed_limit(3.0, 1.0)


@pytest.mark.parametrize(
    ("swing", "factor"), [("ellipse", math.pi / 2), ("hermite", 2.0), ("cycloid", 3.0)]
)
def test_peaks_of_a_trot(swing, factor):
    assert peak_factor(swing, 0.5) == pytest.approx(factor, abs=4 * EPS)


@pytest.mark.parametrize("swing", SWINGS)
@pytest.mark.parametrize("duty", [0.3, 0.5, 0.8])
def test_the_formula_is_the_peak_of_the_path(swing, duty):
    """V is a stroke in β of a cycle, so the peak over V is β times that of the path."""
    share = np.linspace(0.0, 1.0, 40001, endpoint=False) + 1e-7
    place, rate = foot_path(swing, duty, share)
    peak = duty * np.abs(rate[:, 0]).max()
    # Truncation: the peak is parabolic, half a step of 2.5e-5 off, curvature below 1e3.
    assert peak == pytest.approx(peak_factor(swing, duty), abs=1e-6)
    # The rates are the derivatives, where the foot does not jump into its swing.
    step = np.cbrt(EPS)
    inner = share[(share > 1e-3) & (np.abs(share - (1.0 - duty)) > 1e-3)][::97]
    inner = inner[inner < 1.0 - 1e-3]
    slope = (
        foot_path(swing, duty, inner + step)[0]
        - foot_path(swing, duty, inner - step)[0]
    ) / (2.0 * step)
    # Central differences: eps^(2/3) times third derivatives of up to (2π/(1-β))³.
    scale = (2.0 * np.pi / (1.0 - duty)) ** 3
    assert len(inner) > 300
    assert np.abs(slope - foot_path(swing, duty, inner)[1]).max() <= step**2 * scale
    # From the rear end to the front end and back, one lift high, never below ground.
    assert place[:, 1].max() == pytest.approx(1.0, abs=1e-6)
    assert place[:, 1].min() >= 0.0
    ends = foot_path(swing, duty, np.array([0.0, 1.0 - duty]))[0]
    assert ends == pytest.approx(np.array([[-0.5, 0.0], [0.5, 0.0]]), abs=16 * EPS)


@pytest.mark.parametrize("swing", ["hermite", "cycloid"])
def test_these_land_without_speed_over_the_ground(swing):
    """Relative to the trunk they land and lift at -V, the speed of standing feet."""
    duty = 0.6
    ends = np.array([1e-9, 1.0 - duty - 1e-9])
    rate = foot_path(swing, duty, ends)[1]
    assert rate[:, 0] == pytest.approx(-1.0 / duty, abs=1e-6)  # 1e-9 from the end
    assert rate[:, 1] == pytest.approx(0.0, abs=1e-6)


def test_warp1s_trot_ends_at_60_cm_a_second(legs):
    """With T = 0.8 s and lifts of 5 cm the hips allow 0.60 m/s with ellipses, as the
    simulated machine did, and less with the others (0.42 and 0.36 there)."""
    found = {}
    for swing in SWINGS:
        strokes = np.linspace(0.10, 0.26, 41)
        fits = [
            shortest_cycle(
                legs, TABLE, s * AHEAD, FootWay(duty=0.5, depth=0.475, swing=swing)
            )
            <= 0.8
            for s in strokes
        ]
        found[swing] = strokes[np.flatnonzero(fits)[-1]] / (0.5 * 0.8)
    assert found["ellipse"] == pytest.approx(0.60, abs=0.01)  # reading: two digits
    assert found["hermite"] == pytest.approx(0.44, abs=0.01)
    assert found["cycloid"] == pytest.approx(0.31, abs=0.01)


def test_joint_speeds_are_those_of_the_feet(legs):
    """Without lift and for a short stroke: V_leg = ω |∂x/∂q| at mid-stance, by hand.

    The hip and the knee move together; the least norm does not matter, the leg has two
    joints in its plane. At the limit one of them turns at 2.6 rad/s.
    """
    stroke, duty = 1e-4, 0.5
    cycle = shortest_cycle(
        legs, TABLE, stroke * AHEAD, FootWay(duty=duty, depth=0.475, lift=0.0)
    )
    foot_speed = 0.5 * math.pi * stroke / ((1.0 - duty) * cycle)
    q = np.zeros(12)
    cosine = (0.475**2 - 0.29**2 - 0.30**2) / (2.0 * 0.29 * 0.30)
    knee = -math.acos(cosine)
    pitch = -math.atan2(0.30 * math.sin(knee), 0.29 + 0.30 * math.cos(knee))
    q[1::3], q[2::3] = pitch, knee
    step, columns = np.cbrt(EPS), []
    for joint in (1, 2):
        ends = []
        for sign in (1.0, -1.0):
            moved, out = q.copy(), np.zeros((4, 3))
            moved[joint] += sign * step
            foot_place(moved, legs.lengths, out)
            ends.append(out[0, [0, 2]].copy())
        columns.append((ends[0] - ends[1]) / (2.0 * step))
    rates = np.linalg.solve(np.array(columns).T, [foot_speed, 0.0])
    # Truncation: the legs are taken at mid-stance, strokes of 1e-4 m on legs of 0.5 m.
    assert np.abs(rates).max() == pytest.approx(2.6, rel=1e-3)


def test_the_best_stroke_is_no_worse_than_any_other(legs):
    way = FootWay(duty=0.5, depth=0.475)
    best = fastest_walk(legs, TABLE, AHEAD, way)
    assert best.speed == pytest.approx(best.stroke / (0.5 * best.cycle), abs=EPS)
    for stroke in (0.1, 0.2, 0.3, 0.5):
        other = fastest_walk(legs, TABLE, AHEAD, way, stroke)
        assert other.stroke == stroke
        # Truncation: 48 strokes are tried; the flat top changes by less between them.
        assert other.speed <= best.speed * 1.001
    twice = fastest_walk(legs, 2.0 * TABLE, AHEAD, way)
    assert twice.speed == pytest.approx(2.0 * best.speed, rel=1e-12)


def test_strokes_end_where_legs_do(legs):
    """Straight legs: half the stroke is the side of a triangle, or a joint's stop."""
    way = FootWay(duty=0.5, depth=0.475, lift=0.0)
    longest = largest_stroke(legs, AHEAD, way)
    reach = math.sqrt(0.59**2 - 0.475**2)
    assert longest == pytest.approx(2.0 * reach, rel=1e-3)  # samples end before the end
    with pytest.raises(ConfigError, match=r"at most 0\.7\d\d m, got 0\.9"):
        fastest_walk(legs, TABLE, AHEAD, way, stroke=0.9)
    ahead = FootWay(duty=0.5, depth=0.475, lift=0.0, offset=np.array([0.05, 0.0]))
    shifted = largest_stroke(legs, AHEAD, ahead)
    assert shifted == pytest.approx(2.0 * (reach - 0.05), rel=1e-3)
    # The hip rolls 30 degrees to either side.
    for stops in ("lower", "upper"):  # either alone stops it
        free = {"lower": -4.0, "upper": 4.0}
        del free[stops]
        one_sided = replace(legs, **{k: np.full(12, v) for k, v in free.items()})
        way = FootWay(duty=0.5, depth=0.4, lift=0.0)
        aside = largest_stroke(one_sided, AHEAD[:, ::-1], way)
        assert aside == pytest.approx(2.0 * 0.4 * math.tan(math.pi / 6), rel=1e-3)


def test_what_is_no_swing_is_said(legs):
    with pytest.raises(UnknownNameError, match="Did you mean 'ellipse'"):
        peak_factor("elipse", 0.5)
    with pytest.raises(ConfigError, match="below 1, got 0"):
        foot_path("ellipse", 0.0, 0.1)
    with pytest.raises(ConfigError, match="one foot at least must move"):
        largest_stroke(legs, 0.0 * AHEAD, FootWay(duty=0.5, depth=0.4))
    with pytest.raises(ConfigError, match="depth must be > 0, got 0"):
        FootWay(duty=0.5, depth=0.0)
