"""What a live job is judged by and what can be turned of it, part by part."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.runs.live import driven, pilot_knobs
from equipoise.runs.live.balance_status import BalanceStatus
from equipoise.runs.live.frame import LiveMoment, live_marks
from equipoise.runs.live.judges import FeetJudge, LineJudge
from equipoise.runs.live.pilot_knobs import PilotKnobs
from equipoise.runs.live.world_knobs import WorldKnobs, rounded

NAN = math.nan
SQUARE = np.array([[0.1, 0.1, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0], [0.1, -0.1, 0]])

# --- judges -----------------------------------------------------------------------


def moment(
    com_mm=20.0, capture_mm=10.0, com=(0.0, 0.0, 0.5), capture=(0.0, 0, 0)
) -> Any:
    motion: Any = SimpleNamespace(
        com=np.array([com]), support=[SQUARE], momentum=np.array([[6.0, 8.0, 1.0]]),
        mass=2.0,
    )  # fmt: skip
    marks: Any = SimpleNamespace(capture=np.array([capture]))
    return LiveMoment(motion, marks, com_mm, capture_mm)


def test_a_moment_s_velocity_is_momentum_over_mass():
    one = moment()
    assert one.velocity.tolist() == [3.0, 4.0, 0.5]
    assert one.com.tolist() == [0.0, 0.0, 0.5]
    no_capture: Any = SimpleNamespace(capture=None)
    assert np.isnan(LiveMoment(one.motion, no_capture, 0.0, 0.0).capture).all()


def test_the_least_margin_counts_from_when_it_stands_until_it_falls():
    judge = FeetJudge()
    assert judge.summary() == {"least_margin_mm": None}
    judge.look(0.0, moment(-5.0, -90.0))  # feet are coming down
    assert judge.summary() == {"least_margin_mm": None}
    judge.look(0.1, moment(0.0, 7.0))
    judge.look(0.2, moment(-1.0, 3.0))  # it has stood, so that all counts
    judge.look(0.3, moment(5.0, 4.0))
    judge.look(0.4, moment(5.0, NAN))
    assert judge.summary() == {"least_margin_mm": 3.0}
    judge.status.fall(0.5, "tilt")
    judge.look(0.6, moment(5.0, -50.0))
    assert judge.summary() == {"least_margin_mm": 3.0}
    assert judge.values(moment(1.0, 2.0)) == (1.0, 2.0)
    assert judge.rows(moment(12.4, NAN)) == (
        ("margin, centre of mass", "+12 mm"),
        ("margin, capture point", "-"),
    )


@pytest.mark.parametrize(
    "x, lamp", [(0.119, "yes"), (0.121, "unknown"), (0.08, "unknown")]
)
def test_modules_are_balanced_within_a_tenth_of_a_width(monkeypatch, x, lamp):
    from equipoise.runs.live import judges

    line: Any = SimpleNamespace(is_point=False, point=np.array([[0.1, 0.2, 0.0]]))
    away = lambda goal, com: np.hypot(com[:, 0] - 0.1, com[:, 1] - 0.2)  # noqa: E731
    monkeypatch.setattr(judges, "distance_to", away)
    judge = LineJudge(line, 0.2)
    assert judge.summary() == {"distance_w": None}
    seen = moment(com=(x, 0.2, 0.5))
    assert judge.look(0.0, seen)[0] == lamp
    distance = abs(x - 0.1) / 0.2
    assert judge.summary() == {"distance_w": pytest.approx(distance)}
    assert judge.values(seen) == (pytest.approx(distance, abs=5e-5),)
    (_, first), (_, high) = judge.rows(seen)
    assert (first, high) == (f"{distance:.3f} widths", "+500 mm")
    np.testing.assert_allclose(judge.line(seen), [[0.1, 0.2, 0], [0.1, 0.2, 1.1]])
    line.is_point = True
    assert judge.line(seen) is None
    judge.status.broken = "lost"
    assert judge.look(0.1, seen) == ("unknown", "lost")


def test_arrows_begin_where_the_ground_pushes():
    marks: Any = SimpleNamespace(
        forces=np.array([[[0.0, 0, 9]], [[0.0, 3, 6]]]),
        force_places=np.array([[[9.0, 9, 9]], [[1.0, 2, 0]]]),
        metres_a_newton=0.1, capture=None, pressure=np.array([[0.0] * 3, [1.0] * 3]),
    )  # fmt: skip
    motion: Any = SimpleNamespace(
        com=np.array([[0.0] * 3, [2.0] * 3]), support=["a", "b"]
    )
    found = live_marks(motion, marks, 1, push="push")
    np.testing.assert_allclose(found.arrows, [[[1, 2, 0], [1, 2.3, 0.6]]])
    assert (found.com[0], found.support, found.capture) == (2.0, "b", None)
    assert found.pressure.tolist() == [1.0] * 3 and found.push == "push"
    marks.forces = None
    assert live_marks(motion, marks, 0).arrows.shape == (0, 2, 3)


# --- knobs ------------------------------------------------------------------------


def pilot(speed=0.4, heading=0.0, turn=0.0, *, turns=True, stands=False):
    return PilotKnobs(speed, heading, turn, turns=turns, stands=stands)


def test_sliders_of_a_walk_reach_twice_the_planned_speed():
    speed, heading, turn = pilot(-0.4, 30.0, 0.9).knobs
    assert (speed.low, speed.high, speed.value) == (0.0, 0.8, 0.0)
    assert speed.step == pytest.approx(0.008)
    assert (heading.low, heading.high, heading.value) == (-180.0, 180.0, 30.0)
    assert (turn.low, turn.high, turn.value) == (-0.6, 0.6, 0.6)
    assert pilot(turn=-0.9).knobs[2].value == -0.6
    assert pilot(0.0).knobs[0].high == 0.05
    assert [knob.name for knob in pilot(turns=False).knobs] == ["speed", "heading"]
    first, _, last = pilot(0.4, turn=0.3, stands=True).knobs
    assert (first.value, last.value) == (0.0, 0.0)


def test_a_slider_that_is_turned_tells_the_pilot_where_to(monkeypatch):
    monkeypatch.setattr(pilot_knobs, "has_ramped_pilot", lambda c: c.is_ramped)
    rows: dict[str, Any] = {}
    walk = SimpleNamespace(is_ramped=True, pilot=SimpleNamespace(rows=rows))
    knobs = pilot(0.4, 0.0, 0.1)
    knobs.apply(walk)
    assert rows == {}  # until something is touched it goes as planned
    assert not knobs.turn("payload", 1.0, walk) and rows == {}
    assert knobs.turn("heading", 90.0, walk)
    np.testing.assert_allclose(rows["velocity"], (0.0, 0.4, 0.1), atol=1e-15)
    assert rows["walks"] == 1.0
    knobs.turn("speed", 0.0, walk)
    assert rows["walks"] == 1.0  # it still turns
    knobs.turn("turn", 0.0, walk)
    assert rows["walks"] == 0.0
    other = SimpleNamespace(is_ramped=False)
    assert knobs.turn("speed", 0.2, other)
    stander, stands = pilot(0.4, stands=True), dict[str, Any]()
    stander.apply(SimpleNamespace(is_ramped=True, pilot=SimpleNamespace(rows=stands)))
    assert (stands["velocity"], stands["walks"]) == ((0.0, 0.0, 0.0), 0.0)


def test_numbers_of_sliders_have_two_digits():
    assert [rounded(x) for x in (12.34, 0.0567, 0.0, -3.0)] == [
        12.0,
        0.057,
        0.001,
        0.001,
    ]


LOADED = """<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1"/>
<body name="base" pos="0 0 1"><freejoint/><geom name="a" size=".1" mass="3"/>
<body name="top" pos="0 0 1"><joint name="j" axis="0 1 0"/><geom size=".1" mass="1"/>
</body></body></worldbody></mujoco>"""


def loaded(ground=None, feet=("a",), friction=0.7) -> Any:
    model = mujoco.MjModel.from_xml_string(LOADED)
    return SimpleNamespace(
        model=model, ground=ground, config=SimpleNamespace(friction=friction),
        robot=SimpleNamespace(feet=feet),
    )  # fmt: skip


def test_what_can_be_changed_of_a_world():
    world = loaded()
    knobs = WorldKnobs(world, 4.0, 1)
    load, grip, soft = knobs.knobs
    assert (load.low, load.high, load.value) == (0.0, 2.0, 0.0)
    assert load.step == pytest.approx(0.04)
    assert (grip.value, grip.low, grip.high) == (0.7, 0.02, 1.5)
    assert (soft.value, soft.low, soft.high) == (200.0, 2.0, 200.0)
    assert [WorldKnobs(loaded(friction=f), 4.0, 1).knobs[1].value for f in (9, 0)] == [
        1.5, 0.02,
    ]  # fmt: skip
    assert len(WorldKnobs(loaded(feet=()), 4.0, 1).knobs) == 2
    assert len(WorldKnobs(loaded(ground="law"), 4.0, 1).knobs) == 1
    assert knobs.turn("payload", 2.0) and world.model.body_mass[1] == 5.0
    assert world.model.body_subtreemass[1] == 6.0  # constants follow
    knobs.turn("payload", 0.5)
    assert world.model.body_mass[1] == 3.5
    assert knobs.turn("friction", 0.3)
    assert world.model.geom_friction[:, 0].tolist() == [0.3] * 3
    assert not knobs.turn("speed", 1.0)
    assert not WorldKnobs(loaded(ground="law"), 4.0, 1).turn("friction", 1.0)


def test_firm_ground_is_as_it_was(monkeypatch):
    from equipoise.runs.live import world_knobs

    asked = []

    def soften(model, robot, stiffness):
        asked.append(stiffness)
        model.geom_solref[:], model.geom_solimp[:] = 9.0, 0.5
        model.geom_priority[:], model.opt.impratio = 3, 7.0

    monkeypatch.setattr(world_knobs, "soften", soften)
    world = loaded()
    model = world.model
    own = model.geom_solref.copy(), model.geom_solimp.copy(), model.geom_priority.copy()
    knobs = WorldKnobs(world, 4.0, 1)
    assert knobs.turn("stiffness", 20.0) and asked == [2e4]
    assert model.opt.impratio == 7.0
    assert knobs.turn("stiffness", 200.0) and asked == [2e4]
    for now, before in zip(
        (model.geom_solref, model.geom_solimp, model.geom_priority), own, strict=True
    ):
        np.testing.assert_array_equal(now, before)
    assert model.opt.impratio == 1.0


# --- the lamp ---------------------------------------------------------------------


def test_the_lamp_forgets_where_it_stood_long_ago():
    lamp = BalanceStatus()
    far = SQUARE + np.array([5.0, 0.0, 0.0])
    assert lamp.margin(0.0, far, np.zeros(3)) < 0.0
    # until 0.8 s later both count, and the point is between them
    between = np.array([2.5, 0.0, 0.0])
    assert lamp.margin(0.8, SQUARE, between) == pytest.approx(100.0)
    assert lamp.margin(0.81, SQUARE, between) < 0.0
    assert lamp.margin(0.81, SQUARE, np.zeros(3)) == pytest.approx(100.0)
    assert driven.HORIZON == 1800.0
