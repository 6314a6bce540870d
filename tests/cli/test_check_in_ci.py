"""``equipoise check`` in a CI: codes, many files, Markdown, JUnit, hostile names."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from equipoise.cli.app import run
from equipoise.runs.check.reports.junit import junit_text
from equipoise.runs.check.reports.markdown import markdown_text
from equipoise.runs.check.reports.report import RobotReport, exit_code
from equipoise.runs.check.require.numbers import NUMBERS
from oracles.tables import Table

EVIL = "a|b&lt;script&gt;alert(1)&lt;/script&gt;`*_[x](http://y)@you $x$ &amp;"
"""A name as it stands in a file's XML."""


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write a table that stands, one that tips and a file that is no robot."""
    monkeypatch.chdir(tmp_path)
    Path("good.urdf").write_text(Table().urdf("good"))
    Path("less.urdf").write_text(Table(x=0.1).urdf("less"))
    Path("bad.urdf").write_text(Table(x=0.32).urdf("bad"))
    Path("package.xml").write_text("<package><name>x</name></package>")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("good.urdf --require margin=20mm", 0, "Met: its margin is 0.16 m"),
        (
            "good.urdf --require margin=0.2 --no-remedies",
            1,
            "0.04 m less than the required 0.2 m",
        ),
        (
            "good.urdf --require torque-share=0.9 --no-remedies",
            3,
            "(torque-share) is not known",
        ),
        ("less.urdf --compare-to good.urdf", 0, "Worse than good.urdf: its margin was"),
        (
            "less.urdf --compare-to good.urdf --no-worse --no-remedies",
            1,
            "Worse than good.urdf",
        ),
        ("good.urdf --compare-to less.urdf --no-worse", 0, "No worse than less.urdf"),
        ("bad.urdf", 1, "  'battery' (4 kg) moves 43 mm to the rear"),
        ("package.xml --skip-others", 0, "passed over, its root element is <package>"),
    ],
)
def test_codes_and_sentences(files, capsys, words, code, said):
    assert run(["check", *words.split()]) == code
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("good.urdf --require margin", "must be NAME=VALUE, as margin=0.02"),
        ("good.urdf --require margins=1", "Did you mean 'margin'?"),
        ("good.urdf --require margin=wide", "margin takes a length"),
        ("good.urdf --require margin=1 --require margin=2", "given twice"),
        ("good.urdf --no-worse", "--no-worse needs --compare-to"),
        ("good.urdf --require mass-rise=1", "name an older robot"),
        ("good.urdf --compare-to none.urdf", "none.urdf: there is no such file"),
        ("good.urdf --summary github", "needs $GITHUB_STEP_SUMMARY"),
        ("good.urdf --junit .", "is a folder; name a file"),
        ("good.urdf --junit good.urdf/x.xml", "cannot be written to"),
        ("package.xml", "expected <robot> or <mujoco>"),
    ],
)
def test_bad_input_is_one_sentence(files, capsys, monkeypatch, words, said):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert run(["check", *words.split()]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_help_names_every_number(capsys):
    assert run(["check", "--help"]) == 0
    told = re.sub(
        r"-?\s*\n\s*", lambda m: "-" if m[0][0] == "-" else " ", capsys.readouterr().out
    )
    for name in NUMBERS:
        assert re.search(rf"\b{name}\b", told), name


def test_many_files_are_all_judged_and_the_worst_counts(files, capsys):
    both = ["good.urdf", "bad.urdf", "package.xml"]
    assert run(["check", *both, "--skip-others", "--json", "--no-remedies"]) == 1
    told = json.loads(capsys.readouterr().out)["robots"]
    assert [t["file"] for t in told] == both
    assert [t.get("verdict") for t in told] == ["yes", "no", None]
    assert told[2]["skipped"] == "its root element is <package>"
    assert run(["check", "good.urdf", "none.urdf", "--json"]) == 2
    out, err = capsys.readouterr()
    assert "none.urdf: there is no such file" in err
    assert "no such file" in json.loads(out)["robots"][1]["error"]


def test_one_json_with_requirements_changes_and_remedies(files, capsys):
    words = "check bad.urdf --require margin=0.01 --compare-to good.urdf --json"
    assert run(words.split()) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == told["stands"] == "no"
    assert told["requirements"][0]["met"] == "no"
    assert told["compared"]["stands"] == ["yes", "no"]
    assert told["remedies"][0]["what"] == ["battery"]
    assert told["remedies"][0]["amount"] == pytest.approx(0.058)  # 40 + 10 * 7 / 4


def test_reports_of_several_robots(files, capsys, monkeypatch):
    page = files / "page.md"
    page.write_text("before")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    words = "good.urdf bad.urdf nope.urdf --require margin=0.02 --junit j.xml"
    assert run(["check", *words.split(), "--summary", "github"]) == 2
    text = page.read_text()
    assert text.startswith("before\n## equipoise check\n")
    assert "| good.urdf | ✅ yes | 160.0 mm | 1 of 1 met | ✅ yes |" in text
    assert "| bad.urdf | ❌ no | -22.9 mm | 0 of 1 met | ❌ no |" in text
    assert "- 'battery' (4 kg) moves 75 mm to the rear" in text
    root = ET.parse("j.xml").getroot()
    assert {k: root.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5", "failures": "2", "errors": "1", "skipped": "0",
    }  # fmt: skip
    assert [s.get("name") for s in root] == ["good.urdf", "bad.urdf", "nope.urdf"]
    failure = root[1][1].find("failure")
    assert "0.04286 m less than the required 0.02 m" in failure.get("message")
    assert "moves 75 mm to the rear" in failure.text
    assert "no such file" in root[2][0].find("error").get("message")


def test_files_of_several_robots_have_folders_of_their_own(files, capsys):
    assert run("check good.urdf less.urdf --out out --json".split()) == 0
    found = sorted(str(p.relative_to("out")) for p in Path("out").rglob("*.json"))
    assert found == ["1-good/check.json", "2-less/check.json"]
    assert json.loads(Path("out/1-good/check.json").read_text())["verdict"] == "yes"


def test_hostile_names_do_nothing(files, capsys):
    Path("evil.urdf").write_text(Table(x=0.32).urdf("x", battery=EVIL))
    assert run("check evil.urdf --summary s.md --junit j.xml".split()) == 1
    text = Path("s.md").read_text()
    assert "moves 43 mm" in text
    for bad in ("<", "`", "[x]", "](", "://", "@you", "$x$", "a|b"):
        assert bad not in text, bad
    cells = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in cells} <= {4, 5, 6}
    message = ET.parse("j.xml").getroot().find(".//failure").text
    assert "<script>alert(1)</script>" in message  # as text, escaped in the file
    assert "<script" not in Path("j.xml").read_text()


def test_control_characters_are_taken_out():
    report = RobotReport("a\x00b\x1b[2J\n|\u202e", trouble="bad \x07 file")
    root = ET.fromstring(junit_text([report]))
    assert root[0].get("name").isprintable()
    text = markdown_text([report])
    assert all(line.isprintable() for line in text.splitlines())
    assert exit_code([report]) == 2
    assert exit_code([]) == 0


def test_lint_takes_many_files(files, capsys):
    Path("odd.urdf").write_text(Table(leg=-1.0).urdf("odd"))
    words = ["lint", "good.urdf", "package.xml", "odd.urdf", "--skip-others", "--json"]
    assert run(words) == 1
    told = json.loads(capsys.readouterr().out)["files"]
    assert [t["file"] for t in told] == ["good.urdf", "package.xml", "odd.urdf"]
    assert "skipped" in told[1]
    assert told[2]["errors"] > 0
    assert run(["lint", "good.urdf", "none.urdf"]) == 2
    assert run(["lint", "package.xml"]) == 2


def test_what_is_no_robot(tmp_path):
    from equipoise.robots.files.other_xml import no_robot

    def said(text, name="x.xml"):
        path = tmp_path / name
        path.write_text(text)
        return no_robot(path)

    assert said("<package/>") == "its root element is <package>"
    doctype = "<!DOCTYPE plist [<!ENTITY a 'b'>]><plist>&c;</plist>"
    assert said(doctype) == "its root element is <plist>"
    assert said("<mujoco><asset/></mujoco>") == "it has no body"
    assert said("<mujocoinclude/>") == "its root element is <mujocoinclude>"
    for robot in ("<robot><link/></robot>", "<mujoco><worldbody><body/></worldbody>"):
        assert said(robot) == ""
    assert said("no xml at all") == said("") == ""
    assert no_robot(tmp_path / "none.xml") == no_robot("warp1") == ""
