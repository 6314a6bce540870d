"""What every test shares: Hypothesis settings, random numbers, marks by folder."""

import gc
import os
import random
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from equipoise.core.seeds import stream
from oracles.missing import lacking_tools

os.environ.setdefault("MPLBACKEND", "Agg")  # no screen is ever needed
gc.set_threshold(20_000, 20, 20)  # kernels and symbols make many objects that stay

# The same examples on every run, so that red means a change in the code; nightly runs
# search at random (HYPOTHESIS_PROFILE=nightly) and each find becomes an @example. No
# deadline: the first call of a kernel compiles it.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("nightly", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

TESTS = Path(__file__).parent
SIM_ROOMS = {"cli", "examples", "games", "papers", "runs", "sim", "viz"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the upper rooms ``sim``: `make check` leaves them out.

    EQUIPOISE_TEST_ORDER=<seed> shuffles the files, and the tests within each file.
    """
    for item in items:
        if item.path.is_relative_to(TESTS):
            if item.path.relative_to(TESTS).parts[0] in SIM_ROOMS:
                item.add_marker(pytest.mark.sim)
    if seed := os.environ.get("EQUIPOISE_TEST_ORDER"):
        items[:] = shuffled(items, seed)


def shuffled(items: list[pytest.Item], seed: str) -> list[pytest.Item]:
    """Return tests in another order, those of a file together (as they share set-up).

    The same for every process of a run, which xdist insists on.
    """
    draw = random.Random(seed)
    files = [list(group) for _, group in groupby(items, key=lambda item: item.path)]
    draw.shuffle(files)
    for group in files:
        draw.shuffle(group)
    return [item for group in files for item in group]


def pytest_report_header() -> str | None:
    """Say which order a run had, so that it can be had again."""
    seed = os.environ.get("EQUIPOISE_TEST_ORDER")
    return f"order: EQUIPOISE_TEST_ORDER={seed}" if seed else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which programs tests were skipped for, and the line that brings them."""
    skipped = terminalreporter.getreports("skipped")
    if line := lacking_tools(str(report.longrepr) for report in skipped):
        terminalreporter.section("tools that are missing", sep="-", yellow=True)
        terminalreporter.line(line)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After a file, set aside what lives on: the collector need not look at it again.

    Or every full collection looks through what hundreds of files have left.
    """
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.fixture
def blank_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw robots as white paper: for tests of commands that write many files.

    What pictures show is tested in ``viz`` and with each run's outputs.
    """

    def draw(*_: object, size: tuple[int, int] = (64, 48), **__: object) -> np.ndarray:
        return np.full((size[1], size[0], 3), 255, np.uint8)

    for room in ("balance", "stand", "walk"):
        monkeypatch.setattr(f"equipoise.runs.{room}.outputs.draw", draw)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers that depend on the test's name only, not on the run's order."""
    return stream(0, request.node.nodeid)
