"""A page about files: what is on it, and that no name on it can act."""

import base64
import hashlib
import re
from html import escape

from equipoise.viz.index_page import CAPTIONS, INDEX, PageTable, write_index

EVIL = '<script>alert(1)</script>"\u202e'


def page_of(folder, names, told=("It stands.",), **settings):
    """Return the text of a page about some files."""
    made = [folder / name for name in names]
    for path in made:
        path.write_bytes(b"x" * 1500)
    return write_index(
        folder / INDEX, made, told, **({"title": "a run"} | settings)
    ).read_text("utf-8")


def test_every_file_is_linked_and_every_picture_shown(tmp_path):
    names = ["run.nc", "run.gif", "walk.png", "replay.html", "walk.json"]
    page = page_of(tmp_path, names)
    assert re.findall('<li><a href="([^"]*)"', page) == names
    assert re.findall('<img src="([^"]*)"', page) == ["run.gif", "walk.png"]
    assert '<iframe src="replay.html" sandbox="allow-scripts"' in page
    assert "<span>2 kB</span>" in page


def test_ends_that_are_side_by_side_are_not_shown_twice(tmp_path):
    page = page_of(tmp_path, ["start.png", "end-a.png", "robots.png", "balance.png"])
    assert re.findall('<img src="([^"]*)"', page) == ["robots.png", "balance.png"]


def test_cards_come_in_pairs_so_that_no_place_is_empty(tmp_path):
    for names in (["walk.png"], ["walk.png", "steps.png"], ["a.png", "b.gif", "c.png"]):
        page = page_of(tmp_path, ["run.nc", "stills.png", *names])
        assert page.count('<figure class="card">') == 2 * (len(names) // 2)
        assert page.count("<figure") == 1 + len(names)
    assert '<div class="cards">' not in page_of(tmp_path, ["run.nc"])


def test_of_an_odd_number_a_plot_has_the_row(tmp_path):
    for names, wide in (
        (["balance.png", "start.png", "end.png"], "balance.png"),
        (["a.gif", "walk.png", "steps.png"], "walk.png"),
        (["a.gif"], "a.gif"),
    ):
        page = page_of(tmp_path, names)
        assert re.findall('"wide"><a href="([^"]*)"', page) == [wide]


def test_captions_say_what_is_shown(tmp_path):
    names = [*CAPTIONS, "end-<paper>.png"]
    page = page_of(tmp_path, [n for n in names if n not in ("robots.png",)])
    for name in CAPTIONS:
        if name != "robots.png":
            assert f"{escape(CAPTIONS[name])} ({name})</figcaption>" in page
    assert "The robot at the end of the run &#x27;&lt;paper&gt;&#x27;" in page


def test_a_replay_plays_in_the_page_and_cannot_reach_it(tmp_path):
    page = page_of(tmp_path, ["re <b> play.html"])
    (frame,) = re.findall("<iframe ([^>]*)>", page)
    assert 'src="re%20%3Cb%3E%20play.html"' in frame
    assert 'sandbox="allow-scripts"' in frame  # an origin of its own
    assert "http" not in page.split("</style>")[1]  # nothing from outside


def test_sentences_before_the_table_are_notes_and_after_it_the_answer(tmp_path):
    table = PageTable(("", "value"), [("speed", 0.4)], "a title")
    page = page_of(tmp_path, ["run.nc"], ("assumed: steel", table, "It walked."))
    header, body = page.split("</header>")
    assert "It walked." in header and "assumed: steel" not in header
    assert "assumed: steel" in body and "<td>speed</td><td>0.4</td>" in body


def test_commands_are_told(tmp_path):
    further = [("equipoise check a.urdf", "Will it stand?")]
    page = page_of(tmp_path, ["run.nc"], command="equipoise walk", further=further)
    assert "<pre>equipoise walk</pre>" in page
    assert "<p>Will it stand?</p><pre>equipoise check a.urdf</pre>" in page


def test_names_of_others_cannot_act(tmp_path):
    name = "a b&'<img src=x>.png"
    table = PageTable((EVIL,), [(EVIL,)], EVIL)
    told = (EVIL, table, EVIL)
    settings = {"title": EVIL, "command": EVIL, "further": [(EVIL, EVIL)]}
    page = page_of(tmp_path, [name], told, **settings)
    assert "<script" not in page
    assert "\u202e" not in page
    assert page.count("<img") == 1
    assert 'src="a%20b%26%27%3Cimg%20src%3Dx%3E.png"' in page


def test_the_policy_allows_this_style_and_pictures_alone(tmp_path):
    page = page_of(tmp_path, ["run.nc"])
    (policy,) = re.findall('Security-Policy" content="([^"]*)"', page)
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; img-src 'self' file:; frame-src 'self' file:; "
        f"style-src 'sha256-{digest}'"
    )
