"""Margins over a cycle: formulas, a second algorithm, random instants, symmetries."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equipoise.control.gaits import margin_kernel
from equipoise.control.gaits.best_gait import best_gait
from equipoise.control.gaits.crab import crab_gait, crab_stride, critical_crab_angle
from equipoise.control.gaits.footprint import (
    balanced_footprint,
    row_footprint,
    standing_footprint,
)
from equipoise.control.gaits.margin_kernel import least_longitudinal, least_static
from equipoise.control.gaits.margins import (
    conservative_margins,
    plan_margins,
    static_margins,
    wave_margin,
)
from equipoise.control.gaits.named import named_gait, wave_phases
from equipoise.control.gaits.phase_gait import PhaseGait
from equipoise.control.gaits.plan import (
    path_poses,
    periodic_plan,
    stroke_vectors,
    turning_stride,
)
from equipoise.control.gaits.sequences import creeping_sequences
from equipoise.core.errors import ConfigError
from equipoise.robots.legs import leg_geometry
from equipoise.robots.load import load

EPS = np.finfo(float).eps
TITAN = row_footprint(4, 1.1, 0.9)
# Rounding: instants that differ by the 1e-12 of a cycle within which they are one,
# times a stride of about a metre, and some hundred operations on lengths of a metre.
SLACK = 2e-12


@pytest.mark.parametrize("rows", [2, 3, 4])
@pytest.mark.parametrize("duty", [0.5, 0.6, 0.75, 0.8, 0.95])
@pytest.mark.parametrize("stroke", [0.3, 0.6, 0.9])
def test_the_wave_gaits_margin_is_song_and_waldrons(rows, duty, stroke):
    gait = named_gait("wave", 2 * rows, duty)
    plan = periodic_plan(gait, row_footprint(2 * rows, 1.0, 0.8), [stroke / duty, 0.0])
    found = plan_margins(plan).longitudinal.min()
    assert found == pytest.approx(wave_margin(2 * rows, duty, 1.0, stroke), abs=SLACK)


def test_with_four_legs_it_is_mcghee_and_franks():
    for duty in (0.75, 0.8, 0.9):
        stride = 0.7
        margin = wave_margin(4, duty, 1.0, duty * stride)
        assert margin == pytest.approx((duty - 0.75) * stride, abs=8 * EPS)


def test_where_the_formula_does_not_hold_it_says_so():
    with pytest.raises(ConfigError, match="even number >= 4, got 3; duty must be"):
        wave_margin(3, 1.0, 1.0, 0.5)
    with pytest.raises(ConfigError, match="stroke must be 0 to the pitch"):
        wave_margin(6, 0.7, 1.0, 1.1)


def margin_by_directions(point: np.ndarray, feet: np.ndarray) -> float:
    """The static margin by brute force: the largest half plane that holds no foot.

    For a support with an area: min over edges of all triangles' hull, found by trying
    every line through two feet. Outside: minus the distance to the nearest segment.
    """
    inside, away = [], []
    for i, j in combinations(range(len(feet)), 2):
        a, w = feet[i], feet[j] - feet[i]
        w = w / np.hypot(*w)
        sides = np.array([w[0] * (f - a)[1] - w[1] * (f - a)[0] for f in feet])
        mine = w[0] * (point - a)[1] - w[1] * (point - a)[0]
        along = np.clip((point - a) @ w, 0.0, (feet[j] - a) @ w)
        away.append(np.hypot(*(point - a - along * w)))
        if (sides >= -1e-12).all():
            inside.append(mine)
        elif (sides <= 1e-12).all():
            inside.append(-mine)
    if len(feet) >= 3 and min(inside) >= 0.0:
        return min(inside)
    return -min(away)


@pytest.mark.parametrize(
    ("name", "legs", "duty", "stride", "turn"),
    [
        ("crawl", 4, 0.8, (0.3, 0.0), 0.0),
        ("crawl", 4, 0.85, (0.2, 0.05), 0.3),
        ("trot", 4, 0.55, (0.4, 0.1), 0.0),
        ("tetrapod", 6, 0.7, (0.5, 0.0), 0.0),
        ("wave", 8, 0.6, (0.4, 0.2), -0.2),
    ],
)
def test_no_random_instant_is_worse_than_the_ends(name, legs, duty, stride, turn, rng):
    """Monte Carlo in time, from the definition alone, against intervals."""
    footprint = row_footprint(legs, 0.6, 0.5)
    gait = named_gait(name, legs, duty)
    least = static_margins(periodic_plan(gait, footprint, stride, turn)).min()
    worst = math.inf
    for share in rng.random(300):
        x, y, turned = path_poses(share, np.array(stride), turn)
        feet = []
        for leg in range(legs):
            since = (share - gait.phases[leg]) % 1.0
            if since < duty:
                px, py, a = path_poses(share - since + duty / 2, np.array(stride), turn)
                fx, fy = footprint.feet[leg]
                c, s = math.cos(a), math.sin(a)
                feet.append((px + c * fx - s * fy, py + s * fx + c * fy))
        worst = min(worst, margin_by_directions(np.array([x, y]), np.array(feet)))
        assert turned == pytest.approx(share * turn, abs=EPS)
    # Truncation where the trunk turns: 8 pieces of a stretch stand for an arc; the
    # sagitta of a 48th of a turn of 0.3 rad on strides of 0.5 m is below 1e-5 m.
    assert worst >= least - (1e-5 if turn else SLACK)
    # Statistical: the nearest of 300 instants to any end is within 12/300 of a cycle
    # but for one run in e^12; the margin changes at most as fast as the trunk moves.
    speed = math.hypot(*stride) + abs(turn) * 1.0
    assert worst <= least + 12 / 300 * speed


phases_4 = st.lists(st.floats(0.0, 1.0, exclude_max=True), min_size=4, max_size=4)


@settings(max_examples=40)
@given(phases_4, st.floats(0.3, 0.95), st.floats(0.05, 0.6))
def test_the_compiled_margins_are_those_of_the_plan(phases, duty, stride):
    """Two algorithms that share no code. Strides are in metres."""
    phases = np.round(np.array(phases), 6)  # ties or clearly none
    gait = PhaseGait(phases, np.full(4, round(duty, 6)))
    footprint = row_footprint(4, 0.6, 0.5)
    found = plan_margins(periodic_plan(gait, footprint, [stride, 0.0]))
    arguments = (gait.phases, gait.duty, footprint.feet, np.array([stride, 0.0]))
    assert least_static(*arguments) == pytest.approx(found.static.min(), abs=SLACK)
    if found.static.min() > 0.0:
        assert least_longitudinal(*arguments) == pytest.approx(
            found.longitudinal.min(), abs=SLACK
        )


@pytest.mark.parametrize("duty", [0.75, 0.8, 0.87])
def test_four_legs_can_do_no_better_than_the_wave(duty):
    """All three phases free: the search finds the wave's margin, and its phases."""
    stroke = 0.7
    found = best_gait(row_footprint(4, 1.0, 0.8), duty, stroke / duty)
    # Solver: 34 halvings of 1/24 of a cycle leave 3e-12 in phase; stride 1 m.
    assert found.margin == pytest.approx(wave_margin(4, duty, 1.0, stroke), abs=1e-11)
    wave = wave_phases(4, duty)
    off = (found.gait.phases - (wave - wave[0]) + 0.5) % 1.0 - 0.5
    assert np.abs(off).max() <= 1e-10


@pytest.mark.parametrize("duty", [0.5, 0.6, 0.8])
def test_nor_can_six(duty):
    stroke = 0.7
    found = best_gait(
        row_footprint(6, 1.0, 0.8), duty, stroke / duty, is_symmetric=True
    )
    assert found.margin == pytest.approx(wave_margin(6, duty, 1.0, stroke), abs=1e-11)


@pytest.mark.slow
def test_nor_can_six_with_every_phase_free():
    for duty in (0.55, 0.75):
        found = best_gait(row_footprint(6, 1.0, 0.8), duty, 0.7 / duty)
        wave = wave_margin(6, duty, 1.0, 0.7)
        assert found.margin == pytest.approx(wave, abs=1e-10)  # a coarser grid of 8


def test_eight_legs_with_long_strokes_can():
    """β = 1/2, R = P: 2/3 of the pitch instead of the wave's 1/2; so says the plan."""
    footprint = row_footprint(8, 1.0, 0.8)
    found = best_gait(footprint, 0.5, 2.0, is_symmetric=True)
    assert wave_margin(8, 0.5, 1.0, 1.0) == 0.5
    assert found.margin == pytest.approx(2 / 3, abs=1e-9)
    plan = periodic_plan(found.gait, footprint, [2.0, 0.0])
    assert plan_margins(plan).longitudinal.min() == pytest.approx(2 / 3, abs=1e-9)


def test_a_search_that_would_never_end_is_refused():
    with pytest.raises(ConfigError, match="4 to 6 legs in pairs, got 8"):
        best_gait(row_footprint(8, 1.0, 0.8), 0.7, 0.5)
    with pytest.raises(ConfigError, match=r"below 1, got 1\.5"):
        best_gait(row_footprint(4, 1.0, 0.8), 1.5, 0.5)


def crab_margin(angle: float, stroke: float, duty: float = 0.9) -> float:
    gait = crab_gait(angle, TITAN, duty)
    plan = periodic_plan(gait, TITAN, crab_stride(stroke / duty, angle))
    return float(plan_margins(plan).static.min())


def test_margins_of_crab_walks():
    """X 0.55, Y 0.45 m, β 0.9: 66 mm ahead to 1 at the diagonal and 51 sideways.

    The stroke is a share of what a workspace of ±0.3 by ±0.2 m allows; it is not
    printed. One share, 0.915, gives all six to the printed millimetre.
    """
    printed = {0: 66, 20: 39, 30: 21, 39: 1, 60: 28, 90: 51}
    for degrees, millimetres in printed.items():
        angle = math.radians(degrees)
        room = min(0.3 / max(math.cos(angle), EPS), 0.2 / max(math.sin(angle), EPS))
        found = 1e3 * crab_margin(angle, 0.915 * 2.0 * room)
        assert found == pytest.approx(millimetres, abs=0.6)  # reading: whole mm


def test_at_the_diagonal_a_crab_walk_has_no_margin():
    critical = critical_crab_angle(TITAN)
    assert critical == pytest.approx(math.atan(0.45 / 0.55), abs=4 * EPS)
    for angle in (critical, -critical, math.pi - critical, critical - math.pi):
        assert crab_margin(angle, 0.3) == pytest.approx(0.0, abs=SLACK)
    before, after = crab_gait(critical - 1e-6, TITAN), crab_gait(critical + 1e-6, TITAN)
    assert before.phases.tolist() != after.phases.tolist()


@pytest.mark.parametrize("degrees", [10, 55, 80, 120, 170, -20, -75])
def test_a_crab_walk_is_the_same_in_the_mirror(degrees):
    angle = math.radians(degrees)
    for other in (-angle, math.pi - angle, math.pi + angle):
        assert crab_margin(other, 0.3) == pytest.approx(
            crab_margin(angle, 0.3), abs=SLACK
        )
    assert crab_margin(angle, 0.3) > 0.003


@pytest.mark.parametrize("degrees", [0, 20, 60, 90, 150, -45])
def test_only_one_order_of_six_creeps_in_balance(degrees):
    """Each order with its steps anywhere in the cycle, not only evenly spaced."""
    angle, duty = math.radians(degrees), 0.9
    stride = crab_stride(0.3, angle)
    standard = crab_gait(angle, TITAN, duty)
    order = tuple(int(k) for k in np.argsort(standard.phases))
    at = order.index(0)
    balanced = set()
    gaps = [g for g in np.ndindex(7, 7, 7) if sum(g) <= 6]  # tenths of a cycle to spare
    for sequence in creeping_sequences(4):
        for gap in gaps:
            phases = np.zeros(4)
            for k in range(1, 4):
                phases[sequence[k]] = phases[sequence[k - 1]] + 0.1 + 0.1 * gap[k - 1]
            margin = least_static(phases, np.full(4, duty), TITAN.feet, stride)
            if margin > 1e-9:
                balanced.add(sequence)
    assert balanced == {order[at:] + order[:at]}


def test_sideways_the_order_is_that_of_a_machine_turned_by_a_right_angle():
    phases = crab_gait(math.pi / 2, TITAN, 0.8).phases
    order = [("LF", "RF", "LR", "RR")[k] for k in np.argsort(phases)]
    assert order == ["RR", "LR", "RF", "LF"]


def test_turning_far_away_is_walking_straight():
    gait, footprint = named_gait("crawl", duty=0.85), row_footprint(4, 0.6, 0.5)
    straight = plan_margins(periodic_plan(gait, footprint, [0.2, 0.0]))
    turn = 1e-9
    stride = turning_stride(np.array([0.0, 0.2 / turn]), turn)
    assert stride == pytest.approx([0.2, 0.0], abs=4 * EPS)
    bent = plan_margins(periodic_plan(gait, footprint, stride, turn))
    assert bent.static.min() == pytest.approx(straight.static.min(), abs=2 * turn)


def test_the_turning_centre_stands_still():
    centre, turn = np.array([0.3, 1.1]), 0.7
    poses = path_poses(np.linspace(0.0, 2.0, 9), turning_stride(centre, turn), turn)
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    seen = poses[:, :2] + np.stack(
        [c * centre[0] - s * centre[1], s * centre[0] + c * centre[1]], axis=1
    )
    assert np.abs(seen - centre).max() <= 32 * EPS
    assert poses[-1, 2] == pytest.approx(1.4, abs=4 * EPS)


def test_strokes_on_the_spot_go_around_the_centre():
    gait, footprint = named_gait("crawl", duty=0.8), row_footprint(4, 0.6, 0.5)
    strokes = stroke_vectors(gait, footprint, np.zeros(2), 0.5)
    assert np.einsum("ij,ij->i", strokes, footprint.feet) == pytest.approx(0.0, abs=EPS)
    radius = math.hypot(0.3, 0.25)
    assert np.hypot(*strokes.T) == pytest.approx(0.8 * 0.5 * radius, abs=4 * EPS)
    assert strokes[0, 0] < 0.0 < strokes[1, 0]  # to the left: left legs go back


def test_feet_do_not_slip_while_they_stand():
    gait, footprint = named_gait("walk", duty=0.7), row_footprint(4, 0.6, 0.5)
    plan = periodic_plan(gait, footprint, [0.3, 0.1], 0.4, cycles=2)
    both = plan.support[:-1] & plan.support[1:]
    moved = np.abs(np.diff(plan.footholds, axis=0)).max(axis=-1)
    assert both.sum() > 50
    assert moved[both].max() <= 32 * EPS


def test_warp1_stands_behind_its_trunks_centre():
    """Legs under the hips: the mean of the masses, by hand from tables 6.4 and 6.5."""
    geometry = leg_geometry(load("warp1"))
    footprint = standing_footprint(geometry, 0.475)
    assert footprint.feet[:, 0] == pytest.approx([0.29, 0.29, -0.33, -0.33], abs=EPS)
    q = math.acos((0.475**2 - 0.29**2 - 0.30**2) / (2 * 0.29 * 0.30))
    pitch = math.atan2(0.30 * math.sin(q), 0.29 + 0.30 * math.cos(q))
    thigh, knee = 0.15 * math.sin(pitch), 0.29 * math.sin(pitch)
    shank = knee + 0.05 * math.sin(pitch - q)
    x = (4 * 3.7 * (thigh - 0.02) + 4 * 2.0 * (shank - 0.02)) / 60.4
    assert footprint.centre == pytest.approx([x, 0.0], abs=8 * EPS)
    with pytest.raises(ConfigError, match=r"depth must be below 0\.590 m, got 0\.7"):
        standing_footprint(geometry, 0.7)


@pytest.mark.parametrize("count", [4, 6])
def test_feet_can_be_put_around_the_centre_of_mass(count):
    geometry = leg_geometry(load("warp1", legs=count))
    found = balanced_footprint(geometry, 0.475)
    ahead = found.feet - geometry.hips[:, :2]
    assert found.feet.mean(axis=0) == pytest.approx(found.centre, abs=1e-12)
    assert np.ptp(ahead, axis=0) == pytest.approx([0.0, 0.0], abs=4 * EPS)
    assert 0.03 < ahead[0, 0] < 0.12  # knees point forward


def test_what_does_not_fit_is_said_at_once():
    gait = named_gait("trot")
    with pytest.raises(ConfigError, match="4 legs, the footprint 6 feet; cycles must"):
        periodic_plan(gait, row_footprint(6, 1.0, 1.0), [0.1, 0.0], cycles=0)
    with pytest.raises(ConfigError, match="even number, got 3; pitch must be > 0"):
        row_footprint(3, 0.0, 1.0)
    with pytest.raises(ConfigError, match="it needs 4 legs, got 6"):
        crab_gait(0.1, row_footprint(6, 1.0, 1.0))
    with pytest.raises(ConfigError, match="angle must be finite, got nan"):
        crab_gait(math.nan, TITAN)


def test_a_leg_may_fail_where_the_conservative_margin_is_positive():
    """In the tripod none may fail; of eight legs in a slow wave any one may."""
    six, eight = row_footprint(6, 0.6, 0.8), row_footprint(8, 0.6, 0.8)
    tripod = periodic_plan(named_gait("tripod", 6), six, [0.4, 0.0])
    assert plan_margins(tripod).is_balanced
    assert conservative_margins(tripod).max() <= 0.0
    slow = periodic_plan(named_gait("wave", 8, 0.875), eight, [0.1, 0.0])
    found = conservative_margins(slow).min()
    each = [
        static_margins(
            replace(slow, support=slow.support & (np.arange(8) != lost))
        ).min()
        for lost in range(8)
    ]
    assert found > 0.01
    # The common part of hulls lies in each; near a corner it may be nearer than any.
    assert found <= min(each) + SLACK


def test_gaits_with_flight_have_no_margin_at_all():
    gallop = periodic_plan(named_gait("gallop"), TITAN, [0.4, 0.0])
    margins = plan_margins(gallop)
    assert margins.static.min() == -math.inf
    assert not margins.is_balanced


def longitudinal_by_pieces(points):
    """Return the way to the edge ahead and behind, from each pair's line over y = 0."""
    crossed = [
        float(np.interp(0.0, *zip(*sorted([(a[1], a[0]), (b[1], b[0])]), strict=True)))
        for a, b in combinations(points, 2)
        if min(a[1], b[1]) < 0.0 < max(a[1], b[1])
    ]
    return min(max(crossed), -min(crossed))


def test_the_way_along_ends_where_a_line_between_feet_crosses(rng):
    """Random feet on both sides, none of them as far aside as another."""
    tally = {True: 0, False: 0}
    for _ in range(100):
        points = rng.uniform(-1.0, 1.0, (5, 2))
        points[:2, 1] = abs(points[0, 1]) + 0.1, -abs(points[1, 1]) - 0.1
        found = margin_kernel._along_at(points, 5)
        assert found == pytest.approx(longitudinal_by_pieces(points), abs=1e-12)
        tally[found > 0.0] += 1
    assert min(tally.values()) > 5
    far = np.array([[0.4, 0.2], [-0.3, -0.6], [9.0, 9.0]])
    assert margin_kernel._along_at(far, 2) == pytest.approx(-0.225)  # the third is none


def test_feet_on_the_way_itself_are_its_ends():
    row = np.array([[0.5, 0.0], [-0.2, 0.0], [0.1, 0.0]])
    assert margin_kernel._along_at(row, 3) == 0.2
    assert margin_kernel._along_at(row[1:2], 1) == -0.2
    aside = np.array([[0.5, 0.3], [-0.2, 0.1]])
    assert margin_kernel._along_at(aside, 2) == -math.inf


def test_the_way_to_the_edge_of_some_feet_is_the_brute_one(rng):
    for _ in range(100):
        points = rng.uniform(-1.0, 1.0, (6, 2)) + rng.uniform(-0.3, 0.3, 2)
        wanted = margin_by_directions(np.zeros(2), points[:5])
        assert margin_kernel.static_at(points, 5) == pytest.approx(wanted, abs=1e-12)
    assert margin_kernel.static_at(points, 0) == -math.inf
