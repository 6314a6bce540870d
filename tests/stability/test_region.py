"""The region of static equilibrium against closed forms, and what it refuses."""

import math

import numpy as np
import pytest

from equipoise.core.errors import EquipoiseError, NotPhysicalError, ShapeError
from equipoise.stability.region.region import RegionKind, equilibrium_region

UP = (0.0, 0.0, 1.0)
RECTANGLE = np.array([[0.3, 0.2, 0], [-0.3, 0.2, 0], [-0.3, -0.2, 0], [0.3, -0.2, 0]])
# The accuracy promised for support and area; the solver stops at 1e-10 of the spread.
PROMISED = 1e-6


def on_slope(points, angle):
    """Return points and normals of a plane that falls towards +x."""
    c, s = math.cos(angle), math.sin(angle)
    along, normal = np.array([c, 0, -s]), np.array([s, 0, c])
    return points[:, :1] * along + points[:, 1:2] * [0, 1, 0], [normal] * len(points)


def groove(half_width, angle):
    """Return two contacts that lean towards each other, and their normals."""
    s, c = math.sin(angle), math.cos(angle)
    return [[half_width, 0, 0], [-half_width, 0, 0]], [[-s, 0, c], [s, 0, c]]


@pytest.mark.parametrize("friction", [0.0, 0.5, 40.0])
def test_on_flat_ground_it_is_the_support_polygon(friction):
    region = equilibrium_region(
        RECTANGLE + np.array([5.0, -3.0, 2.0]), [UP] * 4, friction
    )
    assert region.kind is RegionKind.AREA
    assert region.area == pytest.approx(0.24, abs=PROMISED)
    assert region.support((1, 0)) == pytest.approx(5.3, abs=PROMISED)
    want = (5.3 * 3 + 4 * -2.8) / 5
    assert region.support((3, 4)) == pytest.approx(want, abs=PROMISED)
    assert region.margin((5.0, -3.0)) == pytest.approx(0.2, abs=PROMISED)
    assert region.margin((5.6, -2.4)) == pytest.approx(-0.5, abs=PROMISED)
    inner = region.inner - [5.0, -3.0]
    assert sorted(np.round(inner, 6).tolist()) == sorted(RECTANGLE[:, :2].tolist())


def test_contacts_inside_the_polygon_change_nothing():
    points = np.vstack([RECTANGLE, [[0.1, 0.1, 0], [0.3, 0.0, 0], [0.3, 0.2, 0]]])
    region = equilibrium_region(points, [UP] * 7, 0.5)
    assert region.area == pytest.approx(0.24, abs=PROMISED)


@pytest.mark.parametrize(("lean", "held"), [(0.99, True), (1.01, False)])
def test_one_contact_holds_only_above_itself_and_within_its_cone(lean, held):
    angle = lean * math.atan(0.5)
    normal = [math.sin(angle), 0, math.cos(angle)]
    region = equilibrium_region([[0.3, 0.2, 1.0]], [normal], [0.5])
    assert region.kind is (RegionKind.POINT if held else RegionKind.EMPTY)
    assert region.contains((0.3, 0.2)) is held
    assert not region.contains((0.3, 0.2001))
    assert region.area == 0.0
    assert len(region.inner) == len(region.outer) == int(held)
    if held:
        assert region.support((0, 1)) == pytest.approx(0.2, abs=PROMISED)
        assert region.margin((0.3, 0.3)) == pytest.approx(-0.1, abs=PROMISED)
    else:
        assert region.support((0, 1)) == -math.inf
        assert region.margin((0.3, 0.2)) == -math.inf


def test_on_a_slope_it_is_the_polygon_seen_from_above():
    angle = 0.4
    points, normals = on_slope(RECTANGLE, angle)
    region = equilibrium_region(points, normals, math.tan(angle) + 0.01)
    assert region.area == pytest.approx(0.24 * math.cos(angle), abs=PROMISED)
    assert region.area == pytest.approx(0.221054638, abs=PROMISED)


def test_on_a_slope_steeper_than_friction_nothing_stands():
    angle = 0.4
    points, normals = on_slope(RECTANGLE, angle)
    region = equilibrium_region(points, normals, math.tan(angle) - 0.01)
    assert region.kind is RegionKind.EMPTY
    assert region.area == 0.0 and not region.contains((0, 0))
    assert region.inner.shape == region.outer.shape == (0, 2)


@pytest.mark.parametrize("friction", [0.1, 0.3, 0.9])
def test_v_groove(friction):
    half_width, angle = 0.4, 0.6
    points, normals = groove(half_width, angle)
    region = equilibrium_region(points, normals, friction)
    ratio = math.sin(2 * math.atan(friction)) / math.sin(2 * angle)
    end = half_width * min(1.0, ratio)
    assert region.kind is RegionKind.SEGMENT
    assert region.area == 0.0
    assert region.support((1, 0)) == pytest.approx(end, abs=PROMISED)
    assert region.support((-1, 0)) == pytest.approx(end, abs=PROMISED)
    assert region.support((0, 1)) == pytest.approx(0.0, abs=PROMISED)
    assert region.contains((0.99 * end, 0)) and not region.contains((1.01 * end, 0))
    assert not region.contains((0, 1e-4))
    assert region.margin((end + 0.1, 0)) == pytest.approx(-0.1, abs=PROMISED)
    assert region.margin((0, 0)) == pytest.approx(0.0, abs=PROMISED)


@pytest.mark.parametrize("rise", [0.0, 0.2, 1.5])
def test_two_contacts_at_different_heights(rise):
    length, friction = 0.6, 0.7
    points = [[0, 0, 0], [length, 0, rise]]
    region = equilibrium_region(points, [UP, UP], friction)
    high = max(length, (length + friction * rise) / 2)
    low = min(0.0, (length - friction * rise) / 2)
    assert region.kind is RegionKind.SEGMENT
    assert region.support((1, 0)) == pytest.approx(high, abs=PROMISED)
    assert -region.support((-1, 0)) == pytest.approx(low, abs=PROMISED)
    # a segment's ends are read off the polygon as well
    assert np.sort(region.inner[:, 0]) == pytest.approx([low, high], abs=PROMISED)


def test_frictionless_tripod_that_leans_inwards_holds_its_centre_alone():
    turns = np.arange(3) * 2 * math.pi / 3
    ring = np.c_[np.cos(turns), np.sin(turns)]
    points = np.c_[0.4 * ring, np.zeros(3)] + [1.0, 2.0, 0.0]
    normals = np.c_[-0.6 * ring, np.full(3, 0.8)]
    region = equilibrium_region(points, normals, 0.0)
    assert region.kind is RegionKind.POINT
    assert region.inner == pytest.approx(np.array([[1.0, 2.0]]), abs=PROMISED)
    assert region.contains((1.0, 2.0)) and not region.contains((1.001, 2.0))


def test_chimney_without_a_limit_is_unbounded():
    points, normals = groove(0.5, math.pi / 2)
    region = equilibrium_region(points, normals, 0.6)
    assert region.kind is RegionKind.UNBOUNDED
    assert "max_normal" in region.kind.value
    assert region.area == math.inf and region.support((1, 0.1)) == math.inf
    assert region.contains((30.0, 0.0)) and not region.contains((0.0, 0.1))
    assert math.isnan(region.margin((0.0, 0.0)))


@pytest.mark.parametrize("weight", [1.0, 300.0])
@pytest.mark.parametrize("over_weight", [0.9, 2.0, 30.0])
@pytest.mark.parametrize("friction", [0.6, 1.5])
def test_chimney_with_a_limit(weight, over_weight, friction):
    half_width = 0.5
    points, normals = groove(half_width, math.pi / 2)
    region = equilibrium_region(
        points, normals, friction, weight=weight, max_normal=over_weight * weight
    )
    end = half_width * (2 * friction * over_weight - 1)
    assert region.kind is RegionKind.SEGMENT
    assert region.support((1, 0)) == pytest.approx(end, abs=PROMISED)
    assert region.support((-1, 0)) == pytest.approx(end, abs=PROMISED)


def test_chimney_limited_below_what_friction_needs_is_empty():
    points, normals = groove(0.5, math.pi / 2)
    region = equilibrium_region(points, normals, 0.6, max_normal=0.8)
    assert region.kind is RegionKind.EMPTY


def test_walls_without_friction_hold_nothing_however_they_clamp():
    # The forces can grow without end here, yet none of them carries weight.
    points, normals = [[0.5, 0, 0.1], [-0.5, 0, 0]], [[-1, 0, 0], [1, 0, 0]]
    region = equilibrium_region(points, normals, 0.0)
    assert region.kind is RegionKind.EMPTY
    assert region.support((1, 0)) == -math.inf


def test_faces_without_friction_that_only_squeeze_hold_nothing():
    # Two opposite faces may squeeze without end and shift the centre of mass by it; the
    # third pushes sideways only. Upwards all that is left is along none of them.
    slant = np.array([math.cos(0.4), 0, math.sin(0.4)])
    points = [[0.2, 0, 0.5], [-0.2, 0, 0], [-0.3, 0, 0.1]]
    region = equilibrium_region(points, [slant, -slant, [1, 0, 0]], 0.0)
    assert region.kind is RegionKind.EMPTY
    assert not region.contains((0, 0))


def test_limits_cut_the_corners_off_flat_ground():
    # No foot carries more than half: one coordinate's shares are at most 1/2 each, so
    # the square's corners give way to the diamond between its edges' middles.
    square = [[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]
    region = equilibrium_region(square, [UP] * 4, 0.5, weight=8.0, max_normal=4.0)
    assert region.area == pytest.approx(2.0, abs=4 * PROMISED)
    assert region.support((1, 0)) == pytest.approx(1.0, abs=PROMISED)
    assert region.support((1, 1)) == pytest.approx(math.sqrt(0.5), abs=PROMISED)


def test_inner_and_outer_enclose_the_area_within_the_gap():
    points = np.array([[0.3, 0.2, 0], [-0.3, 0.2, 0.2], [0.0, -0.3, -0.1]])
    normals = np.array([[-0.5, -0.4, 1], [0.6, -0.2, 1], [0.1, 0.7, 1.0]])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    sizes = {}
    for gap in (1e-1, 1e-2, 1e-3, 1e-4):
        region = equilibrium_region(points, normals, 0.5, gap=gap)
        inner, outer = (shoelace(p) for p in (region.inner, region.outer))
        assert 0 < inner < region.area < outer <= (1 + gap) * inner
        sizes[gap] = region.area, len(region.inner)
    exact = sizes[1e-4][0]
    for gap, (size, _) in sizes.items():
        assert size == pytest.approx(exact, rel=gap)
    # Triangles shrink with the square of the corners' number: 10 times for 100 times.
    # Of a circle, 1 % takes 18 corners ((pi / n)^2 / 3 inside, as much again outside).
    assert sizes[1e-4][1] < 15 * sizes[1e-2][1] and sizes[1e-2][1] < 36


def shoelace(corners):
    x, y = corners.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


BAD = {
    "no contact": (dict(points=[], normals=[], frictions=[]), "points"),
    "flat points": (dict(points=RECTANGLE[:, :2]), "points"),
    "NaN": (dict(points=RECTANGLE * math.nan), "points"),
    "one normal": (dict(normals=UP), "normals"),
    "long normal": (dict(normals=[UP, UP, (0, 0, 2.0), UP]), "normals[2]"),
    "negative friction": (dict(frictions=[0.5, -0.1, 0.5, 0.5]), "frictions[1]"),
    "three frictions": (dict(frictions=[0.5] * 3), "frictions"),
    "infinite friction": (dict(frictions=math.inf), "frictions"),
    "no weight": (dict(weight=0.0), "weight"),
    "no limit": (dict(max_normal=[1.0, 1.0, 0.0, 1.0]), "max_normal[2]"),
    "no gap": (dict(gap=0.0), "gap"),
    "gap of text": (dict(gap="1 %"), "gap"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence_that_names_it(name):
    changed, where = BAD[name]
    good = dict(points=RECTANGLE, normals=[UP] * 4, frictions=0.5)
    with pytest.raises(EquipoiseError) as caught:
        equilibrium_region(**(good | changed))
    message = str(caught.value)
    assert isinstance(caught.value, ShapeError | NotPhysicalError)
    assert message.startswith(where) and message.endswith(".") and "\n" not in message


def test_bad_queries():
    region = equilibrium_region(RECTANGLE, [UP] * 4, 0.5)
    for query, value in (
        (region.support, (0, 0)),
        (region.support, (1, 0, 0)),
        (region.contains, (math.nan, 0)),
        (region.margin, 3.0),
    ):
        with pytest.raises(ShapeError):
            query(value)
