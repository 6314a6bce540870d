"""Gymnasium knows the environments whichever of the two is imported first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import equipoise

pytest.importorskip("gymnasium")

SOURCE = Path(equipoise.__file__).parents[1]
NAMES = {"equipoise/Stand-v0", "equipoise/Walk-v0", "equipoise/Modules-v0"}
NAMES.add("equipoise/ManyWalk-v0")


def said(script: str) -> str:
    """Return what a fresh interpreter prints that knows nothing but the checkout."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    return done.stdout


def test_equipoise_may_come_first():
    """An environment is made, with nothing imported in between."""
    script = """
import equipoise
import gymnasium
print(*(name for name in gymnasium.registry if name.startswith("equipoise/")))
env = gymnasium.make("equipoise/Modules-v0", modules=2)
print(type(env.unwrapped).__module__)
"""
    names, home = said(script).splitlines()
    assert set(names.split()) == NAMES
    assert home == "equipoise.runs.gym.environments"


def test_gymnasium_may_come_first():
    """And a second import registers nothing twice, which would be a warning."""
    script = """
import gymnasium
import equipoise
import importlib
importlib.reload(equipoise)
print(*(name for name in gymnasium.registry if name.startswith("equipoise/")))
print(gymnasium.spec("equipoise/Walk-v0").entry_point)
"""
    names, home = said(script).splitlines()
    assert set(names.split()) == NAMES
    assert home == "equipoise.runs.gym.environments:WalkEnv"


def test_it_costs_nothing_without_gymnasium():
    """Neither Gymnasium nor NumPy is imported, and the finder goes when it has met."""
    script = """
import sys
import equipoise
print(sorted({"gymnasium", "numpy", "mujoco"} & set(sys.modules)))
waits = lambda: [f for f in sys.meta_path if type(f).__name__ == "WaitingFinder"]
print(len(waits()))
import gymnasium
print(len(waits()))
"""
    assert said(script).split() == ["[]", "1", "0"]
