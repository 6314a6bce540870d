"""Marks painted on a sheet, looked for pixel by pixel where a pinhole puts them."""

import numpy as np
import pytest

from equipoise.viz.camera import Camera
from equipoise.viz.movie.brush import HEAD, LONGEST_HEAD, Brush, words
from equipoise.viz.movie.frame import FINE

RED, GREEN, NONE = (200, 10, 20, 255), (10, 200, 20, 255), (0, 0, 0, 0)
SIZE = (120, 80)
EYE = 5.0


def brush() -> Brush:
    """Return a sheet before a camera that looks along +x; 10 pixels are a metre."""
    fov = 2.0 * np.degrees(np.arctan(0.5 * SIZE[1] / 10.0 / EYE))
    return Brush(Camera(eye=(-EYE, 0, 0), target=(0, 0, 0), fov_deg=float(fov)), SIZE)


def place(x: float, y: float) -> np.ndarray:
    """Return the point of the world that a pixel of the shown frame shows."""
    return np.array([0.0, (0.5 * SIZE[0] - x) / 10.0, (0.5 * SIZE[1] - y) / 10.0])


def painted(one: Brush) -> np.ndarray:
    return np.asarray(one.sheet)


def covered(one: Brush, colour=RED) -> np.ndarray:
    """Return which fine pixels have a colour, (h, w)."""
    return (painted(one) == colour).all(axis=2)


def middle(mask: np.ndarray) -> np.ndarray:
    """Return the middle of what is covered [shown pixels]."""
    y, x = np.nonzero(mask)
    return np.array([x.mean() + 0.5, y.mean() + 0.5]) / FINE


def test_places_are_the_pinhole_s_on_a_sheet_as_fine_as_it_is():
    one = brush()
    assert one.sheet.size == (FINE * SIZE[0], FINE * SIZE[1])
    assert not painted(one).any()
    found = one.at(np.array([place(30.0, 20.0), place(90.0, 77.0)]))
    np.testing.assert_allclose(found, FINE * np.array([[30.0, 20.0], [90.0, 77.0]]))
    assert one.at(np.array([place(30.0, 20.0), [-EYE - 1.0, 0.0, 0.0]])) is None


@pytest.mark.parametrize("radius", [3.0, 8.0])
def test_a_dot_is_a_disc_of_its_radius(radius):
    one = brush()
    one.dot(place(40.0, 25.0), radius, RED)
    mask = covered(one)
    np.testing.assert_allclose(middle(mask), [40.0, 25.0], atol=0.3)
    area = np.pi * (FINE * radius) ** 2  # pixels on the rim count whole or not at all
    assert abs(mask.sum() - area) < 2 * np.pi * FINE * radius
    assert painted(one)[..., 3].astype(bool).sum() == mask.sum()


def test_a_rim_is_inside_the_disc_and_may_be_all_of_it():
    one = brush()
    one.dot(place(40.0, 25.0), 8.0, NONE, GREEN)
    rim = covered(one, GREEN)
    np.testing.assert_allclose(middle(rim), [40.0, 25.0], atol=0.3)
    y, x = np.nonzero(rim)
    away = np.hypot((x + 0.5) / FINE - 40.0, (y + 0.5) / FINE - 25.0)
    assert 8.0 - 1.6 - 0.8 < away.min() and away.max() < 8.8
    filled = brush()
    filled.dot(place(40.0, 25.0), 8.0, RED, GREEN)
    assert covered(filled)[FINE * 25, FINE * 40]
    assert covered(filled, GREEN).sum() == rim.sum()


def test_what_is_behind_or_nowhere_is_not_painted():
    one, behind = brush(), np.array([-EYE - 1.0, 0.0, 0.0])
    one.dot(behind, 5.0, RED)
    one.dot(np.full(3, np.nan), 5.0, RED)
    one.arrow(behind, place(30, 30), RED)
    one.dashes(place(30, 30), behind, RED)
    one.area(np.array([behind, place(1, 1), place(30, 30)]), RED, RED)
    one.area(np.zeros((0, 3)), RED, RED)
    one.arrow(place(30, 30), place(30.5, 30), RED)  # too short to point anywhere
    assert not painted(one).any()


def test_an_area_is_filled_and_has_a_rim():
    one = brush()
    corners = np.array([place(20, 20), place(60, 20), place(60, 50), place(20, 50)])
    one.area(corners, RED, GREEN, wide=2.0)
    inside, rim = covered(one), covered(one, GREEN)
    np.testing.assert_allclose(middle(inside | rim), [40.0, 35.0], atol=0.6)
    assert inside[FINE * 35, FINE * 40]
    for x, y in ((20, 35), (60, 35), (40, 20), (40, 50)):  # its last side, too
        assert rim[FINE * y, FINE * x], (x, y)
    width = rim[FINE * 35, : FINE * 40].sum() / FINE
    assert width == pytest.approx(2.0, abs=0.51)
    assert not painted(one)[: FINE * 18].any() and not painted(one)[FINE * 53 :].any()


def test_a_support_of_two_or_one_corner_is_a_line_or_a_dot():
    line, dot = brush(), brush()
    line.area(np.array([place(20, 30), place(70, 30)]), RED, GREEN, wide=2.0)
    mask = covered(line, GREEN)
    assert not covered(line).any()
    np.testing.assert_allclose(middle(mask), [45.0, 30.0], atol=0.6)
    assert mask[:, FINE * 45].sum() / FINE == pytest.approx(4.0, abs=0.6)
    assert mask.any(axis=0).sum() / FINE == pytest.approx(50.0, abs=1.0)
    dot.area(np.array([place(20, 30)]), RED, GREEN, wide=2.0)
    mask = covered(dot, GREEN)
    np.testing.assert_allclose(middle(mask), [20.0, 30.0], atol=0.3)
    assert mask.any(axis=0).sum() / FINE == pytest.approx(2 * 2.0 * 2.0, abs=0.6)


@pytest.mark.parametrize("length", [5.0, 47.0, 92.0])
def test_dashes_are_three_fifths_of_a_line_from_its_beginning_on(length):
    one = brush()
    one.dashes(place(10.0, 30.0), place(10.0 + length, 30.0), RED, wide=2.0)
    row = covered(one).any(axis=0)
    count = max(int(length / 9.0), 1)
    starts = np.flatnonzero(np.diff(row.astype(int)) == 1) + 1
    np.testing.assert_allclose(
        starts / FINE, 10.0 + length / count * np.arange(count), atol=0.6
    )
    assert row.sum() / FINE == pytest.approx(0.6 * length, abs=0.6 * count)
    assert covered(one)[:, FINE * 11].sum() / FINE == pytest.approx(2.0, abs=0.6)


@pytest.mark.parametrize(
    ("wide", "length", "head"),
    [
        (2.0, 20.0, HEAD * 20.0),
        (2.0, 60.0, LONGEST_HEAD),
        (1.0, 60.0, LONGEST_HEAD),
        (4.0, 60.0, HEAD * 60.0),
        (4.0, 90.0, 2.0 * LONGEST_HEAD),
    ],
)
def test_an_arrow_points_to_its_end_with_a_head_as_wide_as_long(wide, length, head):
    one = brush()
    one.arrow(place(15.0, 60.0), place(15.0 + length, 60.0), RED, wide)
    mask = covered(one)
    columns = mask.sum(axis=0) / FINE
    x = np.arange(len(columns)) / FINE
    assert x[columns > 0][0] == pytest.approx(15.0, abs=1.0)
    assert x[columns > 0][-1] == pytest.approx(15.0 + length, abs=1.0)
    neck = 15.0 + length - head
    shaft = columns[(x > 16.0) & (x < neck - 2.0)]
    np.testing.assert_allclose(shaft, wide, atol=0.51)
    assert columns.max() == pytest.approx(head, abs=1.1)
    assert x[columns.argmax()] == pytest.approx(neck, abs=1.5)
    half = columns[np.abs(x - (neck + 0.5 * head)) < 0.3].mean()
    assert half == pytest.approx(0.5 * head, abs=1.2)  # it tapers evenly
    # Pillow counts fine pixels by their corners
    np.testing.assert_allclose(middle(mask)[1], 60.0, atol=0.51)


def test_an_arrow_up_is_one_to_the_right_turned():
    right, up = brush(), brush()
    right.arrow(place(30.0, 40.0), place(60.0, 40.0), RED)
    up.arrow(place(60.0, 55.0), place(60.0, 25.0), RED)
    a, b = covered(right), covered(up)
    assert abs(int(a.sum()) - int(b.sum())) < 0.05 * a.sum()
    rows = b.sum(axis=1)
    assert rows[: FINE * 40].max() > 2 * rows[FINE * 45 :].max()  # the head is above


def test_words_are_matplotlib_s_and_as_large_as_asked():
    plain, bold = words(10.0), words(10.0, is_bold=True)
    assert (plain.size, words(15.3).size) == (FINE * 10, round(FINE * 15.3))
    assert plain.getname() == ("DejaVu Sans", "Book")
    assert bold.getname() == ("DejaVu Sans", "Bold")
