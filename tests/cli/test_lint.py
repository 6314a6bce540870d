"""``equipoise lint`` as a user types it."""

import json
from pathlib import Path

import pytest

from equipoise.cli.app import run

KEYS = ["file", "kind", "bodies", "total_mass_kg", "findings", "errors", "warnings"]
LINK = """<robot name="r"><link name="{name}"><inertial><mass value="2"/>
<inertia ixx="{ixx}" iyy="0.01" izz="0.011" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>"""


def robot(tmp_path: Path, ixx: str = "0.01", name: str = "a") -> str:
    path = tmp_path / "r.urdf"
    path.write_text(LINK.format(ixx=ixx, name=name))
    return str(path)


@pytest.mark.parametrize(("ixx", "code"), [("0.01", 0), ("-1", 1), ("nan", 1)])
def test_the_contracts_keys_and_exit_codes(tmp_path: Path, capfd, ixx, code):
    path = robot(tmp_path, ixx)
    assert run(["lint", path, "--json", "--seed", "3"]) == code
    out, err = capfd.readouterr()
    assert (err, out.count("\n")) == ("", 1)
    answer = json.loads(out)
    assert list(answer) == KEYS
    assert (answer["file"], answer["kind"]) == (path, "urdf")
    assert (answer["bodies"], answer["total_mass_kg"]) == (1, 2.0)
    assert (answer["errors"], answer["warnings"]) == (code, 0)
    for finding in answer["findings"]:
        assert list(finding) == ["level", "body", "what", "value", "suggestion"]
        assert finding["body"] == "a"


def test_for_people_and_in_a_file(tmp_path: Path, capfd):
    path, out = robot(tmp_path, "9", name="[red]a"), tmp_path / "out"
    assert run(["lint", path, "--out", str(out)]) == 1
    text = capfd.readouterr().out
    assert "urdf, 1 bodies, 2 kg" in text
    assert "[red]a" in text  # a name from a file is never markup
    assert "1 errors, 0 warnings, 0 notes." in text
    assert json.loads((out / "lint.json").read_text())["errors"] == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("<svg/>", "expected <robot> or <mujoco>"),
        ("", "is empty"),
        (None, "there is no such file"),
    ],
)
def test_no_robot_file_is_bad_input(tmp_path: Path, capfd, content, sentence):
    path = tmp_path / "r.urdf"
    if content is not None:
        path.write_text(content)
    assert run(["lint", str(path), "--json"]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert sentence in err


@pytest.mark.parametrize(("words", "code"), [([], 0), (["--strict"], 1)])
def test_a_warning_fails_where_it_shall(tmp_path: Path, capfd, words, code):
    path = tmp_path / "r.urdf"
    path.write_text(
        Path(robot(tmp_path)).read_text().replace('value="2"', 'value="2e5"')
    )
    assert run(["lint", str(path), "--json", *words]) == code
    answer = json.loads(capfd.readouterr().out)
    assert answer["errors"] == 0
    assert answer["warnings"] > 0


def test_the_help_says_what_exits_how(capfd):
    assert run(["lint", "--help"]) == 0
    told = " ".join(capfd.readouterr().out.split())
    assert (
        "Exits 0 when nothing is wrong, 1 on an error (or, with --strict, a warning), "
        "2 when a file cannot be read" in told
    )
