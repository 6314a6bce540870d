"""What is too long for every change, once a night: resumable, with a page about it.

    .ci/nightly [--hours 4] [--only slow,torture] [--night 2026-11-19] [--commit C]

Steps run one after the other, each for its share of the hours at most. A night that is
ended at any moment goes on where it was when it is started again: tests and pieces that
are done, at the same commit, are not repeated. The date draws the seeds of scenes,
hostile cases, faults and planted bugs, and the order of the tests, so that every night
tries others and what is not reached today has its turn tomorrow. Everything is kept in
out/nightly/DATE; ``report.md`` there is the page, ``--page FILE`` copies it. Exits 1
where anything failed.
"""

import argparse
import datetime
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nightly_report import report

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / ".venv/bin/python"
FIRST_NIGHT = datetime.date(2026, 1, 1)
PIECES, FAULTS, BUGS = 10, 2_000, 150
"""Runs of the torture and seeds in each; bugs drawn in a night."""
PLUGIN = ("-p", "journal_plugin")


@dataclass(frozen=True)
class Step:
    """Something that is run at night."""

    name: str
    what: str
    share: float
    """Of the night's hours, at most."""
    commands: tuple[tuple[str, ...], ...]
    """Pieces; one that has ended by itself is not run again."""
    setting: dict[str, str] = field(default_factory=dict)
    """Of the environment."""
    are_tests: bool = False
    """Whether each is a run of pytest, which keeps a journal of its own."""


def steps_of(night: int, folder: Path) -> list[Step]:
    """Return all steps of a night.

    Args:
        night: days since the first one; draws the seeds.
        folder: where they may write.
    """
    tests = f"-m pytest -q -n 2 --dist loadfile {' '.join(PLUGIN)}"
    first = 1_000_000 + PIECES * FAULTS * night
    torture = "-m equipoise modules torture --faults all --json --seeds"
    drawn = (
        f"tools/mutants.py --draw {BUGS} --seed {night} --json {folder}/mutants.json"
    )
    return [
        Step(
            "slow",
            "tests marked `slow` or `paper`: scenes, walks, public files, claims",
            0.5,
            (_python(tests, "-m", "slow or paper"),),
            {"HYPOTHESIS_PROFILE": "nightly", "EQUIPOISE_TEST_ORDER": str(night)},
            are_tests=True,
        ),
        Step(
            "torture",
            f"faults against the message protocol, {PIECES * FAULTS} new seeds",
            0.08,
            tuple(
                _python(torture, str(FAULTS), "--seed", str(first + k * FAULTS))
                for k in range(PIECES)
            ),
        ),
        Step(
            "mutants",
            f"{BUGS} bugs drawn at random: do the tests notice?",
            0.18,
            (_python(drawn, "--json", str(folder / "mutants.json")),),
        ),
        *(
            Step(
                name,
                f"the tests as {name} rounds, in another order",
                0.05,
                (("sh", "tools/other_processors.sh", str(PYTHON), *PLUGIN),),
                {"ONLY": name, "SEED": str(night)},
                are_tests=True,
            )
            for name in ("Prescott", "Haswell", "SkylakeX")
        ),
        Step(
            "lowest",
            "the tests with the lowest versions of all packages",
            0.09,
            (("make", "-s", "test-lowest", f"TESTS={' '.join(PLUGIN)}"),),
            are_tests=True,
        ),
    ]


def _python(words: str, *more: str) -> tuple[str, ...]:
    return (str(PYTHON), *words.split(), *more)


class Night:
    """One night's folder, and what is done of it."""

    def __init__(self, folder: Path, commit: str, order: int) -> None:
        self.folder, self.commit, self.order = folder, commit, order
        folder.mkdir(parents=True, exist_ok=True)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the lines of a journal that are of this commit; none is no journal.

        The last line may be half of one: the machine may have been switched off.
        """
        path = self.folder / f"{name}.jsonl"
        found, is_mine = list[dict[str, Any]](), False
        for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if "commit" in row:
                is_mine = row["commit"] == self.commit
            elif is_mine:
                found.append(row)
        return found

    def write(self, name: str, row: dict[str, Any]) -> None:
        """Append a line to a journal, also behind one that was cut off."""
        with (self.folder / f"{name}.jsonl").open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(row)}\n")

    def run(self, step: Step, seconds: float) -> None:
        """Run what is left of a step, for so long at most.

        Args:
            step: what is run.
            seconds: after which it is ended; what is done by then stays done.
        """
        before = self.rows(step.name)
        spent = sum(row.get("spent", 0.0) for row in before)
        end = time.monotonic() + max(seconds - spent, 0.0)
        self.write(step.name, {"commit": self.commit})
        done = {row["piece"] for row in before if row.get("code") is not None}
        for k, command in enumerate(step.commands):
            if k in done or time.monotonic() >= end:
                continue
            start = time.monotonic()
            code, said = self._ended(step, command, end)
            row = {"piece": k, "code": code, "said": said[-3000:]}
            row["spent"] = round(time.monotonic() - start, 1)
            self.write(step.name, row)

    def _ended(
        self, step: Step, command: tuple[str, ...], end: float
    ) -> tuple[int | None, str]:
        """Run a command until its end or the given time; None if it was ended."""
        setting = {**os.environ, **step.setting, "EQUIPOISE_NIGHT": str(self.order)}
        setting |= {"OPENBLAS_NUM_THREADS": "1"}
        if step.are_tests:
            done = self.folder / f"{step.name}.done"
            tests = [row["test"] for row in self.rows(step.name) if "test" in row]
            done.write_text("\n".join(tests), encoding="utf-8")
            path = os.pathsep.join([str(ROOT / "tools"), setting.get("PYTHONPATH", "")])
            setting |= {
                "EQUIPOISE_JOURNAL": str(self.folder / f"{step.name}.jsonl"),
                "EQUIPOISE_DONE": str(done),
                "PYTHONPATH": path.rstrip(os.pathsep),
            }
        log = self.folder / f"{step.name}.log"
        with log.open("wb") as file:
            child = subprocess.Popen(
                command,
                cwd=ROOT,
                env=setting,
                stdout=file,
                stderr=file,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                code: int | None = child.wait(max(end - time.monotonic(), 1.0))
            except subprocess.TimeoutExpired:
                code = None
            finally:
                _end(child)
        return code, log.read_text("utf-8", errors="replace")


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started: gently, then at once."""
    for word, wait in ((signal.SIGTERM, 10.0), (signal.SIGKILL, None)):
        try:
            os.killpg(child.pid, word)
            child.wait(wait)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def _commit() -> str:
    words = ["git", "rev-parse", "HEAD"]
    return subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--only", default="", help="names of steps, with commas")
    today = datetime.date.today().isoformat()
    parser.add_argument("--night", default=today, help="date that draws the seeds")
    parser.add_argument("--out", type=Path, default=ROOT / "out/nightly")
    parser.add_argument("--page", type=Path, help="where the page is copied to")
    return parser.parse_args()


def main() -> int:
    """Run a night and write its page; return the exit status."""
    asked = _asked()
    night = (datetime.date.fromisoformat(asked.night) - FIRST_NIGHT).days
    one = Night(asked.out / asked.night, _commit(), night)
    steps = steps_of(night, one.folder)
    names = [word for word in asked.only.split(",") if word]
    for name in set(names) - {step.name for step in steps}:
        known = ", ".join(step.name for step in steps)
        print(f"There is no step '{name}'; there are {known}.", file=sys.stderr)
        return 2
    for step in steps:
        if not names or step.name in names:
            print(f"{step.name}: {step.what}", flush=True)
            one.run(step, 3600.0 * asked.hours * step.share)
    found = [(step, one.rows(step.name)) for step in steps]
    text, is_well = report(asked.night, one.commit, asked.hours, found)
    (one.folder / "report.md").write_text(text, encoding="utf-8")
    if asked.page:
        asked.page.write_text(text, encoding="utf-8")
    print(one.folder / "report.md")
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
