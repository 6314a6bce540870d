"""A number of a page that is not what was measured is noticed, whatever its shape."""

import json
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
RESULT = {
    "speed": 8.1449,
    "answer": "no",
    "v*": 0.3,
    "v1": 0.4,
    "many": 784_012_345,
    "walks": {
        "push 0.3": {"a1": {"falls": 0}, "go2": {"falls": 2}},
        "push 0.6": {"a1": {"falls": 1}, "go2": {"falls": 0}},
        "trot": {"a1": {"falls": 7}, "go2": {"falls": None}},
    },
    "rows": [{"s": 0.25}, {"s": -0.5}],
}


@pytest.fixture(autouse=True)
def tools_on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))


@pytest.fixture
def problems(tmp_path):
    """Return what is wrong with a page of some text."""
    from documentation.sources import wrong_numbers

    path = tmp_path / "run.json"
    path.write_text(json.dumps({"result": RESULT}), encoding="utf-8")

    def of(text):
        page = tmp_path / "page.md"
        page.write_text(text, encoding="utf-8")
        return list(wrong_numbers(page, tmp_path))

    return of


@pytest.mark.parametrize(
    ("right", "wrong", "what"),
    [
        ("8.1", "8.2", "speed"),
        ("8", "9", "speed"),
        ("8.14", "8.10", "speed"),  # digits are the rounding: trailing zeros count
        ("8.145e0", "8.144e0", "speed"),
        ("814.5", "814.4", "speed; * 100"),
        ("no", "yes", "answer"),
        ("784,012,345", "784,000,000", "many"),
        ("784", "785", "many; / 1e6"),
        ("800", "784", "many; / 1e6; .0e"),
        ("three", "none", "walks:push*:*:falls; sum"),
        ("None", "two", "walks:push*:a?:falls; least"),
        ("2", "0", "walks:push 0.3:*:falls; most"),
        ("**3**", "**8**", "walks:*:a1:falls; count"),
        ("0.3", "0.4", "v*"),  # a key that is there is no pattern
        ("7", "0", "walks:trot:*:falls; sum"),  # what there is none of does not count
        ("0.25", "-0.5", "rows:0:s"),
        ("-0.5", "0.5", "rows:1:s"),
        ("−0.125", "0.125", "rows:*:s; median"),
        ("0.25", "-0.50", "rows:[02]:s; most"),
    ],
)
def test_a_number_is_compared_as_it_is_rounded(problems, right, wrong, what):
    page = "# Speed\n\nIt runs at {}<!-- from run:" + what + " --> here.\n"
    assert problems(page.format(right)) == []
    (told,) = problems(page.format(wrong))
    assert told.startswith("line 3: '")
    assert told.endswith(f"(from run:{what})")


def test_keys_can_begin_where_another_comment_leads(problems):
    row = (
        "| a<!-- of run:walks:push {} --> | {}<!-- from :a1:falls --> "
        "| {}<!-- from :go2:falls --> |\n"
    )
    assert problems(row.format("0.3", 0, 2) + row.format("0.6", 1, 0)) == []
    (told,) = problems(row.format("0.3", 0, 2) + row.format("0.6", 1, 2))
    assert told == "line 2: '2' is 0 (from run:walks:push 0.6:go2:falls)"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("8.1<!-- from other:speed -->", "there is no benchmarks/results/other.json"),
        ("8.1<!-- from run:sped -->", "run.json has no 'sped' there"),
        ("1<!-- from run:walks:push* -->", "2 values: say which of them"),
        ("1<!-- from run:walks:trot -->", "which is no number"),
        ("1<!-- from run:speed; about -->", "'about' is not understood"),
        ("about <!-- from run:speed -->", "'' before the comment is no number"),
    ],
)
def test_a_comment_that_leads_nowhere_is_noticed(problems, text, told):
    (line,) = problems(text)
    assert told in line


def test_a_page_can_ask_for_the_source_of_all_its_numbers(problems):
    head = (
        "It is 7 of 9.\n\n<!-- every number has a source -->\n| | 18 |\n| --- | --- |\n"
    )
    row = "| a | 8.1<!-- from run:speed --> |\n"
    said = "\nOf others: 29.<!-- published: them --> And `x 3`, [Key2008](p.md#a-2).\n"
    assert problems(head + row + said) == []
    lost = "| b | 4 |\n"
    (line,) = problems(head + row + lost + said)
    assert line == "line 7: where the numbers are from is not said: '| b | 4 | ...'"
    assert problems(row + lost) == []  # a page that does not ask
    assert (
        problems(head + row + "<!-- not every number has a source -->\n" + lost) == []
    )


def test_every_result_can_be_measured_again():
    """Its command is one that there is, and says when and on what it ran."""
    root = TOOLS.parent
    files = sorted((root / "benchmarks" / "results").glob("*.json"))
    assert files
    for path in files:
        told = json.loads(path.read_text(encoding="utf-8"))
        assert {"commit", "date", "machine", "result"} <= set(told), path.name
        program, *rest = told["command"].split()
        assert program in ("python", "equipoise"), path.name
        assert program != "python" or (root / rest[0]).is_file(), path.name


def test_a_result_is_kept_with_its_command_and_without_single_trials(
    tmp_path, monkeypatch
):
    import bench

    monkeypatch.setattr(bench, "RESULTS", tmp_path)
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    code = "import json; print(json.dumps({'n': 2, 'rows': [*range(99)]}))"
    assert bench.saved("run", ["python", "-c", code]) == 0
    told = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert told["result"] == {"n": 2, "rows": []}
    assert (told["exit_code"], told["versions"]["numpy"] > "1") == (0, True)
    told["result"] = {}
    (tmp_path / "run.json").write_text(json.dumps(told), encoding="utf-8")
    assert bench.saved("run", []) == 0  # by the command that the file has
    assert json.loads((tmp_path / "run.json").read_text())["result"]["n"] == 2
    assert bench.saved("run", ["python", "-c", "print('nothing')"]) == 2
    assert json.loads((tmp_path / "run.json").read_text())["result"]["n"] == 2
    sys.modules.pop("bench")


def test_the_pages_of_numbers_ask_for_their_sources():
    from documentation.sources import STRICT

    pages = [TOOLS.parent / "README.md", TOOLS.parent / "docs" / "numbers.md"]
    assert all(page.read_text(encoding="utf-8").count(STRICT) == 1 for page in pages)
