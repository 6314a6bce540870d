"""What is required of a check, by made-up answers: senses, changes, conditions."""

import math
from types import SimpleNamespace

import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.runs.check import compare
from equipoise.runs.check.compare import comparison, judged_change, older
from equipoise.runs.check.require import answers, conditions
from equipoise.runs.check.require.answers import answers_of, number_answer
from equipoise.runs.check.require.conditions import condition_answer, stands_with
from equipoise.runs.check.require.numbers import NUMBERS, number_named
from equipoise.runs.check.require.requirement import (
    RequirementAnswer,
    required,
    typed_requirements,
)
from equipoise.runs.check.result import Question

FULL = {
    "static_margin_m": 0.05,
    "region_margin_m": 0.04,
    "energy_margin_j": 3.0,
    "region_area_m2": 0.2,
    "mass": 7.5,
    "com": (0.01, -0.02, 0.33),
    "contacts": [{"position": (0, 0, 0.02)}, {"position": (0, 0, -0.01)}],
    "joints": {"torque_share": 0.7},
    "compliance": {"multiplier": 0.3, "critical_stiffness": 900.0},
    "intervals": None,
    "run": {"worst_zmp_margin_m": 0.008},
}
READ = {
    "margin": 0.04,
    "static-margin": 0.05,
    "region-margin": 0.04,
    "energy": 3.0,
    "area": 0.2,
    "mass": 7.5,
    "height": 0.34,
    "torque-share": 0.7,
    "torque-reserve": 0.3,
    "stiffness-share": 0.3,
    "critical-stiffness": 900.0,
    "zmp-margin": 0.008,
    "friction": None,
    "slope": None,
    "ground-stiffness": None,
    "margin-drop": 0.04,
    "energy-drop": 3.0,
    "mass-rise": 7.5,
}
LEAST = {
    "margin", "static-margin", "region-margin", "energy", "area", "torque-reserve",
    "slope", "zmp-margin",
}  # fmt: skip
OF_NO_STANCE = {"mass", "zmp-margin", "mass-rise"}


def one(name, value):
    (found,) = required({name: value})
    return found


def checked(stands="yes", summary=None, **changes):
    return SimpleNamespace(
        stands=stands, summary={**(summary or FULL), **changes}, weakest=None
    )


# --- numbers ----------------------------------------------------------------------


def test_every_number_is_read_and_has_its_sense():
    assert set(NUMBERS) == set(READ)
    for name, number in NUMBERS.items():
        value = number.read(FULL)
        assert value == (None if READ[name] is None else pytest.approx(READ[name]))
        assert number.is_least is (name in LEAST), name
        assert number.is_of_stance is (name not in OF_NO_STANCE), name
        assert number.sense == ("at least" if name in LEAST else "at most")


def test_intervals_count_by_their_worse_end():
    bounds = {
        "static_margin_m": (0.03, 0.09),
        "energy_margin_j": (1.0, 9.0),
        "multiplier": [0.2, 0.45],
    }
    summary = {**FULL, "intervals": bounds}
    read = {name: NUMBERS[name].read(summary) for name in READ}
    assert (read["margin"], read["static-margin"], read["region-margin"]) == (
        0.03, 0.03, 0.04,
    )  # fmt: skip
    assert (read["energy"], read["stiffness-share"]) == (1.0, 0.45)
    bounds |= {"static_margin_m": (None, 0.1), "multiplier": [0.2, None]}
    assert NUMBERS["margin"].read(summary) is None
    assert NUMBERS["stiffness-share"].read(summary) == 0.3
    assert NUMBERS["stiffness-share"].read({"intervals": bounds}) is None
    less = {"multiplier": [0.1, 0.25]}
    assert NUMBERS["stiffness-share"].read({**FULL, "intervals": less}) == 0.3


def test_numbers_that_are_not_known_are_none():
    bare = {**FULL, "static_margin_m": None, "region_margin_m": None, "contacts": []}
    bare |= {"joints": None, "compliance": None, "run": None}
    for name in ("margin", "height", "torque-share", "torque-reserve", "zmp-margin"):
        assert NUMBERS[name].read(bare) is None
    half = {**FULL, "static_margin_m": None}
    assert NUMBERS["margin"].read(half) == 0.04
    assert NUMBERS["static-margin"].read(half) is None


def test_names_are_found_as_they_are_typed():
    assert number_named(" Static_Margin ") is NUMBERS["static-margin"]
    with pytest.raises(UnknownNameError, match="margin"):
        number_named("margins")
    assert NUMBERS["mass"].said(7.123456) == "7.123 kg"
    assert NUMBERS["torque-share"].said(0.5) == "0.5"


def test_requirements_as_typed():
    assert typed_requirements(None) == {}
    given = ["margin=0.02", "mass = 5kg "]
    assert typed_requirements(given) == {"margin": "0.02", "mass ": "5kg"}
    for bad in ("margin", "margin=", "=3", "margin= "):
        with pytest.raises(ConfigError, match="must be NAME=VALUE"):
            typed_requirements([bad])
    with pytest.raises(ConfigError, match="given twice"):
        typed_requirements(["mass=5", "mass=6"])
    (margin,) = required({"margin": "20mm"})
    assert margin.wanted == pytest.approx(0.02)
    for bad in (math.inf, math.nan, None, True, "many"):
        with pytest.raises(ConfigError, match="mass"):
            required({"mass": bad})


@pytest.mark.parametrize(
    "name, wanted, is_met",
    [
        ("margin", 0.04, True), ("margin", 0.0401, False), ("margin", 0.03, True),
        ("mass", 7.5, True), ("mass", 7.499, False), ("mass", 8.0, True),
    ],
)  # fmt: skip
def test_at_least_and_at_most_begin_at_the_number_itself(name, wanted, is_met):
    answer = number_answer(one(name, wanted), checked())
    assert answer.answer == ("yes" if is_met else "no")
    assert answer.value == READ[name]


@pytest.mark.parametrize(
    "name, wanted, stands, value, answer, sentence",
    [
        ("margin", 0.03, "yes", 0.04, "yes",
         "its margin is 0.04 m, at least 0.03 m required"),
        ("margin", 0.05, "yes", 0.04, "no",
         "its margin is 0.04 m, 0.01 m less than the required 0.05 m"),
        ("mass", 7.0, "no", 7.5, "no",
         "its mass is 7.5 kg, 0.5 kg more than the required 7 kg"),
        ("mass", 8.0, "no", 7.5, "yes", "its mass is 7.5 kg, at most 8 kg required"),
        ("margin", 0.03, "no", 0.04, "no",
         "its margin is 0.04 m, at least 0.03 m required; it does not stand"),
        ("margin", 0.05, "no", 0.04, "no",
         "its margin is 0.04 m, 0.01 m less than the required 0.05 m; it does not "
         "stand"),
        ("margin", 0.03, "unknown", 0.04, "unknown",
         "its margin is 0.04 m, at least 0.03 m required; whether it stands is not "
         "known"),
        ("margin", 0.05, "unknown", 0.04, "no",
         "its margin is 0.04 m, 0.01 m less than the required 0.05 m"),
        ("mass", 8.0, "unknown", 7.5, "yes",
         "its mass is 7.5 kg, at most 8 kg required"),
        ("margin", 0.03, "yes", None, "unknown",
         "its margin (margin) is not known for this robot"),
        ("margin", 0.03, "no", None, "no",
         "its margin (margin) is not known: it does not stand"),
    ],
)  # fmt: skip
def test_a_required_number_is_answered_in_words(
    name, wanted, stands, value, answer, sentence
):
    known = checked(stands)
    if value is None:
        known.summary |= {"static_margin_m": None, "region_margin_m": None}
    requirement = one(name, wanted)
    found = number_answer(requirement, known)
    assert found == RequirementAnswer(requirement, answer, value, sentence)
    assert found.summary == {
        "name": name,
        "sense": requirement.number.sense,
        "required": wanted,
        "unit": requirement.number.unit,
        "value": value,
        "met": answer,
        "sentence": sentence,
    }


def test_a_drop_is_what_is_lost_and_a_rise_what_is_gained():
    old = checked(region_margin_m=0.07, static_margin_m=0.1, mass=7.0)
    drop = number_answer(one("margin-drop", 0.035), checked(), old)
    assert (drop.value, drop.answer) == (pytest.approx(0.03), "yes")
    rise = number_answer(one("mass-rise", 0.4), checked(), old)
    assert (rise.value, rise.answer) == (0.5, "no")
    gone = checked(region_margin_m=None, static_margin_m=None)
    for pair in ((gone, old), (old, gone)):
        found = number_answer(one("margin-drop", 0.1), *pair)
        assert (found.value, found.answer) == (None, "unknown")
    for name in ("margin-drop", "mass-rise"):
        with pytest.raises(ConfigError, match="name an older robot"):
            number_answer(one(name, 1.0), checked())


def test_conditions_are_tried_and_numbers_are_read(monkeypatch):
    seen = []
    monkeypatch.setattr(
        answers, "condition_answer", lambda *given: seen.append(given) or "tried"
    )
    wanted = required({"margin": 0.01, "slope": 5.0, "mass-rise": 1.0})
    asked = SimpleNamespace(requirements=wanted, before=checked(mass=7.0))
    result = checked()
    margin, slope, rise = answers_of(asked, result)
    assert (margin.value, slope, rise.value) == (0.04, "tried", 0.5)
    assert seen == [(wanted[1], asked, result)]


# --- conditions -------------------------------------------------------------------


@pytest.fixture
def asking(monkeypatch):
    """Return what asks of a made-up robot, and how it was asked."""

    def asks(says, *, question=None, has_world=False, weakest=None):
        questions = []

        def judged(robot, start, question, *, settle, is_quick):
            assert (start, settle) == ("pose", False)
            questions.append((question, is_quick))
            return SimpleNamespace(stands=says(question, is_quick))

        monkeypatch.setattr(conditions, "judged_pose", judged)
        asked = SimpleNamespace(
            robot=SimpleNamespace(has_world=has_world), start="pose", settle=False,
            question=question or Question(),
        )  # fmt: skip
        return asked, SimpleNamespace(weakest=weakest), questions

    return asks


@pytest.mark.parametrize(
    "name, wanted, threshold, limit, told",
    [
        ("friction", 0.305, 0.364, 0.37, "with friction of 0.37"),
        ("friction", 0.3, 0.31, 0.31, "with friction of 0.31"),
        ("friction", 0.3, 1.995, 2.0, "with friction of 2"),
        ("friction", 0.3, 2.01, None, ""),
        ("slope", 20.05, 11.37, 11.3, "on a slope of 11.3 deg in any direction"),
        ("slope", 20.0, 19.9, 19.9, "on a slope of 19.9 deg in any direction"),
        ("slope", 20.0, 0.1, 0.1, "on a slope of 0.1 deg in any direction"),
        ("slope", 20.0, 0.09, None, ""),
        ("slope", 0.1, 0.05, None, ""),
        ("ground-stiffness", 100.0, 1234.0, 1300.0, "on ground of 1300 N/m"),
        ("ground-stiffness", 130.0, 131.0, 140.0, "on ground of 140 N/m"),
        ("ground-stiffness", 100.0, 2e9, None, ""),
    ],
)
@pytest.mark.parametrize("answer", ["no", "unknown"])
def test_the_nearest_condition_with_which_it_stands_is_told(
    asking, name, wanted, threshold, limit, told, answer
):
    def says(question, is_quick):
        if name == "slope":
            is_well = question.slope_deg <= threshold + 1e-9
        else:
            is_well = getattr(question, name.replace("-", "_")) >= threshold - 1e-9
        return "yes" if is_well else answer

    asked, result, _ = asking(says)
    requirement = one(name, wanted)
    found = condition_answer(requirement, asked, result)
    assert found.answer == answer
    assert found.value == (None if limit is None else pytest.approx(limit, abs=1e-9))
    not_so = "it does not stand" if answer == "no" else "it is not known to stand"
    said = f"{not_so} {conditions.phrase(requirement)}"
    assert found.sentence == (f"{said}, only {told}" if told else said)


def test_a_condition_that_is_met_is_told_and_nothing_is_searched(asking):
    asked, result, questions = asking(lambda question, is_quick: "yes")
    found = condition_answer(one("friction", 0.3), asked, result)
    assert (found.answer, found.value) == ("yes", None)
    assert found.sentence == "it stands with friction of 0.3"
    assert [(q.friction, is_quick) for q, is_quick in questions] == [(0.3, False)]


@pytest.mark.parametrize("has_world, limit", [(True, None), (False, 0.37)])
def test_a_limit_is_told_only_where_the_engine_agrees(asking, has_world, limit):
    def says(question, is_quick):
        return "yes" if is_quick and question.friction >= 0.365 else "no"

    asked, result, questions = asking(says, has_world=has_world)
    found = condition_answer(one("friction", 0.3), asked, result)
    assert found.value == limit
    slow = [q.friction for q, is_quick in questions if not is_quick]
    assert slow == pytest.approx([0.3, 0.37] if has_world else [0.3])


def test_a_slope_is_tried_in_nine_directions_the_weakest_first(asking):
    asked, result, questions = asking(lambda q, quick: "yes", weakest=(-1.0, -1.0))
    assert stands_with(one("slope", 5.0), asked, result) == "yes"
    ways = [q.heading_deg for q, _ in questions]
    assert ways == pytest.approx([225.0, 0, 45, 90, 135, 180, 225, 270, 315])
    assert {q.slope_deg for q, _ in questions} == {5.0}
    asked, result, questions = asking(lambda q, quick: "yes")
    stands_with(one("slope", 5.0), asked, result)
    assert [q.heading_deg for q, _ in questions] == [45.0 * k for k in range(8)]


def test_one_no_is_a_no_and_one_unknown_an_unknown(asking):
    answers = {0.0: "yes", 45.0: "unknown", 90.0: "yes", 135.0: "no"}
    asked, result, questions = asking(lambda q, _: answers.get(q.heading_deg, "yes"))
    assert stands_with(one("slope", 5.0), asked, result, is_quick=True) == "no"
    assert [is_quick for _, is_quick in questions] == [True] * 4  # and no more
    del answers[135.0]
    assert stands_with(one("slope", 5.0), asked, result) == "unknown"


@pytest.mark.parametrize(
    "name, wanted, question, said",
    [
        ("friction", 0.0, {}, "must be > 0"),
        ("ground-stiffness", -1.0, {}, "must be > 0"),
        ("slope", 90.0, {}, "below 90 deg"),
        ("slope", 5.0, {"slope_deg": 1.0}, "leave --slope out"),
        ("slope", 5.0, {"heading_deg": 10.0}, "leave --slope out"),
    ],
)
def test_conditions_that_do_not_fit_are_refused(asking, name, wanted, question, said):
    asked, result, _ = asking(lambda q, _: "yes", question=Question(**question))
    with pytest.raises(ConfigError, match=said):
        condition_answer(one(name, wanted), asked, result)


def test_what_just_fits_is_tried(asking):
    for name, wanted, question in (
        ("slope", 89.9, {}),
        ("friction", 95.0, {"slope_deg": 3.0}),
        ("ground-stiffness", 1e-3, {"heading_deg": 3.0}),
    ):
        asked, result, _ = asking(lambda q, _: "yes", question=Question(**question))
        assert condition_answer(one(name, wanted), asked, result).answer == "yes"


# --- beside an older robot --------------------------------------------------------


@pytest.mark.parametrize(
    "old, new, was, now, answer",
    [
        ("yes", "yes", 0.04, 0.04, "yes"),
        ("yes", "yes", 0.04, 0.04 - 0.9e-6, "yes"),
        ("yes", "yes", 0.04, 0.04 - 1.1e-6, "no"),
        ("yes", "yes", 0.04, 0.05, "yes"),
        ("yes", "unknown", 0.04, 0.05, "no"),
        ("yes", "no", 0.04, 0.05, "no"),
        ("unknown", "no", 0.04, 0.05, "no"),
        ("no", "unknown", 0.04, 0.03, "no"),
        ("no", "yes", 0.03, 0.04, "yes"),
        ("no", "no", None, None, "yes"),
        ("no", "no", None, 0.1, "yes"),
        ("yes", "yes", 0.04, None, "unknown"),
    ],
)
def test_worse_is_an_answer_further_from_yes_or_less_margin(old, new, was, now, answer):
    pair = [
        checked(stands, static_margin_m=margin, region_margin_m=None)
        for stands, margin in ((old, was), (new, now))
    ]
    found, sentence = judged_change(*pair)
    assert found == answer
    rank = ("no", "unknown", "yes")
    if was is None or rank.index(new) < rank.index(old):
        assert sentence == f"whether it stands was {old} and is {new}"
    elif now is None:
        assert sentence == "its margin is not known any more"
    else:
        assert sentence == f"its margin was {was:.4f} m and is {now:.4f} m"


def test_every_number_that_one_of_both_has_is_compared():
    old = checked(mass=7.0, com=(0.0, 0.1, 0.2), compliance=None, energy_margin_j=None)
    new = checked(mass=7.5, com=(0.01, 0.1, 0.25), region_area_m2=0.3)
    new.summary["energy_margin_j"] = None
    found = comparison(old, new, "old.urdf")
    assert (found.old, found.old_stands, found.new_stands) == ("old.urdf", "yes", "yes")
    rows = {c.name: (c.unit, c.old, c.new) for c in found.changes}
    assert rows == {
        "mass": ("kg", 7.0, 7.5),
        "centre of mass x": ("m", 0.0, 0.01),
        "centre of mass y": ("m", 0.1, 0.1),
        "centre of mass z": ("m", 0.2, 0.25),
        "static margin": ("m", 0.05, 0.05),
        "margin within friction": ("m", 0.04, 0.04),
        "area where its centre of mass may be": ("m²", 0.2, 0.3),
        "share of its torque limits": ("", 0.7, 0.7),
        "critical stiffness": ("N/m", None, 900.0),
        "share of every stiffness that it needs": ("", None, 0.3),
    }
    told = found.summary
    assert (told["robot"], told["stands"], told["no_worse"]) == (
        "old.urdf", ["yes", "yes"], "yes",
    )  # fmt: skip
    grown = {row["name"]: row["change"] for row in told["changes"]}
    assert grown["mass"] == 0.5
    assert grown["critical stiffness"] is None
    assert compare.Change("a", "", 1.0, None).change is None
    new.stands = "no"
    worse = comparison(old, new, "old.urdf")
    assert worse.summary["stands"] == ["yes", "no"]
    assert worse.sentence == "whether it stands was yes and is no"


def test_an_older_robot_is_a_file_or_one_of_the_same_name_in_a_folder(tmp_path):
    (tmp_path / "dog.urdf").write_text("<robot/>")
    folder = str(tmp_path)
    assert older(None, "dog.urdf") is None
    assert older("go2", "dog.urdf") == "go2"
    assert older(folder, "new/dog.urdf") == str(tmp_path / "dog.urdf")
    assert older(folder, "new/cat.urdf") is None
