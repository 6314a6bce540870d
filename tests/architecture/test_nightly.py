"""What runs at night: pieces that are resumed, and a page that leaves nothing out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.sim  # nights are run in processes

TOOLS = Path(__file__).parents[2] / "tools"
TESTS = """
import pytest
def test_good(record_property):
    record_property("answers", {"yes": 2, "no": 1})
@pytest.mark.parametrize("x", [1, 2])
def test_bad(x): assert x == 1, "x is two"
@pytest.fixture
def broken(): raise ValueError("no set-up")
def test_broken(broken): pass
def test_skipped(): pytest.skip("no tool")
"""


@pytest.fixture(autouse=True)
def tools_on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))


def journal_of(tmp_path, *options, done=()):
    (tmp_path / "test_one.py").write_text(TESTS)
    names = tmp_path / "done"
    names.write_text("\n".join(done))
    setting = {
        **os.environ,
        "PYTHONPATH": str(TOOLS),
        "EQUIPOISE_JOURNAL": str(tmp_path / "journal"),
        "EQUIPOISE_DONE": str(names),
    }
    words = ["-m", "pytest", "-q", "-p", "journal_plugin", "-p", "no:cacheprovider"]
    ended = subprocess.run(
        [sys.executable, *words, *options, "test_one.py"],
        cwd=tmp_path,
        env=setting,
        capture_output=True,
        text=True,
    )
    rows = [json.loads(x) for x in (tmp_path / "journal").read_text().splitlines()]
    return ended, rows


@pytest.mark.sim
@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_tests_are_written_down_and_not_run_twice(tmp_path, options):
    ended, rows = journal_of(tmp_path, *options)
    assert ended.returncode == 1
    outcomes = {r["test"].split("::")[1]: r["outcome"] for r in rows if "test" in r}
    assert outcomes == {
        "test_good": "passed",
        "test_bad[1]": "passed",
        "test_bad[2]": "failed",
        "test_broken": "failed",
        "test_skipped": "skipped",
    }
    assert {row["selected"] for row in rows if "selected" in row} == {5}
    by_name = {r["test"]: r for r in rows if "test" in r}
    assert by_name["test_one.py::test_good"]["recorded"] == {
        "answers": {"yes": 2, "no": 1}
    }
    assert "x is two" in by_name["test_one.py::test_bad[2]"]["said"]
    (tmp_path / "journal").unlink()
    done = [name for name in by_name if "good" not in name]
    ended, rows = journal_of(tmp_path, *options, done=done)
    assert ended.returncode == 0
    assert [r["test"] for r in rows if "test" in r] == ["test_one.py::test_good"]
    assert {row["selected"] for row in rows if "selected" in row} == {5}


def step(*commands, are_tests=False, name="sums"):
    from nightly import Step

    typed = tuple((sys.executable, "-c", command) for command in commands)
    return Step(name, "sums of numbers", 1.0, typed, are_tests=are_tests)


def test_a_night_that_was_ended_goes_on_where_it_was(tmp_path):
    from nightly import Night

    mark = "open('ran', 'a').write('{}')"
    slow = mark.format(2) + "; import time; time.sleep(60)"
    here = f"import os; os.chdir({str(tmp_path)!r}); "
    one = Night(tmp_path / "night", "abc", 0)
    one.run(step(here + mark.format(1), here + slow, here + mark.format(3)), 1.5)
    assert (tmp_path / "ran").read_text() == "12"  # the second was ended, no third
    codes = {row["piece"]: row["code"] for row in one.rows("sums")}
    assert codes == {0: 0, 1: None}
    with (tmp_path / "night/sums.jsonl").open("a") as journal:
        journal.write('{"piece": 1, "co')  # the machine went off
    again = step(here + mark.format(1), here + mark.format(4), here + mark.format(3))
    one.run(again, 60.0)
    assert (tmp_path / "ran").read_text() == "1243"
    codes = {row["piece"]: row["code"] for row in one.rows("sums")}
    assert codes == {0: 0, 1: 0, 2: 0}
    other = Night(tmp_path / "night", "def", 0)  # another commit
    assert other.rows("sums") == []
    with (tmp_path / "night/sums.jsonl").open("a") as journal:
        journal.write('{"piece": 1, "co')
    other.run(step("print(1)"), 60.0)
    assert [row["code"] for row in other.rows("sums")] == [0]


def test_time_that_was_spent_is_not_had_again(tmp_path):
    from nightly import Night

    one = Night(tmp_path, "abc", 0)
    one.write("sums", {"commit": "abc"})
    one.write("sums", {"piece": 0, "code": None, "said": "", "spent": 50.0})
    one.run(step("print(1)"), 40.0)
    assert [row["code"] for row in one.rows("sums")] == [None]


def test_the_page_tells_what_failed_and_what_was_not_reached():
    from nightly_report import report

    tests = step("", name="slow", are_tests=True)
    rows = [
        {"selected": 4},
        {"test": "a.py::b[1]", "outcome": "passed", "seconds": 3.0},
        {"test": "a.py::b[2]", "outcome": "failed", "seconds": 9.0, "said": "E  1 < 2"},
        {"test": "a.py::c", "outcome": "skipped", "seconds": 0.1},
        {"piece": 0, "code": None, "said": "", "spent": 120.0},
    ]
    rows[1]["recorded"] = {"grade": {"right": 90, "shy": 10}}
    rows[2]["recorded"] = {"grade": {"right": 80, "wrong yes": 1}}
    pieces = step("", "", "", "", name="torture")
    ended = [
        {"piece": 0, "code": 0, "said": "", "spent": 60.0},
        {"piece": 1, "code": 1, "said": "a lie ``` of seed 7", "spent": 60.0},
        {"piece": 2, "code": None, "said": "", "spent": 60.0},
    ]
    text, is_well = report("2026-11-19", "abc", 4.0, [(tests, rows), (pieces, ended)])
    assert not is_well
    assert "| slow | sums of numbers | 3 of 4 tests | 1 | 1 | 2 |" in text
    assert "| torture | sums of numbers | 2 of 4 runs | 1 | - | 3 |" in text
    assert "* slow: `a.py::b[2]`" in text and "E  1 < 2" in text
    assert "* torture, run 2 of 4: exit 1" in text and "a lie ''' of seed 7" in text
    assert "| b | grade | right: 170, shy: 10, wrong yes: 1 |" in text
    assert "* 9 s, slow: `a.py::b[2]`" in text
    text, is_well = report("2026-11-19", "abc", 4.0, [(tests, rows[:2]), (pieces, [])])
    assert is_well and "Nothing." in text and "not run" in text


def test_every_night_draws_others(tmp_path, monkeypatch):
    from nightly import steps_of

    from oracles.night import seeds_of_the_night

    one, two = (
        {word for s in steps_of(night, tmp_path) for c in s.commands for word in c}
        for night in (10, 11)
    )
    assert one != two
    assert sum(s.share for s in steps_of(10, tmp_path)) == pytest.approx(1.0)
    monkeypatch.delenv("EQUIPOISE_NIGHT", raising=False)
    by_hand = seeds_of_the_night(100, 40, 20)
    assert by_hand == [range(100, 120), range(120, 140)]
    monkeypatch.setenv("EQUIPOISE_NIGHT", "2")
    assert seeds_of_the_night(100, 40, 20) == [range(180, 200), range(200, 220)]
