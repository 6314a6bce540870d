"""Each criterion of a check by itself: every branch, on cases that are made up."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.robots.stance.turns import GroundTurn
from equipoise.runs.check import criterion
from equipoise.runs.check.criteria import joints
from equipoise.runs.check.criteria.contacts import ContactsCriterion
from equipoise.runs.check.criteria.grip import GripCriterion
from equipoise.runs.check.criterion import Case, Judgement, criteria, judgement
from equipoise.runs.check.friction import StanceGrip
from equipoise.runs.check.joints import TorqueShares
from equipoise.runs.check.result import Question
from equipoise.runs.check.verdict import margins_of
from oracles.check_cases import NO, SQUARE, YES, case, grip, holds, stance

# --- what criteria share ----------------------------------------------------------


def test_an_answer_keeps_what_was_found_before_and_adds_to_it():
    found = YES.revised("no", ["tips"], angle=2.0)
    assert found == Judgement("no", ["tips"], {"kept": 1, "angle": 2.0})
    assert YES.revised("yes", [], kept=2).summary == {"kept": 2}
    assert YES.summary == {"kept": 1}
    held = YES.held_by("its joints held")
    assert held.reasons == ["its joints held", "it is inside"]
    assert (held.words, held.stands) == ("its joints held", "yes")
    assert YES.reasons == ["it is inside"]


def test_criteria_are_asked_by_rank_and_quick_looks_leave_out_what_takes_long():
    found = criteria()
    ranks = [criterion.rank for criterion in found]
    assert ranks == sorted(ranks)
    names = [type(criterion).__name__ for criterion in found]
    assert names[0] == "ContactsCriterion"
    slow = {type(c).__name__ for c in found if getattr(c, "takes_long", False)}
    assert slow == {"EngineFloorCriterion", "NeighboursCriterion", "OwnFloorCriterion"}


@pytest.mark.parametrize("is_quick", [False, True])
def test_every_criterion_sees_what_the_ones_before_found(monkeypatch, is_quick):
    def made(name, takes_long):
        def judge(case, so_far):
            return so_far.revised("yes", [*so_far.reasons, name])

        return SimpleNamespace(judge=judge, takes_long=takes_long)

    some = (
        made("a", False),
        made("b", True),
        SimpleNamespace(judge=made("c", 0).judge),
    )
    monkeypatch.setattr(criterion, "criteria", lambda: some)
    weakest = np.array([1.0, 0.0])
    found = judgement(case(margins=SimpleNamespace(weakest=weakest)), is_quick=is_quick)
    assert found.reasons == (["a", "c"] if is_quick else ["a", "b", "c"])
    assert found.weakest is weakest
    monkeypatch.setattr(criterion, "criteria", lambda: ())
    nothing = judgement(case(margins=SimpleNamespace(weakest=None)), is_quick=is_quick)
    assert (nothing.stands, nothing.reasons, nothing.summary) == ("unknown", [], {})


def real_case(**parts):
    """Return a case of which only some parts exist."""
    found = object.__new__(Case)
    for name, value in parts.items():
        object.__setattr__(found, name, value)
    return found


@pytest.mark.parametrize(
    "early, points, ground, leg, wanted",
    [
        (None, SQUARE, 100.0, None, True),
        (None, SQUARE, None, 5.0, True),
        (None, SQUARE, None, None, False),
        (None, SQUARE[:0], 100.0, None, False),
        (("no", "air"), SQUARE, 100.0, None, False),
    ],
)
def test_a_case_is_on_springs_if_something_touches(early, points, ground, leg, wanted):
    found = real_case(
        question=Question(ground_stiffness=ground, leg_stiffness=leg),
        early=early,
        stance=stance(points=points),
    )
    assert found.is_on_springs is wanted


@pytest.mark.parametrize("early", [None, ("unknown", "why")])
@pytest.mark.parametrize("pulls", [(), ("a tendon",)])
def test_a_case_is_pulled_by_more_than_its_weight(early, pulls):
    found = real_case(early=early, scene=SimpleNamespace(pulls=pulls))
    assert found.is_pulled is (early is None and bool(pulls))


def test_a_case_is_let_go_where_it_settled_and_put_on_its_drives_there(monkeypatch):
    parts = {
        name: name for name in ("scene", "lying", "turn", "grip", "holds", "start")
    }
    seen = []

    def place(*given):
        seen.append(given)
        return given[0].place

    def drives(*given, is_held):
        return given, is_held

    monkeypatch.setattr(criterion, "let_go_from", place)
    monkeypatch.setattr(criterion, "robot_on_own_drives", drives)
    data = SimpleNamespace(data="data")
    for mode, here in (("held", "here"), ("own", "here"), ("own", None)):
        robot = SimpleNamespace(place=here)
        found = real_case(robot=robot, settled=data, mode=mode, **parts)
        assert found.let_go_from == here
        assert seen.pop() == (robot, "scene", "data", "lying", "turn", "grip")
        if here is None:
            assert found.drives is None
        else:
            given = ("here", "lying", "grip", "holds", "start")
            assert found.drives == (given, mode == "held")


def test_feet_are_grouped_as_the_user_says():
    robot, question = SimpleNamespace(name="crab"), Question(feet={"both": ["foot0"]})
    found = real_case(robot=robot, stance=stance(points=SQUARE / 9), question=question)
    first, *rest = found.patches.tolist()
    assert first not in rest
    assert real_case(
        robot=robot, stance=stance(), question=Question()
    ).patches is None  # fmt: skip


@pytest.mark.parametrize(
    "mode, has_world, count, is_all, early, wanted",
    [
        ("own", True, 1, False, None, True),
        ("held", True, 1, False, None, False),
        ("own", False, 1, False, None, False),
        ("own", True, 0, False, None, False),
        ("own", True, 1, True, None, False),
        ("own", True, 1, False, ("no", "air"), False),
    ],
)
def test_a_case_is_on_own_drives(mode, has_world, count, is_all, early, wanted):
    found = real_case(
        mode=mode,
        robot=SimpleNamespace(has_world=has_world),
        holds=holds(count, is_all=is_all),
        early=early,
    )
    assert found.is_on_own_drives is wanted


# --- contacts and friction --------------------------------------------------------


def test_contacts_answer_first():
    judge = ContactsCriterion().judge
    begun = Judgement("unknown", [], {})
    found = judge(case(early=("no", "it floats"), is_pulled=True), begun)
    assert (found.stands, found.reasons) == ("no", ["it floats"])
    scene = SimpleNamespace(pulls=("a", "b", "c", "d"), loose=())
    found = judge(case(is_pulled=True, scene=scene), begun)
    assert (found.stands, found.reasons) == (
        "yes",
        ["besides its weight there is a; b; c"],
    )
    here = stance(com=(0.9, 0.0, 0.5))
    asked = case(stance=here, margins=margins_of(here, 0.6))
    assert (
        judge(asked, begun).reasons[0].startswith("its centre of mass is 0.1000 m in")
    )
    nothing = stance(points=SQUARE[:0])
    found = judge(case(is_pulled=True, scene=scene, stance=nothing), begun)
    assert found.stands == "no"
    tipped = stance(com=(1.2, 0.0, 0.5), slope=0.1)
    for limits, held in (
        (None, "friction hold"),
        ({}, "friction and its joints' torques"),
    ):
        kind = replace(margins_of(tipped, 0.6), static=None)
        found = judge(case(stance=tipped, margins=kind, limits=limits), begun)
        assert found.stands == "no"
        assert held in found.reasons[0]


def test_friction_gets_a_second_look():
    judge = GripCriterion().judge
    odd = grip(0.5, odd=("a", "b", "c", "d"))
    assert judge(case(early=("no", ""), grip=odd), YES) is YES
    assert judge(case(stance=stance(points=SQUARE[:0]), grip=odd), YES) is YES
    found = judge(case(grip=odd), YES)
    assert found.stands == "unknown"
    assert found.reasons == ["not understood: a; b; c", "it is inside"]
    found = judge(case(grip=grip(0.0)), YES)
    assert (found.stands, len(found.reasons)) == ("unknown", 1)
    assert judge(case(grip=grip(0.0)), NO) is NO
    assert judge(case(grip=grip(0.6)), YES) is YES
    one = StanceGrip(np.zeros(4), np.array([0.0, 0.0, 0.0, 0.1]), "file")
    assert judge(case(grip=one), YES) is YES


@pytest.mark.parametrize(
    "sure, most, stands",
    [(0.2, 0.5, "unknown"), (0.2, 0.3, "no"), (0.5, 0.5, "no")],
)
def test_what_holds_in_some_directions_only_is_not_known(sure, most, stands):
    # tan 20 degrees is 0.364: below that friction does not hold it
    slope = math.radians(20.0)
    tilted = stance(com=(0.0, 0.0, 0.1), slope=slope)
    found = GripCriterion().judge(case(stance=tilted, grip=grip(sure, most)), NO)
    assert found.stands == stands
    assert found.reasons[-1] == "it is outside"
    assert len(found.reasons) == (2 if stands == "unknown" else 1)


# --- joints -----------------------------------------------------------------------


def test_who_holds_the_joints():
    judge = joints.JointsCriterion().judge
    assert judge(case(early=("no", ""), mode="held"), YES) is YES
    assert judge(case(holds=holds(0), mode="held"), YES) is YES
    assert judge(case(mode="held"), NO) is NO
    found = judge(case(mode="held"), YES)
    assert found.words == "its 3 joints taken as held"
    all_motors = holds(2, motors=("a", "b"), is_all=True)
    pulled = case(is_pulled=True, holds=all_motors, torques=TorqueShares(9.0, 9.0))
    assert judge(pulled, YES).words == "its 2 motor joints held by a controller"
    odd = holds(unknown=("a", "b", "c", "d"))
    found = judge(case(holds=odd, is_pulled=True), YES)
    assert (found.stands, found.reasons) == ("unknown", ["not understood: a; b; c"])
    assert judge(case(), YES) is YES


NEED = "its motors need {} of their torque limits once its contacts have given way"


@pytest.mark.parametrize(
    "least, carried, is_helped, stands, said",
    [
        (None, None, False, "yes", "its 2 motor joints held by a controller"),
        (
            1.2,
            1.5,
            False,
            "no",
            "its motors are too weak to hold it: they would need 1.2 ",
        ),
        (1.0, 1.5, False, "unknown", joints.BRACED),
        (1.0, 1.5, True, "unknown", joints.BRACED + joints.HELPED),
        (None, 1.01, False, "unknown", joints.BRACED),
        (0.5, 1.0, False, "unknown", NEED.format(1)),
        (0.5, 0.96, False, "unknown", NEED.format(0.96)),
        (
            0.5,
            0.95,
            False,
            "yes",
            "its 2 motor joints held by a controller, at 0.95 of",
        ),
        (0.5, 0.2, False, "yes", "its 2 motor joints held by a controller, at 0.2 of"),
    ],
)
def test_motors_by_the_torque_that_they_need(least, carried, is_helped, stands, said):
    asked = case(
        holds=holds(2, motors=("a", "b"), is_all=True),
        torques=TorqueShares(least, carried, is_helped, unpushed=carried),
    )
    found = joints.JointsCriterion().judge(asked, YES)
    assert found.stands == stands
    assert found.reasons[0].startswith(said)
    assert found.reasons[0].endswith(joints.HELPED) is is_helped
    assert found.reasons[1:] == ["it is inside"]


@pytest.mark.parametrize(
    "how, carried, leaned, stands",
    [
        ("rests", 0.5, 0.96, "unknown"),
        ("rests", 0.5, None, "yes"),
        ("rests", 0.5, 0.4, "yes"),
        ("rests", 0.3, 0.96, "yes"),
        ("falls", 0.5, 0.96, "yes"),
    ],
)
@pytest.mark.parametrize("is_tilted", [False, True])
def test_a_lean_on_soft_contacts_counts_for_motors(
    monkeypatch, how, carried, leaned, stands, is_tilted
):
    """The robot leans with its contacts: gravity leans the other way."""
    a = 0.2
    lean = np.array(
        [[math.cos(a), 0, math.sin(a)], [0, 1.0, 0], [-math.sin(a), 0, math.cos(a)]]
    )
    R = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]) if is_tilted else None
    up = np.array([0.6, 0.0, 0.8]) if is_tilted else np.array([0.0, 0.0, 1.0])
    seen, robot = [], SimpleNamespace(has_world=True)

    def turned(robot, pose, lying, turn):
        seen.append((robot, pose, lying, turn))
        return "posed", "turned"

    def shares(*given):
        assert given == (robot, "posed", "turned", "grip", 9.81)
        return TorqueShares(None, leaned)

    monkeypatch.setattr(joints, "turned_stance", turned)
    monkeypatch.setattr(joints, "torque_shares", shares)
    asked = case(
        robot=robot,
        grip="grip",
        lying="lying",
        settled=SimpleNamespace(pose="pose"),
        turn=GroundTurn(up, R),
        drives=SimpleNamespace(rest=SimpleNamespace(how=how), lean=lean),
        holds=holds(2, motors=("a", "b"), is_all=True),
        torques=TorqueShares(0.5, carried),
    )
    found = joints.JointsCriterion().judge(asked, YES)
    assert found.stands == stands
    if how == "rests" and carried > 0.3:
        ((asked_robot, pose, lying, turn),) = seen
        assert (asked_robot, pose, lying) == (robot, "pose", "lying")
        np.testing.assert_allclose(lean @ turn.up, up, atol=1e-15)  # rounding
        np.testing.assert_array_equal(turn.R, (np.eye(3) if R is None else R) @ lean)
    else:
        assert not seen
