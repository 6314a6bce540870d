"""Plant bugs, one at a time, and see whether the tests beside each of them notice.

    .venv/bin/python tools/mutants.py [--list] [FILES]

reads ``mutants.txt``: a source file and the tests that should see the bug, then text
that is taken away (-) and what comes instead (+). FILES is part of the source files'
names; without it all are planted. ``--list`` only says which lines are no longer where
they were, and takes no time. The bugs are planted in a copy of ``src`` and ``lab``,
with kernels as plain Python (NUMBA_DISABLE_JIT), so that nothing is compiled and one
takes seconds; "compiled" behind the tests asks for machine code. The same tests must
pass without any bug first. A planted bug is caught where a test fails or never ends.
Exit 1 where fewer than 95 % are.
"""

import os
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE, LAB = Path("src/equipoise"), "lab/"
LIMIT = 300.0  # how long the tests of one bug may take [s]
SHARE = 0.95
HEAVY = ("scipy.optimize", "mujoco", "numba", "hypothesis", "pytest")
"""What every test loads: once here, before the processes part ways."""


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


def verdict(tests: str, is_compiled: bool) -> str:
    """Run tests in a process of their own; return passed, failed or endless."""
    child = os.fork()
    if child == 0:
        os.setsid()
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        os.environ["NUMBA_DISABLE_JIT"] = str(int(not is_compiled))
        import_module("numba").config.DISABLE_JIT = not is_compiled
        words = shlex.split(tests)
        paths = [f"tests/{word}" if ".py" in word else word for word in words]
        lab = Path(os.environ["PYTHONPATH"]).with_name("lab")  # the copy's
        places = f"pythonpath=tests {lab}"
        options = [*"-xqp no:cacheprovider -o".split(), places]
        os._exit(import_module("pytest").main([*paths, *options]))
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        gone, status = os.waitpid(child, os.WNOHANG)
        if gone:
            code = os.waitstatus_to_exitcode(status)
            if code in (4, 5):  # of pytest: wrong words, or no tests
                raise SystemExit(f"there are no tests '{tests}'")
            return "failed" if code else "passed"
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "endless"


def asked(mutant: Mutant) -> str:
    """Return what the tests of a bug say of the copy as it is."""
    return verdict(mutant.tests, mutant.is_compiled)


def plant(mutants: list[Mutant], room: Path) -> Counter[tuple[str, bool]]:
    """Print what becomes of each bug; return how many of each room were caught."""
    tally: Counter[tuple[str, bool]] = Counter()
    passed: dict[str, bool] = {}
    for k, mutant in enumerate(mutants):
        if mutant.tests not in passed:
            passed[mutant.tests] = asked(mutant) == "passed"
        if not passed[mutant.tests]:
            print(f"{k + 1:3d} without any bug these do not pass: {mutant.tests}")
            continue
        file, start = room / place(mutant.file), time.monotonic()
        file.write_text(file.read_text().replace(mutant.old, mutant.new))
        is_caught = asked(mutant) != "passed"
        shutil.copy2(ROOT / place(mutant.file), file)  # with its time: no stale code
        tally[mutant.file.split("/")[0], is_caught] += 1
        word = "caught" if is_caught else "SURVIVED"
        took = time.monotonic() - start
        print(
            f"{k + 1:3d} {word:8s} {took:5.1f} s  {mutant.file}  {mutant.new.strip()}"
        )
        sys.stdout.flush()
    return tally


def main() -> int:
    """Plant all bugs of the list and print a table by room."""
    words = [word for word in sys.argv[1:] if word != "--list"]
    text = Path(__file__).with_suffix(".txt").read_text()
    mutants = [m for m in mutants_in(text) if "".join(words[:1]) in m.file]
    wrong = misplaced(mutants)
    if wrong or "--list" in sys.argv:
        print(*wrong, f"{len(mutants)} bugs, {len(wrong)} misplaced", sep="\n")
        return 1 if wrong else 0
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source)
        shutil.copytree(ROOT / "lab", Path(folder) / "lab")
        os.environ.update(PYTHONPATH=str(source), NUMBA_DISABLE_JIT="1")
        os.environ.update(PYTHONDONTWRITEBYTECODE="1", OPENBLAS_NUM_THREADS="1")
        sys.path.insert(0, str(source))
        sys.dont_write_bytecode = True
        for name in HEAVY:
            import_module(name)
        tally = plant(mutants, Path(folder))
    print("\n| room | planted | caught |\n| --- | --- | --- |")
    for room in sorted({room for room, _ in tally}):
        caught = tally[room, True]
        print(f"| {room} | {caught + tally[room, False]} | {caught} |")
    share = sum(n for (_, is_caught), n in tally.items() if is_caught) / len(mutants)
    print(f"\n{len(mutants)} planted, {share:.1%} caught")
    return 0 if share >= SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
