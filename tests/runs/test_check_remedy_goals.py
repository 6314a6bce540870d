"""What remedies must reach: all that is missing at once, else part by part."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from equipoise.runs.check.remedies import find, goal
from equipoise.runs.check.remedies.goal import Goal, remedy_goals
from equipoise.runs.check.require.requirement import required


def answered(stands, answers=(), *, no_worse=False, is_no_worse=None, wanted=None):
    """Return a check with made up answers to what is required."""
    requirements = required(wanted)
    return SimpleNamespace(
        asked=SimpleNamespace(requirements=requirements, no_worse=no_worse),
        stands=stands,
        requirements=[
            SimpleNamespace(requirement=one, answer=answer)
            for one, answer in zip(requirements, answers, strict=True)
        ],
        comparison=is_no_worse and SimpleNamespace(is_no_worse=is_no_worse),
    )


def test_all_is_wanted_at_once_else_part_by_part():
    margin, friction = required({"margin": 0.02, "friction": 0.3})
    both = {"margin": 0.02, "friction": 0.3, "mass": 5.0}
    assert remedy_goals(answered("yes", ["yes", "yes", "no"], wanted=both)) == []
    whole, *parts = remedy_goals(answered("no", ["no", "yes", "no"], wanted=both))
    assert whole == Goal((margin, friction), False, False)
    assert parts == [Goal(), Goal((margin,), False, False)]
    whole, *parts = remedy_goals(answered("yes", ["no", "unknown", "yes"], wanted=both))
    assert whole.stands_already
    assert parts == [Goal((margin,), False, True), Goal((friction,), False, True)]
    assert remedy_goals(answered("no")) == [Goal()]
    worse = answered("yes", no_worse=True, is_no_worse="no")
    assert remedy_goals(worse) == [Goal((), True, True)]
    assert remedy_goals(answered("yes", no_worse=True, is_no_worse="yes")) == []
    assert remedy_goals(answered("yes", no_worse=False, is_no_worse="no")) == []
    both_parts = answered("no", no_worse=True, is_no_worse="unknown")
    assert (
        remedy_goals(both_parts) == [Goal((), True), Goal(), Goal((), True, False)][:2]
    )
    alone = answered("no")
    alone.asked = None
    assert remedy_goals(alone) == []


def test_a_goal_in_words():
    wanted = required({"margin": 0.02, "friction": 0.3})
    assert Goal().sentence == "it stands"
    assert Goal((), False, True).sentence == "it stands"
    assert Goal(wanted[:1]).sentence == "it stands and its margin is at least 0.02 m"
    assert Goal(wanted[:1], False, True).sentence == "its margin is at least 0.02 m"
    assert Goal(wanted, True, True).sentence == (
        "it stands with friction of 0.3 and its margin is at least 0.02 m "
        "and it is no worse than before"
    )
    assert Goal((), True).sentence == "it stands and it is no worse than before"


@pytest.mark.parametrize("is_quick", [False, True])
@pytest.mark.parametrize(
    "stands, margin, inside, worse, friction, is_met",
    [
        ("yes", 0.03, 0.0, "yes", "yes", True),
        ("no", 0.03, 0.0, "yes", "yes", False),
        ("unknown", 0.03, 0.0, "yes", "yes", False),
        ("yes", 0.03, 0.03, "yes", "yes", True),
        ("yes", 0.03, 0.031, "yes", "yes", False),
        ("yes", 0.019, 0.0, "yes", "yes", False),
        ("yes", 0.03, 0.0, "no", "yes", False),
        ("yes", 0.03, 0.0, "unknown", "yes", False),
        ("yes", 0.03, 0.0, "yes", "unknown", False),
    ],
)
def test_a_goal_is_met_by_a_check_of_the_changed_robot(
    monkeypatch, is_quick, stands, margin, inside, worse, friction, is_met
):
    found = SimpleNamespace(stands=stands, summary={"static_margin_m": margin})
    asked = SimpleNamespace(
        robot="r", start="s", question="q", settle=False, before="before"
    )

    def judged(*given, settle, is_quick):
        assert (given, settle, is_quick) == (("r", "s", "q"), False, quick)
        return found

    def stands_with(requirement, given, result, *, is_quick):
        assert (given, result, is_quick) == (asked, found, quick)
        return friction

    quick = is_quick
    monkeypatch.setattr(goal, "judged_pose", judged)
    monkeypatch.setattr(goal, "judged_change", lambda old, new: (worse, old))
    monkeypatch.setattr(goal, "stands_with", stands_with)
    wanted = required({"margin": 0.02, "friction": 0.3})
    asked_for = Goal(wanted, True, False, inside)
    assert asked_for.is_met(asked, is_quick=is_quick) is is_met
    monkeypatch.setattr(goal, "judged_change", pytest.fail)
    if worse == "yes":
        alone = replace(asked_for, is_no_worse=False)
        assert alone.is_met(asked, is_quick=is_quick) is is_met
        asked.before = None
        assert asked_for.is_met(asked, is_quick=is_quick) is is_met


# --- all of them ------------------------------------------------------------------


@pytest.mark.parametrize("whole", [["a"], []])
@pytest.mark.parametrize("own_drives", [None, {}])
def test_what_reaches_all_comes_alone(monkeypatch, whole, own_drives):
    model = SimpleNamespace(nbody=500, nv=300)
    asked = SimpleNamespace(remedies=True, robot=SimpleNamespace(scene_model=model))
    summary = {"joints_passive": [], "own_drives": own_drives}
    result = SimpleNamespace(asked=asked, verdict="no", summary=summary)
    scene = SimpleNamespace(ground=(1,), planes=(1,), shapes=range(300))
    monkeypatch.setattr(find, "robot_scene", lambda robot: scene)
    monkeypatch.setattr(find, "remedy_goals", lambda result: ["whole", "one", "two"])
    monkeypatch.setattr(
        find, "begun", lambda a, r, g: SimpleNamespace(goal=g, result=r)
    )
    found = {"whole": whole, "one": ["b"], "two": ["c"]}
    kind = "SEARCHES" if own_drives is None else "OF_DRIVES"
    other = {"SEARCHES": "OF_DRIVES", "OF_DRIVES": "SEARCHES"}[kind]
    monkeypatch.setattr(find, kind, (lambda s: found[s.goal],))
    monkeypatch.setattr(find, other, (pytest.fail,))
    wanted = ("a",) if whole else ("b", "c")
    assert find.remedies_of(result) == wanted

    def changed(**parts):
        return SimpleNamespace(**{**vars(result), **parts})

    assert find.remedies_of(changed(asked=None)) == ()
    assert find.remedies_of(changed(verdict="yes")) == ()
    assert find.remedies_of(changed(verdict="unknown")) == wanted
    passive = summary | {"joints_passive": ["wrist"]}
    assert find.remedies_of(changed(summary=passive)) == ()
    for name, value in (("nbody", 501), ("nv", 301)):
        before = getattr(model, name)
        setattr(model, name, value)
        assert find.remedies_of(result) == ()
        setattr(model, name, before)
    for parts in ({"shapes": range(301)}, {"planes": ()}):
        monkeypatch.setattr(
            find,
            "robot_scene",
            lambda r, p=parts: SimpleNamespace(**{**vars(scene), **p}),
        )
        assert find.remedies_of(result) == ()
    asked.remedies = False
    assert find.remedies_of(result) == ()
