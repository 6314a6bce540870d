"""The picture of a stance shows what it says: edge, arrow, lengths, and no more."""

import numpy as np
import pytest

import equipoise as eq
from equipoise.runs.check.outputs import stance_picture
from equipoise.viz.plots import new_figure
from equipoise.viz.silhouette import ABOVE, ShapeTriangles, sketch, view_from_side
from equipoise.viz.stance_marks import length_words, round_length
from equipoise.viz.stance_panels import draw_above, draw_side
from equipoise.viz.stance_plot import StancePicture, plot_stance, tipping_edge

CORNERS = np.array([[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]])
BOX = 0.1  # half a side of the cube that is drawn [m]


def stance(com, tilt=0.0, **more):
    """A rectangle of feet on a plane that falls along x, and a centre of mass."""
    points = np.column_stack([CORNERS, -np.tan(tilt) * CORNERS[:, 0]])
    normal = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    given = {
        "name": "table",
        "answer": "yes",
        "points": points,
        "normals": np.tile(normal, (4, 1)),
        "polygon": CORNERS,
        "region": CORNERS,
        "com": np.asarray(com, float),
    }
    return StancePicture(**{**given, **more})


def panel():
    """Axes of the size they have in the picture."""
    figure = new_figure(10.0, 5.9)
    figure.set_layout_engine("none")
    return figure.add_axes((0.02, 0.135, 0.47, 0.64))


def found(axes, gid):
    """What is drawn under a name."""
    (artist,) = [a for a in axes.get_children() if a.get_gid() == gid]
    return artist


def cube(centre):
    """The upper and lower faces of a cube as triangles."""
    x, y = np.meshgrid([-BOX, BOX], [-BOX, BOX])
    flat = np.stack([x, y], axis=2).reshape(4, 2)
    faces = np.array([[0, 1, 3], [0, 3, 2]])
    corners = np.concatenate(
        [np.column_stack([flat, np.full(4, z)])[faces] for z in (-BOX, BOX)]
    )
    none = np.zeros(len(corners), np.int64)
    return ShapeTriangles(corners + centre, none, none.astype(bool))


@pytest.mark.parametrize(
    ("x", "y", "edge_at", "margin", "words"),
    [
        (0.25, 0.0, (0.3, None), 0.05, "50 mm"),
        (0.0, -0.1995, (None, -0.2), 0.0005, "0.5 mm"),
        (-0.35, 0.0, (-0.3, None), -0.05, "50 mm outside"),
    ],
)
def test_the_edge_is_the_nearest_and_its_arrow_says_how_far(
    x, y, edge_at, margin, words
):
    picture, axes = stance((x, y, 0.5)), panel()
    edge = tipping_edge(picture)
    assert edge is not None
    assert edge.margin == pytest.approx(margin, abs=1e-12)  # rounding
    draw_above(axes, picture, edge)
    drawn = np.array(found(axes, "edge").get_data()).T
    for axis, value in enumerate(edge_at):
        if value is not None:
            np.testing.assert_allclose(drawn[:, axis], value, atol=1e-12)
    # Arrow, or for a short one the text at its end, is where the margin ends.
    assert found(axes, "margin").get_text() == words
    left, right = axes.get_xlim()
    assert left < min(x, -0.3) and right > 0.3


def test_the_arrow_goes_from_the_centre_of_mass_to_the_edge():
    picture, axes = stance((0.1, 0.0, 0.5)), panel()
    draw_above(axes, picture, tipping_edge(picture))
    # First drawn is the margin's arrow; the axes in the corner follow.
    arrow = next(a for a in axes.texts if a.arrowprops is not None)
    np.testing.assert_allclose(arrow.xyann, (0.1, 0.0), atol=1e-12)
    np.testing.assert_allclose(arrow.xy, (0.3, 0.0), atol=1e-12)


def test_the_side_view_has_the_edge_to_the_right_at_its_own_height():
    tilt = np.radians(10.0)
    picture, axes = stance((0.2, 0.0, 0.5), tilt), panel()
    edge = tipping_edge(picture)
    draw_side(axes, picture, edge)
    (x,), (z,) = found(axes, "pivot").get_data()
    assert x == pytest.approx(0.3) and z == pytest.approx(-0.3 * np.tan(tilt))
    draw_above(axes := panel(), picture, edge)
    arrow = found(axes, "downhill")
    assert arrow.xy[0] > arrow.xyann[0]  # the plane falls along +x
    assert any("10°" in text.get_text() for text in axes.texts)


def test_forces_that_hold_it_less_far_out_move_the_edge():
    region = 0.5 * CORNERS
    held = tipping_edge(stance((0.0, 0.0, 0.5), region=region))
    assert held is not None and held.of == "region"
    assert held.margin == pytest.approx(0.1)
    uneven = tipping_edge(stance((0.0, 0.0, 0.5), is_planar=False))
    assert uneven is not None and uneven.of == "region"


def test_an_outline_is_as_large_and_where_the_shape_is():
    per_metre = 200.0
    for view, centre in (
        (ABOVE, (0.05, -0.02, 0.3)),
        (view_from_side([1.0, 0.0]), (0, 0, 0)),
    ):
        shapes = cube(np.array(centre))
        if view is not ABOVE:  # lids are lines from the side: turn the cube
            turn = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
            shapes = ShapeTriangles(
                shapes.corners @ turn.T, shapes.bodies, shapes.is_ground
            )
        drawn = sketch(shapes, view, (-0.4, 0.4, -0.3, 0.3), per_metre)
        assert drawn.image.shape == (120, 160, 4)
        rows, columns = np.nonzero(drawn.image[..., 3] > 127)
        x = (columns + 0.5) / per_metre - 0.4
        up = 0.3 - (rows + 0.5) / per_metre
        pixel = 1.0 / per_metre  # reading: an edge is known to a pixel
        at = np.array(centre) @ view.T
        assert x.min() == pytest.approx(at[0] - BOX, abs=pixel)
        assert x.max() == pytest.approx(at[0] + BOX, abs=pixel)
        assert up.max() == pytest.approx(at[1] + BOX, abs=pixel)


def test_the_scale_is_as_long_as_it_says():
    axes = panel()
    draw_above(axes, stance((0.0, 0.0, 0.5)), None)
    x = np.asarray(found(axes, "scale").get_xdata())
    assert np.ptp(x) == pytest.approx(round_length(0.3 * np.ptp(axes.get_xlim())))
    assert any(t.get_text() == length_words(float(np.ptp(x))) for t in axes.texts)


@pytest.mark.parametrize(
    ("metres", "words"),
    [
        (-0.0, "0 mm"),
        (-1e-6, "0 mm"),
        (-0.00012, "-0.1 mm"),
        (0.01, "10 mm"),
        (0.1038, "104 mm"),
        (0.9996, "1.00 m"),
    ],
)
def test_lengths_have_a_unit_and_no_negative_zero(metres, words):
    assert length_words(metres) == words


@pytest.mark.parametrize(
    "more",
    [
        {"points": np.zeros((0, 3)), "normals": np.zeros((0, 3)), "ground": 0.0},
        {"answer": "unknown", "reason": "x" * 5000, "name": "$\\frac{a}\x1b[31m" * 99},
        {"com": (0.3, 0.2, 0.5), "answer": "no"},
    ],
)
def test_odd_stances_are_drawn(tmp_path, more):
    if "points" in more:
        more = more | {"polygon": np.zeros((0, 2)), "region": np.zeros((0, 2))}
    com = more.get("com", (0.0, 0.0, 0.5))
    more = {key: more[key] for key in more if key != "com"}
    path = plot_stance(tmp_path / "a.png", stance(com, **more))
    assert path.read_bytes()[:4] == b"\x89PNG"


def test_the_robot_is_drawn_where_it_stands():
    result = eq.check(eq.load("warp1"), slope_deg=15.0, heading_deg=30.0)
    picture = stance_picture(result)
    assert picture.shapes is not None
    every = picture.shapes.robot
    for point in picture.points:  # a foot ends at each contact
        # Truncation: a ball of 24 sides is 1 % smaller; WARP1's feet have 4 cm.
        assert np.linalg.norm(every - point, axis=1).min() < 1e-2
    normal, point = picture.normals[0], picture.points[0]
    assert ((every - point) @ normal).min() > -1e-3
