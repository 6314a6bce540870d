"""Marks lie where a projection says, and show through the robot."""

import numpy as np
import pytest

from equipoise.core.errors import ShapeError
from equipoise.viz.camera import Camera
from equipoise.viz.markers import COM_COLOUR, LINE_COLOUR, Markers, overlay

CAMERA = Camera(eye=(5.0, 0.0, 1.0), target=(0.0, 0.0, 1.0), fov_deg=40.0)
SIZE = (640, 480)
FOCAL = 240.0 / np.tan(np.radians(20.0))
COM = np.array((0.0, 0.4, 1.2))
LINE = np.array((0.0, -0.5, 0.0))


def painted(distance: float, markers: Markers) -> np.ndarray:
    """Marks on white, with something ``distance`` metres away in every pixel."""
    white = np.ones((SIZE[1], SIZE[0], 3))
    return overlay(white, np.full(white.shape[:2], distance), CAMERA, markers)


def strength(rgb: np.ndarray, colour: tuple[float, float, float]) -> np.ndarray:
    """How much of the way from white to a colour each pixel has gone, (h, w)."""
    way = np.subtract(colour, 1.0)
    return ((rgb - 1.0) @ way) / (way @ way)


def test_ball_is_centred_on_the_projected_point():
    # Hidden, so that no glint shifts the middle.
    share = strength(painted(1.0, Markers(com=COM)), COM_COLOUR)
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]] + 0.5
    middle = np.array(((share * x).sum(), (share * y).sum())) / share.sum()
    expected = (320.0 + FOCAL * 0.4 / 5.0, 240.0 - FOCAL * 0.2 / 5.0)
    # truncation: a disc's coverage by pixels is symmetric to a few hundredths
    assert np.abs(middle - expected).max() <= 0.05


def test_hidden_ball_is_paler_but_visible():
    row, column = int(240.0 - FOCAL * 0.2 / 5.0), int(320.0 + FOCAL * 0.4 / 5.0)
    front = strength(painted(99.0, Markers(com=COM)), COM_COLOUR)
    behind = strength(painted(1.0, Markers(com=COM)), COM_COLOUR)
    below = row + 4  # away from the glint
    assert 0.3 < behind[below, column] < 0.8 < front[below, column]


def test_line_stands_on_its_pixel_column():
    image = painted(99.0, Markers(line_point=LINE, line_top=1.8))
    share = strength(image, LINE_COLOUR)
    column = 320.0 - FOCAL * 0.5 / 5.0
    rows = np.flatnonzero(share.max(axis=1) > 0.5)
    # reading: dashes begin and end within one period (12 pixels) of the line's ends
    assert abs(rows.min() - (240.0 - FOCAL * 0.8 / 5.0)) <= 12.0
    assert abs(rows.max() - (240.0 + FOCAL * 1.0 / 5.0)) <= 12.0
    middle = (share * (np.arange(SIZE[0]) + 0.5)).sum() / share.sum()
    assert abs(middle - column) <= 0.05  # truncation, as above
    gaps = np.diff(rows) > 1
    assert gaps.sum() > 10  # dashed


def test_hidden_line_is_thinner_but_visible():
    markers = Markers(line_point=LINE, line_top=1.8)
    front = strength(painted(99.0, markers), LINE_COLOUR).sum()
    behind = strength(painted(1.0, markers), LINE_COLOUR).sum()
    assert 0.2 * front < behind < 0.6 * front


def test_drop_falls_from_the_centre_of_mass_to_the_floor():
    with_line = Markers(com=COM, line_point=LINE)
    share = strength(painted(99.0, with_line), COM_COLOUR)
    near = int(320.0 + FOCAL * 0.4 / 5.0)
    rows = np.flatnonzero(share[:, near - 1 : near + 2].max(axis=1) > 0.2)
    assert abs(rows.max() - (240.0 + FOCAL * 1.0 / 5.0)) <= 6.0  # one period of dots


def test_marks_behind_the_camera_are_left_out():
    behind = np.array((9.0, 0.0, 1.0))
    assert (painted(99.0, Markers(com=behind, line_point=behind)) == 1.0).all()


def test_marks_that_are_no_points_are_refused():
    with pytest.raises(ShapeError, match="com must be finite"):
        painted(99.0, Markers(com=np.array((0.0, np.nan, 0.0))))
    with pytest.raises(ShapeError, match="line_point must have shape"):
        painted(99.0, Markers(line_point=np.zeros(2)))
