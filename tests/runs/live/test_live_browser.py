"""The live page in a real browser: it plays, is pushed, and refuses strangers.

One browser and one small job for all. Its graphics are software's, a frame or so a
second: tests wait for what they expect, never for a time.
"""

import pytest

import equipoise as eq
from equipoise.runs.live.start import live_robot
from equipoise.viz.camera import Camera
from oracles.browser import FLAGS, browser

pytest.importorskip("viser", reason="pip install 'equipoise[viewer]'")
sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
from equipoise.runs.live.session import LiveSession  # noqa: E402
from equipoise.viz.live.scene import camera_framing  # noqa: E402
from equipoise.viz.live.server import LiveServer  # noqa: E402

SIZE = (960, 400)
BLOCK = """
<mujoco model='block'><worldbody><body name='block' pos='0 0 .2'><freejoint/>
  <geom type='box' size='.2 .2 .2' mass='8'/>
  <body name='arm' pos='0 0 .2'><joint axis='0 1 0'/>
    <geom type='box' size='.02 .02 .1' pos='0 0 .1' mass='.5'/></body>
</body></worldbody></mujoco>
"""
PATIENCE = 60_000  # [ms]
PANEL = 400  # that covers the right of the page [pixels]
STRANGER = "stranger.example"


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A block with an arm that stands on a page."""
    path = tmp_path_factory.mktemp("live") / "block.xml"
    path.write_text(BLOCK)
    server = LiveServer("test", port=0)
    found = LiveSession(live_robot(eq.load(path)), server, is_rich=False)
    found.start()
    yield found
    found.stop()
    server.stop()


@pytest.fixture(scope="module")
def pages(session):
    """Two tabs of the page, and what they complained of."""
    flags = [flag for flag in FLAGS if not flag.startswith("--headless")]
    rule = f"--host-resolver-rules=MAP {STRANGER} 127.0.0.1"
    with sync_api.sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=browser(), args=[*flags, rule], timeout=PATIENCE
        )
        width, height = SIZE
        context = chromium.new_context(viewport={"width": width, "height": height})
        context.set_default_timeout(PATIENCE)
        complaints: list[str] = []
        tabs = [context.new_page() for _ in range(2)]
        for tab in tabs:
            tab.on("pageerror", lambda error: complaints.append(str(error)))
            tab.on(
                "console",
                lambda said: (
                    complaints.append(said.text) if said.type == "error" else None
                ),
            )
            tab.goto(f"{session.server.address}/?fixedDpr=0.1")
            tab.wait_for_selector("[data-lamp='yes']")
        yield tabs, complaints
        chromium.close()


def seconds_shown(tab) -> float:
    """Return the time that a page shows [s]."""
    text = tab.locator("tr", has_text="time").first.inner_text()
    return float(text.split()[1])


def wait_until(tab, claim, *about) -> None:
    """Wait, as the browser goes on, until something holds on our side."""
    for _ in range(PATIENCE // 50):
        if claim(*about):
            return
        tab.wait_for_timeout(50)
    pytest.fail(f"not within {PATIENCE} ms")


def test_both_tabs_load_and_play(session, pages):
    (first, second), _ = pages
    assert session.server.viewers == 2
    for tab in (first, second):
        before = seconds_shown(tab)
        wait_until(tab, lambda t=tab, b=before: seconds_shown(t) > b)


def test_click_on_the_robot_pushes_it(session, pages):
    first = pages[0][0]
    job, (eye, target) = (
        session.job,
        camera_framing(session.scene.camera, SIZE[0] / SIZE[1]),
    )
    camera = Camera(eye=tuple(eye.tolist()), target=tuple(target.tolist()))
    middle = job.stepper.data.xpos[job.world.base] + session.scene.shift
    x, y, _ = camera.project(middle, SIZE)[0]
    assert x < SIZE[0] - PANEL
    session.ask("friction", 0.1)
    session.ask("push", 0.5 * job.strongest_push)
    before = job.way
    first.mouse.click(float(x), float(y))
    wait_until(first, lambda: job.pushes == 1)
    wait_until(first, lambda: job.way > before + 0.02)  # it slides along the ground


def test_button_pushes_too(session, pages):
    before = session.job.pushes
    pages[0][1].get_by_role("button", name="Push", exact=True).click()
    wait_until(pages[0][1], lambda: session.job.pushes == before + 1)


def test_pause_of_one_tab_is_seen_in_the_other(session, pages):
    (first, second), _ = pages
    first.get_by_role("button", name="Pause").click()
    second.get_by_role("button", name="Go on").wait_for()
    assert session.pace.is_paused
    second.get_by_role("button", name="Go on").click()
    wait_until(second, lambda: not session.pace.is_paused)


def test_another_host_is_refused_by_the_browser_s_own_hand(session, pages):
    tab = pages[0][0].context.new_page()
    answer = tab.goto(f"http://{STRANGER}:{session.server.port}/")
    assert answer is not None and answer.status == 403
    tab.close()


def test_tab_that_closes_takes_nothing_with_it(session, pages):
    (first, second), complaints = pages
    first.close()
    wait_until(second, lambda: session.server.viewers == 1)
    before = seconds_shown(second)
    wait_until(second, lambda: seconds_shown(second) > before)
    assert complaints == []
