"""Reports of checks for other programs, where they go, and what can be chosen."""

from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest

from equipoise.core.errors import BadFileError, ConfigError
from equipoise.runs.check.compare import Change, Comparison
from equipoise.runs.check.config import CheckConfig
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.reports import write
from equipoise.runs.check.reports.junit import junit_text
from equipoise.runs.check.reports.markdown import markdown_text
from equipoise.runs.check.reports.report import RobotReport
from equipoise.runs.check.require.requirement import RequirementAnswer, required


def result(stands="no", verdict="no", *, margin=0.01234, **parts):
    mass, energy = required({"mass": 5.0, "energy": 1.0})
    given = {
        "stands": stands,
        "verdict": verdict,
        "summary": {
            "reasons": ["it tips"], "static_margin_m": margin, "region_margin_m": None,
        },
        "requirements": (
            RequirementAnswer(mass, "yes", 4.0, "its mass is fine"),
            RequirementAnswer(energy, "unknown", None, "its energy is not known"),
        ),
        "comparison": None,
        "asked": None,
        "pose_note": "",
        "remedies": [
            Remedy("sole", (), 1.0, "m", goal, change)
            for goal, change in (("it stands", "a*b"), ("it is wide", "c"),
                                 ("it stands", "d"))
        ],
    }  # fmt: skip
    return SimpleNamespace(**{**given, **parts})


def test_markdown_is_a_table_of_all_and_a_part_of_each():
    changes = (Change("mass", "kg", 7.0, 7.25), Change("area", "", None, 0.5))
    compared = Comparison("old", "yes", "no", changes, "no", "it tips now")
    bad = RobotReport("b|c", trouble="b: is broken.")
    text = markdown_text(
        [
            RobotReport("dog", result(comparison=compared)),
            bad,
            RobotReport("s", skipped="it is a launch file"),
            RobotReport("fine", result("yes", "yes", margin=None, requirements=())),
        ]
    )
    lines = text.splitlines()
    assert lines[:8] == [
        "## equipoise check",
        "",
        "| robot | stands | margin | required | verdict |",
        "| --- | --- | --- | --- | --- |",
        "| dog | ❌ no | 12.3 mm | 1 of 2 met | ❌ no |",
        "| b&#124;c | - | - | - | ❌ bad input |",
        "| s | - | - | - | passed over |",
        "| fine | ✅ yes | - | - | ✅ yes |",
    ]
    start = lines.index("### dog")
    assert lines[start + 2 : start + 7] == [
        "| asked | answer | why |",
        "| --- | --- | --- |",
        "| stands | ❌ no | it tips |",
        "| mass at most 5 kg | ✅ yes | its mass is fine |",
        "| energy at least 1 J | ❔ unknown | its energy is not known |",
    ]
    assert lines[start + 8 : start + 16] == [
        "Compared to old: it tips now.",
        "",
        "|  | before | now | change |",
        "| --- | --- | --- | --- |",
        "| stands | yes | no |  |",
        "| mass | 7 kg | 7.25 kg | 0.25 kg |",
        "| area | - | 0.5 | - |",
        "",
    ]
    assert lines[start + 16 : start + 24] == [
        "Tried on the changed robot: it stands if",
        "",
        "- a&#42;b",
        "- d",
        "",
        "Tried on the changed robot: it is wide if",
        "",
        "- c",
    ]
    assert "b&#58; is broken." in lines
    assert lines[lines.index("### s") + 2] == "it is a launch file"
    assert text.endswith("\n") and not text.endswith("\n\n")


def test_junit_counts_failures_errors_and_what_is_skipped():
    reports = [
        RobotReport("dog", result()),
        RobotReport("bad", trouble="it is broken"),
        RobotReport("s", skipped="no robot"),
        RobotReport("fine", result("yes", "yes", requirements=(), remedies=())),
    ]
    text = junit_text(reports)
    assert text.startswith("<?xml") and text.endswith("\n")
    root = ET.fromstring(text)
    counts = ("tests", "failures", "errors", "skipped")
    assert [root.get(key) for key in counts] == ["6", "1", "2", "1"]
    dog, bad, skipped, fine = root
    assert [dog.get(key) for key in counts] == ["3", "1", "1", "0"]
    assert [bad.get(key) for key in counts] == ["1", "0", "1", "0"]
    assert [skipped.get(key) for key in counts] == ["1", "0", "0", "1"]
    assert [fine.get(key) for key in counts] == ["1", "0", "0", "0"]
    stands, mass, energy = dog
    assert (stands.get("name"), stands.get("classname")) == ("stands", "dog")
    (failure,) = stands
    assert (failure.tag, failure.get("type"), failure.get("message")) == (
        "failure", "no", "it tips",
    )  # fmt: skip
    assert failure.text.splitlines() == [
        "it tips", "it stands if a*b", "it is wide if c", "it stands if d",
    ]  # fmt: skip
    assert mass.find("system-out").text == "its mass is fine"
    assert energy[0].tag == "error" and energy[0].get("type") == "unknown"
    assert skipped[0][0].get("message") == "no robot"
    assert bad[0].get("name") == "can be read"


# --- where they go ----------------------------------------------------------------


def test_a_summary_is_added_to_the_one_of_github(tmp_path, monkeypatch):
    reports = [RobotReport("s", skipped="no robot")]
    text = markdown_text(reports)
    page = tmp_path / "page.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    for before, joined in (("", text), ("a\n", f"a\n{text}"), ("a", f"a\n{text}")):
        page.write_text(before)
        assert write.write_reports(reports, "github", None) == [page]
        assert page.read_text() == joined
    page.unlink()
    write.write_reports(reports, "github", None)
    assert page.read_text() == text
    own, junit = tmp_path / "own.md", tmp_path / "junit.xml"
    own.write_text("before")
    assert write.write_reports(reports, str(own), junit) == [own, junit]
    assert own.read_text() == text
    assert junit.read_text() == junit_text(reports)
    assert write.write_reports(reports, None, None) == []
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    with pytest.raises(ConfigError, match="--summary github needs"):
        write.expect_reports("github", None)


def test_reports_that_cannot_be_written_are_refused(tmp_path, monkeypatch):
    write.expect_reports(None, None)
    write.expect_reports(str(tmp_path / "new" / "a.md"), tmp_path / "b.xml")
    with pytest.raises(BadFileError, match=r"--summary .*: is a folder"):
        write.expect_reports(str(tmp_path), None)
    with pytest.raises(BadFileError, match=r"--junit .*: is a folder"):
        write.expect_reports(None, tmp_path)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(BadFileError, match="file cannot be written to"):
        write.expect_reports(str(file / "a.md"), None)
    monkeypatch.setattr("os.access", lambda *given: False)
    with pytest.raises(BadFileError, match="cannot be written to"):
        write.expect_reports(None, tmp_path / "b.xml")


def test_files_of_several_robots_are_in_folders_of_their_own():
    def saves(name):
        return SimpleNamespace(save=lambda folder: [folder / name])

    one, two = RobotReport("x/a.urdf", saves("one")), RobotReport("b.xml", saves("two"))
    bad = RobotReport("c.xml", trouble="broken")
    out = Path("out")
    assert write.saved([one], out) == [out / "one"]
    assert write.saved([bad], out) == []
    assert write.saved([one, bad, two], out) == [out / "1-a/one", out / "3-b/two"]


# --- what can be chosen -----------------------------------------------------------


def test_a_check_as_it_is_chosen_by_default():
    usual = CheckConfig()
    assert (usual.slope_deg, usual.heading_deg, usual.feet) == (0.0, 0.0, None)
    assert (usual.ground, usual.no_settle, usual.no_remedies) == ("rigid", False, False)
    tolerances = usual.mass_tolerance, usual.com_tolerance, usual.stiffness_tolerance
    assert tolerances == (0.0, 0.0, 0.0)
    leaning = CheckConfig(slope=(20.0,))
    assert (leaning.slope_deg, leaning.heading_deg) == (20.0, 0.0)
    leaning = CheckConfig(slope=(20.0, 30.0))
    assert (leaning.slope_deg, leaning.heading_deg) == (20.0, 30.0)
    feet = CheckConfig(foot=("left=toe, heel", "right=ball,"))
    assert feet.feet == {"left": ["toe", "heel"], "right": ["ball"]}


POSES = "give one of --keyframe, --pose and --run"
NOT_FOR_RUNS = "--compare-to cannot be combined with --run"


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"keyframe": "a", "pose": "b"}, POSES),
        ({"keyframe": "a", "run": "b"}, POSES),
        ({"pose": "a", "run": "b"}, POSES),
        ({"run": "a", "no_settle": True}, NOT_FOR_RUNS),
        ({"run": "a", "foot": ("l=x",)}, NOT_FOR_RUNS),
        ({"run": "a", "compare_to": "b"}, NOT_FOR_RUNS),
        ({"run": "a", "joints": "own"}, NOT_FOR_RUNS),
        ({"run": "a", "ground": "engine"}, NOT_FOR_RUNS),
        ({"at": "last"}, "--at and --freeze are for --run"),
        ({"freeze": True}, "--at and --freeze are for --run"),
        ({"no_worse": True}, "--no-worse needs --compare-to"),
        ({"foot": ("left",)}, "--foot must be NAME=SHAPE"),
        ({"foot": ("left=,",)}, "--foot must be NAME=SHAPE"),
        ({"foot": ("=toe",)}, "--foot must be NAME=SHAPE"),
    ],
)
def test_what_does_not_go_together_is_refused(settings, said):
    with pytest.raises(ConfigError, match=said):
        CheckConfig(**settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"keyframe": "a", "no_settle": True, "joints": "own", "ground": "engine"},
        {"pose": "file", "compare_to": "b", "no_worse": True},
        {"run": "a", "at": "last", "freeze": True},
        {"run": "a", "at": 0.0},
    ],
)
def test_what_goes_together_is_taken(settings):
    config = CheckConfig(**settings)
    assert all(getattr(config, name) == value for name, value in settings.items())
