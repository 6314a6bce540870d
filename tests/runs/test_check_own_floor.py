"""What the engine says of a robot in a check: its file's floor, and being let go."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.robots.stance.turns import GroundTurn
from equipoise.runs.check.criteria import engine_floor, own_floor
from equipoise.runs.check.floor import FloorAnswer
from equipoise.runs.check.own_joints import DrivesAnswer
from equipoise.runs.check.result import Question
from oracles.check_cases import NO, YES, case, holds

# --- the engine's floor -----------------------------------------------------------


def floor_case(**changes):
    """Return a case that stands level on the floor of its own file."""
    model = SimpleNamespace(of="file")
    scene = SimpleNamespace(
        bodies=np.array([False, False, True, True]),
        model=model,
        ground=(0,),
        pulls=(),
        loose=(),
        data_at=lambda robot, pose: SimpleNamespace(qpos=[9.0, pose]),
    )
    data = SimpleNamespace(qpos=[1.0, 2.0])
    parts = {
        "scene": scene,
        "settled": SimpleNamespace(turned=0.0, ended=(), trouble="", data=data),
        "given": 5.0,
        "let_go_from": SimpleNamespace(
            scene=SimpleNamespace(model=SimpleNamespace(of="floored")), height=0.7
        ),
    }
    return case(**{**parts, **changes})


@pytest.mark.parametrize("decides", [False, True])
@pytest.mark.parametrize("ground", [(0,), ()])
@pytest.mark.parametrize("has_place", [True, False])
def test_the_engines_floor_is_asked_about_rest_and_start(
    monkeypatch, decides, ground, has_place
):
    seen = []

    def floor_answer(model, rests, root, given, height):
        seen.append((model.of, rests.tolist(), root, given.tolist(), height))
        return FloorAnswer("no", "it tips", {"lean": 1}, None)

    monkeypatch.setattr(engine_floor, "floor_answer", floor_answer)
    asked = floor_case(question=Question(ground="engine" if decides else "rigid"))
    asked.scene.ground = ground
    if not has_place:
        asked.let_go_from = None
    found = engine_floor.EngineFloorCriterion().judge(asked, YES)
    if not ground and not has_place:
        assert (found.summary["engine_floor"], seen) == (None, [])
        return
    of = "file" if ground else "floored"
    height = 0.7 if has_place else math.inf
    assert seen == [(of, [1.0, 2.0], 2, [9.0, 5.0], height)]
    assert found.stands == ("no" if decides else "unknown")
    assert found.summary["engine_floor"] == {"lean": 1}


@pytest.mark.parametrize(
    "name, value",
    [
        ("early", ("unknown", "why")),
        ("robot", SimpleNamespace(has_world=False)),
        ("question", Question(ground_stiffness=5.0)),
        ("question", Question(leg_stiffness=5.0)),
        ("turn", GroundTurn(np.array([0.0, 0.0, 1.0]), np.eye(3))),
        ("settled", SimpleNamespace(turned=None, ended=(), trouble="")),
        ("settled", SimpleNamespace(turned=0.0, ended=("a",), trouble="")),
        ("settled", SimpleNamespace(turned=0.0, ended=(), trouble="a bug")),
    ],
)
def test_the_engines_floor_is_not_asked_otherwise(monkeypatch, name, value):
    monkeypatch.setattr(engine_floor, "floor_answer", pytest.fail)
    asked = floor_case(**{name: value})
    found = engine_floor.EngineFloorCriterion().judge(asked, YES)
    assert found == YES.revised("yes", YES.reasons, engine_floor=None)


# --- let go on its own floor ------------------------------------------------------


def trial(stands, sentence="seen", *, creeps=False, falls=False, qpos="there"):
    return SimpleNamespace(
        stands=stands,
        sentence=sentence,
        creeps=creeps,
        trial=SimpleNamespace(falls=falls, qpos=qpos),
        summary={"seconds": 2.0},
    )


def let_go_case(monkeypatch, found, **changes):
    """Return a case whose robot is let go, and what it was let go with."""
    seen = []

    def engine_answer(*given, **named):
        seen.append((given, named))
        return found

    monkeypatch.setattr(own_floor, "engine_answer", engine_answer)
    place = SimpleNamespace(
        scene="scene", data="data", size=2.0, height=0.5, normal="up"
    )
    parts = {"let_go_from": place, "question": Question(friction=0.4)}
    return case(**{**parts, **changes}), seen


@pytest.mark.parametrize("ground", ["rigid", "engine"])
@pytest.mark.parametrize("stands", ["yes", "no", "unknown"])
def test_a_robot_with_held_joints_is_let_go(monkeypatch, stands, ground):
    asked, seen = let_go_case(
        monkeypatch, trial(stands), question=Question(friction=0.4, ground=ground)
    )
    judge = own_floor.OwnFloorCriterion().judge
    assert judge(asked, NO) is NO
    assert judge(replace(asked, let_go_from=None), YES) is YES
    file = SimpleNamespace(has_world=False)
    assert judge(replace(asked, robot=file), YES) is YES
    assert not seen
    found = judge(asked, YES)
    ((given, named),) = seen
    assert given == ("scene", "data", 2.0, 0.5)
    assert named == {"friction": 0.4, "own": None, "is_braced": False, "normal": "up"}
    if stands == "yes":
        assert found is YES
        return
    is_no = stands == "no" and ground == "engine"
    assert found.stands == ("no" if is_no else "unknown")
    first = "seen" if is_no else "balanced on hard ground; seen"
    assert found.reasons == [first, "it is inside"]
    assert found.summary["let_go"] == {"seconds": 2.0}


@pytest.mark.parametrize("creeps", [True, False])
@pytest.mark.parametrize("R", [None, np.eye(3)])
@pytest.mark.parametrize("slope", [0.0, 5.0])
def test_creeping_down_a_slope_that_was_asked_for_takes_nothing_away(
    monkeypatch, creeps, R, slope
):
    asked, _ = let_go_case(
        monkeypatch,
        trial("unknown", creeps=creeps),
        question=Question(slope_deg=slope),
        turn=GroundTurn(np.array([0.0, 0.0, 1.0]), R),
    )
    found = own_floor.OwnFloorCriterion().judge(asked, YES)
    if creeps and R is not None and slope:
        assert (found.stands, found.reasons) == ("yes", ["it is inside", "seen"])
    else:
        assert found.stands == "unknown"


def rest(stands, sentence="by drives", *, how="rests", is_crept=False):
    sag = SimpleNamespace(how=how, sunk=0.02, turned=math.radians(3.0), stiffness=40.0)
    return DrivesAnswer(stands, sentence, sag, is_crept)


def driven_case(monkeypatch, seen_in_engine, answers, share=None, **changes):
    """Return a case on its own drives; ANSWERS are for feet that stick, that crept."""
    asked, seen = let_go_case(monkeypatch, seen_in_engine, is_on_own_drives=True)
    drives = SimpleNamespace(
        own="own drives",
        relaxed="relaxed",
        height=0.5,
        holds=holds(3, own=("a", "b", "c"), passive=changes.pop("passive", ())),
    )
    asked_of = []

    def sag_answer(given, near=None):
        asked_of.append((given, near))
        return answers[1] if given == "relaxed" else answers[0]

    monkeypatch.setattr(own_floor, "sag_answer", sag_answer)
    monkeypatch.setattr(own_floor, "motor_share", lambda given, qpos=None: share)
    return replace(asked, drives=drives, **changes), seen, asked_of


@pytest.mark.parametrize("missing", ["drives", "let_go_from"])
def test_own_drives_need_ground_to_stand_on(monkeypatch, missing):
    asked, _, _ = driven_case(monkeypatch, trial("yes", ""), [rest("yes")] * 2)
    found = own_floor.OwnFloorCriterion().judge(replace(asked, **{missing: None}), YES)
    assert found.stands == "unknown"
    assert found.reasons[0].startswith("on its own drives a robot is judged on")
    assert found.reasons[1:] == YES.reasons


@pytest.mark.parametrize(
    "engine, falls, stick, crept, stands, first",
    [
        ("yes", False, "yes", "yes", "yes", "its 3 joints on their own drives"),
        ("no", True, "no", "yes", "no", "by drives"),
        ("no", True, "yes", "yes", "unknown", "seen; by equilibrium"),
        ("no", True, "yes", "no", "no", "after its feet have crept apart,  crept"),
        (
            "no",
            False,
            "yes",
            "no",
            "unknown",
            "after its feet have crept apart,  crept",
        ),
        ("no", True, "yes", "unknown", "unknown", "seen; by equilibrium"),
        ("yes", False, "no", "yes", "unknown", "by drives, but in the engine it stays"),
        ("yes", False, "yes", "no", "yes", "its 3 joints on their own drives"),
        ("unknown", False, "yes", "yes", "unknown", "seen"),
    ],
)
def test_equilibrium_and_the_engine_must_agree(
    monkeypatch, engine, falls, stick, crept, stands, first
):
    said = "" if engine == "yes" else "seen"
    asked, seen, asked_of = driven_case(
        monkeypatch,
        trial(engine, said, falls=falls),
        [rest(stick, "" if stick == "yes" else "by drives"), rest(crept, "crept")],
    )
    found = own_floor.OwnFloorCriterion().judge(asked, YES)
    assert found.stands == stands
    assert found.reasons[0].startswith(first)
    assert found.reasons[-1] == "it is inside"
    ((_, named),) = seen
    assert named["own"] == "own drives"
    assert named["is_braced"] is (crept == "no")
    assert asked_of == [
        ("relaxed", None),
        (asked.drives, "there" if engine == "yes" else None),
    ]
    assert found.summary["let_go"] == {"seconds": 2.0}
    assert found.summary["own_drives"]["rest"] == "rests"


def test_passive_joints_are_named_where_it_does_not_stand(monkeypatch):
    both = [rest("no"), rest("no")]
    asked, _, _ = driven_case(
        monkeypatch, trial("no", falls=True), both, passive=("wrist",)
    )
    found = own_floor.OwnFloorCriterion().judge(asked, YES)
    assert found.stands == "unknown"
    assert found.reasons[0].startswith("it stands if its 1 passive joint is held")
    asked, seen, _ = driven_case(
        monkeypatch, trial("no", falls=True), both, passive=("wrist",)
    )
    pulled = replace(asked, is_on_own_drives=False, is_pulled=True)
    found = own_floor.OwnFloorCriterion().judge(pulled, YES)
    assert found.stands == "no"
    assert seen[0][1]["own"] is None  # its joints are held


@pytest.mark.parametrize(
    "share, stands", [(None, "yes"), (1.0, "yes"), (1.01, "unknown"), (0.2, "yes")]
)
@pytest.mark.parametrize("is_own", [True, False])
def test_motors_beyond_their_limits_are_no_yes(monkeypatch, share, stands, is_own):
    asked, _, _ = driven_case(
        monkeypatch, trial("yes", ""), [rest("yes", ""), rest("yes", "")], share=share
    )
    asked = replace(asked, is_on_own_drives=is_own, is_pulled=not is_own)
    found = own_floor.OwnFloorCriterion().judge(asked, YES)
    assert found.stands == stands
    assert (found.words is not None) is (is_own and stands == "yes")
    if stands == "unknown":
        assert "1.01 times their torque limits" in found.reasons[0]
    elif is_own:  # it sinks by 2 of 50 cm
        assert (
            found.words
            == "its 3 joints on their own drives, sinking by 4 % of its height"
        )
    block = found.summary["own_drives"]
    assert block["motor_share"] == share
    assert block["sinks_m"] == 0.02
    assert block["sinks_share"] == pytest.approx(0.04)
    assert block["turns_deg"] == pytest.approx(3.0)
    assert block["stiffness"] == 40.0


@pytest.mark.parametrize("how", ["rests", "tilts", "falls", "unknown"])
def test_a_rest_that_is_none_has_no_numbers(monkeypatch, how):
    stuck = rest("no", how=how)
    asked, _, _ = driven_case(monkeypatch, trial("no", falls=True), [stuck, stuck])
    block = own_floor.OwnFloorCriterion().judge(asked, YES).summary["own_drives"]
    is_known = how in ("rests", "tilts")
    assert block["rest"] == how
    for name in ("sinks_m", "sinks_share", "turns_deg", "stiffness"):
        assert (block[name] is not None) is is_known
