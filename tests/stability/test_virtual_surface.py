"""Virtual surfaces: level ground in closed form, forces by linear programs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.rigid.hull import support_polygon
from equipoise.stability.rigid.pressure import pressure_margin
from equipoise.stability.rigid.support import static_margin
from equipoise.stability.rigid.virtual_surface import virtual_support
from oracles.certified import meets
from oracles.pyramids import pyramid_wrenches

EPS = float(np.finfo(float).eps)
FEET = np.array([[0.3, 0.2, 0], [-0.3, 0.2, 0], [-0.2, -0.25, 0], [0.3, -0.2, 0]])
SIDES = 64
INSIDE = 1.0 / math.cos(math.pi / SIDES)


def pushes_exist(points, normals, friction, com, place):
    """Say by a linear program whether forces pass the centre of mass and a place.

    They add up to a push along the line place -> com, without a moment about com;
    pyramids of 64 sides lie within the cones.
    """
    line = com - place
    target = np.r_[line / line[2], np.zeros(3)]
    return meets(pyramid_wrenches(points - com, normals, friction, SIDES), target)


def tilted(angle, heading):
    """Return a turn that lets level ground fall by an angle towards a heading."""
    c, s = math.cos(heading), math.sin(heading)
    Z = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    c, s = math.cos(angle), math.sin(angle)
    return Z @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ Z.T


def around(virtual, rng):
    """Return places on the surface, inside the virtual support and out."""
    low, high = virtual.points[:, :2].min(axis=0), virtual.points[:, :2].max(axis=0)
    return low + (high - low) * rng.uniform(-0.4, 1.4, (8, 2))


@settings(max_examples=50, deadline=None)
@given(
    height=st.floats(-3.0, 3.0),  # of the ground [m]
    push=st.tuples(st.floats(-80.0, 80.0), st.floats(-80.0, 80.0)),  # [N]
    spin=st.tuples(st.floats(-20.0, 20.0), st.floats(-20.0, 20.0)),  # [N m]
)
def test_on_level_ground_it_is_the_support_and_its_margin(height, push, spin):
    points = FEET + np.array([0.0, 0.0, height])
    com = np.array([0.03, -0.02, height + 0.5])
    force, moment = [*push, -400.0], [*spin, 3.0]
    virtual = virtual_support(points, com)
    want = pressure_margin(com, force, moment, points, height)
    # rounding: some ten operations on lengths below 4 m
    close = pytest.approx
    assert virtual.height == close(height, abs=40 * EPS)
    assert virtual.polygon == close(support_polygon(points), abs=1e3 * EPS)
    assert virtual.margin(force, moment) == close(float(want), abs=1e4 * EPS)
    needed = np.hypot(*(points - com)[:, :2].T) / 0.5
    assert virtual.friction_needed == close(needed, abs=1e3 * EPS)


@pytest.mark.parametrize("height", [None, -0.3, 0.2])
def test_contacts_in_one_tilted_plane_are_judged_exactly(height):
    rng = np.random.default_rng(3)
    tally = {True: 0, False: 0}
    for _ in range(12):
        R = tilted(rng.uniform(0.1, 0.5), rng.uniform(0, 7))
        points, normals = FEET @ R.T, np.tile(R[:, 2], (4, 1))
        com = np.array([*rng.uniform(-0.1, 0.1, 2), 0.5])
        virtual = virtual_support(points, com, normals=normals, height=height)
        enough = INSIDE * 1.01 * virtual.friction_needed
        for pxy in around(virtual, rng):
            margin = float(static_margin(pxy, virtual.points))
            if abs(margin) < 1e-3:  # the proofs' tolerance is 1e-9
                continue
            place = np.array([*pxy, virtual.height])
            holds = pushes_exist(points, normals, enough, com, place)
            assert holds is (margin > 0.0)
            tally[holds] += 1
    assert min(tally.values()) > 20


def test_uneven_feet_hold_wherever_the_virtual_support_says_so():
    rng = np.random.default_rng(5)
    inside = braced = 0
    for _ in range(12):
        points = FEET + np.c_[np.zeros((4, 2)), rng.uniform(-0.15, 0.15, 4)]
        normals = np.c_[rng.normal(0, 0.2, (4, 2)), np.ones(4)]
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        com = np.array([*rng.uniform(-0.1, 0.1, 2), 0.5])
        virtual = virtual_support(points, com, normals=normals)
        enough = INSIDE * 1.01 * virtual.friction_needed
        for pxy in around(virtual, rng):
            margin = float(static_margin(pxy, virtual.points))
            if abs(margin) < 1e-3:
                continue
            place = np.array([*pxy, virtual.height])
            holds = pushes_exist(points, normals, enough, com, place)
            assert holds or margin < 0.0
            inside += margin > 0.0
            if margin < 0.0:
                braced += pushes_exist(points, normals, np.full(4, 2.0), com, place)
    assert inside > 20
    assert braced > 0  # on rough ground: why "no" is not promised there


def test_at_rest_the_place_is_below_the_centre_of_mass():
    points = FEET + np.c_[np.zeros((4, 2)), [0.1, -0.1, 0.0, 0.05]]
    virtual = virtual_support(points, [0.05, 0.02, 0.6], height=-0.2)
    force = [0.0, 0.0, -300.0]
    np.testing.assert_allclose(
        virtual.zero_moment_point(force, np.zeros(3)), [0.05, 0.02, -0.2], atol=1e-15
    )
    assert virtual.margin([0.0, 0.0, 5.0], np.zeros(3)) == -math.inf


def test_a_contact_that_faces_away_needs_endless_friction():
    virtual = virtual_support(FEET[:1], [0, 0, 0.5], normals=[[1.0, 0.0, -1.0]])
    assert virtual.friction_needed.tolist() == [math.inf]


def test_friction_is_the_slope_of_a_contacts_line_about_its_normal(rng):
    """Normals of any length: the tangent is of the angle alone."""
    com, sizes = np.array([0.05, -0.1, 0.6]), np.array([0.1, 0.7, 3.0, 20.0])
    points = FEET + np.c_[np.zeros((4, 2)), [0.1, -0.1, 0.0, 0.05]]
    unit = np.c_[rng.normal(0, 0.3, (4, 2)), np.ones(4)]
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    virtual = virtual_support(points, com, normals=unit * sizes[:, None])
    for needed, p, n in zip(virtual.friction_needed, points, unit, strict=True):
        line = (com - p) / np.linalg.norm(com - p)
        assert needed == pytest.approx(math.tan(math.acos(line @ n)), rel=1e-12)
    plain = virtual_support(points, com, normals=unit)
    assert virtual.points == pytest.approx(plain.points, abs=1e-15)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (dict(points=np.zeros((0, 3))), "points has no contact"),
        (dict(points=[[0, 0, 0.7]]), r"points\[0\] must be below .* got height 0.7 m"),
        (dict(height=0.5), "height must be below the centre of mass at 0.5 m, got 0.5"),
        (dict(height=math.nan), "got nan"),
        (dict(normals=np.zeros((4, 3))), r"normals\[0\] must not be zero"),
    ],
)
def test_bad_input_gets_a_sentence(settings, said):
    given = dict(points=FEET, p_WC=[0, 0, 0.5]) | settings
    with pytest.raises(NotPhysicalError, match=said):
        virtual_support(**given)


def test_wrong_shapes_are_refused():
    with pytest.raises(ShapeError, match=r"p_WC must have shape"):
        virtual_support(FEET, [0.0, 0.5])
