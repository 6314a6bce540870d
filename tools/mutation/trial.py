"""A copy of the source to plant bugs in, and tests that run in a process of their own.

Kernels run as plain Python (NUMBA_DISABLE_JIT), or as machine code: the copy brings the
stored code along, so that only what the bug touches is compiled anew, and gets it back
afterwards.
"""

import os
import select
import shutil
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

HEAVY = ("scipy.optimize", "mujoco", "numba", "hypothesis", "pytest")
"""What every test loads: once here, before the processes part ways."""
PLAIN, COMPILED = "plain", "compiled"
SOURCES = ("src", "lab")
WAIT = 3.0
"""Times its limit in processor time that a test may wait for something."""
ENDED = {0: "passed", 2: "passed", 5: "none"}
"""pytest's exit codes: 2 is the end of the budget, as what fails is said before."""


class Answer(NamedTuple):
    """What tests say: passed, failed, endless, or none where there are none."""

    word: str
    test: str
    """Which one failed or did not end; a file's name where it could not be read."""
    times: dict[str, float]
    """How long each test took that passed [s]."""
    spent: float
    """Processor time of all [s]."""


class Copy:
    """A copy of the source whose files are changed one at a time."""

    def __init__(self, root: Path, folder: Path) -> None:
        """Copy the sources under ROOT into FOLDER."""
        self.root, self.folder, self.kept = root, folder / "copy", folder / "kept"
        for name in SOURCES:
            if (root / name).is_dir():
                shutil.copytree(root / name, self.kept / name)
        shutil.copytree(self.kept, self.folder, copy_function=os.link)

    def plant(self, file: Path, text: bytes) -> None:
        """Change a file, named as it is under the root."""
        (self.folder / file).unlink()
        (self.folder / file).write_bytes(text)

    def mend(self) -> None:
        """Put back every file that is not as it was; what came since then may stay."""
        for folder, _, names in os.walk(self.kept):
            for name in names:
                old = Path(folder) / name
                new = self.folder / old.relative_to(self.kept)
                if not new.exists() or not new.samefile(old):
                    new.unlink(missing_ok=True)
                    os.link(old, new)


class Watch:
    """In the process of the tests: which to run, and word of each through a pipe."""

    def __init__(
        self, pipe: int, wanted: Iterable[str] | None, budget: float, limit: float
    ) -> None:
        """Run the WANTED tests, in their order, until BUDGET is spent [s].

        One that takes longer than LIMIT ends the process.
        """
        self.pipe, self.budget, self.limit = pipe, budget, limit
        self.began = self.since = os.times()
        self.alarm()
        self.wanted = None if wanted is None else {w: k for k, w in enumerate(wanted)}

    def alarm(self) -> None:
        """Set the limit of what comes now; its signal also stops machine code."""
        self.since = os.times()
        signal.setitimer(signal.ITIMER_PROF, self.limit)

    def say(self, *words: object) -> None:
        """Send a line."""
        os.write(self.pipe, ("\t".join(map(str, words)) + "\n").encode())

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keep what is wanted, file by file."""
        if self.wanted is not None:
            wanted, firsts = self.wanted, dict[Path, int]()
            items[:] = [item for item in items if plain_name(item.nodeid) in wanted]
            for item in items:
                place = wanted[plain_name(item.nodeid)]
                firsts[item.path] = min(place, firsts.get(item.path, place))
            items.sort(
                key=lambda item: (firsts[item.path], wanted[plain_name(item.nodeid)])
            )
        self.alarm()
        self.say("start", "-")

    def pytest_collectreport(self, report: Any) -> None:
        """Say which file could not be read."""
        if report.failed:
            self.say("failed", report.nodeid)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Say which test begins."""
        self.alarm()
        self.say("start", nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Say which test failed, or how long it took."""
        if report.failed:
            self.say("failed", report.nodeid)
        elif report.when == "call":
            self.say("passed", report.nodeid, _since(self.since))

    def pytest_runtest_teardown(self, item: Any) -> None:
        """Begin no other test once the budget is spent."""
        if _since(self.began) > self.budget:
            item.session.shouldstop = "budget"


def plain_name(nodeid: str) -> str:
    """Return a test's name without its parameters, and without a method's."""
    file, _, name = nodeid.partition("::")
    return f"{file}::{name.partition('[')[0].partition('::')[0]}"


def load_heavy() -> None:
    """Load what every test needs, and set what their processes inherit."""
    sys.dont_write_bytecode = True
    os.environ.update(PYTHONDONTWRITEBYTECODE="1", OPENBLAS_NUM_THREADS="1")
    for name in HEAVY:
        import_module(name)


def ask(
    folder: Path,
    words: list[str],
    mode: str,
    limit: float,
    wanted: Iterable[str] | None = None,
    budget: float = float("inf"),
) -> Answer:
    """Run tests with the source of a folder and return what they say.

    Args:
        folder: where ``src`` and ``lab`` are; the tests are those of this folder.
        words: files and options for pytest.
        mode: whether kernels are compiled or plain Python.
        limit: processor time that a single test may take [s].
        wanted: which tests of the files to run, all if left out.
        budget: no test is begun after this much processor time [s].
    """
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        _run(folder, words, mode, limit, Watch(writes, wanted, budget, limit))
    os.close(writes)
    with os.fdopen(reads, "rb", buffering=0) as lines:
        word, test, times = _listen(lines, WAIT * limit)
    if word != "gone":
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    _, status, used = os.wait4(child, 0)
    if word == "gone":
        is_slow = os.waitstatus_to_exitcode(status) == -signal.SIGPROF
        word = "endless" if is_slow else "failed"
    return Answer(word, test, times, used.ru_utime + used.ru_stime)


def _run(folder: Path, words: list[str], mode: str, limit: float, watch: Watch) -> None:
    """Run pytest in this process, and end it."""
    os.setsid()
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    source = str(folder / "src")
    os.environ.update(PYTHONPATH=source, NUMBA_DISABLE_JIT=str(int(mode == PLAIN)))
    sys.path[:0] = [source, str(Path.cwd())]  # as python -m pytest has it
    sys.modules["__main__"] = ModuleType("__main__")  # not this tool, for processes
    import_module("numba").config.DISABLE_JIT = mode == PLAIN
    places = f"pythonpath=tests {folder / 'lab'}"
    options = [*"-xqp no:cacheprovider -o".split(), places]
    code = import_module("pytest").main([*words, *options], plugins=[watch])
    watch.say("done", int(code))
    os._exit(0)


def _listen(lines: Any, limit: float) -> tuple[str, str, dict[str, float]]:
    """Return how it ended, with which test, and the times, from lines of a pipe."""
    times, now, text = dict[str, float](), "", b""
    while True:
        ready, _, _ = select.select([lines], [], [], limit)
        more = lines.read(65536) if ready else b""
        *whole, text = (text + more).split(b"\n")
        for line in whole:
            word, test, *rest = line.decode().split("\t")
            if word == "failed":
                return "failed", test, times
            if word == "done":
                return ENDED.get(int(test), "failed"), now, times
            if word == "start":
                now = test
            else:
                name = plain_name(test)
                times[name] = times.get(name, 0.0) + float(rest[0])
        if not more:  # silent for too long, or no longer there
            return "gone" if ready else "endless", now, times


def _since(start: os.times_result) -> float:
    """Return the processor time since then [s]; a guess of what still runs below."""
    now = os.times()
    return max(sum(now[:4]) - sum(start[:4]), (now.elapsed - start.elapsed) / 4)
