"""What a notebook shows: one picture in the text, the answer, numbers, no markup."""

import re

import numpy as np
import pytest

import equipoise as eq
from equipoise.runs.notebook import label, main_numbers, page, value_words
from equipoise.runs.stand.stand import StandResult

EVIL = '<img src=x onerror="alert(1)">&amp;\u202e'
BOX = """<mujoco model="{name}"><worldbody><geom type="plane" size="1 1 .1"/>
<body name="{name}" pos="0 0 .1"><freejoint/><geom name="{name}" type="box"
size=".1 .1 .1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    """A robot file whose names are markup."""
    from xml.sax.saxutils import quoteattr

    path = tmp_path_factory.mktemp("evil") / "<b>&.xml"
    name = quoteattr(EVIL)[1:-1].replace('"', "&quot;")
    path.write_text(BOX.format(name=name), "utf-8")
    return eq.load(path)


def shown_safely(text):
    """Check that a text holds one picture of its own, and no other markup of others."""
    pictures = re.findall("<img [^>]*>", text)
    assert len(pictures) == 1
    assert pictures[0].startswith('<img src="data:image/png;base64,')
    tags = set(re.findall("<([a-z]+)", text))
    assert tags <= {"div", "strong", "span", "img", "table", "tr", "td"}
    assert "\u202e" not in text and "onerror=" not in text.replace("onerror=&quot;", "")
    assert not re.search('(?:src|href)="(?!data:)', text)


def test_names_of_a_robot_file_cannot_act(evil):
    shown_safely(evil._repr_html_())
    result = eq.check(evil)
    shown_safely(result._repr_html_())
    assert "&lt;img src=x" in result._repr_html_()


def test_representations_are_one_short_line(evil):
    for thing in (evil, eq.load("warp1"), eq.check(evil)):
        text = repr(thing)
        assert "\n" not in text and "\u202e" not in text and len(text) < 260
    assert repr(eq.load("warp1")) == "<Robot warp1: 60.4 kg, 12 joints, 4 legs>"
    assert isinstance(eq.load("warp1"), eq.Robot)


def test_a_robot_is_shown_with_how_many_parts_it_has():
    cells = re.sub("<[^>]+>", "|", eq.load("warp1")._repr_html_())
    for name, count in (("mass [kg]", "60.4"), ("joints", "12"), ("legs", "4")):
        assert re.search(rf"{re.escape(name)}\|+{count}\|", cells), cells
    assert "wheels" not in cells and "modules" not in cells


def test_numbers_have_units_and_no_negative_zero():
    told = {"static_margin_m": -0.0, "com": [1.0], "seed": 3, "fell": True, "n": 2}
    assert main_numbers(told) == [("static margin [m]", -0.0), ("n", 2)]
    assert [value_words(x) for x in (-0.0, np.nan, 0.12345, 7)] == [
        "0",
        "-",
        "0.1235",
        "7",
    ]
    assert label("impulse_ns") == "impulse [N s]" and label("mass") == "mass [kg]"


def test_a_result_without_anything_to_see_has_its_numbers():
    text = page("a", "no", None, [("x", 1.0)], "It fell.")
    assert "<img" not in text and "It fell." in text and ">no</span>" in text


def test_a_run_shows_how_it_ended():
    result = eq.simulate(eq.load("biped"), seconds=0.05, block_mass=0.0)
    assert isinstance(result, StandResult)
    shown_safely(result._repr_html_())
