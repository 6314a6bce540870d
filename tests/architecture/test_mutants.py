"""Planted bugs have their places, and drawn ones are what they are said to be."""

import ast
import json
import subprocess
import sys
from collections import Counter
from itertools import islice

import pytest

from architecture.source import REPOSITORY

TOOLS = REPOSITORY / "tools"


@pytest.fixture(autouse=True)
def tools_on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))


def test_every_planted_bug_has_its_place():
    import mutants

    bugs = mutants.mutants_in((TOOLS / "mutants.txt").read_text())
    assert len(bugs) > 150
    assert not mutants.misplaced(bugs)
    wrong = [bugs[0]._replace(old="nothing like it"), bugs[1]._replace(tests="no.py")]
    assert len(mutants.misplaced(wrong)) == 2


def test_every_equivalent_mutant_can_still_be_drawn():
    from mutation.rate import equivalents, stale

    text = (TOOLS / "mutants_equivalent.txt").read_text()
    assert all(why.strip() for why in equivalents(text).values())
    assert not stale(REPOSITORY, text)
    gone = "core/angles.py | f | gone\n- nothing like it\n+ nor this\n"
    assert len(stale(REPOSITORY, gone)) == 1


# Each line, and everything that may stand there instead; what a person is told and what
# only the type checker reads is left alone.
LINES = [
    ("signs", "y = a - b", {"y = (a + b)"}),
    ("signs", "y = -a", {"y = (a)"}),
    ("signs", "y += a", {"y -= a", "pass"}),
    ("indices", "y = a[2]", {"y = a[1]", "y = a[3]"}),
    ("indices", "y = a[i, b]", {"y = a[b, i]"}),
    ("indices", "y = a[i]", {"y = a[i + 1]", "y = a[i - 1]"}),
    ("comparisons", "y = a < b", {"y = a <= b", "y = a >= b"}),
    ("comparisons", "y = a not in b", {"y = a in b"}),
    ("constants", "y = 3", {"y = 2", "y = 4", "y = 6", "y = 0"}),
    ("operators", "y = a / b", {"y = (a * b)"}),
    ("branches", "y = a and b", {"y = (a or b)"}),
    ("branches", "y = a if c else b", {"y = a if not (c) else b"}),
    ("branches", "a.x = b", {"pass"}),
    ("branches", "raise ValueError(3, -a, f'{a + b}')", {"pass"}),
    ("arguments", "y = f(a, b, c)", {"y = f(b, a, c)", "y = f(a, c, b)"}),
    ("extremes", "y = np.maximum(a)", {"y = np.minimum(a)"}),
    ("truths", "y = True", {"y = False"}),
    ("axes", "y = f(R_WB.T)", {"y = f((R_WB))"}),
    ("axes", "y = R_WB @ a", {"y = R_WB.T @ a"}),
    ("axes", "y = f(axis=0)", {"y = f(axis=1)"}),
    (None, "y: tuple[int, float] = a", set()),
    (None, "print(a + 1)", set()),
    (None, "y = zip(*a, strict=True)", set()),
    (None, "'a docstring'", set()),
    (None, "y = 'a' + b", set()),
    (None, "import a", set()),
]


@pytest.mark.parametrize(("kind", "line", "instead"), LINES)
def test_a_line_has_the_mutants_of_its_kind(kind, line, instead):
    from mutation.places import places_in, planted

    text = f"def one(a, b, c, i):\n    {line}\n".encode()
    places = places_in(text)
    found = {
        planted(text, place, words).decode().splitlines()[1].strip()
        for place in places
        for words in place.instead
    }
    assert found == instead
    assert kind is None or kind in {place.kind for place in places}


def test_every_kind_has_a_line():
    from mutation.places import KINDS

    assert {kind for kind, *_ in LINES} == {*KINDS, None} - {"defaults"}  # below


def test_defaults_and_early_returns_are_places_too():
    from mutation.places import places_in

    text = b"class A:\n    x: float = 0.5\n\n\ndef f(a, b=2, *, c=False):\n    if a:\n"
    text += b"        return 1\n    return b\n"
    places = places_in(text)
    found = {(p.kind, p.line, text[p.start : p.end], p.instead) for p in places}
    assert ("defaults", 2, b"0.5", ("-0.5", "1.5", "1.0", "0.0")) not in found
    assert ("defaults", 2, b"0.5", ("(-0.5)", "1.5", "1.0", "0.0")) in found
    assert ("defaults", 5, b"False", ("True",)) in found
    assert ("branches", 6, b"a", ("not (a)",)) in found
    assert ("branches", 7, b"return 1", ("pass",)) in found
    assert not any(p.line == 8 and p.kind == "branches" for p in places)  # its last one


def test_the_same_seed_draws_the_same_mutants_and_leaves_the_rest_of_the_text():
    from mutation.draw import draw, source_files
    from mutation.places import KINDS, planted

    files = source_files(REPOSITORY, "spatial/")
    drawn = list(islice(draw(files, seed=5), 100))
    assert drawn == list(islice(draw(files, seed=5), 100))
    assert drawn[:50] != list(islice(draw(files, seed=6), 50))
    assert len(set(drawn)) == len(drawn)
    assert {mutant.kind for mutant in drawn} <= set(KINDS)
    for one in drawn:
        text = files[one.file].read_bytes()
        new = planted(text, one.place, one.instead)
        start, end = one.place.start, one.place.end
        assert (
            new[:start] == text[:start]
            and new[len(new) - len(text) + end :] == (text[end:])
        )
        assert ast.dump(ast.parse(new)) != ast.dump(ast.parse(text))


SOURCE = '''"""A tiny package."""


def total(numbers):
    """Return the sum of what is above zero."""
    found = 0
    for number in numbers:
        if number > 0:
            found += number
    return found


def untested(a, b):
    """Return the product of two numbers."""
    return a * b
'''
TESTS = """from tiny.sums import total


def test_total():
    assert total([1, -2, 3]) == 4
"""


@pytest.mark.sim  # starts pytest
def test_a_rate_counts_what_the_tests_of_a_package_catch(tmp_path):
    (tmp_path / "src" / "tiny").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tools").mkdir()
    for name, text in {
        "src/tiny/__init__.py": "",
        "src/tiny/sums.py": SOURCE,
        "tests/test_sums.py": TESTS,
        "pyproject.toml": "[tool.pytest.ini_options]\n",
        # The first of these is drawn and survives; the other is not one that exists.
        "tools/mutants_equivalent.txt": "sums.py | total | adding 0 changes nothing\n"
        "- if number > 0:\n+ if number >= 0:\n",
    }.items():
        (tmp_path / name).write_text(text)
    out = tmp_path / "rate.json"
    words = ["--root", str(tmp_path), "--draw", "999", "--json", str(out)]
    command = [sys.executable, str(TOOLS / "mutants.py"), *words]

    def rate(*more, code=1):
        typed = [*command, *more]
        run = subprocess.run(typed, capture_output=True, text=True, check=False)
        assert run.returncode == code, run.stderr
        return json.loads(out.read_text()), run.stdout

    result, said = rate()
    verdicts = {(m["before"], m["after"]): m["verdict"] for m in result["mutants"]}
    # By hand: found = -1, 1 (0 twice is 0, and none); found -= number, no statement;
    # number > -1, > 1 (2 * 0 is 0), >= 0, <= 0; a / b.
    assert verdicts == {
        ("found = 0", "found = (-1)"): "caught",
        ("found = 0", "found = 1"): "caught",
        ("found += number", "found -= number"): "caught",
        ("found += number", "pass"): "caught",
        ("if number > 0:", "if number > (-1):"): "survived",
        ("if number > 0:", "if number > 1:"): "caught",
        ("if number > 0:", "if number >= 0:"): "equivalent",
        ("if number > 0:", "if number <= 0:"): "caught",
        ("return a * b", "return (a / b)"): "survived",
    }
    counts = {"drawn": 9, "equivalent": 1, "count": 6, "of": 8, "share": 0.75}
    assert counts.items() <= result["all"].items()
    assert "sums.py:15 | untested | operators\n- return a * b\n+ return (a / b)" in said
    # Stopped after five and a half, it does the others; with a test more it asks the
    # survivors again, and only these.
    journal = next((tmp_path / "out" / "mutants").glob("*.jsonl"))
    first, *lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([first, *lines[:5]]) + lines[5][:40])
    again, said = rate("--workers", "2")
    assert [m["verdict"] for m in again["mutants"]] == [
        m["verdict"] for m in result["mutants"]
    ]
    assert said.count(" s  sums.py:") == 4
    more = TESTS.replace("import total", "import total, untested")
    more += "\n\ndef test_untested():\n    assert untested(2, 3) == 6\n"
    (tmp_path / "tests" / "test_sums.py").write_text(more)
    after, said = rate(code=0)  # more than 85 %
    assert Counter(m["verdict"] for m in after["mutants"])["caught"] == 7
    assert said.count(" s  sums.py:") == 3  # with the equivalent one


@pytest.mark.sim  # starts pytest
def test_a_test_that_never_ends_is_stopped_and_named(tmp_path, monkeypatch):
    from mutation.trial import COMPILED, ask

    (tmp_path / "tests").mkdir()
    text = "def test_good():\n    pass\n\n\ndef test_loop():\n    while True:\n"
    text += "        pass\n"
    (tmp_path / "tests" / "test_loops.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    answer = ask(tmp_path, ["tests/test_loops.py"], COMPILED, limit=1.0)
    assert answer.word == "endless"
    assert answer.test == "tests/test_loops.py::test_loop"
    assert list(answer.times) == ["tests/test_loops.py::test_good"]
    good = ["tests/test_loops.py::test_good"]
    only = ask(tmp_path, ["tests/test_loops.py"], COMPILED, 9.0, wanted=good)
    assert (only.word, list(only.times)) == ("passed", good)
