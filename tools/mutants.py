"""Plant bugs, one at a time, and see whether the tests beside each of them notice.

    .venv/bin/python tools/mutants.py [--list] [FILES]
    .venv/bin/python tools/mutants.py --draw N [--seed S] [--workers W] [FILES]

The first reads ``mutants.txt``: a source file and the tests that should see the bug,
then text that is taken away (-) and what comes instead (+). FILES is part of the source
files' names; without it all are planted. ``--list`` only says which lines are no longer
where they were, and takes no time. Kernels run as plain Python there, so that nothing
is compiled and one takes seconds; "compiled" behind the tests asks for machine code.
The same tests must pass without any bug first. Exit 1 where fewer than 95 % are caught.

The second draws N bugs at random (``mutation/places.py`` says which) from all files, or
those whose names have one of FILES in them (commas between), and asks the tests near
each (``mutation/uses.py``) until one fails or a budget of time is spent. It prints what
survived and the share caught with its 95 % interval, by room and by kind. Survivors
that a person judged to change nothing are in ``mutants_equivalent.txt`` and count
apart. A journal in ``out/mutants`` keeps what is done: stopped at any moment, the same
command goes on from there, and after new tests it tries the survivors again. Exit 1
where fewer than 85 % are caught.

Bugs are planted in a copy of ``src`` and ``lab``. One is caught where a test fails or
never ends.
"""

import argparse
import json
import os
import shlex
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from mutation.rate import Asked, printed, rate, report
from mutation.trial import COMPILED, PLAIN, Copy, ask, load_heavy

ROOT = Path(__file__).parents[1]
PACKAGE, LAB = Path("src/equipoise"), "lab/"
LIMIT = 300.0  # processor time that a test of the list may take [s]
SHARE, DRAWN_SHARE = 0.95, 0.85


class Mutant(NamedTuple):
    """One bug, and the tests that should see it."""

    file: str
    old: str
    new: str
    tests: str
    is_compiled: bool
    """Whether kernels must be compiled, because the tests ask for machine code."""


def place(file: str) -> Path:
    """Return where a file of the list is: in the library, unless it is the lab's."""
    return Path(file) if file.startswith(LAB) else PACKAGE / file


def misplaced(mutants: list[Mutant]) -> list[str]:
    """Return a line for each bug that cannot be planted, or that no test would see."""
    found = list[str]()
    for mutant in mutants:
        path = ROOT / place(mutant.file)
        times = path.read_text().count(mutant.old) if path.is_file() else 0
        if times != 1:
            found.append(f"{mutant.file} has '{mutant.old}' {times} times, not once")
        files = [word for word in shlex.split(mutant.tests) if word.endswith(".py")]
        missing = [name for name in files if not (ROOT / "tests" / name).is_file()]
        found += [f"{mutant.file}: there is no tests/{name}" for name in missing]
    return found


def mutants_in(text: str) -> list[Mutant]:
    """Return the bugs of a list."""
    lines = [line for line in text.splitlines() if line and line[0] != "#"]
    return [
        Mutant(file, old[2:], new[2:], tests, rest == ["compiled"])
        for (file, tests, *rest), old, new in zip(
            (line.split(" | ") for line in lines[::3]),
            lines[1::3],
            lines[2::3],
            strict=True,
        )
    ]


def asked(mutant: Mutant, folder: Path) -> str:
    """Return what the tests of a bug say of the copy as it is."""
    words = shlex.split(mutant.tests)
    paths = [f"tests/{word}" if ".py" in word else word for word in words]
    mode = COMPILED if mutant.is_compiled else PLAIN
    word = ask(folder, paths, mode, LIMIT).word
    if word == "none":
        raise SystemExit(f"there are no tests '{mutant.tests}'")
    return word


def plant(mutants: list[Mutant], copy: Copy) -> Counter[tuple[str, bool]]:
    """Print what becomes of each bug; return how many of each room were caught."""
    tally: Counter[tuple[str, bool]] = Counter()
    passed: dict[str, bool] = {}
    for k, mutant in enumerate(mutants):
        if mutant.tests not in passed:
            passed[mutant.tests] = asked(mutant, copy.folder) == "passed"
        if not passed[mutant.tests]:
            print(f"{k + 1:3d} without any bug these do not pass: {mutant.tests}")
            continue
        file, start = place(mutant.file), time.monotonic()
        text = (ROOT / file).read_text().replace(mutant.old, mutant.new)
        copy.plant(file, text.encode())
        is_caught = asked(mutant, copy.folder) != "passed"
        copy.mend()
        tally[mutant.file.split("/")[0], is_caught] += 1
        word = "caught" if is_caught else "SURVIVED"
        took = time.monotonic() - start
        print(
            f"{k + 1:3d} {word:8s} {took:5.1f} s  {mutant.file}  {mutant.new.strip()}"
        )
        sys.stdout.flush()
    return tally


def plant_list(named: str, only_list: bool) -> int:
    """Plant all bugs of the list and print a table by room."""
    text = Path(__file__).with_suffix(".txt").read_text()
    mutants = [m for m in mutants_in(text) if named in m.file]
    wrong = misplaced(mutants)
    if wrong or only_list:
        print(*wrong, f"{len(mutants)} bugs, {len(wrong)} misplaced", sep="\n")
        return 1 if wrong else 0
    os.chdir(ROOT)
    load_heavy()
    with tempfile.TemporaryDirectory() as folder:
        tally = plant(mutants, Copy(ROOT, Path(folder)))
    print("\n| room | planted | caught |\n| --- | --- | --- |")
    for room in sorted({room for room, _ in tally}):
        caught = tally[room, True]
        print(f"| {room} | {caught + tally[room, False]} | {caught} |")
    share = sum(n for (_, is_caught), n in tally.items() if is_caught) / len(mutants)
    print(f"\n{len(mutants)} planted, {share:.1%} caught")
    return 0 if share >= SHARE else 1


def main() -> int:
    """Plant the bugs of the list, or some drawn at random."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="?", default="", help="part of the files' names")
    parser.add_argument("--list", action="store_true", help="only check the list")
    parser.add_argument("--draw", type=int, help="how many to draw at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=float, default=30.0, help="[s] for each drawn")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the report there, too")
    parser.add_argument("--root", type=Path, default=ROOT, help="another repository")
    given = parser.parse_args()
    if given.draw is None:
        return plant_list(given.files, given.list)
    where = (given.root.resolve(), given.draw, given.seed, given.files)
    wanted = Asked(*where, given.budget, given.workers)
    result = report(wanted, rate(wanted))
    print(printed(result))
    if given.json:
        given.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return 0 if result["all"]["count"] >= DRAWN_SHARE * result["all"]["of"] else 1


if __name__ == "__main__":
    sys.exit(main())
