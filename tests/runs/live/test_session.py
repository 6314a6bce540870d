"""A job on a page: requests, errors, and what is said of them."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.live.frame import LiveFrame
from equipoise.runs.live.job import AbstractLiveJob, Look
from equipoise.viz.camera import Camera
from equipoise.viz.live.knobs import Knob, PlotTrace
from equipoise.viz.live.marks import LiveMarks

pytest.importorskip("viser", reason="pip install 'equipoise[viewer]'")
from equipoise.runs.live.session import MOST_REQUESTS, LiveSession
from equipoise.viz.live.server import LiveServer

ARM = (
    "<mujoco><worldbody><body name='arm'><joint axis='0 1 0'/>"
    "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"
)
HOSTILE = "</script><img src=x onerror=alert(1)>"


class Scripted(AbstractLiveJob):
    """Does what a test wants, and tells what it was told."""

    strongest_push = 10.0
    knobs = (Knob(name="k", label=HOSTILE, low=0, high=1, step=0.1, value=0.5),)

    def __init__(self) -> None:
        model = mujoco.MjModel.from_xml_string(ARM)
        camera = Camera(eye=(1.0, 0.0, 0.5), target=(0.0, 0.0, 0.0))
        self.look = Look(
            title=HOSTILE,
            picture=model,
            camera=camera,
            size=0.3,
            follows=True,
            plot="margin",
            traces=(PlotTrace("one", (0, 0, 0)),),
            notes=(HOSTILE,),
        )
        self.now, self.told, self.raises = 0.0, [], None
        self.broken = ""

    @property
    def time(self):
        return self.now

    @property
    def is_over(self):
        return bool(self.broken)

    def restart(self):
        self.now, self.broken, self.raises = 0.0, "", None

    def advance(self, seconds, budget):
        if self.raises is not None:
            raise self.raises
        self.now += seconds
        return seconds

    def frame(self):
        lamp = "unknown" if self.broken else "yes"
        marks = LiveMarks(com=np.array([0.0, 0.0, 0.2]))
        why = self.broken or "fine"
        return LiveFrame(self.now, np.zeros(1), marks, lamp, why, (), (1.0,))

    def summary(self):
        return {"robot": "scripted"}

    def turn(self, name, value):
        if value > 0.9:
            raise ConfigError("the knob", ["not that much"])
        self.told.append((name, value))

    def set_gains(self, gains):
        self.told.append(gains)

    def push(self, body, impulse):
        self.told.append((body, np.round(impulse, 6).tolist()))

    def fail(self, sentence):
        self.broken = sentence

    def seek(self, time):
        self.now = time


@pytest.fixture(scope="module")
def server():
    """A server for all of these."""
    found = LiveServer("test", port=0)
    yield found
    found.stop()


@pytest.fixture
def session(server):
    """A session whose thread does not run: tests call what it calls."""
    server.viser.gui.reset()
    found = LiveSession(Scripted(), server, is_rich=False)
    found.pace.begin(0.0)
    return found


def asked(session, *requests):
    """Do requests as the thread does, and paint."""
    for name, value in requests:
        session.ask(name, value)
    session.guarded(session.obey)
    session.pace.owed(session.pace.last)
    session.guarded(session.go_on)
    session.pace.frames = 0  # so that texts are sent
    session.guarded(session.paint)
    return session.panel.texts


def test_error_of_the_job_is_said_and_again_heals_it(session):
    session.job.raises = RuntimeError(f"gain is {HOSTILE}")
    texts = asked(session)
    assert session.job.is_over
    assert (
        "gain is &lt;/script&gt;" in texts["notice"] and "<img" not in texts["notice"]
    )
    assert "data-lamp='unknown'" in texts["lamp"] and "Press Again" in texts["lamp"]
    texts = asked(session, ("again", None))
    assert not session.job.is_over and texts["notice"] == ""
    assert "data-lamp='yes'" in texts["lamp"]


def test_refused_number_is_said_and_changes_nothing(session):
    texts = asked(session, ("k", 0.3), ("k", 0.95))
    assert session.job.told == [("k", 0.3)]
    assert "not that much" in texts["notice"] and not session.job.is_over


def test_number_that_is_none_is_left_out(session):
    asked(session, ("k", float("nan")), ("k", float("inf")))
    assert session.job.told == []


def test_button_pushes_along_the_heading(session):
    asked(session, ("push", 4.0), ("push_heading", 90.0), ("push_now", None))
    assert session.job.told == [(None, [0.0, 4.0, 0.0])]


def test_settings_are_parsed(session):
    asked(session, ("set", "law.gain=3"), ("gain pace", 2.5))
    assert session.job.told == [{"law.gain": 3}, {"pace": 2.5}]
    assert "NAME=VALUE" in asked(session, ("set", "nonsense"))["notice"]


def test_pause_stops_time_and_slow_motion_slows_it(session):
    asked(session, ("pause", None))
    assert session.pace.is_paused and session.panel.inputs["pause"].label == "Go on"
    asked(session, ("pause", None), ("rate", 0.2))
    assert not session.pace.is_paused and session.pace.rate == 0.2


def test_marks_and_following_can_be_switched_off(session):
    asked(session, ("show forces", False), ("follow", False))
    assert session.overlay.shown["forces"] is False and session.follows is False


def test_text_of_a_robot_never_is_markup(session):
    for text in session.panel.texts.values():
        assert "<img" not in text and "<script" not in text
    assert "&lt;img" in session.panel.texts["title"]


def test_thread_lives_on_and_counts(server):
    server.viser.gui.reset()
    session = LiveSession(Scripted(), server, is_rich=False)
    session.start()
    while session.pace.frames < 3:
        session.is_done.wait(0.01)
    session.job.raises = ValueError("broken")
    while not session.job.broken:
        session.is_done.wait(0.01)
    frames = session.pace.frames
    while session.pace.frames < frames + 3:
        session.is_done.wait(0.01)
    session.stop()
    summary = session.summary()
    assert summary["lamp"] == "unknown" and "broken" in summary["why"]
    assert summary["frames"] >= frames + 3


def test_requests_beyond_what_people_do_are_dropped(session):
    for _ in range(2 * MOST_REQUESTS):
        session.ask("push", 1.0)
    assert session.requests.qsize() == MOST_REQUESTS
    session.obey()
    assert session.requests.qsize() == 0
