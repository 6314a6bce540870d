"""Keys, fingers, links and a phone's width, in a real browser that is played with."""

import numpy as np
import pytest

from equipoise.viz.camera import camera_for
from equipoise.viz.index_page import write_index
from equipoise.viz.replay.marks import PlotLine, ReplayExtras, ReplayMarks, ReplayPlot
from equipoise.viz.replay.page import write_replay
from oracles.browser import FLAGS, browser

playwright = pytest.importorskip("playwright.sync_api")
OVERFLOWING = """() => [...document.querySelectorAll(
    "#bar button, #bar select, #scrub, #clock, #facts, #help, .plot, .plot select")]
  .map(e => [e.id, e.getBoundingClientRect()])
  .filter(([_, r]) => r.width && (r.left < -0.5 || r.right > innerWidth + 0.5))
  .map(([id, _]) => id)"""


@pytest.fixture(scope="module")
def url(arm, tmp_path_factory) -> str:
    """A page of two seconds at ten frames a second, with plots."""
    time, near = np.arange(21) / 10.0, camera_for(arm, [np.zeros(3)], margin=0.2)
    way = np.column_stack((time, 0.0 * time, 0.0 * time))
    long = "a_joint_whose_name_is_longer_than_any_phone_is_wide_in_this_world"
    line = (PlotLine(long, time), PlotLine("knee", -time))
    extras = ReplayExtras(
        marks=ReplayMarks(support=[way[:4]] * 21, margin=0.1 - 0.1 * time),
        plots=tuple(ReplayPlot(f"{k}", "deg", line, is_joints=k > 0) for k in range(4)),
        track=way,
        near=near,
        follows=True,
        verdict="no",
        outcome="fell after 1.20 s",
    )
    page = write_replay(
        tmp_path_factory.mktemp("hands") / "page.html",
        arm,
        time,
        np.zeros((21, 3)),
        com=np.add(way, (0.0, 0.0, 0.3)),
        title=f"robot, {long}",
        camera=near,
        fps=np.inf,
        extras=extras,
    )
    return page.as_uri()


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as driver:
        flags = [flag for flag in FLAGS if not flag.startswith("--headless")]
        program = driver.chromium.launch(executable_path=browser(), args=flags)
        yield program
        program.close()


def visit(chromium, url, **settings):
    """Return a page that is ready, and what it complains of."""
    page = chromium.new_context(**settings).new_page()
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on(
        "console",
        lambda said: said.type == "error" and page.complaints.append(said.text),
    )
    page.goto(url)
    page.wait_for_selector("body[data-ready]")
    return page


def test_every_key_of_the_help_does_what_it_says(chromium, url):
    page = visit(chromium, f"{url}#t=1", viewport={"width": 900, "height": 600})
    press, run = page.keyboard.press, page.evaluate
    keys = [" ".join(k.split()) for k in page.locator("#help kbd").all_text_contents()]
    named = {"space": " ", "←": "ArrowLeft", "→": "ArrowRight", "Esc": "Escape"}
    assert {named.get(key, key) for key in keys} | {"="} == set(
        run("Object.keys(KEYS)")
    )
    for key, shown in (
        ("ArrowRight", 1.1),
        ("ArrowLeft", 1.0),
        ("Home", 0),
        ("End", 2),
    ):
        press(key)
        assert page.inner_text("#clock") == f"{shown:.2f} / 2.00 s"
    away = run("orbit.distance")
    for key, state in (
        ("?", "!$('help').hidden"),
        ("Escape", "$('help').hidden"),
        ("f", "!isFollowing"),
        ("p", "!document.body.classList.contains('beside')"),
        ("d", "document.documentElement.dataset.theme === 'dark'"),
        ("[", "speed === 0.5"),
        ("]", "speed === 1"),
        ("+", f"orbit.distance < {away}"),
        ("r", f"orbit.distance === {away}"),
        (" ", "playing"),
    ):
        assert not run(state), key
        press(key)
        assert run(state), key
    assert page.complaints == []


def test_a_link_leads_back_to_the_moment(chromium, url):
    allowed = ["clipboard-read", "clipboard-write"]
    small = {"width": 500, "height": 300}
    page = visit(chromium, f"{url}#t=0.75", permissions=allowed, viewport=small)
    page.keyboard.press("f")
    page.click("#link")
    page.wait_for_selector("#toast:not([hidden])")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url == f"{url}#t=0.750&follow=0"
    assert page.inner_text("#toast") == "Link to 0.75 s copied"
    again = visit(chromium, link, viewport=small)
    assert again.inner_text("#clock") == "0.75 / 2.00 s"
    assert not again.evaluate("isFollowing || playing")


def test_a_phone_has_room_for_all(chromium, url):
    small = {"width": 390, "height": 800}
    page = visit(
        chromium, f"{url}#t=1.5", viewport=small, has_touch=True, is_mobile=True
    )
    run = page.evaluate
    assert run("document.documentElement.scrollWidth") == 390
    for _ in range(2):  # the list of marks shut, then open
        assert run(OVERFLOWING) == []
        page.tap("#facts summary")
    page.tap("#ask")
    assert run(OVERFLOWING) == []
    page.tap("#shut")
    view, bar, panel = (
        page.locator(f"#{e}").bounding_box() for e in ("view", "bar", "panel")
    )
    assert view["height"] > 250 and panel["height"] > 250
    assert view["y"] + view["height"] <= bar["y"] + 1
    assert bar["y"] + bar["height"] <= panel["y"] + 1
    assert page.inner_text("#outcome") == "fell after 1.20 s"
    assert "margin -50 mm" in page.text_content("#facts")
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *places: tuple[int, int]) -> None:
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    before = run("[orbit.azimuth, orbit.distance]")
    for kind, *places in (
        ("touchStart", (200, 250)), ("touchMove", (240, 250)), ("touchEnd",),
        ("touchStart", (150, 250), (250, 250)), ("touchMove", (100, 250), (300, 250)),
        ("touchEnd",),
    ):  # fmt: skip
        fingers(kind, *places)
    azimuth, distance = run("[orbit.azimuth, orbit.distance]")
    assert azimuth < before[0]
    assert distance == pytest.approx(0.5 * before[1])  # rounding
    assert page.complaints == []


@pytest.mark.slow
def test_a_replay_plays_in_the_page_about_its_files(chromium, url, tmp_path):
    from shutil import copy
    from urllib.request import url2pathname

    replay = tmp_path / "replay.html"
    copy(url2pathname(url.removeprefix("file://")), replay)
    index = write_index(tmp_path / "index.html", [replay], ["It ran."], title="a run")
    page = chromium.new_context(offline=True).new_page()
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: complaints.append(said.text))
    page.goto(index.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("body[data-ready]").wait_for()
    before = frame.locator("#clock").text_content()
    page.wait_for_timeout(700)
    assert frame.locator("#clock").text_content() != before
    assert all(address.startswith("file:") for address in asked) and not complaints
