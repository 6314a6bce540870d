"""A test run says which programs it lacked, and CI does not pass without them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.sim  # pytest is run in processes

ROOT = Path(__file__).parents[2]
TESTS = [
    "tests/equations/test_targets.py::test_too_little_flash_is_told",
    "tests/equations/test_targets.py::test_a_compiler_that_fails_is_quoted",
    "tests/viz/test_replay_browser.py::test_page_plays_by_itself",
]


def run_without_tools(*arguments: str, ci: str) -> subprocess.CompletedProcess[str]:
    """Run some tests with no program to be found on the PATH."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env={**os.environ, "PATH": "", "CI": ci},
        capture_output=True,
        text=True,
    )


@pytest.mark.sim
def test_missing_programs_are_told_with_what_brings_them():
    done = run_without_tools("-n", "1", *TESTS, ci="")  # as `make test` does
    assert done.returncode == 0, done.stdout
    (line,) = (s for s in done.stdout.splitlines() if "make toolchains" in s)
    assert line.startswith("3 tests were skipped for want of ")
    for tool in ("cc", "avr-gcc", "chromium"):
        assert f"{tool} (1)" in line


@pytest.mark.sim
def test_a_missing_program_is_a_failure_in_ci():
    done = run_without_tools(*TESTS[:2], ci="true")
    assert done.returncode == 1
    assert "2 failed" in done.stdout
    assert "make toolchains" not in done.stdout
