"""Pytest plugin: a journal of finished tests, and no second run of those in it.

``-p journal_plugin`` with EQUIPOISE_JOURNAL, the file that a line is appended to for
each test: its name, outcome, seconds, end of its failure and what it recorded by
``record_property``. Tests named in EQUIPOISE_DONE (a file, a name a line, which does
not change during the run, so that all processes of xdist collect the same) are
deselected.
"""

import json
import os
from pathlib import Path

import pytest

TAIL = 2000  # characters of a failure that are kept


def done_before() -> set[str]:
    """Return the names of the tests that need not run again."""
    path = os.environ.get("EQUIPOISE_DONE")
    return set(Path(path).read_text().splitlines()) if path else set()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Deselect what was done before, after the marks have selected."""
    done = done_before()
    again = [item for item in items if item.nodeid in done]
    if again:
        config.hook.pytest_deselected(items=again)
        items[:] = [item for item in items if item.nodeid not in done]
    if not hasattr(config, "workerinput") and not config.getoption("numprocesses", 0):
        _append({"selected": len(items) + len(again)})


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: object, ids: list[str]) -> None:
    """Note how many tests there are; each process says so, the last one counts."""
    _append({"selected": len(ids) + len(done_before())})


class _Journal:
    """Writes down each test once: a failure of set-up or tear-down is one of it."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: dict[str, str] = {}
        self.skipped: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the three parts of a test, and write after the last one."""
        name = report.nodeid
        self.seconds[name] = self.seconds.get(name, 0.0) + report.duration
        if report.failed:
            self.failed[name] = report.longreprtext[-TAIL:]
        if report.skipped:
            self.skipped.add(name)
        if report.when != "teardown":
            return
        outcome = "skipped" if name in self.skipped else "passed"
        row = {
            "test": name,
            "outcome": "failed" if name in self.failed else outcome,
            "seconds": round(self.seconds.pop(name), 2),
        }
        if name in self.failed:
            row["said"] = self.failed[name]
        if report.user_properties:
            row["recorded"] = dict(report.user_properties)
        _append(row)


def pytest_configure(config: pytest.Config) -> None:
    """Keep the journal in the process that hears of all tests."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Journal(), "journal of tests")


def _append(row: dict[str, object]) -> None:
    with Path(os.environ["EQUIPOISE_JOURNAL"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
