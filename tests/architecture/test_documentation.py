"""The check of the documentation notices what is wrong with a page."""

import json
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture(autouse=True)
def tools_on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))


def steps_of(tmp_path, text):
    from documentation.steps import page_steps

    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    return page_steps(page)


def test_blocks_become_steps_with_what_is_said_of_them(tmp_path):
    text = (
        "<!-- before: x = 1 -->\n```python\nprint(x)\n```\n\n"
        "<!-- runs: minutes -->\n```python\npass\n```\n"
        "<!-- not run: an outline -->\n```python\npass\n```\n"
        "```sh\nmake test   # minutes\nfalse  # it falls: exits 1\n# a remark\n```\n"
        "```text\nnothing to run\n```\n"
    )
    python, long, outline, make, false = steps_of(tmp_path, text)
    assert python.text.split() == ["x", "=", "1", "print(x)"]
    assert (long.is_long, outline.skipped) == (True, "an outline")
    assert (make.text, make.is_long, make.code) == ("make test", True, 0)
    assert (false.text, false.is_long, false.code) == ("false", False, 1)


def test_a_console_block_is_commands_and_what_they_print(tmp_path):
    one, two = steps_of(tmp_path, "```console\n$ echo a\na\n$ true\n```\n")
    assert (one.text, one.prints) == ("echo a", "a")
    assert (two.text, two.prints) == ("true", None)


def test_wrong_python_is_noticed(tmp_path):
    from documentation.runner import run_step

    right, wrong = steps_of(
        tmp_path, "```python\nx = 1\n```\n```python\nx = 2\nx.nonsense\n```\n"
    )
    names = {}
    assert run_step(right, names) == ""
    assert names["x"] == 1
    assert "AttributeError in 'x.nonsense'" in run_step(wrong, names)


@pytest.mark.parametrize(
    ("value", "shown", "is_same"),
    [
        ("0.1788, 0.468, True, 'yes'", '0.18, 0.47, True, "yes"', True),
        ("0.1788, 0.468, True, 'yes'", '0.17, 0.47, True, "yes"', False),
        ("0.18, True", "0.18, 1", False),
        ("{'a': 'no', 'b': None}", '{"a": ..., "b": None}', True),
        ("{'a': 'no', 'b': None}", '{"a": "yes", "b": ...}', False),
        ("{'a': 'no', 'b': None}", '{"a": "no"}', False),
        ("[1, 2, 3]", "[1, 2]", False),
        ("[1, 2, 3]", "[1, ...]", True),
        ("[1, 2, 3]", "[..., 2, 3]", True),
        ("[1, 2, 3]", "[1, ..., 2]", False),
        ("[1]", "[1, ..., 1]", False),
        ("__import__('numpy').arange(3)", "[0, 1, 2]", True),
        ("__import__('numpy').arange(3)", "[0, 1, 3]", False),
        ("0.0000123", "1.2e-05", True),
        ("0.0000123", "1.3e-05", False),
        ("8.4", "9.5 mm, in prose", True),
    ],
)
def test_a_value_in_a_comment_is_compared(tmp_path, value, shown, is_same):
    from documentation.runner import run_step

    (step,) = steps_of(tmp_path, f"```python\nx = (\n{value})\n(\nx)  # {shown}\n```\n")
    told = run_step(step, {})
    assert (told == "") is is_same
    assert is_same or "is said to be" in told


def test_a_wrong_exit_code_and_a_wrong_print_are_noticed(tmp_path):
    from documentation.shell import run_shell

    false, right, wrong = steps_of(
        tmp_path, "```console\n$ false\n$ echo a\na\n$ echo a\nb\n```\n"
    )
    assert "exits 1, not 0" in run_shell(false)
    assert run_shell(right) == ""
    assert "is said to print 'b'" in run_shell(wrong)


def test_installs_and_targets_are_looked_up(tmp_path):
    from documentation.shell import run_shell

    text = "```sh\npip install 'equipoise[{}]'\nmake {}\n```\n"
    assert [run_shell(s) for s in steps_of(tmp_path, text.format("gym", "test"))] == [
        "",
        "",
    ]
    wrong = [run_shell(s) for s in steps_of(tmp_path, text.format("gim", "tests"))]
    assert wrong == ["there is no extra 'gim'", "make has no target tests"]


@pytest.mark.parametrize(
    ("shown", "printed", "is_same"),
    [
        ("a\nb", "a\nb\n", True),
        ("a\n...\nd", "a\nb\nc\nd\n", True),
        ("a\n...", "a\nb\n", True),
        ("a", "a\nb\n", False),
        ("a\n...\nd", "a\nb\n", False),
        ("b", "a\nb\n", False),
    ],
)
def test_dots_stand_for_lines(shown, printed, is_same):
    from documentation.shell import differs

    assert (differs(shown, printed) == "") is is_same


def test_a_page_that_nav_lacks_is_noticed():
    from documentation.links import not_in_nav
    from documentation.pages import ROOT

    told = list(not_in_nav([ROOT / "docs" / "index.md", ROOT / "docs" / "new.md"]))
    assert told == ["docs/new.md: mkdocs.yml has no entry for it under nav"]


def test_a_name_without_an_entry_is_noticed(monkeypatch):
    from documentation import names

    import equipoise.viz

    maker = names.api_maker()
    monkeypatch.setattr(maker, "ROOMS", ("equipoise.viz",))
    monkeypatch.setattr(names, "api_maker", lambda: maker)
    assert list(names.names_without_entry()) == []
    monkeypatch.setattr(maker, "api_pages", lambda: {"api/equipoise.viz.md": ""})
    assert len(list(names.names_without_entry())) == len(equipoise.viz.__all__)
    del sys.modules["site_api"]


# --- counts of claims -----------------------------------------------------------------

ONE = {"claims": 3, "met": 2, "refuted": 0, "missed": 1, "mixed": 0,
       "not checkable": 0, "beyond": 0, "failing": 0, "settings": 4}  # fmt: skip
TWO = {"claims": 4, "met": 1, "refuted": 1, "missed": 0, "mixed": 1,
       "not checkable": 1, "beyond": 2, "failing": 0, "settings": 0}  # fmt: skip
COUNTED = """# Papers

7 claims: 3 met, 1 refuted, 1 missed, 1 mixed, 1 not
checkable; 2 findings beyond, 4 settings.

## moll2006

3 claims: 2 met, 1 missed; 4 settings. In two minutes.

## ridderstrom2003

All of it.

### Part 2: walking

4 claims: 1 met, 1 refuted, 1 mixed, 1 not checkable; 2 findings beyond, 0 settings.
"""


def counts_of(tmp_path, page, kept=True):
    from documentation.claims import wrong_counts

    (tmp_path / "papers.md").write_text(page, encoding="utf-8")
    counts = {"moll2006": ONE, "ridderstrom2003 part 2": TWO}
    if kept:
        told = json.dumps({"result": {"counts": counts}})
        (tmp_path / "papers.json").write_text(told, encoding="utf-8")
    return [*wrong_counts(tmp_path / "papers.md", tmp_path / "papers.json")]


def test_counts_of_claims_are_those_that_are_kept(tmp_path):
    assert counts_of(tmp_path, COUNTED) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("3 claims: 2 met, 1 missed", "3 claims: 3 met", "papers.md, moll2006: 3 cl"),
        ("7 claims: 3 met", "7 claims: 4 met", "papers.md, the page: 7 claims: 4 met"),
        ("2 findings beyond, 0", "3 findings beyond, 0", "ridderstrom2003 part 2: 4"),
        ("; 4 settings. In", "; 5 settings. In", "papers.md, moll2006"),
        ("### Part 2", "### Part 3", "no section for ridderstrom2003 part 2"),
        (
            "All of it",
            "9 claims: 9 met; 1 settings",
            "1 sentences count claims of what",
        ),
        ("3 claims: 2 met", "Two met", "papers.md, moll2006: no counts, and not 3 cl"),
    ],
)
def test_a_count_that_is_not_the_kept_one_is_noticed(tmp_path, old, new, said):
    assert old in COUNTED
    found = counts_of(tmp_path, COUNTED.replace(old, new))
    assert any(said in problem for problem in found), found


def test_a_page_without_kept_counts_is_noticed(tmp_path):
    assert counts_of(tmp_path, COUNTED, kept=False) == [
        "papers.md: there are no counts in papers.json"
    ]
