"""A live job by itself, around a plant that is made up, and what a page asks of it."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.core.setting import FieldSetting, Setting
from equipoise.runs.live.driven import DrivenJob, _handle_of
from equipoise.runs.live.judges import FeetJudge
from equipoise.runs.live.played import PlayedJob
from equipoise.runs.live.session import LiveSession
from equipoise.runs.live.start import _plain_fall, _walk_title

NAN = math.nan

# --- a robot that runs ------------------------------------------------------------


class Ticks:
    """A plant of one body that notes what pushes it."""

    period = 0.01

    def __init__(self):
        self.tick, self.pushed, self.outcome = 0, list[Any](), None
        self.plan = SimpleNamespace(ticks=1000)
        self.data = SimpleNamespace(
            xpos=np.zeros((2, 3)), xipos=np.array([[0.0] * 3, [1.0, 2.0, 3.0]]),
            xmat=np.tile(np.eye(3).ravel(), (2, 1)),
        )  # fmt: skip
        self.senses = True

    @property
    def time(self):
        return self.tick * self.period

    def sense(self):
        return "readings" if self.senses else None

    def act(self, command):
        self.tick += 1
        self.data.xpos[1, 0] += 0.003
        self.data.xpos[1, 1] += 0.004
        return True

    def push(self, body, force):
        if body == "ghost":
            raise ConfigError("push", ["no such body"])
        self.pushed.append((self.tick, body, force.tolist()))


def job(falls=lambda data: None, planned=(), pilot=None) -> Any:
    """Return a job around a made up plant, without pictures."""
    found = object.__new__(DrivenJob)
    found.setup = SimpleNamespace(
        stepper=lambda horizon: Ticks(), falls=falls, planned=planned, pilot=pilot,
        remake=None, keeps_memory=False, settings={"gain": 1},
    )  # fmt: skip
    body = SimpleNamespace(id=1)
    model = SimpleNamespace(body=lambda name: body)
    robot = SimpleNamespace(name="dog")
    found.world = SimpleNamespace(base=1, model=model, robot=robot)
    found.judge, found.handle = FeetJudge(), "trunk"
    found.look = SimpleNamespace(size=0.5)
    found.strongest_push = 20.0
    found.controller = SimpleNamespace(
        init=lambda: 0, step=lambda readings, state: ("tau", state + 1)
    )
    found.gains = {"gain": 2.0}
    found.falls = found.pushes = 0
    found.way = found.simulated = 0.0
    found.restart()
    return found


def test_a_job_goes_on_by_whole_ticks_and_adds_up_its_way():
    one = job()
    assert one.advance(0.1, 9.0) == pytest.approx(0.1)
    assert (one.stepper.tick, one.state) == (10, 10)
    assert one.advance(0.009, 9.0) == 0.0  # less than a tick
    assert one.advance(0.015, 9.0) == pytest.approx(0.01)
    assert one.simulated == pytest.approx(0.11)
    assert one.way == pytest.approx(11 * 0.005)
    assert one.advance(5.0, -1.0) == pytest.approx(0.01)  # no time left: one tick
    one.stepper.data.xpos[1, 0] = NAN
    one.walked()
    assert one.way == pytest.approx(12 * 0.005)
    assert one.summary() == {
        "robot": "dog", "simulated_s": 0.12, "falls": 0, "pushes": 0, "is_up": True,
        "way_m": 0.06, "least_margin_mm": None,
    }  # fmt: skip
    one.restart()
    assert (one.time, one.state, one.simulated) == (0.0, 0, pytest.approx(0.12))


def test_a_push_lasts_a_tenth_of_a_second_and_one_waits_for_the_other():
    one = job(planned=((0.05, np.array([0.0, 4.0, 0.0])),))
    one.push("foot", np.array([1.0, 0.0, 2.0]))
    one.advance(0.4, 9.0)
    assert one.stepper.pushed == [
        (0, "foot", [10.0, 0.0, 20.0]),
        (10, "foot", [0.0, 0.0, 0.0]),
        (10, "trunk", [0.0, 40.0, 0.0]),
        (20, "trunk", [0.0, 0.0, 0.0]),
    ]
    assert (one.pushes, one.pushing, one.due) == (2, None, [])
    one.push("ghost", np.array([3.0, 0, 0]))
    one.advance(0.011, 9.0)
    assert one.stepper.pushed[-1][1:] == ("trunk", [30.0, 0.0, 0.0])
    one.push(None, np.ones(3))
    assert one.due[0][1] == "trunk"


@pytest.mark.parametrize("impulse, long", [(20.0, 0.5), (5.0, 0.25), (0.2, 0.15)])
def test_the_arrow_of_a_push_ends_before_its_body(impulse, long):
    one = job()
    assert one.push_arrow() is None
    one.push("foot", np.array([0.0, impulse, 0.0]))
    one.tick()
    tail, tip = one.push_arrow()
    np.testing.assert_allclose(tip, [1.0, 2.0 - 0.15, 3.0])
    np.testing.assert_allclose(tip - tail, [0.0, long, 0.0])


def test_a_fall_is_counted_once_and_lies_for_a_while():
    how = [None, None, "tilt"]
    one = job(falls=lambda data: how[min(one.stepper.tick - 1, 2)])
    one.advance(3.0, 9.0)
    assert (one.falls, one.judge.status.how) == (1, "tilt")
    assert one.judge.status.fell_at == pytest.approx(0.03)
    assert one.is_over and one.time == pytest.approx(1.53 + 0.01, abs=0.011)
    assert one.summary()["is_up"] is False
    one.restart()
    assert not one.is_over and one.judge.status.fell_at is None


def test_the_end_of_a_plant_is_said():
    one = job()
    one.stepper.senses, one.stepper.outcome = False, "It blew up."
    one.tick()
    assert one.judge.status.broken == "It blew up. Press Again."
    assert one.is_over
    other = job()
    other.stepper.senses, other.stepper.plan.ticks = False, 0
    other.tick()
    assert other.judge.status.broken == "30 minutes are over. Press Again."


@pytest.mark.parametrize("keeps", [False, True])
def test_settings_make_the_controller_anew_and_may_keep_its_memory(keeps):
    one = job()
    one.set_gains({"gain": 3.0})
    assert one.gains == {"gain": 2.0}  # nothing can be made anew
    one.advance(0.05, 9.0)
    told = []

    def remake(gains):
        told.append(dict(gains))
        return SimpleNamespace(init=lambda: 100)

    applied = []
    one.setup.remake, one.setup.keeps_memory = remake, keeps
    one.setup.pilot = SimpleNamespace(apply=applied.append)
    one.set_gains({"more": 1.0})
    assert told == [{"gain": 2.0, "more": 1.0}] == [one.gains]
    assert one.state == (5 if keeps else 100)
    assert applied == [one.controller]
    assert one.settings() == {"gain": 1}


@pytest.mark.parametrize("angle", [0.3, -2.0])
def test_the_heading_is_where_the_base_s_x_axis_points(angle):
    one, c, s = job(), math.cos(angle), math.sin(angle)
    one.stepper.data.xmat[1] = [c, -s, 0, s, c, 0, 0, 0, 1]
    assert one.heading() == pytest.approx(angle)


def test_sliders_go_to_the_pilot_first_then_to_the_world():
    one, turned = job(), []
    one.world_knobs = SimpleNamespace(turn=lambda *given: turned.append(given))
    one.turn("payload", 1.0)
    one.setup.pilot = SimpleNamespace(turn=lambda name, v, c: name == "speed")
    one.turn("speed", 0.2)
    one.turn("friction", 0.3)
    assert turned == [("payload", 1.0), ("friction", 0.3)]


TWO = """<mujoco><worldbody><body name="foot">{joint}<geom size=".1"/>
<body name="low" pos="0 0 1"><joint axis="1 0 0"/><geom size=".1"/></body>
<body name="high" pos="0 0 2"><joint axis="1 0 0"/><geom size=".1"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("joint, wanted", [("<freejoint/>", "foot"), ("", "high")])
def test_the_base_is_pushed_or_the_highest_where_that_is_bolted(joint, wanted):
    model = mujoco.MjModel.from_xml_string(TWO.format(joint=joint))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    world: Any = SimpleNamespace(
        model=model, base=1, root=1, robot=SimpleNamespace(base="foot"),
        start=lambda: data,
    )  # fmt: skip
    assert _handle_of(world) == wanted
    body = '<body name="foot"><geom size=".1"/></body>'
    world.model = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody>{body}</worldbody></mujoco>"
    )
    assert _handle_of(world) == "foot"


def test_what_a_walk_is_called():
    plan: Any = SimpleNamespace(controller="asv", gait="crawl")
    assert _walk_title(plan, stands=False) == "crawl by 'asv'"
    assert _walk_title(plan, stands=True) == "stands by 'asv'"
    plan.controller = ""
    assert _walk_title(plan, stands=False) == "crawl by 'own controller'"
    fallen: Any = SimpleNamespace(has_fallen=lambda data: data)
    assert (_plain_fall(fallen)(True), _plain_fall(fallen)(False)) == ("", None)


# --- records and pages ------------------------------------------------------------


def record() -> Any:
    found = object.__new__(PlayedJob)
    found.times, found.length, found.now = np.array([0.0, 0.1, 0.2, 0.3]), 0.3, 0.0
    found.capture_mm = np.array([NAN, 5.0, 3.0, NAN])
    found.name = "dog"
    return found


def test_a_record_is_gone_through_and_ends():
    one = record()
    seen = []
    for time in (-1.0, 0.0, 0.05, 0.1, 0.19, 0.2, 0.3, 9.0):
        one.seek(time)
        seen.append((one.index, one.is_over))
    assert [k for k, _ in seen] == [0, 0, 0, 1, 1, 2, 3, 3]
    assert [over for _, over in seen] == [False] * 6 + [True, True]
    one.restart()
    assert one.advance(0.25, 9.0) == pytest.approx(0.25)
    assert one.advance(0.25, 9.0) == pytest.approx(0.05)
    assert one.summary() == {"robot": "dog", "recorded_s": 0.3, "least_margin_mm": 3.0}
    one.restart()
    one.fail("broken")
    assert one.is_over
    one.capture_mm[:] = NAN
    assert one.summary()["least_margin_mm"] is None


class Asked:
    """Notes what is called with what."""

    def __init__(self, log, **parts):
        self.__dict__ |= {"log": log, **parts}

    def __getattr__(self, name):
        return lambda *given: self.log.append((name, *given))


def session() -> Any:
    log: list[Any] = []
    found = object.__new__(LiveSession)
    body = SimpleNamespace(name="foot")
    found.job = Asked(
        log, heading=lambda: 0.5 * math.pi,
        look=SimpleNamespace(picture=SimpleNamespace(body=lambda k: body)),
    )  # fmt: skip
    found.pace = SimpleNamespace(is_paused=False, rate=1.0, factor=0.5)
    found.pace.pause = lambda on: setattr(found.pace, "is_paused", on)
    found.panel, found.scene = Asked(log), Asked(log)
    found.overlay = SimpleNamespace(shown={"support": True})
    found.strength, found.push_heading, found.follows = 2.0, 90.0, True
    found.log = log
    return found


def test_each_request_of_a_page_does_its_own():
    one = session()
    for name, value, done in (
        ("pause", None, [("show_paused", True)]),
        ("pause", None, [("show_paused", False)]),
        ("again", None, [("restart",), ("show_paused", False)]),
        ("light", 1, [("light", True)]),
        ("seek", "0.5", [("seek", 0.5)]),
        ("set", "stride.sway=0.1", [("set_gains", {"stride.sway": 0.1})]),
        ("gain stride.sway", 0.2, [("set_gains", {"stride.sway": 0.2})]),
        ("payload", 3, [("turn", "payload", 3.0)]),
        ("payload", NAN, []),
        ("gain stride.sway", math.inf, []),
    ):
        one.log.clear()
        one.do(name, value)
        assert one.log == done, name
    one.do("rate", 0.25)
    one.do("push", 7)
    one.do("push_heading", 180)
    one.do("follow", 0)
    one.do("show support", 0)
    assert (one.pace.rate, one.strength, one.push_heading) == (0.25, 7.0, 180.0)
    assert one.follows is False and one.overlay.shown == {"support": False}
    one.log.clear()
    one.do("push_now", None)  # backwards of a robot that heads along +y
    ((name, body, impulse),) = one.log
    assert (name, body) == ("push", None)
    np.testing.assert_allclose(impulse, [0.0, -7.0, 0.0], atol=1e-14)
    one.log.clear()
    one.do("click", SimpleNamespace(body=3, way=np.array([0.0, 0.0, 1.0])))
    ((name, body, impulse),) = one.log
    assert (name, body, impulse.tolist()) == ("push", "foot", [0.0, 0.0, 7.0])


def test_a_frame_tells_its_time_and_pace():
    one = session()
    frame: Any = SimpleNamespace(time=1.234, rows=(("speed", "fast"),))
    rows = (("time", "1.23 s"), ("goes at", "0.50 x real time"), ("speed", "fast"))
    assert one.rows(frame) == rows
    one.pace.is_paused = True
    assert one.rows(frame)[1] == ("goes at", "paused")


def test_sliders_of_settings_are_about_what_was_given():
    from equipoise.runs.live.session import _gain_knobs

    about = Setting("Distance to go", "m")
    known = {"a.b": FieldSetting("b", about, float, 0.0)}
    gains = {"a.b": 0.5, "c": -2, "d": 0, "e": True, "f": "name", "g": 3}
    found = _gain_knobs(Asked([], settings=lambda: known, gains=gains))
    ends = {k.name: (k.low, k.high, k.value, k.label, k.hint) for k in found}
    assert ends == {
        "gain a.b": (0.0, 1.0, 0.5, "a.b [m]", "Distance to go"),
        "gain c": (-4.0, 4.0, -2.0, "c", ""),
        "gain d": (0.0, 1.0, 0.0, "d", ""),
        "gain g": (0.0, 6.0, 3.0, "g", ""),
    }
    steps = [k.step for k in found]
    assert steps == pytest.approx([1 / 200, 1.0, 1 / 200, 1.0])
