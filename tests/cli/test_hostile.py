"""Damaged files and strange options: an answer or one sentence, never a defect."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from equipoise.cli.app import run
from oracles.hostile import Case, cases, recordings, verdict

TESTS = Path(__file__).parents[1]
SAMPLE = 20  # cases of the default set, the same ones on every run
NIGHTLY = 4000  # cases, other ones on every day
CHUNK = 100  # cases in one process


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


@pytest.mark.slow
def test_thousands_of_cases_are_answered(tmp_path):
    """In processes of their own; a seed that fails fails again with the same number."""
    today = int(time.time()) // 86400 * NIGHTLY
    first = int(os.environ.get("EQUIPOISE_FUZZ_SEED", today))
    runs = recorded(tmp_path, "superbot", "biped")
    wrong: list[str] = []
    for seed in range(first, first + NIGHTLY, CHUNK):
        done = subprocess.run(
            [sys.executable, "-m", "oracles.hostile", str(seed), str(CHUNK), str(runs)],
            capture_output=True,
            text=True,
            timeout=1800,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
        )
        lines = done.stdout.splitlines()
        wrong += [line for line in lines if line.startswith("wrong")]
        if done.returncode:  # a signal, or the driver itself
            wrong.append(f"ended by {done.returncode} in {lines[-1:]}: {done.stderr}")
        else:
            assert sum(line.startswith("start") for line in lines) == CHUNK
    assert not wrong, "\n".join(wrong)
