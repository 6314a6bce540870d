"""What takes an answer of a check away: settling, neighbours, springs, tolerances."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.runs.check.criteria import neighbours, settling, springs, tolerances
from equipoise.runs.check.rest import JudgedPose
from equipoise.runs.check.result import Question
from equipoise.runs.check.uncertain import Tolerances
from oracles.check_cases import NO, UNKNOWN, YES, case, grip, stance

PLANE = SimpleNamespace(normal=np.array([0.0, 0.0, 1.0]), offset=0.0)


def put_down(**parts):
    given = {"turned": 0.0, "sank": 0.0, **parts}
    return JudgedPose(np.zeros(7), None, given.pop("plane", None), **given)


@pytest.mark.parametrize(
    "so_far, how, parts, stands, said",
    [
        (YES, {"trouble": "a bug bites"}, {}, "unknown", ["a bug bites"]),
        (YES, {"turned": None, "falls": "x"}, {}, "yes", YES.reasons),
        (YES, {"falls": "x"}, {"is_pulled": True}, "yes", YES.reasons),
        (YES, {"falls": "it slides"}, {}, "no", ["it slides"]),
        (
            YES,
            {"turned": math.radians(11), "ended": tuple("abcde")},
            {},
            "no",
            [
                "it tips: put down gently it turns by 11 degrees, onto a, b, c, d",
                *YES.reasons,
            ],
        ),
        (
            YES,
            {"turned": math.radians(11)},
            {},
            "no",
            [
                "it tips: put down gently it turns by 11 degrees, onto nothing",
                *YES.reasons,
            ],
        ),
        (YES, {"turned": math.radians(9.9)}, {}, "yes", YES.reasons),
        (
            YES,
            {"turned": 0.1, "plane": PLANE, "is_at_rest": False},
            {},
            "no",
            ["it tips: put down gently it turns over and over", *YES.reasons],
        ),
        (YES, {"turned": 0.1, "plane": PLANE}, {}, "yes", YES.reasons),
        (
            YES,
            {"turned": 0.1, "is_at_rest": False},
            {},
            "unknown",
            ["put down gently it did not come to rest", *YES.reasons],
        ),
        (
            NO,
            {"turned": 0.1},
            {},
            "unknown",
            [
                "it rests in the engine in a place that its contacts contradict",
                *NO.reasons,
            ],
        ),
        (NO, {"turned": 0.0}, {}, "no", NO.reasons),
        (NO, {"turned": 0.1, "plane": PLANE}, {}, "no", NO.reasons),
        (
            YES,
            {"is_robust": False},
            {},
            "unknown",
            ["its centre of mass is on the very"],
        ),
        (NO, {"is_robust": False, "plane": PLANE}, {}, "no", NO.reasons),
        (
            YES,
            {"may_tip": True},
            {},
            "unknown",
            ["dropped from here it may tip", *YES.reasons],
        ),
        (NO, {"may_tip": True}, {}, "no", NO.reasons),
    ],
)
def test_settling_takes_an_answer_away(monkeypatch, so_far, how, parts, stands, said):
    monkeypatch.setattr(settling, "shapes_extent", lambda scene, data: 1.0)
    asked = case(settled=put_down(**how), margins=SimpleNamespace(static=None), **parts)
    found = settling.SettlingCriterion().judge(asked, so_far)
    assert found.stands == stands
    assert len(found.reasons) == len(said)
    assert found.reasons[0].startswith(said[0])
    assert found.reasons[1:] == said[1:]
    early = replace(asked, early=("no", "why"))
    assert settling.SettlingCriterion().judge(early, so_far) is so_far


@pytest.mark.parametrize(
    "static, stands",
    [
        (0.0, "no"),
        (-1e-3, "unknown"),
        (-3.9e-3, "unknown"),
        (-4.1e-3, "no"),
        (None, "no"),
    ],
)
def test_a_centre_outside_by_next_to_nothing_is_on_the_edge(
    monkeypatch, static, stands
):
    monkeypatch.setattr(
        settling, "shapes_extent", lambda scene, data: 2.0
    )  # 4 mm are nothing
    asked = case(settled=put_down(plane=PLANE), margins=SimpleNamespace(static=static))
    assert settling.SettlingCriterion().judge(asked, NO).stands == stands


# --- neighbours, springs, tolerances ----------------------------------------------


@pytest.mark.parametrize("name", ["", "a ball"])
def test_neighbours_are_watched_only_where_it_stands(monkeypatch, name):
    judge = neighbours.NeighboursCriterion().judge
    monkeypatch.setattr(neighbours, "shapes_extent", lambda scene, data: 0.5)
    data = SimpleNamespace(of="settled")

    def moving(scene, given, size):
        assert given is not data and given.of == "settled" and size == 0.5
        return name

    monkeypatch.setattr(neighbours, "moving_neighbour", moving)
    scene = SimpleNamespace(loose=(3,), pulls=())
    asked = case(scene=scene, settled=SimpleNamespace(data=data))
    assert judge(asked, NO) is NO
    assert judge(replace(asked, scene=SimpleNamespace(loose=())), YES) is YES
    found = judge(asked, YES)
    if not name:
        assert found is YES
    else:
        assert found.stands == "unknown"
        assert found.reasons == ["not followed: a ball", "it is inside"]


@pytest.mark.parametrize(
    "so_far, is_stable, is_known, stands, first",
    [
        (YES, True, True, "yes", "it is inside"),
        (YES, False, True, "no", "springs say"),
        (YES, False, False, "unknown", "springs say"),
        (NO, True, True, "no", "it is outside"),
        (NO, False, True, "no", "it is outside"),
        (UNKNOWN, False, False, "unknown", "who knows"),
    ],
)
def test_springs_only_take_a_yes_away(
    monkeypatch, so_far, is_stable, is_known, stands, first
):
    told = SimpleNamespace(
        stance=SimpleNamespace(stable=is_stable, reason="springs say"),
        summary={"weakest_direction": [0.0, 1.0]},
        is_known=is_known,
    )

    def soft(stance, ground, leg, patches, gravity):
        assert (ground, leg, patches, gravity) == (100.0, 7.0, "patches", 1.6)
        return told

    monkeypatch.setattr(springs, "soft_answer", soft)
    judge = springs.SpringsCriterion().judge
    question = Question(ground_stiffness=100.0, leg_stiffness=7.0)
    asked = case(is_on_springs=True, question=question, patches="patches", gravity=1.6)
    found = judge(asked, so_far)
    assert (found.stands, found.reasons[0]) == (stands, first)
    assert len(found.reasons) == (2 if so_far is YES else 1)
    assert found.summary == {"kept": 1, "compliance": told.summary}
    assert found.weakest is not None and found.weakest.tolist() == [0.0, 1.0]
    rigid = judge(replace(asked, is_on_springs=False), so_far)
    assert rigid == so_far.revised(so_far.stands, so_far.reasons, compliance=None)
    tilted = judge(replace(asked, stance=stance(slope=0.1)), so_far)
    assert tilted.stands == ("unknown" if so_far is YES else so_far.stands)
    assert tilted.reasons == [
        *so_far.reasons,
        "springs are judged on level ground only",
    ]
    assert tilted.summary["compliance"] is None


@pytest.mark.parametrize("early", [None, ("unknown", "why")])
@pytest.mark.parametrize("is_soft", [False, True])
@pytest.mark.parametrize("limits", [None, {}])
def test_tolerances_are_asked_of_what_can_be_judged(
    monkeypatch, early, is_soft, limits
):
    told = SimpleNamespace(stands="no", reasons=["too loose"], summary={"low": 1})
    asked_of = []

    def within(stance, friction, feet, tolerances, gravity):
        asked_of.append((friction.tolist(), feet, tolerances, gravity))
        return told

    def loosened(stands, reasons, answer, *, is_limited):
        assert (stands, reasons, answer) == ("yes", YES.reasons, told)
        assert is_limited is (limits is not None)
        return "no", ["loosened"]

    monkeypatch.setattr(tolerances, "stands_within", within)
    monkeypatch.setattr(tolerances, "loosened", loosened)
    monkeypatch.setattr(tolerances, "soft_feet", lambda *given: given[1:])
    loose = Tolerances(mass=0.1)
    question = Question(tolerances=loose, ground_stiffness=100.0, leg_stiffness=7.0)
    asked = case(
        early=early, is_on_springs=is_soft, limits=limits, question=question,
        grip=grip(0.3, 0.9), patches="patches",
    )  # fmt: skip
    judge = tolerances.TolerancesCriterion().judge
    found = judge(asked, YES)
    feet = (100.0, 7.0, "patches") if is_soft else None
    assert asked_of == [([0.3] * 4, feet, loose, 9.81)]
    assert found.summary["intervals"] == {"low": 1}
    wanted = ("no", ["loosened"]) if early is None else ("yes", YES.reasons)
    assert (found.stands, found.reasons) == wanted
    judge(replace(asked, stance=stance(slope=0.1)), YES)
    assert asked_of[-1][1] is None  # springs are judged on level ground only
    exact = judge(replace(asked, question=Question()), YES)
    assert exact == YES.revised("yes", YES.reasons, intervals=None)
    assert len(asked_of) == 2
