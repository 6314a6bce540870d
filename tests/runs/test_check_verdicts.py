"""Answers of margins, springs, tolerances and ground of any shape, case by case."""

import math
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.errors import UnknownNameError
from equipoise.runs.check import on_terrain as terrain
from equipoise.runs.check import settle, soft, uncertain
from equipoise.runs.check.on_terrain import on_terrain
from equipoise.runs.check.rest import JudgedPose
from equipoise.runs.check.settle import put_robot_down
from equipoise.runs.check.soft import grouped, soft_answer, soft_feet
from equipoise.runs.check.uncertain import loosened, uncertain_answer
from equipoise.runs.check.verdict import StanceMargins, carrying, margins_of, verdict
from equipoise.stability.region.region import RegionKind
from oracles.check_cases import SQUARE, stance

AREA = RegionKind.AREA
INSIDE = {"static": 0.1, "region": 0.2, "carried": 0.3, "kind": AREA}

# --- margins ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "where, margins, limited, answer, said",
    [
        (
            {}, {"static": 0.1, "region": 0.2, "carried": 0.3, "kind": AREA}, False,
            "yes", "its centre of mass is 0.1000 m inside",
        ),
        (
            {}, {"static": 0.1, "region": 0.2, "carried": 0.05, "kind": AREA}, True,
            "yes", "its centre of mass is 0.0500 m inside",
        ),
        (
            {"slope": 0.1}, {"region": 0.2, "carried": 0.3, "kind": AREA}, False,
            "yes", "its centre of mass is 0.2000 m inside",
        ),
        (
            {}, {"static": -2e-6, "region": 0.2, "carried": 0.3, "kind": AREA}, False,
            "no", "its centre of mass is 0.0000 m outside",
        ),
        (
            {}, {"static": -5e-7, "region": 0.2, "carried": 0.3, "kind": AREA}, False,
            "yes", "its centre of mass is -0.0000 m inside",
        ),
        (
            {}, {"region": -2e-6, "carried": 0.3, "kind": AREA}, False,
            "no", "no forces within friction hold it on",
        ),
        (
            {}, {"kind": RegionKind.EMPTY}, True,
            "no", "no forces within friction and its joints' torques hold it on",
        ),
        (
            {}, {"region": 5e-7, "carried": 0.3, "kind": AREA}, False,
            "unknown", "its centre of mass is on the very edge of",
        ),
        (
            {}, {"region": 0.2, "carried": 0.3, "kind": RegionKind.SEGMENT}, False,
            "unknown", "its centre of mass is on the very edge of",
        ),
        (
            {}, {"carried": 0.3, "kind": RegionKind.UNBOUNDED}, False,
            "unknown", "it stands only while foot0, foot1, foot2, foot3 brace",
        ),
        (
            {}, {"region": 0.2, "carried": 1e-6, "kind": AREA}, False,
            "unknown", "it stands only while foot0, foot1, foot2, foot3 brace",
        ),
        (
            {"sunk": 0.011}, INSIDE,
            False, "unknown", "it is 0.011 m deep in the ground; lift it by that",
        ),
        (
            {"sunk": 0.01}, INSIDE,
            False, "yes", "its centre of mass",
        ),
        (
            {"sunk": 1.0}, {"static": -0.1, "region": 0.2, "kind": AREA}, False,
            "no", "its centre of mass is 0.1000 m outside",
        ),
    ],
)  # fmt: skip
def test_what_margins_mean(where, margins, limited, answer, said):
    found, reasons = verdict(stance(**where), StanceMargins(**margins), limited=limited)
    assert found == answer
    assert len(reasons) == 1 and reasons[0].startswith(said)


def test_margins_of_a_region_nobody_knows():
    answer, (reason,) = verdict(stance(), StanceMargins(kind=RegionKind.NOT_KNOWN))
    assert answer == "unknown"
    assert reason[0].islower() and not reason.endswith(".")


def test_what_is_said_before_margins():
    odd = stance(unknown=("a cloud", "b"))
    assert verdict(odd, StanceMargins()) == (
        "unknown",
        ["the form of 'a cloud' is not known"],
    )
    lying = stance(is_off_feet=True)
    assert verdict(lying, StanceMargins())[0] == "no"
    air = replace(stance(points=SQUARE[:0]), lowest=0.25, ground=0.05)
    assert verdict(air, StanceMargins()) == (
        "no", ["it is in the air, its lowest point 0.2 m too high"]
    )  # fmt: skip
    shapeless = replace(air, lowest=math.inf)
    assert verdict(shapeless, StanceMargins())[0] == "unknown"
    over_rocks = replace(air, ground=math.nan)
    assert verdict(over_rocks, StanceMargins())[1] == [
        "it is in the air: none of its shapes touches the ground"
    ]
    higher = SQUARE + np.array([[0, 0, 0.1], *[[0] * 3] * 3])
    steps = replace(stance(), ground=math.nan, points=higher)
    kept = StanceMargins(region=0.2, carried=0.3, kind=AREA)
    assert (
        verdict(steps, kept)[1][1] == "its feet are not in one plane: no static margin"
    )


def test_feet_carry_alone_where_friction_holds_them():
    steep = np.array([[0.0, 0, 1], [0.6, 0, 0.8], [0, -0.6, 0.8]])
    assert carrying(steep, 0.75).tolist() == [True, True, True]
    assert carrying(steep, 0.74).tolist() == [True, False, False]
    assert carrying(steep, np.array([0.0, 0.7, 0.8])).tolist() == [True, False, True]


def test_margins_of_a_square_on_the_floor():
    found = margins_of(stance(com=(0.4, -0.1, 0.5)), 0.6, gravity=2.0)
    assert found.static == pytest.approx(0.6)
    assert found.region == pytest.approx(0.6, abs=1e-6)  # solver
    assert found.carried == pytest.approx(0.6)
    assert found.area == pytest.approx(4.0, rel=1e-3)  # of the solver
    assert found.energy == pytest.approx(2.0 * 2.0 * (math.hypot(0.6, 0.5) - 0.5))
    np.testing.assert_allclose(found.weakest, [1.0, 0.0], atol=1e-12)
    nothing = margins_of(stance(points=SQUARE[:0]), 0.6)
    assert nothing.static is nothing.region is nothing.energy is nothing.area is None
    assert nothing.carried == -math.inf and nothing.kind is RegionKind.EMPTY


# --- springs ----------------------------------------------------------------------


def test_each_foot_s_spring_is_spread_over_its_corners():
    one = stance(com=(0.1, 0.2, 0.7), ground=0.05)
    own = np.array([0, 0, 0, 1])
    feet = soft_feet(one, 600.0, 50.0, own)
    assert [foot.ground_stiffness[2, 2] for foot in feet] == [
        200.0,
        200.0,
        200.0,
        600.0,
    ]
    np.testing.assert_allclose(feet[3].position, [0.9, -1.2, -0.65])
    np.testing.assert_allclose(feet[0].leg_compliance, np.diag([0, 0, 3 / 50.0]))
    np.testing.assert_allclose(feet[3].leg_compliance, np.diag([0, 0, 1 / 50.0]))
    balls = soft_feet(replace(one, radii=np.full(4, 0.02)), 600.0, None, own)
    assert balls[0].position[2] == pytest.approx(-0.63)
    assert balls[0].leg_compliance is None
    rigid = soft_feet(one, None, 50.0, own)
    assert rigid[3].ground_stiffness[2, 2] == pytest.approx(50.0 * soft.RIGID)


def test_feet_are_grouped_by_the_user():
    one = stance(points=SQUARE)  # four feet of one corner each
    assert grouped(one, None, "a check") is None
    found = grouped(one, {"left": ["foot0", "foot1"], "right": ["foot3"]}, "a check")
    a, b, c, d = found.tolist()
    assert a == b and len({a, c, d}) == 3
    assert sorted({a, c, d}) == [0, 1, 2]
    with pytest.raises(UnknownNameError, match="foot9"):
        grouped(one, {"left": ["foot9"]}, "a check")


def test_soft_ground_in_closed_form():
    one = stance(com=(0.0, 0.0, 0.5))
    found = soft_answer(one, 40.0, None, None, 2.0)
    # a lean about the middle: k Σ x² = 4 k against m g h
    critical = 2.0 * 2.0 * 0.5 / 4.0
    assert found.summary["multiplier"] == pytest.approx(critical / 40.0)
    assert found.summary["critical_stiffness"] == pytest.approx(critical)
    assert found.summary["critical_height_m"] == pytest.approx(40.0 * 4.0 / 4.0)
    assert found.summary["lean_deg"] == pytest.approx(0.0, abs=1e-9)
    assert found.summary["lifted_feet"] == [] and found.is_known
    assert found.summary["contact_stiffness"] == [40.0] * 4
    assert found.summary["contact_foot"] == [0, 1, 2, 3]
    assert found.stance.stable
    weak = soft_answer(one, 0.9 * critical, None, None, 2.0)
    assert not weak.stance.stable and weak.is_known
    off = soft_answer(stance(com=(0.02, 0.0, 0.5)), 40.0, None, None, 2.0)
    # m g d leans it against 4 k - m g h
    lean = 2.0 * 2.0 * 0.02 / (160.0 - 2.0)
    assert off.summary["lean_deg"] == pytest.approx(math.degrees(lean), rel=1e-3)
    assert off.stance.reason.endswith(f"it leans {math.degrees(lean):.2f} deg")


# --- tolerances -------------------------------------------------------------------


@pytest.mark.parametrize("stands", ["yes", "no", "unknown"])
@pytest.mark.parametrize("told", ["yes", "no", "unknown"])
@pytest.mark.parametrize("is_limited", [False, True])
def test_an_answer_about_all_robots_within_tolerances(stands, told, is_limited):
    answer = uncertain.UncertainAnswer(told, ["of all"], {})
    found = loosened(stands, ["of one"], answer, is_limited=is_limited)
    if stands == "unknown" or stands == told == "no":
        assert found == (stands, ["of one"])
    elif told == "yes" and is_limited:
        assert found[0] == "unknown" and found[1][1:] == ["of one"]
    else:
        assert found == (told, ["of all", "of one"])


@pytest.mark.parametrize(
    "x, com, stands",
    [
        (0.5, 0.1, "yes"),
        (0.95, 0.1, "unknown"),
        (1.2, 0.1, "no"),
        (0.5, 0.6, "unknown"),
    ],
)
def test_a_centre_is_inside_for_all_for_some_or_for_none(x, com, stands):
    found = uncertain_answer(stance(com=(x, 0.0, 0.5)), friction=0.6, com_tolerance=com)
    assert found.stands == stands
    low, high = found.summary["static_margin_m"]
    assert low == pytest.approx(1.0 - x - com) and high >= 1.0 - x
    assert found.summary["multiplier"] is None
    assert any("the static margin is between" in reason for reason in found.reasons)


# --- ground of any shape ----------------------------------------------------------


def gentle(**parts):
    """Return how the engine let a robot down: by 2 mm, turning by one degree."""
    given = {
        "turned": math.radians(1.0), "is_at_rest": True, "moved": 0.01, "sank": 0.0,
        "lowered": 0.002, "qpos": "rest", "start": "touch",
    }  # fmt: skip
    return SimpleNamespace(**{**given, **parts})


@pytest.fixture
def let_down(monkeypatch):
    """Return what lets a robot of 1 m down, as told."""

    def down(rest, *, tips=False, soft_rest="same", has_world=True, touched=""):
        calls = []

        def put_down(scene, data, size, friction, is_hard=True):
            calls.append((data, size, friction, is_hard))
            return rest if is_hard or soft_rest == "same" else soft_rest

        def tip(scene, data, size, friction):
            calls.append(("tips", data))
            return tips

        monkeypatch.setattr(terrain, "shapes_extent", lambda scene, data: 1.0)
        monkeypatch.setattr(terrain, "put_down", put_down)
        monkeypatch.setattr(terrain, "tips_when_let_go", tip)
        monkeypatch.setattr(terrain, "touching_body", lambda scene, data: touched)
        monkeypatch.setattr(terrain, "lands_on", lambda scene, data: (f"on {data}",))
        monkeypatch.setattr(terrain, "_own_pose", lambda r, s, pose, qpos: qpos)
        robot: Any = SimpleNamespace(has_world=has_world)
        scene: Any = SimpleNamespace(data_at=lambda robot, pose: pose)
        return on_terrain(robot, scene, "given", 0.5), calls

    return down


def test_a_robot_is_let_down_where_it_rests(let_down):
    found, calls = let_down(gentle(sank=9e-5, lowered=0.002))
    assert (found.pose, found.data, found.plane) == ("rest", "rest", None)
    assert found.turned == pytest.approx(math.radians(1.0))
    assert (found.ended, found.falls, found.trouble) == ((), "", "")
    assert found.is_at_rest and not found.may_tip
    assert found.sank == pytest.approx(0.00209)  # in all
    assert calls == [("given", 1.0, 0.5, True)]


def test_nothing_below_lets_it_fall(let_down):
    found, _ = let_down(None)
    assert found.falls == "there is no ground below it" and found.pose == "given"


@pytest.mark.parametrize("how", [{"turned": math.radians(11.0)}, {"is_at_rest": False}])
@pytest.mark.parametrize("tips", [True, False])
def test_one_that_goes_over_is_told_as_it_touched(let_down, how, tips):
    found, calls = let_down(gentle(**how), tips=tips)
    assert found.pose == "touch" and found.ended == ("on rest",)
    assert ("tips", "touch") in calls and found.may_tip is tips
    wanted = "" if tips else "the result depends on how it is put down"
    assert found.trouble == wanted
    other, _ = let_down(gentle(**how), touched="a ball")
    assert other.trouble == "a ball"


@pytest.mark.parametrize(
    "moved, turned, slides", [(0.51, 1.0, 1), (0.49, 1.0, 0), (0.51, 11.0, 0)]
)
def test_one_that_goes_far_slides_or_rolls(let_down, moved, turned, slides):
    found, _ = let_down(gentle(moved=moved, turned=math.radians(turned)), tips=True)
    assert found.falls.startswith("it slides or rolls away, by 0.51 m") is bool(slides)


@pytest.mark.parametrize(
    "soft_rest, tips",
    [
        (None, True), (gentle(), False), (gentle(turned=math.radians(11.0)), True),
        (gentle(moved=0.21), True), (gentle(moved=0.19), False),
    ],
)  # fmt: skip
def test_contacts_of_the_file_are_asked_where_it_sank(let_down, soft_rest, tips):
    sank = gentle(sank=2e-4)
    found, calls = let_down(sank, soft_rest=soft_rest)
    assert found.may_tip is tips
    assert calls[-1] == ("given", 1.0, 0.5, False)
    alone, calls = let_down(sank, soft_rest=soft_rest, has_world=False)
    assert alone.may_tip is False and all(call[-1] is not False for call in calls)


# --- which way down ---------------------------------------------------------------


@dataclass
class Scene:
    """A scene with a plane among its ground, gravity 2 m/s²."""

    data: Any
    gravity: Any = None
    strength: float = 2.0
    planes: tuple[int, ...] = (1,)

    def data_at(self, robot, pose):
        return self.data


def test_planes_come_first_and_count_where_nothing_else_is_met(monkeypatch):
    def down(name, *, alone=True, falls="", ended=(), at_rest=True, normal=1.0):
        geoms = np.zeros((2, 9))
        geoms[:, 8] = normal
        data = SimpleNamespace(geom_xmat=geoms, geom_xpos=np.array([[0, 0, 0.5]] * 2))
        scene: Any = Scene(data)
        pose: Any = JudgedPose(name, data, None, falls=falls, ended=ended,
                               is_at_rest=at_rest)  # fmt: skip
        seen = []

        def on_plane(robot, scene, given, plane, up, friction):
            seen.append((plane.offset, plane.geom, scene.gravity.tolist()))
            return pose

        monkeypatch.setattr(settle, "floor_of", lambda scene, data: None)
        monkeypatch.setattr(settle, "touching_body", lambda scene, data: "")
        monkeypatch.setattr(settle, "_too_deep", lambda *given: "")
        monkeypatch.setattr(settle, "on_plane", on_plane)
        monkeypatch.setattr(settle, "_is_alone", lambda *given: alone)
        monkeypatch.setattr(settle, "on_terrain", lambda *given: "terrain")
        up = np.array([0.0, 0.0, 1.0])
        return put_robot_down(None, scene, "given", up, 0.5), seen  # pyright: ignore

    found, seen = down("plane")
    assert found.pose == "plane" and seen == [(0.5, 1, [0.0, 0.0, -2.0])]
    for how in (
        {"alone": False},
        {"falls": "x"},
        {"ended": ("a",)},
        {"at_rest": False},
    ):
        assert down("plane", **how)[0] == "terrain"
    found, seen = down("plane", normal=0.0)
    assert (found, seen) == ("terrain", [])
