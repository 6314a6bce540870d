"""Damaged files and strange options: an answer or one sentence, never a defect."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from equipoise.cli.app import run
from oracles.hostile import Case, cases, recordings, verdict
from oracles.night import seeds_of_the_night

TESTS = Path(__file__).parents[1]
SAMPLE = 20  # cases of the default set, the same ones on every run
CHUNK = 100  # cases in one process
NIGHT = seeds_of_the_night(0, 4000, CHUNK)


TYPED = {
    "superbot": ["--modules", "2", "--branches", "1", "--seconds", "0.02"],
    "biped": ["biped", "--seconds", "0.02"],
}


def recorded(folder: Path, *robots: str) -> Path:
    """Return a folder with a recording of each robot, by its name."""
    for robot in robots:
        out = folder / robot
        assert run(["balance", *TYPED[robot], "--json", "--out", str(out)]) in (0, 1)
        (out / "run.nc").rename(folder / f"{robot}.nc")
    return folder


def test_a_sample_is_answered(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs, tried = recordings(recorded(tmp_path / "runs", "superbot")), 0
    for seed, case in cases(0, SAMPLE, tmp_path, runs):
        assert verdict(case) == "", f"seed {seed}: {case.typed}"
        tried += 1
    assert tried == SAMPLE
    assert not list(tmp_path.glob(".*.part*"))


@pytest.mark.parametrize(
    ("problem", "found"),
    [
        (RuntimeError("x"), "exit code 70"),
        (ValueError("x"), "exit code 70"),
        (OSError("x"), "exit code 70"),
    ],
)
def test_a_defect_would_be_found(problem, found, monkeypatch):
    def fail(*_: object) -> None:
        raise problem

    monkeypatch.setattr("equipoise.runs.mass.robot_mass", fail)
    assert verdict(Case(("mass", "x.urdf"))).startswith(found)


def test_noise_and_a_missing_name_would_be_found(monkeypatch):
    from equipoise.core.errors import BadFileError

    def refuse(*_: object) -> None:
        raise BadFileError("it is no robot.")

    monkeypatch.setattr("equipoise.runs.mass.robot_mass", refuse)
    assert verdict(Case(("mass", "x.urdf"))) == ""
    wrong = verdict(Case(("mass", "x.urdf"), named="x.urdf"))
    assert wrong.startswith("names no file: it is no robot.")
    monkeypatch.setattr("equipoise.cli.mass.expect_out", lambda _: print("\x9b"))
    assert verdict(Case(("mass", "x.urdf"))).startswith("control characters")
    monkeypatch.setattr("equipoise.cli.mass.expect_out", lambda _: print("a"))
    assert verdict(Case(("mass", "x.urdf"))).startswith("a refusal is one line")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return a folder of recordings."""
    return recorded(tmp_path_factory.mktemp("runs"), "superbot", "biped")


@pytest.mark.slow
@pytest.mark.parametrize("seeds", NIGHT, ids=str)
def test_thousands_of_cases_are_answered(runs, record_property, seeds):
    """In a process of their own; a seed that fails fails again with the same number."""
    done = subprocess.run(
        [sys.executable, "-m", "oracles.hostile", str(seeds[0]), str(CHUNK), str(runs)],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
    )
    lines = done.stdout.splitlines()
    wrong = [line for line in lines if line.startswith("wrong")]
    record_property("cases", {"tried": CHUNK, "wrong": len(wrong)})
    assert done.returncode == 0, f"in {lines[-1:]}: {done.stderr}"  # a signal
    assert sum(line.startswith("start") for line in lines) == CHUNK
    assert not wrong, "\n".join(wrong)
