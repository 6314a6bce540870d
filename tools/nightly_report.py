"""The page about a night: what ran, what of it failed, what was not reached."""

import os
import platform
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

PACKAGES = ("mujoco", "numpy", "scipy", "numba", "clarabel")
SLOWEST = 10


class Named(Protocol):
    """What a step of a night is to its page."""

    @property
    def name(self) -> str:
        """A word."""
        ...

    @property
    def what(self) -> str:
        """What it runs."""
        ...

    @property
    def commands(self) -> Sequence[Sequence[str]]:
        """Its pieces."""
        ...

    @property
    def are_tests(self) -> bool:
        """Whether its journal names tests."""
        ...


Rows = list[dict[str, Any]]


def report(
    date: str, commit: str, hours: float, found: list[tuple[Named, Rows]]
) -> tuple[str, bool]:
    """Return the page in Markdown, and whether nothing failed.

    Args:
        date: of the night.
        commit: that was tested.
        hours: that it could take.
        found: each step with the lines of its journal.
    """
    table = [_row(step, rows) for step, rows in found]
    failed = [text for step, rows in found for text in _failures(step, rows)]
    lines = [
        f"# Night of {date}",
        "",
        f"Commit {commit[:12]}, {_machine()}; {_packages()}. At most {hours:g} hours: "
        "what is not reached one night has its turn another, as the date draws the "
        "order.",
        "",
        "| step | what | done | failed | skipped | minutes |",
        "| --- | --- | --- | --- | --- | --- |",
        *table,
        "",
        *_recorded(found),
        "## What failed",
        "",
        *(failed or ["Nothing.", ""]),
        "## What took longest",
        "",
        *_slowest(found),
    ]
    return "\n".join(lines).rstrip() + "\n", not failed


def _row(step: Named, rows: Rows) -> str:
    tests = _outcomes(rows)
    spent = sum(row.get("spent", 0.0) for row in rows) / 60
    if step.are_tests:
        counts = Counter(row["outcome"] for row in tests.values())
        most = max((row["selected"] for row in rows if "selected" in row), default=0)
        done, bad = f"{len(tests)} of {most} tests", counts["failed"]
        skipped = str(counts["skipped"])
    else:
        ended = _pieces(rows)
        good = sum(row["code"] == 0 for row in ended.values())
        bad = sum(row["code"] not in (0, None) for row in ended.values())
        done, skipped = f"{good + bad} of {len(step.commands)} runs", "-"
    if not rows:
        done = "not run"
    return f"| {step.name} | {step.what} | {done} | {bad} | {skipped} | {spent:.0f} |"


def _outcomes(rows: Rows) -> dict[str, dict[str, Any]]:
    return {row["test"]: row for row in rows if "test" in row}


def _pieces(rows: Rows) -> dict[int, dict[str, Any]]:
    return {row["piece"]: row for row in rows if "piece" in row}


def _failures(step: Named, rows: Rows) -> list[str]:
    """Return what is said of each failure, and of runs that ended in a strange way."""
    tests, found = _outcomes(rows), list[str]()
    for name, row in sorted(tests.items()):
        if row["outcome"] == "failed":
            found += [f"* {step.name}: `{name}`", "", *_quoted(row["said"]), ""]
    for k, row in sorted(_pieces(rows).items()):
        is_odd = row["code"] not in (0, None)
        if is_odd and not (step.are_tests and row["code"] == 1 and found):
            head = f"* {step.name}, run {k + 1} of {len(step.commands)}"
            found += [f"{head}: exit {row['code']}", "", *_quoted(row["said"]), ""]
    return found


def _quoted(text: str) -> list[str]:
    """Return the end of a text as a block of code."""
    lines = [line.replace("```", "'''") for line in text.splitlines() if line.strip()]
    return ["  ```text", *(f"  {line[:200]}" for line in lines[-12:]), "  ```"]


def _recorded(found: list[tuple[Named, Rows]]) -> list[str]:
    """Return a table of what tests counted, such as scenes and their answers."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    for _, rows in found:
        for name, row in _outcomes(rows).items():
            for what, counts in row.get("recorded", {}).items():
                key = name.split("::")[-1].split("[")[0], what
                sums.setdefault(key, Counter()).update(counts)
    if not sums:
        return []
    lines = [
        "## What was counted",
        "",
        "| test | what | counts |",
        "| --- | --- | --- |",
    ]
    for (test, what), counts in sorted(sums.items()):
        told = ", ".join(f"{word}: {n}" for word, n in sorted(counts.items()))
        lines.append(f"| {test} | {what} | {told} |")
    return [*lines, ""]


def _slowest(found: list[tuple[Named, Rows]]) -> list[str]:
    every = [
        (row["seconds"], step.name, name)
        for step, rows in found
        for name, row in _outcomes(rows).items()
    ]
    most = sorted(every, reverse=True)[:SLOWEST]
    return [f"* {seconds:.0f} s, {step}: `{name}`" for seconds, step, name in most]


def _machine() -> str:
    model = ""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = [row for row in info.read_text().splitlines() if "model name" in row]
        model = lines[0].split(":")[1].strip() if lines else ""
    return f"{os.cpu_count()} cores ({model or platform.machine()})"


def _packages() -> str:
    return ", ".join(f"{name} {version(name)}" for name in PACKAGES)
