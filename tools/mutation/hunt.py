"""Whether the tests near to a drawn mutant notice it, within a budget of time."""

import ast
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mutation.draw import Mutant
from mutation.places import name_of, planted
from mutation.trial import COMPILED, PLAIN, Answer, Copy, ask, plain_name
from mutation.uses import Uses

FILES = (4, 8, 15, 30, 60)  # of tests, that one process after the other runs
AT_ONCE = 10  # tests of a file, before others come
MARKS = ("-m", "not slow")  # claims of papers count: they run nightly
FARTHEST = 2.5  # steps of a test that is asked at all
LIMIT = {PLAIN: 8.0, COMPILED: 80.0}  # of one test; machine code takes time to make [s]
LONGEST = {PLAIN: 5.0, COMPILED: 20.0}  # of a test that is begun at all [s]
GIVEN_UP = 1e6  # of a test that does not end, or does not pass, as things are [s]
SLOWNESS = 0.03  # steps that a second of a test counts for


class Verdict(NamedTuple):
    """What became of a mutant."""

    word: str
    """caught, endless or survived."""
    test: str
    spent: float
    """Processor time of all its tests [s]."""
    tests: int
    """How many tests passed with it."""


class Times:
    """How long tests take in each mode, kept in a file from one run to the next."""

    def __init__(self, file: Path) -> None:
        """Read FILE, if it is there."""
        self.file = file
        self.known: dict[str, dict[str, float]] = {PLAIN: {}, COMPILED: {}}
        with suppress(OSError, ValueError):
            self.known = json.loads(file.read_text())

    def add(self, mode: str, times: dict[str, float]) -> None:
        """Keep new times."""
        self.known[mode] |= times
        new = self.file.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(self.known))
        new.replace(self.file)


class Hunter:
    """Plants mutants and asks the tests near them."""

    def __init__(self, copy: Copy, uses: Uses, times: Times, budget: float) -> None:
        """Hunt in a COPY, with BUDGET of processor time for each mutant [s]."""
        self.copy, self.uses, self.times, self.budget = copy, uses, times, budget
        self.sound = dict[tuple[str, str], Answer]()
        self.passed = set[tuple[str, str]]()

    def hunt(self, mutant: Mutant, path: Path) -> Verdict:
        """Return what becomes of a mutant of a file."""
        text = path.read_bytes()
        near = self.uses.near(path, mutant.function)
        tests = {
            f"tests/{test.file}::{test.name}": test.steps
            for test in near
            if test.steps < FARTHEST
        }
        bug = planted(text, mutant.place, mutant.instead)
        self.copy.plant(path.relative_to(self.copy.root), bug)
        spent, passed = 0.0, 0
        try:
            for mode in _modes(text, mutant.function):
                for part in self._parts(tests, mode):
                    answer = self._asked(part, mode, self.budget - spent)
                    spent, passed = spent + answer.spent, passed + len(answer.times)
                    if answer.word in ("failed", "endless"):
                        word = "caught" if answer.word == "failed" else "endless"
                        return Verdict(word, answer.test, spent, passed)
                    if spent > self.budget / (2 if mode == PLAIN else 1):
                        break
            return Verdict("survived", "", spent, passed)
        finally:
            self.copy.mend()

    def _parts(self, tests: dict[str, float], mode: str) -> Iterator[list[str]]:
        """Yield tests by the process that runs them, the nearest ones of each file."""
        known = self.times.known
        took = {test: known[mode].get(test, 0.0) for test in tests}
        if mode == PLAIN:  # what takes long as machine code never ends without
            took |= {t: 5 * x for t, x in known[COMPILED].items() if took.get(t) == 0.0}
        steps = {
            test: far + SLOWNESS * took[test]
            for test, far in tests.items()
            if took[test] < LONGEST[mode]
        }
        order = sorted(steps, key=lambda test: (steps[test], test))
        files: dict[str, list[str]] = {}
        for test in order:
            files.setdefault(test.partition("::")[0], []).append(test)
        for many in FILES:
            part = list[str]()
            for own in list(files.values())[:many]:
                part += own[:AT_ONCE]
                del own[:AT_ONCE]
            if part:
                yield part

    def _asked(self, tests: list[str], mode: str, budget: float) -> Answer:
        """Return what tests say of a mutant.

        Those that are red without it do not count, nor those that are too slow in this
        mode to tell slow from endless.
        """
        spent, times = 0.0, dict[str, float]()
        for _ in range(4):
            files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
            folder, limit = self.copy.folder, LIMIT[mode]
            rest = max(budget - spent, 1.0)
            answer = ask(folder, [*MARKS, *files], mode, limit, tests, rest)
            spent, times = spent + answer.spent, times | answer.times
            self.times.add(mode, answer.times)
            self.passed |= {(mode, test) for test in answer.times}
            answer = answer._replace(spent=spent, times=times)
            if answer.word not in ("failed", "endless"):
                return answer
            if self._is_news(answer, files, mode):
                return answer
            name = plain_name(answer.test)
            self.times.add(mode, {name: GIVEN_UP})
            done = {*times, name}
            tests = [test for test in tests if test not in done]
            if name not in answer.test or not tests:
                break
        return Answer("none", "", times, spent)

    def _is_news(self, answer: Answer, files: list[str], mode: str) -> bool:
        """Say whether a test fails, or goes on for ever, because of the mutant."""
        is_test = "::" in answer.test
        before = self.times.known[mode].get(plain_name(answer.test), 0.0)
        if answer.word == "endless" and is_test and 0 < before < LIMIT[mode] / 3:
            return True
        if answer.word == "endless" and mode == PLAIN:
            return False
        if answer.word == "failed" and (mode, plain_name(answer.test)) in self.passed:
            return True  # with another mutant it did not
        key = (mode, answer.test)
        if key not in self.sound:
            words = [*MARKS, *([answer.test] if is_test else files)]
            wanted = None if is_test else ()
            self.sound[key] = ask(self.copy.root, words, mode, LIMIT[mode], wanted)
        sound = self.sound[key]
        is_quick = sum(sound.times.values()) < LIMIT[mode] / 3
        return sound.word in ("passed", "none") and is_quick


def _modes(text: bytes, function: str) -> tuple[str, ...]:
    """Return how kernels run: a bug in one is first looked for without compiling it."""
    names = function.split(".")[0]
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == names:
            return (PLAIN, COMPILED) if _is_kernel(node) else (COMPILED,)
    is_constant = not function and b"@compiled" in text
    return (PLAIN, COMPILED) if is_constant else (COMPILED,)


def _is_kernel(node: ast.FunctionDef) -> bool:
    heads = (
        one.func if isinstance(one, ast.Call) else one for one in node.decorator_list
    )
    return any(name_of(head) == "compiled" for head in heads)
