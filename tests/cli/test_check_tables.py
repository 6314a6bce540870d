"""What people read of checks: tables, notes and sentences of made-up results."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from equipoise.cli import check_report
from equipoise.cli.check_report import print_reports
from equipoise.cli.output import heard
from equipoise.core.errors import ConfigError
from equipoise.runs.check.compare import Change, Comparison
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.reports.report import RobotReport, exit_code, reported
from equipoise.runs.check.require.requirement import RequirementAnswer, required

SUMMARY = {
    "robot": "dog",
    "stands": "yes",
    "reasons": ["its joints hold", "it is well inside"],
    "joints_words": "",
    "mass": 12.3456789,
    "com": [0.01, -0.00004, 0.3],
    "contacts": [
        {"geom": "front", "position": [0.1, 0.2, 0.0]},
        {"geom": "rear", "position": [-0.1, 0.25, 0.0]},
        {"geom": "front", "position": [0.1, -0.2, 0.0]},
    ],
    "friction": 0.65,
    "friction_from": "file",
    "gravity": [0.0, 0.5, -9.81],
    "floor": "own",
    "left_out": [],
    "settled_deg": None,
    "settled_m": None,
    "static_margin_m": 0.05,
    "energy_margin_j": 2.34567,
    "region_area_m2": None,
    "region_margin_m": 0.04,
    "joints": {"held": 0, "beyond_range": []},
    "compliance": None,
    "intervals": None,
}
SOFT = {
    "multiplier": 0.25,
    "critical_stiffness": 1234.567,
    "critical_height_m": 1.5,
    "weakest_direction": [0.6, -0.8],
    "contact_foot": [0, 1, 0],
    "contact_stiffness": [100.0, 200.0, 300.0],
}


def result(*, requirements=(), comparison=None, remedies=(), note="", **changes):
    summary = {**SUMMARY, **changes}
    return SimpleNamespace(
        summary=summary, requirements=requirements, comparison=comparison,
        remedies=remedies, pose_note=note, verdict=summary["stands"],
        stands=summary["stands"], report={"robot": summary["robot"]}, asked=None,
    )  # fmt: skip


def told(*reports, as_json=False):
    """Return what is printed for people: lines, and tables as dictionaries."""
    found = heard(lambda given: print_reports(given, as_json), list(reports))
    return [
        part if isinstance(part, str) else {row[0]: row[1] for row in part.rows}
        for part in found
    ]


def test_a_check_is_a_table_and_a_sentence():
    table, answer = told(RobotReport("dog", result()))
    assert table == {
        "mass [kg]": "12.3457",
        "centre of mass x, y, z [m]": "0.0100, 0.0000, 0.3000",
        "stands on": "front, rear",
        "smallest friction": "0.65 (the file's)",
        "gravity x, y, z [m/s²]": "0, 0.5, -9.81",
        "ground": "of the file",
        "put down": "no, judged as given",
        "static margin [m]": "0.0500",
        "energy margin [J]": "2.346",
        "area of the equilibrium region [m²]": "-",
        "margin in that region [m]": "0.0400",
    }
    assert answer == "It stands: its joints hold; it is well inside."


@pytest.mark.parametrize(
    "stands, reasons, words, said",
    [
        ("no", ["it tips"], "", "It does not stand: it tips."),
        ("unknown", ["a", "b"], "", "Not known: a; b."),
        ("yes", ["on its servos", "x"], "on its servos",
         "It stands, on its servos: x."),
        ("yes", ["x", "on its servos"], "on its servos",
         "It stands: x; on its servos."),
    ],
)  # fmt: skip
def test_who_holds_the_joints_comes_before_the_reasons(stands, reasons, words, said):
    given = {"stands": stands, "reasons": reasons, "joints_words": words}
    assert told(RobotReport("dog", result(**given)))[1] == said


def test_where_ground_and_friction_come_from():
    table, _ = told(
        RobotReport(
            "dog",
            result(
                friction=None, friction_from="assumed", floor="assumed",
                left_out=["a flag", "a light"], settled_deg=1.23456, settled_m=-1e-9,
            ),
        )
    )  # fmt: skip
    assert table["smallest friction"] == "- (assumed)"
    assert table["ground"] == "assumed, level below it"
    assert table["left out of the file"] == "a flag, a light"
    assert table["when put down gently, it"] == "turns by 1.23 deg, sinks by 0 m"
    far, _ = told(RobotReport("dog", result(floor="out of reach")))
    assert far["ground"] == "of the file, which it cannot touch"
    typed, _ = told(RobotReport("dog", result(friction_from="option", contacts=[])))
    assert typed["smallest friction"] == "0.65 (as given)"
    assert typed["stands on"] == "-"


def test_joints_are_told_where_there_are_some():
    joints = {
        "held": 2, "words": "two joints on servos", "beyond_range": [],
        "torque_share_without_bracing": 0.4567, "torque_share": 1.0,
    }  # fmt: skip
    table, _ = told(RobotReport("dog", result(joints=joints)))
    assert table["joints"] == "two joints on servos"
    assert table["torque to hold it, share of the limits"] == "0.457"
    assert table["the same, if feet brace against each other"] == "1"
    more = {**joints, "torque_share": 1.25, "torque_share_without_bracing": None}
    table, _ = told(RobotReport("dog", result(joints=more)))
    assert "torque to hold it, share of the limits" not in table
    held = table["the same, if feet brace against each other"]
    assert held == "1.25: they cannot hold it"


def test_a_note_for_the_pose_and_for_twelve_joints_at_most():
    joints = {"held": 0, "beyond_range": [f"j{k} is beyond" for k in range(13)]}
    given = result(joints=joints, note="it was lifted")
    _, _, *lines = told(RobotReport("dog", given))
    assert lines[0] == "Note: it was lifted."
    assert lines[1:] == [f"Note: joint j{k} is beyond." for k in range(12)]


def test_soft_ground_is_told_contact_by_contact():
    table, _ = told(RobotReport("dog", result(compliance=SOFT)))
    assert table["stands down to, of every stiffness"] == "0.2500"
    assert table["critical stiffness [N/m]"] == "1234.6"
    assert table["critical height [m]"] == "1.5000"
    assert table["weakest direction x, y"] == "0.600, -0.800"
    assert table["foot 1, front at 0.100, 0.200 [N/m]"] == "100"
    assert table["foot 2, rear at -0.100, 0.250 [N/m]"] == "200"
    assert table["foot 1, front at 0.100, -0.200 [N/m]"] == "300"
    assert "and more contacts" not in table
    many = [{"geom": f"g{k}", "position": [0.0, float(k), 0.0]} for k in range(14)]
    soft = {**SOFT, "contact_foot": [0] * 14, "contact_stiffness": [9.0] * 14}
    table, _ = told(RobotReport("dog", result(contacts=many, compliance=soft)))
    assert table["and more contacts"] == "2"
    assert sum(label.startswith("foot ") for label in table) == 12
    twelve = {**SOFT, "contact_foot": [0] * 12, "contact_stiffness": [9.0] * 12}
    table, _ = told(RobotReport("dog", result(contacts=many[:12], compliance=twelve)))
    assert "and more contacts" not in table


def test_tolerances_and_runs_are_told_where_there_are_some():
    bounds = {
        "static_margin_m": (0.041234, 0.06), "energy_margin_j": None,
        "region_margin_m": (None, 0.05), "multiplier": (0.1, 0.2),
    }  # fmt: skip
    table, _ = told(RobotReport("dog", result(intervals=bounds)))
    assert table["static margin, from and to [m]"] == "0.04123, 0.06"
    assert table["margin within friction, from and to [m]"] == "-, 0.05"
    assert table["stands down to, from and to"] == "0.1, 0.2"
    assert "energy margin, from and to [J]" not in table
    run = {
        "at_s": 1.5, "worst_static_margin_m": -0.01, "worst_s": 1.25,
        "worst_zmp_margin_m": None, "worst_zmp_s": None, "last_stands": "no",
        "last_static_margin_m": 0.02,
    }  # fmt: skip
    found = heard(
        lambda given: print_reports(given, False), [RobotReport("d", result(run=run))]
    )
    assert found[0].rows[-7:] == [
        ("told of the pose at [s]", "1.500"),
        ("worst static margin [m]", "-0.0100"),
        ("at [s]", "1.250"),
        ("worst zero moment point margin [m]", "-"),
        ("at [s]", "-"),
        ("stands in the end", "no"),
        ("static margin in the end [m]", "0.0200"),
    ]
    assert found[0].title == "dog"


def answered():
    margin, mass, area = required({"margin": 0.1, "mass": 5.0, "area": 1.0})
    return (
        RequirementAnswer(margin, "no", 0.05, "its margin is small"),
        RequirementAnswer(mass, "yes", 4.0, "its mass is fine"),
        RequirementAnswer(area, "unknown", None, "its area is not known"),
    )


def test_requirements_changes_and_remedies_follow():
    changes = (
        Change("mass", "kg", 7.0, 7.25),
        Change("share", "", None, 0.5),
        Change("margin", "m", 0.05, 0.049999),
    )
    comparison = Comparison("old.xml", "no", "yes", changes, "yes", "it was no better")
    remedies = [
        Remedy("sole", (), 1.0, "", goal, change)
        for goal, change in (("it stands", "a"), ("its margin is wide", "b"),
                             ("it stands", "c"))
    ]  # fmt: skip
    given = result(requirements=answered(), comparison=comparison, remedies=remedies)
    _, answer, *rest = told(RobotReport("dog", given))
    assert answer.startswith("It stands")
    table = rest.pop(3)
    assert list(table) == ["stands", "mass [kg]", "share", "margin [m]"]
    assert rest == [
        "Not met: its margin is small.",
        "Met: its mass is fine.",
        "Not known: its area is not known.",
        "No worse than old.xml: it was no better.",
        "Tried on the changed robot: it stands if",
        "  a",
        "  c",
        "Tried on the changed robot: its margin is wide if",
        "  b",
    ]


@pytest.mark.parametrize(
    "is_no_worse, said",
    [("yes", "No worse"), ("no", "Worse"), ("unknown", "Unknown whether worse")],
)
def test_a_change_has_before_now_and_its_sign(is_no_worse, said):
    changes = (
        Change("mass", "kg", 7.0, 7.25),
        Change("share", "", None, 0.5),
        Change("margin", "m", 0.05, 0.04),
        Change("height", "m", 0.3, 0.3),
    )
    compared = Comparison("old", "no", "yes", changes, is_no_worse, "so it is")
    found = heard(check_report._print_required, result(comparison=compared))
    table, line = found
    assert table.head == ("", "before", "now", "change")
    assert table.rows == [
        ("stands", "no", "yes", ""),
        ("mass [kg]", "7", "7.25", "+0.25"),
        ("share", "-", "0.5", "-"),
        ("margin [m]", "0.05", "0.04", "-0.01"),
        ("height [m]", "0.3", "0.3", "+0"),
    ]
    assert line == f"{said} than old: so it is."


def test_several_robots_have_a_line_each():
    passed = RobotReport("a.xml", skipped="it is no robot")
    bad = RobotReport("b.xml", trouble="b.xml: is broken.")
    one = RobotReport("c.xml", result(stands="no", reasons=["it tips"]))
    two = RobotReport("d.xml", result(requirements=answered()[1:2]))
    assert told(passed, one, two, bad) == [
        "a.xml: passed over, it is no robot.",
        "c.xml: it does not stand: it tips.",
        "d.xml: it stands: its joints hold; it is well inside.",
        "Met: its mass is fine.",
    ]
    assert told(passed) == ["a.xml: passed over, it is no robot."]
    assert told(bad) == []


def test_json_is_one_object_and_trouble_is_on_stderr(capsys):
    bad = RobotReport("b.xml", trouble="b.xml: is\nbroken.")
    one, skipped = RobotReport("c", result()), RobotReport("s", skipped="why")
    print_reports([one, bad], True)
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {
        "robots": [
            {"file": "c", "robot": "dog"},
            {"file": "b.xml", "error": "b.xml: is\nbroken.", "skipped": None},
        ]
    }
    assert printed.err == "b.xml: is broken.\n"
    print_reports([one], True)
    assert json.loads(capsys.readouterr().out) == {"robot": "dog"}
    print_reports([skipped], True)
    alone = json.loads(capsys.readouterr().out)
    assert alone == {"file": "s", "error": None, "skipped": "why"}
    print_reports([bad], True)
    assert capsys.readouterr().out == ""


# --- reports ----------------------------------------------------------------------


def test_the_worst_of_several_checks_is_the_exit_code():
    bad, skipped = RobotReport("b", trouble="no"), RobotReport("s", skipped="why")
    yes, no, unknown = (
        RobotReport(word, result(stands=word)) for word in ("yes", "no", "unknown")
    )
    assert [one.code for one in (yes, no, bad, unknown, skipped)] == [0, 1, 2, 3, 0]
    assert exit_code([]) == exit_code([yes, skipped]) == 0
    assert exit_code([yes, unknown]) == 3
    assert exit_code([yes, unknown, no]) == 1
    assert exit_code([no, bad, unknown]) == 2


def test_statements_of_a_report():
    asked = SimpleNamespace(no_worse=True)
    compared = Comparison("old", "yes", "no", (), "no", "it is worse")
    given = result(requirements=answered(), comparison=compared, note="put down")
    given.asked = asked
    found = RobotReport("dog", given).statements
    assert [tuple(one) for one in found] == [
        ("stands", "yes", "its joints hold; it is well inside; put down"),
        ("margin at least 0.1 m", "no", "its margin is small"),
        ("mass at most 5 kg", "yes", "its mass is fine"),
        ("area at least 1 m²", "unknown", "its area is not known"),
        ("no worse than old", "no", "it is worse"),
    ]
    asked.no_worse = False
    assert len(RobotReport("dog", given).statements) == 4
    bad = RobotReport("b", trouble="it is broken")
    assert bad.statements == [("can be read", "error", "it is broken")]
    assert replace(bad, trouble="", skipped="why").statements == []


def test_a_robot_that_cannot_be_checked_is_reported(tmp_path):
    def fails(name):
        raise ConfigError("check", [f"{name} is odd"])

    other = tmp_path / "other.xml"
    other.write_text("<launch/>")
    assert reported("a", lambda name: name + "!", False) == RobotReport("a", "a!")
    assert reported("a", fails, False).trouble == str(
        ConfigError("check", ["a is odd"])
    )
    assert reported(str(other), fails, True).skipped
    assert reported(str(other), fails, False).trouble
