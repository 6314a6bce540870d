"""Marks of a live page, told to a page that only remembers."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.viz.colours import MARKS
from equipoise.viz.live.marks import LIFT, NODE, LiveMarks, Overlay

SQUARE = np.array([[1.0, 1, 0.5], [-1, 1, 0.5], [-1, -1, 0.5], [1, -1, 0.5]])
COM = np.array([0.25, -0.5, 2.0])


class Page:
    """Keeps what is added to it, by name."""

    def __init__(self) -> None:
        self.nodes: dict[str, Any] = {}

    def __getattr__(self, kind: str) -> Any:
        def add(name: str, *given: Any, **options: Any) -> Any:
            node = SimpleNamespace(kind=kind, given=given, **options)
            self.nodes[name.removeprefix(NODE).removeprefix("/")] = node
            return node

        return add


@pytest.fixture
def page() -> Page:
    return Page()


@pytest.fixture
def overlay(page) -> Overlay:
    scene: Any = SimpleNamespace(scene=page)
    return Overlay(scene, 2.0)


def test_marks_have_their_kinds_colours_and_sizes_in_proportion(overlay, page):
    nodes = page.nodes
    for name, share in (("centre_of_mass", 0.035), ("pressure_point", 0.025),
                        ("capture_point", 0.025)):  # fmt: skip
        ball = nodes[name]
        assert ball.kind == "add_icosphere"
        assert ball.radius == pytest.approx(2.0 * share)
        assert ball.color == MARKS[name.replace("_", " ")]
    for name, share in (("forces", 0.012), ("push", 0.022)):
        arrow = nodes[name]
        assert (arrow.kind, arrow.given[1]) == ("add_arrows", MARKS[name])
        assert arrow.shaft_radius == pytest.approx(2.0 * share)
        assert arrow.head_radius == pytest.approx(2.4 * 2.0 * share)
        assert arrow.head_length == pytest.approx(5.0 * 2.0 * share)
    for name, colour, width in (("rim", "support", 3.0), ("line", "line", 2.5),
                                ("plumb", "centre of mass", 1.5)):  # fmt: skip
        line = nodes[name]
        assert (line.kind, line.given[1]) == ("add_line_segments", MARKS[colour])
        assert (line.thickness, line.thickness_units) == (width, "screen")
    assert nodes["support"].color == MARKS["support"]
    assert not any(node.visible for name, node in nodes.items() if name)
    assert not nodes[""].show_axes


def test_all_places_are_told_from_the_centre_of_mass(overlay, page):
    arrows = np.array([[[0, 0, 0], [0, 0, 1]], [[1, 0, 0], [1, 0, np.nan]]], float)
    push, line = np.array([[2.0, 0, 1], [1, 0, 1]]), np.array([[0, 0, 0], [0, 0, 4.0]])
    overlay.draw(LiveMarks(COM, np.array([1.0, 2, 0]), np.array([3.0, 4, 0]), SQUARE,
                           arrows, push, line))  # fmt: skip
    nodes = page.nodes
    assert all(node.visible for name, node in nodes.items() if name)
    np.testing.assert_array_equal(nodes[""].position, COM)
    for name, place in (("centre_of_mass", COM), ("capture_point", [1, 2, 0]),
                        ("pressure_point", [3, 4, 0])):  # fmt: skip
        np.testing.assert_allclose(nodes[name].position, place - COM)
    raised = SQUARE + np.array([0, 0, LIFT])
    support = nodes["support"]
    np.testing.assert_allclose(support.vertices, raised - COM, atol=1e-6)
    assert support.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    rim = nodes["rim"].points
    np.testing.assert_allclose(rim[:, 0], raised - COM, atol=1e-6)
    np.testing.assert_allclose(rim[:, 1], np.roll(raised, -1, axis=0) - COM, atol=1e-6)
    np.testing.assert_allclose(nodes["plumb"].points,
                               [[[0, 0, 0], [0, 0, 0.5 - 2.0]]])  # fmt: skip
    np.testing.assert_allclose(nodes["forces"].points, arrows[:1] - COM)
    np.testing.assert_allclose(nodes["push"].points, push[None] - COM)
    np.testing.assert_allclose(nodes["line"].points, line[None] - COM)


def test_what_is_not_there_is_hidden_again(overlay, page):
    full = LiveMarks(COM, COM, COM, SQUARE, np.ones((1, 2, 3)), np.ones((2, 3)),
                     np.ones((2, 3)))  # fmt: skip
    overlay.draw(full)
    overlay.draw(LiveMarks(COM, None, np.full(3, np.nan)))
    seen = {name for name, node in page.nodes.items() if name and node.visible}
    assert seen == {"centre_of_mass", "plumb"}
    # without support the plumb line ends at height zero
    np.testing.assert_allclose(page.nodes["plumb"].points[0, 1], [0, 0, -2.0])
    overlay.draw(LiveMarks(np.full(3, np.nan), support=SQUARE))
    assert not page.nodes["centre_of_mass"].visible
    assert not page.nodes["plumb"].visible
    np.testing.assert_array_equal(overlay.origin, COM)  # the last place that was one
    assert page.nodes["support"].visible


@pytest.mark.parametrize(
    ("corners", "area", "rim"), [(0, 0, 0), (1, 0, 0), (2, 0, 2), (3, 1, 3), (4, 2, 4)]
)
def test_a_support_is_an_area_a_line_or_nothing(overlay, page, corners, area, rim):
    overlay.draw(LiveMarks(COM, support=SQUARE[:corners]))
    nodes = page.nodes
    assert nodes["support"].visible == (area > 0)
    assert nodes["rim"].visible == (rim > 0)
    if area:
        assert len(nodes["support"].faces) == area
    if rim:
        assert len(nodes["rim"].points) == rim


@pytest.mark.parametrize("name", ["centre of mass", "pressure point", "capture point",
                                  "support", "forces", "push", "line"])  # fmt: skip
def test_each_mark_can_be_hidden_by_its_name(overlay, page, name):
    overlay.shown[name] = False
    overlay.draw(LiveMarks(COM, COM, COM, SQUARE, np.ones((1, 2, 3)), np.ones((2, 3)),
                           np.ones((2, 3))))  # fmt: skip
    hidden = {key for key, node in page.nodes.items() if key and not node.visible}
    own = {"support": {"support", "rim"},
           "centre of mass": {"centre_of_mass", "plumb"}}  # fmt: skip
    assert hidden == own.get(name, {name.replace(" ", "_")})
