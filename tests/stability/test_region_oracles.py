"""The region against linear programs with pyramids, and what must not change it."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from equipoise.stability.region.region import RegionKind, equilibrium_region
from oracles.certified import farthest, meets
from oracles.pyramids import pyramid_wrenches

# The accuracy promised for a support; the solver stops at 1e-10 of the spread.
PROMISED = 1e-6
ANGLES = np.linspace(0, 2 * math.pi, 12, endpoint=False) + 0.1
DIRECTIONS = np.c_[np.cos(ANGLES), np.sin(ANGLES)]


def stance(seed, nc, lean_deg):
    """Return feet around a centre, some 0.3 m apart, on ground that leans."""
    rng = np.random.default_rng(seed)
    turns = (np.arange(nc) + rng.uniform(-0.3, 0.3, nc)) * 2 * math.pi / nc
    reach = rng.uniform(0.2, 0.4, nc)
    points = np.c_[reach * np.cos(turns), reach * np.sin(turns), rng.normal(0, 0.1, nc)]
    lean, way = np.deg2rad(rng.uniform(0, lean_deg, nc)), rng.uniform(0, 7, nc)
    side = np.sin(lean)
    normals = np.c_[side * np.cos(way), side * np.sin(way), np.cos(lean)]
    return points, normals, rng.uniform(0.3, 0.9, nc)


def pyramids_hold(wrenches, xy):
    """Say by a linear program whether pyramids hold a unit weight above a point."""
    return meets(wrenches, np.array([0, 0, 1, xy[1], -xy[0], 0]))


@pytest.mark.parametrize("nc", [2, 3, 4, 6])
@pytest.mark.parametrize("lean_deg", [15, 50])
def test_pyramids_in_and_around_the_cones_bracket_it(nc, lean_deg):
    tally = {True: 0, False: 0}
    far = 0
    for seed in range(6):
        contacts = stance(seed, nc, lean_deg)
        region = equilibrium_region(*contacts)
        within = pyramid_wrenches(*contacts, 16)
        around = pyramid_wrenches(*contacts, 16, 1 / math.cos(math.pi / 16))
        rng = np.random.default_rng(seed)
        a, b = contacts[0][:2, :2]
        for _ in range(12):
            xy = rng.uniform(-0.5, 0.5, 2)
            if nc == 2:  # only the vertical plane through both can be held
                xy = a + rng.uniform(-1, 2) * (b - a)
            inside = region.contains(xy)
            tally[inside] += 1
            if pyramids_hold(within, xy):
                assert inside
            elif inside and nc > 2 and region.margin(xy) > 0.01:
                pytest.fail(f"seed {seed}: {xy} is held 1 cm inside, not by pyramids")
            if not pyramids_hold(around, xy):
                assert not inside
            far += nc > 2 and abs(region.margin(xy)) > 0.01
    assert min(tally.values()) > 3
    assert far > 30 or nc == 2


def test_support_against_a_linear_program_with_many_sides():
    contacts = stance(3, 4, 50)
    region = equilibrium_region(*contacts)
    sides = 720  # the pyramid in the cone is short by at most 1 - cos(pi / 720) = 1e-5
    bounds = []
    for stretch in (1.0, 1 / math.cos(math.pi / sides)):
        w = pyramid_wrenches(*contacts, sides, stretch)
        gains = DIRECTIONS[:, :1] * w[4] - DIRECTIONS[:, 1:] * w[3]
        balance, weight = w[[0, 1, 2, 5]], np.array([0, 0, 1, 0])
        bounds.append([farthest(-gain, balance, weight) for gain in gains])
    supports = np.array([region.support(d) for d in DIRECTIONS])
    low, high = np.array(bounds)
    # The programs' own optima are proved to 1e-8.
    assert (low <= supports + PROMISED).all() and (supports <= high + PROMISED).all()
    assert (high - low).max() < 1e-3


@pytest.mark.parametrize("nc", [3, 5])
def test_polygons_lie_on_both_sides_of_the_solved_supports(nc):
    region = equilibrium_region(*stance(1, nc, 50), gap=1e-2)
    assert region.kind is RegionKind.AREA
    for d in DIRECTIONS:
        solved = region.support(d)
        assert (region.inner @ d).max() <= solved + PROMISED
        assert (region.outer @ d).max() >= solved - PROMISED


@pytest.mark.parametrize("seed", range(4))
def test_margin_is_the_least_slack_over_all_directions(seed):
    # Second algorithm: scan directions, then search around the best one. The angle is
    # found to 1e-8 and the slack changes by less than 1 m a radian.
    region = equilibrium_region(*stance(seed, 4, 50))
    turns, step = np.linspace(0, 2 * math.pi, 360, endpoint=False, retstep=True)
    ways = np.c_[np.cos(turns), np.sin(turns)]
    supports = np.array([region.support(d) for d in ways])
    for xy in ([0.0, 0.0], [0.05, -0.1], [0.6, 0.3], [-0.4, 0.5]):

        def slack(turn, xy=xy):
            d = np.array([math.cos(turn), math.sin(turn)])
            return region.support(d) - d @ xy

        best = turns[(supports - ways @ xy).argmin()]
        span = (best - step, best + step)
        found = minimize_scalar(
            slack, bounds=span, method="bounded", options={"xatol": 1e-8}
        )
        got = region.margin(xy)
        assert got == pytest.approx(found.fun, abs=PROMISED)
        assert region.contains(xy) is (got >= 0)


# Physical ranges: feet of a robot below 1 m, ground up to 50 degrees, rubber to ice.
stances = st.builds(
    stance, st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([0, 1, 20, 50])
)


def supports_of(contacts, **options):
    region = equilibrium_region(*contacts, gap=0.1, **options)
    return region.kind, np.array([region.support(d) for d in DIRECTIONS])


@settings(max_examples=25, deadline=None)
@given(contacts=stances, more=st.floats(1.0, 2.0))
def test_more_friction_never_shrinks_it(contacts, more):
    points, normals, frictions = contacts
    kind, before = supports_of(contacts)
    other, after = supports_of((points, normals, more * frictions))
    if RegionKind.NOT_KNOWN not in (kind, other):
        assert (after >= before - PROMISED).all()


@settings(max_examples=15, deadline=None)
@given(contacts=stances, weight=st.floats(0.1, 1e4))
def test_the_weight_alone_changes_nothing(contacts, weight):
    one, other = supports_of(contacts), supports_of(contacts, weight=weight)
    assert one[0] is other[0]
    assert np.array_equal(one[1], other[1])


@settings(max_examples=25, deadline=None)
@given(contacts=stances, turn=st.floats(-4.0, 4.0), mirror=st.booleans())
def test_turned_moved_and_mirrored_contacts_have_a_region_that_is_too(
    contacts, turn, mirror
):
    points, normals, frictions = contacts
    kind, before = supports_of(contacts)
    c, s = math.cos(turn), math.sin(turn)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    R = R @ np.diag([1, -1 if mirror else 1, 1])
    shift = np.array([3.0, -2.0, 1.0])
    region = equilibrium_region(points @ R.T + shift, normals @ R.T, frictions)
    assert region.kind is kind
    ways = DIRECTIONS @ R[:2, :2].T
    after = np.array([region.support(d) - d @ shift[:2] for d in ways])
    if np.isfinite(before).all():
        assert after == pytest.approx(before, abs=PROMISED)
    else:
        assert np.array_equal(after, before, equal_nan=True)


@settings(max_examples=15, deadline=None)
@given(contacts=stances)
def test_a_higher_limit_never_shrinks_it_and_no_limit_is_the_largest(contacts):
    reach = [supports_of(contacts, max_normal=cap)[1] for cap in (0.6, 1.5, 1e3)]
    reach.append(supports_of(contacts)[1])
    for low, high in itertools.pairwise(reach):
        assert (high >= low - PROMISED).all()
