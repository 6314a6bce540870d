"""A mark has one colour, wherever it is drawn."""

import json
import re
from importlib.resources import files

import numpy as np

from equipoise.viz.colours import MARKS, PALETTE, VERDICTS, colour_of_mark, hex_of
from equipoise.viz.live.marks import COLOURS
from equipoise.viz.markers import COM_COLOUR, LINE_COLOUR
from equipoise.viz.movie import marks as movie
from equipoise.viz.replay.page import write_replay

OWN = re.compile(r"#[0-9a-fA-F]{6}\b")
GREYS = ("999999",)


def test_live_pages_and_moving_pictures_take_the_table():
    assert all(MARKS[name] == colour for name, colour in COLOURS.items())
    assert movie.GREEN[:3] == MARKS["support"] and movie.RED[:3] == MARKS["push"]
    assert movie.ORANGE[:3] == MARKS["forces"]
    assert colour_of_mark("centre of mass") == COM_COLOUR
    assert colour_of_mark("line") == LINE_COLOUR
    assert hex_of("support") == PALETTE[2] == "#009e73"


def test_a_replay_has_the_table_in_its_script(arm, tmp_path):
    page = write_replay(
        tmp_path / "a.html", arm, np.array([0.0, 1.0]), np.zeros((2, 3))
    ).read_text("utf-8")
    (found,) = re.findall(r"const MARKS = (\{.*?\}), PALETTE = (\[.*?\]);", page)
    told = {name: [255.0 * v for v in c] for name, c in json.loads(found[0]).items()}
    for name, colour in MARKS.items():
        np.testing.assert_allclose(told[name], colour, rtol=1e-12)
    assert json.loads(found[1]) == list(PALETTE)
    assert f"#lamp.no {{ background: {VERDICTS['no']}; }}" in page


def test_scripts_have_no_colours_of_their_own():
    for script in (files("equipoise.viz") / "assets").iterdir():
        if script.name.endswith(".js"):
            found = OWN.findall(script.read_text("utf-8"))
            assert all(colour[1:] in GREYS for colour in found), script.name
